"""Make the weights that come with fastnav: of several seeds the best on val_seen, with its model card.

    python tools/ship_weights.py smna-r2r final/seed-1 final/seed-2 final/seed-3 --data R2R

The seeds are runs of `fastnav train` or checkpoints. Writes src/fastnav/weights/NAME.safetensors, in
half precision, and NAME.md. Nothing is chosen on val_unseen: it is walked once the seed is chosen.
"""

import argparse
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from fastnav.agents.checkpoint import Checkpoint, load_checkpoint, save_checkpoint
from fastnav.agents.shipped import FOLDER
from fastnav.data.features import open_tables, spaces_of
from fastnav.data.files import write_text
from fastnav.errors import UsageError
from fastnav.evaluation.scoring import Scorer
from fastnav.evaluation.significance import intervals
from fastnav.evaluation.wording import shown_mean, unit
from fastnav.search.named import fast_short, fast_thrifty, greedy
from fastnav.studies.trained import Ground, load_traveller, travel
from fastnav.training.presets import defaults_of
from fastnav.training.rundir import best_checkpoint

METRICS = ("TL", "NE", "SR", "SPL")
SPLITS = ("val_seen", "val_unseen")
ABOUT = {
    "smna": "Self-monitoring agent",
    "follower": "Speaker-Follower's follower",
    "seq2seq": "First R2R agent, in low-level steps",
}


def main() -> None:
    """Choose, write, walk, and write the card."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("name", help="what the weights are to be called, such as smna-r2r")
    parser.add_argument("seeds", type=Path, nargs="+", help="runs of one seed each, or checkpoints")
    parser.add_argument("--data", type=Path, required=True, help="the data directory that they learnt from")
    given = parser.parse_args()
    seeds = [load_checkpoint(best_checkpoint(path)) for path in given.seeds]
    chosen = max(seeds, key=_score)
    path = FOLDER / f"{given.name}.safetensors"
    save_checkpoint(path, with_spaces(chosen, given.data), half=True)
    rows = [row for split in SPLITS for row in _walked(path, given.data, split)]
    write_text(path.with_suffix(".md"), card(given.name, chosen, seeds, rows))
    print(f"{path}: seed {_trained(chosen)['seed']}, {path.stat().st_size / 1e6:.2f} MB")


def with_spaces(checkpoint: Checkpoint, data: Path) -> Checkpoint:
    """The checkpoint with the spaces of the tables that it was trained with, if it does not hold them yet."""
    if checkpoint.spaces:
        return checkpoint
    tables = open_tables(data, checkpoint.features)
    versions = {table.name: table.version for table in tables}
    if versions != _trained(checkpoint)["tables"]:
        raise UsageError(
            f"{data}: the tables are not those of the training; name the data that it learnt from"
        )
    return replace(checkpoint, spaces=spaces_of(tables))


def _trained(checkpoint: Checkpoint) -> Mapping[str, Any]:
    trained: Mapping[str, Any] = checkpoint.facts["trained"]
    return trained


def _score(checkpoint: Checkpoint) -> float:
    figures = checkpoint.facts["figures"]["val_seen"]
    return float(figures["SR"] + figures["SPL"])


def _walked(path: Path, data: Path, split: str) -> list[str]:
    """Lines of the card's table: the shipped agent, by both searches."""
    ground = Ground.of(data, split)
    traveller, scorer = load_traveller(path, ground), Scorer(ground.world, ground.split)
    lines = []
    for strategy in (greedy(), fast_short(), fast_thrifty()):
        scores = scorer.score(travel(traveller, strategy).trajectories, strategy.name)
        sure = intervals(scores.columns(METRICS), scores.path)
        cells = [shown_mean(metric, interval) for metric, interval in zip(METRICS, sure, strict=True)]
        lines.append(f"| {split} | {strategy.name} | {' | '.join(cells)} |")
    return lines


def _settings(checkpoint: Checkpoint) -> str:
    """The options of `fastnav train` that made it, where they are not the usual ones."""
    trained = _trained(checkpoint)
    usual = vars(defaults_of(checkpoint.agent))
    silent = (
        "iterations",
        "validate_every",
        "save_every",
    )  # the first has an option; the others change nothing
    changed = {k: v for k, v in trained["config"].items() if usual.get(k) != v and k not in silent}
    return "".join(f" --set {name}={value}" for name, value in changed.items())


def card(name: str, chosen: Checkpoint, seeds: Sequence[Checkpoint], rows: Sequence[str]) -> str:
    """The model card."""
    trained, kind = _trained(chosen), chosen.agent
    numbers = [_trained(seed)["seed"] for seed in seeds]
    by_seed = "\n".join(
        f"| {_trained(seed)['seed']}{' (shipped)' if seed is chosen else ''} | "
        + " | ".join(f"{100 * seed.facts['figures']['val_seen'][metric]:.1f}" for metric in ("SR", "SPL"))
        + " |"
        for seed in seeds
    )
    command = (
        f"fastnav train {kind} --data R2R --features {chosen.features} --train-split {trained['split']} "
        f"--seeds {len(seeds)} --iterations {trained['iteration']}{_settings(chosen)}"
    )
    return f"""# {name}

{ABOUT[kind]} (`{kind}`) for Room-to-Room, trained on {trained["split"]} with {chosen.features}

It reads English instructions and sees buildings through machine-written captions and annotated objects,
not through photographs. It is for research on search: drive it by any strategy of fastnav. In buildings
unlike homes and offices, or with other captions, nobody knows what it does; it is no driver of robots.

## How to use it

```
fastnav features build captions --data R2R --like {name}
fastnav features build objects --data R2R --like {name}
fastnav navigate {name} --data R2R --split val_unseen --strategy fast-short
```

`--like` puts sentences into the very space that it learnt: one fitted anew on another machine may point
another way, and tables of another space are refused.

## How it was made

```
{command}
python tools/ship_weights.py {name} {" ".join(f"run/seed-{seed}" for seed in numbers)} --data R2R
```

The seed was chosen by greedy SR + SPL on val_seen at the end of training; nothing was chosen on val_unseen.
Weights are kept in half precision.

| seed | val_seen SR % | SPL % |
|---|---|---|
{by_seed}

## What it does

Seed {trained["seed"]}, as shipped; mean and 95 % interval by path.

| split | search | {" | ".join(map(unit, METRICS))} |
|---|---|---|---|---|---|
{chr(10).join(rows)}

## Licence

The weights are under fastnav's own licence (MIT). They learnt from Room-to-Room's instructions, and from
captions and object labels that derive from Matterport3D, and hold none of these but a list of words. The
terms of those data apply to whoever uses them: [docs/data.md](../../../docs/data.md).
"""


if __name__ == "__main__":
    main()
