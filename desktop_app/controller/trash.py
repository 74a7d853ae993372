"""The use cases of the trash: what is in it, restore, delete for good, also what nobody restored in `KEPT_DAYS`.

What one look finds to be over goes only if a look at least a day before found so, too, and if looks have followed one
another for as long. A clock that jumps begins these again, also where it stays wrong, or was so at the deletion.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Final

from desktop_app.controller.artifact_library import Artifacts
from desktop_app.controller.chat import ChatController
from desktop_app.controller.document_files import copy_of
from desktop_app.controller.ports import Announcements, Clock, History, parse_stamp
from desktop_app.controller.project_library import Projects
from desktop_app.controller.thread_library import ThreadLibrary
from desktop_app.core.conversation import Conversation
from desktop_app.core.errors import PlimsollError
from desktop_app.core.events import PromptsChanged, ThreadDeleted, TrashChanged
from desktop_app.core.history_records import KEPT_DAYS, Erased, HistoryCopy, TrashItem
from desktop_app.core.messages import Thread
from desktop_app.core.phrases import phrase
from desktop_app.paths import PRIVATE_FOLDER
from desktop_app.system.private_files import write_atomically

_APART: Final = timedelta(days=1)
_JUMP: Final = timedelta(days=14)
"""So long after the last look either nobody was there or the clock has jumped, and nobody can tell which."""

log = logging.getLogger(__name__)


def earlier_look(path: Path, now: datetime) -> datetime | None:
    """The time of a look at least a day ago, which this one takes the place of in the file, where looks have gone on
    for as long as the trash keeps; None: not yet. Blocks.
    """
    since, noted = _noted(path)
    if noted is not None and noted <= now < noted + _APART:
        return None
    if since is None or noted is None or not since <= noted <= now <= noted + _JUMP:
        since = now
    try:
        path.parent.mkdir(mode=PRIVATE_FOLDER, exist_ok=True)
        write_atomically(path, f"{since.isoformat()} {now.isoformat()}".encode())
    except OSError as error:
        log.warning("when the trash was looked at could not be noted: %s", type(error).__name__)
        return None
    return noted if (now - since).days >= KEPT_DAYS else None


def _noted(path: Path) -> tuple[datetime | None, datetime | None]:
    """Since when looks have followed one another, and the last one; an older version noted that alone."""
    try:
        times = path.read_text("utf-8").split() if path.is_file() else [""]
        return parse_stamp(times[0]), parse_stamp(times[-1])
    except (OSError, ValueError, IndexError):
        return None, None


BREATH_S: Final = 0.05
"""Pause between two steps of what nobody waits for."""

WHILE_ANSWERING: Final = phrase("An answer is still coming. The file gets smaller at the next start.")

Progress = Callable[[int, int], None]
"""Is told how much is done, and of how much; of 0: nobody knows."""


@dataclass(frozen=True, slots=True)
class TrashServices:
    """Who restores what: the use cases that deleted it."""

    library: ThreadLibrary
    projects: Projects
    artifacts: Artifacts
    chat: ChatController


class Trash:
    """The trash. `documents`: the folder of documents' copies. `looked`: the file of `trash_looks`."""

    def __init__(
        self,
        history: History,
        services: TrashServices,
        announcements: Announcements,
        *,
        documents: Path,
        looked: Path,
        clock: Clock | None = None,
    ) -> None:
        self._history = history
        self._services = services
        self._announcements = announcements
        self._documents = documents
        self._looked = looked
        self._clock = clock or Clock()
        self._one_at_a_time = asyncio.Lock()

    async def items(self) -> Sequence[TrashItem]:
        """Return the items that can be restored, deleted last first; nothing of private threads."""
        return await self._history.trash.items()

    async def restore(self, items: Sequence[TrashItem]) -> None:
        """Brings these back where they were. The first that can't be ends it."""
        to = self._services
        for item in items:
            match item.kind:
                case "thread":
                    await to.library.restore(item.id)
                case "project":
                    await to.projects.restore(item.id)
                case "document":
                    await to.projects.restore_documents(item.inside_id, [item.id])
                case "artifact":
                    await to.artifacts.restore(item.id)
                case "prompt":
                    await self._history.trash.restore_prompt(item.id)
                    self._announcements.publish(PromptsChanged())
                case "message":
                    thread = Conversation(await self._history.messages(item.inside_id))
                    await to.chat.context_editing.undelete_turn(item.inside_id, thread, [item.id, *item.rest])
        self._announcements.publish(TrashChanged())

    async def erase(self, items: Sequence[TrashItem], progress: Progress | None = None) -> Erased:
        """Deletes these for good: from now on nobody can restore them, and no file but copies holds them.

        Goes on at a later start where the app ends meanwhile. `UserError` where an answer of another process is coming
        in one of them; then all are as they were.
        """
        for item in items:
            if item.kind == "thread":
                await self._services.chat.stop(item.id)
        async with self._one_at_a_time:
            await self._history.trash.begin(items)
            for item in items:
                if item.kind == "thread":
                    self._announcements.publish(ThreadDeleted(item.id))
            await self._finish(progress)
            problem = await self._compact(progress)
        self._announcements.publish(TrashChanged())
        return Erased(await self.copies(), problem)

    async def erase_threads(self, threads: Sequence[Thread]) -> Erased:
        """As `erase`, of threads that are in the list or the archive."""
        return await self.erase([TrashItem("thread", one.id, one.title, "") for one in threads])

    async def expire(self) -> int:
        """In a quiet moment: ends what was begun, deletes for good what is 30 days old; how many. Raises nothing."""
        try:
            return await self._expire()
        except PlimsollError as error:
            log.warning("what is in the trash for long could not be deleted: %s", error.failure.code)
            return 0

    async def _expire(self) -> int:
        now = self._clock.now()
        before = await asyncio.to_thread(earlier_look, self._looked, now)
        times = () if before is None else (before, now)
        over = [one for one in await self.items() if times and all(days_left(one.deleted, at) == 0 for at in times)]
        async with self._one_at_a_time:
            if over:
                await self._history.trash.begin(over)
            await self._finish(None)
            problem = await self._compact(None)
        if problem:
            log.info("the history could not be compacted yet")
        if over:
            self._announcements.publish(TrashChanged())
        return len(over)

    async def copies(self) -> Sequence[HistoryCopy]:
        """The backups, and other copies of the history, that still hold something that was deleted for good."""
        return await self._history.trash.copies()

    async def erase_in_copies(self, progress: Progress | None = None) -> Sequence[HistoryCopy]:
        """Rewrite the copies without it; return those where that was not possible."""
        return await self._history.trash.erase_in_copies(progress)

    async def _finish(self, progress: Progress | None) -> None:
        total = await self._history.trash.left()
        while await self._history.trash.step():
            if progress is None:
                await asyncio.sleep(BREATH_S)
            else:
                left = await self._history.trash.left()
                progress(total - left, total if left else 0)
        gone = await self._history.trash.unused_files()
        await asyncio.to_thread(_remove_files, [copy_of(self._documents, sha256) for sha256 in gone])

    async def _compact(self, progress: Progress | None) -> str:
        """Why that was not possible, "" where it was, or need not be."""
        trash = self._history.trash
        if not await trash.needs_compacting():
            return ""
        if await self._history.running_threads():
            return WHILE_ANSWERING
        if progress is not None:
            progress(0, 0)
        try:
            await trash.compact()
        except PlimsollError as error:
            return error.failure.message
        return ""


def days_left(deleted: str, now: datetime) -> int:
    """For how many days what was deleted at that time can still be restored, never less than 0."""
    since = parse_stamp(deleted)
    return KEPT_DAYS if since is None else max(0, min(KEPT_DAYS, KEPT_DAYS - (now - since).days))


def _remove_files(paths: Sequence[Path]) -> None:
    for path in paths:
        try:
            path.unlink(missing_ok=True)
            path.parent.rmdir()
        except OSError:
            continue  # other copies are there, or it goes at the next start
