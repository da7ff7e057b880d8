"""A few hundred cases of bad input, and the judge that counts them; `make faults` runs ten thousand."""

import tempfile
from pathlib import Path

import pytest

from tests.bad_input.base import Item, Snapshot
from tests.bad_input.cases import FILES
from tests.bad_input.harness import Harness
from tests.bad_input.running import READERS, Ran, execute
from tests.bad_input.verdict import Expected, Outcome, judge

CASES = 250
SEED = 7

CLEAR = "error: data/a.json: not JSON; fetch the file again\n"
BEFORE: Snapshot = {"data/a.json": Item("file", b"{"), "out": Item("folder")}


def test_bad_input_is_refused_or_harmless() -> None:
    """No traceback, nothing half-written, no unclear message; and the cases are bad indeed."""
    # Not in pytest's folder, which a user without rights may not enter.
    with tempfile.TemporaryDirectory(prefix="bad-input-") as folder:
        harness = Harness(Path(folder), SEED)
        judged = [harness.judge(number) for number in range(CASES)]
    faults = [each for each in judged if each.verdict.outcome not in (Outcome.REFUSED, Outcome.HARMLESS)]
    assert not faults, "\n".join(f"case {each.number}: {each.case.argv}: {each.verdict}" for each in faults)
    assert sum(each.verdict.outcome is Outcome.REFUSED for each in judged) > CASES / 2
    assert {each.case.kind for each in judged} == set(FILES.kinds)


@pytest.mark.parametrize(
    ("ran", "outcome"),
    [
        (Ran(3, err=CLEAR), Outcome.REFUSED),
        (Ran(0), Outcome.HARMLESS),
        (Ran(1, err=CLEAR + "Traceback (most recent call last):"), Outcome.TRACEBACK),
        (Ran(99, err=CLEAR), Outcome.TRACEBACK),
        (Ran(0, stray=["RuntimeWarning: overflow"]), Outcome.TRACEBACK),
        (Ran(3, err="error: something went wrong; fetch the file again\n"), Outcome.UNCLEAR),
        (Ran(3, err="error: data/a.json is not what was hoped for\n"), Outcome.UNCLEAR),
        (Ran(3, err=CLEAR + CLEAR), Outcome.UNCLEAR),
        (Ran(3, err=CLEAR + "\x1b[2J"), Outcome.UNCLEAR),
    ],
)
def test_what_is_printed_is_judged(ran: Ran, outcome: Outcome) -> None:
    """Each fault of a message is seen."""
    assert judge(ran, BEFORE, BEFORE, [], Expected(("data/a.json",))).outcome is outcome


@pytest.mark.parametrize(
    ("code", "left", "outcome"),
    [
        (0, {"out/new.json": Item("file", b"[1]")}, Outcome.HARMLESS),
        (0, {"out/new.json": Item("file", b"[1,")}, Outcome.HALF_WRITTEN),
        (3, {"out/new.json": Item("file", b"[1]")}, Outcome.HALF_WRITTEN),
        (0, {"out/.new.json.abc.partial": Item("file")}, Outcome.HALF_WRITTEN),
        (0, {"elsewhere.json": Item("file", b"[1]")}, Outcome.HALF_WRITTEN),
        (0, {"data/a.json": Item("file", b"changed")}, Outcome.HALF_WRITTEN),
    ],
)
def test_what_is_left_is_judged(code: int, left: Snapshot, outcome: Outcome) -> None:
    """An output appears whole and on success alone, and nothing else changes."""
    expected = Expected(("data/a.json",), writes="out/new.json")
    assert judge(Ran(code, err=CLEAR if code else ""), BEFORE, BEFORE | left, [], expected).outcome is outcome


def test_what_escapes_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """An exception that comes out of a command is caught, and counts as a traceback."""
    monkeypatch.setitem(READERS, "read-captions", lambda path: 1 / 0)
    ran = execute(["read-captions", "nowhere"])
    assert "ZeroDivisionError" in ran.escaped
    assert judge(ran, {}, {}, [], Expected()).outcome is Outcome.TRACEBACK
