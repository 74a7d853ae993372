"""The models that can answer: the model button, its choices, the welcome cards, and the trial of a typed key."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from desktop_app.backends.backend_protocol import Availability, Backend
from desktop_app.core.backend_descriptors import ANTHROPIC, NOT_OFFERED, OPENAI, takes_key
from desktop_app.core.context.plan import ContextPlan
from desktop_app.core.errors import PlimsollError
from desktop_app.core.messages import Failure, Thread
from desktop_app.core.model_catalog import ModelInfo, shipped_models
from desktop_app.core.phrases import having
from desktop_app.ui.connections.welcome_pane import WelcomePane
from desktop_app.ui.i18n.language import tr, translated
from desktop_app.ui.models.model_choice import ModelChoice, Reach, for_thread
from desktop_app.ui.models.model_picker import ModelPicker
from desktop_app.ui.state.app_state import AppState
from desktop_app.ui.state.services import WindowServices

if TYPE_CHECKING:
    from desktop_app.controller.connections import ConnectionStates, KeyService
    from desktop_app.controller.model_selection import ChosenModel, ModelLists


@dataclass(frozen=True, slots=True)
class ServerEntry:
    """The content of the form: an address, a key and a name, without spaces around them. No test is of the name."""

    address: str
    key: str = field(repr=False)
    name: str = field(default="", compare=False)


@dataclass(frozen=True, slots=True)
class LeftKey:
    """A key whose card was left before it was stored: what was said of it, and on the button that insists."""

    key: str = field(repr=False)
    words: str = ""
    button: str = ""


UNTOLD = ("network", "rate_limited", "overloaded", "backend")
"""Failures of a test that say nothing of the key: the user may be offline just now, and store it all the same."""


@dataclass(frozen=True, slots=True)
class KeyProblem:
    """Why a key was not stored. `of_keyring`: the key itself may be right."""

    failure: Failure
    of_keyring: bool = False


async def tried_and_stored(
    states: ConnectionStates, connection: tuple[str, str], key: str, *, untested: bool, unsaved: bool
) -> KeyProblem | None:
    """Tries a key with one free call, unless `untested`, and stores it in the system keyring; why not, or None.

    `unsaved`: no keyring is asked, and the key is kept until Plimsoll closes.
    """
    if not unsaved and (problem := await states.keyring_problem(*connection)):
        return KeyProblem(problem, of_keyring=True)  # before the provider is asked: what it says would not help
    try:
        if not untested:
            await states.try_key(*connection, key)
    except PlimsollError as error:
        return KeyProblem(error.failure)
    try:
        await states.set_key(*connection, key, unsaved=unsaved)
    except PlimsollError as error:
        return KeyProblem(error.failure, of_keyring=True)
    return None


def problem_of(failure: Failure, *, unsaved: bool) -> tuple[str, str]:
    """Return the words about a key that was not stored, and the button that takes it all the same ("": none does)."""
    if failure.code not in UNTOLD:
        return said_here(failure), ""
    doubt = tr("The key was not tested: it may be mistyped, expired or without credit.")
    return f"{said_here(failure)} {doubt}", tr("Use anyway") if unsaved else tr("Save anyway")


def taken_words(unsaved: bool) -> str:
    """Return the words on a key that was taken."""
    return tr("Key in use until Plimsoll closes") if unsaved else tr("Key saved")


def until_closed() -> str:
    """Return the words on how long a key lasts that no keyring takes."""
    return tr("The system keyring can't be used: a key works until Plimsoll closes.")


def said_here(failure: Failure) -> str:
    """The failure for somebody who is under Connections already."""
    return translated(having(failure.message, where=""))


ANSWER_WAIT_S = 2.0
"""Seconds a backend may take to say whether it can be used; after that the known state stays."""
LIST_WAIT_S = 6.0
"""Seconds a provider may take to list its models; until then, and after it, the models known without it are shown."""


class AvailableModels(QObject):
    """Chooses for the user only what the user named; `local` is never taken by itself."""

    welcome_wanted = Signal()
    answer_found = Signal()  # something is chosen to answer, maybe without its key
    key_found = Signal()  # nor does it lack that
    answer_missing = Signal()  # nothing would answer now
    key_missed = Signal(str)  # words: what would answer has no key; "": it has
    default_replaced = Signal(str, str)  # words: new threads begin with another; the backend that needs a key for that
    setup_wanted = Signal(str, str)  # a server is to be set up, with the address or key that was typed
    thread_ready = Signal()
    link_wanted = Signal(str)
    key_told = Signal(str, str, object)  # of a key whose card was left: words, a button and what it does

    def __init__(self, app_state: AppState, picker: ModelPicker, welcome: WelcomePane) -> None:
        super().__init__(picker)
        self._app_state = app_state
        self._picker = picker
        self._welcome = welcome
        self._known: dict[str, Sequence[ModelChoice]] = {}  # backend -> what it last had on offer
        self._plan: ContextPlan | None = None
        self._service_told: dict[str, KeyService] = {}  # of a key that does not tell it
        self._looking: asyncio.Task[bool] | None = None  # for servers of this computer
        self.left_keys: dict[tuple[str, str], LeftKey] = {}  # by connection; in memory alone
        self._not_asked_for: set[str] = set()  # connections whose missing key was told, and the line closed
        self.chosen = False  # whether something would answer now

    @property
    def backend(self) -> str:
        """The backend that answers in the open thread, or in a new one; "" for none."""
        return self._picker.choice.backend if self._picker.choice is not None else ""

    @property
    def wanted_backend(self) -> str:
        """The same, or the one that would answer if it could; "" where nobody named one."""
        services, thread = self._app_state.ready, self._app_state.current
        default = services.preferences.settings.default_backend if services is not None else None
        return self.backend or (thread.backend if thread is not None else None) or default or ""

    def show_choice(self, _fact: object = None) -> None:
        """Shows on the button what would answer in the open thread, or in a new one."""
        self._app_state.start(self._show_choice())

    def ask_no_more(self) -> None:
        """Say no more that the connection which would answer has no key, until it had one."""
        self._not_asked_for.add(self.backend)
        self.key_missed.emit("")

    def offer_models(self) -> None:
        self._app_state.look(self._offer_models())

    def plan_changed(self, plan: ContextPlan | None) -> None:
        """Take the plan of the next request: what another model would have to read again follows from it."""
        self._plan = plan

    def known_models(self) -> Sequence[ModelChoice]:
        """Return the models of the backend that answers now, as far as they are known: nobody is asked."""
        services, choice = self._app_state.ready, self._picker.choice
        backend = services.backends.get(choice.backend) if services is not None and choice is not None else None
        if services is None or backend is None:
            return ()
        return self._known.get(backend.name) or _known_choices(backend, services.models)

    def choose_model(self, backend: str, model: str) -> None:
        self._app_state.start(self._choose(backend, model))

    def use_for_new(self, backend: str, model: str) -> None:
        """Have new threads begin with a model, and the open list of models show that."""
        self._app_state.start(self._use_for_new(backend, model))

    async def _use_for_new(self, backend: str, model: str) -> None:
        services = await self._app_state.services()
        await services.connection_states.use_for_new(backend, model)
        await self.list_models(self._picker.update_choices, self._picker.update_choices)

    async def _take_first(self, services: WindowServices, backend: str, model: str = "") -> None:
        """Have new threads begin with what was chosen first; what is chosen later is that thread's own."""
        if services.preferences.settings.default_backend is None and backend not in NOT_OFFERED:
            await services.connection_states.use_for_new(backend, model)

    def look_for_ways(self) -> None:
        """Fills the welcome pane in, as each check ends."""
        self._app_state.look(self._look_for_ways())
        self._app_state.look(self._look_at_keyring())

    def take_way(self, backend: str) -> None:
        """The one action of a card."""
        match backend:
            case "claude-cli":
                self._app_state.look(self._check_again())
            case "openai":
                self.setup_wanted.emit("", "")
            case _:
                self._app_state.start(self.take(backend))

    def take_key(self, key: str) -> None:
        """Tries a key, stores it in the system keyring and goes on with its service, which may have to be asked for."""
        services, row = self._app_state.ready, self._welcome.row("key")
        if services is None or row is None:
            return
        if "://" in key or key.startswith(("localhost", "127.0.0.1")):
            row.key.clear()
            self.setup_wanted.emit(key, "")
            return
        offered = services.connections.key_services
        told = self._service_told.get(key)
        if service := services.connections.service_of(key) or told:
            self._app_state.start(self._take_key(service, key))
            return

        def take(place: int) -> None:
            if place == len(offered):
                row.key.clear()
                self.setup_wanted.emit("", key)
                return
            self._service_told = {key: offered[place]}
            self._app_state.start(self._take_key(offered[place], key))

        row.show_problem(self.tr("Which service is this key for?"))
        row.choose_service([*(one.name for one in offered), self.tr("Another server…")], take, row.button)

    def name_service(self, key: str) -> None:
        """Shows whose key is typed, where its beginning tells."""
        services, row = self._app_state.ready, self._welcome.row("key")
        service = services.connections.service_of(key.strip()) if services is not None else None
        if row is not None:
            row.show_service(service.name if service is not None else "")

    def offer_key_pages(self) -> None:
        """Offers the pages where one gets a key, each opened in the browser."""
        services, row = self._app_state.ready, self._welcome.row("key")
        if services is None or row is None:
            return
        offered = services.connections.key_services

        def lead(place: int) -> None:
            self.link_wanted.emit(offered[place].page)

        row.choose_service([one.name for one in offered], lead, row.guide)

    async def _show_choice(self) -> None:
        services = await self._app_state.services()
        thread = self._app_state.current or self._app_state.choice_like()
        if self._welcome.isVisible():  # what is on this computer is found while a keyring lets itself be waited for
            self.look_for_ways()
        choice = await self._choice_for(services, thread)
        if choice is None and await self._took_server(services):
            choice = await self._choice_for(services, thread)
        self.chosen = choice is not None
        self._picker.show_choice(_choice(choice.backend, choice.model) if choice is not None else None)
        if choice is not None:
            self.answer_found.emit()
            self._app_state.look(self._look_for_key(services, choice.backend, thread))
            return
        self.key_missed.emit("")
        self.answer_missing.emit()
        if self._app_state.current is None:
            self.welcome_wanted.emit()

    async def _look_for_key(self, services: WindowServices, backend: Backend, thread: Thread | None) -> None:
        lacks = await services.chat.chooser.lacks_key(backend)
        other = await self._choice_for(services, thread) if lacks else None
        if other is not None and other.backend.name != backend.name:  # known from now on, so it is told once
            words = self.tr("{name} needs a key. New threads use {model} until it has one.")
            words = words.format(name=translated(backend.title), model=other.model.name)
            self.default_replaced.emit(words, backend.name)
            await self._show_choice()
        elif backend.name == self.backend:
            told = backend.name in self._not_asked_for
            self.key_missed.emit(f"{translated(backend.title)}: {translated(lacks)}" if lacks and not told else "")
            if not lacks:
                self._not_asked_for.discard(backend.name)
                self.key_found.emit()

    async def _choice_for(self, services: WindowServices, thread: Thread | None) -> ChosenModel | None:
        try:
            return await services.chat.chooser.choose(thread, interactive=True)
        except PlimsollError:
            return None

    async def _took_server(self, services: WindowServices) -> bool:
        """Takes the first server of this computer that has a model, once: what the user removes later stays away."""
        if self._looking is None:
            self._looking = asyncio.create_task(self._take_first_server(services), name="look for servers here")
        return await self._looking  # who asks meanwhile shows no cards before this has ended

    async def _take_first_server(self, services: WindowServices) -> bool:
        found = await services.connections.found_here()
        server = next((server for server in found if server.models), None)
        if server is None:
            return False
        try:
            await services.connections.use_server(server.address, model=services.connections.usual_model(server))
        except PlimsollError:
            return False
        return True

    async def _offer_models(self) -> None:
        await self.list_models(self._picker.show_choices, self._picker.update_choices)

    async def list_models(
        self,
        show: Callable[[Sequence[ModelChoice]], None],
        update: Callable[[Sequence[ModelChoice]], None],
        in_use: tuple[str, str] | None = None,
    ) -> None:
        """Shows the models as they are known, and again when a backend has said what it has.

        `in_use`: backend and model that are always among them, whatever their connection says; None: the thread's.
        """
        services = await self._app_state.services()
        if in_use is None and self._picker.choice is not None:
            in_use = self._picker.choice.key
        offered = [backend for name, backend in services.backends.items() if name not in NOT_OFFERED]
        for backend in offered:
            known_of = self._known.get(backend.name, ())
            if not known_of or known_of[0].backend_title != translated(backend.title):  # another server than it was
                self._known[backend.name] = _known_choices(backend, services.models)

        caching = {backend.name for backend in offered if backend.overhead.cache_marks}
        asking = {backend.name for backend in offered}
        recent = await _recent(services)
        default: tuple[str, str] | None = None

        def known() -> list[ModelChoice]:
            choices = [
                replace(
                    choice,
                    reach="asking" if choice.backend in asking else choice.reach,
                    recent=recent.get(choice.key, 0),
                    for_new=choice.key == default,
                )
                for backend in offered
                for choice in self._known[backend.name]
            ]
            return for_thread(_with_in_use(choices, services, in_use), self._plan, caching=caching)

        async def ask(backend: Backend) -> None:
            silent = bool(await services.connections.silent_here(backend.name))
            known_of = self._known[backend.name]
            found = await _choices(backend, services.models, known_of, silent=silent)
            keyed = services.connections.asks_with_key(backend.name)
            self._known[backend.name] = [await _learned(choice, services, keyed=keyed) for choice in found]
            asking.discard(backend.name)
            update(known())

        async def ask_default() -> None:
            nonlocal default
            like, named = self._app_state.choice_like(), services.preferences.settings.default_backend
            with suppress(PlimsollError):
                found = await services.chat.chooser.choose(like, backend=named, interactive=True)
                default = found.backend.name, found.model.id
                update(known())

        show(known())
        await asyncio.gather(ask_default(), *(ask(backend) for backend in offered))

    async def _choose(self, backend: str, model: str) -> None:
        services = await self._app_state.services()
        thread = self._app_state.current
        await self._take_first(services, backend, model)
        if thread is None:
            await self._app_state.made_thread(backend=backend, model=model)
        else:
            await services.chat.switch(thread.id, backend=backend, model=model)
        await self._show_choice()
        self.thread_ready.emit()

    async def take(self, backend: str, here: bool = False) -> bool:
        """A thread with this backend is ready: the open one, else one made now. Unless `here`, one that has messages,
        and a connection that can answer, stays open as it is: False.
        """
        services, thread = await self._app_state.services(), self._app_state.current
        if not here and thread is not None and thread.tip is not None and await self._has_own(services, thread):
            return False
        await self._take_first(services, backend)
        if thread is None:
            await self._app_state.made_thread(backend=backend)
        else:
            await services.chat.switch(thread.id, backend=backend, model=None)
        await self._show_choice()
        self.thread_ready.emit()
        return True

    async def _has_own(self, services: WindowServices, thread: Thread) -> bool:
        """Return True for a thread whose connection can answer."""
        try:
            choice = await services.chat.chooser.choose(thread, interactive=True)
            return (await choice.backend.availability()).ok
        except PlimsollError:
            return False

    async def _take_key(self, service: KeyService, key: str) -> None:
        services = await self._app_state.services()
        row = self._welcome.row("key")
        if row is None:
            return
        untested, unsaved = row.warned, row.unsaved
        row.show_busy(True)
        connection = (OPENAI.name if service.address else ANTHROPIC.name, service.address)
        problem = await tried_and_stored(
            services.connection_states, connection, key, untested=untested, unsaved=unsaved
        )
        name = ANTHROPIC.name
        try:
            if problem is None and service.address:
                name = await services.connections.use_server(service.address)
        except PlimsollError as error:
            problem = KeyProblem(error.failure)
        row.show_busy(False)
        left = not row.isVisibleTo(row.window())
        self.left_keys.pop(connection, None)
        if problem is None:
            row.key.clear()
            if not left:
                await self.take(name)
                return
            await self._take_first(services, name)
            await self._show_choice()
            self.key_told.emit(taken_words(unsaved), "", None)
            return
        row.offer_unsaved(unsaved or problem.of_keyring)
        words, button = problem_of(problem.failure, unsaved=unsaved)
        row.show_problem(words, button=button)
        if left:
            button = row.button.text() if problem.of_keyring else button

            self.left_keys[connection] = LeftKey(key, words, button)
            self.key_told.emit(words, button, lambda: self._app_state.start(self._take_key(service, key)))

    async def _check_again(self) -> None:
        """The user did what a card said: whatever answers now is taken."""
        services = await self._app_state.services()
        row = self._welcome.row("claude-cli")
        if row is not None:
            row.show_busy(True)
        services.chat.chooser.forget_usable()
        self._looking = None
        await self._show_choice()
        await self._look_for_ways()
        if row is not None:
            row.show_busy(False)

    async def _look_for_ways(self) -> None:
        services = await self._app_state.services()
        looking = asyncio.ensure_future(services.connections.found_here())
        try:
            claude, local = await asyncio.gather(
                *(_availability(services.backends.get(name)) for name in ("claude-cli", "local"))
            )
            missing = claude is None or not (claude.found or claude.ok)
            self._welcome.show_detail("claude-cli", self._words_for_claude(claude), guide=missing)
            self._welcome.show_offline(offered=local is not None and local.ok)
            lacking = next((server.name for server in await looking if not server.models), "")
            if lacking:
                words = self.tr("{name} runs here without a model. Load one there, or set up another server.")
                self._welcome.show_detail("openai", words.format(name=lacking))
        finally:
            looking.cancel()

    async def _look_at_keyring(self) -> None:
        """Says on the card of a key at once where none could be kept."""
        services, row = await self._app_state.services(), self._welcome.row("key")
        problem = await services.connection_states.keyring_problem("anthropic")
        if row is not None:
            row.detail.setText(until_closed() if problem is not None else row.way.detail)
            row.detail.setToolTip(said_here(problem) if problem is not None else "")
            row.offer_unsaved(problem is not None)

    def _words_for_claude(self, found: Availability | None) -> str:
        if found is None or (not found.found and not found.ok):
            return self.tr("Install it, then log in.")
        return translated(found.detail)


def _choice(backend: Backend, model: ModelInfo) -> ModelChoice:
    prices = (model.prices.input, model.prices.output) if model.prices is not None else None
    return ModelChoice(
        backend.name,
        translated(backend.title),
        model.id,
        model.name,
        model.window,
        prices=prices,
        cost=backend.cost_kind,
        info=model,
    )


def _with_in_use(
    choices: Sequence[ModelChoice], services: WindowServices, key: tuple[str, str] | None
) -> Sequence[ModelChoice]:
    """The choices with the model in use, which its connection may not list now: down, without a key, or by another."""
    backend = services.backends.get(key[0]) if key is not None else None
    if key is None or backend is None or any(choice.key == key for choice in choices):
        return choices
    own = _choice(backend, backend.model(key[1]))
    at = next((place for place, choice in enumerate(choices) if choice.backend == backend.name), 0)
    state = choices[at] if choices and choices[at].backend == backend.name else own
    return [*choices[:at], replace(own, reach=state.reach, detail=state.detail), *choices[at:]]


def _known_choices(backend: Backend, book: ModelLists) -> Sequence[ModelChoice]:
    """The models the provider listed last, else those of the shipped tables, before the backend has been asked."""
    if kept := book.known(backend):
        return [_choice(backend, model) for model in kept]
    default, models = backend.model(backend.default_model), shipped_models(backend.name)
    if default.id not in {model.id for model in models}:
        models = (default,)  # a compatible server serves other models than the shipped ones
    return [_choice(backend, model) for model in models]


async def _availability(backend: Backend | None) -> Availability | None:
    """None where there is no such backend, or it does not say in time."""
    if backend is None:
        return None
    try:
        return await asyncio.wait_for(backend.availability(), ANSWER_WAIT_S)
    except TimeoutError:
        return None


async def _choices(
    backend: Backend, book: ModelLists, known: Sequence[ModelChoice], *, silent: bool
) -> Sequence[ModelChoice]:
    """The models a backend offers now, or the known ones where it can't be asked. `silent`: no server is there."""
    found = await _availability(backend)
    if found is not None and not found.ok:
        title, reach = translated(backend.title), _reach(backend, found)
        return [ModelChoice(backend.name, title, "", "", available=False, detail=translated(found.detail), reach=reach)]
    listed = [choice for choice in known if choice.available]
    # nobody said anything in time, which a busy computer may be the reason for
    unknown = [replace(choice, reach="unknown") for choice in listed]
    if silent:
        return [replace(choice, reach="unreachable") for choice in listed]
    if found is None:
        return unknown
    try:
        models = await asyncio.wait_for(book.list(backend), LIST_WAIT_S)
    except TimeoutError:
        return unknown
    except PlimsollError as error:
        detail, reached = translated(error.failure.message), _reach_of(error.failure)
        return [replace(choice, reach=reached, detail=detail) for choice in listed]
    return [_choice(backend, model) for model in models]


async def _learned(choice: ModelChoice, services: WindowServices, *, keyed: bool) -> ModelChoice:
    """The choice with the window that a refusal told. `keyed`: no server that takes a key is known to be free."""
    if keyed and choice.cost == "free":
        choice = replace(choice, cost="money", prices=None)
    if choice.info is None:
        return choice
    info = await services.chat.windows.applied(choice.backend, choice.info)
    return replace(choice, window=info.window, info=info)


def _reach_of(failure: Failure) -> Reach:
    if not {"add_key", "replace_key"}.isdisjoint(failure.actions):
        return "key"
    return "unreachable" if failure.code == "network" else "trouble"


def _reach(backend: Backend, found: Availability) -> Reach:
    """Why a backend can't be used."""
    if takes_key(backend.name):
        return "key"
    return "trouble" if found.found else "missing"


async def _recent(services: WindowServices) -> dict[tuple[str, str], int]:
    """The models that answered lately: 1 for the last one."""
    try:
        used = await services.history.recent_models()
    except PlimsollError:
        return {}
    return {key: number for number, key in enumerate(used, 1)}
