"""Shows a drawing that has been made safe, as a picture. Nothing in it runs, and nothing is loaded for it."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QByteArray, QRectF, QSize, Qt
from PySide6.QtGui import QImage, QPainter, QPaintEvent
from PySide6.QtSvg import QSvgRenderer
from PySide6.QtWidgets import QScrollArea, QWidget

from desktop_app.ui.theme.theme import GRID, Theme

MOST_PIXELS: Final = 2_400
"""Of a side of the picture that is painted."""


def painted_drawing(source: str, width: int) -> QImage | None:
    """The picture of a safe drawing, so many pixels wide; None where there is nothing to see. For a worker thread."""
    renderer = QSvgRenderer(QByteArray(source.encode()))
    box: QSize = renderer.defaultSize()
    if not renderer.isValid() or box.width() <= 0 or box.height() <= 0:
        return None
    scale = min(MOST_PIXELS / box.width(), MOST_PIXELS / box.height(), max(1.0, width / box.width()))
    image = QImage(
        max(1, round(box.width() * scale)),
        max(1, round(box.height() * scale)),
        QImage.Format.Format_ARGB32_Premultiplied,
    )
    image.fill(Qt.GlobalColor.white)  # drawings count on paper
    painter = QPainter(image)
    renderer.render(painter, QRectF(0, 0, image.width(), image.height()))
    painter.end()
    return image


class DrawingView(QScrollArea):
    """The picture, as wide as there is room."""

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self.setFrameShape(QScrollArea.Shape.NoFrame)
        self.setWidgetResizable(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self._picture = _Picture(self)
        self.setWidget(self._picture)
        theme.follow(self._picture.update)

    def show_picture(self, image: QImage, name: str) -> None:
        """Shows a picture; `name` is what screen readers call it."""
        self._picture.image = image
        self._picture.setAccessibleName(name)
        self.setAccessibleName(name)
        self._picture.fit()


class _Picture(QWidget):
    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.image = QImage()

    def fit(self) -> None:
        """Takes the height that the picture has at this width."""
        if not self.image.isNull():
            room = max(1, self.width() - 4 * GRID)
            shown = min(room, self.image.width())
            self.setMinimumHeight(round(self.image.height() * shown / self.image.width()) + 4 * GRID)
            self.update()

    def resizeEvent(self, event: object) -> None:
        self.fit()

    def paintEvent(self, event: QPaintEvent) -> None:
        if self.image.isNull():
            return
        shown = min(max(1, self.width() - 4 * GRID), self.image.width())
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
        box = QRectF((self.width() - shown) / 2, 2 * GRID, shown, self.image.height() * shown / self.image.width())
        painter.drawImage(box, self.image)
        painter.end()
