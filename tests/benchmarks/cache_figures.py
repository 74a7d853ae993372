"""Owns the figures of one conversation and how they stand beside the targets. Knows no backend and no server."""

from __future__ import annotations

import math
import statistics
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from desktop_app.core.context.plan import ContextPlan
from tests.benchmarks.cache_costs import billed
from tests.servers.prompt_cache import Billing

STEADY_FROM: Final = 160
"""The turn from which every limit of 150K has been reached."""

SETTLED_FROM: Final = 30
"""The turn from which the estimator has seen enough for its target on new messages."""


@dataclass(frozen=True, slots=True)
class TurnFigures:
    """One turn: the plan, and what this and the other clients were charged. `draft` is the question's true count."""

    plan: ContextPlan
    ours: Billing
    ideal: Billing
    sliding: Billing
    draft: int

    @property
    def trimmed(self) -> bool:
        return self.plan.decision == "trim"

    @property
    def count_error(self) -> float:
        """How far the planned total is off the server's, as a share of it."""
        return abs(self.plan.tokens.total - self.ours.total) / self.ours.total


@dataclass(frozen=True, slots=True)
class Row:
    """One printed figure. `met` None: there is no target."""

    name: str
    value: str
    target: str = ""
    met: bool | None = None


def cost_rows(turns: Sequence[TurnFigures], read_price: float) -> Iterator[Row]:
    """What the input cost against an ideal client, none at all, and a window that slides. Targets are for 0.1."""

    def sums(bill: Callable[[TurnFigures], Billing], some: Sequence[TurnFigures] = turns) -> float:
        return sum(billed(bill(turn), read_price) for turn in some)

    judged = math.isclose(read_price, 0.1)

    def row(name: str, value: float, sign: str, target: float) -> Row:
        met = value <= target if sign == "<=" else value >= target
        return Row(f"  {name}", f"{value:.4f}", f"{sign} {target:g}" if judged else "", met if judged else None)

    ours, whole = sums(lambda turn: turn.ours), sum(turn.ours.total for turn in turns)
    yield Row(f"at a read price of {read_price:g}", "")
    yield row("regret (against the ideal)", ours / sums(lambda turn: turn.ideal), "<=", 1.15)
    yield row("billed against no caching", ours / whole, "<=", 0.125)
    if steady := turns[STEADY_FROM:]:
        times = sums(lambda turn: turn.sliding, steady) / sums(lambda turn: turn.ours, steady)
        yield row("times cheaper than sliding, steady", times, ">=", 8)
        yield Row("  billed a turn, steady", f"{sums(lambda turn: turn.ours, steady) / len(steady):,.0f}")
    excess = ours - sums(lambda turn: turn.ideal)
    steps = sum(billed(turn.ours, read_price) - billed(turn.ideal, read_price) for turn in turns if turn.trimmed)
    yield Row("  excess over the ideal: steps / other turns", f"{steps:,.0f} / {excess - steps:,.0f}")


def cache_rows(turns: Sequence[TurnFigures]) -> Iterator[Row]:
    """What was read from the cache, and how well that was foreseen."""
    whole = sum(turn.ours.total for turn in turns)
    hits, mean = sum(turn.ours.read for turn in turns) / whole, whole / len(turns)
    full = len(turns) >= 400
    yield Row("hit rate", f"{hits:.2%}", ">= 97 %" if full else "", hits >= 0.97 if full else None)
    yield Row("mean context, tokens", f"{mean:,.0f}", ">= 100,000" if full else "", mean >= 100_000 if full else None)
    yield Row("steps that trimmed", str(sum(turn.trimmed for turn in turns)))
    yield Row("left out at a step, messages", ", ".join(str(t.plan.newly_left_out) for t in turns if t.trimmed) or "-")
    lost = [
        number
        for number, (before, turn) in enumerate(pairwise(turns), 2)
        if not turn.trimmed and turn.ours.read < before.ours.read
    ]
    yield Row("unexpected misses", str(len(lost)), "0", not lost)
    fresh = [turn.ours.written + turn.ours.fresh for turn in turns if not turn.trimmed]
    needed = [turn.ideal.written for turn in turns if not turn.trimmed]
    yield Row("written a turn between steps: ours / ideal", f"{_mean(fresh):,.0f} / {_mean(needed):,.0f}")
    for name, some in (("between steps", [t for t in turns[1:] if not t.trimmed]), ("at a step", _trims(turns))):
        if some:
            off = [turn.plan.cached_tokens - turn.ours.read for turn in some]
            far = f"{statistics.median(off):+,.0f} / {max(off, key=abs):+,.0f}"
            yield Row(f"cached_tokens foreseen - read, {name}", f"{far} tokens")


def count_rows(turns: Sequence[TurnFigures]) -> Iterator[Row]:
    """How far the plans' token counts were off the server's."""
    same, trims = [turn for turn in turns[1:] if not turn.trimmed], _trims(turns)
    first = turns[0]
    yield Row("count error of turn 1", f"{first.count_error:.2%}")
    middle, most = statistics.median(t.count_error for t in same), _p99([t.count_error for t in same])
    yield Row("count error, unchanged prefix, median", f"{middle:.3%}", "<= 0.3 %", middle <= 0.003)
    yield Row("count error, unchanged prefix, p99", f"{most:.3%}", "<= 1 %", most <= 0.01)
    worst = max(same, key=lambda turn: turn.count_error)
    yield Row("  the largest", f"{worst.count_error:.3%} of {worst.ours.total:,}, turn {turns.index(worst) + 1}")
    if trims:
        far = max(turn.count_error for turn in trims)
        yield Row("count error at a step, largest", f"{far:.3%}", "<= 1 %", far <= 0.01)
    settled = [t for t in turns[SETTLED_FROM:] if t.draft]
    if settled:
        new = statistics.median(abs(t.plan.tokens.draft - t.draft) / t.draft for t in settled)
        yield Row("error of a new message, median", f"{new:.2%}", "<= 3 %", new <= 0.03)
    inside = [abs(t.plan.tokens.total - t.ours.total) <= 2 * t.plan.tokens.sigma for t in turns[1:]]
    yield Row("total within 2 sigma", f"{_mean(inside):.1%}")


def _trims(turns: Sequence[TurnFigures]) -> list[TurnFigures]:
    return [turn for turn in turns if turn.trimmed]


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values) if values else 0.0


def _p99(values: Sequence[float]) -> float:
    return sorted(values)[min(len(values) - 1, math.ceil(0.99 * len(values)) - 1)]
