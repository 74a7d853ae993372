"""Reads keys from the environment or the system's keyring; writes none to a file of its own.

Importing keyring and asking the Secret Service take 50 ms and more: that happens on first use, in another thread. What
is below may wait for ever for a bus or for an answer of the user: whoever asks waits for a while, and no end for it.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from concurrent.futures import Future
from contextlib import closing
from typing import TYPE_CHECKING, Any, Final, TypeVar

from desktop_app.core.backend_descriptors import KEY_VARIABLES
from desktop_app.core.errors import KeyringError, KeyringTrouble
from desktop_app.core.phrases import joined, phrase
from desktop_app.system.worker_process import DaemonThreads

if TYPE_CHECKING:
    from keyring.backend import KeyringBackend


def key_from_environment(environ: Mapping[str, str], backend: str) -> str | None:
    """The key that stands in the environment; None for an empty one or a backend without a variable."""
    return environ.get(KEY_VARIABLES.get(backend, ""), "").strip() or None


SERVICE = "plimsoll"
ANSWER_WITHIN_S: Final = 4.0
"""Seconds that a keyring may take to tell a key: it asks nobody."""
ASKED_WITHIN_S: Final = 120.0
"""The same where it asks the user for the keyring's password."""

Result = TypeVar("Result")


class KeyringSecrets:
    """The environment first, then the keyring. Where there is no safe keyring every call says what to do instead."""

    def __init__(self, environ: Mapping[str, str]) -> None:
        self._environ = environ
        self._threads: DaemonThreads | None = None
        self._unanswered: Future[Any] | None = None

    @property
    def waits(self) -> bool:
        """True if a question is still without its answer: another would not be answered either."""
        return self._unanswered is not None and not self._unanswered.done()

    def from_environment(self, backend: str) -> str | None:
        return key_from_environment(self._environ, backend)

    async def get(self, backend: str) -> str | None:
        """The key or None; `KeyringError` where the keyring can not be asked. Makes and unlocks no keyring."""
        if found := self.from_environment(backend):
            return found
        if self.waits:
            raise _unusable(backend, "silent")
        return await self._answer(backend, lambda ring: _stored(ring, backend), asks_user=False)

    async def unlock(self, backend: str) -> None:
        """Has the system ask for the keyring's password, where the key may be in one that is locked."""
        if not self.from_environment(backend):
            await self._answer(backend, lambda ring: _stored(ring, backend, unlock=True))

    async def set(self, backend: str, key: str) -> None:
        """Stores the key, in place of an earlier one; the system may ask for the keyring's password."""
        await self._answer(backend, lambda ring: ring.set_password(SERVICE, backend, key))

    async def delete(self, backend: str) -> None:
        """Removes the key; nothing happens where there is none."""

        def delete(ring: KeyringBackend) -> None:
            if _stored(ring, backend, unlock=True) is not None:
                ring.delete_password(SERVICE, backend)

        await self._answer(backend, delete)

    async def _answer(
        self, backend: str, question: Callable[[KeyringBackend], Result], *, asks_user: bool = True
    ) -> Result:
        threads = self._threads = self._threads or DaemonThreads()
        asked = threads.submit(_asked, backend, question)
        try:
            within_s = ASKED_WITHIN_S if asks_user else ANSWER_WITHIN_S
            return await asyncio.wait_for(asyncio.wrap_future(asked), within_s)
        except TimeoutError:
            self._unanswered = self._unanswered if asks_user else asked
            raise _unusable(backend, "silent") from None


def _asked(backend: str, question: Callable[[KeyringBackend], Result]) -> Result:
    try:
        import keyring

        ring = _first(keyring.get_keyring())
        kind = type(ring)
        if not kind.__module__.startswith("keyrings.alt"):
            return question(ring)
    # its libraries let errors of the session bus through, and those below them panics that are no `Exception`
    except BaseException as error:
        trouble = _TROUBLES.get(type(error).__name__, "failed")
        # the error's own text can name the service, never the key
        detail = f"{type(error).__name__}: {error}"
        raise _unusable(backend, trouble, detail, holds_key=getattr(error, "holds_key", False)) from error
    raise _unusable(backend, "plain", f"{kind.__module__}.{kind.__qualname__}")


def _first(ring: KeyringBackend) -> KeyringBackend:
    """The keyring that is written to: of a chain the first."""
    return next(iter(getattr(ring, "backends", ())), ring)


def _stored(ring: KeyringBackend, name: str, *, unlock: bool = False) -> str | None:
    """The key of a name. keyring itself makes and unlocks a Secret Service's collection to look into it."""
    if type(ring).__module__ != "keyring.backends.SecretService":
        return ring.get_password(SERVICE, name)
    import secretstorage
    from keyring.backend import SchemeSelectable
    from keyring.errors import KeyringLocked

    assert isinstance(ring, SchemeSelectable)
    with closing(secretstorage.dbus_init()) as bus:
        for item in secretstorage.search_items(bus, ring._query(SERVICE, name)):
            if unlock:
                item.unlock()
            if item.is_locked():
                locked = KeyringLocked(name)
                locked.holds_key = True  # type: ignore[attr-defined]
                raise locked
            return item.get_secret().decode()
        try:
            collection = secretstorage.Collection(bus)
        except secretstorage.ItemNotFoundException:
            return None  # there is no keyring yet, so that nothing is in it
        if not collection.is_locked():
            return None
        if not unlock or collection.unlock():
            raise KeyringLocked(name)  # some services tell nothing of what is in a locked one
    return _stored(ring, name)


_TROUBLES: Final[Mapping[str, KeyringTrouble]] = {
    "NoKeyringError": "none",
    "InitError": "locked",
    "KeyringLocked": "locked",
    "LockedException": "locked",
    "PromptDismissedException": "locked",
}
_WORDS: Final[Mapping[KeyringTrouble, str]] = {
    "none": phrase("This computer has no keyring. Install one (GNOME Keyring, KWallet or KeePassXC) and log in again."),
    "plain": phrase(
        "The only keyring here keeps keys in plain files, which Plimsoll does not use. Uninstall keyrings.alt "
        "and set up the system's keyring."
    ),
    "locked": phrase("The keyring is locked. Unlock it, then try again."),
    "silent": phrase("The keyring does not respond. Try again."),
    "failed": phrase("The keyring could not be used. Try again."),
}


def _unusable(backend: str, trouble: KeyringTrouble, detail: str = "", *, holds_key: bool = False) -> KeyringError:
    variable = KEY_VARIABLES.get(backend)
    instead = [phrase("Or set {variable} in the environment.", variable=variable)] if variable else []
    return KeyringError(joined([_WORDS[trouble], *instead]), trouble, detail=detail, holds_key=holds_key)
