"""The Messages tab: the rows, what can be done with them, their sum. Shows plans, makes none."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial

from PySide6.QtCore import QPoint, Qt, Signal
from PySide6.QtGui import QAction, QKeyEvent, QKeySequence
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from desktop_app.core.context.context_choices import Summary
from desktop_app.core.context.dead_weight import DeadWeight
from desktop_app.core.context.plan import ContextPlan, PlacedMessage
from desktop_app.core.messages import Message
from desktop_app.ui.i18n.content_words import dollars, thousands
from desktop_app.ui.i18n.language import grouped
from desktop_app.ui.inspector.message_list import MessageRowView
from desktop_app.ui.inspector.message_rows import FixedRow, MessageRowModel, unused_words
from desktop_app.ui.theme.theme import GRID, Theme
from desktop_app.ui.widgets.fitting import Caption
from desktop_app.ui.widgets.floating import Menu
from desktop_app.ui.widgets.parts import Stretch, button_in, in_row

NOT_SENT = frozenset({"left_out", "excluded", "summarised"})


class SummaryBar(QFrame):
    """A sentence with at most three buttons above the sum: what a summary would cost, or that one is being written."""

    accepted = Signal()
    other_accepted = Signal()
    refused = Signal()

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._words = QLabel(self, wordWrap=True, textFormat=Qt.TextFormat.PlainText)
        self.yes = QPushButton(self)
        self.yes.setProperty("kind", "primary")
        self.other = QPushButton(self)
        self.no = QPushButton(self)
        self.other.clicked.connect(self.other_accepted)
        self.yes.clicked.connect(self.accepted)
        self.no.clicked.connect(self.refused)
        buttons = QHBoxLayout()
        buttons.setSpacing(GRID)
        buttons.addWidget(self.yes)
        buttons.addWidget(self.no)
        buttons.addStretch(1)
        others = QHBoxLayout()
        others.addWidget(self.other)
        others.addStretch(1)
        column = QVBoxLayout(self)
        column.setContentsMargins(2 * GRID, GRID, 2 * GRID, GRID)
        column.setSpacing(GRID)
        column.addWidget(self._words)
        column.addLayout(buttons)
        column.addLayout(others)
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

    message_reached = Signal(str)
    jump_requested = Signal(str)
    pin_requested = Signal(object)  # list[str]
    unpin_requested = Signal(object)
    exclude_requested = Signal(object)
    bring_back_requested = Signal(object)
    leaving_requested = Signal(object, bool)  # list[str], and if at once
    summarise_requested = Signal(object)
    fresh_start_requested = Signal(object)  # str | None: None takes it back
    summary_edit_requested = Signal(str)  # summary id
    undo_requested = Signal()
    redo_requested = Signal()

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
        rule = QFrame(self)
        rule.setProperty("kind", "rule")
        rule.setFixedHeight(1)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.empty)
        column.addWidget(self._unused_row)
        column.addWidget(self.view, 1)
        column.addWidget(self.bar)
        column.addWidget(rule)
        column.addWidget(self.foot)
        view = self.view
        view.message_reached.connect(self.message_reached)
        view.message_reached.connect(lambda _: self._tell_unused())
        self.bar.other_accepted.connect(self._leave)
        view.jump_requested.connect(self.jump_requested)
        view.pin_requested.connect(self._pin)
        view.exclude_requested.connect(self._exclude)
        view.bring_back_requested.connect(self._bring_back)
        view.summarise_requested.connect(self._summarise)
        view.undo_requested.connect(self.undo_requested)
        view.redo_requested.connect(self.redo_requested)
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
        menu = Menu(self)
        menu.setAccessibleName(self.view.accessibleName())
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        if any(row.deleted for row in rows):
            self._add(menu, self.tr("Bring back"), "B", self._bring_back)
            menu.addSeparator()
            return self._with_undo(menu)
        one = rows[0] if len(rows) == 1 else None
        if one is not None:
            self._add(menu, self.tr("Show in thread"), "Return", lambda: self.jump_requested.emit(one.id))
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
        self._add(menu, self.tr("Undo"), "Ctrl+Z", self.undo_requested.emit, able=self.can_undo)
        self._add(menu, self.tr("Redo"), "Ctrl+Shift+Z", self.redo_requested.emit, able=self.can_redo)
        return menu

    def summary_menu(self) -> Menu:
        """Return the menu of actions on the thread's summaries."""
        menu = Menu(self)
        menu.setAccessibleName(self.view.accessibleName())
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._add_summaries(menu, ())
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
        elif tokens.source != "measured" and tokens.sigma:
            told = f"{told} ± {grouped(2 * tokens.sigma)}"
        return self.tr("{tokens} tokens · soft limit {soft} · limit {limit}").format(
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
        elif isinstance(row, PlacedMessage):
            self.menu_for(self.view.selected_messages() or [row]).popup(where)
