"""The HTTP agent, against real servers on this machine that behave, are busy, hang up, and talk nonsense."""

import json
import math
import re
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import torch
from examples.http_agent import HttpAgent, StandIn, serving

from examples import http_agent
from fastnav.errors import AgentError, UsageError
from fastnav.search.loop import search
from fastnav.search.named import strategy_named
from fastnav.testing import check_agent
from fastnav.world import toy
from fastnav.world.simulator import reset
from tests.examples.shown import ROOT
from tests.toy_data import write_json

PAGE = (ROOT / "docs" / "your-own-agent.md").read_text()
#: What a server does with its next request, told by itself.
Deed = Callable[[StandIn], None]


@pytest.fixture(autouse=True)
def no_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("no_proxy", "127.0.0.1")


@pytest.fixture
def slept(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The pauses made, in no time."""
    pauses: list[float] = []
    monkeypatch.setattr(http_agent, "time", SimpleNamespace(sleep=pauses.append))
    return pauses


class Recorded(StandIn):
    """A stand-in that keeps what it was asked, and first does what it is told to."""

    sizes: list[int]  # of the requests that it answered
    asked: list[dict[str, Any]]  # their rows
    deeds: list[Deed]

    def do_POST(self) -> None:
        if self.deeds:
            self.rfile.read(int(self.headers["Content-Length"]))
            self.deeds.pop(0)(self)
        else:
            super().do_POST()

    def answer(self, question: Any) -> Any:
        self.sizes.append(len(question["rows"]))
        self.asked += question["rows"]
        return super().answer(question)


@pytest.fixture
def server() -> type[Recorded]:
    return type("Server", (Recorded,), {"sizes": [], "asked": [], "deeds": []})


@pytest.fixture
def url(server: type[Recorded]) -> Iterator[str]:
    with serving(server) as address:
        yield address


def status(code: int, said: bytes = b"") -> Deed:
    def deed(handler: BaseHTTPRequestHandler) -> None:
        handler.send_response(code)
        handler.send_header("Content-Length", str(len(said)))
        handler.end_headers()
        handler.wfile.write(said)

    return deed


def hang_up(handler: BaseHTTPRequestHandler) -> None:
    handler.close_connection = True


def cut_short(handler: BaseHTTPRequestHandler) -> None:
    handler.send_response(200)
    handler.send_header("Content-Length", "1000")
    handler.end_headers()
    handler.wfile.write(b'{"scores": [[')
    handler.close_connection = True


def first_step(agent: HttpAgent) -> tuple[Any, ...]:
    """One row takes its first look around in the corridor; the logits."""
    world = toy.corridor()
    starts = reset(torch.tensor([0]), torch.tensor([math.pi / 2]))
    instruction = agent.encode(["Walk to the end of the corridor."])
    tree = search(agent, world, starts, instruction, strategy=strategy_named("fast-short"))
    return tuple(tree.logit[0, 1:3].tolist())


def test_it_walks(capsys: pytest.CaptureFixture[str], url: str) -> None:
    http_agent.walk(url)
    assert capsys.readouterr().out == "greedy: A B C D\nfast-short: A B C D\n"


def test_what_is_asked_and_answered_is_what_the_docs_say(url: str, server: type[Recorded]) -> None:
    question, answer = (json.loads(block) for block in re.findall("```json\n(.*?)```", PAGE, re.DOTALL))
    assert first_step(HttpAgent(url)) == tuple(answer["scores"][0])
    assert server.asked[0] == question["rows"][0]
    assert [place["place"] for place in server.asked[-1]["passed"]] == [0, 1, 2, 3]


def test_rows_know_nothing_of_each_other(url: str) -> None:
    check_agent(HttpAgent(url), toy.crossroads())


def test_it_asks_as_often_as_the_docs_say(url: str, server: type[Recorded]) -> None:
    check_agent(HttpAgent(url), toy.crossroads())
    assert 55 <= len(server.sizes) <= 65
    assert "some 60 requests" in PAGE


def test_one_request_a_step(url: str, server: type[Recorded]) -> None:
    """Two rows that walk side by side ask together."""
    world, agent = toy.corridor(), HttpAgent(url)
    starts = reset(torch.tensor([0, 3]), torch.tensor([math.pi / 2, -math.pi / 2]))
    tree = search(
        agent, world, starts, agent.encode(["there", "back"]), strategy=strategy_named("fast-short")
    )
    assert [row["instruction"] for row in server.asked] == ["there", "back"] * 4
    assert server.sizes == [2] * 4
    assert tree.expansions.tolist() == [4, 4]


@pytest.mark.parametrize("trouble", [status(503), status(429, b"later"), hang_up, cut_short])
def test_passing_trouble_is_waited_out(
    url: str, server: type[Recorded], slept: list[float], trouble: Deed
) -> None:
    server.deeds += [trouble, trouble]
    assert first_step(HttpAgent(url)) == (-2.5, 1.0)
    assert slept[:3] == [0.0, 1.0, 4.0]
    assert not any(slept[3:])


@pytest.mark.parametrize(
    ("trouble", "message"),
    [
        (
            status(503, b"too many rows"),
            r"gave no answer in 4 tries \(503 Service Unavailable: too many rows",
        ),
        (hang_up, r"gave no answer in 4 tries \(.*[cC]losed connection.*\); is it running\?"),
        (cut_short, r"gave no answer in 4 tries \(IncompleteRead"),
        (status(404, b"no such model"), "refuses with 404 Not Found: no such model"),
        (status(400), "refuses with 400 Bad Request: $"),
        (status(200, b"<html>"), "answers '<html>'; expected"),
        (status(200, b"\xff\xfe"), "answers .*; expected"),
        (status(200, b"[" * 100_000), "answers .*; expected"),
        (status(200, b"[[1, 2]]"), "answers .*; expected"),
        (status(200, b'{"logits": [[1, 2]]}'), "answers .*; expected"),
        (status(200, b'{"scores": 3}'), "scores int rows of 1; give a list for each row"),
        (status(200, b'{"scores": [[1, 2], [1, 2]]}'), "scores 2 rows of 1; give a list for each row"),
        (status(200, b'{"scores": [[1, 2, 3]]}'), "gives 3 scores in row 0 for 2 actions"),
        (status(200, b'{"scores": [null]}'), "gives NoneType scores in row 0 for 2 actions"),
        (status(200, b'{"scores": [[1, NaN]]}'), r"scores row 0 with what is no finite number: \[1, nan\]"),
        (status(200, b'{"scores": [[1, Infinity]]}'), "no finite number"),
        (status(200, b'{"scores": [[1, 1e39]]}'), "no finite number"),
        (status(200, b'{"scores": [[1, 1' + b"0" * 400 + b"]]}"), "no finite number"),
        (status(200, b'{"scores": [[1, "2"]]}'), "no finite number"),
        (status(200, b'{"scores": [[1, true]]}'), "no finite number"),
    ],
)
def test_lasting_trouble_is_told(
    url: str, server: type[Recorded], slept: list[float], trouble: Deed, message: str
) -> None:
    server.deeds += [trouble] * 4
    with pytest.raises(AgentError, match=f"^HttpAgent: {url} .*{message}"):
        first_step(HttpAgent(url))
    tries = 4 if "4 tries" in message else 1
    assert slept == [0.0, 1.0, 4.0, 16.0][:tries]


def test_nobody_there(slept: list[float]) -> None:
    with serving(StandIn) as address:
        pass
    with pytest.raises(AgentError, match=r"gave no answer in 4 tries \(.*refused.*\); is it running"):
        first_step(HttpAgent(address))


def test_silence(url: str, server: type[Recorded]) -> None:
    over = threading.Event()
    server.deeds += [lambda handler: over.wait(5) and None] * 2
    with pytest.raises(AgentError, match=r"gave no answer in 2 tries \(timed out\)"):
        first_step(HttpAgent(url, timeout=0.05, pauses=(0.0,)))
    over.set()


def test_addresses_and_keys() -> None:
    with pytest.raises(UsageError, match="address is 'file:///etc/passwd'; it must begin with http"):
        HttpAgent("file:///etc/passwd")
    assert "secret" not in repr(HttpAgent("http://x", headers={"Authorization": "Bearer secret"}))


def test_headers_are_sent(url: str, server: type[Recorded]) -> None:
    seen = []
    server.deeds.append(
        lambda handler: (
            seen.append(handler.headers["Authorization"]),
            status(200, b'{"scores": [[9, 0]]}')(handler),
        )[1]
    )
    assert first_step(HttpAgent(url, headers={"Authorization": "Bearer key"})) == (9.0, 0.0)
    assert seen == ["Bearer key"]


def test_captions(tmp_path: Path, url: str, server: type[Recorded]) -> None:
    """Each sector and row says its own name; north is sector 0, sectors are 45 degrees apart."""
    world = toy.corridor()
    entries = [f"down: floor {k}\nmiddle: wall {k}\ntop: ceiling {k}" for k in range(8)]
    write_json(tmp_path / "captions" / "toy.json", dict.fromkeys(world.viewpoint_ids, entries))
    describe = http_agent.captions_of(tmp_path, world)
    assert [describe(0, view) for view in (0, 12, 24)] == ["floor 0", "wall 0", "ceiling 0"]
    # Headings 30 and 60 lie nearest to 45, 330 to 315, 270 is sector 6 itself.
    assert [describe(1, 12 + k) for k in (1, 2, 3, 9, 11)] == [f"wall {k}" for k in (1, 1, 2, 6, 7)]
    first_step(HttpAgent(url, describe=describe))
    assert server.asked[0]["passed"][0]["caption"] == "wall 2"
    assert [action.get("caption") for action in server.asked[1]["actions"]] == [None, "wall 6", "wall 2"]
