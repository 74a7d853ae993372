"""The small window with one line to ask from, alone up to its first paint, and the answer beneath. No controller."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint, Qt, QTimer, Signal
from PySide6.QtGui import QCloseEvent, QCursor, QFontMetrics, QGuiApplication, QIcon, QKeyEvent, QPaintEvent
from PySide6.QtWidgets import QApplication, QLabel, QVBoxLayout, QWidget

from desktop_app.core.messages import Part
from desktop_app.paths import DataPaths
from desktop_app.resources import resource
from desktop_app.ui.startup.single_instance import read_appearance
from desktop_app.ui.state.window_state import WindowState
from desktop_app.ui.theme.theme import GRID, Theme
from desktop_app.ui.widgets.fitting import ElidedLabel
from desktop_app.ui.widgets.message_field import MessageField
from desktop_app.ui.widgets.parts import button_in, fill, frame_in, in_column, in_row, single_shot

if TYPE_CHECKING:
    from desktop_app.ui.transcript.view import TranscriptView


WIDTH = 84 * GRID
"""Width in pixels: a line of 80 to 90 characters."""
FROM_TOP = 0.16
"""The share of the screen's height above the window."""
LOWEST_ANSWER = 12 * GRID
MOST_ANSWER = 0.5
"""Share of the screen's height that an answer may take; what is longer is scrolled."""
FOLLOW_MS = 50
"""Milliseconds after a change of the answer until the window takes its height."""
LONGEST_NAME = 40 * GRID
"""Pixels for the name of the connection and model."""
MOST_LINES = 6
"""The number of lines that the field grows to."""


class QuickField(MessageField):
    """Enter asks, Ctrl+Enter opens a thread, Esc closes; none of them while an input method is composing."""

    thread_requested = Signal()
    closed = Signal()

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(theme, parent)
        self.setAccessibleName(self.tr("Quick question"))
        self.setPlaceholderText(self.tr("Ask anything"))

    def _apply_theme(self) -> None:
        super()._apply_theme()
        self.set_most_height(round(MOST_LINES * self._pitch) + GRID // 2)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        enter = event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter)
        control = bool(event.modifiers() & Qt.KeyboardModifier.ControlModifier)
        if self.composing():
            super().keyPressEvent(event)
        elif enter and control:
            self.thread_requested.emit()
        elif event.key() == Qt.Key.Key_Escape:
            self.closed.emit()
        else:
            super().keyPressEvent(event)


class QuickWindow(QWidget):
    """A frameless window near the top of the screen that the pointer is on. Keeps its text while it is hidden.

    `close_requested` comes with every `dismissed`, for whoever waits for the end of a start.
    """

    asked = Signal()
    thread_requested = Signal()
    dismissed = Signal()
    edited = Signal()
    view_made = Signal(object)  # TranscriptView
    first_painted = Signal()
    close_requested = Signal()

    def __init__(self, theme: Theme) -> None:
        super().__init__(None, Qt.WindowType.Window | Qt.WindowType.FramelessWindowHint)
        self.setObjectName("quick")
        self.setWindowTitle(self.tr("Quick question – Plimsoll"))
        self.setWindowIcon(QIcon(str(resource("icons", "plimsoll-128.png"))))
        self.setAttribute(Qt.WidgetAttribute.WA_TranslucentBackground)
        self._theme = theme
        self.panel = frame_in(self, "quick")
        self.field = QuickField(theme, self.panel)
        self.model = QLabel(self.panel)
        self.hint = ElidedLabel(self.panel)
        for label in (self.model, self.hint):
            label.setProperty("tone", "secondary")
            label.setTextFormat(Qt.TextFormat.PlainText)
        self.to_thread = button_in(
            self.panel,
            self.tr("Open as a thread"),
            self.thread_requested,
            kind="quiet",
            tip=self.tr("Open as a thread (Ctrl+Enter)"),
        )
        self.rule = frame_in(self.panel, "rule")
        self.rule.setFixedHeight(1)
        self.rule.hide()
        self.view: TranscriptView | None = None
        self._painted = False
        self._may_close = False
        self._early = ""
        self._adopted = False
        self._follow = single_shot(self, self._take_height, FOLLOW_MS)
        self._arrange()
        self.asked.connect(partial(self._note, "ask"))
        self.thread_requested.connect(partial(self._note, "thread"))
        self.field.send_requested.connect(self.asked)
        self.field.thread_requested.connect(self.thread_requested)
        self.field.closed.connect(self.close)
        self.field.textChanged.connect(self.edited)
        self.field.textChanged.connect(self.follow)
        self.field.attached.connect(lambda _: self.tell(self.tr("To attach files, open a thread: press Ctrl+Enter.")))
        theme.set_font("small", self.model, self.hint, self.to_thread)
        theme.follow(self._apply_theme)
        self.tell("")

    # What is shown

    def _apply_theme(self) -> None:
        if self.view is not None:
            self.view.set_theme(self._theme)
        self._take_height()

    def show_model(self, connection: str, model: str) -> None:
        """Names where the question goes; empty where that is not known."""
        words = f"{connection} · {model}" if connection and model else connection or model
        room = self._theme.pixels(LONGEST_NAME)
        shown = QFontMetrics(self.model.font()).elidedText(words, Qt.TextElideMode.ElideMiddle, room)
        self.model.setText(shown)
        self.model.setToolTip(words if shown != words else "")
        self.model.setAccessibleName(self.tr("Answered by {model}").format(model=words) if words else "")

    def tell(self, words: str) -> None:
        """A line beneath the field; without words, what the keys do."""
        self.hint.set_words(words or self.tr("Enter asks · Esc closes"))

    def text(self) -> str:
        return self.field.toPlainText()

    def draft(self) -> tuple[Part, ...]:
        """The question as it stands; empty where there is none."""
        from desktop_app.core.attachment_facts import message_of  # the first paint needs none of it

        return message_of(self.text(), ())

    def set_text(self, text: str) -> None:
        """Replaces what stands in the field."""
        self.field.replace_text(text)

    def answer_view(self) -> TranscriptView:
        """The view that answers come into; made when it is first needed."""
        if self.view is None:
            from desktop_app.ui.transcript.view import TranscriptView

            self.view = TranscriptView(self._theme, self.panel)
            self._column.insertWidget(self._column.count() - 1, self.view)
            self.rule.show()
            self.setTabOrder(self.field, self.view)
            self.setTabOrder(self.view, self.to_thread)
            self.view_made.emit(self.view)
        self.view.show()
        self.rule.show()
        self.follow()
        return self.view

    def hide_answer(self) -> None:
        """Only the line again."""
        if self.view is not None:
            self.view.hide()
        self.rule.hide()
        self._take_height()

    def appear(self) -> None:
        """Shows the window, takes the keyboard, and puts it where the pointer is."""
        if not self.isVisible():
            self._take_height()
            screen = QGuiApplication.screenAt(QCursor.pos()) or QGuiApplication.primaryScreen()
            room = screen.availableGeometry()
            self.move(QPoint(room.center().x() - self.width() // 2, room.top() + round(room.height() * FROM_TOP)))
        self.show()
        self.raise_()
        self.activateWindow()
        self.field.setFocus(Qt.FocusReason.ActiveWindowFocusReason)

    def follow(self) -> None:
        """Something in the window changed: its height follows soon."""
        if not self._follow.isActive():
            self._follow.start()

    def take_early_wish(self) -> str:
        """Return the wish made before anybody could carry it out: "ask", "thread" or nothing. Asked once."""
        self._adopted = True
        return self._early

    def close_now(self) -> None:
        """Closes for good."""
        self._may_close = True
        self.close()

    # Qt

    def closeEvent(self, event: QCloseEvent) -> None:
        if self._may_close:
            event.accept()
            return
        event.ignore()
        self.close_requested.emit()
        self.dismissed.emit()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        control = bool(event.modifiers() & Qt.KeyboardModifier.ControlModifier)
        if event.key() == Qt.Key.Key_Escape:
            self.close()
        elif control and event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.thread_requested.emit()
        else:
            super().keyPressEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if not self._painted:
            self._painted = True
            # After this event the children are painted, too.
            QTimer.singleShot(0, self, self.first_painted.emit)

    # Inside

    def _note(self, wish: str) -> None:
        if not self._adopted:
            self._early = wish

    def _arrange(self) -> None:
        self.hint.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        column = self._column = QVBoxLayout(self.panel)
        fill(
            column,
            self.field,
            self.rule,
            in_row(self.model, (self.hint, 1), self.to_thread, spacing=2 * GRID),
            margins=(2 * GRID, 2 * GRID, 2 * GRID, GRID),
            spacing=GRID,
        )
        in_column(self.panel, of=self, margins=0)

    def _width(self) -> int:
        """Wider for larger text, as far as the screen goes."""
        screen = self.screen()
        room = screen.availableGeometry().width() if screen is not None else WIDTH
        return max(WIDTH, min(self._theme.pixels(WIDTH), room))

    def _take_height(self) -> None:
        if (view := self.view) is not None and not view.isHidden():
            screen = self.screen()
            most = round(screen.availableGeometry().height() * MOST_ANSWER) if screen is not None else 60 * GRID
            content = view.row_layout.heights.before(len(view.row_layout.messages) + 1)
            # An answer that is asked on needs no less room than it had.
            if (wanted := max(LOWEST_ANSWER, min(int(content) + 2 * GRID, most))) != view.height():
                view.setFixedHeight(wanted)
        if (layout := self.layout()) is not None:
            self._column.activate()
            layout.activate()
            self.setFixedSize(self._width(), max(layout.sizeHint().height(), 8 * GRID))


class QuickOpening:
    """The quick line as it is painted before anything else is loaded."""

    def __init__(self, app: QApplication, paths: DataPaths, *, safe_mode: bool = False) -> None:
        """`safe_mode`: without the settings of last time."""
        self.appearance = read_appearance(paths.settings, safe_mode=safe_mode)
        self.appearance.dress(app)
        self.state = WindowState(paths.window)
        self.window = QuickWindow(self.appearance.theme)
        self.window.set_text(self.state.quick_draft)
        self.window.appear()

    def keep_draft(self) -> None:
        """The line is closed before the rest of it is loaded: what was typed stays for the next time."""
        self.state.quick_draft = self.window.text()
