"""The lists of prompts: prepared for search, painted as rows, opened above the composer by `/`, offered as examples.
Stores nothing and inserts nothing."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final, cast

from PySide6.QtCore import (
    QAbstractListModel,
    QEvent,
    QLocale,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QPoint,
    QPointF,
    QRect,
    QRectF,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import (
    QAccessible,
    QAccessibleAnnouncementEvent,
    QFontMetricsF,
    QKeyEvent,
    QPainter,
    QResizeEvent,
    QTextCharFormat,
    QTextLayout,
)
from PySide6.QtWidgets import (
    QAbstractItemView,
    QApplication,
    QBoxLayout,
    QFrame,
    QLabel,
    QListView,
    QPushButton,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QVBoxLayout,
    QWidget,
)

from desktop_app.core.matching import Names, Quality, Span, marks
from desktop_app.core.prompts import Prompt, PromptTemplate
from desktop_app.resources import resource
from desktop_app.ui.theme.theme import GRID, Theme
from desktop_app.ui.widgets.floating import Floating
from desktop_app.ui.widgets.list_parts import marked_line, match_format, paint_ground
from desktop_app.ui.widgets.message_field import MessageField

MOST: Final = 100
"""Prompts that the list above the composer offers at most."""


class PromptCache:
    """Some prompts, in the order in which equal matches are shown."""

    def __init__(self, prompts: Iterable[Prompt] = ()) -> None:
        self.prompts = tuple(prompts)

    def called(self, typed: str) -> list[Prompt]:
        """The prompts whose title the letters typed begin, hold or abbreviate, the best first; all for none.

        Slips, and letters that are merely scattered over a title, don't count: it may be a message after all.
        """
        if not typed.strip():
            return list(self.prompts[:MOST])
        found = self._names.find(typed, MOST)
        return [self.prompts[each.place] for each in found if each.quality > Quality.MISTYPED]

    def holding(self, typed: str) -> list[Prompt]:
        """All prompts that are called so, the best first, then those that have every word in title or text."""
        if not typed.strip():
            return list(self.prompts)
        places = [each.place for each in self._names.find(typed, len(self.prompts))]
        named, words = set(places), typed.casefold().split()
        places += [
            place
            for place, text in enumerate(self._texts)
            if place not in named and all(word in text for word in words)
        ]
        return [self.prompts[place] for place in places]

    @cached_property
    def _names(self) -> Names:
        return Names(one.title for one in self.prompts)

    @cached_property
    def _texts(self) -> list[str]:
        return [f"{one.title}\n{one.text}".casefold() for one in self.prompts]


ROW_ROLE: Final = Qt.ItemDataRole.UserRole + 1
"""The `PromptRow`."""
EXCERPT: Final = 200
"""Characters of a prompt's text that a row shows at most."""

Index = QModelIndex | QPersistentModelIndex
_ROOT = QModelIndex()


@dataclass(frozen=True, slots=True)
class PromptRow:
    """A prompt in a list; the marks of its title follow from what was `typed`."""

    prompt: Prompt
    typed: str = ""


class PromptRows(QAbstractListModel):
    """Some prompts, and behind them lines of words that stand for something to do."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._rows: Sequence[PromptRow | str] = ()

    @property
    def rows(self) -> Sequence[PromptRow | str]:
        return self._rows

    @property
    def prompts(self) -> list[Prompt]:
        return [row.prompt for row in self._rows if isinstance(row, PromptRow)]

    def show(self, rows: Sequence[PromptRow | str]) -> None:
        """Replaces everything."""
        self.beginResetModel()
        self._rows = rows
        self.endResetModel()

    def place_of(self, prompt_id: str) -> int:
        """The row of a prompt; -1 where it is not shown."""
        places = (at for at, row in enumerate(self._rows) if isinstance(row, PromptRow) and row.prompt.id == prompt_id)
        return next(places, -1)

    def rowCount(self, parent: Index = _ROOT) -> int:
        return 0 if parent.isValid() else len(self._rows)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid():
            return None
        row = self._rows[index.row()]
        if role == ROW_ROLE:
            return row
        if role == Qt.ItemDataRole.DisplayRole:
            return row if isinstance(row, str) else row.prompt.title
        return spoken(row) if role == Qt.ItemDataRole.AccessibleTextRole else None


def excerpt(text: str) -> str:
    """A prompt's text on one line, as far as a row can show it."""
    return " ".join(text[: 4 * EXCERPT].split())[:EXCERPT]


def spoken(row: PromptRow | str) -> str:
    """A row for screen readers."""
    return row if isinstance(row, str) else f"{row.prompt.title}, {excerpt(row.prompt.text)}"


class PromptDelegate(QStyledItemDelegate):
    """Two lines: the title with its marked letters, the beginning of the text with its variables."""

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme
        theme.follow(self._apply_theme)

    def _apply_theme(self) -> None:
        theme = self._theme
        self._font, self._small = theme.body_font(), theme.small_font()
        self._metrics, self._small_metrics = QFontMetricsF(self._font), QFontMetricsF(self._small)
        lines = self._metrics.height() + self._small_metrics.height()
        self.height = round(lines) + 2 * GRID + GRID // 2
        self._mark, self._variable = match_format(theme), QTextCharFormat()
        self._variable.setForeground(theme.color("syntax-name"))

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        return QSize(0, self.height)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        row, theme = cast("PromptRow | str", index.data(ROW_ROLE)), self._theme
        rect, state = QRectF(option.rect), option.state
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        current = bool(state & QStyle.StateFlag.State_Selected)
        if current or state & QStyle.StateFlag.State_MouseOver:
            focused = current and bool(state & QStyle.StateFlag.State_HasFocus)
            place = rect.adjusted(GRID // 2, 1, -GRID // 2, -1)
            paint_ground(painter, place, theme, current=current, focused=focused)
        box = rect.adjusted(2 * GRID, GRID, -2 * GRID, -GRID)
        painter.setClipRect(box)
        if isinstance(row, str):
            painter.setFont(self._font)
            painter.setPen(theme.color("text-secondary"))
            words = self._metrics.elidedText(row, Qt.TextElideMode.ElideRight, box.width())
            painter.drawText(box, Qt.AlignmentFlag.AlignVCenter, words)
        else:
            title = " ".join(row.prompt.title.split())
            painter.setPen(theme.color("text"))
            found = marks(row.typed, title) if row.typed else []
            self._titled(title, found, box.width()).draw(painter, box.topLeft())
            below = QPointF(box.left(), box.bottom() - self._small_metrics.height())
            painter.setPen(theme.color("text-secondary"))
            self._excerpted(excerpt(row.prompt.text), box.width()).draw(painter, below)
        painter.restore()

    def _titled(self, title: str, found: Sequence[Span], room: float) -> QTextLayout:
        """As much of a title as there is room for; bold letters take a little more."""
        bold = sum(end - start for start, end in found)
        shown = self._metrics.elidedText(title, Qt.TextElideMode.ElideRight, room - bold)
        return marked_line(shown, self._font, _within(found, shown, title), self._mark)

    def _excerpted(self, text: str, room: float) -> QTextLayout:
        shown = self._small_metrics.elidedText(text, Qt.TextElideMode.ElideRight, room)
        places = [(place.start, place.end) for place in PromptTemplate(text).places]
        return marked_line(shown, self._small, _within(places, shown, text), self._variable)


def _within(spans: Sequence[Span], shown: str, whole: str) -> list[Span]:
    """The spans as far as they are shown."""
    last = len(shown) if shown == whole else len(shown) - 1
    return [(start, min(end, last)) for start, end in spans if start < last]


SHOWN: Final = 6
"""Rows that are seen at once at most; half a row below them says that there are more."""
_STEPS: Final = {Qt.Key.Key_Up: -1, Qt.Key.Key_Down: 1}
_TAKING: Final = (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Tab)


class PromptCompletion(QFrame):
    """Enter or Tab takes the row that is marked, arrows go to others, Esc closes and leaves what was typed."""

    chosen = Signal(object)  # Prompt
    library_requested = Signal()
    dismissed = Signal()  # by Esc

    def __init__(self, theme: Theme, editor: MessageField, anchor: QWidget, room: QWidget) -> None:
        """Stands above `anchor`, as wide as it, within `room`; both are panes of the same window."""
        super().__init__(room)
        self.setProperty("kind", "popover")
        Floating(self)
        self.setAccessibleName(self.tr("Prompts"))
        self._editor = editor
        self._anchor = anchor
        self._room = room
        self.rows = PromptRows(self)
        self.view = QListView(self)
        self.view.setAccessibleName(self.tr("Prompts"))
        self.view.setModel(self.rows)
        self.delegate = PromptDelegate(theme, self.view)
        self.view.setItemDelegate(self.delegate)
        self.view.setUniformItemSizes(True)
        self.view.setMouseTracking(True)
        self.view.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.view.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.view.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.view.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.view.clicked.connect(self._take)
        self.hint = QLabel(self)
        self.hint.setProperty("tone", "secondary")
        self.hint.setContentsMargins(2 * GRID, 0, 2 * GRID, GRID // 2)
        column = QVBoxLayout(self)
        column.setContentsMargins(GRID // 2, GRID // 2, GRID // 2, GRID // 2)
        column.setSpacing(GRID // 2)
        column.addWidget(self.view, 1)
        column.addWidget(self.hint)
        for watched in (editor, anchor, room):
            watched.installEventFilter(self)
        theme.set_font("small", self.hint)
        theme.follow(self._fit)
        self.hide()

    def show_prompts(self, prompts: Sequence[Prompt], typed: str, further: str = "", missing: str = "") -> None:
        """Shows what was found, the first of it marked; `further`: a last line that leads to the library.

        `missing`: what is written, and is the name of no prompt. Then nothing is marked, and Enter sends it.
        """
        hint = self.tr("No prompt {name}     Enter  send     Esc  close").format(name=missing)
        self.hint.setText(hint if missing else self.tr("Enter  insert     Esc  close"))
        rows: list[PromptRow | str] = [PromptRow(prompt, typed) for prompt in prompts]
        self.rows.show([*rows, further] if further else rows)
        if not self.rows.rows:
            self.hide()
            return
        self._fit()
        self.show()
        self.raise_()
        if missing:
            self.view.setCurrentIndex(QModelIndex())
            if QAccessible.isActive():
                QAccessible.updateAccessibility(QAccessibleAnnouncementEvent(self._editor, hint))
        else:
            self._go_to(0)

    @property
    def current(self) -> PromptRow | str | None:
        """The row that Enter would take."""
        index = self.view.currentIndex()
        return self.rows.rows[index.row()] if index.isValid() else None

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if not self.isVisible():
            return False
        if event.type() in (QEvent.Type.Resize, QEvent.Type.Move):
            self._fit()
        elif watched is self._editor and event.type() == QEvent.Type.FocusOut:
            focused = QApplication.focusWidget()
            if focused is not None and focused.window() is self.window():
                self.hide()
        elif watched is self._editor and isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress:
            return self._press(event)
        return False

    def _press(self, event: QKeyEvent) -> bool:
        key, plain = (
            Qt.Key(event.key()),
            event.modifiers()
            in (
                Qt.KeyboardModifier.NoModifier,
                Qt.KeyboardModifier.KeypadModifier,
            ),
        )
        if self._editor.composing() or not plain:
            return False
        current = self.view.currentIndex()
        if key in _TAKING:
            if not current.isValid():
                return False
            self._take(current)
        elif key == Qt.Key.Key_Escape:
            self.hide()
            self.dismissed.emit()
        elif key in _STEPS:
            first = current.row() if current.isValid() or key == Qt.Key.Key_Down else 0
            self._go_to((first + _STEPS[key]) % self.rows.rowCount())
        else:
            return False
        return True

    def _take(self, index: QModelIndex) -> None:
        row = self.rows.rows[index.row()] if index.isValid() else None
        # first, so that what is taken can put the keyboard elsewhere
        self.hide()
        if isinstance(row, PromptRow):
            self.chosen.emit(row.prompt)
        elif row is not None:
            self.library_requested.emit()

    def _go_to(self, row: int) -> None:
        index = self.rows.index(row)
        self.view.setCurrentIndex(index)
        self.view.scrollTo(index)
        # For screen readers: the keyboard stays in the text field, so the row can't be told by its focus.
        if QAccessible.isActive():
            QAccessible.updateAccessibility(QAccessibleAnnouncementEvent(self._editor, spoken(self.rows.rows[row])))

    def _fit(self) -> None:
        """As high as its rows, within the room above the anchor."""
        count = self.rows.rowCount()
        rows = min(count, SHOWN) * self.delegate.height + (self.delegate.height // 2 if count > SHOWN else 0)
        frame = self.contentsMargins()
        rest = self.hint.sizeHint().height() + 2 * GRID + frame.top() + frame.bottom()
        corner = self._anchor.mapTo(self._room, QPoint(0, 0))
        height = min(rows + rest, corner.y() - GRID)
        self.setGeometry(QRect(corner.x(), corner.y() - height - GRID // 2, self._anchor.width(), height))


LANGUAGES: Final = ("de", "zh_CN")
"""The languages that examples are shipped in, beside English."""
LEAST_LETTERS: Final = 36
"""Letters of a line that an example has room for beside its button."""
LINE: Final = 160
"""Characters of an example's text that are shown."""


@dataclass(frozen=True, slots=True)
class Example:
    """A prompt that is not in the library."""

    title: str
    text: str


def examples(locale: QLocale | None = None) -> tuple[Example, ...]:
    """The shipped prompts in the window's language, else in English."""
    name = (locale or QLocale()).name()
    language = next((one for one in LANGUAGES if name == one or name.split("_")[0] == one), "en")
    read: list[dict[str, str]] = json.loads(resource("prompts", f"examples_{language}.json").read_text("utf-8"))
    return tuple(Example(one["title"], one["text"]) for one in read)


class ExamplesPane(QWidget):
    """A line of words and the examples, each with a button; what is in the library already says so."""

    wanted = Signal(object)  # Example
    done = Signal()

    def __init__(self, theme: Theme, shown: Sequence[Example], parent: QWidget) -> None:
        super().__init__(parent)
        self.lead = QLabel(
            self.tr(
                "Reusable prompts. Type / in an empty message to insert one. These are examples: add the ones "
                "you like and change them."
            ),
            self,
        )
        self.lead.setWordWrap(True)
        self.lead.setProperty("tone", "secondary")
        self.buttons: dict[Example, QPushButton] = {}
        self._titles: list[QLabel] = []
        self._lines: list[QLabel] = []
        self._rows: list[QBoxLayout] = []
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(GRID)
        column.addWidget(self.lead)
        for example in shown:
            column.addWidget(self._row(example))
        self.done_button = QPushButton(self.tr("Show my prompts"), self)
        self.done_button.clicked.connect(self.done)
        self.done_button.hide()
        column.addSpacing(GRID)
        column.addWidget(self.done_button, 0, Qt.AlignmentFlag.AlignLeft)
        column.addStretch(1)
        theme.set_font("body", self.lead, *self._titles)
        theme.set_font("small", *self._lines)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """In a narrow window each button stands beneath its example."""
        super().resizeEvent(event)
        button = max(one.sizeHint().width() for one in self.buttons.values()) if self.buttons else 0
        words = self.fontMetrics().averageCharWidth() * LEAST_LETTERS
        across, down = QBoxLayout.Direction.LeftToRight, QBoxLayout.Direction.TopToBottom
        for row in self._rows:
            row.setDirection(across if self.width() >= words + button else down)

    def show_taken(self, taken: Collection[tuple[str, str]]) -> None:
        """Which of them, by title and text, are in the library; with any prompt there it can be shown."""
        for example, button in self.buttons.items():
            here = (example.title, example.text) in taken
            button.setEnabled(not here)
            button.setText(self.tr("Added") if here else self.tr("Add"))
        self.done_button.setVisible(bool(taken))

    def focus_first(self) -> None:
        """Puts the keyboard on the first example that can be added."""
        first = next((button for button in self.buttons.values() if button.isEnabled()), self.done_button)
        first.setFocus(Qt.FocusReason.OtherFocusReason)

    def _row(self, example: Example) -> QWidget:
        row = QFrame(self)
        title, line = QLabel(example.title, row), QLabel(_beginning(example.text), row)
        for label in (title, line):
            label.setTextFormat(Qt.TextFormat.PlainText)
            label.setWordWrap(True)
        line.setToolTip(excerpt(example.text) if line.text() != excerpt(example.text) else "")
        line.setProperty("tone", "secondary")
        self._titles.append(title)
        self._lines.append(line)
        button = QPushButton(self.tr("Add"), row)
        button.setAccessibleName(self.tr("Add {title}").format(title=example.title))
        button.clicked.connect(lambda: self.wanted.emit(example))
        self.buttons[example] = button
        words = QVBoxLayout()
        words.setSpacing(0)
        words.addWidget(title)
        words.addWidget(line)
        across = QBoxLayout(QBoxLayout.Direction.LeftToRight, row)
        self._rows.append(across)
        across.setContentsMargins(0, GRID // 2, 0, GRID // 2)
        across.setSpacing(2 * GRID)
        across.addLayout(words, 1)
        across.addWidget(button, 0, Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignLeft)
        return row


def _beginning(text: str) -> str:
    line = excerpt(text)
    return line if len(line) <= LINE else f"{line[:LINE].rstrip()}…"
