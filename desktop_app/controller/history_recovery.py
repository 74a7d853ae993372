"""Saves what is open when the history's file was replaced: elsewhere, or into the new file.

What is in memory counts first, as reading the old file may fail or give another file's pages.
"""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable, Collection, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from desktop_app.controller.chat import ChatController
from desktop_app.controller.formats.plimsoll_json import FORMAT
from desktop_app.controller.ports import Clock, History
from desktop_app.controller.private_history import PrivateHistory, PrivateThreads
from desktop_app.core.errors import HistoryReplacedError, PlimsollError, UserError
from desktop_app.core.history_records import ImportedThread
from desktop_app.core.messages import Message, Part, Thread
from desktop_app.core.phrases import phrase
from desktop_app.system.private_files import put_in_place

log = logging.getLogger(__name__)

Read = TypeVar("Read")


@dataclass(frozen=True, slots=True)
class SavedHistory:
    """The result of saving elsewhere: the place, the number of threads, the titles of those that were unreadable."""

    path: Path
    threads: int
    unread: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class CarriedThreads:
    """The threads that go along when the window opens another file, with the attachments of their drafts."""

    threads: tuple[tuple[ImportedThread, tuple[Part, ...]], ...]
    private: PrivateThreads

    async def close(self) -> None:
        """Close them where there is no other history to take them."""
        await self.private.close()


class HistoryRecovery:
    """Saves what would be lost with a history. `open_history` makes or opens a history file."""

    def __init__(
        self,
        history: PrivateHistory,
        chat: ChatController,
        open_history: Callable[[Path], Awaitable[History]],
        path: Path,
        clock: Clock | None = None,
    ) -> None:
        self._history = history
        self._chat = chat
        self._open_history = open_history
        self._path = path
        self._clock = clock or Clock()
        self._ended = False

    async def save_elsewhere(self, path: Path, *, typed: str = "") -> SavedHistory:
        """Writes a new history of all that can be read, and `typed`; no private threads. `UserError` if it can't."""
        if _is_open_history(path, self._path):
            words = phrase("{path} is in use as a history. Choose another name.", path=path)
            raise UserError("usage", words, actions=("save_elsewhere",))
        try:
            await self._history.copy_to(path)
        except UserError as error:
            log.warning("a history is saved thread by thread: %s", error.failure.code)
        else:
            return SavedHistory(path, len(await _tried(self._history.threads(), ())))
        unproved = path.with_name(f"{path.name}.unproved")
        try:
            unproved.unlink(missing_ok=True)
            saved = await self._write_readable(unproved, typed)
            put_in_place(unproved, path)
        except OSError as error:
            reason = error.strerror or type(error).__name__
            words = phrase("{path} can't be written: {reason}. Choose another place.", path=path, reason=reason)
            raise UserError("store", words, detail=str(error)) from error
        return SavedHistory(path, saved.threads, saved.unread)

    async def keep(self, *, typed: str = "") -> None:
        """At the end: saves beside the history what it could not take any more. Once; raises nothing."""
        if self._ended:
            return
        self._ended = True
        try:
            await self._history.data_version()
        except HistoryReplacedError as error:
            if not error.kept:
                stamp = self._clock.stamp().replace(":", "").replace("-", "")
                beside = self._path.with_name(f"{self._path.stem}-saved-{stamp}{self._path.suffix}")
                await _tried(self.save_elsewhere(beside, typed=typed), None)
        except PlimsollError:
            return  # it can't be read, and is no other file

    async def carried_over(self, thread_ids: Collection[str]) -> CarriedThreads:
        """These threads as far as they are in memory, and all private ones, which this history no longer has."""
        wanted = [one for one in self._in_memory() if one[0].id in thread_ids]
        threads = [(await self._imported(*one), await self._attached(one[0].id)) for one in wanted]
        return CarriedThreads(tuple(threads), self._history.release_private())

    async def take(self, carried: CarriedThreads) -> None:
        """Adds what the history of before had in memory; what is in this one stays."""
        self._history.adopt_private(carried.private)
        for imported, attached in carried.threads:
            await self._history.import_threads([imported])
            if attached:
                await self._history.save_attachments(imported.thread.id, attached)

    async def _write_readable(self, path: Path, typed: str) -> SavedHistory:
        unread: list[str] = []
        written = 0
        target = await self._open_history(path)
        try:
            in_memory = self._in_memory()
            for thread, messages in [*in_memory, *[(one, None) for one in await self._listed(in_memory)]]:
                read = messages if messages is not None else await _tried(self._history.messages(thread.id), None)
                if read is None:
                    unread.append(thread.title)
                    continue
                await target.import_threads([await self._imported(thread, read)])
                if attached := await self._attached(thread.id):
                    await target.save_attachments(thread.id, attached)
                written += 1
            if typed:
                now = self._clock.stamp()
                await target.create_thread(Thread(self._clock.new_id(), "", now, now, draft=typed))
            await target.save_prompts(await _tried(self._history.prompts(), ()))
        finally:
            await target.close()
        return SavedHistory(path, written, tuple(unread))

    def _in_memory(self) -> list[tuple[Thread, Sequence[Message]]]:
        return [one for one in self._chat.in_memory() if not one[0].private]

    async def _listed(self, known: Sequence[tuple[Thread, Sequence[Message]]]) -> list[Thread]:
        """The threads that are not in memory, as far as the list of them can be read."""
        ids = {thread.id for thread, _ in known}
        listed = await _tried(self._history.threads(), ())
        return [one.thread for one in listed if one.thread.id not in ids and not one.thread.private]

    async def _imported(self, thread: Thread, messages: Sequence[Message]) -> ImportedThread:
        marks = await _tried(self._history.marks(thread.id), {})
        return ImportedThread(f"{FORMAT}:{thread.id}", thread, tuple(messages), marks)

    async def _attached(self, thread_id: str) -> tuple[Part, ...]:
        return await _tried(self._history.attachments(thread_id), ())


async def _tried(reading: Awaitable[Read], instead: Read) -> Read:
    """Return the data read; `instead` where that fails, in whatever way: pages of two files make any nonsense."""
    try:
        return await reading
    except Exception as error:  # noqa: BLE001  the rest is saved all the same
        log.warning("some of a replaced history can't be read: %s", type(error).__name__)
        return instead


def _is_open_history(path: Path, own: Path) -> bool:
    """Return True if somebody has a history open at the path: this window itself, or another with a -wal beside it."""
    return path.absolute() == own.absolute() or path.with_name(f"{path.name}-wal").exists()
