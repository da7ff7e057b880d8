"""Table 3: FAST-short by each local score that search knows, and by the learned one."""

from typing import Any

import numpy as np

from fastnav.evaluation.wording import shown, unit
from fastnav.search.learned import LearnedScore
from fastnav.search.named import fast_short
from fastnav.search.scoring import LOCAL_SCORES, LocalScore
from fastnav.studies.reproduce import paper
from fastnav.studies.reproduce.fieldwork import Fieldwork
from fastnav.studies.reproduce.findings import Finding, Sheet
from fastnav.studies.reproduce.seeds import Summary, summaries
from fastnav.training.scorefile import SHIPPED, load_score

METRICS = ("SR", "SPL", "TL")


def run(work: Fieldwork) -> Finding:
    """Walk with every agent by every score; those with progress only where the agent estimates it."""
    rows: list[dict[str, Any]] = []
    sheets = []
    for kind in work.crews:
        scores = _scores_for(work, kind)
        made = work.scores(kind, [fast_short(score) for score in scores])
        lines = []
        for score, seeds in zip(scores, made, strict=True):
            row = summaries([each.columns(METRICS) for each in seeds], seeds[0].path)
            published = paper.LOCAL_SCORES.get(score.name, {}) if kind == "smna" else {}
            rows.append(_json(kind, score, row, published))
            lines.append(_line(score, row, published))
        columns = ("", *map(unit, METRICS), *(f"paper {metric}" for metric in METRICS))
        title = f"Table 3 on {work.ground.split.name}: {kind} + FAST-short by local score"
        remark = f"mean, ± spread over seeds, 95 % interval by path; the paper's on {paper.PLACE}"
        sheets.append(Sheet(f"{title}; {remark}", columns, tuple(lines)))
    return Finding("table3", {**work.describe(), "rows": rows}, tuple(sheets))


def _scores_for(work: Fieldwork, kind: str) -> list[LocalScore | LearnedScore]:
    """The scores that can be had of a kind of agent; the learned one was taught by SMNAs."""
    known = list(LOCAL_SCORES.values())
    if not work.gives_progress(kind):
        return [score for score in known if score.progress == "ignored"]
    return [*known, load_score(SHIPPED)] if kind == "smna" else list(known)


def _json(
    kind: str, score: LocalScore | LearnedScore, row: list[Summary], published: paper.Figures
) -> dict[str, Any]:
    ours = {metric: summary.to_json() for metric, summary in zip(METRICS, row, strict=True)}
    return {"agent": kind, "score": score.name, **ours, "paper": dict(published)}


def _line(score: LocalScore | LearnedScore, row: list[Summary], published: paper.Figures) -> tuple[str, ...]:
    ours = (summary.shown(metric) for metric, summary in zip(METRICS, row, strict=True))
    return (score.name, *ours, *(shown(metric, published.get(metric, np.nan)) for metric in METRICS))
