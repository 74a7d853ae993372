"""The frame of a page in the transcript's place, the page that edits one text, the parts of a row of settings."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from PySide6.QtCore import QEvent, QPoint, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent, QKeySequence, QPainter, QPaintEvent, QPen, QResizeEvent, QShortcut
from PySide6.QtWidgets import QCheckBox, QFrame, QLabel, QLineEdit, QScrollArea, QVBoxLayout, QWidget

from desktop_app.ui.theme.theme import GRID, WIDEST_COLUMN, Theme, column, space, stroke
from desktop_app.ui.widgets.fitting import FlowRow
from desktop_app.ui.widgets.message_field import CheckedEdit, align_as_it_runs
from desktop_app.ui.widgets.parts import (
    button_in,
    fill,
    frame_in,
    in_column,
    in_row,
    label_in,
    say_in,
    set_look,
    single_shot,
)

HEADER = 6 * GRID
"""Pixels of a page's header, in whose place otherwise the window's stands."""
LONG_TITLE = 24
"""Letters of a title to be written over that have room beside Back, or it stands beneath."""


class HeaderBar(QWidget):
    """The header's parts beside each other."""

    parts_changed = Signal()  # one came, went, or has other words

    def event(self, event: QEvent) -> bool:
        done = super().event(event)
        if event.type() == QEvent.Type.LayoutRequest:
            self.parts_changed.emit()
        return done


class PageFrame(QWidget):
    """The header stays at the top, the column scrolls where it must, on the edges of the transcript's column.

    Esc and Back are the wish to leave, no more. `windowTitle` is what the page is called.
    """

    left = Signal()

    def __init__(self, theme: Theme, heading: str, parent: QWidget) -> None:
        super().__init__(parent)
        self.theme = theme
        self.top = HeaderBar(self)
        self.back = button_in(
            self.top,
            self.tr("Back"),
            self.left,
            name=self.tr("Back to the thread"),
            tip=self.tr("Back to the thread (Esc)"),
        )
        self.heading = label_in(self.top)
        self.heading.setMinimumWidth(1)
        self.heading.setWordWrap(True)
        self._title: QLabel | QLineEdit = self.heading  # beside Back, or beneath it in a narrow page
        self.header_row = in_row(self.back, (self.heading, 1), of=self.top, spacing=2 * GRID)
        self.pinned = QVBoxLayout()
        self.pinned.setSpacing(GRID)
        self.column = QWidget()
        self.inside = QVBoxLayout(self.column)
        self.inside.setSpacing(GRID)
        middle = QWidget()
        middle.setObjectName("centre")
        self._middle = in_row(self.column, of=middle)
        self.scroller = QScrollArea(self, widgetResizable=True)
        self.scroller.setFrameShape(QFrame.Shape.NoFrame)
        self.scroller.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.scroller.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        # always there, invisible while it has nothing to do: the column never moves aside for it
        self.scroller.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOn)
        self.scroller.setWidget(middle)
        self.whole = QVBoxLayout(self)
        self.whole.setContentsMargins(0, 0, 0, 0)
        self.whole.setSpacing(0)
        self._beneath = QVBoxLayout()
        fill(self.whole, self.top, self._beneath, self.pinned, (self.scroller, 1))
        self.top.parts_changed.connect(self._place_title)
        self.set_title(heading)
        theme.follow(self._apply_theme_to_heading)

    @property
    def room(self) -> int:
        """Pixels that the column has at the page's width, also before it is laid out."""
        return column(self.width() - space("scroll"), self.widest)[1]

    def set_title(self, words: str) -> None:
        """Set the page's name, in its header, in the window's frame and for screen readers."""
        self.heading.setText(words)
        self.setAccessibleName(words)
        self.setWindowTitle(words)

    def replace_title(self, part: QLineEdit) -> None:
        """A title that can be written over stands where the words stood."""
        for place in (self.header_row, self._beneath):
            if place.indexOf(self._title) >= 0:
                place.replaceWidget(self._title, part)
        self._title.hide()
        self._title = part

    @property
    def widest(self) -> int:
        """Pixels that the column has at most."""
        return WIDEST_COLUMN

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._stand_on_edges()

    def focus_first(self) -> None:
        """Puts the keyboard where the page's work begins."""
        self.back.setFocus(Qt.FocusReason.OtherFocusReason)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.left.emit()
        else:
            super().keyPressEvent(event)

    def on_keys(self, keys: QKeySequence.StandardKey, do: Callable[[], object]) -> None:
        """Calls `do` when keys are pressed anywhere in the page."""
        QShortcut(keys, self, context=Qt.ShortcutContext.WidgetWithChildrenShortcut).activated.connect(do)

    def small(self, words: str = "", *, tone: str = "secondary") -> QLabel:
        """A line of small words that wraps; `tone` "secondary", "danger" or "" for the text colour."""
        label = label_in(self.column, words)
        self.theme.set_font("small", label)
        label.setWordWrap(True)
        if tone:
            label.setProperty("tone", tone)
        return label

    def subheading(self, words: str) -> QLabel:
        """The title of a part of the column."""
        label = label_in(self.column, words)
        self.theme.set_font("title", label)
        return label

    def _apply_theme_to_heading(self) -> None:
        font = self.theme.title_font()
        font.setPointSizeF(self.theme.points("page"))
        self.heading.setFont(font)
        self.top.setMinimumHeight(self.theme.pixels(HEADER))
        self._stand_on_edges()

    def _place_title(self) -> None:
        """Beside Back, or beneath it where the words and the page's action leave too little room."""
        title, margins = self._title, self.header_row.contentsMargins()
        room = self.width() - margins.left() - margins.right()
        others = [item for item in map(self.header_row.itemAt, range(self.header_row.count())) if item is not None]
        parts = [part for item in others if (part := item.widget()) is not None and part is not title]
        needs = sum(part.sizeHint().width() + self.header_row.spacing() for part in parts if not part.isHidden())
        beside = needs + self._title_width() <= room
        if beside and self._beneath.count():
            self._beneath.removeWidget(title)
            self.header_row.takeAt(1)  # the stretch in its place
            self.header_row.insertWidget(1, title, 1)
        elif not beside and not self._beneath.count():
            self.header_row.removeWidget(title)
            self.header_row.insertStretch(1, 1)
            self._beneath.addWidget(title)

    def _title_width(self) -> int:
        """The room in pixels that the title needs beside Back: in one line, or so much of one that can be edited."""
        metrics, words = self._title.fontMetrics(), self._title.text()
        whole = metrics.horizontalAdvance(words)
        return whole if self._title is self.heading else min(whole, metrics.averageCharWidth() * LONG_TITLE)

    def _stand_on_edges(self) -> None:
        bar = space("scroll")
        left, width = column(self.width() - bar, self.widest)
        right = self.width() - left - width
        self.header_row.setContentsMargins(left, 0, right, 0)
        self._beneath.setContentsMargins(left, 0, right, 0)
        self._place_title()
        pinned = bool(self.pinned.count())
        self.pinned.setContentsMargins(left, GRID // 2 * pinned, right, GRID * pinned)
        self.inside.setContentsMargins(0, GRID * (not pinned), 0, 2 * GRID)
        self._middle.setContentsMargins(left, 0, right - bar, 0)
        self.whole.activate()


SYSTEM_PROMPT = ""
"""Stands for a thread's system prompt where otherwise the id of a summary stands."""
PROMPT = "\0prompt"
"""Stands before the id of a prompt of the library where otherwise the id of a thread stands: none is called so.

Any editor of what belongs to no thread is named so: a NUL and the name of its page.
"""


def editor_of(key: tuple[str, str]) -> tuple[str, tuple[str, ...]]:
    """The page that edits the text of that `EditorPresenter.key`, and what it is about."""
    subject, about = key
    if subject.startswith("\0"):
        return subject[1:], (about,)
    return ("system_prompt", (subject,)) if about == SYSTEM_PROMPT else ("summary", key)


class PagePresenter(Protocol):
    """A page with what goes on behind it."""

    @property
    def page(self) -> PageFrame: ...

    def end(self) -> None:
        """The page is left: facts that come later are not for it. What was wished on it is still carried out."""

    def deleteLater(self) -> None: ...


class EditorPresenter(PagePresenter, Protocol):
    """A flow whose page holds a text that is stored only when the user says so."""

    @property
    def page(self) -> EditorPage: ...

    @property
    def key(self) -> tuple[str, str]:
        """Thread id ("" while there is no thread yet), and summary id or `SYSTEM_PROMPT`; or `PROMPT` and its id."""

    @property
    def private(self) -> bool:
        """True where the typed text must never be on disk."""

    def unsaved(self) -> str | None: ...

    async def save(self) -> None: ...


REST_MS = 150
"""Tokens are counted when typing has rested this long."""
LEAST_HEIGHT = 30 * GRID
"""Pixels of the field, however little stands in it."""


class TextField(CheckedEdit):
    """A plain text of many lines; Tab goes on to the next control."""

    focus_changed = Signal(bool)

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setTabChangesFocus(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.document().setDocumentMargin(0)
        self.setMinimumHeight(LEAST_HEIGHT)

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self.focus_changed.emit(True)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.focus_changed.emit(False)

    def replace_text(self, text: str) -> None:
        """Sets the text as one step that Ctrl+Z takes back."""
        cursor = self.textCursor()
        cursor.beginEditBlock()
        cursor.select(cursor.SelectionType.Document)
        cursor.insertText(text)
        cursor.endEditBlock()


class EditorPage(PageFrame):
    """Wishes: `save_requested(text)`; `rested(text)`: time to count what stands there. `edited`: it is another text."""

    save_requested = Signal(str)
    rested = Signal(str)
    edited = Signal()

    def __init__(self, theme: Theme, heading: str, parent: QWidget) -> None:
        super().__init__(theme, heading, parent)
        self.lead = self.small()
        self.field = TextField(self.column)
        self.field.setAccessibleName(heading)
        self.frame = frame_in(self.column, "field")
        in_column(self.field, of=self.frame, margins=(2 * GRID, GRID + GRID // 2, GRID, GRID + GRID // 2))
        self.tokens = self.small()
        self.problem = self.small(tone="danger")
        self.problem.hide()
        self.save_button = button_in(
            self.column, self.tr("Save"), self._save, kind="primary", tip=self.tr("Save (Ctrl+S)")
        )
        self.buttons = FlowRow(self.save_button, across=GRID, down=GRID)
        fill(self.inside, self.lead, (self.frame, 1), self.tokens, self.problem, self.buttons)
        self._saved = self._sent = ""
        self._may_be_empty = True
        self._rest = single_shot(self, lambda: self.rested.emit(self.text()), REST_MS)
        self.field.textChanged.connect(self._follow_text)
        self.field.focus_changed.connect(self._show_focus)
        theme.set_font("body", self.field)
        self._follow_text()

    def focus_first(self) -> None:
        self.field.setFocus(Qt.FocusReason.OtherFocusReason)

    def text(self) -> str:
        return self.field.toPlainText()

    def show_saved(self, text: str) -> None:
        """Show the text that is stored now. Text typed by the user since stays in the field."""
        before, untouched = self._saved, self.unsaved() is None
        self._saved = text
        if untouched and text != self.text():
            self.field.setPlainText(text)
        elif before and not untouched and text not in (before, self._sent):
            self.show_problem(self.tr("Another window or command changed this meanwhile. Save replaces it."))
        self._follow_text()

    def take_unsaved(self, text: str) -> None:
        """Goes on with a text that was left unsaved."""
        self.field.replace_text(text)

    def unsaved(self) -> str | None:
        """Return the typed text that is not stored; None where the field holds the stored text."""
        return self.text() if self.text() != self._saved else None

    def show_tokens(self, words: str) -> None:
        self.tokens.setText(words)

    def show_problem(self, words: str) -> None:
        """One sentence under the field; empty takes it away."""
        say_in(self.problem, words)

    def set_busy(self, busy: bool) -> None:
        """Set the field so that it can be read but not changed while the text is being written again."""
        self.field.setReadOnly(busy)
        self._follow_text()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.matches(QKeySequence.StandardKey.Save):
            self._save()
        else:
            super().keyPressEvent(event)

    def _save(self) -> None:
        if self.save_button.isEnabled():
            self._sent = self.text()
            self.save_requested.emit(self._sent)

    def _follow_text(self) -> None:
        align_as_it_runs(self.field)
        fit = self._may_be_empty or bool(self.text().strip())
        self.save_button.setEnabled(self.unsaved() is not None and fit and not self.field.isReadOnly())
        self._rest.start()
        self.edited.emit()

    def _show_focus(self, focused: bool) -> None:
        set_look(self.frame, "focused", focused)


class SettingField(QLineEdit):
    """A line to write in. With nothing written, undo and redo are the page's, and Esc is the page's, too."""

    given_up = Signal()

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent) and not self._has_own(event):
            event.ignore()
            return False
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape and self.isModified():
            self.given_up.emit()
        else:
            super().keyPressEvent(event)

    def _has_own(self, event: QKeyEvent) -> bool:
        if event.matches(QKeySequence.StandardKey.Undo):
            return self.isUndoAvailable()
        return not event.matches(QKeySequence.StandardKey.Redo) or self.isRedoAvailable()


TRACK = QSize(5 * GRID, 3 * GRID - 2)
"""Pixels at the usual text size."""
INSET = 5
"""Pixels from the knob to the track's edges, at the usual text size."""


class Switch(QCheckBox):
    """On and off differ by the knob's place and its filling, not by colour alone. Ends on the edges it is given."""

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        theme.changed.connect(self.updateGeometry)

    def sizeHint(self) -> QSize:
        return TRACK * self._theme.zoom

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    def hitButton(self, pos: QPoint) -> bool:
        return self.rect().contains(pos)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.click()
        else:
            super().keyPressEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        theme, on = self._theme, self.isChecked()
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        line, edge = stroke("hair"), "accent" if on else "fill"
        if self.hasFocus():
            line, edge = stroke("focus"), "text" if on else "focus"
        whole, inset = QRectF(QPointF(0, 0), self.sizeHint()), INSET * theme.zoom
        track = whole.adjusted(line / 2, line / 2, -line / 2, -line / 2)
        radius = track.height() / 2
        painter.setPen(QPen(theme.color(edge), line))
        painter.setBrush(theme.color("accent" if on else "background"))
        painter.drawRoundedRect(track, radius, radius)
        knob = whole.adjusted(inset, inset, -inset, -inset)
        knob.setWidth(knob.height())
        if on:
            knob.moveRight(whole.width() - inset)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(theme.color("on-accent" if on else "fill"))
        painter.drawEllipse(knob)


def rule_in(parent: QWidget) -> QFrame:
    """A hairline as wide as the rows that it parts."""
    rule = frame_in(parent, "rule")
    rule.setFixedHeight(1)
    return rule
