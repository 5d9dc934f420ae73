"""`razzstats anonymize`: the same hands, no name, no word of talk; and what is left out."""

import gzip
import random
import re
import zipfile
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import pytest
import room_fulltilt
import room_kingsclub
import room_merge
import room_ongame
import room_phh
import room_winamax
from cli import Run, half_a_hand, hand, other_game, razzstats, write, wrong_hand
from hands import SAMPLES, corpus_folder, differences, results
from hypothesis import given, settings
from hypothesis import strategies as st
from playouts import CASH, Playout, render

from razzstats import anonymizing, shapes
from razzstats.anonymizing import Anonymizer, LeftOut
from razzstats.chips import Chips
from razzstats.events import Note, ParsedHand, Seat, SeatedPlayer
from razzstats.locations import HandText
from razzstats.pipeline import Outcome, Status, read_hand, read_paths
from razzstats.shapes import Draft, Piece, shape_of


def run(source: Path | str, out: Path, *options: str, stdin: bytes = b"") -> Run:
    return razzstats("anonymize", source, out, *(options or ("--salt", "pepper")), stdin=stdin)


def outcomes(*paths: Path) -> list[Outcome]:
    """Return the hands of files that were parsed."""
    return [each for each in read_paths(map(str, paths)) if each.parsed is not None]


# ---- all samples and all real hands


class Pair(NamedTuple):
    """A hand and what replaces it."""

    old: Outcome
    new: Outcome

    @property
    def parsed(self) -> tuple[ParsedHand, ParsedHand]:
        assert self.old.parsed is not None
        assert self.new.parsed is not None
        return self.old.parsed, self.new.parsed

    @property
    def names(self) -> dict[str, str]:
        """The new names by the old ones: they sit in the same seats."""
        old, new = self.parsed
        seats = zip(old.players, new.players, strict=True)
        return {one.name: other.name for one, other in seats}

    @property
    def new_text(self) -> str:
        assert self.new.text is not None
        return self.new.text.text


def anonymized(folder: Path, out: Path) -> list[Pair]:
    assert run(folder, out).code == 1  # for the hands of other games
    return [Pair(*hands) for hands in zip(outcomes(folder), outcomes(out), strict=True)]


@pytest.fixture(scope="module")
def samples(tmp_path_factory: pytest.TempPathFactory) -> list[Pair]:
    return anonymized(SAMPLES, tmp_path_factory.mktemp("samples") / "out")


@pytest.fixture(scope="module")
def real(tmp_path_factory: pytest.TempPathFactory) -> list[Pair]:
    return anonymized(corpus_folder(), tmp_path_factory.mktemp("corpus") / "out")


def test_every_sample_is_written(samples: list[Pair]) -> None:
    assert len(samples) == 508


def test_every_real_hand_is_written(real: list[Pair]) -> None:
    assert len(real) == 39


def plain(parsed: ParsedHand, names: Mapping[str, str]) -> ParsedHand:
    """Return a hand with these names, and without what may become another."""
    players = [replace(each, name=names.get(each.name, each.name)) for each in parsed.players]
    seats = [replace(each, name=names.get(each.name, each.name)) for each in parsed.summary.seats]
    events = tuple(event for event in parsed.events if not isinstance(event, Note))
    is_phh, in_club = parsed.hand_id.site == "phh", parsed.club is not None
    tournament = parsed.tournament and replace(parsed.tournament, number="", level="")
    return replace(
        parsed,
        players=tuple(players),
        events=events,
        summary=replace(parsed.summary, seats=tuple(seats)),
        club=parsed.club and shape_of(parsed.club),
        table=shape_of(parsed.table) if is_phh or in_club else parsed.table,
        tournament=tournament if is_phh else parsed.tournament,
        # PHH has numbers that a digest of the text is a part of.
        hand_id=parsed.hand_id._replace(number="") if is_phh else parsed.hand_id,
    )


def must_be_the_same(pairs: list[Pair]) -> None:
    for pair in pairs:
        old, new = pair.parsed
        assert plain(old, pair.names) == plain(new, {}), pair.old.file
        assert pair.old.status is pair.new.status
        assert pair.old.hand is not None
        assert pair.new.hand is not None
        assert not differences(results(pair.old.hand), results(pair.new.hand))


def test_the_samples_are_the_same_hands(samples: list[Pair]) -> None:
    must_be_the_same(samples)


def test_the_real_hands_are_the_same_hands(real: list[Pair]) -> None:
    must_be_the_same(real)


def test_everybody_has_one_new_name_in_all_files(samples: list[Pair]) -> None:
    names: dict[str, str] = {}
    for pair in samples:
        for old, new in pair.names.items():
            if old.startswith("Player ") and old == new:
                continue  # whom the file did not name
            assert names.setdefault(old, new) == new
            assert len(new) == len(old)
            assert new != old
    assert len({*names.values()}) == len(names) > 150


_ROOM_WORDS = {"Player 1", "Player 2", "Player 3", "table", "folds", "third street", "Rake",
               "calls 40", "Seat"}  # fmt: skip
"""Names in the samples that are words of the rooms, too."""


def still_named(pairs: list[Pair]) -> set[tuple[str, str]]:
    """Return the old names that stand in the new text of their hand, and its file."""
    return {
        (name, pair.old.file)
        for pair in pairs
        for name in {*pair.names} - _ROOM_WORDS
        if "hostile" not in pair.old.file  # whose names are words of the room
        if len(name) > 2 and name.casefold() in pair.new_text.casefold()
    }


def test_no_name_of_a_sample_is_left(samples: list[Pair]) -> None:
    assert still_named(samples) == set()


def test_no_name_of_a_real_hand_is_left(real: list[Pair]) -> None:
    assert still_named(real) == set()


def notes(parsed: ParsedHand) -> list[str]:
    return [event.text for event in parsed.events if isinstance(event, Note)]


def test_talk_stays_in_its_place_and_loses_its_words(samples: list[Pair]) -> None:
    said = 0
    for pair in samples:
        old, new = map(notes, pair.parsed)
        assert len(old) == len(new)
        for before, after in zip(old, new, strict=True):
            assert len(before) == len(after)
            if before.endswith('"'):
                said += 1
                words = re.findall(r"\w{4,}", before.rpartition("said, ")[2])
                assert not [word for word in words if word in after.rpartition("said, ")[2]]
    assert said > 30


def test_the_rooms_words_stay_where_they_are(samples: list[Pair]) -> None:
    """Line by line, all that is not a name, a club or talk is as it was."""
    for pair in samples:
        old, new = pair.old.text, pair.new.text
        assert old is not None
        assert new is not None
        if pair.parsed[0].hand_id.site in ("merge", "phh"):
            continue
        talk = {*notes(pair.parsed[0])}
        for before, after in zip(old.lines, new.lines, strict=True):
            if before.rstrip() in talk or "Home Game" in before or before.startswith("Table"):
                continue
            for name in sorted(pair.names, key=len, reverse=True):
                before = before.replace(name, "§" * len(name))
            signs = zip(before.rstrip(), after, strict=True)
            assert all(one in ("§", other) for one, other in signs), before


def test_statistics_come_to_the_same(tmp_path: Path) -> None:
    room = SAMPLES / "fulltilt"
    run(room, tmp_path / "out")
    found = []
    for number, folder in enumerate((room, tmp_path / "out")):
        db = ("--db", tmp_path / f"{number}.duckdb")
        razzstats("import", folder, *db)
        told = [
            razzstats("stats", table, *db, "--all-players", "--format", "csv").out
            for table in ("door-cards", "streets", "stakes")
        ]
        found.append(told)
    assert found[0] == found[1]
    assert all(table.count("\n") > 3 for table in found[0])


# ---- hostile names, in the words of every room


def named_playout(names: list[str], seed: int) -> Playout:
    """Play a hand of people with these names."""
    chance = random.Random(seed)
    stacks = [Chips(chance.randint(300, 3_000)) for _ in names]
    seated = tuple(
        SeatedPlayer(seat=Seat(seat), name=name, stack=stack)
        for seat, (name, stack) in enumerate(zip(names, stacks, strict=True), 1)
    )
    return Playout(CASH, seated, chance, Seat(1)).play()


def phh(playout: Playout) -> str:
    names = {player.seat: player.name for player in playout.players}
    return room_phh.Rendering(playout, random.Random(1), names=names).text()


RENDERERS: Mapping[str, Callable[[Playout], str]] = {
    "pokerstars": render,
    "fulltilt": room_fulltilt.render,
    "kingsclub": room_kingsclub.render_kingsclub,
    "ongame": room_ongame.render,
    "winamax": lambda playout: room_winamax.Rendering(playout, absent=None).text(),
    "merge": room_merge.render,
    "phh": phh,
}
PIECES = ("a", "Al", "Alan", "Seat 1", " folds", ": ", "calls 40", "*** SUMMARY ***", "checks",
          ' said, "', "'", '"', "\\", "é", "è", "e\u0301", "(5)", "[2c]", "$5", "<&>", "🂡", ".*",
          " and is all-in", "Дед", "#7", "x", " (button)", ", net: +$1", "=1+1", "NULL", "]]>",
          "Dealt to ", "won", "42")  # fmt: skip
HOSTILE_NAMES = (
    st.lists(st.sampled_from(PIECES), min_size=1, max_size=3)
    .map(lambda pieces: "".join(pieces).strip())
    .filter(bool)
)


def parsed_text(text: str) -> Outcome:
    return read_hand(HandText("hand.txt", 1, tuple(text.strip("\n").split("\n"))))


@pytest.mark.parametrize("room", RENDERERS)
@settings(max_examples=20)
@given(
    names=st.lists(HOSTILE_NAMES, min_size=2, max_size=6, unique=True),
    seed=st.integers(0, 10_000),
)
def test_whatever_a_name_is_it_is_gone_and_the_hand_is_the_same(
    room: str, names: list[str], seed: int
) -> None:
    outcome = parsed_text(RENDERERS[room](named_playout(names, seed)))
    new = Anonymizer("pepper").hand(outcome, "hand.txt")
    if outcome.parsed is None:  # a name that the room itself could not print so
        assert isinstance(new, LeftOut)
        return
    if isinstance(new, LeftOut):
        assert new.reason.startswith("by chance")
        return
    again = parsed_text("\n".join(new))
    pair = Pair(outcome, again)
    assert plain(outcome.parsed, pair.names) == plain(pair.parsed[1], {})
    without = RENDERERS[room](named_playout(["§" * (n + 1) for n in range(len(names))], seed))
    for name in names:
        if sum(sign.isalnum() for sign in name) > 2 and name.casefold() not in without.casefold():
            assert name.casefold() not in pair.new_text.casefold()


@pytest.mark.parametrize("room", RENDERERS)
def test_usual_names_are_never_left_out(room: str) -> None:
    anonymizer = Anonymizer("pepper")
    names = ["RazzHero", "tante Käthe", "Al", "Alan", "Ngọc Lâm", "four2go"]
    for seed in range(20):
        outcome = parsed_text(RENDERERS[room](named_playout(names, seed)))
        assert not isinstance(anonymizer.hand(outcome, "hand.txt"), LeftOut)


def test_signs_that_xml_spells_otherwise_are_no_names() -> None:
    outcome = parsed_text(room_merge.render(named_playout(["&amp;", '"Quot"', "<Lt>", "'"], 3)))
    lines = Anonymizer("pepper").hand(outcome, "x.xml")
    assert not isinstance(lines, LeftOut)
    (first, *_) = [line for line in lines if "nickname" in line]
    assert re.search('nickname="&amp;[a-z]{3};"', first)


# ---- who has no seat, and what people say


def with_lines(*lines: str) -> str:
    """Return a hand in which these lines stand behind the deal."""
    return hand().replace("Ben: brings", "".join(f"{line}\n" for line in lines) + "Ben: brings")


def new_text(text: str, tmp_path: Path, name: str = "in.txt") -> str:
    """Return the new text of a file that becomes another without anything left out."""
    (tmp_path / name).write_text(text, encoding="utf-8")
    out = tmp_path / f"out-{name}"
    done = run(tmp_path / name, out, "--salt", "pepper", "--force")
    assert done.code == 0, done.err
    return out.read_text(encoding="utf-8")


ASIDES = (
    'Onlooker said, "Onlooker, Ben and Anna live in Graz, call 555 1234"',
    'Ben said, "I am Benedict wins the tournament"',
    "Onlooker joins the table at seat #4",
    "Onlooker was removed from the table for failing to post",
    "Onlooker leaves the table",
    "Onlooker has timed out while disconnected",
    "Anna wins $0.50 for eliminating Onlooker",
    "Onlooker wins the $5 bounty for eliminating Ben",
    "Onlooker finished the tournament in 3rd place and received $5.00.",
    "Onlooker finished the tournament and asks for Graz",
    "Onlooker is sitting out",
    "Onlooker re-buys and receives 1500 chips for $10",
)
SECRETS = ("Onlooker", "Ben", "Anna", "Graz", "555", "1234", "Benedict", "asks")


@pytest.mark.parametrize("line", ASIDES)
def test_who_has_no_seat_is_renamed_too(line: str, tmp_path: Path) -> None:
    text = new_text(with_lines(line), tmp_path)
    assert not [secret for secret in SECRETS if secret.casefold() in text.casefold()]
    assert text.count("\n") == with_lines(line).count("\n")


def test_what_the_room_says_of_them_stays(tmp_path: Path) -> None:
    lines = new_text(with_lines(*ASIDES), tmp_path).split("\n")
    assert [line for line in lines if line.endswith(" joins the table at seat #4")]
    assert [line for line in lines if " for eliminating " in line]
    names = {
        line.split()[0] for line in lines if line.endswith(("leaves the table", "sitting out"))
    }
    assert len(names) == 1  # one new name for one person


def test_what_stands_behind_a_name_is_no_part_of_it(tmp_path: Path) -> None:
    line = "Anna wins the $5 bounty for eliminating Ben and has won 2 with it"
    text = new_text(with_lines(line), tmp_path)
    (anna, ben) = re.findall(r"^Seat [13]: (\w+) \(\$2 in chips\)$", text, re.MULTILINE)
    assert line.replace("Anna", anna).replace("Ben", ben) in text


def test_a_name_that_looks_like_talk_is_a_name(tmp_path: Path) -> None:
    name = 'Anna said, "b"'
    line = f"{name} leaves the table"
    text = new_text(hand(name=name).replace("Ben: brings", f"{line}\nBen: brings"), tmp_path)
    (seat,) = re.findall(r"^Seat 1: (.*) \(\$2 in chips\)$", text, re.MULTILINE)
    assert f"\n{seat} leaves the table\n" in text
    assert seat != name


def test_talk_in_full_tilts_words(tmp_path: Path) -> None:
    text = (SAMPLES / "fulltilt" / "cash-0.50-1-six-max.txt").read_text(encoding="utf-8-sig")
    first = text.split("\n\n\n")[0]
    assert "*** 3RD STREET ***\n" in first
    talk = "Onlooker: my name is Graz\nOnlooker stands up\nOnlooker: Seat 3: folds\n"
    new = new_text(first.replace("*** 3RD STREET ***\n", f"*** 3RD STREET ***\n{talk}"), tmp_path)
    assert not [word for word in ("Onlooker", "name", "Graz", "folds\n\n") if word in new]
    assert len(re.findall(r"^[A-Z][a-z]{7}(?: stands up|: .*)$", new, re.MULTILINE)) == 3


def test_the_same_words_do_not_become_the_same_words(tmp_path: Path) -> None:
    text = new_text(with_lines('Ben said, "good game"', 'Ben said, "good game"'), tmp_path)
    said = re.findall(r'said, "(.*)"', text)
    assert len({*said, "good game"}) == 3
    assert [shape_of(each) for each in said] == ["aaaa aaaa"] * 2


def test_a_club_and_its_table_are_renamed(tmp_path: Path) -> None:
    text = new_text(
        hand()
        .replace("PokerStars Hand #101:", "PokerStars Home Game Hand #101: {Friends of Graz}")
        .replace("Halley 101", "Graz 101"),
        tmp_path,
    )
    assert "Graz" not in text
    assert "Friends" not in text
    assert re.search(r"Hand #101: \{[A-Z][a-z]{6} [a-z]{2} [A-Z][a-z]{3}\}", text)


def test_a_name_is_not_replaced_within_words(tmp_path: Path) -> None:
    for name in ("e", "Seat", "checks", "pot", "the", "t"):
        text = new_text(hand(name=name), tmp_path)
        assert text.count(" posts the ante $0.01") == text.count(": posts the ante") == 2
        assert "*** SUMMARY ***\nTotal pot $0.06 | Rake $0\nSeat 1: " in text


def test_what_xml_says_beside_the_hand_is_gone(tmp_path: Path) -> None:
    text = (SAMPLES / "merge" / "edge-wrapped.xml").read_text(encoding="utf-8")
    text = text.replace('"ANTE"', '"ANTE" by="Onlooker"', 1)
    text = text.replace("<players", "<!-- Onlooker was here -->\n<players", 1)
    new = new_text(text, tmp_path, "in.xml")
    assert not [name for name in ("Onlooker", "Right Bank", "left bank") if name in new]
    assert new.startswith("<description ")


def test_what_phh_says_beside_the_hand_is_gone(tmp_path: Path) -> None:
    said = {"author": "Onlooker", "venue": "Graz Hall", "event": "The Graz Open", "city": "Graz",
            "_mine": "Onlooker", "table": "Graz 7"}  # fmt: skip
    text = (
        'variant = "FR" # Onlooker\nantes = [1, 1]\nbring_in = 2\nsmall_bet = 4\nbig_bet = 8\n'
        "starting_stacks = [50, 50]\nplayers = ['Benedict', \"Anna\\u0101\"]\n# Onlooker\n"
        'actions = ["d dh p1 ????Kc", "d dh p2 ????2c", "p1 pb # Onlooker, no", "p2 cbr 4",'
        ' "p1 f"]\n' + "".join(f"{key} = '{value}'\n" for key, value in said.items())
    )
    new = new_text(text, tmp_path, "in.phh")
    names = ("Onlooker", "Graz", "Hall", "Open", "Benedict", "Anna")
    assert not [name for name in names if name in new]
    assert re.search(r'^  "p1 pb # [A-Z][a-z]{7}, [a-z]{2}",$', new, re.MULTILINE)
    assert re.search(r'^event = "[A-Z][a-z]{2} [A-Z][a-z]{3} [A-Z][a-z]{3}"$', new, re.MULTILINE)


def test_the_owner_of_an_ongame_file_is_renamed(tmp_path: Path) -> None:
    old = (SAMPLES / "ongame" / "cash-0.50-1-five-handed.txt").read_text(encoding="utf-8-sig")
    new = new_text(old, tmp_path)
    assert "kurt_9" in old
    assert "kurt_9" not in new
    assert new.count("User: ") == old.count("User: ") > 0


# ---- the salt


def test_the_same_salt_gives_the_same_files(tmp_path: Path) -> None:
    folder = SAMPLES / "kingsclub"
    for name in ("one", "two"):
        run(folder, tmp_path / name, "--salt", "sugar")
    files = sorted(path.name for path in (tmp_path / "one").iterdir())
    assert len(files) == 9
    for name in files:
        assert (tmp_path / "one" / name).read_bytes() == (tmp_path / "two" / name).read_bytes()


def test_the_same_salt_gives_the_same_names_in_other_files(tmp_path: Path) -> None:
    write(tmp_path, one=hand(101, name="Onlooker"), two=hand(102, name="Onlooker"))
    seats = []
    for name in ("one", "two"):
        assert run(tmp_path / f"{name}.txt", tmp_path / f"new-{name}.txt").code == 0
        seats.append((tmp_path / f"new-{name}.txt").read_text().split("\n")[2])
    assert seats[0] == seats[1] != "Seat 1: Onlooker ($2 in chips)"


def test_another_salt_or_none_gives_other_names(tmp_path: Path) -> None:
    write(tmp_path, one=hand(name="Onlooker"))
    texts = set()
    for number, options in enumerate(
        (("--salt", "a"), ("--salt", "b"), ("--force",), ("--force",))
    ):
        out = tmp_path / f"out{number}.txt"
        assert run(tmp_path / "one.txt", out, *options).code == 0
        texts.add(out.read_text().split("\n")[2])
    assert len(texts) == 4


def test_an_empty_salt_is_refused(tmp_path: Path) -> None:
    write(tmp_path, one=hand())
    refused = run(tmp_path / "one.txt", tmp_path / "out.txt", "--salt", "")
    assert refused.code == 2
    assert not (tmp_path / "out.txt").exists()


# ---- what is left out


def test_what_cannot_be_read_is_left_out_and_told(tmp_path: Path) -> None:
    broken = hand(102, name="Onlooker").replace("Onlooker: raises", "Onlooker: blesses")
    stray = hand(101).replace("Ben: folds\n", "Ben: folds\n\n")
    parts = ["Dear Onlooker,\n\n", stray, broken, other_game(), hand(103), half_a_hand(104)]
    write(tmp_path, one="".join(parts).replace("Anna", "Onlooker"))
    done = run(tmp_path / "one.txt", tmp_path / "out.txt")
    assert done.code == 1
    assert done.out == "1 file, 2 hands written, 3 hands left out, 1 piece of other text left out\n"
    assert "Onlooker" not in done.err
    told = re.findall(r"one\.txt:(\d+): left out: (RZ\d+)", done.err)
    lines = "".join(parts).split("\n")
    starts = [
        n for n, line in enumerate(lines, 1) if "#102" in line or "#900" in line or "#104" in line
    ]
    assert told == [
        ("1", "RZ006"),
        *zip(map(str, starts), ("RZ101", "RZ004", "RZ102"), strict=True),
    ]
    text = (tmp_path / "out.txt").read_text()
    assert re.findall(r"Hand #(\d+)", text) == ["101", "103"]
    assert "Onlooker" not in text


def test_a_hand_that_the_rules_reject_is_kept(tmp_path: Path) -> None:
    write(tmp_path, one=wrong_hand())
    done = run(tmp_path / "one.txt", tmp_path / "out.txt")
    assert (done.code, done.out) == (0, "1 file, 1 hand written, 0 hands left out\n")
    (again,) = outcomes(tmp_path / "out.txt")
    assert again.status is Status.REJECTED
    assert [found.code.name for found in again.diagnostics] == ["bring-in-wrong-seat"]
    assert "Anna" not in (tmp_path / "out.txt").read_text()


def test_a_hand_that_would_still_name_somebody_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    def forget(draft: Draft, parsed: ParsedHand) -> None:
        write_lines(draft, parsed)
        draft.lines[-1] += Piece(" # Onlooker", "\0")

    write_lines = anonymizing._write_lines
    outcome = parsed_text(hand(name="Onlooker"))
    assert not isinstance(Anonymizer("pepper").hand(outcome, "x.txt"), LeftOut)
    monkeypatch.setattr(anonymizing, "_write_lines", forget)
    monkeypatch.setattr(anonymizing, "read_hand", lambda text: outcome_of_first(text))
    assert isinstance(Anonymizer("pepper").hand(outcome, "x.txt"), LeftOut)


def outcome_of_first(text: HandText) -> Outcome:
    """Read a hand whose last line has a remark behind it."""
    lines = tuple(line.partition(" # ")[0] for line in text.lines)
    return read_hand(replace(text, lines=lines))


@pytest.mark.parametrize(
    ("old", "new"),
    [("$0.06 from", "$0.05 from"), ("[Kd]", "[Qd]"), ("Ben: folds", ""), ("Seat 3:", "Seat 4:")],
)
def test_a_hand_that_would_be_another_is_left_out(
    old: str, new: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def write_otherwise(draft: Draft, parsed: ParsedHand) -> None:
        lines = tuple(line.replace(old, new) for line in parsed.text.lines)
        write_lines(draft, replace(parsed, text=replace(parsed.text, lines=lines)))

    write_lines = anonymizing._write_lines
    outcome = parsed_text(hand())
    monkeypatch.setattr(anonymizing, "_write_lines", write_otherwise)
    assert isinstance(Anonymizer("pepper").hand(outcome, "x.txt"), LeftOut)


def test_a_hand_that_would_fare_otherwise_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    outcome = parsed_text(hand())
    monkeypatch.setattr(
        anonymizing, "read_hand", lambda text: replace(read_hand(text), status=Status.REJECTED)
    )
    assert isinstance(Anonymizer("pepper").hand(outcome, "x.txt"), LeftOut)


def test_talk_that_cannot_be_kept_is_made_blank(monkeypatch: pytest.MonkeyPatch) -> None:
    outcome = parsed_text(with_lines('Ben said, "Onlooker"', "Onlooker leaves the table"))
    monkeypatch.setattr(shapes, "scrambled", lambda text, seed: "Onlooker")
    lines = Anonymizer("pepper").hand(outcome, "x.txt")
    assert not isinstance(lines, LeftOut)
    assert lines.count("") == 2
    assert "Onlooker" not in "\n".join(lines)


# ---- files


def test_a_folder_becomes_numbered_files_in_the_order_of_reading(tmp_path: Path) -> None:
    folder = tmp_path / "in"
    (folder / "b").mkdir(parents=True)
    write(folder, Onlooker=hand(102), aaa="nothing of poker\n")
    write(folder / "b", x=hand(103))
    sample = (SAMPLES / "phh" / "edge-split-pot-odd-chip.phh").read_bytes()
    (folder / "zzz.phh").write_bytes(sample)
    done = run(folder, tmp_path / "deep" / "out")
    assert done.code == 1  # for the file without a hand
    assert done.out == "4 files, 3 hands written, 0 hands left out\n"
    assert "aaa.txt" in done.err
    new = sorted(path.name for path in (tmp_path / "deep" / "out").iterdir())
    assert new == ["0001.txt", "0002.txt", "0003.phh"]
    assert "#102" in (tmp_path / "deep" / "out" / "0001.txt").read_text()


def test_a_file_without_hands_writes_nothing(tmp_path: Path) -> None:
    for text in ("", "nothing of poker\n", other_game()):
        write(tmp_path, one=text)
        done = run(tmp_path / "one.txt", tmp_path / "out.txt")
        assert done.code == 1
        assert done.out.startswith("1 file, 0 hands written, ")
        assert [path.name for path in tmp_path.iterdir()] == ["one.txt"]


def test_what_is_not_there_fails(tmp_path: Path) -> None:
    done = run(tmp_path / "none.txt", tmp_path / "out")
    assert (done.code, done.out) == (1, "0 files, 0 hands written, 0 hands left out\n")
    (tmp_path / "empty").mkdir()
    assert run(tmp_path / "empty", tmp_path / "out").code == 1
    assert not (tmp_path / "out").exists()


def test_archives_and_encodings(tmp_path: Path) -> None:
    text = hand(name="Zoë")
    with zipfile.ZipFile(tmp_path / "two.zip", "w") as archive:
        archive.writestr("Zoë/one.txt", text)
        archive.writestr("Zoë/two.log", text.encode("utf-16"))
    (tmp_path / "one.txt.gz").write_bytes(gzip.compress(text.encode("cp1252")))
    assert run(tmp_path / "two.zip", tmp_path / "out").code == 0
    assert run(tmp_path / "one.txt.gz", tmp_path / "out.txt").code == 0
    assert run("-", tmp_path / "piped.txt", stdin=text.encode()).code == 0
    expected = (tmp_path / "out" / "0001.txt").read_bytes()
    assert "Zoë".encode() not in expected
    for other in ("out/0002.txt", "out.txt", "piped.txt"):
        assert (tmp_path / other).read_bytes() == expected


def test_several_hands_of_phh_have_headings_and_merge_its_descriptions(tmp_path: Path) -> None:
    for name in ("phh/cash-live-five-handed.phhs", "merge/cash-0.50-1-six-handed.xml"):
        out = tmp_path / Path(name).name
        assert run(SAMPLES / name, out).code == 0
        assert len(outcomes(out)) == len(outcomes(SAMPLES / name)) > 2
    assert (tmp_path / "cash-live-five-handed.phhs").read_text().startswith("[1]\nvariant")


@pytest.mark.parametrize("is_folder", [False, True])
def test_nothing_is_written_over_without_being_told_to(is_folder: bool, tmp_path: Path) -> None:
    write(tmp_path, one=hand())
    source = tmp_path / ("in" if is_folder else "one.txt")
    if is_folder:
        source.mkdir()
        write(source, one=hand())
    out = tmp_path / ("out/0001.txt" if is_folder else "out.txt")
    out.parent.mkdir(exist_ok=True)
    out.write_text("mine")
    given = out.parent if is_folder else out
    refused = run(source, given)
    assert refused.code == 2
    assert "--force" in refused.sentence
    assert out.read_text() == "mine"
    assert run(source, given, "--salt", "x", "--force").code == 0
    assert "PokerStars" in out.read_text()


def test_what_is_read_is_never_written_over(tmp_path: Path) -> None:
    write(tmp_path, **{"0001": hand()})
    file = tmp_path / "0001.txt"
    for source, out in ((file, file), (tmp_path, tmp_path), (tmp_path, tmp_path.parent)):
        refused = run(source, out, "--salt", "x", "--force")
        assert refused.code == 2
        assert "another place" in refused.sentence
    assert file.read_text() == hand()


def test_several_files_do_not_become_one(tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    write(tmp_path / "in", one=hand(), two=hand(102))
    write(tmp_path, out="mine")
    for source in (tmp_path / "in", str(tmp_path / "in" / "*.txt")):
        refused = run(source, tmp_path / "out.txt", "--force")
        assert refused.code == 2
    assert (tmp_path / "out.txt").read_text() == "mine"


def test_an_interrupted_run_leaves_no_half_a_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(tmp_path, one=hand() + hand(102), out="mine")
    done = 0

    def once(self: Anonymizer, outcome: Outcome, file: str) -> tuple[str, ...] | LeftOut:
        nonlocal done
        done += 1
        if done == 2:
            raise KeyboardInterrupt
        return as_always(self, outcome, file)

    as_always = Anonymizer.hand
    monkeypatch.setattr(Anonymizer, "hand", once)
    assert run(tmp_path / "one.txt", tmp_path / "out.txt", "--force").code == 130
    assert (tmp_path / "out.txt").read_text() == "mine"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["one.txt", "out.txt"]


def test_a_file_that_would_be_cut_into_other_hands_is_not_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(tmp_path, one=hand())
    lines = tuple(hand().strip().split("\n"))
    monkeypatch.setattr(Anonymizer, "hand", lambda self, outcome, file: (*lines, *lines))
    refused = run(tmp_path / "one.txt", tmp_path / "out.txt")
    assert refused.code == 2
    assert [path.name for path in tmp_path.iterdir()] == ["one.txt"]


def test_a_place_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    write(tmp_path, one=hand())
    refused = run(tmp_path / "one.txt", tmp_path / "missing" / "out.txt")
    assert refused.code == 2
    assert "cannot be written" in refused.sentence


# ---- mixes that only the file's name tells


def mixes(folder: Path) -> list[str | None]:
    return [each.parsed.mixed_game for each in outcomes(folder) if each.parsed]


def one_of_a_mix() -> str:
    """Return the hand of Razz in a file of Winamax whose name says that it is of a mix."""
    (found,) = outcomes(SAMPLES / "winamax" / "edge-mixed_8games_real.txt")
    assert found.text is not None
    return found.text.text


def test_new_names_of_files_tell_the_mix_as_the_old_ones_did(tmp_path: Path) -> None:
    folder = tmp_path / "in"
    folder.mkdir()
    fulltilt = (SAMPLES / "fulltilt" / "edge-pair-wins.txt").read_bytes()
    (folder / "FT2011 Onlooker - HORSE - Limit.txt").write_bytes(fulltilt)
    (folder / "Onlooker_8games_real.txt").write_text(one_of_a_mix(), encoding="utf-8")
    assert run(folder, tmp_path / "out").code == 0
    assert mixes(tmp_path / "out") == mixes(folder) == ["HORSE", "8-Game"]
    assert not [path for path in (tmp_path / "out").iterdir() if "Onlooker" in path.name]


def test_a_hand_whose_mix_would_be_lost_is_left_out(tmp_path: Path) -> None:
    write(tmp_path, in_8games_=one_of_a_mix())
    done = run(tmp_path / "in_8games_.txt", tmp_path / "out.txt")
    assert (done.code, done.out) == (1, "1 file, 0 hands written, 1 hand left out\n")
    assert "the mix" in done.err
    assert run(tmp_path / "in_8games_.txt", tmp_path / "new_8games_.txt").code == 0
