"""The ways to a model that the user sets up: servers found here, an address, a key, each tried before it is used.

A key is tried, stored in the keyring (or held in memory where there is none), and never logged.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Final, Protocol, TypeAlias
from urllib.parse import urlsplit

from desktop_app.backends.connection_errors import is_on_this_computer
from desktop_app.backends.openai.server_presets import OPENAI, PRESETS, Preset, place_at
from desktop_app.controller.known_keys import RememberedKeys
from desktop_app.controller.preferences import Preferences
from desktop_app.controller.server_addresses import (
    has_path,
    host_of,
    is_open_to_others,
    key_entry,
    refuse_secret,
    usual_form,
)
from desktop_app.core.errors import PlimsollError, TransientError, UserError
from desktop_app.core.model_catalog import ModelInfo
from desktop_app.core.phrases import phrase

BACKEND: Final = "openai"
"""The backend of all servers that are set up by their address."""

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
        ...

    async def ask_models(self) -> Sequence[ModelInfo]:
        """The list of models, which costs nothing; `PlimsollError` says what kept it from answering."""
        ...

    async def close(self) -> None: ...


MakeTrial: TypeAlias = Callable[[str, str, str], TrialBackend]
"""Makes a backend by its name, for an address ("": its usual one) and a key ("": none)."""


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

    def __init__(
        self, make_trial: MakeTrial, preferences: Preferences, keys: RememberedKeys, *, fixed_address: str | None = None
    ) -> None:
        """`fixed_address`: the one that the environment sets, which comes before the settings."""
        self._make_trial = make_trial
        self._preferences = preferences
        self._keys = keys
        self._fixed = fixed_address
        self.look_at: Sequence[tuple[str, str]] = tuple((one.name, one.base_url) for one in PRESETS if one.port)

    @property
    def address(self) -> str:
        """The address that the backend of addresses asks now; "" where nobody set one up."""
        return self._fixed or self._preferences.settings.backend(BACKEND).base_url or ""

    @property
    def current(self) -> str:
        """The address that the backend of addresses asks now: the one that is set, else OpenAI's own."""
        return usual_form(self.address) or OPENAI.base_url

    @property
    def fixed(self) -> bool:
        """True if the environment sets the address."""
        return self._fixed is not None

    async def servers(self) -> Sequence[str]:
        """The addresses that were set up, the one in use among them; OpenAI's own where there is a key for it."""
        listed = [usual_form(one) for one in self._preferences.settings.backend(BACKEND).servers]
        if self.address:
            listed.append(self.current)
        elif await self._key_for(OPENAI.base_url):
            listed.append(OPENAI.base_url)
        return tuple(dict.fromkeys(listed))

    async def silent_here(self) -> str:
        """The address that is set, where it is of this computer and nobody listens there now; else ""."""
        address = self.address
        return address if address and is_on_this_computer(address) and not await is_listening(address) else ""

    def would_be_read(self, address: str) -> bool:
        """Return True if a key sent to this address can be read on the way."""
        return is_open_to_others(usual_form(address))

    async def found_here(self) -> Sequence[FoundServer]:
        """The servers of `look_at` that answer now, in that order. A port where nobody listens costs nothing."""
        found = await asyncio.gather(*(self._answering(name, address) for name, address in self.look_at))
        return [server for server in found if server is not None]

    async def try_server(self, address: str, key: str = "") -> FoundServer:
        """Asks a server for its models. Where no key is given the one kept for it is used.

        An address of no known service may lack the `/v1` that most end in. Raises `PlimsollError` with what to do.
        """
        given = _web_address(address)
        key = key.strip() or await self._key_for(given)
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
        wished = (self._preferences.settings.backend(BACKEND).model, place_at(server.address).preset.default_model)
        found = next((one for one in wished if one in listed), None)
        return found or next((model.id for model in server.models), "")

    async def use_server(self, address: str, *, key: str = "", model: str = "", unsaved: bool = False) -> None:
        """Sets the address, its key if one is given, and the model ("": the server's first); nothing need restart.

        `unsaved`: the key is kept in memory alone, until Plimsoll closes.

        `UserError` where the keyring or the settings can't be written, or the environment sets another address; then
        what answered before goes on answering.
        """
        given = _web_address(address)
        if self._fixed is not None and usual_form(self._fixed) != given:
            shown = place_at(self._fixed).shown
            raise UserError(
                "config",
                phrase(
                    "OPENAI_BASE_URL in the environment sets the address {shown}. Unset it to use another.", shown=shown
                ),
            )
        if key.strip():
            await self._keys.store(key_entry(BACKEND, given), key.strip(), unsaved=unsaved)
        servers = dict.fromkeys((*await self.servers(), given))
        await self._preferences.set_values(
            {
                f"backends.{BACKEND}.base_url": None if given == OPENAI.base_url else given,
                f"backends.{BACKEND}.model": model or None,
                f"backends.{BACKEND}.servers": list(servers),
            }
        )

    async def try_key(self, backend: str, key: str) -> Sequence[ModelInfo]:
        """Asks the provider of a backend for its models with this key; `PlimsollError` with what to do."""
        return await self._models(backend, "", key.strip())

    async def _key_for(self, address: str) -> str:
        key = None
        if self._fixed is None or not self._keys.from_environment(BACKEND):
            with suppress(PlimsollError):  # a locked keyring holds no key for us; the server says whether it wants one
                key = await self._keys.stored(key_entry(BACKEND, address))
        return key or self._keys.from_environment(BACKEND) or ""

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
            raise TransientError(
                "network", phrase("There was no answer in time. Check the address, then try again.")
            ) from None
        finally:
            await trial.close()


def _web_address(typed: str) -> str:
    address = usual_form(typed)
    refuse_secret(address)
    if not address.startswith(("http://", "https://")) or not host_of(address):
        raise UserError(
            "config",
            phrase('"{address}" is not a web address, such as http://127.0.0.1:8080/v1.', address=typed.strip()),
        )
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
