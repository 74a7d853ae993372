"""State of each connection for its page: its key, its models, and what new threads use.

Of a key only its last signs are told.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal, TypeAlias

from desktop_app.backends.backend_protocol import Availability, Backend
from desktop_app.backends.local.model_file import fault_before_use
from desktop_app.backends.openai.server_presets import place_at
from desktop_app.controller.connection_setup import BACKEND, ConnectionSetup
from desktop_app.controller.known_keys import RememberedKeys
from desktop_app.controller.model_lists import ModelLists
from desktop_app.controller.ports import History
from desktop_app.controller.preferences import Preferences
from desktop_app.controller.server_addresses import key_entry, usual_form
from desktop_app.controller.settings_file import SettingValue
from desktop_app.core.backend_descriptors import BACKENDS, KEY_VARIABLES, backend_descriptor
from desktop_app.core.errors import KeyringError, PlimsollError, UserError
from desktop_app.core.messages import Failure
from desktop_app.core.phrases import phrase

KeySource: TypeAlias = Literal["", "keyring", "environment", "memory"]
"""`memory`: no keyring took the key, so that it is gone when Plimsoll closes."""

SIGNS: Final = 4
"""Signs of a key's end that are shown, and of a short one none: they would be most of it."""
SHORTEST_SHOWN: Final = 3 * SIGNS
ASKED_FOR_S: Final = 4.0
"""Seconds that a backend may take to say if it can be used."""


@dataclass(frozen=True, slots=True)
class ConnectionState:
    """One way to a model. `address`: of a server ("" for the others); `name` for people.

    `usable`: what `detail` says keeps it from being used where it is False. `key_end`: the last signs of the key
    ("" for none, or a short one). `keyring_problem`: why the keyring could not say; `locked`: it will, once it
    is unlocked. `last_used`: an ISO day, "" for never or unknown. `in_use`: this server is the one that its
    backend asks now.
    """

    backend: str
    name: str
    address: str = ""
    usable: bool = True
    detail: str = ""
    takes_key: bool = False
    key_source: KeySource = ""
    key_end: str = ""
    keyring_problem: str = ""
    locked: bool = False
    last_used: str = ""
    in_use: bool = True
    fixed: bool = False
    """The environment sets it, so that it can't be removed here."""

    @property
    def id(self) -> tuple[str, str]:
        """Backend and address tell connections apart."""
        return self.backend, self.address


class ConnectionStates:
    """The connections that are there: the backends without an address, and each server that was set up."""

    def __init__(
        self,
        connections: ConnectionSetup,
        backends: Mapping[str, Backend],
        *,
        preferences: Preferences,
        keys: RememberedKeys,
        models: ModelLists,
        history: History,
    ) -> None:
        self._connections = connections
        self._backends = backends
        self._preferences = preferences
        self._keys = keys
        self._models = models
        self._history = history

    async def all(self) -> Sequence[ConnectionState]:
        """Every connection: Anthropic, Claude Code, the servers as they were set up, the local model."""
        days = await self._days()
        servers = await self._connections.servers()
        found = []
        for one in BACKENDS:
            if one.per_address:
                found += [self._server(address, days, alone=len(servers) == 1) for address in servers]
            elif one.offered and one.name in self._backends:
                found.append(self._plain(one.name, days))
        return await asyncio.gather(*found)

    async def test(self, backend: str, address: str = "") -> int | None:
        """Tries a connection with a free call; how many models it has, None where it is no matter of a list.

        `PlimsollError` says what is wrong and what to do. A keyring that is locked is unlocked for it.
        """
        if backend in KEY_VARIABLES:
            with suppress(KeyringError):  # where a key is needed, what follows says that there is none
                if await self._keys.unlocked(_entry(backend, address)):
                    self._preferences.keys_changed()
        if address:
            return len((await self._connections.try_server(address)).models)
        if backend == "anthropic":
            key = await self._keys.get(backend)
            if not key:
                raise UserError("config", phrase("There is no key for Anthropic yet. Paste one."))
            return len(await self._connections.try_key(backend, key))
        found = await self._availability(backend)
        if not found.ok:
            raise UserError("config", found.detail)
        return None

    async def try_key(self, backend: str, address: str, key: str) -> None:
        """Asks the provider with a key that is not stored; `PlimsollError` with what to do."""
        if address:
            await self._connections.try_server(address, key)
        else:
            await self._connections.try_key(backend, key)

    async def keyring_problem(self, backend: str, address: str = "") -> Failure | None:
        """Why a key could not be stored, and what to do; None where nothing speaks against it."""
        try:
            await self._keys.check_keyring(_entry(backend, address))
        except PlimsollError as error:
            return error.failure
        return None

    async def set_key(self, backend: str, address: str, key: str, *, unsaved: bool = False) -> None:
        """Stores a key in place of the one before, in the keyring; `UserError("config")` where that can't be done.

        `unsaved`: only in memory, until Plimsoll closes.
        """
        await self._keys.store(_entry(backend, address), key.strip(), unsaved=unsaved)
        self._preferences.keys_changed()

    async def remove(self, backend: str, address: str = "") -> Callable[[], Awaitable[None]]:
        """Takes the key out of the keyring, and a server off the list; what is returned brings both back."""
        entry, settings = _entry(backend, address), self._preferences.settings
        key, unsaved = await self._removable_key(entry), self._keys.is_unsaved(entry)
        in_use = not address or address == self._connections.current
        mine = settings.backend(BACKEND)
        values: dict[str, SettingValue] = {}
        if address:
            values["backends.openai.servers"] = [one for one in mine.servers if usual_form(one) != address] or None
        if address and in_use:
            values |= {"backends.openai.base_url": None, "backends.openai.model": None}
        if in_use and settings.default_backend == backend:
            values["backend.default"] = None
        before: dict[str, SettingValue] = {
            "backends.openai.servers": list(mine.servers) or None,
            "backends.openai.base_url": mine.base_url,
            "backends.openai.model": mine.model,
            "backend.default": settings.default_backend,
        }
        if key:
            await self._keys.forget(entry)
        await self._changed(values)

        async def bring_back() -> None:
            if key:
                await self._keys.store(entry, key, unsaved=unsaved)
            await self._changed({name: before[name] for name in values})

        return bring_back

    async def use_for_new(self, backend: str, address: str = "") -> None:
        """New threads use this connection from now on; its server is asked where it is one.

        `UserError("config")` where the environment sets another address.
        """
        if address and address != self._connections.current:
            await self._connections.use_server(address)
        await self._preferences.set_value("backend.default", backend)

    async def use_file(self, path: Path) -> None:
        """The local model is this file from now on; `UserError("config")` where it is no GGUF file."""
        if fault := await asyncio.to_thread(fault_before_use, path):
            raise UserError("config", fault)
        await self._preferences.set_value("backends.local.model_path", str(path))

    async def _changed(self, values: Mapping[str, SettingValue]) -> None:
        if values:
            await self._preferences.set_values(values)
        else:
            self._preferences.keys_changed()

    async def _removable_key(self, entry: str) -> str | None:
        if self._keys.from_environment(entry):
            words = phrase(
                "The key comes from {variable} in the environment. Remove it there.", variable=KEY_VARIABLES[entry]
            )
            raise UserError("config", words)
        try:
            return await self._keys.stored(entry)
        except PlimsollError:
            if entry.startswith(f"{BACKEND}@") and not self._keys.known(entry):
                return None  # a server without a key can go while the keyring is locked, or where there is none
            raise

    async def _plain(self, backend: str, days: Mapping[tuple[str, str], str]) -> ConnectionState:
        source, end, problem = await self._key(backend) if backend in KEY_VARIABLES else ("", "", None)
        found = await self._availability(backend)
        last = max((day for (name, _), day in days.items() if name == backend), default="")
        return ConnectionState(
            backend,
            backend_descriptor(backend).label or self._backends[backend].title,
            usable=found.ok,
            detail=found.detail,
            takes_key=backend in KEY_VARIABLES,
            key_source=source,
            key_end=end,
            keyring_problem=_words(problem),
            locked=_is_locked(problem),
            last_used=last,
        )

    async def _server(self, address: str, days: Mapping[tuple[str, str], str], *, alone: bool) -> ConnectionState:
        place, in_use = place_at(address), address == self._connections.current
        source, end, problem = await self._key(_entry(BACKEND, address))
        if not source and in_use and self._keys.from_environment(BACKEND):
            source, end = "environment", _end(self._keys.from_environment(BACKEND))
        listed = self._models.known_at(BACKEND, place.address)
        mine = (day for (name, model), day in days.items() if name == BACKEND and (alone or model in listed))
        last = max(mine, default="")
        takes_key = place.preset.needs_key or not place.here or bool(source)
        usable, detail = True, phrase("The server at {shown} is used.", shown=place.shown)
        if place.preset.needs_key and not source:
            usable, detail = False, phrase("There is no key for {name} yet. Paste one.", name=place.name)
        elif in_use and await self._connections.silent_here():
            usable, detail = False, phrase("No server answers at {shown}. Start it there.", shown=place.shown)
        return ConnectionState(
            BACKEND,
            place.name,
            address,
            usable=usable,
            detail=detail,
            takes_key=takes_key,
            key_source=source,
            key_end=end,
            keyring_problem=_words(problem) if takes_key else "",
            locked=takes_key and _is_locked(problem),
            last_used=last,
            in_use=in_use,
            fixed=self._connections.fixed and in_use,
        )

    async def _key(self, entry: str) -> tuple[KeySource, str, PlimsollError | None]:
        """Return the source of the key, its end, and why the keyring could not be asked."""
        if given := self._keys.from_environment(entry):
            return "environment", _end(given), None
        try:
            key = await self._keys.stored(entry)
        except PlimsollError as error:
            return "", "", error
        if not key:
            return "", "", None
        return "memory" if self._keys.is_unsaved(entry) else "keyring", _end(key), None

    async def _availability(self, backend: str) -> Availability:
        try:
            return await asyncio.wait_for(self._backends[backend].availability(), ASKED_FOR_S)
        except TimeoutError:
            return Availability(False, phrase("There was no answer in time. Try again."))

    async def _days(self) -> Mapping[tuple[str, str], str]:
        """The last day of each backend and model that was asked."""
        days: dict[tuple[str, str], str] = {}
        for row in await self._history.ledger():
            key = row.backend, row.model
            days[key] = max(days.get(key, ""), row.day)
        return days


def _entry(backend: str, address: str) -> str:
    return key_entry(backend, address) if address else backend


def _words(problem: PlimsollError | None) -> str:
    return problem.failure.message if problem is not None else ""


def _is_locked(problem: PlimsollError | None) -> bool:
    return isinstance(problem, KeyringError) and problem.trouble == "locked"


def _end(key: str | None) -> str:
    return key[-SIGNS:] if key and len(key) >= SHORTEST_SHOWN else ""
