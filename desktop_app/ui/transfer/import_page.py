"""The page that brings threads in from files: what can be read, the files to choose, progress, report."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QApplication, QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from desktop_app.ui.i18n.language import grouped
from desktop_app.ui.theme.theme import GRID, Theme
from desktop_app.ui.transfer.transfer_progress import TransferProgress
from desktop_app.ui.transfer.transfer_state import TransferState
from desktop_app.ui.widgets.fitting import FlowRow
from desktop_app.ui.widgets.page import PageFrame
from desktop_app.ui.widgets.setting_parts import Switch


class ImportPage(PageFrame):
    """Wishes: files or a folder to be chosen, what was looked at imported or not, what was dropped attached."""

    files_wanted = Signal()
    folder_wanted = Signal()
    found_wanted = Signal()
    accepted = Signal(bool)  # with the settings
    declined = Signal()
    attach_wanted = Signal(object)  # tuple[Path, ...]

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(theme, self.tr("Import"), parent)
        self._offered: tuple[Path, ...] = ()
        lead = self.tr(
            "Choose a ChatGPT or Claude export (zip, folder or file), Claude Code sessions, llm's logs.db or a "
            "Plimsoll export. You'll see what's in it first, and nothing is added twice."
        )
        self.inside.addWidget(self.small(lead))
        self.found = self._button("", "")
        self.files = self._button(self.tr("Choose files…"), "")
        self.folder = self._button(self.tr("Choose a folder…"), "quiet")
        self.progress = TransferProgress(theme, self.column)
        self.settings = _SettingsLine(theme, self.column)
        self.accept = self._button("", "primary")
        self.attach = self._button(self.tr("Attach to the message"), "quiet")
        self.decline = self._button(self.tr("Cancel"), "quiet")
        self.cancel_wanted = self.progress.cancel_wanted
        self.progress.ended_under_keyboard.connect(self.focus_first)
        self.inside.addSpacing(GRID)
        self.inside.addLayout(FlowRow(self.files, self.folder, self.found, across=GRID, down=GRID))
        self.inside.addWidget(self.progress)
        self.inside.addWidget(self.settings)
        self.inside.addLayout(FlowRow(self.accept, self.attach, self.decline, across=GRID, down=GRID))
        self.inside.addStretch(1)
        self.accept.clicked.connect(self._accept)
        self.attach.clicked.connect(self._attach)
        self.decline.clicked.connect(self._decline)
        self.files.clicked.connect(self.files_wanted)
        self.folder.clicked.connect(self.folder_wanted)
        self.found.clicked.connect(self.found_wanted)
        self.show_found("")
        self.show_state(None)

    def focus_first(self) -> None:
        parts = (self.accept, self.files, self.progress.cancel)
        first = next((part for part in parts if part.isEnabled() and not part.isHidden()), self.files)
        first.setFocus(Qt.FocusReason.OtherFocusReason)

    def offer_files(self, paths: Sequence[Path]) -> None:
        """Files that were dropped can be attached instead; none: nothing was."""
        self._offered = tuple(paths)
        self.attach.setVisible(bool(paths))

    def show_found(self, words: str) -> None:
        """Offers the chats that another program keeps on this computer; "": there are none."""
        self.found.setText(words)
        self.found.setVisible(bool(words))

    def show_state(self, state: TransferState | None) -> None:
        """Show what would be imported, how far an import is, or how the last one ended."""
        running = state is not None and state.phase == "running"
        ready = state is not None and state.phase == "ready"
        focused = QApplication.focusWidget()
        held = focused is not None and self.isAncestorOf(focused)
        for button in (self.files, self.folder, self.found):
            button.setEnabled(not running)
        if state is not None and ready:
            self.accept.setText(state.button)
        self.accept.setVisible(ready)
        self.decline.setVisible(ready)
        self.attach.setVisible(bool(self._offered) and not running)
        self.progress.show_state(state)
        self.settings.show_settings(state if ready else None)
        if held and (focused is None or not focused.isEnabled() or focused.isHidden() or ready):
            self.focus_first()

    def _accept(self) -> None:
        self.offer_files(())
        self.accepted.emit(self.settings.switch.isChecked())

    def _decline(self) -> None:
        self.offer_files(())
        self.declined.emit()

    def _attach(self) -> None:
        paths = self._offered
        self._decline()
        self.attach_wanted.emit(paths)

    def _button(self, words: str, kind: str) -> QPushButton:
        button = QPushButton(words, self.column)
        if kind:
            button.setProperty("kind", kind)
        return button


class _SettingsLine(QWidget):
    """One switch for the settings of an archive; what they are unfolds."""

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._lines: tuple[str, ...] = ()
        self.words = QLabel(self)
        self.switch = Switch(theme, self)
        self.unfold = QPushButton(self)
        self.unfold.setProperty("kind", "quiet")
        self.shown = QLabel(self)
        self.shown.setWordWrap(True)
        self.shown.setTextFormat(Qt.TextFormat.PlainText)
        self.shown.setProperty("tone", "secondary")
        theme.set_font("small", self.shown)
        self.unfold.clicked.connect(lambda: self._show_list(self.shown.isHidden()))
        row = QHBoxLayout()
        row.setSpacing(GRID)
        for part in (self.switch, self.words, self.unfold):
            row.addWidget(part)
        row.addStretch(1)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addLayout(row)
        column.addWidget(self.shown)
        self.hide()

    def show_settings(self, state: TransferState | None) -> None:
        """Show the settings that would come; None: nothing waits to be imported."""
        lines = () if state is None else state.settings
        if state is not None and lines != self._lines:
            words = self.tr("Settings ({count})").format(count=grouped(state.taken))
            self.words.setText(words)
            self.switch.setAccessibleName(words)
            self.switch.setChecked(state.taken > 0)
            self.switch.setEnabled(state.taken > 0)
            self.shown.setText("\n".join(lines))
            self._show_list(False)
        self._lines = lines
        self.setVisible(bool(lines))

    def _show_list(self, shown: bool) -> None:
        self.shown.setVisible(shown)
        self.unfold.setText(self.tr("Hide") if shown else self.tr("Show"))
        self.unfold.setAccessibleName(f"{self.unfold.text()}: {self.words.text()}")
