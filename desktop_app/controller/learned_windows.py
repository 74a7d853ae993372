"""Keeps the context windows that overflows taught, and applies them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Protocol

from desktop_app.core.model_catalog import ModelInfo


class WindowStore(Protocol):
    """The part of the history that keeps learned windows; see `ports.History`."""

    async def learned_windows(self) -> Mapping[tuple[str, str], int]: ...

    async def save_learned_window(self, backend: str, model: str, window: int | None) -> None: ...


class LearnedWindows:
    """Windows in tokens by backend and model, read from the history once."""

    def __init__(self, history: WindowStore) -> None:
        self._history = history
        self._known: dict[tuple[str, str], int] | None = None

    async def of(self, backend: str, model: str) -> int | None:
        """Return the window learned of a model; None: nothing."""
        return (await self._read()).get((backend, model))

    async def applied(self, backend: str, model: ModelInfo) -> ModelInfo:
        """The model with its learned window, unless the user's own says otherwise (PRODUCT.md CTX-3)."""
        window = await self.of(backend, model.id)
        if window is None or model.window_source == "override":
            return model
        return replace(model, window=window, window_source="learned", max_output=min(model.max_output, window))

    async def learn(self, backend: str, model: str, window: int | None) -> None:
        """Keeps a window from now on; None forgets what was learned."""
        known = await self._read()
        await self._history.save_learned_window(backend, model, window)
        if window is None:
            known.pop((backend, model), None)
        else:
            known[backend, model] = window

    def read_again(self) -> None:
        """Called when another process wrote to the history."""
        self._known = None

    async def _read(self) -> dict[tuple[str, str], int]:
        if self._known is None:
            self._known = dict(await self._history.learned_windows())
        return self._known
