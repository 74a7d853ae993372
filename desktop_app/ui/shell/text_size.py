"""The steps of the text size: by keys, by the menu, by the wheel with Ctrl."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtWidgets import QWidget

from desktop_app.ui.state.app_state import AppState
from desktop_app.ui.theme.theme import USUAL_TEXT_SIZE
from desktop_app.ui.widgets import ZOOMS

if TYPE_CHECKING:
    from desktop_app.ui.shell.main_window import MainWindow

SIZES: Final = (8, 9, 10, 11, 12, 13, 14, 16, 18, 20, 22, 25, 28, 33)
"""Points. The setting takes others as well, which lie between two steps."""
NOTCH: Final = 120
"""Eighths of a degree that a wheel turns by one notch."""
SETTING: Final = "appearance.text_size"


class TextSize(QObject):
    """Makes all text larger or smaller, keeps that, and says for a moment how large it is now."""

    def __init__(self, app_state: AppState, window: MainWindow) -> None:
        super().__init__(window)
        self._app_state = app_state
        self._window = window
        self._turned = 0
        self._wanted: int | None = None  # what was wished last, until it is stored
        frame = window.windowHandle()
        if frame is not None:
            frame.installEventFilter(self)

    def larger(self) -> None:
        """The next step up."""
        self._step(1)

    def smaller(self) -> None:
        """The next step down."""
        self._step(-1)

    def reset(self) -> None:
        """The usual size."""
        self._want(USUAL_TEXT_SIZE)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if not isinstance(event, QWheelEvent) or event.modifiers() != Qt.KeyboardModifier.ControlModifier:
            return False
        under = self._window.childAt(event.position().toPoint())
        if under is None or not self._window.splitter.isAncestorOf(under) or _zooms(under):
            return False  # a picture shown large has its own
        self._turned += event.angleDelta().y()
        if abs(self._turned) >= NOTCH:
            self._step(1 if self._turned > 0 else -1)
            self._turned = 0
        return True

    @property
    def _size(self) -> int:
        services = self._app_state.ready
        stored = services.preferences.settings.appearance.text_size if services is not None else USUAL_TEXT_SIZE
        return self._wanted if self._wanted is not None else stored

    def _step(self, step: int) -> None:
        here = self._size
        further = [size for size in SIZES if (size - here) * step > 0]
        self._want((min if step > 0 else max)(further, default=here))

    def _want(self, size: int) -> None:
        self._wanted = size
        percent = 5 * round(20 * size / USUAL_TEXT_SIZE)
        self._window.toast.show_message(self.tr("Text size {percent} %").format(percent=percent))
        self._app_state.start(self._store(size))

    async def _store(self, size: int) -> None:
        try:
            services = await self._app_state.services()
            await services.preferences.set_value(SETTING, size)
        finally:
            if self._wanted == size:
                self._wanted = None


def _zooms(part: QWidget | None) -> bool:
    """Return True if the widget under the pointer zooms by itself."""
    while part is not None and not part.property(ZOOMS):
        part = part.parentWidget()
    return part is not None
