"""A run record with a trace, as JSON, written by hand: FAST-short on the loop and arm of docs/search.md.

    B
   / \\
  A - S --- C --- G        popped: S, SA, SAB, SC, SCG, and the STOP there
"""

from typing import Any

NAMES = ("S", "A", "B", "C", "G")
WALK = "SABASCG"
SENTENCE = "Leave the loop and walk to the far end."


def traced_record(building: str = "newhouse001", instr_id: str = "30_0") -> dict[str, Any]:
    """A sound record of one episode."""
    return {
        "format": "fastnav-run",
        "schema": 1,
        "fastnav": "0.1.0",
        "system": "scripted fast-short",
        "split": "val_unseen",
        "settings": {"strategy": "fast-short"},
        "episodes": [{"instr_id": instr_id, "trajectory": [[name, 0.0, 0.0] for name in WALK]}],
        "trace": {
            "schema": 1,
            "strategy": {"name": "fast-short", "score": "sum-logit", "width": 1, "stops_compete": True},
            "buildings": {building: _building()},
            "episodes": {instr_id: _search(building)},
        },
    }


def _building() -> dict[str, Any]:
    return {
        "viewpoints": list(NAMES),
        "position": [[0.0, 0.0, 0.0], [-2.0, 0.0, 0.0], [-1.0, 2.0, 0.0], [2.0, 0.0, 0.0], [4.0, 0.0, 0.0]],
        "edges": [[0, 1], [0, 2], [0, 3], [1, 2], [3, 4]],
    }


def _search(building: str) -> dict[str, Any]:
    return {
        "building": building,
        "instruction": SENTENCE,
        "tree": {
            #             start   of S         of A   of B of C   of G
            "viewpoint": [0, *(0, 1, 2, 3), *(1, 2), 2, *(3, 4), 4],
            "view": [12, *(12, 21, 23, 15), *(21, 13), 13, *(15, 15), 15],
            "parent": [-1, *(0, 0, 0, 0), *(2, 2), 6, *(4, 4), 9],
            "slot": [0, *(0, 1, 2, 3), *(0, 2), 0, *(0, 2), 0],
            "logit": [0.0, *(0.0, 3.0, 1.0, 2.0), *(-3.0, 4.0), -6.0, *(0.0, 3.0), 4.0],
            "sum_logit": [0.0, *(0.0, 3.0, 1.0, 2.0), *(0.0, 7.0), 1.0, *(2.0, 5.0), 9.0],
            "sum_logp": [
                *(0.0, -3.4402, -0.4402, -2.4402, -1.4402),
                *(-7.4896, -0.4896, -11.5382, -4.61, -1.61, -1.6586),
            ],
            "score": [0.0, *(0.0, 3.0, 1.0, 2.0), *(0.0, 7.0), 1.0, *(2.0, 5.0), 9.0],
            "greedy": [2, 6, 9, 10],
            "final": [1, 5, 7, 8, 10],
            "popped": [0, 2, 6, 4, 9, 10],
            "round": [0, 1, 2, 3, 4, 5],
            "progress": None,
        },
        "goal_score": [0.0, 0.0, 1.0, 2.0, 9.0],
        "goal": 10,
        "arrived": [0, 1, 2, 5, 6, 6],
    }
