"""Archives whose bytes depend on nothing but their contents."""

import gzip
import io
import tarfile
from collections.abc import Mapping

#: Of the gzip levels, the one after which files hardly shrink.
GZIP_LEVEL = 5


def packed(folder: str, members: Mapping[str, bytes]) -> bytes:
    """A gzipped tar of one folder with these members by name: sorted, without dates or owners."""
    content = io.BytesIO()
    with (
        gzip.GzipFile(filename="", mode="wb", compresslevel=GZIP_LEVEL, fileobj=content, mtime=0) as stream,
        tarfile.open(fileobj=stream, mode="w", format=tarfile.USTAR_FORMAT) as archive,
    ):
        entry = tarfile.TarInfo(folder)
        entry.type, entry.mode = tarfile.DIRTYPE, 0o755
        archive.addfile(entry)
        for name in sorted(members):
            entry = tarfile.TarInfo(f"{folder}/{name}")
            entry.size = len(members[name])
            archive.addfile(entry, io.BytesIO(members[name]))
    return content.getvalue()
