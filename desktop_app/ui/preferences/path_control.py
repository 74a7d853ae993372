"""The control of a setting that names a folder or a file: a field, and a button to choose it. Opens no dialog."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QPushButton, QWidget

from desktop_app.core.settings import SettingKey
from desktop_app.ui.preferences.setting_controls import FieldControl
from desktop_app.ui.theme.theme import Theme


class PathControl(FieldControl):
    """`path_requested`: the user wants to choose; `take_path` has the choice."""

    path_requested = Signal()

    def __init__(self, theme: Theme, key: SettingKey, parent: QWidget) -> None:
        super().__init__(theme, key.rule, "", parent)
        self.is_folder = key.holds == "folder"
        self.set_placeholder(self.tr("Default"))
        self.browse = QPushButton(self.tr("Choose…"), self)
        row = self.layout()
        if row is not None:
            row.addWidget(self.browse)
        self.browse.clicked.connect(self.path_requested)

    def set_name(self, name: str, description: str) -> None:
        super().set_name(name, description)
        self.browse.setAccessibleName(f"{name}: {self.browse.text()}")

    @property
    def parts(self) -> list[QWidget]:
        return [self.field, self.browse]

    def take_path(self, path: Path) -> None:
        """Replace the written text with the path that was chosen."""
        self.give_up()
        self.chosen.emit(str(path))
