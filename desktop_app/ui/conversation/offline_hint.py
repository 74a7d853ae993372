"""The lines beneath the first answer of the small offline model: what would give better ones. Sends nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject, Signal

from desktop_app.core.events import TurnEnded
from desktop_app.core.messages import Message
from desktop_app.core.model_catalog import shipped_models
from desktop_app.ui.state.app_state import AppState
from desktop_app.ui.transcript.message.decorations import StepLine
from desktop_app.ui.transcript.view import TranscriptView

if TYPE_CHECKING:  # the controller is loaded after the first paint
    from desktop_app.controller.open_threads import OpenThread

ACTION: Final = "open_connections"


class OfflineHint(QObject):
    """Two lines per thread, beneath the first answer that the shipped model gave there."""

    connections_requested = Signal()

    def __init__(self, app_state: AppState, view: TranscriptView) -> None:
        super().__init__(view)
        self._app_state = app_state
        self._view = view

    def show_opened(self, opened: OpenThread) -> None:
        """Shows the lines of the thread that was opened, or none."""
        self._show(opened.path)

    def clear(self) -> None:
        """Nothing is open."""
        self._view.decorations.set_hint(None)

    def turn_ended(self, ended: TurnEnded) -> None:
        """The first answer may be there now."""
        if self._app_state.is_open(ended.thread_id):
            self._app_state.start(self._read(ended.thread_id))

    def act(self, _message_id: str, action: str) -> None:
        """The words to click."""
        if action == ACTION:
            self.connections_requested.emit()

    async def _read(self, thread_id: str) -> None:
        services = await self._app_state.services()
        opened = await services.chat.open_thread(thread_id)
        if self._app_state.is_open(thread_id):
            self._show(opened.path)

    def _show(self, path: tuple[Message, ...]) -> None:
        small = shipped_models("local")[0].id
        place = self._app_state.facts.of(path).first_answers.get(small)
        first = None if place is None else path[place]
        if first is None or first.backend != "local" or first.state != "complete":
            self._view.decorations.set_hint(None)
            return
        better = self.tr("A larger GGUF file or an API key gives real answers.")
        further = ((better, ((ACTION, self.tr("Set up a connection")),)),)
        words = self.tr("This tiny model is often wrong.")
        self._view.decorations.set_hint(StepLine(first.id, words, (), further))
