"""The tables that count hands."""

from razzstats.stats.catalogue.kinds import Column, Kind, Table, rate_columns
from razzstats.stats.catalogue.rates import STAT_BY_ID

_BIG_BETS_PER_100 = Column(
    "big_bets_per_100",
    "BB/100",
    Kind.RESULT,
    "big bets won per 100 hands; each hand's result counts in big bets of its own table",
)
_BIG_BETS_BOUNDS = (
    Column(
        "big_bets_per_100_low",
        "low",
        Kind.RESULT,
        "lower bound of the 95 % interval of BB/100 (normal, hands taken as independent)",
    ),
    Column("big_bets_per_100_high", "high", Kind.RESULT, "upper bound of the same interval"),
)
_NET = Column(
    "net",
    "Net",
    Kind.AMOUNT,
    "what the player won less what he put in, in the currency's smallest unit; empty where hands "
    "of several currencies are added up",
)


def _rate(id: str) -> Column:
    stat = STAT_BY_ID[id]
    return Column(id, stat.title, Kind.RATE, stat.definition)


def _rate_of_chances(id: str) -> tuple[Column, Column]:
    chances = Column(f"{id}_chances", "of", Kind.COUNT, "how many hands that rate is of")
    return _rate(id), chances


RESULTS = (
    Column("won", "Won", Kind.COUNT, "hands in which the player collected chips"),
    *rate_columns("win_rate", STAT_BY_ID["win_rate"].title, STAT_BY_ID["win_rate"].definition),
    _NET,
    _BIG_BETS_PER_100,
    *_BIG_BETS_BOUNDS,
    *_rate_of_chances("vpip"),
    *_rate_of_chances("complete"),
    _rate("saw_fourth"),
)
"""How a group of hands fared."""

HAND_TABLES: tuple[Table, ...] = (
    Table(
        "overview",
        "Overview",
        "results and rates over all hands that match",
        (
            Column("id", "Id", Kind.TEXT, "the statistic's id"),
            Column("title", "Statistic", Kind.TEXT, "the statistic's name"),
            Column("value", "Value", Kind.NUMBER, "the rate as a fraction of 1, or the amount"),
            Column("low", "Low", Kind.NUMBER, "lower bound of the 95 % interval"),
            Column("high", "High", Kind.NUMBER, "upper bound of the 95 % interval"),
            Column("made", "Made", Kind.COUNT, "how often it happened"),
            Column("chances", "Chances", Kind.COUNT, "how often it could have happened"),
            Column("unit", "Unit", Kind.TEXT, "rate, hands, sessions, BB/100 or a currency"),
        ),
    ),
    Table(
        "door-cards",
        "Door cards",
        "results and rates by the player's own door card, ace to king",
        (
            Column("door", "Door", Kind.TEXT, "the rank of the player's first up card"),
            Column("hands", "Hands", Kind.COUNT, "hands with this door card"),
            *RESULTS,
            *_rate_of_chances("went_to_showdown"),
            *_rate_of_chances("won_at_showdown"),
        ),
    ),
    Table(
        "bring-ins",
        "Bring-ins",
        "how often each own door card brings in, against how often chance would have it",
        (
            Column("door", "Door", Kind.TEXT, "the rank of the player's first up card"),
            Column("hands", "Hands", Kind.COUNT, "hands with this door card and a bring-in"),
            *rate_columns(
                "brought_in",
                "Brought in",
                "hands in which he was the bring-in player, whether he posted the bring-in or "
                "completed in its place, of these",
            ),
            Column(
                "brought_in_made", "Made", Kind.COUNT, "hands in which he was the bring-in player"
            ),
            Column(
                "expected",
                "By chance",
                Kind.RATE,
                "how often no other door card of a full deck is higher than his own, which in "
                "equal ranks goes by suit, at tables of these sizes",
                is_exact=True,
            ),
            Column(
                "bring_in_big_bets",
                "Cost BB",
                Kind.NUMBER,
                "big bets posted as bring-ins, per 100 of these hands",
            ),
        ),
    ),
    Table(
        "door-streets",
        "Door cards by street",
        "how hands with each door card fare from each street that they reach",
        (
            Column("door", "Door", Kind.TEXT, "the rank of the player's first up card"),
            Column("street", "Street", Kind.COUNT, "3 to 7"),
            Column("reached", "Reached", Kind.COUNT, "hands in which the player saw this street"),
            Column("folded", "Folded", Kind.COUNT, "of those, the hands that he folded on it"),
            Column(
                "won",
                "Won",
                Kind.COUNT,
                "of those, the hands in which he collected chips in the end",
            ),
            *rate_columns("win_rate", "Hands won", "won of reached"),
            Column(
                "net_big_bets",
                "Net BB",
                Kind.RESULT,
                "the net of the hands that reached this street, in big bets, from the ante on",
            ),
        ),
    ),
    Table(
        "door-pairs",
        "Own door against the bring-in's door",
        "results by the player's own door card and that of the bring-in player, ace to king each; "
        "hands without a bring-in, and those in which he brings in himself, are left out",
        (
            Column("door", "Door", Kind.TEXT, "the rank of the player's first up card"),
            Column(
                "bring_in_door",
                "Bring-in",
                Kind.TEXT,
                "the rank of the bring-in player's first up card",
            ),
            Column("hands", "Hands", Kind.COUNT, "hands with these two door cards"),
            Column(
                "entered",
                "Entered",
                Kind.COUNT,
                "of the hands, those in which he called, completed or raised on third street",
            ),
            Column(
                "completed",
                "Completed",
                Kind.COUNT,
                "of the hands, those in which he completed the bring-in",
            ),
            Column("won", "Won", Kind.COUNT, "of the hands, those in which he collected chips"),
            Column("net_big_bets", "Net BB", Kind.RESULT, "the net of these hands, in big bets"),
            _BIG_BETS_PER_100,
            *_BIG_BETS_BOUNDS,
        ),
    ),
    Table(
        "streets",
        "Streets",
        "what the player did on each street",
        (
            Column("street", "Street", Kind.COUNT, "3 to 7"),
            Column("reached", "Reached", Kind.COUNT, "hands in which the player saw this street"),
            Column("folded", "Folded", Kind.COUNT, "of those, the hands that he folded on it"),
            Column(
                "ended",
                "Ended",
                Kind.COUNT,
                "of those, the hands that were over for him on this street",
            ),
            Column(
                "won",
                "Won",
                Kind.COUNT,
                "of those that ended, the hands in which he collected chips",
            ),
            Column(
                "net_big_bets",
                "Net BB",
                Kind.RESULT,
                "the net of the hands that ended here, in big bets",
            ),
            Column("checks", "Checks", Kind.COUNT, "checks on this street"),
            Column("bets", "Bets", Kind.COUNT, "completions and bets on this street"),
            Column("raises", "Raises", Kind.COUNT, "raises on this street"),
            Column("calls", "Calls", Kind.COUNT, "calls on this street"),
            *rate_columns(
                "fold_to_bet",
                "Fold to bet",
                "folds, of the decisions in which there was something to call; on third street the "
                "bring-in is something to call",
            ),
            Column("fold_to_bet_made", "Folds", Kind.COUNT, "the folds of that rate"),
            Column("fold_to_bet_chances", "Facing a bet", Kind.COUNT, "the decisions of that rate"),
            Column(
                "aggression",
                "AF",
                Kind.NUMBER,
                "aggression factor: completions, bets and raises for each call; empty if none",
            ),
        ),
    ),
    Table(
        "starting-classes",
        "Starting hands by class",
        "results and rates by class of starting hands, where the first three cards are known",
        (
            Column("class", "Class", Kind.TEXT, "the class of the first three cards"),
            Column("hands", "Hands", Kind.COUNT, "hands of this class"),
            Column("dealt", "Dealt", Kind.RATE, "those hands, of all that are known"),
            Column(
                "to_be_expected",
                "Expected",
                Kind.RATE,
                "how often such a hand comes from a whole deck",
                is_exact=True,
            ),
            *RESULTS,
        ),
    ),
    Table(
        "starting-hands",
        "Starting hands",
        "results and rates by the ranks of the first three cards, where they are known; the best "
        "hand against a random one first",
        (
            Column("starting_hand", "Hand", Kind.TEXT, "the ranks of the first three cards"),
            Column("class", "Class", Kind.TEXT, "the class that they make"),
            Column("rank", "Rank", Kind.COUNT, "1 is the best of 455 against one random hand"),
            Column(
                "equity",
                "Equity",
                Kind.RATE,
                "part of the pot that it wins against one random hand, over all deals",
                is_exact=True,
            ),
            Column(
                "rating",
                "Rating",
                Kind.RATE,
                "how likely it is to beat three random hands, with no card dead",
                is_exact=True,
            ),
            Column(
                "live_rating",
                "Live",
                Kind.RATE,
                "the same with the other door cards dead, on average over the hands",
            ),
            Column("hands", "Hands", Kind.COUNT, "hands with these ranks"),
            *RESULTS,
        ),
    ),
    Table(
        "luck",
        "Luck",
        "what luck did at showdowns: what was won less what the cards were to win on average, "
        "after rake",
        (
            Column(
                "kind",
                "Showdowns",
                Kind.TEXT,
                "all-in: betting was over with cards to come, and equity is that of this moment; "
                "last card: all others, where it is what the last card did to the pot of sixth "
                "street",
            ),
            Column("hands", "Hands", Kind.COUNT, "showdowns that the player reached"),
            Column(
                "measured",
                "Measured",
                Kind.COUNT,
                "of those, the showdowns in which the cards of all live players are known",
            ),
            Column(
                "pots_measured",
                "of pots",
                Kind.RATE,
                "the part of the pots, in big bets, that could be measured",
            ),
            Column(
                "won_measured",
                "of won",
                Kind.RATE,
                "the part of the showdowns that he won that could be measured; where it is less "
                "than that of the lost ones, luck seems worse than it was, and the other way round",
            ),
            Column(
                "lost_measured",
                "of lost",
                Kind.RATE,
                "the part of the showdowns that he lost that could be measured",
            ),
            Column(
                "luck_big_bets",
                "Luck BB",
                Kind.RESULT,
                "what he won of these pots less his equity in them, in big bets; where others show "
                "down after he folded on seventh street, what his cards were to win",
            ),
            Column(
                "swing_big_bets",
                "Swing BB",
                Kind.NUMBER,
                "how much luck of these showdowns swings: one standard deviation around 0",
            ),
        ),
    ),
)
"""Tables of results and of what is done by street."""
