"""The Messages tab: the rows and how one is painted, what can be done with them, their sum. Shows plans, makes none.

A `QListView` lays all its rows out anew whenever one of them changes, and asks the model for each: 20 ms for ten
thousand. A table's rows are sections of a header, which Qt moves by itself; the Past tab's list is such a table too.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from functools import partial
from typing import Final, cast

from PySide6.QtCore import (
    QItemSelection,
    QItemSelectionModel,
    QItemSelectionRange,
    QModelIndex,
    QPersistentModelIndex,
    QPoint,
    QPointF,
    QRectF,
    QSignalBlocker,
    Qt,
    Signal,
)
from PySide6.QtGui import (
    QAction,
    QContextMenuEvent,
    QFont,
    QFontMetricsF,
    QKeyEvent,
    QKeySequence,
    QMouseEvent,
    QPainter,
    QPen,
    QPixmap,
)
from PySide6.QtWidgets import (
    QAbstractItemView,
    QFrame,
    QHeaderView,
    QPushButton,
    QStyle,
    QStyleOptionViewItem,
    QTableView,
    QWidget,
)

from desktop_app.core.context.context_choices import Summary
from desktop_app.core.context.dead_weight import DeadWeight
from desktop_app.core.context.path_tokens import ToolTokens
from desktop_app.core.context.plan import ContextPlan, PlacedDocument, PlacedMessage, PlacedState
from desktop_app.core.messages import Message
from desktop_app.ui.i18n.content_words import dollars, thousands
from desktop_app.ui.i18n.language import grouped, tr
from desktop_app.ui.inspector.message_rows import (
    EXCERPT_ROLE,
    ROW_ROLE,
    UNUSED_ROLE,
    FixedKind,
    FixedRow,
    GroupName,
    MessageGroupRow,
    MessageRowModel,
    Row,
    exact,
    fixed_name,
    group_name,
    runs,
    unused_words,
)
from desktop_app.ui.theme.theme import GRID, Theme, icon_pixmap, stroke
from desktop_app.ui.widgets.fitting import Caption
from desktop_app.ui.widgets.floating import Menu
from desktop_app.ui.widgets.list_parts import Index, RowDelegate
from desktop_app.ui.widgets.page import rule_in
from desktop_app.ui.widgets.parts import Stretch, button_in, in_column, in_row, label_in

Key = Qt.Key


MOST_TOOLS: Final = 20
"""Tools that their list names."""


class RowTable(QTableView):
    """Home and End go to the first and the last row; letters do nothing."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        # rows are painted by their delegate, the selected ones too
        self.setProperty("kind", "rows")
        self.setShowGrid(False)
        self.setWordWrap(False)
        self.setCornerButtonEnabled(False)
        self.setTabKeyNavigation(False)
        self.setMouseTracking(True)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Stretch)
        self.horizontalHeader().hide()
        self.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        self.verticalHeader().hide()
        self.verticalScrollBar().setSingleStep(2 * GRID)

    def set_row_height(self, pixels: int) -> None:
        self.verticalHeader().setMinimumSectionSize(pixels)
        self.verticalHeader().setDefaultSectionSize(pixels)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Key.Key_Home, Key.Key_End) and self.model().rowCount():
            row = 0 if event.key() == Key.Key_Home else self.model().rowCount() - 1
            flags = QItemSelectionModel.SelectionFlag
            shifted = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
            taken = flags.SelectCurrent if shifted else flags.ClearAndSelect
            self.selectionModel().setCurrentIndex(self.model().index(row, 0), taken | flags.Rows)
        elif _is_letter(event):
            # Qt would look for a row that begins with it
            event.ignore()
        else:
            super().keyPressEvent(event)


def _is_letter(event: QKeyEvent) -> bool:
    plain = event.modifiers() in (Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.ShiftModifier)
    return plain and bool(event.text()) and event.text().isprintable()


ROW_HEIGHT = 28
"""Pixels at the default text size (INTERFACE.md); headings have the same, so that 10,000 rows need no measuring."""
GLYPH = 16

STATE_GLYPHS: Final[Mapping[PlacedState, str]] = {
    "whole": "state-sent",
    "annotated": "state-annotated",
    "pinned": "pin",
    "summarised": "state-summarised",
    "left_out": "state-left-out",
    "excluded": "state-excluded",
}
_FIXED_GLYPHS: Final[Mapping[FixedKind, str]] = {
    "draft": "pencil",
    "attached": "attach",
    "summary": "state-summarised",
}
DOCUMENT_GLYPHS: Final = {"whole": "state-sent", "searched": "search", "left_out": "alert"}
_QUIET: Final = frozenset({"left_out", "excluded", "summarised", "searched"})


class InspectorDelegate(RowDelegate):
    """Paints rows of the inspector. The one that has the keyboard is framed, whether or not it is chosen."""

    GROUND = (GRID, 1, -GRID, -1)
    CORNER = "small"

    def standing(self, option: QStyleOptionViewItem, index: Index) -> tuple[bool, bool]:
        state = option.state
        return bool(state & QStyle.StateFlag.State_Selected), bool(state & QStyle.StateFlag.State_HasFocus)


class MessageRowDelegate(InspectorDelegate):
    """Rows of one line. What the assistant said stands a little further in."""

    def measured_height(self) -> int:
        return max(self.theme.pixels(ROW_HEIGHT), round(self.small_metrics.height()) + GRID)

    def take_theme(self) -> None:
        self.glyph = self.theme.pixels(GLYPH)
        self._asked = self.theme.small_font()
        self._asked.setWeight(QFont.Weight.Medium)
        self._asked_metrics = QFontMetricsF(self._asked)
        self._glyphs: dict[tuple[str, str], QPixmap] = {}

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        self._pointed = bool(option.state & (QStyle.StateFlag.State_MouseOver | QStyle.StateFlag.State_HasFocus))
        super().paint(painter, option, index)

    def paint_row(self, painter: QPainter, rect: QRectF, index: Index) -> None:
        row = cast("Row", index.data(ROW_ROLE))
        room = rect.adjusted(2 * GRID, 0, -2 * GRID, 0)
        if isinstance(row, MessageGroupRow):
            self._paint_heading(painter, room, row, first=index.row() == 0)
        elif isinstance(row, FixedRow):
            self._paint_glyph(painter, room, _FIXED_GLYPHS.get(row.kind, "state-fixed"), "text-secondary")
            self._paint_words(painter, room, fixed_name(row), thousands(row.tokens), "text", asked=False)
        elif isinstance(row, PlacedDocument):
            self._paint_document(painter, room, row)
        else:
            unused = str(index.data(UNUSED_ROLE)) if self._pointed else ""
            self._paint_message(painter, room, row, unused or str(index.data(EXCERPT_ROLE)))

    def _paint_message(self, painter: QPainter, room: QRectF, row: PlacedMessage, words: str) -> None:
        quiet = row.state in _QUIET
        self._paint_glyph(
            painter, room, STATE_GLYPHS[row.state], "accent" if row.state == "pinned" else "text-secondary"
        )
        if not row.asked:
            room = room.adjusted(1.5 * GRID, 0, 0, 0)
        # what is not sent has no part in the sum: its weight stands in brackets
        tokens = f"({thousands(row.whole)})" if quiet and row.whole else thousands(row.tokens)
        self._paint_words(painter, room, words, tokens, "text-secondary" if quiet else "text", asked=row.asked)

    def _paint_document(self, painter: QPainter, room: QRectF, row: PlacedDocument) -> None:
        self._paint_glyph(painter, room, DOCUMENT_GLYPHS[row.state], "text-secondary")
        if row.state == "whole":
            amount = thousands(row.whole)
            amount = f"{amount} · {dollars(row.cost_usd)}" if row.cost_usd else amount
        else:
            amount = f"({thousands(row.whole)})" if row.whole else ""
        self._paint_words(painter, room, row.name, amount, "text" if row.state == "whole" else "text-secondary")

    def _paint_heading(self, painter: QPainter, room: QRectF, row: MessageGroupRow, *, first: bool) -> None:
        painter.setPen(QPen(self.theme.color("text-secondary"), stroke("glyph")))
        middle = QPointF(room.left() + self.glyph / 2, room.center().y())
        corners = ((-2.0, -3.5), (1.5, 0.0), (-2.0, 3.5))
        if not row.folded:
            corners = ((-3.5, -1.5), (0.0, 2.0), (3.5, -1.5))
        painter.drawPolyline([middle + QPointF(*corner) * self.theme.zoom for corner in corners])
        words = f"{group_name(row.group)} {grouped(row.count)}"
        tokens = f"({thousands(row.whole)})" if row.group in _QUIET and row.whole else thousands(row.tokens)
        if first:  # of what the numbers beneath it are
            tokens = tr("{count} tokens").format(count=tokens)
        self._paint_words(painter, room, words, tokens, "text-secondary", asked=True)

    def _paint_glyph(self, painter: QPainter, room: QRectF, name: str, role: str) -> None:
        scale = painter.device().devicePixelRatioF()
        if (glyph := self._glyphs.get((name, role))) is None or glyph.devicePixelRatio() != scale:
            glyph = self._glyphs[name, role] = icon_pixmap(name, self.theme, role, self.glyph, scale)
        painter.drawPixmap(QPointF(round(room.left()), round(room.center().y() - self.glyph / 2)), glyph)

    def _paint_words(
        self, painter: QPainter, room: QRectF, words: str, tokens: str, role: str, *, asked: bool = False
    ) -> None:
        right = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        painter.setFont(self.small)
        painter.setPen(self.theme.color("text-secondary"))
        painter.drawText(room, right, tokens)
        taken = self.small_metrics.horizontalAdvance(tokens) + 1.5 * GRID
        box = room.adjusted(self.glyph + GRID, 0, -taken, 0)
        painter.setFont(self._asked if asked else self.small)
        painter.setPen(self.theme.color(role))
        shown = (self._asked_metrics if asked else self.small_metrics).elidedText(
            words, Qt.TextElideMode.ElideRight, box.width()
        )
        painter.drawText(box, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter, shown)


class MessageRowView(RowTable):
    """Arrows move, Shift+arrows select, Left and Right fold a group; letters are wishes about the selection."""

    message_reached = Signal(str)  # id: the keyboard or a click came to this message
    jump_requested = Signal(str)
    pin_requested = Signal()
    exclude_requested = Signal()
    bring_back_requested = Signal()
    summarise_requested = Signal()
    undo_requested = Signal()
    redo_requested = Signal()
    menu_requested = Signal(QPoint)  # in pixels of the viewport

    def __init__(self, model: MessageRowModel, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self.rows = model
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.setAccessibleName(self.tr("Messages of the next request"))
        self.setModel(model)
        self.painted = MessageRowDelegate(theme, self)
        self.setItemDelegate(self.painted)
        self.set_row_height(self.painted.height)
        self.doubleClicked.connect(self._jump)
        self._moving: tuple[set[str], str | None, GroupName | None, int, bool] | None = None
        model.rows_to_be_replaced.connect(self._remember_place)
        model.rows_replaced.connect(self._return_to_place)
        theme.follow(self._apply_theme)

    def _apply_theme(self) -> None:
        self.set_row_height(self.painted.height)

    def current_message(self) -> PlacedMessage | None:
        """The message that the keyboard is at."""
        row = self.rows.row(self.currentIndex())
        return row if isinstance(row, PlacedMessage) else None

    def selected_messages(self) -> list[PlacedMessage]:
        """The selected messages in the order of the rows; without a selection the current one."""
        current = self.current_message()
        return self._selected() or ([current] if current is not None else [])

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.matches(QKeySequence.StandardKey.Undo):
            self.undo_requested.emit()
        elif event.matches(QKeySequence.StandardKey.Redo) or _is_redo(event):
            self.redo_requested.emit()
        elif event.modifiers() in (_NO, Qt.KeyboardModifier.KeypadModifier) and self._take_key(event.key()):
            event.accept()
        else:
            super().keyPressEvent(event)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """The menu of the row under the pointer, or with the keyboard of the row that it is at."""
        by_key = event.reason() == QContextMenuEvent.Reason.Keyboard
        self.menu_requested.emit(self.visualRect(self.currentIndex()).center() if by_key else event.pos())

    def mousePressEvent(self, event: QMouseEvent) -> None:
        index = self.indexAt(event.position().toPoint())
        row = self.rows.row(index)
        if isinstance(row, MessageGroupRow) and event.button() == Qt.MouseButton.LeftButton:
            self.setCurrentIndex(index)
            self.rows.fold(row.group, not row.folded)
            event.accept()
        elif isinstance(row, FixedRow) and row.kind == "tools" and event.button() == Qt.MouseButton.LeftButton:
            self.setCurrentIndex(index)
            self._jump()
            event.accept()
        else:
            super().mousePressEvent(event)

    def currentChanged(
        self, current: QModelIndex | QPersistentModelIndex, previous: QModelIndex | QPersistentModelIndex
    ) -> None:
        super().currentChanged(current, previous)
        if isinstance(row := self.rows.row(current), PlacedMessage) and self._moving is None:
            self.message_reached.emit(row.id)

    def focus_rows(self) -> None:
        """Gives the keyboard to the list, at its first message where it was nowhere."""
        self.setFocus(Qt.FocusReason.TabFocusReason)
        if not self.currentIndex().isValid() and self.rows.rowCount():
            # without the message being looked for in the transcript: nobody has asked for one yet
            self.selectionModel().setCurrentIndex(self.rows.index(0), QItemSelectionModel.SelectionFlag.NoUpdate)

    def show_messages(self, ids: Sequence[str]) -> None:
        """Selects these messages; the last of them is where the keyboard goes on, and in view."""
        self.select_messages(ids)
        last = self.rows.index_of(ids[-1])
        with QSignalBlocker(self):  # nobody has asked for it in the transcript
            self.selectionModel().setCurrentIndex(last, QItemSelectionModel.SelectionFlag.NoUpdate)
        self.scrollTo(last)

    def select_messages(self, ids: Collection[str]) -> None:
        """Selects these messages and no others, as far as they have rows."""
        places = sorted(index.row() for one in ids if (index := self.rows.index_of(one)).isValid())
        chosen = QItemSelection()
        for first, last in runs(places):
            chosen.append(QItemSelectionRange(self.rows.index(first), self.rows.index(last)))
        flags = QItemSelectionModel.SelectionFlag
        self.selectionModel().select(chosen, flags.ClearAndSelect)

    def _take_key(self, key: int) -> bool:
        row = self.rows.row(self.currentIndex())
        if isinstance(row, MessageGroupRow) and key in (Key.Key_Left, Key.Key_Right, Key.Key_Return, Key.Key_Enter):
            folded = key == Key.Key_Left if key in (Key.Key_Left, Key.Key_Right) else not row.folded
            self.rows.fold(row.group, folded)
            return True
        match key:
            case Key.Key_Return | Key.Key_Enter:
                self._jump()
            case Key.Key_P:
                self.pin_requested.emit()
            case Key.Key_X:
                self.exclude_requested.emit()
            case Key.Key_B:
                self.bring_back_requested.emit()
            case Key.Key_S:
                self.summarise_requested.emit()
            case _:
                return False
        return True

    def _selected(self) -> list[PlacedMessage]:
        # by ranges: an index for each of ten thousand rows costs more than the rows
        chosen = self.selectionModel().selection().toList()
        places = sorted(place for part in chosen for place in range(part.top(), part.bottom() + 1))
        return [row for place in places if isinstance(row := self.rows.rows()[place], PlacedMessage)]

    def _jump(self) -> None:
        if (message := self.current_message()) is not None:
            self.jump_requested.emit(message.id)
        elif isinstance(row := self.rows.row(self.currentIndex()), FixedRow) and row.kind == "tools":
            self.menu_requested.emit(self.visualRect(self.currentIndex()).center())

    def _remember_place(self) -> None:
        """Rows are about to go; messages that come back elsewhere stay selected, and the keyboard stays with them.

        The row that it is at stays in view.
        """
        row = self.rows.row(self.currentIndex())
        selected = {message.id for message in self._selected()}
        self._moving = (
            selected,
            row.id if isinstance(row, PlacedMessage) else None,
            row.group if isinstance(row, MessageGroupRow) else None,
            self.verticalScrollBar().value(),
            self.viewport().rect().contains(self.visualRect(self.currentIndex())),
        )
        # else Qt would follow each selected row through the change
        self.selectionModel().clearSelection()

    def _return_to_place(self) -> None:
        if (moving := self._moving) is None:
            return
        selected, current, group, scrolled, in_view = moving
        selection, flags = self.selectionModel(), QItemSelectionModel.SelectionFlag
        index = self.rows.index_of(current) if current is not None else QModelIndex()
        if group is not None:
            index = self.rows.index_of_group(group)
        if index.isValid():
            selection.setCurrentIndex(index, flags.NoUpdate)
        self.select_messages(selected)
        self.verticalScrollBar().setValue(scrolled)
        if in_view:
            self.updateGeometries()  # else the bar ends where the rows ended before
            self.scrollTo(self.currentIndex())
        self._moving = None


_NO = Qt.KeyboardModifier.NoModifier


def _is_redo(event: QKeyEvent) -> bool:
    both = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier
    return event.key() == Key.Key_Z and event.modifiers() == both


NOT_SENT = frozenset({"left_out", "excluded", "summarised"})


class SummaryBar(QFrame):
    """A sentence with at most three buttons above the sum: what a summary would cost, or that one is being written."""

    accepted = Signal()
    other_accepted = Signal()
    refused = Signal()

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._words = label_in(self, wrap=True)
        self.yes = button_in(self, "", self.accepted, kind="primary")
        self.other = button_in(self, "", self.other_accepted)
        self.no = button_in(self, "", self.refused)
        buttons = in_row(self.yes, self.no, Stretch(), spacing=GRID)
        others = in_row(self.other, Stretch())
        in_column(self._words, buttons, others, of=self, spacing=GRID, margins=(2 * GRID, GRID))
        self.hide()

    @property
    def words(self) -> str:
        return self._words.text()

    def tell(self, words: str, yes: str = "", no: str = "", other: str = "") -> None:
        """Shows a sentence; a button without words is not there. No words at all: the bar goes."""
        had_focus = any(button.hasFocus() for button in (self.yes, self.other, self.no))
        self._words.setText(words)
        for button, told in ((self.yes, yes), (self.other, other), (self.no, no)):
            button.setText(told)
            button.setAccessibleName(told)
            button.setAccessibleDescription(words)
            button.setVisible(bool(told))
        self.setVisible(bool(words))
        if words and (yes or had_focus):
            (self.yes if yes else self.no).setFocus(Qt.FocusReason.OtherFocusReason)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.refused.emit()
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            if isinstance(button := self.focusWidget(), QPushButton):
                button.click()
        else:
            super().keyPressEvent(event)


class MessagesTab(QWidget):
    """Wishes carry message ids in path order of the selection; the presenter makes whole turns of them."""

    pin_requested = Signal(object)  # list[str]
    unpin_requested = Signal(object)
    exclude_requested = Signal(object)
    bring_back_requested = Signal(object)
    leaving_requested = Signal(object, bool)  # list[str], and if at once
    summarise_requested = Signal(object)
    fresh_start_requested = Signal(object)  # str | None: None takes it back
    summary_edit_requested = Signal(str)  # summary id
    tools_requested = Signal()  # the page of tools

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self.model = MessageRowModel(self)
        self.view = MessageRowView(self.model, theme, self)
        self.bar = SummaryBar(theme, self)
        self.empty = Caption(theme, self)
        self.unused_first = button_in(self, self.tr("Unused"), self._sort, kind="chip")
        self.unused_first.setCheckable(True)
        self.unused_first.setToolTip(self.tr("Show first what no answer has used for a long time"))
        self._unused_row = QWidget(self)
        in_row(self.unused_first, Stretch(), of=self._unused_row, margins=(2 * GRID, GRID, 2 * GRID, GRID))
        theme.set_font("small", self.unused_first)
        self._unused_row.hide()
        self._told = ""
        self.foot = Caption(theme, self, name=self.tr("Sum of the rows"), tone="")
        self.can_undo = self.can_redo = False
        self._summaries: Sequence[Summary] = ()
        self._fresh_from: str | None = None
        shown = self.empty, self._unused_row, (self.view, 1), self.bar, rule_in(self), self.foot
        in_column(*shown, of=self, spacing=0, margins=0)
        view = self.view
        view.message_reached.connect(lambda _: self._tell_unused())
        self.bar.other_accepted.connect(self._leave)
        view.pin_requested.connect(self._pin)
        view.exclude_requested.connect(self._exclude)
        view.bring_back_requested.connect(self._bring_back)
        view.summarise_requested.connect(self._summarise)
        view.menu_requested.connect(self._show_menu)

    def show_plan(self, plan: ContextPlan | None, messages: Mapping[str, Message]) -> None:
        """Shows what a plan sends; None: nothing can be planned."""
        self.model.show_plan(plan, messages)
        if plan is None:
            words = self.tr("No model is chosen. Choose one under the message to see what would be sent.")
        elif not plan.placement.messages:
            words = self.tr("Nothing has been said in this thread yet.")
        else:
            words = ""
        self.empty.say(words)
        self.foot.say("" if plan is None else self._sum(plan))

    def show_unused(self, unused: Sequence[DeadWeight]) -> None:
        """Marks dead weight, heaviest first; where there is any it can be shown first."""
        words = self.tr("Unused")
        self.unused_first.setText(f"{words} · {thousands(sum(one.tokens for one in unused))}")
        self._unused_row.setVisible(bool(unused))
        self.model.show_unused({one.id: one for one in unused}, first=self.unused_first.isChecked())
        self._tell_unused()

    def _sort(self) -> None:
        self.model.show_unused(self.model.unused, first=self.unused_first.isChecked())

    def _tell_unused(self) -> None:
        """Says of the dead weight that the keyboard is at how heavy it is, with the way to leave it out."""
        row = self.view.current_message()
        weight = self.model.unused.get(row.id) if row is not None else None
        if self.bar.words not in ("", self._told):
            return  # a question stands there
        if weight is None:
            self._told = ""
        elif weight.leaves:
            self._told = self.tr("{what} · left out first at the next step").format(what=unused_words(weight))
        elif weight.leaving_usd is not None:
            cost = self.tr("{price} now, then {saved} less each turn")
            now, saved = map(dollars, weight.leaving_usd)
            self._told = f"{unused_words(weight)} · {cost.format(price=now, saved=saved)}"
        elif weight.turn_usd:
            cost = self.tr("{price} each turn").format(price=dollars(weight.turn_usd))
            self._told = f"{unused_words(weight)} · {cost}"
        else:
            self._told = unused_words(weight)
        if self.bar.words != self._told:
            self.bar.tell(self._told, other="" if weight is None else self._leaving_words(weight))

    def _leaving_words(self, weight: DeadWeight) -> str:
        if weight.leaves:
            return self.tr("Keep")
        return self.tr("Leave out now") if weight.pays else self.tr("Leave out at the next step")

    def _leave(self) -> None:
        if (row := self.view.current_message()) is not None and self._told and self.bar.words == self._told:
            self._leave_out(self.model.unused[row.id])

    def _leave_out(self, weight: DeadWeight) -> None:
        if weight.leaves:
            self.bring_back_requested.emit([weight.id])
        else:
            self.leaving_requested.emit([weight.id], weight.pays)
        self.view.setFocus(Qt.FocusReason.OtherFocusReason)

    def show_choices(self, summaries: Sequence[Summary], fresh_from: str | None) -> None:
        """Show what the thread's choices say beside what the plan shows of them."""
        self._summaries, self._fresh_from = summaries, fresh_from

    def select(self, ids: Sequence[str]) -> None:
        """Selects these messages, as far as they have rows."""
        self.view.select_messages(ids)

    def menu_for(self, rows: Sequence[PlacedMessage]) -> Menu:
        """Everything that can be done with these messages, with its keys."""
        menu = Menu(self, self.view.accessibleName(), once=True)
        if any(row.deleted for row in rows):
            self._add(menu, self.tr("Bring back"), "B", self._bring_back)
            menu.addSeparator()
            return self._with_undo(menu)
        one = rows[0] if len(rows) == 1 else None
        if one is not None:
            self._add(menu, self.tr("Show in thread"), "Return", lambda: self.view.jump_requested.emit(one.id))
            menu.addSeparator()
        pinned = all(row.state == "pinned" for row in rows)
        self._add(menu, self.tr("Unpin") if pinned else self.tr("Pin"), "P", self._pin)
        if any(row.state != "excluded" for row in rows):
            self._add(menu, self.tr("Exclude"), "X", self._exclude)
        if any(row.state in NOT_SENT for row in rows):
            self._add(menu, self.tr("Bring back"), "B", self._bring_back)
        if one is not None and (weight := self.model.unused.get(one.id)) is not None:
            self._add(menu, self._leaving_words(weight), "", partial(self._leave_out, weight))
        menu.addSeparator()
        self._add(menu, self.tr("Summarize…"), "S", self._summarise)
        self._add_summaries(menu, rows)
        menu.addSeparator()
        if one is not None:
            self._add(menu, self.tr("Start fresh from here"), "", lambda: self.fresh_start_requested.emit(one.id))
        if self._fresh_from is not None:
            self._add(menu, self.tr("Undo fresh start"), "", lambda: self.fresh_start_requested.emit(None))
        return self._with_undo(menu)

    def _with_undo(self, menu: Menu) -> Menu:
        self._add(menu, self.tr("Undo"), "Ctrl+Z", self.view.undo_requested.emit, able=self.can_undo)
        self._add(menu, self.tr("Redo"), "Ctrl+Shift+Z", self.view.redo_requested.emit, able=self.can_redo)
        return menu

    def summary_menu(self) -> Menu:
        """Return the menu of actions on the thread's summaries."""
        menu = Menu(self, self.view.accessibleName(), once=True)
        self._add_summaries(menu, ())
        return menu

    def tools_menu(self) -> Menu:
        """Return the list of the request's tools, the heaviest first; each leads to the page of tools."""
        menu = Menu(self, tr("Tools"), once=True)
        if (plan := self.model.plan) is not None:
            told = ToolTokens.of(plan.request.tools, plan.model.tokenizer)
            added, *tokens = told.shares(plan.tokens.tools)
            shares = sorted(zip(tokens, told.tools, strict=True), key=lambda one: -one[0])
            words = [f"{tool.told or tool.name} · {exact(own)}" for own, tool in shares[:MOST_TOOLS]]
            if more := shares[MOST_TOOLS:]:
                rest = exact(sum(own for own, _ in more))
                words.append(self.tr("{count} more · {tokens}").format(count=grouped(len(more)), tokens=rest))
            if added:
                words.append(self.tr("Added by the provider · {tokens}").format(tokens=exact(added)))
            for one in words:
                self._add(menu, one, "", self.tools_requested.emit)
        return menu

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape and self.bar.isVisible() and self.bar.no.text():
            self.bar.refused.emit()
        else:
            super().keyPressEvent(event)

    def _sum(self, plan: ContextPlan) -> str:
        tokens, limits = plan.tokens, plan.limits
        told = grouped(self.model.total())
        if tokens.bound:
            told = self.tr("up to {tokens}").format(tokens=told)
        elif tokens.source != "measured" and tokens.doubt:
            told = f"≈ {told}"  # how far it may be off is said by the popover
        return self.tr("{tokens} of {soft} tokens · limit {limit}").format(
            tokens=told, soft=thousands(limits.soft), limit=thousands(limits.emergency)
        )

    def _pin(self) -> None:
        rows = [row for row in self.view.selected_messages() if not row.deleted]
        ids = [row.id for row in rows]
        if rows and all(row.state == "pinned" for row in rows):
            self.unpin_requested.emit(ids)
        elif rows:
            self.pin_requested.emit(ids)

    def _exclude(self) -> None:
        ids = [row.id for row in self.view.selected_messages() if row.state != "excluded"]
        if ids:
            self.exclude_requested.emit(ids)

    def _bring_back(self) -> None:
        # what is sent already would only be pinned
        ids = [row.id for row in self.view.selected_messages() if row.state in NOT_SENT]
        if ids:
            self.bring_back_requested.emit(ids)

    def _summarise(self) -> None:
        if ids := [row.id for row in self.view.selected_messages() if not row.deleted]:
            self.summarise_requested.emit(ids)

    def _add_summaries(self, menu: Menu, rows: Sequence[PlacedMessage]) -> None:
        chosen = {row.id for row in rows}
        for summary in self._summaries:
            if not rows or chosen.intersection(summary.sources):
                self._add(
                    menu,
                    self.tr("Edit the summary of {count} messages…").format(count=len(summary.sources)),
                    "",
                    partial(self.summary_edit_requested.emit, summary.id),
                )

    def _add(self, menu: Menu, words: str, keys: str, act: Callable[[], object], *, able: bool = True) -> None:
        action = QAction(words, menu, enabled=able)
        if keys:
            action.setShortcut(QKeySequence(keys))
            # the list has the key already; the menu only tells it
            action.setShortcutContext(Qt.ShortcutContext.WidgetShortcut)
        action.triggered.connect(lambda *_: act())
        menu.addAction(action)

    def _show_menu(self, place: QPoint) -> None:
        row = self.model.row(self.view.indexAt(place))
        where = self.view.viewport().mapToGlobal(place)
        if isinstance(row, FixedRow) and row.kind == "summary" and self._summaries:
            self.summary_menu().popup(where)
        elif isinstance(row, FixedRow) and row.kind == "tools":
            self.tools_menu().popup(where)
        elif isinstance(row, PlacedMessage):
            self.menu_for(self.view.selected_messages() or [row]).popup(where)
