"""The popover with the tree of a thread's branches: the list, its filter and keyboard, and what fills it."""

from __future__ import annotations

import asyncio
from typing import Final

from PySide6.QtCore import QEvent, QModelIndex, QObject, QPoint, QRect, QSize, Qt, Signal
from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent, QHideEvent, QKeyEvent
from PySide6.QtWidgets import QAbstractItemView, QFrame, QLineEdit, QListView, QWidget

from desktop_app.core.conversation import BranchRow, BranchTree, message_tokens
from desktop_app.core.errors import PlimsollError
from desktop_app.core.events import BranchChanged, MessageAdded, TurnEnded, TurnFailed
from desktop_app.core.search_terms import FindPattern
from desktop_app.system.system_clock import utc_now
from desktop_app.ui.branches.branch_rows import BranchDelegate, BranchListModel, BranchTexts, Spans
from desktop_app.ui.i18n.language import grouped
from desktop_app.ui.state.app_state import AppState
from desktop_app.ui.theme.theme import GRID, Theme
from desktop_app.ui.transcript.message.decorations import BRANCHES
from desktop_app.ui.transcript.view import TranscriptView
from desktop_app.ui.widgets.floating import Floating, Toast
from desktop_app.ui.widgets.parts import in_column, in_row, label_in, make_clearable

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
