"""What every benchmark prints: a speed, the plain way's beside it, and how many times faster that is."""

from dataclasses import asdict, dataclass
from typing import Any, Literal

#: Units of speeds, the largest first.
_SCALES = ((1e6, " M/s"), (1e3, " k/s"), (1.0, "/s"))


@dataclass(frozen=True)
class BenchRow:
    """One figure, and that of the plain way beside it where there is one."""

    name: str
    fast: float
    plain: float | None
    unit: Literal["per second", "seconds", "bytes"]

    @property
    def speedup(self) -> float | None:
        """How many times better than the plain way."""
        if self.plain is None:
            return None
        return self.fast / self.plain if self.unit == "per second" else self.plain / self.fast

    @property
    def measured(self) -> str:
        """The figure, for people."""
        return self._words(self.fast)

    @property
    def baseline(self) -> str:
        """The plain way's figure, for people."""
        return "" if self.plain is None else self._words(self.plain)

    @property
    def ratio(self) -> str:
        """The speed-up, for people."""
        return "" if self.speedup is None else f"{self.speedup:.1f} x"

    def to_json(self) -> dict[str, Any]:
        """The row for machines."""
        return {**asdict(self), "speedup": self.speedup}

    def _words(self, value: float) -> str:
        if self.unit == "per second":
            scale, unit = next((pair for pair in _SCALES if value >= pair[0]), _SCALES[-1])
            return f"{value / scale:.2f}{unit}"
        return f"{value:.3f} s" if self.unit == "seconds" else f"{value:,.1f} bytes"
