"""Shows what the popovers hold: the next request, a thread's parameters. Owns a made-up plan."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import Qt

from desktop_app.core.context.plan import (
    CacheMark,
    ContextPlacement,
    ContextPlan,
    Limits,
    LimitUse,
    PlanAdvice,
    PlannedRequest,
    PlanWarning,
    RequestPrice,
    TokenCount,
)
from desktop_app.core.messages import BoundaryState, Parameters
from desktop_app.core.model_catalog import ModelInfo, Prices
from desktop_app.ui.gauge.gauge_popover import GaugePopover
from desktop_app.ui.models.parameters_popover import ParametersPopover, ThreadParameters
from tests.builders.placed import GivenPath
from tests.gallery.page import Page

PRICES = Prices(3, 15, 0.3, 3.75, 6)
MODEL = ModelInfo(
    "claude-sonnet",
    "Claude Sonnet",
    200_000,
    64_000,
    prices=PRICES,
    accepts_tools=True,
    efforts=("low", "medium", "high", "max"),
    thinking="choice",
    web_search=True,
    temperature=True,
)
PLAN = ContextPlan(
    backend="anthropic",
    model=MODEL,
    decision="ok",
    limits=Limits(200_000, 150_000, 90_000, 190_000, 64_000),
    tokens=TokenCount(1_204, 640, 24_100, 41_377, 2_050, 311, 96, 380, "calibrated"),
    request=PlannedRequest(
        marks=(CacheMark(0, 0, "5m"),),
        prefix_key="",
    ),
    placement=ContextPlacement(
        messages=GivenPath(),
        boundary=BoundaryState(),
    ),
    price=RequestPrice(
        cost_usd=0.05,
        cached_tokens=61_000,
    ),
    advice=PlanAdvice(
        turns_left=12,
    ),
)


def fill(page: Page) -> None:
    """Each popover in the states that tell different things."""
    for caption, plan, free in (
        ("The next request", PLAN, False),
        (
            "A warning, a cold cache, a count by the provider",
            replace(
                PLAN,
                tokens=replace(PLAN.tokens, source="measured"),
                price=replace(PLAN.price, cached_tokens=0, cache_expired=True, cost_usd=0.26),
                advice=replace(
                    PLAN.advice,
                    warnings=(PlanWarning("near_messages", 11, 12, "11 of 12 messages"),),
                    counts=(LimitUse("messages", 11, 12, 11, 0), LimitUse("turns", 5, 40, 5, 35)),
                ),
            ),
            False,
        ),
        ("Free, of a model whose limit is assumed", replace(PLAN, model=replace(MODEL, window_source="assumed")), True),
    ):
        popover = GaugePopover(page.theme, plan, free, page)
        popover.setWindowFlags(Qt.WindowType.Widget)
        popover.fit()
        page.add_at_left(caption, popover)
    model = replace(MODEL, window_source="learned", price_cliff=200_000)
    held = GaugePopover(page.theme, replace(PLAN, model=model), False, page)
    held.choices.show_plan(replace(PLAN, model=model), held_at_cliff=True, accepted=False)
    held.setWindowFlags(Qt.WindowType.Widget)
    held.fit()
    page.add_at_left("Kept to a price cliff, with a window that a refusal taught", held)
    for caption, shown in (
        ("Parameters", ThreadParameters(MODEL, price="A change costs $0.26 once: the cache is written anew.")),
        (
            "Parameters that were chosen",
            ThreadParameters(MODEL, Parameters("high", False, True, 0.3), recall=False),
        ),
        ("A model that takes none", ThreadParameters(ModelInfo("plain", "Plain", 8_192, 2_048))),
    ):
        parameters = ParametersPopover(page.theme, shown, page)
        parameters.setWindowFlags(Qt.WindowType.Widget)
        page.add_at_left(caption, parameters)
