"""Statistics of data directories side by side, with no agent in them: graphs, routes, words.

    python benchmarks/houses_statistics.py DIR [DIR ...]

Each DIR holds connectivity/, r2r/ and captions/, real or procedural. Prints one Markdown table with a column
for each. The numbers of routes and of instructions count all four splits; the lengths and steps of routes are
those of train and both validation splits, the words and the vocabulary those of train.
"""

import argparse
import json
import re
from pathlib import Path
from typing import Any

import numpy as np

SPLITS = ("train", "val_seen", "val_unseen")


def graph_statistics(folder: Path) -> dict[str, str]:
    """Houses, viewpoints, degrees and edges."""
    counts, degrees, edges, heights, nearest = [], [], [], [], []
    for path in sorted((folder / "connectivity").glob("*_connectivity.json")):
        records = json.loads(path.read_text())
        kept = [i for i, record in enumerate(records) if record["included"]]
        position = np.array([[records[i]["pose"][k] for k in (3, 7, 11)] for i in kept]).reshape(-1, 3)
        ways = np.array([[records[i]["unobstructed"][j] for j in kept] for i in kept], dtype=bool)
        ways = (ways | ways.T).reshape(len(kept), len(kept))
        apart = np.linalg.norm(position[:, None] - position[None], axis=-1)
        counts.append(len(kept))
        degrees += ways.sum(axis=1).tolist()
        edges += apart[np.triu(ways)].tolist()
        nearest += np.where(np.eye(len(kept), dtype=bool), np.inf, apart).min(axis=1).tolist()
        heights.append(float(np.ptp(position[:, 2])))
    return {
        "houses": str(len(counts)),
        "viewpoints": f"{sum(counts):,}",
        "viewpoints per house, mean (min to max)": f"{np.mean(counts):.0f} ({min(counts)} to {max(counts)})",
        "height from lowest to highest viewpoint (m)": f"{np.mean(heights):.1f}",
        "nearest other viewpoint (m), median": f"{np.median(nearest):.2f}",
        "degree, mean (max)": f"{np.mean(degrees):.2f} ({max(degrees)})",
        "edge length (m), mean ± sd": f"{np.mean(edges):.2f} ± {np.std(edges):.2f}",
    }


def records_of(folder: Path, split: str) -> list[dict[str, Any]]:
    """The records of a split."""
    return list(json.loads((folder / "r2r" / f"R2R_{split}.json").read_text()))


def route_statistics(folder: Path) -> dict[str, str]:
    """Routes and instructions."""
    routes = [record for split in SPLITS for record in records_of(folder, split)]
    every = [*routes, *records_of(folder, "test")]
    metres = np.array([record["distance"] for record in routes])
    steps = np.array([len(record["path"]) - 1 for record in routes])
    texts = [text for record in records_of(folder, "train") for text in record["instructions"]]
    lengths = np.array([len(re.findall(r"\w+", text)) for text in texts])
    vocabulary = {word for text in texts for word in re.findall(r"\w+", text.lower())}
    return {
        "routes": f"{len(every):,}",
        "instructions": f"{sum(len(record['instructions']) for record in every):,}",
        "route length (m), mean ± sd": f"{metres.mean():.2f} ± {metres.std():.2f}",
        "steps per route, mean (min to max)": f"{steps.mean():.2f} ({steps.min()} to {steps.max()})",
        "words per instruction, mean ± sd": f"{lengths.mean():.1f} ± {lengths.std():.1f}",
        "vocabulary of train": f"{len(vocabulary):,}",
    }


def caption_statistics(folder: Path) -> dict[str, str]:
    """Words of the captions."""
    lengths: list[int] = []
    vocabulary: set[str] = set()
    for path in sorted((folder / "captions").glob("*.json")):
        for captions in json.loads(path.read_text()).values():
            for line in "\n".join(captions).split("\n"):
                words = re.findall(r"\w+", line.partition(":")[2].lower())
                lengths.append(len(words))
                vocabulary.update(words)
    return {
        "words per caption line, mean ± sd": f"{np.mean(lengths):.1f} ± {np.std(lengths):.1f}",
        "vocabulary of the captions": f"{len(vocabulary):,}",
    }


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description="agent-free statistics of data directories")
    parser.add_argument("folders", type=Path, nargs="+")
    folders = parser.parse_args().folders
    columns = [
        {**graph_statistics(folder), **route_statistics(folder), **caption_statistics(folder)}
        for folder in folders
    ]
    print("| | " + " | ".join(folder.name for folder in folders) + " |")
    print("|---|" + "---:|" * len(folders))
    for row in columns[0]:
        print(f"| {row} | " + " | ".join(column[row] for column in columns) + " |")


if __name__ == "__main__":
    main()
