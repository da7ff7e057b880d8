"""The made-up data in folders and behind a web server on loopback; the real data where it is at hand."""

import json
import threading
from collections.abc import Callable, Iterator
from http.server import ThreadingHTTPServer
from pathlib import Path

import pytest
from made_up_sources import FILES, MEMBERS, Handler, Server, manifest_value, write_tree

from fastnav.data.sources import Manifest, load_manifest


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    """The server, with the made-up files under `mirror/`."""
    monkeypatch.setenv("no_proxy", "*")
    state = Server(files={f"mirror/{path}": content for path, content in FILES.items()})
    handler = type("BoundHandler", (Handler,), {"state": state, "protocol_version": "HTTP/1.1"})
    httpd = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    state.url = f"http://127.0.0.1:{httpd.server_address[1]}"
    thread = threading.Thread(target=httpd.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    yield state
    state.release.set()
    httpd.shutdown()
    thread.join()
    httpd.server_close()


@pytest.fixture
def manifest_at(tmp_path: Path) -> Callable[[str], Manifest]:
    """The made-up manifest for files served under a base URL."""

    def load(base: str) -> Manifest:
        path = tmp_path / "manifest.json"
        path.write_text(json.dumps(manifest_value(base)))
        return load_manifest(path)

    return load


@pytest.fixture
def manifest(manifest_at: Callable[[str], Manifest]) -> Manifest:
    """The made-up manifest where nothing is fetched."""
    return manifest_at("http://127.0.0.1:9")


@pytest.fixture
def data_dir(tmp_path: Path) -> Path:
    """An empty data directory."""
    path = tmp_path / "data"
    path.mkdir()
    return path


@pytest.fixture
def whole_dir(tmp_path: Path) -> Path:
    """A data directory that holds everything, the objects unpacked."""
    root = tmp_path / "whole"
    members = {f"objects/BBox/{name}": content for name, content in MEMBERS.items()}
    write_tree(root, {**FILES, **members})
    return root
