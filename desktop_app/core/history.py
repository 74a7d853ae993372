"""Owns the records that are handed to the history and come back from it. Knows nothing of how they are stored."""

from __future__ import annotations

from dataclasses import dataclass

from desktop_app.core.messages import Message, Thread


@dataclass(frozen=True, slots=True)
class TurnRecord:
    """One model call: who owns it (process), what it asked. `request` is kept as a manifest of blocks."""

    id: str
    thread_id: str
    user_message_id: str | None
    answer_id: str
    backend: str
    model: str
    started: str
    purpose: str = "chat"


@dataclass(frozen=True, slots=True)
class ImportedThread:
    """A thread from an export. `key` names its origin, so that a second import of the same thread is known."""

    key: str
    thread: Thread
    messages: tuple[Message, ...]


@dataclass(frozen=True, slots=True)
class ImportCount:
    """What an import did: new threads and messages, and threads that were there already (some messages may be new)."""

    threads: int
    messages: int
    already: int
