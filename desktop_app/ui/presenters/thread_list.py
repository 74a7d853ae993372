"""Owns the flow between the thread list and the library. Knows no transcript and no composer."""

from __future__ import annotations

from PySide6.QtCore import QObject

from desktop_app.core.events import ThreadChanged, ThreadCreated, ThreadDeleted
from desktop_app.core.messages import Thread
from desktop_app.ui.desk import Desk
from desktop_app.ui.threads.model import title_of
from desktop_app.ui.threads.pane import ThreadsPane
from desktop_app.ui.toast import Toast

TITLE_SHOWN = 40
"""Characters of a title in the toast."""


class ThreadListPresenter(QObject):
    """Rename, pin, delete with undo; keeps the list true to what is announced."""

    def __init__(self, desk: Desk, pane: ThreadsPane, toast: Toast) -> None:
        super().__init__(pane)
        self._desk = desk
        self._pane = pane
        self._toast = toast

    def open(self, thread_id: str) -> None:
        if not self._desk.is_open(thread_id):
            self._desk.start(self._desk.open_thread(thread_id))

    def rename(self, thread_id: str, title: str) -> None:
        self._desk.start(self._rename(thread_id, title))

    def pin(self, thread_id: str, pinned: bool) -> None:
        self._desk.start(self._pin(thread_id, pinned))

    def delete(self, thread_id: str) -> None:
        """Deletes at once and offers to undo it."""
        self._desk.start(self._delete(thread_id))

    def reload(self, _fact: object = None) -> None:
        """Reads the whole list again."""
        self._desk.start(self._reload())

    def thread_changed(self, changed: ThreadChanged | ThreadCreated) -> None:
        self._pane.model.put_thread(changed.thread)
        if self._desk.is_open(changed.thread.id):
            self._pane.show_open(changed.thread.id)

    def thread_deleted(self, deleted: ThreadDeleted) -> None:
        self._pane.model.remove_thread(deleted.thread_id)
        if self._desk.is_open(deleted.thread_id):
            self._desk.close_thread()

    def running_changed(self, thread_id: str, running: bool) -> None:
        self._pane.model.set_running(thread_id, running)

    async def _rename(self, thread_id: str, title: str) -> None:
        services = await self._desk.services()
        await services.library.rename(thread_id, title)

    async def _pin(self, thread_id: str, pinned: bool) -> None:
        services = await self._desk.services()
        await services.library.pin(thread_id, pinned)

    async def _delete(self, thread_id: str) -> None:
        services = await self._desk.services()
        thread = self._pane.model.thread_of(thread_id)
        was_open = self._desk.is_open(thread_id)
        await services.library.delete(thread_id)
        words = self.tr("“{title}” deleted").format(title=_shortened(thread))
        self._toast.show_message(words, self.tr("Undo"), lambda: self._desk.start(self._restore(thread_id, was_open)))

    async def _restore(self, thread_id: str, open_it: bool) -> None:
        services = await self._desk.services()
        thread = await services.library.restore(thread_id)
        self._pane.model.put_thread(thread)
        if open_it:
            await self._desk.open_thread(thread_id)

    async def _reload(self) -> None:
        services = await self._desk.services()
        self._pane.model.set_threads(await services.library.threads())
        self._pane.show_open(self._desk.thread_id)


def _shortened(thread: Thread | None) -> str:
    title = title_of(thread) if thread is not None else ""
    return title if len(title) <= TITLE_SHOWN else title[:TITLE_SHOWN].rstrip() + "…"
