"""Kills of what else writes a database: `watch`, `rebuild` and `restore`."""

import shutil
import signal
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import pytest
from cli import half_a_hand, hand, write, wrong_hand
from crashes import TRIALS, Commands, broken_invariants, content

from razzstats.simulate import Setup, render_hands, simulate_hands
from razzstats.storage import Database
from razzstats.storage.checkup import disagreements
from razzstats.storage.opening import log_of

BATCH = 10
Content = dict[str, list[tuple[Any, ...]]]


@pytest.fixture(scope="module")
def commands() -> Iterator[Commands]:
    with Commands() as running:
        yield running


class Scene(NamedTuple):
    """Hand histories, and the database that comes of them."""

    histories: Path
    db: Path
    expected: Content


@pytest.fixture(scope="module")
def scene(commands: Commands, tmp_path_factory: pytest.TempPathFactory) -> Scene:
    folder = tmp_path_factory.mktemp("scene")
    histories, db = folder / "histories", folder / "razz.duckdb"
    histories.mkdir()
    for number in range(1, 4):
        setup = Setup(table=f"Halley {number}", first_number=number * 1_000_000)
        hands = render_hands(simulate_hands(20, 3, number, setup=setup))
        write(histories, **{f"t{number}": "".join(hands)})
    write(histories, w=hand(1) + wrong_hand(2) + hand(3) + half_a_hand(4))
    assert commands.run("import", histories, "--db", db, batch=BATCH).code == 0
    return Scene(histories, db, look(db))


def look(db: Path) -> Content:
    """Return what is in a database, which must be whole."""
    with Database.open(db) as database:
        assert broken_invariants(database) == {}
        assert disagreements(database) == []
        return content(database)


def duration(commands: Commands, *arguments: str | Path) -> float:
    whole = commands.run(*arguments, batch=BATCH)
    assert whole.code == 0, whole.err
    return whole.seconds


def moments(seconds: float, trials: int) -> Iterator[float]:
    random = Random(trials)
    return (random.uniform(0, seconds) for _ in range(trials))


many = pytest.mark.parametrize("trials", [2, pytest.param(20 * TRIALS, marks=pytest.mark.slow)])


@many
@pytest.mark.parametrize("kind", ["--all", "--anew"])
def test_a_killed_rebuild_leaves_the_old_or_the_new(
    kind: str, trials: int, scene: Scene, commands: Commands, tmp_path: Path
) -> None:
    db = tmp_path / "razz.duckdb"
    command = ("rebuild", kind, "--db", db)
    shutil.copy(scene.db, db)
    seconds, killed = duration(commands, *command), 0
    for moment in moments(seconds, trials):
        clear(db)
        shutil.copy(scene.db, db)
        ended = commands.run(*command, batch=BATCH, kill_after=moment)
        killed += ended.signal == signal.SIGKILL
        assert same(look(db), scene.expected)
        again = commands.run(*command, batch=BATCH)
        assert again.code == 0, again.err
        assert look(db) == scene.expected
        assert not [*tmp_path.glob(".razz*")]
    assert killed or trials < 5


def same(found: Content, expected: Content) -> bool:
    """Whether all hands are there, some of which may not be measured anew yet."""
    kept = ("hands", "hand_players", "actions", "hand_texts", "rejected", "files")
    return all(found[table] == expected[table] for table in kept)


@many
def test_a_killed_watch_loses_nothing(
    trials: int, scene: Scene, commands: Commands, tmp_path: Path
) -> None:
    db = tmp_path / "razz.duckdb"
    for moment in moments(2.0, trials):
        clear(db)
        watch = ("watch", scene.histories, "--db", db, "--every", "0.1")
        ended = commands.run(*watch, batch=BATCH, kill_after=moment)
        assert ended.signal == signal.SIGKILL, ended
        told = sum(int(line.split()[1]) for line in ended.out.splitlines())
        if db.exists():
            assert len(look(db)["hands"]) >= told
        else:
            assert told == 0
        again = commands.run("import", scene.histories, "--db", db, batch=BATCH)
        assert again.code == 0, again.err
        assert look(db) == scene.expected


@many
def test_a_killed_restore_leaves_the_old_or_the_new(
    trials: int, scene: Scene, commands: Commands, tmp_path: Path
) -> None:
    db, backup = tmp_path / "razz.duckdb", tmp_path / "backup.duckdb"
    assert commands.run("backup", backup, "--db", scene.db).code == 0
    write(tmp_path, later=hand(77))
    later = tmp_path / "later.duckdb"
    shutil.copy(scene.db, later)
    commands.run("import", tmp_path / "later.txt", "--db", later)
    command = ("restore", backup, "--db", db)
    shutil.copy(later, db)
    seconds, newer = duration(commands, *command), look(later)
    for moment in moments(seconds, trials):
        clear(db)
        shutil.copy(later, db)
        commands.run(*command, kill_after=moment)
        assert look(db) in (newer, scene.expected)
        assert commands.run(*command).code == 0
        assert look(db) == scene.expected


def clear(db: Path) -> None:
    """Remove a database and what was kept beside it."""
    for path in (db, log_of(db), *db.parent.glob(f"{db.name}.*"), *db.parent.glob(f".{db.name}*")):
        path.unlink(missing_ok=True)
