"""Writes the artifacts that come with imported threads; versions that are there already stay."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping

from desktop_app.core.history_records import ImportedThread
from desktop_app.storage.block_store import BlockStore
from desktop_app.storage.device_clock import tick
from desktop_app.storage.row_mapping import storable_text


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
