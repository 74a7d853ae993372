"""Renders resources/icons/plimsoll.svg to the PNG sizes that desktops ask for. Run it after changing the SVG."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication, QImage, QPainter
from PySide6.QtSvg import QSvgRenderer

from desktop_app.resources import resource

SIZES = (16, 24, 32, 48, 64, 128, 256, 512)


def main() -> None:
    """Writes `plimsoll-<size>.png` beside the SVG."""
    QGuiApplication(["render_icons", "-platform", "offscreen"])
    renderer = QSvgRenderer(str(resource("icons", "plimsoll.svg")))
    for size in SIZES:
        image = QImage(size, size, QImage.Format.Format_ARGB32)
        image.fill(Qt.GlobalColor.transparent)
        painter = QPainter(image)
        renderer.render(painter)
        painter.end()
        image.save(str(resource("icons", f"plimsoll-{size}.png")))


if __name__ == "__main__":
    main()
