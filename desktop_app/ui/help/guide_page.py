"""The page that shows the user guide. Fetches nothing: pictures of the guide are left out."""

from __future__ import annotations

import re

from PySide6.QtCore import QLocale, Qt, Signal
from PySide6.QtWidgets import QWidget

from desktop_app.core.messages import Message, TextPart
from desktop_app.ui.theme.theme import GRID, Theme
from desktop_app.ui.transcript.view import TranscriptView
from desktop_app.ui.widgets.page import PageFrame

LOWEST = 30 * GRID
_TITLE = re.compile(r"\A# User guide\n+")
_PICTURE = re.compile(r"^!\[[^\]]*\]\([^)]*\)\n?", re.MULTILINE)
_NEIGHBOUR = re.compile(r"\[([^\[\]]+)\]\((?!https?:)[^)]*\)")


class GuidePage(PageFrame):
    """The guide to read, select and copy. `link_wanted(address)`: a link was clicked."""

    link_wanted = Signal(str)

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(theme, self.tr("User guide"), parent)
        if QLocale().language() not in (QLocale.Language.English, QLocale.Language.C):
            self.set_title(self.tr("User guide (English)"))
        self.view = TranscriptView(theme, self)
        theme.changed.connect(self._show_theme)
        self.view.setAccessibleName(self.windowTitle())
        self.view.setMinimumHeight(LOWEST)
        self.view.offers_latest = False
        self.view.row_layout.from_top = True
        self.view.row_actions.link_activated.connect(self.link_wanted)
        # it has the column and the scroll bar of the transcript itself
        self.scroller.hide()
        self.whole.addWidget(self.view, 1)

    def _show_theme(self) -> None:
        self.view.set_theme(self.theme)

    def show_guide(self, markdown: str) -> None:
        """Shows the guide without its title, which the page has, and its pictures; links beside it are plain words."""
        text = _NEIGHBOUR.sub(r"\1", _PICTURE.sub("", _TITLE.sub("", markdown)))
        guide = Message("guide", "guide", None, "assistant", (TextPart(text),), "")
        self.view.show_path((guide,), total=1)
        self.view.navigation.scroll_to_message(guide.id)

    def focus_first(self) -> None:
        self.view.setFocus(Qt.FocusReason.OtherFocusReason)
