"""Owns the frames that a window showed: what stood on the screen between one painting and the next."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QApplication, QWidget


class Frames(QObject):
    """Follows the painting of one window until `take`. Two frames that look alike are one."""

    def __init__(self, app: QApplication, window: QWidget) -> None:
        super().__init__()
        self._app, self._window = app, window
        self._painted = False
        self.images: list[QImage] = []
        app.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802
        if event.type() == QEvent.Type.Paint and isinstance(watched, QWidget) and watched.window() is self._window:
            self._painted = True
        elif event.type() == QEvent.Type.UpdateRequest and self._painted and watched is self._window:
            self._keep()  # what has stood there until now
        return False

    def take(self) -> list[QImage]:
        """All frames, the last one included, which stands there now."""
        self._app.removeEventFilter(self)
        self._keep()
        return self.images

    def _keep(self) -> None:
        image = self._window.screen().grabWindow(self._window.winId()).toImage()
        if not self.images or self.images[-1] != image:
            self.images.append(image)
