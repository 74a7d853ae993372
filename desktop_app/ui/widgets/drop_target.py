"""The veil that shows, while something is dragged over a pane, that it can be dropped there. Attaches nothing."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, cast

from PySide6.QtCore import QEvent, QObject, QRectF, Qt, Signal
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QWidget

from desktop_app.ui.theme.icons import icon_pixmap
from desktop_app.ui.theme.theme import GRID, Theme, radius, stroke

if TYPE_CHECKING:  # 2 ms that are paid when something is first dragged
    from PySide6.QtGui import QDragEnterEvent, QDragLeaveEvent, QDragMoveEvent, QDropEvent

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
            from desktop_app.ui.widgets.dropped_data import DroppedFiles, has_incoming, incoming

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
        from desktop_app.ui.widgets.dropped_data import incoming

        self.hide()
        brought = incoming(event.mimeData())
        if brought is not None:
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
