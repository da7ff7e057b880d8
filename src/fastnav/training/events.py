"""Curves for TensorBoard: its event files, written without it.

A file is a row of records: 8 bytes of length, a checksum of these, the record, and a checksum of that. A
record is an `Event` in protocol buffers' encoding, with a step and, for each curve, a tag and a value. The
time of an event is its step in seconds, so that the same training leaves the same bytes.
"""

import struct
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

#: The polynomial of CRC-32C, bits reversed.
_POLYNOMIAL = 0x82F63B78
#: Wire types of protocol buffers.
_WHOLE, _DOUBLE, _TEXT, _FLOAT = 0, 1, 2, 5


def event_file(rows: Sequence[Mapping[str, Any]]) -> bytes:
    """An event file of the rows of a training's curves."""
    first = _field(1, _DOUBLE, struct.pack("<d", 0.0)) + _text(3, b"brain.Event:2")
    return b"".join(map(_record, (first, *map(_event, rows))))


def _event(row: Mapping[str, Any]) -> bytes:
    step = int(row["iteration"])
    values = b"".join(
        _text(1, _text(1, tag.encode()) + _field(2, _FLOAT, struct.pack("<f", value)))
        for tag, value in _curves(row)
    )
    time = _field(1, _DOUBLE, struct.pack("<d", float(step)))
    return time + _field(2, _WHOLE, _varint(step)) + _text(5, values)


def _curves(row: Mapping[str, Any]) -> Iterator[tuple[str, float]]:
    """Each figure's name, curves of one kind side by side, and its value."""
    for split, figures in row.items():
        if isinstance(figures, Mapping):
            yield from ((f"{name}/{split}", float(value)) for name, value in figures.items())


def _record(content: bytes) -> bytes:
    length = struct.pack("<Q", len(content))
    return length + _checksum(length) + content + _checksum(content)


def _checksum(content: bytes) -> bytes:
    """A masked CRC, so that a file of records may itself be a record."""
    crc = crc32c(content)
    return struct.pack("<I", ((crc >> 15 | crc << 17) + 0xA282EAD8) & 0xFFFFFFFF)


def crc32c(content: bytes) -> int:
    """The CRC with Castagnoli's polynomial, which zlib does not know."""
    crc = 0xFFFFFFFF
    for byte in content:
        crc = _TABLE[(crc ^ byte) & 0xFF] ^ crc >> 8
    return crc ^ 0xFFFFFFFF


def _entry(byte: int) -> int:
    for _ in range(8):
        byte = byte >> 1 ^ (_POLYNOMIAL if byte & 1 else 0)
    return byte


_TABLE = tuple(map(_entry, range(256)))


def _text(number: int, content: bytes) -> bytes:
    return _field(number, _TEXT, _varint(len(content)) + content)


def _field(number: int, kind: int, content: bytes) -> bytes:
    return _varint(number << 3 | kind) + content


def _varint(value: int) -> bytes:
    """Seven bits a byte, the lowest first; the high bit says that more follow."""
    low, rest = value & 0x7F, value >> 7
    return bytes([low | 0x80]) + _varint(rest) if rest else bytes([low])
