"""The search of the history for messages and passages of documents while one types in the palette.

One question is under way at a time; what is typed meanwhile is asked next, and only the newest is answered.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from PySide6.QtCore import QObject, QTimer, Signal

from desktop_app.core.history_records import SearchHit
from desktop_app.core.projects import PassageHit
from desktop_app.core.search_terms import needles
from desktop_app.core.snippets import snippet
from desktop_app.ui.i18n.language import tr
from desktop_app.ui.palette.palette_entries import PaletteEntry
from desktop_app.ui.state.app_state import AppState

REST_MS: Final = 150
"""Milliseconds after the last key until the history is asked."""
MESSAGES: Final = 6
PASSAGES: Final = 4
"""Hits of each kind that are shown: more of them are in the search pane and on a project's page."""


class PaletteSearch(QObject):
    """Searches beside the event loop: the history has a thread of its own."""

    found = Signal(str, object)  # the words that were asked for, entries

    def __init__(self, app_state: AppState, parent: QObject) -> None:
        super().__init__(parent)
        self._app_state = app_state
        self._words = ""
        self._asking = False
        self._rest = QTimer(self)
        self._rest.setSingleShot(True)
        self._rest.setInterval(REST_MS)
        self._rest.timeout.connect(self._ask_now)

    def ask(self, words: str) -> None:
        """Set the words to search for now; "" for nothing: an answer that is under way is dropped."""
        self._words = words
        if words:
            self._rest.start()
        else:
            self._rest.stop()

    def _ask_now(self) -> None:
        if not self._asking:
            self._asking = True
            self._app_state.look(self._search())

    async def _search(self) -> None:
        try:
            words = ""
            while words != self._words and self._words and not self._rest.isActive():
                words = self._words
                entries = await self._entries(words)
                if words == self._words:
                    self.found.emit(words, entries)
        finally:
            self._asking = False

    async def _entries(self, words: str) -> Sequence[PaletteEntry]:
        services = await self._app_state.services()
        page = await services.library.search(words, limit=MESSAGES)
        messages = [of_message(hit) for hit in page.hits]
        if words != self._words:
            return messages  # they are not shown any more
        passages = await services.history.projects.search_documents(None, words, limit=PASSAGES)
        return [*messages, *(of_passage(hit, words) for hit in passages), *([all_results(words)] if messages else [])]


def of_message(hit: SearchHit) -> PaletteEntry:
    """A message that was found, by its passage."""
    title = hit.title or tr("Untitled thread")
    key = f"{hit.thread_id}/{hit.message_id}"
    return PaletteEntry("message", key, hit.snippet, title, "document", spans=hit.marks)


def of_passage(hit: PassageHit, words: str) -> PaletteEntry:
    """A passage of a project's document."""
    shown = snippet(hit.text, needles(words))
    key = f"{hit.document.project_id}/{hit.id}"
    return PaletteEntry("passage", key, shown.text, hit.document.name, "folder", spans=shown.marks)


def all_results(words: str) -> PaletteEntry:
    """The line that leads to the search pane."""
    return PaletteEntry("search", words, tr("All results for “{words}”").format(words=words), icon="search")
