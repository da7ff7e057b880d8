"""Typed access to records read from JSON: a wrong field is one `MalformedFile` that names it."""

import math
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from fastnav.errors import MalformedFile

#: Larger than any building, any count and any identifier of the formats read here.
LARGEST_NUMBER = 1e12


@dataclass(frozen=True)
class Record:
    """One JSON object of a file, with the words to say where it stands ("record 17 (path_id 4332)")."""

    path: Path
    where: str
    fields: dict[str, Any]

    @classmethod
    def of(cls, value: Any, path: Path, where: str) -> "Record":
        """`value` as a record, or an error if it is no JSON object."""
        if not isinstance(value, dict):
            raise MalformedFile(path, f"expected an object, found {kind_of(value)}", where=where)
        return cls(path, where, value)

    def named(self, where: str) -> "Record":
        """The same record under a better name, once an identifying field has been read."""
        return Record(self.path, where, self.fields)

    def text(self, field: str) -> str:
        """A non-empty string."""
        value = self._get(field)
        if not isinstance(value, str) or not value:
            raise self.error(field, f"expected non-empty text, found {kind_of(value)}")
        return value

    def number(self, field: str) -> float:
        """A finite number of sane size."""
        return self._number(field, self._get(field))

    def integer(self, field: str) -> int:
        """A whole number of sane size."""
        value = self._get(field)
        if isinstance(value, bool) or not isinstance(value, int):
            raise self.error(field, f"expected a whole number, found {kind_of(value)}")
        return int(self._number(field, value))

    def flag(self, field: str) -> bool:
        """True or false."""
        value = self._get(field)
        if not isinstance(value, bool):
            raise self.error(field, f"expected true or false, found {kind_of(value)}")
        return value

    def items(self, field: str, *, length: int | None = None) -> list[Any]:
        """A list, of just `length` entries if given."""
        value = self._get(field)
        if not isinstance(value, list):
            raise self.error(field, f"expected a list, found {kind_of(value)}")
        if length is not None and len(value) != length:
            raise self.error(field, f"expected {length} entries, found {len(value)}")
        return value

    def texts(self, field: str, *, length: int | None = None) -> tuple[str, ...]:
        """A list of non-empty strings."""
        values = self.items(field, length=length)
        for k, value in enumerate(values):
            if not isinstance(value, str) or not value:
                raise self.error(f"{field}[{k}]", f"expected non-empty text, found {kind_of(value)}")
        return tuple(values)

    def numbers(self, field: str, *, length: int | None = None) -> tuple[float, ...]:
        """A list of finite numbers."""
        values = self.items(field, length=length)
        return tuple(self._number(f"{field}[{k}]", value) for k, value in enumerate(values))

    def flags(self, field: str, *, length: int | None = None) -> tuple[bool, ...]:
        """A list of true and false."""
        values = self.items(field, length=length)
        for k, value in enumerate(values):
            if not isinstance(value, bool):
                raise self.error(f"{field}[{k}]", f"expected true or false, found {kind_of(value)}")
        return tuple(values)

    def error(self, field: str, problem: str) -> MalformedFile:
        """The error that blames `field`; raise it."""
        return MalformedFile(self.path, f"field {field!r}: {problem}", where=self.where)

    def _get(self, field: str) -> Any:
        if field not in self.fields:
            raise MalformedFile(self.path, f"field {field!r} is missing", where=self.where)
        return self.fields[field]

    def _number(self, field: str, value: Any) -> float:
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise self.error(field, f"expected a number, found {kind_of(value)}")
        # Compare before converting: a huge JSON integer does not fit a float.
        if not -LARGEST_NUMBER <= value <= LARGEST_NUMBER or not math.isfinite(value):
            raise self.error(field, "the number is not finite or absurdly large")
        return float(value)


def as_list(value: Any, path: Path) -> list[Any]:
    """The list a file must hold at its top level."""
    if not isinstance(value, list):
        raise MalformedFile(path, f"expected a list at the top level, found {kind_of(value)}")
    return value


def are_texts(value: Any) -> bool:
    """Whether a JSON value is a list of texts."""
    return isinstance(value, list) and all(isinstance(each, str) for each in value)


def kind_of(value: Any) -> str:
    """What a JSON value is, in a user's words and short."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return f"text {value[:40]!r}" if value else "empty text"
    if isinstance(value, int | float):
        return f"the number {str(value)[:30]}"
    return "a list" if isinstance(value, list) else "an object"
