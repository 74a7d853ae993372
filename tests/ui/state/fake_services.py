"""The services as presenters see them, without a window, a history or a provider: what is called is written down."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from types import SimpleNamespace
from typing import Any, cast

from PySide6.QtCore import QObject

from desktop_app.controller.open_threads import OpenThread
from desktop_app.controller.ports import Announcements
from desktop_app.core.conversation import Conversation
from desktop_app.core.messages import Message, Part, Thread
from desktop_app.core.text_diff import together
from desktop_app.ui.state.app_state import AppState
from desktop_app.ui.state.bridge import Bridge, Tasks
from desktop_app.ui.state.services import WindowServices

AT = "2026-01-01T00:00:00.000Z"


def thread_of(messages: Sequence[Message], **facts: Any) -> Thread:
    tip = messages[-1].id if messages else None
    return Thread("t", "", AT, AT, tip=tip, **facts)


class FakeMarks:
    def __init__(self) -> None:
        self.read: list[tuple[str, str]] = []

    async def seen(self, thread_id: str, tip: str) -> None:
        self.read.append((thread_id, tip))


class FakeChat:
    """Threads in memory. `sent` is what was asked of it, in order."""

    def __init__(self) -> None:
        self.threads: dict[str, OpenThread] = {}
        self.answering: set[str] = set()
        self.sent: list[tuple[object, ...]] = []
        self.drafts: dict[str, str] = {}
        self.marks = FakeMarks()

    def put(self, thread: Thread, messages: Sequence[Message]) -> OpenThread:
        self.threads[thread.id] = opened = OpenThread.of(thread, Conversation(messages))
        return opened

    def loaded(self, thread_id: str) -> OpenThread | None:
        return self.threads.get(thread_id)

    def running(self, thread_id: str) -> bool:
        return thread_id in self.answering

    async def open_thread(self, thread_id: str) -> OpenThread:
        return self.threads[thread_id]

    async def new_thread(self, **_facts: object) -> Thread:
        return self.put(thread_of(()), ()).thread

    async def save_draft(self, thread_id: str, text: str, *, expected: str) -> str | None:
        there = self.threads[thread_id].thread.draft if thread_id in self.threads else ""
        if (stands := self.drafts.get(thread_id, there)) not in (text, expected):
            return stands
        self.drafts[thread_id] = text
        return None

    async def keep_draft(self, thread_id: str, text: str) -> None:
        self.drafts[thread_id] = together(self.drafts.get(thread_id, ""), text)

    async def stop(self, thread_id: str) -> None:
        self.sent.append(("stop", thread_id))

    async def set_soft_limit(self, thread_id: str, tokens: int) -> None:
        self.sent.append(("limit", thread_id, tokens))

    def start_send(self, thread_id: str, parts: tuple[Part, ...], **how: object) -> None:
        self.sent.append(("send", thread_id, parts, how.get("pass_cap", False)))

    async def start_regenerate(self, thread_id: str, message_id: str, **_how: object) -> None:
        self.sent.append(("regenerate", thread_id, message_id))

    def start_continue(self, thread_id: str, words: str, **_how: object) -> None:
        self.sent.append(("continue", thread_id))

    async def show_branch(self, thread_id: str, message_id: str) -> None:
        self.sent.append(("show", thread_id, message_id))

    async def branch_from(self, thread_id: str, message_id: str) -> None:
        self.sent.append(("branch", thread_id, message_id))

    def start_retry(self, thread_id: str, *, pass_cap: bool = False, **_how: object) -> None:
        self.sent.append(("retry", thread_id, pass_cap))


class StateOfWindow:
    """An `AppState` over fake services."""

    def __init__(self) -> None:
        self.parent = QObject()
        self.chat = FakeChat()
        self.announcements = Announcements()
        loop = asyncio.get_running_loop()
        self.tasks = Tasks(loop, self.parent)
        self.app_state = AppState(loop, self.tasks, Bridge(self.parent), self.parent)
        settings = SimpleNamespace(default_backend=None, costs=SimpleNamespace(show_above_usd=None))
        self.services = SimpleNamespace(
            chat=self.chat,
            announcements=self.announcements,
            preferences=SimpleNamespace(settings=settings),
            backends={},
            library=SimpleNamespace(running=self.running),
        )

    async def running(self) -> Sequence[str]:
        """All that is coming."""
        return tuple(self.chat.answering)

    def supply(self) -> None:
        self.app_state.supply(cast("WindowServices", self.services))

    async def opened(self, messages: Sequence[Message], **facts: Any) -> Thread:
        """A thread of these messages, which is open then."""
        if self.app_state.ready is None:
            self.supply()
        thread = self.chat.put(thread_of(messages, **facts), messages).thread
        await self.app_state.open_thread(thread.id)
        return thread

    def grow(self, thread: Thread, messages: Sequence[Message]) -> None:
        """The controller has these messages of the thread by now."""
        self.chat.put(thread_of(messages), messages)

    async def at_rest(self) -> None:
        """Everything that was started is done."""
        while self.tasks.running:
            rested = asyncio.Event()
            self.tasks.after_running(rested.set)
            await rested.wait()
