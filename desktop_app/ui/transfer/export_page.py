"""The page that writes threads to files: which ones, in which format, with what, progress, report."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QSize, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QButtonGroup, QHBoxLayout, QLabel, QPushButton, QRadioButton, QVBoxLayout, QWidget

from desktop_app.ui.theme.theme import GRID, Theme
from desktop_app.ui.transfer.export_wish import ExportScope, ExportWish
from desktop_app.ui.transfer.transfer_progress import TransferProgress
from desktop_app.ui.transfer.transfer_state import TransferState
from desktop_app.ui.widgets.page import PageFrame
from desktop_app.ui.widgets.setting_parts import Switch

if TYPE_CHECKING:  # the controller is loaded after the first paint
    from desktop_app.controller.formats import ExportFormat

INDENT = 3 * GRID + 3
"""Of the line below a format, in pixels: it stands below the words beside the button."""


class ChoiceButton(QRadioButton):
    """One of several choices. Where there is no room its words are elided, and its tooltip has them whole."""

    def __init__(self, words: str, parent: QWidget) -> None:
        super().__init__(words.replace("&", "&&"), parent)
        self.setAccessibleName(words)
        self.setMinimumWidth(1)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._elide()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.StyleChange):
            self._elide()

    def sizeHint(self) -> QSize:
        """As wide as all words, also while they are elided."""
        shown = self.fontMetrics().horizontalAdvance(self.text())
        whole = self.fontMetrics().horizontalAdvance(self.accessibleName())
        return super().sizeHint() + QSize(max(0, whole - shown), 0)

    def _elide(self) -> None:
        name, metrics = self.accessibleName(), self.fontMetrics()
        room = self.width() - (self.sizeHint().width() - metrics.horizontalAdvance(name))
        words = metrics.elidedText(name, Qt.TextElideMode.ElideRight, max(0, room))
        if words.replace("&", "&&") != self.text():
            self.setText(words.replace("&", "&&"))
            self.setToolTip("" if words == name else name)


class ExportPage(PageFrame):
    """`export_wanted(ExportWish)`: where to is asked next."""

    export_wanted = Signal(object)

    def __init__(self, theme: Theme, scopes: Sequence[ExportScope], parent: QWidget) -> None:
        """`scopes`: at least one; the first is chosen."""
        super().__init__(theme, self.tr("Export"), parent)
        self.scopes = tuple(scopes)
        self._lines: list[QLabel] = []
        formats: tuple[tuple[ExportFormat, str, str], ...] = (
            ("markdown", self.tr("Markdown"), self.tr("Plain text for editors and note apps")),
            ("html", self.tr("HTML"), self.tr("A web page that looks like this window")),
            ("pdf", self.tr("PDF"), self.tr("Pages to print or send")),
            ("json", self.tr("JSON"), self.tr("Everything, with all branches, to import again")),
        )
        self._formats = tuple(kind for kind, _, _ in formats)
        self.inside.addWidget(self.subheading(self.tr("Threads")))
        whole = self.tr("One zip to restore on another computer: also projects, documents and settings, but no keys")
        self.scope_buttons = self._choices(
            self.inside, [(scope.words, whole if scope.everything else "") for scope in scopes]
        )
        self._format_part = QWidget(self.column)
        part = QVBoxLayout(self._format_part)
        part.setContentsMargins(0, GRID, 0, GRID)
        part.setSpacing(self.inside.spacing())
        part.addWidget(self.subheading(self.tr("Format")))
        self.format_buttons = self._choices(part, [(name, words) for _, name, words in formats])
        self.inside.addWidget(self._format_part)
        self.details, self._details_row = self._switch(self.tr("Thinking and tool results"), on=False)
        self._details_chosen = False
        self.details.clicked.connect(self._choose_details)
        self.attached, self._attached_row = self._switch(self.tr("Text of attached documents"), on=False)
        self.one_file, self._one_file_row = self._switch(self.tr("All in one file"), on=False)
        self.button = QPushButton(self.tr("Export…"), self.column)
        self.button.setProperty("kind", "primary")
        self.button.clicked.connect(lambda: self.export_wanted.emit(self.wish()))
        row = QHBoxLayout()
        row.addWidget(self.button)
        row.addStretch(1)
        self.progress = TransferProgress(theme, self.column)
        self.cancel_wanted = self.progress.cancel_wanted
        self.folder_wanted = self.progress.folder_wanted
        self.progress.ended_under_keyboard.connect(self.focus_first)
        self.inside.addSpacing(GRID)
        self.inside.addLayout(row)
        self.inside.addWidget(self.progress)
        self.inside.addStretch(1)
        for button in (*self.scope_buttons, *self.format_buttons):
            button.toggled.connect(self._show_options)
        self._show_options()
        theme.follow(self._indent_lines)

    def _indent_lines(self) -> None:
        for line in self._lines:
            line.setContentsMargins(self.theme.pixels(INDENT), 0, 0, 0)

    def focus_first(self) -> None:
        first = self.button if self.button.isEnabled() else self.progress.cancel
        first.setFocus(Qt.FocusReason.OtherFocusReason)

    def show_state(self, state: TransferState | None) -> None:
        """Show how far an export is, or how the last one ended."""
        running = state is not None and state.phase == "running"
        self.button.setEnabled(not running)
        self.progress.show_state(state)

    def wish(self) -> ExportWish:
        """Return the export that is chosen."""
        scope = next(one for one, button in zip(self.scopes, self.scope_buttons, strict=True) if button.isChecked())
        kind = next(one for one, button in zip(self._formats, self.format_buttons, strict=True) if button.isChecked())
        return ExportWish(
            scope, kind, self.details.isChecked(), self.attached.isChecked(), one_file=self.one_file.isChecked()
        )

    def _choose_details(self) -> None:
        self._details_chosen = True

    def _show_options(self) -> None:
        """Only what has a say for what is chosen."""
        wish = self.wish()
        if not self._details_chosen:
            self.details.setChecked(wish.kind == "html")  # as in `details_by_default`: a page folds them
        to_read = wish.kind != "json" and not wish.scope.everything
        for row, wanted in (
            (self._format_part, not wish.scope.everything),
            (self._details_row, to_read),
            (self._attached_row, to_read),
            (self._one_file_row, to_read and wish.scope.several),
        ):
            row.setVisible(wanted)

    def _choices(self, into: QVBoxLayout, choices: Sequence[tuple[str, str]]) -> list[ChoiceButton]:
        """Buttons of which one is chosen, each with a line below where there is one."""
        group, buttons = QButtonGroup(self), []
        for number, (name, words) in enumerate(choices):
            button = ChoiceButton(name, self.column)
            button.setChecked(number == 0)
            group.addButton(button)
            pair = QVBoxLayout()
            pair.setSpacing(0)
            pair.addWidget(button)
            if words:
                line = self.small(words)
                self._lines.append(line)
                button.setAccessibleDescription(words)
                pair.addWidget(line)
            into.addLayout(pair)
            buttons.append(button)
        return buttons

    def _switch(self, words: str, *, on: bool) -> tuple[Switch, QWidget]:
        """A switch with its words beside it, and the row that holds both."""
        row = QWidget(self.column)
        switch = Switch(self.theme, row)
        switch.setChecked(on)
        switch.setAccessibleName(words)
        label = QLabel(words, row)
        label.setTextFormat(Qt.TextFormat.PlainText)
        label.setWordWrap(True)
        layout = QHBoxLayout(row)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(GRID)
        layout.addWidget(switch)
        layout.addWidget(label, 1)
        self.inside.addWidget(row)
        return switch, row
