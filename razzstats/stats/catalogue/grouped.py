"""The tables of rates and results that can be split by a group."""

from razzstats.stats.catalogue.kinds import Column, Kind, Table, rate_columns
from razzstats.stats.catalogue.tables import RESULTS

_TITLE = Column("title", "Statistic", Kind.TEXT, "the statistic's name")
_STREET = Column("street", "Street", Kind.COUNT, "3 to 7")
_GROUP = Column("group", "Group", Kind.TEXT, "what the hands are grouped by; all without --by")
_RATE = (
    *rate_columns("rate", "Rate", "made of chances"),
    Column("made", "Made", Kind.COUNT, "how often it happened"),
    Column("chances", "Chances", Kind.COUNT, "how often it could have happened"),
)
_ID = Column("id", "Id", Kind.TEXT, "the statistic's id")

GROUPED_TABLES: tuple[Table, ...] = (
    Table(
        "third-street",
        "Third street",
        "what the player chose on third street, of the choices that he had",
        (_TITLE, _GROUP, *_RATE, _ID),
    ),
    Table(
        "street-rates",
        "Rates by street",
        "what the player chose on each street, of the choices that he had",
        (_TITLE, _STREET, _GROUP, *_RATE, _ID),
    ),
    Table(
        "hand-rates",
        "Rates of hands",
        "how often hands went one way or another, of those that could: the rates of the overview",
        (_TITLE, _GROUP, *_RATE, _ID),
    ),
    Table(
        "results",
        "Results",
        "what the hands brought, with the main rates",
        (_GROUP, Column("hands", "Hands", Kind.COUNT, "hands of the group"), *RESULTS),
    ),
)
"""The tables that take a group."""
