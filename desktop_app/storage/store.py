"""All SQL of the history file, put together, synchronous. Lives on the database thread and knows no event loop."""

from __future__ import annotations

import logging
import shutil
import sqlite3
from collections.abc import Collection
from pathlib import Path
from typing import TYPE_CHECKING

from desktop_app.core.errors import HistoryUnwritableError
from desktop_app.storage import sqlite_errors
from desktop_app.storage.backup import back_up
from desktop_app.storage.block_store import BlockStore
from desktop_app.storage.document_text_store import DocumentTextStore, PassageSearch
from desktop_app.storage.erasure_store import ErasureStore, TrashStore
from desktop_app.storage.file_format import file_version, readable
from desktop_app.storage.file_identity import FileIdentity, NoFile, place_of
from desktop_app.storage.full_text_search import FullTextSearch, Indexing, ThreadsSearch
from desktop_app.storage.import_store import ImportStore
from desktop_app.storage.message_store import MarkStore, MessageStore
from desktop_app.storage.project_store import ArtifactStore, ProjectStore
from desktop_app.storage.reading_copy import MergeSource, ReadOnlyFile, is_writable, open_for_reading
from desktop_app.storage.request_store import RequestStore
from desktop_app.storage.sqlite_connection import BUSY_TIMEOUT_S, Transactions, connect, connect_in_memory
from desktop_app.storage.sqlite_errors import store_error
from desktop_app.storage.thread_store import PromptStore, ThreadStore
from desktop_app.storage.turn_store import CalibrationStore, ContextEventStore, LedgerStore, TurnStore
from desktop_app.system.process_owner import OwnerLocks

if TYPE_CHECKING:
    from desktop_app.storage.history_merge import RunningMerge

_SPARE = 2**18
"""Bytes that a step writes besides: the pages that lead to what is written."""

_MERGED_PAGES = 2_000
"""Of the index of passages, at most: some 8 MB."""

log = logging.getLogger(__name__)


class Store:
    """One topic per attribute; every method is one transaction."""

    def __init__(
        self, path: Path | None, *, reading: bool = False, wait: bool = True, must_exist: bool = False
    ) -> None:
        """Opens or creates the file; `UserError("store")` if it is not ours, too new or can't be written.

        None: the history is in memory only, and a new one. `reading`: one that can't be written is opened all the same,
        and refuses every write. `wait`: for another process's lock. `must_exist`: none is made where it is missing.
        """
        self.path = path
        self.transactions = Transactions(*_opened(path, reading=reading, wait=wait, must_exist=must_exist))
        blocks = BlockStore(self.transactions.connection)
        self.transactions.after_rollback(blocks.forget)
        self.threads = ThreadStore(self.transactions)
        self.messages = MessageStore(self.transactions, blocks)
        self.requests = RequestStore(self.transactions, blocks)
        self.events = ContextEventStore(self.transactions)
        self._locks = OwnerLocks(None if path is None else path.with_name("running-turns"))
        self.turns = TurnStore(self.transactions, blocks, self.messages, self.requests, self.events, self._locks)
        self.ledger = LedgerStore(self.transactions)
        self.calibration = CalibrationStore(self.transactions)
        self.prompts = PromptStore(self.transactions)
        self.marks = MarkStore(self.transactions)
        self._blocks = blocks
        self.imports = ImportStore(self.transactions, self.messages, blocks, self._locks)
        self.indexing = Indexing(self.transactions, self.messages)
        self.search = FullTextSearch(self.transactions, self.messages)
        self.threads_search = ThreadsSearch(self.transactions, self.messages)
        self.projects = ProjectStore(self.transactions)
        self.texts = DocumentTextStore(self.transactions)
        self.passages = PassageSearch(self.transactions)
        self.artifacts = ArtifactStore(self.transactions, blocks)
        self.trash = TrashStore(self.transactions, self.messages)
        self.erasure = ErasureStore(self.transactions, self.messages)

    @property
    def read_only(self) -> bool:
        """True where the file was opened for reading only."""
        return self.transactions.read_only

    @property
    def shows_damaged_text(self) -> bool:
        """True where bytes that are no text are read as signs that say so."""
        return self.transactions.connection.text_factory is readable

    def show_damaged_text(self) -> None:
        """Reads texts of which bytes changed; from now on, as it costs a call for each text of every row."""
        self.transactions.connection.text_factory = readable

    def opened_anew(self, path: Path) -> Store | None:
        """A better store than this one, opened for reading: to write, or with newer data; or None. Raises nothing."""
        if not isinstance(identity := self.transactions.identity, ReadOnlyFile):
            return None
        ways = ((identity.may_write, False), (identity.is_outdated, True))
        for reading in (reading for better, reading in ways if better):
            try:
                return Store(path, reading=reading, wait=False)
            except Exception as error:  # noqa: BLE001  what is open is still good for reading
                log.warning("a history could not be opened anew: %s", type(error).__name__)
        return None

    def try_writing(self) -> None:
        """Raises what keeps the file from being written, and from growing; waits for no lock."""
        with self.transactions.without_waiting(), self.transactions.write_plain() as connection:
            connection.execute("CREATE TABLE probe (content)")
            connection.execute("INSERT INTO probe VALUES (zeroblob(65536))")
            connection.execute("DROP TABLE probe")
            connection.execute(f"PRAGMA user_version = {file_version(connection)}")

    def data_version(self) -> int:
        """Changes when another connection, of whatever process, has written; not by what is written here.

        `UserError("store")` where the file at the path is not the one that was opened.
        """
        self.transactions.identity.check()
        return int(self.transactions.connection.execute("PRAGMA data_version").fetchone()[0])

    def set_patience(self, seconds: float | None) -> None:
        """Set how many seconds a write waits for another connection's lock; None: as usual."""
        self.transactions.connection.execute(
            f"PRAGMA busy_timeout = {int((BUSY_TIMEOUT_S if seconds is None else seconds) * 1000)}"
        )

    def copy_to(self, path: Path) -> None:
        """Writes all of it into a new file; `UserError("store")` where it is not whole, or can't be written."""
        self.transactions.identity.check_copy()
        try:
            back_up(self.transactions.connection, path)
        except (sqlite3.Error, OSError) as error:
            raise store_error(error, path) or error from error

    def check_room(self, coming: int) -> None:
        """`UserError("store")` where writing so many bytes might leave no room for taking them out again.

        For that the -wal goes into the file first, then what removes them is written.
        """
        if self.path is None:
            return
        log_file = self.path.with_name(self.path.name + "-wal")
        written = log_file.stat().st_size if log_file.exists() else 0
        if shutil.disk_usage(self.path.parent).free < written + 2 * coming + _SPARE:
            raise sqlite_errors.full(self.path)

    def empty_log(self) -> bool:
        """Gives the disk back what the -wal holds. True where compacting the file would give back much, too.

        A few free pages in a big file are used again before it grows: writing all of it anew would cost more.
        """
        connection = self.transactions.connection
        # what was taken out still stands in the index of passages until its segments are merged
        connection.execute("INSERT INTO passage_text (passage_text, rank) VALUES ('merge', ?)", (-_MERGED_PAGES,))
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        unused, pages = (connection.execute(f"PRAGMA {one}_count").fetchone()[0] for one in ("freelist", "page"))
        return bool(unused > (pages - unused) / 4)

    def begin_merge(
        self, source: MergeSource, thread_ids: Collection[str] | None, copies: Collection[str] | None = None
    ) -> RunningMerge:
        """A merge that has written nothing yet."""
        from desktop_app.storage.history_merge import RunningMerge  # the first paint does without

        return RunningMerge(self.transactions, self.messages, self._blocks, source, thread_ids, copies=copies)

    def close(self) -> None:
        self.turns.write_ends(wait=True)
        self.transactions.close()
        self._locks.release()


def _opened(
    path: Path | None, *, reading: bool, wait: bool, must_exist: bool
) -> tuple[sqlite3.Connection, FileIdentity | ReadOnlyFile | NoFile]:
    if path is None:
        return connect_in_memory(), NoFile()
    error: Exception = sqlite_errors.read_only(path)
    if not reading or not path.exists() or is_writable(path):
        place = place_of(path)
        try:
            connection = connect(path, busy_timeout_s=None if wait else 0.0, must_exist=must_exist)
        except sqlite3.OperationalError as locked:
            told = sqlite_errors.store_error(locked, path)
            if not reading or not isinstance(told, HistoryUnwritableError):
                raise
            error = told
        else:
            return connection, FileIdentity(path, connection, place)
    connection, remove = open_for_reading(path)
    return connection, ReadOnlyFile(path, connection, remove, error)
