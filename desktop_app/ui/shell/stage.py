"""Owns which page stands in the middle of the window: the transcript, or the ways to a model. Knows no thread."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QPixmap
from PySide6.QtWidgets import QAbstractScrollArea, QLabel, QStackedWidget, QVBoxLayout, QWidget

from desktop_app.resources import resource
from desktop_app.ui.theme.theme import GRID, Theme
from desktop_app.ui.transcript.view import TranscriptView

if TYPE_CHECKING:
    from desktop_app.ui.connections.welcome_pane import WelcomePane

MARK = 48


class EmptyHint(QWidget):
    """What a thread without messages shows: the mark and one line. Lets every click through."""

    def __init__(self, theme: Theme, parent: QAbstractScrollArea) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        # The column of the text stands beside the scroll bar: the middle of both is the middle of the viewport.
        self._room = parent.viewport()
        self._mark = QLabel(self)
        self._mark.setAlignment(Qt.AlignmentFlag.AlignHCenter)
        self._heading = QLabel(self.tr("New thread"), self)
        self._heading.setAlignment(Qt.AlignmentFlag.AlignHCenter)
        self._line = QLabel(self.tr("The gauge below shows what the model will read before you send it."), self)
        self._line.setAlignment(Qt.AlignmentFlag.AlignHCenter)
        self._line.setProperty("tone", "secondary")
        self._line.setWordWrap(True)
        column = QVBoxLayout(self)
        column.addStretch(2)
        for label in (self._mark, self._heading, self._line):
            column.addWidget(label)
            column.addSpacing(GRID // 2)
        column.addStretch(3)
        self._room.installEventFilter(self)
        theme.set_font("title", self._heading)
        theme.set_font("small", self._line)
        theme.follow(self._apply_theme)

    def _apply_theme(self) -> None:
        scale = self.devicePixelRatioF()
        drawing = QPixmap(str(resource("icons", "plimsoll-128.png"))).scaledToWidth(
            round(MARK * scale), Qt.TransformationMode.SmoothTransformation
        )
        drawing.setDevicePixelRatio(scale)
        self._mark.setPixmap(drawing)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Resize:
            self.fill()
        return False

    def fill(self) -> None:
        """Takes the room that the text would have."""
        self.setGeometry(self._room.geometry())
        room, width = self.height(), self.width() - 2 * GRID
        # large words in a low window: the first that there is no room for go
        parts = ((self._heading, self._heading.sizeHint().height()), (self._line, self._line.heightForWidth(width)))
        for label, height in (*parts, (self._mark, MARK)):
            room -= height + 2 * GRID
            label.setVisible(room >= 0)


class Stage(QStackedWidget):
    """The pages. The hint lies over the transcript while there is nothing to read."""

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self.transcript = TranscriptView(theme, self)
        self._hint: EmptyHint | None = None
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
        """Where the transcript's text ends, in pixels from the top; None while something else is shown.

        The room that is held beneath a question for its answer is no text.
        """
        layout = self.transcript.row_layout
        return layout.heights.total - layout.y if self.reading and layout.messages else None

    def set_empty(self, empty: bool) -> None:
        """Whether the open thread has nothing to read yet."""
        if self._hint is None:
            if not empty:
                return
            self._hint = EmptyHint(self._theme, self.transcript)
        self._hint.fill()
        self._hint.setVisible(empty)
