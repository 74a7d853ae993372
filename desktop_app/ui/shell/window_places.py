"""The places in the window: of the thread list, and in the middle of the transcript or the ways to a model."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QSplitter, QStackedWidget, QWidget

from desktop_app.ui.theme.theme import GRID, Theme
from desktop_app.ui.transcript.view import TranscriptView

if TYPE_CHECKING:
    from collections.abc import Sequence

    from desktop_app.core.prompts import Prompt
    from desktop_app.ui.connections.welcome_pane import WelcomePane
    from desktop_app.ui.shell.empty_thread import EmptyThread
    from desktop_app.ui.shell.list_overlay import ListOverlay


OVERLAY_BELOW: Final = 80 * GRID
"""Width of the window in pixels, at the usual text size, below which the list lies over the conversation."""


class ListSlot(QObject):
    """The place of the list in a window."""

    shown_changed = Signal(bool)

    def __init__(self, theme: Theme, splitter: QSplitter, threads: QWidget, window: QWidget) -> None:
        """`threads` is the first pane of the splitter."""
        super().__init__(window)
        self._theme, self._splitter, self._threads, self._window = theme, splitter, threads, window
        self._wanted = True  # in a window that is wide enough
        self._overlay: ListOverlay | None = None
        theme.changed.connect(self.fit)

    @property
    def wanted(self) -> bool:
        """True where a window that is wide enough shows the list."""
        return self._wanted

    @property
    def over(self) -> bool:
        """True where the list lies over the conversation now."""
        return self._overlay is not None and self._overlay.holds_list

    @property
    def shown(self) -> bool:
        """True where the list is seen now."""
        return self.over or (self._wanted and not self._is_narrow)

    @property
    def _is_narrow(self) -> bool:
        return self._window.width() < self._theme.pixels(OVERLAY_BELOW)

    def set_shown(self, shown: bool) -> None:
        """Shows or hides the list; in a narrow window only until something is chosen in it."""
        if not self._is_narrow:
            self.want(shown)
        elif shown:
            if self._overlay is None:
                from desktop_app.ui.shell.list_overlay import ListOverlay

                self._overlay = ListOverlay(self._theme, self._splitter, self._threads, self._window)
                self._overlay.left.connect(self.leave)
            self._overlay.take_list()
            self.fit()
        else:
            self.leave()

    def want(self, shown: bool) -> None:
        """Set whether the list is shown wherever the window is wide enough; a narrow one opens without it."""
        self._wanted = shown
        self.fit()

    def leave(self) -> bool:
        """Takes the list off the conversation; False where it does not lie there."""
        if self._overlay is None or not self._overlay.give_back():
            return False
        self.fit()
        return True

    def fit(self) -> None:
        """The window has another width, or the text another size."""
        if self.over and not self._is_narrow:
            self._wanted = True
            self.leave()
            return
        if self._overlay is not None and self.over:
            self._overlay.fit()
        else:
            self._threads.setVisible(self.shown)
        self.shown_changed.emit(self.shown)


class Stage(QStackedWidget):
    """The pages. A greeting lies over the transcript while there is nothing to read."""

    starter_chosen = Signal(object)  # Prompt
    connect_requested = Signal()

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self.transcript = TranscriptView(theme, self)
        self._empty: EmptyThread | None = None
        self._model = ""
        self._lacks_model = False
        self._starters: Sequence[Prompt] = ()
        self.addWidget(self.transcript)
        self._theme = theme
        theme.changed.connect(self._show_theme)
        self._welcome: WelcomePane | None = None

    @property
    def welcome(self) -> WelcomePane:
        """The pane with the ways to a model, made when it is first asked for."""
        if self._welcome is None:
            from desktop_app.ui.connections.welcome_pane import WelcomePane

            self._welcome = WelcomePane(self._theme, self)
            self.addWidget(self._welcome)
        return self._welcome

    def _show_theme(self) -> None:
        self.transcript.set_theme(self._theme)

    @property
    def welcoming(self) -> bool:
        """True while the ways to a model are shown."""
        return self._welcome is not None and self.currentWidget() is self._welcome

    def show_transcript(self) -> None:
        self.setCurrentWidget(self.transcript)

    def show_welcome(self) -> None:
        self.setCurrentWidget(self.welcome)

    def show_page(self, page: QWidget) -> None:
        """Shows a page that somebody else keeps in the transcript's place."""
        self.addWidget(page)
        self.setCurrentWidget(page)

    @property
    def reading(self) -> bool:
        """True while the transcript is shown, and no page in its place."""
        return self.currentWidget() is self.transcript

    def text_end(self) -> int | None:
        """Return the end of the transcript's text, in pixels from the top; None while something else is shown.

        The room that is held beneath a question for its answer is no text.
        """
        layout = self.transcript.row_layout
        return layout.heights.total - layout.y if self.reading and layout.messages else None

    def set_empty(self, empty: bool) -> None:
        """Set whether the open thread has nothing to read yet."""
        if self._empty is None:
            if not empty:
                return
            from desktop_app.ui.shell.empty_thread import EmptyThread

            self._empty = EmptyThread(self._theme, self.transcript)
            self._empty.starter_chosen.connect(self.starter_chosen)
            self._empty.connect_requested.connect(self.connect_requested)
            self._empty.show_lacks_model(self._lacks_model)
            self._empty.show_model(self._model)
            self._empty.show_starters(self._starters)
        self._empty.fill()
        self._empty.setVisible(empty)

    def show_model(self, words: str) -> None:
        """Names what will answer, for a thread with nothing to read."""
        self._model = words
        if self._empty is not None:
            self._empty.show_model(words)

    def set_lacks_model(self, lacks: bool) -> None:
        """Set whether nothing would answer now, as far as that is known."""
        self._lacks_model = lacks
        if self._empty is not None:
            self._empty.show_lacks_model(lacks)

    def show_starters(self, starters: Sequence[Prompt]) -> None:
        """Show the prompts that a thread with nothing to read offers to begin with."""
        self._starters = starters
        if self._empty is not None:
            self._empty.show_starters(starters)
