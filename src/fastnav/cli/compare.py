"""`fastnav compare`."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from fastnav.cli import options
from fastnav.cli.console import count, say, show_json

if TYPE_CHECKING:
    from fastnav.cli.scored import Scored
    from fastnav.evaluation.significance import Difference, Interval

EXAMPLES = (
    "fastnav compare random.json shortest.json --data houses",
    "fastnav compare mine.json theirs.json --data R2R --split val_unseen --cluster building",
)


def compare(
    results: Annotated[
        list[Path], typer.Argument(help="Result files; the first is what the others are tested against.")
    ],
    data: options.Data = None,
    split: options.SplitIfUnsaid = None,
    cluster: options.Cluster = "path",
    as_json: options.AsJson = False,
) -> None:
    """Show systems side by side, with 95 % intervals, and test each against the first.

    The tests are paired (the same episodes) and flip the signs of whole clusters' differences.
    """
    from fastnav.cli.scored import cluster_of, score_files
    from fastnav.cli.tables import show_differences, show_means
    from fastnav.evaluation.significance import differences, intervals

    options.checked("cluster", cluster, options.CLUSTERS)
    scored_split, scored = score_files(results, options.data_directory(data), split)
    clusters = cluster_of(scored[0].scores, cluster)
    names = _distinct([each.result.system for each in scored])
    sure = [intervals(each.scores.values, clusters) for each in scored]
    first = scored[0].scores.values
    tested = [differences(each.scores.values, first, clusters) for each in scored[1:]]
    if as_json:
        show_json(_json(names, scored, sure, tested))
        return
    show_means(f"{scored_split.name}: mean and 95 % interval by {cluster}", names, sure)
    if tested:
        show_differences(f"difference to {names[0]}, 95 % interval, p-value", names[1:], tested)
    for name, each in zip(names, scored, strict=True):
        say(f"{name}: {each.result.path}{_settings(each.result.settings)}")
    say(f"{count(len(scored[0].scores.instr_ids), 'instruction')}, resampled by whole {cluster}s")


def _settings(settings: Mapping[str, Any]) -> str:
    """What a run record tells of how it was made."""
    return f" ({', '.join(f'{key} {value}' for key, value in settings.items())})" if settings else ""


def _distinct(names: Sequence[str]) -> list[str]:
    """Names, numbered where one occurs more than once: "random (1)", "random (2)"."""
    return [
        f"{name} ({names[: k + 1].count(name)})" if names.count(name) > 1 else name
        for k, name in enumerate(names)
    ]


def _json(
    names: Sequence[str],
    scored: "Sequence[Scored]",
    sure: "Sequence[Sequence[Interval]]",
    tested: "Sequence[Sequence[Difference]]",
) -> dict[str, Any]:
    from fastnav.evaluation.scoring import METRICS
    from fastnav.evaluation.wording import interval_json

    systems = [
        {
            "system": name,
            "file": str(each.result.path),
            **{metric: interval_json(i) for metric, i in zip(METRICS, means, strict=True)},
        }
        for name, each, means in zip(names, scored, sure, strict=True)
    ]
    against_first = [
        {
            "system": name,
            **{m: {**interval_json(d), "p": d.p_value} for m, d in zip(METRICS, rows, strict=True)},
        }
        for name, rows in zip(names[1:], tested, strict=True)
    ]
    return {"systems": systems, "against": names[0], "differences": against_first}
