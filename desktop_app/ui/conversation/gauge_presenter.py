"""The gauge's source: a prepared context per thread and one plan per keystroke. Counts nothing itself."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Sequence
from dataclasses import replace
from time import perf_counter

from PySide6.QtCore import QObject, Signal

from desktop_app.core.context.limits import lowered_limit
from desktop_app.core.context.plan import ContextPlan
from desktop_app.core.context.planner import Preparation
from desktop_app.core.errors import PlimsollError
from desktop_app.core.events import ArtifactChanged, NoticeRaised, TurnEnded, TurnFailed, TurnStarted
from desktop_app.core.messages import DocumentPart, Part
from desktop_app.core.settings import dotted_name
from desktop_app.ui.composer.composer import Composer
from desktop_app.ui.gauge.gauge_popover import ChoicesTable, GaugePopover, ModelLimitPopover
from desktop_app.ui.gauge.plan_facts import read_plan
from desktop_app.ui.i18n.content_words import dollars
from desktop_app.ui.i18n.language import hour_of, translated
from desktop_app.ui.state.app_state import AppState
from desktop_app.ui.theme.theme import Theme
from desktop_app.ui.widgets.parts import single_shot

log = logging.getLogger(__name__)

AFFORDABLE_S = 0.003
"""A plan that takes longer (a pasted book) is made when typing rests, not on each keystroke."""
REST_MS = 150
SMALLEST_WINDOW, LARGEST_WINDOW = 2_000, 100_000_000
"""Tokens that a model's window may be set to, as in settings.toml."""
WARM_AGAIN_S = 20
"""Seconds after which a pressed key renews what a backend holds ready, which ends after a minute without use."""
STALE_S = 60
"""Seconds after which a context is prepared again when typing goes on: the provider's cache may have expired
meanwhile.
"""

PLAN_NOTICE = "plan"
"""The notice that carries a report, in words."""


class PlanShares:
    """The use of subscription plans, as they reported it, by backend.

    A report stands until the next answer of the same backend ends without one.
    """

    def __init__(self) -> None:
        self._reports: dict[str, str] = {}
        self._backends: dict[str, str] = {}  # thread -> backend of its running turn
        self._reported: set[str] = set()

    def report_of(self, backend: str) -> str:
        """The words of the last report; "" while there is nothing to say."""
        return self._reports.get(backend, "")

    def turn_started(self, started: TurnStarted) -> None:
        self._backends[started.thread_id] = started.plan.backend
        self._reported.discard(started.plan.backend)

    def notice_raised(self, notice: NoticeRaised) -> None:
        backend = self._backends.get(notice.thread_id)
        if notice.code == PLAN_NOTICE and backend is not None:
            self._reports[backend] = notice.message
            self._reported.add(backend)

    def turn_over(self, over: TurnEnded | TurnFailed) -> None:
        if (backend := self._backends.pop(over.thread_id, "")) not in self._reported:
            self._reports.pop(backend, None)


class GaugePresenter(QObject):
    """Keeps the newest plan of what would be sent now."""

    plan_changed = Signal(object)  # ContextPlan | None
    inspector_requested = Signal()
    told = Signal(str)  # a line for the window
    return_requested = Signal(str)  # id of the message whose boundary is to come back

    def __init__(self, app_state: AppState, composer: Composer, clock: Callable[[], float] = perf_counter) -> None:
        """`clock`: seconds."""
        super().__init__(composer)
        self._clock = clock
        self._app_state = app_state
        self._composer = composer
        self._prepared_at = 0.0
        self._prepared: Preparation | None = None
        self._of: str | None = None
        self._cost_s = 0.0
        self._counted: tuple[Preparation | None, tuple[Part, ...]] = (None, ())
        self.plan: ContextPlan | None = None
        self.shares = PlanShares()
        self._rest = single_shot(self, self._plan_now, REST_MS)
        # a folder of documents is told one by one
        self._soon = single_shot(self, self.refresh, REST_MS)
        self._warmed_at: float | None = None
        self._popover: GaugePopover | None = None
        self._scale: tuple[str | None, str, float] | None = None  # of which thread and model

    @property
    def scale(self) -> float | None:
        """Tokens that the gauge is wide, where its mark was moved by hand; None: as the limits are."""
        here = (self._of, self.plan.model.id if self.plan is not None else "")
        return self._scale[2] if self._scale is not None and self._scale[:2] == here else None

    def show_dropped_limit(self, plan: ContextPlan, scale: float) -> None:
        """The limit's mark was let go on a gauge of that many tokens: it stays there until the next message is sent."""
        self._scale = (self._of, plan.model.id, scale)
        self._show(plan)

    def refresh(self, _fact: object = None) -> None:
        """Prepare the context again: the path, the model or a setting changed."""
        self._app_state.start(self._prepare())

    def project_changed(self, _fact: object = None) -> None:
        """A project or its documents changed: those of the open thread are part of its next request."""
        if self._app_state.current is not None and self._app_state.current.project is not None:
            self._soon.start()

    def artifact_changed(self, fact: ArtifactChanged) -> None:
        """An artifact changed, which a request may hold."""
        if self._app_state.is_open(fact.thread_id):
            self._soon.start()

    def forget(self) -> None:
        """Nothing is open: nothing to count."""
        self._prepared, self._of, self.plan = None, None, None
        self._composer.gauge.show_reading(None)
        self.plan_changed.emit(None)

    def show_new(self) -> None:
        """Nothing is open: what a new thread would send, which is little."""
        self.forget()
        self.refresh()

    def text_edited(self) -> None:
        """A keystroke: the gauge follows at once where that is cheap."""
        if self._prepared is None or self._of != self._app_state.thread_id:
            return
        if self._clock() - self._prepared_at > STALE_S:
            self.refresh()
        if self._cost_s > AFFORDABLE_S:
            self._rest.start()
        else:
            self._plan_now()
        self._keep_warm()

    def attachments_changed(self) -> None:
        """Take the changed attachments: the gauge follows when they are counted."""
        self._app_state.start(self._count())
        self._keep_warm()

    @property
    def prepared(self) -> Preparation | None:
        """The context of the open thread, as long as it is counted for what is open now."""
        return self._prepared if self._of == self._app_state.thread_id else None

    @property
    def draft(self) -> tuple[Part, ...]:
        """The parts that would be sent now; nothing of it is still being counted."""
        waits = self._composer.attachments and self._counted != (self._prepared, self._composer.attachments)
        return () if waits else tuple(self._composer.draft())

    def tokens_of(self, part: Part) -> int | None:
        """Tokens of something that is attached, None while it is not counted."""
        prepared, parts = self._counted
        if prepared is None or prepared is not self._prepared or not any(part is one for one in parts):
            return None
        return self._in_request(part) or prepared.tokens_of(part)

    def _in_request(self, part: Part) -> int:
        """Return the tokens of a document in a request whose parts share a bound or a count, as the card says; else
        0.
        """
        plan, (prepared, parts) = self.plan, self._counted
        if plan is None or prepared is None or not (plan.tokens.bound or plan.tokens.source == "measured"):
            return 0
        sent = [one for one in parts if isinstance(one, DocumentPart) and prepared.tokens_of(one)]
        if [one.name for one in sent] != [item.label for item in plan.placement.attached[: len(sent)]]:
            return 0  # the plan is of other attachments
        return next((item.tokens for one, item in zip(sent, plan.placement.attached, strict=False) if one is part), 0)

    def turn_started(self, started: TurnStarted) -> None:
        """Show what was sent while the answer streams: what the gauge announced is done."""
        if self._app_state.is_open(started.thread_id):
            self._scale = None
            sent = replace(
                started.plan,
                decision="ok",
                request=replace(started.plan.request, pending=None),
                placement=replace(started.plan.placement, newly_left_out=0, newly_returned=0),
                advice=replace(started.plan.advice, events=()),
            )
            self._composer.gauge.show_reading(read_plan(sent), started.thread_id)

    def cool(self, _fact: object = None) -> None:
        """A turn is over: the next word typed prepares the backend again."""
        self._warmed_at = None

    def open_popover(self, theme: Theme) -> GaugePopover | None:
        """The popover of the newest plan."""
        services, plan = self._app_state.ready, self.plan
        if plan is None or services is None:
            return None
        backend = services.backends.get(plan.backend)
        popover = GaugePopover(theme, plan, backend is not None and backend.cost_kind != "money", self._composer)
        popover.soft_limit_chosen.connect(self._set_soft_limit)
        popover.compare.clicked.connect(lambda: self._compare(theme, popover))
        popover.inspector_requested.connect(self.inspector_requested)
        popover.return_requested.connect(self.return_requested)
        popover.choices.cliff_accepted.connect(self._accept_cliff)
        popover.choices.forgotten.connect(self._forget_learned)
        popover.choices.window_requested.connect(popover.close)
        popover.choices.window_requested.connect(self._composer.gauge.limit_requested)
        popover.destroyed.connect(lambda: self._popover_gone(popover))
        self._popover = popover
        self._show(plan)
        self._show_choices(popover, plan)
        popover.open_above(self._composer.gauge)
        if self._of is not None and plan.price.cache.answer:
            popover.keep.clicked.connect(lambda: self._app_state.start(self._keep_cached(plan)))
            self._app_state.look(self._offer_to_keep(popover, self._of, plan))
        return popover

    async def _offer_to_keep(self, popover: GaugePopover, thread_id: str, plan: ContextPlan) -> None:
        services = await self._app_state.services()
        offer = await services.chat.cache_keeping.offer(thread_id, plan)
        if offer is not None and self._popover is popover:
            popover.show_keep(hour_of(offer.until), dollars(offer.cost_usd))

    async def _keep_cached(self, plan: ContextPlan) -> None:
        services, thread_id = await self._app_state.services(), self._of
        if thread_id is None:
            return
        why = ""
        try:
            kept = await services.chat.cache_keeping.keep(thread_id, plan)
        except PlimsollError as error:
            kept, why = None, translated(error.failure.message)
        if kept is None:
            self.told.emit(self.tr("The cache was not kept. {reason}").format(reason=why).rstrip())
        await self._prepare()

    def _compare(self, theme: Theme, popover: GaugePopover) -> None:

        table = ChoicesTable(theme, popover)
        popover.show_compared(table)
        self._app_state.look(self._fill(table, popover, self._composer.draft()))

    async def _fill(self, table: ChoicesTable, popover: GaugePopover, draft: Sequence[Part]) -> None:
        services = await self._app_state.services()
        try:
            choices = await services.chat.compare_choices(self._of, draft, like=self._app_state.choice_like())
        except PlimsollError as error:
            if self._popover is popover:
                table.show_note(translated(error.failure.message))
            return
        if self._popover is popover:  # it may be closed meanwhile
            table.show_choices(choices, {name for name, one in services.backends.items() if one.cost_kind == "money"})

    def ask_limit(self, theme: Theme) -> None:
        """Has the user say what the window of a model is that nobody has told us about."""

        if (plan := self.plan) is None:
            return
        bounds = SMALLEST_WINDOW, LARGEST_WINDOW
        popover = ModelLimitPopover(theme, plan.model.name, plan.limits.window, bounds, self._composer)
        popover.chosen.connect(lambda tokens: self._app_state.start(self._set_window(plan.model.id, tokens)))
        popover.open_above(self._composer.gauge, round(self._composer.gauge.action_left()))

    async def _set_window(self, model: str, tokens: int) -> None:
        services = await self._app_state.services()
        await services.preferences.set_value(dotted_name(("models", model, "window")), tokens)

    def _show_choices(self, popover: GaugePopover, plan: ContextPlan) -> None:
        """Show whether the model's price cliff keeps the open thread's limit down, or would."""
        services, thread, cliff = self._app_state.ready, self._app_state.current, plan.model.price_cliff
        position = services.preferences.settings.context.soft_limit if services is not None else 0
        held = cliff is not None and position > cliff and thread is not None and thread.soft_limit is None
        accepted = thread is not None and thread.choices.accepted_cliff
        lowered = ""
        if services is not None and not held:
            own = thread.soft_limit if thread is not None else None
            lowered = translated(lowered_limit(plan.model, plan.limits, services.preferences.settings.context, own))
        popover.choices.show_plan(
            plan, held_at_cliff=held and not accepted, accepted=held and accepted, lowered=lowered
        )

    def _accept_cliff(self, accepted: bool) -> None:
        if self._of is not None:
            self._app_state.start(self._store_cliff(self._of, accepted))

    async def _store_cliff(self, thread_id: str, accepted: bool) -> None:
        services = await self._app_state.services()
        await services.chat.context_editing.accept_cliff(thread_id, accepted)
        await self._prepare()

    def _forget_learned(self) -> None:
        if self.plan is not None:
            self._app_state.start(self._store_forgotten(self.plan))

    async def _store_forgotten(self, plan: ContextPlan) -> None:
        services = await self._app_state.services()
        await services.chat.forget_learned_window(plan.backend, plan.model.id)
        await self._prepare()

    def _popover_gone(self, popover: GaugePopover) -> None:
        if self._popover is popover:  # it goes later than it closes: another may be open
            self._popover = None

    def _set_soft_limit(self, tokens: int | None) -> None:
        if self._of is not None:
            self._app_state.start(self._store_soft_limit(self._of, tokens))

    async def _store_soft_limit(self, thread_id: str, tokens: int | None) -> None:
        services = await self._app_state.services()
        await services.chat.set_soft_limit(thread_id, tokens)
        await self._prepare()

    async def _prepare(self) -> None:
        services = await self._app_state.services()
        thread_id = self._app_state.thread_id
        try:
            if thread_id is None:
                prepared = await services.chat.prepared_new(self._app_state.choice_like())
            else:
                prepared = await services.chat.prepared(thread_id)
        except PlimsollError as error:
            log.info("no context for the gauge: %s", error.failure.code)
            if self._app_state.thread_id == thread_id:
                self.forget()
            return
        if self._app_state.thread_id == thread_id:
            self._prepared, self._of, self._cost_s = prepared, thread_id, 0.0
            self._prepared_at = self._clock()
            await self._count()

    async def _count(self) -> None:
        """Counts what is attached off the GUI thread, as a book takes longer than a frame; then makes the plan."""
        prepared, parts = self._prepared, self._composer.attachments
        if prepared is not None and parts:
            await asyncio.to_thread(_count_all, prepared, parts)
        if prepared is self._prepared and parts == self._composer.attachments:
            self._counted = (prepared, parts)
            self._plan_now()

    def _keep_warm(self) -> None:
        """A message is being written: the backend starts what takes long, and keeps it while typing goes on."""
        now = self._clock()
        rested = self._warmed_at is None or now - self._warmed_at > WARM_AGAIN_S
        if rested and self._of is not None and not self._composer.is_empty():
            self._warmed_at = now
            self._app_state.look(self._warm())

    async def _warm(self) -> None:
        services = await self._app_state.services()
        if self._of is not None:
            await services.chat.prepare_backend(self._of)

    def _plan_now(self) -> None:
        if self._prepared is None or self._of != self._app_state.thread_id:
            return
        if self._composer.attachments and self._counted != (self._prepared, self._composer.attachments):
            return  # they are being counted
        begun, before = self._clock(), self.plan
        self.plan = self._prepared.plan(self._composer.draft())
        self._cost_s = self._clock() - begun
        self._show(self.plan, moved=before is not None and before.limits.soft != self.plan.limits.soft)
        if self._popover is not None:
            self._show_choices(self._popover, self.plan)
            self._popover.show_plan(self.plan)
        self.plan_changed.emit(self.plan)

    def _show(self, plan: ContextPlan, *, moved: bool = False) -> None:
        """On the gauge; beside its own popover, and where the limit was moved, while an answer comes, too."""
        services = self._app_state.ready
        above = services.preferences.settings.costs.show_above_usd if services is not None else None
        report = self.shares.report_of(plan.backend)
        reading = read_plan(plan, show_above_usd=above, plan_report=report, scale=self.scale)
        self._composer.gauge.show_reading(reading, self._of, at_once=moved or self._popover is not None)


def _count_all(prepared: Preparation, parts: Sequence[Part]) -> None:
    for part in parts:
        prepared.tokens_of(part)
