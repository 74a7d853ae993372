"""What a tool of ours is to a running turn: its description, and the answer to one call."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from desktop_app.core.context.plan import ContextPlan
from desktop_app.core.context.token_estimator import TokenEstimator
from desktop_app.core.messages import Message, Thread, ToolCallPart, ToolResultPart
from desktop_app.core.tool_spec import ToolSpec


@dataclass(frozen=True, slots=True)
class TurnState:
    """What a tool may know of the turn that calls it. `plan` is the request in flight, `path` what it was made of,
    with the calls and results of this turn so far. `room`: tokens that all further results of the turn may have.
    """

    thread: Thread
    plan: ContextPlan
    path: Sequence[Message]
    estimator: TokenEstimator
    room: float


class TurnTool(Protocol):
    """One tool that a model may call within a turn."""

    @property
    def spec(self) -> ToolSpec: ...

    async def answer(self, call: ToolCallPart, turn: TurnState) -> ToolResultPart:
        """Runs a call. A wrong input is an error result that says to the model what to do.

        Raises `PlimsollError` where it can't be run; the caller makes an error result of that.
        """
        ...
