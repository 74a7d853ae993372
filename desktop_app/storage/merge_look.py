"""Finds out what merging a stranger's history file would change, by the decisions that the merge itself makes."""

from __future__ import annotations

import sqlite3
from collections import Counter
from collections.abc import Callable, Collection, Sequence
from typing import Any, Final, TypeAlias

from desktop_app.core.history_records import HowChanged, ImportChange, MergePreview
from desktop_app.core.thread_copy import without_consent
from desktop_app.storage.merge_rows import Table, as_row
from desktop_app.storage.project_merge import SHA256, same_projects
from desktop_app.storage.row_mapping import thread_from
from desktop_app.storage.sqlite_connection import Transactions
from desktop_app.storage.thread_merge import ThreadMerge

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
        found = self._find(connection, theirs)
        if found is None:
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
        return MergePreview(
            tuple(changes),
            self._already,
            self._files(connection),
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

    def _files(self, connection: sqlite3.Connection) -> dict[str, int]:
        files: dict[str, int] = {}
        for row in Table(connection, "project_document").rows(self._source, "project_document"):
            if SHA256.fullmatch(row["sha256"]) is not None:
                files[row["sha256"]] = max(files.get(row["sha256"], 0), row["size"])
        return files

    def _new_rows(self, connection: sqlite3.Connection, name: str, *, of_all: bool = False) -> list[dict[str, Any]]:
        """The rows of a table whose ids are not here, `of_all`: those too; none that was deleted here for good."""
        here = set() if of_all else {one for (one,) in connection.execute(f"SELECT id FROM {name}")}
        rows = Table(connection, name).rows(self._source, name)
        return [row for row in rows if row["id"] not in here and row["id"] not in self._erased]
