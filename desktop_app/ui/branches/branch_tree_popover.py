"""The popover with the tree of a thread's branches: its rows and how they are painted, the filter and keyboard, and
what fills it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Final, cast

from PySide6.QtCore import QEvent, QModelIndex, QObject, QPoint, QPointF, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QAccessible,
    QAccessibleAnnouncementEvent,
    QColor,
    QFont,
    QFontMetricsF,
    QHideEvent,
    QKeyEvent,
    QPainter,
    QPainterPath,
    QPen,
)
from PySide6.QtWidgets import QAbstractItemView, QFrame, QLineEdit, QListView, QStyleOptionViewItem, QWidget

from desktop_app.core.conversation import BranchRow, BranchTree, Conversation, Group, message_tokens, open_line
from desktop_app.core.errors import PlimsollError
from desktop_app.core.events import BranchChanged, MessageAdded, TurnEnded, TurnFailed
from desktop_app.core.messages import Message, TextPart
from desktop_app.core.search_terms import FindPattern
from desktop_app.system.system_clock import utc_now
from desktop_app.ui.i18n.content_words import excerpt, thousands
from desktop_app.ui.i18n.language import ago, grouped, moment, tr
from desktop_app.ui.state.app_state import AppState
from desktop_app.ui.theme.theme import GRID, Theme, stroke
from desktop_app.ui.transcript.message.action_bar import branch_words
from desktop_app.ui.transcript.message.decorations import BRANCHES
from desktop_app.ui.transcript.message.row_builder import joined
from desktop_app.ui.transcript.view import TranscriptView
from desktop_app.ui.widgets.floating import Floating, Toast
from desktop_app.ui.widgets.list_parts import ROW_ROLE, Index, ListRows, RowDelegate, marked_line, match_format
from desktop_app.ui.widgets.parts import in_column, in_row, label_in, make_clearable


class BranchTexts:
    """The words of a conversation's rows, read when they are asked for. `tokens`: by message id, as far as known."""

    def __init__(self, conversation: Conversation, now: datetime, name_of: Callable[[str, str], str]) -> None:
        """`now` has a zone; `name_of`: what a backend calls a model, by the ids of both."""
        self._conversation = conversation
        self._now = now
        self._name_of = name_of
        self._messages: dict[str, Message] = {}
        self._models: dict[tuple[str, str], str] = {}
        self._titles: dict[str, str] = {}
        self.tokens: Mapping[str, int] = {}

    def title(self, row: BranchRow) -> str:
        """The first words of a message, or how many messages a fold stands for."""
        if row.kind != "message":
            return tr("{count} messages").format(count=grouped(row.count))
        group = row.groups[0]
        if (found := self._titles.get(group[0])) is None:
            found = self._titles[group[0]] = excerpt(_told(self._message(group)))
        return found

    def is_question(self, row: BranchRow) -> bool:
        """Return True if the user said it."""
        return row.kind == "message" and self._message(row.groups[0]).role == "user"

    def model(self, row: BranchRow) -> str:
        """The name of the model that answered; "" for anything else."""
        message = self._message(row.groups[0]) if row.kind == "message" else None
        if message is None or not message.model:
            return ""
        key = message.backend or "", message.model
        if key not in self._models:
            self._models[key] = self._name_of(*key)
        return self._models[key]

    def version(self, row: BranchRow) -> str:
        """`2 / 3`, as the arrows beneath the message have it."""
        return f"{row.version} / {row.versions}" if row.version else ""

    def time(self, row: BranchRow) -> str:
        """Return how long ago it was said, in words."""
        return ago(self._message(row.groups[0]).created, self._now) if row.kind == "message" else ""

    def weight(self, row: BranchRow) -> str:
        """Its tokens; "" while they are not known."""
        ids = [message_id for group in row.groups for message_id in group]
        known = [self.tokens[one] for one in ids if one in self.tokens]
        return thousands(sum(known)) if known else ""

    def sentence(self, row: BranchRow) -> str:
        """All of a row, for screen readers and the pointer."""
        parts = [self.title(row)]
        if row.kind == "message":
            question = self.is_question(row)
            who = tr("Question") if question else tr("Answer")
            if row.version:
                who = branch_words(row.version, row.versions, question=question)
            parts = [who, parts[0], self.model(row), moment(self._message(row.groups[0]).created)]
        else:
            parts.append(tr("collapsed") if row.kind == "folded" else tr("expanded"))
        tokens = self.weight(row)
        parts += [
            tr("{tokens} tokens").format(tokens=tokens) if tokens else "",
            tr("open branch") if row.on_path else "",
            tr("level {level}").format(level=grouped(row.depth + 1)) if row.depth else "",
        ]
        return ", ".join(words for words in parts if words)

    def _message(self, group: Group) -> Message:
        if (found := self._messages.get(group[0])) is None:
            found = self._messages[group[0]] = joined([self._conversation[one] for one in group])
        return found


def _told(message: Message) -> Message:
    """An answer without what its tools did, where it says anything."""
    texts = tuple(part for part in message.parts if isinstance(part, TextPart))
    return replace(message, parts=texts) if message.role == "assistant" and texts else message


COLUMN: Final = 2 * GRID
"""Pixels between the lines of two depths, where all of them have room in a third of the row."""
LEAST_COLUMN: Final = 4
DOT: Final = 3.5
ROW_HEIGHT: Final = 4 * GRID
GAP: Final = GRID + GRID // 2
FROM_WIDTH: Final[Mapping[str, int]] = {"model": 60 * GRID, "time": 40 * GRID, "tokens": 0}
"""The columns at the right of the rows, each with the width in pixels from which on it is shown."""
MOST_MODEL: Final = 18 * GRID
_LEFT: Final = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
_RIGHT: Final = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter

Spans = Sequence[tuple[int, int]]


class BranchListModel(ListRows[BranchRow]):
    """The rows in their order, with what they say.

    `line`: in which column the open branch goes on beneath a row; `spans`: letters of its title that were typed.
    """

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self.line: Sequence[int] = ()
        self.spans: Sequence[Spans] = ()
        self.texts: BranchTexts | None = None

    def show_branches(self, rows: Sequence[BranchRow], texts: BranchTexts, spans: Sequence[Spans] = ()) -> None:
        """Replaces everything; with `spans` these are hits, which no line joins."""
        self.line = [-1] * len(rows) if spans else open_line(rows)
        self.texts, self.spans = texts, spans
        self.show(rows)

    def texts_changed(self) -> None:
        """More is known of the rows than before."""
        if self.rows:
            self.dataChanged.emit(self.index(0), self.index(len(self.rows) - 1))

    def words(self, row: BranchRow) -> str:
        return self.texts.title(row) if self.texts is not None else ""

    def sentence(self, row: BranchRow) -> str:
        return self.texts.sentence(row) if self.texts is not None else ""

    tip = sentence


class BranchDelegate(RowDelegate):
    """Lines at the left, the open branch in the accent color; first words; in columns at the right what is known.

    `columns`: what there is room for; `frozen`: only what is on the open branch can be gone to.
    """

    def __init__(self, theme: Theme, rows: BranchListModel, parent: QWidget) -> None:
        super().__init__(theme, parent)
        self.columns: tuple[str, ...] = ()
        self._widths = dict.fromkeys(FROM_WIDTH, 0.0)
        self._rows = rows
        self.frozen = False

    def measured_height(self) -> int:
        return max(self.theme.pixels(ROW_HEIGHT), round(self.metrics.height()) + GRID)

    def take_theme(self) -> None:
        self._asked = self.theme.body_font()
        self._asked.setWeight(QFont.Weight.Medium)

    def standing(self, option: QStyleOptionViewItem, index: Index) -> tuple[bool, bool]:
        return super().standing(option, index)[0], False

    def paint_row(self, painter: QPainter, rect: QRectF, index: Index) -> None:
        row, texts = cast("BranchRow", index.data(ROW_ROLE)), self._rows.texts
        if texts is None:
            return
        left = self._paint_lines(painter, rect, index.row(), row)
        if self.frozen and not row.on_path and row.kind == "message":
            painter.setOpacity(0.5)
        box = QRectF(left, rect.top(), rect.right() - 2 * GRID - left, rect.height())
        self._paint_words(painter, box, index.row(), row, texts)

    # --- lines

    def _paint_lines(self, painter: QPainter, rect: QRectF, number: int, row: BranchRow) -> float:
        """The lines of the branches, the dot of this row; returns where its words begin."""
        step = self._step(rect.width())
        lit_above, lit_below = self._rows.line[number - 1] if number else -1, self._rows.line[number]
        top, middle, bottom = rect.top(), rect.center().y(), rect.bottom()

        def x(column: int) -> float:
            return rect.left() + 2 * GRID + column * step

        def line(column: int, begin: float, end: float, *, lit: bool) -> None:
            painter.setPen(self._pen(lit=lit))
            painter.drawLine(QPointF(x(column), begin), QPointF(x(column), end))

        painter.setBrush(Qt.BrushStyle.NoBrush)
        for column in range(row.depth):
            line(column, top if number else middle, middle, lit=column == lit_above)
            line(column, middle, bottom, lit=column == lit_below)
        if self._rows.spans:
            pass  # a hit by itself
        elif row.above:
            line(row.depth, top, middle, lit=lit_above == row.depth)
        elif row.depth:
            bend = QPainterPath(QPointF(x(row.depth - 1), top if number else middle))
            bend.quadTo(QPointF(x(row.depth - 1), middle), QPointF(x(row.depth), middle))
            painter.setPen(self._pen(lit=row.on_path))
            painter.drawPath(bend)
        if row.below and not self._rows.spans:
            line(row.depth, middle, bottom, lit=lit_below == row.depth)
        self._paint_dot(painter, QPointF(x(row.depth), middle), row)
        return x(row.depth) + GAP

    def _paint_dot(self, painter: QPainter, at: QPointF, row: BranchRow) -> None:
        color = self.theme.color("accent" if row.on_path else "text-secondary")
        ground = self.theme.color("raised")
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(ground)
        painter.drawEllipse(at, DOT + 2, DOT + 2)
        if row.kind == "message":
            if row.is_tip:
                painter.setBrush(Qt.BrushStyle.NoBrush)
                painter.setPen(QPen(color, stroke("bold")))
                painter.drawEllipse(at, DOT + 2, DOT + 2)
                painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(color)
            painter.drawEllipse(at, DOT, DOT)
            return
        painter.setPen(QPen(color, stroke("glyph")))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        corners = ((-2.0, -3.5), (1.5, 0.0), (-2.0, 3.5))
        if row.kind == "unfolded":
            corners = ((-3.5, -1.5), (0.0, 2.0), (3.5, -1.5))
        painter.drawPolyline([at + QPointF(*corner) * self.theme.zoom for corner in corners])

    def _pen(self, *, lit: bool) -> QPen:
        if lit:
            return QPen(self.theme.color("accent"), stroke("focus"))
        color = QColor(self.theme.color("text-secondary"))
        color.setAlphaF(0.5)
        return QPen(color, stroke("hair"))

    def _step(self, width: float) -> float:
        deepest = max((row.depth for row in self._rows.rows), default=0)
        return max(LEAST_COLUMN, min(COLUMN, width / 3 / max(1, deepest)))

    # --- words

    def set_width(self, width: int) -> None:
        """The rows are so wide."""
        self.columns = tuple(name for name, least in FROM_WIDTH.items() if width >= self.theme.pixels(least))

    def measure(self) -> None:
        """Makes each column as wide as the widest of what stands in it."""
        texts, rows = self._rows.texts, self._rows.rows
        if texts is None:
            return
        widest = self.small_metrics.horizontalAdvance
        self._widths = {
            name: max(map(widest, {self._fact(name, row, texts) for row in rows}), default=0.0) for name in FROM_WIDTH
        }
        self._widths["model"] = min(self._widths["model"], self.theme.pixels(MOST_MODEL))

    @staticmethod
    def _fact(name: str, row: BranchRow, texts: BranchTexts) -> str:
        return {"model": texts.model, "time": texts.time, "tokens": texts.weight}[name](row)

    def _paint_words(self, painter: QPainter, box: QRectF, number: int, row: BranchRow, texts: BranchTexts) -> None:
        theme, small = self.theme, self.small_metrics
        room = QRectF(box)
        painter.setFont(self.small)
        painter.setPen(theme.color("text-secondary"))
        for name in reversed(self.columns):
            width = self._widths[name]
            words = small.elidedText(self._fact(name, row, texts), Qt.TextElideMode.ElideMiddle, width + 1)
            painter.drawText(room, _RIGHT, words)
            room.adjust(0, 0, -(width + GAP if width else 0), 0)
        if row.is_tip and row.kind == "message":
            painter.setPen(theme.color("accent"))
            painter.drawText(room, _RIGHT, tr("Current"))
            room.adjust(0, 0, -(small.horizontalAdvance(tr("Current")) + GAP), 0)
        if version := texts.version(row):
            painter.setPen(theme.color("text-secondary"))
            painter.drawText(room, _LEFT, version)
            room.adjust(small.horizontalAdvance(version) + GRID, 0, 0, 0)
        asked = texts.is_question(row)
        font = self._asked if asked else self.font
        spans = self._rows.spans[number] if number < len(self._rows.spans) else ()
        words = QFontMetricsF(font).elidedText(texts.title(row), Qt.TextElideMode.ElideRight, max(0.0, room.width()))
        painter.setFont(font)
        painter.setPen(theme.color("text" if row.kind == "message" and (asked or row.on_path) else "text-secondary"))
        if not spans:
            painter.drawText(room, _LEFT, words)
            return
        line = marked_line(words, font, [span for span in spans if span[1] <= len(words)], match_format(theme))
        line.draw(painter, QPointF(room.left(), room.center().y() - line.boundingRect().height() / 2))


WIDTH: Final = 72 * GRID
SHOWN: Final = 14
"""Rows that are seen at once at most."""
LEAST: Final = 3
"""Rows that are shown even where there is no room for them beside the place it opens at."""
_STEPS: Final = {Qt.Key.Key_Up: -1, Qt.Key.Key_Down: 1}
_PAGES: Final = {Qt.Key.Key_PageUp: -1, Qt.Key.Key_PageDown: 1}
_ENDS: Final = {Qt.Key.Key_Home: 0, Qt.Key.Key_End: -1}


class BranchTreePopover(QFrame):
    """Arrows, Home and End move, Enter goes to a message, Left and Right fold; what is typed filters. Esc closes.

    `chosen(message_id)`: that message is to be shown, on its branch.
    """

    chosen = Signal(str)
    hidden = Signal()

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent, Qt.WindowType.Popup)
        self.setProperty("kind", "popover")
        Floating(self)
        self.setAccessibleName(self.tr("Branches"))
        self._theme = theme
        self._tree: BranchTree | None = None
        self._texts: BranchTexts | None = None
        self._unfolded: set[str] = set()
        self._start_at = ""
        self._place: tuple[QRect, QRect] | None = None
        self.search = QLineEdit(self, placeholderText=self.tr("Filter branches"))
        self.search.setAccessibleName(self.tr("Filter branches"))
        make_clearable(self.search)
        self.search.textChanged.connect(self._filter)
        self.rows = BranchListModel(self)
        self.view = QListView(self)
        self.view.setAccessibleName(self.tr("Branches of this thread"))
        self.view.setModel(self.rows)
        self.delegate = BranchDelegate(theme, self.rows, self.view)
        self.view.setItemDelegate(self.delegate)
        self.view.setUniformItemSizes(True)
        self.view.setFrameShape(QFrame.Shape.NoFrame)
        self.view.setMouseTracking(True)
        self.view.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.view.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.view.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.view.clicked.connect(self._activate)
        self.nothing = label_in(self, self.tr("No results"), tone="secondary")
        self.nothing.setContentsMargins(2 * GRID, GRID, 2 * GRID, GRID)
        self.nothing.hide()
        self.foot = label_in(self, tone="secondary", wrap=True)
        self.legend = label_in(self, tone="secondary")
        self._lay_out()
        for watched in (self.search, self.view):
            watched.installEventFilter(self)
        theme.set_font("body", self.search, self.nothing)
        theme.set_font("small", self.foot, self.legend)

    def _lay_out(self) -> None:
        beneath = in_row(
            (self.foot, 1), self.legend, spacing=2 * GRID, margins=(GRID, 0, 2 * GRID - GRID // 2, GRID // 2)
        )
        in_column(
            in_column(self.search, margins=(GRID // 2, 0)),
            self.nothing,
            (self.view, 1),
            beneath,
            of=self,
            spacing=GRID // 2,
            margins=(GRID // 2, GRID, GRID // 2, GRID // 2),
        )

    # --- what is shown

    def show_tree(self, tree: BranchTree, texts: BranchTexts, start_at: str = "") -> None:
        """Takes the tree, also a later one while it is open: what the keyboard is on, and what is unfolded, stays so.

        `start_at`: the message to begin with; the end of the open branch where none is named.
        """
        self._tree, self._texts = tree, texts
        self._start_at = start_at or self._start_at
        current = self.current
        self._fill(_name_of(current) if current is not None else "")

    def texts_changed(self) -> None:
        """The tokens are known."""
        self.delegate.measure()
        self.rows.texts_changed()

    def set_frozen(self, frozen: bool) -> None:
        """An answer is coming: until it is there the thread stays on its branch."""
        self.delegate.frozen = frozen
        self._tell()
        self.view.viewport().update()

    @property
    def current(self) -> BranchRow | None:
        """The row that Enter would go to, or unfold."""
        index = self.view.currentIndex()
        return self.rows.rows[index.row()] if index.isValid() else None

    def open_at(self, place: QRect, within: QRect) -> None:
        """Opens beneath a place on the screen, above it where there is more room, within the window's part of it."""
        self._place = (place, within)
        self._fit()
        self.show()
        self.view.setFocus()
        self.view.scrollTo(self.view.currentIndex(), QAbstractItemView.ScrollHint.PositionAtCenter)

    def _fill(self, keep: str = "") -> None:
        if self._tree is None or self._texts is None:
            return
        if typed := self.search.text().strip():
            rows, spans = _matching(self._tree, self._texts, FindPattern(typed))
            self.rows.show_branches(rows, self._texts, spans)
        else:
            kept = (self._start_at,) if self._start_at else ()
            self.rows.show_branches(self._tree.rows(self._unfolded, kept), self._texts)
        self.delegate.measure()
        self._go_to(self._place_of(keep))
        self.view.setHidden(not self.rows.rows)
        self.nothing.setHidden(bool(self.rows.rows))
        self._tell()
        self._fit()

    def _place_of(self, name: str) -> int:
        """The row with what the keyboard was on, else where it begins, else the end of the open branch."""
        rows = self.rows.rows
        for wanted in (name, self._start_at):
            for number, row in enumerate(rows):
                if wanted and (_name_of(row) == wanted or any(wanted in group for group in row.groups)):
                    return number
        return next((number for number, row in enumerate(rows) if row.is_tip and row.kind == "message"), 0)

    def _filter(self) -> None:
        if (current := self.current) is not None and current.kind == "message":
            self._start_at = _name_of(current)  # what was found is in no fold when all is shown again
        self._fill(_name_of(current) if current is not None else "")
        if not self.rows.rows:
            self._say(self.nothing.text())

    def _tell(self) -> None:
        if self.delegate.frozen:
            self.foot.setText(self.tr("An answer is still coming. Stop it or wait until it is complete."))
        elif self._tree is not None:
            words = self.tr("{branches} branches · {messages} messages")
            branches, messages = self._tree.branches, self._tree.messages
            self.foot.setText(words.format(branches=grouped(branches), messages=grouped(messages)))

    def _say(self, words: str) -> None:
        if self.isVisible() and QAccessible.isActive():
            QAccessible.updateAccessibility(QAccessibleAnnouncementEvent(self, words))

    # --- keyboard and pointer

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress:
            return self._press(watched, event)
        return False

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self.hidden.emit()

    def _press(self, watched: QObject, event: QKeyEvent) -> bool:
        key, here, last = Qt.Key(event.key()), self.view.currentIndex().row(), len(self.rows.rows) - 1
        if event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier not in (
            Qt.KeyboardModifier.NoModifier,
            Qt.KeyboardModifier.ShiftModifier,
        ):
            return False
        if key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._activate(self.view.currentIndex())
        elif key == Qt.Key.Key_Escape and self.search.text():
            self.search.clear()
        elif key in _STEPS:
            self._move(here + _STEPS[key])
        elif key in _PAGES:
            self._move(here + _PAGES[key] * max(1, self.view.height() // self.delegate.height - 1))
        elif key in _ENDS:
            self._move(last if _ENDS[key] else 0)
        elif key in (Qt.Key.Key_Left, Qt.Key.Key_Right) and not self.search.text():
            self._fold_here(folded=key == Qt.Key.Key_Left)
        elif watched is self.view and event.text().strip() and event.text().isprintable():
            self.search.setFocus()
            self.search.insert(event.text())
        else:
            return False
        return True

    def _move(self, wanted: int) -> None:
        self._go_to(max(0, min(len(self.rows.rows) - 1, wanted)))
        if self.search.hasFocus() and self._texts is not None and self.current is not None:
            self._say(self._texts.sentence(self.current))  # the list tells it by itself where it has the keyboard

    def _go_to(self, number: int) -> None:
        index = self.rows.index(number)
        if index.isValid():
            self.view.setCurrentIndex(index)
            self.view.scrollTo(index)

    def _fold_here(self, *, folded: bool) -> None:
        """Left folds the messages that this row is among, else goes to the fork above; Right unfolds."""
        if (row := self.current) is None:
            return
        if (row.kind == "folded") != folded and (not folded or row.key in self._unfolded):
            self._toggle(row)
        elif folded:
            here = self.view.currentIndex().row()
            above = (place for place in range(here - 1, -1, -1) if self.rows.rows[place].depth < row.depth)
            self._move(next(above, here))

    def _toggle(self, row: BranchRow) -> None:
        self._unfolded ^= {row.key}
        self._fill(row.key)

    def _activate(self, index: QModelIndex) -> None:
        row = self.rows.rows[index.row()] if index.isValid() else None
        if row is None:
            return
        if row.kind != "message":
            self._toggle(row)
        elif self.delegate.frozen and not row.on_path:
            self._say(self.foot.text())
        else:
            self.close()
            self.chosen.emit(row.groups[0][0])

    # --- geometry

    def _fit(self) -> None:
        """As high as its rows, whole ones, within the window."""
        if self._place is None:
            return
        place, within = self._place
        height = self.delegate.height
        count = self.rows.rowCount()
        width = min(self._theme.pixels(WIDTH), within.width() - 2 * GRID)
        names = {"model": self.tr("Model"), "time": self.tr("Time"), "tokens": self.tr("Tokens")}
        self.delegate.set_width(width - 2 * GRID)
        self.legend.setText(" · ".join(names[name] for name in self.delegate.columns))
        told = width - 4 * GRID - self.legend.sizeHint().width() - 2 * GRID
        parts = [self.search.sizeHint().height(), max(self.foot.heightForWidth(told), self.legend.sizeHint().height())]
        if not count:
            parts.append(self.nothing.sizeHint().height())
        # the border, the margins, what lies between the three parts
        rest = sum(parts) + 2 + 2 * GRID + 2 * (GRID // 2)
        below, above = within.bottom() - place.bottom() - GRID, place.top() - within.top() - GRID
        wanted = min(count, SHOWN)
        self.view.setMinimumHeight(height)
        beneath = below >= min(rest + wanted * height, within.height() // 2) or below >= above
        room = below if beneath else above
        high = rest + max(min(wanted, LEAST), min(wanted, (room - rest) // height)) * height
        left = max(within.left() + GRID, min(place.left(), within.right() - width - GRID))
        top = place.bottom() + GRID // 2 if beneath else place.top() - high - GRID // 2
        top = max(within.top(), min(top, within.bottom() - high))
        self.setGeometry(QRect(QPoint(left, top), QPoint(left + width - 1, top + high - 1)))


def _name_of(row: BranchRow) -> str:
    """Return the name by which a row stays known when others come and go."""
    return row.groups[0][0] if row.groups else row.key


def _matching(tree: BranchTree, texts: BranchTexts, needle: FindPattern) -> tuple[list[BranchRow], list[Spans]]:
    """The messages whose first words, or whose model, hold what was typed."""
    rows: list[BranchRow] = []
    spans: list[Spans] = []
    for row in tree.each():
        if (found := needle.spans(texts.title(row))) or needle.spans(texts.model(row)):
            rows.append(row)
            spans.append(found)
    return rows, spans


class BranchTreePresenter(QObject):
    """`message_chosen(thread_id, message_id)`: it is to be shown, on whatever branch it stands."""

    message_chosen = Signal(str, str)

    def __init__(self, app_state: AppState, view: TranscriptView, toast: Toast, theme: Theme) -> None:
        super().__init__(view)
        self._app_state = app_state
        self._view = view
        self._toast = toast
        self._theme = theme
        self._thread_id = ""
        self._texts: BranchTexts | None = None
        self.popover: BranchTreePopover | None = None
        app_state.running_changed.connect(self._running_changed)
        app_state.bridge.subscribe(MessageAdded, lambda added: self._tree_changed(added.message.thread_id))
        app_state.bridge.subscribe(BranchChanged, lambda changed: self._tree_changed(changed.thread_id))
        app_state.bridge.subscribe_each((TurnEnded, TurnFailed), lambda over: self._tree_changed(over.thread_id))

    def open(self, message_id: str = "") -> None:
        """Shows the tree of the open thread, beginning with a message, else with the end of the open branch."""
        self._app_state.look(self._open(message_id))

    async def _open(self, message_id: str) -> None:
        if (thread_id := self._app_state.thread_id) is None or not await self._show(thread_id, message_id):
            self._toast.show_message(self.tr("No branches yet. Edit a question or regenerate an answer to make one."))

    async def _show(self, thread_id: str, message_id: str = "") -> bool:
        """Show the tree of the thread's branches; return True if there is anything to show."""
        services = await self._app_state.services()
        opened = await services.chat.open_thread(thread_id)
        tree = BranchTree(opened.conversation, [one.id for one in opened.shown], opened.thread.choices)
        if tree.branches < 2 or not self._app_state.is_open(thread_id):
            return not self._app_state.is_open(thread_id)  # another thread is open by now

        def name_of(backend: str, model: str) -> str:
            known = services.backends.get(backend)
            return known.model(model).name if known is not None else model

        texts = BranchTexts(opened.conversation, utc_now(), name_of)
        popover, self._thread_id = self._made(), thread_id
        if popover.isVisible() and self._texts is not None:
            texts.tokens = self._texts.tokens
        self._texts = texts
        popover.set_frozen(self._app_state.running)
        popover.show_tree(tree, texts, message_id)
        if not popover.isVisible():
            popover.open_at(self._anchor(message_id), self._frame())
        try:
            prepared = await services.chat.prepared(thread_id)
        except PlimsollError:
            return True  # nothing is set up that could answer: no tokens
        placed = prepared.plan(()).placement.messages
        found = await asyncio.to_thread(message_tokens, tuple(opened.conversation), placed, prepared.tokens_of)
        if self.popover is popover and self._texts is texts:
            texts.tokens = found
            popover.texts_changed()
        return True

    def _made(self) -> BranchTreePopover:
        if self.popover is None:
            popover = self.popover = BranchTreePopover(self._theme, self._view)
            popover.chosen.connect(lambda message_id: self.message_chosen.emit(self._thread_id, message_id))
            popover.hidden.connect(self._hidden)
        return self.popover

    def _hidden(self) -> None:
        if self.popover is not None:
            self.popover.deleteLater()
            self.popover = None

    def _running_changed(self, thread_id: str, running: bool) -> None:
        if self.popover is not None and thread_id == self._thread_id:
            self.popover.set_frozen(running)

    def _tree_changed(self, thread_id: str) -> None:
        if self.popover is not None and thread_id == self._thread_id:
            self._app_state.look(self._show(thread_id))

    # --- where it opens

    def _anchor(self, message_id: str) -> QRect:
        """The arrows beneath a message on the screen; where they are not in view, the top of the column."""
        view, messages = self._view, self._view.row_layout.messages
        place = QRect(view.column.left(), 0, view.column.width(), 0)
        for placed in view.row_layout.placed:
            if placed.row.decoration == BRANCHES and messages[placed.message].id == message_id:
                place = QRect(view.column.left(), placed.item_top, view.column.width(), placed.bottom - placed.item_top)
        return QRect(view.viewport().mapToGlobal(place.topLeft()), place.size())

    def _frame(self) -> QRect:
        window = self._view.window()
        return QRect(window.mapToGlobal(QPoint(0, 0)), QSize(window.width(), window.height()))
