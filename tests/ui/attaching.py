"""Owns how a test attaches things to a message: pictures, files, drops."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import QBuffer, QByteArray, QIODevice, QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QColor, QDragEnterEvent, QDropEvent, QImage, QImageWriter, QLinearGradient, QPainter
from PySide6.QtWidgets import QApplication

from desktop_app.core.messages import Part
from desktop_app.ui.i18n.content_words import name_of
from tests.ui.open_window import OpenWindow

PROSE = "The quarter went well in all regions, and the plan for the next one follows from that. "


def image(width: int, height: int, top: str = "#3a7bd5", bottom: str = "#f2c14e") -> QImage:
    """A made-up sky: a gradient with a sun in it."""
    made = QImage(width, height, QImage.Format.Format_RGB32)
    painter = QPainter(made)
    sky = QLinearGradient(0, 0, 0, height)
    sky.setColorAt(0, QColor(top))
    sky.setColorAt(1, QColor(bottom))
    painter.fillRect(made.rect(), sky)
    painter.setBrush(QColor("#ffffff"))
    painter.setPen(Qt.PenStyle.NoPen)
    painter.drawEllipse(QPointF(width * 0.7, height * 0.35), height * 0.12, height * 0.12)
    painter.end()
    return made


def png(picture: QImage) -> bytes:
    device = QBuffer()
    device.open(QIODevice.OpenModeFlag.WriteOnly)
    QImageWriter(device, QByteArray(b"png")).write(picture)
    return bytes(device.data().data())


def written(folder: Path, name: str, text: str = PROSE * 40) -> Path:
    """A text file."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def drawn(folder: Path, name: str, width: int = 320, height: int = 200) -> Path:
    """A picture in a file."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / name
    path.write_bytes(png(image(width, height)))
    return path


def files(*paths: Path) -> QMimeData:
    """What a file manager puts into a clipboard or a drag: addresses, and the paths as text."""
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(path)) for path in paths])
    return data


def paste(window: OpenWindow, data: QMimeData) -> None:
    QApplication.clipboard().setMimeData(data)
    window.press(Qt.Key.Key_V, Qt.KeyboardModifier.ControlModifier)
    # what was made here may not be left to the clipboard, which outlives Python
    QApplication.clipboard().clear()


def drag_over(window: OpenWindow, data: QMimeData, at: QPoint | None = None) -> bool:
    """Drags over the middle of the pane, or another place of it; whether it may be dropped there."""
    centre = window.window.centre
    point = at if at is not None else centre.rect().center()
    target = centre.childAt(point) or centre
    place = target.mapFrom(centre, point)
    actions = Qt.DropAction.CopyAction | Qt.DropAction.MoveAction
    for receiver in (target, window.window.drop_target):
        event = QDragEnterEvent(place, actions, data, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier)
        event.ignore()
        QApplication.sendEvent(receiver, event)
        if not window.window.drop_target.isVisible():
            return False
    return event.isAccepted()


def drop(window: OpenWindow, data: QMimeData) -> None:
    """Drops on the veil that came up."""
    target = window.window.drop_target
    point = QPointF(target.rect().center())
    event = QDropEvent(point, Qt.DropAction.CopyAction, data, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier)
    QApplication.sendEvent(target, event)


async def attach(window: OpenWindow, *paths: Path) -> None:
    """Attaches files and waits until they are read."""
    window.presenters.attachments.add_files(paths)
    await rested(window)


async def rested(window: OpenWindow) -> None:
    """Waits until nothing is read any more."""
    await window.settled()
    await window.until(lambda: not window.composer.reading, "the end of reading")
    await window.settled()


def shown(window: OpenWindow) -> list[str]:
    """The names on the chips."""
    return [name_of(part) for part in window.composer.attachments]


async def stored(window: OpenWindow) -> list[str]:
    """The names of what the history has for the open thread's draft."""
    assert window.app_state.thread_id is not None
    return named(await window.services.attachments.of(window.app_state.thread_id))


def named(parts: Sequence[Part]) -> list[str]:
    return [name_of(part) for part in parts]
