"""Lakes whose many small pieces are put together, while others read and write."""

import os
import threading
from itertools import pairwise
from pathlib import Path

import pytest
from cli import half_a_hand, hand, razzstats, write, wrong_hand
from lake_scenes import import_here, in_a_database, in_the_lake, messy_files
from lakes import tables_of

from razzstats.errors import DamagedDatabase, RazzstatsError
from razzstats.lake.compacting import CompactReport, compact
from razzstats.simulate import Setup, render_hands, simulate_hands
from razzstats.storage import Database
from razzstats.storage.lake import compaction
from razzstats.storage.lake.files import files_at
from razzstats.storage.lake.manifest import Entry, Manifest, Piece, State
from razzstats.storage.lake.views import open_lake


@pytest.fixture
def messy(tmp_path: Path) -> Path:
    folder = tmp_path / "messy"
    folder.mkdir()
    messy_files(folder)
    return folder


@pytest.fixture
def lake(messy: Path, tmp_path: Path) -> Path:
    """A lake of many small pieces."""
    import_here(tmp_path / "lake", messy)
    return tmp_path / "lake"


def pieces(lake: Path) -> list[Piece]:
    return [*Manifest(files_at(lake)).state().pieces.values()]


def of_hands(lake: Path) -> list[Piece]:
    return [piece for piece in pieces(lake) if piece.site]


def all_files(lake: Path) -> dict[str, bytes]:
    return {
        path.relative_to(lake).as_posix(): path.read_bytes()
        for path in lake.rglob("*")
        if path.is_file()
    }


def grow_old(lake: Path, days: int = 30) -> None:
    """Let all files have been there for so many more days."""
    for path in lake.rglob("*"):
        moment = path.stat().st_mtime - days * 86_400
        os.utime(path, (moment, moment))


def test_pieces_are_put_together_and_answers_stay(lake: Path) -> None:
    before, many = in_the_lake(lake), pieces(lake)
    report = compact(files_at(lake))
    few = pieces(lake)
    assert in_the_lake(lake) == before
    assert len(few) < len(many)
    assert (report.pieces, len(many) - report.before + report.after) == (len(few), len(few))
    places = [(piece.site, piece.month) for piece in few if piece.site]
    assert len(places) == len(set(places))
    assert all(piece.rows["hands"] > 0 for piece in few if piece.site)


def test_hands_stand_in_order(lake: Path) -> None:
    compact(files_at(lake), hands=20)
    with open_lake(lake) as database:
        for path in database.paths("hands"):
            hids = [hid for (hid,) in database.rows("SELECT hid FROM read_parquet(?)", (path,))]
            assert hids == sorted(hids)


def test_a_second_time_nothing_changes(lake: Path) -> None:
    compact(files_at(lake))
    before = all_files(lake)
    report = compact(files_at(lake))
    assert report == CompactReport(0, 0, len(pieces(lake)), 0)
    assert all_files(lake) == before


def test_the_same_pieces_become_the_same_files(messy: Path, tmp_path: Path) -> None:
    tables = []
    for name in ("one", "two"):
        import_here(tmp_path / name, messy)
        compact(files_at(tmp_path / name), hands=20)
        found = all_files(tmp_path / name)
        tables.append({name: found[name] for name in found if name.startswith("tables/")})
    assert tables[0] == tables[1]


def test_a_piece_has_no_more_hands_than_are_wanted(tmp_path: Path) -> None:
    hands = [*render_hands(simulate_hands(60, 3, 1, setup=Setup(first_number=10_000_000)))]
    write(tmp_path, **{f"f{n}": "".join(hands[n * 5 : n * 5 + 5]) for n in range(12)})
    sources = [tmp_path / f"f{n}.txt" for n in range(12)]
    import_here(tmp_path / "lake", *sources, unit_bytes=1)
    assert [piece.rows["hands"] for piece in of_hands(tmp_path / "lake")] == [5] * 12
    compact(files_at(tmp_path / "lake"), hands=25)
    few = sorted(of_hands(tmp_path / "lake"), key=lambda piece: piece.first_hid)
    assert [piece.rows["hands"] for piece in few] == [20, 20, 20]
    assert all(one.last_hid < next.first_hid for one, next in pairwise(few))
    # They are large enough now: none of them is written anew for a few hands more.
    write(tmp_path, more=hand(1) + hand(2), rest=hand(3))
    for name in ("more", "rest"):
        import_here(tmp_path / "lake", tmp_path / f"{name}.txt")
    kept = {piece.key for piece in few}
    compact(files_at(tmp_path / "lake"), hands=25)
    assert kept <= {piece.key for piece in pieces(tmp_path / "lake")}
    assert in_the_lake(tmp_path / "lake")["hands"] == in_a_database(
        *sources, tmp_path / "more.txt", tmp_path / "rest.txt"
    )["hands"]  # fmt: skip


def test_what_was_kept_apart_stays_with_its_file(tmp_path: Path) -> None:
    # A conflict is found later than a hand that breaks a rule: it is in another piece.
    write(tmp_path, a=wrong_hand(1) + hand(2, name="Zoe"), b=hand(2) + wrong_hand(20))
    for name in ("b", "a"):
        import_here(tmp_path / "lake", tmp_path / f"{name}.txt")
    before = in_the_lake(tmp_path / "lake")
    assert len(pieces(tmp_path / "lake")) == 4
    compact(files_at(tmp_path / "lake"))
    assert len(pieces(tmp_path / "lake")) == 3
    assert in_the_lake(tmp_path / "lake") == before
    # A file that is read anew takes the place of what was found in it, and of nothing else.
    write(tmp_path, a=wrong_hand(1))
    import_here(tmp_path / "lake", tmp_path / "a.txt")
    assert len(in_the_lake(tmp_path / "lake")["rejected"]) == 2


def test_one_room_can_be_chosen(lake: Path) -> None:
    before = pieces(lake)
    assert compact(files_at(lake), site="pokerstars").before > 0
    apart = {piece.key for piece in before if piece.site is None}
    assert apart <= {piece.key for piece in pieces(lake)}
    with pytest.raises(RazzstatsError, match="has no hands of winamax"):
        compact(files_at(lake), site="winamax")


# ---- others at the same time


def test_an_import_that_was_quicker_is_not_lost(lake: Path, tmp_path: Path) -> None:
    write(tmp_path, late=hand(50) + hand(51))
    commit, is_late = Manifest.commit, True

    def late(manifest: Manifest, decide: object) -> Entry:
        def asked(state: State) -> Entry:
            nonlocal is_late
            entry = decide(state)  # type: ignore[operator]
            if is_late:
                is_late = False
                import_here(lake, tmp_path / "late.txt")
            return entry  # type: ignore[no-any-return]

        return commit(manifest, asked)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Manifest, "commit", late)
        compact(files_at(lake))
    assert not is_late
    assert in_the_lake(lake) == in_a_database(tmp_path / "messy", tmp_path / "late.txt")


def test_pieces_that_vanished_meanwhile_are_not_put_together(lake: Path, tmp_path: Path) -> None:
    # An import decides, then all is compacted, then the import writes its entry.
    write(tmp_path, longer=hand(6) + hand(3, name="Zoe") + half_a_hand(3) + hand(2))
    commit, is_late = Manifest.commit, True

    def late(manifest: Manifest, decide: object) -> Entry:
        def asked(state: State) -> Entry:
            nonlocal is_late
            entry = decide(state)  # type: ignore[operator]
            if is_late:
                is_late = False
                compact(files_at(lake))
            return entry  # type: ignore[no-any-return]

        return commit(manifest, asked)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Manifest, "commit", late)
        import_here(lake, tmp_path / "longer.txt")
    compact(files_at(lake))
    assert in_the_lake(lake) == in_a_database(tmp_path / "messy", tmp_path / "longer.txt")


def test_two_imports_and_two_compactions_at_once_end_whole(messy: Path, tmp_path: Path) -> None:
    lake = tmp_path / "lake"
    Manifest.make(files_at(lake))
    failed: list[BaseException] = []

    def run(work: object) -> None:
        try:
            work()  # type: ignore[operator]
        except BaseException as error:
            failed.append(error)

    def compact_often() -> None:
        for _ in range(6):
            compact(files_at(lake), hands=15)

    def import_each() -> None:
        for path in sorted(messy.iterdir()):
            import_here(lake, path)

    threads = [
        threading.Thread(target=run, args=(work,))
        for work in (import_each, compact_often, import_each, compact_often)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failed == []
    expected = in_a_database(messy)
    assert in_the_lake(lake) == expected
    compact(files_at(lake))
    assert in_the_lake(lake) == expected


# ---- what nobody uses


def test_who_opened_before_can_read_on(lake: Path) -> None:
    grow_old(lake)
    with open_lake(lake) as database:
        before = tables_of(database)
        assert compact(files_at(lake)).removed == 0
        assert tables_of(database) == before


def test_what_nobody_uses_is_removed_when_it_is_old(lake: Path) -> None:
    before = in_the_lake(lake)
    compact(files_at(lake))
    stray = "tables/hands/site=pokerstars/month=2026-01/stray.parquet"
    (lake / stray).write_bytes(b"of a worker that died")
    (lake / "_aside" / "0123").mkdir()
    (lake / "_aside" / "0123" / "hands.parquet").write_bytes(b"half")
    grow_old(lake, 3)
    assert compact(files_at(lake)).removed == 0
    assert compact(files_at(lake), unused_days=2).removed > 0
    compact(files_at(lake), unused_days=2)  # what notes had named
    state = Manifest(files_at(lake)).state()
    used = {piece.path(table) for piece in state.pieces.values() for table in piece.rows}
    there = all_files(lake)
    assert {name for name in there if name.startswith("tables/")} == used
    assert sorted({*there} - used) == ["_log/" + f"{state.number:08}.state.json", "lake.json"]
    assert [*(lake / "_aside").iterdir()] == []
    assert in_the_lake(lake) == before
    assert compact(files_at(lake), unused_days=2).removed == 0


def test_a_cleaned_lake_takes_new_files_and_knows_the_old_ones(
    lake: Path, messy: Path, tmp_path: Path
) -> None:
    compact(files_at(lake))
    grow_old(lake)
    compact(files_at(lake))
    compact(files_at(lake))
    assert all(report.known or report.failed for report in import_here(lake, messy))
    write(tmp_path, late=hand(50))
    import_here(lake, tmp_path / "late.txt")
    assert in_the_lake(lake) == in_a_database(messy, tmp_path / "late.txt")


def test_what_a_reading_noted_outlives_its_note_by_one_run(
    messy: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lake = tmp_path / "lake"
    with monkeypatch.context() as patch:
        # It dies before it comes to its log.
        patch.setattr("razzstats.lake.importing._LakeImport._note", lambda _: None)
        import_here(lake, messy)
    write(tmp_path, late=hand(50))
    import_here(lake, tmp_path / "late.txt")
    Manifest(files_at(lake)).keep_state()
    grow_old(lake)
    data = {name for name in all_files(lake) if name.startswith("tables/")}
    compact(files_at(lake))
    assert [*(lake / "_units").iterdir()] == []
    assert {name for name in all_files(lake) if name.startswith("tables/")} == data
    compact(files_at(lake))
    assert len([name for name in all_files(lake) if name.startswith("tables/")]) < len(data)
    import_here(lake, messy)
    assert len(in_the_lake(lake)["hands"]) == len(
        in_a_database(messy, tmp_path / "late.txt")["hands"]
    )


def test_a_note_that_cannot_be_read_keeps_nothing(lake: Path) -> None:
    for note in (lake / "_units").iterdir():
        note.write_bytes(b"[]")
    before = in_the_lake(lake)
    compact(files_at(lake))
    grow_old(lake)
    compact(files_at(lake))
    assert in_the_lake(lake) == before


# ---- faults


def test_a_data_file_with_other_rows_than_the_log_says_is_told(lake: Path) -> None:
    before = pieces(lake)
    small = [piece for piece in before if piece.site and piece.rows["hands"] > 1]
    path = lake / small[0].path("hands")
    with Database.in_memory((str(path.parent),)) as database:
        database.rows(
            f"COPY (FROM read_parquet('{path}') LIMIT 1) TO '{path}.new' (FORMAT parquet)"
        )
    os.replace(f"{path}.new", path)
    with pytest.raises(DamagedDatabase, match="other rows than its log says in hands"):
        compact(files_at(lake))
    assert pieces(lake) == before


def test_a_missing_data_file_is_told(lake: Path) -> None:
    before = pieces(lake)
    (lake / next(piece for piece in before if piece.site).path("actions")).unlink()
    run = razzstats("lake", "compact", "--lake", lake)
    assert run.code == 3
    assert "cannot be used" in run.sentence
    assert len(pieces(lake)) == len(before)


def test_more_than_fits_into_memory_waits_in_files(
    lake: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = in_the_lake(lake)
    monkeypatch.setattr(compaction, "_SORTING_MEMORY", "20 MB")
    compact(files_at(lake))
    assert in_the_lake(lake) == before


def test_the_command_says_what_it_did(lake: Path) -> None:
    run = razzstats("lake", "compact", "--lake", lake, "--site", "PokerStars", "--hands", "20")
    assert run.code == 0
    assert "put together into" in run.sentence
    run = razzstats("lake", "compact", "--lake", lake, "--unused-days", "0")
    assert run.code == 2
    run = razzstats("lake", "compact", "--lake", lake / "none")
    assert (run.code, "there is no lake" in run.sentence) == (2, True)
