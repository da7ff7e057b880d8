"""What an agent may know of a task: an instruction, and where it stands when it gets it.

The goal and the annotated path live in `fastnav.data.references`, which agents and search may not import.
"""

from dataclasses import dataclass

#: The benchmark scores the first three instructions of each path; a few paths have a fourth.
SCORED_PER_PATH = 3


@dataclass(frozen=True)
class Episode:
    """One instruction in one building."""

    instr_id: str  # "<path_id>_<k>", k counts the instructions of a path
    path_id: int
    scan: str
    start: str  # viewpoint id
    heading: float  # radians, 0 = +y, clockwise
    instruction: str

    @property
    def scored(self) -> bool:
        """Whether the benchmark counts this instruction."""
        return int(self.instr_id.rpartition("_")[2]) < SCORED_PER_PATH
