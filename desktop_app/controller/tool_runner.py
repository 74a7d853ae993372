"""Runs the tools that a model may call: within one turn, counted, within what the window holds."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from desktop_app.controller.turn_tools import ToolTable, TurnState
from desktop_app.core.context.plan import ContextPlan
from desktop_app.core.context.text_features import features
from desktop_app.core.context.token_counting import block_text
from desktop_app.core.context.token_estimator import TokenEstimator
from desktop_app.core.errors import PlimsollError
from desktop_app.core.messages import Message, Part, Thread, ToolCallPart, ToolResultPart
from desktop_app.core.tool_spec import MOST_CALLS

log = logging.getLogger(__name__)

ENOUGH: Final = f"{MOST_CALLS} calls were made in this turn, which is the limit. Answer with what you have."


@dataclass(slots=True)
class ToolRunner:
    """Answers the calls of one turn. `plan` is the request in flight, `path` what it was made of.

    `calls` counts all calls of the turn; `used` are tokens of results that the plan does not hold yet. Results go up to
    the soft limit; only where the turn began above it, as the user wanted it, up to the emergency limit.
    """

    tools: ToolTable
    thread: Thread
    plan: ContextPlan
    path: Sequence[Message]
    estimator: TokenEstimator
    calls: int = 0
    began_above: bool = False
    used: float = field(default=0.0, init=False)

    async def answer(self, call: ToolCallPart, caller: Message) -> ToolResultPart:
        """Runs a call of the answer `caller`. Raises nothing: what went wrong is a result that says so to the model."""
        self.calls += 1
        if self.calls > MOST_CALLS:
            return ToolResultPart(call.id, ENOUGH, is_error=True)
        tool = self.tools.find(call.name)
        if tool is None or call.name not in (offered.name for offered in self.plan.request.tools):
            return ToolResultPart(call.id, f"There is no tool {call.name}.", is_error=True)
        try:
            room = await asyncio.to_thread(self._room, caller)
            turn = TurnState(self.thread, self.plan, (*self.path, caller), self.estimator, room)
            result = await tool.answer(call, turn)
        except PlimsollError as error:
            result = ToolResultPart(call.id, f"{call.name} failed: {error.failure.message}", is_error=True)
        except Exception as error:  # a bug must not end the answer; it is logged as one
            log.exception("the tool %s failed", call.name)
            result = ToolResultPart(call.id, f"{call.name} failed: {type(error).__name__}", is_error=True)
        self.used += self.estimator.tokens(features(result.text))
        return result

    def _room(self, caller: Message) -> float:
        """Tokens left for results beside what the answer `caller` itself adds to the next request."""
        limits, tokens = self.plan.limits, self.plan.tokens
        room = limits.emergency - tokens.upper if self.began_above else limits.soft - tokens.total
        own = (part for part in caller.parts if not isinstance(part, ToolResultPart))
        return room - self.used - sum(self.estimator.tokens(features(block_text(part))) for part in own)

    @property
    def exhausted(self) -> bool:
        """True if the model has to answer without further calls."""
        return self.calls >= MOST_CALLS


def open_calls(parts: Sequence[Part]) -> tuple[ToolCallPart, ...]:
    """The calls among these parts that have no result there."""
    answered = {part.call_id for part in parts if isinstance(part, ToolResultPart)}
    return tuple(part for part in parts if isinstance(part, ToolCallPart) and part.id not in answered)
