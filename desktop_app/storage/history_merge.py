"""Brings threads, or everything, from another history file into the open one."""

from __future__ import annotations

import logging
import sqlite3
from collections import deque
from collections.abc import Collection, Mapping
from contextlib import closing
from pathlib import Path
from typing import Any, Final

from desktop_app.core.history_records import HowChanged, MergeCount
from desktop_app.core.projects import DocumentText, Passage
from desktop_app.storage.block_store import BlockStore
from desktop_app.storage.document_text_store import TextWriting, read_text, remove_unused
from desktop_app.storage.hidden_threads import NewBlocks, remove_hidden, without_references
from desktop_app.storage.merge_look import MergeLook
from desktop_app.storage.merge_rows import Blocks, Table
from desktop_app.storage.merge_source import MergeSource
from desktop_app.storage.message_store import MessageStore
from desktop_app.storage.project_merge import merge_facts, merge_projects, same_projects
from desktop_app.storage.row_mapping import UNREADABLE
from desktop_app.storage.sqlite_connection import Transactions
from desktop_app.storage.table_records import THREADS
from desktop_app.storage.thread_merge import ThreadMerge
from desktop_app.storage.thread_store import IMPORTING, hidden

_STEP: Final = 2_000
"""Rows after which a step ends: 60 ms or so, for which other writes wait; one thread is never divided."""

log = logging.getLogger(__name__)


def merge_history(
    target: Transactions,
    source: Path,
    thread_ids: Collection[str] | None,
    *,
    blocks: BlockStore | None = None,
    newer: bool = False,
) -> MergeCount:
    """Brings these threads, or for None everything, at once; see `RunningMerge`. Blocks."""
    blocks = blocks or BlockStore(target.connection)
    with closing(MergeSource(source)) as other:
        work = RunningMerge(target, MessageStore(target, blocks), blocks, other, thread_ids, newer=newer)
        try:
            while (count := work.step()) is None:
                pass
        except BaseException:
            work.undo()
            raise
    return count


class RunningMerge:
    """One merge: all or nothing of it, in several transactions, so that running turns can save between them.

    Ids stay and keys are new. What is there already stays and grows, as with an import; a thread named in `thread_ids`
    is back, were it deleted here or there. With None everything comes: deleted threads as deleted ones, projects with
    their documents, prompts, and what was learned; but not what was deleted here for good. `newer`: the other file is
    a younger state of this one, so that what may change is taken from there. `copies`: it may be a stranger's file, and
    these are the hashes of the files whose copies are in the data folder; its rows lead nowhere else, nothing counts as
    accepted, and what is learned is learned here.

    New threads are first written hidden; the last step takes that mark away and adds to the threads that were there
    before. Sums of what was spent, and texts of documents that nothing refers to yet, are seen before that.
    """

    def __init__(
        self,
        transactions: Transactions,
        messages: MessageStore,
        blocks: BlockStore,
        source: MergeSource,
        thread_ids: Collection[str] | None,
        *,
        newer: bool = False,
        copies: Collection[str] | None = None,
    ) -> None:
        self._transactions = transactions
        self._copies = copies
        foreign = copies is not None
        self._messages = messages
        self._source = source.connection
        self._wanted = None if thread_ids is None else frozenset(thread_ids)
        self._newer = newer
        self._block_store = blocks
        self._blocks = Blocks(self._source, blocks.put)
        transactions.after_rollback(self._blocks.forget)
        self._threads = ThreadMerge(
            transactions.connection, self._source, self._blocks, messages, newer=newer, foreign=foreign
        )
        self._same_projects = same_projects(transactions.connection, self._source)
        self._erased = self._deleted_for_good()
        self._waiting = deque(self._chosen())
        self._texts = deque(self._whole_texts())
        self._writing: TextWriting | None = None
        self._written: list[tuple[str, int]] = []
        self._new_blocks = NewBlocks()
        self._known: list[dict[str, Any]] = []
        self._keys: dict[int, int] = {}
        self._added: dict[int, tuple[str, str | None]] = {}
        self._already = self._new_messages = 0
        self._done = False

    @property
    def waiting(self) -> int:
        """The number of threads still to be written, or looked at."""
        return len(self._waiting)

    def step(self) -> MergeCount | None:
        """One transaction; what was done if it was the last."""
        self._blocks.forget()  # others may have removed some since
        connection = self._transactions.connection
        self._new_blocks.look_around(connection)
        try:
            if self._waiting:
                self._add_threads()
            elif self._writing is not None or self._texts:
                self._add_text()
            else:
                return self._finish()
        finally:
            self._new_blocks.step_ended(connection)
        return None

    def undo(self) -> None:
        """Takes out what was written, unless all was. Should that fail, it stays hidden."""
        if self._done:
            return
        try:
            if self._writing is not None:
                self._writing.undo()
                self._new_blocks.step_ended(self._transactions.connection)
            with without_references(self._transactions) as connection:
                self._new_blocks.look_around(connection)
                for key, (mark, _) in self._added.items():
                    self._new_blocks.alone &= remove_hidden(connection, self._messages, key, mark)
                self._new_blocks.remove(connection)
                for sha256, reader in self._written:
                    remove_unused(connection, sha256, reader)
            self._block_store.forget()
        except sqlite3.Error as error:
            log.warning("what a merge had written could not be taken out: %s", error)

    def _chosen(self) -> list[int]:
        """Their keys of the threads that come, oldest first; none that an import there had not finished."""
        return [
            key
            for key, thread_id, deleted in self._source.execute("SELECT key, id, deleted FROM thread ORDER BY key")
            if not str(deleted or "").startswith(IMPORTING)
            and (thread_id not in self._erased if self._wanted is None else thread_id in self._wanted)
        ]

    def _deleted_for_good(self) -> frozenset[str]:
        """The ids of what was deleted here for good."""
        connection = self._transactions.connection
        return frozenset(one for (one,) in connection.execute("SELECT id FROM erasure"))

    def _whole_texts(self) -> list[tuple[int, int]]:
        if self._wanted is not None or self._copies is not None:
            return []  # a text is found by its file's hash: a stranger's would stand for the file that is added here
        connection = self._transactions.connection
        whole = "SELECT sha256, reader FROM document_text WHERE whole"
        here = set(connection.execute(whole))
        return [
            (key, reader)
            for key, sha256, reader in self._source.execute(whole.replace("SELECT", "SELECT key,"))
            if (sha256, reader) not in here
        ]

    def find(self, connection: sqlite3.Connection, theirs: int) -> tuple[dict[str, Any], Any, HowChanged | None] | None:
        """A thread of the other file, our record of it, and what bringing it does here; None: it is none of ours."""
        row = self._threads.row(theirs)
        if row is None:
            return None
        row["project"] = self._project(connection, row["project"])
        there = self._threads.known(connection, row)
        if there is None:
            return row, None, "new" if row["deleted"] is None else "trash"
        if self._deleted(row, there) != there.deleted:
            return row, there, "back"
        return row, there, "more" if self._threads.has_new(connection, row, there) else None

    def look(self) -> MergeLook:
        """Return the effects of a merge that has not begun."""
        keys = tuple(self._waiting)
        return MergeLook(
            self.find, self._transactions, self._source, threads=self._threads, erased=self._erased, keys=keys
        )

    def _add_threads(self) -> None:
        taken: list[int] = []
        added: dict[int, tuple[str, str | None]] = {}
        keys: dict[int, int] = {}
        known: list[dict[str, Any]] = []
        new_messages = already = 0
        with self._transactions.write_plain() as connection:
            before = connection.total_changes
            while len(taken) < len(self._waiting) and connection.total_changes - before < _STEP:
                theirs = self._waiting[len(taken)]
                taken.append(theirs)
                found = self.find(connection, theirs)
                if found is None:
                    continue
                row, there, change = found
                if there is None:
                    mark = hidden()
                    ours, count = self._threads.add(connection, row, mark)
                    added[ours] = mark, None if self._wanted is not None else row["deleted"]
                    keys[theirs] = ours
                    new_messages += count
                    continue
                keys[theirs] = there.key
                if change is not None:
                    known.append(row)
                else:
                    already += 1
        for _ in taken:
            self._waiting.popleft()
        self._added |= added
        self._keys |= keys
        self._known += known
        self._new_messages += new_messages
        self._already += already

    def _project(self, connection: sqlite3.Connection, project_id: str | None) -> str | None:
        """A thread that comes alone is in its project where that is here."""
        ours = self._same_projects.get(project_id or "", project_id)
        if self._wanted is None:
            return ours
        found = connection.execute("SELECT id FROM project WHERE id = ? AND deleted IS NULL", (ours,)).fetchone()
        return None if found is None else str(found[0])

    def _deleted(self, row: dict[str, Any], there: Any) -> str | None:
        """Return the value of `deleted` of a thread that is in both files."""
        if self._wanted is not None:
            return None
        if self._newer:
            return None if row["deleted"] is None else str(row["deleted"])
        deleted: str | None = there.deleted if row["deleted"] is not None else None
        return deleted

    def _add_text(self) -> None:
        if self._writing is None:
            key, reader = self._texts.popleft()
            text = self._text(key)
            if text is None:
                return
            self._writing = TextWriting(self._transactions, text, reader)
            self._written.append((text.sha256, reader))
        if self._writing.step():
            self._writing = None

    def _text(self, key: int) -> DocumentText | None:
        try:
            text = read_text(self._source, key)
        except (*UNREADABLE, sqlite3.Error) as error:
            log.warning("the text of a document could not be brought along: %s", type(error).__name__)
            self._threads.unreadable += 1
            return None
        return text if all(_is_sound(one, len(text.text)) for one in text.passages) else None

    def _finish(self) -> MergeCount:
        threads, new_messages = len(self._added), self._new_messages
        already = self._already
        projects = documents = prompts = 0
        foreign = self._copies is not None
        changed = {row["key"] for row in self._known}
        # what is said to stay as it is gets nothing
        keys = {one: key for one, key in self._keys.items() if not foreign or key in self._added or one in changed}
        with self._transactions.write_plain() as connection:
            for key, (_, deleted) in self._added.items():
                connection.execute("UPDATE thread SET deleted = ? WHERE key = ?", (deleted, key))
            for row in self._known:
                there = THREADS.first(connection, "key = ?", self._keys[row["key"]])
                new_messages += self._threads.grow(connection, row, there)
                deleted = self._deleted(row, there)
                connection.execute("UPDATE thread SET deleted = ? WHERE key = ?", (deleted, there.key))
                is_back = there.deleted is not None and deleted is None
                threads += is_back
                already += not is_back
                new_messages += there.message_count if is_back else 0
            if self._wanted is None:
                projects, documents = merge_projects(
                    connection, self._source, keys, self._erased, newer=self._newer, copies=self._copies
                )
                prompts = merge_facts(connection, self._source, self._erased, newer=self._newer, foreign=foreign)
            self._add_calls(connection)
            self._add_origins(connection, keys)
        self._done = True
        return MergeCount(threads, new_messages, already, projects, documents, prompts, self._threads.unreadable)

    def _add_calls(self, connection: sqlite3.Connection) -> None:
        """Model calls and events that are no turn's; those of no thread only where everything comes."""
        calls = Table(connection, "model_call")
        for call in calls.rows(self._source, "model_call ORDER BY key"):
            ours = self._keys.get(call["thread_key"] or 0)
            if ours is None and self._wanted is not None:
                continue
            if connection.execute("SELECT 1 FROM model_call WHERE id = ?", (call["id"],)).fetchone() is None:
                del call["key"]
                calls.add(connection, call | {"thread_key": ours})
        if self._wanted is None and self._copies is None:
            self._threads.add_events(connection, None, None, {})  # of private threads

    def _add_origins(self, connection: sqlite3.Connection, keys: Mapping[int, int]) -> None:
        origins = Table(connection, "import_origin")
        for origin in origins.rows(self._source, "import_origin"):
            ours = keys.get(origin["thread_key"])
            if ours is not None:
                origins.add(connection, origin | {"thread_key": ours}, instead="OR IGNORE")


def _is_sound(passage: Passage, length: int) -> bool:
    kinds = (int, str, int, int, str, int, str)
    values = (
        passage.number,
        passage.kind,
        passage.start,
        passage.end,
        passage.heading,
        passage.page,
        passage.table_head,
    )
    typed = all(isinstance(value, kind) for value, kind in zip(values, kinds, strict=True))
    return typed and 0 <= passage.start <= passage.end <= length
