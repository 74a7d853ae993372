"""The soft limit and the load line while they are moved by hand: plans of what is held, and setting it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Hashable, Sequence
from time import perf_counter
from typing import Any, Generic, Protocol, TypeVar

from PySide6.QtCore import QObject

from desktop_app.core.context.limits import highest_soft, nearest_limit
from desktop_app.core.context.plan import ContextPlan
from desktop_app.core.context.plan_text import limit_preview, line_preview
from desktop_app.core.events import TurnStarted
from desktop_app.core.messages import Part
from desktop_app.ui.conversation.choices_presenter import ChoicesPresenter
from desktop_app.ui.conversation.gauge_presenter import GaugePresenter
from desktop_app.ui.gauge.limit_drag import LimitDrag, LimitRange
from desktop_app.ui.gauge.plan_facts import read_held_limit
from desktop_app.ui.i18n.content_words import thousands
from desktop_app.ui.i18n.language import translated
from desktop_app.ui.state.app_state import AppState
from desktop_app.ui.transcript.message.load_line_drag import LoadLineDrag
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


class LimitPresenter(QObject):
    """Shows the plan under the limit that is held, and sets the thread's own limit when it is let go."""

    def __init__(self, app_state: AppState, drag: LimitDrag, gauge: GaugePresenter, toast: Toast) -> None:
        super().__init__(drag)
        self._app_state, self._drag = app_state, drag
        self._gauge, self._toast = gauge, toast
        self._draft: Sequence[Part] = ()
        self._thread_id: str | None = None
        self._previewed: ContextPlan | None = None
        self._previews: PlanPreviews[int] = PlanPreviews(app_state, self._show, self)
        drag.limits, drag.blocked = self._limits, self._blocked
        self._previews.follow(drag, toast)
        drag.dropped.connect(self._drop)

    def _blocked(self) -> str:
        if self._app_state.running:
            return self.tr("You can move the limit when the answer is complete")
        if self._app_state.thread_id is None:
            return self.tr("You can move the limit once the thread has a message")
        if self._gauge.prepared is None:
            return self.tr("The context is still being counted")
        return ""

    def _limits(self) -> LimitRange | None:
        prepared, plan = self._gauge.prepared, self._gauge.plan
        if prepared is None or plan is None or nearest_limit(plan).kind != "tokens":
            return None
        self._draft, self._thread_id = self._gauge.draft, self._app_state.thread_id
        self._previews.begin(lambda tokens: prepared.with_limit(tokens).plan(self._draft))
        return LimitRange(plan.limits.soft, highest_soft(plan.model), round(self._gauge.scale or plan.limits.emergency))

    def _show(self, tokens: int, plan: ContextPlan) -> None:
        self._previewed = plan
        if self._drag.moving:
            self._drag.show_held(read_held_limit(plan, self._drag.scale))

    def _drop(self, tokens: int) -> None:
        if self._thread_id is None:
            return
        if (plan := self._previewed) is not None and plan.limits.soft == tokens and plan.decision != "refuse":
            self._gauge.show_dropped_limit(plan, self._drag.scale)
        self._app_state.start(self._set(self._thread_id, tokens))

    async def _set(self, thread_id: str, tokens: int) -> None:
        services = await self._app_state.services()
        if self._app_state.is_running(thread_id):
            self._toast.show_message(self._blocked())
            self._gauge.refresh()
            return
        prepared = await services.chat.prepared(thread_id)
        plan = await asyncio.to_thread(lambda: prepared.with_limit(tokens).plan(self._draft))
        if plan.decision == "refuse":
            self._toast.show_message(self.tr("Not set. {why}").format(why=translated(limit_preview(plan))))
            return
        before = (await services.chat.open_thread(thread_id)).thread.soft_limit
        await services.chat.set_soft_limit(thread_id, tokens)
        words = self.tr("Soft limit set to {limit}").format(limit=thousands(tokens))
        self._toast.show_message(words, self.tr("Undo"), lambda: self._app_state.start(self._undo(thread_id, before)))

    async def _undo(self, thread_id: str, before: int | None) -> None:
        services = await self._app_state.services()
        await services.chat.set_soft_limit(thread_id, before)


class LoadLinePresenter(QObject):
    """Shows the plan of the place where the line is held, and has the thread begin there when it is let go."""

    def __init__(
        self, app_state: AppState, drag: LoadLineDrag, gauge: GaugePresenter, choices: ChoicesPresenter, toast: Toast
    ) -> None:
        super().__init__(drag)
        self._app_state, self._drag, self._gauge = app_state, drag, gauge
        self._choices, self._toast = choices, toast
        self._draft: Sequence[Part] = ()
        self._thread_id: str | None = None
        self._previews: PlanPreviews[str] = PlanPreviews(app_state, self._show, self)
        drag.places_of, drag.blocked = self._places, self._blocked
        self._previews.follow(drag, toast)
        drag.dropped.connect(self._drop)
        app_state.thread_opened.connect(drag.path_shown)
        gauge.plan_changed.connect(drag.plan_shown)

    def _blocked(self) -> str:
        if self._app_state.running:
            return self.tr("You can move the line when the answer is complete")
        if self._gauge.prepared is None:
            return self.tr("The context is still being counted")
        return ""

    def _places(self) -> Sequence[str]:
        if (prepared := self._gauge.prepared) is None:
            return ()
        self._draft, self._thread_id = self._gauge.draft, self._app_state.thread_id
        self._previews.begin(lambda message_id: prepared.with_line(message_id).plan(self._draft))
        return prepared.line_places

    def _show(self, message_id: str, plan: ContextPlan) -> None:
        if self._drag.moving:
            self._drag.show_words(translated(line_preview(plan)), refused=not plan.keeps_boundary)

    def _drop(self, message_id: str) -> None:
        if self._thread_id is not None:
            self._app_state.start(self._move(self._thread_id, message_id))

    async def _move(self, thread_id: str, message_id: str) -> None:
        services = await self._app_state.services()
        prepared = await services.chat.prepared(thread_id)
        plan = await asyncio.to_thread(lambda: prepared.with_line(message_id).plan(self._draft))
        words = translated(line_preview(plan))
        if self._app_state.is_running(thread_id):
            self._toast.show_message(self._blocked())
        elif not plan.keeps_boundary:
            self._toast.show_message(self.tr("Not moved. {why}").format(why=words))
        else:
            self._choices.tell(words, thread_id, await services.chat.context_editing.move_line(thread_id, message_id))
