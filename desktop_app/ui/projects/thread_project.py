"""The project that the open thread is in, and the times to look at its followed folders. Shows nothing itself."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QObject, QTimer, Signal
from PySide6.QtGui import QGuiApplication

from desktop_app.core.errors import PlimsollError
from desktop_app.core.events import HistoryChangedElsewhere, ProjectsChanged
from desktop_app.core.projects import Project
from desktop_app.ui.state.app_state import AppState

LOOK_EVERY_MS: Final = 180_000
"""Milliseconds between two looks at followed folders while the window is used."""


class ThreadProject(QObject):
    """`changed(Project | None)`: the project of the open thread, as it is now."""

    changed = Signal(object)

    def __init__(self, app_state: AppState) -> None:
        super().__init__(app_state)
        self._app_state = app_state
        self.project: Project | None = None
        for fact in (app_state.thread_opened, app_state.thread_made, app_state.thread_changed, app_state.thread_closed):
            fact.connect(self._look_which)
        for announced in (ProjectsChanged, HistoryChangedElsewhere):
            app_state.bridge.subscribe(announced, self._look_which)
        self._clock = QTimer(self)
        self._clock.setInterval(LOOK_EVERY_MS)
        self._clock.timeout.connect(self._look_again)
        self._clock.start()
        app_state.start(self._resume_reading())
        self._look_which()

    def _look_which(self, _fact: object = None) -> None:
        self._app_state.start(self._find())

    async def _find(self) -> None:
        services, thread = await self._app_state.services(), self._app_state.current
        try:
            project = await services.projects.of_thread(thread) if thread is not None else None
        except PlimsollError:
            return  # the history can't be read now: whoever shows the thread says so
        if thread is not self._app_state.current or project == self.project:
            return
        another = project is not None and (self.project is None or project.id != self.project.id)
        self.project = project
        self.changed.emit(project)
        if another:
            self._look()

    def _look_again(self) -> None:
        if QGuiApplication.focusWindow() is not None:
            self._look()

    def _look(self) -> None:
        if self.project is not None:
            self._app_state.look(self._look_at_folders(self.project.id))

    async def _look_at_folders(self, project_id: str) -> None:
        services = await self._app_state.services()
        try:
            await services.projects.look_at_folders(project_id)
        except PlimsollError:
            return  # the next look may succeed; the project's page tells what stands in the way

    async def _resume_reading(self) -> None:
        services = await self._app_state.services()
        await services.projects.start()
