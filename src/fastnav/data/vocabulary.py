"""Sentences -> words -> numbers, by the rules that R2R's published agents use."""

import re
import string
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from fastnav.data.files import read_text, write_text
from fastnav.errors import MalformedFile

PAD, UNKNOWN, END, BEGIN = "<PAD>", "<UNK>", "<EOS>", "<BOS>"
#: Their order is their number.
SPECIAL_WORDS = (PAD, UNKNOWN, END, BEGIN)

#: A word enters the vocabulary when train has it this often.
LEAST_COUNT = 5

_NOT_WORD = re.compile(r"(\W+)")


def tokenise(sentence: str) -> list[str]:
    """Lower-case words and punctuation marks, each mark by itself; a run of full stops stays one token.

    Marks with a space between them stay one token too, as in the published word list. No token holds a line
    break, whatever the sentence holds.
    """
    tokens: list[str] = []
    for piece in _NOT_WORD.split(" ".join(sentence.split())):
        token = piece.strip().lower()
        if not token:
            continue
        if all(mark in string.punctuation for mark in token) and set(token) != {"."}:
            tokens.extend(token)
        else:
            tokens.append(token)
    return tokens


@dataclass(frozen=True)
class Vocabulary:
    """A word list; a word's place in it is its number."""

    words: tuple[str, ...]

    @classmethod
    def build(cls, sentences: Iterable[str], *, least_count: int = LEAST_COUNT) -> "Vocabulary":
        """The special words, then all words seen `least_count` times, commonest first (ties by spelling)."""
        counts = Counter(token for sentence in sentences for token in tokenise(sentence))
        common = sorted((-count, word) for word, count in counts.items() if count >= least_count)
        return cls(SPECIAL_WORDS + tuple(word for _, word in common))

    @classmethod
    def load(cls, path: Path) -> "Vocabulary":
        """Read a word list, one word a line."""
        words = tuple(read_text(path).removesuffix("\n").split("\n"))
        if words[: len(SPECIAL_WORDS)] != SPECIAL_WORDS:
            first = " ".join(SPECIAL_WORDS)
            raise MalformedFile(path, "not a fastnav word list", remedy=f"its first lines must be {first}")
        if len(set(words)) < len(words):
            raise MalformedFile(path, "a word is listed twice", remedy="build the vocabulary again")
        return cls(words)

    def save(self, path: Path) -> None:
        """Write the word list, one word a line."""
        write_text(path, "\n".join(self.words) + "\n")

    def encode(self, sentence: str) -> list[int]:
        """The numbers of a sentence's tokens; unknown words share one number. No end mark is added."""
        unknown = self._numbers[UNKNOWN]
        return [self._numbers.get(token, unknown) for token in tokenise(sentence)]

    def decode(self, numbers: Sequence[int]) -> str:
        """The words behind `numbers`, up to the end mark, special words left out."""
        words = [self.words[number] for number in numbers]
        if END in words:
            words = words[: words.index(END)]
        return " ".join(word for word in words if word not in SPECIAL_WORDS)

    def __len__(self) -> int:
        return len(self.words)

    @cached_property
    def _numbers(self) -> dict[str, int]:
        return {word: number for number, word in enumerate(self.words)}
