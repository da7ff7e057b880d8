"""How figures are written, for people and for machines."""

import math

from fastnav.evaluation.significance import Difference, Interval

#: Metrics that are rates: fractions in JSON, percent in tables, as the field prints them.
RATES = ("SR", "OSR", "SPL", "nDTW", "SDTW", "CLS")


def shown(metric: str, value: float, *, signed: bool = False) -> str:
    """A figure as tables print it: metres with two decimals, rates in percent with one."""
    if math.isnan(value):
        return "-"
    scale, digits = (100, 1) if metric in RATES else (1, 2)
    text = f"{value * scale:{'+' if signed else ''}.{digits}f}"
    return text.replace("-0.0", "0.0") if float(text) == 0 and not signed else text


def shown_interval(metric: str, low: float, high: float) -> str:
    """An interval as tables print it; a dash where there are too few clusters to tell."""
    if math.isnan(low):
        return "-"
    return f"[{shown(metric, low)}, {shown(metric, high)}]"


def interval_json(interval: Interval | Difference) -> dict[str, float | None]:
    """An interval as JSON; a limit that cannot be told is null."""
    limits = {"mean": interval.mean, "low": interval.low, "high": interval.high}
    return {name: None if math.isnan(value) else value for name, value in limits.items()}


def unit(metric: str) -> str:
    """A metric with its unit."""
    return f"{metric} %" if metric in RATES else f"{metric} m"


def shown_mean(metric: str, interval: Interval) -> str:
    """A mean with its interval."""
    return f"{shown(metric, interval.mean)} {shown_interval(metric, interval.low, interval.high)}"


def shown_difference(metric: str, difference: Difference) -> str:
    """A difference with its interval and p-value."""
    mean = shown(metric, difference.mean, signed=True)
    return f"{mean} {shown_interval(metric, difference.low, difference.high)} {_p(difference.p_value)}"


def _p(p_value: float) -> str:
    return "p<0.001" if p_value < 0.001 else f"p={p_value:.3f}"
