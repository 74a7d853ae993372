"""The times at which the history is checked and backed up while the window is open, and the card of damage."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject, QTimer

from desktop_app.core.events import HistoryDamaged, HistoryRepaired
from desktop_app.core.messages import Failure
from desktop_app.ui.i18n.language import tr
from desktop_app.ui.shell.repair_card import repair_failure
from desktop_app.ui.state.app_state import AppState
from desktop_app.ui.state.bridge import Bridge

if TYPE_CHECKING:
    from desktop_app.ui.state.services import WindowServices

AFTER_START_MS: Final = 30_000
OPEN_LONG_MS: Final = 1_200_000
"""Milliseconds a window must be open for its text to be worth the day's copy, also on the first day."""
AGAIN_MS: Final = 3_600_000
"""A window may be open for weeks; there is one copy a day."""


class BackupKeeping:
    """Half a minute after the start, after 20 minutes, and then every hour."""

    def __init__(
        self, parent: QObject, bridge: Bridge, front: Callable[[], AppState], show: Callable[[Failure], None]
    ) -> None:
        self._front = front
        self._show = show
        self.timer = QTimer(parent)
        self.timer.setObjectName("backup keeping")
        self.timer.setInterval(AFTER_START_MS)
        self.timer.timeout.connect(self._look)
        bridge.subscribe(HistoryDamaged, self._tell)
        bridge.subscribe(HistoryRepaired, self._tell_repair)

    def _tell(self, found: HistoryDamaged) -> None:
        words = tr("The history file is damaged in places. Repair it now; what you typed stays.")
        self._show(Failure("store", words, found.detail, ("repair_history", "open_data_folder")))

    def _tell_repair(self, found: HistoryRepaired) -> None:
        self._show(repair_failure(found.repair))

    def _look(self) -> None:
        open_long = self.timer.interval() != AFTER_START_MS
        self.timer.setInterval(AGAIN_MS if open_long else OPEN_LONG_MS)
        front = self._front()
        services: WindowServices | None = front.ready
        if services is not None:
            front.start(services.backups.keep_up(open_long=open_long))
