"""The rows of the tree of branches: the Qt model of its list, their texts, and how a row is painted."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Final, cast

from PySide6.QtCore import QObject, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QPainterPath, QPen
from PySide6.QtWidgets import QStyleOptionViewItem, QWidget

from desktop_app.core.conversation import BranchRow, Conversation, Group, open_line
from desktop_app.core.messages import Message, TextPart
from desktop_app.ui.i18n.content_words import excerpt, thousands
from desktop_app.ui.i18n.language import ago, grouped, moment, tr
from desktop_app.ui.theme.theme import GRID, Theme, stroke
from desktop_app.ui.transcript.message.action_bar import branch_words
from desktop_app.ui.transcript.message.row_builder import joined
from desktop_app.ui.widgets.list_parts import ROW_ROLE, Index, ListRows, RowDelegate, marked_line, match_format


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
