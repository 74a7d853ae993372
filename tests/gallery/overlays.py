"""Shows what lies over the window or beside it: pictures made large, what is dragged, the tray. Owns made-up ones."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QCoreApplication, QMimeData, QPoint, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent
from PySide6.QtWidgets import QVBoxLayout, QWidget

from desktop_app.core.messages import ImagePart
from desktop_app.ui.attachments.attachment_viewer import ImageViewer
from desktop_app.ui.composer.composer import Composer
from desktop_app.ui.desktop.notifications import TrayMenu
from desktop_app.ui.theme.theme import GRID
from desktop_app.ui.widgets.dragging import DropTarget
from tests.gallery.page import WIDTH, Page
from tests.gallery.turns import picture

HEIGHT: Final = 30 * GRID
UNREADABLE: Final = ImagePart("a-picture-of-a-kind-that-nobody-knows.png", "image/png", "AAAA", 320, 200)


def fill(page: Page) -> None:
    """Each in a room of its own."""
    harbour, quay = picture("harbour.png", "syntax-type"), picture("quay.png", "syntax-name")
    page.add("A picture made large, the first of two", _zoomed(page, [harbour, quay]))
    page.add("One that can't be shown", _zoomed(page, [UNREADABLE]))
    page.add("A file is dragged over the composer", _dragged_over(page))
    menu = TrayMenu(page)
    menu.setWindowFlags(Qt.WindowType.Widget)
    page.add_at_left("The menu of the tray", menu)


def _zoomed(page: Page, images: list[ImagePart]) -> QWidget:
    room = QWidget(page)
    room.setFixedSize(WIDTH, HEIGHT)
    ImageViewer(page.theme, room).show_images(images, images[0])
    return room


def _dragged_over(page: Page) -> QWidget:
    pane = QWidget(page)
    pane.setFixedSize(WIDTH, HEIGHT)
    column = QVBoxLayout(pane)
    column.setContentsMargins(0, 0, 0, 0)
    column.addStretch(1)
    column.addWidget(Composer(page.theme, pane))
    DropTarget(page.theme, pane, lambda: True)
    files = QMimeData()
    files.setUrls([QUrl.fromLocalFile("/a/report.pdf")])
    copy, left, free = Qt.DropAction.CopyAction, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    QCoreApplication.sendEvent(pane, QDragEnterEvent(QPoint(1, 1), copy, files, left, free))
    return pane
