"""The page on which a thread's system prompt is edited, and its flow: weight, cost of a change, saving with undo."""

from __future__ import annotations

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QWidget

from desktop_app.core.context.costs import uncached_cost
from desktop_app.core.context.plan import ContextPlan, PreparedContext
from desktop_app.core.errors import PlimsollError
from desktop_app.core.events import ThreadChanged
from desktop_app.core.messages import TextPart
from desktop_app.ui.i18n.content_words import plan_price, price, thousands
from desktop_app.ui.i18n.language import grouped, tr
from desktop_app.ui.state.app_state import AppState
from desktop_app.ui.state.services import WindowServices
from desktop_app.ui.theme.theme import Theme
from desktop_app.ui.widgets.floating import Toast
from desktop_app.ui.widgets.live_page import EditorFlow
from desktop_app.ui.widgets.page import SYSTEM_PROMPT, EditorPage


class SystemPromptEditor(EditorPage):
    """The text, its share of the limit, and what changing it costs."""

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(theme, "", parent)
        self.set_title(self.tr("System prompt"))
        self.field.setAccessibleName(self.tr("System prompt of this thread"))
        self.field.setPlaceholderText(self.tr("Instructions for the model in this thread"))
        self.lead.setText(self.tr("Sent before everything else with each message of this thread."))
        self.price = self.small()
        self.inside.insertWidget(self.inside.indexOf(self.tokens) + 1, self.price)


class SystemPromptPresenter(EditorFlow[SystemPromptEditor]):
    """The system prompt of the thread that was open when the page was opened, or of one that is made by saving."""

    def __init__(
        self, app_state: AppState, page: SystemPromptEditor, *, toast: Toast, services: WindowServices, parent: QObject
    ) -> None:
        super().__init__(app_state, page, toast, parent)
        self._app_state = app_state
        self._services = services
        self._thread_id = app_state.thread_id
        self.private = app_state.private
        self._system = app_state.current.system if app_state.current is not None else ""
        self._prepared: PreparedContext | None = None
        self._plan: ContextPlan | None = None
        self._cost_kind = "money"
        page.rested.connect(self._count)
        app_state.bridge.subscribe(ThreadChanged, self._thread_changed)
        page.show_saved(self._system)
        app_state.start(self._prepare())

    @property
    def key(self) -> tuple[str, str]:
        return self._thread_id or "", SYSTEM_PROMPT

    async def save(self) -> None:
        """Stores what stands in the field, with an undo; a thread that is not there yet is made."""
        text, before = self.page.text(), self._system
        if self._thread_id is None:
            self._thread_id = (await self._app_state.made_thread()).id
        thread_id, chat = self._thread_id, self._services.chat
        await chat.set_system(thread_id, text)
        app_state = self._app_state
        self.toast.show_message(
            self.tr("System prompt saved"), self.tr("Undo"), lambda: app_state.start(chat.set_system(thread_id, before))
        )

    def _thread_changed(self, changed: ThreadChanged) -> None:
        if changed.thread.id == self._thread_id and not self.ended:
            self._system = changed.thread.system
            self.page.show_saved(self._system)
            self._app_state.start(self._prepare())

    async def _prepare(self) -> None:
        chat = self._services.chat
        try:
            if self._thread_id is None:
                self._prepared = await chat.prepared_new(self._app_state.choice_like())
            else:
                self._prepared = await chat.prepared(self._thread_id)
        except PlimsollError:
            # No model can be chosen: then there is nobody to count for.
            self._prepared = self._plan = None
            return
        self._plan = self._prepared.plan(())
        backend = self._services.backends.get(self._plan.backend)
        self._cost_kind = backend.cost_kind if backend is not None else "money"
        if not self.ended:
            self._count(self.page.text())

    def _count(self, text: str) -> None:
        if self._prepared is None or self._plan is None:
            return
        changed = self.page.unsaved() is not None
        # An unchanged prompt has its exact weight in the plan; a changed one is estimated as the same words elsewhere.
        tokens = self._prepared.plan((TextPart(text),)).tokens.draft if changed else self._plan.tokens.system
        self.page.show_tokens(share_words(tokens, self._plan, estimated=changed) if text.strip() else "")
        self.page.price.setText(change_words(self._plan, self._cost_kind))


def share_words(tokens: int, plan: ContextPlan, *, estimated: bool) -> str:
    """`≈ 312 tokens, 0.2 % of the 150K from which on older messages are left out`."""
    share = 100 * tokens / plan.limits.soft
    exact = grouped(share, 1 if share < 10 else 0)
    words = tr("{count} tokens, {share} % of the {limit} above which older messages are left out")
    told = words.format(count=grouped(tokens), share=exact, limit=thousands(plan.limits.soft))
    return f"≈ {told}" if estimated else told


def change_words(plan: ContextPlan, cost_kind: str) -> str:
    """Return the cost of changing the system prompt with the next message, in words."""
    if not plan.price.cached_tokens:
        return tr("Nothing of this thread is cached, so a change costs nothing extra.")
    lost = tr("A change makes the model read the whole thread again: {count} cached tokens are lost").format(
        count=thousands(plan.price.cached_tokens)
    )
    anew = uncached_cost(plan)
    if cost_kind == "free" or anew is None or plan.price.cost_usd is None:
        return f"{lost}."
    kind = (
        tr("{price}, about {anew} instead of {now} at list price.")
        if cost_kind == "plan"
        else tr("{price}, about {anew} instead of {now}.")
    )
    return kind.format(price=lost, anew=price(*anew), now=plan_price(plan))
