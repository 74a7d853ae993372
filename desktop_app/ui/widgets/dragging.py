"""The handling of a drag: the veil over a pane, the content that was dropped or pasted, and Esc, which cancels it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias, cast

from PySide6.QtCore import QEvent, QMimeData, QObject, QRectF, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QDragEnterEvent,
    QDragLeaveEvent,
    QDragMoveEvent,
    QDropEvent,
    QGuiApplication,
    QImage,
    QKeyEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QTextDocumentFragment,
)
from PySide6.QtWidgets import QWidget

from desktop_app.ui.theme.theme import GRID, Theme, icon_pixmap, radius, stroke

SIGN = 32


class DropTarget(QWidget):
    """Lies over a pane while files or pictures are dragged over it. `dropped` carries an `Incoming`."""

    dropped = Signal(object)
    entered = Signal(object)  # Incoming: before it is dropped

    def __init__(self, theme: Theme, pane: QWidget, accepts: Callable[[], bool], words: str = "") -> None:
        """`accepts`: whether anything can be dropped now. `words`: what a drop does; "": it attaches."""
        super().__init__(pane)
        self._pane = pane
        self._accepts = accepts
        self._theme = theme
        self.setAcceptDrops(True)
        self._words = words
        self.say("")
        self.hide()
        pane.setAcceptDrops(True)
        pane.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if watched is not self._pane:
            return False
        if event.type() == QEvent.Type.DragEnter:
            entering = cast("QDragEnterEvent", event)
            if self._accepts() and has_incoming(entering.mimeData()):
                self.say("")
                brought = incoming(entering.mimeData()) if entering.mimeData().hasUrls() else None
                if isinstance(brought, DroppedFiles):
                    self.entered.emit(brought)
                entering.setDropAction(Qt.DropAction.CopyAction)
                entering.accept()
                self._show()
            else:
                entering.ignore()
            return True
        if event.type() == QEvent.Type.DragLeave:
            # the pointer has left before it was on the veil; where it goes onto it, that comes up again
            self.hide()
        if event.type() == QEvent.Type.Drop:
            self.dropEvent(cast("QDropEvent", event))
            return True
        return False

    def say(self, words: str) -> None:
        """Set the words on what a drop does now; "": what it usually does."""
        self._said = words
        self.setAccessibleName(words or self._words or self.tr("Drop to attach"))
        self.update()

    @property
    def words(self) -> str:
        """The words on what a drop does."""
        return self._said or self._words or self.tr("Drop to attach to your message")

    def _show(self) -> None:
        self.setGeometry(self._pane.rect())
        self.show()
        self.raise_()

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        self._show()
        event.setDropAction(Qt.DropAction.CopyAction)
        event.accept()

    def dragMoveEvent(self, event: QDragMoveEvent) -> None:
        event.setDropAction(Qt.DropAction.CopyAction)
        event.accept()

    def dragLeaveEvent(self, event: QDragLeaveEvent) -> None:
        self.hide()

    def dropEvent(self, event: QDropEvent) -> None:

        self.hide()
        if (brought := incoming(event.mimeData())) is not None:
            # a copy whatever the source prefers: nothing is ever moved away from where it is
            event.setDropAction(Qt.DropAction.CopyAction)
            event.accept()
            self.dropped.emit(brought)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter, theme = QPainter(self), self._theme
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        veil = QColor(theme.color("background"))  # a copy: the theme's own is everybody's
        veil.setAlphaF(0.92)
        painter.fillRect(self.rect(), veil)
        frame = QRectF(self.rect()).adjusted(2 * GRID, 2 * GRID, -2 * GRID, -2 * GRID)
        painter.setPen(QPen(theme.color("accent"), stroke("focus"), Qt.PenStyle.DashLine))
        painter.drawRoundedRect(frame, radius("round"), radius("round"))
        middle = frame.center()
        drawing = icon_pixmap("attach", theme, "accent", SIGN, self.devicePixelRatioF())
        painter.drawPixmap(round(middle.x() - SIGN / 2), round(middle.y() - SIGN - GRID), drawing)
        painter.setFont(theme.title_font())
        painter.setPen(theme.color("text"))
        words = QRectF(frame.left() + GRID, middle.y(), frame.width() - 2 * GRID, 5 * GRID)
        painter.drawText(words, Qt.AlignmentFlag.AlignCenter, self.words)
        painter.end()


PICTURES = ("image/png", "image/jpeg", "image/webp", "image/gif")
"""Kinds of pictures that are taken as they come; any other is handed over as pixels."""
MOST_HTML = 300_000
"""Characters of a text with a look that are read: 30 ms. What is longer comes with its plain text beside it."""


@dataclass(frozen=True, slots=True)
class DroppedFiles:
    """Files and folders of this computer."""

    paths: tuple[Path, ...]


@dataclass(frozen=True, slots=True)
class DroppedPicture:
    """A picture, in the bytes that it came in or as pixels."""

    content: bytes | QImage


Incoming: TypeAlias = DroppedFiles | DroppedPicture


def has_incoming(source: QMimeData) -> bool:
    """Return True if there is anything but text; reads no picture."""
    return bool(local_paths(source)) or _is_picture(source)


def incoming(source: QMimeData) -> Incoming | None:
    """Return the content to attach; None where it is text, or nothing.

    Files win over the text of their names that file managers send along, and over the picture in them. Text wins over
    a picture of itself, as word processors and spreadsheets send it along.
    """
    if paths := local_paths(source):
        return DroppedFiles(paths)
    if not _is_picture(source):
        return None
    for kind in PICTURES:
        if source.hasFormat(kind):
            return DroppedPicture(bytes(source.data(kind).data()))
    image = source.imageData()
    return DroppedPicture(image) if isinstance(image, QImage) and not image.isNull() else None


def plain_text(source: QMimeData) -> str:
    """The text that is pasted. Of one that has only a look (HTML), its words; nothing that it names is loaded."""
    if source.hasText():
        return source.text().replace("\0", "")
    if not source.hasHtml():
        return ""

    return QTextDocumentFragment.fromHtml(source.html()[:MOST_HTML]).toPlainText().replace("\0", "")


def local_paths(source: QMimeData) -> tuple[Path, ...]:
    """The files and folders of this computer that are dragged or pasted."""
    local = (url.toLocalFile() for url in source.urls() if url.isLocalFile())
    return tuple(dict.fromkeys(Path(path) for path in local if path))


def _is_picture(source: QMimeData) -> bool:
    pictured = source.hasImage() or any(source.hasFormat(kind) for kind in PICTURES)
    # an address is what a browser sends along with a picture that is dragged out of it
    return pictured and (source.hasUrls() or not source.text().strip())


class EscapeWatch(QObject):
    """Looks at the application's events from `start` to `stop`."""

    def __init__(self, widget: QWidget, cancel: Callable[[], None]) -> None:
        super().__init__(widget)
        self._widget, self._cancel = widget, cancel

    def start(self) -> None:
        """Something is held now."""
        if (app := QGuiApplication.instance()) is not None:
            app.installEventFilter(self)

    def stop(self) -> None:
        """Nothing is held any more."""
        if (app := QGuiApplication.instance()) is not None:
            app.removeEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        kind = event.type()
        if kind in {QEvent.Type.ShortcutOverride, QEvent.Type.KeyPress} and isinstance(event, QKeyEvent):
            if event.key() == Qt.Key.Key_Escape:
                event.accept()
                if kind == QEvent.Type.KeyPress:
                    self._cancel()
                return True
        elif kind == QEvent.Type.WindowDeactivate and watched is self._widget.window():
            self._cancel()
        return False
