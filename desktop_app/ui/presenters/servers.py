"""Owns how a server or a key is set up in the welcome pane: offered, tried, taken. Sends no message."""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Sequence
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, QTimer

from desktop_app.core.catalog import ModelInfo
from desktop_app.core.errors import PlimsollError
from desktop_app.core.messages import Failure
from desktop_app.ui.composer.model_choice import ModelChoice
from desktop_app.ui.desk import Desk
from desktop_app.ui.language import spoken
from desktop_app.ui.services import Services
from desktop_app.ui.welcome.pane import WelcomePane
from desktop_app.ui.welcome.server_form import Entry, ServiceOffer
from desktop_app.ui.welcome.way_row import Way

if TYPE_CHECKING:  # the controller is loaded after the first paint
    from desktop_app.controller.connections import Server

SERVER_BACKEND = "openai"
"""The backend of every server that is set up by its address."""

Take = Callable[[str], Coroutine[Any, Any, None]]


class Servers(QObject):
    """`take` makes a thread with a backend ready, as each way of the pane does."""

    def __init__(self, desk: Desk, welcome: WelcomePane, take: Take) -> None:
        super().__init__(welcome)
        self._desk = desk
        self._welcome = welcome
        self._take = take
        form = welcome.server
        form.edited.connect(self._warn)
        form.test_requested.connect(self._start_test)
        form.use_requested.connect(lambda entry, model: desk.start(self._use(entry, model)))
        welcome.server_taken.connect(lambda address: desk.start(self._use_found(address)))

    def prepare(self, services: Services) -> None:
        """Fills the form with the services there are, and with the address that is set now."""
        offers = [
            ServiceOffer(one.name, one.base_url, one.needs_key, bool(one.port)) for one in services.connections.services
        ]
        self._welcome.server.set_services(offers, services.connections.address)

    async def ways_here(self, services: Services) -> Sequence[Way]:
        """A way for each server that answers on this computer."""
        return [self._way(server) for server in await services.connections.found_here()]

    async def take_key(self, backend: str, key: str) -> None:
        """Tries a key with one free call, stores it in the system keyring and goes on with its backend.

        Where the provider could not be reached, the user may store it all the same: they may be offline just now.
        """
        services = await self._desk.services()
        row = self._welcome.row(backend)
        insisted = row is not None and row.warned
        self._show_busy(backend, True)
        failure: Failure | None = None
        try:
            if not insisted:
                await services.connections.try_key(backend, key)
            await services.preferences.set_key(backend, key)
        except PlimsollError as error:
            failure = error.failure
        self._show_busy(backend, False)
        row = self._welcome.row(backend)
        if failure is None:
            if row is not None:
                row.key.clear()
            await self._take(backend)
        elif row is not None:
            untold = failure.code in ("network", "rate_limited", "overloaded", "backend")
            row.show_problem(_here(failure), button=self.tr("Store untested") if untold else "")

    def _start_test(self, entry: Entry) -> None:
        self._welcome.server.show_testing()
        self._desk.look(self._test(entry))

    async def _test(self, entry: Entry) -> None:
        services, form = await self._desk.services(), self._welcome.server
        try:
            server = await services.connections.try_server(entry.address, entry.key)
        except PlimsollError as error:
            if form.entry == entry:  # what was typed meanwhile has not been tried
                failure = error.failure
                lacks_list = failure.code in ("not_found", "backend")
                wants_key = failure.code in ("auth", "config") and "key" in failure.message
                form.show_problem(_here(failure), wants_key=wants_key, may_name_model=lacks_list)
        else:
            if form.entry == entry:
                self._show_tried(services, server)
        self._show_whole_form()

    def _show_tried(self, services: Services, server: Server) -> None:
        form = self._welcome.server
        if not server.models:
            words = self.tr("{name} answers, but lists no models. Load one there and test again, or name it here.")
            form.show_problem(words.format(name=server.name), may_name_model=True)
            return
        preferred = services.connections.usual_model(server)
        form.show_works(server.address, [self._choice(server, model) for model in server.models], preferred)

    async def _use(self, entry: Entry, model: str) -> None:
        services, form = await self._desk.services(), self._welcome.server
        form.use.setEnabled(False)
        try:
            await services.connections.use_server(entry.address, key=entry.key, model=model)
        except PlimsollError as error:
            form.show_problem(_here(error.failure), may_name_model=False)
            self._show_whole_form()
            return
        form.clear_key()
        await self._take(SERVER_BACKEND)

    async def _use_found(self, address: str) -> None:
        services = await self._desk.services()
        self._show_busy(SERVER_BACKEND, True, address)
        failure: Failure | None = None
        try:
            await services.connections.use_server(address)
            await self._take(SERVER_BACKEND)
        except PlimsollError as error:
            failure = error.failure
        self._show_busy(SERVER_BACKEND, False, address)
        row = self._welcome.row(SERVER_BACKEND, address)
        if row is not None and failure is not None:
            row.show_problem(_here(failure))

    def _warn(self, entry: Entry) -> None:
        """Says where a key could be read by others on its way."""
        services = self._desk.ready
        open_to_others = services is not None and bool(entry.key) and services.connections.would_be_read(entry.address)
        words = self.tr(
            "This address is not encrypted: others on the network can read the key and every message. "
            "Use https, or a network that only you use."
        )
        self._welcome.server.show_warning(words if open_to_others else "")

    def _way(self, server: Server) -> Way:
        detail = self.tr("Runs on this computer, with {model}.")
        if len(server.models) > 1:
            detail = self.tr("Runs on this computer, with {model} and {count} more.")
        first = server.models[0].name if server.models else ""
        detail = detail.format(model=first, count=len(server.models) - 1)
        button = self.tr("Use {name}").format(name=server.name)
        if not server.models:
            detail = self.tr("{name} runs on this computer, but has no model yet. Load one there.").format(
                name=server.name
            )
            button = ""
        return Way(SERVER_BACKEND, "computer", server.name, detail, button, address=server.address)

    def _choice(self, server: Server, model: ModelInfo) -> ModelChoice:
        prices = (model.prices.input, model.prices.output) if model.prices is not None else None
        return ModelChoice(SERVER_BACKEND, server.name, model.id, model.name, model.window, prices=prices)

    def _show_busy(self, backend: str, busy: bool, address: str = "") -> None:
        row = self._welcome.row(backend, address)
        if row is not None:
            row.show_busy(busy)

    def _show_whole_form(self) -> None:
        """What a test brought may lie below the edge; the layout is done in the next turn of the loop."""
        form = self._welcome.server
        QTimer.singleShot(0, form, lambda: self._welcome.ensureWidgetVisible(form.use, 0, 48))


def _here(failure: Failure) -> str:
    """The failure for somebody who is under Connections already."""
    # other languages say where all the same: words can't be cut out of every sentence
    return spoken(failure.message).replace(" under Connections", "")
