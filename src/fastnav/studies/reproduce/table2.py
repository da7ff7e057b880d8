"""Table 2: each kind of agent by greedy decoding, by FAST-short, and by what we learnt to do better."""

from typing import Any

import numpy as np

from fastnav.evaluation.significance import Difference
from fastnav.evaluation.wording import interval_json, shown, shown_difference, unit
from fastnav.search.named import fast_short, fast_thrifty, greedy
from fastnav.studies.reproduce import paper
from fastnav.studies.reproduce.fieldwork import Fieldwork
from fastnav.studies.reproduce.findings import Finding, Sheet
from fastnav.studies.reproduce.seeds import Summary, paired, summaries
from fastnav.training.scorefile import SHIPPED, load_score

METRICS = ("TL", "NE", "SR", "SPL")
#: Each search by what its rows are called; ours is the thrifty one with the learned score.
SEARCHES = {"greedy": "{}", "fast-short": "{} + FAST-short", "fast-thrifty": "{} + FAST-thrifty, learned"}


def run(work: Fieldwork) -> Finding:
    """Walk with every agent by both searches, and compare."""
    rows: list[dict[str, Any]] = []
    lines: list[tuple[str, ...]] = []
    for kind in work.crews:
        scored = work.scores(kind, (greedy(), fast_short(), fast_thrifty(load_score(SHIPPED))))
        values = [[scores.columns(METRICS) for scores in seeds] for seeds in scored]
        cluster = scored[0][0].path
        found = [summaries(seeds, cluster) for seeds in values]
        for number, (search, name) in enumerate(SEARCHES.items()):
            published = paper.GREEDY_AND_FAST.get((kind, search), {})
            rows.append(_json(kind, search, found[number], published))
            lines += _lines(name.format(kind), found[number], published)
            if number:
                gained = paired(values[number], values[0], cluster)
                rows[-1]["difference"] = _differences(gained)
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


def _differences(gained: list[Difference]) -> dict[str, Any]:
    """What a search gains over greedy decoding."""
    return {
        metric: {**interval_json(gain), "p": gain.p_value}
        for metric, gain in zip(METRICS, gained, strict=True)
    }


def _lines(name: str, row: list[Summary], published: paper.Figures) -> list[tuple[str, ...]]:
    """Our line, and the paper's below it where there is one."""
    ours = (name, *(summary.shown(metric) for metric, summary in zip(METRICS, row, strict=True)))
    if not published:
        return [ours]
    theirs = (shown(metric, published.get(metric, np.nan)) for metric in METRICS)
    return [ours, ("  the paper", *theirs)]


def _gain(gained: list[Difference]) -> tuple[str, ...]:
    return (
        "  gained over greedy",
        *(shown_difference(m, gain) for m, gain in zip(METRICS, gained, strict=True)),
    )
