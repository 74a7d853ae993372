"""Makes plans of what is held in the hand, off the GUI thread and one at a time. Counts nothing itself."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Hashable
from time import perf_counter
from typing import Any, Generic, Protocol, TypeVar

from PySide6.QtCore import QObject

from desktop_app.core.context.plan import ContextPlan
from desktop_app.core.events import TurnStarted
from desktop_app.ui.state.app_state import AppState
from desktop_app.ui.widgets.floating import Toast

REST = 2
"""The factor on a plan's time for which nothing is planned while the place goes on changing."""

Place = TypeVar("Place", bound=Hashable)


class Drag(Protocol):
    """The control that holds something while it is dragged: its signals, and how it is let go of without a change."""

    moved: Any
    ended: Any
    refused: Any
    undo_requested: Any

    def cancel(self) -> None: ...


class PlanPreviews(QObject, Generic[Place]):
    """The plan of the newest place asked for; of those that were passed while one was made, none is made."""

    def __init__(self, app_state: AppState, show: Callable[[Place, ContextPlan], None], parent: QObject) -> None:
        """`show` is called on the GUI thread with each plan that is still wanted."""
        super().__init__(parent)
        self._app_state, self._show = app_state, show
        self._make: Callable[[Place], ContextPlan] | None = None
        self._wanted: Place | None = None
        self._making = False

    def follow(self, drag: Drag, toast: Toast) -> None:
        """Plans what this drag holds; another thread, or a turn that begins, takes it out of the hand."""

        def cancel_when_running(_fact: object) -> None:
            if self._app_state.running:  # what is sent was decided
                drag.cancel()

        drag.moved.connect(self.ask)
        drag.ended.connect(self.end)
        drag.refused.connect(toast.show_message)
        drag.undo_requested.connect(toast.undo)
        for gone in (self._app_state.thread_switched, self._app_state.thread_closed):
            gone.connect(drag.cancel)
        self._app_state.bridge.subscribe(TurnStarted, cancel_when_running)

    def begin(self, make: Callable[[Place], ContextPlan]) -> None:
        """Something is taken in the hand; `make` gives the plan of a place, and is called off the GUI thread."""
        self._make, self._wanted = make, None

    def ask(self, place: Place) -> None:
        """It is held at this place now."""
        self._wanted = place
        if not self._making:
            self._making = True
            self._app_state.look(self._run())

    def end(self) -> None:
        """It is held no more: nothing is wanted."""
        self._make, self._wanted = None, None

    async def _run(self) -> None:
        try:
            while self._make is not None and self._wanted is not None:
                make, place = self._make, self._wanted
                begun = perf_counter()
                # ten thousand messages take 50 ms: the window goes on meanwhile
                plan = await asyncio.to_thread(make, place)
                took = perf_counter() - begun
                if make is self._make and self._wanted is not None:
                    self._show(place, plan)
                    if place == self._wanted:
                        self._wanted = None
                        continue
                # what a long thread costs is shared with the painting: both wait for the same interpreter
                await asyncio.sleep(REST * took)
        finally:
            self._making = False
