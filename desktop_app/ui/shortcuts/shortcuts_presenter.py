"""The flow behind the page of shortcuts: writes keys into the settings, takes changes back. Uses no control."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import TYPE_CHECKING, TypeAlias

from PySide6.QtCore import QObject

from desktop_app.core.errors import PlimsollError
from desktop_app.core.events import SettingsChanged
from desktop_app.core.phrases import value_of
from desktop_app.ui.shortcuts.key_sequences import written
from desktop_app.ui.shortcuts.keymap import Keys
from desktop_app.ui.shortcuts.shortcuts_page import ShortcutsPage
from desktop_app.ui.state.app_state import AppState
from desktop_app.ui.widgets.floating import Toast

if TYPE_CHECKING:  # the controller is loaded after the first paint
    from desktop_app.controller.preferences import SettingValue

    Values: TypeAlias = dict[str, SettingValue]


class ShortcutsPresenter(QObject):
    """Each wish is one step that can be taken back, however many actions it is about."""

    def __init__(self, app_state: AppState, page: ShortcutsPage, toast: Toast, parent: QObject) -> None:
        super().__init__(parent)
        self._app_state = app_state
        self.page = page
        self._toast = toast
        self._ended = False
        self._told = ""
        self._writing = asyncio.Lock()
        self._done: list[tuple[Values, Values]] = []  # before, after
        self._undone: list[tuple[Values, Values]] = []
        page.keys_wished.connect(lambda wishes: app_state.start(self._change(wishes)))
        page.undo_requested.connect(self.undo)
        page.redo_requested.connect(lambda: app_state.start(self._step(self._undone, self._done, 1)))
        app_state.bridge.subscribe(SettingsChanged, self._show_problems)
        app_state.start(self._read_again())

    def end(self) -> None:
        self._ended = True

    def _show_problems(self, _fact: object = None) -> None:
        services = self._app_state.ready
        if services is not None and not self._ended:
            told = services.preferences.problems
            self.page.show_problems([one for one in told if _setting(one).partition(".")[0] == "shortcuts"])

    def undo(self) -> None:
        """Takes the last change back."""
        self._app_state.start(self._step(self._done, self._undone, 0))

    async def _read_again(self) -> None:
        """The file may have been changed by hand since it was read."""
        services = await self._app_state.services()
        await services.preferences.reload()

    async def _change(self, wishes: Mapping[str, Keys | None]) -> None:
        services = await self._app_state.services()
        after: Values = {f"shortcuts.{name}": _value(keys) for name, keys in wishes.items()}
        async with self._writing:
            before: Values = {key: await services.preferences.written(key) for key in after}
            if await self._write(after):
                self._done.append((before, after))
                self._undone.clear()
                self._tell_of(wishes)

    async def _step(self, source: list[tuple[Values, Values]], target: list[tuple[Values, Values]], which: int) -> None:
        async with self._writing:
            if not source:
                return
            change = source.pop()
            self._take_telling_away()
            (target if await self._write(change[which]) else source).append(change)
        if not self._ended:
            self.page.reveal(next(iter(change[1])).partition(".")[2])

    async def _write(self, values: Values) -> bool:
        services = await self._app_state.services()
        try:
            await services.preferences.set_values(values)
        except PlimsollError as error:
            self._toast.show_message(error.failure.message)
            return False
        return True

    def _tell_of(self, wishes: Mapping[str, Keys | None]) -> None:
        """Tell of a change that concerns several actions, with the way back."""
        if len(wishes) < 2 or self._ended:
            return
        reset = all(keys is None for keys in wishes.values())
        words = self.tr("All shortcuts are at their defaults.") if reset else self.tr("Shortcut moved.")
        self._told = words
        self._toast.show_message(words, self.tr("Undo"), self.undo)

    def _take_telling_away(self) -> None:
        """Remove the message, as it is not so any more, and its button would take back what was done before."""
        if self._told and self._toast.words == self._told:
            self._toast.hide()
        self._told = ""


def _value(keys: Keys | None) -> SettingValue:
    """Keys as settings.toml has them: one as a text, several as a list, "" for none."""
    if keys is None:
        return None
    texts = [written(one) for one in keys]
    return texts if len(texts) > 1 else "".join(texts)


def _setting(problem: str) -> str:
    return str(value_of(problem, "setting") or value_of(problem, "name"))
