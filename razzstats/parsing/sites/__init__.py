"""The rooms whose hand histories can be read."""

from razzstats.parsing.site import Site
from razzstats.parsing.sites.fulltilt import FULLTILT
from razzstats.parsing.sites.kingsclub import KINGSCLUB
from razzstats.parsing.sites.merge import MERGE
from razzstats.parsing.sites.ongame import ONGAME
from razzstats.parsing.sites.phh import PHH
from razzstats.parsing.sites.pokerstars import POKERSTARS
from razzstats.parsing.sites.winamax import WINAMAX

SITES: tuple[Site, ...] = (POKERSTARS, WINAMAX, FULLTILT, KINGSCLUB, ONGAME, PHH, MERGE)
