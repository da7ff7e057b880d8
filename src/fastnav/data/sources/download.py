"""One file: tried at each URL, retried, verified, and only then given its name."""

import hashlib
from urllib.parse import urlsplit

from fastnav.data.files import is_there, output_error, read_bytes
from fastnav.data.sources.options import Link
from fastnav.data.sources.transfer import Cut, Download, Refused, transfer
from fastnav.errors import EditedFile, FastnavError, FetchError, UsageError

ADVICE = "try `--mirror URL`, or `fastnav data import` from a copy that you have"


class Unreachable(FetchError):
    """No server sent anything: the next file would fare the same."""


class _Wrong(Exception):
    """The server sends another file than the published one."""


def download(item: Download, link: Link) -> None:
    """Get `item` from the first of its URLs that serves the published bytes."""
    outcomes: list[tuple[str, Exception]] = []
    for url in item.urls:
        try:
            _from_url(item, url, link)
        except (Cut, Refused, _Wrong) as problem:
            outcomes.append((url, problem))
        else:
            return
    raise _failure(item, outcomes)


def _from_url(item: Download, url: str, link: Link) -> None:
    problem: Exception = Cut("not tried")
    for attempt in range(link.options.retries + 1):
        if attempt:
            link.pause(attempt)
        if link.stop.is_set():
            raise Cut("stopped")
        try:
            resumed = transfer(item, url, link)
        except Cut as cut:
            problem = cut
            continue
        wrong = _difference(item)
        if wrong is None:
            _finish(item)
            return
        item.discard()
        if not resumed:
            raise _Wrong(wrong)
        # The kept bytes may have been at fault, not the server: once more from the start.
        problem = Cut(f"the bytes kept from an earlier run did not fit; {wrong}")
    raise problem


def _difference(item: Download) -> str | None:
    """How the bytes that came differ from the published ones."""
    if item.sha256 is None:
        return None
    content = read_bytes(item.part)
    found = hashlib.sha256(content).hexdigest()
    if found == item.sha256:
        return None
    page = " (it looks like a web page)" if content.lstrip()[:1] == b"<" else ""
    return f"expected {item.size} bytes with sha256 {item.sha256}, found {len(content)} with {found}{page}"


def _finish(item: Download) -> None:
    try:
        item.part.replace(item.target)
    except OSError as error:
        raise output_error(item.target, error) from None
    item.discard()


def _failure(item: Download, outcomes: list[tuple[str, Exception]]) -> FastnavError:
    tried = "; ".join(f"{url}: {problem}" for url, problem in outcomes) or "no source is known"
    message = f"{item.name}: cannot be fetched: {tried}; {ADVICE}"
    problems = [problem for _, problem in outcomes]
    if any(isinstance(problem, _Wrong) for problem in problems):
        return EditedFile(message)
    if any(isinstance(problem, Cut) for problem in problems):
        # Bytes that came tell that a server is there, though it broke off every time.
        kind = FetchError if is_there(item.part) else Unreachable
        return kind(f"{message}; running the same again continues where this ended")
    return FetchError(message)


def mirror_url(mirror: str, path: str) -> str:
    """The URL of a data directory's file under the base URL of a mirror."""
    try:
        parts = urlsplit(mirror)
    except ValueError:
        parts = urlsplit("")
    if parts.scheme not in {"http", "https", "file"} or (parts.scheme != "file" and not parts.netloc):
        raise UsageError(
            f"--mirror {mirror!r}: not a web address; it starts with https://, http:// or file://"
        )
    return f"{mirror.rstrip('/')}/{path}"
