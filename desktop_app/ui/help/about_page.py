"""Owns the page with version, licenses and the text of `doctor`. Finds out nothing itself."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import Qt, QTimer
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QWidget

from desktop_app.ui.theme.theme import GRID, Theme, motion
from desktop_app.ui.widgets.page import PageFrame


class AboutPage(PageFrame):
    """`report` and `licenses` can be selected; Copy takes version and report."""

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(theme, self.tr("About Plimsoll"), parent)
        self._report = ""
        self.version = QLabel(self.column)
        self.version.setTextFormat(Qt.TextFormat.PlainText)
        license_words = self.tr("MIT License. Copyright 2026 The Plimsoll authors.")
        self.report = self.small(self.tr("Checking this installation"))
        self.report.setFont(theme.code_font())
        self.copy = QPushButton(self.tr("Copy"), self.column)
        self.copy.setAccessibleName(self.tr("Copy version and diagnosis"))
        self.copy.setEnabled(False)
        self.copy.clicked.connect(self._copy)
        self.licenses = self.small()
        for label in (self.version, self.report, self.licenses):
            label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        head = QHBoxLayout()
        head.addWidget(self.subheading(self.tr("Diagnosis")), 1)
        head.addWidget(self.copy)
        self.inside.addWidget(self.version)
        self.inside.addWidget(self.small(license_words))
        self.inside.addSpacing(GRID)
        self.inside.addLayout(head)
        self.inside.addWidget(self.report)
        self.inside.addSpacing(GRID)
        self.inside.addWidget(self.subheading(self.tr("Third-party licenses")))
        self.inside.addWidget(self.licenses)
        self.inside.addStretch(1)
        self._said = QTimer(self)
        self._said.setSingleShot(True)
        self._said.setInterval(motion("said"))
        self._said.timeout.connect(lambda: self.copy.setText(self.tr("Copy")))
        theme.set_font("code", self.report)

    def focus_first(self) -> None:
        (self.copy if self.copy.isEnabled() else self.back).setFocus(Qt.FocusReason.OtherFocusReason)

    def show_version(self, version: str, licenses: Mapping[str, str]) -> None:
        """What this is, and what of others is in it, each with its license."""
        self.version.setText(self.tr("Plimsoll {version}").format(version=version))
        self.licenses.setText("\n".join(f"{name}: {words}" for name, words in licenses.items()))

    def show_report(self, text: str) -> None:
        """What `doctor` tells; it can be copied from now on."""
        self._report = text
        self.report.setText(text)
        self.copy.setEnabled(True)

    def _copy(self) -> None:
        QGuiApplication.clipboard().setText(f"{self.version.text()}\n{self._report}\n")
        self.copy.setText(self.tr("Copied"))
        self._said.start()
