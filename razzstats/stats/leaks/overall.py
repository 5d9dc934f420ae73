"""Leaks that show over many hands, as data; `checks` says how each is looked for."""

from razzstats.stats.leaks.rule import Cost, OverallRule, Reference, Source

_AGGRESSION = "completions, bets and raises, of all decisions but checks and folds"

OVERALL: tuple[OverallRule, ...] = (
    OverallRule(
        314,
        "Blind for dead cards",
        "entries with three to an eight against one completion when dead door cards make it worse",
        Reference(
            0.85, Source.JUDGEMENT, "at least 15 points less often than when they make it better"
        ),
        30,
        "Play three to an eight less often when the cards that you need are dead.",
        cost=Cost.CALL,
        street=3,
    ),
    OverallRule(
        316,
        "Starting hands played",
        "hands played on third street, of those with a choice that were not brought in",
        Reference(0.35, Source.JUDGEMENT, "the usual by table size", 0.20),
        200,
        "Play fewer hands: three unpaired cards up to eight are one hand in six.",
        "Play more hands: good ones against a completion, and steals.",
        street=3,
    ),
    OverallRule(
        801,
        "Going to showdown",
        "showdowns, of the hands that saw fourth street",
        Reference(0.60, Source.JUDGEMENT, "the usual by table size", 0.35),
        100,
        "Give up more hands between fourth and seventh street.",
        "Give up fewer hands between fourth and seventh street.",
    ),
    OverallRule(
        802,
        "Winning at showdown",
        "showdowns in which chips were collected, of the showdowns",
        Reference(0.60, Source.JUDGEMENT, "the usual by table size", 0.45),
        60,
        "You show down winners only: look for hands that you fold too soon.",
        "You show down too many losers: look for calls on the last streets.",
    ),
    *(
        OverallRule(
            803,
            f"Aggression on {streets}",
            f"{_AGGRESSION}, on {streets}",
            Reference(most, Source.JUDGEMENT, "the usual on these streets", least),
            100,
            "Bet and raise less with the worse of it.",
            "Bet and raise more, and call less.",
            street=street,
        )
        for street, streets, least, most in (
            (3, "third street", 0.55, 1.0),
            (4, "fourth and fifth street", 0.45, 0.85),
            (6, "sixth and seventh street", 0.35, 0.85),
        )
    ),
    OverallRule(
        804,
        "Tilt after losses",
        "hands played on third street within 20 hands or 15 minutes after a pot of 5 big bets or "
        "more was lost from fifth street on, of those with a choice",
        Reference(0.0, Source.OWN, "up to 5 points above the rest of the same sessions"),
        60,
        "Take a break after a big pot is lost: you play looser then.",
        cost=Cost.CALL,
    ),
    OverallRule(
        805,
        "Long sessions",
        "hands from the third hour of a session on",
        Reference(0.0, Source.OWN, "at most 1 BB/100 less than in the first two hours"),
        300,
        "End sessions after two hours: later hands bring less.",
    ),
    OverallRule(
        806,
        "The same at every table size",
        "hands played on third street at the smallest tables, of those with a choice",
        Reference(1.0, Source.OWN, "above the largest tables as far as the usual is apart"),
        100,
        "Play fewer hands at small tables.",
        "Play and steal more as tables get smaller.",
        street=3,
    ),
    OverallRule(
        807,
        "Paying for the pot already lost",
        "calls from fifth street on against one opponent that the pot does not pay for, of those "
        "decisions; the more often, the more was put in before",
        Reference(
            0.25,
            Source.JUDGEMENT,
            "a quarter of them at most, and no more often for chips that are in the pot already",
        ),
        40,
        "Forget what you have put in: only the price and your cards count.",
        cost=Cost.CALL,
    ),
    OverallRule(
        808,
        "Chasing losses at higher stakes",
        "moves up to the highest stakes of a session that came while it was losing",
        Reference(0.5, Source.JUDGEMENT, "as often after wins as after losses"),
        5,
        "Do not move up to win back what a session has lost.",
    ),
    OverallRule(
        809,
        "Checking and calling with the best board",
        "hands in which the best board, first to act, checked and called on two streets or more, "
        "of those with two such streets",
        Reference(0.10, Source.JUDGEMENT, "the best board bets nearly always"),
        25,
        "Bet the best board rather than check and call.",
        cost=Cost.BET,
    ),
)
"""Leaks over all streets, and two of third street that one decision does not show."""
