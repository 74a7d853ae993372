"""The requests in a thread beside the composer's draft: a question again, an answer again, an answer's rest.

Knows neither how a question is edited nor what is painted.
"""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QObject, Signal

from desktop_app.core.errors import PlimsollError
from desktop_app.core.events import CrossingAsked, SendRefused, TurnStarted
from desktop_app.core.messages import Part, TextPart
from desktop_app.ui.state.app_state import AppState
from desktop_app.ui.state.services import WindowServices


@dataclass(frozen=True, slots=True)
class RegenerationRequest:
    """A request to ask again. `parts` None: the words that stand there already. `at`: in the turn of which message,
    None: at the thread's end, where `parts` ask for an answer's rest. `backend` and `model`: of whom, this once.
    """

    thread_id: str
    parts: tuple[Part, ...] | None = None
    at: str | None = None
    backend: str | None = None
    model: str | None = None

    @property
    def edits(self) -> bool:
        """True where a question is edited."""
        return self.parts is not None and self.at is not None


class Regeneration(QObject):
    """One wish per thread is on its way; what was held back is kept until it is wished again or let go.

    `held_back(wish, refused)`: nothing was sent; `refused` is the `SendRefused`, None where something is asked first or
    the wish could not even begin.
    `held_dropped(thread_id)`: what was held back is not wished any more.
    """

    held_back = Signal(object, object)
    held_dropped = Signal(str)

    def __init__(self, app_state: AppState) -> None:
        super().__init__(app_state)
        self._app_state = app_state
        self._pending: dict[str, RegenerationRequest] = {}
        self._held: dict[str, RegenerationRequest] = {}

    # Wishes

    def ask(self, request: RegenerationRequest, *, pass_cap: bool = False) -> None:
        """Asks; where the thread is busy, or something is on its way already, nothing happens."""
        if self._app_state.is_running(request.thread_id) or request.thread_id in self._pending:
            return
        self._pending[request.thread_id] = request
        self._held.pop(request.thread_id, None)
        self._app_state.start(self._ask(request, pass_cap))

    def held(self, thread_id: str) -> RegenerationRequest | None:
        """Return the request held back in a thread: refused, or something is asked first."""
        return self._held.get(thread_id)

    def drop(self, thread_id: str) -> None:
        """Drop the request held back, which is not wished any more."""
        if self._held.pop(thread_id, None) is not None:
            self.held_dropped.emit(thread_id)

    # Facts

    def turn_started(self, started: TurnStarted) -> None:
        self._pending.pop(started.thread_id, None)
        self._held.pop(started.thread_id, None)

    def refused(self, refused: SendRefused) -> None:
        """Nothing was sent; where that was not wished here, it concerns the composer."""
        request = self._pending.get(refused.thread_id)
        if request is None:
            self._held.pop(refused.thread_id, None)
        else:
            self._hold(request, refused)

    def crossing_asked(self, asked: CrossingAsked) -> None:
        """Something is asked before this may go; where the composer wished it, nothing else is wished any more."""
        request = self._pending.get(asked.thread_id)
        if request is None:
            self.drop(asked.thread_id)
        else:
            self._hold(request, None)

    async def _ask(self, request: RegenerationRequest, pass_cap: bool) -> None:
        services = await self._app_state.services()
        try:
            await _start(services, request, pass_cap)
        except PlimsollError:
            self._take_back(request)
            self.held_back.emit(request, None)
            raise

    def _hold(self, request: RegenerationRequest, refused: SendRefused | None) -> None:
        self._take_back(request)
        self._held[request.thread_id] = request
        self.held_back.emit(request, refused)

    def _take_back(self, request: RegenerationRequest) -> None:
        self._pending.pop(request.thread_id, None)


async def _start(services: WindowServices, request: RegenerationRequest, pass_cap: bool) -> None:
    chat, thread_id = services.chat, request.thread_id
    if request.parts is None and request.at is None:
        chat.start_retry(thread_id, pass_cap=pass_cap, ask_first=True)
    elif request.parts is None and request.at is not None:
        await chat.start_regenerate(
            thread_id, request.at, backend=request.backend, model=request.model, pass_cap=pass_cap, ask_first=True
        )
    elif request.parts is not None and request.at is not None:
        await chat.start_edit(thread_id, request.at, request.parts, pass_cap=pass_cap, ask_first=True)
    elif request.parts is not None:
        words = "".join(part.text for part in request.parts if isinstance(part, TextPart))
        chat.start_continue(thread_id, words, pass_cap=pass_cap, ask_first=True)
