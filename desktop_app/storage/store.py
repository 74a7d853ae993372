"""Owns all SQL of the history file, put together, synchronous. Lives on the database thread and knows no event loop."""

from __future__ import annotations

import sqlite3
from pathlib import Path

from desktop_app.storage.backup import back_up
from desktop_app.storage.blocks import Blocks
from desktop_app.storage.calibration import Calibration
from desktop_app.storage.connection import Transactions, connect, connect_in_memory
from desktop_app.storage.events import Events
from desktop_app.storage.faults import store_error
from desktop_app.storage.identity import FileIdentity, NoFile
from desktop_app.storage.imports import Imports
from desktop_app.storage.indexing import Indexing
from desktop_app.storage.ledger import Ledger
from desktop_app.storage.marks import Marks
from desktop_app.storage.messages import Messages
from desktop_app.storage.owner_lock import OwnerLocks
from desktop_app.storage.prompts import Prompts
from desktop_app.storage.requests import Requests
from desktop_app.storage.search import Search
from desktop_app.storage.threads import Threads
from desktop_app.storage.turns import Turns


class Store:
    """One topic per attribute; every method is one transaction."""

    def __init__(self, path: Path | None) -> None:
        """Opens or creates the file; `UserError("store")` if it is not ours, too new or can't be written.

        None: the history is in memory only, and a new one.
        """
        connection = connect_in_memory() if path is None else connect(path)
        identity = NoFile() if path is None else FileIdentity(path, connection)
        self._transactions = Transactions(connection, identity)
        blocks = Blocks(self._transactions.connection)
        self._transactions.after_rollback(blocks.forget)
        self.threads = Threads(self._transactions)
        self.messages = Messages(self._transactions, blocks)
        self.requests = Requests(self._transactions, blocks)
        self.events = Events(self._transactions)
        self._locks = OwnerLocks(None if path is None else path.with_name("running-turns"))
        self.turns = Turns(self._transactions, blocks, self.messages, self.requests, self.events, locks=self._locks)
        self.ledger = Ledger(self._transactions)
        self.calibration = Calibration(self._transactions)
        self.prompts = Prompts(self._transactions)
        self.marks = Marks(self._transactions)
        self.imports = Imports(self._transactions, self.messages, blocks)
        self.indexing = Indexing(self._transactions, self.messages)
        self.search = Search(self._transactions, self.messages)

    def data_version(self) -> int:
        """Changes when another connection, of whatever process, has written; not by what is written here.

        `UserError("store")` where the file at the path is not the one that was opened.
        """
        self._transactions.identity.check()
        return int(self._transactions.connection.execute("PRAGMA data_version").fetchone()[0])

    def copy_to(self, path: Path) -> None:
        """Writes all of it into a new file; `UserError("store")` where it is not whole, or can't be written."""
        self._transactions.identity.check_copy()
        try:
            back_up(self._transactions.connection, path)
        except (sqlite3.Error, OSError) as error:
            raise store_error(error, path) or error from error

    def close(self) -> None:
        self.turns.write_ends(wait=True)
        self._transactions.close()
        self._locks.release()
