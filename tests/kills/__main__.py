"""Kill trainings and feature builds at random moments, let them go on, and compare every byte."""

import argparse
import random
import sys
import tempfile
from pathlib import Path

from rich.console import Console
from rich.table import Table

from tests.kills.killing import Told, Victim
from tests.kills.work import WORKS


def main() -> int:
    """Print a line a moment and a table; 1 if anything ended otherwise than undisturbed."""
    arguments = _arguments()
    told = {name: _torment(name, arguments.moments, arguments.seed) for name in arguments.works}
    _show_table(told)
    return int(any(each.faults for all_told in told.values() for each in all_told))


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.kills", description=__doc__)
    parser.add_argument("--moments", type=int, default=20, help="how often each work is killed")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--works", nargs="+", choices=WORKS, default=list(WORKS))
    return parser.parse_args()


def _torment(name: str, moments: int, seed: int) -> list[Told]:
    dice = random.Random(f"{seed}/{name}")
    told = []
    with tempfile.TemporaryDirectory(prefix="kills-") as folder:
        victim = Victim(name, Path(folder))
        print(f"{name}: undisturbed {victim.seconds:.2f} s, {len(victim.wanted)} files", flush=True)
        while sum(each.killed for each in told) < moments:
            each = victim.kill(dice.uniform(0, victim.seconds))
            told.append(each)
            what = f"killed at {each.moment:.3f} s" if each.killed else f"had ended by {each.moment:.3f} s"
            end = f"differs in {', '.join(each.faults)}" if each.faults else "the same bytes"
            print(f"{name} {len(told)}: {what}, {each.left} files left; went on: {end}", flush=True)
    return told


def _show_table(told: dict[str, list[Told]]) -> None:
    made = Table("work", "moments", "killed", "the same bytes", "others", box=None, pad_edge=False)
    for column in made.columns[1:]:
        column.justify = "right"
    for name, each in told.items():
        killed, faults = sum(one.killed for one in each), sum(bool(one.faults) for one in each)
        made.add_row(name, *map(str, (len(each), killed, len(each) - faults, faults)))
    Console(highlight=False, width=100).print(made)


if __name__ == "__main__":
    sys.exit(main())
