"""Imports into a lake by a cluster whose workers, and whose master, are killed at random."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from random import Random

import pytest
from cli import environment, razzstats, write
from crashes import TRIALS
from lake_scenes import Tables, in_a_database, in_the_lake, messy_files

from razzstats.simulate import Setup, render_hands, simulate_hands

linux = pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="reads /proc")

UNIT = 60_000  # bytes; some forty hands
PROGRAM = f"""
import sys
from razzstats.lake.cluster import local_cluster
from razzstats.lake.importing import import_to_lake
from razzstats.storage.lake.files import files_at

if __name__ == "__main__":
    lake, *paths = sys.argv[1:]
    with local_cluster(2) as cluster:
        print("ready", flush=True)
        reports = import_to_lake(
            paths, files_at(lake), cluster.workers, ahead=cluster.ahead, unit_bytes={UNIT}
        )
    print(sum(report.failed for report in reports), flush=True)
"""


class Importing:
    """An import in a process of its own, with two workers."""

    def __init__(self, folder: Path, lake: Path) -> None:
        program = folder / "program.py"
        program.write_text(PROGRAM)
        self._process = subprocess.Popen(
            [sys.executable, str(program), str(lake), str(folder / "histories")],
            env=environment(),
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        assert self._process.stdout
        assert self._process.stdout.readline() == "ready\n"

    @property
    def is_running(self) -> bool:
        return self._process.poll() is None

    def workers(self) -> list[int]:
        """Return the processes of the workers."""
        threads = Path(f"/proc/{self._process.pid}/task")
        try:
            children = " ".join(file.read_text() for file in threads.glob("*/children")).split()
            return [
                int(child)
                for child in children
                if b"multiprocessing.spawn" in Path(f"/proc/{child}/cmdline").read_bytes()
            ]
        except OSError:  # it has ended meanwhile
            return []

    def kill_a_worker(self, random: Random) -> int:
        """Kill a worker, if there is one just now; return how many were killed."""
        found = self.workers()
        if not found:
            return 0
        try:
            os.kill(random.choice(found), signal.SIGKILL)
        except ProcessLookupError:
            return 0
        return 1

    def kill(self) -> None:
        """Kill the master; its workers end with it."""
        workers = self.workers()
        assert len(workers) == 2
        self._process.kill()
        self._process.communicate()
        until = time.monotonic() + 20
        while any(Path(f"/proc/{worker}").exists() for worker in workers):
            assert time.monotonic() < until, "workers stay when their master is gone"
            time.sleep(0.05)

    def end(self) -> int:
        """Wait for the end; return how many files failed."""
        out, err = self._process.communicate(timeout=120)
        assert self._process.returncode == 0, err
        assert "Traceback" not in err
        return int(out)


class Scene:
    """Hand histories, and what a database makes of them."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        histories = folder / "histories"
        histories.mkdir()
        for number in range(1, 5):
            setup = Setup(table=f"Halley {number}", first_number=number * 1_000_000_000)
            hands = render_hands(simulate_hands(90, 6, number, setup=setup))
            write(histories, **{f"t{number}": "".join(hands)})
        messy_files(histories)
        self.expected: Tables = in_a_database(histories)
        self.failed = 2
        """Files without any hand."""


@pytest.fixture(scope="module")
def scene(tmp_path_factory: pytest.TempPathFactory) -> Scene:
    return Scene(tmp_path_factory.mktemp("scene"))


def import_with_kills(scene: Scene, lake: Path, random: Random) -> int:
    """Import while workers are killed at random moments; return how many were."""
    importing = Importing(scene.folder, lake)
    killed = 0
    while importing.is_running:
        time.sleep(random.uniform(0.3, 2.5))
        killed += importing.kill_a_worker(random)
    if importing.end() > scene.failed:  # one unit had four workers die on it
        assert Importing(scene.folder, lake).end() == scene.failed
    return killed


@linux
@pytest.mark.parametrize("kills", [1, pytest.param(20 * TRIALS, marks=pytest.mark.slow)])
def test_killed_workers_change_nothing(scene: Scene, tmp_path: Path, kills: int) -> None:
    # An import is over before many are killed, how many depends on the machine.
    killed = trials = 0
    while killed < kills:
        lake = tmp_path / str(trials)
        killed += import_with_kills(scene, lake, Random(trials))
        trials += 1
        assert in_the_lake(lake) == scene.expected
        assert killed or trials < 5, "imports end before any worker is killed"
    print(f"{trials} imports, {killed} workers killed")


@linux
@pytest.mark.parametrize("trials", [1, pytest.param(3 * TRIALS, marks=pytest.mark.slow)])
def test_a_killed_master_leaves_what_the_next_one_completes(
    scene: Scene, tmp_path: Path, trials: int
) -> None:
    lake = tmp_path / "lake"
    for trial in range(trials):
        random = Random(trial)
        lake = tmp_path / str(trial)
        importing = Importing(scene.folder, lake)
        time.sleep(random.uniform(0.0, 4.0))
        importing.kill()
        assert Importing(scene.folder, lake).end() == scene.failed
        assert in_the_lake(lake) == scene.expected


@linux
def test_two_commands_at_once_store_each_hand_once(scene: Scene, tmp_path: Path) -> None:
    both = [Importing(scene.folder, tmp_path / "lake") for _ in range(2)]
    assert [each.end() for each in both] == [scene.failed] * 2
    assert in_the_lake(tmp_path / "lake") == scene.expected


# ---- a cluster that is running


@pytest.mark.slow
def test_a_scheduler_that_is_not_there_is_told(tmp_path: Path) -> None:
    write(tmp_path, a="no hand")
    run = razzstats(
        "lake", "import", tmp_path, "--lake", tmp_path / "lake", "--scheduler", "tcp://127.0.0.1:9"
    )
    assert run.code == 3
    assert "the scheduler tcp://127.0.0.1:9 does not answer" in run.err
    assert "Traceback" not in run.err
