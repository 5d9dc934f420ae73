"""Imports that are killed or run out of room: nothing is half-written, the next completes it."""

import shutil
import signal
import subprocess
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

import duckdb
import pytest
from cli import half_a_hand, hand, other_game, warned_hand, write, wrong_hand
from crashes import TRIALS, Commands, Ended, broken_invariants, content, state_of

from razzstats.measuring import count_unmeasured
from razzstats.simulate import Setup, render_hands, simulate_hands
from razzstats.storage import Database
from razzstats.storage.migrations import MIGRATIONS

BATCH = 15  # hands a transaction, so that a small import has many
FILES = 9
MADE = 3 * 4_096  # bytes of a DuckDB file in which nothing is yet


@dataclass(frozen=True)
class Scene:
    """An import: what there is before it, and what comes of it when nothing interrupts it."""

    histories: Path
    before: Path | None
    """The database that there is; None: none yet."""
    states: list[str]
    """What is in the database at first and after each commit."""
    seconds: dict[int, float]
    """How long it takes by the number of processes that read."""
    expected: dict[str, list[tuple[Any, ...]]]

    def begin(self, folder: Path) -> Path:
        """Put the database of before into a folder; return where it is."""
        path = folder / "razz.duckdb"
        path.unlink(missing_ok=True)
        path.with_name("razz.duckdb.wal").unlink(missing_ok=True)
        if self.before:
            shutil.copy(self.before, path)
        return path

    def run(self, commands: Commands, path: Path, *, jobs: int = 1, **limits: Any) -> Ended:
        """Import into a database."""
        return commands.run(
            "import", self.histories, "--db", path, "--jobs", str(jobs), batch=BATCH, **limits
        )


@pytest.fixture(scope="module")
def commands() -> Iterator[Commands]:
    with Commands() as running:
        yield running


def session(number: int, hands: int, hero: str | None = None) -> list[str]:
    # Who only watches knows few starting hands, of which each takes its time to measure.
    setup = Setup(table=f"Halley {number}", first_number=number * 1_000_000, hero=hero)
    return [f"{text}\n" for text in render_hands(simulate_hands(hands, 3, number, setup=setup))]


def without_last_line(text: str) -> str:
    return text.rstrip().rpartition("\n")[0] + "\n"


def write_first(folder: Path) -> None:
    """Write what the rooms have written by the first import."""
    small, growing = session(3, 14), session(5, 20)
    write(folder, c="".join(small), e="".join(growing[:12]) + half_a_hand(201))
    write(folder, f=hand(301) + without_last_line(hand(302)), g=wrong_hand(401) + hand(402))


def write_histories(folder: Path) -> None:
    """Write what they have written by the second, which has all there can be in an import."""
    write_first(folder)
    big, growing = session(1, 90), session(5, 20)
    for place, odd in ((30, wrong_hand(501)), (65, other_game(502)), (80, wrong_hand(503))):
        big.insert(place, odd)
    # The same hands again, and one of their numbers with another text.
    copies = [*big[50:64], hand(302).replace("Ben", "Bea"), warned_hand(601)]
    write(folder, a="".join(big), b="".join(session(2, 14, "RazzHero")), d="".join(copies))
    write(folder, e="".join(growing[:12]) + hand(201) + "".join(growing[12:]))
    write(folder, f=hand(301) + hand(302) + hand(303))
    write(folder, h="".join(session(6, 14)), i="".join(session(7, 14)) + half_a_hand(701))
    write(folder, j="".join(session(2, 14, "RazzHero")))  # the content of another file


@pytest.fixture(scope="module")
def scenes(commands: Commands, tmp_path_factory: pytest.TempPathFactory) -> tuple[Scene, Scene]:
    """An import into a new database, and one into a database that knows some of the files."""
    folder = tmp_path_factory.mktemp("scenes")
    histories, before = folder / "histories", folder / "before.duckdb"
    histories.mkdir()
    write_first(histories)
    assert commands.run("import", histories, "--db", before, batch=BATCH).code == 0
    write_histories(histories)
    return _scene(commands, histories, None), _scene(commands, histories, before)


def _scene(commands: Commands, histories: Path, before: Path | None) -> Scene:
    scene = Scene(histories, before, [], {}, {})
    for jobs in (1,) if before else (1, 2):
        path = scene.begin(histories.parent)
        whole = scene.run(commands, path, jobs=jobs, with_states=True)
        assert whole.code == 0, whole.err
        scene.seconds[jobs] = whole.seconds
        with Database.open(path, read_only=True) as database:
            assert broken_invariants(database) == {}
            found = content(database)
        # What is written does not depend on how many read.
        assert scene.states in ([], whole.states)
        assert scene.expected in ({}, found)
        scene.states[:] = whole.states
        scene.expected.update(found)
    return scene


# ---- what an import is that nothing interrupts


def test_an_import_has_all_there_can_be_and_takes_many_transactions(
    scenes: tuple[Scene, Scene],
) -> None:
    new, known = scenes
    for scene in scenes:
        assert {row[0][-5:] for row in scene.expected["files"]} == {
            f"{name}.txt" for name in "abcdefghi"
        }
        kept = Counter(row[3] for row in scene.expected["rejected"])
        assert kept == {"rejected": 3, "conflict": 1, "incomplete": 1}
        assert len({*scene.states}) > 10
    assert len(new.expected["hands"]) == len(known.expected["hands"]) > 150


# ---- kills


def state_left(path: Path) -> str | None:
    """Return what is in a database, which stays as it is; None if there is none."""
    if not path.exists():
        return None
    with duckdb.connect(str(path), read_only=True) as connection:
        return state_of(Database(connection, str(path)))


def phase_of(ended: Ended, path: Path, state: str | None) -> str:
    """Return where in an import it was killed."""
    if ended.signal is None:
        return "after"
    if not state:
        return "before the file"
    with duckdb.connect(str(path), read_only=True) as connection:
        database = Database(connection, str(path))
        if not in_tables([state]):
            return "schema"
        ((done,),) = database.rows("SELECT count(DISTINCT path) FROM files WHERE status = 'done'")
        if done < FILES or not ended.states or not database.rows("SELECT 1 FROM hands LIMIT 1"):
            return "writing"
        return "measuring" if count_unmeasured(database) else "closing"


def check_left(scene: Scene, ended: Ended, path: Path) -> str:
    """Check what was left in a database: whole transactions, and no fewer than were told of."""
    state, told, steps = state_left(path), in_tables(ended.states), in_tables(scene.states)
    assert told == steps[: len(told)]
    if state and in_tables([state]):
        assert state in steps[max(0, len(told) - 1) : len(told) + 1]
    else:  # a database that was only being made need not be there
        assert scene.before is None
        assert told in ([], steps[:1])
        assert " hands 0 " in steps[0]
    if ended.code == 0:
        assert state == steps[-1]
    return phase_of(ended, path, state)


def in_tables(states: list[str]) -> list[str]:
    """Return the states of a database that has all its tables, each once."""
    return [*dict.fromkeys(s for s in states if f"schema_migrations {len(MIGRATIONS)} " in s)]


def complete(scene: Scene, commands: Commands, path: Path) -> None:
    """Check that the same import completes what an interrupted one left."""
    with Database.open(path) as database:
        assert broken_invariants(database) == {}
    again = scene.run(commands, path)
    assert again.code == 0, again.err
    with Database.open(path, read_only=True) as database:
        assert broken_invariants(database) == {}
        found = content(database)
    for table, rows in scene.expected.items():
        assert found[table] == rows, table


def kill(scene: Scene, commands: Commands, folder: Path, moment: float, jobs: int) -> str:
    path = scene.begin(folder)
    ended = scene.run(commands, path, jobs=jobs, kill_after=moment, with_states=True)
    assert ended.signal in (None, signal.SIGKILL)
    if ended.code == 0:  # a machine that does less besides is faster than it was
        scene.seconds[jobs] = min(scene.seconds[jobs], ended.seconds)
    phase = check_left(scene, ended, path)
    complete(scene, commands, path)
    return phase


def kill_many(
    scenes: tuple[Scene, Scene], commands: Commands, folder: Path, trials: int
) -> Counter[str]:
    """Kill imports at random moments; return how many were killed in which phase."""
    random, phases = Random(trials), Counter[str]()
    for number in range(trials):
        scene, jobs = scenes[number % 2], 2 if number % 6 == 4 else 1
        moment = random.uniform(0, scene.seconds[jobs])
        phases[kill(scene, commands, folder, moment, jobs)] += 1
    print(f"{trials} kills: {dict(phases)}")
    return phases


def test_a_kill_at_any_moment_leaves_whole_transactions(
    scenes: tuple[Scene, Scene], commands: Commands, tmp_path: Path
) -> None:
    assert kill_many(scenes, commands, tmp_path, 6)["writing"]


@pytest.mark.slow
def test_kills_at_very_many_moments_leave_whole_transactions(
    scenes: tuple[Scene, Scene], commands: Commands, tmp_path: Path
) -> None:
    trials = 50 * TRIALS
    phases = kill_many(scenes, commands, tmp_path, trials)
    assert phases["writing"] > trials // 5
    assert phases["measuring"]


# ---- no room


def check_no_room(scene: Scene, commands: Commands, path: Path, ended: Ended) -> None:
    """Check what an import says that found no room, and what it left."""
    assert (ended.code, ended.signal) == (3, None), ended
    assert ended.is_one_sentence, ended.err
    assert str(path) in ended.err, ended.err
    assert ended.out == ""
    check_left(scene, ended, path)


def fill_up(scene: Scene, commands: Commands, folder: Path, rooms: Iterable[int]) -> int:
    """Import with so much room and no more; return how often it was too little."""
    failed = 0
    for room in rooms:
        path = scene.begin(folder)
        ended = scene.run(commands, path, room=room, with_states=True)
        if ended.code:
            failed += 1
            check_no_room(scene, commands, path, ended)
        else:
            assert state_left(path) == scene.states[-1]
        complete(scene, commands, path)
    return failed


@pytest.mark.parametrize("known", [False, True])
def test_an_import_without_room_keeps_what_it_wrote_and_goes_on_with_room(
    scenes: tuple[Scene, Scene], commands: Commands, tmp_path: Path, known: bool
) -> None:
    # The last of them is enough for what was imported, and not for the database's own file.
    assert fill_up(scenes[known], commands, tmp_path, (20_000, 150_000, 2_000_000)) == 2


@pytest.mark.slow
@pytest.mark.parametrize("known", [False, True])
def test_imports_with_very_many_amounts_of_room_all_go_on(
    scenes: tuple[Scene, Scene], commands: Commands, tmp_path: Path, known: bool
) -> None:
    random = Random(known)
    rooms = [random.randrange(MADE, 500_000) for _ in range(12 * TRIALS)]
    assert fill_up(scenes[known], commands, tmp_path, rooms) > 4 * TRIALS


@pytest.mark.parametrize("room", [MADE // 3, MADE // 2, MADE - 1])
def test_a_database_that_could_not_even_be_made_is_made_when_there_is_room(
    scenes: tuple[Scene, Scene], commands: Commands, tmp_path: Path, room: int
) -> None:
    path = scenes[0].begin(tmp_path)
    ended = scenes[0].run(commands, path, room=room)
    assert (ended.code, ended.is_one_sentence) == (3, True), ended
    complete(scenes[0], commands, path)


@contextmanager
def disk(place: Path, size: str) -> Iterator[Path]:
    """Mount a disk of this size at a place; skips the test where that is not allowed."""
    place.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", f"size={size}", "tmpfs", str(place)]
    try:
        if subprocess.run(mount, capture_output=True).returncode:
            pytest.skip("no disk can be mounted here")
    except FileNotFoundError:
        pytest.skip("there is no mount")
    try:
        yield place
    finally:
        subprocess.run(["umount", str(place)], check=True)


def remount(place: Path, option: str) -> None:
    subprocess.run(["mount", "-o", f"remount,{option}", str(place)], check=True)


def test_an_import_to_a_full_disk_goes_on_when_there_is_room(
    scenes: tuple[Scene, Scene], commands: Commands, tmp_path: Path
) -> None:
    with disk(tmp_path / "disk", "200k") as full:
        path = scenes[0].begin(full)
        ended = scenes[0].run(commands, path, with_states=True)
        check_no_room(scenes[0], commands, path, ended)
        assert "No space left on device" in ended.err
        remount(full, "size=100m")
        complete(scenes[0], commands, path)


def test_a_disk_that_cannot_be_written_is_told_and_left_as_it_is(
    scenes: tuple[Scene, Scene], commands: Commands, tmp_path: Path
) -> None:
    new, known = scenes
    with disk(tmp_path / "disk", "100m") as locked:
        path = known.begin(locked)
        content_before = path.read_bytes()
        remount(locked, "ro")
        try:
            for place in (path, locked / "new.duckdb", locked / "folder" / "new.duckdb"):
                ended = new.run(commands, place)
                assert ended.code == 3, ended
                assert ended.is_one_sentence, ended.err
                assert str(place if place.parent == locked else place.parent) in ended.err
                assert "Read-only file system" in ended.err
            shown = commands.run("stats", "overview", "--db", path)
            assert (shown.code, "hands" in shown.out) == (0, True), shown.err
        finally:
            remount(locked, "rw")
        assert [each.name for each in locked.iterdir()] == [path.name]
        assert path.read_bytes() == content_before
