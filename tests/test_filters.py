"""The filters on what else happened in a hand: each selects what plain Python selects.

Plain Python goes by the rows of hands, players and actions alone: who was left to act, who brought
in with which card, how big the pot was and what the first cards are worth is found out anew.
"""

import json
import re
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date
from fractions import Fraction
from itertools import combinations
from pathlib import Path
from random import Random
from typing import Any

import pytest
from cli import Run, razzstats
from hands import SAMPLES

from razzstats.simulate import Setup, render_hands, simulate_hands
from razzstats.stats.filters import Filters, LastSession
from razzstats.stats.hands import results
from razzstats.stats.tables import TABLE_FUNCTIONS, count_hands
from razzstats.storage import Database

SIMULATED = 60  # hands that stand beside the samples: tables of eight
CHOICES = {"fold", "check", "call", "complete", "bet", "raise"}
CLASSES = {
    "wheel-cards": "three wheel cards",
    "seven": "three to a seven",
    "eight": "three to an eight",
    "nine": "three to a nine",
    "two-low": "two low, one high",
    "low-pair": "low pair, low card",
    "other": "other",
}
"""The classes of starting hands, by the names that the option takes."""


# ---- players' hands, from the rows of the tables

Row = dict[str, Any]


@dataclass
class Played:
    """One player's part in a hand."""

    own: Row
    hand: Row
    others: list[Row]
    """The other players' rows."""
    first_choices: list[int]
    """Seats in the order in which they first chose on third street."""

    @property
    def key(self) -> tuple[int, int]:
        return self.own["hid"], self.own["seat"]

    def waiting(self) -> list[int | None] | None:
        """Doors of those who chose after him, without the bring-in's; None for that one's own."""
        seat, bring_in = self.own["seat"], self.hand["bring_in_seat"]
        if seat == bring_in or seat not in self.first_choices:
            return None
        later = {*self.first_choices[self.first_choices.index(seat) + 1 :]} - {bring_in}
        return [other["door_rank"] for other in self.others if other["seat"] in later]

    def behind(self) -> int | None:
        doors = self.waiting()
        return None if doors is None else len(doors)

    def viable_behind(self) -> int | None:
        doors = self.waiting()
        return None if doors is None else low(doors)

    def low_doors(self) -> int:
        return low([other["door_rank"] for other in self.others])

    def pot(self) -> Fraction:
        return Fraction(self.hand["pot"], self.hand["big_bet"])

    def starting_class(self) -> str | None:
        """The option's name for the class of the first three cards."""
        cards = [self.own[f"c{place}"] for place in (1, 2, 3)]
        if None in cards:
            return None
        ranks = sorted(card % 13 + 1 for card in cards)
        small, middle, high = ranks
        if len({*ranks}) == 3:
            for top, name in ((5, "wheel-cards"), (7, "seven"), (8, "eight"), (9, "nine")):
                if high <= top:
                    return name
            return "two-low" if middle <= 8 else "other"
        return "low-pair" if high <= 8 and small != high else "other"


def low(doors: list[int | None]) -> int:
    return sum(door is not None and door <= 8 for door in doors)


def read(database: Database) -> list[Played]:
    def table(name: str, order: str) -> list[Row]:
        frame = database.frame(f"SELECT * FROM {name} ORDER BY {order}").astype(object)
        return frame.where(frame.notna(), None).to_dict("records")  # type: ignore[return-value]

    hands = {row["hid"]: row for row in table("hands", "hid")}
    players: dict[int, list[Row]] = {hid: [] for hid in hands}
    chosen: dict[int, list[int]] = {hid: [] for hid in hands}
    for row in table("hand_players", "hid, seat"):
        players[row["hid"]].append(row)
    for row in table("actions", "hid, seq"):
        seats = chosen[row["hid"]]
        if row["street"] == 3 and str(row["kind"]) in CHOICES and row["seat"] not in seats:
            seats.append(row["seat"])
    return [
        Played(own, hands[hid], [other for other in seated if other is not own], chosen[hid])
        for hid, seated in players.items()
        for own in seated
    ]


def simulate(file: Path, hands: int, players: int) -> None:
    made = simulate_hands(hands, players, 3, Setup(first_number=600_000_000_000))
    file.write_text("".join(render_hands(made)), encoding="utf-8")


@pytest.fixture(scope="module")
def db(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The samples and simulated hands, so that many players are left to act."""
    folder = tmp_path_factory.mktemp("filters")
    simulate(folder / "simulated.txt", SIMULATED, 8)
    path = folder / "razz.duckdb"
    assert razzstats("import", SAMPLES, folder / "simulated.txt", "--db", path).code == 0
    return path


@pytest.fixture(scope="module")
def database(db: Path) -> Any:
    with Database.open(db, read_only=True) as opened:
        yield opened


@pytest.fixture(scope="module")
def everybody(database: Database) -> list[Played]:
    return read(database)


# ---- what each filter selects, in plain Python

Wanted = Callable[[Played], bool]


@dataclass
class Choice:
    """A filter: as an option, as a value, in words, and what it selects."""

    options: tuple[str, ...]
    values: dict[str, Any]
    words: str
    wanted: Wanted


def within(value: float | Fraction | None, least: str, most: str) -> bool:
    return value is not None and Fraction(least) <= value <= Fraction(most)


def in_range(
    option: str, words: str, value: Callable[[Played], Any], text: str, kind: type
) -> Choice:
    least, _, most = text.partition("-")
    most = most or least
    return Choice(
        (f"--{option}", text),
        {option.replace("-", "_"): (kind(least), kind(most))},
        f"{least if least == most else f'{least}-{most}'} {words}",
        lambda played: within(value(played), least, most),
    )


def against(name: str) -> Choice:
    return Choice(
        ("--opponent", name),
        {"opponent": name},
        f"against {name}",
        lambda played: (
            played.own["name"] != name and name in {other["name"] for other in played.others}
        ),
    )


def brought_in_by(symbols: str, *ranks: int) -> Choice:
    return Choice(
        ("--bring-in-door", symbols),
        {"bring_in_doors": frozenset(ranks)},
        f"bring-in doors {symbols}",
        lambda played: played.hand["bring_in_door"] in ranks,
    )


def starting(words: str, *names: str) -> Choice:
    return Choice(
        tuple(part for name in names for part in ("--starting-class", name)),
        {"starting_classes": frozenset(CLASSES[name] for name in names)},
        f"starting hands: {words}",
        lambda played: played.starting_class() in names,
    )


CHOSEN: dict[str, list[Choice]] = {
    "opponent": [against("low baller"), against("RazzHero"), against("tante Käthe")],
    "bring-in-door": [
        brought_in_by("K", 13),
        brought_in_by("TJ", 10, 11),
        brought_in_by("A23456", 1, 2, 3, 4, 5, 6),
    ],
    "behind": [
        in_range("behind", "left to act", Played.behind, text, int)
        for text in ("0", "1", "1-2", "3-6", "0-7")
    ],
    "viable-behind": [
        in_range("viable-behind", "viable doors left to act", Played.viable_behind, text, int)
        for text in ("0", "2", "1-3", "4-6")
    ],
    "low-doors": [
        in_range("low-doors", "other low doors", Played.low_doors, text, int)
        for text in ("0", "1", "2-4", "5-7")
    ],
    "pot": [
        in_range("pot", "big bets in the pot", Played.pot, text, float)
        for text in ("1.3", "5", "0-1", "2.5-10", "6.4-20.5")
    ],
    "starting-class": [starting(words, name) for name, words in CLASSES.items()]
    + [starting("low pair, low card or three to a seven", "seven", "low-pair")],
}  # fmt: skip
ALONE = {" ".join(each.options): each for choices in CHOSEN.values() for each in choices}
OLDER: dict[str, list[Choice]] = {
    "players": [
        in_range("players", "players", lambda played: played.hand["players"], text, int)
        for text in ("2-2", "3-6", "6-8")
    ],
    "site": [
        Choice(("--site", name), {"site": name}, name, lambda p, n=name: p.own["site"] == n)  # type: ignore[misc]
        for name in ("pokerstars", "fulltilt", "merge")
    ],
    "door": [
        Choice(
            ("--door", "A2345"),
            {"doors": frozenset(range(1, 6))},
            "doors A2345",
            lambda played: played.own["door_rank"] in range(1, 6),
        )
    ],
    "cash": [
        Choice(
            ("--cash",),
            {"tournament": False},
            "cash games",
            lambda played: not played.own["is_tournament"],
        )
    ],
}
WHO: dict[str, tuple[tuple[str, ...], dict[str, Any], Wanted]] = {
    "the hero": ((), {}, lambda played: played.own["is_hero"]),
    "all players": (("--all-players",), {"all_players": True}, lambda played: True),
    "RazzHero": (
        ("--hero", "RazzHero"), {"hero": "RazzHero"}, lambda p: p.own["name"] == "RazzHero",
    ),
}  # fmt: skip


def expected(everybody: list[Played], who: str, choices: list[Choice]) -> set[tuple[int, int]]:
    wanted = [WHO[who][2], *(each.wanted for each in choices)]
    return {played.key for played in everybody if all(each(played) for each in wanted)}


def filters_of(who: str, choices: list[Choice]) -> Filters:
    values = [WHO[who][1], *(each.values for each in choices)]
    return Filters(**{name: value for each in values for name, value in each.items()})


def selected(database: Database, filters: Filters) -> set[tuple[int, int]]:
    where, parameters = filters.where()
    rows = database.rows(f"SELECT hid, seat FROM hand_players WHERE {where}", parameters)
    found = {(int(hid), int(seat)) for hid, seat in rows}
    assert len(found) == len(rows)
    return found


# ---- what is selected


def test_the_hands_reach_what_is_filtered(everybody: list[Played]) -> None:
    for value, least in (
        (Played.behind, {None, *range(7)}),
        (Played.viable_behind, {None, *range(5)}),
        (Played.low_doors, {*range(7)}),
        (Played.starting_class, {None, *CLASSES}),
    ):
        assert {value(played) for played in everybody} >= least, value
    assert {played.hand["bring_in_door"] for played in everybody} >= {1, *range(7, 14)}
    assert any(played.own["door_rank"] is None for played in everybody)
    pots = {played.pot() for played in everybody}
    assert {Fraction(5), Fraction("6.4"), Fraction("1.3")} & pots  # bounds that are met exactly


@pytest.mark.parametrize("who", WHO)
@pytest.mark.parametrize("name", ALONE)
def test_a_filter_selects_what_plain_python_selects(
    database: Database, everybody: list[Played], name: str, who: str
) -> None:
    filters = filters_of(who, [ALONE[name]])
    wanted = expected(everybody, who, [ALONE[name]])
    assert selected(database, filters) == wanted
    assert count_hands(database, filters) == len(wanted)
    assert len(results(database, filters)) == len(wanted)
    if who == "all players":
        assert 0 < len(wanted) < len(everybody)


@pytest.mark.parametrize("pair", list(combinations([*CHOSEN, *OLDER], 2)), ids=" and ".join)
def test_filters_select_what_all_of_them_select(
    database: Database, everybody: list[Played], pair: tuple[str, str]
) -> None:
    every = CHOSEN | OLDER
    sizes = []
    for one in every[pair[0]][:4]:
        for other in every[pair[1]][:4]:
            wanted = expected(everybody, "all players", [one, other])
            assert selected(database, filters_of("all players", [one, other])) == wanted
            sizes.append(len(wanted))
    assert any(sizes)


@pytest.mark.slow
def test_many_filters_at_once(database: Database, everybody: list[Played]) -> None:
    random = Random(5)
    every = CHOSEN | OLDER
    sizes: Counter[bool] = Counter()
    for _ in range(250):
        names = random.sample([*every], random.randint(3, 5))
        choices = [random.choice(every[name]) for name in names]
        who = random.choice([*WHO, "all players"])
        wanted = expected(everybody, who, choices)
        assert selected(database, filters_of(who, choices)) == wanted, (who, choices)
        sizes[bool(wanted)] += 1
    assert min(sizes[True], sizes[False]) > 25


def test_a_range_that_holds_everything_leaves_out_only_what_is_not_known(
    database: Database, everybody: list[Played]
) -> None:
    everything = Filters(all_players=True, low_doors=(0, 7), pot=(0, 10_000))
    assert len(selected(database, everything)) == len(everybody)
    for name, value in (("behind", Played.behind), ("viable_behind", Played.viable_behind)):
        values: dict[str, Any] = {name: (0, 7)}
        some = selected(database, Filters(all_players=True, **values))
        assert some == {played.key for played in everybody if value(played) is not None}
    known = Filters(all_players=True, starting_classes=frozenset(CLASSES.values()))
    assert selected(database, known) == {p.key for p in everybody if p.starting_class()}


@pytest.mark.parametrize("session", [None, 1, LastSession.LAST])
@pytest.mark.parametrize("name", TABLE_FUNCTIONS)
def test_every_table_takes_them_together(
    database: Database, name: str, session: int | LastSession | None
) -> None:
    filters = Filters(
        all_players=True, opponent="RazzHero", bring_in_doors=frozenset(range(9, 14)),
        behind=(0, 3), viable_behind=(0, 2), low_doors=(0, 4), pot=(0.5, 30),
        starting_classes=frozenset(CLASSES.values()), session=session, session_gap=20,
    )  # fmt: skip
    assert count_hands(database, filters)
    assert len(TABLE_FUNCTIONS[name](database, filters))


@pytest.mark.parametrize(
    "values",
    [
        {"opponent": "nobody"},
        {"opponent": "' OR TRUE --"},
        {"bring_in_doors": frozenset()},
        {"starting_classes": frozenset()},
        {"starting_classes": frozenset(["no such class"])},
        {"behind": (8, 99)},
        {"pot": (10_000.0, 20_000.0)},
        {"session": 1_000_000},
        {"session": date(1999, 12, 31)},
        {"session": LastSession.LAST, "opponent": "nobody"},
    ],
    ids=str,
)
def test_what_nothing_meets_selects_nothing(database: Database, values: dict[str, Any]) -> None:
    assert selected(database, Filters(all_players=True, **values)) == set()


# ---- in words and as options


def stats(db: Path, *arguments: str) -> Run:
    return razzstats("stats", "overview", *arguments, "--db", db, "--format", "json")


def hands_told(run: Run) -> int:
    assert run.code == 0, run.err
    found = json.loads(run.out)[0]
    assert found["id"] == "hands"
    return int(found["value"])


@pytest.mark.parametrize("name", ALONE)
def test_each_is_an_option_and_named_in_words(db: Path, everybody: list[Played], name: str) -> None:
    choice = ALONE[name]
    hands = len(expected(everybody, "all players", [choice]))
    run = stats(db, "--all-players", *choice.options)
    assert hands_told(run) == hands
    assert run.err == f"all players, {choice.words}: {hands} hands\n"
    assert filters_of("all players", [choice]).words() == f"all players, {choice.words}"


def test_words_name_every_filter_that_is_set(db: Path, everybody: list[Played]) -> None:
    choices = [each[0] for each in CHOSEN.values()]
    words = ", ".join(["RazzHero", *(choice.words for choice in choices)])
    assert filters_of("RazzHero", choices).words() == words
    run = stats(db, "--hero", "RazzHero", *(part for each in choices for part in each.options))
    hands = len(expected(everybody, "RazzHero", choices))
    assert hands_told(run) == hands
    assert run.err == f"{words}: {hands} hands" + ("\n" if hands else "; no hand matches\n")


@pytest.mark.parametrize(
    ("text", "session", "words"),
    [
        ("7", 7, "session 7"),
        ("2026-01-09", date(2026, 1, 9), "sessions of 2026-01-09"),
        ("last", LastSession.LAST, "last session"),
    ],
)
def test_words_name_a_session_behind_all_others(
    db: Path, text: str, session: int | date | LastSession, words: str
) -> None:
    assert Filters(session=session).words() == f"the hero, {words}"
    choice = CHOSEN["starting-class"][1]
    filters = Filters(all_players=True, session=session, **choice.values)
    assert filters.words() == f"all players, {choice.words}, {words}"
    run = stats(db, "--all-players", "--session", text, *choice.options)
    assert run.err.startswith(f"all players, {choice.words}, {words}: ")
    hands = hands_told(run)
    assert run.err.endswith(f": {hands} hands\n")
    assert hands > 0


@pytest.mark.parametrize(
    ("given", "same"),
    [
        (("--bring-in-door", "k,q"), ("--bring-in-door", "QK")),
        (("--bring-in-door", "10"), ("--bring-in-door", "T")),
        (("--behind", "2-2"), ("--behind", "2")),
        (("--pot", "5.0-10"), ("--pot", "5-10.0")),
        (
            ("--starting-class", "seven", "--starting-class", "nine"),
            ("--starting-class", "nine", "--starting-class", "seven", "--starting-class", "nine"),
        ),
    ],
)  # fmt: skip
def test_the_same_may_be_said_in_several_ways(
    db: Path, given: tuple[str, ...], same: tuple[str, ...]
) -> None:
    one, other = stats(db, "--all-players", *given), stats(db, "--all-players", *same)
    assert hands_told(one) == hands_told(other) > 0
    assert one.err == other.err


RANGES = ("--behind", "--viable-behind", "--low-doors", "--pot")
WRONG = [
    *((option, text, f"for {option}: {text!r} is neither a number nor two such as 2-5")
      for option in RANGES for text in ("x", "", "5-2", "-1", "2-3-4", "inf", "nan", "1-x")),
    *((option, "1.5", f"Invalid value for {option}: '1.5' is not a number of players")
      for option in RANGES[:3]),
    ("--bring-in-door", "Z", "--bring-in-door: 'Z' are not ranks; write them as A23456789TJQK"),
    ("--bring-in-door", "1", "--bring-in-door: '1' are not ranks; write them as A23456789TJQK"),
    ("--starting-class", "good", "--starting-class: 'good' is no class; choose from wheel-cards, "
     "seven, eight, nine, two-low, low-pair, other"),
    ("--starting-class", "Seven", "--starting-class: 'Seven' is no class; choose from"),
]  # fmt: skip


@pytest.mark.parametrize(("option", "text", "sentence"), WRONG)
def test_a_wrong_value_is_one_sentence(db: Path, option: str, text: str, sentence: str) -> None:
    run = stats(db, f"{option}={text}")
    assert (run.code, run.out) == (2, "")
    assert sentence in run.sentence
    assert "Traceback" not in run.err


@pytest.mark.parametrize("command", [("report",), ("export", "--out", "never"), ("stats", "luck")])
def test_every_command_with_filters_refuses_a_wrong_value(
    db: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: tuple[str, ...]
) -> None:
    monkeypatch.chdir(tmp_path)
    for option, text in (("--pot", "5-2"), ("--behind", "a"), ("--starting-class", "x")):
        run = razzstats(*command, "--db", db, option, text)
        assert (run.code, run.out) == (2, "")
        assert f"Invalid value for {option}: " in run.sentence
    assert list(tmp_path.iterdir()) == []


NOTHING = [
    ("--opponent", "nobody"), ("--behind", "8"), ("--pot", "9000-9999"), ("--session", "99999"),
]  # fmt: skip


@pytest.mark.parametrize("options", NOTHING, ids=" ".join)
def test_what_matches_nothing_is_told(db: Path, options: tuple[str, str]) -> None:
    run = stats(db, *options)
    assert hands_told(run) == 0
    assert run.err.endswith(": 0 hands; no hand matches\n")
    run = razzstats("report", "--db", db, *options)
    assert run.code == 0
    assert re.search(r"None of the \d+ stored hands matches\.", run.out)


# ---- export and report


@pytest.mark.slow
@pytest.mark.parametrize("name", CHOSEN)
def test_export_takes_each(db: Path, everybody: list[Played], tmp_path: Path, name: str) -> None:
    for choice in CHOSEN[name][1:3]:
        run = razzstats(
            "export", "--db", db, "--out", tmp_path, "--format", "jsonl", *choice.options
        )
        assert run.code == 0
        hids = {hid for hid, _ in expected(everybody, "all players", [choice])}
        for table in ("hands", "hand_players", "decisions"):
            lines = (tmp_path / f"{table}.jsonl").read_text(encoding="utf-8").splitlines()
            found = {json.loads(line)["hid"] for line in lines}
            assert found <= hids if table == "decisions" else found == hids
        run = razzstats("export", "--db", db, "--out", tmp_path, "--format", "phh", *choice.options)
        assert run.code == 0
        # Every hand is written, or counted as one that the format cannot tell.
        told = re.findall(r"^(?:wrote|left out) (\d+) hands?", run.err, re.MULTILINE)
        assert sum(map(int, told)) == len(hids)


def test_export_by_a_hero_and_filters(db: Path, everybody: list[Played], tmp_path: Path) -> None:
    choices = [CHOSEN["behind"][2], CHOSEN["pot"][3]]
    options = [part for choice in choices for part in choice.options]
    run = razzstats("export", "--db", db, "--out", tmp_path, "--format", "jsonl",
                    "--hero", "RazzHero", *options)  # fmt: skip
    assert run.code == 0
    lines = (tmp_path / "hands.jsonl").read_text(encoding="utf-8").splitlines()
    hids = {hid for hid, _ in expected(everybody, "RazzHero", choices)}
    assert {json.loads(line)["hid"] for line in lines} == hids != set()


@pytest.fixture(scope="module")
def few(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """A file of simulated hands, and a database of it."""
    folder = tmp_path_factory.mktemp("few")
    file, path = folder / "few.txt", folder / "few.duckdb"
    simulate(file, 40, 6)
    assert razzstats("import", file, "--db", path).code == 0
    return file, path


@pytest.mark.parametrize("name", CHOSEN)
def test_report_takes_each_of_a_database_and_of_files(few: tuple[Path, Path], name: str) -> None:
    file, path = few
    with Database.open(path, read_only=True) as database:
        players = read(database)
    rival = next(played.own["name"] for played in players if not played.own["is_hero"])
    choices = [against(rival)] if name == "opponent" else CHOSEN[name]
    choice = max(choices, key=lambda each: len(expected(players, "the hero", [each])))
    hands = len(expected(players, "the hero", [choice]))
    assert 0 < hands <= len(players)
    stored = razzstats("report", "--db", path, *choice.options)
    read_anew = razzstats("report", file, *choice.options)
    assert (stored.code, read_anew.code) == (0, 0)
    assert stored.out == read_anew.out
    assert re.findall(r"^Hands +(\d+) +hands *$", stored.out, re.MULTILINE) == [str(hands)]
    head = " ".join(stored.out.partition("Overview")[0].split())
    assert f"the hero, {choice.words}" in head


def test_a_page_names_the_filters_and_counts_their_hands(
    few: tuple[Path, Path], tmp_path: Path
) -> None:
    file, _ = few
    page = tmp_path / "report.html"
    options = ("--behind", "0-2", "--low-doors", "1-5", "--pot", "0-50")
    assert razzstats("report", file, *options, "--html", page).code == 0
    text = page.read_text(encoding="utf-8")
    assert "0-2 left to act, 1-5 other low doors, 0-50 big bets in the pot" in text
