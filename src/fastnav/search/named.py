"""Strategies by name, and the functions that build them with other parts."""

import math
import re
from collections.abc import Callable
from dataclasses import replace

from fastnav.errors import UnknownName, UsageError
from fastnav.search.backtracking import RollBack, exploit, explore, never
from fastnav.search.growth import Growth
from fastnav.search.scoring import GreedyFirst, LocalScore, score_named
from fastnav.search.strategies import EXPANSIONS, Budget, Goal, Strategy
from fastnav.search.tree import Score
from fastnav.search.walking import Walking

#: Actions that the benchmark's greedy agents and beams take at most; then they end where they stand.
LONGEST = 10
#: Width of the Speaker-Follower's beam and state-factored search.
BEAM = 40
#: No search that anybody has run is wider, and the tree's tables grow with it.
WIDEST = 1000
#: Actions that progress inference tries at one place, in the Self-Monitoring agent.
TRIES = 5
#: Agents that are not FAST take every step that they decide on, be it the same as before.
_EVERY_STEP = Walking(skip="nothing")
#: The released code keeps so many of the best actions: more than there ever are.
_COMPAT_TOP_K = 20
#: The released code walks back by the fewest moves, and to the parent even when the step itself is known.
_COMPAT_WALKING = Walking(by="hops", skip="last-step")
#: The released code's first FAST-long, before it could explore.
_COMPAT_EXPLOIT_EXPANSIONS = 55

_SUM_LOGIT = score_named("sum-logit")
_MEAN_LOGIT = score_named("mean-logit")
_SUM_LOGP = score_named("sum-logp")


def greedy() -> Strategy:
    """The best action at every step: one child each, so there is nothing to go back to."""
    return Strategy(
        name="greedy",
        backtrack=exploit,
        score=_SUM_LOGIT,
        goal=Goal(_SUM_LOGIT, among="popped"),
        budget=Budget(expansions=LONGEST, stops=1),
        growth=Growth(top_k=1, revisit=True, depth=LONGEST),
        walking=_EVERY_STEP,
    )


def beam(width: int = BEAM) -> Strategy:
    """The `width` best partial paths of each length, until so many have stopped."""
    return Strategy(
        name=f"beam-{width}",
        backtrack=never,
        score=_SUM_LOGP,
        goal=Goal(_SUM_LOGP, among="popped"),
        budget=Budget(expansions=1 + (LONGEST - 1) * width, stops=width),
        growth=Growth(revisit=True, depth=LONGEST),
        walking=_EVERY_STEP,
        width=width,
    )


def state_factored(completions: int = BEAM) -> Strategy:
    """The Speaker-Follower's: always the best pose, by its best path, until so many have stopped."""
    return Strategy(
        name=f"state-factored-{completions}",
        backtrack=explore,
        score=_SUM_LOGP,
        goal=Goal(_SUM_LOGP, among="popped"),
        budget=Budget(expansions=LONGEST * completions, stops=completions),
        growth=Growth(revisit=True, depth=LONGEST),
        walking=_EVERY_STEP,
        merge_poses=True,
    )


def progress_inference(tries: int = TRIES) -> Strategy:
    """The Self-Monitoring agent's: try the best actions, step back from those that make no progress."""
    return Strategy(
        name=f"progress-inference-{tries}",
        backtrack=RollBack(tries),
        score=_SUM_LOGP,
        goal=Goal(_SUM_LOGP, among="popped"),
        budget=Budget(expansions=1 + (LONGEST - 1) * tries, stops=1),
        growth=Growth(revisit=True, depth=LONGEST),
        walking=_EVERY_STEP,
    )


def fast_short(score: Score = _SUM_LOGIT, expansions: int = EXPANSIONS) -> Strategy:
    """FAST that is quick: follow the agent until it would walk in a circle, and end where it first stops."""
    return Strategy(
        name="fast-short",
        backtrack=exploit,
        score=score,
        goal=Goal(score, among="popped"),
        budget=Budget(expansions=expansions, stops=1),
    )


def fast_thrifty(score: Score = _MEAN_LOGIT, expansions: int = EXPANSIONS) -> Strategy:
    """FAST-short that walks nowhere to see what it has seen, by the score that did best on dev_unseen."""
    return replace(fast_short(score, expansions), name="fast-thrifty", walking=Walking(skip="viewpoint"))


def fast_long(score: Score = _SUM_LOGIT, goal: Score | None = None, expansions: int = EXPANSIONS) -> Strategy:
    """FAST that looks far: always the best open node, the whole budget, then the best of all candidates."""
    return Strategy(
        name="fast-long",
        backtrack=explore,
        score=score,
        goal=Goal(goal or score),
        budget=Budget(expansions=expansions),
        stops_compete=False,
    )


def compat_fast_short(score: LocalScore = _SUM_LOGIT) -> Strategy:
    """FAST-short as the released code runs it."""
    return _compat(fast_short(score), Goal(GreedyFirst(score)))


def compat_fast_long(score: LocalScore = _SUM_LOGIT) -> Strategy:
    """FAST-long as the released code runs it since it can explore."""
    return _compat(fast_long(score), Goal(score))


def compat_fast_long_exploit(score: LocalScore = _SUM_LOGIT) -> Strategy:
    """FAST-long as first released: greedy past every stop; without a ranker the first stop wins."""
    first = fast_long(score, expansions=_COMPAT_EXPLOIT_EXPANSIONS)
    return _compat(replace(first, name="fast-long-exploit", backtrack=exploit), Goal(GreedyFirst(score)))


def scored_by(strategy: Strategy, score: Score) -> Strategy:
    """The strategy with another local score, which chooses the goal too, where the old one did."""
    goal = replace(strategy.goal, score=score) if strategy.goal.score == strategy.score else strategy.goal
    return replace(strategy, score=score, goal=goal)


def _compat(strategy: Strategy, goal: Goal) -> Strategy:
    return replace(
        strategy,
        name=f"compat-{strategy.name}",
        goal=goal,
        growth=Growth(top_k=_COMPAT_TOP_K),
        walking=_COMPAT_WALKING,
    )


_PLAIN: dict[str, Callable[[], Strategy]] = {
    "greedy": greedy,
    "fast-short": fast_short,
    "fast-thrifty": fast_thrifty,
    "fast-long": fast_long,
    "compat-fast-short": compat_fast_short,
    "compat-fast-long": compat_fast_long,
    "compat-fast-long-exploit": compat_fast_long_exploit,
}
_SIZED: dict[str, Callable[[int], Strategy]] = {
    "beam": beam,
    "state-factored": state_factored,
    "progress-inference": progress_inference,
}
_DEFAULT_SIZE = {"beam": BEAM, "state-factored": BEAM, "progress-inference": TRIES}


def strategy_names() -> tuple[str, ...]:
    """All names; those of `_SIZED` may end in a number, as in "beam-5"."""
    return (*_PLAIN, *_SIZED)


def for_walks_of(strategy: Strategy, longest: int) -> Strategy:
    """The same for agents whose walks take up to so many actions; the strategies here suit `LONGEST` of them.

    Who takes more and smaller steps looks around so much more often.
    """
    more = math.ceil((strategy.budget.expansions - 1) * (longest - 1) / (LONGEST - 1))
    depth = strategy.growth.depth and longest
    return replace(
        strategy,
        budget=replace(strategy.budget, expansions=1 + more),
        growth=replace(strategy.growth, depth=depth),
    )


def strategy_named(name: str) -> Strategy:
    """A strategy by its name, such as "greedy", "fast-short" or "beam-5"."""
    if name in _PLAIN:
        return _PLAIN[name]()
    kind, _, size = name.rpartition("-") if re.search(r"-\d+$", name) else (name, "", "")
    if kind not in _SIZED:
        raise UnknownName("strategy", name, (*_PLAIN, *_SIZED, *(f"{kind}-N" for kind in _SIZED)))
    # Of endless digits only the first few are read: they are too many in any case.
    number = int(size[:9]) if size else _DEFAULT_SIZE[kind]
    if not 1 <= number <= WIDEST:
        limits = f"give a number of 1 or more, as in {kind}-5, and {WIDEST} at most"
        raise UsageError(f"strategy {name[:40]!r} ends in {number}; {limits}")
    return _SIZED[kind](number)
