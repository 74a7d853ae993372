"""The flows behind the connections page: reads every connection's state, tries, replaces, removes, sets up a server."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from datetime import date, timedelta
from pathlib import Path
from typing import Any

from PySide6.QtCore import QObject, QTimer, Signal

from desktop_app.controller.connections import ConnectionState, FoundServer
from desktop_app.core.backend_descriptors import KEY_VARIABLES, OPENAI, backend_descriptor, is_server
from desktop_app.core.errors import KeyringError, PlimsollError
from desktop_app.core.events import SettingsChanged
from desktop_app.core.messages import Thread
from desktop_app.core.model_catalog import ModelInfo
from desktop_app.core.phrases import having, phrase
from desktop_app.system.system_clock import utc_now
from desktop_app.ui.connections.available_models import (
    LeftKey,
    ServerEntry,
    problem_of,
    said_here,
    taken_words,
    tried_and_stored,
    until_closed,
)
from desktop_app.ui.connections.connections_page import (
    ConnectionId,
    ConnectionsPage,
    ConnectionView,
    ServiceOffer,
    found_words,
)
from desktop_app.ui.i18n.language import day_of_year, grouped, translated
from desktop_app.ui.models.model_choice import ModelChoice
from desktop_app.ui.state.app_state import AppState
from desktop_app.ui.state.services import WindowServices
from desktop_app.ui.widgets.floating import Toast, asked_files

SERVER_BACKEND = OPENAI.name
"""The name of no server in particular: all of them speak its protocol."""

Take = Callable[[str, bool], Coroutine[Any, Any, bool]]
"""Makes a thread with a backend ready. The flag: the open one, else where that has no other; return False if it has."""


class ServerPresenter(QObject):
    """`add` goes on with a backend that was set up. `typed` stood in the form when it was left before."""

    def __init__(
        self,
        app_state: AppState,
        page: ConnectionsPage,
        add: Callable[[str], Awaitable[None]],
        parent: QObject,
        *,
        typed: ServerEntry | None = None,
    ) -> None:
        super().__init__(parent)
        self._typed = typed
        self._app_state = app_state
        self._page = page
        self._add = add
        self._using = False
        form = page.server
        form.edited.connect(self._warn)
        form.test_requested.connect(self._start_test)
        form.use_requested.connect(self._start_use)
        form.unlock_requested.connect(lambda: app_state.start(self._unlock()))

    def prepare(self, services: WindowServices) -> None:
        """Fills the form with the services there are, and with the address that is set now."""
        offers = [
            ServiceOffer(one.name, one.base_url, one.needs_key, bool(one.port)) for one in services.connections.services
        ]
        typed, self._typed = self._typed, None
        own = typed is not None and not typed.address and bool(typed.key)
        self._page.server.set_services(offers, typed.address if typed else "", own=own)
        if typed is not None:
            self._page.server.name.setText(typed.name)
            if typed.key:
                self._page.server.take_key(typed.key)

    async def look_at_keyring(self, services: WindowServices) -> bool:
        """Has the form say beside a key where none could be saved; whether that is so."""
        problem = await services.connection_states.keyring_problem(SERVER_BACKEND)
        reason = said_here(problem) if problem is not None else ""
        self._page.server.show_keyring(until_closed() if reason else "", reason)
        return problem is not None

    def offer_key(self, services: WindowServices, key: str) -> None:
        """Has a key in the form, for the first of the services that need one."""
        address = next((one.base_url for one in services.connections.services if one.needs_key), "")
        self._typed = ServerEntry(address, key)
        self.prepare(services)
        form = self._page.server
        form.key.setFocus()
        self._show_whole_form()

    def _start_test(self, entry: ServerEntry) -> None:
        self._page.server.show_testing()
        self._app_state.look(self._test(entry))

    async def _test(self, entry: ServerEntry) -> None:
        services, form = await self._app_state.services(), self._page.server
        try:
            server = await services.connections.try_server(entry.address, entry.key)
        except PlimsollError as error:
            if form.entry == entry:  # what was typed meanwhile has not been tried
                failure = error.failure
                lacks_list = failure.code in ("not_found", "backend")
                # of what is set up wrongly, only a lack of a key can be tried again as it is
                of_key = not {"replace_key", "retry"}.isdisjoint(failure.actions)
                wants_key = failure.code == "auth" or (failure.code == "config" and of_key)
                form.show_problem(said_here(failure), wants_key=wants_key, may_name_model=lacks_list)
                form.unlock.setVisible("unlock_keyring" in failure.actions)
        else:
            if form.entry == entry:
                self._show_tried(services, server)
        self._show_whole_form()

    def _show_tried(self, services: WindowServices, server: FoundServer) -> None:
        form = self._page.server
        if not server.models:
            words = self.tr(
                "{name} answers, but lists no models. Load one there and test again, or enter its name here."
            )
            form.show_problem(words.format(name=server.name), may_name_model=True)
            return
        preferred = services.connections.usual_model(server)
        form.show_works(server.address, [self._choice(server, model) for model in server.models], preferred)

    def _start_use(self, entry: ServerEntry, model: str) -> None:
        if not self._using:  # the button stays enabled, as the keyboard is on it
            self._using = True
            self._app_state.start(self._use(entry, model))

    async def _use(self, entry: ServerEntry, model: str) -> None:
        services, form = await self._app_state.services(), self._page.server
        unsaved = form.unsaved
        try:
            name = await services.connections.use_server(
                entry.address, key=entry.key, model=model, called=entry.name, unsaved=unsaved
            )
        except PlimsollError as error:
            form.show_not_used(said_here(error.failure))
            if isinstance(error, KeyringError):  # a dialog for its password that was closed among them
                form.show_keyring(until_closed(), said_here(error.failure))
            form.unlock.setVisible("unlock_keyring" in error.failure.actions)
            self._show_whole_form()
            return
        finally:
            self._using = False
        form.clear()
        await self._add(name)

    async def _unlock(self) -> None:
        """Has the system ask for the keyring's password, then does what waits for it."""
        if self._using:
            return
        self._using = True
        services, form = await self._app_state.services(), self._page.server
        try:
            await services.connection_states.unlock(SERVER_BACKEND, form.entry.address)
        except PlimsollError as error:
            form.show_not_used(said_here(error.failure))
            return
        finally:
            self._using = False
        form.show_keyring("", "")
        form.go_on()

    def _warn(self, entry: ServerEntry) -> None:
        """Says where a key could be read by others on its way."""
        services = self._app_state.ready
        open_to_others = services is not None and bool(entry.key) and services.connections.would_be_read(entry.address)
        words = self.tr(
            "This address is not encrypted: others on the network can read the key and every message. "
            "Use https, or a network that only you use."
        )
        self._page.server.show_warning(words if open_to_others else "")

    def _choice(self, server: FoundServer, model: ModelInfo) -> ModelChoice:
        prices = (model.prices.input, model.prices.output) if model.prices is not None else None
        return ModelChoice(SERVER_BACKEND, server.name, model.id, model.name, model.window, prices=prices, info=model)

    def _show_whole_form(self) -> None:
        """Scroll to the result of a test, maybe below the edge; the layout is done in the next turn of the loop."""
        form = self._page.server
        QTimer.singleShot(0, form, lambda: self._page.bring(form.use))


class ConnectionsPresenter(QObject):
    """Keeps the page true while it is shown. `finished`: what it was opened for is done.

    `take` makes a thread with a backend ready; `answers` tells whether something would answer now. `key_of`: the
    backend whose key is to be replaced, "" for none. `typed` stood in the form when it was left before, `left_keys` on
    the cards of connections.
    """

    finished = Signal()
    entry_left = Signal(object)  # Entry: what stood in the form for a server

    def __init__(
        self,
        app_state: AppState,
        page: ConnectionsPage,
        toast: Toast,
        *,
        take: Take,
        answers: Callable[[], bool],
        left_keys: dict[ConnectionId, LeftKey],
        parent: QObject,
        key_of: str = "",
        typed: ServerEntry | None = None,
    ) -> None:
        super().__init__(parent)
        self._app_state = app_state
        self.page = page
        self._toast = toast
        self._take = take
        self._answers = answers
        self._left_keys = left_keys
        self._key_of = key_of
        self._lacking = key_of  # a server that refused may need a key although it is on this computer
        self._typed_key: tuple[str, Callable[[], None]] | None = None  # no longer than until its field is there
        self._ended = self._no_keyring = False
        self._servers = ServerPresenter(app_state, page, self._add, self, typed=typed)
        self._asked = 0
        app_state.bridge.subscribe(SettingsChanged, self.refresh)
        page.connect_requested.connect(lambda one: app_state.start(self._connect(one)))
        page.use_requested.connect(lambda one: app_state.start(self._use(one)))
        page.test_requested.connect(lambda one: app_state.look(self._test(one)))
        page.key_entered.connect(lambda one, key: app_state.start(self._store(one, key)))
        page.edited.connect(lambda one, entry: app_state.start(self._edit(one, entry)))
        page.remove_requested.connect(lambda one: app_state.start(self._remove(one)))
        page.file_requested.connect(lambda _: app_state.start(self._choose_file()))
        self.refresh()

    def refresh(self, _fact: object = None) -> None:
        """Reads what is there again."""
        if not self._ended:
            self._asked += 1
            self._app_state.look(self._read(self._asked))

    def end(self) -> None:
        self._ended = True
        for row in self.page.rows:
            if (left := row.left_key) is not None:
                self._left_keys[row.view.id] = left
            else:
                self._left_keys.pop(row.view.id, None)
        self.entry_left.emit(self.page.server.entry)

    async def _read(self, asked: int) -> None:
        services = await self._app_state.services()
        self._servers.prepare(services)
        self._no_keyring = await self._servers.look_at_keyring(services)
        looking = asyncio.ensure_future(services.connections.found_here())
        try:
            states = await services.connection_states.all()
            named = services.preferences.settings.default_backend
            default = await _of_choice(services, self._app_state.choice_like(), named)
            here = await _of_choice(services, self._app_state.current) if self._app_state.current is not None else None
            if asked == self._asked:
                self._show(services, states, (default, here), ())
            if (found := await looking) and asked == self._asked:  # what was asked for later is newer
                self._show(services, states, (default, here), found)
        finally:
            looking.cancel()

    def _show(
        self,
        services: WindowServices,
        states: Sequence[ConnectionState],
        used: tuple[ConnectionId | None, ConnectionId | None],
        here: Sequence[FoundServer],
    ) -> None:
        if self._ended:
            return
        local = services.backends.get("local")
        model = local.model(local.default_model).name if local is not None else ""
        path = services.preferences.settings.backend("local").model_path
        views = [self._view(state, used, model, path) for state in states]
        ready = [
            view
            for state, view in zip(states, views, strict=True)
            if view.default or view.needs_key or _is_set_up(state)
        ]
        known = {state.address for state in states}
        further = [view for view in views if view not in ready]
        further += [view for view in map(self._found, here) if view.id[1] not in known]
        known |= {view.id[1] for view in further}
        further += [
            ConnectionView(
                (SERVER_BACKEND, one.address),
                "key",
                one.name,
                one.address,
                unsaved=self._no_keyring,
                key=self.tr("Add key"),
            )
            for one in services.connections.key_services
            if one.address not in known and (SERVER_BACKEND, one.address) in self._left_keys
        ]
        ready.sort(key=lambda view: not view.needs_key)
        self.page.show_connections(ready, further, self._left_keys)
        self.page.lead_to_key()
        self._ask_for_key(services)

    def set_up_server(self) -> None:
        """Leads to the form for a server, with the keyboard in its first field."""
        self.page.server.focus_first()
        self.page.bring(self.page.server)
        # rows come above it
        self.page.scroller.verticalScrollBar().rangeChanged.connect(self._keep_form_in_view)

    def _keep_form_in_view(self) -> None:
        form = self.page.server
        if form.address.hasFocus():
            self.page.bring(form)
        else:  # somebody went on
            self.page.scroller.verticalScrollBar().rangeChanged.disconnect(self._keep_form_in_view)

    def take_key(self, key: str, taken: Callable[[], None]) -> None:
        """Has a key that was typed elsewhere in the field for the backend's key; `taken` once it stands there."""
        self._typed_key = key, taken

    def _ask_for_key(self, services: WindowServices) -> None:
        if not self._key_of:
            return
        of_server = is_server(self._key_of)
        row, self._key_of = self.page.row((self._key_of, services.connections.address_of(self._key_of))), ""
        typed, self._typed_key = self._typed_key, None
        if row is None and of_server and typed is not None:
            self._servers.offer_key(services, typed[0])
            typed[1]()
        if row is None:
            return
        if row.view.key:
            row.edit_key()
            if typed is not None:
                row.key.setText(typed[0])
                typed[1]()
        QTimer.singleShot(0, row, lambda: self.page.bring(row))

    def _view(
        self,
        state: ConnectionState,
        used: tuple[ConnectionId | None, ConnectionId | None],
        model: str,
        path: str | None,
    ) -> ConnectionView:
        local, server = state.backend == "local", bool(state.address)
        default, here = (state.id == one for one in used)
        lacks_key = state.backend == self._lacking and not (state.key_source or state.locked)
        note, trouble = self._note(state, default=default)
        if lacks_key and state.usable:
            words = translated(phrase("There is no key for {name} yet. Paste one.", name=state.name))
            note, trouble = f"{words} {note}".rstrip(), True
        stored = state.key_source in ("keyring", "memory")
        key = self.tr("Replace key") if stored else self.tr("Add key") if not state.key_source else ""
        remove = self.tr("Remove") if server and not state.fixed else self.tr("Remove key") if stored else ""
        if local and path:
            remove = self.tr("Use the small model")
        return ConnectionView(
            state.id,
            backend_descriptor(state.backend).icon,
            translated(state.name),
            self._facts(state, model if local else "", here=here, set_up=default or _is_set_up(state)),
            state.usable and not server,
            note,
            trouble,
            unsaved=(bool(state.keyring_problem) and not state.locked)
            or state.key_source == "memory"
            or (self._no_keyring and not state.key_source),
            locked=state.locked,
            needs_key=lacks_key
            or (
                ((default or here) and state.takes_key)
                and not (state.usable or state.key_source or state.keyring_problem)
            ),
            default=default,
            use=self.tr("Use for new threads") if state.usable and not default else "",
            test=self._test_words(state),
            key=key if lacks_key or (state.takes_key and not state.fixed) else "",
            edit=self.tr("Edit") if server and not state.fixed else "",
            remove=remove,
            file=self.tr("Choose a GGUF file") if local else "",
        )

    def _test_words(self, state: ConnectionState) -> str:
        if state.locked:
            return self.tr("Unlock keyring")
        if state.usable or state.key_source:
            return self.tr("Test") if state.backend != "local" else ""
        lacks_key = state.takes_key and not state.keyring_problem
        return "" if lacks_key else self.tr("Check again")

    def _facts(self, state: ConnectionState, model: str, *, here: bool, set_up: bool) -> str:
        facts = list(filter(None, (state.address or state.host,)))
        if model and state.usable:
            facts.append(model)
        if state.key_source and state.key_end:
            facts.append(self.tr("Key ends in {end}").format(end=state.key_end))
        elif state.key_source:
            facts.append(self.tr("Key is set"))
        if state.key_source == "memory":
            facts.append(self.tr("Until Plimsoll closes"))
        if here:
            facts.append(self.tr("Used in this thread"))
        if state.last_used and set_up:
            facts.append(self._last_used(date.fromisoformat(state.last_used)))
        return " · ".join(facts)

    def _last_used(self, day: date) -> str:
        today = utc_now().date()
        if day >= today:
            return self.tr("Last used today")
        if day == today - timedelta(days=1):
            return self.tr("Last used yesterday")
        return self.tr("Last used {day}").format(day=day_of_year(day))

    def _note(self, state: ConnectionState, *, default: bool) -> tuple[str, bool]:
        """One sentence below the facts, and whether it tells of trouble."""
        if state.keyring_problem:
            way_out = "" if state.locked else self.tr("A key used without saving works until Plimsoll closes.")
            return f"{translated(state.keyring_problem)} {way_out}".rstrip(), _is_set_up(state) and not state.usable
        if not state.usable:
            return translated(having(state.detail, where="")), default or bool(state.key_source or state.address)
        if state.key_source == "environment":
            words = self.tr("The key comes from {variable} in the environment. Change or remove it there.")
            return words.format(variable=KEY_VARIABLES.get(state.backend, KEY_VARIABLES[SERVER_BACKEND])), False
        if state.backend == "claude-cli":
            return translated(state.detail), False
        return "", False

    def _found(self, server: FoundServer) -> ConnectionView:
        words = self.tr("{name} runs on this computer, but has no model yet. Load one there.").format(name=server.name)
        if server.models:
            words = self.tr("Runs on this computer, with {model}.")
            if len(server.models) > 1:
                words = self.tr("Runs on this computer, with {model} and {count} more.")
            words = words.format(model=server.models[0].name, count=grouped(len(server.models) - 1))
        connect = self.tr("Use {name}").format(name=server.name) if server.models else ""
        again = "" if server.models else self.tr("Check again")
        return ConnectionView(
            (SERVER_BACKEND, server.address), "computer", server.name, words, connect=connect, test=again
        )

    async def _connect(self, connection: ConnectionId) -> None:
        """Takes a server that was found here."""
        services = await self._app_state.services()
        self._show_busy(connection, self.tr("Connecting…"))
        try:
            await self._add(await services.connections.use_server(connection[1]))
        except PlimsollError as error:
            self._tell(connection, error)
        else:
            self._show_busy(connection, "")

    async def _add(self, backend: str) -> None:
        """Goes on with a connection that was set up; nobody is led out of a thread that has another."""
        if not await self._take(backend, False):
            name = translated((await self._app_state.services()).backends[backend].title)
            words = self.tr("Connected to {name}").format(name=name)
            use = self.tr("Use in this thread")
            self._toast.show_message(words, use, lambda: self._app_state.start(self._take(backend, True)))

    async def _use(self, connection: ConnectionId) -> None:
        services = await self._app_state.services()
        try:
            await services.connection_states.use_for_new(connection[0])
        except PlimsollError as error:
            self._tell(connection, error)

    async def _test(self, connection: ConnectionId) -> None:
        services = await self._app_state.services()
        if (row := self.page.row(connection)) is not None and row.view.locked:
            try:
                await services.connection_states.unlock(*connection)
            except PlimsollError as error:
                self._tell(connection, error)
            else:
                row.show_problem("")
            return
        self._show_busy(connection, self.tr("Testing…"))
        try:
            count = await services.connection_states.test(*connection)
        except PlimsollError as error:
            self._tell(connection, error)
            if row is not None and not row.view.key and error.failure.code in ("auth", "config"):
                self._lacking = connection[0]  # what is read next has the field for its key
                self.refresh()
            return
        self._show_busy(connection, "")
        self._show_result(connection, count)
        self.refresh()  # a program that was installed meanwhile is there now

    async def _store(self, connection: ConnectionId, key: str) -> None:
        services = await self._app_state.services()
        row = self.page.row(connection)
        untested, unsaved = (row.warned, row.unsaved) if row is not None else (False, False)
        answered = self._answers()
        self._show_busy(connection, self.tr("Testing…"))
        problem = await tried_and_stored(
            services.connection_states, connection, key, untested=untested, unsaved=unsaved
        )
        self._show_busy(connection, "")
        row = self.page.row(connection)
        if problem is not None:
            words, button = problem_of(problem.failure, unsaved=unsaved)
            if self._ended:  # nobody reads the card
                self._left_keys[connection] = LeftKey(key, words, button)
                self._toast.show_message(words)
            elif row is not None:
                row.offer_unsaved(unsaved or problem.of_keyring)
                row.show_problem(words, button=button)
                row.edit_key()
            return
        self._left_keys.pop(connection, None)
        if row is not None:
            row.key.clear()
            row.close_key()
            row.show_result(self.tr("Saved without testing") if untested and not unsaved else taken_words(unsaved))
        backend, address = connection
        if address and not services.connections.name_at(address):  # the key of a service, from the welcome card
            backend = await services.connections.use_server(address)
        if not answered:
            await self._take(backend, False)
            self._toast.show_message(taken_words(unsaved))
        elif self._lacking and not self._ended:
            self._toast.show_message(taken_words(unsaved))
            self.finished.emit()

    async def _edit(self, connection: ConnectionId, entry: ServerEntry) -> None:
        services, row = await self._app_state.services(), self.page.row(connection)
        if row is None:
            return
        untested, unsaved = row.warned, row.unsaved and bool(entry.key)
        self._show_busy(connection, self.tr("Testing…"))
        try:
            bring_back = await services.connection_states.change(
                connection[0], entry.address, key=entry.key, called=entry.name, untested=untested, unsaved=unsaved
            )
        except PlimsollError as error:
            self._show_busy(connection, "")
            if (row := self.page.row(connection)) is not None:
                row.offer_unsaved(unsaved or isinstance(error, KeyringError))
                words, button = problem_of(error.failure, unsaved=unsaved)
                if not entry.key:
                    words = said_here(error.failure)
                row.show_problem(words, button=button)
            return
        self._show_busy(connection, "")
        if (row := self.page.row(connection)) is not None:
            row.key.clear()
            row.close_key()
        self._offer_undo(self.tr("Connection saved"), bring_back)

    def _offer_undo(self, words: str, bring_back: Callable[[], Awaitable[None]]) -> None:
        self._toast.show_message(words, self.tr("Undo"), lambda: self._app_state.start(self._brought_back(bring_back)))

    async def _remove(self, connection: ConnectionId) -> None:
        services = await self._app_state.services()
        if connection[0] == "local":
            await services.preferences.set_value("backends.local.model_path", None)
            return
        try:
            threads = await services.connection_states.threads_of(connection[0]) if connection[1] else 0
            bring_back = await services.connection_states.remove(*connection)
        except PlimsollError as error:
            self._tell(connection, error)
            return
        words = self.tr("Connection removed") if connection[1] else self.tr("Key removed")
        if threads:
            words = self.tr("Connection removed. 1 thread uses it: choose another model there, or add it again.")
        if threads > 1:
            words = self.tr("Connection removed. {count} threads use it: choose another model there, or add it again.")
        self._offer_undo(words.format(count=grouped(threads)), bring_back)

    async def _brought_back(self, bring_back: Callable[[], Awaitable[None]]) -> None:
        try:
            await bring_back()
        except PlimsollError as error:
            self._toast.show_message(said_here(error.failure))

    async def _choose_file(self) -> None:
        paths = await asked_files(self.page.window(), self.tr("Choose a GGUF file"))
        if paths and not self._ended:
            await self._take_file(paths[0])

    async def _take_file(self, path: Path) -> None:
        services = await self._app_state.services()
        try:
            await services.connection_states.use_file(path)
        except PlimsollError as error:
            self._tell(("local", ""), error)

    def _show_busy(self, connection: ConnectionId, words: str) -> None:
        if (row := self.page.row(connection)) is not None:
            row.show_busy(words)

    def _show_result(self, connection: ConnectionId, count: int | None) -> None:
        if (row := self.page.row(connection)) is not None:
            row.show_result(self.tr("Works") if count is None else found_words(count))

    def _tell(self, connection: ConnectionId, error: PlimsollError) -> None:
        if (row := self.page.row(connection)) is not None:
            row.show_busy("")
            row.show_problem(said_here(error.failure))


def _is_set_up(state: ConnectionState) -> bool:
    # a keyring that can't be asked may hold the key of what was used before
    locked_in = state.keyring_problem and state.last_used
    return state.usable or bool(state.key_source or state.address or locked_in)


async def _of_choice(services: WindowServices, thread: Thread | None, named: str | None = None) -> ConnectionId | None:
    """The connection that answers in a thread, or in a new one (None), unless one is `named`; None: there is none."""
    try:
        choice = await services.chat.chooser.choose(thread, backend=named, interactive=True)
    except PlimsollError:
        return None
    name = choice.backend.name
    return name, services.connections.address_of(name)
