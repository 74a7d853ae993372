"""The history as the controller sees it: its ports over one SQLite file.

Turns and threads, projects and artifacts, imports, and the trash."""

from __future__ import annotations

import asyncio
import logging
import sqlite3
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Self

from desktop_app.core.artifacts import Artifact, ArtifactVersion
from desktop_app.core.errors import PlimsollError
from desktop_app.core.history_records import (
    EVERYWHERE,
    CallRecord,
    EventCount,
    HistoryCopy,
    ImportChange,
    ImportCount,
    ImportedThread,
    LedgerRow,
    MergeCount,
    MergePreview,
    RecallHit,
    SearchPage,
    SearchWithin,
    StoredEvent,
    TrashItem,
    TurnRecord,
    characters_of,
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
from desktop_app.core.projects import (
    ALL_DOCUMENTS,
    DocumentText,
    FollowedFolder,
    PassageHit,
    Project,
    ProjectDocument,
    SearchedDocuments,
)
from desktop_app.core.prompts import Prompt
from desktop_app.storage.database import QUIET_S, Database

if TYPE_CHECKING:
    from desktop_app.core.context.plan import ContextEvent, TokenWeights
    from desktop_app.storage.import_store import RunningImport


class SqliteProjects:
    """The projects of a history. Methods are those of `ProjectHistory`, which has their documentation."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def all(self) -> Sequence[Project]:
        return await self._database.run(lambda store: store.projects.all())

    async def one(self, project_id: str) -> Project:
        return await self._database.run(lambda store: store.projects.one(project_id))

    async def find(self, name: str) -> Project | None:
        return await self._database.run(lambda store: store.projects.find(name))

    async def save(self, project: Project) -> None:
        await self._database.run(lambda store: store.projects.save(project))

    async def delete(self, project_id: str) -> None:
        await self._database.run(lambda store: store.projects.delete(project_id))

    async def restore(self, project_id: str) -> None:
        await self._database.run(lambda store: store.projects.restore(project_id))

    async def documents(self, project_id: str) -> Sequence[ProjectDocument]:
        return await self._database.run(lambda store: store.projects.documents(project_id))

    async def removed_documents(self, project_id: str) -> Sequence[ProjectDocument]:
        return await self._database.run(lambda store: store.projects.removed_documents(project_id))

    async def save_documents(self, documents: Sequence[ProjectDocument]) -> None:
        kept = tuple(documents)
        await self._database.run(lambda store: store.projects.save_documents(kept))

    async def delete_documents(self, document_ids: Collection[str]) -> None:
        ids = tuple(document_ids)
        await self._database.run(lambda store: store.projects.delete_documents(ids))

    async def restore_documents(self, document_ids: Collection[str]) -> None:
        ids = tuple(document_ids)
        await self._database.run(lambda store: store.projects.restore_documents(ids))

    async def has_text(self, sha256: str) -> bool:
        return await self._database.run(lambda store: store.texts.has(sha256))

    async def save_text(self, text: DocumentText) -> None:
        writing = await self._database.run(lambda store: store.texts.begin(text))
        try:
            # One job for each slice, so that the partial answers of running turns are not kept waiting.
            while not await self._database.run(lambda _: writing.step()):
                pass
        except BaseException:
            await self._database.run(lambda _: writing.undo())
            raise

    async def text(self, sha256: str) -> DocumentText | None:
        return await self._database.run(lambda store: store.texts.one(sha256))

    async def search_documents(
        self, project_id: str | None, question: str, within: SearchedDocuments = ALL_DOCUMENTS, *, limit: int = 60
    ) -> Sequence[PassageHit]:
        return await self._database.run(lambda store: store.passages.best(project_id, question, within, limit=limit))

    async def passage(self, project_id: str, passage_id: str) -> PassageHit | None:
        return await self._database.run(lambda store: store.passages.one(project_id, passage_id))

    async def folders(self, project_id: str) -> Sequence[FollowedFolder]:
        return await self._database.run(lambda store: store.projects.folders(project_id))

    async def save_folder(self, folder: FollowedFolder) -> None:
        await self._database.run(lambda store: store.projects.save_folder(folder))

    async def delete_folder(self, folder_id: str) -> None:
        await self._database.run(lambda store: store.projects.delete_folder(folder_id))

    async def search_threads(
        self, question: str, among: Collection[str], limit: int = 60
    ) -> Sequence[tuple[str, RecallHit]]:
        ids = tuple(among)
        # Threads that were just brought in are looked into all the same.
        for thread_id in await self._database.run(lambda store: store.threads_search.waiting(ids)):
            while await self._database.run(lambda store, one=thread_id: store.indexing.step(one)):  # type: ignore[misc]
                pass
        return await self._database.run(lambda store: store.threads_search.best(question, ids, limit))


class SqliteArtifacts:
    """The artifacts of a history. Methods are those of `ArtifactHistory`, which has their documentation."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def of_thread(self, thread_id: str) -> Sequence[Artifact]:
        return await self._database.run(lambda store: store.artifacts.of_thread(thread_id))

    async def all(self) -> Sequence[Artifact]:
        return await self._database.run(lambda store: store.artifacts.all())

    async def one(self, artifact_id: str) -> Artifact:
        return await self._database.run(lambda store: store.artifacts.one(artifact_id))

    async def find(self, prefix: str) -> Artifact:
        return await self._database.run(lambda store: store.artifacts.find(prefix))

    async def save(self, artifact: Artifact) -> None:
        await self._database.run(lambda store: store.artifacts.save(artifact))

    async def add_version(self, artifact: Artifact, version: ArtifactVersion) -> None:
        await self._database.run(lambda store: store.artifacts.add_version(artifact, version))

    async def versions(self, artifact_id: str) -> Sequence[ArtifactVersion]:
        return await self._database.run(lambda store: store.artifacts.versions(artifact_id))

    async def delete(self, artifact_id: str) -> None:
        await self._database.run(lambda store: store.artifacts.delete(artifact_id))

    async def restore(self, artifact_id: str) -> None:
        await self._database.run(lambda store: store.artifacts.restore(artifact_id))


_BYTES = 3
"""Of the file, at most, for a character of a thread: its text, and the index of it."""

log = logging.getLogger(__name__)


async def reclaim(database: Database) -> None:
    """Gives the disk back what something has left that was taken out. Raises nothing."""
    try:
        if await database.run(lambda store: store.empty_log()) and database.path is not None:
            from desktop_app.storage.erasure_store import compact

            await asyncio.to_thread(compact, database.path)
    except PlimsollError as error:
        log.warning("what an import had left could not be given back: %s", error)


class SqliteImports:
    """Methods are those of `ImportHistory`, which has their documentation."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def begin(self) -> SqliteImport:
        return SqliteImport(self._database, await self._database.run(lambda store: store.imports.begin()))

    async def look(self, threads: Sequence[ImportedThread]) -> Sequence[ImportChange | None]:
        return await self._database.run(lambda store: store.imports.look(threads))

    async def known(self, keys: Collection[str]) -> Mapping[str, str]:
        wanted = tuple(keys)
        return await self._database.run(lambda store: store.imports.known(wanted))


class SqliteImport:
    """One import; one job for each batch, so that the partial answers of running turns are not kept waiting."""

    def __init__(self, database: Database, running: RunningImport) -> None:
        self._database = database
        self._running = running

    async def add(self, threads: Sequence[ImportedThread]) -> None:
        coming = _BYTES * sum(map(characters_of, threads))
        await self._database.run(lambda store: store.check_room(coming))
        await self._database.run(lambda _: self._running.add(threads))

    async def finish(self, projects: Sequence[Project] = ()) -> ImportCount:
        count = await self._database.run(lambda _: self._running.finish(projects))
        while await self._database.run(lambda store: store.imports.clean()):
            pass
        return count

    async def undo(self) -> None:
        try:
            while not await self._database.run(lambda _: self._running.undo()):
                pass
            await reclaim(self._database)
        except PlimsollError as error:
            log.warning("what an import had written could not be taken out: %s", error)


PATIENCE_S = 300.0
"""Seconds that a write of this process waits while the file is compacted: nothing that is typed meanwhile may fail."""


class SqliteTrash:
    """Methods are those of `TrashHistory`, which has their documentation."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def items(self) -> Sequence[TrashItem]:
        return await self._database.run(lambda store: store.trash.items())

    async def restore_prompt(self, prompt_id: str) -> None:
        await self._database.run(lambda store: store.prompts.restore(prompt_id))

    async def begin(self, items: Sequence[TrashItem]) -> None:
        await self._database.run(lambda store: store.erasure.begin(items, running=store.turns.running()))

    async def step(self) -> bool:
        return await self._database.run(lambda store: store.erasure.step())

    async def left(self) -> int:
        return await self._database.run(lambda store: store.erasure.left())

    async def needs_compacting(self) -> bool:
        return await self._database.run(lambda store: store.erasure.needs_space_cleaned())

    async def compact(self) -> None:
        path = self._database.path
        if path is None:
            return
        from desktop_app.storage.erasure_store import compact

        await self._database.run(lambda store: store.set_patience(PATIENCE_S))
        try:
            await asyncio.to_thread(compact, path)
        finally:
            await self._database.run(lambda store: store.set_patience(None))

    async def unused_files(self) -> Sequence[str]:
        return (await self._database.run(lambda store: store.erasure.erased())).get("file", ())

    async def copies(self) -> Sequence[HistoryCopy]:
        path = self._database.path
        erased = await self._database.run(lambda store: store.erasure.erased())
        if path is None or not erased:
            return ()
        from desktop_app.storage.erasure_store import copies_with

        return await asyncio.to_thread(copies_with, path, erased)

    async def erase_in_copies(self, progress: Callable[[int, int], None] | None = None) -> Sequence[HistoryCopy]:
        from desktop_app.storage.erasure_store import erase_in_copy

        found = await self.copies()
        erased = await self._database.run(lambda store: store.erasure.erased())
        for number, copy in enumerate(found):
            if progress is not None:
                progress(number, len(found))
            try:
                await asyncio.to_thread(erase_in_copy, Path(copy.path), erased)
            except (PlimsollError, OSError, sqlite3.Error) as error:
                log.warning("a copy of the history could not be cleaned: %s", type(error).__name__)
        return await self.copies()


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
        from desktop_app.storage.reading_copy import opened_apart

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
        from desktop_app.storage.reading_copy import opened_apart

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
