"""An export names the project of a thread; an import finds it by that name, or makes it."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

import pytest

from desktop_app.controller.ports import Announcements
from desktop_app.controller.transfer import Transfer
from desktop_app.core.errors import UserError
from desktop_app.core.history_records import ImportedThread
from desktop_app.core.messages import Message, TextPart, Thread
from desktop_app.core.projects import Project
from desktop_app.storage.sqlite_history import SqliteHistory, SqliteImport
from tests.controller.exporting import thread_export

AT = "2026-03-01T10:00:00.000Z"


@pytest.fixture
async def file(tmp_path: Path) -> Path:
    """An export of two threads in a project and one in none."""
    history = await SqliteHistory.open(tmp_path / "first" / "history.db")
    await history.projects.save(Project("p1", "Harbour"))
    for number, project in enumerate(("p1", "p1", None)):
        thread = Thread(f"t{number}", "Talk", AT, AT, project=project, tip=f"m{number}")
        message = Message(f"m{number}", thread.id, None, "user", (TextPart("How deep?"),), AT)
        await history.import_threads([ImportedThread(thread.id, thread, (message,))])
    (file,) = await thread_export(history).export(None, "json", tmp_path / "all.json")
    await history.close()
    return file


@pytest.fixture
async def other(tmp_path: Path) -> AsyncIterator[SqliteHistory]:
    history = await SqliteHistory.open(tmp_path / "other" / "history.db")
    yield history
    await history.close()


async def names(history: SqliteHistory) -> list[str | None]:
    """The name of each thread's project, by the thread's id."""
    called: dict[str | None, str] = {one.id: one.name for one in await history.projects.all()}
    summaries = sorted(await history.threads(), key=lambda summary: summary.thread.id)
    return [called.get(summary.thread.project) for summary in summaries]


async def test_an_export_holds_the_name(file: Path) -> None:
    assert [one["project"] for one in json.loads(file.read_text())["threads"]] == ["Harbour", "Harbour", None]


async def test_an_import_makes_the_project_once(file: Path, other: SqliteHistory) -> None:
    await Transfer(other, Announcements()).import_files([file])
    assert await names(other) == ["Harbour", "Harbour", None]
    (made,) = await other.projects.all()
    await other.projects.save(replace(made, name="Port"))
    await Transfer(other, Announcements()).import_files([file])
    assert [one.name for one in await other.projects.all()] == ["Port"], "what is there already stays where it is"


async def test_two_imports_at_once_bring_each_thread_once(file: Path, other: SqliteHistory) -> None:
    transfer = Transfer(other, Announcements())
    first, second = await asyncio.gather(transfer.import_files([file]), transfer.import_files([file]))
    assert first.threads + second.threads == 3
    assert len(await other.threads()) == 3
    assert [one.name for one in await other.projects.all()] == ["Harbour"]


async def test_an_import_finds_the_project_whatever_the_case_of_letters(file: Path, other: SqliteHistory) -> None:
    await other.projects.save(Project("p9", "hARBOUR"))
    await Transfer(other, Announcements()).import_files([file])
    assert await names(other) == ["hARBOUR", "hARBOUR", None]


async def test_an_import_that_fails_leaves_no_project(
    file: Path, other: SqliteHistory, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def fails(*_: object) -> None:
        raise UserError("store", "The disk is full.")

    monkeypatch.setattr(SqliteImport, "finish", fails)
    with pytest.raises(UserError):
        await Transfer(other, Announcements()).import_files([file])
    assert await other.projects.all() == []
