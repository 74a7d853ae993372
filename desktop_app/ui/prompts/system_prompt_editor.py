"""The page on which a thread's system prompt is edited."""

from __future__ import annotations

from PySide6.QtWidgets import QWidget

from desktop_app.ui.theme.theme import Theme
from desktop_app.ui.widgets.page import EditorPage


class SystemPromptEditor(EditorPage):
    """The text, its share of the limit, and what changing it costs."""

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(theme, "", parent)
        self.set_title(self.tr("System prompt"))
        self.field.setAccessibleName(self.tr("System prompt of this thread"))
        self.field.setPlaceholderText(self.tr("Instructions for the model in this thread"))
        self.lead.setText(self.tr("Sent before everything else with each message of this thread."))
        self.price = self.small()
        self.inside.insertWidget(self.inside.indexOf(self.tokens) + 1, self.price)
