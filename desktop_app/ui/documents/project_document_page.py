"""The page that shows a document of a project: its text by passages, or its pages, with a passage marked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QButtonGroup, QPushButton, QStackedWidget, QWidget

from desktop_app.core.messages import Message
from desktop_app.ui.documents.page_stack import PageStack
from desktop_app.ui.theme.theme import COLUMN, GRID, Theme
from desktop_app.ui.transcript.view import TranscriptView
from desktop_app.ui.widgets.flow_layout import FlowRow
from desktop_app.ui.widgets.page import PageFrame

LOWEST = 30 * GRID


class ProjectDocumentPage(PageFrame):
    """`step_requested(1 | -1)`: the next or previous passage found. `pages_requested`: pages are wanted, not the text.

    `part_requested(1 | -1)`: of a document too long to be shown at once, the part after or before.
    """

    step_requested = Signal(int)
    pages_requested = Signal(bool)
    part_requested = Signal(int)
    link_wanted = Signal(str)

    def __init__(self, theme: Theme, name: str, parent: QWidget) -> None:
        super().__init__(theme, name, parent, width=COLUMN + 6 * GRID)
        self.facts = self.small()
        self.note = self.small()
        self.note.hide()
        self.quote = self.small(tone="")
        self.quote.hide()
        self.text_button = self._switch(self.tr("Text"))
        self.pages_button = self._switch(self.tr("Pages"))
        self.text_button.setChecked(True)
        group = QButtonGroup(self)
        group.addButton(self.text_button)
        group.addButton(self.pages_button)
        self.pages_button.toggled.connect(self.pages_requested)
        self.found = self.small()
        self.previous = self._quiet(self.tr("Previous"), self.tr("Previous passage"), "P")
        self.next = self._quiet(self.tr("Next"), self.tr("Next passage"), "N")
        self.previous.clicked.connect(lambda: self.step_requested.emit(-1))
        self.next.clicked.connect(lambda: self.step_requested.emit(1))
        controls = (self.text_button, self.pages_button, self.previous, self.next, self.found)
        self.inside.addWidget(self.facts)
        self.inside.addLayout(FlowRow(*controls, across=GRID, down=GRID // 2))
        for widget in controls:
            widget.hide()
        self.inside.addWidget(self.note)
        self.inside.addWidget(self.quote)
        self.earlier = self._quiet(self.tr("Show the part before"), "", "")
        self.later = self._quiet(self.tr("Show the part after"), "", "")
        self.earlier.clicked.connect(lambda: self.part_requested.emit(-1))
        self.later.clicked.connect(lambda: self.part_requested.emit(1))
        self.text = TranscriptView(theme, self.column)
        theme.changed.connect(self._show_theme)
        self.text.setAccessibleName(self.tr("Text of the document"))
        self.text.setMinimumHeight(LOWEST)
        self.text.offers_latest = False
        self.text.row_actions.link_activated.connect(self.link_wanted)
        self.pages = PageStack(theme, self.column)
        self.pages.setAccessibleName(self.tr("Pages of the document"))
        self.pages.setMinimumHeight(LOWEST)
        self.stack = QStackedWidget(self.column)
        self.stack.addWidget(self.text)
        self.stack.addWidget(self.pages)
        kept = self.stack.sizePolicy()
        kept.setRetainSizeWhenHidden(True)  # what stands above it stays there
        self.stack.setSizePolicy(kept)
        self.inside.addWidget(self.earlier)
        self.inside.addWidget(self.stack, 1)
        self.inside.addWidget(self.later)
        self.earlier.hide()
        self.later.hide()

    def show_facts(self, words: str, note: str) -> None:
        """What is known of the document, and what there is to say of its text."""
        self.facts.setText(words)
        self.note.setText(note)
        self.note.setVisible(bool(note))

    def show_problem(self, words: str) -> None:
        """There is no text to show, and why."""
        self.note.setText(words)
        self.note.show()
        self.stack.hide()

    def show_pages_only(self) -> None:
        """There is no text, but pages can be looked at."""
        self.stack.show()
        self.show_pages(pages=True)

    def show_passages(
        self, messages: Sequence[Message], marks: Mapping[str, str], *, before: bool = False, after: bool = False
    ) -> None:
        """Passages as messages, with words above some; `before`, `after`: there are more."""
        self.text.show_path(tuple(messages), total=len(messages))
        self.text.decorations.set_load_line(None, marks=marks)
        if messages:
            self.text.navigation.scroll_to_message(messages[0].id)
        self.earlier.setVisible(before)
        self.later.setVisible(after)

    def go_to_passage(self, message_id: str) -> None:
        """Brings a passage into view and marks it."""
        self.text.navigation.jump_to(message_id)

    def offer_pages(self) -> None:
        """There are pictures of pages to change to."""
        self.text_button.show()
        self.pages_button.show()

    def show_pages(self, *, pages: bool) -> None:
        """Shows the pages, or the text."""
        (self.pages_button if pages else self.text_button).setChecked(True)
        self.stack.setCurrentWidget(self.pages if pages else self.text)
        self.focus_first()

    def show_place(self, words: str, *, many: bool) -> None:
        """Which of the passages found is shown; `many`: there are others to go to."""
        self.found.setText(words)
        self.found.setVisible(bool(words))
        self.previous.setVisible(many)
        self.next.setVisible(many)

    def show_quote(self, words: str) -> None:
        """The passage's own words, where its place on the page is not known; empty: nothing."""
        self.quote.setText(words)
        self.quote.setVisible(bool(words))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        steps = {Qt.Key.Key_N: 1, Qt.Key.Key_P: -1}
        if event.key() in steps and not event.modifiers() and self.next.isVisible():
            self.step_requested.emit(steps[Qt.Key(event.key())])
        else:
            super().keyPressEvent(event)

    def focus_first(self) -> None:
        (self.pages if self.stack.currentWidget() is self.pages else self.text).setFocus(
            Qt.FocusReason.OtherFocusReason
        )

    def _switch(self, words: str) -> QPushButton:
        button = QPushButton(words, self.column)
        button.setProperty("kind", "choice")
        button.setCheckable(True)
        self.theme.set_font("small", button)
        return button

    def _quiet(self, words: str, name: str, keys: str) -> QPushButton:
        button = QPushButton(words, self.column)
        button.setProperty("kind", "quiet")
        self.theme.set_font("small", button)
        if name:
            button.setAccessibleName(name)
            button.setToolTip(f"{name} ({keys})")
        return button

    def _show_theme(self) -> None:
        self.text.set_theme(self.theme)
