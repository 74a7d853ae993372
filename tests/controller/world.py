"""Owns a controller with everything around it, as a test sees it: what was announced, which time it is."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any, TypeVar

from desktop_app.backends.backend_protocol import Backend
from desktop_app.controller.chat import ChatController
from desktop_app.controller.context_source import ThreadArtifacts
from desktop_app.controller.model_selection import NO_PROJECTS, ThreadProjects
from desktop_app.controller.ports import Announcements, Clock, History, Secrets
from desktop_app.controller.server_tools import ServerTools
from desktop_app.controller.turn_tools import TurnTool
from desktop_app.core.context.request_secrets import SecretScan
from desktop_app.core.errors import UserError
from desktop_app.core.events import Announcement
from desktop_app.core.messages import JsonObject, Message, Part, TextPart, Thread
from desktop_app.core.settings import Settings
from desktop_app.storage.sqlite_history import Database, SqliteHistory
from tests.patience import PATIENCE_S

Kind = TypeVar("Kind")


@dataclass
class NoKeys:
    """Secrets as a test sets them: environment and keyring as two dictionaries."""

    environment: dict[str, str] = field(default_factory=dict)
    keyring: dict[str, str] = field(default_factory=dict)
    asked: list[str] = field(default_factory=list)

    def from_environment(self, backend: str) -> str | None:
        return self.environment.get(backend)

    async def get(self, backend: str) -> str | None:
        self.asked.append(backend)
        return self.environment.get(backend) or self.keyring.get(backend)

    async def set(self, backend: str, key: str) -> None:
        self.keyring[backend] = key

    async def delete(self, backend: str) -> None:
        self.keyring.pop(backend, None)


class WatchedHistory(SqliteHistory):
    """A history that tells of every partial answer it was given to keep."""

    def __init__(self, database: Database) -> None:
        super().__init__(database)
        self.partials: list[Message] = []
        self.saved = asyncio.Event()
        self.full = False

    async def save_partial(self, answer: Message) -> None:
        self.partials.append(answer)
        try:
            if self.full:
                raise UserError("store", "The disk is full.")
            await super().save_partial(answer)
        finally:
            self.saved.set()


@dataclass
class World:
    """A controller and what it said."""

    chat: ChatController
    history: History
    backends: Mapping[str, Backend]
    announcements: Announcements
    heard: list[Announcement]

    def of(self, kind: type[Kind]) -> list[Kind]:
        """Everything of one kind that was announced."""
        return [fact for fact in self.heard if isinstance(fact, kind)]

    def kinds(self) -> list[str]:
        """The names of what was announced, in order."""
        return [type(fact).__name__ for fact in self.heard]

    async def until(self, kind: type[Kind], which: Callable[[Kind], bool] = lambda fact: True) -> Kind:
        """Waits until such a fact is announced (or was), and returns the first one."""
        came: asyncio.Future[Kind] = asyncio.get_running_loop().create_future()

        def look(fact: Announcement) -> None:
            if isinstance(fact, kind) and which(fact) and not came.done():
                came.set_result(fact)

        for fact in self.heard:
            look(fact)
        unsubscribe = self.announcements.subscribe(look)
        try:
            async with asyncio.timeout(PATIENCE_S):
                return await came
        finally:
            unsubscribe()

    async def thread(self, backend: str | None = "gated", **more: Any) -> Thread:
        return await self.chat.new_thread(backend=backend, **more)

    async def would_send(self, thread_id: str, parts: Sequence[Part]) -> JsonObject:
        """The exact request that sending `parts` now would make."""
        plan = await self.chat.expected(thread_id, parts)
        return self.backends[plan.backend].request(plan)

    async def stored(self, thread_id: str) -> Sequence[Message]:
        return await self.history.messages(thread_id)


def words(text: str) -> tuple[TextPart, ...]:
    """A message of one text."""
    return (TextPart(text),)


@dataclass(frozen=True, slots=True)
class HandClock(Clock):
    """A clock that stands until a test moves it; every look moves it on by a millisecond, so that times differ."""

    moved: list[timedelta] = field(default_factory=lambda: [timedelta()])
    start: datetime = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)

    def now(self) -> datetime:
        self.moved[0] += timedelta(milliseconds=1)
        return self.start + self.moved[0]

    def advance(self, **time: float) -> None:
        self.moved[0] += timedelta(**time)


async def make_world(
    history: History,
    backends: Mapping[str, Backend],
    *,
    settings: Callable[[], Settings] = Settings,
    secrets: Secrets | None = None,
    clock: Clock | None = None,
    default_backend: str | None = None,
    interactive: bool = False,
    tools: Sequence[TurnTool] = (),
    announcements: Announcements | None = None,
    projects: ThreadProjects = NO_PROJECTS,
    artifacts: ThreadArtifacts | None = None,
    scan: SecretScan | None = None,
    servers: Callable[[], ServerTools | None] = lambda: None,
) -> World:
    """A started controller whose announcements are recorded."""
    announcements = announcements or Announcements()
    heard: list[Announcement] = []
    announcements.subscribe(heard.append)
    chat = ChatController(
        history=history,
        backends=backends,
        secrets=secrets or NoKeys(),
        settings=settings,
        announcements=announcements,
        clock=clock,
        default_backend=default_backend,
        interactive=interactive,
        tools=tools,
        projects=projects,
        artifacts=artifacts,
        scan=scan,
        servers=servers,
    )
    await chat.start()
    return World(chat, history, backends, announcements, heard)
