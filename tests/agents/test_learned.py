"""What learned agents are given to read."""

from fastnav.agents.learned import tokenised
from fastnav.data.vocabulary import END, UNKNOWN
from tests.agents.small import VOCABULARY


def test_tokens() -> None:
    """Words, an end mark, padding; what is too long loses its last words, and unknown words are one."""
    tokens = tokenised(VOCABULARY, ["Stop.", "Walk to the zebra and stop."], longest=5)
    rows = [[VOCABULARY.words[number] for number in row] for row in tokens.tolist()]
    assert rows == [["stop", ".", END, "<PAD>", "<PAD>"], ["walk", "to", "the", UNKNOWN, END]]
