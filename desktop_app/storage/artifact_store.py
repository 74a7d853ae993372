"""Reads and writes artifacts and their versions, those of imported threads too."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from desktop_app.core.artifacts import Artifact, ArtifactVersion
from desktop_app.core.errors import UserError
from desktop_app.core.history_records import ImportedThread
from desktop_app.core.phrases import phrase
from desktop_app.storage.block_store import BlockStore, read_blocks
from desktop_app.storage.row_mapping import UNREADABLE, storable_text
from desktop_app.storage.sqlite_connection import Transactions, tick
from desktop_app.storage.thread_store import LONGEST_ID, LONGEST_SHOWN, live_thread, now

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
_LOST = "This version can't be read: the history file is damaged here. A backup may still have it."


class ArtifactStore:
    """The artifacts of the history file."""

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
        exact = [one for one in found if one.id == prefix]
        if len(exact or found) > 1:
            raise UserError(
                "usage",
                phrase(
                    "{found} artifacts start with {prefix}. Give more characters of the ID.",
                    found=len(found),
                    prefix=prefix,
                ),
            )
        if not found:
            raise _unknown(prefix)
        return (exact or found)[0]

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

    def delete(self, artifact_id: str) -> None:
        with self._transactions.write_plain() as connection:
            _one(connection, artifact_id)
            _mark(connection, artifact_id, now())

    def restore(self, artifact_id: str) -> None:
        with self._transactions.write_plain() as connection:
            if connection.execute("SELECT 1 FROM artifact WHERE id = ?", (artifact_id,)).fetchone() is None:
                raise _unknown(artifact_id)
            _mark(connection, artifact_id, None)


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
    found = _read(connection, " AND artifact.id = ?", artifact_id)
    if not found:
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


def _mark(connection: sqlite3.Connection, artifact_id: str, deleted: str | None) -> None:
    values = (deleted, *tick(connection), artifact_id)
    connection.execute("UPDATE artifact SET deleted = ?, device = ?, clock = ? WHERE id = ?", values)


def _unknown(artifact_id: str) -> UserError:
    shown = artifact_id if len(artifact_id) <= LONGEST_SHOWN else f"{artifact_id[:LONGEST_SHOWN]}…"
    return UserError(
        "usage",
        phrase("There is no artifact {artifact_id}. `plimsoll artifact list` lists them.", artifact_id=shown),
    )


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
            values = (artifact.id, thread_key, title, artifact.kind, language, artifact.pinned)
            key = connection.execute(
                """
                INSERT INTO artifact (id, thread_key, title, kind, language, pinned, created, updated, device, clock)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                """,
                (*values, artifact.created, artifact.updated, *tick(connection)),
            ).lastrowid
            newest = 0
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
