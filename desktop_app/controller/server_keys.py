"""Remembers which keys are there, so that asking costs no keyring, and tells by a server's address whose key it takes.

No key of the keyring is kept here: only the fact that one was found, and what has to be taken out of texts for it. A
key that no keyring takes is held in memory until the process ends.
"""

from __future__ import annotations

import ipaddress
from collections.abc import Awaitable, Callable, Collection
from contextlib import suppress
from secrets import token_hex
from typing import Final
from urllib.parse import SplitResult, urlsplit

from desktop_app.backends.connection_errors import is_on_this_computer
from desktop_app.controller.ports import LockableSecrets
from desktop_app.core.backend_descriptors import OPENAI
from desktop_app.core.errors import KeyringError, UserError
from desktop_app.core.messages import Failure
from desktop_app.core.phrases import phrase
from desktop_app.core.redaction import KeyPrint, Redaction, holds_secret

OWN_HOSTS: Final = {"openai": "api.openai.com", "anthropic": "api.anthropic.com"}
"""The host that is asked where no address is set: its key is kept under the backend's own name."""


def usual_form(address: str) -> str:
    """The address with its scheme and without a slash at its end; what is nearby is asked without encryption."""
    if (text := address.strip().rstrip("/")) and "://" not in text:
        text = f"{'http' if _is_near(f'http://{text}') else 'https'}://{text}"
    return text


def host_of(address: str) -> str:
    """The host in lower case, "" where there is none."""
    parts = _split(address)
    return (parts.hostname or "") if parts is not None else ""


def has_path(address: str) -> bool:
    """Return True if the address names more than a server."""
    return (parts := _split(address)) is not None and bool(parts.path.strip("/"))


def is_open_to_others(address: str) -> bool:
    """Return True if the data sent can be read on the way: without encryption to another computer."""
    parts = _split(address)
    return parts is not None and parts.scheme == "http" and bool(parts.hostname) and not is_on_this_computer(address)


def key_entry(backend: str, address: str | None, owner: str = "") -> str:
    """The name under which the key for an address is kept, so that a key is only ever sent where it was meant to go.

    A provider's own address uses the backend's name. Scheme, host and port tell servers apart, and the `owner` those of
    one address with keys of their own; it may stand behind the address as `#owner`.
    """
    own = OWN_HOSTS.get(backend)
    parts = _split(usual_form(address)) if address and address.strip() and own else None
    if parts is None:
        return backend if not address or own is None else f"{backend}@{address}"
    place = parts.netloc.rpartition("@")[2].lower()
    if owner or parts.fragment:
        return f"{backend}@{parts.scheme}://{place}#{owner or parts.fragment}"
    return (
        backend if parts.scheme == "https" and place in (own, f"{own}:443") else f"{backend}@{parts.scheme}://{place}"
    )


def refuse_secret(address: str) -> None:
    """`UserError("config")` for an address with a password or key in it: the settings are a plain file."""
    if holds_secret(address):
        words = phrase(
            "An address with a password or key in it is not stored. Leave it out of the address and enter it as "
            "the key, or set the whole address in the environment (OPENAI_BASE_URL, ANTHROPIC_BASE_URL)."
        )
        raise UserError("config", words)


def _is_near(address: str) -> bool:
    if is_on_this_computer(address):
        return True
    try:
        return ipaddress.ip_address(host_of(address)).is_private
    except ValueError:
        return False


def _split(address: str) -> SplitResult | None:
    try:
        return urlsplit(address.strip())
    except ValueError:
        return None


LOST_KEY: Final = Failure(
    "config",
    phrase("The key is gone. A key that isn't saved lasts until Plimsoll closes. Add it again."),
    actions=("add_key", "retry"),
)
"""A server was given a key, and none is there now."""


class RememberedKeys:
    """Secrets that remember for which backends a key was found, stored or taken out.

    `entry` tells the name under which the key of a backend is kept now: a backend of many servers has a key for each.
    `named`: the entries of the addresses that the environment names, to which alone its keys go beside the providers'.
    `saved`: the names of servers that were given a key, which `note_saved` is told from then on: a keyring that is
    locked may not tell, and one used without saving is lost. A server that is not among them is asked without a key.
    """

    def __init__(
        self,
        secrets: LockableSecrets,
        entry: Callable[[str], str] = str,
        redaction: Redaction | None = None,
        *,
        named: Collection[str] = (),
        saved: Callable[[], Collection[str]] = tuple,
        note_saved: Callable[[Collection[str]], Awaitable[object]] | None = None,
    ) -> None:
        self._secrets = secrets
        self._redaction = redaction or Redaction()
        self.entry = entry
        self._named = named
        self._saved = saved
        self._note_saved = note_saved
        self._found: set[str] = set()
        self._unsaved: dict[str, str] = {}
        self._unanswered: dict[str, Failure] = {}
        self._salt, self._prints = token_hex(4), dict[str, KeyPrint | None]()
        self._logins: dict[str, KeyPrint] = {}

    def fingerprint(self, backend: str) -> str:
        """A short salted hash of the key of a backend, as it was last read; "" where none was."""
        return "" if (known := self._print_of(self.entry(backend))) is None else known.salted(self._salt)

    def signed_in(self, backend: str, login: str) -> None:
        """Another program's login takes the place of a key: what one cached, no other reads."""
        self._logins[self.entry(backend)] = KeyPrint(login)

    def _print_of(self, entry: str) -> KeyPrint | None:
        return self._logins.get(entry) or self._prints.get(entry)

    async def others(self, backend: str, fingerprints: Collection[str]) -> frozenset[str]:
        """Those of these fingerprints known to be of another key than a backend's, which is read once for that."""
        entry = self.entry(backend)
        if fingerprints and entry not in self._prints:
            self._prints[entry] = None
            with suppress(KeyringError):
                await self.stored(entry)
        known = self._print_of(entry)
        return frozenset(one for one in fingerprints if known is not None and not known.made(one))

    def known(self, backend: str) -> bool:
        """Return True if a key is known to be there. Answers at once; a keyring not asked yet counts as empty."""
        return self.entry(backend) in self._found or bool(self.from_environment(backend))

    def problem(self, backend: str) -> Failure | None:
        """Return what kept the keyring from telling a backend's key when last asked; `LOST_KEY`: it is gone."""
        return self._unanswered.get(self.entry(backend))

    def from_environment(self, backend: str) -> str | None:
        """The key in the environment, if it is for the address that the backend asks now."""
        return self.environment_key(self.entry(backend))

    def environment_key(self, entry: str) -> str | None:
        """The key in the environment, if it is for this entry: to no other address it is sent."""
        backend = entry.partition("@")[0]
        return self._secrets.from_environment(backend) if entry == backend or entry in self._named else None

    async def get(self, backend: str) -> str | None:
        """The key, from the environment or the keyring."""
        return await self.stored(self.entry(backend))

    async def set(self, backend: str, key: str) -> None:
        """Stores a key in the keyring."""
        await self.store(self.entry(backend), key)

    async def delete(self, backend: str) -> None:
        """Takes a key out of the keyring."""
        await self.forget(self.entry(backend))

    async def stored(self, entry: str) -> str | None:
        """The key that is kept under a name, whichever server its backend asks now."""
        try:
            key = self._unsaved.get(entry) or self.environment_key(entry) or await self._secrets.get(entry)
        except KeyringError as error:
            if error.trouble in ("locked", "silent", "failed"):
                self._unanswered[entry] = error.failure
            elif entry in self._saved():  # nothing can hold it: it was used without saving
                self._unanswered[entry] = LOST_KEY
            error.holds_key = error.holds_key or entry in self._saved()
            raise
        self._redaction.add(key)
        self._note(entry, bool(key), key)
        if not key and entry in self._saved():
            self._unanswered[entry] = LOST_KEY
        return key

    async def check_keyring(self, entry: str) -> None:
        """Raises `KeyringError` where no key could be stored under a name; a locked keyring is unlocked for that."""
        try:
            await self._secrets.get(entry)
        except KeyringError as error:
            if error.trouble != "locked":
                raise

    async def unlock(self, entry: str) -> None:
        """Unlock the keyring if it is locked, for which the system asks for its password; what it kept back is read."""
        try:
            await self._secrets.get(entry)
        except KeyringError as error:
            if error.trouble != "locked":
                raise
            await self._secrets.unlock(entry)
            for kept_back in {entry, *self._unanswered}:
                with suppress(KeyringError):
                    await self.stored(kept_back)

    async def store(self, entry: str, key: str, *, unsaved: bool = False) -> None:
        """Keeps a key under a name. `unsaved`: in memory alone, in no keyring and no file."""
        self._redaction.add(key)
        if unsaved:
            self._unsaved[entry] = key
        else:
            await self._secrets.set(entry, key)
            self._unsaved.pop(entry, None)
        await self._remember_saved(entry, True)
        self._note(entry, True, key)

    def is_unsaved(self, entry: str) -> bool:
        """Return True if the key of a name is held in memory alone."""
        return entry in self._unsaved

    async def forget(self, entry: str) -> None:
        """Takes the key of a name out of memory, else out of the keyring."""
        if self._unsaved.pop(entry, None) is None:
            await self._secrets.delete(entry)
        await self._remember_saved(entry, False)
        self._note(entry, False)

    async def _remember_saved(self, entry: str, is_saved: bool) -> None:
        saved = self._saved()
        if self._note_saved is not None and entry.startswith(f"{OPENAI.name}@") and (entry in saved) != is_saved:
            await self._note_saved([*saved, entry] if is_saved else [one for one in saved if one != entry])

    def _note(self, entry: str, found: bool, key: str | None = None) -> None:
        self._unanswered.pop(entry, None)
        self._prints[entry] = KeyPrint(key) if key else None
        if found:
            self._found.add(entry)
        else:
            self._found.discard(entry)
