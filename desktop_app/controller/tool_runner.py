"""Runs the tools that a model may call: within one turn, counted, within what the window holds."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from desktop_app.controller.ports import History
from desktop_app.core.context.plan import ContextPlan
from desktop_app.core.context.text_features import features
from desktop_app.core.context.token_estimator import TokenEstimator
from desktop_app.core.errors import PlimsollError
from desktop_app.core.history_records import RecallHit
from desktop_app.core.messages import Message, Part, Thread, ToolCallPart, ToolResultPart
from desktop_app.core.model_catalog import ModelInfo
from desktop_app.core.recall import (
    ALL_IN_VIEW,
    NO_SUCH_MESSAGE,
    NOTHING_FOUND,
    RECALL,
    eligible,
    found_at,
    named_messages,
    result_facts,
)
from desktop_app.core.recall_result import RESULT, RecallResult, recall_result
from desktop_app.core.tool_spec import MOST_CALLS, ToolSpec

log = logging.getLogger(__name__)

MOST_TOKENS: Final = 8_000
"""Tokens of messages that are asked for by their numbers: some twelve pages, an eighteenth of the usual soft limit."""

LEAST_TOKENS: Final = 200
"""Tokens of room below which a result would say too little to be worth a further request."""

ROOM_SHARE: Final = 4
"""One result takes at most this part of the room below the emergency limit, so that others find room after it."""

CANDIDATES: Final = 60
"""Messages that one search looks for; how many of them are answered depends on the room."""

NO_ROOM: Final = "There is no room left in the context window for more results. Answer with what you have."
ENOUGH: Final = f"{MOST_CALLS} calls were made in this turn, which is the limit. Answer with what you have."


def offered_tools(thread: Thread, model: ModelInfo) -> tuple[ToolSpec, ...]:
    """The tools that requests of this thread may offer to this model."""
    return (RECALL,) if model.accepts_tools and thread.choices.recall else ()


@dataclass(slots=True)
class ToolRunner:
    """Answers the calls of one turn. `plan` is the request in flight, `path` what it was made of.

    `calls` counts all calls of the turn; `used` are tokens of results that the plan does not hold yet.
    """

    history: History
    thread_id: str
    plan: ContextPlan
    path: Sequence[Message]
    estimator: TokenEstimator
    calls: int = 0
    used: float = field(default=0.0, init=False)

    async def answer(self, call: ToolCallPart) -> ToolResultPart:
        """Runs a call. Raises nothing: what went wrong is an answer that says so to the model."""
        self.calls += 1
        if self.calls > MOST_CALLS:
            return ToolResultPart(call.id, ENOUGH, is_error=True)
        if call.name not in (tool.name for tool in self.plan.tools):
            return ToolResultPart(call.id, f"There is no tool {call.name}.", is_error=True)
        try:
            result = await self._recall(call)
        except PlimsollError as error:
            result = ToolResultPart(call.id, f"The search failed: {error.failure.message}", is_error=True)
        except Exception as error:  # a bug must not end the answer; it is logged as one
            log.exception("the tool %s failed", call.name)
            result = ToolResultPart(call.id, f"The search failed: {type(error).__name__}", is_error=True)
        self.used += self.estimator.tokens(features(result.text))
        return result

    @property
    def exhausted(self) -> bool:
        """Whether the model has to answer without further calls."""
        return self.calls >= MOST_CALLS

    async def _recall(self, call: ToolCallPart) -> ToolResultPart:
        query = call.input.get("query")
        if not isinstance(query, str) or not query.strip():
            return ToolResultPart(call.id, "The query is missing: say in `query` what to look for.", is_error=True)
        named = named_messages(query)
        among = eligible(self.plan, self.path)
        if not among and not named:
            return ToolResultPart(call.id, ALL_IN_VIEW, extra=result_facts(RecallResult()))
        room = self.plan.limits.emergency - self.plan.tokens.upper - self.used
        budget = int(min(MOST_TOKENS if named else RESULT, room / ROOM_SHARE))
        if budget < LEAST_TOKENS:
            return ToolResultPart(call.id, NO_ROOM, is_error=True)
        if named:
            # a message may be as long as a book
            result = await asyncio.to_thread(self._read, named, budget)
            nothing = NO_SUCH_MESSAGE.format(count=len(self.path))
        else:
            hits = await self.history.search_thread(self.thread_id, query, among, CANDIDATES)
            result = await asyncio.to_thread(recall_result, hits, self.path, budget, self.estimator, among)
            nothing = NOTHING_FOUND
        return ToolResultPart(call.id, result.text or nothing, extra=result_facts(result))

    def _read(self, numbers: Sequence[int], budget: int) -> RecallResult:
        """The messages with these numbers, whole where they fit, else around what a search found there."""
        excluded = {placed.id for placed in self.plan.messages if placed.state == "excluded"}
        among = {message.id for message in self.path} - excluded
        ids = [self.path[number - 1].id for number in numbers if 0 < number <= len(self.path)]
        hits = [RecallHit(one, at, at, 0.0) for one in ids if one in among for at in (found_at(self.path, one),)]
        share = budget // max(1, len(hits))
        return recall_result(hits, self.path, budget, self.estimator, among, share=share)


def open_calls(parts: Sequence[Part]) -> tuple[ToolCallPart, ...]:
    """The calls among these parts that have no result there."""
    answered = {part.call_id for part in parts if isinstance(part, ToolResultPart)}
    return tuple(part for part in parts if isinstance(part, ToolCallPart) and part.id not in answered)
