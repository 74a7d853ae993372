"""The order in which the keyboard goes from pane to pane (F6), and where in each it begins. Uses no keys."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QWidget

from desktop_app.ui.shell.main_window import MainWindow

if TYPE_CHECKING:  # a card or a page that is there has been loaded already
    from desktop_app.ui.conversation.error_card import ErrorCard


@dataclass(frozen=True, slots=True)
class Pane:
    """A part of the window, and what gives it the keyboard."""

    part: QWidget
    enter: Callable[[], object]


class Panes:
    """Composer, card, conversation (or the page in its place), what is open at the side, thread list, and round again.

    The card comes right after the composer, where the keyboard stays when something goes wrong.
    """

    def __init__(self, window: MainWindow, card: Callable[[], ErrorCard | None]) -> None:
        self._window = window
        self._card = card

    def step(self, step: int) -> None:
        """Gives the keyboard to the next pane (1) or the one before (-1)."""
        panes = self._shown()
        here = self._here(panes)
        for further in range(1, len(panes) + 1):
            place = (here + step * further) % len(panes) if here is not None else (further - 1) * step
            panes[place].enter()
            if self._here(panes) == place % len(panes):
                if panes[place].part is not self._window.threads:
                    self._window.list_slot.leave()
                return

    def _shown(self) -> list[Pane]:
        window, card = self._window, self._card()
        panes = [Pane(window.composer, window.composer.focus_editor)]
        if card is not None and not card.resolved:
            panes.append(Pane(card, card.focus_first))
        panes.append(Pane(window.stage, self._enter_stage))
        panes += [Pane(slot, slot.enter) for slot in (window.artifacts, window.document)]
        panes.append(Pane(window.inspector, self._enter_inspector))
        panes.append(Pane(window.threads, window.threads.focus_list))
        return [pane for pane in panes if pane.part.isVisible()]

    def _here(self, panes: list[Pane]) -> int | None:
        """The pane that has the keyboard; a card lies within the conversation and comes before it."""
        focused = QApplication.focusWidget()
        if focused is None:
            return None
        holding = [place for place, pane in enumerate(panes) if pane.part is focused or pane.part.isAncestorOf(focused)]
        return min(holding, default=None)

    def _enter_stage(self) -> None:
        from desktop_app.ui.widgets.page import PageFrame

        stage = self._window.stage
        shown = stage.currentWidget()
        if shown is stage.transcript:
            stage.transcript.setFocus(Qt.FocusReason.ShortcutFocusReason)
        elif stage.welcoming:
            stage.welcome.focus_first()
        elif isinstance(shown, PageFrame):
            shown.focus_first()

    def _enter_inspector(self) -> None:
        from desktop_app.ui.inspector.inspector_pane import InspectorPane

        content = self._window.inspector.content
        if isinstance(content, InspectorPane):
            content.focus_inside()
