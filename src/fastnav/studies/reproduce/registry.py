"""Which tables and figures can be made: each by a module with a function `run`, loaded when asked for."""

import importlib
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from fastnav.studies.reproduce.fieldwork import Fieldwork
    from fastnav.studies.reproduce.findings import Finding


@dataclass(frozen=True)
class Study:
    """A table or figure of the paper."""

    name: str
    about: str  # what it shows, for people who choose
    module: str
    draws: bool  # whether it makes plots

    def run(self, work: "Fieldwork") -> "Finding":
        """Walk what has not been walked yet, and find out."""
        finding: Finding = importlib.import_module(self.module).run(work)
        return finding


STUDIES = (
    Study(
        name="table2",
        about="""Greedy decoding beside FAST-short: Table 2 of the paper.

        Means over the seeds of each kind of agent, their spread, 95 % intervals by path, and the paired
        difference of the two searches, beside the paper's figures.""",
        module="fastnav.studies.reproduce.table2",
        draws=False,
    ),
    Study(
        name="table3",
        about="""FAST-short by each local score: Table 3 of the paper.

        Sums and means of logits and log-probabilities, as they are, times and over the estimate of progress,
        beside the paper's figures.""",
        module="fastnav.studies.reproduce.table3",
        draws=False,
    ),
    Study(
        name="figure-recovery",
        about="""Who recovers from a mistake: success by the step at which the greedy walk leaves the path.

        Until that first mistake FAST-short does what the agent does greedily, so both are compared on the
        same episodes. Annotated paths are looked at for scoring alone.""",
        module="fastnav.studies.reproduce.recovery",
        draws=True,
    ),
    Study(
        name="figure-budget",
        about="""What more looking around buys: success by the number of expansions, and by metres walked.

        One FAST-long search of 40 expansions holds those of all smaller budgets. For each: whether the goal
        was seen at all, and success where each single signal chooses the goal.""",
        module="fastnav.studies.reproduce.budget",
        draws=True,
    ),
)
