"""`fastnav data fetch`: what is not whole yet, from its public sources or a mirror, verified by digest."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

from fastnav.data.sources.bundle import refuse_shadowed
from fastnav.data.sources.download import ADVICE, mirror_url
from fastnav.data.sources.importing import ImportReport, import_from
from fastnav.data.sources.manifest import Archive, Group, Manifest, published
from fastnav.data.sources.options import FetchOptions, Link, Progress
from fastnav.data.sources.pool import download_all
from fastnav.data.sources.procedural import refuse_procedural
from fastnav.data.sources.state import State, state_of, state_of_bundle
from fastnav.data.sources.transfer import Download
from fastnav.errors import EditedFile, FastnavError, FetchError, MalformedFile, OutputError

#: How many failures are told in full when there are several.
_TOLD = 3


@dataclass(frozen=True)
class FetchReport:
    """What a fetch brought, and what was whole before."""

    data_dir: Path
    fetched: tuple[str, ...]
    already: tuple[str, ...]

    def lines(self) -> list[str]:
        """The report as text."""
        return [f"{self.data_dir}: {len(self.fetched)} fetched, {len(self.already)} already whole"]


def fetch(
    data_dir: Path,
    groups: Iterable[str] | None = None,
    *,
    mirror: str | None = None,
    progress: Progress | None = None,
    options: FetchOptions | None = None,
    manifest: Manifest | None = None,
) -> FetchReport:
    """Download every file of `groups` that is not whole in `data_dir`; with `mirror`, from there alone.

    Files that arrive whole stay, even if others fail; the failures are raised together at the end.
    Broken-off downloads lie in `.part` files, which the next call continues.
    """
    refuse_procedural(data_dir)
    manifest = manifest or published()
    run = _Run(data_dir, manifest, mirror, Link(options or FetchOptions(), progress))
    for group in manifest.select(groups):
        run.fetch(group)
    run.raise_failures()
    return FetchReport(data_dir, tuple(run.fetched), tuple(run.already))


@dataclass
class _Run:
    """One fetch: the groups in turn, the files of a group side by side."""

    data_dir: Path
    manifest: Manifest
    mirror: str | None
    link: Link
    fetched: list[str] = field(default_factory=list)
    already: list[str] = field(default_factory=list)
    failures: list[FastnavError] = field(default_factory=list)

    def fetch(self, group: Group) -> None:
        """Get what the group lacks, file by file where files have URLs, and the rest from its archive."""
        pending = self._pending(group)
        expected = [file.path for file in group.files] + ([group.bundle.path] if group.bundle else [])
        self.already += [path for path in expected if path not in pending]
        failures = download_all(self._items(group, pending), self.link)
        left = self._pending(group) if pending else []
        archive = self._archive(group, left)
        if archive is not None:
            late = self._from_archive(group, archive)
            failures = failures + late if late else []  # it may have made good what failed before
            left = self._pending(group)
        self.fetched += [path for path in pending if path not in left]
        self.failures += failures

    def raise_failures(self) -> None:
        """Raise what went wrong, if anything did."""
        if len(self.failures) == 1:
            raise self.failures[0]
        if self.failures:
            told = [str(failure) for failure in self.failures[:_TOLD]]
            if len(self.failures) > _TOLD:
                told.append(f"and {len(self.failures) - _TOLD} more failures")
            kinds = {type(failure) for failure in self.failures}
            raise (EditedFile if kinds == {EditedFile} else FetchError)("\n".join(told))

    def _pending(self, group: Group) -> list[str]:
        states = [state_of(self.data_dir, file) for file in group.files]
        pending = [state.path for state in states if state.state is not State.WHOLE]
        bundle = group.bundle
        if bundle and state_of_bundle(self.data_dir, bundle, group.cost).state is not State.WHOLE:
            pending.append(bundle.path)
        return pending

    def _items(self, group: Group, pending: list[str]) -> list[Download]:
        items = []
        for file in group.files:
            urls = file.urls if self.mirror is None else (mirror_url(self.mirror, file.path),)
            if file.path in pending and urls:
                items.append(Download(file.path, self.data_dir / file.path, urls, file.size, file.sha256))
        return items

    def _archive(self, group: Group, left: list[str]) -> Archive | None:
        """The archive to take the rest from: the group's own, or a bundle as it lies on the mirror."""
        bundle = group.bundle
        if self.mirror is None:
            return group.archive if left else None
        if bundle is None or bundle.path not in left:
            return None
        return Archive(bundle.path, (mirror_url(self.mirror, bundle.path),))

    def _from_archive(self, group: Group, archive: Archive) -> list[FastnavError]:
        """Download an archive, take the group's files out of it, and remove it again."""
        place = self.data_dir / f"{archive.path}.download"
        try:
            if group.bundle is not None:
                refuse_shadowed(group.bundle, self.data_dir)
        except OutputError as error:
            return [error]
        failures = download_all([Download(archive.path, place, archive.urls)], self.link)
        if failures:
            return failures
        try:
            report = import_from(place, self.data_dir, [group.name], manifest=self.manifest)
        except MalformedFile as error:
            return [
                FetchError(f"{archive.path}: from {' or '.join(archive.urls)}: {error.problem}; {ADVICE}")
            ]
        finally:
            place.unlink(missing_ok=True)
        return _shortcomings(report, archive)


def _shortcomings(report: ImportReport, archive: Archive) -> list[FastnavError]:
    """What a downloaded archive should have held but did not."""
    source = " or ".join(archive.urls)
    failures: list[FastnavError] = [
        EditedFile(f"{copy.path}: {source} holds an edited copy ({copy.detail}); {ADVICE}")
        for copy in report.edited
    ]
    if report.missing:
        paths = ", ".join(report.missing[:5]) + (" ..." if len(report.missing) > 5 else "")
        failures.append(FetchError(f"{source}: does not hold {paths}; {ADVICE}"))
    return failures
