"""Sentences -> words -> numbers, by the rules of the published agents."""

import re
import string
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fastnav.data.vocabulary import BEGIN, END, PAD, SPECIAL_WORDS, UNKNOWN, Vocabulary, tokenise
from fastnav.errors import MalformedFile


@pytest.mark.parametrize(
    ("sentence", "tokens"),
    [
        ("Cross the HALL, then wait.", ["cross", "the", "hall", ",", "then", "wait", "."]),
        ("Halt!?", ["halt", "!", "?"]),
        ("Go on... and on..", ["go", "on", "...", "and", "on", ".."]),
        ("yes.,no", ["yes", ".", ",", "no"]),
        ('the "red" door', ["the", '"', "red", '"', "door"]),
        ("it's 90-degrees", ["it", "'", "s", "90", "-", "degrees"]),
        ("room_12 (east)", ["room_12", "(", "east", ")"]),
        ("a -- b", ["a", "-", "-", "b"]),
        ("left. . right", ["left", ". .", "right"]),  # marks apart stay together, as published
        ("  spaced \t out \n", ["spaced", "out"]),
        ("über den Steg", ["über", "den", "steg"]),
        ("5 → 6", ["5", "→", "6"]),
        ("", []),
        ("   ", []),
        ("?", ["?"]),
    ],
)
def test_sentences_and_their_tokens(sentence: str, tokens: list[str]) -> None:
    assert tokenise(sentence) == tokens


def slowly(sentence: str) -> list[str]:
    """The rules letter by letter, for plain letters: group, strip, lower, part groups of marks."""
    groups: list[str] = []
    for letter in " ".join(sentence.split()):
        in_word = letter.isalnum() or letter == "_"
        same = groups and (groups[-1][-1].isalnum() or groups[-1][-1] == "_") == in_word
        groups = [*groups[:-1], groups[-1] + letter] if same else [*groups, letter]
    tokens: list[str] = []
    for group in groups:
        word = group.strip().lower()
        only_marks = bool(word) and all(letter in string.punctuation for letter in word)
        if only_marks and word.strip("."):
            tokens += list(word)
        elif word:
            tokens.append(word)
    return tokens


@given(st.text(string.ascii_letters + string.digits + string.punctuation + " \t\n", max_size=30))
def test_tokens_are_those_of_the_slow_rules(sentence: str) -> None:
    assert tokenise(sentence) == slowly(sentence)


@given(st.text(max_size=30))
def test_no_token_is_empty_or_would_break_a_line(sentence: str) -> None:
    for token in tokenise(sentence):
        assert token
        assert token == token.strip()
        assert len(token.splitlines()) == 1


SENTENCES = ["Walk to the arch.", "Walk, walk!", "The arch is red."]


def test_words_are_numbered_commonest_first_and_then_by_spelling() -> None:
    vocabulary = Vocabulary.build(SENTENCES, least_count=2)
    assert vocabulary.words == (PAD, UNKNOWN, END, BEGIN, "walk", ".", "arch", "the")
    assert len(vocabulary) == 8


def test_a_word_enters_at_its_fifth_time() -> None:
    vocabulary = Vocabulary.build(["often seldom"] * 4 + ["often"])
    assert vocabulary.words == (*SPECIAL_WORDS, "often")


def test_encoding_and_decoding() -> None:
    vocabulary = Vocabulary.build(SENTENCES, least_count=2)
    assert vocabulary.encode("Walk the plank.") == [4, 7, 1, 5]
    assert vocabulary.decode([3, 4, 7, 6, 2, 5, 0]) == "walk the arch"
    assert vocabulary.decode([]) == ""


def test_special_words_in_a_sentence_are_plain_text() -> None:
    vocabulary = Vocabulary.build(["<EOS> <PAD>"] * 5)
    assert not {0, 2} & set(vocabulary.encode("<EOS> <PAD>"))


@given(st.lists(st.text(max_size=20), max_size=5))
def test_a_saved_vocabulary_comes_back(
    tmp_path_factory: pytest.TempPathFactory, sentences: list[str]
) -> None:
    path = tmp_path_factory.getbasetemp() / "words.txt"
    vocabulary = Vocabulary.build(sentences, least_count=1)
    vocabulary.save(path)
    assert Vocabulary.load(path) == vocabulary
    for sentence in sentences:
        known = [number for number in vocabulary.encode(sentence) if number != 1]
        assert len(known) == len(tokenise(sentence))


@pytest.mark.parametrize(
    ("lines", "problem"),
    [
        ([], "not a fastnav word list; its first lines must be <PAD> <UNK> <EOS> <BOS>"),
        (["<PAD>", "<UNK>", "<EOS>", "the"], "not a fastnav word list"),
        ([*SPECIAL_WORDS, "a", "b", "a"], "a word is listed twice; build the vocabulary again"),
    ],
)
def test_a_wrong_word_list_is_told(tmp_path: Path, lines: list[str], problem: str) -> None:
    path = tmp_path / "words.txt"
    path.write_text("".join(f"{line}\n" for line in lines))
    with pytest.raises(MalformedFile, match=re.escape(problem)):
        Vocabulary.load(path)
