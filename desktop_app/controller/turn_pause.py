"""The budget of one turn, over all its requests, and the pause in which it waits for the user."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from datetime import timedelta
from typing import Final, Literal, TypeAlias

from desktop_app.controller.ports import Announcements, Clock, parse_stamp
from desktop_app.core.context.plan import ContextPlan
from desktop_app.core.context.plan_text import dollars
from desktop_app.core.events import Announcement, NoticeRaised, TurnPaused, TurnProgressed, TurnResumed
from desktop_app.core.messages import Usage
from desktop_app.core.phrases import phrase
from desktop_app.core.settings import ContextSettings

TURN_CAP: Final = "turn_cap"
"""The stop reason of an answer that ended at its turn's cap; and the notice's code."""

HELD_CALL_S: Final = 540.0
"""Seconds that a call is held open in a program that waits for its result: it gives up after ten minutes."""

AtCap: TypeAlias = Literal["ask", "end", "pass"]
"""The way of a turn at its cap: it waits for the user, ends, or goes on."""

LIFETIMES: Final = {"5m": timedelta(minutes=5), "1h": timedelta(hours=1)}


class TurnCapError(Exception):
    """The turn ends at its cap, with what there is."""


class TurnPause:
    """One wait of a running turn for the user. Stopping the turn, or quitting, ends it as everything else."""

    def __init__(self, announcements: Announcements, thread_id: str) -> None:
        self._announcements = announcements
        self._thread_id = thread_id
        self._answer: asyncio.Future[bool] | None = None

    def answer(self, *, go_on: bool) -> None:
        """The user's decision; does nothing where none is waited for."""
        if self._answer is not None and not self._answer.done():
            self._answer.set_result(go_on)

    async def ask(self, question: Announcement, within_s: float | None) -> bool:
        """Return True if the turn goes on; after `within_s` seconds without an answer it does not."""
        self._answer = asyncio.get_running_loop().create_future()
        self._announcements.publish(question)
        try:
            async with asyncio.timeout(within_s):
                return await self._answer
        except TimeoutError:
            return False
        finally:
            self._answer = None
            self._announcements.publish(TurnResumed(self._thread_id))


class TurnBudget:
    """The calls, rounds and dollars of one turn. `in_money`: its requests are billed; else calls alone count."""

    def __init__(
        self,
        thread_id: str,
        settings: Callable[[], ContextSettings],
        announcements: Announcements,
        clock: Clock,
        *,
        in_money: bool,
        at_cap: AtCap,
    ) -> None:
        self.pause = TurnPause(announcements, thread_id)
        self.calls = self.rounds = 0
        self._usd: float | None = 0.0 if in_money else None
        self._thread_id = thread_id
        self._settings = settings
        self._announcements = announcements
        self._clock = clock
        self._at_cap = at_cap
        self._steps_usd = self._steps_calls = 1  # how often each cap was raised by itself

    @property
    def exhausted(self) -> bool:
        """True if the model has to answer without further calls."""
        return self.rounds >= self._settings().max_tool_rounds

    def spend(self, usage: Usage | None) -> None:
        """Adds the price of a request of the turn, where it is known."""
        if self._usd is not None and usage is not None:
            self._usd += usage.cost_usd or 0.0

    async def take_call(self, plan: ContextPlan, asked: str, *, held: bool) -> None:
        """Counts a call before it is run; at a cap it waits for the user, or raises `TurnCapError`.

        `plan` is that of the request in flight, sent at `asked`; `held`: a program waits for the call's result.
        """
        settings = self._settings()
        by_usd = self._usd is not None and 0 < settings.turn_cap_usd * self._steps_usd <= self._usd
        by_calls = 0 < settings.turn_cap_calls * self._steps_calls <= self.calls
        if self._at_cap != "pass" and (by_usd or by_calls):
            await self._stop_at_cap(settings, plan, asked, by_usd=by_usd, held=held)
        self.calls += 1
        self._announcements.publish(TurnProgressed(self._thread_id, self.calls, self._usd))

    async def _stop_at_cap(
        self, settings: ContextSettings, plan: ContextPlan, asked: str, *, by_usd: bool, held: bool
    ) -> None:
        if self._at_cap == "end":
            words = stopped_at_cap(self.calls, self._usd)
            self._announcements.publish(NoticeRaised(self._thread_id, TURN_CAP, words))
            raise TurnCapError
        steps_usd, steps_calls = self._steps_usd, self._steps_calls
        if by_usd:
            steps_usd = int((self._usd or 0.0) / settings.turn_cap_usd) + 1
        else:
            steps_calls = self.calls // settings.turn_cap_calls + 1
        now, began = self._clock.now(), parse_stamp(asked)
        until = None if began is None or not plan.request.marks else began + LIFETIMES[plan.request.marks[0].lifetime]
        question = TurnPaused(
            self._thread_id,
            self.calls,
            self._usd,
            to_usd=steps_usd * settings.turn_cap_usd if by_usd else 0.0,
            to_calls=0 if by_usd else steps_calls * settings.turn_cap_calls,
            cached_until="" if until is None or until <= now else until.isoformat(),
            ends=(now + timedelta(seconds=HELD_CALL_S)).isoformat() if held else "",
        )
        if not await self.pause.ask(question, HELD_CALL_S if held else None):
            raise TurnCapError
        self._steps_usd, self._steps_calls = steps_usd, steps_calls


def stopped_at_cap(calls: int, usd: float | None) -> str:
    """That a turn ended at its cap, with how much it has done."""
    if usd:
        return phrase("Stopped at the turn cap after {spent} ({calls:,} tool calls).", spent=dollars(usd), calls=calls)
    return phrase("Stopped at the turn cap after {calls:,} tool calls.", calls=calls)
