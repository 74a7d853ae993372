"""The page of one conversation summary, with the list of messages it stands for, and its flow: save, write again,
remove, each with undo. Writes no summary itself."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from PySide6.QtCore import QDateTime, QObject, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QFrame, QListView, QWidget

from desktop_app.controller.open_threads import OpenThread
from desktop_app.controller.summaries import SummaryOutcome
from desktop_app.core.context.context_choices import ContextChoices, Summary
from desktop_app.core.context.planner import Preparation
from desktop_app.core.context.summary_request import SummaryFacts, summary_facts
from desktop_app.core.errors import PlimsollError
from desktop_app.core.events import ThreadChanged
from desktop_app.core.messages import Message, TextPart, Thread
from desktop_app.core.model_catalog import shipped_name
from desktop_app.ui.i18n.content_words import dollars, excerpt
from desktop_app.ui.i18n.language import grouped, minute_of_day, tr, translated
from desktop_app.ui.state.app_state import AppState
from desktop_app.ui.state.services import WindowServices
from desktop_app.ui.theme.theme import GRID, Theme
from desktop_app.ui.widgets.fitting import FlowRow
from desktop_app.ui.widgets.floating import Toast, confirmed
from desktop_app.ui.widgets.list_parts import ROW_ROLE, ListRows
from desktop_app.ui.widgets.live_page import EditorFlow
from desktop_app.ui.widgets.page import EditorPage
from desktop_app.ui.widgets.parts import button_in, fill, in_column

ROWS_SHOWN = 8
LONGEST_FACT = 60
"""Characters that are shown of a name or path."""
MOST_FACTS = 200


@dataclass(frozen=True, slots=True)
class SummarySource:
    """One message: who said it, in a word, and how it begins."""

    id: str
    who: str
    excerpt: str


class SourceModel(ListRows[SummarySource]):
    """One row per message."""

    def words(self, row: SummarySource) -> str:
        return f"{row.who}: {row.excerpt}"


class SourceList(QListView):
    """Arrows move, Enter or a click goes to the message."""

    chosen = Signal(str)  # message id

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self.sources = SourceModel(self)
        self.setModel(self.sources)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setUniformItemSizes(True)
        self.setTextElideMode(Qt.TextElideMode.ElideRight)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollMode(QListView.ScrollMode.ScrollPerPixel)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setAccessibleName(self.tr("Messages that the summary replaces"))
        self.setAccessibleDescription(self.tr("Enter goes to the message."))
        self.setSpacing(GRID // 4)
        self.clicked.connect(lambda index: self.chosen.emit(str(index.data(ROW_ROLE).id)))
        theme.set_font("small", self)
        theme.follow(self._fit)

    def show_sources(self, sources: Sequence[SummarySource]) -> None:
        """Replaces the rows; the keyboard begins at the first."""
        self.sources.show(sources)
        if sources:
            self.setCurrentIndex(self.sources.index(0))
            self.clearSelection()
        self._fit()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self.currentIndex().isValid():
            self.chosen.emit(str(self.currentIndex().data(ROW_ROLE).id))
        else:
            super().keyPressEvent(event)

    def _fit(self) -> None:
        rows = min(max(1, self.sources.rowCount()), ROWS_SHOWN)
        self.setFixedHeight(rows * (max(self.sizeHintForRow(0), self.fontMetrics().height()) + GRID // 2) + GRID // 2)


SummaryUse: TypeAlias = Literal["now", "at_step", "elsewhere"]
"""The state of a summary in the next request: it is in it, from the next step on, or not on this branch."""


@dataclass(frozen=True, slots=True)
class SummaryView:
    """The facts told of a summary besides its text: `facts` in words, as one line."""

    text: str
    facts: str
    sources: Sequence[SummarySource]


class SummaryEditor(EditorPage):
    """Wishes: save, `again_requested`, `stop_requested` and `remove_requested`."""

    again_requested = Signal()
    stop_requested = Signal()
    remove_requested = Signal()

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(theme, "", parent)
        self.set_title(self.tr("Conversation summary"))
        self.field.setAccessibleName(self.tr("Text of the summary"))
        self._may_be_empty = False
        self.show_use("now")
        self.facts = self.small()
        self.again_button = button_in(
            self.column,
            self.tr("Rewrite"),
            self.again_requested,
            tip=self.tr("Rewrites the summary with the thread's model"),
        )
        self.stop_button = button_in(
            self.column, self.tr("Stop"), self.stop_requested, name=self.tr("Stop writing the summary")
        )
        self.remove_button = button_in(
            self.column, self.tr("Remove"), self.remove_requested, name=self.tr("Remove the summary")
        )
        self.progress = self.small(tone="")
        self.progress.setText(self.tr("The summary is being written…"))
        self.sources_heading = self.subheading("")
        self.sources = SourceList(theme, self.column)
        self.inside.insertWidget(1, self.facts)
        self.missing = QWidget(self.column)
        self.missing_words = self.small()
        self.missing_words.setWordWrap(False)
        self.missing_button = button_in(self.column, "", self._fold_missing, kind="quiet")
        theme.set_font("small", self.missing_button)
        self.missing_list = self.small()
        line = FlowRow(self.missing_words, self.missing_button, across=GRID // 2, down=0)
        in_column(line, self.missing_list, of=self.missing, spacing=0, margins=(0, 0, 0, 0))
        self.inside.insertWidget(4, self.missing)
        self._missing_shown = False
        self.show_missing(SummaryFacts())
        self.buttons.addWidget(self.again_button)
        self.buttons.addWidget(self.stop_button)
        self.buttons.addWidget(self.remove_button)
        fill(self.inside, self.progress, 2 * GRID, self.sources_heading, self.sources)
        self.set_busy(False)

    def show_summary(self, view: SummaryView) -> None:
        """Shows a summary as it is stored; what was typed since stays."""
        self.show_saved(view.text)
        self.facts.setText(view.facts)
        count = len(view.sources)
        words = self.tr("Replaces 1 message") if count == 1 else self.tr("Replaces {count} messages")
        self.sources_heading.setText(words.format(count=grouped(count)))
        self.sources.show_sources(view.sources)

    def show_missing(self, missing: SummaryFacts) -> None:
        """Says which facts of its source the text lacks, folded."""
        counts = (
            (len(missing.numbers), self.tr("1 number"), self.tr("{count} numbers")),
            (len(missing.names), self.tr("1 name"), self.tr("{count} names")),
            (len(missing.paths), self.tr("1 path"), self.tr("{count} paths")),
        )
        told = ", ".join((many if n > 1 else one).format(count=grouped(n)) for n, one, many in counts if n)
        self.missing_words.setText(self.tr("Not in this summary: {facts}").format(facts=told))
        facts = (*missing.numbers, *missing.names, *missing.paths)
        listed = [fact if len(fact) <= LONGEST_FACT else f"{fact[: LONGEST_FACT - 1]}…" for fact in facts[:MOST_FACTS]]
        self.missing_list.setText(" · ".join(listed) + (" …" if len(facts) > MOST_FACTS else ""))
        self.missing.setVisible(bool(missing))
        self._show_missing_list()

    def _fold_missing(self) -> None:
        self._missing_shown = not self._missing_shown
        self._show_missing_list()

    def _show_missing_list(self) -> None:
        self.missing_list.setVisible(self._missing_shown)
        self.missing_button.setText(self.tr("Hide") if self._missing_shown else self.tr("Show"))
        self.missing_button.setAccessibleDescription(self.missing_words.text())

    def show_use(self, use: SummaryUse) -> None:
        """Says whether the next request holds the summary."""
        words = {
            "now": self.tr("The model reads this instead of the messages below."),
            "at_step": self.tr("Takes effect when older messages are next left out."),
            "elsewhere": self.tr("Not used on this branch."),
        }
        self.lead.setText(words[use])

    def show_gone(self) -> None:
        """The summary does not exist any more: what was typed can only be copied."""
        self.show_problem(self.tr("This summary was removed. Copy your text if you still need it."))
        for button in (self.save_button, self.again_button, self.remove_button):
            button.setEnabled(False)

    def set_busy(self, busy: bool) -> None:
        had_keyboard = self.again_button.hasFocus() or self.stop_button.hasFocus()
        super().set_busy(busy)
        self.again_button.setVisible(not busy)
        self.stop_button.setVisible(busy)
        self.progress.setVisible(busy)
        self.remove_button.setEnabled(not busy)
        if had_keyboard:
            (self.stop_button if busy else self.again_button).setFocus(Qt.FocusReason.OtherFocusReason)


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
        self._prepared: Preparation | None = None
        self._busy = False
        self._source = SummaryFacts()
        self._read: tuple[str, ...] = ()
        page.rested.connect(self._count)
        page.again_requested.connect(lambda: app_state.start(self._write_again()))
        page.stop_requested.connect(lambda: app_state.start(services.chat.summaries.stop(self._thread_id)))
        page.remove_requested.connect(lambda: app_state.start(self._remove()))
        page.sources.chosen.connect(self.message_chosen)
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


def token_words(prepared: Preparation | None, text: str) -> str:
    """`≈ 312 tokens`: what the thread's own plan says a text of this length weighs; empty where there is no plan."""
    if prepared is None:
        return ""
    tokens = prepared.plan((TextPart(text),)).tokens.draft
    return tr("≈ {count} tokens").format(count=grouped(tokens))


def _source(message: Message, user: str, assistant: str) -> SummarySource:
    return SummarySource(message.id, user if message.role == "user" else assistant, excerpt(message))
