"""Suites for one's own parts: each says what is wrong with an agent, a world or a strategy, and what to do.

def test_my_agent() -> None:
    check_agent(MyAgent(...).eval(), my_world)
"""

from fastnav.testing.agents import check_agent
from fastnav.testing.strategies import check_strategy
from fastnav.testing.worlds import check_world

__all__ = ["check_agent", "check_strategy", "check_world"]
