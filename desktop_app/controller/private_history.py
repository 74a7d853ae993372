"""Owns where the words of private threads stay: in memory. Everything of other threads goes to the history file.

Of a private thread the file gets figures alone: its model calls and context events, of no thread. Must not know SQL.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from desktop_app.controller.clock import Clock
from desktop_app.controller.ports import History
from desktop_app.controller.private_thread import PrivateThread, recalled
from desktop_app.core.context.plan import ContextEvent, TokenWeights
from desktop_app.core.errors import PlimsollError, UserError
from desktop_app.core.history import (
    EVERYWHERE,
    CallRecord,
    EventCount,
    ImportCount,
    ImportedThread,
    LedgerRow,
    RecallHit,
    SearchPage,
    SearchWithin,
    StoredEvent,
    TurnRecord,
)
from desktop_app.core.marks import Mark
from desktop_app.core.messages import JsonObject, Message, Part, RequestCount, Thread, ThreadSummary, Usage
from desktop_app.core.phrases import phrase
from desktop_app.core.prompts import Prompt

log = logging.getLogger(__name__)


class PrivateHistory:
    """A `History` over the one of the file. Methods are those of the protocol, which has their documentation.

    A thread that is created with `private` stays here until the app ends; search and export never see it.
    """

    def __init__(self, file: History, clock: Clock | None = None) -> None:
        self._file = file
        self._clock = clock or Clock()
        self._threads: dict[str, PrivateThread] = {}

    async def create_thread(self, thread: Thread) -> None:
        if thread.private:
            self._threads[thread.id] = PrivateThread(thread)
        else:
            await self._file.create_thread(thread)

    async def threads(self) -> Sequence[ThreadSummary]:
        stored = await self._file.threads()
        private = [kept.summary for kept in self._threads.values() if not kept.deleted]
        if not private:
            return stored
        return sorted((*stored, *private), key=lambda summary: summary.thread.updated, reverse=True)

    async def thread(self, thread_id: str) -> Thread:
        kept = self._live(thread_id)
        return kept.thread if kept is not None else await self._file.thread(thread_id)

    async def find_thread(self, prefix: str) -> Thread:
        kept = self._live(prefix)
        return kept.thread if kept is not None else await self._file.find_thread(prefix)

    async def update_thread(self, thread: Thread) -> None:
        kept = self._live(thread.id)
        if kept is not None:
            kept.update(thread)
        else:
            await self._file.update_thread(thread)

    async def move_tip(self, thread_id: str, tip: str | None, *, expected: str | None) -> None:
        kept = self._live(thread_id)
        if kept is not None:
            kept.move_tip(tip, expected)
        else:
            await self._file.move_tip(thread_id, tip, expected=expected)

    async def set_seen(self, thread_id: str, tip_id: str | None) -> None:
        kept = self._live(thread_id)
        if kept is not None:
            kept.thread = replace(kept.thread, seen=tip_id)
        else:
            await self._file.set_seen(thread_id, tip_id)

    async def delete_thread(self, thread_id: str) -> None:
        kept = self._live(thread_id)
        if kept is not None:
            kept.deleted = True
        else:
            await self._file.delete_thread(thread_id)

    async def restore_thread(self, thread_id: str) -> None:
        kept = self._threads.get(thread_id)
        if kept is not None:
            kept.deleted = False
        else:
            await self._file.restore_thread(thread_id)

    async def save_draft(self, thread_id: str, text: str) -> None:
        kept = self._live(thread_id)
        if kept is not None:
            kept.thread = replace(kept.thread, draft=text)
        else:
            await self._file.save_draft(thread_id, text)

    async def save_draft_count(self, thread_id: str, count: RequestCount) -> None:
        kept = self._live(thread_id)
        if kept is not None:
            kept.thread = replace(kept.thread, draft_count=count)
        else:
            await self._file.save_draft_count(thread_id, count)

    async def save_attachments(self, thread_id: str, parts: Sequence[Part]) -> None:
        kept = self._live(thread_id)
        if kept is not None:
            kept.attachments = tuple(parts)
        else:
            await self._file.save_attachments(thread_id, parts)

    async def attachments(self, thread_id: str) -> tuple[Part, ...]:
        kept = self._live(thread_id)
        return kept.attachments if kept is not None else await self._file.attachments(thread_id)

    async def messages(self, thread_id: str) -> Sequence[Message]:
        kept = self._live(thread_id)
        return kept.messages if kept is not None else await self._file.messages(thread_id)

    async def message(self, message_id: str) -> Message:
        for kept in self._threads.values():
            found = kept.message(message_id)
            if found is not None:
                return found
        return await self._file.message(message_id)

    async def prepare_turn(self, thread_id: str) -> None:
        if thread_id not in self._threads:
            await self._file.prepare_turn(thread_id)

    async def begin_turn(
        self,
        turn: TurnRecord,
        *,
        new_messages: Sequence[Message],
        answer: Message,
        expected_tip: str | None,
        request: JsonObject,
        events: Iterable[ContextEvent] = (),
    ) -> None:
        kept = self._live(turn.thread_id)
        if kept is None:
            await self._file.begin_turn(
                turn,
                new_messages=new_messages,
                answer=answer,
                expected_tip=expected_tip,
                request=request,
                events=events,
            )
            return
        happened = tuple(events)
        kept.begin(
            turn, new_messages=new_messages, answer=answer, expected_tip=expected_tip, request=request, events=happened
        )
        await self._count(happened, at=turn.started, cost_usd=turn.expected_usd)

    async def save_request(self, turn: TurnRecord, request: JsonObject) -> None:
        kept = self._threads.get(turn.thread_id)
        if kept is not None:
            kept.save_request(turn, request)
        else:
            await self._file.save_request(turn, request)

    async def save_partial(self, answer: Message) -> None:
        kept = self._threads.get(answer.thread_id)
        if kept is not None:
            kept.save_partial(answer)
        else:
            await self._file.save_partial(answer)

    async def end_turn(self, turn_id: str, answer: Message, usage: Usage | None) -> None:
        kept = self._threads.get(answer.thread_id)
        if kept is None:
            await self._file.end_turn(turn_id, answer, usage)
            return
        turn = kept.end(turn_id, answer)
        if turn is None:
            return
        call = CallRecord(
            id=turn.id,
            thread_id=answer.thread_id,
            purpose=turn.purpose,
            backend=turn.backend,
            model=answer.model or turn.model,
            cost_kind=turn.cost_kind,
            started=turn.started,
            ended=self._clock.stamp(),
            usage=usage,
            failure=answer.failure.code if answer.failure is not None else "",
        )
        await _as_far_as_it_goes(self.record_call(call))

    async def write_ends(self, *, wait: bool = False) -> frozenset[str]:
        return await self._file.write_ends(wait=wait)

    async def running_threads(self) -> Sequence[str]:
        return await self._file.running_threads()

    async def repair_turns(self) -> Sequence[str]:
        return await self._file.repair_turns()

    async def request(self, answer_id: str) -> JsonObject | None:
        for kept in self._threads.values():
            found = kept.request(answer_id)
            if found is not None:
                return found
        return await self._file.request(answer_id)

    async def token_weights(self, backend: str, model: str) -> TokenWeights | None:
        return await self._file.token_weights(backend, model)

    async def save_token_weights(self, backend: str, model: str, weights: TokenWeights) -> None:
        await self._file.save_token_weights(backend, model, weights)

    async def learned_windows(self) -> Mapping[tuple[str, str], int]:
        return await self._file.learned_windows()

    async def save_learned_window(self, backend: str, model: str, window: int | None) -> None:
        await self._file.save_learned_window(backend, model, window)

    async def record_call(self, call: CallRecord) -> None:
        kept = self._threads.get(call.thread_id or "")
        if kept is None:
            await self._file.record_call(call)
            return
        if call.cost_kind == "money" and call.usage is not None and call.usage.cost_usd:
            kept.paid(call.started, call.usage.cost_usd)
        await self._file.record_call(replace(call, thread_id=None))

    async def record_events(
        self,
        thread_id: str | None,
        events: Sequence[ContextEvent],
        *,
        at: str,
        turn_id: str | None = None,
        cost_usd: float | None = None,
    ) -> None:
        kept = self._threads.get(thread_id or "")
        if kept is None:
            await self._file.record_events(thread_id, events, at=at, turn_id=turn_id, cost_usd=cost_usd)
            return
        kept.happened(events, at=at, turn=kept.turn(turn_id), cost_usd=cost_usd)
        await self._count(events, at=at, cost_usd=cost_usd)

    async def events(self, thread_id: str) -> Sequence[StoredEvent]:
        kept = self._live(thread_id)
        return tuple(kept.events) if kept is not None else await self._file.events(thread_id)

    async def ledger(self) -> Sequence[LedgerRow]:
        return await self._file.ledger()

    async def event_counts(self) -> Sequence[EventCount]:
        return await self._file.event_counts()

    async def spent_usd(self, *, since: str, thread_id: str | None = None) -> float:
        kept = self._threads.get(thread_id or "")
        if kept is not None:
            return kept.spent(since)
        return await self._file.spent_usd(since=since, thread_id=thread_id)

    async def search(
        self, query: str, within: SearchWithin = EVERYWHERE, *, limit: int = 20, offset: int = 0
    ) -> SearchPage:
        if within.thread_id in self._threads:
            return SearchPage()
        return await self._file.search(query, within, limit=limit, offset=offset)

    async def search_thread(
        self, thread_id: str, question: str, among: Collection[str], limit: int = 5
    ) -> Sequence[RecallHit]:
        kept = self._live(thread_id)
        if kept is None:
            return await self._file.search_thread(thread_id, question, among, limit)
        # There is no index: the whole of it is read, beside the event loop.
        return await asyncio.to_thread(recalled, kept.messages, question, among, limit)

    async def catch_up_search(self) -> bool:
        return await self._file.catch_up_search()

    async def prompts(self) -> tuple[Prompt, ...]:
        return await self._file.prompts()

    async def save_prompt(self, prompt: Prompt) -> None:
        await self._file.save_prompt(prompt)

    async def save_prompts(self, prompts: Sequence[Prompt]) -> None:
        await self._file.save_prompts(prompts)

    async def delete_prompt(self, prompt_id: str) -> None:
        await self._file.delete_prompt(prompt_id)

    async def marks(self, thread_id: str) -> Mapping[str, Mark]:
        kept = self._live(thread_id)
        return dict(kept.marks) if kept is not None else await self._file.marks(thread_id)

    async def save_mark(self, thread_id: str, message_id: str, mark: Mark) -> None:
        kept = self._live(thread_id)
        if kept is not None:
            kept.mark(message_id, mark)
        else:
            await self._file.save_mark(thread_id, message_id, mark)

    async def import_threads(
        self, threads: Sequence[ImportedThread], progress: Callable[[int], None] | None = None
    ) -> ImportCount:
        private = [one for one in threads if one.thread.private]
        for one in private:
            self._threads[one.thread.id] = PrivateThread(one.thread, one.messages, one.marks)
        stored = [one for one in threads if not one.thread.private]
        count = await self._file.import_threads(stored, progress) if stored else ImportCount(0, 0, 0)
        messages = sum(len(one.messages) for one in private)
        return ImportCount(count.threads + len(private), count.messages + messages, count.already)

    async def copy_to(self, path: Path) -> None:
        await self._file.copy_to(path)

    def adopt_private(self, other: PrivateHistory) -> None:
        """Takes the private threads of a history that ends, which has no file to leave them in."""
        self._threads.update(other._threads)

    async def data_version(self) -> int:
        return await self._file.data_version()

    async def close(self) -> None:
        self._threads.clear()
        await self._file.close()

    def _live(self, thread_id: str) -> PrivateThread | None:
        """The private thread of that id; None where the file has to know. `UserError("usage")` for a deleted one."""
        kept = self._threads.get(thread_id)
        if kept is not None and kept.deleted:
            raise UserError(
                "usage", phrase("There is no thread {thread_id}. `plimsoll threads` lists them.", thread_id=thread_id)
            )
        return kept

    async def _count(self, events: Sequence[ContextEvent], *, at: str, cost_usd: float | None) -> None:
        if events:
            await _as_far_as_it_goes(self._file.record_events(None, events, at=at, cost_usd=cost_usd))


async def _as_far_as_it_goes(counting: Awaitable[None]) -> None:
    """What is said in private does not wait for the disk."""
    try:
        await counting
    except PlimsollError as error:
        log.warning("the figures of a private thread could not be stored: %s", error.failure.code)
