"""Processes that work for another one."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from cli import COMMAND, environment, razzstats

from razzstats.simulate import Setup, render_hands, simulate_hands

PATIENCE = 60.0  # seconds

PARENT = """
import os, time
from razzstats.processes import processes
if __name__ == "__main__":
    with processes(1) as pool:
        print(pool.submit(os.getpid).result(), flush=True)
        time.sleep(600)
"""


def is_alive(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    # Who has ended and is not asked about yet is still listed on some systems.
    status = Path(f"/proc/{process}/stat")
    return not status.exists() or ") Z " not in status.read_text()


def test_they_end_when_the_one_they_work_for_is_killed(tmp_path: Path) -> None:
    script = tmp_path / "parent.py"
    script.write_text(PARENT)
    with subprocess.Popen([sys.executable, script], stdout=subprocess.PIPE, text=True) as parent:
        assert parent.stdout
        worker = int(parent.stdout.readline())
        assert is_alive(worker)
        parent.kill()
    end = time.monotonic() + PATIENCE
    while is_alive(worker):
        assert time.monotonic() < end
        time.sleep(0.05)


FILES, HANDS = 6, 400


@pytest.fixture(scope="module")
def histories(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("histories")
    hands = simulate_hands(HANDS, 6, 1, setup=Setup(first_number=1_000_000))
    text = "".join(render_hands(hands))
    for number in range(FILES):  # hands of other numbers, each file of some
        (folder / f"{number}.txt").write_text(text.replace("Hand #", f"Hand #{number + 1}"))
    return folder


@pytest.mark.skipif(not hasattr(os, "killpg"), reason="a terminal's Ctrl-C by a group's signal")
@pytest.mark.parametrize(
    "command",
    [("import", "--db", "x.duckdb"), ("lake", "import", "--lake", "lake")],
    ids=["import", "lake-import"],
)
def test_a_terminals_ctrl_c_ends_them_in_one_sentence(
    command: tuple[str, ...], histories: Path, tmp_path: Path
) -> None:
    """It goes to all of a command's processes, whatever they are about."""
    codes = set()
    for seconds in (0.7, 1.4, 2.1, 3.5):
        process = subprocess.Popen(
            [COMMAND, *command, histories, "--jobs", "2"],
            cwd=tmp_path,
            env=environment(),
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
        )
        with process:
            time.sleep(seconds)
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGINT)
            _, err = process.communicate(timeout=PATIENCE)
        codes.add(process.returncode)
        if process.returncode:
            assert (process.returncode, err) == (
                130,
                "razzstats: interrupted; what was stored so far is whole\n",
            )
    assert 130 in codes
    place = tmp_path / command[-1]
    assert razzstats(*command[:-1], place, histories, "--jobs", "2").code == 0
    assert razzstats("doctor", "--db", place).code == 0
    (count,) = razzstats("sql", "SELECT count(*) FROM hands", "--db", place,
                         "--format", "csv").out.split()[1:]  # fmt: skip
    assert int(count) == FILES * HANDS
