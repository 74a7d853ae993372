"""Owns the figures of one conversation and how they stand beside the targets. Knows no backend and no server."""

from __future__ import annotations

import math
import statistics
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from desktop_app.core.context.plan import ContextPlan
from desktop_app.core.messages import DocumentPart, TextPart
from tests.benchmarks.cache_costs import billed
from tests.servers.prompt_cache import Billing

STEADY_FROM: Final = 160
"""The turn from which every limit of 150K has been reached."""

SETTLED_FROM: Final = 30
"""The turn from which the estimator has seen enough for its target on new messages."""


@dataclass(frozen=True, slots=True)
class TurnFigures:
    """One turn: the plan, and what this and the other clients were charged. `draft` is the question's true count.

    `short` and `long` are clients that send the same with marks for five minutes and for an hour throughout.
    """

    plan: ContextPlan
    ours: Billing
    ideal: Billing
    sliding: Billing | None
    draft: int
    short: Billing
    long: Billing

    @property
    def trimmed(self) -> bool:
        return self.plan.decision == "trim"

    @property
    def cold(self) -> bool:
        """Whether the cache had expired when it was sent."""
        return self.plan.price.cache_expired

    @property
    def switched(self) -> bool:
        """Whether the provider had not counted or cached anything of this thread for its model yet."""
        return self.plan.tokens.source == "estimated"

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


def cost_rows(turns: Sequence[TurnFigures], read_price: float, *, judged: bool) -> Iterator[Row]:
    """What the input cost against an ideal client, none at all, and a window that slides. Targets are for 0.1."""
    judged = judged and math.isclose(read_price, 0.1)

    def sums(bill: Callable[[TurnFigures], Billing], some: Sequence[TurnFigures] = turns) -> float:
        return sum(billed(bill(turn), read_price) for turn in some)

    def row(name: str, value: float, sign: str, target: float) -> Row:
        met = value <= target if sign == "<=" else value >= target
        return Row(f"  {name}", f"{value:.4f}", f"{sign} {target:g}" if judged else "", met if judged else None)

    ours, whole = sums(lambda turn: turn.ours), sum(turn.ours.total for turn in turns)
    yield Row(f"at a read price of {read_price:g}", "")
    yield row("regret (against the ideal)", ours / sums(lambda turn: turn.ideal), "<=", 1.15)
    yield row("billed against no caching", ours / whole, "<=", 0.125)
    steady = turns[STEADY_FROM:]
    if slid := [turn.sliding for turn in steady if turn.sliding is not None]:
        times = sum(billed(one, read_price) for one in slid) / sums(lambda turn: turn.ours, steady)
        yield row("times cheaper than sliding, steady", times, ">=", 8)
        yield Row("  billed a turn, steady", f"{sums(lambda turn: turn.ours, steady) / len(steady):,.0f}")
    excess = ours - sums(lambda turn: turn.ideal)
    steps = sum(billed(turn.ours, read_price) - billed(turn.ideal, read_price) for turn in turns if turn.trimmed)
    yield Row("  excess over the ideal: steps / other turns", f"{steps:,.0f} / {excess - steps:,.0f}")


def cache_rows(turns: Sequence[TurnFigures], *, judged: bool) -> Iterator[Row]:
    """What was read from the cache, and how well that was foreseen."""
    whole = sum(turn.ours.total for turn in turns)
    hits, mean = sum(turn.ours.read for turn in turns) / whole, whole / len(turns)
    ideal = sum(turn.ideal.read for turn in turns) / whole
    yield Row("hit rate", f"{hits:.2%}", ">= 97 %" if judged else "", hits >= 0.97 if judged else None)
    yield Row("  of the ideal", f"{ideal:.2%}")
    far = mean >= 100_000 if judged else None
    yield Row("mean context, tokens", f"{mean:,.0f}", ">= 100,000" if judged else "", far)
    yield Row("steps that trimmed", str(sum(turn.trimmed for turn in turns)))
    yield Row(
        "left out at a step, messages",
        ", ".join(str(t.plan.placement.newly_left_out) for t in turns if t.trimmed) or "-",
    )
    if cold := sum(turn.cold for turn in turns):
        steps = sum(turn.cold and turn.trimmed for turn in turns)
        yield Row("turns with a cold cache / steps taken there", f"{cold} / {steps}")
    lost = [
        number
        for number, (before, turn) in enumerate(pairwise(turns), 2)
        if not (turn.trimmed or turn.cold or turn.switched) and turn.ours.read < before.ours.read
    ]
    yield Row("unexpected misses", str(len(lost)), "0", not lost)
    fresh = [turn.ours.written + turn.ours.fresh for turn in turns if not turn.trimmed]
    needed = [turn.ideal.written for turn in turns if not turn.trimmed]
    yield Row("written a turn between steps: ours / ideal", f"{_mean(fresh):,.0f} / {_mean(needed):,.0f}")
    between = [turn for turn in turns[1:] if not (turn.trimmed or turn.cold or turn.switched)]
    for name, some in (("between steps", between), ("at a step", _trims(turns))):
        if some:
            off = [turn.plan.price.cached_tokens - turn.ours.read for turn in some]
            spread = f"{statistics.median(off):+,.0f} / {max(off, key=abs):+,.0f}"
            yield Row(f"cached_tokens foreseen - read, {name}", f"{spread} tokens")


def lifetime_rows(turns: Sequence[TurnFigures]) -> Iterator[Row]:
    """What the same requests would have cost with marks of one lifetime throughout, where both were in use."""
    if not any(turn.ours.written_1h for turn in turns):
        return
    yield Row("requests with marks for an hour", str(sum(bool(turn.ours.written_1h) for turn in turns)))
    ours, short, long = (
        sum(billed(bill, 0.1) for bill in bills)
        for bills in ([t.ours for t in turns], [t.short for t in turns], [t.long for t in turns])
    )
    yield Row("billed against 5m throughout", f"{ours / short:.3f}")
    yield Row("billed against 1h throughout", f"{ours / long:.3f}")


def document_rows(turns: Sequence[TurnFigures]) -> Iterator[Row]:
    """In which form attached documents went."""
    for number, turn in enumerate(turns, 1):
        for block in turn.plan.request.pending.blocks if turn.plan.request.pending is not None else ():
            if isinstance(block, DocumentPart):
                yield Row(f"document attached in turn {number}", f"whole, {turn.plan.tokens.documents:,} tokens")
            elif isinstance(block, TextPart) and block.text.startswith("[Document attached above: "):
                yield Row(f"document attached in turn {number}", "a reference")


def count_rows(turns: Sequence[TurnFigures]) -> Iterator[Row]:
    """How far the plans' token counts were off the server's."""
    # a large document that nobody has counted yet is not what the targets are about
    same = [
        turn
        for before, turn in pairwise(turns)
        if turn.plan.request.prefix_key == before.plan.request.prefix_key
        and turn.plan.tokens.documents <= before.plan.tokens.documents * 1.5
    ]
    trims = _trims(turns)
    first = turns[0]
    yield Row("count error of turn 1", f"{first.count_error:.2%}")
    middle, most = statistics.median(t.count_error for t in same), _p99([t.count_error for t in same])
    yield Row("count error, unchanged prefix, median", f"{middle:.3%}", "<= 0.3 %", middle <= 0.003)
    # of fewer turns the second one, where nothing of its kind was counted before, would be the p99
    many = len(same) >= 100
    met = most <= 0.01 if many else None
    yield Row("count error, unchanged prefix, p99", f"{most:.3%}", "<= 1 %" if many else "", met)
    worst = max(same, key=lambda turn: turn.count_error)
    yield Row("  the largest", f"{worst.count_error:.3%} of {worst.ours.total:,}, turn {turns.index(worst) + 1}")
    if trims:
        far = max(turn.count_error for turn in trims)
        yield Row("count error at a step, largest", f"{far:.3%}", "<= 1 %", far <= 0.01)
    settled = [t for t in turns[SETTLED_FROM:] if t.draft]
    if settled:
        new = statistics.median(abs(t.plan.tokens.draft - t.draft) / t.draft for t in settled)
        yield Row("error of a new message, median", f"{new:.2%}", "<= 3 %", new <= 0.03)
    inside = [abs(t.plan.tokens.total - t.ours.total) <= t.plan.tokens.doubt for t in turns[1:]]
    yield Row("total within 2 sigma", f"{_mean(inside):.1%}")


def _trims(turns: Sequence[TurnFigures]) -> list[TurnFigures]:
    return [turn for turn in turns if turn.trimmed]


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values) if values else 0.0


def _p99(values: Sequence[float]) -> float:
    return sorted(values)[min(len(values) - 1, math.ceil(0.99 * len(values)) - 1)]
