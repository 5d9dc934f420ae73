"""Everything that a report shows, asked from the database in one go."""

from dataclasses import dataclass

import pandas as pd

from razzstats.chips import Money
from razzstats.stats import hands, tables
from razzstats.stats.filters import Filters
from razzstats.stats.luck import luck_table
from razzstats.stats.money import money_table
from razzstats.stats.opponents import opponent_table
from razzstats.stats.positions import position_table
from razzstats.stats.rates import street_rates, third_street
from razzstats.stats.sessions import session_table, stakes_table
from razzstats.stats.starting_hands import starting_class_table, starting_hand_table
from razzstats.storage import Database


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportData:
    """What a report shows: the frames of `razzstats.stats`, unchanged, and what they are about."""

    title: str
    filters: str
    """Which hands count, in words."""
    overview: pd.DataFrame
    door_cards: pd.DataFrame
    door_streets: pd.DataFrame
    streets: pd.DataFrame
    starting_classes: pd.DataFrame
    starting_hands: pd.DataFrame
    luck: pd.DataFrame
    third_street: pd.DataFrame
    street_rates: pd.DataFrame
    money_table: pd.DataFrame
    """What was won and lost, and what it is made of; `money` is the currency."""
    positions: pd.DataFrame
    stakes: pd.DataFrame
    sessions: pd.DataFrame
    opponents: pd.DataFrame
    results: pd.DataFrame
    """One row a hand, in order of time."""
    biggest_pots: pd.DataFrame
    rejected: pd.DataFrame
    """The hands that are not stored, whatever the filters."""
    quality: hands.DataQuality
    money: Money | None
    """How amounts are counted, or None if hands in several currencies count, or no hands."""

    @property
    def hands(self) -> int:
        """How many hands count."""
        return len(self.results)

    @property
    def period(self) -> tuple[pd.Timestamp, pd.Timestamp] | None:
        """When the first and the last hand were played (UTC), or None if no hand has a time."""
        times = self.results["played_at"].dropna()
        return None if times.empty else (times.min(), times.max())


def gather(database: Database, filters: Filters) -> ReportData:
    """Ask the database for all that a report shows of the hands that match."""
    return ReportData(
        title=_title(database, filters),
        filters=filters.words(),
        overview=tables.overview(database, filters),
        door_cards=tables.door_cards(database, filters),
        door_streets=tables.door_streets(database, filters),
        streets=tables.streets(database, filters),
        starting_classes=starting_class_table(database, filters),
        starting_hands=starting_hand_table(database, filters),
        luck=luck_table(database, filters),
        third_street=third_street(database, filters),
        street_rates=street_rates(database, filters),
        money_table=money_table(database, filters),
        positions=position_table(database, filters),
        stakes=stakes_table(database, filters),
        sessions=session_table(database, filters),
        opponents=opponent_table(database, filters),
        results=hands.results(database, filters),
        biggest_pots=hands.biggest_pots(database, filters),
        rejected=hands.rejected_hands(database),
        quality=hands.data_quality(database),
        money=hands.currency(database, filters),
    )


_MOST_NAMES = 3


def _title(database: Database, filters: Filters) -> str:
    """Return whose report it is: "RazzHero", "Anna, Ben", "All players"."""
    if filters.all_players:
        return "All players"
    names = [filters.hero] if filters.hero else [name for name, _ in hands.heroes(database)]
    if not names:
        return "Razz"
    shown = ", ".join(names[:_MOST_NAMES])
    left_out = len(names) - _MOST_NAMES
    return f"{shown} and {left_out} more" if left_out > 0 else shown
