"""Starts a new thread where a long one ends, with its summary in the draft."""

from __future__ import annotations

import asyncio
import logging
from dataclasses import replace

from desktop_app.controller.announcements import Announcements
from desktop_app.controller.clock import Clock
from desktop_app.controller.context_source import ContextSource
from desktop_app.controller.model_selection import ModelChooser
from desktop_app.controller.open_threads import OpenThreads
from desktop_app.controller.ports import History
from desktop_app.controller.running_turn import to_the_end
from desktop_app.controller.summaries import TOO_FEW, chosen_sources
from desktop_app.controller.summary_writer import SummaryWriter
from desktop_app.core.context.context_choices import NO_CHOICES
from desktop_app.core.errors import PlimsollError, UserError
from desktop_app.core.events import DraftSaved, ThreadCreated
from desktop_app.core.messages import Thread
from desktop_app.core.phrases import phrase

log = logging.getLogger(__name__)


class ThreadContinuation:
    """Makes successors, each in a task that is kept here."""

    def __init__(
        self,
        *,
        history: History,
        open_threads: OpenThreads,
        chooser: ModelChooser,
        context: ContextSource,
        summary_writer: SummaryWriter,
        announcements: Announcements,
        clock: Clock,
    ) -> None:
        self._history = history
        self._open_threads = open_threads
        self._chooser = chooser
        self._context = context
        self._summary_writer = summary_writer
        self._announcements = announcements
        self._clock = clock
        self._tasks: dict[asyncio.Task[Thread], str] = {}

    def start(self, thread_id: str, draft: str, *, pass_cap: bool = False) -> asyncio.Task[Thread]:
        """Makes the new thread; see `ChatController.start_new_thread_with_summary`."""
        task = asyncio.create_task(self._made(thread_id, draft, pass_cap=pass_cap), name=f"successor of {thread_id}")
        self._tasks[task] = thread_id
        task.add_done_callback(self._tasks.pop)
        return task

    async def stop(self, thread_id: str | None = None) -> None:
        """Ends the making of the successors of a thread (None: of all); no thread is made."""
        tasks = {task for task, of in self._tasks.items() if thread_id in (None, of)}
        for task in tasks:
            task.cancel()
        if tasks:
            await asyncio.wait(tasks)

    async def _made(self, thread_id: str, draft: str, *, pass_cap: bool) -> Thread:
        old = await self._open_threads.get(thread_id)
        choice = await self._chooser.choose(old.thread)
        await self._chooser.check_usable(choice.backend)
        plan = (await self._context.prepared(old, choice)).plan(())
        everything = [message.id for message in old.path]
        # What waits for an answer belongs to what the new thread goes on from.
        sources = chosen_sources(
            old.path, everything, NO_CHOICES, replace(plan, request=replace(plan.request, pending=None))
        )
        work = await self._summary_writer.work(old.thread, sources, plan.limits, choice.writer)
        if work is None:
            raise UserError("usage", TOO_FEW)
        condensed = await self._summary_writer.condense(old.thread, choice.writer, work, pass_cap=pass_cap)
        if not condensed.text:
            raise UserError("backend", phrase("The summary was empty. No thread was made; the draft is kept."))
        return await to_the_end(self._begun(old.thread, condensed.text, draft))

    async def _begun(self, old: Thread, summary: str, draft: str) -> Thread:
        now = self._clock.stamp()
        text = f'Summary of "{old.title or "the thread before"}":\n\n{summary}\n\n{draft}'.rstrip()
        new = Thread(
            self._clock.new_id(),
            "",
            now,
            now,
            backend=old.backend,
            model=old.model,
            system=old.system,
            project=old.project,
            soft_limit=old.soft_limit,
            draft=text,
            private=old.private,  # what was said in memory only stays there
        )
        await self._history.create_thread(new)
        self._announcements.publish(ThreadCreated(new))
        self._announcements.publish(DraftSaved(new.id, text))
        if draft.strip():
            await self._take_away(old.id, draft)
        return new

    async def _take_away(self, thread_id: str, draft: str) -> None:
        """The new thread has the draft now: the old one loses it, unless more was written there meanwhile."""
        try:
            stands = await self._history.save_draft(thread_id, "", expected=draft)
        except PlimsollError as error:
            log.warning("a draft stands in two threads: %s", error.failure.code)
            return
        if stands is None:
            self._open_threads.grown(thread_id, (), draft="")
            self._announcements.publish(DraftSaved(thread_id, ""))
