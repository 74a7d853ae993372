"""The setup of a server by its address on the connections page: offered, tried, taken. Sends no message."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, QTimer

from desktop_app.core.backend_descriptors import OPENAI
from desktop_app.core.errors import PlimsollError
from desktop_app.core.model_catalog import ModelInfo
from desktop_app.ui.connections.connections_page import ConnectionsPage
from desktop_app.ui.connections.key_entry import said_here, until_closed
from desktop_app.ui.connections.server_form import ServerEntry, ServiceOffer
from desktop_app.ui.models.model_choice import ModelChoice
from desktop_app.ui.state.app_state import AppState
from desktop_app.ui.state.services import WindowServices

if TYPE_CHECKING:  # the controller is loaded after the first paint
    from desktop_app.controller.connections import FoundServer

SERVER_BACKEND = OPENAI.name
"""The backend of every server that is set up by its address."""

Take = Callable[[str], Coroutine[Any, Any, None]]


class ServerPresenter(QObject):
    """`take` makes a thread with a backend ready. `typed` stood in the form when it was left before."""

    def __init__(
        self,
        app_state: AppState,
        page: ConnectionsPage,
        take: Take,
        parent: QObject,
        *,
        typed: ServerEntry | None = None,
    ) -> None:
        super().__init__(parent)
        self._typed = typed
        self._app_state = app_state
        self._page = page
        self._take = take
        self._using = False
        form = page.server
        form.edited.connect(self._warn)
        form.test_requested.connect(self._start_test)
        form.use_requested.connect(self._start_use)

    def prepare(self, services: WindowServices) -> None:
        """Fills the form with the services there are, and with the address that is set now."""
        offers = [
            ServiceOffer(one.name, one.base_url, one.needs_key, bool(one.port)) for one in services.connections.services
        ]
        typed, self._typed = self._typed, None
        self._page.server.set_services(offers, typed.address if typed else services.connections.address)
        if typed is not None and typed.key:
            self._page.server.take_key(typed.key)

    async def look_at_keyring(self, services: WindowServices) -> bool:
        """Has the form say beside a key where none could be saved; whether that is so."""
        problem = await services.connection_states.keyring_problem(SERVER_BACKEND, services.connections.current)
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
            await services.connections.use_server(entry.address, key=entry.key, model=model, unsaved=unsaved)
        except PlimsollError as error:
            form.show_not_used(said_here(error.failure))
            if not unsaved:
                await self.look_at_keyring(services)
            self._show_whole_form()
            return
        finally:
            self._using = False
        form.clear_key()
        await self._take(SERVER_BACKEND)

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
        return ModelChoice(SERVER_BACKEND, server.name, model.id, model.name, model.window, prices=prices)

    def _show_whole_form(self) -> None:
        """Scroll to the result of a test, which may lie below the edge; the layout is done in the next turn of the
        loop.
        """
        form = self._page.server
        QTimer.singleShot(0, form, lambda: self._page.bring(form.use))
