"""Spoilt contents: bytes of any file, and the structure and values of JSON."""

import copy
import gzip
import json
import random
from collections.abc import Callable
from typing import Any

#: Marks text that goes into the JSON as it is, without quotes: what `json.dumps` would never write.
RAW = "\x00raw:"

NUMBERS: tuple[Any, ...] = (
    *(RAW + text for text in ("NaN", "Infinity", "-Infinity", "1e999", "-1e999", "1e-400", "9" * 10_000)),
    *(RAW + "1" + "0" * 300, 1e308, -1e308, 1e300, 1e13, 10**15, 2**31, 2**63, 2**64, 5e-324, 1e-200),
    *(-1, 0, -0.0, 0.5, 36, 1_000_000_000_000),
)
HOSTILE: tuple[str, ...] = (
    *("[/bold]", "[red]x[/nothing]", "\x1b[2J\x1b[31m", "\x07\r\x08", "line\nbreak", "\u202eright to left"),
    *(
        "\U0001f9ed\U0001f3e0",
        "\u0301\u200b",
        "a" * 5_000,
        "a\0b",
        "\ud800",
        "../../etc/passwd",
        "/",
        ".",
        "",
    ),
    *("%s{0}{}", "-1", "NaN", "S\0", "  ", "\uff11", "nobody", "seenhouse01", "testhouse01", "con", "\\"),
)
OTHERS: tuple[Any, ...] = (None, True, False, 0, -1, 1.5, "", "x", [], [[]], {}, {"x": 1}, [None], [1, 2])


def spoil_bytes(rng: random.Random, content: bytes) -> tuple[str, bytes]:
    """What was done, and the bytes after it."""
    name, change = rng.choice(_BYTES)
    return name, change(rng, content)


def spoil_json(rng: random.Random, content: bytes) -> tuple[str, bytes]:
    """A node of the document is replaced, repeated or lost."""
    holder = [json.loads(content)]
    what = ""
    for _ in range(rng.choice((1, 1, 1, 1, 2, 3))):
        spots = list(_spots(rng, holder))
        parent, key = rng.choice(spots)
        name, change = rng.choice(_NODES)
        what += f"{name} at {str(key)[:20]!r} "
        change(rng, parent, key)
        if not holder:
            break
    return what.strip(), dump(holder[0] if holder else None)


def spoil_value(rng: random.Random, content: bytes) -> tuple[str, bytes]:
    """One number or text of the document becomes a hostile one."""
    holder = [json.loads(content)]
    spots = [(parent, key) for parent, key in _spots(rng, holder) if not isinstance(parent[key], list | dict)]
    parent, key = rng.choice(spots)
    number = isinstance(parent[key], int | float) and rng.random() < 0.8
    parent[key] = rng.choice(NUMBERS if number else HOSTILE)
    return f"{str(key)[:20]!r} is {str(parent[key])[:20]!r}", dump(holder[0])


def dump(value: Any) -> bytes:
    """JSON with raw pieces in it; a dictionary's keys may be there twice."""
    text = json.dumps(value)
    parts = text.split(json.dumps(RAW)[:-1])
    pieces = (part.partition('"') for part in parts[1:])
    return (parts[0] + "".join(raw + rest for raw, _, rest in pieces)).replace(TWICE, "").encode()


#: Behind a key that is to be there twice.
TWICE = "#twice#"


def _spots(rng: random.Random, holder: list[Any]) -> list[tuple[Any, Any]]:
    """Some places (container, key), as many of the outer levels as of the many inner ones."""
    levels: list[list[tuple[Any, Any]]] = []
    level: list[tuple[Any, Any]] = [(holder, 0)]
    while level:
        levels.append(level)
        inner = []
        for parent, key in level:
            value = parent[key]
            if isinstance(value, dict | list):
                inner += [(value, each) for each in (value if isinstance(value, dict) else range(len(value)))]
        level = inner
    chosen = rng.choice(levels)
    if all(isinstance(parent[key], list | dict) for parent, key in chosen):
        return [*chosen, *levels[-1]]
    return chosen


def _replace(rng: random.Random, parent: Any, key: Any) -> None:
    parent[key] = copy.deepcopy(rng.choice((*OTHERS, rng.choice(NUMBERS), rng.choice(HOSTILE))))


def _delete(rng: random.Random, parent: Any, key: Any) -> None:
    del parent[key]


def _repeat(rng: random.Random, parent: Any, key: Any) -> None:
    if isinstance(parent, list):
        parent.insert(rng.randrange(len(parent) + 1), copy.deepcopy(parent[key]))
    else:
        parent[f"{key}{TWICE}"] = rng.choice((copy.deepcopy(parent[key]), None, "other"))


def _empty(rng: random.Random, parent: Any, key: Any) -> None:
    value = parent[key]
    parent[key] = type(value)() if value is not None else []


def _swap(rng: random.Random, parent: Any, key: Any) -> None:
    keys = list(parent) if isinstance(parent, dict) else list(range(len(parent)))
    other = rng.choice(keys)
    parent[key], parent[other] = parent[other], parent[key]


def _wrap(rng: random.Random, parent: Any, key: Any) -> None:
    value = parent[key]
    for _ in range(rng.choice((1, 2, 50, 250))):
        value = [value]
    parent[key] = rng.choice((value, {"value": parent[key]}))


def _rename(rng: random.Random, parent: Any, key: Any) -> None:
    if isinstance(parent, dict):
        parent[rng.choice((*HOSTILE[:-8], f"{key} ", str(key).upper()))] = parent.pop(key)
    else:
        parent.reverse()


_NODES: tuple[tuple[str, Callable[[random.Random, Any, Any], None]], ...] = (
    ("another type", _replace),
    ("another type", _replace),
    ("deleted", _delete),
    ("repeated", _repeat),
    ("emptied", _empty),
    ("swapped", _swap),
    ("wrapped", _wrap),
    ("renamed", _rename),
)


def _flip(rng: random.Random, content: bytes) -> bytes:
    changed = bytearray(content or b"x")
    for _ in range(rng.choice((1, 1, 2, 20))):
        changed[rng.randrange(len(changed))] = rng.randrange(256)
    return bytes(changed)


def _inserted(piece: Callable[[random.Random], bytes]) -> Callable[[random.Random, bytes], bytes]:
    def insert(rng: random.Random, content: bytes) -> bytes:
        place = rng.choice((0, len(content), rng.randrange(len(content) + 1)))
        return content[:place] + piece(rng) + content[place:]

    return insert


def _cut(rng: random.Random, content: bytes) -> bytes:
    return content[
        : rng.choice((1, rng.randrange(len(content) + 1), max(0, len(content) - rng.randrange(4))))
    ]


def _nested(rng: random.Random) -> bytes:
    depth = rng.choice((500, 900, 950, 980, 990, 5_000, 100_000))
    return rng.choice((b"[" * depth, b"[" * depth + b"]" * depth, b'{"a":' * depth + b"1" + b"}" * depth))


_BYTES: tuple[tuple[str, Callable[[random.Random, bytes], bytes]], ...] = (
    ("truncated", _cut),
    ("truncated", _cut),
    ("bytes changed", _flip),
    ("bytes changed", _flip),
    ("random bytes", lambda rng, _: rng.randbytes(rng.choice((1, 100, 5000)))),
    ("empty", lambda rng, _: b""),
    ("blank", lambda rng, _: rng.choice((b" ", b"\n\n", b"\xef\xbb\xbf"))),
    ("not UTF-8", _inserted(lambda rng: rng.choice((b"\xff", b"\xc3(", b"\xed\xa0\x80", b"\xe9")))),
    ("NULs", _inserted(lambda rng: b"\0" * rng.choice((1, 4096)))),
    ("byte order mark", lambda rng, content: b"\xef\xbb\xbf" + content),
    ("UTF-16", lambda rng, content: content.decode("latin-1").encode(rng.choice(("utf-16", "utf-16-be")))),
    ("deep nesting", lambda rng, _: _nested(rng)),
    ("deep nesting", _inserted(_nested)),
    ("twice", lambda rng, content: content + content),
    ("compressed", lambda rng, content: gzip.compress(content, mtime=0)),
    (
        "a scalar",
        lambda rng, _: rng.choice((b"null", b"1", b'""', b"NaN", b"[]", b"{}", b"[[]]", b"9" * 9999)),
    ),
    ("other format", lambda rng, _: rng.choice((b"<html></html>", b"a,b\n1,2\n", b"{'a': 1}", b"%PDF-1.7"))),
    ("lines cut", lambda rng, content: content[rng.randrange(len(content) + 1) :]),
)
