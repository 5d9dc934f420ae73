"""The rooms whose hand histories can be read."""

from razzstats.parsing.site import Site
from razzstats.parsing.sites.pokerstars import POKERSTARS

SITES: tuple[Site, ...] = (POKERSTARS,)
