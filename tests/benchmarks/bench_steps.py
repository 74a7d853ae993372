"""Prints what a step's rule costs and keeps, the rule of before beside today's: `./dev bench steps`.

No planner and no wire, but the very `StepLimits` that the planner asks: the sizes of many conversations, H = 150,000, L
at 0.58 H (decision 0014), a cache that loses nothing between steps. Ends with 1 where a target is missed.
"""

from __future__ import annotations

import math
import random
import statistics
import sys
from bisect import bisect_left
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Final

from desktop_app.core.context.boundaries import RequestSize, StepLimits
from desktop_app.core.settings import ContextSettings
from tests.benchmarks.cache_costs import WRITE_5M
from tests.benchmarks.plain_talk import ANSWER_TOKENS, SPREAD, USER_TOKENS
from tests.servers.prompt_cache import TOKENS_PER_MESSAGE

SOFT: Final = 150_000
LOW: Final = 87_000
SYSTEM: Final = 40
READ: Final = 0.1
SEEDS: Final = 40
LEAST_MEAN: Final = 0.5
"""What a rule has to keep on average, as a share of H."""

Turn = tuple[int, int]
"""Tokens of a question with what is attached, and of its answer."""
Rule = Callable[[int, Sequence[int], Callable[[int], RequestSize], int], int]


@dataclass(frozen=True, slots=True)
class Outcome:
    """One conversation. `least`: the smallest request that a step left behind."""

    regret: float
    hits: float
    mean: float
    least: float
    steps: int


def hold(talk: Sequence[Turn], rule: Rule) -> Outcome:
    """Holds a conversation whose steps are those of a rule."""
    sizes = [size + TOKENS_PER_MESSAGE for turn in talk for size in turn]
    sums = [0, *accumulate(sizes)]
    start, last, steps, least = 1, 0, 0, math.inf
    cost = ideal = whole = read = 0.0
    for number in range(len(talk)):
        length = 2 * number + 1  # the last one is the question that is being asked

        def load(place: int, length: int = length) -> RequestSize:
            tail = length - place
            return RequestSize(SYSTEM + sizes[0] + sums[length] - sums[place], 1 + tail, tail // 2 + 2)

        place = rule(start, range(2, length, 2), load, length - 1) if number else start
        stepped = place != start
        start, total = place, load(place).tokens if number else SYSTEM + sizes[0]
        if stepped:
            steps, least = steps + 1, min(least, total)
        new = sizes[length - 1] + (sizes[length - 2] if number else SYSTEM)
        found = SYSTEM + sizes[0] if stepped else last
        cost += READ * found + WRITE_5M * (total - found)
        ideal += READ * (total - new) + WRITE_5M * new
        whole, read, last = whole + total, read + found, total
    return Outcome(cost / ideal, read / whole, whole / len(talk), least, steps)


CAPS: Final = StepLimits.of(ContextSettings(), soft=SOFT, low=LOW, head=1)


def rule_of_before(current: int, places: Sequence[int], load: Callable[[int], RequestSize], _end: int) -> int:
    """Down to the low mark, whatever the messages weigh."""
    later = places[bisect_left(places, current + 1) :]
    if load(current).tokens <= SOFT or not later:
        return current
    return later[min(bisect_left(later, True, key=lambda place: load(place).tokens <= LOW), len(later) - 1)]


RULES: Final[Mapping[str, Rule]] = {"before": rule_of_before, "now": CAPS.step}


def plain(seed: int) -> list[Turn]:
    """400 turns of 400 and 600 tokens on average."""
    chance = random.Random(seed)
    return list(zip(*(_lengths(chance, mean, 400) for mean in (USER_TOKENS, ANSWER_TOKENS)), strict=True))


def even(seed: int) -> list[Turn]:
    """120 turns of two messages of exactly 6,000 tokens."""
    return [(6_000, 6_000)] * (120 + seed % 2)


def large(seed: int) -> list[Turn]:
    """120 turns of two messages of 6,000 tokens on average."""
    chance = random.Random(seed)
    return list(zip(_lengths(chance, 6_000, 120), _lengths(chance, 6_000, 120), strict=True))


def with_documents(tokens: int) -> Callable[[int], list[Turn]]:
    """Plain talk of 200 turns, into which a document of this size comes with one question in twenty-five."""

    def talk(seed: int) -> list[Turn]:
        chance = random.Random(seed)
        turns = plain(seed)[:200]
        for first in range(0, 200, 25):
            at = first + chance.randrange(25)
            turns[at] = (turns[at][0] + tokens, turns[at][1])
        return turns

    return talk


TALKS: Final[Mapping[str, Callable[[int], list[Turn]]]] = {
    "plain talk": plain,
    "messages of 6K": even,
    "about 6K each": large,
    **{f"documents of {size}K": with_documents(size * 1000) for size in (20, 40, 60, 80, 100)},
}


def _lengths(chance: random.Random, mean: int, turns: int) -> list[int]:
    drawn = [math.exp(chance.gauss(0.0, SPREAD)) for _ in range(turns)]
    return [max(1, round(length * mean * turns / sum(drawn))) for length in drawn]


def measured(talk: Callable[[int], list[Turn]], rule: Rule) -> Outcome:
    """The median conversation of a kind; `least` is the least of all."""
    found = [hold(talk(seed), rule) for seed in range(SEEDS)]
    regret, hits, mean = (statistics.median(getattr(one, name) for one in found) for name in ("regret", "hits", "mean"))
    return Outcome(
        regret, hits, mean, min(one.least for one in found), round(statistics.median(o.steps for o in found))
    )


def rows() -> Iterator[tuple[str, bool]]:
    """The table, line by line, and whether its targets are met."""
    yield (
        f"{'a step, counted':<18}{'rule':<8}{'regret':>8}{'hits':>8}{'mean':>9}{'of H':>6}{'least':>9}{'steps':>7}",
        True,
    )
    for name, talk in TALKS.items():
        for title, rule in RULES.items():
            one = measured(talk, rule)
            met = title != "now" or one.mean >= LEAST_MEAN * SOFT
            if name == "plain talk":
                met = one.regret <= 1.15 and one.hits >= 0.97 and one.mean >= 100_000
            figures = f"{one.regret:>8.3f}{one.hits:>8.2%}{one.mean:>9,.0f}{one.mean / SOFT:>6.2f}{one.least:>9,.0f}"
            yield f"{name:<18}{title:<8}{figures}{one.steps:>7}{'' if met else '  MISSED'}", met


def main() -> int:
    """Prints the table; 0 where every target is met."""
    met = True
    for row, good in rows():
        print(row, flush=True)
        met &= good
    return 0 if met else 1


if __name__ == "__main__":
    sys.exit(main())
