"""Settings as frozen dataclasses of plain numbers: an unknown name or a wrong kind is an error."""

import math
from collections.abc import Mapping
from dataclasses import MISSING, fields
from typing import Any, TypeVar

from fastnav.data.checking import kind_of
from fastnav.errors import UnknownName, UsageError

SettingsT = TypeVar("SettingsT")


def settings_of(kind: type[SettingsT], values: Mapping[str, Any]) -> SettingsT:
    """The dataclass `kind`, whose fields are whole or real numbers, from a JSON object's fields."""
    known = {field.name: field for field in fields(kind)}  # type: ignore[arg-type]
    for name in values:
        if name not in known:
            raise UnknownName("setting", name, known)
    missing = [name for name, field in known.items() if name not in values and field.default is MISSING]
    if missing:
        raise UsageError(f"setting {missing[0]!r} is missing; give it a value")
    return kind(**{name: _number(name, value, known[name].type) for name, value in values.items()})


def _number(name: str, value: Any, expected: Any) -> int | float:
    whole = isinstance(value, int) and not isinstance(value, bool)
    if expected is int and whole:
        return int(value)
    if expected is float and (whole or isinstance(value, float)) and math.isfinite(value):
        return float(value)
    wanted = "a whole number" if expected is int else "a number"
    raise UsageError(f"setting {name!r}: expected {wanted}, found {kind_of(value)}")
