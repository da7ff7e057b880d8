"""Ctrl-C while several processes build: one ends, all end, and nobody prints a traceback."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

SCRIPT = """
import sys
from pathlib import Path
from fastnav.data.houses import HousesConfig, build_houses
try:
    print("ready", flush=True)
    build_houses(Path(sys.argv[1]), HousesConfig.full(), workers=2,
                 on_house=lambda done, total: print("house", flush=True))
except KeyboardInterrupt:
    print("interrupted", flush=True)
"""
#: The script, the keeper of shared resources and two workers.
ALL = 4
PATIENCE = 20.0


def members(group: int) -> list[int]:
    """The processes of a group that still run."""
    found = []
    for status in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = status.read_text().rpartition(")")[2].split()
        except OSError:
            continue  # it ended while we looked
        if int(fields[2]) == group and fields[0] != "Z":
            found.append(int(status.parent.name))
    return found


def wait_until(group: int, count: int) -> None:
    """Until so many processes of the group run."""
    end = time.monotonic() + PATIENCE
    while len(members(group)) != count:
        assert time.monotonic() < end, f"{len(members(group))} processes, not {count}"
        time.sleep(0.005)


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="counts processes in /proc")
@pytest.mark.parametrize("delay", [0.0, 0.15, None], ids=["at start", "importing", "building"])
def test_ctrl_c_ends_all_processes_without_a_traceback(delay: float | None, tmp_path: Path) -> None:
    command = [sys.executable, "-c", SCRIPT, str(tmp_path / "new")]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
        if delay is None:
            assert process.stdout.readline() == "house\n"
        else:
            wait_until(process.pid, ALL)
            time.sleep(delay)
        os.killpg(process.pid, signal.SIGINT)
        sent = time.monotonic()
        out, err = process.communicate(timeout=PATIENCE)
        assert time.monotonic() - sent < 5.0
        assert out.endswith("interrupted\n") and err == ""
        wait_until(process.pid, 0)
    assert list(tmp_path.iterdir()) == []
