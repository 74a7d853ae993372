"""The result of moving the load line: where it can go, what the next request would be there, and doing it."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from PySide6.QtCore import QObject

from desktop_app.core.context.plan import ContextPlan
from desktop_app.core.context.plan_text import line_preview
from desktop_app.core.messages import Part
from desktop_app.ui.conversation.choices_presenter import ChoicesPresenter
from desktop_app.ui.conversation.gauge_presenter import GaugePresenter
from desktop_app.ui.conversation.plan_previews import PlanPreviews
from desktop_app.ui.i18n.language import translated
from desktop_app.ui.state.app_state import AppState
from desktop_app.ui.transcript.message.load_line_drag import LoadLineDrag
from desktop_app.ui.widgets.floating import Toast


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
        prepared = self._gauge.prepared
        if prepared is None:
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
