"""Prints what the low mark L does to cost and mean context, counted over many conversations: `./dev bench low_mark`.

No planner and no wire: the sizes of 400 turns, steps from H = 150,000 down to L, a cache that loses nothing between
steps. It is where the share in `limits.LOW_SHARE_OF_PAID_WRITES` comes from (decision 0014).
"""

from __future__ import annotations

import math
import random
import statistics
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from tests.benchmarks.cache_costs import WRITE_5M
from tests.benchmarks.plain_talk import ANSWER_TOKENS, SPREAD, USER_TOKENS
from tests.servers.prompt_cache import TOKENS_PER_MESSAGE

SOFT: Final = 150_000
TURNS: Final = 400
SEEDS: Final = 200
READ: Final = 0.1
SHARES: Final = (0.56, 0.57, 0.58, 0.59, 0.60, 0.62, 0.66, 0.70)
ADDED: Final = (("anthropic", 40, 0), ("claude-cli", 200, 200))
"""Backend, tokens in front of the first message, tokens after the question, which no cache ever holds."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """One conversation."""

    regret: float
    billed: float
    hits: float
    mean: float

    @property
    def meets_all(self) -> bool:
        """Whether it meets every target at the end of PRODUCT section 2."""
        return self.regret <= 1.15 and self.billed <= 0.125 and self.hits >= 0.97 and self.mean >= 100_000


def hold(seed: int, share: float, before: int, after: int) -> Outcome:
    """A conversation whose steps go down to `share` of the soft limit."""
    chance = random.Random(seed)
    asked, answered = _lengths(chance, USER_TOKENS), _lengths(chance, ANSWER_TOKENS)
    path: list[float] = []
    start, last = 1, 0.0
    cost = ideal = whole = read = 0.0
    for turn in range(TURNS):
        path.append(asked[turn] + TOKENS_PER_MESSAGE)
        total = before + after + path[0] + sum(path[start:])
        stepped = total > SOFT
        if stepped:
            # the tail starts on a question: those stand at even places
            start = max(2, start)
            total = before + after + path[0] + sum(path[start:])
            while total > share * SOFT and start < len(path) - 1:
                total -= path[start] + path[start + 1]
                start += 2
        if turn:
            new, found = path[-1] + path[-2], before + path[0] if stepped else last - after
        else:
            new, found = path[-1] + before, 0.0
        cost += READ * found + WRITE_5M * (total - found - after) + after
        ideal += READ * (total - new) + WRITE_5M * new
        whole, read, last = whole + total, read + found, total
        path.append(answered[turn] + TOKENS_PER_MESSAGE)
    return Outcome(cost / ideal, cost / whole, read / whole, whole / TURNS)


def _lengths(chance: random.Random, mean: int) -> list[float]:
    drawn = [math.exp(chance.gauss(0.0, SPREAD)) for _ in range(TURNS)]
    return [length * mean * TURNS / sum(drawn) for length in drawn]


def rows() -> Iterator[str]:
    """The table, line by line."""
    yield f"{'backend':<12}{'L / H':>6}{'regret':>8}{'billed':>8}{'hits':>8}{'mean':>9}{'least':>9}  meet every target"
    for backend, before, after in ADDED:
        for share in SHARES:
            found = [hold(seed, share, before, after) for seed in range(SEEDS)]
            regret, billed = (statistics.median(getattr(o, name) for o in found) for name in ("regret", "billed"))
            hits, mean = (statistics.median(getattr(o, name) for o in found) for name in ("hits", "mean"))
            least, met = min(outcome.mean for outcome in found), sum(outcome.meets_all for outcome in found)
            yield (
                f"{backend:<12}{share:>6.2f}{regret:>8.3f}{billed:>8.4f}{hits:>8.2%}{mean:>9,.0f}{least:>9,.0f}"
                f"  {met} of {SEEDS}"
            )


def main() -> int:
    """Prints the table."""
    for row in rows():
        print(row, flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
