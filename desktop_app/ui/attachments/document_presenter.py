"""The flow behind a document's page: its text in lines, made off the GUI thread."""

from __future__ import annotations

import asyncio

from PySide6.QtCore import QObject

from desktop_app.core.messages import DocumentPart
from desktop_app.ui.attachments.document_page import DocumentPage
from desktop_app.ui.state.app_state import AppState
from desktop_app.ui.widgets.text_lines import TextLine, text_lines


class DocumentPresenter(QObject):
    """One document, which does not change."""

    def __init__(self, app_state: AppState, page: DocumentPage, document: DocumentPart, parent: QObject) -> None:
        super().__init__(parent)
        self.page = page
        self._ended = False
        app_state.start(self._show(document.text))

    def end(self) -> None:
        self._ended = True

    async def _show(self, text: str) -> None:
        def made() -> list[TextLine]:
            return list(text_lines(text))

        lines = await asyncio.to_thread(made)
        if not self._ended:
            self.page.show_lines(lines)
