"""Importing from folders and archives of every layout that users have."""

import io
import os
import tarfile
import zipfile
from pathlib import Path

import pytest
from made_up_sources import BUNDLE, FILES, MEMBERS, write_tree

from fastnav.data.sources import Manifest, check, import_from
from fastnav.errors import EditedFile, FastnavError, MalformedFile, MissingFile, OutputError, UsageError

ALL = sorted([*FILES, BUNDLE])
R2R_TEST = "r2r/R2R_test.json"
#: The same files as other projects lay them out.
ODD_LAYOUT = {
    "sim/tasks/R2R/data/R2R_train.json": FILES["r2r/R2R_train.json"],
    "sim/tasks/R2R/data/R2R_test.json": FILES[R2R_TEST],
    "sim/connectivity/scans.txt": FILES["connectivity/scans.txt"],
    "sim/connectivity/alpha_connectivity.json": FILES["connectivity/alpha_connectivity.json"],
    "sim/connectivity/beta_connectivity.json": FILES["connectivity/beta_connectivity.json"],
    "nav/R2R/observations_list/alpha.json": FILES["captions/alpha.json"],
    "nav/R2R/observations_list/beta_renamed.json": FILES["captions/beta.json"],
    "nav/R2R/observations_summarized/alpha.json": b'{"a0": "short"}',
    **{f"REVERIE/tasks/REVERIE/data/BBox/{name}": content for name, content in MEMBERS.items()},
    "README.md": b"read me",
}


def pack(kind: str, path: Path, files: dict[str, bytes]) -> Path:
    """`files` as a folder or an archive at `path`."""
    if kind == "folder":
        write_tree(path, files)
    elif kind == "zip":
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
            for name, content in files.items():
                archive.writestr(name, content)
    else:
        with tarfile.open(path, {"tar": "w", "tar.gz": "w:gz", "tar.xz": "w:xz"}[kind]) as archive:
            for name, content in files.items():
                info = tarfile.TarInfo(name)
                info.size = len(content)
                archive.addfile(info, io.BytesIO(content))
    return path


@pytest.mark.parametrize("kind", ["folder", "zip", "tar", "tar.gz", "tar.xz"])
def test_every_kind_of_source_in_an_odd_layout(tmp_path: Path, data_dir: Path, manifest: Manifest, kind: str):
    source = pack(kind, tmp_path / f"copy.{kind}", ODD_LAYOUT)
    report = import_from(source, data_dir, manifest=manifest)
    assert sorted(report.imported) == ALL
    assert not report.already and not report.edited and not report.missing
    assert check(data_dir, manifest=manifest).whole
    assert {path.relative_to(data_dir).as_posix() for path in data_dir.rglob("*") if path.is_file()} == set(
        ALL
    )


def test_our_own_layout_with_the_objects_packed(
    whole_dir: Path, data_dir: Path, manifest: Manifest, tmp_path: Path
):
    import_from(whole_dir, data_dir, manifest=manifest)
    again = tmp_path / "again"
    again.mkdir()
    report = import_from(data_dir, again, manifest=manifest)
    assert sorted(report.imported) == ALL
    assert (again / BUNDLE).read_bytes() == (data_dir / BUNDLE).read_bytes(), "packing is deterministic"


def test_a_single_file_and_the_bare_bundle(
    whole_dir: Path, data_dir: Path, manifest: Manifest, tmp_path: Path
):
    assert import_from(whole_dir / R2R_TEST, data_dir, manifest=manifest).imported == (R2R_TEST,)
    bundle = pack("tar.gz", tmp_path / "boxes.tar.gz", {f"./BBox/{name}": c for name, c in MEMBERS.items()})
    assert import_from(bundle, data_dir, manifest=manifest).imported == (BUNDLE,)


def test_groups_choose(tmp_path: Path, data_dir: Path, manifest: Manifest):
    source = pack("folder", tmp_path / "copy", ODD_LAYOUT)
    report = import_from(source, data_dir, ["captions"], manifest=manifest)
    assert sorted(report.imported) == ["captions/alpha.json", "captions/beta.json"]
    report = import_from(source, data_dir, ["captions"], manifest=manifest)
    assert not report.imported and len(report.already) == 2
    report.raise_if_empty()


@pytest.mark.parametrize("kind", ["folder", "zip", "tar.gz"])
def test_edited_copies_are_refused(tmp_path: Path, data_dir: Path, manifest: Manifest, kind: str):
    edited = b'[{"instructions": ["wait by the lamp."]}]'
    source = pack(kind, tmp_path / f"copy.{kind}", {"a/R2R_test.json": edited})
    report = import_from(source, data_dir, ["r2r"], manifest=manifest)
    assert [copy.path for copy in report.edited] == [R2R_TEST]
    assert report.missing == ("r2r/R2R_train.json",)
    assert not (data_dir / R2R_TEST).exists()
    assert any("refused: edited copy" in line and "a/R2R_test.json" in line for line in report.lines())
    with pytest.raises(EditedFile, match=r"only edited copies, such as .*a/R2R_test.json"):
        report.raise_if_empty()


def test_edited_copies_can_be_accepted(tmp_path: Path, data_dir: Path, manifest: Manifest):
    boxes = {f"BBox/{name}": content for name, content in list(MEMBERS.items())[:2]}
    source = pack("folder", tmp_path / "copy", {"R2R_test.json": b"[]", **boxes})
    report = import_from(source, data_dir, accept_edited=True, manifest=manifest)
    assert (data_dir / R2R_TEST).read_bytes() == b"[]" and (data_dir / BUNDLE).exists()
    assert any("WARNING" in line for line in report.lines())
    report.raise_if_empty()


def test_a_whole_copy_elsewhere_wins_over_an_edited_one(tmp_path: Path, data_dir: Path, manifest: Manifest):
    boxes = {f"BBox/{name}": content for name, content in MEMBERS.items()}
    edited = {f"old/BBox/{name}": content for name, content in list(MEMBERS.items())[:2]}
    files = {"a/R2R_test.json": b"[]", "b/R2R_test.json": FILES[R2R_TEST], "c/R2R_test.json": b"[1]"}
    source = pack("folder", tmp_path / "copy", files | boxes | edited)
    report = import_from(source, data_dir, accept_edited=True, manifest=manifest)
    assert sorted(report.imported) == [BUNDLE, R2R_TEST] and not report.edited
    assert (data_dir / R2R_TEST).read_bytes() == FILES[R2R_TEST]


def test_a_whole_file_is_never_replaced_by_an_edited_one(tmp_path: Path, whole_dir: Path, manifest: Manifest):
    source = pack("folder", tmp_path / "copy", {"R2R_test.json": b"[]"})
    report = import_from(source, whole_dir, accept_edited=True, manifest=manifest)
    assert not report.edited and (whole_dir / R2R_TEST).read_bytes() == FILES[R2R_TEST]


@pytest.mark.parametrize("kind", ["zip", "tar.gz"])
def test_names_in_archives_lead_nowhere(tmp_path: Path, data_dir: Path, manifest: Manifest, kind: str):
    names = ["../../R2R_test.json", "/tmp/fastnav-escape/R2R_train.json", "..\\..\\scans.txt"]
    contents = [FILES[R2R_TEST], FILES["r2r/R2R_train.json"], FILES["connectivity/scans.txt"]]
    source = pack(kind, tmp_path / f"copy.{kind}", dict(zip(names, contents, strict=True)))
    before = {path for path in tmp_path.rglob("*") if data_dir not in path.parents}
    import_from(source, data_dir, manifest=manifest)
    assert {path for path in tmp_path.rglob("*") if data_dir not in path.parents} == before
    assert not Path("/tmp/fastnav-escape").exists()
    assert (data_dir / R2R_TEST).read_bytes() == FILES[R2R_TEST]


def test_links_in_archives_are_not_followed(tmp_path: Path, data_dir: Path, manifest: Manifest):
    source = tmp_path / "links.tar"
    with tarfile.open(source, "w") as archive:
        link = tarfile.TarInfo("R2R_test.json")
        link.type, link.linkname = tarfile.SYMTYPE, "/etc/passwd"
        archive.addfile(link)
    with pytest.raises(MissingFile, match="holds no known data file"):
        import_from(source, data_dir, manifest=manifest).raise_if_empty()


def test_linked_folders_are_entered_once(tmp_path: Path, data_dir: Path, manifest: Manifest):
    store = pack("folder", tmp_path / "store", ODD_LAYOUT)
    source = tmp_path / "copy"
    source.mkdir()
    (source / "data").symlink_to(store)
    (store / "loop").symlink_to(source)
    assert sorted(import_from(source, data_dir, manifest=manifest).imported) == ALL


@pytest.mark.parametrize("kind", ["zip", "tar.gz", "tar"])
@pytest.mark.parametrize("damage", ["short", "garbled", "empty"])
def test_a_damaged_archive_is_one_message(
    tmp_path: Path, data_dir: Path, manifest: Manifest, kind: str, damage: str
):
    # Random bytes, as compressed ones would swallow the damage.
    files = {"noise.bin": os.urandom(20_000), "R2R_train.json": os.urandom(20_000)}
    content = pack(kind, tmp_path / f"good.{kind}", files).read_bytes()
    half = len(content) // 2
    spoilt = {
        "short": content[:half],
        "garbled": b"\x07" * 600 + content[600:-600] + b"\x07" * 600,
        "empty": b"",
    }
    source = tmp_path / f"bad.{kind}"
    source.write_bytes(spoilt[damage])
    with pytest.raises(FastnavError, match="bad") as caught:
        import_from(source, data_dir, manifest=manifest).raise_if_empty()
    assert isinstance(caught.value, MalformedFile), caught.value
    assert not list(data_dir.rglob("*.json"))


def test_a_damaged_archive_inside_a_folder_is_named(tmp_path: Path, data_dir: Path, manifest: Manifest):
    source = pack("folder", tmp_path / "copy", {BUNDLE: b"not packed at all"})
    with pytest.raises(MalformedFile, match="REVERIE_BBox"):
        import_from(source, data_dir, manifest=manifest)


def test_no_such_source(tmp_path: Path, data_dir: Path, manifest: Manifest):
    with pytest.raises(MissingFile, match="no such folder or archive"):
        import_from(tmp_path / "nowhere", data_dir, manifest=manifest)


def test_an_unwritable_place_leaves_nothing(tmp_path: Path, data_dir: Path, manifest: Manifest):
    source = pack("folder", tmp_path / "copy", ODD_LAYOUT)
    (data_dir / "captions").write_text("in the way")
    with pytest.raises(OutputError, match="captions"):
        import_from(source, data_dir, ["captions"], manifest=manifest)


def test_an_edited_folder_of_objects_must_go_first(tmp_path: Path, whole_dir: Path, manifest: Manifest):
    (whole_dir / "objects/BBox/beta_b0.json").write_text("{}")
    source = pack("folder", tmp_path / "copy", ODD_LAYOUT)
    with pytest.raises(OutputError, match="read before the archive"):
        import_from(source, whole_dir, ["objects"], manifest=manifest)


def test_procedural_houses_are_not_mixed_with_real_files(whole_dir: Path, data_dir: Path, manifest: Manifest):
    (data_dir / "houses.json").write_text("{}")
    with pytest.raises(UsageError, match="procedural houses"):
        import_from(whole_dir, data_dir, manifest=manifest)


def test_the_real_files_are_found_by_digest(real_data: Path, data_dir: Path):
    report = import_from(real_data, data_dir, ["r2r", "connectivity"])
    assert len(report.imported) == 4 + 91 and not report.edited and not report.missing
