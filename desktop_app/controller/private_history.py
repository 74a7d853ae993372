"""Routes the words and artifacts of private threads to a history in memory, and all else to the history file."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Coroutine, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Any, Concatenate, ParamSpec, TypeAlias, TypeVar

from desktop_app.controller.ports import ArtifactHistory, Clock, History, ImportHistory, ProjectHistory, TrashHistory
from desktop_app.core.artifacts import Artifact, ArtifactVersion
from desktop_app.core.errors import PlimsollError, UserError
from desktop_app.core.history_records import (
    EVERYWHERE,
    CallRecord,
    ContextEvent,
    ImportCount,
    ImportedThread,
    SearchPage,
    SearchWithin,
    TurnRecord,
)
from desktop_app.core.messages import JsonObject, Message, Part, Thread, ThreadSummary, Usage


@dataclass(eq=False)
class PrivateArtifacts:
    """An `ArtifactHistory` over the file's. `of` gives the history that has a thread, `private` those in memory."""

    _file: History
    _of: Callable[[str], History]
    _private: Callable[[], Sequence[History]]

    async def of_thread(self, thread_id: str) -> Sequence[Artifact]:
        return await self._of(thread_id).artifacts.of_thread(thread_id)

    async def all(self) -> Sequence[Artifact]:
        """Those of private threads are left out: commands and lists of all threads do not show what is private."""
        return await self._file.artifacts.all()

    async def one(self, artifact_id: str) -> Artifact:
        return await (await self._having(artifact_id)).one(artifact_id)

    async def find(self, prefix: str) -> Artifact:
        return await self._file.artifacts.find(prefix)

    async def save(self, artifact: Artifact) -> None:
        await self._of(artifact.thread_id).artifacts.save(artifact)

    async def add_version(self, artifact: Artifact, version: ArtifactVersion) -> None:
        await self._of(artifact.thread_id).artifacts.add_version(artifact, version)

    async def versions(self, artifact_id: str) -> Sequence[ArtifactVersion]:
        return await (await self._having(artifact_id)).versions(artifact_id)

    async def delete(self, artifact_id: str) -> None:
        await (await self._having(artifact_id)).delete(artifact_id)

    async def restore(self, artifact_id: str) -> None:
        for history in self._private():
            with suppress(UserError):
                await history.artifacts.restore(artifact_id)
                return
        await self._file.artifacts.restore(artifact_id)

    async def _having(self, artifact_id: str) -> ArtifactHistory:
        for history in self._private():
            with suppress(UserError):
                await history.artifacts.one(artifact_id)
                return history.artifacts
        return self._file.artifacts


P = ParamSpec("P")
R = TypeVar("R")
Forwarding: TypeAlias = "Callable[Concatenate[PrivateHistory, P], Coroutine[Any, Any, R]]"

log = logging.getLogger(__name__)


@dataclass(slots=True)
class PrivateThreads:
    """The histories in memory, and which of them has which thread."""

    histories: list[History] = field(default_factory=list)
    history_of: dict[str, History] = field(default_factory=dict)

    async def close(self) -> None:
        """Forgets every word."""
        self.history_of.clear()
        while self.histories:
            await self.histories.pop().close()


def _of_file(method: Callable[Concatenate[History, P], Awaitable[R]]) -> Forwarding[P, R]:
    """The method, asked of the history file."""

    async def ask(self: PrivateHistory, /, *args: P.args, **kwargs: P.kwargs) -> R:
        result: R = await getattr(self.file, method.__name__)(*args, **kwargs)
        return result

    return ask


def _of_thread(method: Callable[Concatenate[History, P], Awaitable[R]]) -> Forwarding[P, R]:
    """The method, asked of the history that has the thread; its first argument is an id, or a value of the thread."""

    async def ask(self: PrivateHistory, /, *args: P.args, **kwargs: P.kwargs) -> R:
        about: Any = args[0]
        thread_id = about if isinstance(about, str) else about.id if isinstance(about, Thread) else about.thread_id
        result: R = await getattr(self._of(thread_id), method.__name__)(*args, **kwargs)
        return result

    return ask


class PrivateHistory:
    """A `History` over the one of the file. Methods are those of the protocol, which has their documentation.

    A thread that is created with `private` stays in memory until the app ends; search and export never see it. Nothing
    is opened for that before the first one is created.
    """

    def __init__(
        self, file: History, open_in_memory: Callable[[], Awaitable[History]], clock: Clock | None = None
    ) -> None:
        self.file = file
        self._open_in_memory = open_in_memory
        self._clock = clock or Clock()
        self._private = PrivateThreads()
        self._opening = asyncio.Lock()
        self._turns: dict[str, TurnRecord] = {}
        self.artifacts = PrivateArtifacts(file, self._of, lambda: self._private.histories)

    @property
    def projects(self) -> ProjectHistory:
        """Those of the file: a private thread is in no project."""
        return self.file.projects

    @property
    def trash(self) -> TrashHistory:
        """That of the file: what is private ends with the app."""
        return self.file.trash

    @property
    def imports(self) -> ImportHistory:
        """Into the file: no export has private threads."""
        return self.file.imports

    update_thread = _of_thread(History.update_thread)
    move_tip = _of_thread(History.move_tip)
    set_seen = _of_thread(History.set_seen)
    delete_thread = _of_thread(History.delete_thread)
    restore_thread = _of_thread(History.restore_thread)
    save_draft = _of_thread(History.save_draft)
    save_draft_count = _of_thread(History.save_draft_count)
    save_attachments = _of_thread(History.save_attachments)
    attachments = _of_thread(History.attachments)
    messages = _of_thread(History.messages)
    prepare_turn = _of_thread(History.prepare_turn)
    save_request = _of_thread(History.save_request)
    save_partial = _of_thread(History.save_partial)
    save_marked = _of_thread(History.save_marked)
    events = _of_thread(History.events)
    search_thread = _of_thread(History.search_thread)
    marks = _of_thread(History.marks)
    save_mark = _of_thread(History.save_mark)

    write_ends = _of_file(History.write_ends)
    running_threads = _of_file(History.running_threads)
    last_answers = _of_file(History.last_answers)
    repair_turns = _of_file(History.repair_turns)
    token_weights = _of_file(History.token_weights)
    save_token_weights = _of_file(History.save_token_weights)
    learned_windows = _of_file(History.learned_windows)
    save_learned_window = _of_file(History.save_learned_window)
    ledger = _of_file(History.ledger)
    recent_models = _of_file(History.recent_models)
    kept_caches = _of_file(History.kept_caches)
    event_counts = _of_file(History.event_counts)
    search_items = _of_file(History.search_items)
    catch_up_search = _of_file(History.catch_up_search)
    prompts = _of_file(History.prompts)
    save_prompts = _of_file(History.save_prompts)
    delete_prompt = _of_file(History.delete_prompt)
    merge = _of_file(History.merge)
    merge_preview = _of_file(History.merge_preview)
    copy_to = _of_file(History.copy_to)
    data_version = _of_file(History.data_version)
    write_problem = _of_file(History.write_problem)

    async def create_thread(self, thread: Thread) -> None:
        if not thread.private:
            await self.file.create_thread(thread)
            return
        memory = await self._memory()
        await memory.create_thread(replace(thread, private=False))
        self._private.history_of[thread.id] = memory

    async def threads(self) -> Sequence[ThreadSummary]:
        stored = await self.file.threads()
        private = [one for history in self._private.histories for one in await history.threads()]
        if not private:
            return stored
        marked = [replace(one, thread=replace(one.thread, private=True)) for one in private]
        return sorted((*stored, *marked), key=lambda summary: summary.thread.updated, reverse=True)

    async def thread(self, thread_id: str) -> Thread:
        found = await self._of(thread_id).thread(thread_id)
        return replace(found, private=True) if self._is_private(thread_id) else found

    async def find_thread(self, prefix: str) -> Thread:
        return await (self.thread(prefix) if self._is_private(prefix) else self.file.find_thread(prefix))

    async def message(self, message_id: str) -> Message:
        for history in self._private.histories:
            with suppress(UserError):
                return await history.message(message_id)
        return await self.file.message(message_id)

    async def begin_turn(
        self,
        turn: TurnRecord,
        *,
        new_messages: Sequence[Message],
        answer: Message,
        expected_tip: str | None,
        request: JsonObject,
        events: Iterable[ContextEvent] = (),
    ) -> tuple[str, tuple[Part, ...] | None]:
        happened = tuple(events)
        kept = await self._of(turn.thread_id).begin_turn(
            turn, new_messages=new_messages, answer=answer, expected_tip=expected_tip, request=request, events=happened
        )
        if self._is_private(turn.thread_id):
            self._turns[turn.id] = turn
            await self._count(happened, at=turn.started, cost_usd=turn.expected_usd)
        return kept

    async def end_turn(self, turn_id: str, answer: Message, usage: Usage | None) -> None:
        await self._of(answer.thread_id).end_turn(turn_id, answer, usage)
        if (turn := self._turns.pop(turn_id, None)) is None:
            return
        call = CallRecord(
            id=turn.id,
            thread_id=None,
            purpose=turn.purpose,
            backend=turn.backend,
            model=answer.model or turn.model,
            cost_kind=turn.cost_kind,
            started=turn.started,
            ended=self._clock.stamp(),
            usage=usage,
            failure=answer.failure.code if answer.failure is not None else "",
        )
        await _as_far_as_it_goes(self.file.record_call(call))

    async def request(self, answer_id: str) -> JsonObject | None:
        for history in self._private.histories:
            if (found := await history.request(answer_id)) is not None:
                return found
        return await self.file.request(answer_id)

    async def record_call(self, call: CallRecord) -> None:
        await self._of(call.thread_id).record_call(call)
        if self._is_private(call.thread_id):
            await self.file.record_call(replace(call, thread_id=None))

    async def record_events(
        self,
        thread_id: str | None,
        events: Sequence[ContextEvent],
        *,
        at: str,
        turn_id: str | None = None,
        cost_usd: float | None = None,
    ) -> None:
        await self._of(thread_id).record_events(thread_id, events, at=at, turn_id=turn_id, cost_usd=cost_usd)
        if self._is_private(thread_id):
            await self._count(events, at=at, cost_usd=cost_usd)

    async def spent_usd(self, *, since: str, until: str = "9999", thread_id: str | None = None) -> float:
        return await self._of(thread_id).spent_usd(since=since, until=until, thread_id=thread_id)

    async def search(
        self,
        query: str,
        within: SearchWithin = EVERYWHERE,
        *,
        limit: int = 20,
        offset: int = 0,
        languages: Sequence[str] = ("en",),
    ) -> SearchPage:
        if self._is_private(within.thread_id):
            return SearchPage()
        return await self.file.search(query, within, limit=limit, offset=offset, languages=languages)

    async def import_threads(self, threads: Sequence[ImportedThread]) -> ImportCount:
        private = [one for one in threads if one.thread.private]
        if not private:
            return await self.file.import_threads(threads)
        memory = await self._memory()
        count = await memory.import_threads(
            [replace(one, thread=replace(one.thread, private=False)) for one in private]
        )
        self._private.history_of |= dict.fromkeys((one.thread.id for one in private), memory)
        stored = [one for one in threads if not one.thread.private]
        also = await self.file.import_threads(stored) if stored else ImportCount(0, 0, 0)
        return ImportCount(count.threads + also.threads, count.messages + also.messages, count.already + also.already)

    def release_private(self) -> PrivateThreads:
        """Gives the private threads away, so that they outlive this history; whoever takes them closes them."""
        released, self._private = self._private, PrivateThreads()
        return released

    def adopt_private(self, released: PrivateThreads) -> None:
        """Takes the private threads of a history that ended."""
        self._private.histories += released.histories
        self._private.history_of |= released.history_of

    async def close(self) -> None:
        await self._private.close()
        await self.file.close()

    def _is_private(self, thread_id: str | None) -> bool:
        return thread_id in self._private.history_of

    def _of(self, thread_id: str | None) -> History:
        return self._private.history_of.get(thread_id or "", self.file)

    async def _memory(self) -> History:
        """The history in memory, opened with the first private thread."""
        async with self._opening:
            if not self._private.histories:
                self._private.histories.append(await self._open_in_memory())
        return self._private.histories[0]

    async def _count(self, events: Sequence[ContextEvent], *, at: str, cost_usd: float | None) -> None:
        if events:
            await _as_far_as_it_goes(self.file.record_events(None, events, at=at, cost_usd=cost_usd))


async def _as_far_as_it_goes(counting: Awaitable[None]) -> None:
    """Wait for counting, and only log where it fails: a private thread does not wait for the disk."""
    try:
        await counting
    except PlimsollError as error:
        log.warning("the figures of a private thread could not be stored: %s", error.failure.code)
