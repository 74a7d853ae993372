"""The history as the controller sees it: `controller.ports.History` over one SQLite file."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Self

from desktop_app.core.history_records import (
    EVERYWHERE,
    CallRecord,
    EventCount,
    ImportCount,
    ImportedThread,
    LedgerRow,
    MergeCount,
    MergePreview,
    RecallHit,
    SearchPage,
    SearchWithin,
    StoredEvent,
    TurnRecord,
    in_batches,
)
from desktop_app.core.messages import (
    Failure,
    JsonObject,
    Message,
    MessageMark,
    Part,
    RequestCount,
    Thread,
    ThreadSummary,
    Usage,
)
from desktop_app.core.prompts import Prompt
from desktop_app.storage.database import QUIET_S, Database
from desktop_app.storage.sqlite_imports import SqliteImports, reclaim
from desktop_app.storage.sqlite_projects import SqliteArtifacts, SqliteProjects
from desktop_app.storage.sqlite_trash import SqliteTrash

if TYPE_CHECKING:
    from desktop_app.core.context.plan import ContextEvent, TokenWeights


class SqliteHistory:
    """The history file, or one in memory. Methods are those of the protocol, which has their documentation.

    Every call goes to the database thread in the order made; a cancelled caller's write is still done to its end.
    """

    def __init__(self, database: Database) -> None:
        self.database = database
        self.projects = SqliteProjects(database)
        self.artifacts = SqliteArtifacts(database)
        self.trash = SqliteTrash(database)
        self.imports = SqliteImports(database)

    @classmethod
    async def open(
        cls, path: Path, *, quiet_s: float | None = QUIET_S, reading: bool = False, must_exist: bool = False
    ) -> Self:
        """Opens or creates the file; `UserError("store")` saying what is wrong and what to do.

        For `quiet_s` seconds nothing is done but what is asked for, then the text index catches up; None: it never
        does by itself. `reading`: a file that can't be written is opened all the same, and refuses every write.
        `must_exist`: none is made where it is missing.
        """
        return cls(await Database.open(path, quiet_s, reading=reading, must_exist=must_exist))

    @classmethod
    async def open_in_memory(cls) -> Self:
        """Makes a history of which nothing is ever on disk; it ends when it is closed."""
        return cls(await Database.open(None, None))

    async def create_thread(self, thread: Thread) -> None:
        await self.database.run(lambda store: store.threads.create(thread))

    async def threads(self) -> Sequence[ThreadSummary]:
        return await self.database.run(lambda store: store.threads.all())

    async def thread(self, thread_id: str) -> Thread:
        return await self.database.run(lambda store: store.threads.one(thread_id))

    async def find_thread(self, prefix: str) -> Thread:
        return await self.database.run(lambda store: store.threads.find(prefix))

    async def update_thread(self, thread: Thread) -> None:
        await self.database.run(lambda store: store.threads.update(thread))

    async def move_tip(self, thread_id: str, tip: str | None, *, expected: str | None) -> None:
        await self.database.run(lambda store: store.threads.move_tip(thread_id, tip, expected))

    async def set_seen(self, thread_id: str, tip_id: str | None) -> None:
        await self.database.run(lambda store: store.threads.set_seen(thread_id, tip_id))

    async def delete_thread(self, thread_id: str) -> None:
        await self.database.run(lambda store: store.threads.delete(thread_id))

    async def restore_thread(self, thread_id: str) -> None:
        await self.database.run(lambda store: store.threads.restore(thread_id))

    async def save_draft(self, thread_id: str, text: str, *, expected: str) -> str | None:
        return await self.database.run(lambda store: store.threads.save_draft(thread_id, text, expected))

    async def save_draft_count(self, thread_id: str, count: RequestCount) -> None:
        await self.database.run(lambda store: store.threads.save_draft_count(thread_id, count))

    async def save_attachments(self, thread_id: str, parts: Sequence[Part]) -> None:
        kept = tuple(parts)
        await self.database.run(lambda store: store.threads.save_attachments(thread_id, kept))

    async def attachments(self, thread_id: str) -> tuple[Part, ...]:
        return await self.database.run(lambda store: store.threads.attachments(thread_id))

    async def messages(self, thread_id: str, *, most: int | None = None) -> Sequence[Message]:
        return await self.database.run(lambda store: store.messages.all(thread_id, most))

    async def message(self, message_id: str) -> Message:
        return await self.database.run(lambda store: store.messages.one(message_id))

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
        return await self.database.run(
            lambda store: store.turns.begin(
                turn,
                new_messages=new_messages,
                answer=answer,
                expected_tip=expected_tip,
                request=request,
                events=happened,
            )
        )

    async def prepare_turn(self, thread_id: str) -> None:
        """Makes the thread's next `begin_turn` cheap, also the first after the file was opened: when the user begins
        to type. Nothing is written; a thread without requests, or that does not exist, is left alone.
        """
        await self.database.run(lambda store: store.requests.prepare(thread_id))

    async def save_request(self, turn: TurnRecord, request: JsonObject) -> None:
        await self.database.run(lambda store: store.turns.save_request(turn.id, request))

    async def save_partial(self, answer: Message) -> None:
        await self.database.run(lambda store: store.turns.save_partial(answer))

    async def save_marked(self, answer: Message) -> None:
        await self.database.run(lambda store: store.messages.write_marked(answer))

    async def end_turn(self, turn_id: str, answer: Message, usage: Usage | None) -> None:
        await self.database.run(lambda store: store.turns.end(turn_id, answer, usage))

    async def write_ends(self, *, wait: bool = False) -> frozenset[str]:
        return await self.database.run(lambda store: store.turns.write_ends(wait=wait))

    async def running_threads(self) -> Sequence[str]:
        return await self.database.run(lambda store: store.turns.running())

    async def repair_turns(self) -> Sequence[str]:
        return await self.database.run(lambda store: store.turns.repair())

    async def request(self, answer_id: str) -> JsonObject | None:
        return await self.database.run(lambda store: store.requests.of_answer(answer_id))

    async def token_weights(self, backend: str, model: str) -> TokenWeights | None:
        return await self.database.run(lambda store: store.calibration.read(backend, model))

    async def save_token_weights(self, backend: str, model: str, weights: TokenWeights) -> None:
        await self.database.run(lambda store: store.calibration.write(backend, model, weights))

    async def learned_windows(self) -> Mapping[tuple[str, str], int]:
        return await self.database.run(lambda store: store.calibration.windows())

    async def save_learned_window(self, backend: str, model: str, window: int | None) -> None:
        await self.database.run(lambda store: store.calibration.write_window(backend, model, window))

    async def record_call(self, call: CallRecord) -> None:
        await self.database.run(lambda store: store.ledger.record(call))

    async def record_events(
        self,
        thread_id: str | None,
        events: Sequence[ContextEvent],
        *,
        at: str,
        turn_id: str | None = None,
        cost_usd: float | None = None,
    ) -> None:
        await self.database.run(
            lambda store: store.events.record(thread_id, events, at=at, turn_id=turn_id, cost_usd=cost_usd)
        )

    async def events(self, thread_id: str) -> Sequence[StoredEvent]:
        return await self.database.run(lambda store: store.events.of_thread(thread_id))

    async def event_counts(self) -> Sequence[EventCount]:
        return await self.database.run(lambda store: store.events.counts())

    async def ledger(self) -> Sequence[LedgerRow]:
        return await self.database.run(lambda store: store.ledger.rows())

    async def recent_models(self) -> Sequence[tuple[str, str]]:
        return await self.database.run(lambda store: store.ledger.recent_models())

    async def spent_usd(self, *, since: str, thread_id: str | None = None) -> float:
        return await self.database.run(lambda store: store.ledger.spent(since, thread_id))

    async def search(
        self,
        query: str,
        within: SearchWithin = EVERYWHERE,
        *,
        limit: int = 20,
        offset: int = 0,
        languages: Sequence[str] = ("en",),
    ) -> SearchPage:
        return await self.database.run(
            lambda store: store.search.page(query, within, limit=limit, offset=offset, languages=languages)
        )

    async def search_thread(
        self, thread_id: str, question: str, among: Collection[str], limit: int = 5
    ) -> Sequence[RecallHit]:
        # A thread that was just brought in is looked into all the same.
        while await self.database.run(lambda store: store.indexing.step(thread_id)):
            pass
        return await self.database.run(lambda store: store.search.in_thread(thread_id, question, among, limit))

    async def catch_up_search(self) -> bool:
        return await self.database.run(lambda store: store.indexing.step())

    async def prompts(self) -> tuple[Prompt, ...]:
        return await self.database.run(lambda store: store.prompts.all())

    async def save_prompt(self, prompt: Prompt) -> None:
        await self.save_prompts([prompt])

    async def save_prompts(self, prompts: Sequence[Prompt]) -> None:
        kept = tuple(prompts)
        await self.database.run(lambda store: store.prompts.save(kept))

    async def delete_prompt(self, prompt_id: str) -> None:
        await self.database.run(lambda store: store.prompts.delete(prompt_id))

    async def marks(self, thread_id: str) -> Mapping[str, MessageMark]:
        return await self.database.run(lambda store: store.marks.of_thread(thread_id))

    async def save_mark(self, thread_id: str, message_id: str, mark: MessageMark) -> None:
        await self.database.run(lambda store: store.marks.save(thread_id, message_id, mark))

    async def import_threads(self, threads: Sequence[ImportedThread]) -> ImportCount:
        writing = await self.imports.begin()
        try:
            for batch in in_batches(threads):
                await writing.add(batch)
            return await writing.finish()
        except BaseException:
            await writing.undo()
            raise

    async def merge(
        self,
        path: Path,
        thread_ids: Collection[str] | None,
        progress: Callable[[int], None] | None = None,
        copies: Collection[str] | None = None,
    ) -> MergeCount:
        from desktop_app.storage.merge_source import opened_apart

        async with opened_apart(path) as source:
            work = await self.database.run(lambda store: store.begin_merge(source, thread_ids, copies))
            try:
                while (count := await self.database.run(lambda _: work.step())) is None:
                    if progress is not None:
                        progress(work.waiting)
            except BaseException:
                await self.database.run(lambda _: work.undo())
                await reclaim(self.database)
                raise
        return count

    async def merge_preview(self, path: Path) -> MergePreview:
        from desktop_app.storage.merge_source import opened_apart

        async with opened_apart(path) as source:
            look = await self.database.run(lambda store: store.begin_merge(source, None, ()).look())
            while (found := await self.database.run(lambda _: look.step())) is None:
                pass
        return found

    async def copy_to(self, path: Path) -> None:
        await self.database.run(lambda store: store.copy_to(path))

    async def data_version(self) -> int:
        return await self.database.data_version()

    async def write_problem(self) -> Failure | None:
        return await self.database.write_problem()

    async def close(self) -> None:
        """Waits for all writes and closes the file."""
        await self.database.close()
