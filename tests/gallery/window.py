"""Owns the window of the gallery: a tab per group, both themes beside each other. Reads and writes nothing."""

from __future__ import annotations

from PySide6.QtWidgets import QApplication, QHBoxLayout, QScrollArea, QTabBar, QVBoxLayout, QWidget

from desktop_app.ui.theme.style import apply_theme
from desktop_app.ui.theme.theme import GRID, ThemeName, load_theme
from tests.gallery.groups import GROUPS, page_of

THEMES: tuple[ThemeName, ...] = ("light", "dark")


class GalleryWindow(QWidget):
    """Shows one group at a time; Ctrl+Tab and the arrows go from tab to tab."""

    def __init__(self) -> None:
        super().__init__()
        self.setWindowTitle("Plimsoll: every part in every state")
        self.tabs = QTabBar(self)
        self.tabs.setAccessibleName("Groups")
        self.tabs.setDrawBase(False)
        self.tabs.setExpanding(False)
        for title in GROUPS.values():
            self.tabs.addTab(title)
        self.area = QScrollArea(self)
        self.area.setFrameShape(QScrollArea.Shape.NoFrame)
        self.area.setWidgetResizable(True)
        column = QVBoxLayout(self)
        column.setContentsMargins(GRID, GRID, 0, 0)
        column.addWidget(self.tabs)
        column.addWidget(self.area, 1)
        self.tabs.currentChanged.connect(self.show_group)
        self.show_group(0)

    def show_group(self, place: int) -> None:
        """Makes the pages of a group anew, in both themes."""
        group = list(GROUPS)[place]
        pages = QWidget()
        row = QHBoxLayout(pages)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(0)
        for name in THEMES:
            row.addWidget(page_of(group, load_theme(name), pages))
        row.addStretch(1)
        self.area.setWidget(pages)


def show_gallery() -> int:
    """Opens the gallery; returns the exit status when it is closed."""
    from desktop_app.ui.startup.single_instance import make_application

    app = make_application()
    app.setQuitOnLastWindowClosed(True)
    apply_theme(app, load_theme("light"))
    window = GalleryWindow()
    window.resize(1_380, 900)
    window.show()
    return QApplication.exec()
