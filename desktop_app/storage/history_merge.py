"""Brings threads, projects, or everything, from another history file in; a look beforehand decides by the same code."""

from __future__ import annotations

import logging
import re
import sqlite3
from collections import Counter, deque
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import closing
from functools import partial
from pathlib import Path, PurePosixPath
from types import MappingProxyType
from typing import Any, Final, TypeAlias

from desktop_app.core.history_records import HowChanged, ImportChange, MergeCount, MergePreview
from desktop_app.core.projects import DocumentText, FollowedFolder, Passage
from desktop_app.core.thread_copy import without_consent
from desktop_app.storage.block_store import BlockStore
from desktop_app.storage.checked_rows import Blocks, Table, as_row
from desktop_app.storage.document_text_store import TextWriting, read_text, remove_unused
from desktop_app.storage.import_store import NewBlocks, remove_hidden, without_references
from desktop_app.storage.message_store import MessageStore
from desktop_app.storage.project_store import folded_name
from desktop_app.storage.reading_copy import MergeSource
from desktop_app.storage.row_mapping import UNREADABLE, thread_from
from desktop_app.storage.sqlite_connection import THREADS, Transactions, tick
from desktop_app.storage.thread_merge import ThreadMerge
from desktop_app.storage.thread_store import IMPORTING, hidden

Change: TypeAlias = Callable[[dict[str, Any]], None]

SHA256: Final = re.compile("[0-9a-f]{64}")
_OF_NO_THREAD: Final = ("prompt", "calibration", "learned_window")

_LATEST: Final = 2**40
"""No device's clock has come so far."""


def merge_projects(
    connection: sqlite3.Connection,
    source: sqlite3.Connection,
    threads: Mapping[int, int],
    erased: Collection[str],
    *,
    newer: bool,
    copies: Collection[str] | None = None,
) -> tuple[int, int]:
    """Return the number of new projects and documents; `threads`: our keys by theirs. Call inside a write.

    What is there stays; what has one of the ids `erased` was deleted here for good and does not come back. `newer`:
    what may change is taken from the other file, which is the younger one. `copies`: see `RunningMerge`.
    """
    for device, clock in source.execute("SELECT id, clock FROM device WHERE clock BETWEEN 0 AND ?", (_LATEST,)):
        connection.execute("UPDATE device SET clock = max(clock, ?) WHERE id = ?", (clock, device))
    projects, new_projects = _merged(
        connection, source, "project", {}, erased, newer=newer, same=same_projects(connection, source)
    )
    within: Mapping[str, Change] = {}
    before: Collection[int] = ()
    if copies is not None:
        within = {
            "project_document": partial(_document_within, copies, _chosen_folders(connection)),
            "followed_folder": _unchosen,
        }
        before = frozenset(key for (key,) in connection.execute("SELECT key FROM project_document"))
    documents, new_documents = _merged(
        connection, source, "project_document", projects, erased, newer=newer, changed=within.get("project_document")
    )
    _merged(connection, source, "followed_folder", projects, erased, newer=newer, changed=within.get("followed_folder"))
    files = Table(connection, "document_file")
    for row in files.rows(source, "document_file"):
        if row["document_key"] in documents and documents[row["document_key"]] not in before:
            files.add(connection, row | {"document_key": documents[row["document_key"]]}, instead="OR IGNORE")
    left = Table(connection, "left_project")
    for row in left.rows(source, "left_project"):
        if row["thread_key"] in threads and row["project_key"] in projects:
            keys = {"thread_key": threads[row["thread_key"]], "project_key": projects[row["project_key"]]}
            left.add(connection, keys, instead="OR IGNORE")
    return new_projects, new_documents


def _chosen_folders(connection: sqlite3.Connection) -> frozenset[str]:
    rows = connection.execute("SELECT id, path FROM followed_folder").fetchall()
    return frozenset(folder_id for folder_id, path in rows if FollowedFolder(folder_id, "", path).chosen)


def _document_within(copies: Collection[str], chosen: Collection[str], row: dict[str, Any]) -> None:
    """Leads a stranger's document to nothing but a copy in the data folder, which is read again here; without one the
    user chooses its file.

    Its folder may be one that is chosen later, but none of those `chosen` here.
    """
    if row["folder_id"] in chosen:
        row["folder_id"] = None
    row["path"] = row["path"] if row["folder_id"] is not None and is_below(row["path"]) else ""
    if row["sha256"] and SHA256.fullmatch(row["sha256"]) is None:
        row["sha256"] = ""
    row["state"] = "missing" if row["folder_id"] is not None or row["sha256"] not in copies else "waiting"


def is_below(path: str) -> bool:
    """True for a path that leads to below the folder that it is joined to, on every system."""
    parts = PurePosixPath(path)
    return not parts.is_absolute() and ".." not in parts.parts and "\\" not in path


def _unchosen(row: dict[str, Any]) -> None:
    """Of a stranger's folder only its name comes: it is followed once the user chooses it."""
    row["path"] = folder_name(row["path"])


def folder_name(path: str) -> str:
    """The last name in a folder's path, of any system."""
    return re.split(r"[/\\]", path.rstrip("/\\"))[-1].strip(".:") or "folder"


def same_projects(connection: sqlite3.Connection, source: sqlite3.Connection) -> dict[str, str]:
    """The ids of projects here by theirs, where only the name is the same: a name is one project, as in commands."""
    every = "SELECT id, name, deleted IS NOT NULL FROM project ORDER BY deleted IS NULL, key DESC"
    rows = connection.execute(every).fetchall()
    known = {project_id for project_id, _, _ in rows}
    of_any = {folded_name(name): project_id for project_id, name, _ in rows}
    of_live = {folded_name(name): project_id for project_id, name, deleted in rows if not deleted}
    return {
        project_id: here[folded_name(name)]
        for project_id, name, deleted in source.execute(every)
        if project_id not in known
        and isinstance(name, str)
        and folded_name(name) in (here := of_any if deleted else of_live)
    }


def merge_facts(
    connection: sqlite3.Connection,
    source: sqlite3.Connection,
    erased: Collection[str],
    *,
    newer: bool,
    foreign: bool = False,
) -> int:
    """Prompts, and but for a `foreign` file what counts and overflows have taught. How many prompts are new."""
    count = "SELECT count(*) FROM prompt"
    before = connection.execute(count).fetchone()[0]
    for name in _OF_NO_THREAD[:1] if foreign else _OF_NO_THREAD:
        table = Table(connection, name)
        for row in table.rows(source, name):
            if row.get("id") in erased:
                continue
            table.add(connection, row, instead="OR REPLACE" if newer else "OR IGNORE")
    return int(connection.execute(count).fetchone()[0]) - int(before)


def _merged(
    connection: sqlite3.Connection,
    source: sqlite3.Connection,
    name: str,
    projects: Mapping[int, int],
    erased: Collection[str],
    *,
    newer: bool,
    same: Mapping[str, str] = MappingProxyType({}),
    changed: Change | None = None,
) -> tuple[dict[int, int], int]:
    """Our keys by theirs of a table whose rows have ids, and how many rows are new; `changed` as they come here."""
    table, keys, new = Table(connection, name), dict[int, int](), 0
    for row in table.rows(source, f"{name} ORDER BY key"):
        theirs = row.pop("key")
        if row["id"] in erased:
            continue
        if changed is not None:
            changed(row)
        device, clock = tick(connection)
        values: dict[str, Any] = row | {"device": device, "clock": clock}
        if "project_key" in row:
            if row["project_key"] not in projects:
                continue
            values["project_key"] = projects[row["project_key"]]
        values["id"] = same.get(row["id"], row["id"])
        found = connection.execute(f"SELECT key FROM {name} WHERE id = ?", (values["id"],)).fetchone()
        if found is None:
            keys[theirs] = table.add(connection, values)
            new += 1
            continue
        keys[theirs] = found[0]
        if newer:
            settings = ", ".join(f"{column} = ?" for column in values)
            connection.execute(f"UPDATE {name} SET {settings} WHERE key = ?", (*values.values(), found[0]))
    return keys, new


Find: TypeAlias = Callable[[sqlite3.Connection, int], tuple[dict[str, Any], Any, HowChanged | None] | None]
"""`RunningMerge.find`."""

_AT_ONCE: Final = 200
"""Threads that are looked at in one step, for which writes wait."""


class MergeLook:
    """One look, in several steps; writes nothing."""

    def __init__(
        self,
        find: Find,
        transactions: Transactions,
        source: sqlite3.Connection,
        *,
        threads: ThreadMerge,
        erased: Collection[str],
        keys: Sequence[int],
    ) -> None:
        self._find = find
        self._transactions = transactions
        self._source = source
        self._threads = threads
        self._erased = erased
        self._keys = keys
        self._next = self._already = self._consents = 0
        self._times: list[tuple[str, str]] = []
        self._changes: list[ImportChange] = []
        self._in_project: Counter[str] = Counter()

    def step(self) -> MergePreview | None:
        """Looks at some threads; what was found in all if it was the last step."""
        with self._transactions.read_plain() as connection:
            for theirs in self._keys[self._next : self._next + _AT_ONCE]:
                self._look_at(connection, theirs)
            self._next += _AT_ONCE
            return None if self._next < len(self._keys) else self._rest(connection)

    def _look_at(self, connection: sqlite3.Connection, theirs: int) -> None:
        if (found := self._find(connection, theirs)) is None:
            return
        row, there, change = found
        if row["deleted"] is None:
            self._times.append((row["created"], row["updated"]))
        if change is None:
            self._already += row["deleted"] is None
            return
        if there is None:
            thread = thread_from(as_row(row))
            self._consents += thread != without_consent(thread)
            self._in_project[row["project"] or ""] += 1
        count = self._threads.missing(connection, row, there) + (there.message_count if change == "back" else 0)
        known = row if there is None else {"id": there.id, "title": there.title}
        self._changes.append(ImportChange("thread", change, known["id"], known["title"], {"messages": count}))

    def _rest(self, connection: sqlite3.Connection) -> MergePreview:
        changes = [*self._changes, *self._projects(connection), *self._prompts(connection), *self._usage(connection)]
        files: dict[str, int] = {}
        for row in Table(connection, "project_document").rows(self._source, "project_document"):
            if SHA256.fullmatch(row["sha256"]) is not None:
                files[row["sha256"]] = max(files.get(row["sha256"], 0), row["size"])
        return MergePreview(
            tuple(changes),
            self._already,
            files,
            self._consents,
            min((created for created, _ in self._times), default=None),
            max((updated for _, updated in self._times), default=None),
        )

    def _projects(self, connection: sqlite3.Connection) -> list[ImportChange]:
        same = same_projects(connection, self._source)
        here = dict(connection.execute("SELECT id, name FROM project").fetchall())
        projects = {row["key"]: row for row in self._new_rows(connection, "project", of_all=True)}
        named = {same.get(row["id"], row["id"]): row for row in projects.values()}
        documents, folders = (
            Counter(same.get(owner["id"], owner["id"]) for row in rows if (owner := projects.get(row["project_key"])))
            for rows in (self._new_rows(connection, name) for name in ("project_document", "followed_folder"))
        )
        changes = []
        for project_id in dict.fromkeys((*named, *(one for one in self._in_project if one in here))):
            counts = {"documents": documents[project_id], "folders": folders[project_id]}
            counts["threads"] = self._in_project[project_id]
            if project_id not in here:
                row = named[project_id]
                change: HowChanged = "new" if row["deleted"] is None else "trash"
                changes.append(ImportChange("project", change, project_id, row["name"], counts))
            elif any(counts.values()):
                changes.append(ImportChange("project", "more", project_id, here[project_id], counts))
        return changes

    def _prompts(self, connection: sqlite3.Connection) -> list[ImportChange]:
        return [
            ImportChange("prompt", "new" if row["deleted"] is None else "trash", row["id"], row["title"])
            for row in self._new_rows(connection, "prompt")
        ]

    def _usage(self, connection: sqlite3.Connection) -> list[ImportChange]:
        calls = len(self._new_rows(connection, "model_call"))
        return [ImportChange("usage", "more", counts={"calls": calls})] if calls else []

    def _new_rows(self, connection: sqlite3.Connection, name: str, *, of_all: bool = False) -> list[dict[str, Any]]:
        """The rows of a table whose ids are not here, `of_all`: those too; none that was deleted here for good."""
        also = " UNION SELECT id FROM turn" if name == "model_call" else ""
        here = set() if of_all else {one for (one,) in connection.execute(f"SELECT id FROM {name}{also}")}
        rows = Table(connection, name).rows(self._source, name)
        return [row for row in rows if row["id"] not in here and row["id"] not in self._erased]


_CALLED: Final = "SELECT 1 FROM model_call WHERE id = :id UNION ALL SELECT 1 FROM turn WHERE id = :id"
"""A turn whose thread was deleted for good there is a call of no thread there."""

_COUNTED_TWICE: Final = "model_call WHERE thread_key IS NULL AND id IN (SELECT id FROM turn)"
_FIGURES: Final = "input, cache_read, cache_write, output, thinking, cost_usd"
_COUNT_ONCE: Final = (
    # what a call has cost in the end: the other file may be of a time at which it still ran
    f"""
    UPDATE turn SET ({_FIGURES}) = (SELECT {_FIGURES} FROM model_call WHERE model_call.id = turn.id)
    WHERE id IN (SELECT id FROM {_COUNTED_TWICE})
    """,
    f"DELETE FROM {_COUNTED_TWICE}",
    "DELETE FROM spending WHERE thread_key = 0",
    """
    INSERT INTO spending
    SELECT substr(started, 1, 10), 0, backend, model, purpose, cost_kind, count(*), total(input), total(cache_read),
        total(cache_write), total(output), total(cost_usd), count(cost_usd)
    FROM model_call WHERE thread_key IS NULL GROUP BY 1, 2, 3, 4, 5, 6
    """,
)
_EVENT: Final = 'at, kind, "before", "after", messages, model'
_EVENTS_ONCE: Final = f"""
    DELETE FROM context_event WHERE thread_key IS NULL AND ({_EVENT}) IN (
        SELECT {_EVENT} FROM context_event WHERE thread_key = (SELECT key FROM thread WHERE id = ?)
    )
"""

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
        """The ids of what was deleted here for good; a thread that came back since is none of it."""
        query = "SELECT id FROM erasure WHERE stage = 0 OR id NOT IN (SELECT id FROM thread)"
        return frozenset(one for (one,) in self._transactions.connection.execute(query))

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
        if (row := self._threads.row(theirs)) is None:
            return None
        row["project"] = self._project(connection, row["project"])
        if (there := self._threads.known(connection, row)) is None:
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
                if (found := self.find(connection, theirs)) is None:
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
            if (text := self._text(key)) is None:
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
            origins = Table(connection, "import_origin")
            for origin in origins.rows(self._source, "import_origin"):
                if (ours := keys.get(origin["thread_key"])) is not None:
                    origins.add(connection, origin | {"thread_key": ours}, instead="OR IGNORE")
        self._done = True
        return MergeCount(threads, new_messages, already, projects, documents, prompts, self._threads.unreadable)

    def _add_calls(self, connection: sqlite3.Connection) -> None:
        """Model calls and events that are no turn's; those of no thread only where everything comes."""
        calls = Table(connection, "model_call")
        for call in calls.rows(self._source, "model_call ORDER BY key"):
            if (ours := self._keys.get(call["thread_key"] or 0)) is None and self._wanted is not None:
                continue
            if ours is not None:
                connection.execute("DELETE FROM model_call WHERE id = ? AND thread_key IS NULL", (call["id"],))
            if connection.execute(_CALLED, {"id": call["id"]}).fetchone() is None:
                del call["key"]
                calls.add(connection, call | {"thread_key": ours})
        if self._wanted is None and self._copies is None:
            self._threads.add_events(connection, None, None, {})  # of private threads
        # of a thread that was deleted for good, here or there, the figures were kept without it
        gone = "SELECT id FROM erasure WHERE kind = 'thread' AND stage > 0"
        for one in {*connection.execute(gone), *self._source.execute(gone)}:
            connection.execute(_EVENTS_ONCE, one)
        for statement in _COUNT_ONCE:
            connection.execute(statement)


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
