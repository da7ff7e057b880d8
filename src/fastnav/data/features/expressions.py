"""What features may be called: tables joined by +, none, or shuffled: before them."""

from fastnav.data.features.workshop import refuse_name
from fastnav.errors import UsageError

NONE = "none"
SHUFFLED = "shuffled:"


def tables_of(expression: str) -> list[str]:
    """The names of the tables in an expression, in its order; an error if it can mean none."""
    names = expression.removeprefix(SHUFFLED).split("+")
    if names == [NONE]:
        return []
    if any(not name or name == NONE or SHUFFLED in name for name in names):
        raise UsageError(
            f"features {expression!r} are none that can be meant; say none, or tables joined by +, such as "
            "captions+objects, all of them after shuffled: for the control"
        )
    if len(set(names)) < len(names):
        raise UsageError(f"features {expression!r} name a table twice; name each once")
    for name in names:
        refuse_name(name)
    return names
