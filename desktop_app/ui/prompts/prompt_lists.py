"""The lists of prompts: prepared for search, painted as rows, opened above the composer by `/`, offered as examples.
Stores nothing and inserts nothing."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final, cast

from PySide6.QtCore import QEvent, QLocale, QModelIndex, QObject, QPoint, QPointF, QRect, QRectF, Qt, Signal
from PySide6.QtGui import (
    QAccessible,
    QAccessibleAnnouncementEvent,
    QKeyEvent,
    QPainter,
    QResizeEvent,
    QTextCharFormat,
    QTextLayout,
)
from PySide6.QtWidgets import QApplication, QBoxLayout, QFrame, QLabel, QListView, QPushButton, QWidget

from desktop_app.core.matching import Names, Quality, Span, marks
from desktop_app.core.prompts import Prompt, PromptTemplate
from desktop_app.resources import resource
from desktop_app.ui.theme.theme import GRID, Theme
from desktop_app.ui.widgets.floating import Floating
from desktop_app.ui.widgets.list_parts import (
    ROW_ROLE,
    Index,
    ListRows,
    RowDelegate,
    marked_line,
    match_format,
    set_up_list,
)
from desktop_app.ui.widgets.message_field import MessageField
from desktop_app.ui.widgets.parts import Stretch, button_in, fill, in_column, label_in

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


EXCERPT: Final = 200
"""Characters of a prompt's text that a row shows at most."""


@dataclass(frozen=True, slots=True)
class PromptRow:
    """A prompt in a list; the marks of its title follow from what was `typed`."""

    prompt: Prompt
    typed: str = ""


class PromptRows(ListRows[PromptRow | str]):
    """Some prompts, and behind them lines of words that stand for something to do."""

    @property
    def prompts(self) -> list[Prompt]:
        return [row.prompt for row in self.rows if isinstance(row, PromptRow)]

    def words(self, row: PromptRow | str) -> str:
        return row if isinstance(row, str) else row.prompt.title

    def sentence(self, row: PromptRow | str) -> str:
        return spoken(row)

    def place_of(self, prompt_id: str) -> int:
        """The row of a prompt; -1 where it is not shown."""
        places = (at for at, row in enumerate(self.rows) if isinstance(row, PromptRow) and row.prompt.id == prompt_id)
        return next(places, -1)


def excerpt(text: str) -> str:
    """A prompt's text on one line, as far as a row can show it."""
    return " ".join(text[: 4 * EXCERPT].split())[:EXCERPT]


def spoken(row: PromptRow | str) -> str:
    """A row for screen readers."""
    return row if isinstance(row, str) else f"{row.prompt.title}, {excerpt(row.prompt.text)}"


class PromptDelegate(RowDelegate):
    """Two lines: the title with its marked letters, the beginning of the text with its variables."""

    LINES = 2

    def take_theme(self) -> None:
        self._mark, self._variable = match_format(self.theme), QTextCharFormat()
        self._variable.setForeground(self.theme.color("syntax-name"))

    def paint_row(self, painter: QPainter, rect: QRectF, index: Index) -> None:
        row, theme = cast("PromptRow | str", index.data(ROW_ROLE)), self.theme
        box = rect.adjusted(2 * GRID, GRID, -2 * GRID, -GRID)
        painter.setClipRect(box)
        if isinstance(row, str):
            painter.setFont(self.font)
            painter.setPen(theme.color("text-secondary"))
            words = self.metrics.elidedText(row, Qt.TextElideMode.ElideRight, box.width())
            painter.drawText(box, Qt.AlignmentFlag.AlignVCenter, words)
        else:
            title = " ".join(row.prompt.title.split())
            painter.setPen(theme.color("text"))
            found = marks(row.typed, title) if row.typed else []
            self._titled(title, found, box.width()).draw(painter, box.topLeft())
            below = QPointF(box.left(), box.bottom() - self.small_metrics.height())
            painter.setPen(theme.color("text-secondary"))
            self._excerpted(excerpt(row.prompt.text), box.width()).draw(painter, below)

    def _titled(self, title: str, found: Sequence[Span], room: float) -> QTextLayout:
        """As much of a title as there is room for; bold letters take a little more."""
        bold = sum(end - start for start, end in found)
        shown = self.metrics.elidedText(title, Qt.TextElideMode.ElideRight, room - bold)
        return marked_line(shown, self.font, _within(found, shown, title), self._mark)

    def _excerpted(self, text: str, room: float) -> QTextLayout:
        shown = self.small_metrics.elidedText(text, Qt.TextElideMode.ElideRight, room)
        places = [(place.start, place.end) for place in PromptTemplate(text).places]
        return marked_line(shown, self.small, _within(places, shown, text), self._variable)


def _within(spans: Sequence[Span], shown: str, whole: str) -> list[Span]:
    """The spans as far as they are shown."""
    last = len(shown) if shown == whole else len(shown) - 1
    return [(start, min(end, last)) for start, end in spans if start < last]


SHOWN: Final = 6
"""Rows that are seen at once at most; half a row below them says that there are more."""
_STEPS: Final = {Qt.Key.Key_Up: -1, Qt.Key.Key_Down: 1}
_TAKING: Final = (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Tab)


class PromptCompletion(QFrame):
    """Enter or Tab takes the row that is marked, arrows go to others, Esc closes and leaves what was typed
    but for the slash alone."""

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
        self.delegate = PromptDelegate(theme, self.view)
        set_up_list(self.view, self.rows, self.delegate, self.tr("Prompts"))
        self.view.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.view.clicked.connect(self._take)
        self.hint = label_in(self, tone="secondary")
        self.hint.setContentsMargins(2 * GRID, 0, 2 * GRID, GRID // 2)
        in_column((self.view, 1), self.hint, of=self, spacing=GRID // 2, margins=GRID // 2)
        for watched in (editor, anchor, room):
            watched.installEventFilter(self)
        theme.set_font("small", self.hint)
        theme.follow(self._fit)
        self.hide()

    def show_prompts(self, prompts: Sequence[Prompt], typed: str, further: str = "", missing: str = "") -> None:
        """Shows what was found, the first of it marked; `further`: a last line that leads to the library.

        `missing`: what is written, and is the name of no prompt; the prompts are examples then. Nothing is marked,
        and Enter sends it.
        """
        none, unlike = self.tr("No prompt {name}"), self.tr("An example, none of your prompts")
        sends = self.tr("Enter  send {name}     Esc  close")
        hint = f"{unlike if prompts else none}     {sends}".format(name=missing)
        self.hint.setText(hint)
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
            if (focused := QApplication.focusWidget()) is not None and focused.window() is self.window():
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
        opens = isinstance(self.rows.rows[row], str)
        self.hint.setText(self.tr("Enter  open     Esc  close") if opens else self.tr("Enter  insert     Esc  close"))
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
        self.lead = label_in(
            self,
            self.tr(
                "Reusable prompts. Type / in an empty message to insert one. These are examples: add the ones "
                "you like and change them."
            ),
            tone="secondary",
            wrap=True,
        )
        self.buttons: dict[Example, QPushButton] = {}
        self._titles: list[QLabel] = []
        self._lines: list[QLabel] = []
        self._rows: list[QBoxLayout] = []
        column = in_column(self.lead, of=self, spacing=GRID, margins=0)
        for example in shown:
            column.addWidget(self._row(example))
        self.done_button = button_in(self, self.tr("Show my prompts"), self.done)
        self.done_button.hide()
        fill(column, GRID, (self.done_button, 0, Qt.AlignmentFlag.AlignLeft), Stretch())
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
        button = button_in(
            row,
            self.tr("Add"),
            lambda: self.wanted.emit(example),
            name=self.tr("Add {title}").format(title=example.title),
        )
        self.buttons[example] = button
        across = QBoxLayout(QBoxLayout.Direction.LeftToRight, row)
        self._rows.append(across)
        fill(
            across,
            (in_column(title, line, spacing=0), 1),
            (button, 0, Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignLeft),
            margins=(0, GRID // 2),
            spacing=2 * GRID,
        )
        return row


def _beginning(text: str) -> str:
    line = excerpt(text)
    return line if len(line) <= LINE else f"{line[:LINE].rstrip()}…"
