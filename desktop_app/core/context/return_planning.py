"""Plans when the boundary of a path goes back, and to where (PRODUCT.md CTX-4).

A boundary holds for as long as what it was decided under: limit, caps, model, backend. When one of these changed, what
was left out for it is sent again where there is room.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from desktop_app.core.context.boundaries import RequestSize
from desktop_app.core.context.context_settings import ContextSettings
from desktop_app.core.context.drafts import Draft
from desktop_app.core.context.plan import Limits
from desktop_app.core.context.prepared_path import PreparedPath
from desktop_app.core.context.step_planning import StepPlanner
from desktop_app.core.messages import BoundaryCause, BoundaryState

WHOLE: Final = (17, 20)
"""Everything comes back where the request then is below 0.85 H: the next step is some turns away."""

LEAST_BACK: Final = (1, 10)
"""Less than 0.1 H is not worth a new prefix by itself: it is offered."""


@dataclass(frozen=True, slots=True)
class PlannedReturn:
    """The place where the tail would begin. `due`: with the next request; else it is for the user to decide."""

    place: int
    due: bool


class ReturnPlanner:
    """The decision if a draft brings the boundary of one ready path back.

    `back` weighs what comes back. `made`: what a boundary of now is decided under. `wanted`: the user asked for it.
    """

    def __init__(
        self,
        ready: PreparedPath,
        back: Callable[[], StepPlanner],
        *,
        settings: ContextSettings,
        limits: Limits,
        made: BoundaryState,
        wanted: bool,
    ) -> None:
        self._ready, self._make, self._wanted = ready, back, wanted
        self._settings, self._limits, self._made = settings, limits, made

    def under(self, limits: Limits, made: BoundaryState) -> ReturnPlanner:
        """The same with other limits."""
        return ReturnPlanner(
            self._ready, self._make, settings=self._settings, limits=limits, made=made, wanted=self._wanted
        )

    @cached_property
    def changed(self) -> bool:
        """True if the newest decision on the boundary was made under something else."""
        return self._ready.steps.last.made_under != self._made.made_under

    @cached_property
    def back(self) -> StepPlanner:
        """Weighs what comes back."""
        return self._make()

    @cached_property
    def _possible(self) -> bool:
        ready = self._ready
        left_out = ready.boundary.start > ready.steps.floor and not ready.in_loop
        return left_out and (self.changed or self._wanted or ready.steps.declined)

    def of(self, draft: Draft) -> PlannedReturn | None:
        """Return the place that the boundary comes back to with this draft, or could; None where nothing more can be
        sent.
        """
        if not self._possible:
            return None
        floor, current = self._ready.steps.floor, self._ready.boundary.start
        back, soft = self.back, self._limits.soft

        def load(place: int) -> RequestSize:
            return back.load(place, draft)

        whole = load(floor)
        over = self._over(whole, WHOLE)
        if not over:
            return PlannedReturn(floor, self.changed or self._wanted)
        place = back.place_from(floor, back.caps(self._limits, holds=False), draft, over)
        gain = load(place).tokens - load(current).tokens if place < current else 0
        if self.changed and not self._wanted and gain >= soft * LEAST_BACK[0] // LEAST_BACK[1]:
            return PlannedReturn(place, True)
        if not self._over(whole, (1, 1)):
            place, gain = floor, whole.tokens
        return PlannedReturn(place, self._wanted) if gain > 0 else None

    def _over(self, load: RequestSize, share: tuple[int, int]) -> list[BoundaryCause]:
        """The limits of which a request uses more than a share."""
        uses: list[tuple[BoundaryCause, int, int]] = [
            ("tokens", load.tokens, self._limits.soft),
            ("messages", load.messages, self._settings.max_messages),
            ("turns", load.turns, self._settings.max_turns),
        ]
        return [cause for cause, used, cap in uses if cap and used > cap * share[0] // share[1]]
