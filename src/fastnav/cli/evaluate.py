"""`fastnav evaluate`."""

from pathlib import Path
from typing import Annotated

import typer

from fastnav.cli import options
from fastnav.cli.console import count, say, show, show_json, table

EXAMPLES = (
    "fastnav evaluate random.json --data houses",
    "fastnav evaluate submit_val_unseen.json --data R2R --split val_unseen --json",
)


def evaluate(
    result: Annotated[Path, typer.Argument(help="A run record, or anyone's leaderboard file.")],
    data: options.Data = None,
    split: options.SplitIfUnsaid = None,
    cluster: Annotated[
        str,
        typer.Option("--cluster", help="What --json resamples whole, path or building; the table has both."),
    ] = "path",
    as_json: options.AsJson = False,
) -> None:
    """Score a result file: TL NE SR OSR SPL nDTW SDTW CLS, with 95 % confidence intervals.

    The JSON has an object for each metric: its mean and the limits of its interval. Lengths are in metres
    and rates are fractions.
    """
    from fastnav.cli.scored import cluster_of, score_files
    from fastnav.evaluation.scoring import METRICS
    from fastnav.evaluation.significance import intervals
    from fastnav.evaluation.wording import interval_json, shown, shown_interval, unit

    options.checked("cluster", cluster, options.CLUSTERS)
    scored_split, (scored,) = score_files([result], options.data_directory(data), split)
    scores = scored.scores
    if as_json:
        sure = intervals(scores.values, cluster_of(scores, cluster))
        show_json({name: interval_json(interval) for name, interval in zip(METRICS, sure, strict=True)})
        return
    made = table(
        f"{scored.result.system} on {scored_split.name}", "", "mean", "95 % by path", "95 % by building"
    )
    columns = [intervals(scores.values, cluster_of(scores, kind)) for kind in options.CLUSTERS]
    for name, path, building in zip(METRICS, *columns, strict=True):
        ranges = [shown_interval(name, i.low, i.high) for i in (path, building)]
        made.add_row(unit(name), shown(name, path.mean), *ranges)
    show(made)
    paths = len({episode.path_id for episode in scored_split.scored})
    shares = ((len(scores.instr_ids), "instruction"), (paths, "path"), (len(scored_split.scans), "building"))
    say(", ".join(count(number, thing) for number, thing in shares))
