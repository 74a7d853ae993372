"""The reading of a plan on the gauge: state, lengths, words. Pure; uses no widget and counts nothing."""

from __future__ import annotations

from desktop_app.core.context.limits import nearest_limit
from desktop_app.core.context.plan import ContextPlan
from desktop_app.core.context.plan_text import GaugeState, gauge_line, gauge_sentence, gauge_state, limit_preview
from desktop_app.ui.gauge.gauge_reading import GaugeReading
from desktop_app.ui.gauge.plan_facts import plan_share_words
from desktop_app.ui.i18n.language import translated

INVITING = {"trim", "return", "refused", "unknown"}
"""States whose line ends with a word that invites a click (INTERFACE.md)."""


def read_plan(
    plan: ContextPlan, *, show_above_usd: float | None = None, plan_report: str = "", scale: float | None = None
) -> GaugeReading:
    """The reading of a plan: one of the states of INTERFACE.md. `show_above_usd`: see `gauge_line`.

    `plan_report`: what the user's subscription plan said of its use, which joins the line where it is near its end.
    `scale`: tokens that the gauge is wide, where it is not the emergency limit.
    """
    scale = scale or max(1, plan.limits.emergency)
    state = gauge_state(plan)
    line, action = (
        translated(gauge_line(plan, show_above_usd=show_above_usd, cache_expired=plan.price.cache_expired)),
        "",
    )
    if state in INVITING and line:
        line, _, action = line.rpartition(" · ")
    share = plan_share_words(plan_report)
    line = " · ".join(words for words in (line, share) if words)
    # a cap stands where the soft limit does
    soft = plan.limits.soft / scale
    after = nearest_limit(plan).share * soft
    # A trim is shown as the load without it, with a notch where it leads to.
    stepped = (event.before for event in plan.advice.events if event.kind in ("trimmed", "fresh_start"))
    whole = max(stepped, default=plan.limits.soft) / scale
    before = max((whole, *(use.before / use.cap * soft for use in plan.advice.counts)))
    fill = {"trim": before, "refused": 1.0}.get(state, after)
    return GaugeReading(
        state,
        min(1.0, fill),
        min(1.0, soft),
        line,
        action,
        f"{translated(gauge_sentence(plan))} {share}." if share else translated(gauge_sentence(plan)),
        min(1.0, after) if state == "trim" else None,
        movable=nearest_limit(plan).kind == "tokens",
        emergency=plan.limits.emergency / scale,
    )


def read_held_limit(plan: ContextPlan, scale: float) -> GaugeReading:
    """The reading of a plan under a limit that is held, on a gauge as wide as so many tokens."""
    words = translated(limit_preview(plan))
    state: GaugeState = "refused" if plan.decision == "refuse" else "trim" if plan.placement.left_out else "calm"
    return GaugeReading(
        state,
        min(1.0, plan.tokens.total / scale),
        min(1.0, plan.limits.soft / scale),
        words,
        "",
        words,
        movable=True,
        emergency=plan.limits.emergency / scale,
    )
