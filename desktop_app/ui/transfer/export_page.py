"""Owns the page that writes threads to files: which ones, in which format, progress, report."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QButtonGroup, QHBoxLayout, QPushButton, QRadioButton, QWidget

from desktop_app.ui.theme.theme import COLUMN, GRID, Theme
from desktop_app.ui.transfer.transfer_progress import TransferProgress
from desktop_app.ui.transfer.transfer_state import TransferState
from desktop_app.ui.widgets.page import PageFrame

if TYPE_CHECKING:  # the controller is loaded after the first paint
    from desktop_app.controller.formats import ExportFormat


@dataclass(frozen=True, slots=True)
class ExportScope:
    """Threads that can be exported together, by their words; `ids` None: all threads."""

    words: str
    ids: tuple[str, ...] | None


class ExportPage(PageFrame):
    """`export_wanted(scope, format)`: where to is asked next."""

    export_wanted = Signal(object, str)

    def __init__(self, theme: Theme, scopes: Sequence[ExportScope], parent: QWidget) -> None:
        """`scopes`: at least one; the first is chosen."""
        super().__init__(theme, self.tr("Export"), parent, width=COLUMN)
        self.scopes = tuple(scopes)
        formats: tuple[tuple[ExportFormat, str], ...] = (
            ("markdown", self.tr("Markdown: one file per thread, to read")),
            ("json", self.tr("JSON: everything, to import again")),
        )
        self._formats = tuple(kind for kind, _ in formats)
        self.inside.addWidget(self.subheading(self.tr("Threads")))
        self.scope_buttons = self._choices([scope.words for scope in scopes])
        self.inside.addSpacing(GRID)
        self.inside.addWidget(self.subheading(self.tr("Format")))
        self.format_buttons = self._choices([words for _, words in formats])
        self.button = QPushButton(self.tr("Export..."), self.column)
        self.button.setProperty("kind", "primary")
        self.button.clicked.connect(self._export)
        row = QHBoxLayout()
        row.addWidget(self.button)
        row.addStretch(1)
        self.progress = TransferProgress(theme, self.column)
        self.cancel_wanted = self.progress.cancel_wanted
        self.progress.ended_under_keyboard.connect(self.focus_first)
        self.inside.addSpacing(GRID)
        self.inside.addLayout(row)
        self.inside.addWidget(self.progress)
        self.inside.addStretch(1)

    def focus_first(self) -> None:
        first = self.button if self.button.isEnabled() else self.progress.cancel
        first.setFocus(Qt.FocusReason.OtherFocusReason)

    def show_state(self, state: TransferState | None) -> None:
        """How far an export is, or how the last one ended."""
        running = state is not None and state.phase == "running"
        self.button.setEnabled(not running)
        self.progress.show_state(state)

    def _choices(self, words: Sequence[str]) -> list[QRadioButton]:
        group, buttons = QButtonGroup(self), []
        for number, one in enumerate(words):
            button = QRadioButton(one.replace("&", "&&"), self.column)
            button.setChecked(number == 0)
            button.setMinimumWidth(1)
            group.addButton(button)
            self.inside.addWidget(button)
            buttons.append(button)
        return buttons

    def _export(self) -> None:
        scope = next(one for one, button in zip(self.scopes, self.scope_buttons, strict=True) if button.isChecked())
        kind = next(one for one, button in zip(self._formats, self.format_buttons, strict=True) if button.isChecked())
        self.export_wanted.emit(scope, kind)
