"""Typed publish and subscribe between the controller and whoever shows its facts."""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:  # a command that only reads makes none of them
    from desktop_app.core.events import Announcement

log = logging.getLogger(__name__)

Listener: TypeAlias = "Callable[[Announcement], None]"


class Announcements:
    """Delivers each announcement at once, in the order of subscription, on the caller's event loop."""

    def __init__(self) -> None:
        self._listeners: list[Listener] = []

    def subscribe(self, listener: Listener) -> Callable[[], None]:
        """Adds a listener; the returned function removes it (calling it twice does nothing)."""
        self._listeners.append(listener)

        def unsubscribe() -> None:
            if listener in self._listeners:
                self._listeners.remove(listener)

        return unsubscribe

    def publish(self, announcement: Announcement) -> None:
        """Tells every listener. A listener's error is logged as the bug it is and does not stop the turn."""
        for listener in tuple(self._listeners):
            try:
                listener(announcement)
            except Exception:
                log.exception("a listener failed on %s", type(announcement).__name__)
