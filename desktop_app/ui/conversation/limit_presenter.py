"""The result of moving the gauge's mark of the soft limit: what the next request would be, and setting it."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from PySide6.QtCore import QObject

from desktop_app.core.context.limit_use import nearest_limit
from desktop_app.core.context.limits import highest_soft
from desktop_app.core.context.plan import ContextPlan
from desktop_app.core.context.plan_text import limit_preview
from desktop_app.core.messages import Part
from desktop_app.ui.conversation.gauge_presenter import GaugePresenter
from desktop_app.ui.conversation.plan_previews import PlanPreviews
from desktop_app.ui.gauge.limit_drag import LimitDrag, LimitRange
from desktop_app.ui.gauge.plan_reading import read_held_limit
from desktop_app.ui.i18n.amounts import thousands
from desktop_app.ui.i18n.language import translated
from desktop_app.ui.state.app_state import AppState
from desktop_app.ui.widgets.floating import Toast


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
        plan = self._previewed
        if plan is not None and plan.limits.soft == tokens and plan.decision != "refuse":
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
