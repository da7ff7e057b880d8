"""`fastnav data import`: known files out of any folder or archive, wherever they lie in it."""

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from fastnav.data.files import parse_json, write_bytes
from fastnav.data.sources.bundle import is_member, is_whole, read_members, refuse_shadowed, write_packed
from fastnav.data.sources.entries import Entry, entries, entries_of
from fastnav.data.sources.manifest import Bundle, Group, Manifest, SourceFile, published
from fastnav.data.sources.procedural import refuse_procedural
from fastnav.data.sources.state import State, difference, state_of, state_of_bundle
from fastnav.errors import EditedFile, MissingFile

#: No known file comes near this, so larger ones need not be read.
_LARGEST = 64_000_000


@dataclass(frozen=True)
class EditedCopy:
    """A file of the right name whose bytes are not the published ones."""

    path: str
    found: str
    detail: str


@dataclass(frozen=True)
class ImportReport:
    """What came of an import. `edited` copies were refused, unless `accepted` says that they were taken."""

    source: Path
    imported: tuple[str, ...]
    already: tuple[str, ...]
    edited: tuple[EditedCopy, ...]
    missing: tuple[str, ...]
    accepted: bool

    def lines(self) -> list[str]:
        """The report as text."""
        lines = [f"{self.source}: {len(self.imported)} imported, {len(self.already)} already whole"]
        verdict = "WARNING: edited copy taken" if self.accepted else "refused: edited copy"
        lines += [f"  {verdict}: {copy.path} from {copy.found} ({copy.detail})" for copy in self.edited]
        if self.missing:
            shown = ", ".join(self.missing[:5])
            more = f" and {len(self.missing) - 5} more" if len(self.missing) > 5 else ""
            lines.append(f"  not found there: {shown}{more}")
        return lines

    def raise_if_empty(self) -> None:
        """Nothing of use in the source is an error."""
        if self.imported or self.already or (self.edited and self.accepted):
            return
        if self.edited:
            copy = self.edited[0]
            raise EditedFile(
                f"{self.source}: only edited copies, such as {copy.found} ({copy.detail}); "
                "get the published ones with `fastnav data fetch`, or take these with `--accept-edited`"
            )
        raise MissingFile(
            self.source, "holds no known data file", "name the folder or archive that holds them"
        )


def import_from(
    source: Path,
    data_dir: Path,
    groups: Iterable[str] | None = None,
    *,
    accept_edited: bool = False,
    manifest: Manifest | None = None,
) -> ImportReport:
    """Copy the known files found in `source` to their places in `data_dir`, each whole or not at all.

    A file is known by its digest, whatever its name; one of the right name but another digest is an edited
    copy, which is refused unless `accept_edited`. Files that are whole already are left alone.
    """
    refuse_procedural(data_dir)
    chosen = (manifest or published()).select(groups)
    intake = _Intake(data_dir, chosen)
    for entry in entries(source):
        intake.take(entry)
    intake.take_bundles()
    if accept_edited:
        intake.accept_edited(source)
    return ImportReport(
        source=source,
        imported=tuple(intake.imported),
        already=tuple(intake.already),
        edited=tuple(candidate.copy for candidate in intake.edited.values()),
        missing=tuple(path for path in (*intake.files, *intake.bundles) if path not in intake.edited),
        accepted=accept_edited,
    )


@dataclass(frozen=True)
class _Candidate:
    """An edited copy, with what to write if it is accepted: the bytes of a file or a bundle's members."""

    copy: EditedCopy
    content: bytes | dict[str, bytes]


class _Intake:
    """What is still wanted while a source is gone through, and what was found so far."""

    def __init__(self, data_dir: Path, groups: tuple[Group, ...]) -> None:
        self.data_dir = data_dir
        self.files: dict[str, SourceFile] = {}
        self.bundles: dict[str, Bundle] = {}
        self.already: list[str] = []
        self.imported: list[str] = []
        self.edited: dict[str, _Candidate] = {}
        self._folders: dict[str, tuple[str, ...]] = {}
        # By bundle and the place where they lie: two copies of one bundle must not be mixed.
        self._members: dict[tuple[str, str], dict[str, bytes]] = {}
        for group in groups:
            self._want(group)
        self._sizes = {file.size for file in self.files.values()}
        self._names = {file.name for file in self.files.values()}

    def take(self, entry: Entry) -> None:
        """Import `entry` if it is a file that is wanted."""
        for path, bundle in self.bundles.items():
            if is_member(bundle, entry):
                place = entry.name.removesuffix(entry.base)
                self._members.setdefault((path, place), {})[entry.base] = entry.read()
                return
            if entry.base == bundle.name and entry.size <= _LARGEST:
                inside = entries_of(entry.read(), Path(entry.name))
                self._members[path, entry.name] = read_members(bundle, inside)
                return
        if entry.size in self._sizes or (entry.base in self._names and entry.size <= _LARGEST):
            self._take_file(entry)

    def take_bundles(self) -> None:
        """Import the bundles whose members came in whole; call once after the last entry."""
        # The fullest copy is the one to speak of if none is whole.
        for (path, place), members in sorted(self._members.items(), key=lambda item: len(item[1])):
            bundle = self.bundles.get(path)
            if bundle is None:
                continue
            if is_whole(bundle, members):
                self._write_bundle(bundle, members)
                self._done(path)
                del self.bundles[path]
            elif members:
                copy = EditedCopy(path, place, f"{len(members)} files, published are {bundle.count}")
                self.edited[path] = _Candidate(copy, members)

    def accept_edited(self, source: Path) -> None:
        """Write the edited copies of what was found in no better form."""
        for path, candidate in self.edited.items():
            if isinstance(candidate.content, bytes):
                if path.endswith(".json"):  # edited is one thing, broken another
                    parse_json(candidate.content, source / candidate.copy.found)
                write_bytes(self.data_dir / path, candidate.content)
            else:
                self._write_bundle(self.bundles[path], candidate.content)

    def _want(self, group: Group) -> None:
        for file in group.files:
            if state_of(self.data_dir, file).state is State.WHOLE:
                self.already.append(file.path)
            else:
                self.files[file.path] = file
                self._folders[file.path] = group.folders
        if group.bundle is not None:
            if state_of_bundle(self.data_dir, group.bundle, group.cost).state is State.WHOLE:
                self.already.append(group.bundle.path)
            else:
                self.bundles[group.bundle.path] = group.bundle

    def _take_file(self, entry: Entry) -> None:
        content = entry.read()
        found = hashlib.sha256(content).hexdigest()
        path = next((path for path, file in self.files.items() if file.sha256 == found), None)
        if path is not None:
            write_bytes(self.data_dir / path, content)
            self._done(path)
            del self.files[path]
            return
        for path, file in self.files.items():
            if file.name == entry.base and self._is_its_folder(path, entry.folder):
                self.edited[path] = _Candidate(
                    EditedCopy(path, entry.name, difference(file, content)), content
                )

    def _is_its_folder(self, path: str, folder: str) -> bool:
        """Whether a bare name such as `17DRP5sb8fy.json` means that file in this folder."""
        known = self._folders[path]
        return not known or not folder or folder in known

    def _done(self, path: str) -> None:
        self.imported.append(path)
        self.edited.pop(path, None)

    def _write_bundle(self, bundle: Bundle, members: dict[str, bytes]) -> None:
        refuse_shadowed(bundle, self.data_dir)
        write_packed(self.data_dir / bundle.path, members)
