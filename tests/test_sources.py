"""Files become hands, whatever they are packed and encoded in, and every line keeps its number."""

import codecs
import gzip
import io
import os
import socket
import struct
import time
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from razzstats.diagnostics import Diagnostic
from razzstats.locations import HandText
from razzstats.parsing import CUTTING
from razzstats.sources import Cutting, find_files, read_hands

FIRST = "PokerStars Hand #1: Razz Limit ($1/$2 USD) - 2012/05/23 17:24:52 ET"
SECOND = "PokerStars Hand #2: Razz Limit ($1/$2 USD) - 2012/05/23 17:25:52 ET"
TEXT = f"{FIRST}\nTable 'Ä 5€' 8-max\nSeat 1: Ñandú\n\n\n{SECOND}\nTable 'β'\n"
"""Two hands, at lines 1 and 6, with signs from Latin-1, the euro sign and a Greek letter."""
WESTERN = TEXT.replace("β", "ß")


def read(file: Path | str) -> list[HandText]:
    found = list(read_hands(str(file), CUTTING))
    hands = [hand for hand in found if isinstance(hand, HandText)]
    assert len(hands) == len(found), found
    return hands


def read_bytes(folder: Path, content: bytes, name: str = "hands.txt") -> list[HandText]:
    (folder / name).write_bytes(content)
    return read(folder / name)


def refused(file: Path | str, member: str = "") -> Diagnostic:
    """Return the diagnostic of a file that cannot be read to its end."""
    found = list(read_hands(str(file), CUTTING))[-1]
    assert isinstance(found, Diagnostic)
    assert found.code.name == "unreadable-file"
    assert found.span
    assert found.span.file == str(file) + member
    return found


# ---- encodings

ENCODED: dict[str, bytes] = {
    "UTF-8": TEXT.encode(),
    "UTF-8 with a mark": codecs.BOM_UTF8 + TEXT.encode(),
    "UTF-16 little endian with a mark": codecs.BOM_UTF16_LE + TEXT.encode("utf-16-le"),
    "UTF-16 big endian with a mark": codecs.BOM_UTF16_BE + TEXT.encode("utf-16-be"),
    "UTF-16 little endian without a mark": TEXT.encode("utf-16-le"),
    "UTF-16 big endian without a mark": TEXT.encode("utf-16-be"),
    "UTF-16 with a stray last byte": codecs.BOM_UTF16_LE + TEXT.encode("utf-16-le") + b"\n",
    "Windows line ends": TEXT.replace("\n", "\r\n").encode(),
    "Windows line ends in UTF-16": TEXT.replace("\n", "\r\n").encode("utf-16"),
}


@pytest.mark.parametrize("content", ENCODED.values(), ids=ENCODED.keys())
def test_a_file_is_read_in_its_encoding(tmp_path: Path, content: bytes) -> None:
    one, other = read_bytes(tmp_path, content)
    assert one.lines == (FIRST, "Table 'Ä 5€' 8-max", "Seat 1: Ñandú")
    assert other.lines == (SECOND, "Table 'β'")
    assert (one.first_line, other.first_line) == (1, 6)
    assert (one.last_in_file, other.last_in_file) == (False, True)
    assert other.complete_line
    assert one.undecodable_line is other.undecodable_line is None


def test_a_windows_1252_file_is_read(tmp_path: Path) -> None:
    one, other = read_bytes(tmp_path, WESTERN.encode("cp1252"))
    assert one.lines[1:] == ("Table 'Ä 5€' 8-max", "Seat 1: Ñandú")
    assert other.lines[1] == "Table 'ß'"


def test_the_encoding_may_change_from_line_to_line(tmp_path: Path) -> None:
    # Old files turned from one to the other when the client did.
    old, new = WESTERN.split(SECOND)
    one, other = read_bytes(tmp_path, old.encode("cp1252") + (SECOND + new).encode())
    assert one.lines[2] == "Seat 1: Ñandú"
    assert other.lines[1] == "Table 'ß'"


def test_a_line_in_no_encoding_is_marked_in_its_hand(tmp_path: Path) -> None:
    one, other = read_bytes(tmp_path, TEXT.encode().replace("β".encode(), b"\x81\xff"))
    assert one.undecodable_line is None
    assert other.undecodable_line == 1
    assert other.span(1).line == 7


def test_a_stray_byte_behind_an_unfinished_line_is_left_out(tmp_path: Path) -> None:
    content = codecs.BOM_UTF16_LE + TEXT.rstrip("\n").encode("utf-16-le") + b"\n"
    hand = read_bytes(tmp_path, content)[-1]
    assert hand.lines[-1] == "Table 'β'"
    assert hand.undecodable_line is None


def test_marks_inside_a_file_are_left_out(tmp_path: Path) -> None:
    # As `copy a.txt + b.txt` and `cat` make them.
    content = codecs.BOM_UTF8 + f"{FIRST}\n".encode()
    hands = read_bytes(tmp_path, content + content)
    assert [hand.lines for hand in hands] == [(FIRST,), (FIRST,)]
    content = f"\ufeff{FIRST}\n".encode("utf-16-le")
    assert [hand.lines for hand in read_bytes(tmp_path, content + content)] == [(FIRST,)] * 2


# ---- lines and hands


def test_doubled_line_ends_are_blank_lines(tmp_path: Path) -> None:
    one, other = read_bytes(tmp_path, TEXT.replace("\n", "\r\n\r\n").encode("utf-16"))
    assert (one.first_line, other.first_line) == (1, 11)
    assert one.lines == (FIRST, "", "Table 'Ä 5€' 8-max", "", "Seat 1: Ñandú")
    assert other.span(2).line == 13


def test_blank_lines_do_not_end_a_hand(tmp_path: Path) -> None:
    content = f"{FIRST}\n\nTable 'x'\n \n\nSeat 1: Anna\n"
    (hand,) = read_bytes(tmp_path, content.encode())
    assert hand.lines == (FIRST, "", "Table 'x'", " ", "", "Seat 1: Anna")


def test_hands_that_are_glued_together_are_cut_at_their_headers(tmp_path: Path) -> None:
    one, other = read_bytes(tmp_path, f"{FIRST}\nSeat 1\n{SECOND}\nSeat 2".encode())
    assert (one.lines, other.lines) == ((FIRST, "Seat 1"), (SECOND, "Seat 2"))
    assert not other.complete_line


def test_text_before_the_first_hand_stands_by_itself(tmp_path: Path) -> None:
    stray, hand = read_bytes(tmp_path, f"\n\nHello\nworld\n\n{FIRST}\n".encode())
    assert (stray.lines, stray.first_line) == (("Hello", "world"), 3)
    assert (hand.lines, hand.first_line) == ((FIRST,), 6)


def test_blank_lines_before_the_first_hand_are_counted(tmp_path: Path) -> None:
    (hand,) = read_bytes(tmp_path, f"\r\n\r\n\r\n{FIRST}\r\n".encode())
    assert hand.first_line == 4


@pytest.mark.parametrize("content", [b"", b"\n\n \n", codecs.BOM_UTF8, codecs.BOM_UTF16_LE])
def test_a_file_without_text_has_no_hands(tmp_path: Path, content: bytes) -> None:
    assert read_bytes(tmp_path, content) == []


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16"])
@pytest.mark.parametrize("length", [(1 << 16) - 1, 1 << 16, (1 << 16) + 1, 300_000])
def test_a_huge_line_is_cut_and_counts_as_one(tmp_path: Path, encoding: str, length: int) -> None:
    content = f"{FIRST}\n{'x' * length}\nlast\n{SECOND}\n".encode(encoding)
    one, other = read_bytes(tmp_path, content)
    assert one.lines[2] == "last"
    assert set(one.lines[1]) == {"x"}
    assert len(one.lines[1]) <= 1 << 16
    assert other.first_line == 4


def test_huge_lines_without_end_do_not_fill_the_memory(tmp_path: Path) -> None:
    content = f"{FIRST}\n" + f"Seat 1: {'x' * 60_000}\n" * 100 + f"{SECOND}\nlast\n"
    pieces = read_bytes(tmp_path, content.encode())
    assert max(len(piece.text) for piece in pieces) < 3 << 20
    assert pieces[-1].lines == (SECOND, "last")
    assert pieces[-1].first_line == 102


def test_a_hand_of_players_with_very_long_names_is_one(tmp_path: Path) -> None:
    content = f"{FIRST}\n" + f"{'x' * 10_000}: folds\n" * 100
    (hand,) = read_bytes(tmp_path, content.encode())
    assert len(hand.lines) == 101


def test_a_file_of_blank_lines_is_soon_read(tmp_path: Path) -> None:
    begin = time.process_time()
    (hand,) = read_bytes(tmp_path, b"\n" * 2_000_000 + f"{FIRST}\n".encode())
    assert hand.first_line == 2_000_001
    assert time.process_time() - begin < 1  # a tenth is usual


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16"])
def test_a_huge_last_line_is_incomplete(tmp_path: Path, encoding: str) -> None:
    (hand,) = read_bytes(tmp_path, f"{FIRST}\n{'x' * 200_000}".encode(encoding))
    assert len(hand.lines) == 2
    assert not hand.complete_line


def test_a_hand_without_an_end_is_cut(tmp_path: Path) -> None:
    content = f"{FIRST}\n" + "chat\n" * 12_000 + f"{SECOND}\n"
    pieces = read_bytes(tmp_path, content.encode())
    assert max(len(piece.lines) for piece in pieces) <= 5_000
    assert pieces[-1].lines == (SECOND,)
    assert pieces[-1].first_line == 12_002


def test_odd_signs_do_not_end_a_line(tmp_path: Path) -> None:
    odd = "a\x0bb\x0cc\x1cd\x85e\u2028f\u2029g\x00h"
    (hand,) = read_bytes(tmp_path, f"{FIRST}\n{odd}\nlast\n".encode())
    assert hand.lines == (FIRST, odd, "last")


# ---- archives


def zipped(file: Path, members: dict[str, bytes]) -> Path:
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return file


def test_a_gzip_file_is_unpacked(tmp_path: Path) -> None:
    for name in ("hands.txt.gz", "hands.txt"):  # whatever it is called
        one, other = read_bytes(tmp_path, gzip.compress(TEXT.encode()), name)
        assert (one.first_line, other.first_line) == (1, 6)
        assert one.file == str(tmp_path / name)


def test_a_zip_file_is_unpacked_with_its_folders(tmp_path: Path) -> None:
    file = zipped(tmp_path / "hands.zip", {
        "b/deep/er.txt": TEXT.encode("utf-16"),
        "a.txt": f"{FIRST}\n".encode(),
        "b/": b"",
        "readme.pdf": b"%PDF",
        "__MACOSX/b/._er.txt": b"\x00\x05\x16\x07",
        ".hidden/a.txt": f"{FIRST}\n".encode(),
    })  # fmt: skip
    hands = read(file)
    assert [hand.file for hand in hands] == [
        f"{file}:a.txt",
        f"{file}:b/deep/er.txt",
        f"{file}:b/deep/er.txt",
    ]
    assert [hand.first_line for hand in hands] == [1, 1, 6]
    assert [hand.last_in_file for hand in hands] == [True, False, True]


def test_an_archive_in_an_archive_is_told_and_costs_no_other(tmp_path: Path) -> None:
    file = zipped(tmp_path / "hands.zip", {
        "a.txt": f"{FIRST}\n".encode(), "b.zip": b"PK", "c.txt.gz": b"\x1f\x8b",
        "d.txt": f"{FIRST}\n".encode(),
    })  # fmt: skip
    one, two, three, four = read_hands(str(file), CUTTING)
    assert isinstance(one, HandText)
    assert isinstance(four, HandText)
    for found, name in ((two, "b.zip"), (three, "c.txt.gz")):
        assert isinstance(found, Diagnostic)
        assert found.span
        assert found.span.file == f"{file}:{name}"
        assert "an archive inside an archive" in found.message


def test_a_damaged_part_of_an_archive_costs_no_other(tmp_path: Path) -> None:
    text = f"{FIRST}\n".encode()
    file = zipped(tmp_path / "hands.zip", {"a.txt": text, "b.txt": text * 50, "c.txt": text})
    content = bytearray(file.read_bytes())
    place = content.index(b"b.txt") + len(b"b.txt") + 8
    content[place] ^= 0xFF
    file.write_bytes(content)
    found = list(read_hands(str(file), CUTTING))
    assert [hand.file for hand in found if isinstance(hand, HandText)][0::len(found) - 2] == [
        f"{file}:a.txt", f"{file}:c.txt"
    ]  # fmt: skip
    (broken,) = [each for each in found if isinstance(each, Diagnostic)]
    assert broken.span
    assert broken.span.file == f"{file}:b.txt"


def test_what_a_small_archive_unpacks_to_is_limited(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("razzstats.sources.opening._MEMBER_LIMIT", 10_000)
    bomb = f"{FIRST}\n".encode() + b"x" * 20_000
    packed = tmp_path / "bomb.gz"
    packed.write_bytes(gzip.compress(bomb))
    assert "larger than 4 GiB" in refused(packed).message
    file = zipped(tmp_path / "bomb.zip", {"a.txt": f"{FIRST}\n".encode(), "b.txt": bomb})
    hand, found = read_hands(str(file), CUTTING)
    assert isinstance(hand, HandText)
    assert isinstance(found, Diagnostic)
    assert "larger than 4 GiB" in found.message


DENSE = "64 MiB and 300 times its size"


@pytest.fixture
def little_room(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let an archive be suspected from fifty thousand bytes on."""
    monkeypatch.setattr("razzstats.sources.opening._UNPACKED_FREELY", 50_000)


@pytest.mark.usefixtures("little_room")
def test_a_bomb_in_an_archive_costs_no_other(tmp_path: Path) -> None:
    first, bomb = f"{FIRST}\n".encode(), b"\n" * 100_000
    file = zipped(tmp_path / "x.zip", {"a.txt": first, "b.txt": bomb, "c.txt": first})
    one, found, other = read_hands(str(file), CUTTING)
    assert isinstance(one, HandText)
    assert isinstance(other, HandText)
    assert isinstance(found, Diagnostic)
    assert "300 times its size" in found.message
    assert found.span
    assert found.span.file == f"{file}:b.txt"


def test_many_small_bombs_are_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("razzstats.sources.opening._UNPACKED_FREELY", 1_000_000)
    file = zipped(tmp_path / "x.zip", {f"{n}.txt": b"\n" * 500_000 for n in range(5)})
    assert "300 times its size" in refused(file).message
    content = bytearray(file.read_bytes())  # all of them in the place of the first
    place = content.index(b"PK\x01\x02")
    while place >= 0:
        content[place + 42 : place + 46] = bytes(4)
        place = content.find(b"PK\x01\x02", place + 1)
    file.write_bytes(content)
    assert "300 times its size" in refused(file).message


@pytest.mark.usefixtures("little_room")
@pytest.mark.parametrize("members", [1, 40])
def test_a_bomb_is_noticed_while_it_is_unpacked(tmp_path: Path, members: int) -> None:
    file = tmp_path / "x.gz"
    file.write_bytes(gzip.compress(b"\n" * (4_000_000 // members)) * members)
    assert "300 times its size" in refused(file).message


@pytest.mark.usefixtures("little_room")
def test_the_same_hand_over_and_over_is_no_bomb(tmp_path: Path) -> None:
    sample = (TEXT + "Seat 2: Ben ($2 in chips)\n") * 2_000
    packed = gzip.compress(sample.encode())
    assert 100 < len(sample.encode()) / len(packed) < 300
    assert len(read_bytes(tmp_path, packed, "x.gz")) == 4_000
    assert len(read(zipped(tmp_path / "x.zip", {"a.txt": sample.encode()}))) == 4_000


def test_the_limit_is_said_as_it_is(tmp_path: Path) -> None:
    file = tmp_path / "x.gz"
    file.write_bytes(gzip.compress(b"x" * (1 << 20)) * 65)
    assert DENSE in refused(file).message


def test_members_may_be_called_anything_as_nothing_is_written(tmp_path: Path) -> None:
    names = ("../../up.txt", "/root.txt", "C:\\x.txt", "a\nb.txt", "con.txt", "\x1b[2J.txt")
    file = zipped(tmp_path / "x.zip", {name: f"{FIRST}\n".encode() for name in names})
    before = sorted(tmp_path.rglob("*"))
    assert {hand.file for hand in read(file)} == {f"{file}:{name}" for name in names}
    assert sorted(tmp_path.rglob("*")) == before


@pytest.mark.parametrize("method", [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_LZMA])
def test_no_damage_to_an_archive_is_more_than_an_archive_that_cannot_be_read(
    tmp_path: Path, method: int
) -> None:
    file = tmp_path / "x.zip"
    with zipfile.ZipFile(file, "w", method) as archive:
        archive.writestr("ü.txt", TEXT)
        archive.writestr("b.txt", TEXT)
    whole = file.read_bytes()
    for place in range(len(whole)):
        file.write_bytes(whole[:place] + b"\xff" + whole[place + 1 :])
        list(read_hands(str(file), CUTTING))


def test_an_archive_without_a_name_for_its_member_is_read(tmp_path: Path) -> None:
    file = zipped(tmp_path / "x.zip", {"a": TEXT.encode()})
    content = bytearray(file.read_bytes())
    place = content.index(b"PK\x01\x02")
    content[place + 28 : place + 30] = struct.pack("<H", 0)
    content[place + 30 : place + 32] = struct.pack("<H", 1)  # what was its name is something else
    file.write_bytes(content)
    assert read(file) == []


def test_stretches_of_nuls_are_left_out(tmp_path: Path) -> None:
    content = b"\0" * 4096 + f"{FIRST}\nTable".encode() + b"\0" * 9 + b"\nSe\0at\n" + b"\0" * 99
    (hand,) = read_bytes(tmp_path, content)
    assert hand.lines == (FIRST, "Table", "Se\0at")


# ---- lines that belong to the hand behind them


def cut(tmp_path: Path, *lines: str) -> list[HandText]:
    file = tmp_path / "hands.txt"
    file.write_text("\n".join(lines) + "\n", encoding="utf-8")
    cutting = Cutting(lambda line: line.startswith("<game"), lambda line: line.startswith("<about"))
    return [hand for hand in read_hands(str(file), cutting) if isinstance(hand, HandText)]


def test_a_lead_line_begins_its_hand(tmp_path: Path) -> None:
    one, two = cut(tmp_path, "<about 1>", "", "<game 1>", "x", "", "<about 2>", "<game 2>", "y")
    assert one.lines == ("<about 1>", "", "<game 1>", "x")
    assert (two.first_line, two.lines, two.context) == (6, ("<about 2>", "<game 2>", "y"), ())


def test_a_lead_line_is_carried_on_to_hands_without_one(tmp_path: Path) -> None:
    one, two, three = cut(tmp_path, "<about>", "<game 1>", "<game 2>", "y", "<game 3>")
    assert [hand.context for hand in (one, two, three)] == [(), ("<about>",), ("<about>",)]
    assert (two.first_line, two.lines) == (3, ("<game 2>", "y"))
    assert two.text == "<about>\n<game 2>\ny"


def test_a_lead_line_without_a_hand_is_text_like_any_other(tmp_path: Path) -> None:
    (only,) = cut(tmp_path, "<about>", "", "<about>")
    assert only.lines == ("<about>", "", "<about>")
    stray, hand = cut(tmp_path, "<about>", "chat", "<game 1>")
    assert (stray.lines, hand.lines, hand.context) == (("<about>", "chat"), ("<game 1>",), ())


def test_lead_lines_without_end_do_not_fill_the_memory(tmp_path: Path) -> None:
    stray, hand = cut(tmp_path, *["<about>"] * 100, "<game 1>")
    assert len(stray.lines) + len(hand.lines) == 101
    assert hand.lines[-1] == "<game 1>"


def test_an_archive_with_a_password_is_refused(tmp_path: Path) -> None:
    file = zipped(tmp_path / "hands.zip", {"a.txt": TEXT.encode()})
    content = bytearray(file.read_bytes())
    content[6] |= 1  # the flag of the member, and of its entry in the directory
    content[content.index(b"PK\x01\x02") + 8] |= 1
    file.write_bytes(content)
    assert "password" in refused(file, ":a.txt").message


def test_a_damaged_archive_is_refused(tmp_path: Path) -> None:
    file = zipped(tmp_path / "hands.zip", {"a.txt": TEXT.encode() * 50})
    whole = file.read_bytes()
    file.write_bytes(whole[: len(whole) // 2])
    refused(file)
    damaged = bytearray(whole)
    damaged[60] ^= 0xFF  # within the packed text
    file.write_bytes(damaged)
    refused(file, ":a.txt")


def test_the_hands_before_the_damage_are_read(tmp_path: Path) -> None:
    text = "".join(f"{FIRST.replace('#1', f'#{number}')}\n" for number in range(9_000))
    packed = gzip.compress(text.encode())
    file = tmp_path / "hands.gz"
    file.write_bytes(packed[: len(packed) // 2])
    found = list(read_hands(str(file), CUTTING))
    assert len(found) > 1
    refused(file)


# ---- finding files


def test_a_missing_file_is_told(tmp_path: Path) -> None:
    (found,) = find_files([str(tmp_path / "nowhere.txt")])
    assert isinstance(found, Diagnostic)
    assert found.code.name == "unreadable-file"
    refused(tmp_path / "nowhere.txt")


def test_a_folder_is_no_file(tmp_path: Path) -> None:
    refused(tmp_path)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name in ("b.txt", "a.TXT", "sub/c.xml", "sub/d.zip", "e.phh", "notes.md", "f",
                 ".hidden.txt", ".git/g.txt", "sub/.h/i.txt"):  # fmt: skip
        file = tmp_path / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text("x", encoding="utf-8")
    return tmp_path


def test_a_folder_gives_its_histories_in_order_without_hidden_ones(folder: Path) -> None:
    found = [Path(str(file)).relative_to(folder).as_posix() for file in find_files([str(folder)])]
    assert found == ["a.TXT", "b.txt", "e.phh", "sub/c.xml", "sub/d.zip"]


def test_a_file_that_is_named_may_be_called_anything(folder: Path) -> None:
    named = [str(folder / "f"), str(folder / "notes.md"), str(folder / ".hidden.txt")]
    assert list(find_files(named)) == named


@pytest.mark.parametrize("name", ["", "x" * 5_000, "x" * 5_000 + "*"])
def test_a_name_that_no_file_has_does_not_end_the_run(tmp_path: Path, name: str) -> None:
    good = tmp_path / "good.txt"
    good.write_text(FIRST)
    wrong, found = find_files([name, str(good)])
    assert isinstance(wrong, Diagnostic)
    assert wrong.code.name == "unreadable-file"
    assert found == str(good)


def test_a_folder_in_a_hidden_one_is_read_if_it_is_named(folder: Path) -> None:
    assert list(find_files([str(folder / ".git")])) == [str(folder / ".git" / "g.txt")]


def test_a_pattern_gives_the_files_that_match(folder: Path) -> None:
    assert list(find_files([str(folder / "*.txt")])) == [
        str(folder / ".hidden.txt"),
        str(folder / "b.txt"),
    ]
    (found,) = find_files([str(folder / "*.nothing")])
    assert isinstance(found, Diagnostic)


def test_a_file_named_like_a_pattern_is_itself(tmp_path: Path) -> None:
    file = tmp_path / "[a].txt"
    file.write_text("x", encoding="utf-8")
    assert list(find_files([str(file)])) == [str(file)]


def test_hands_may_come_through_a_pipe(monkeypatch: pytest.MonkeyPatch) -> None:
    pipe = io.TextIOWrapper(io.BufferedReader(io.BytesIO(TEXT.encode())))
    monkeypatch.setattr("sys.stdin", pipe)
    assert list(find_files(["-"])) == ["-"]
    one, other = read("-")
    assert (one.file, other.first_line) == ("<stdin>", 6)


def test_a_file_is_read_as_a_stream(tmp_path: Path) -> None:
    file = tmp_path / "hands.txt"
    file.write_text(TEXT * 1000, encoding="utf-8")
    seen = 0

    def watching(is_first: Callable[[str], bool]) -> Callable[[str], bool]:
        def watched(line: str) -> bool:
            nonlocal seen
            seen += 1
            return is_first(line)

        return watched

    hands = read_hands(str(file), Cutting(watching(CUTTING.is_first_line)))
    assert next(hands)
    assert seen <= 6
    hands.close()  # type: ignore[attr-defined]


# ---- what is no file


def made_pipe(path: Path) -> None:
    os.mkfifo(path)


def made_socket(path: Path) -> None:
    found = Path.cwd()
    os.chdir(path.parent)  # a socket's name is short
    try:
        with socket.socket(socket.AF_UNIX) as bound:
            bound.bind(path.name)
    finally:
        os.chdir(found)


def made_loop(path: Path) -> None:
    path.symlink_to(path)


NO_FILES = {"a pipe": made_pipe, "a socket": made_socket, "a link that leads": made_loop}


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="the system has no such files")
@pytest.mark.parametrize("words", NO_FILES)
def test_what_is_no_file_is_told_and_never_waited_for(tmp_path: Path, words: str) -> None:
    path = tmp_path / "x.txt"
    NO_FILES[words](path)
    good = tmp_path / "y.txt"
    good.write_text(FIRST)
    for named in ([str(path), str(good)], [str(tmp_path)]):
        found, other = find_files(named)
        assert isinstance(found, Diagnostic)
        assert f"it is {words}" in found.message
        assert found.span
        assert found.span.file == str(path)
        assert other == str(good)
    assert f"it is {words}" in refused(path).message or words == "a link that leads"


@pytest.mark.skipif(not Path("/dev/zero").exists(), reason="the system has no such files")
def test_a_device_is_told() -> None:
    (found,) = find_files(["/dev/zero"])
    assert isinstance(found, Diagnostic)
    assert "it is a device, not a file" in found.message
    refused("/dev/zero")


@pytest.mark.skipif(os.name == "nt", reason="links need a right of their own there")
def test_links_make_no_walk_endless_and_no_file_come_twice(folder: Path) -> None:
    (folder / "sub" / "up").symlink_to(folder)
    (folder / "0.txt").symlink_to(folder / "b.txt")  # before it, and beside it
    (folder / "sub" / "z.txt").symlink_to(folder / "b.txt")
    outside = folder.parent / f"{folder.name}-outside"
    outside.mkdir()
    (outside / "o.txt").write_text("x")
    (folder / "o.txt").symlink_to(outside / "o.txt")
    found = [Path(str(file)).relative_to(folder).as_posix() for file in find_files([str(folder)])]
    assert found == ["a.TXT", "b.txt", "e.phh", "o.txt", "sub/c.xml", "sub/d.zip"]


def test_a_folder_that_cannot_be_looked_into_is_told(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    scandir = os.scandir

    def refuse(path: str) -> object:
        if Path(path).name == "sub":
            raise PermissionError(13, "Permission denied", str(path))
        return scandir(path)

    monkeypatch.setattr("os.scandir", refuse)
    *files, found = find_files([str(folder)])
    assert len(files) == 3
    assert isinstance(found, Diagnostic)
    assert found.message == "the file cannot be read: Permission denied"
    assert found.span
    assert found.span.file == str(folder / "sub")
