"""The flow behind the page of preferences: writes values, takes them back, sees when the file changes."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable, Coroutine, Mapping, Sequence
from dataclasses import replace
from typing import Any

from PySide6.QtCore import QFileSystemWatcher, QObject, QTimer, QUrl
from PySide6.QtGui import QDesktopServices

from desktop_app.core.backend_descriptors import NOT_OFFERED
from desktop_app.core.context.limits import head_over_cap
from desktop_app.core.errors import PlimsollError
from desktop_app.core.events import SettingsChanged
from desktop_app.ui.i18n.language import translated
from desktop_app.ui.models.model_choice import ModelChoice
from desktop_app.ui.preferences.preferences_page import PreferencesPage, PreferencesView
from desktop_app.ui.preferences.setting_controls import PathControl
from desktop_app.ui.state.app_state import AppState
from desktop_app.ui.state.services import WindowServices
from desktop_app.ui.state.setting_changes import SettingChanges
from desktop_app.ui.state.window_state import WindowState
from desktop_app.ui.widgets.floating import asked_files, asked_folder

ShowModels = Callable[[Sequence["ModelChoice"]], None]
ListModels = Callable[[ShowModels, ShowModels, tuple[str, str] | None], Coroutine[Any, Any, None]]

SECTION = "preferences_section"
"""The name under which the section is remembered."""
REST_MS = 150
"""An editor that saves a file touches it several times; it is read when that is over."""


class PreferencesPresenter(QObject):
    """Keeps the page true while it is shown. Changes are taken back in the order in which they were made."""

    def __init__(
        self,
        app_state: AppState,
        page: PreferencesPage,
        parent: QObject,
        *,
        list_models: ListModels | None = None,
        further_problems: Callable[[], tuple[str, ...]] = tuple,
        state: WindowState | None = None,
    ) -> None:
        """`list_models`: shows what models there are, see `AvailableModels.list_models`.

        `further_problems`: what else is wrong in the file, seen by others than its reader. `state`: remembers the
        section that was shown last.
        """
        super().__init__(parent)
        self._further_problems = further_problems
        self._app_state = app_state
        self.page = page
        self._ended = False
        self._changes = SettingChanges(app_state, self._tell_refused)
        self._limit_problem = ""
        self._watcher = QFileSystemWatcher(self)
        self._rest = QTimer(self, singleShot=True, interval=REST_MS)
        if state is not None:
            kept = state.settings
            page.open_at(str(kept.value(SECTION, "")))
            page.section_chosen.connect(lambda name: kept.setValue(SECTION, name))
        page.value_chosen.connect(lambda key, value: app_state.start(self._changes.make({key: value})))
        page.undo_requested.connect(lambda: app_state.start(self._step(back=True)))
        page.redo_requested.connect(lambda: app_state.start(self._step(back=False)))
        if list_models is not None:
            page.models_requested.connect(
                lambda control: app_state.look(
                    list_models(control.show_choices, control.update_choices, control.own_model)
                )
            )
        page.path_requested.connect(lambda control, name: app_state.start(self._choose_path(control, name)))
        page.file.wanted.connect(lambda: app_state.start(self._open_file()))
        app_state.bridge.subscribe(SettingsChanged, self._show)
        self._watcher.fileChanged.connect(lambda _path: self._rest.start())
        self._watcher.directoryChanged.connect(lambda _path: self._rest.start())
        self._rest.timeout.connect(lambda: app_state.start(self._look_at_file()))
        app_state.start(self._begin())

    def end(self) -> None:
        self._ended = True
        self._rest.stop()

    async def _begin(self) -> None:
        services = await self._app_state.services()
        # The file may have been changed by hand since it was read.
        await services.preferences.reload()
        if not self._ended:
            self._watch(services)

    def _show(self, _fact: object = None) -> None:
        services = self._app_state.ready
        if self._ended or services is None:
            return
        titles = {
            name: translated(backend.title) for name, backend in services.backends.items() if name not in NOT_OFFERED
        }
        preferences = services.preferences
        head = head_over_cap(preferences.settings.context)
        limits = (self._limit_problem, head.message if head is not None else "")
        problems = (*preferences.problems, *filter(None, limits), *self._further_problems())
        self.page.show_preferences(PreferencesView(preferences.settings, problems, titles, preferences.at_start))

        self._app_state.start(self._look_at_limit(services))

    async def _look_at_limit(self, services: WindowServices) -> None:
        """Check whether the model of the open thread, or of new ones, takes the soft limit that is set."""
        problem, thread = "", self._app_state.current
        with contextlib.suppress(PlimsollError):  # nothing is set up to answer yet
            # its own position is not what is set here
            problem = await services.chat.chooser.limit_problem(thread and replace(thread, soft_limit=None))
        if problem != self._limit_problem:
            self._limit_problem = problem
            self._show()

    def _tell_refused(self, values: Mapping[str, object], error: PlimsollError) -> None:
        if not self._ended:
            self.page.show_problem(next(iter(values)), translated(error.failure.message))

    async def _step(self, *, back: bool) -> None:
        key = await self._changes.step(back=back)
        if key and not self._ended:
            self.page.reveal(key)

    async def _choose_path(self, control: PathControl, name: str) -> None:
        """Asks for a folder or a file; `name`: what for."""
        chosen = await asked_folder(self.page, name) if control.is_folder else None
        if not control.is_folder:
            chosen = next(iter(await asked_files(self.page, name)), None)
        if chosen is not None and not self._ended:
            control.take_path(chosen)

    # --- the file

    async def _open_file(self) -> None:
        services = await self._app_state.services()
        path = services.preferences.path
        exists = await asyncio.to_thread(path.exists)
        QDesktopServices.openUrl(QUrl.fromLocalFile(str(path if exists else path.parent)))

    async def _look_at_file(self) -> None:
        services = await self._app_state.services()
        if not self._ended:
            self._watch(services)
            await services.preferences.look_again()

    def _watch(self, services: WindowServices) -> None:
        """Watch the file and its folder: a file that is replaced is another one and has to be watched again."""
        path = services.preferences.path
        known = {*self._watcher.files(), *self._watcher.directories()}
        wanted = [str(path.parent), *([str(path)] if path.exists() else [])]
        missing = [each for each in wanted if each not in known]
        if missing:
            self._watcher.addPaths(missing)
