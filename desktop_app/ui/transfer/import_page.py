"""Owns the page that brings threads in from files: what can be read, the files to choose, progress, report."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QLabel, QPushButton, QWidget

from desktop_app.ui.theme.theme import COLUMN, GRID, Theme
from desktop_app.ui.transfer.transfer_progress import TransferProgress
from desktop_app.ui.transfer.transfer_state import TransferState
from desktop_app.ui.widgets.flow_layout import FlowRow
from desktop_app.ui.widgets.page import PageFrame

MOST_NAMES = 5
"""Names of files that are told one by one."""


class ImportPage(PageFrame):
    """Wishes: files or a folder to be chosen, what was dropped imported or attached, the import canceled."""

    files_wanted = Signal()
    folder_wanted = Signal()
    import_wanted = Signal(object)  # tuple[Path, ...]
    attach_wanted = Signal(object)  # tuple[Path, ...]

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(theme, self.tr("Import"), parent, width=COLUMN)
        self._offered: tuple[Path, ...] = ()
        lead = self.tr(
            "Imports chats from ChatGPT (the zip file of a data export, or its conversations.json) and Plimsoll's own "
            "JSON files. Threads that are already here aren't added twice."
        )
        self.inside.addWidget(self.small(lead))
        self.offer = QLabel(self.column)
        self.offer.setTextFormat(Qt.TextFormat.PlainText)
        self.offer.setWordWrap(True)
        self.take_offer = self._button(self.tr("Import"), "primary")
        self.attach = self._button(self.tr("Attach to the message"), "quiet")
        self.files = self._button(self.tr("Choose files..."), "")
        self.folder = self._button(self.tr("Choose a folder..."), "quiet")
        self.progress = TransferProgress(theme, self.column)
        self.cancel_wanted = self.progress.cancel_wanted
        self.progress.ended_under_keyboard.connect(self.focus_first)
        self.inside.addSpacing(GRID)
        self.inside.addWidget(self.offer)
        self.inside.addLayout(FlowRow(self.take_offer, self.attach, across=GRID, down=GRID))
        self.inside.addLayout(FlowRow(self.files, self.folder, across=GRID, down=GRID))
        self.inside.addWidget(self.progress)
        self.inside.addStretch(1)
        self.take_offer.clicked.connect(lambda: self._answer(self.import_wanted.emit))
        self.attach.clicked.connect(lambda: self._answer(self.attach_wanted.emit))
        self.files.clicked.connect(self.files_wanted)
        self.folder.clicked.connect(self.folder_wanted)
        self.offer_files(())

    def focus_first(self) -> None:
        first = self.take_offer if self._offered else self.files if self.files.isEnabled() else self.progress.cancel
        first.setFocus(Qt.FocusReason.OtherFocusReason)

    def offer_files(self, paths: Sequence[Path]) -> None:
        """Asks what is to become of files that were dropped and look like exports; none: nothing is asked."""
        self._offered = tuple(paths)
        for part in (self.offer, self.take_offer, self.attach):
            part.setVisible(bool(paths))
        names = [path.name for path in self._offered[:MOST_NAMES]]
        if len(self._offered) > MOST_NAMES:
            names.append(self.tr("{count} more").format(count=len(self._offered) - MOST_NAMES))
        words = self.tr("{names} looks like exported threads.")
        if len(self._offered) > 1:
            words = self.tr("{names} look like exported threads.")
        self.offer.setText(words.format(names=", ".join(names)))

    def show_state(self, state: TransferState | None) -> None:
        """How far an import is, or how the last one ended."""
        running = state is not None and state.phase == "running"
        for button in (self.files, self.folder, self.take_offer):
            button.setEnabled(not running)
        self.progress.show_state(state)

    def _answer(self, answer: object) -> None:
        paths = self._offered
        self.offer_files(())
        if callable(answer):
            answer(paths)

    def _button(self, words: str, kind: str) -> QPushButton:
        button = QPushButton(words, self.column)
        if kind:
            button.setProperty("kind", kind)
        return button
