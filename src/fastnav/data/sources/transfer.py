"""One request: bytes from a URL to the `.part` file beside the target, going on where the last one ended."""

import http.client
import io
import urllib.error
import urllib.request
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit
from urllib.request import url2pathname

from fastnav.data.files import is_file, output_error
from fastnav.data.sources.options import Link

_CHUNK = 1 << 16
#: A server that sends more than this beyond the published size sends something else.
_EXCESS = 1 << 20
_TEMPORARY = {408, 425, 429}
_RANGE_REFUSED = 416


class Cut(Exception):
    """The transfer broke off; trying again may help."""


class Refused(Exception):
    """The server has no such file, or does not hand it out; trying again does not help."""


@dataclass(frozen=True)
class Download:
    """One file to download from the first of `urls` that has it. Archives have no known size and digest."""

    name: str
    target: Path
    urls: tuple[str, ...]
    size: int | None = None
    sha256: str | None = None

    @property
    def part(self) -> Path:
        """Where its bytes gather until they are whole."""
        return self.target.with_name(self.target.name + ".part")

    @property
    def mark(self) -> Path:
        """Which version of which URL the gathered bytes are of."""
        return self.target.with_name(self.target.name + ".part.etag")

    def discard(self) -> None:
        """Remove the gathered bytes."""
        for path in (self.part, self.mark):
            try:
                path.unlink(missing_ok=True)
            except OSError as error:
                raise output_error(path, error) from None


def transfer(item: Download, url: str, link: Link) -> bool:
    """Get what is still missing of `item`; true if bytes of an earlier transfer were kept."""
    offset, version = _kept(item, url)
    if item.size is not None and offset == item.size:
        return True
    try:
        _refuse_what_is_no_file(url)
        request = urllib.request.Request(url, headers=_headers(offset, version))
        with urllib.request.urlopen(request, timeout=link.options.timeout) as response:
            start = offset if _continues(response, offset) else 0
            _remember(item, url, response)
            _append(item, response, start, link)
    except urllib.error.HTTPError as error:
        with error:
            raise _status(item, error.code, error.reason) from None
    except (OSError, http.client.HTTPException) as error:
        reason = getattr(error, "reason", error)
        if isinstance(reason, FileNotFoundError | IsADirectoryError):
            raise Refused("no such file") from None
        raise Cut(f"the connection failed ({reason or type(error).__name__})") from None
    except ValueError as error:  # characters that no address has
        raise Refused(f"not a usable address ({error})") from None
    return start > 0


def _refuse_what_is_no_file(url: str) -> None:
    """A mirror on disk may hold a pipe, which would be read for ever."""
    parts = urlsplit(url)
    if parts.scheme == "file" and not is_file(Path(url2pathname(parts.path))):
        raise Refused("no such file")


def _kept(item: Download, url: str) -> tuple[int, str]:
    """How many bytes an earlier transfer left, and the server's name for the version that they are of."""
    try:
        offset = item.part.stat().st_size
    except FileNotFoundError:
        return 0, ""
    except OSError as error:
        raise output_error(item.part, error) from None
    try:
        marked_url, _, version = item.mark.read_text().partition("\n")
    except (OSError, UnicodeDecodeError):
        marked_url, version = "", ""
    if marked_url != url:
        version = ""
    # Without a digest to catch a mix-up, only bytes of the very same version may be continued.
    mixed = item.sha256 is None and not version
    if mixed or (item.size is not None and offset > item.size):
        item.discard()
        return 0, ""
    return offset, version


def _headers(offset: int, version: str) -> dict[str, str]:
    headers = {"User-Agent": "fastnav", "Accept-Encoding": "identity"}
    if offset:
        headers["Range"] = f"bytes={offset}-"
        if version:
            headers["If-Range"] = version
    return headers


def _continues(response: Any, offset: int) -> bool:
    """Whether the server sends the rest; one that ignores the request sends everything anew."""
    content_range = response.headers.get("Content-Range", "")
    if getattr(response, "status", None) != http.client.PARTIAL_CONTENT:
        return False
    if not content_range.startswith(f"bytes {offset}-"):
        raise Cut(f"the server sent another part of the file than asked for ({content_range!r})")
    return True


def _remember(item: Download, url: str, response: Any) -> None:
    version = response.headers.get("ETag") or ""
    if version.startswith("W/"):  # a weak tag does not promise the same bytes
        version = ""
    try:
        item.mark.parent.mkdir(parents=True, exist_ok=True)
        item.mark.write_text(f"{url}\n{version}")
    except OSError as error:
        raise output_error(item.mark, error) from None


def _append(item: Download, response: Any, start: int, link: Link) -> None:
    declared = response.headers.get("Content-Length", "")
    end = start + int(declared) if declared.isdigit() else item.size
    done = start
    with _opened(item.part, "ab" if start else "wb") as stream:
        while chunk := response.read1(_CHUNK):  # read() would lose the last bytes before a cut
            _write(item.part, stream, chunk)
            done += len(chunk)
            link.tell(item.name, done, item.size or end)
            if link.stop.is_set():
                raise Cut("stopped")
            if item.size is not None and done > item.size + _EXCESS:
                return
    if end is not None and done < end:
        raise Cut(f"the connection was cut after {done} of {end} bytes")


def _opened(path: Path, mode: str) -> io.FileIO:
    try:
        return io.FileIO(path, mode)  # unbuffered: a kill loses nothing
    except OSError as error:
        raise output_error(path, error) from None


def _write(path: Path, stream: io.FileIO, chunk: bytes) -> None:
    """Write all of `chunk`; a failing disk is another error than a failing connection."""
    view = memoryview(chunk)
    try:
        while view:
            view = view[stream.write(view) :]
    except OSError as error:
        raise output_error(path, error) from None


def _status(item: Download, code: int, reason: str) -> Exception:
    if code == _RANGE_REFUSED:
        item.discard()
        return Cut("the server cannot continue the file; starting again")
    answer = f"the server answers {code} {reason}".rstrip()
    return Cut(answer) if code >= 500 or code in _TEMPORARY else Refused(answer)
