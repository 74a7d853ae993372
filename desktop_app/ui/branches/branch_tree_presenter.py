"""The presenter that fills the tree of a thread's branches. Shows no branch itself: it says which message was
chosen.
"""

from __future__ import annotations

import asyncio

from PySide6.QtCore import QObject, QPoint, QRect, QSize, Signal

from desktop_app.core.branch_tree import BranchTree
from desktop_app.core.context.message_tokens import message_tokens
from desktop_app.core.errors import PlimsollError
from desktop_app.core.events import BranchChanged, MessageAdded, TurnEnded, TurnFailed
from desktop_app.system_clock import utc_now
from desktop_app.ui.branches.branch_texts import BranchTexts
from desktop_app.ui.branches.branch_tree_popover import BranchTreePopover
from desktop_app.ui.state.app_state import AppState
from desktop_app.ui.theme.theme import Theme
from desktop_app.ui.transcript.message.decorations import BRANCHES
from desktop_app.ui.transcript.view import TranscriptView
from desktop_app.ui.widgets.floating import Toast


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
        thread_id = self._app_state.thread_id
        if thread_id is None or not await self._show(thread_id, message_id):
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
