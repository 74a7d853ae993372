"""The tool that looks through the user's other threads, where they allow it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from desktop_app.controller.ports import History
from desktop_app.controller.turn_tools import TurnState, no_room, result_budget, shortened
from desktop_app.core.context.project_context import ProjectContext
from desktop_app.core.conversation import Conversation
from desktop_app.core.history_records import RecallHit
from desktop_app.core.messages import LONGEST_ANSWER, Thread, ToolCallPart, ToolResultPart
from desktop_app.core.recall import (
    MOST_THREADS,
    NO_OTHERS,
    NOTHING_IN_OTHERS,
    QUERY_MISSING,
    RESULT,
    SEARCH_HISTORY,
    HistoryResult,
    SearchedThread,
    history_result,
    history_result_facts,
    searchable,
)
from desktop_app.core.settings import Settings
from desktop_app.core.tool_spec import ToolSpec

CANDIDATES: Final = 60
"""Messages that one search looks for; how many of them are answered depends on the room."""


@dataclass(frozen=True, slots=True)
class HistoryTool:
    """Searches other threads: those of the same project, or, where the setting allows it, those of no project."""

    history: History
    settings: Callable[[], Settings]

    @property
    def spec(self) -> ToolSpec:
        """`search_history`."""
        return SEARCH_HISTORY

    def is_offered(self, thread: Thread, project: ProjectContext | None) -> bool:
        """Return True if the project, or outside of any the setting, allows it. Never in a private thread."""
        if thread.private:
            return False
        if thread.project is not None:
            return project is not None and project.searches_threads
        return self.settings().context.search_other_threads

    async def answer(self, call: ToolCallPart, turn: TurnState) -> ToolResultPart:
        """The passages of other threads that answer a query."""
        query = call.input.get("query")
        if not isinstance(query, str) or not query.strip():
            return ToolResultPart(call.id, QUERY_MISSING, is_error=True)
        budget = result_budget(turn, RESULT)
        if not budget:
            return no_room(call)
        among = searchable((summary.thread for summary in await self.history.threads()), turn.thread)
        if not among:
            return ToolResultPart(call.id, NO_OTHERS, extra=history_result_facts(HistoryResult()))
        by_thread: dict[str, list[RecallHit]] = {}
        for thread_id, hit in await self.history.projects.search_threads(query, among, CANDIDATES):
            by_thread.setdefault(thread_id, []).append(hit)
        found: list[SearchedThread] = []
        for thread_id, hits in list(by_thread.items())[:MOST_THREADS]:
            thread = await self.history.thread(thread_id)
            path = Conversation(await self.history.messages(thread_id, most=LONGEST_ANSWER)).path(thread.tip)
            found.append(SearchedThread(thread, path, hits))
        result = await asyncio.to_thread(history_result, found, budget, turn.estimator)
        text = shortened(turn, result.text, RESULT) if result.text else NOTHING_IN_OTHERS
        return ToolResultPart(call.id, text, extra=history_result_facts(result))
