from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from desktop_app.core.errors import UserError
from desktop_app.core.phrases import Phrase, phrase
from desktop_app.core.projects import FollowedFolder, Project, ProjectDocument
from desktop_app.storage.sqlite_history import SqliteHistory
from tests.storage.conftest import TIME, a_thread, opened
from tests.storage.sql_work import connection_of, in_store

HARBOUR = Project("p1", "Harbour", "Answer from the plans.", "scripted", "echo", 90_000, TIME, TIME)
PLAN = ProjectDocument(
    *("d1", "p1", "plan.txt", "text/plain", 12, "ab" * 32, 3, 0, 1, "always", "ready"),
    note=phrase("Read by OCR, {pages} pages.", pages=3), path="/plans/plan.txt", modified=TIME, added=TIME,
)  # fmt: skip


async def test_a_project_is_written_read_and_written_again(history: SqliteHistory, path: Path) -> None:
    await history.projects.save(HARBOUR)
    await history.projects.save(Project("p2", "aft", searches_threads=False, archived=True))
    changed = replace(HARBOUR, name="Port", soft_limit=None, backend=None)
    await history.projects.save(changed)
    assert await history.projects.one("p1") == changed
    async with opened(path) as again:
        assert [one.name for one in await again.projects.all()] == ["aft", "Port"]
        assert await again.projects.find("  pORT ") == changed
        assert await again.projects.find("Harbour") is None


async def test_what_is_unknown_is_said_to_be(history: SqliteHistory) -> None:
    await history.projects.save(HARBOUR)
    for asking in (
        history.projects.one("p9"),
        history.projects.delete("p9"),
        history.projects.restore("p9"),
        history.projects.documents("p9"),
        history.projects.folders("p9"),
        history.projects.save_documents([replace(PLAN, project_id="p9")]),
        history.projects.save_folder(FollowedFolder("f", "p9", "/plans")),
        history.projects.delete_folder("f9"),
        history.projects.delete_documents(["d9"]),
        history.projects.search_documents("p9", "quay"),
        history.projects.passage("p9", "abababab00-1"),
    ):
        with pytest.raises(UserError) as refused:
            await asking
        assert refused.value.failure.code == "usage"


async def test_threads_leave_a_deleted_project_and_come_back_with_it(history: SqliteHistory) -> None:
    await history.projects.save(HARBOUR)
    await history.projects.save(Project("p2", "Sails"))
    for number in range(1, 5):
        await history.create_thread(replace(a_thread(f"t{number}"), project="p1"))
    await history.projects.delete("p1")
    assert {one.thread.project for one in await history.threads()} == {None}
    assert [one.id for one in await history.projects.all()] == ["p2"]
    await history.update_thread(replace(await history.thread("t1"), title="Renamed meanwhile"))
    await history.update_thread(replace(await history.thread("t2"), project="p2"))
    await history.delete_thread("t3")
    with pytest.raises(UserError):
        await history.projects.save(HARBOUR)
    await history.projects.restore("p1")
    await history.restore_thread("t3")
    projects = {one.thread.id: one.thread.project for one in await history.threads()}
    assert projects == {"t1": "p1", "t2": "p2", "t3": "p1", "t4": "p1"}
    assert await history.projects.one("p1") == HARBOUR


async def test_documents_go_and_come_back(history: SqliteHistory) -> None:
    await history.projects.save(HARBOUR)
    failed = ProjectDocument("d2", "p1", "b.pdf", state="failed", error=phrase("{name} is locked.", name="b.pdf"))
    await history.projects.save_documents([PLAN, failed])
    listed = await history.projects.documents("p1")
    assert listed == (failed, PLAN)
    assert isinstance(listed[0].error, Phrase)
    assert isinstance(listed[1].note, Phrase)
    await history.projects.delete_documents(["d1"])
    assert await history.projects.documents("p1") == (failed,)
    with pytest.raises(UserError):
        await history.projects.delete_documents(["d2", "d9"])
    assert await history.projects.documents("p1") == (failed,)
    await history.projects.restore_documents(["d1"])
    await history.projects.save_documents([replace(PLAN, mode="search", state="missing")])
    assert await history.projects.documents("p1") == (failed, replace(PLAN, mode="search", state="missing"))


async def test_one_wrong_document_of_many_writes_none(history: SqliteHistory) -> None:
    await history.projects.save(HARBOUR)
    with pytest.raises(UserError):
        await history.projects.save_documents([PLAN, replace(PLAN, id="d2", project_id="p9")])
    assert await history.projects.documents("p1") == ()


async def test_followed_folders(history: SqliteHistory) -> None:
    await history.projects.save(HARBOUR)
    folder = FollowedFolder("f1", "p1", "/plans/Häfen")
    await history.projects.save_folder(folder)
    assert await history.projects.folders("p1") == (folder,)
    await history.projects.delete_folder("f1")
    assert await history.projects.folders("p1") == ()
    await history.projects.save_folder(folder)
    assert await history.projects.folders("p1") == (folder,)


async def test_every_write_carries_the_device_and_a_later_clock(history: SqliteHistory) -> None:
    await history.projects.save(HARBOUR)
    await history.projects.save_documents([PLAN])
    await history.projects.save_folder(FollowedFolder("f1", "p1", "/plans"))
    await history.projects.save(HARBOUR)
    rows = await in_store(
        history,
        lambda store: [
            connection_of(store).execute(f"SELECT device, clock FROM {table}").fetchone()
            for table in ("project_document", "followed_folder", "project")
        ],
    )
    assert len({device for device, _ in rows}) == 1
    assert len(rows[0][0]) == 32
    assert [clock for _, clock in rows] == sorted({clock for _, clock in rows})
