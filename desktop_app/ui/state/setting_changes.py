"""Changes of settings that can be taken back in the order in which they were made."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, TypeAlias

from desktop_app.controller.preferences import SettingValue
from desktop_app.core.errors import PlimsollError
from desktop_app.ui.state.app_state import AppState

if TYPE_CHECKING:  # the controller is loaded after the first paint
    Values: TypeAlias = Mapping[str, SettingValue]
    Steps: TypeAlias = list[tuple[Values, Values]]  # before, after


class SettingChanges:
    """Writes values by dotted key, None for the default; several at once are one step."""

    def __init__(self, app_state: AppState, refused: Callable[[Values, PlimsollError], None]) -> None:
        """`refused`: tells why values could not be written."""
        self._app_state = app_state
        self._refused = refused
        self._writing = asyncio.Lock()
        self._done: Steps = []
        self._undone: Steps = []

    async def make(self, after: Values) -> bool:
        """Writes values; False where that was not possible."""
        services = await self._app_state.services()
        async with self._writing:
            before = {key: await services.preferences.written(key) for key in after}
            if written := await self._write(after):
                self._done.append((before, after))
                self._undone.clear()
        return written

    async def step(self, *, back: bool) -> str:
        """Takes the last change back, or makes it again; returns its first key, empty where there was none."""
        source, target = (self._done, self._undone) if back else (self._undone, self._done)
        async with self._writing:
            if not source:
                return ""
            change = source.pop()
            (target if await self._write(change[0 if back else 1]) else source).append(change)
        return next(iter(change[0]))

    async def _write(self, values: Values) -> bool:
        services = await self._app_state.services()
        try:
            await services.preferences.set_values(values)
        except PlimsollError as error:
            self._refused(values, error)
            return False
        return True
