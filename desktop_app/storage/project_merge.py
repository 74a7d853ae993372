"""Brings projects, their documents and folders, and what belongs to no thread, from another history file into ours."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Callable, Collection, Mapping
from functools import partial
from pathlib import PurePosixPath
from types import MappingProxyType
from typing import Any, Final, TypeAlias

from desktop_app.core.projects import FollowedFolder
from desktop_app.storage.device_clock import tick
from desktop_app.storage.merge_rows import Table
from desktop_app.storage.project_store import folded_name

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
    path = PurePosixPath(row["path"])
    inside = (
        row["folder_id"] is not None and not path.is_absolute() and ".." not in path.parts and "\\" not in row["path"]
    )
    row["path"] = row["path"] if inside else ""
    if row["sha256"] and SHA256.fullmatch(row["sha256"]) is None:
        row["sha256"] = ""
    row["state"] = "missing" if row["folder_id"] is not None or row["sha256"] not in copies else "waiting"


def _unchosen(row: dict[str, Any]) -> None:
    """Of a stranger's folder only its name comes: it is followed once the user chooses it."""
    row["path"] = re.split(r"[/\\]", row["path"].rstrip("/\\"))[-1].strip(".:") or "folder"


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
