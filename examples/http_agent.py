"""An agent whose policy answers over HTTP: one POST a step, for all rows of the batch.

    python examples/http_agent.py                     starts a stand-in policy beside itself, and walks
    python examples/http_agent.py http://host/policy  asks yours

docs/your-own-agent.md says what is asked and answered.
"""

import contextlib
import http.client
import json
import math
import sys
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

from fastnav.agents.interface import Agent, Arrival, Rows, StepOutput
from fastnav.data.captions import SECTORS, captions_path, read_captions
from fastnav.errors import AgentError, UsageError
from fastnav.search.loop import search
from fastnav.search.named import strategy_named
from fastnav.search.routes import walked_routes
from fastnav.world import toy
from fastnav.world.graph import World
from fastnav.world.simulator import Observation, reset
from fastnav.world.views import HEADINGS, view_heading

#: What is to be seen from a viewpoint in one of its 36 views, in words.
Describe = Callable[[int, int], str]
#: What is larger is no score; float32 could not hold it.
LARGEST = 1e30


# region state
@dataclass(frozen=True)
class Lists(Rows):
    """A list for each row: of anything that can be written as JSON."""

    rows: tuple[tuple[Any, ...], ...]

    def take(self, rows: Tensor) -> "Lists":
        return Lists(tuple(self.rows[row] for row in rows.tolist()))

    @classmethod
    def join(cls, parts: Sequence["Lists"]) -> "Lists":
        return cls(tuple(row for part in parts for row in part.rows))


# endregion


# region agent
@dataclass(frozen=True)
class HttpAgent(Agent[Lists, Lists]):
    """Sends what each row was told, has passed and could do; takes a score for each action."""

    url: str
    describe: Describe | None = None
    headers: Mapping[str, str] = field(default_factory=dict, repr=False)  # a key belongs into no log
    timeout: float = 60.0  # seconds without an answer
    pauses: Sequence[float] = (1.0, 4.0, 16.0)  # seconds before each further try

    def __post_init__(self) -> None:
        if not self.url.startswith(("http://", "https://")):
            raise UsageError(f"the policy's address is {self.url!r}; it must begin with http:// or https://")

    def encode(self, sentences: Sequence[str]) -> Lists:
        """The policy reads the sentences itself."""
        return Lists(tuple((sentence,) for sentence in sentences))

    def begin(self, instruction: Lists) -> Lists:
        """No place has been passed yet."""
        return Lists(((),) * len(instruction.rows))

    def step(
        self, instruction: Lists, state: Lists, observation: Observation, arrival: Arrival
    ) -> tuple[Lists, StepOutput]:
        """Ask once for all rows."""
        here = zip(observation.viewpoint.tolist(), observation.view.tolist(), strict=True)
        passed = Lists(tuple((*way, self._place(*pose)) for way, pose in zip(state.rows, here, strict=True)))
        actions = self._actions(observation)
        rows = zip(instruction.rows, passed.rows, actions, strict=True)
        asked = [{"instruction": told[0], "passed": way, "actions": row} for told, way, row in rows]
        scores = read_scores(self, self._ask({"rows": asked}), [len(row) for row in actions])
        legal = observation.mask.cpu()
        flat = torch.tensor([score for row in scores for score in row], dtype=torch.float32)
        logits = torch.zeros(legal.shape).masked_scatter(legal, flat)
        return passed, StepOutput(logits.to(observation.mask.device))

    # endregion

    def _place(self, viewpoint: int, view: int) -> dict[str, Any]:
        """A place and the way one looks there, in degrees."""
        place: dict[str, Any] = {"place": viewpoint, "heading": _degrees(view_heading(torch.tensor(view)))}
        return place if self.describe is None else {**place, "caption": self.describe(viewpoint, view)}

    def _actions(self, seen: Observation) -> list[list[dict[str, Any]]]:
        """What each row could do: stop, or go to a place that lies so many degrees to the right and up."""
        rows: list[list[dict[str, Any]]] = [[] for _ in seen.mask]
        for row, slot in seen.mask.nonzero().tolist():
            if slot == World.STOP:
                rows[row].append({"kind": "stop"})
                continue
            at = row, slot
            action = {
                "kind": "go",
                "place": int(seen.neighbour[at]),
                "turn": _degrees(seen.turn[at]),
                "elevation": _degrees(seen.elevation[at]),
                "metres": round(float(seen.distance[at]), 2),
            }
            if self.describe is not None:
                action["caption"] = self.describe(int(seen.viewpoint[row]), int(seen.action_view[at]))
            rows[row].append(action)
        return rows

    def _ask(self, question: Mapping[str, Any]) -> bytes:
        """The answer; where the server is busy or the line is cut, after some patience."""
        body = json.dumps(question).encode()
        problem = ""
        for pause in (0.0, *self.pauses):
            time.sleep(pause)
            try:
                return self._post(body)
            except urllib.error.HTTPError as error:
                problem = f"{error.code} {error.reason}: {said_with(error)}"
                if not is_passing(error.code):
                    raise AgentError(self, f"{self.url} refuses with {problem}") from None
            except (OSError, http.client.HTTPException) as error:
                problem = str(getattr(error, "reason", error)) or type(error).__name__
        tries = 1 + len(self.pauses)
        raise AgentError(self, f"{self.url} gave no answer in {tries} tries ({problem}); is it running?")

    def _post(self, body: bytes) -> bytes:
        headers = {"Content-Type": "application/json", **self.headers}
        request = urllib.request.Request(self.url, data=body, headers=headers)
        with urllib.request.urlopen(request, timeout=self.timeout) as answer:
            content: bytes = answer.read()
        return content


def _degrees(angle: Tensor) -> int:
    return round(math.degrees(float(angle)))


def is_passing(code: int) -> bool:
    """Whether it is worth asking again: too many requests, or a fault of the server's own."""
    return code == http.client.TOO_MANY_REQUESTS or code >= http.client.INTERNAL_SERVER_ERROR


def said_with(error: urllib.error.HTTPError) -> str:
    """How the server explains itself, if it does."""
    with error, contextlib.suppress(OSError, http.client.HTTPException):
        return error.read(200).decode(errors="replace")
    return "it does not say why"


# region answer
def read_scores(agent: HttpAgent, answer: bytes, counts: Sequence[int]) -> list[list[float]]:
    """The scores of all rows; whatever search could not compare is refused, and the row is named."""
    try:
        rows = json.loads(answer)["scores"]
    except (ValueError, TypeError, KeyError, RecursionError):
        start = answer[:80].decode(errors="replace")
        raise AgentError(agent, f'{agent.url} answers {start!r}; expected {{"scores": [[..], ..]}}') from None
    if not isinstance(rows, list) or len(rows) != len(counts):
        found = len(rows) if isinstance(rows, list) else type(rows).__name__
        raise AgentError(agent, f"{agent.url} scores {found} rows of {len(counts)}; give a list for each row")
    for number, (row, count) in enumerate(zip(rows, counts, strict=True)):
        if not isinstance(row, list) or len(row) != count:
            found = len(row) if isinstance(row, list) else type(row).__name__
            raise AgentError(agent, f"{agent.url} gives {found} scores in row {number} for {count} actions")
        if not all(type(score) in (int, float) and abs(score) <= LARGEST for score in row):
            raise AgentError(
                agent, f"{agent.url} scores row {number} with what is no finite number: {str(row)[:80]}"
            )
    return rows


# endregion


# region captions
def captions_of(data: Path, world: World) -> Describe:
    """The captions of a data directory, in words: each view has that of the nearest of eight directions."""
    books = {scan: read_captions(captions_path(data, scan)) for scan in world.scans}

    def describe(viewpoint: int, view: int) -> str:
        book = books[world.scans[int(world.scan[viewpoint])]]
        column, row = view % HEADINGS, view // HEADINGS
        sector = round(column * SECTORS / HEADINGS) % SECTORS
        return book[world.viewpoint_ids[viewpoint]].sentences[sector][row]

    return describe


# endregion


# region server
class StandIn(BaseHTTPRequestHandler):
    """A policy that goes straight on to places not yet passed, and stops at the fourth."""

    def do_POST(self) -> None:
        question = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        answer = json.dumps(self.answer(question)).encode()
        self.send_response(http.client.OK)
        self.send_header("Content-Length", str(len(answer)))
        self.end_headers()
        self.wfile.write(answer)

    def answer(self, question: Mapping[str, Any]) -> dict[str, Any]:
        return {"scores": [self.scores(row) for row in question["rows"]]}

    def scores(self, row: Mapping[str, Any]) -> list[float]:
        passed = {place["place"] for place in row["passed"]}
        return [
            len(row["passed"]) - 3.5
            if action["kind"] == "stop"
            else math.cos(math.radians(action["turn"])) - 3 * (action["place"] in passed)
            for action in row["actions"]
        ]

    def log_message(self, format: str, *args: object) -> None:
        """Quietly."""


# endregion


@contextlib.contextmanager
def serving(handler: type[BaseHTTPRequestHandler]) -> Iterator[str]:
    """The address of a server that runs beside this program for a while."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def walk(url: str) -> None:
    """Walk a corridor by what the policy at `url` says, and print the way."""
    world, agent = toy.corridor(), HttpAgent(url)
    starts = reset(torch.tensor([0]), torch.tensor([math.pi / 2]))
    for name in ("greedy", "fast-short"):
        strategy = strategy_named(name)
        instruction = agent.encode(["Walk to the end of the corridor."])
        tree = search(agent, world, starts, instruction, strategy=strategy)
        (route,) = walked_routes(tree, world, strategy.goal.choose(tree), strategy.walking)
        print(f"{name}: {' '.join(world.viewpoint_ids[place] for place in route.viewpoints)}")


if __name__ == "__main__":
    if len(sys.argv) > 1:
        walk(sys.argv[1])
    else:
        with serving(StandIn) as address:
            walk(address)
