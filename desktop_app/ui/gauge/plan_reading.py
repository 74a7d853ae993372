"""Owns how a plan reads on the gauge: state, lengths, words. Pure; knows no widget and counts nothing."""

from __future__ import annotations

from desktop_app.core.context.plan import ContextPlan
from desktop_app.core.context.words import gauge_line, gauge_sentence, gauge_state
from desktop_app.ui.gauge.reading import GaugeReading

INVITING = {"trim", "refused", "unknown"}
"""States whose line ends with a word that invites a click (INTERFACE.md)."""


def read_plan(plan: ContextPlan, *, show_above_usd: float | None = None) -> GaugeReading:
    """The reading of a plan: one of the five states of INTERFACE.md. `show_above_usd`: see `gauge_line`."""
    scale = max(1, plan.limits.emergency)
    state = gauge_state(plan)
    dear = show_above_usd is not None and (plan.cost_usd or 0) >= show_above_usd
    expired = plan.cache_expired and dear
    line, action = gauge_line(plan, show_above_usd=show_above_usd, cache_expired=expired), ""
    if state in INVITING and line:
        line, _, action = line.rpartition(" · ")
    after = plan.tokens.total / scale
    # A trim is shown as the load without it, with a notch where it leads to.
    before = max((event.before for event in plan.events if event.kind == "trimmed"), default=plan.limits.soft) / scale
    fill = {"trim": before, "refused": 1.0}.get(state, after)
    return GaugeReading(
        state,
        min(1.0, fill),
        min(1.0, plan.limits.soft / scale),
        line,
        action,
        gauge_sentence(plan),
        after if state == "trim" else None,
    )
