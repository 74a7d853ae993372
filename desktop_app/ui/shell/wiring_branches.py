"""The connections of the tree of branches, which is made when it is first asked for. Decides nothing."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QPoint

from desktop_app.ui.shell.main_window import MainWindow
from desktop_app.ui.shell.presenters import Presenters
from desktop_app.ui.state.app_state import AppState
from desktop_app.ui.theme.style import Appearance
from desktop_app.ui.transcript.message.action_bar import TREE

if TYPE_CHECKING:
    from desktop_app.ui.branches.branch_tree_popover import BranchTreePresenter


class BranchTreeWiring(QObject):
    """The tree of branches of one window, and what opens it."""

    def __init__(self, window: MainWindow, app_state: AppState, to: Presenters, appearance: Appearance) -> None:
        super().__init__(window)
        self._window = window
        self._app_state = app_state
        self._to = to
        self._appearance = appearance
        self._presenter: BranchTreePresenter | None = None

    @property
    def presenter(self) -> BranchTreePresenter:
        """The presenter that fills the tree."""
        if self._presenter is None:
            from desktop_app.ui.branches.branch_tree_popover import BranchTreePresenter

            window = self._window
            made = BranchTreePresenter(self._app_state, window.stage.transcript, window.toast, self._appearance.theme)
            made.message_chosen.connect(self._show_message)
            self._presenter = made
        return self._presenter

    def open(self, _checked: bool = False) -> None:
        """By the window's action."""
        self.presenter.open()

    def act(self, message_id: str, action: str) -> None:
        """By the number between the arrows beneath a message."""
        if action == TREE:
            self.presenter.open(message_id)

    def fill_menu(self, message_id: str, _position: QPoint) -> None:
        """The menu of a message that has several versions is about to open."""
        transcript = self._window.stage.transcript
        if transcript.menu is not None and transcript.decorations.branch_of(message_id) is not None:
            words = self._window.actions_by_id["show_branches"].text()
            transcript.menu.add_more(words, partial(self.presenter.open, message_id))

    def _show_message(self, thread_id: str, message_id: str) -> None:
        self._app_state.start(self._to.navigation.show_message(thread_id, message_id, way_back=False))


def wire_branch_tree(window: MainWindow, app_state: AppState, to: Presenters, appearance: Appearance) -> None:
    """Connects what opens the tree of branches with what shows the message that is chosen in it."""
    wiring = BranchTreeWiring(window, app_state, to, appearance)
    transcript = window.stage.transcript
    transcript.row_actions.message_acted.connect(wiring.act)
    transcript.message_context_requested.connect(wiring.fill_menu)
    window.actions_by_id["show_branches"].triggered.connect(wiring.open)
