"""The pages that follow what they show: those that are their own flow, a list among them, and flows behind others."""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Iterable, Iterator
from contextlib import contextmanager
from typing import Any, Generic, Protocol, Self, TypeVar

from PySide6.QtCore import QObject, Qt
from PySide6.QtWidgets import QApplication, QListView, QProgressBar, QPushButton, QWidget

from desktop_app.core.errors import PlimsollError
from desktop_app.core.events import Announcement
from desktop_app.ui.i18n.language import translated
from desktop_app.ui.theme.theme import GRID, Theme
from desktop_app.ui.widgets.fitting import FlowRow
from desktop_app.ui.widgets.floating import Toast
from desktop_app.ui.widgets.list_parts import TwoLineDelegate, TwoLineRows, set_up_list
from desktop_app.ui.widgets.page import EditorPage, PageFrame
from desktop_app.ui.widgets.parts import in_column, label_in


class PageState(Protocol):
    """The part of `AppState` that a page needs."""

    @property
    def bridge(self) -> Any: ...

    def start(self, coroutine: Coroutine[Any, Any, Any]) -> None: ...


class Follows:
    """The part of a page's flow that reads again (`read_again`) after announcements, as long as the page is there.

    What was wished goes on when the page is left; nothing is shown on it any more.
    """

    ended = False
    _followed: PageState
    toast: Toast

    def follow(self, state: PageState, toast: Toast, facts: Iterable[type[Announcement]] = ()) -> None:
        """Begins; `facts`: the announcements."""
        self._followed, self.toast = state, toast
        state.bridge.subscribe_each(facts, self._changed)

    def end(self) -> None:
        self.ended = True

    def do(self, act: Callable[..., Coroutine[Any, Any, Any]], *what: object) -> None:
        """Starts what was wished; a failure is told."""
        self._followed.start(self._carry_out(act, what))

    def wished(self, act: Callable[[], Coroutine[Any, Any, Any]]) -> Callable[[], None]:
        """The slot that does so."""
        return lambda: self.do(act)

    async def read_again(self) -> None:
        """Reads and shows what there is now."""
        raise NotImplementedError

    async def _carry_out(self, act: Callable[..., Coroutine[Any, Any, Any]], what: tuple[object, ...]) -> None:
        try:
            await act(*what)
        except PlimsollError as error:
            self.toast.show_message(error.failure.message)

    def _changed(self, _fact: object) -> None:
        if not self.ended:
            self._followed.start(self.read_again())


class LivePage(Follows, PageFrame):
    """A page that is its own presenter."""

    @property
    def page(self) -> Self:
        return self

    async def open(self) -> None:
        """Shows what there is, and begins there."""
        await self.read_again()
        if not self.ended:
            self.focus_first()


SomePage = TypeVar("SomePage", bound=PageFrame)
SomeEditor = TypeVar("SomeEditor", bound=EditorPage)


class PageFlow(Follows, QObject, Generic[SomePage]):
    """The flow behind a page that can also stand without it."""

    def __init__(
        self,
        state: PageState,
        page: SomePage,
        toast: Toast,
        parent: QObject,
        facts: Iterable[type[Announcement]] = (),
    ) -> None:
        super().__init__(parent)
        self.page = page
        self.follow(state, toast, facts)


class EditorFlow(PageFlow[SomeEditor]):
    """The flow behind a page whose text is stored (`save`) only when the user says so."""

    def __init__(
        self,
        state: PageState,
        page: SomeEditor,
        toast: Toast,
        parent: QObject,
        facts: Iterable[type[Announcement]] = (),
    ) -> None:
        super().__init__(state, page, toast, parent, facts)
        page.save_requested.connect(lambda: state.start(self.save_or_say()))

    def unsaved(self) -> str | None:
        return self.page.unsaved()

    async def save(self) -> None:
        """Stores the text of the page; `UserError` where it can't be."""
        raise NotImplementedError

    async def save_or_say(self) -> None:
        """Stores it; what is wrong is said beneath the field."""
        problem = ""
        try:
            await self.save()
        except PlimsollError as error:
            problem = translated(error.failure.message)
        if not self.ended:
            self.page.show_problem(problem)
            if not problem:
                self.was_saved()

    def was_saved(self) -> None:
        """The text was stored, and the page is still there."""


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
        super().__init__(theme, "", parent)
        self.follow(state, toast, facts)
        self._lowest = lowest
        self.nothing = label_in(self.column, tone="secondary")
        self.rows, self.view = self.made_list("")
        self.progress_words = self.small()
        self.progress = QProgressBar(self.column, textVisible=False)
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
        """Shows what is going on; "": nothing."""
        if self.ended:
            return
        self.running = bool(words)
        self.progress_words.setText(words)
        for part in (self.progress_words, self.progress):
            part.setVisible(bool(words))
        self.progress.setRange(0, total)
        self.progress.setValue(done)
        self.show_state()

    @contextmanager
    def progress_shown(self, words: str) -> Iterator[None]:
        """Shows what is going on meanwhile; the keyboard comes back from where it went as its button was disabled."""
        before = QApplication.focusWidget()
        self.show_progress(words)
        meanwhile = QApplication.focusWidget()
        try:
            yield
        finally:
            self.show_progress("")
            if not self.ended and before and self.isAncestorOf(before) and QApplication.focusWidget() is meanwhile:
                before.setFocus(Qt.FocusReason.OtherFocusReason)

    def show_state(self) -> None:
        """Enables the buttons that can do something now."""
        raise NotImplementedError

    def focus_first(self) -> None:
        (self.view if self.rows.rows else self.back).setFocus(Qt.FocusReason.OtherFocusReason)
