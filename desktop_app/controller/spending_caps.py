"""Spending caps: whether a request billed in money would pass one."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from desktop_app.backends.backend_protocol import Backend
from desktop_app.controller.ports import Clock, History
from desktop_app.core.context.plan_text import dollars, unsent
from desktop_app.core.errors import UserError
from desktop_app.core.phrases import phrase
from desktop_app.core.settings import Settings

EVER: Final = "1970-01-01T00:00:00.000Z"

REQUEST: Final = "request"
SUBJECTS: Final = {
    REQUEST: phrase("This request"),
    "summary": phrase("This summary"),
    "title": phrase("This title"),
    "cache": phrase("Keeping the cache"),
}
UNSENT: Final = unsent()


class SpendingCaps:
    """The caps of the settings, by UTC day and by thread; 0 turns one off."""

    def __init__(self, history: History, settings: Callable[[], Settings], clock: Clock) -> None:
        self._history = history
        self._settings = settings
        self._clock = clock

    async def check(
        self, thread_id: str, backend: Backend, expected_usd: float | None, *, what: str = REQUEST, end: str = UNSENT
    ) -> None:
        """`UserError("config")` where `expected_usd` more (None, not known: 0) would pass a cap.

        `what` is named in its words, which `end` closes. Only what is billed in money counts: a share of a plan has
        its own limits.
        """
        if backend.cost_kind != "money":
            return
        costs, now = self._settings().costs, self._clock.now()
        day = f"{now:%Y-%m-%d}T00:00:00.000Z"
        for cap, period, since, thread in (
            (costs.day_cap_usd, phrase("a day"), day, None),
            (costs.thread_cap_usd, phrase("for this thread"), EVER, thread_id),
        ):
            if not cap:
                continue
            spent, expected = await self._history.spent_usd(since=since, thread_id=thread), expected_usd or 0.0
            if spent + expected > cap:
                facts = {"cap": dollars(cap), "period": period, "spent": dollars(spent), "end": end}
                if spent >= cap:
                    words = phrase("The cap of {cap} {period} is passed: {spent} spent. {end}", **facts)
                else:
                    words = phrase(
                        "{what} would pass the cap of {cap} {period}: {spent} spent, about {expected} expected. {end}",
                        what=SUBJECTS.get(what, what),
                        expected=dollars(expected),
                        **facts,
                    )
                raise UserError("config", words, actions=("pass_cap", "edit_caps"))
