"""Command lines that cannot be meant: odd values, missing words, unknown options."""

import random
from collections.abc import Callable, Sequence

#: What one may type by mistake or on purpose in place of a value. None leads out of the tree.
ODD: tuple[str, ...] = (
    *(
        "",
        " ",
        "\0",
        "a\0b",
        "a" * 300,
        "a" * 5_000,
        "[/bold]",
        "[red]x[/y]",
        "\x1b[2J\x1b[31m",
        "\U0001f9ed",
    ),
    *(
        "\udcff",
        "line\nbreak",
        "-1",
        "-0",
        "1e3",
        "0x10",
        "\uff11\uff12",
        "9" * 5_000,
        str(2**31),
        "1_0",
        "+5",
    ),
    *("none", "data", "results", "out", "results/run.json", "data/houses.json", ".", "./", "~", "-", "--"),
    *(
        "val_unsen",
        "VAL_UNSEEN",
        "train,test",
        "bulding",
        "path ",
        "smal",
        "huge",
        "rendom",
        "{}",
        "%s",
        "$HOME",
    ),
    *("*", "out/*.json", "nowhere/x/y.json", "results/run.json/x", "data/r2r/R2R_val_unseen.json", "e\u0301"),
)
UNKNOWN = (
    "--splits",
    "--outt",
    "-x",
    "--[/bold]",
    "--=",
    "-",
    "---",
    "--\x1b[2J",
    "--\udcff",
    "--seed=",
    "-vvv",
)
MIRRORS = (
    *("", "mirror", "ftp://127.0.0.1/x", "http://", "https://", "http://[::1", "http://[/bold]", "file://"),
    *(
        "file:///nowhere",
        "file://{root}/nowhere",
        "file://127.0.0.1/etc",
        "file://{root}/data",
        "file:mirror",
    ),
    *("http://127.0.0.1:1", "http://127.0.0.1:0/x", "http://127.0.0.1:99999/x", "http://127.0.0.1:port/x"),
    *(
        "http://a..b/x",
        "http://" + "a" * 300 + "/x",
        "http://127.0.0.1:1/\u00fc\U0001f9ed",
        "http://127.0.0.1:1/a b",
    ),
    *(
        "http://127.0.0.1:1/\0",
        "http://127.0.0.1:1/\n",
        "http://127.0.0.1:1/\udcff",
        "http://user:pass@127.0.0.1:1",
    ),
    *("HTTP://127.0.0.1:1/", "http:127.0.0.1:1", "//127.0.0.1:1/", "http://127.0.0.1:1/?q#f", "javascript:1"),
    *(
        "http://%zz/x",
        "file://{root}/mirror/%zz",
        "file:///\0",
        "file://{root}/mirror\udcff",
        "http://\u2100/x",
    ),
)


def spoil_options(rng: random.Random, argv: Sequence[str]) -> tuple[str, tuple[str, ...], tuple[str, ...]]:
    """What was done, the command line after it, and the words of which a message should hold one."""
    name, change = rng.choice(_CHANGES)
    changed, words = change(rng, list(argv))
    return name, tuple(changed), tuple(words)


Spoilt = tuple[list[str], list[str]]


def _values(argv: Sequence[str]) -> list[int]:
    """Where values stand: behind options, and positional ones."""
    return [k for k, word in enumerate(argv) if k > 0 and not word.startswith("-")] or [0]


def _odd(rng: random.Random, option: str) -> str:
    """An odd value; no training so long or so large that it would be right, and never end."""
    large = option in ("--iterations", "--batch", "--seeds")
    return rng.choice([odd for odd in ODD if not (large and odd == str(2**31))])


def _option_of(argv: Sequence[str], place: int) -> str:
    return argv[place - 1] if argv[place - 1].startswith("--") else argv[place]


def _odd_value(rng: random.Random, argv: list[str]) -> Spoilt:
    place = rng.choice(_values(argv))
    option = _option_of(argv, place)
    before, argv[place] = argv[place], rng.choice((_odd(rng, option),) * 9 + (_near(rng, argv[place]),))
    return argv, [option, argv[place], before]


def _near(rng: random.Random, word: str) -> str:
    k = rng.randrange(len(word))
    return rng.choice(
        (word[:k] + word[k + 1 :], word[:k] + "x" + word[k:], word[:k] + word[k].upper() + word[k + 1 :])
    )


def _near_value(rng: random.Random, argv: list[str]) -> Spoilt:
    place = rng.choice(_values(argv))
    option = _option_of(argv, place)
    before, argv[place] = argv[place], _near(rng, argv[place])
    return argv, [option, argv[place], before]


def _misspelt_command(rng: random.Random, argv: list[str]) -> Spoilt:
    argv[0] = rng.choice((_near(rng, argv[0]), rng.choice(ODD)))
    return argv, [argv[0], "Missing command", "command"]


def _lost_word(rng: random.Random, argv: list[str]) -> Spoilt:
    lost = argv.pop(rng.randrange(len(argv)))
    return argv, [lost, "Missing", "requires an argument", "--", *argv]


def _unknown_option(rng: random.Random, argv: list[str]) -> Spoilt:
    option = rng.choice(UNKNOWN)
    argv.insert(rng.randrange(1, len(argv) + 1), option)
    return argv, [option, option[:2], "unexpected", "Missing", "requires an argument", *argv]


def _twice(rng: random.Random, argv: list[str]) -> Spoilt:
    place = rng.choice(_values(argv))
    option = _option_of(argv, place)
    if option.startswith("--"):
        argv += [option, rng.choice((argv[place], _odd(rng, option)))]
        return argv, [option, argv[-1]]
    argv.append(argv[place])
    return argv, [argv[-1], "unexpected"]


def _extra_word(rng: random.Random, argv: list[str]) -> Spoilt:
    word = rng.choice(ODD)
    argv.insert(rng.randrange(1, len(argv) + 1), word)
    return argv, [word, "unexpected", "Missing", *argv]


def _odd_seed(rng: random.Random, argv: list[str]) -> Spoilt:
    seed = rng.choice(ODD)
    if argv[0] == "navigate":
        return [*argv, "--seed", seed], ["--seed", seed]
    return ["data", "houses", "--out", "data", "--seed", seed], ["--seed", seed, "data"]


def _odd_size(rng: random.Random, argv: list[str]) -> Spoilt:
    # Never a right one: building takes too long for one case among thousands.
    size = rng.choice([odd for odd in ODD if odd not in ("small", "full")])
    return ["data", "houses", "--out", rng.choice(("out/houses", "data", "")), "--size", size], [size, "size"]


def _odd_mirror(rng: random.Random, argv: list[str]) -> Spoilt:
    mirror = rng.choice(MIRRORS)
    groups = rng.choice((["r2r"], ["objects"], ["connectivity"], ["nogroup"], ["[/bold]"]))
    return ["data", "fetch", *groups, "--data", "target", "--mirror", mirror], ["--mirror", mirror, *groups]


_CHANGES: tuple[tuple[str, Callable[[random.Random, list[str]], Spoilt]], ...] = (
    ("odd value", _odd_value),
    ("odd value", _odd_value),
    ("odd value", _odd_value),
    ("near miss", _near_value),
    ("misspelt command", _misspelt_command),
    ("lost word", _lost_word),
    ("unknown option", _unknown_option),
    ("option twice", _twice),
    ("extra word", _extra_word),
    ("odd seed", _odd_seed),
    ("odd size", _odd_size),
    ("odd mirror", _odd_mirror),
    ("odd mirror", _odd_mirror),
)
