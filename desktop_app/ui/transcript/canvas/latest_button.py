"""The button that leads to the latest text."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QPushButton, QWidget

from desktop_app.ui.i18n.language import tr
from desktop_app.ui.theme.theme import GRID, Theme, radius, space, stroke

ABOVE_EDGE = 16
HIGHEST = 3
"""So many times its height it may move up."""


class LatestButton(QPushButton):
    """Lies at the lower edge of the transcript, hidden while the end is in view or something is written there.

    It stands beside the column where there is room for its words, else as a sign at the column's end, so that it covers
    as little text as it can.
    `announces`: it says that the answer failed, whose card stands at the end.
    """

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.announces = False
        self._theme: Theme | None = None
        self._say()
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.hide()

    def set_theme(self, theme: Theme) -> None:
        """Takes over colors and font."""
        self._theme = theme
        self.setFont(theme.small_font())
        css, hair, corner = theme.css_color, stroke("hair"), theme.pixels(radius("round"))
        text, edge = ("danger", "danger") if self.announces else ("text", "hairline")
        self.setStyleSheet(
            f"QPushButton {{ background: {css('raised')}; color: {css(text)}; border: {hair}px solid"
            f" {css(edge)}; border-radius: {corner}px; padding: 0 {theme.pixels(space('pill-x'))}px;"
            f" min-height: {2 * (corner - hair)}px; }}"
            f"QPushButton:hover {{ background: {css('hover')}; }}"
            f"QPushButton:focus {{ border-color: {css('accent')}; }}"
        )
        self.adjustSize()

    def announce(self, failed: bool) -> None:
        """Set whether the answer failed, out of view."""
        if failed != self.announces:
            self.announces = failed
            self._say()
            if self._theme is not None:
                self.set_theme(self._theme)

    def _say(self) -> None:
        self._show_words(short=False)
        self.setAccessibleName(tr("Show why the answer failed") if self.announces else tr("Show the latest text"))

    def stand_over(self, viewport: QWidget, end: int, is_control: Callable[[QPoint], bool]) -> None:
        """Stands above the lower edge of the viewport, whose column ends so many pixels from its left edge.

        Higher where it would cover something to click: `is_control` looks at a point of the viewport.
        """
        beside = self._room + 2 * GRID <= viewport.width() - end
        self._show_words(short=not beside and not self.announces)
        if self.announces:
            left = (viewport.width() - self.width()) // 2
        else:
            left = end + GRID if beside else viewport.width() - self.width() - GRID
        lowest = viewport.height() - self.height() - ABOVE_EDGE
        tops = range(lowest, max(-1, lowest - HIGHEST * self.height()), -GRID)
        top = next((top for top in tops if beside or not self._covers(QPoint(left, top), is_control)), lowest)
        self.move(viewport.x() + left, viewport.y() + top)

    def _covers(self, corner: QPoint, is_control: Callable[[QPoint], bool]) -> bool:
        across = (0, self.width() // 2, self.width() - 1)
        down = (*range(0, self.height(), GRID), self.height() - 1)
        return any(is_control(corner + QPoint(x, y)) for y in down for x in across)

    @property
    def _room(self) -> int:
        """Pixels that the button takes with its words."""
        padding = self._theme.pixels(space("pill-x")) if self._theme is not None else 0
        return self.fontMetrics().horizontalAdvance(tr("↓ Latest")) + 2 * padding + 2

    def _show_words(self, *, short: bool) -> None:
        words = tr("↓ The answer failed") if self.announces else "↓" if short else tr("↓ Latest")
        if words != self.text():
            self.setText(words)
            self.adjustSize()
