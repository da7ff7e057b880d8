"""A small made-up data set, and a request handler that can be told to misbehave."""

import hashlib
import json
import threading
import time
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler
from pathlib import Path

from fastnav.data.sources import FetchOptions
from fastnav.data.sources.bundle import contents_digest

FILES = {
    "r2r/R2R_train.json": json.dumps([{"instructions": ["go to the door"]}] * 4000).encode(),
    "r2r/R2R_test.json": b'[{"instructions": ["wait by the lamp"]}]',
    "connectivity/scans.txt": b"alpha\nbeta\n",
    "connectivity/alpha_connectivity.json": b'[{"image_id": "a0"}]',
    "connectivity/beta_connectivity.json": b'[{"image_id": "b0"}]',
    "captions/alpha.json": b'{"a0": ["down: a rug"]}',
    "captions/beta.json": b'{"b0": ["down: a mat"]}',
}
MEMBERS = {
    "alpha_a0.json": b'{"a0": {"1": {"name": "chair"}}}',
    "beta_b0.json": b'{"b0": {}}',
    "beta_b1.json": b'{"b1": {"2": {"name": "lamp"}}}',
}
BUNDLE = "objects/REVERIE_BBox.tar.gz"
#: The longest made-up file: long enough to be cut in the middle.
LONG = "r2r/R2R_train.json"
PATIENT = FetchOptions(timeout=5.0, retries=3, backoff=0.001)
ONCE = FetchOptions(timeout=5.0, retries=0, backoff=0.001)


@dataclass(frozen=True)
class Seen:
    """One request as the server saw it, and how many bytes of body it sent."""

    path: str
    range: str | None
    if_range: str | None
    sent: int


@dataclass
class Server:
    """What is served, how each next request of a path is spoilt, and what was asked."""

    url: str = ""
    files: dict[str, bytes] = field(default_factory=dict)
    spoilt: dict[str, list[str]] = field(default_factory=dict)
    seen: list[Seen] = field(default_factory=list)
    etag: str | None = '"v1"'
    ranges: bool = True
    chunked: bool = False
    release: threading.Event = field(default_factory=threading.Event)
    begun: list[str] = field(default_factory=list)

    def asked(self, path: str) -> list[Seen]:
        """The requests for one path, once all are noted: a client may have its answer a moment before."""
        patience = time.monotonic() + 5
        while len(self.seen) < len(self.begun) and time.monotonic() < patience:
            time.sleep(0.002)
        return [seen for seen in self.seen if seen.path == path]


class Handler(BaseHTTPRequestHandler):
    """Serves `state.files` with ranges; a path's next spoiler may cut, refuse or garble the answer."""

    state: Server

    def log_message(self, *args: object) -> None:
        """Keep the test output clean."""

    def do_GET(self) -> None:
        """Answer one request."""
        state, path = self.state, self.path.lstrip("/")
        state.begun.append(path)
        spoilers = state.spoilt.get(path, [])
        spoiler = spoilers.pop(0) if spoilers else ""
        if spoiler.isdigit() or path not in state.files:
            sent = self._send(int(spoiler or 404), b"no", {})
        else:
            sent = self._send_file(state.files[path], spoiler)
        state.seen.append(Seen(path, self.headers["Range"], self.headers["If-Range"], sent))

    def _send_file(self, content: bytes, spoiler: str) -> int:
        state, headers = self.state, {}
        if state.etag:
            headers["ETag"] = state.etag
        code, start = 200, 0
        wanted, condition = self.headers["Range"], self.headers["If-Range"]
        if wanted and state.ranges and condition in (None, state.etag):
            start = int(wanted.removeprefix("bytes=").removesuffix("-"))
            if start >= len(content):
                return self._send(416, b"", {})
            code, headers["Content-Range"] = 206, f"bytes {start}-{len(content) - 1}/{len(content)}"
            if spoiler == "shifted":
                headers["Content-Range"] = f"bytes {start + 1}-{len(content) - 1}/{len(content)}"
        body = content[start:]
        if spoiler == "garbled":
            body = body[:-1] + b"!"
        cut = len(body) // 2 if spoiler in {"cut", "stall"} else None
        return self._send(code, body, headers, cut=cut, stall=spoiler == "stall")

    def _send(
        self, code: int, body: bytes, headers: dict[str, str], *, cut: int | None = None, stall: bool = False
    ) -> int:
        self.send_response(code)
        for name, value in headers.items():
            self.send_header(name, value)
        if self.state.chunked:
            self.send_header("Transfer-Encoding", "chunked")
        else:
            self.send_header("Content-Length", str(len(body)))
        self.send_header("Connection", "close")
        self.end_headers()
        sent = body if cut is None else body[:cut]
        if self.state.chunked:
            self.wfile.write(
                f"{len(body):x}\r\n".encode() + sent + (b"\r\n0\r\n\r\n" if cut is None else b"")
            )
        else:
            self.wfile.write(sent)
            if stall:
                self.state.release.wait(30)
        self.close_connection = True
        return len(sent)


def manifest_value(base: str) -> dict[str, list[dict[str, object]]]:
    """A manifest of the made-up files, served under `base`."""

    def files(group: str, **more: object) -> list[dict[str, object]]:
        return [
            {"path": path, "size": len(content), "sha256": hashlib.sha256(content).hexdigest(), **more}
            for path, content in FILES.items()
            if path.startswith(f"{group}/")
        ]

    def group(name: str, **more: object) -> dict[str, object]:
        words = {key: f"{key} of {name}" for key in ("title", "homepage", "licence", "cost")}
        return {"name": name, **words, "files": files(name), **more}

    bundle = {
        "path": BUNDLE,
        "folder": "objects/BBox",
        "member": r"[a-z]+_[a-z]\d\.json",
        "count": len(MEMBERS),
        "size": sum(map(len, MEMBERS.values())),
        "sha256": contents_digest(MEMBERS),
    }
    return {
        "groups": [
            group("r2r", urls=[f"{base}/mirror/{{path}}"]),
            group(
                "connectivity",
                urls=[f"{base}/dead/{{name}}", f"{base}/mirror/{{path}}"],
                per_building="connectivity/{scan}_connectivity.json",
            ),
            group(
                "captions",
                archive={"path": "captions/all.zip", "urls": [f"{base}/all.zip"]},
                folders=["captions", "observations_list"],
                per_building="captions/{scan}.json",
            ),
            group(
                "objects",
                archive={"path": "objects/all.tar.gz", "urls": [f"{base}/all.tar.gz"]},
                bundle=bundle,
            ),
        ]
    }


def write_tree(root: Path, files: dict[str, bytes]) -> None:
    """Write files below `root`."""
    for path, content in files.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_bytes(content)
