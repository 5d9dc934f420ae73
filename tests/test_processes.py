"""Processes that work for another one."""

import os
import subprocess
import sys
import time
from pathlib import Path

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
