"""`fastnav data check`: which files are whole, missing or edited, and what each missing one costs."""

from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from fastnav.data.sources.manifest import Group, Manifest, published
from fastnav.data.sources.procedural import is_procedural, procedural_states
from fastnav.data.sources.state import FileState, State, state_of, state_of_bundle
from fastnav.errors import MissingFile

_EDITED_COST = "an edited file gives other numbers than the published ones"
#: How many files of one group and state are named before the rest is only counted.
_NAMED = 5


@dataclass(frozen=True)
class GroupState:
    """The files of one group, and how to get what is not whole."""

    name: str
    title: str
    files: tuple[FileState, ...]
    remedy: str

    @property
    def whole(self) -> bool:
        """Whether all of its files are."""
        return all(file.state is State.WHOLE for file in self.files)

    @property
    def costs(self) -> tuple[str, ...]:
        """What the user goes without, each cost once."""
        costs = [file.cost for file in self.files if file.state in {State.MISSING, State.UNREADABLE}]
        if any(file.state is State.EDITED for file in self.files):
            costs.append(_EDITED_COST)
        return tuple(dict.fromkeys(costs))

    def count(self, state: State) -> int:
        """How many files are in that state."""
        return sum(file.state is state for file in self.files)


@dataclass(frozen=True)
class CheckReport:
    """What a data directory holds. `procedural` directories have no published digests to compare with."""

    data_dir: Path
    procedural: bool
    groups: tuple[GroupState, ...]

    @property
    def whole(self) -> bool:
        """Whether nothing is missing, edited or unreadable."""
        return all(group.whole for group in self.groups)

    def lines(self) -> list[str]:
        """The report as text: a line a group, and below it what is wrong and what to do."""
        kind = "procedural houses" if self.procedural else "published data"
        lines = [f"{self.data_dir}: {kind}"]
        for group in self.groups:
            lines += _group_lines(group)
        return lines

    def as_dict(self) -> dict[str, Any]:
        """The report for machines."""
        groups = [
            {"name": group.name, "whole": group.whole, "costs": list(group.costs), "remedy": group.remedy}
            | {"files": [asdict(file) | {"state": str(file.state)} for file in group.files]}
            for group in self.groups
        ]
        return {
            "data": str(self.data_dir),
            "procedural": self.procedural,
            "whole": self.whole,
            "groups": groups,
        }


def check(data_dir: Path, *, manifest: Manifest | None = None) -> CheckReport:
    """Compare every known file of `data_dir` with what was published."""
    if not data_dir.is_dir():
        remedy = "name a data directory, or make one with `fastnav data fetch`"
        raise MissingFile(data_dir, "no such directory", remedy)
    groups = (manifest or published()).groups
    if is_procedural(data_dir):
        remedy = "make the houses again with `fastnav data houses`"
        states = procedural_states(data_dir, groups)
        found = tuple(GroupState(g.name, "of the houses", states[g.name], remedy) for g in groups)
        return CheckReport(data_dir, True, found)
    return CheckReport(data_dir, False, tuple(_check_group(data_dir, group) for group in groups))


def published_state(data_dir: Path, path: Path) -> FileState | None:
    """The state of one file of `data_dir`; None for files that were never published."""
    known = {file.path: file for group in published().groups for file in group.files}
    file = known.get(path.relative_to(data_dir).as_posix())
    return None if file is None else state_of(data_dir, file)


def _check_group(data_dir: Path, group: Group) -> GroupState:
    files = [state_of(data_dir, file) for file in group.files]
    if group.bundle is not None:
        files.append(state_of_bundle(data_dir, group.bundle, group.cost))
    own = f"`fastnav data import` from a copy that you have ({group.homepage})"
    remedy = f"`fastnav data fetch {group.name}`, or {own}"
    return GroupState(group.name, group.title, tuple(files), remedy)


def _group_lines(group: GroupState) -> list[str]:
    counts = [f"{group.count(state)} {state}" for state in State if group.count(state)]
    lines = [f"  {group.name}: {', '.join(counts) or 'nothing expected'} ({group.title})"]
    for state in (State.MISSING, State.EDITED, State.UNREADABLE):
        files = [file for file in group.files if file.state is state]
        for file in files[:_NAMED]:
            lines.append(f"    {state}: {file.path}" + (f" ({file.detail})" if file.detail else ""))
        if len(files) > _NAMED:
            lines.append(f"    {state}: and {len(files) - _NAMED} more")
    lines += [f"    cost: {cost}" for cost in group.costs]
    if not group.whole:
        lines.append(f"    to mend: {group.remedy}")
    return lines
