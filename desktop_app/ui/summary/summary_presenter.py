"""The flow behind the summary editor: save, write again, remove, each with undo. Writes no summary itself."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from PySide6.QtCore import QDateTime, QObject, Qt, Signal

from desktop_app.core.context.context_choices import ContextChoices, Summary
from desktop_app.core.context.plan import PreparedContext
from desktop_app.core.context.summary_request import SummaryFacts, summary_facts
from desktop_app.core.errors import PlimsollError
from desktop_app.core.events import ThreadChanged
from desktop_app.core.messages import Message, TextPart, Thread
from desktop_app.core.model_catalog import shipped_name
from desktop_app.ui.i18n.content_words import dollars, excerpt
from desktop_app.ui.i18n.language import grouped, minute_of_day, tr, translated
from desktop_app.ui.state.app_state import AppState
from desktop_app.ui.state.services import WindowServices
from desktop_app.ui.summary.summary_editor import SummaryEditor, SummarySource, SummaryView
from desktop_app.ui.widgets.floating import Toast, confirmed
from desktop_app.ui.widgets.live_page import EditorFlow

if TYPE_CHECKING:  # the controller is loaded after the first paint
    from desktop_app.controller.open_threads import OpenThread
    from desktop_app.controller.summaries import SummaryOutcome


def summary_of(thread: Thread, summary_id: str) -> Summary | None:
    """The summary of that id, if it is in force."""
    return next((summary for summary in thread.choices.summaries if summary.id == summary_id), None)


class SummaryPresenter(EditorFlow[SummaryEditor]):
    """One summary of one thread. `finished`: it is gone, and so is the page's reason."""

    message_chosen = Signal(str)
    finished = Signal()

    def __init__(
        self,
        app_state: AppState,
        page: SummaryEditor,
        *,
        toast: Toast,
        services: WindowServices,
        opened: OpenThread,
        summary_id: str,
        parent: QObject,
    ) -> None:
        super().__init__(app_state, page, toast, parent)
        self._app_state = app_state
        self._services = services
        self._opened = opened
        self._thread_id = opened.thread.id
        self.private = opened.thread.private
        self._summary_id = summary_id
        self._prepared: PreparedContext | None = None
        self._busy = False
        self._source = SummaryFacts()
        self._read: tuple[str, ...] = ()
        page.rested.connect(self._count)
        page.again_requested.connect(lambda: app_state.start(self._write_again()))
        page.stop_requested.connect(lambda: app_state.start(services.chat.summaries.stop(self._thread_id)))
        page.remove_requested.connect(lambda: app_state.start(self._remove()))
        page.source_chosen.connect(self.message_chosen)
        app_state.bridge.subscribe(ThreadChanged, self._thread_changed)
        self._show(opened.thread)
        app_state.start(self._prepare())
        if services.chat.summaries.running(self._thread_id):
            app_state.start(self._wait_for_other())

    @property
    def key(self) -> tuple[str, str]:
        return self._thread_id, self._summary_id

    async def save(self) -> None:
        """Stores what stands in the field, with an undo."""
        text = self.page.text()
        before = await self._services.chat.context_editing.edit_summary(self._thread_id, self._summary_id, text)
        self._offer_undo(self.tr("Summary saved"), before)

    # --- doings

    async def _write_again(self) -> None:
        if self.page.unsaved() is not None:
            question = self.tr("Rewriting replaces the text. Your changes to it are not saved.")
            if not await confirmed(self.page, self.tr("Rewrite"), question, self.tr("Rewrite")):
                return
        if (summary := self._summary()) is None or self._busy or self.ended:
            return
        self._say("")
        outcome = await self._written(summary)
        if outcome.failure is not None and "pass_cap" in outcome.failure.actions and not self.ended:
            words = translated(outcome.failure.message)
            if await confirmed(self.page, self.tr("Spend cap"), words, self.tr("Rewrite anyway")):
                outcome = await self._written(summary, pass_cap=True)
        if outcome.summary is not None:
            self._summary_id = outcome.summary.id
            if not self.ended:
                self.page.show_saved(self.page.text())
            self._offer_undo(self.tr("Summary rewritten"), outcome.before)
        self._say(translated(outcome.problem))
        await self._look()

    async def _written(self, summary: Summary, *, pass_cap: bool = False) -> SummaryOutcome:
        self._set_busy(True)
        try:
            summaries = self._services.chat.summaries
            return await summaries.start(self._thread_id, summary.sources, replaces=summary.id, pass_cap=pass_cap)
        finally:
            self._set_busy(False)

    async def _wait_for_other(self) -> None:
        """A summary of this thread is being written already, asked for elsewhere: it may be this one."""
        self._set_busy(True)
        await self._services.chat.summaries.finished(self._thread_id)
        self._set_busy(False)
        await self._look()

    async def _remove(self) -> None:
        # Its going away is no news here.
        self._busy = True
        try:
            before = await self._services.chat.context_editing.remove_summary(self._thread_id, self._summary_id)
        except PlimsollError as error:
            self._busy = False
            self._say(translated(error.failure.message))
            return
        self._offer_undo(self.tr("Summary removed"), before)
        if not self.ended:
            self.finished.emit()

    def _offer_undo(self, words: str, before: ContextChoices) -> None:
        restore = self._services.chat.context_editing.restore
        app_state, thread_id = self._app_state, self._thread_id
        self.toast.show_message(words, self.tr("Undo"), lambda: app_state.start(restore(thread_id, before)))

    # --- facts

    def _thread_changed(self, changed: ThreadChanged) -> None:
        if changed.thread.id == self._thread_id and not self._busy and not self.ended:
            self._show(changed.thread)
            self._app_state.start(self._prepare())

    async def _look(self) -> None:
        self._opened = await self._services.chat.open_thread(self._thread_id)
        if not self.ended:
            self._show(self._opened.thread)
            await self._prepare()

    def _show(self, thread: Thread) -> None:
        if (summary := summary_of(thread, self._summary_id)) is not None:
            self.page.show_summary(SummaryView(summary.text, facts(summary), self._sources(summary)))
        elif self.page.unsaved() is None:
            self.finished.emit()
        else:
            self.page.show_gone()

    def _summary(self) -> Summary | None:
        thread = self._app_state.current
        return summary_of(thread, self._summary_id) if thread is not None else None

    def _set_busy(self, busy: bool) -> None:
        self._busy = busy
        if not self.ended:
            self.page.set_busy(busy)

    def _say(self, problem: str) -> None:
        if not self.ended:
            self.page.show_problem(problem)

    async def _prepare(self) -> None:
        """The one estimator speaks through the thread's prepared context."""
        try:
            self._prepared = await self._services.chat.prepared(self._thread_id)
        except PlimsollError:
            # No model can be chosen: then there is nobody to count for.
            self._prepared = None
        if not self.ended:
            self._count(self.page.text())
            self._tell_use()
            await self._audit()

    def _tell_use(self) -> None:
        """The plan of the next request, which the inspector shows too, is asked."""
        summary = self._summary()
        if summary is None or self._prepared is None or summary.id in self._prepared.plan(()).placement.summaries:
            self.page.show_use("now")
        else:
            self.page.show_use("at_step" if summary.at_step else "elsewhere")

    async def _audit(self) -> None:
        """Reads the source once; what the text lacks of it is looked for again when typing rests."""
        summary, conversation = self._summary(), self._opened.conversation
        if summary is None or summary.sources == self._read:
            return
        self._read = summary.sources
        messages = [conversation[one] for one in summary.sources if one in conversation]
        self._source = await asyncio.to_thread(summary_facts, messages)
        if not self.ended:
            self._count(self.page.text())

    def _count(self, text: str) -> None:
        self.page.show_missing(self._source.missing(text))
        self.page.show_tokens(token_words(self._prepared, text) if text.strip() else "")

    def _sources(self, summary: Summary) -> tuple[SummarySource, ...]:
        conversation = self._opened.conversation
        return tuple(
            _source(conversation[message_id], self.tr("You"), self.tr("Answer"))
            for message_id in summary.sources
            if message_id in conversation
        )


def facts(summary: Summary) -> str:
    """Who wrote a summary, when, what it cost, and whether it was edited, as one line."""
    at = QDateTime.fromString(summary.created, Qt.DateFormat.ISODateWithMs).toLocalTime()
    parts = [
        tr("Written by {model}").format(model=shipped_name(summary.model)) if summary.model else tr("Written by you")
    ]
    parts.append(minute_of_day(at))
    if summary.cost_usd:
        parts.append(dollars(summary.cost_usd))
    if summary.edited and summary.model:
        parts.append(tr("edited by you"))
    return " · ".join(parts)


def token_words(prepared: PreparedContext | None, text: str) -> str:
    """`≈ 312 tokens`: what the thread's own plan says a text of this length weighs; empty where there is no plan."""
    if prepared is None:
        return ""
    tokens = prepared.plan((TextPart(text),)).tokens.draft
    return tr("≈ {count} tokens").format(count=grouped(tokens))


def _source(message: Message, user: str, assistant: str) -> SummarySource:
    return SummarySource(message.id, user if message.role == "user" else assistant, excerpt(message))
