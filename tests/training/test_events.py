"""Event files, read back by a reader of their own."""

import struct

from fastnav.training.events import crc32c, event_file

ROWS = [
    {"iteration": 300, "train": {"loss": 0.5}, "dev_unseen": {"SR": 0.25, "loss": 1.5}},
    {"iteration": 70000, "train": {"loss": 0.25}, "dev_unseen": {"SR": 0.5, "loss": 1.0}},
]


def fields(message: bytes) -> list[tuple[int, bytes | int]]:
    """The fields of a protocol buffer by number: plain bytes, or a whole number."""
    found: list[tuple[int, bytes | int]] = []
    at = 0

    def whole() -> int:
        nonlocal at
        value = shift = 0
        while True:
            byte = message[at]
            at, value, shift = at + 1, value | (byte & 0x7F) << shift, shift + 7
            if byte < 0x80:
                return value

    while at < len(message):
        number, kind = divmod(whole(), 8)
        if kind == 0:
            found.append((number, whole()))
            continue
        size = {1: 8, 5: 4}.get(kind) or whole()
        found.append((number, message[at : at + size]))
        at += size
    return found


def records(content: bytes) -> list[bytes]:
    """The records of a file, lengths and both checksums checked."""
    found = []
    while content:
        (length,), record = struct.unpack("<Q", content[:8]), content[12:]
        for part, sum_ in ((content[:8], content[8:12]), (record[:length], record[length : length + 4])):
            crc = (struct.unpack("<I", sum_)[0] - 0xA282EAD8) % 2**32
            assert (crc << 15 | crc >> 17) % 2**32 == crc32c(part)
        found.append(record[:length])
        content = record[length + 4 :]
    return found


def test_the_checksum() -> None:
    """The known answer of CRC-32C."""
    assert crc32c(b"123456789") == 0xE3069283


def test_every_figure_is_there_once() -> None:
    """A header, and then for each examination its step and the value of each curve."""
    header, *events = (dict(fields(record)) for record in records(event_file(ROWS)))
    assert header[3] == b"brain.Event:2"
    told = []
    for event in events:
        assert isinstance(event[5], bytes) and event[1] == struct.pack("<d", event[2])
        for _, value in fields(event[5]):
            assert isinstance(value, bytes)
            tag, figure = (content for _, content in fields(value))
            assert isinstance(tag, bytes) and isinstance(figure, bytes)
            told.append((event[2], tag.decode(), struct.unpack("<f", figure)[0]))
    assert told == [
        (300, "loss/train", 0.5),
        (300, "SR/dev_unseen", 0.25),
        (300, "loss/dev_unseen", 1.5),
        (70000, "loss/train", 0.25),
        (70000, "SR/dev_unseen", 0.5),
        (70000, "loss/dev_unseen", 1.0),
    ]


def test_a_longer_training_goes_on_in_the_same_file() -> None:
    """What was written before stays as it was, so that whoever reads along goes on reading."""
    assert event_file(ROWS).startswith(event_file(ROWS[:1]))
