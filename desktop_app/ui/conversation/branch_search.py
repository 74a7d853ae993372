"""The matches in the open thread beside the branch that is shown. Paints nothing, leads nowhere itself."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from PySide6.QtCore import QObject, Signal

from desktop_app.core.context.context_choices import NO_CHOICES, ContextChoices
from desktop_app.core.conversation import Conversation
from desktop_app.core.deletions import shown_nowhere
from desktop_app.core.find_pattern import FindPattern
from desktop_app.core.messages import Message
from desktop_app.ui.state.app_state import AppState
from desktop_app.ui.transcript.find.find_in_thread import FindInThread
from desktop_app.ui.transcript.message.merged_answers import is_results


class BranchSearch(QObject):
    """Tells the find bar how many messages of other branches hold what is looked for.

    `wanted(thread_id, message_id)`: the next of them is to be shown.
    """

    wanted = Signal(str, str)

    def __init__(self, app_state: AppState, find: FindInThread) -> None:
        super().__init__(find)
        self._app_state = app_state
        self._find = find
        self._needle = FindPattern("")
        self._found: list[str] = []
        self._visited: set[str] = set()
        find.looked_through.connect(self._look)
        find.elsewhere_requested.connect(self._next)

    def _look(self, needle: FindPattern) -> None:
        if needle != self._needle:
            self._needle = needle
            self._found, self._visited = [], set()
        if needle:
            self._app_state.look(self._count(needle))

    async def _count(self, needle: FindPattern) -> None:
        services, thread_id = await self._app_state.services(), self._app_state.thread_id
        if thread_id is None:
            return
        opened = await services.chat.open_thread(thread_id)
        others = beside(opened.conversation, opened.path, opened.thread.choices)
        found = await asyncio.to_thread(_holding, others, needle) if others else []
        if needle == self._needle and self._app_state.is_open(thread_id):
            self._found = found
            self._find.show_elsewhere(len(found))

    def _next(self) -> None:
        """The first of them that was not led to yet; after all, the first again."""
        thread_id = self._app_state.thread_id
        if not self._found or thread_id is None:
            return
        if self._visited.issuperset(self._found):
            self._visited.clear()
        chosen = next(one for one in self._found if one not in self._visited)
        self._visited.add(chosen)
        self.wanted.emit(thread_id, chosen)


def _holding(messages: Sequence[Message], needle: FindPattern) -> list[str]:
    """The ids of the messages whose own words hold it."""
    return [one.id for one in messages if needle.may_be_in(one.text) and needle.spans(one.text)]


def beside(conversation: Conversation, path: Sequence[Message], choices: ContextChoices = NO_CHOICES) -> list[Message]:
    """Return the messages on other branches than the one of this path, in the order they came."""
    passed = {message.id for message in path} | shown_nowhere(conversation, choices)
    return [message for message in conversation if message.id not in passed and not is_results(message)]
