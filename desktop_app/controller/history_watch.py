"""Looks whether the history's file changed under the app: written by another process, or not to be written any more."""

from __future__ import annotations

import logging

from desktop_app.controller.announcements import Announcements
from desktop_app.controller.learned_windows import LearnedWindows
from desktop_app.controller.open_threads import OpenThreads
from desktop_app.controller.ports import History
from desktop_app.core.errors import HistoryUnwritableError, PlimsollError
from desktop_app.core.events import HistoryChangedElsewhere, WritingChanged
from desktop_app.core.messages import Failure

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
        await self._repair()
        self._seen_version = await self._history.data_version()

    async def look(self) -> bool:
        """Return True if another process has written: then the data in memory was dropped.

        Raises `UserError("store")`, once, where another file stands in the place of the history.
        """
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
        problem = await self._history.write_problem()
        if problem != self._problem:
            self._problem = problem
            if problem is None and not self._repaired:
                await self._repair()
            self._announcements.publish(WritingChanged(problem))
        return changed

    async def _repair(self) -> None:
        try:
            await self._history.repair_turns()
            self._repaired = await self._history.write_problem() is None
        except HistoryUnwritableError as error:
            log.warning("turns of dead processes are not ended yet: %s", error.failure.detail)
