"""Which feature tables an agent can see through: those in whose spaces it learnt what sentences mean."""

from pathlib import Path

from fastnav.agents.checkpoint import Checkpoint, load_checkpoint
from fastnav.agents.shipped import called
from fastnav.data.features import Space, open_table, spaces_of
from fastnav.errors import DataError, MissingFile, UsageError
from fastnav.training.rundir import best_checkpoint


def space_known_to(run: Path, table: str) -> Space:
    """The space of a feature table that a trained agent knows."""
    path = best_checkpoint(run)
    spaces = load_checkpoint(path).spaces
    if table not in spaces:
        known = ", ".join(spaces) or "none"
        raise UsageError(
            f"{called(path)}: knows no space of the table {table!r} (it knows: {known}); name another"
        )
    return spaces[table]


def refuse_strange_tables(checkpoint: Checkpoint, data: Path, name: str) -> None:
    """Refuse tables that are not there, or in which sentences have other places; `name` is the agent's."""
    for table, space in checkpoint.spaces.items():
        remedy = f"run `fastnav features build {table} --like {name} --data {data}`"
        try:
            found = open_table(data, table)
        except MissingFile as missing:
            raise MissingFile(missing.path, f"the features {table!r} are not built", remedy) from None
        own = spaces_of([found]).get(table)
        if own is None or not own.is_same_as(space):
            raise DataError(
                f"{found.folder}: sentences have other places there than those that {name} learnt, so that "
                f"it would understand nothing; {remedy}"
            )
