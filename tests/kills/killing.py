"""One work: how long it takes, and what is left of it when it was killed at some moment and goes on."""

import shutil
import subprocess
import sys
import time
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from tests.data.features.samples import everything
from tests.kills.work import WORKS, prepare

#: A work that takes longer hangs.
_PATIENCE = 120


@dataclass(frozen=True)
class Told:
    """What came of one moment."""

    moment: float  # seconds after the work began
    killed: bool  # False: it had ended before
    left: int  # files that the killed work left behind
    faults: tuple[str, ...]  # files that are not in the end as in an undisturbed work


class Victim:
    """A work in a folder of its own, which is first done undisturbed."""

    def __init__(self, name: str, folder: Path) -> None:
        self.name = name
        self._folder = folder
        self._results = folder / WORKS[name][0]
        prepare(folder)
        with self._begun() as process:
            begun = time.perf_counter()
            self._end(process)
            self.seconds = time.perf_counter() - begun
        self.wanted = everything(self._results)
        if not self.wanted:
            raise AssertionError(f"{name}: left nothing behind")

    def kill(self, moment: float) -> Told:
        """Begin anew, kill at a moment, go on, and compare."""
        shutil.rmtree(self._results)
        with self._begun() as process:
            begun = time.perf_counter()
            with suppress(subprocess.TimeoutExpired):
                process.wait(moment)
                self.seconds = min(self.seconds, time.perf_counter() - begun)  # faster than it was before
            killed = process.poll() is None
            process.kill()
        left = len(everything(self._results))
        with self._begun() as process:
            self._end(process)
        found = everything(self._results)
        names = sorted(self.wanted.keys() | found.keys())
        faults = tuple(name for name in names if self.wanted.get(name) != found.get(name))
        return Told(moment, killed, left, faults)

    def _begun(self) -> "subprocess.Popen[bytes]":
        """A process that has just begun to work."""
        command = [sys.executable, "-m", "tests.kills.work", self.name]
        process = subprocess.Popen(command, cwd=self._folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        if process.stdout is None or process.stdout.readline() != b"ready\n":
            raise AssertionError(f"{self.name}: did not begin: {process.communicate()[1]!r}")
        return process

    def _end(self, process: "subprocess.Popen[bytes]") -> None:
        errors = process.communicate(timeout=_PATIENCE)[1]
        if process.returncode:
            raise AssertionError(f"{self.name}: exit code {process.returncode}: {errors.decode()}")
