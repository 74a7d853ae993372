"""The page that shows the text of an attached document, as the model reads it."""

from __future__ import annotations

import asyncio

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QWidget

from desktop_app.core.attachment_facts import note_of
from desktop_app.core.messages import DocumentPart
from desktop_app.ui.i18n.content_words import characters, facts_of, kind_of, name_of
from desktop_app.ui.i18n.language import translated
from desktop_app.ui.state.app_state import AppState
from desktop_app.ui.theme.theme import GRID, Theme, motion
from desktop_app.ui.widgets.live_page import LivePage
from desktop_app.ui.widgets.parts import button_in, single_shot
from desktop_app.ui.widgets.text_lines import LinesView, text_lines

LOWEST = 30 * GRID


class DocumentPage(LivePage):
    """The name, what is known of the document, and its whole text to read, select and copy; it does not change."""

    def __init__(self, theme: Theme, app_state: AppState, document: DocumentPart, parent: QWidget) -> None:
        super().__init__(theme, name_of(document), parent)
        self._text = document.text
        told = [kind_of(document), facts_of(document), characters(len(document.text))]
        self.facts = self.small(" · ".join(dict.fromkeys(words for words in told if words)))
        self.copy = button_in(self.top, self.tr("Copy"), self._copy, name=self.tr("Copy the text of the document"))
        self.header_row.addWidget(self.copy)
        self.inside.addWidget(self.facts)
        note = note_of(document)
        if note:
            self.inside.addWidget(self.small(translated(note)))
        self.view = LinesView(theme, self.column)
        self.view.setAccessibleName(self.tr("Text of the document"))
        self.view.setMinimumHeight(LOWEST)
        self.inside.addWidget(self.view, 1)
        self._said = single_shot(self, lambda: self.copy.setText(self.tr("Copy")), motion("said"))
        app_state.start(self.read_again())

    async def read_again(self) -> None:
        lines = await asyncio.to_thread(lambda: list(text_lines(self._text)))
        if not self.ended:
            self.view.show_lines(lines)

    def focus_first(self) -> None:
        self.view.setFocus(Qt.FocusReason.OtherFocusReason)

    def _copy(self) -> None:
        QGuiApplication.clipboard().setText(self._text)
        self.copy.setText(self.tr("Copied"))
        self._said.start()
