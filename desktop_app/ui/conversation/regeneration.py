"""Owns what is asked of a thread beside the composer's draft: a question anew, an answer again, an answer's rest.

Puts the same question before it as sending does (CTX-14). Knows neither how a question is edited nor what is painted.
"""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QObject, Signal

from desktop_app.core.errors import PlimsollError
from desktop_app.core.events import SendRefused, TurnEnded, TurnFailed, TurnStarted
from desktop_app.core.messages import Part, TextPart
from desktop_app.ui.attachments.attachments_presenter import AttachmentsPresenter
from desktop_app.ui.composer.composer import Composer
from desktop_app.ui.state.app_state import AppState
from desktop_app.ui.state.services import WindowServices


@dataclass(frozen=True, slots=True)
class RegenerationRequest:
    """What is asked. `parts` None: the words that stand there already. `at`: in the turn of which message, None: at
    the thread's end, where `parts` ask for an answer's rest. `backend` and `model`: of whom, this once.
    """

    thread_id: str
    parts: tuple[Part, ...] | None = None
    at: str | None = None
    backend: str | None = None
    model: str | None = None

    @property
    def edits(self) -> bool:
        """Whether a question is written anew."""
        return self.parts is not None and self.at is not None


class Regeneration(QObject):
    """One wish per thread is on its way; what was held back is kept until it is wished again or let go.

    `asked(thread_id, plan)`: something is asked first, nothing was sent. `held_back(wish, refused)`: nothing was sent;
    `refused` is the `SendRefused`, None where something is asked first or the wish could not even begin.
    `let_go(thread_id)`: what was held back is not wished any more.
    """

    asked = Signal(str, object)
    held_back = Signal(object, object)
    let_go = Signal(str)

    def __init__(self, app_state: AppState, composer: Composer, attaching: AttachmentsPresenter) -> None:
        super().__init__(composer)
        self._app_state = app_state
        self._composer = composer
        self._attaching = attaching
        self._running: set[str] = set()
        self._on_its_way: dict[str, RegenerationRequest] = {}
        self._held: dict[str, RegenerationRequest] = {}
        self._attached: dict[str, tuple[Part, ...]] = {}  # thread -> what is attached to its draft, which stays

    @property
    def busy(self) -> bool:
        """Whether an answer is coming in the open thread."""
        return (self._app_state.thread_id or "") in self._running

    def is_running(self, thread_id: str) -> bool:
        return thread_id in self._running

    def set_running(self, thread_id: str, running: bool) -> None:
        (self._running.add if running else self._running.discard)(thread_id)

    # Wishes

    def ask(self, wish: RegenerationRequest, *, pass_cap: bool = False) -> None:
        """Asks; where the thread is busy, or something is on its way already, nothing happens."""
        if wish.thread_id in self._running or wish.thread_id in self._on_its_way:
            return
        self._on_its_way[wish.thread_id] = wish
        self._held.pop(wish.thread_id, None)
        # what is attached in the composer has no part in it
        self._attached[wish.thread_id] = self._composer.attachments
        self._app_state.start(self._ask(wish, pass_cap))

    def held(self, thread_id: str) -> RegenerationRequest | None:
        """What was held back in a thread: refused, or something is asked first."""
        return self._held.get(thread_id)

    def drop(self, thread_id: str) -> None:
        """What was held back is not wished any more."""
        if self._held.pop(thread_id, None) is not None:
            self.let_go.emit(thread_id)

    # Facts

    def turn_started(self, started: TurnStarted) -> None:
        thread_id = started.thread_id
        self._running.add(thread_id)
        self._on_its_way.pop(thread_id, None)
        self._held.pop(thread_id, None)
        attached = self._attached.pop(thread_id, ())
        if attached:
            self._attaching.restore(thread_id, attached)

    def turn_over(self, over: TurnEnded | TurnFailed) -> None:
        self._running.discard(over.thread_id)

    def refused(self, refused: SendRefused) -> None:
        """Nothing was sent; where that was not wished here, it concerns the composer."""
        wish = self._on_its_way.get(refused.thread_id)
        if wish is None:
            self._held.pop(refused.thread_id, None)
        else:
            self._hold(wish, refused)

    async def _ask(self, wish: RegenerationRequest, pass_cap: bool) -> None:
        services = await self._app_state.services()
        try:
            plan = await _plan_that_asks(services, wish)
            if plan is not None:
                self._hold(wish, None)
                self.asked.emit(wish.thread_id, plan)
                return
            await _start(services, wish, pass_cap)
        except PlimsollError:
            self._take_back(wish)
            self.held_back.emit(wish, None)
            raise

    def _hold(self, wish: RegenerationRequest, refused: SendRefused | None) -> None:
        self._take_back(wish)
        self._held[wish.thread_id] = wish
        self.held_back.emit(wish, refused)

    def _take_back(self, wish: RegenerationRequest) -> None:
        self._on_its_way.pop(wish.thread_id, None)
        self._attached.pop(wish.thread_id, None)


async def _plan_that_asks(services: WindowServices, wish: RegenerationRequest) -> object | None:
    """The plan, if it asks something before it is sent. Where no plan can be made, sending says why."""
    try:
        plan = await services.chat.expected(
            wish.thread_id, wish.parts, at=wish.at, backend=wish.backend, model=wish.model
        )
    except PlimsollError:
        return None
    return plan if plan.asks == "first_crossing" else None


async def _start(services: WindowServices, wish: RegenerationRequest, pass_cap: bool) -> None:
    chat, thread_id = services.chat, wish.thread_id
    if wish.parts is None and wish.at is None:
        chat.start_retry(thread_id, pass_cap=pass_cap)
    elif wish.parts is None and wish.at is not None:
        await chat.start_regenerate(thread_id, wish.at, backend=wish.backend, model=wish.model, pass_cap=pass_cap)
    elif wish.parts is not None and wish.at is not None:
        await chat.start_edit(thread_id, wish.at, wish.parts, pass_cap=pass_cap)
    elif wish.parts is not None:
        words = "".join(part.text for part in wish.parts if isinstance(part, TextPart))
        chat.start_continue(thread_id, words, pass_cap=pass_cap)
