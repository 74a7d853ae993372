from __future__ import annotations

import os
import shutil
from pathlib import Path
from threading import Event

import pytest

from desktop_app.core.history_records import TrashItem
from desktop_app.core.projects import Project, ProjectDocument
from desktop_app.storage import erasure_store
from desktop_app.storage.backup import back_up
from desktop_app.storage.backup_folder import BackupFolder
from desktop_app.storage.migrations import check_history
from desktop_app.storage.sqlite_history import SqliteHistory
from tests.builders.document_texts import document_of, document_text
from tests.builders.leftovers import leftovers
from tests.data.db import build
from tests.storage.conftest import Talk, a_thread, opened
from tests.storage.sql_work import in_sql, in_store
from tests.storage.test_erasure import WORDS, a_thread_item, erase, fill, sound

PLAN = document_text("plan.txt", "wharfzorp is where the quay ends " * 20, "pierzorp and more of it " * 20)
SHARED_FILE = document_text("both.txt", "tidezorp comes and goes")


async def copied(history: SqliteHistory, path: Path, name: str) -> Path:
    copy = path.parent / "backups" / name
    await in_sql(history, lambda connection: back_up(connection, copy))
    return copy


async def test_backups_that_hold_it_are_named_and_cleaned(history: SqliteHistory, path: Path) -> None:
    before = await copied(history, path, "before.db")
    await fill(history)
    await history.create_thread(a_thread("kept"))
    await Talk(history, "kept").turn("keepzorp", "an answer", request={"m": ["keepzorp"]})
    await history.save_prompts([build.PROMPTS[0]])
    held = await copied(history, path, "held.db")
    os.utime(held, (1_700_000_000, 1_700_000_000))
    beside = path.with_name("history-saved-20260101T000000Z.db")
    shutil.copy(held, beside)
    assert await history.trash.copies() == ()
    await history.delete_prompt(build.PROMPTS[0].id)
    await erase(history, a_thread_item("gone"), *await history.trash.items())
    found = await history.trash.copies()
    assert [(one.path, one.items) for one in found] == [(str(held), 2), (str(beside), 2)]
    assert leftovers(path.parent, WORDS[:3])
    told: list[tuple[int, int]] = []
    assert await history.trash.erase_in_copies(lambda *now: told.append(now)) == ()
    assert told == [(0, 2), (1, 2)]
    assert leftovers(path.parent, WORDS) == []
    assert leftovers(path.parent, [build.PROMPTS[0].title]) == []
    assert {one.name for one in held.parent.iterdir()} == {"before.db", "held.db"}
    assert int(held.stat().st_mtime) == 1_700_000_000
    assert held.stat().st_mtime_ns != 1_700_000_000_000_000_000, "what is known of it is looked at again"
    assert held.stat().st_mode & 0o777 == 0o600
    check_history(held)
    check_history(before)
    async with opened(held) as restored:
        assert [one.text for one in await restored.messages("kept")] == ["keepzorp", "an answer"]
        await sound(restored)


async def test_a_copy_of_an_older_format_and_one_that_is_no_history(history: SqliteHistory, path: Path) -> None:
    backups = path.parent / "backups"
    backups.mkdir(exist_ok=True)
    shutil.copy(build.FOLDER / "v3.sqlite", backups / "history-format3-x.db")
    (backups / "foreign.db").write_bytes(b"nothing")
    shutil.copy(build.FOLDER / "v9.sqlite", path.with_name("other.sqlite"))
    await history.create_thread(build.THREAD)
    await erase(history, a_thread_item(build.THREAD.id))
    assert [Path(one.path).name for one in await history.trash.copies()] == ["history-format3-x.db"]
    assert await history.trash.erase_in_copies() == ()
    assert leftovers(backups, ["River and sea", "Let me look.", "And then?"]) == []
    check_history(backups / "history-format3-x.db")


async def test_a_copy_that_can_not_be_written_stays_as_it_was_and_is_named(
    history: SqliteHistory, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    await fill(history)
    held = await copied(history, path, "held.db")
    before = held.read_bytes()
    await erase(history, a_thread_item("gone"))

    def full(*_args: object, **_more: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(erasure_store, "back_up", full)
    assert [one.path for one in await history.trash.erase_in_copies()] == [str(held)]
    assert held.read_bytes() == before
    assert [one.name for one in held.parent.iterdir()] == ["held.db"]


async def test_what_a_killed_process_left_of_it_is_removed(history: SqliteHistory, path: Path) -> None:
    left = path.parent / "backups" / ".erasing-abc"
    left.mkdir(parents=True)
    (left / "history.db").write_text("titlezorp")
    erasure_store.remove_abandoned(left.parent)
    assert left.exists(), "it may be going on"
    os.utime(left, (0, 0))
    erasure_store.remove_abandoned(left.parent)
    assert not left.exists()


async def test_a_document_goes_with_its_text_unless_another_one_is_the_same_file(
    history: SqliteHistory, path: Path
) -> None:
    for project in ("p1", "p2"):
        await history.projects.save(Project(project, project))
        await history.projects.save_text(SHARED_FILE)
        await history.projects.save_documents([document_of(project, f"{project}.txt", SHARED_FILE)])
    await history.projects.save_text(PLAN)
    await history.projects.save_documents([document_of("p1", "planzorp.txt", PLAN, id="d7")])
    await history.projects.delete_documents(["d7", "id of p1.txt"])
    items = await history.trash.items()
    assert {(one.kind, one.title, one.inside) for one in items} == {
        ("document", "planzorp.txt", "p1"),
        ("document", "p1.txt", "p1"),
    }
    await erase(history, *items)
    assert await history.trash.unused_files() == [PLAN.sha256]
    assert leftovers(path.parent, ["wharfzorp", "pierzorp", "planzorp"]) == []
    await sound(history)
    assert [hit.document.id for hit in await history.projects.search_documents("p2", "tidezorp")] == ["id of p2.txt"]
    assert not await history.projects.has_text(PLAN.sha256)
    await history.projects.save_text(PLAN)  # it is added again
    await history.projects.save_documents([document_of("p2", "again.txt", PLAN)])
    assert [hit.document.id for hit in await history.projects.search_documents("p2", "wharfzorp")]
    assert await history.trash.unused_files() == (), "its copy is needed again"


async def test_a_project_goes_with_its_documents_and_its_threads_stay(history: SqliteHistory, path: Path) -> None:
    await history.projects.save(Project("p1", "portzorp", "orderzorp"))
    await history.projects.save_text(PLAN)
    await history.projects.save_documents([document_of("p1", "planzorp.txt", PLAN, id="d7")])
    await history.create_thread(a_thread("thread", project="p1"))
    await history.projects.delete("p1")
    (item,) = await history.trash.items()
    assert (item.kind, item.title) == ("project", "portzorp")
    await erase(history, item)
    assert leftovers(path.parent, ["portzorp", "orderzorp", "wharfzorp", "pierzorp", "planzorp"]) == []
    await sound(history)
    assert [one.thread.project for one in await history.threads()] == [None]


async def test_an_artifact_in_the_trash_is_restored_or_gone(history: SqliteHistory, path: Path) -> None:
    await fill(history)
    await history.artifacts.delete("art-gone")
    (item,) = await history.trash.items()
    assert (item.kind, item.title, item.inside, item.inside_id) == ("artifact", "artizorp", "titlezorp", "gone")
    await history.artifacts.restore("art-gone")
    assert await history.trash.items() == []
    await history.artifacts.delete("art-gone")
    await erase(history, item)
    assert leftovers(path.parent, ["artizorp"]) == []
    assert next(one.text for one in await history.messages("gone")).endswith("shortzorp")
    await sound(history)


async def test_a_document_with_no_file_is_no_trouble(history: SqliteHistory) -> None:
    await history.projects.save(Project("p1", "p1"))
    await history.projects.save_documents([ProjectDocument("d1", "p1", "waiting.txt")])
    await history.projects.delete_documents(["d1"])
    await erase(history, TrashItem("document", "d1", "waiting.txt", ""))
    assert await in_store(history, lambda store: dict(store.erasure.erased())) == {"document": ["d1"]}


async def test_a_damaged_copy_that_was_set_aside_is_named(history: SqliteHistory, path: Path) -> None:
    await fill(history, "gone-for-good-0123456789")
    copy = await copied(history, path, "held.db")
    aside = path.with_name(f"{path.name}.set-aside-20260101T000000Z")
    data = bytearray(copy.read_bytes())
    data[100:8192] = b"\xff" * (8192 - 100)
    aside.write_bytes(data)
    copy.unlink()
    await erase(history, a_thread_item("gone-for-good-0123456789"))
    assert [one.path for one in await history.trash.copies()] == [str(aside)]
    assert [one.path for one in await history.trash.erase_in_copies()] == [str(aside)]
    assert aside.read_bytes() == data


async def test_a_cleaned_backup_is_listed_as_it_is_now(history: SqliteHistory, path: Path) -> None:
    await fill(history)
    await history.create_thread(a_thread("kept"))
    folder = BackupFolder(path)
    folder.make(Event())
    assert [(one.threads, one.verified) for one in folder.all()] == [(2, True)]
    await erase(history, a_thread_item("gone"))
    assert await history.trash.erase_in_copies() == ()
    assert [(one.threads, one.verified) for one in folder.all()] == [(1, True)]
    assert leftovers(path.parent, WORDS) == []
