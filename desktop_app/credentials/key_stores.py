"""Reads keys from the environment or the system's keyring; writes none to a file of its own.

Importing keyring and asking the Secret Service take 50 ms and more: that happens on first use, in another thread.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from types import ModuleType
from typing import TypeVar

from desktop_app.core.backend_descriptors import KEY_VARIABLES
from desktop_app.core.errors import UserError
from desktop_app.core.phrases import joined, phrase


def key_from_environment(environ: Mapping[str, str], backend: str) -> str | None:
    """The key that stands in the environment; None for an empty one or a backend without a variable."""
    return environ.get(KEY_VARIABLES.get(backend, ""), "").strip() or None


SERVICE = "plimsoll"

_BELOW = ("secretstorage", "jeepney")

Result = TypeVar("Result")


class KeyringSecrets:
    """The environment first, then the keyring. Where there is no safe keyring every call says what to do instead."""

    def __init__(self, environ: Mapping[str, str]) -> None:
        self._environ = environ

    def from_environment(self, backend: str) -> str | None:
        return key_from_environment(self._environ, backend)

    async def get(self, backend: str) -> str | None:
        """The key or None; `UserError("config")` where the keyring can not be asked."""
        if found := self.from_environment(backend):
            return found
        return await asyncio.to_thread(self._asked, backend, lambda ring: ring.get_password(SERVICE, backend))

    async def set(self, backend: str, key: str) -> None:
        """Stores the key, in place of an earlier one."""
        await asyncio.to_thread(self._asked, backend, lambda ring: ring.set_password(SERVICE, backend, key))

    async def delete(self, backend: str) -> None:
        """Removes the key; nothing happens where there is none."""
        await asyncio.to_thread(self._asked, backend, _delete(backend))

    def _asked(self, backend: str, question: Callable[[ModuleType], Result]) -> Result:
        import keyring
        from keyring.errors import KeyringError

        variable = KEY_VARIABLES.get(backend)
        instead = [phrase("Or set {variable} in the environment.", variable=variable)] if variable else []
        ring = type(_first(keyring.get_keyring()))
        if ring.__module__.startswith("keyrings.alt"):
            message = phrase(
                "The only keyring here keeps keys in plain files, which Plimsoll does not use. Uninstall keyrings.alt "
                "and set up the system's keyring."
            )
            raise _unusable(joined([message, *instead]), f"{ring.__module__}.{ring.__qualname__}")
        try:
            return question(keyring)
        except Exception as error:
            # the libraries below keyring let some errors of the session bus through
            if not isinstance(error, KeyringError | OSError) and type(error).__module__.partition(".")[0] not in _BELOW:
                raise
            # the error's own text can name the service, never the key
            detail = f"{type(error).__name__}: {error}"
            raise _unusable(joined([_words(type(error).__name__), *instead]), detail) from error


def _first(ring: object) -> object:
    """The keyring that is written to: of a chain the first."""
    return next(iter(getattr(ring, "backends", ())), ring)


def _words(kind: str) -> str:
    if kind == "NoKeyringError":
        return phrase(
            "This computer has no keyring. Install one (GNOME Keyring, KWallet or KeePassXC) and log in again."
        )
    if kind in ("InitError", "KeyringLocked"):
        return phrase("The keyring is locked. Unlock it, then try again.")
    return phrase("The keyring could not be used. Try again.")


def _delete(backend: str) -> Callable[[ModuleType], None]:
    def delete(ring: ModuleType) -> None:
        if ring.get_password(SERVICE, backend) is not None:
            ring.delete_password(SERVICE, backend)

    return delete


def _unusable(message: str, detail: str) -> UserError:
    return UserError("config", message, detail=detail, actions=("retry",))
