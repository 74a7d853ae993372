"""Brings projects, their documents and folders, and what belongs to no thread, from another history file into ours."""

from __future__ import annotations

import sqlite3
from collections.abc import Collection, Mapping
from types import MappingProxyType
from typing import Any, Final

from desktop_app.storage.device_clock import tick
from desktop_app.storage.merge_rows import Table
from desktop_app.storage.project_store import folded_name

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
) -> tuple[int, int]:
    """How many projects and documents are new; `threads`: our keys by theirs. Call inside a write.

    What is there stays; what has one of the ids `erased` was deleted here for good and does not come back. `newer`:
    what may change is taken from the other file, which is the younger one.
    """
    for device, clock in source.execute("SELECT id, clock FROM device WHERE clock BETWEEN 0 AND ?", (_LATEST,)):
        connection.execute("UPDATE device SET clock = max(clock, ?) WHERE id = ?", (clock, device))
    projects, new_projects = _merged(
        connection, source, "project", {}, erased, newer=newer, same=same_projects(connection, source)
    )
    documents, new_documents = _merged(connection, source, "project_document", projects, erased, newer=newer)
    _merged(connection, source, "followed_folder", projects, erased, newer=newer)
    files = Table(connection, "document_file")
    for row in files.rows(source, "document_file"):
        if row["document_key"] in documents:
            files.add(connection, row | {"document_key": documents[row["document_key"]]}, instead="OR IGNORE")
    left = Table(connection, "left_project")
    for row in left.rows(source, "left_project"):
        if row["thread_key"] in threads and row["project_key"] in projects:
            keys = {"thread_key": threads[row["thread_key"]], "project_key": projects[row["project_key"]]}
            left.add(connection, keys, instead="OR IGNORE")
    return new_projects, new_documents


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
    connection: sqlite3.Connection, source: sqlite3.Connection, erased: Collection[str], *, newer: bool
) -> int:
    """Prompts, and what counts and overflows have taught. How many prompts are new."""
    count = "SELECT count(*) FROM prompt"
    before = connection.execute(count).fetchone()[0]
    for name in _OF_NO_THREAD:
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
) -> tuple[dict[int, int], int]:
    """Our keys by theirs of a table whose rows have ids, and how many rows are new."""
    table, keys, new = Table(connection, name), dict[int, int](), 0
    for row in table.rows(source, f"{name} ORDER BY key"):
        theirs = row.pop("key")
        if row["id"] in erased:
            continue
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
