"""The page with version, licenses and the findings of `doctor`. Finds out nothing itself."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import Qt, QTimer
from PySide6.QtGui import QGuiApplication, QPixmap
from PySide6.QtWidgets import QFrame, QGridLayout, QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from desktop_app.resources import resource
from desktop_app.ui.i18n.language import translated
from desktop_app.ui.theme.theme import GRID, Theme, motion
from desktop_app.ui.widgets.page import PageFrame

if TYPE_CHECKING:
    from desktop_app.ui.state.services import CheckedPart, InstallationReport

MARK: Final = 64
BACKEND: Final = "backend "
"""The names of the checks of backends begin so."""


class AboutPage(PageFrame):
    """The page whose text can be selected; `copy` takes version and diagnosis as text."""

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(theme, self.tr("About Plimsoll"), parent)
        self._version = self._report = ""
        self.version = QLabel(self.column)
        self.version.setTextFormat(Qt.TextFormat.PlainText)
        self.summary = self.small(self.tr("Checking this installation"))
        self.copy = QPushButton(self.tr("Copy diagnosis"), self.column)
        self.copy.setEnabled(False)
        self.copy.clicked.connect(self._copy)
        self.licenses = self.small()
        for label in (self.version, self.licenses):
            label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.checks = QFrame(self.column)
        self.checks.setProperty("kind", "field")
        self.checks.hide()
        self._rows = QGridLayout(self.checks)
        self._rows.setContentsMargins(2 * GRID, GRID + GRID // 2, 2 * GRID, GRID + GRID // 2)
        self._rows.setHorizontalSpacing(2 * GRID)
        self._rows.setVerticalSpacing(GRID // 4)
        self._rows.setColumnStretch(0, 1)
        self._lay_out()
        self._said = QTimer(self)
        self._said.setSingleShot(True)
        self._said.setInterval(motion("said"))
        self._said.timeout.connect(lambda: self.copy.setText(self.tr("Copy diagnosis")))

    def _lay_out(self) -> None:
        mark = QLabel(self.column)
        scale = self.devicePixelRatioF()
        drawing = QPixmap(str(resource("icons", "plimsoll-128.png"))).scaledToWidth(
            round(MARK * scale), Qt.TransformationMode.SmoothTransformation
        )
        drawing.setDevicePixelRatio(scale)
        mark.setPixmap(drawing)
        words = QVBoxLayout()
        words.setSpacing(GRID // 2)
        words.addWidget(self.subheading("Plimsoll"))
        words.addWidget(self.version)
        words.addWidget(self.small(self.tr("MIT License. Copyright 2026 The Plimsoll authors.")))
        head = QHBoxLayout()
        head.setSpacing(2 * GRID)
        head.addWidget(mark, 0, Qt.AlignmentFlag.AlignTop)
        head.addLayout(words, 1)
        diagnosis = QHBoxLayout()
        diagnosis.addWidget(self.subheading(self.tr("Diagnosis")), 1)
        diagnosis.addWidget(self.copy)
        self.inside.addLayout(head)
        self.inside.addSpacing(2 * GRID)
        self.inside.addLayout(diagnosis)
        self.inside.addWidget(self.summary)
        self.inside.addWidget(self.checks)
        self.inside.addSpacing(2 * GRID)
        self.inside.addWidget(self.subheading(self.tr("Third-party licenses")))
        self.inside.addWidget(self.licenses)
        self.inside.addStretch(1)

    def focus_first(self) -> None:
        (self.copy if self.copy.isEnabled() else self.back).setFocus(Qt.FocusReason.OtherFocusReason)

    def show_version(self, version: str, licenses: Mapping[str, str]) -> None:
        """Show the version, and the parts made by others, each with its license."""
        self._version = version
        self.version.setText(self.tr("Version {version}").format(version=version))
        self.licenses.setText("\n".join(f"{name}: {words}" for name, words in licenses.items()))

    def show_diagnosis(self, found: InstallationReport) -> None:
        """Show the things that work here and those that do not, one row each; it can be copied from now on."""
        self._report = found.report
        self.summary.setText(self.tr("No problems found") if found.usable else self.tr("Problems found"))
        for number, check in enumerate(found.checks):
            self._add(3 * number, check)
        self.checks.show()
        self.copy.setEnabled(True)

    def _add(self, row: int, check: CheckedPart) -> None:
        of_backend = check.name.startswith(BACKEND)
        name = QLabel(self._name(check.name), self.checks)
        state = self.small(self._state(check, of_backend=of_backend))
        if not check.ok and not of_backend:
            state.setProperty("tone", "danger")
        detail = self.small(translated(check.detail))
        detail.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        for label in (name, detail):
            label.setTextFormat(Qt.TextFormat.PlainText)
            label.setWordWrap(True)
            label.setMinimumWidth(1)  # a long path shall not widen the page
        if row:
            self._rows.setRowMinimumHeight(row - 1, GRID)
        self._rows.addWidget(name, row, 0)
        self._rows.addWidget(state, row, 1, Qt.AlignmentFlag.AlignRight)
        self._rows.addWidget(detail, row + 1, 0, 1, 2)

    def _state(self, check: CheckedPart, *, of_backend: bool) -> str:
        if check.ok:
            return self.tr("OK")
        return self.tr("Not set up") if of_backend else self.tr("Problem")

    def _name(self, name: str) -> str:
        names = {
            "python": "Python",
            "data folder": self.tr("Data folder"),
            "history": self.tr("History"),
            "settings": self.tr("Settings"),
            "keyring": self.tr("Keyring"),
            "resources": self.tr("Fonts and themes"),
            "backend anthropic": self.tr("Anthropic API"),
            "backend claude-cli": "Claude Code",
            "backend openai": self.tr("OpenAI-compatible server"),
            "backend local": self.tr("Local model"),
        }
        return names.get(name, name)

    def _copy(self) -> None:
        title = self.tr("Plimsoll {version}").format(version=self._version)
        QGuiApplication.clipboard().setText("\n".join((title, self._report, "")))
        self.copy.setText(self.tr("Copied"))
        self._said.start()
