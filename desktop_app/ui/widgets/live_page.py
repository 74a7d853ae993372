"""The page that follows what it shows and does itself what is wished on it, and the one that is a list."""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Iterable, Iterator
from contextlib import contextmanager
from typing import Any, Protocol, Self

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QListView, QProgressBar, QPushButton, QWidget

from desktop_app.core.errors import PlimsollError
from desktop_app.core.events import Announcement
from desktop_app.ui.theme.theme import GRID, Theme
from desktop_app.ui.widgets.fitting import FlowRow
from desktop_app.ui.widgets.floating import Toast
from desktop_app.ui.widgets.list_parts import TwoLineDelegate, TwoLineRows, set_up_list
from desktop_app.ui.widgets.page import PageFrame
from desktop_app.ui.widgets.parts import in_column, label_in


class PageState(Protocol):
    """The part of `AppState` that a page needs."""

    @property
    def bridge(self) -> Any: ...

    def start(self, coroutine: Coroutine[Any, Any, Any]) -> None: ...


class LivePage(PageFrame):
    """A page that is its own presenter: it reads itself again (`read_again`) after each of the announcements `facts`.

    What was wished goes on when the page is left; nothing is shown on it any more.
    """

    def __init__(
        self,
        theme: Theme,
        state: PageState,
        toast: Toast,
        parent: QWidget,
        *,
        facts: Iterable[type[Announcement]] = (),
    ) -> None:
        super().__init__(theme, "", parent)
        self._state, self.toast, self.ended = state, toast, False
        state.bridge.subscribe_each(facts, self._changed)

    @property
    def page(self) -> Self:
        return self

    def end(self) -> None:
        self.ended = True

    def wished(self, act: Callable[[], Coroutine[Any, Any, Any]]) -> Callable[[], None]:
        """The slot that starts what is wished; a failure is told."""
        return lambda: self._state.start(self._done(act))

    async def read_again(self) -> None:
        """Reads and shows what there is now."""
        raise NotImplementedError

    async def open(self) -> None:
        """Shows what there is, and begins there."""
        await self.read_again()
        if not self.ended:
            self.focus_first()

    def show_progress(self, words: str, done: int = 0, total: int = 0) -> None:
        """Shows what is going on, where the page has a place for it; "": nothing."""

    @contextmanager
    def progress_shown(self, words: str) -> Iterator[None]:
        """Shows what is going on meanwhile."""
        self.show_progress(words)
        try:
            yield
        finally:
            self.show_progress("")

    async def _done(self, act: Callable[[], Coroutine[Any, Any, Any]]) -> None:
        try:
            await act()
        except PlimsollError as error:
            self.toast.show_message(error.failure.message)

    def _changed(self, _fact: object) -> None:
        if not self.ended:
            self._state.start(self.read_again())


class ListPage(LivePage):
    """A page that is a list of two lines each, with words for when it is empty and a bar for what is going on."""

    def __init__(
        self,
        theme: Theme,
        state: PageState,
        toast: Toast,
        parent: QWidget,
        *,
        facts: Iterable[type[Announcement]] = (),
        lowest: int,
    ) -> None:
        """`lowest`: pixels of a list, however little is in it."""
        super().__init__(theme, state, toast, parent, facts=facts)
        self._lowest = lowest
        self.nothing = label_in(self.column, tone="secondary")
        self.rows, self.view = self.made_list("")
        self.progress_words = self.small()
        self.progress = QProgressBar(self.column)
        self.progress.setTextVisible(False)
        self.progress.setAccessibleName(self.tr("Progress"))
        self.going_on = in_column(self.progress_words, self.progress, spacing=GRID // 2)
        self.running = False
        theme.set_font("body", self.nothing)

    def made_list(self, name: str) -> tuple[TwoLineRows, QListView]:
        """A list of two lines each, empty."""
        rows, view = TwoLineRows(self), QListView(self.column)
        set_up_list(view, rows, TwoLineDelegate(self.theme, view), name)
        view.setMinimumHeight(self._lowest)
        return rows, view

    def button_row(self, *buttons: QPushButton) -> QWidget:
        """The buttons beside each other, or beneath where that is too narrow."""
        made = QWidget(self.column)
        made.setLayout(FlowRow(*buttons, across=GRID, down=GRID))
        policy = made.sizePolicy()
        policy.setHeightForWidth(True)
        made.setSizePolicy(policy)
        return made

    def show_progress(self, words: str, done: int = 0, total: int = 0) -> None:
        if self.ended:
            return
        self.running = bool(words)
        self.progress_words.setText(words)
        for part in (self.progress_words, self.progress):
            part.setVisible(bool(words))
        self.progress.setRange(0, total)
        self.progress.setValue(done)
        self.show_state()

    def show_state(self) -> None:
        """Enables the buttons that can do something now."""
        raise NotImplementedError

    def focus_first(self) -> None:
        (self.view if self.rows.rows else self.back).setFocus(Qt.FocusReason.OtherFocusReason)
