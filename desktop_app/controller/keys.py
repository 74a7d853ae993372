"""Owns which keys are known to be there, so that asking costs no keyring. Must not know how keys are stored.

No key is kept here: only the fact that one was found.
"""

from __future__ import annotations

from desktop_app.controller.ports import Secrets


class RememberedKeys:
    """Secrets that remember for which backends a key was found, stored or taken out."""

    def __init__(self, secrets: Secrets) -> None:
        self._secrets = secrets
        self._found: set[str] = set()

    def known(self, backend: str) -> bool:
        """Whether a key is known to be there. Answers at once; a keyring not asked yet counts as empty."""
        return backend in self._found or bool(self.from_environment(backend))

    def from_environment(self, backend: str) -> str | None:
        """The key in the environment."""
        return self._secrets.from_environment(backend)

    async def get(self, backend: str) -> str | None:
        """The key, from the environment or the keyring."""
        key = await self._secrets.get(backend)
        self._note(backend, bool(key))
        return key

    async def set(self, backend: str, key: str) -> None:
        """Stores a key in the keyring."""
        await self._secrets.set(backend, key)
        self._note(backend, True)

    async def delete(self, backend: str) -> None:
        """Takes a key out of the keyring."""
        await self._secrets.delete(backend)
        self._note(backend, False)

    def _note(self, backend: str, found: bool) -> None:
        if found:
            self._found.add(backend)
        else:
            self._found.discard(backend)
