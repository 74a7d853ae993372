"""Looks whether the history's file changed under the app, and tries again to save answers that it did not take.

The history itself writes them before their thread's next turn.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from dataclasses import replace
from typing import Final

from desktop_app.controller.model_selection import LearnedWindows
from desktop_app.controller.open_threads import OpenThreads
from desktop_app.controller.ports import Announcements, History
from desktop_app.core.errors import HistoryUnwritableError, PlimsollError
from desktop_app.core.events import AnswerSaved, HistoryChangedElsewhere, WritingChanged
from desktop_app.core.messages import Failure, Message
from desktop_app.core.phrases import phrase

log = logging.getLogger(__name__)


class HistoryWatch:
    """Announces what it finds, each change once."""

    def __init__(
        self, history: History, open_threads: OpenThreads, windows: LearnedWindows, announcements: Announcements
    ) -> None:
        self._history = history
        self._open_threads = open_threads
        self._windows = windows
        self._announcements = announcements
        self._seen_version: int | None = None
        self._told_of_file = ""
        self._problem: Failure | None = None
        self._repaired = False

    async def start(self) -> None:
        """Ends the turns of dead processes; where the history can't be written, as soon as it can."""
        await self.repair()
        self._seen_version = await self._history.data_version()

    async def look(self) -> bool:
        """Return True if another process has written: memory is dropped. `UserError("store")`, once: another file."""
        try:
            version = await self._history.data_version()
        except PlimsollError as error:
            if error.failure.message == self._told_of_file:
                return False
            self._told_of_file = error.failure.message
            raise
        changed = self._seen_version is not None and version != self._seen_version
        self._seen_version = version
        if changed:
            self._open_threads.forget_all()
            self._windows.read_again()
            self._announcements.publish(HistoryChangedElsewhere())
        if (problem := await self._history.write_problem()) != self._problem:
            self._problem = problem
            if problem is None and not self._repaired:
                await self.repair()
            self._announcements.publish(WritingChanged(problem))
        return changed

    async def pass_over(self, others: Callable[[], Awaitable[int]], before: int) -> None:
        """Takes what was written since for known, where by `others` nobody else wrote: it tells `before` as it did."""
        with suppress(PlimsollError):
            version = await self._history.data_version()
            if await others() == before:
                self._seen_version = version

    async def look_before_sending(self) -> None:
        """Drops what is in memory where another process has written. `look` tells of a file that can't be looked at."""
        with suppress(PlimsollError):
            if await self._history.data_version() != self._seen_version:
                await self.look()

    async def repair(self) -> None:
        """Ends the turns of dead processes where there are any, and tells so."""
        try:
            if await self._history.repair_turns():
                self._open_threads.forget_all()
                self._announcements.publish(HistoryChangedElsewhere())
            self._repaired = await self._history.write_problem() is None
        except HistoryUnwritableError as error:
            log.warning("turns of dead processes are not ended yet: %s", error.failure.detail)


PAUSE_S: Final = 1.0
"""Seconds between two attempts. One that fails waits for nobody's lock."""


class SaveRetries:
    """Holds the whole answers; each is announced once it is in the history."""

    def __init__(self, history: History, open_threads: OpenThreads, announcements: Announcements) -> None:
        self._history = history
        self._open_threads = open_threads
        self._announcements = announcements
        self._waiting: dict[str, Message] = {}
        self._task: asyncio.Task[None] | None = None

    def add(self, turn_id: str, answer: Message, failure: Failure) -> Message:
        """Takes an answer that the history could not write for `failure`; returns it as it is shown until it can."""
        self._waiting[turn_id] = answer
        if self._task is None or self._task.done():
            self._task = asyncio.create_task(self._try_again(), name="late ends of answers")
        if "save_elsewhere" in failure.actions:  # there is no file that could take it any more
            words = phrase("This answer is not saved. {message}", message=failure.message)
            return replace(answer, failure=replace(failure, message=words))
        words = phrase(
            "This answer is not saved yet. {message} It will be saved as soon as that works, at the latest when "
            "Plimsoll closes.",
            message=failure.message,
        )
        return replace(answer, failure=replace(failure, message=words, actions=("open_data_folder",)))

    def answers(self) -> Mapping[str, Message]:
        """Return the waiting answers, by their ids, as they will be written."""
        return {answer.id: answer for answer in self._waiting.values()}

    async def close(self) -> None:
        """Tries a last time, as patiently as any write; what is saved then is announced, too."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.wait({self._task})
        if self._waiting:
            await self._write(wait=True)

    async def _try_again(self) -> None:
        while self._waiting:
            await asyncio.sleep(PAUSE_S)
            await self._write()

    async def _write(self, *, wait: bool = False) -> None:
        try:
            left = await self._history.write_ends(wait=wait)
        except PlimsollError as error:
            log.warning("late answers could not be written: %s", error.failure.code)
            return
        for turn_id in self._waiting.keys() - left:
            answer = self._waiting.pop(turn_id)
            self._open_threads.grown(answer.thread_id, (answer,))
            self._announcements.publish(AnswerSaved(answer.thread_id, answer))
