"""Fetching from a real server on loopback that cuts, refuses, garbles and forgets."""

import io
import signal
import socket
import subprocess
import sys
import tarfile
import time
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest
from made_up_sources import BUNDLE, FILES, LONG, MEMBERS, ONCE, PATIENT, Server, write_tree

from fastnav.data.sources import FetchOptions, Manifest, check, fetch
from fastnav.data.sources.bundle import write_packed
from fastnav.errors import EditedFile, FetchError, OutputError, UnknownName, UsageError

ManifestAt = Callable[[str], Manifest]
R2R_TEST = "r2r/R2R_test.json"


def zip_of(files: dict[str, bytes]) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return packed.getvalue()


def tar_of(files: dict[str, bytes]) -> bytes:
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w:gz") as archive:
        for name, content in files.items():
            info = tarfile.TarInfo(name)
            info.size = len(content)
            archive.addfile(info, io.BytesIO(content))
    return packed.getvalue()


def offer_archives(server: Server) -> None:
    """The archives that hold captions and objects among other things."""
    captions = {
        f"r2r/observations_list/{Path(p).name}": c for p, c in FILES.items() if p.startswith("captions")
    }
    summaries = {"r2r/observations_summarized/alpha.json": b'{"a0": "another file of that name"}'}
    server.files["all.zip"] = zip_of({**summaries, **captions, "README.md": b"read me"})
    server.files["all.tar.gz"] = tar_of(
        {f"REVERIE-1/data/BBox/{name}": content for name, content in MEMBERS.items()}
    )


def leftovers(data_dir: Path) -> list[str]:
    return sorted(
        path.name for path in data_dir.rglob("*") if ".part" in path.name or ".download" in path.name
    )


def test_fetches_everything_whole(server: Server, manifest_at: ManifestAt, data_dir: Path):
    offer_archives(server)
    manifest = manifest_at(server.url)
    report = fetch(data_dir, manifest=manifest, options=PATIENT)
    assert sorted(report.fetched) == sorted([*FILES, BUNDLE]) and not report.already
    assert all((data_dir / path).read_bytes() == content for path, content in FILES.items())
    assert check(data_dir, manifest=manifest).whole
    assert leftovers(data_dir) == [] and not list(data_dir.rglob("all.*"))
    assert len(server.asked("dead/scans.txt")) == 1, "a dead link is not tried twice"


def test_whole_files_are_not_fetched_again(server: Server, manifest_at: ManifestAt, whole_dir: Path):
    report = fetch(whole_dir, manifest=manifest_at(server.url), options=ONCE)
    assert not report.fetched and sorted(report.already) == sorted([*FILES, BUNDLE])
    assert not server.seen
    assert report.lines() == [f"{whole_dir}: 0 fetched, 8 already whole"]


def test_an_edited_file_is_replaced(server: Server, manifest_at: ManifestAt, whole_dir: Path):
    (whole_dir / R2R_TEST).write_bytes(b"[]")
    report = fetch(whole_dir, manifest=manifest_at(server.url), options=ONCE)
    assert report.fetched == (R2R_TEST,)
    assert (whole_dir / R2R_TEST).read_bytes() == FILES[R2R_TEST]


@pytest.mark.parametrize("chunked", [False, True])
def test_a_cut_connection_is_continued(
    server: Server, manifest_at: ManifestAt, data_dir: Path, chunked: bool
):
    server.chunked = chunked
    server.spoilt[f"mirror/{LONG}"] = ["cut"]
    fetch(data_dir, ["r2r"], manifest=manifest_at(server.url), options=PATIENT)
    first, second = server.asked(f"mirror/{LONG}")
    assert first.range is None
    assert second.range == f"bytes={first.sent}-" and second.if_range == '"v1"'
    assert first.sent + second.sent == len(FILES[LONG]), "only the rest is sent"
    assert (data_dir / LONG).read_bytes() == FILES[LONG]
    assert leftovers(data_dir) == []


def test_the_next_run_continues_the_last_one(server: Server, manifest_at: ManifestAt, data_dir: Path):
    manifest = manifest_at(server.url)
    server.spoilt[f"mirror/{LONG}"] = ["cut"]
    with pytest.raises(FetchError, match="continues where this ended"):
        fetch(data_dir, ["r2r"], manifest=manifest, options=ONCE)
    kept = (data_dir / f"{LONG}.part").stat().st_size
    assert kept == len(FILES[LONG]) // 2 and not (data_dir / LONG).exists()
    assert (data_dir / R2R_TEST).exists(), "the other files arrive nevertheless"
    fetch(data_dir, ["r2r"], manifest=manifest, options=ONCE)
    assert server.asked(f"mirror/{LONG}")[-1].range == f"bytes={kept}-"
    assert (data_dir / LONG).read_bytes() == FILES[LONG]


def test_a_complete_part_needs_no_request(server: Server, manifest_at: ManifestAt, data_dir: Path):
    write_tree(data_dir, {f"{LONG}.part": FILES[LONG]})
    fetch(data_dir, ["r2r"], manifest=manifest_at(server.url), options=ONCE)
    assert not server.asked(f"mirror/{LONG}")
    assert (data_dir / LONG).read_bytes() == FILES[LONG]


@pytest.mark.parametrize("part", [b"x" * 10, b"x" * len(FILES[LONG]), b"x" * (len(FILES[LONG]) + 1)])
def test_kept_bytes_that_do_not_fit_are_dropped(
    server: Server, manifest_at: ManifestAt, data_dir: Path, part: bytes
):
    write_tree(data_dir, {f"{LONG}.part": part})
    fetch(data_dir, ["r2r"], manifest=manifest_at(server.url), options=PATIENT)
    assert (data_dir / LONG).read_bytes() == FILES[LONG]


def test_a_server_without_ranges_sends_all_again(server: Server, manifest_at: ManifestAt, data_dir: Path):
    server.ranges = False
    server.spoilt[f"mirror/{LONG}"] = ["cut"]
    fetch(data_dir, ["r2r"], manifest=manifest_at(server.url), options=PATIENT)
    second = server.asked(f"mirror/{LONG}")[1]
    assert second.range is not None and second.sent == len(FILES[LONG])
    assert (data_dir / LONG).read_bytes() == FILES[LONG]


def test_a_changed_file_is_not_continued(server: Server, manifest_at: ManifestAt, data_dir: Path):
    manifest = manifest_at(server.url)
    server.spoilt[f"mirror/{LONG}"] = ["cut"]
    with pytest.raises(FetchError):
        fetch(data_dir, ["r2r"], manifest=manifest, options=ONCE)
    server.etag = '"v2"'
    fetch(data_dir, ["r2r"], manifest=manifest, options=ONCE)
    assert server.asked(f"mirror/{LONG}")[-1].sent == len(FILES[LONG])


def test_a_refused_or_shifted_range_starts_again(server: Server, manifest_at: ManifestAt, data_dir: Path):
    server.spoilt[f"mirror/{LONG}"] = ["cut", "416", "cut", "shifted"]
    manifest = manifest_at(server.url)
    with pytest.raises(FetchError):
        fetch(data_dir, ["r2r"], manifest=manifest, options=PATIENT)
    fetch(data_dir, ["r2r"], manifest=manifest, options=PATIENT)
    assert (data_dir / LONG).read_bytes() == FILES[LONG]


def test_cut_every_time_keeps_the_part(server: Server, manifest_at: ManifestAt, data_dir: Path):
    server.spoilt[f"mirror/{LONG}"] = ["cut"] * 9
    with pytest.raises(
        FetchError, match=r"R2R_train.json: cannot be fetched.*cut after .* of .* bytes.*--mirror"
    ):
        fetch(data_dir, ["r2r"], manifest=manifest_at(server.url), options=PATIENT)
    assert len(server.asked(f"mirror/{LONG}")) == PATIENT.retries + 1
    assert (data_dir / f"{LONG}.part").stat().st_size > len(FILES[LONG]) // 2
    assert not (data_dir / LONG).exists()


def test_wrong_bytes_are_named_and_removed(server: Server, manifest_at: ManifestAt, data_dir: Path):
    server.spoilt[f"mirror/{R2R_TEST}"] = ["garbled"]
    with pytest.raises(
        EditedFile, match=r"R2R_test.json.*expected 40 bytes with sha256 \w{64}, found 40 with \w{64}"
    ):
        fetch(data_dir, ["r2r"], manifest=manifest_at(server.url), options=PATIENT)
    assert not (data_dir / R2R_TEST).exists() and leftovers(data_dir) == []
    assert (data_dir / LONG).exists()


def test_a_web_page_instead_of_the_file_is_called_so(server: Server, manifest_at: ManifestAt, data_dir: Path):
    server.files[f"mirror/{R2R_TEST}"] = b"<!DOCTYPE html>" + b" " * 2_000_000
    with pytest.raises(EditedFile, match="looks like a web page"):
        fetch(data_dir, ["r2r"], manifest=manifest_at(server.url), options=ONCE)


@pytest.mark.parametrize("code", ["404", "403", "410"])
def test_a_dead_link_tells_the_alternatives(
    server: Server, manifest_at: ManifestAt, data_dir: Path, code: str
):
    server.spoilt[f"mirror/{R2R_TEST}"] = [code] * 9
    with pytest.raises(
        FetchError, match=rf"{server.url}/mirror/r2r/R2R_test.json: the server answers {code}.*import"
    ):
        fetch(data_dir, ["r2r"], manifest=manifest_at(server.url), options=PATIENT)
    assert len(server.asked(f"mirror/{R2R_TEST}")) == 1


@pytest.mark.parametrize("code", ["500", "503", "429"])
def test_a_passing_fault_is_tried_again(server: Server, manifest_at: ManifestAt, data_dir: Path, code: str):
    server.spoilt[f"mirror/{R2R_TEST}"] = [code, code]
    fetch(data_dir, ["r2r"], manifest=manifest_at(server.url), options=PATIENT)
    assert len(server.asked(f"mirror/{R2R_TEST}")) == 3


def test_a_silent_server_times_out(server: Server, manifest_at: ManifestAt, data_dir: Path):
    with socket.create_server(("127.0.0.1", 0)) as silent:
        manifest = manifest_at(f"http://127.0.0.1:{silent.getsockname()[1]}")
        with pytest.raises(FetchError, match="timed out"):
            fetch(data_dir, ["r2r"], manifest=manifest, options=FetchOptions(timeout=0.1, retries=0))


def test_an_unreachable_server_is_given_up_soon(manifest: Manifest, data_dir: Path):
    with pytest.raises(FetchError, match="refused"):
        fetch(data_dir, manifest=manifest, options=ONCE)


def test_the_mirror_serves_what_has_no_other_url(server: Server, manifest_at: ManifestAt, data_dir: Path):
    packed = data_dir.parent / "packed.tar.gz"
    write_packed(packed, MEMBERS)
    server.files[f"mirror/{BUNDLE}"] = packed.read_bytes()
    manifest = manifest_at("http://127.0.0.1:9")
    report = fetch(data_dir, mirror=f"{server.url}/mirror/", manifest=manifest, options=ONCE)
    assert len(report.fetched) == len(FILES) + 1
    assert {seen.path for seen in server.seen} == {f"mirror/{path}" for path in (*FILES, BUNDLE)}
    assert check(data_dir, manifest=manifest).whole


def test_a_mirror_may_be_a_folder(whole_dir: Path, manifest: Manifest, data_dir: Path):
    fetch(data_dir, ["r2r"], mirror=whole_dir.as_uri(), manifest=manifest, options=ONCE)
    assert (data_dir / LONG).read_bytes() == FILES[LONG]
    with pytest.raises(FetchError, match="no such file"):
        fetch(data_dir, ["objects"], mirror=whole_dir.as_uri(), manifest=manifest, options=ONCE)


@pytest.mark.parametrize("mirror", ["not a url", "ftp://host/x", "https://"])
def test_a_mirror_that_is_no_address(manifest: Manifest, data_dir: Path, mirror: str):
    with pytest.raises(UsageError, match="--mirror"):
        fetch(data_dir, mirror=mirror, manifest=manifest, options=ONCE)


def test_an_archive_that_lacks_or_garbles_files(server: Server, manifest_at: ManifestAt, data_dir: Path):
    server.files["all.zip"] = zip_of({"x/observations_list/alpha.json": b'{"a0": ["up: a rug"]}'})
    server.files["all.tar.gz"] = b"<html>no such repository</html>"
    with pytest.raises(FetchError) as caught:
        fetch(data_dir, ["captions", "objects"], manifest=manifest_at(server.url), options=ONCE)
    message = str(caught.value)
    assert "captions/alpha.json" in message and "edited copy" in message
    assert "does not hold captions/beta.json" in message
    assert "objects/all.tar.gz" in message and "not a readable zip or tar archive" in message
    assert leftovers(data_dir) == []


def test_an_archive_is_continued_only_if_it_is_the_same(
    server: Server, manifest_at: ManifestAt, data_dir: Path
):
    offer_archives(server)
    server.spoilt["all.zip"] = ["cut"]
    fetch(data_dir, ["captions"], manifest=manifest_at(server.url), options=PATIENT)
    assert server.asked("all.zip")[1].range is not None
    server.etag, server.spoilt["all.tar.gz"] = None, ["cut"]
    fetch(data_dir, ["objects"], manifest=manifest_at(server.url), options=PATIENT)
    assert server.asked("all.tar.gz")[1].range is None


def test_an_edited_folder_of_objects_must_go_first(server: Server, manifest_at: ManifestAt, whole_dir: Path):
    (whole_dir / "objects/BBox/beta_b0.json").unlink()
    with pytest.raises(OutputError, match="remove it"):
        fetch(whole_dir, ["objects"], manifest=manifest_at(server.url), options=ONCE)
    assert not server.seen, "nothing is downloaded in vain"


def test_progress_is_told(server: Server, manifest_at: ManifestAt, data_dir: Path):
    told: dict[str, list[tuple[int, int | None]]] = {}
    fetch(
        data_dir,
        ["r2r"],
        manifest=manifest_at(server.url),
        options=ONCE,
        progress=lambda name, done, total: told.setdefault(name, []).append((done, total)),
    )
    assert told[LONG][-1] == (len(FILES[LONG]), len(FILES[LONG]))
    assert told[LONG] == sorted(told[LONG]) and len(told[LONG]) > 1


def test_an_interrupt_leaves_only_the_part(server: Server, manifest_at: ManifestAt, data_dir: Path):
    def interrupt(name: str, done: int, total: int | None) -> None:
        raise KeyboardInterrupt

    manifest = manifest_at(server.url)
    with pytest.raises(KeyboardInterrupt):
        fetch(data_dir, ["r2r"], manifest=manifest, options=ONCE, progress=interrupt)
    assert not (data_dir / LONG).exists()
    fetch(data_dir, ["r2r"], manifest=manifest, options=PATIENT)
    assert check(data_dir, manifest=manifest).groups[0].whole


def test_ctrl_c_ends_a_stalled_fetch_at_once(server: Server, manifest_at: ManifestAt, data_dir: Path):
    manifest_at(server.url)
    server.spoilt[f"mirror/{LONG}"] = ["stall"]
    script = (
        "import sys; from pathlib import Path; from fastnav.data.sources import fetch, load_manifest\n"
        "fetch(Path(sys.argv[1]), ['r2r'], manifest=load_manifest(Path(sys.argv[2])))"
    )
    arguments = [sys.executable, "-c", script, str(data_dir), str(data_dir.parent / "manifest.json")]
    part = data_dir / f"{LONG}.part"
    with subprocess.Popen(arguments, stderr=subprocess.PIPE) as child:
        deadline = time.monotonic() + 10
        while not (part.exists() and part.stat().st_size >= len(FILES[LONG]) // 2):
            assert time.monotonic() < deadline and child.poll() is None
            time.sleep(0.01)
        child.send_signal(signal.SIGINT)
        assert b"KeyboardInterrupt" in child.communicate(timeout=5)[1]
    assert not (data_dir / LONG).exists()
    server.release.set()
    fetch(data_dir, ["r2r"], manifest=manifest_at(server.url), options=ONCE)
    assert server.asked(f"mirror/{LONG}")[-1].range == f"bytes={len(FILES[LONG]) // 2}-"


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no disk that is always full")
def test_a_full_disk_keeps_the_part(
    server: Server, manifest_at: ManifestAt, data_dir: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(
        "fastnav.data.sources.transfer._opened", lambda path, mode: io.FileIO("/dev/full", "w")
    )
    with pytest.raises(OutputError, match="No space left"):
        fetch(data_dir, ["r2r"], manifest=manifest_at(server.url), options=PATIENT)
    assert len(server.seen) <= 2, "a full disk is no reason to download again"


def test_a_file_in_place_of_a_folder(server: Server, manifest_at: ManifestAt, data_dir: Path):
    (data_dir / "r2r").write_text("in the way")
    with pytest.raises(OutputError, match="r2r"):
        fetch(data_dir, ["r2r"], manifest=manifest_at(server.url), options=ONCE)


def test_procedural_houses_are_not_mixed_with_real_files(manifest: Manifest, data_dir: Path):
    (data_dir / "houses.json").write_text("{}")
    with pytest.raises(UsageError, match="procedural houses"):
        fetch(data_dir, manifest=manifest, options=ONCE)


def test_an_unknown_group(manifest: Manifest, data_dir: Path):
    with pytest.raises(UnknownName, match="did you mean r2r"):
        fetch(data_dir, ["r2"], manifest=manifest, options=ONCE)
