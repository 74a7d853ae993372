"""The flow of searching messages: asks the library when typing rests, shows pages, leads to the message found.

Paints nothing. What a newer search has replaced is not shown any more.
"""

from __future__ import annotations

from collections.abc import Coroutine
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, Protocol

from PySide6.QtCore import QObject

from desktop_app.core.history_records import SearchHit, SearchWithin
from desktop_app.ui.state.app_state import AppState
from desktop_app.ui.threads.threads_pane import ThreadsPane
from desktop_app.ui.widgets.parts import single_shot

if TYPE_CHECKING:  # loaded when something is searched for
    from desktop_app.ui.threads.results_pane import ResultsPane, SearchFilter

REST_MS: Final = 200
"""Milliseconds after the last key until messages are searched."""
AGAIN_MS: Final = 2_000
"""Milliseconds until a search is made again while the index is catching up."""
PAGE: Final = 30
"""Hits of one page."""


class ShowsMessages(Protocol):
    """The way to a message that was found."""

    def show_message(self, thread_id: str, message_id: str, words: str = "") -> Coroutine[Any, Any, object]: ...

    def forget_words(self) -> None: ...


@dataclass(frozen=True, slots=True)
class MessageQuery:
    """One search, as it was asked; without words what narrows it lists."""

    words: str
    filter: SearchFilter


class MessageSearch(QObject):
    """Searches beside the event loop: the history has a thread of its own."""

    def __init__(self, app_state: AppState, pane: ThreadsPane, navigation: ShowsMessages) -> None:
        super().__init__(pane)
        self._app_state = app_state
        self._navigation = navigation
        self._results: ResultsPane | None = None
        self._words = ""
        self.shown: MessageQuery | None = None
        self._opens: MessageQuery | None = None  # whose first hit is to be opened when it comes
        self._rest = single_shot(self, self.search_now, REST_MS)
        self.again = single_shot(self, self.search_now, AGAIN_MS)

    def take_results(self, results: ResultsPane) -> None:
        """The pane in which hits are shown has been made."""
        self._results = results
        results.filter_changed.connect(self.search_now)
        results.chosen.connect(self.jump)
        results.more_requested.connect(self._show_more)
        results.first_requested.connect(self._open_first)

    def search(self, words: str) -> None:
        """The words in the search box changed."""
        self._words = words.strip()
        self._opens = None
        self.again.stop()
        if self._asked:
            self._rest.start()
        else:
            self._leave()

    def jump(self, hit: SearchHit) -> None:
        """Opens thread and branch of a hit and brings its message into view."""
        words = self.shown.words if self.shown is not None else ""
        self._app_state.start(self._navigation.show_message(hit.thread_id, hit.message_id, words))

    def _open_first(self) -> None:
        """Opens the first hit, never one of an older search; as soon as there is one."""
        if self._results is None:
            return
        self._opens = MessageQuery(self._words, self._results.filter)
        first = self._results.first_hit
        if self.shown == self._opens and first is not None:
            self._opens = None
            self.jump(first)

    @property
    def _asked(self) -> bool:
        """True where there is anything to search for: words, or a filter alone."""
        return bool(self._words) or (self._results is not None and self._results.narrowed)

    def _leave(self) -> None:
        self._rest.stop()
        self.shown = None
        self._navigation.forget_words()
        if self._results is not None:
            self._results.clear()

    def search_now(self) -> None:
        if not self._asked:
            self._leave()
        elif self._results is not None:
            self._app_state.look(self._search(MessageQuery(self._words, self._results.filter), 0))

    def _show_more(self) -> None:
        if self.shown is not None and self._results is not None:
            self._app_state.look(self._search(self.shown, self._results.hits.rowCount()))

    async def _search(self, asked: MessageQuery, offset: int) -> None:
        results = self._results
        if results is None:
            return
        services = await self._app_state.services()
        since, until = asked.filter.bounds()
        narrowed = asked.filter
        within = SearchWithin(
            role=narrowed.role, since=since, until=until, model=narrowed.model, marked=narrowed.marked
        )
        page = await services.library.search(asked.words, within, limit=PAGE, offset=offset)
        if asked != MessageQuery(self._words, results.filter):
            return  # another search is on its way
        if offset and (asked != self.shown or offset != results.hits.rowCount()):
            return
        self.shown = asked
        results.show_page(page, first=not offset)
        if self._opens == asked:
            self._open_first()
        if page.waiting:
            self.again.start()
