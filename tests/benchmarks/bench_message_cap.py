"""Prints what a cap on messages does to context and cache where tokens alone would do: `./dev bench message_cap`.

The very `StepLimits` that the planner asks, over plain talk of 400 turns and over short messages, as in `bench_steps`.
Decision 0023 has its figures from here.
"""

from __future__ import annotations

import statistics
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final

from desktop_app.core.context.boundaries import StepLimits
from desktop_app.core.settings import ContextSettings
from tests.benchmarks.bench_steps import LOW, SEEDS, SOFT, Outcome, Turn, hold, plain

MESSAGE_CAPS: Final = (0, 400, 200, 100, 50)
PRESERVED: Final = 20


def short(seed: int) -> list[Turn]:
    """400 turns of 100 and 150 tokens on average."""
    return [(max(1, asked // 4), max(1, answered // 4)) for asked, answered in plain(seed)]


TALKS: Final[Mapping[str, Callable[[int], Sequence[Turn]]]] = {"plain talk": plain, "short messages": short}


def under(cap: int, talk: Callable[[int], Sequence[Turn]]) -> Outcome:
    """The median conversation under a cap on messages (0: none)."""
    settings = ContextSettings(max_messages=cap, preserve_last_n=PRESERVED)
    caps = StepLimits.of(settings, soft=SOFT, low=LOW, head=1)
    found = [hold(talk(seed), caps.step) for seed in range(SEEDS)]
    regret, hits, mean = (statistics.median(getattr(one, name) for one in found) for name in ("regret", "hits", "mean"))
    return Outcome(
        regret, hits, mean, min(one.least for one in found), round(statistics.median(o.steps for o in found))
    )


def rows() -> Iterator[str]:
    """The table, line by line."""
    titles = f"{'regret':>8}{'hits':>8}{'mean':>9}{'of H':>6}{'least':>9}{'steps':>7}"
    yield f"{'a cap, counted':<18}{'cap':>5}{titles}"
    for name, talk in TALKS.items():
        for cap in MESSAGE_CAPS:
            one = under(cap, talk)
            least = f"{one.least:>9,.0f}" if one.steps else f"{'-':>9}"
            figures = f"{one.regret:>8.3f}{one.hits:>8.2%}{one.mean:>9,.0f}{one.mean / SOFT:>6.2f}{least}{one.steps:>7}"
            yield f"{name:<18}{cap or 'none':>5}{figures}"


def main() -> int:
    """Prints the table."""
    for row in rows():
        print(row, flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
