"""Owns the history file that storage tests work on, and small builders of threads and turns."""

from __future__ import annotations

import itertools
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from desktop_app.core.history_records import TurnRecord
from desktop_app.core.messages import JsonObject, Message, Part, TextPart, Thread, Usage
from desktop_app.storage.sqlite_history import SqliteHistory

TIME = "2026-03-01T10:00:00.000Z"


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "data" / "history.db"


@asynccontextmanager
async def opened(path: Path) -> AsyncIterator[SqliteHistory]:
    """The history of a file; closed also where the test fails, as its thread would keep the test run from ending."""
    history = await SqliteHistory.open(path)
    try:
        yield history
    finally:
        await history.close()


@pytest.fixture
async def history(path: Path) -> AsyncIterator[SqliteHistory]:
    async with opened(path) as history:
        yield history


def a_thread(thread_id: str = "thread", **facts: str) -> Thread:
    return replace(Thread(thread_id, "Tides", TIME, TIME), **facts)  # type: ignore[arg-type]


class Talk:
    """One thread's turns, in order, through the history's own interface."""

    def __init__(self, history: SqliteHistory, thread_id: str = "thread", tip: str | None = None) -> None:
        self.history, self.thread_id, self.tip = history, thread_id, tip
        self._numbers: Iterator[int] = itertools.count(1)

    async def begin(self, text: str, *, request: JsonObject | None = None, name: str | None = None) -> Message:
        """Stores a question and begins its turn; returns the still empty answer. Ids: q1, a1, t1, ..."""
        name = name or str(next(self._numbers))
        question = Message(f"q{name}", self.thread_id, self.tip, "user", (TextPart(text),), TIME)
        answer = Message(f"a{name}", self.thread_id, question.id, "assistant", (), TIME, state="partial")
        record = TurnRecord(f"t{name}", self.thread_id, question.id, answer.id, "scripted", "echo", TIME)
        await self.history.begin_turn(
            record, new_messages=[question], answer=answer, expected_tip=self.tip, request=request or {}
        )
        self.tip = answer.id
        return answer

    async def end(self, answer: Message, *parts: Part) -> Message:
        final = replace(answer, parts=parts, state="complete", model="echo-1", stop_reason="end_turn")
        await self.history.end_turn("t" + answer.id[1:], final, Usage(input=10, output=5))
        return final

    async def turn(self, question: str, answer: str, *, request: JsonObject | None = None) -> Message:
        return await self.end(await self.begin(question, request=request), TextPart(answer))


@pytest.fixture
async def talk(history: SqliteHistory) -> Talk:
    await history.create_thread(a_thread())
    return Talk(history)
