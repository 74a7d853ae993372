"""All SQL of the history file, put together, synchronous. Lives on the database thread and knows no event loop."""

from __future__ import annotations

import sqlite3
from collections.abc import Collection
from pathlib import Path
from typing import TYPE_CHECKING

from desktop_app.storage.artifact_store import ArtifactStore
from desktop_app.storage.backup import back_up
from desktop_app.storage.block_store import BlockStore
from desktop_app.storage.calibration_store import CalibrationStore
from desktop_app.storage.context_event_store import ContextEventStore
from desktop_app.storage.document_text_store import DocumentTextStore
from desktop_app.storage.erasure_store import ErasureStore
from desktop_app.storage.file_identity import FileIdentity, NoFile
from desktop_app.storage.full_text_search import FullTextSearch
from desktop_app.storage.import_store import ImportStore
from desktop_app.storage.index_catch_up import Indexing
from desktop_app.storage.ledger_store import LedgerStore
from desktop_app.storage.message_store import MarkStore, MessageStore
from desktop_app.storage.passage_search import PassageSearch
from desktop_app.storage.process_owner import OwnerLocks
from desktop_app.storage.project_store import ProjectStore
from desktop_app.storage.prompt_store import PromptStore
from desktop_app.storage.request_store import RequestStore
from desktop_app.storage.sqlite_connection import BUSY_TIMEOUT_S, Transactions, connect, connect_in_memory
from desktop_app.storage.sqlite_errors import store_error
from desktop_app.storage.thread_store import ThreadStore
from desktop_app.storage.threads_search import ThreadsSearch
from desktop_app.storage.trash_store import TrashStore
from desktop_app.storage.turn_store import TurnStore

if TYPE_CHECKING:
    from desktop_app.storage.history_merge import RunningMerge
    from desktop_app.storage.merge_source import MergeSource


class Store:
    """One topic per attribute; every method is one transaction."""

    def __init__(self, path: Path | None) -> None:
        """Opens or creates the file; `UserError("store")` if it is not ours, too new or can't be written.

        None: the history is in memory only, and a new one.
        """
        connection = connect_in_memory() if path is None else connect(path)
        identity = NoFile() if path is None else FileIdentity(path, connection)
        self._transactions = Transactions(connection, identity)
        blocks = BlockStore(self._transactions.connection)
        self._transactions.after_rollback(blocks.forget)
        self.threads = ThreadStore(self._transactions)
        self.messages = MessageStore(self._transactions, blocks)
        self.requests = RequestStore(self._transactions, blocks)
        self.events = ContextEventStore(self._transactions)
        self._locks = OwnerLocks(None if path is None else path.with_name("running-turns"))
        self.turns = TurnStore(self._transactions, blocks, self.messages, self.requests, self.events, locks=self._locks)
        self.ledger = LedgerStore(self._transactions)
        self.calibration = CalibrationStore(self._transactions)
        self.prompts = PromptStore(self._transactions)
        self.marks = MarkStore(self._transactions)
        self._blocks = blocks
        self.imports = ImportStore(self._transactions, self.messages, blocks, self._locks)
        self.indexing = Indexing(self._transactions, self.messages)
        self.search = FullTextSearch(self._transactions, self.messages)
        self.threads_search = ThreadsSearch(self._transactions, self.messages)
        self.projects = ProjectStore(self._transactions)
        self.texts = DocumentTextStore(self._transactions)
        self.passages = PassageSearch(self._transactions)
        self.artifacts = ArtifactStore(self._transactions, blocks)
        self.trash = TrashStore(self._transactions, self.messages)
        self.erasure = ErasureStore(self._transactions, self.messages)

    def data_version(self) -> int:
        """Changes when another connection, of whatever process, has written; not by what is written here.

        `UserError("store")` where the file at the path is not the one that was opened.
        """
        self._transactions.identity.check()
        return int(self._transactions.connection.execute("PRAGMA data_version").fetchone()[0])

    def set_patience(self, seconds: float | None) -> None:
        """How long a write waits for another connection's lock; None: as usual."""
        self._transactions.connection.execute(
            f"PRAGMA busy_timeout = {int((BUSY_TIMEOUT_S if seconds is None else seconds) * 1000)}"
        )

    def copy_to(self, path: Path) -> None:
        """Writes all of it into a new file; `UserError("store")` where it is not whole, or can't be written."""
        self._transactions.identity.check_copy()
        try:
            back_up(self._transactions.connection, path)
        except (sqlite3.Error, OSError) as error:
            raise store_error(error, path) or error from error

    def begin_merge(self, source: MergeSource, thread_ids: Collection[str] | None) -> RunningMerge:
        """A merge that has written nothing yet."""
        from desktop_app.storage.history_merge import RunningMerge  # the first paint does without

        return RunningMerge(self._transactions, self.messages, self._blocks, source, thread_ids)

    def close(self) -> None:
        self.turns.write_ends(wait=True)
        self._transactions.close()
        self._locks.release()
