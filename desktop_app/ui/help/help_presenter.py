"""The flows behind Help and About: texts are read off the GUI thread."""

from __future__ import annotations

import asyncio
import json

from PySide6.QtCore import QObject

from desktop_app import __version__
from desktop_app.resources import resource, user_guide
from desktop_app.ui.help.about_page import AboutPage
from desktop_app.ui.help.guide_page import GuidePage
from desktop_app.ui.state.app_state import AppState


class GuidePresenter(QObject):
    """Shows the guide."""

    def __init__(self, app_state: AppState, page: GuidePage, parent: QObject) -> None:
        super().__init__(parent)
        self.page = page
        self._ended = False
        app_state.look(self._show())

    def end(self) -> None:
        self._ended = True

    async def _show(self) -> None:
        try:
            text = await asyncio.to_thread(lambda: user_guide().read_text("utf-8"))
        except OSError:
            text = self.tr("The user guide is missing. Install Plimsoll again.")
        if not self._ended:
            self.page.show_guide(text)


class AboutPresenter(QObject):
    """Shows what this installation is, and how it is."""

    def __init__(self, app_state: AppState, page: AboutPage, parent: QObject) -> None:
        super().__init__(parent)
        self._app_state = app_state
        self.page = page
        self._ended = False
        app_state.look(self._show())

    def end(self) -> None:
        self._ended = True

    async def _show(self) -> None:
        def listed() -> dict[str, str]:
            return dict(json.loads(resource("third-party.json").read_text("utf-8")))

        self.page.show_version(__version__, await asyncio.to_thread(listed))
        services = await self._app_state.services()
        found = await services.diagnose()
        if not self._ended:
            self.page.show_diagnosis(found)
