"""Reads and writes projects, their documents and the folders that they follow; texts are in `document_text_store`."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import fields, replace
from typing import Any, get_args

from desktop_app.core.artifacts import Artifact, ArtifactVersion
from desktop_app.core.errors import UserError
from desktop_app.core.history_records import FoundItem, ImportedThread
from desktop_app.core.passage_ranking import snippet
from desktop_app.core.phrases import Phrase, from_json, phrase, template, to_json
from desktop_app.core.projects import DocumentMode, FollowedFolder, Project, ProjectDocument
from desktop_app.core.search_terms import SearchTerm, fold
from desktop_app.storage.block_store import BlockStore, read_blocks
from desktop_app.storage.row_mapping import UNREADABLE, storable_text
from desktop_app.storage.sqlite_connection import Topic, Transactions, tick
from desktop_app.storage.thread_store import LONGEST_ID, LONGEST_SHOWN, live_thread, now, one_of

_PROJECT = tuple(one.name for one in fields(Project))
_DOCUMENT = tuple(one.name for one in fields(ProjectDocument) if one.name != "project_id")
DOCUMENT_COLUMNS = ", ".join(f"project_document.{name}" for name in _DOCUMENT)
"""Those that a `ProjectDocument` is made of."""
_PHRASES = ("error", "note")
_MODES = get_args(DocumentMode)

AT_ONCE = 500
"""Ids that stand in one statement."""


def _upsert(table: str, columns: Sequence[str]) -> str:
    every = (*columns, "device", "clock")
    kept = ", ".join(f"{name} = excluded.{name}" for name in every if name != "id")
    return (
        f"INSERT INTO {table} ({', '.join(every)}) VALUES ({', '.join('?' * len(every))}) "
        f"ON CONFLICT (id) DO UPDATE SET {kept}"
    )


_WRITE_PROJECT = _upsert("project", _PROJECT)
_WRITE_DOCUMENT = _upsert("project_document", (*_DOCUMENT, "project_key"))
_WRITE_FOLDER = _upsert("followed_folder", ("id", "project_key", "path"))
_DOCUMENTS = f"""
    SELECT {", ".join(_DOCUMENT)} FROM project_document
    WHERE project_key = ? AND deleted IS NULL ORDER BY path, name, key
"""
_REMOVED = _DOCUMENTS.replace("deleted IS NULL", "deleted IS NOT NULL")
FORMER = """
    INSERT OR IGNORE INTO document_file (document_key, sha256)
    SELECT key, sha256 FROM project_document WHERE id = ? AND sha256 != ''
"""
"""Notes which file a document is."""
_LEAVE = """
    INSERT OR REPLACE INTO left_project (thread_key, project_key)
    SELECT thread.key, project.key FROM thread JOIN project ON project.id = thread.project WHERE project.id = ?
"""
_RETURN = """
    UPDATE thread SET project = ? WHERE project IS NULL
    AND key IN (SELECT thread_key FROM left_project WHERE project_key = ?)
"""


def write_project(connection: sqlite3.Connection, project: Project) -> None:
    """Adds or changes a project inside the caller's write; `UserError("usage")` if it is deleted."""
    row = connection.execute("SELECT deleted FROM project WHERE id = ?", (project.id,)).fetchone()
    if row is not None and row[0] is not None:
        raise _unknown_project(project.id)
    values = (storable_text(getattr(project, name)) for name in _PROJECT)
    connection.execute(_WRITE_PROJECT, (*values, *tick(connection)))


def write_documents(connection: sqlite3.Connection, documents: Sequence[ProjectDocument]) -> None:
    """Adds or changes documents inside the caller's write; `UserError("usage")` if a project of theirs is deleted."""
    device, clock = tick(connection)
    projects: dict[str, int] = {}
    for one in documents:
        if one.project_id not in projects:
            projects[one.project_id] = live_project(connection, one.project_id)
        values = (_column(one, name) for name in _DOCUMENT)
        connection.execute(_WRITE_DOCUMENT, (*values, projects[one.project_id], device, clock))
        connection.execute(FORMER, (one.id,))


class ProjectStore(Topic):
    def all(self) -> Sequence[Project]:
        with self._transactions.read_plain() as connection:
            return read_projects(connection)

    def one(self, project_id: str) -> Project:
        with self._transactions.read_plain() as connection:
            live_project(connection, project_id)
            row = connection.execute(f"SELECT {', '.join(_PROJECT)} FROM project WHERE id = ?", (project_id,))
            return _project(row.fetchone())

    def find(self, name: str) -> Project | None:
        wanted = folded_name(name)
        return next((one for one in self.all() if folded_name(one.name) == wanted), None)

    def save(self, project: Project) -> None:
        with self._transactions.write_plain() as connection:
            write_project(connection, project)

    def delete(self, project_id: str) -> None:
        with self._transactions.write_plain() as connection:
            live_project(connection, project_id)
            connection.execute(_LEAVE, (project_id,))
            connection.execute("UPDATE thread SET project = NULL WHERE project = ?", (project_id,))
            _mark(connection, "project", project_id, now())

    def restore(self, project_id: str) -> None:
        with self._transactions.write_plain() as connection:
            row = connection.execute("SELECT key FROM project WHERE id = ?", (project_id,)).fetchone()
            if row is None:
                raise _unknown_project(project_id)
            connection.execute(_RETURN, (project_id, row[0]))
            connection.execute("DELETE FROM left_project WHERE project_key = ?", row)
            _mark(connection, "project", project_id, None)

    def documents(self, project_id: str) -> Sequence[ProjectDocument]:
        with self._transactions.read_plain() as connection:
            return documents_of(connection, project_id)

    def removed_documents(self, project_id: str) -> Sequence[ProjectDocument]:
        with self._transactions.read_plain() as connection:
            rows = connection.execute(_REMOVED, (live_project(connection, project_id),))
            return tuple(document_from(project_id, row) for row in rows)

    def save_documents(self, documents: Sequence[ProjectDocument]) -> None:
        with self._transactions.write_plain() as connection:
            write_documents(connection, documents)

    def delete_documents(self, document_ids: Collection[str]) -> None:
        self._mark_documents(document_ids, now())

    def restore_documents(self, document_ids: Collection[str]) -> None:
        self._mark_documents(document_ids, None)

    def folders(self, project_id: str) -> Sequence[FollowedFolder]:
        with self._transactions.read_plain() as connection:
            key = live_project(connection, project_id)
            rows = connection.execute(
                "SELECT id, path FROM followed_folder WHERE project_key = ? AND deleted IS NULL ORDER BY path, key",
                (key,),
            ).fetchall()
        return tuple(FollowedFolder(folder_id, project_id, path) for folder_id, path in rows)

    def save_folder(self, folder: FollowedFolder) -> None:
        """One that was deleted is followed again."""
        with self._transactions.write_plain() as connection:
            key = live_project(connection, folder.project_id)
            connection.execute(_WRITE_FOLDER, (folder.id, key, storable_text(folder.path), *tick(connection)))
            connection.execute("UPDATE followed_folder SET deleted = NULL WHERE id = ?", (folder.id,))

    def delete_folder(self, folder_id: str) -> None:
        with self._transactions.write_plain() as connection:
            live = "SELECT 1 FROM followed_folder WHERE id = ? AND deleted IS NULL"
            if connection.execute(live, (folder_id,)).fetchone() is None:
                raise UserError("usage", phrase("There is no followed folder {folder_id}.", folder_id=folder_id))
            _mark(connection, "followed_folder", folder_id, now())

    def _mark_documents(self, document_ids: Collection[str], deleted: str | None) -> None:
        with self._transactions.write_plain() as connection:
            keys = dict(_keys(connection, document_ids))
            missing = [one for one in document_ids if one not in keys]
            if missing:
                raise UserError("usage", phrase("There is no document {document_id}.", document_id=missing[0]))
            device, clock = tick(connection)
            connection.executemany(
                "UPDATE project_document SET deleted = ?, device = ?, clock = ? WHERE key = ?",
                [(deleted, device, clock, key) for key in keys.values()],
            )


def read_projects(connection: sqlite3.Connection) -> Sequence[Project]:
    """By name, those that are not deleted."""
    rows = connection.execute(f"SELECT {', '.join(_PROJECT)} FROM project WHERE deleted IS NULL").fetchall()
    return sorted(map(_project, rows), key=lambda one: (folded_name(one.name), one.name, one.id))


def live_project(connection: sqlite3.Connection, project_id: str) -> int:
    """The key of a project that is not deleted; `UserError("usage")` if there is none."""
    row = connection.execute("SELECT key FROM project WHERE id = ? AND deleted IS NULL", (project_id,)).fetchone()
    if row is None:
        raise _unknown_project(project_id)
    return int(row[0])


def documents_of(connection: sqlite3.Connection, project_id: str) -> Sequence[ProjectDocument]:
    """The documents of a project that are not deleted, by path and name; `UserError("usage")` for an unknown one."""
    rows = connection.execute(_DOCUMENTS, (live_project(connection, project_id),))
    return tuple(document_from(project_id, row) for row in rows)


def document_with_file(connection: sqlite3.Connection, project_id: str, sha256: str) -> ProjectDocument | None:
    """The document of a project that is this file, else one that was it, as if it still were, be it deleted."""
    rows = connection.execute(
        f"""
        SELECT {DOCUMENT_COLUMNS} FROM document_file
        JOIN project_document ON project_document.key = document_key
        WHERE document_file.sha256 = ? AND project_key = ?
        ORDER BY project_document.deleted IS NOT NULL, project_document.sha256 != document_file.sha256, document_key
        LIMIT 1
        """,
        (sha256, live_project(connection, project_id)),
    ).fetchall()
    return replace(document_from(project_id, rows[0]), sha256=sha256) if rows else None


def _keys(connection: sqlite3.Connection, document_ids: Collection[str]) -> Iterator[tuple[str, int]]:
    ids = list(document_ids)
    for start in range(0, len(ids), AT_ONCE):
        some = ids[start : start + AT_ONCE]
        marks = ", ".join("?" * len(some))
        yield from connection.execute(f"SELECT id, key FROM project_document WHERE id IN ({marks})", some).fetchall()


def _mark(connection: sqlite3.Connection, table: str, row_id: str, deleted: str | None) -> None:
    values = (deleted, *tick(connection), row_id)
    connection.execute(f"UPDATE {table} SET deleted = ?, device = ?, clock = ? WHERE id = ?", values)


def _project(row: Any) -> Project:
    values = dict(zip(_PROJECT, row, strict=True))
    return Project(**values | {name: bool(values[name]) for name in ("archived", "searches_threads")})


def document_from(project_id: str, row: Any) -> ProjectDocument:
    """The document of a row of `DOCUMENT_COLUMNS`."""
    # by position, as 10,000 are listed at once; the project's id is the second field
    if (document := ProjectDocument(row[0], project_id, *row[1:])).mode not in _MODES:
        document = replace(document, mode="search")  # of a damaged file, or of an archive
    if not (document.error or document.note):
        return document
    return replace(document, error=read_phrase(document.error), note=read_phrase(document.note))


def _column(document: ProjectDocument, name: str) -> Any:
    value = getattr(document, name)
    return phrase_column(value) if name in _PHRASES else storable_text(value)


def phrase_column(text: str) -> str:
    """The column of a text that may be a phrase: JSON of its English and what it was made from; "" for none."""
    if not text:
        return ""
    kept = [text, to_json(text)] if isinstance(text, Phrase) else [text]
    return json.dumps(kept, separators=(",", ":"))


def read_phrase(stored: str) -> str:
    """Return the text that `phrase_column` made a column of; any other text, as in a file of anybody's, as itself."""
    with suppress(ValueError, RecursionError):
        match json.loads(stored) if stored.startswith("[") else None:
            case [str(text), *made_from]:
                text = storable_text(text)
                return from_json(made_from[0], text) if made_from else text
    return stored


def folded_name(name: str) -> str:
    return " ".join(name.split()).casefold()


def _unknown_project(project_id: str) -> UserError:
    return UserError("usage", phrase("There is no project {project_id}.", project_id=project_id))


_SELECT = """
    SELECT artifact.id, thread.id, artifact.title, kind, language, artifact.pinned,
        (SELECT coalesce(max(number), 0) FROM artifact_version WHERE artifact_key = artifact.key),
        artifact.created, artifact.updated
    FROM artifact JOIN thread ON thread.key = artifact.thread_key
    WHERE artifact.deleted IS NULL AND thread.deleted IS NULL
"""
_WRITE = """
    INSERT INTO artifact (id, thread_key, title, kind, language, pinned, created, updated, device, clock)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
    ON CONFLICT (id) DO UPDATE SET
        title = excluded.title, kind = excluded.kind, language = excluded.language, pinned = excluded.pinned,
        updated = excluded.updated, device = excluded.device, clock = excluded.clock
"""
_NEWEST = """
    SELECT artifact.id, thread.id, artifact.title, thread.title, kind = 'markdown', block_key
    FROM artifact CROSS JOIN thread ON thread.key = artifact.thread_key
    CROSS JOIN artifact_version ON artifact_key = artifact.key
        AND number = (SELECT max(number) FROM artifact_version WHERE artifact_key = artifact.key)
    WHERE artifact.deleted IS NULL AND thread.deleted IS NULL AND artifact.updated >= ? AND artifact.updated < ?
    ORDER BY artifact.updated DESC, artifact.key DESC LIMIT ? OFFSET ?
"""
LOOKED_INTO, LOOKED_AT = 40, 100_000
"""Artifacts whose texts are searched at once, and characters of each."""
_LOST = "This version can't be read: the history file is damaged here. A backup may still have it."


class ArtifactStore:
    def __init__(self, transactions: Transactions, blocks: BlockStore) -> None:
        self._transactions = transactions
        self._blocks = blocks

    def of_thread(self, thread_id: str) -> Sequence[Artifact]:
        with self._transactions.read_plain() as connection:
            live_thread(connection, thread_id)
            return _read(connection, " AND thread.id = ? ORDER BY artifact.key", thread_id)

    def all(self) -> Sequence[Artifact]:
        with self._transactions.read_plain() as connection:
            return _read(connection, " ORDER BY artifact.updated DESC, artifact.key DESC")

    def one(self, artifact_id: str) -> Artifact:
        with self._transactions.read_plain() as connection:
            return _one(connection, artifact_id)

    def find(self, prefix: str) -> Artifact:
        if not prefix or len(prefix) > LONGEST_ID:
            raise _unknown(prefix)
        with self._transactions.read_plain() as connection:
            found = _read(connection, " AND substr(artifact.id, 1, ?) = ?", len(prefix), prefix)
        several = template("{found} artifacts start with {prefix}. Give more characters of the ID.")
        return one_of(found, prefix, several, _unknown)

    def save(self, artifact: Artifact) -> None:
        with self._transactions.write_plain() as connection:
            _write(connection, artifact)

    def add_version(self, artifact: Artifact, version: ArtifactVersion) -> None:
        with self._transactions.write_plain() as connection:
            key = _write(connection, artifact)
            newest = _one(connection, artifact.id).versions
            if version.artifact_id != artifact.id or version.number != newest + 1:
                raise UserError(
                    "store",
                    phrase("Another window or command changed this artifact. Check it, then try again."),
                    detail=f"version {version.number} of {artifact.id}, which has {newest}",
                    actions=("retry",),
                )
            connection.execute(
                "INSERT INTO artifact_version VALUES (?, ?, ?, ?, ?, ?)",
                (key, version.number, self._blocks.put(version.text), version.author, version.created,
                 version.message_id),
            )  # fmt: skip

    def versions(self, artifact_id: str) -> Sequence[ArtifactVersion]:
        with self._transactions.read_plain() as connection:
            artifact = _one(connection, artifact_id)
            rows = connection.execute(
                """
                SELECT number, block_key, author, artifact_version.created, message_id FROM artifact_version
                JOIN artifact ON artifact.key = artifact_key WHERE id = ? ORDER BY number
                """,
                (artifact_id,),
            ).fetchall()
            text_of = read_blocks(connection, (row[1] for row in rows))
            found = tuple(
                ArtifactVersion(artifact_id, number, _readable(text_of, block), author, created, message_id)
                for number, block, author, created, message_id in rows
            )
        # there always is a newest one, also where an archive or a damaged file has none
        return found or (ArtifactVersion(artifact_id, 0, _LOST, "user", artifact.created),)

    def items(
        self, wanted: Sequence[SearchTerm], since: str | None, until: str | None, number: int
    ) -> Sequence[FoundItem] | None:
        """Those that hold every word in the slice with this number, last updated first; None: there are no more."""
        with self._transactions.read_plain() as connection:
            values = (since or "", until or "~", LOOKED_INTO, number * LOOKED_INTO)
            rows = connection.execute(_NEWEST, values).fetchall()
            text_of = read_blocks(connection, (row[-1] for row in rows), LOOKED_AT)
        found: list[FoundItem] = []
        for artifact_id, thread_id, title, thread, markdown, block in rows:
            text = _readable(text_of, block)
            if _holds(f"{title}\n\n{text}", wanted):
                shown = snippet(text, wanted, markdown=bool(markdown))
                found.append(FoundItem("artifact", artifact_id, thread_id, title, thread, shown.text, shown.marks))
        return found if rows else None

    def delete(self, artifact_id: str) -> None:
        with self._transactions.write_plain() as connection:
            _one(connection, artifact_id)
            _mark(connection, "artifact", artifact_id, now())

    def restore(self, artifact_id: str) -> None:
        with self._transactions.write_plain() as connection:
            if connection.execute("SELECT 1 FROM artifact WHERE id = ?", (artifact_id,)).fetchone() is None:
                raise _unknown(artifact_id)
            _mark(connection, "artifact", artifact_id, None)


def _holds(text: str, wanted: Sequence[SearchTerm]) -> bool:
    folded = fold(text)  # most are not about it, which is seen at once
    words = (run in folded for one in wanted for run in one.runs)
    return all(words) and all(snippet(text, (one,)).marks for one in wanted)


def _readable(text_of: Callable[[int], str], block: int) -> str:
    try:
        return text_of(block)
    except UNREADABLE:
        return _LOST


def _read(connection: sqlite3.Connection, condition: str, *values: object) -> Sequence[Artifact]:
    return tuple(map(_artifact, connection.execute(_SELECT + condition, values).fetchall()))


def _artifact(row: Any) -> Artifact:
    artifact_id, thread_id, title, kind, language, pinned, versions, created, updated = row
    return Artifact(artifact_id, thread_id, title, kind, language, bool(pinned), versions, created, updated)


def _one(connection: sqlite3.Connection, artifact_id: str) -> Artifact:
    if not (found := _read(connection, " AND artifact.id = ?", artifact_id)):
        raise _unknown(artifact_id)
    return found[0]


def _write(connection: sqlite3.Connection, artifact: Artifact) -> int:
    """Writes the facts; the artifact's key. One that was deleted, or is of a deleted thread, is unknown."""
    thread = live_thread(connection, artifact.thread_id)
    values = (artifact.id, thread.key, storable_text(artifact.title), artifact.kind, storable_text(artifact.language),
              artifact.pinned, artifact.created, artifact.updated)  # fmt: skip
    connection.execute(_WRITE, (*values, *tick(connection)))
    key, deleted = connection.execute("SELECT key, deleted FROM artifact WHERE id = ?", (artifact.id,)).fetchone()
    if deleted is not None:
        raise _unknown(artifact.id)
    return int(key)


def _unknown(artifact_id: str) -> UserError:
    shown = artifact_id if len(artifact_id) <= LONGEST_SHOWN else f"{artifact_id[:LONGEST_SHOWN]}…"
    words = phrase("There is no artifact {artifact_id}. `plimsoll artifact list` lists them.", artifact_id=shown)
    return UserError("usage", words)


def add_artifacts(
    connection: sqlite3.Connection,
    blocks: BlockStore,
    thread_key: int,
    imported: ImportedThread,
    names: Mapping[str, str],
) -> None:
    """Adds what is new, inside the caller's write; `names`: the ids under which messages stand in the file.

    An artifact that the user deleted, or that belongs to another thread, stays as it is.
    """
    for one in imported.artifacts:
        artifact = one.artifact
        found = connection.execute(
            "SELECT key, thread_key, deleted FROM artifact WHERE id = ?", (artifact.id,)
        ).fetchone()
        if found is None:
            title, language = storable_text(artifact.title), storable_text(artifact.language)
            values = (artifact.id, thread_key, title, artifact.kind, language, artifact.pinned, artifact.created)
            key, newest = connection.execute(_WRITE, (*values, artifact.updated, *tick(connection))).lastrowid, 0
        elif found[1] != thread_key or found[2] is not None:
            continue
        else:
            key = found[0]
            of_artifact = "SELECT coalesce(max(number), 0) FROM artifact_version WHERE artifact_key = ?"
            newest = connection.execute(of_artifact, (key,)).fetchone()[0]
        for version in one.versions[newest:]:
            message_id = None if version.message_id is None else names.get(version.message_id, version.message_id)
            connection.execute(
                "INSERT INTO artifact_version VALUES (?, ?, ?, ?, ?, ?)",
                (key, version.number, blocks.put(version.text), version.author, version.created, message_id),
            )


def remove_artifacts(connection: sqlite3.Connection, thread_key: int) -> None:
    """Takes out what an import that is undone had added to a thread of its own."""
    of_thread = "SELECT key FROM artifact WHERE thread_key = ?"
    connection.execute(f"DELETE FROM artifact_version WHERE artifact_key IN ({of_thread})", (thread_key,))
    connection.execute("DELETE FROM artifact WHERE thread_key = ?", (thread_key,))
