"""Do the procedural houses test navigation by language? A small learned probe, with three controls.

    python benchmarks/houses_language.py DIR

A log-linear policy is trained by imitation on train, then walks greedily in val_unseen: it scores each
neighbour, and stopping, by pairs of one word of the instruction with one word of the captions in that
direction, or with the turn it takes. The controls see less: `blind` no captions, `no instruction` no words;
`random` walks by chance, stopping as often as the routes do. Printed is the share of walks that end within
3 m of the goal, with its standard error over routes.

Only numpy and scipy; DIR is any data directory with connectivity, r2r and captions.
"""

import argparse
import json
import math
import re
import time
from dataclasses import dataclass
from pathlib import Path
from zlib import crc32

import numpy as np
from scipy.sparse import csr_matrix
from scipy.sparse.csgraph import dijkstra

SLOTS = 1 << 19
SUCCESS_METRES = 3.0
MOST_STEPS = 10
USUAL_STEPS = 5
ROUNDS = 120
RATE = 0.02
SHRINK = 0.3
SECTORS = 8
#: Words without a meaning of their own; a pair of two of them says nothing.
STOPWORDS = frozenset(
    (
        "a", "an", "the", "of", "in", "on", "at", "to", "and", "with", "your", "you", "is", "it", "there",
        "then", "into", "by", "from", "for", "that", "middle", "top", "room",
    )
)  # fmt: skip
#: What each variant may use: the instruction, the captions.
VARIANTS = {"full": (True, True), "blind": (True, False), "no instruction": (False, True)}


@dataclass(frozen=True)
class Graph:
    """One scan: positions, neighbours, metres between all pairs, hashed caption words by sector."""

    index: dict[str, int]
    position: np.ndarray
    neighbours: list[list[int]]
    metres: np.ndarray
    seen: list[list[np.ndarray]]
    near: list[np.ndarray]


@dataclass(frozen=True)
class Walk:
    """One instruction with its route; `place` runs from 0 at its first word to 1 at its last."""

    graph: Graph
    path: tuple[int, ...]
    heading: float
    words: np.ndarray
    place: np.ndarray


def hashed(words: list[str]) -> np.ndarray:
    """A number for each word."""
    return np.array([crc32(word.encode()) for word in words], dtype=np.int64)


def telling(text: str) -> list[str]:
    """The words of a text that mean something."""
    return [word for word in re.findall(r"[a-z]+", text.lower()) if word not in STOPWORDS]


def load_graph(folder: Path, scan: str) -> Graph:
    """The graph and captions of one scan."""
    records = json.loads((folder / "connectivity" / f"{scan}_connectivity.json").read_text())
    captions = json.loads((folder / "captions" / f"{scan}.json").read_text())
    kept = [i for i, record in enumerate(records) if record["included"]]
    names = [records[i]["image_id"] for i in kept]
    position = np.array([[records[i]["pose"][k] for k in (3, 7, 11)] for i in kept])
    ways = np.array([[records[i]["unobstructed"][j] for j in kept] for i in kept])
    apart = np.linalg.norm(position[:, None] - position[None], axis=-1)
    return Graph(
        {name: i for i, name in enumerate(names)},
        position,
        [np.flatnonzero(row).tolist() for row in ways],
        dijkstra(np.where(ways, apart, 0.0), directed=False),
        [[hashed(sorted(set(telling(text)) - {"down"})) for text in captions[name]] for name in names],
        [hashed(sorted({w for t in captions[name] for w in telling(t.split("\n")[0])})) for name in names],
    )


def load_walks(folder: Path, split: str) -> list[Walk]:
    """All instructions of a split."""
    graphs: dict[str, Graph] = {}
    walks = []
    for record in json.loads((folder / "r2r" / f"R2R_{split}.json").read_text()):
        scan = record["scan"]
        if scan not in graphs:
            graphs[scan] = load_graph(folder, scan)
        path = tuple(graphs[scan].index[name] for name in record["path"])
        for text in record["instructions"]:
            words = hashed(telling(text))
            walks.append(Walk(graphs[scan], path, record["heading"], words, np.linspace(0, 1, len(words))))
    return walks


def mixed(one: np.ndarray, two: np.ndarray, salt: int) -> np.ndarray:
    """A slot for each pair of numbers."""
    pair = (one[:, None] * 2654435761 + two[None, :] * 40503 + salt * 97) & 0x7FFFFFFFFFFF
    return (((pair ^ (pair >> 17)) * 7919) % SLOTS).ravel()


@dataclass(frozen=True)
class Policy:
    """Which features a variant sees; its weights are learned apart."""

    language: bool
    sight: bool

    def options(self, walk: Walk, trail: list[int], facing: float) -> list[np.ndarray]:
        """The slots that are on: for stopping first, then for each neighbour."""
        graph, here, step = walk.graph, trail[-1], len(trail) - 1
        lag = np.clip(np.rint(3 * (walk.place - min(1.0, step / USUAL_STEPS))), -2, 2).astype(np.int64)
        found = [self._slots(walk, lag, graph.near[here], [f"step{step}"], salt=1)]
        for there in graph.neighbours[here]:
            dx, dy, dz = graph.position[there] - graph.position[here]
            heading = math.atan2(dx, dy) % (2 * math.pi)
            turn = round(((heading - facing + math.pi) % (2 * math.pi) - math.pi) / (math.pi / 4))
            cues = [f"turn{turn % SECTORS}", f"climb{round(dz)}"] + ["back"] * (there in trail)
            sector = round(heading / (2 * math.pi / SECTORS)) % SECTORS
            found.append(self._slots(walk, lag, graph.seen[here][sector], cues, salt=2))
        return found

    def _slots(
        self, walk: Walk, lag: np.ndarray, sight: np.ndarray, cues: list[str], salt: int
    ) -> np.ndarray:
        known = hashed(cues)
        shown = np.concatenate([known, sight]) if self.sight else known
        on = [mixed(shown, np.array([0]), salt)]
        if self.language:
            same = (walk.words[:, None] == shown[None, :]).any(axis=1)
            on.append(mixed(walk.words, shown, 10 + salt))
            on.append(mixed(walk.words[lag == 0], shown, 20 + salt))
            on.append(mixed(lag[same], np.array([1]), 30 + salt))
            on.append(mixed(walk.words[lag == 1], known, 40 + salt))
        return np.concatenate(on)


def bearing(graph: Graph, here: int, there: int) -> float:
    """The heading from one viewpoint to another."""
    dx, dy, _ = graph.position[there] - graph.position[here]
    return math.atan2(dx, dy) % (2 * math.pi)


def examples(policy: Policy, walks: list[Walk]) -> tuple[csr_matrix, np.ndarray, np.ndarray]:
    """All decisions along the routes: a row for each option, where decisions begin, which row is right."""
    rows: list[np.ndarray] = []
    starts, right = [], []
    for walk in walks:
        facing = walk.heading
        for step, here in enumerate(walk.path):
            options = policy.options(walk, list(walk.path[: step + 1]), facing)
            chosen = 0
            if step + 1 < len(walk.path):
                chosen = 1 + walk.graph.neighbours[here].index(walk.path[step + 1])
                facing = bearing(walk.graph, here, walk.path[step + 1])
            starts.append(len(rows))
            right.append(len(rows) + chosen)
            rows += options
    ends = np.cumsum([0, *map(len, rows)])
    values = np.concatenate([np.full(len(row), 1 / math.sqrt(len(row)), dtype=np.float32) for row in rows])
    matrix = csr_matrix((values, np.concatenate(rows), ends), shape=(len(rows), SLOTS))
    return matrix, np.array(starts), np.array(right)


def learn(policy: Policy, walks: list[Walk]) -> np.ndarray:
    """Weights by maximum likelihood, a little shrunk: Adam on all decisions at once."""
    matrix, starts, right = examples(policy, walks)
    columns = matrix.T.tocsr()
    sizes = np.diff([*starts, matrix.shape[0]])
    weights, mean, spread = np.zeros(SLOTS), np.zeros(SLOTS), np.zeros(SLOTS)
    for turn in range(1, ROUNDS + 1):
        score = matrix @ weights
        odds = np.exp(score - np.repeat(np.maximum.reduceat(score, starts), sizes))
        odds /= np.repeat(np.add.reduceat(odds, starts), sizes)
        odds[right] -= 1
        slope = columns @ odds + SHRINK * weights
        mean = 0.9 * mean + 0.1 * slope
        spread = 0.98 * spread + 0.02 * slope**2
        weights -= RATE * (mean / (1 - 0.9**turn)) / (np.sqrt(spread / (1 - 0.98**turn)) + 1e-6)
    return weights


def succeeds(walk: Walk, end: int) -> float:
    """Whether a walk ends near enough to the goal."""
    return float(walk.graph.metres[end, walk.path[-1]] < SUCCESS_METRES)


def greedy(policy: Policy, weights: np.ndarray, walk: Walk) -> float:
    """Success of the policy on one walk."""
    trail, facing = [walk.path[0]], walk.heading
    for _ in range(MOST_STEPS):
        options = policy.options(walk, trail, facing)
        best = int(np.argmax([weights[row].sum() / math.sqrt(len(row)) for row in options]))
        if best == 0:
            break
        there = walk.graph.neighbours[trail[-1]][best - 1]
        facing = bearing(walk.graph, trail[-1], there)
        trail.append(there)
    return succeeds(walk, trail[-1])


def chance(walk: Walk, generator: np.random.Generator) -> float:
    """Success of a walk by chance, as long as routes are, that does not turn back."""
    trail = [walk.path[0]]
    for _ in range(int(generator.integers(4, 7))):
        ways = [there for there in walk.graph.neighbours[trail[-1]] if there not in trail]
        if not ways:
            break
        trail.append(int(generator.choice(ways)))
    return succeeds(walk, trail[-1])


def report(name: str, scores: list[float]) -> None:
    """One line; the instructions of a route hang together, so the error is over groups of three."""
    groups = np.array([np.mean(scores[i : i + 3]) for i in range(0, len(scores), 3)])
    print(f"{name:<16}{100 * groups.mean():6.1f} ± {100 * groups.std(ddof=1) / math.sqrt(len(groups)):.1f} %")


def main() -> None:
    """Train and walk each variant."""
    parser = argparse.ArgumentParser(description="language probe: full agent against three controls")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--train-limit", type=int, default=6000, help="instructions learned from")
    arguments = parser.parse_args()
    train = load_walks(arguments.folder, "train")[: arguments.train_limit]
    unseen = load_walks(arguments.folder, "val_unseen")
    print(
        f"{len(train)} instructions to learn from, {len(unseen)} to walk in unseen houses; success within 3 m"
    )
    for name, (language, sight) in VARIANTS.items():
        begun = time.perf_counter()
        policy = Policy(language, sight)
        weights = learn(policy, train)
        report(name, [greedy(policy, weights, walk) for walk in unseen])
        print(f"{'':<16}({time.perf_counter() - begun:.0f} s)")
    generator = np.random.default_rng(0)
    report("random", [float(np.mean([chance(walk, generator) for _ in range(20)])) for walk in unseen])


if __name__ == "__main__":
    main()
