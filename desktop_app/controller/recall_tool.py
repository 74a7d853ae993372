"""The tool that looks up what was left out of a request, over the thread's own index (CTX-13)."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from desktop_app.controller.ports import History
from desktop_app.controller.turn_tools import TurnState, no_room, result_budget, shortened
from desktop_app.core.context.project_context import ProjectContext
from desktop_app.core.history_records import RecallHit
from desktop_app.core.messages import Message, Thread, ToolCallPart, ToolResultPart
from desktop_app.core.recall import (
    ALL_IN_VIEW,
    NO_SUCH_MESSAGE,
    NOTHING_FOUND,
    QUERY_MISSING,
    RECALL,
    RESULT,
    RecallResult,
    eligible,
    found_at,
    named_messages,
    recall_result,
    result_facts,
)
from desktop_app.core.tool_spec import ToolSpec

MOST_TOKENS: Final = 8_000
"""Tokens of messages that are asked for by their numbers: some twelve pages, an eighteenth of the usual soft limit."""

CANDIDATES: Final = 60
"""Messages that one search looks for; how many of them are answered depends on the room."""


@dataclass(frozen=True, slots=True)
class RecallTool:
    """Searches the messages of its thread that the request does not hold."""

    history: History

    @property
    def spec(self) -> ToolSpec:
        """`search_this_thread`."""
        return RECALL

    def is_offered(self, thread: Thread, project: ProjectContext | None) -> bool:
        """Unless the user switched it off for the thread."""
        return thread.choices.recall

    async def answer(self, call: ToolCallPart, turn: TurnState) -> ToolResultPart:
        """The passages that answer a query, or the messages that it names."""
        query = call.input.get("query")
        if not isinstance(query, str) or not query.strip():
            return ToolResultPart(call.id, QUERY_MISSING, is_error=True)
        path = turn.path[:-1]  # what is looked up is what was said before this answer
        named = named_messages(query)
        among = eligible(turn.plan, path)
        if not among and not named:
            return ToolResultPart(call.id, ALL_IN_VIEW, extra=result_facts(RecallResult()))
        most = MOST_TOKENS if named else RESULT
        budget = result_budget(turn, most)
        if not budget:
            return no_room(call)
        if named:
            # a message may be as long as a book
            result = await asyncio.to_thread(_read, turn, path, named, budget)
            nothing = NO_SUCH_MESSAGE.format(count=len(path))
        else:
            hits = await self.history.search_thread(turn.thread.id, query, among, CANDIDATES)
            result = await asyncio.to_thread(recall_result, hits, path, budget, turn.estimator, among)
            nothing = NOTHING_FOUND
        text = await asyncio.to_thread(shortened, turn, result.text, most) if result.text else nothing
        return ToolResultPart(call.id, text, extra=result_facts(result))


def _read(turn: TurnState, path: Sequence[Message], numbers: Sequence[int], budget: int) -> RecallResult:
    """The messages with these numbers, whole where they fit, else around what a search found there."""
    excluded = {placed.id for placed in turn.plan.placement.messages if placed.state == "excluded"}
    among = {message.id for message in path} - excluded
    ids = [path[number - 1].id for number in numbers if 0 < number <= len(path)]
    hits = [RecallHit(one, at, at, 0.0) for one in ids if one in among for at in (found_at(path, one),)]
    share = budget // max(1, len(hits))
    return recall_result(hits, path, budget, turn.estimator, among, share=share)
