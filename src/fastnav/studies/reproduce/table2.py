"""Table 2: each kind of agent by greedy decoding and by FAST-short, and what the search gains."""

from typing import Any

import numpy as np

from fastnav.evaluation.significance import Difference
from fastnav.evaluation.wording import interval_json, shown, shown_difference, unit
from fastnav.search.named import fast_short, greedy
from fastnav.studies.reproduce import paper
from fastnav.studies.reproduce.fieldwork import Fieldwork
from fastnav.studies.reproduce.findings import Finding, Sheet
from fastnav.studies.reproduce.seeds import Summary, paired, summaries

METRICS = ("TL", "NE", "SR", "SPL")
SEARCHES = ("greedy", "fast-short")


def run(work: Fieldwork) -> Finding:
    """Walk with every agent by both searches, and compare."""
    rows: list[dict[str, Any]] = []
    lines: list[tuple[str, ...]] = []
    for kind in work.crews:
        scored = work.scores(kind, (greedy(), fast_short()))
        values = [[scores.columns(METRICS) for scores in seeds] for seeds in scored]
        cluster = scored[0][0].path
        found = [summaries(seeds, cluster) for seeds in values]
        gained = paired(values[1], values[0], cluster)
        for search, row in zip(SEARCHES, found, strict=True):
            published = paper.GREEDY_AND_FAST.get((kind, search), {})
            rows.append(_json(kind, search, row, published))
            lines += _lines(kind if search == "greedy" else f"{kind} + FAST-short", row, published)
        rows[-1]["difference"] = {
            metric: {**interval_json(gain), "p": gain.p_value}
            for metric, gain in zip(METRICS, gained, strict=True)
        }
        lines.append(_gain(gained))
    split = work.ground.split.name
    title = (
        f"Table 2 on {split}: mean, ± spread over seeds, 95 % interval by path; the paper's on {paper.PLACE}"
    )
    sheet = Sheet(title, ("", *map(unit, METRICS)), tuple(lines))
    return Finding("table2", {**work.describe(), "rows": rows}, (sheet,))


def _json(kind: str, search: str, row: list[Summary], published: paper.Figures) -> dict[str, Any]:
    ours = {metric: summary.to_json() for metric, summary in zip(METRICS, row, strict=True)}
    return {"agent": kind, "strategy": search, **ours, "paper": dict(published)}


def _lines(name: str, row: list[Summary], published: paper.Figures) -> list[tuple[str, ...]]:
    """Our line, and the paper's below it where there is one."""
    ours = (name, *(summary.shown(metric) for metric, summary in zip(METRICS, row, strict=True)))
    if not published:
        return [ours]
    theirs = (shown(metric, published.get(metric, np.nan)) for metric in METRICS)
    return [ours, ("  the paper", *theirs)]


def _gain(gained: list[Difference]) -> tuple[str, ...]:
    return ("  difference", *(shown_difference(m, gain) for m, gain in zip(METRICS, gained, strict=True)))
