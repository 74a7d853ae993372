"""The history as the controller sees it: its ports over one SQLite file, and the one thread that runs all SQL.

Turns and threads, projects and artifacts, imports, and the trash."""

from __future__ import annotations

import asyncio
import logging
import sqlite3
import threading
from collections.abc import Callable, Collection, Coroutine, KeysView, Sequence
from pathlib import Path
from queue import Empty, SimpleQueue
from time import monotonic
from typing import Any, Concatenate, Final, ParamSpec, Self, TypeVar

from desktop_app.core.errors import HistoryDamagedError, HistoryUnwritableError, PlimsollError
from desktop_app.core.history_records import (
    EVERYWHERE,
    FoundItem,
    HistoryCopy,
    ImportCount,
    ImportedThread,
    MergeCount,
    MergePreview,
    RecallHit,
    SearchWithin,
    TrashItem,
    characters_of,
    in_batches,
)
from desktop_app.core.messages import Failure
from desktop_app.core.projects import DocumentText, Project, ProjectDocument, SearchedDocuments
from desktop_app.core.search_terms import SearchTerm, narrowed, needles
from desktop_app.storage.erasure_store import compact, copies_with, erase_in_copy
from desktop_app.storage.import_store import RunningImport
from desktop_app.storage.reading_copy import opened_apart
from desktop_app.storage.repair_marks import ask_for_look
from desktop_app.storage.sqlite_errors import is_damaged_text, store_error
from desktop_app.storage.store import Store

QUIET_S = 2.0
"""After the file is opened nothing that can wait is done for this long: that is when the window appears."""

REST_S = 0.7
"""Nor after whatever was asked for: a growing answer is written twice a second, and what is done beside it holds up the
window each time that Python changes threads."""

BREATH_S = 0.05
"""Pause between two slices of what can wait, so that it never takes more than half of a processor."""

P = ParamSpec("P")
R = TypeVar("R")

log = logging.getLogger(__name__)
_Job = Callable[["Store"], None]


class Database:
    """Runs functions on the store in the order asked for; in quiet moments the text index catches up in slices."""

    def __init__(
        self, path: Path | None, quiet_s: float | None = QUIET_S, *, reading: bool = False, must_exist: bool = False
    ) -> None:
        self.path: Final = path
        self._reading = reading
        self._must_exist = must_exist
        self._store: Store | None = None
        self._openings = 0
        self._problem: Failure | None = None
        self._told = True
        self._quiet_until = None if quiet_s is None else monotonic() + quiet_s
        self._rest_s = min(REST_S, quiet_s or 0.0)
        self._jobs: SimpleQueue[_Job | asyncio.Future[None]] = SimpleQueue()
        self._thread: threading.Thread | None = None

    @classmethod
    async def open(
        cls, path: Path | None, quiet_s: float | None = QUIET_S, *, reading: bool = False, must_exist: bool = False
    ) -> Database:
        """Starts the thread and opens the file there; `UserError("store")` if that fails, with no thread left.

        `path` None: a new history in memory. `quiet_s` None: what can wait is never done. `reading`: a file that can't
        be written is opened all the same. `must_exist`: none is made where it is missing.
        """
        database = cls(path, quiet_s, reading=reading, must_exist=must_exist)
        opened: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        database._thread = threading.Thread(target=database._serve, args=(opened,), name="database")
        database._thread.start()
        try:
            await asyncio.shield(opened)
        except BaseException:
            await database.close()
            raise
        return database

    async def run(self, work: Callable[[Store], R]) -> R:
        """Return the result of `work`. It is done to its end even if the caller is cancelled while it waits.

        Errors of the file or the disk come as `UserError("store")`; all others as they are.
        """
        if self._thread is None:
            raise RuntimeError("the database is closed")
        answer: asyncio.Future[R] = asyncio.get_running_loop().create_future()

        def job(store: Store) -> None:
            try:
                result = self._done(work, store)
            except Exception as error:  # noqa: BLE001  it goes on to whoever waits
                if isinstance(explained := self._explained(error), HistoryUnwritableError):
                    self._problem, self._told = explained.failure, False
                _deliver(answer, error=explained)
            else:
                _deliver(answer, result=result)

        self._jobs.put(job)
        return await answer

    async def data_version(self) -> int:
        """Return a number that changes when another process has written. A file that was opened for reading is opened
        again where that helps.

        Raises `UserError("store")` where another file stands in the place of the one that was opened.
        """
        return await self.run(self._version)

    async def write_problem(self) -> Failure | None:
        """Why the file can't be written; None: it can. A write that failed since says it, else writing finds out."""
        return await self.run(self._tried)

    async def close(self) -> None:
        """Waits for what was asked for, closes the file and ends the thread. Closing twice does nothing."""
        thread, self._thread = self._thread, None
        if thread is not None:
            closed: asyncio.Future[None] = asyncio.get_running_loop().create_future()
            self._jobs.put(closed)
            await asyncio.shield(closed)
            thread.join()

    def _serve(self, opened: asyncio.Future[None]) -> None:
        try:
            self._store = Store(self.path, reading=self._reading, must_exist=self._must_exist)
        except Exception as error:  # noqa: BLE001  it goes on to whoever waits
            _deliver(opened, error=self._explained(error))
        else:
            _deliver(opened, result=None)
        while not isinstance(job := self._next_job(self._store), asyncio.Future):
            if self._store is not None:
                job(self._store)
                if self._quiet_until is not None:
                    self._quiet_until = max(self._quiet_until, monotonic() + self._rest_s)
        if self._store is not None:
            self._store.close()
        _deliver(job, result=None)

    def _done(self, work: Callable[[Store], R], store: Store) -> R:
        """Return the result of `work`; where a text holds bytes that are none, it is done again with signs for them."""
        try:
            return work(store)
        except Exception as error:
            if not is_damaged_text(error) or store.shows_damaged_text:
                raise
            log.warning("a text of the history holds bytes that are none")
            store.show_damaged_text()
        return work(store)

    def _version(self, store: Store) -> int:
        fresh = store.opened_anew(self.path) if self.path is not None else None
        if fresh is not None:
            self._store, self._openings = fresh, self._openings + 1
            store.close()
            store = fresh
        return (self._openings << 32) + store.data_version()

    def _tried(self, store: Store) -> Failure | None:
        if self._problem is None and not store.read_only:
            return None
        if self._problem is not None and not self._told:
            self._told = True
            return self._problem
        try:
            store.try_writing()
        except HistoryUnwritableError as error:
            self._problem = error.failure
        except Exception as error:
            if not isinstance(explained := self._explained(error), HistoryUnwritableError):
                raise
            self._problem = explained.failure
        else:
            self._problem = None
        return self._problem

    def _next_job(self, store: Store | None) -> _Job | asyncio.Future[None]:
        """Waits for it; the index catches up meanwhile. What fails there is left until the file is opened again."""
        more = True
        while more and store is not None and self._quiet_until is not None:
            try:
                return self._jobs.get(timeout=max(BREATH_S, self._quiet_until - monotonic()))
            except Empty:
                pass
            try:
                more = store.indexing.step() or store.imports.clean()
            except Exception as error:
                log.warning("the text index could not catch up: %s", type(error).__name__, exc_info=error)
                more = False
        return self._jobs.get()

    def _explained(self, error: Exception) -> Exception:
        explained = None if isinstance(error, PlimsollError) else store_error(error, self.path or Path(":memory:"))
        if explained is None:
            return error
        if isinstance(explained, HistoryDamagedError) and self.path is not None:
            ask_for_look(self.path)
        explained.__cause__ = error
        return explained


def _deliver(
    future: asyncio.Future[R],
    *,
    result: R | None = None,
    error: Exception | None = None,
) -> None:
    """Hands over from the database thread; an error nobody waits for any more is logged, never lost."""

    def settle() -> None:
        if not future.done():
            if error is None:
                future.set_result(result)  # type: ignore[arg-type]
            else:
                future.set_exception(error)
        elif error is not None:
            log.error("a write nobody waited for failed: %s", type(error).__name__, exc_info=error)

    try:
        future.get_loop().call_soon_threadsafe(settle)
    except RuntimeError:  # the loop is closed
        if error is not None:
            log.exception("a write nobody waited for failed", exc_info=error)


def _asks(method: Callable[[Store], Callable[P, R]]) -> Callable[Concatenate[Any, P], Coroutine[Any, Any, R]]:
    """A method of the port that is a store's, called on the database thread."""

    async def ask(self: Any, /, *args: P.args, **kwargs: P.kwargs) -> R:
        database: Database = self.database
        # a list may be another before its turn comes
        kept: Any = [tuple(one) if isinstance(one, list | set | KeysView) else one for one in args]
        return await database.run(lambda store: method(store)(*kept, **kwargs))

    return ask


class _OverDatabase:
    def __init__(self, database: Database) -> None:
        self.database = database


class SqliteProjects(_OverDatabase):
    """The projects of a history. Methods are those of `ProjectHistory`, which has their documentation."""

    all = _asks(lambda store: store.projects.all)
    one = _asks(lambda store: store.projects.one)
    find = _asks(lambda store: store.projects.find)
    save = _asks(lambda store: store.projects.save)
    delete = _asks(lambda store: store.projects.delete)
    restore = _asks(lambda store: store.projects.restore)
    documents = _asks(lambda store: store.projects.documents)
    removed_documents = _asks(lambda store: store.projects.removed_documents)
    save_documents = _asks(lambda store: store.projects.save_documents)
    delete_documents = _asks(lambda store: store.projects.delete_documents)
    restore_documents = _asks(lambda store: store.projects.restore_documents)
    has_text = _asks(lambda store: store.texts.has)

    async def save_text(self, text: DocumentText) -> None:
        writing = await self.database.run(lambda store: store.texts.begin(text))
        try:
            # One job for each slice, so that the partial answers of running turns are not kept waiting.
            while not await self.database.run(lambda _: writing.step()):
                pass
        except BaseException:
            await self.database.run(lambda _: writing.undo())
            raise

    text = _asks(lambda store: store.texts.one)
    search_documents = _asks(lambda store: store.passages.best)
    passage = _asks(lambda store: store.passages.one)
    folders = _asks(lambda store: store.projects.folders)
    save_folder = _asks(lambda store: store.projects.save_folder)
    delete_folder = _asks(lambda store: store.projects.delete_folder)

    async def search_threads(
        self, question: str, among: Collection[str], limit: int = 60
    ) -> Sequence[tuple[str, RecallHit]]:
        ids = tuple(among)
        # Threads that were just brought in are looked into all the same.
        for thread_id in await self.database.run(lambda store: store.threads_search.waiting(ids)):
            while await self.database.run(lambda store, one=thread_id: store.indexing.step(one)):  # type: ignore[misc]
                pass
        return await self.database.run(lambda store: store.threads_search.best(question, ids, limit))


class SqliteArtifacts(_OverDatabase):
    """The artifacts of a history. Methods are those of `ArtifactHistory`, which has their documentation."""

    of_thread = _asks(lambda store: store.artifacts.of_thread)
    all = _asks(lambda store: store.artifacts.all)
    one = _asks(lambda store: store.artifacts.one)
    find = _asks(lambda store: store.artifacts.find)
    save = _asks(lambda store: store.artifacts.save)
    add_version = _asks(lambda store: store.artifacts.add_version)
    versions = _asks(lambda store: store.artifacts.versions)
    delete = _asks(lambda store: store.artifacts.delete)
    restore = _asks(lambda store: store.artifacts.restore)


MOST_SLICES = 50
"""Slices of the artifacts, last updated first, that a search reads: 2,000 artifacts."""

_BYTES = 3
"""Of the file, at most, for a character of a thread: its text, and the index of it."""


async def reclaim(database: Database) -> None:
    """Gives the disk back what something has left that was taken out. Raises nothing."""
    try:
        if await database.run(lambda store: store.empty_log()) and database.path is not None:
            await asyncio.to_thread(compact, database.path)
    except PlimsollError as error:
        log.warning("what an import had left could not be given back: %s", error)


class SqliteImports(_OverDatabase):
    """Methods are those of `ImportHistory`, which has their documentation."""

    async def begin(self) -> SqliteImport:
        return SqliteImport(self.database, await self.database.run(lambda store: store.imports.begin()))

    look = _asks(lambda store: store.imports.look)
    known = _asks(lambda store: store.imports.known)


class SqliteImport:
    """One import; one job for each batch, so that the partial answers of running turns are not kept waiting."""

    def __init__(self, database: Database, running: RunningImport) -> None:
        self.database = database
        self._running = running

    async def add(self, threads: Sequence[ImportedThread]) -> None:
        coming = _BYTES * sum(map(characters_of, threads))
        await self.database.run(lambda store: store.check_room(coming))
        await self.database.run(lambda _: self._running.add(threads))

    async def finish(self, projects: Sequence[Project] = (), documents: Sequence[ProjectDocument] = ()) -> ImportCount:
        count = await self.database.run(lambda _: self._running.finish(projects, documents))
        while await self.database.run(lambda store: store.imports.clean()):
            pass
        return count

    async def undo(self) -> None:
        try:
            while not await self.database.run(lambda _: self._running.undo()):
                pass
            await reclaim(self.database)
        except PlimsollError as error:
            log.warning("what an import had written could not be taken out: %s", error)


PATIENCE_S = 300.0
"""Seconds that a write of this process waits while the file is compacted: nothing that is typed meanwhile may fail."""


class SqliteTrash(_OverDatabase):
    """Methods are those of `TrashHistory`, which has their documentation."""

    items = _asks(lambda store: store.trash.items)
    restore_prompt = _asks(lambda store: store.prompts.restore)

    async def begin(self, items: Sequence[TrashItem]) -> None:
        await self.database.run(lambda store: store.erasure.begin(items, running=store.turns.running()))

    step = _asks(lambda store: store.erasure.step)
    left = _asks(lambda store: store.erasure.left)
    needs_compacting = _asks(lambda store: store.erasure.needs_space_cleaned)

    async def compact(self) -> None:
        if (path := self.database.path) is None:
            return

        await self.database.run(lambda store: store.set_patience(PATIENCE_S))
        try:
            await asyncio.to_thread(compact, path)
        finally:
            await self.database.run(lambda store: store.set_patience(None))

    async def unused_files(self) -> Sequence[str]:
        return (await self.database.run(lambda store: store.erasure.erased())).get("file", ())

    async def copies(self) -> Sequence[HistoryCopy]:
        path = self.database.path
        erased = await self.database.run(lambda store: store.erasure.erased())
        if path is None or not erased:
            return ()

        return await asyncio.to_thread(copies_with, path, erased)

    async def erase_in_copies(self, progress: Callable[[int, int], None] | None = None) -> Sequence[HistoryCopy]:
        found = await self.copies()
        erased = await self.database.run(lambda store: store.erasure.erased())
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

    create_thread = _asks(lambda store: store.threads.create)
    threads = _asks(lambda store: store.threads.all)
    thread = _asks(lambda store: store.threads.one)
    find_thread = _asks(lambda store: store.threads.find)
    update_thread = _asks(lambda store: store.threads.update)

    move_tip = _asks(lambda store: store.threads.move_tip)
    set_seen = _asks(lambda store: store.threads.set_seen)
    delete_thread = _asks(lambda store: store.threads.delete)
    restore_thread = _asks(lambda store: store.threads.restore)

    save_draft = _asks(lambda store: store.threads.save_draft)
    save_draft_count = _asks(lambda store: store.threads.save_draft_count)
    save_attachments = _asks(lambda store: store.threads.save_attachments)
    attachments = _asks(lambda store: store.threads.attachments)
    messages = _asks(lambda store: store.messages.all)
    message = _asks(lambda store: store.messages.one)

    begin_turn = _asks(lambda store: store.turns.begin)
    prepare_turn = _asks(lambda store: store.requests.prepare)
    save_request = _asks(lambda store: store.turns.save_request)
    save_partial = _asks(lambda store: store.turns.save_partial)
    save_marked = _asks(lambda store: store.messages.write_marked)
    last_answers = _asks(lambda store: store.messages.last_answers)
    end_turn = _asks(lambda store: store.turns.end)
    write_ends = _asks(lambda store: store.turns.write_ends)
    running_threads = _asks(lambda store: store.turns.running)
    repair_turns = _asks(lambda store: store.turns.repair)
    request = _asks(lambda store: store.requests.of_answer)
    token_weights = _asks(lambda store: store.calibration.read)
    save_token_weights = _asks(lambda store: store.calibration.write)
    learned_windows = _asks(lambda store: store.calibration.windows)
    save_learned_window = _asks(lambda store: store.calibration.write_window)
    record_call = _asks(lambda store: store.ledger.record)
    record_events = _asks(lambda store: store.events.record)
    events = _asks(lambda store: store.events.of_thread)
    event_counts = _asks(lambda store: store.events.counts)
    ledger = _asks(lambda store: store.ledger.rows)
    recent_models = _asks(lambda store: store.ledger.recent_models)
    kept_caches = _asks(lambda store: store.ledger.kept_caches)
    spent_usd = _asks(lambda store: store.ledger.spent)
    search = _asks(lambda store: store.search.page)

    async def search_items(
        self, query: str, within: SearchWithin = EVERYWHERE, *, limit: int = 100
    ) -> Sequence[FoundItem]:
        query, within = narrowed(query, within)
        if within.of_messages or not (wanted := needles(query)):
            return ()
        found = await self._items(wanted, within, limit)
        if not found and (meant := await self.database.run(lambda store: store.search.respelled(wanted))) != [*wanted]:
            found = await self._items(meant, within, limit)
        return found

    async def _items(self, wanted: Sequence[SearchTerm], within: SearchWithin, limit: int) -> Sequence[FoundItem]:
        times = within.since, within.until
        documents = SearchedDocuments(since=times[0], until=times[1])
        found = list(await self.database.run(lambda store: store.passages.items(wanted, documents, limit=limit)))
        artifacts: list[FoundItem] = []
        # their texts are in no index: a slice a job, as what is written must not wait for them
        for number in range(MOST_SLICES):
            some = await self.database.run(lambda store, at=number: store.artifacts.items(wanted, *times, at))  # type: ignore[misc]
            artifacts += some or ()
            if some is None or len(artifacts) >= limit:
                break
        return (*found, *artifacts[:limit])

    async def search_thread(
        self, thread_id: str, question: str, among: Collection[str], limit: int = 5
    ) -> Sequence[RecallHit]:
        # A thread that was just brought in is looked into all the same.
        while await self.database.run(lambda store: store.indexing.step(thread_id)):
            pass
        return await self.database.run(lambda store: store.search.in_thread(thread_id, question, among, limit))

    catch_up_search = _asks(lambda store: store.indexing.step)
    prompts = _asks(lambda store: store.prompts.all)
    save_prompts = _asks(lambda store: store.prompts.save)
    delete_prompt = _asks(lambda store: store.prompts.delete)
    marks = _asks(lambda store: store.marks.of_thread)
    save_mark = _asks(lambda store: store.marks.save)

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
        async with opened_apart(path) as source:
            look = await self.database.run(lambda store: store.begin_merge(source, None, ()).look())
            while (found := await self.database.run(lambda _: look.step())) is None:
                pass
        return found

    copy_to = _asks(lambda store: store.copy_to)

    async def data_version(self) -> int:
        return await self.database.data_version()

    async def write_problem(self) -> Failure | None:
        return await self.database.write_problem()

    async def close(self) -> None:
        """Waits for all writes and closes the file."""
        await self.database.close()
