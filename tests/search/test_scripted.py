"""Agents that say what they are told to."""

import pytest
import torch

from fastnav.agents.scripted import Says, ScriptedAgent, TableAgent
from fastnav.errors import UsageError
from fastnav.search import named
from fastnav.search.loop import search
from fastnav.search.routes import walked_routes
from fastnav.world import toy
from tests.search.playground import poses, run

WORLD = toy.corridor()  # A --- B --- C --- D
GREEDY = named.greedy()


def walked(agent: ScriptedAgent, sentences: list[str]) -> list[tuple[int, ...]]:
    """Where greedy walkers go from A, one for each sentence."""
    tree = search(agent, WORLD, poses([0] * len(sentences)), agent.encode(sentences), strategy=GREEDY)
    routes = walked_routes(tree, WORLD, GREEDY.goal.choose(tree), GREEDY.walking)
    return [route.viewpoints for route in routes]


def test_a_script_hears_the_sentence_and_knows_the_way() -> None:
    def script(sentence: str, way: tuple[int, ...]) -> Says:
        """Go as many steps as the sentence says, always to the last slot."""
        if len(way) > int(sentence):
            return Says([9])
        return Says([0.0, 1.0, 0.0] if len(way) == 1 else [0, 1, 2])

    assert walked(ScriptedAgent(script), ["2", "0", "3"]) == [(0, 1, 2), (0,), (0, 1, 2, 3)]


def test_a_table_says_the_same_wherever_one_comes_from() -> None:
    logits = torch.tensor([[0.0, 1, 0], [0, 1, 2], [3, 0, 0], [0, 0, 0]])
    tree = run(WORLD, TableAgent(logits), GREEDY, [0, 3])
    routes = walked_routes(tree, WORLD, GREEDY.goal.choose(tree), GREEDY.walking)
    assert [route.viewpoints for route in routes] == [(0, 1, 2), (3,)]


def test_more_logits_than_actions() -> None:
    with pytest.raises(UsageError, match="gives 4 logits at viewpoint 0, but there are 3 action slots"):
        walked(ScriptedAgent(lambda sentence, way: Says([0, 0, 0, 0])), ["go"])


def test_progress_always_or_never() -> None:
    agent = ScriptedAgent(lambda sentence, way: Says([1], None if sentence == "no" else 0.5))
    with pytest.raises(UsageError, match="give it always or never"):
        walked(agent, ["yes", "no"])
