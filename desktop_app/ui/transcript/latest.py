"""Owns the button that leads to the latest text. Knows nothing of when it is needed."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QPushButton, QWidget

from desktop_app.ui.theme import Theme, radius, space, stroke
from desktop_app.ui.transcript.typesetter import tr

ABOVE_EDGE = 16


class LatestButton(QPushButton):
    """Lies over the lower edge of the transcript, hidden while the end is in view or something is written there."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(tr("↓ Latest"), parent)
        self.setAccessibleName(tr("Show the latest text"))
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.hide()

    def set_theme(self, theme: Theme) -> None:
        """Takes over colours and font."""
        self.setFont(theme.small_font())
        css, hair, corner = theme.css_color, stroke("hair"), radius("round")
        self.setStyleSheet(
            f"QPushButton {{ background: {css('raised')}; color: {css('text')}; border: {hair}px solid"
            f" {css('hairline')}; border-radius: {corner}px; padding: 0 {space('pill-x')}px;"
            f" min-height: {2 * (corner - hair)}px; }}"
            f"QPushButton:hover {{ background: {css('hover')}; }}"
            f"QPushButton:focus {{ border-color: {css('accent')}; }}"
        )
        self.adjustSize()

    def stand_over(self, viewport: QWidget) -> None:
        """Centres the button above the lower edge of the viewport."""
        left = viewport.x() + (viewport.width() - self.width()) // 2
        self.move(left, viewport.y() + viewport.height() - self.height() - ABOVE_EDGE)
