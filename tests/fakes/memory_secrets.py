"""Keys that are kept in memory."""

from __future__ import annotations

from collections.abc import Mapping

from desktop_app.core.errors import KeyringError
from desktop_app.credentials.key_stores import key_from_environment

NO_KEYRING = "This computer has no keyring. Install one, then log in again."


class MemorySecrets:
    """Keys in memory; those of the environment come first."""

    def __init__(self, environ: Mapping[str, str] | None = None, keys: Mapping[str, str] | None = None) -> None:
        self._environ = environ or {}
        self._keys = dict(keys or {})

    def from_environment(self, backend: str) -> str | None:
        return key_from_environment(self._environ, backend)

    async def get(self, backend: str) -> str | None:
        return self.from_environment(backend) or self._keys.get(backend)

    async def unlock(self, backend: str) -> None:
        """It is never locked."""

    async def set(self, backend: str, key: str) -> None:
        self._keys[backend] = key

    async def delete(self, backend: str) -> None:
        """Forgets the key; nothing happens where there is none."""
        self._keys.pop(backend, None)


class NoKeyring(MemorySecrets):
    """A computer without a keyring; the environment still answers."""

    async def get(self, backend: str) -> str | None:
        if given := self.from_environment(backend):
            return given
        raise KeyringError(NO_KEYRING, "none")

    async def set(self, backend: str, key: str) -> None:
        raise KeyringError(NO_KEYRING, "none")

    async def delete(self, backend: str) -> None:
        await self.set(backend, "")


class LockedKeyring(MemorySecrets):
    """A keyring that is locked until it is told otherwise."""

    locked = True
    password = False
    """Whether the user gives it when asked."""
    tells = True
    """Whether it tells which keys are in it while it is locked."""

    def _check(self) -> None:
        if self.locked:
            raise KeyringError("The keyring is locked. Unlock it, then try again.", "locked")

    async def get(self, backend: str) -> str | None:
        if given := self.from_environment(backend):
            return given
        if self.locked and self.tells and backend in self._keys:
            raise KeyringError("The keyring is locked. Unlock it, then try again.", "locked", holds_key=True)
        self._check()
        return await super().get(backend)

    async def set(self, backend: str, key: str) -> None:
        await self.unlock(backend)
        await super().set(backend, key)

    async def unlock(self, backend: str) -> None:
        """Asks the user for the password."""
        if not self.password:
            self._check()
        self.locked = False

    async def delete(self, backend: str) -> None:
        self._check()
        await super().delete(backend)
