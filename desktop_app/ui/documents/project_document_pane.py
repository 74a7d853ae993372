"""The pane that shows a document of a project: its text by passages, or its pages, with a passage marked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import (
    QApplication,
    QButtonGroup,
    QFrame,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QStackedWidget,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from desktop_app.core.messages import Message
from desktop_app.ui.documents.page_stack import PageStack
from desktop_app.ui.documents.page_tools import PageTools
from desktop_app.ui.theme.icons import set_icon
from desktop_app.ui.theme.theme import GRID, Theme
from desktop_app.ui.transcript.canvas.row_layout import PlacedRow
from desktop_app.ui.transcript.items.item import TextHighlight
from desktop_app.ui.transcript.view import TranscriptView
from desktop_app.ui.widgets import KEEPS_FOCUS
from desktop_app.ui.widgets.fitting import ElidedLabel, FlowRow

LOWEST = 20 * GRID
EDGE = 2 * GRID
"""Pixels at the left of the head: its words stand above those of the text."""


class ProjectDocumentPane(QWidget):
    """`step_requested(1 | -1)`: the next or previous passage found. `pages_requested`: pages are wanted, not the text.

    `part_requested(1 | -1)`: of a document too long to be shown at once, the part after or before.
    `file_requested`: its file is to be opened in its own program.
    """

    step_requested = Signal(int)
    pages_requested = Signal(bool)
    part_requested = Signal(int)
    file_requested = Signal()
    close_requested = Signal()

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self.setProperty(KEEPS_FOCUS, True)
        self._theme = theme
        self._marked = ""
        self.heading = ElidedLabel(self)
        self.open_button = QToolButton(self)
        self.open_button.setAccessibleName(self.tr("Open in default app"))
        self.open_button.setToolTip(self.tr("Open in default app"))
        set_icon(self.open_button, "open", theme)
        self.close_button = QToolButton(self)
        self.close_button.setAccessibleName(self.tr("Close document"))
        self.close_button.setToolTip(self.tr("Close document (Esc)"))
        set_icon(self.close_button, "close", theme)
        self.facts = self._label()
        self.note = self._label()
        self.quote = self._label(tone="")
        self.found = self._label()
        self.found.setWordWrap(False)
        self.text_button = self._switch(self.tr("Text"))
        self.pages_button = self._switch(self.tr("Pages"))
        self.text_button.setChecked(True)
        group = QButtonGroup(self)
        group.addButton(self.text_button)
        group.addButton(self.pages_button)
        self.page_tools = PageTools(theme, self)
        self.previous = self._quiet(self.tr("Previous"), self.tr("Previous passage"), "P")
        self.next = self._quiet(self.tr("Next"), self.tr("Next passage"), "N")
        self.earlier = self._quiet(self.tr("Show the part before"), "", "")
        self.later = self._quiet(self.tr("Show the part after"), "", "")
        self.text = TranscriptView(theme, self)
        self.text.setAccessibleName(self.tr("Text of the document"))
        self.text.setMinimumHeight(LOWEST)
        self.text.offers_latest = False
        self.text.row_layout.from_top = True
        self.text.highlights_in = self._highlights_in
        self.pages = PageStack(theme, self)
        self.pages.setAccessibleName(self.tr("Pages of the document"))
        self.pages.setMinimumHeight(LOWEST)
        self.stack = QStackedWidget(self)
        self.stack.addWidget(self.text)
        self.stack.addWidget(self.pages)
        kept = self.stack.sizePolicy()
        kept.setRetainSizeWhenHidden(True)  # what stands above it stays there
        self.stack.setSizePolicy(kept)
        self._lay_out()
        self._connect()
        theme.set_font("small", self.facts, self.note, self.quote, self.found, self.text_button, self.pages_button)
        theme.set_font("small", self.previous, self.next, self.earlier, self.later)
        theme.changed.connect(self._show_theme)
        theme.follow(self._apply_theme)

    def show_document(self, name: str) -> None:
        """Another document, of which nothing is known yet but its name."""
        self._marked = ""
        self.setAccessibleName(name)
        self.heading.set_words(name)
        self.show_facts("", "")
        self.show_quote("")
        self.open_button.hide()
        self.text_button.hide()
        self.pages_button.hide()
        self.pages.mark(0)
        self.pages.show_pages(())
        self.show_passages((), {})
        self.stack.show()
        self.show_pages(pages=False)

    def show_facts(self, words: str, note: str) -> None:
        """Show the facts of the document, and a note on its text."""
        self.facts.setText(words)
        self.facts.setVisible(bool(words))
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
        self._marked = message_id
        self.text.navigation.jump_to(message_id)
        self.text.repaint_all()

    def offer_pages(self) -> None:
        """There are pictures of pages to change to."""
        self.text_button.show()
        self.pages_button.show()

    def offer_file(self) -> None:
        """There is a file to open in its own program."""
        self.open_button.show()

    def show_pages(self, *, pages: bool) -> None:
        """Shows the pages, or the text."""
        (self.pages_button if pages else self.text_button).setChecked(True)
        self.page_tools.setVisible(pages)
        keyboard = self.stack.isAncestorOf(QApplication.focusWidget() or self)
        self.stack.setCurrentWidget(self.pages if pages else self.text)
        if keyboard:
            self.focus_inside()

    def show_place(self, words: str, *, before: bool = False, after: bool = False) -> None:
        """Which of the passages found is shown, and whether there are others before and after it."""
        self.found.setText(words)
        for part, on in ((self.found, True), (self.previous, before), (self.next, after)):
            part.setVisible(bool(words))
            part.setEnabled(on)

    def show_quote(self, words: str) -> None:
        """The passage's own words, where its place on the page is not known; empty: nothing."""
        self.quote.setText(words)
        self.quote.setVisible(bool(words))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        steps = {Qt.Key.Key_N: 1, Qt.Key.Key_P: -1}
        if event.key() == Qt.Key.Key_Escape:
            self.close_requested.emit()
        elif event.key() in steps and not event.modifiers() and self.next.isVisible():
            step = steps[Qt.Key(event.key())]
            if (self.next if step > 0 else self.previous).isEnabled():
                self.step_requested.emit(step)
        else:
            super().keyPressEvent(event)

    def focus_inside(self) -> None:
        """Gives the keyboard to what is shown."""
        shown = self.stack.currentWidget() if self.stack.isVisible() else self.close_button
        if shown is not None:
            shown.setFocus(Qt.FocusReason.ShortcutFocusReason)

    # --- parts

    def _highlights_in(self, placed: PlacedRow) -> Sequence[TextHighlight]:
        """The whole text of the marked passage."""
        messages = self.text.messages[placed.message : placed.message + 1]  # none: the row stands after the last
        return [TextHighlight(0, placed.row.item.length) for one in messages if one.id == self._marked]

    def _lay_out(self) -> None:
        head = QHBoxLayout()
        head.setContentsMargins(EDGE, GRID, GRID, 0)
        head.addWidget(self.heading, 1)
        head.addWidget(self.open_button)
        head.addWidget(self.close_button)
        above = QVBoxLayout()
        above.setContentsMargins(0, 0, GRID, GRID // 2)
        above.setSpacing(GRID // 2)
        # first, and the buttons before the words: whatever document comes, they are where they were
        steps = (self.previous, self.next, self.found)
        views = (self.text_button, self.pages_button, self.page_tools)
        above.addLayout(_indented(FlowRow(*steps, across=GRID, down=GRID // 2), EDGE - GRID))
        above.addLayout(_indented(self.facts, EDGE))
        above.addLayout(_indented(FlowRow(*views, across=GRID, down=GRID // 2), EDGE - GRID))
        above.addLayout(_indented(self.note, EDGE))
        above.addLayout(_indented(self.quote, EDGE))
        rule = QFrame(self)
        rule.setProperty("kind", "rule")
        rule.setFixedHeight(1)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(head)
        column.addLayout(above)
        column.addWidget(rule)
        column.addWidget(self.earlier)
        column.addWidget(self.stack, 1)
        column.addWidget(self.later)
        for widget in (self.open_button, *steps, *views, self.note, self.quote, self.earlier, self.later):
            widget.hide()

    def _connect(self) -> None:
        self.page_tools.follow(self.pages)
        self.open_button.clicked.connect(self.file_requested)
        self.text_button.clicked.connect(lambda: self.pages_requested.emit(False))
        self.pages_button.clicked.connect(lambda: self.pages_requested.emit(True))
        self.close_button.clicked.connect(self.close_requested)
        self.previous.clicked.connect(lambda: self.step_requested.emit(-1))
        self.next.clicked.connect(lambda: self.step_requested.emit(1))
        self.earlier.clicked.connect(lambda: self.part_requested.emit(-1))
        self.later.clicked.connect(lambda: self.part_requested.emit(1))

    def _label(self, *, tone: str = "secondary") -> QLabel:
        label = QLabel(self)
        label.setTextFormat(Qt.TextFormat.PlainText)
        label.setMinimumWidth(1)
        label.setWordWrap(True)
        if tone:
            label.setProperty("tone", tone)
        return label

    def _switch(self, words: str) -> QPushButton:
        button = QPushButton(words, self)
        button.setProperty("kind", "choice")
        button.setCheckable(True)
        return button

    def _quiet(self, words: str, name: str, keys: str) -> QPushButton:
        button = QPushButton(words, self)
        button.setProperty("kind", "quiet")
        if name:
            button.setAccessibleName(name)
            button.setToolTip(f"{name} ({keys})")
        return button

    def _apply_theme(self) -> None:
        self.heading.setFont(self._theme.title_font())

    def _show_theme(self) -> None:
        self.text.set_theme(self._theme)


def _indented(part: QWidget | FlowRow, left: int) -> QVBoxLayout:
    """A part so far from the left edge; that of buttons lies left of their words."""
    around = QVBoxLayout()
    around.setContentsMargins(left, 0, 0, 0)
    if isinstance(part, QWidget):
        around.addWidget(part)
    else:
        around.addLayout(part)
    return around
