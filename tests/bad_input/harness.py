"""One case after another on one tree."""

import random
from dataclasses import dataclass
from pathlib import Path

from tests.bad_input.base import Tree
from tests.bad_input.cases import FILES, Case, Subject, in_force, make_case
from tests.bad_input.running import Ran, execute, surroundings
from tests.bad_input.verdict import Verdict, judge

#: After so many cases what the cache gathered is cleared.
CACHE_PERIOD = 200


@dataclass(frozen=True)
class Judged:
    """A case, what it printed, and the verdict."""

    number: int
    case: Case
    ran: Ran
    verdict: Verdict


class Harness:
    """A valid tree in `folder`; every command of the subject is first shown to work on it."""

    def __init__(self, folder: Path, seed: int, subject: Subject = FILES) -> None:
        folder.chmod(0o755)
        self._seed, self._subject = seed, subject
        root = folder / "tree"
        root.mkdir()
        self._tree = Tree(root, subject.add)
        with surroundings(root):
            self._prove()

    def judge(self, number: int) -> Judged:
        """Run one case and put the tree right again."""
        if number % CACHE_PERIOD == 0:
            self._tree.clear_cache()
        with surroundings(self._tree.root):
            case = make_case(self._tree, self._subject, self._seed, number)
            before = self._tree.look()
            with in_force(case):
                ran = execute(case.argv, case.streams)
            after = self._tree.look()
            verdict = judge(ran, before, after, self._tree.leftovers(), case.expected)
        self._tree.restore()
        return Judged(number, case, ran, verdict)

    def _prove(self) -> None:
        """Valid commands must succeed, or else refusals would prove nothing."""
        rng = random.Random(0)
        for make in dict.fromkeys((*self._subject.commands.reading, *self._subject.commands.writing)):
            for _ in range(5):
                command = make(rng)
                ran = execute([word.replace("{root}", str(self._tree.root)) for word in command.argv])
                if command.works != (ran.code == 0):
                    raise AssertionError(f"{command.argv}: exit code {ran.code}\n{ran.escaped}{ran.err}")
                self._tree.restore()
