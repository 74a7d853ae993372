"""The ways to a model that the user sets up, each tried before it is kept, and the state of each for its page."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import count
from operator import itemgetter
from pathlib import Path
from typing import Final, Literal, Protocol, TypeAlias
from urllib.parse import urlsplit

from desktop_app.backends.backend_protocol import Availability, Backend
from desktop_app.backends.connection_errors import is_on_this_computer, server_of
from desktop_app.backends.local.llama_server import fault_before_use
from desktop_app.backends.openai.openai_client import OPENAI, PRESETS, Preset, place_at
from desktop_app.controller.ports import History
from desktop_app.controller.preferences import Preferences, SettingValue
from desktop_app.controller.server_keys import (
    OWN_HOSTS,
    RememberedKeys,
    has_path,
    host_of,
    is_open_to_others,
    key_entry,
    refuse_secret,
    usual_form,
)
from desktop_app.core.backend_descriptors import BACKEND_NAMES, BACKENDS, KEY_VARIABLES, backend_descriptor, is_server
from desktop_app.core.errors import KeyringError, PlimsollError, TransientError, UserError
from desktop_app.core.messages import Failure
from desktop_app.core.model_catalog import CLAUDES, ModelInfo
from desktop_app.core.phrases import phrase
from desktop_app.core.settings import dotted_name

BACKEND: Final = "openai"
"""The backend whose protocol all servers speak, and under which their keys are kept; OpenAI's own by default."""

DOOR_WAIT_S: Final = 1.0
"""Seconds that a port of this computer may take to open: a listener opens it at once, unless the computer is busy."""


ANSWER_WAIT_S: Final = 12.0
"""Seconds that a server may take to be reached and to list its models."""


HERE_WAIT_S: Final = 4.0
"""The same for a server that is only looked for: the first start waits for it before it shows anything else."""


class TrialBackend(Protocol):
    """A backend made to be asked once."""

    async def prepare(self) -> None:
        """Imports what asking needs, which is no matter of the server. No network; never raises."""

    async def ask_models(self) -> Sequence[ModelInfo]:
        """The list of models, which costs nothing; `PlimsollError` says what kept it from answering."""

    async def close(self) -> None: ...


MakeTrial: TypeAlias = Callable[[str, str, str], TrialBackend]
"""Makes a backend by its name, for an address ("": its usual one) and a key ("": none)."""


@dataclass(frozen=True, slots=True)
class KeyService:
    """A service that gives keys, on its `page`. `address` "": Anthropic's, which the settings may change."""

    name: str
    address: str
    page: str
    begins: tuple[str, ...] = ()


KEY_SERVICES: Final = (
    KeyService("Anthropic", "", "https://console.anthropic.com/settings/keys", ("sk-ant-",)),
    *(KeyService(one.name, one.base_url, one.key_page, one.key_begins) for one in PRESETS if one.key_page),
)
_OPENAI_BARE: Final = re.compile(r"sk-[0-9A-Za-z]{40,}")
"""OpenAI's keys of nothing but `sk-`. Others that begin so are of anybody: to whom one goes has to be asked."""


@dataclass(frozen=True, slots=True)
class FoundServer:
    """A server that answered. `address` as it is set in the settings; `name` for people."""

    name: str
    address: str
    models: Sequence[ModelInfo]


class ConnectionSetup:
    """Tries and takes ways to a model. `look_at` are the servers that may run on this computer, with their ports."""

    services: Final[Sequence[Preset]] = PRESETS
    """The services that one can choose from; the last has no address of its own."""
    key_services: Sequence[KeyService] = KEY_SERVICES
    """Those that give keys."""

    def __init__(
        self, make_trial: MakeTrial, preferences: Preferences, keys: RememberedKeys, *, fixed_address: str | None = None
    ) -> None:
        """`fixed_address`: the one that the environment sets, which comes before the settings."""
        self._make_trial = make_trial
        self._preferences = preferences
        self._keys = keys
        self._fixed = fixed_address
        self.look_at: Sequence[tuple[str, str]] = tuple((one.name, one.base_url) for one in PRESETS if one.port)

    def address_of(self, name: str) -> str:
        """The address that a server's backend asks; "" for other backends."""
        return usual_form(self._set_address(name)) or (OPENAI.base_url if name == BACKEND else "")

    def is_fixed(self, name: str) -> bool:
        """Return True if the environment sets the address of a backend."""
        return name == BACKEND and self._fixed is not None

    def asks_with_key(self, name: str) -> bool:
        """Return True for a server that a key is sent to, or was lately."""
        lost = self._keys.problem(name)
        return is_server(name) and (self._keys.known(name) or (lost is not None and "add_key" in lost.actions))

    def name_at(self, address: str, called: str = "") -> str:
        """The backend of an address, also a removed one; "" for none. `called`: its name, where several share one."""
        names = dict.fromkeys((BACKEND, *self._preferences.settings.backends))
        at = (name for name in names if self.address_of(name) == usual_form(address))
        return next((one for one in at if not called or self._title(one).casefold() == called.casefold()), "")

    async def servers(self) -> Mapping[str, str]:
        """The addresses of the servers that were set up, by name; OpenAI's own where there is a key for it."""
        settings = self._preferences.settings
        found = {name: self.address_of(name) for name in (BACKEND, *settings.servers)}
        if self._set_address(BACKEND):
            keyed = True
        else:
            try:
                keyed = bool(await self._key_for(OPENAI.base_url))
            except KeyringError:
                keyed = True
        if not keyed or (settings.backend(BACKEND).removed and not self._fixed):
            del found[BACKEND]
        return found

    async def silent_here(self, name: str) -> str:
        """The address of a server, where it is of this computer and nobody listens there now; else ""."""
        address = self._set_address(name)
        return address if address and is_on_this_computer(address) and not await is_listening(address) else ""

    async def adopt_saved(self) -> None:
        """Makes a connection of each address that earlier versions saved beside the one in use."""
        values: dict[str, SettingValue] = {}
        for address in self._preferences.settings.backend(BACKEND).servers:
            if not self.name_at(address):
                values |= self._values_of(self._new_name(address, values), address)
        if self._preferences.settings.backend(BACKEND).servers:
            await self._preferences.set_values({**values, _key(BACKEND, "servers"): None})

    def _set_address(self, name: str) -> str:
        fixed = self._fixed if name == BACKEND else None
        return fixed or (is_server(name) and self._preferences.settings.backend(name).base_url) or ""

    def _new_name(self, address: str, taken: Collection[str] = (), called: str = "") -> str:
        """A name for the settings and the command line, made of the one given, the service's or the server's own."""
        stem = re.sub(r"[^a-z0-9]+", "-", (called or place_at(address).name).casefold()).strip("-") or "server"
        known = {*BACKEND_NAMES, *self._preferences.settings.backends}
        names = (stem if number == 1 else f"{stem}-{number}" for number in count(1))
        return next(name for name in names if name not in known and _key(name, "base_url") not in taken)

    def _values_of(self, name: str, address: str, called: str = "") -> dict[str, SettingValue]:
        """The settings that make a connection, under a name that tells it from those that are called the same."""
        mine = self._preferences.settings.backend(name)
        own = self.is_fixed(name) or (name == BACKEND and not mine.base_url)
        values: dict[str, SettingValue] = {} if own else {_key(name, "base_url"): address}
        if mine.removed:
            values[_key(name, "removed")] = None
        usual, others = place_at(address).name, {BACKEND, *self._preferences.settings.servers} - {name}
        if (called or not (own or mine.name)) and (called or usual) in map(self._title, others):
            values[_key(name, "name")] = f"{called or usual} ({host_of(address)})"
        elif called and called != self._title(name):
            values[_key(name, "name")] = called
        return values

    def changed(self, name: str, address: str, called: str) -> dict[str, SettingValue]:
        """The settings that give a connection another address and name; `called` as before or "": the usual one.

        `UserError` where another has both already.
        """
        usual, before = place_at(address).name, self.address_of(name)
        called = "" if called in (usual, place_at(before).name) else called
        same = self.name_at(address, called or usual)
        if same not in ("", name) and not self._preferences.settings.backend(same).removed:
            words = phrase("{name} has this address already. Choose another name.", name=self._title(same))
            raise UserError("config", words)
        if (called or usual) in map(self._title, {BACKEND, *self._preferences.settings.servers} - {name}):
            called = f"{called or usual} ({host_of(address)})"
        values: dict[str, SettingValue] = {_key(name, "base_url"): address} if address != before else {}
        return {**values, _key(name, "name"): called or None}

    def _title(self, name: str) -> str:
        return place_at(self.address_of(name), called=self._preferences.settings.backend(name).name).name

    def would_be_read(self, address: str) -> bool:
        """Return True if a key sent to this address can be read on the way."""
        return is_open_to_others(usual_form(address))

    async def found_here(self) -> Sequence[FoundServer]:
        """The servers of `look_at` that answer now, in that order. A port where nobody listens costs nothing."""
        found = await asyncio.gather(*(self._answering(name, address) for name, address in self.look_at))
        return [server for server in found if server is not None]

    async def try_server(self, address: str, key: str = "", *, owner: str = "") -> FoundServer:
        """Asks a server for its models. Where no key is given the one kept for it is used; `owner`: see `key_entry`.

        An address of no known service may lack the `/v1` that most end in. Raises `PlimsollError` with what to do.
        """
        given = _web_address(address)
        key = key.strip() or await self._key_for(given, owner)
        if has_path(place_at(given).address):
            return await self._asked(given, key)
        try:
            return await self._asked(f"{given}/v1", key)
        except PlimsollError as error:
            if error.failure.code not in ("not_found", "backend"):
                raise
            try:
                return await self._asked(given, key)
            except PlimsollError:
                raise error from None

    def usual_model(self, server: FoundServer) -> str:
        """The model to begin with: the one set already, else the service's usual one, else the first of the list."""
        listed = {model.id for model in server.models}
        own = self._preferences.settings.backend(self.name_at(server.address)).model
        wished = (own, place_at(server.address).preset.default_model)
        found = next((one for one in wished if one in listed), None)
        return found or next((model.id for model in server.models), "")

    async def use_server(
        self, address: str, *, key: str = "", model: str = "", called: str = "", unsaved: bool = False
    ) -> str:
        """Sets up a connection, its key if one is given, and its model ("": the server's first); return its name.

        `called`: its name for people; one of the same address under another name stays as it is, with its key.
        `unsaved`: the key is kept in memory alone, until Plimsoll closes. `UserError` where the keyring or the settings
        can't be written.
        """
        given = _web_address(address)
        called, settings = called.strip(), self._preferences.settings
        known = self.name_at(given, called)
        name = known or self._new_name(given, called=called)
        values, owner = self._values_of(name, given, called), settings.key_owner(name)
        if key.strip():
            shared = {self._keys.entry(one) for one in await self.servers()}
            if called and not known and key_entry(BACKEND, given) in shared:
                values[_key(name, "own_key")], owner = True, name
            await self._keys.store(key_entry(BACKEND, given, owner), key.strip(), unsaved=unsaved)
        await self._preferences.set_values({**values, _key(name, "model"): model or None})
        return name

    def service_of(self, key: str) -> KeyService | None:
        """The service whose keys look like this one; None where that can't be told."""
        fits = [(len(begin), one) for one in self.key_services for begin in one.begins if key.startswith(begin)]
        length, found = max(fits, key=itemgetter(0), default=(0, None))
        return None if length == len("sk-") and not _OPENAI_BARE.fullmatch(key) else found

    async def try_key(self, backend: str, key: str) -> Sequence[ModelInfo]:
        """Asks the provider of a backend for its models with this key; `PlimsollError` with what to do."""
        return await self._models(backend, "", key.strip())

    async def _key_for(self, address: str, owner: str = "") -> str:
        key = None
        try:
            key = await self._keys.stored(key_entry(BACKEND, address, owner))
        except KeyringError as error:
            if error.holds_key:
                raise
        except PlimsollError:
            pass  # it holds no key for us; the server says whether it wants one
        return key or ""

    async def _answering(self, name: str, address: str) -> FoundServer | None:
        if not await is_listening(address):
            return None
        try:
            models = await self._models(BACKEND, address, "", wait_s=HERE_WAIT_S)
        except PlimsollError:
            return None  # something else listens there
        return FoundServer(name, address, models)

    async def _asked(self, address: str, key: str) -> FoundServer:
        models = await self._models(BACKEND, address, key)
        return FoundServer(place_at(address).name, address, models)

    async def _models(
        self, backend: str, address: str, key: str, *, wait_s: float | None = None
    ) -> Sequence[ModelInfo]:
        trial = self._make_trial(backend, address, key)
        try:
            await trial.prepare()
            async with asyncio.timeout(wait_s or ANSWER_WAIT_S):
                return await trial.ask_models()
        except TimeoutError:
            who = server_of(address) if address else backend_descriptor(backend).title
            words = phrase("{host} gave no answer in time. Check the network, then try again.", host=who)
            raise TransientError("network", words) from None
        finally:
            await trial.close()


def _key(name: str, setting: str) -> str:
    return dotted_name(("backends", name, setting))


def _web_address(typed: str) -> str:
    address = usual_form(typed)
    refuse_secret(address)
    if not address.startswith(("http://", "https://")) or not host_of(address):
        words = phrase('"{address}" is not a web address, such as http://127.0.0.1:8080/v1.', address=typed.strip())
        raise UserError("config", words)
    return address


async def is_listening(address: str) -> bool:
    """Return True if anybody listens at an address; only its port is tried, nothing is sent."""
    try:
        parts = urlsplit(address)
        async with asyncio.timeout(DOOR_WAIT_S):
            _, writer = await asyncio.open_connection(
                parts.hostname, parts.port or (443 if parts.scheme == "https" else 80)
            )
    except (OSError, ValueError, TimeoutError):
        return False
    writer.close()
    with suppress(OSError):
        await writer.wait_closed()
    return True


KeySource: TypeAlias = Literal["", "keyring", "environment", "memory"]
"""`memory`: no keyring took the key, so that it is gone when Plimsoll closes."""

SIGNS: Final = 4
"""Signs of a key's end that are shown, and of a short one none: they would be most of it."""
SHORTEST_SHOWN: Final = 3 * SIGNS
ASKED_FOR_S: Final = 4.0
"""Seconds that a backend may take to say if it can be used."""


@dataclass(frozen=True, slots=True)
class ConnectionState:
    """One way to a model. `backend`: its name in settings; `name` for people. `address`: of a server, else "".

    `host`: the one that is asked in place of the service's own, "" where it is that.
    `usable`: what `detail` says keeps it from being used where it is False. `key_end`: the last signs of the key
    ("" for none, or a short one). `keyring_problem`: why the keyring could not say; `locked`: it will, once it
    is unlocked. `last_used`: an ISO day, "" for never or unknown.
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
    host: str = ""
    fixed: bool = False
    """The environment sets it, so that it can't be removed here."""

    @property
    def id(self) -> tuple[str, str]:
        """Backend and address tell connections apart."""
        return self.backend, self.address


@dataclass(eq=False)
class ConnectionStates:
    """The connections that are there: the backends without an address, and each server that was set up."""

    _connections: ConnectionSetup
    _backends: Mapping[str, Backend]
    _preferences: Preferences
    _keys: RememberedKeys
    _history: History
    _anthropic: str = ""
    """The address that the environment names for Anthropic's API."""

    async def all(self) -> Sequence[ConnectionState]:
        """Every connection: Anthropic, Claude Code, the servers as they were set up, the local model."""
        days: dict[str, str] = {}
        for row in await self._history.ledger():
            days[row.backend] = max(days.get(row.backend, ""), row.day)
        servers = await self._connections.servers()
        found = []
        for one in BACKENDS:
            if one.per_address:
                found += [self._server(name, address, days) for name, address in servers.items()]
            elif one.offered and one.name in self._backends:
                found.append(self._plain(one.name, days))
        return await asyncio.gather(*found)

    async def test(self, backend: str, address: str = "") -> int | None:
        """Tries a connection with a free call; the number of its models, None where it has no list. `PlimsollError`."""
        if address:
            owner = self._preferences.settings.key_owner(backend)
            return len((await self._connections.try_server(address, owner=owner)).models)
        if backend == "anthropic":
            key = await self._keys.get(backend)
            if not key:
                raise UserError("config", phrase("There is no key for Anthropic yet. Paste one."))
            return len(await self._connections.try_key(backend, key))
        found = await self._availability(backend)
        if not found.ok:
            raise UserError("config", found.detail)
        return None

    async def unlock(self, backend: str = "", address: str = "") -> None:
        """Has the system ask for the keyring's password, for one key or those in use; else `KeyringError`."""
        every = (*KEY_VARIABLES, *self._preferences.settings.servers)
        for entry in [self._entry(backend, address)] if backend else map(self._keys.entry, every):
            await self._keys.unlock(entry)
        self._preferences.keys_changed()

    async def try_key(self, backend: str, address: str, key: str) -> None:
        """Asks the provider with a key that is not stored; `PlimsollError` with what to do."""
        if address:
            await self._connections.try_server(address, key)
        else:
            await self._connections.try_key(backend, key)

    async def keyring_problem(self, backend: str, address: str = "") -> Failure | None:
        """Why a key could not be stored, and what to do; None where nothing speaks against it."""
        try:
            await self._keys.check_keyring(self._entry(backend, address))
        except PlimsollError as error:
            return error.failure
        return None

    async def set_key(self, backend: str, address: str, key: str, *, unsaved: bool = False) -> None:
        """Stores a key in the keyring; `UserError("config")` where that fails. `unsaved`: in memory, for this run."""
        await self._keys.store(self._entry(backend, address), key.strip(), unsaved=unsaved)
        self._preferences.keys_changed()

    async def change(
        self,
        backend: str,
        address: str,
        *,
        key: str = "",
        called: str = "",
        untested: bool = False,
        unsaved: bool = False,
    ) -> Callable[[], Awaitable[None]]:
        """Gives a server another address, name or key ("": as before), tried first; what is returned undoes it.

        Its threads stay with it. A key goes to no server but the one it was given for: another needs its own.
        """
        setup, settings, key = self._connections, self._preferences.settings, key.strip()
        mine, owner, given = settings.backend(backend), settings.key_owner(backend), _web_address(address)
        found = None
        if not untested and (key or given != setup.address_of(backend)):
            found = await setup.try_server(given, key, owner=owner)
            given = found.address
        values = setup.changed(backend, given, called.strip())
        if mine.model and found is not None and found.models and mine.model not in {one.id for one in found.models}:
            values[_key(backend, "model")] = setup.usual_model(found)
        entry, others = self._keys.entry(backend), await self._entries_but(backend)
        if key and not owner and entry != (at := key_entry(BACKEND, given)) and at in others:
            values[_key(backend, "own_key")], owner = True, backend
        new, kept, was_unsaved = key_entry(BACKEND, given, owner), None, self._keys.is_unsaved(entry)
        if not self._keys.environment_key(entry) and (new != entry or key):
            with suppress(PlimsollError):  # what a keyring does not tell stays there
                kept = await self._keys.stored(entry)
        if key:
            await self._keys.store(new, key, unsaved=unsaved)
        if kept and new != entry and entry not in others:
            with suppress(PlimsollError):
                await self._keys.forget(entry)
        await self._changed(values)

        async def bring_back() -> None:
            if key:
                await self._keys.forget(new)
            if kept:
                await self._keys.store(entry, kept, unsaved=was_unsaved)
            await self._changed({name: getattr(mine, name.rpartition(".")[2]) or None for name in values})

        return bring_back

    async def _entries_but(self, backend: str) -> Sequence[str]:
        return [self._keys.entry(name) for name in await self._connections.servers() if name != backend]

    async def remove(self, backend: str, address: str = "") -> Callable[[], Awaitable[None]]:
        """Takes the key out of the keyring, and a server off the list; what is returned brings both back.

        The settings go on naming the server, so that no thread of it goes to another.
        """
        entry, settings = self._entry(backend, address), self._preferences.settings
        shared = bool(address) and entry in await self._entries_but(backend)
        key, unsaved = None if shared else await self._removable_key(entry), self._keys.is_unsaved(entry)
        values: dict[str, SettingValue] = {}
        if address and settings.backend(backend).base_url:
            values[_key(backend, "removed")] = True
        if settings.default_backend == backend:
            values["backend.default"] = None
        if key:
            await self._keys.forget(entry)
        await self._changed(values)

        async def bring_back() -> None:
            if key:
                await self._keys.store(entry, key, unsaved=unsaved)
            before = {"backend.default": settings.default_backend}
            await self._changed({name: before.get(name) for name in values})

        return bring_back

    async def threads_of(self, backend: str) -> int:
        """Return the number of threads that have a connection as their own."""
        return sum(one.thread.backend == backend for one in await self._history.threads())

    async def use_for_new(self, backend: str, model: str = "") -> None:
        """New threads use this connection from now on, and this model of it ("": the one that it has)."""
        values: dict[str, SettingValue] = {"backend.default": backend}
        if model and backend != "local":  # whose model is its file
            values[_key(backend, "model")] = model
        await self._preferences.set_values(values)

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
        if self._keys.environment_key(entry):
            variable = KEY_VARIABLES[entry.partition("@")[0]]
            words = phrase("The key comes from {variable} in the environment. Remove it there.", variable=variable)
            raise UserError("config", words)
        try:
            return await self._keys.stored(entry)
        except KeyringError as error:
            may_hold = error.trouble not in ("none", "plain") and (error.holds_key or self._keys.known(entry))
            if entry.startswith(f"{BACKEND}@") and not may_hold:
                return None  # a server without a key can go while the keyring is locked, or where there is none
            raise

    async def _plain(self, backend: str, days: Mapping[str, str]) -> ConnectionState:
        takes_key = backend in KEY_VARIABLES
        source, end, problem = await self._key(self._keys.entry(backend)) if takes_key else ("", "", None)
        found = await self._availability(backend)
        return ConnectionState(
            backend,
            backend_descriptor(backend).label or self._backends[backend].title,
            usable=found.ok,
            detail=found.detail,
            takes_key=takes_key,
            key_source=source,
            key_end=end,
            keyring_problem=_words(problem),
            locked=_is_locked(problem),
            last_used=days.get(backend, ""),
            host=self._host(backend) if takes_key or found.found or found.ok else "",
        )

    def _host(self, backend: str) -> str:
        if backend not in CLAUDES:
            return ""
        own = self._preferences.settings.backend(backend).base_url if backend == "anthropic" else ""
        address = usual_form(self._anthropic or own or "")
        host = server_of(address) if address else ""
        return "" if host == OWN_HOSTS["anthropic"] else host

    async def _server(self, backend: str, address: str, days: Mapping[str, str]) -> ConnectionState:
        place = place_at(address, called=self._preferences.settings.backend(backend).name)
        source, end, problem = await self._key(self._entry(backend, address))
        holds_key = isinstance(problem, KeyringError) and problem.holds_key
        takes_key = place.preset.needs_key or not place.here or bool(source) or holds_key
        usable = True
        detail: str = phrase("The server at {shown} is used.", shown=place.shown)
        lost = self._keys.problem(backend)
        if not source and lost is not None and "add_key" in lost.actions:
            usable, detail, takes_key, problem = False, lost.message, True, None
        elif place.preset.needs_key and not source:
            usable, detail = False, phrase("There is no key for {name} yet. Paste one.", name=place.name)
        elif await self._connections.silent_here(backend):
            usable, detail = False, phrase("No server answers at {shown}. Start it there.", shown=place.shown)
        return ConnectionState(
            backend,
            place.name,
            address,
            usable=usable,
            detail=detail,
            takes_key=takes_key,
            key_source=source,
            key_end=end,
            keyring_problem=_words(problem) if takes_key else "",
            locked=takes_key and _is_locked(problem),
            last_used=days.get(backend, ""),
            fixed=self._connections.is_fixed(backend),
        )

    async def _key(self, entry: str) -> tuple[KeySource, str, PlimsollError | None]:
        """Return the source of the key, its end, and why the keyring could not be asked."""
        if given := self._keys.environment_key(entry):
            return "environment", _end(given), None
        try:
            key = await self._keys.stored(entry)
        except PlimsollError as error:
            return "", "", error
        if not key:
            return "", "", None
        return "memory" if self._keys.is_unsaved(entry) else "keyring", _end(key), None

    def _entry(self, backend: str, address: str) -> str:
        owner = self._preferences.settings.key_owner(backend)
        return key_entry(BACKEND, address, owner) if address else self._keys.entry(backend)

    async def _availability(self, backend: str) -> Availability:
        try:
            return await asyncio.wait_for(self._backends[backend].availability(), ASKED_FOR_S)
        except TimeoutError:
            return Availability(False, phrase("There was no answer in time. Try again."))


def _words(problem: PlimsollError | None) -> str:
    return problem.failure.message if problem is not None else ""


def _is_locked(problem: PlimsollError | None) -> bool:
    return isinstance(problem, KeyringError) and problem.trouble == "locked"


def _end(key: str | None) -> str:
    return key[-SIGNS:] if key and len(key) >= SHORTEST_SHOWN else ""
