"""Owns what can answer: the model button and its choices, the ways on the welcome pane. Sends nothing."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from desktop_app.core.catalog import ModelInfo, shipped_models
from desktop_app.core.context.plan import ContextPlan
from desktop_app.core.errors import PlimsollError
from desktop_app.ui.composer.model_choice import ModelChoice
from desktop_app.ui.composer.model_picker import ModelPicker
from desktop_app.ui.desk import Desk
from desktop_app.ui.language import spoken
from desktop_app.ui.presenters.servers import Servers
from desktop_app.ui.presenters.switching import for_thread
from desktop_app.ui.services import Services
from desktop_app.ui.welcome.pane import WelcomePane
from desktop_app.ui.welcome.way_row import Way

if TYPE_CHECKING:  # the controller is loaded after the first paint
    from desktop_app.backends.base import Availability, Backend
    from desktop_app.controller.models import ModelBook

NOT_OFFERED = ("scripted",)
"""Backends for tests and pictures only (PRODUCT.md BE-5)."""
ANSWER_WAIT_S = 2.0
"""How long a backend may take to say whether it can be used; then what is known of it stays."""
LIST_WAIT_S = 6.0
"""How long a provider may take to list its models; until then, and after it, what is known by itself is shown."""


class Connections(QObject):
    """Chooses for the user only what the user named; `local` is never taken by itself."""

    welcome_wanted = Signal()
    thread_ready = Signal()

    def __init__(self, desk: Desk, picker: ModelPicker, welcome: WelcomePane) -> None:
        super().__init__(picker)
        self._desk = desk
        self._picker = picker
        self._welcome = welcome
        self._servers = Servers(desk, welcome, self._take_way)
        self._known: dict[str, Sequence[ModelChoice]] = {}  # backend -> what it last had on offer
        self._plan: ContextPlan | None = None
        self.chosen = False  # whether something would answer now

    def show_choice(self, _fact: object = None) -> None:
        """Shows on the button what would answer in the open thread, or in a new one."""
        self._desk.start(self._show_choice())

    def offer_models(self) -> None:
        """Opens the menu of models."""
        self._desk.look(self._offer_models())

    def plan_changed(self, plan: ContextPlan | None) -> None:
        """What the next request is: what another model would read anew follows from it."""
        self._plan = plan

    def known_models(self) -> Sequence[ModelChoice]:
        """What the backend that answers now has on offer, as far as it is known: nobody is asked."""
        services, choice = self._desk.ready, self._picker.choice
        backend = services.backends.get(choice.backend) if services is not None and choice is not None else None
        if services is None or backend is None:
            return ()
        return self._known.get(backend.name) or _known_choices(backend, services.models)

    def choose_model(self, backend: str, model: str) -> None:
        self._desk.start(self._choose(backend, model))

    def look_for_ways(self) -> None:
        """Fills the welcome pane."""
        self._desk.look(self._look_for_ways())

    def take_way(self, backend: str) -> None:
        """One click: a thread with this backend is ready and the composer has the keyboard."""
        self._desk.start(self._take_way(backend))

    def take_key(self, backend: str, key: str) -> None:
        """Tries a key, stores it in the system keyring and goes on with its backend."""
        self._desk.start(self._servers.take_key(backend, key))

    async def _show_choice(self) -> None:
        services = await self._desk.services()
        thread = self._desk.current or self._desk.choice_like()
        try:
            choice = await services.chat.choose(thread, interactive=True)
        except PlimsollError:
            self.chosen = False
            self._picker.show_choice(None)
            if self._desk.current is None:
                self.welcome_wanted.emit()
            return
        self.chosen = True
        self._picker.show_choice(_choice(choice.backend, choice.model))

    async def _offer_models(self) -> None:
        await self.list_models(self._picker.show_choices, self._picker.update_choices)

    async def list_models(
        self, show: Callable[[Sequence[ModelChoice]], None], update: Callable[[Sequence[ModelChoice]], None]
    ) -> None:
        """Shows the models as they are known, and again when a backend has said what it has."""
        services = await self._desk.services()
        offered = [backend for name, backend in services.backends.items() if name not in NOT_OFFERED]
        for backend in offered:
            known_of = self._known.get(backend.name, ())
            if not known_of or known_of[0].backend_title != spoken(backend.title):  # another server than it was
                self._known[backend.name] = _known_choices(backend, services.models)

        caching = {backend.name for backend in offered if backend.overhead.cache_marks}

        def known() -> list[ModelChoice]:
            choices = (choice for backend in offered for choice in self._known[backend.name])
            return for_thread(choices, self._plan, caching=caching)

        async def ask(backend: Backend) -> None:
            self._known[backend.name] = await _choices(backend, services.models) or self._known[backend.name]
            update(known())

        show(known())
        await asyncio.gather(*(ask(backend) for backend in offered))

    async def _choose(self, backend: str, model: str) -> None:
        services = await self._desk.services()
        thread = self._desk.current
        if thread is None:
            await self._desk.made_thread(backend=backend, model=model)
        else:
            await services.chat.switch(thread.id, backend=backend, model=model)
        await self._show_choice()
        self.thread_ready.emit()

    async def _take_way(self, backend: str) -> None:
        services = await self._desk.services()
        if self._desk.current is None:
            await self._desk.made_thread(backend=backend)
        else:
            await services.chat.switch(self._desk.current.id, backend=backend, model=None)
        await self._show_choice()
        self.thread_ready.emit()

    async def _look_for_ways(self) -> None:
        services = await self._desk.services()
        self._servers.prepare(services)
        looking = asyncio.ensure_future(self._servers.ways_here(services))
        try:
            ways = await self._ways(services)
            self._welcome.show_ways(_ordered(ways))
            self._welcome.focus_first()
            # below what can be used already, so that nothing moves under the pointer
            self._welcome.show_ways(_ordered(ways, await looking))
        finally:
            looking.cancel()

    async def _ways(self, services: Services) -> Sequence[Way]:
        answers = await asyncio.gather(*(_availability(backend) for backend in services.backends.values()))
        found = {name: answer for name, answer in zip(services.backends, answers, strict=True) if answer is not None}
        ways: list[Way] = []
        claude, local = found.get("claude-cli"), found.get("local")
        if claude is not None:
            button = self.tr("Use the program") if claude.ok else ""
            ways.append(
                Way(
                    "claude-cli",
                    "terminal",
                    spoken(services.backends["claude-cli"].title),
                    spoken(claude.detail),
                    button,
                )
            )
        if "anthropic" in found and services.secrets.from_environment("anthropic"):
            detail = self.tr("ANTHROPIC_API_KEY is set in the environment.")
            ways.append(Way("anthropic", "key", self.tr("Anthropic API"), detail, self.tr("Use this key")))
        elif "anthropic" in found and found["anthropic"].ok:
            detail = self.tr("A key is stored in the system keyring.")
            ways.append(Way("anthropic", "key", self.tr("Anthropic API"), detail, self.tr("Use this key")))
        elif "anthropic" in found:
            detail = self.tr(
                "A key from console.anthropic.com. It is tested for free, then kept in the system keyring, "
                "never in a file."
            )
            ways.append(Way("anthropic", "key", self.tr("Anthropic API"), detail, self.tr("Store the key"), True))
        if local is not None:
            detail = self.tr(
                "A tiny model that runs on this computer, for trying the app. "
                "It needs no account and no network, and it is often wrong."
            )
            button = self.tr("Try it offline") if local.ok else ""
            ways.append(
                Way(
                    "local", "computer", self.tr("Try it offline"), detail if local.ok else spoken(local.detail), button
                )
            )
        return ways


def _ordered(ways: Sequence[Way], here: Sequence[Way] = ()) -> Sequence[Way]:
    """What can be used at once comes first; `here`: the servers of this computer, which are found last."""
    return sorted((*ways, *here), key=lambda way: (not way.button, way.asks_key, bool(way.address)))


def _choice(backend: Backend, model: ModelInfo) -> ModelChoice:
    prices = (model.prices.input, model.prices.output) if model.prices is not None else None
    return ModelChoice(
        backend.name,
        spoken(backend.title),
        model.id,
        model.name,
        model.window,
        prices=prices,
        cost=backend.cost_kind,
        info=model,
    )


def _known_choices(backend: Backend, book: ModelBook) -> Sequence[ModelChoice]:
    """What the provider listed last, else what the shipped tables say, before the backend has been asked."""
    if kept := book.known(backend):
        return [_choice(backend, model) for model in kept]
    default, models = backend.model(backend.default_model), shipped_models(backend.name)
    if default.id not in {model.id for model in models}:
        models = (default,)  # a compatible server serves other models than the shipped ones
    return [_choice(backend, model) for model in models]


async def _availability(backend: Backend) -> Availability | None:
    """None where the backend does not say in time."""
    try:
        return await asyncio.wait_for(backend.availability(), ANSWER_WAIT_S)
    except TimeoutError:
        return None


async def _choices(backend: Backend, book: ModelBook) -> Sequence[ModelChoice]:
    """What a backend has on offer now; nothing where it does not say in time."""
    found = await _availability(backend)
    if found is None:
        return ()
    if not found.ok:
        return [ModelChoice(backend.name, spoken(backend.title), "", "", available=False, detail=spoken(found.detail))]
    try:
        models = await asyncio.wait_for(book.list(backend), LIST_WAIT_S)
    except (PlimsollError, TimeoutError):
        models = [backend.model(backend.default_model)]
    return [_choice(backend, model) for model in models]
