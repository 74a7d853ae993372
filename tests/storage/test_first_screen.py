from __future__ import annotations

import random
import shutil
import sqlite3
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from desktop_app.core.history_records import ImportedThread
from desktop_app.core.messages import Message, TextPart, UnknownPart
from desktop_app.core.projects import Project
from desktop_app.storage import first_screen
from desktop_app.storage.first_screen import FirstScreen, read_first_screen
from desktop_app.storage.sqlite_history import SqliteHistory
from tests.data.db import build
from tests.patience import PATIENCE_S
from tests.storage.conftest import TIME, Talk, a_thread
from tests.storage.sql_work import in_sql

LONG = "the harbour at night " * 20


async def test_it_shows_what_the_history_holds(path: Path, history: SqliteHistory, talk: Talk) -> None:
    for number in range(5):
        await talk.turn(f"question {number} " + LONG, "answer " + LONG)
    await history.create_thread(a_thread("archived", updated="2030"))
    await history.update_thread(replace(a_thread("archived"), archived=True))
    screen = read_first_screen(path, tail=3)
    assert screen is not None
    assert screen.threads == await history.threads()
    assert screen.thread == await history.thread("thread")
    assert screen.path_tail == tuple(await history.messages("thread"))[-3:]
    assert screen.path_length == 10


async def test_projects_are_called_by_their_names_and_in_a_file_of_before_by_what_threads_hold(
    path: Path, history: SqliteHistory, tmp_path: Path
) -> None:
    await history.projects.save(Project("p1", "Harbour"))
    await history.projects.save(Project("p2", "Gone"))
    await history.projects.delete("p2")
    screen = read_first_screen(path)
    assert screen is not None
    assert screen.projects == {"p1": "Harbour"}
    older = read_first_screen(build.FOLDER / "projects-v8.sqlite")
    assert older is not None
    assert older.projects == {}
    assert {one.thread.project for one in older.threads} == {"Harbour", "harbour", "Übersicht", "ÜBERSICHT", None,
                                                            "Archive"}  # fmt: skip


async def test_a_named_thread_is_shown_and_an_unknown_one_gives_the_last(path: Path, history: SqliteHistory) -> None:
    for name in ("a", "b"):
        await history.create_thread(a_thread(name))
    shown = {wish: read_first_screen(path, thread_id=wish) for wish in ("a", "gone", None)}
    assert [screen and screen.thread and screen.thread.id for screen in shown.values()] == ["a", "b", "b"]


async def test_of_very_many_threads_the_last_the_pinned_and_the_open_one_are_read(
    path: Path, history: SqliteHistory, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(9):
        thread = a_thread(f"t{number}", updated=f"2026-03-0{number + 1}T10:00:00.000Z")
        await history.create_thread(replace(thread, pinned=number == 1))
    monkeypatch.setattr(first_screen, "LISTED", 3)
    screen = read_first_screen(path, thread_id="t4")
    assert screen is not None
    assert [one.thread.id for one in screen.threads] == ["t8", "t7", "t6", "t4", "t1"]
    assert screen.thread is not None
    assert screen.thread.id == "t4"


async def test_an_empty_history_has_an_empty_screen(path: Path, history: SqliteHistory) -> None:
    assert read_first_screen(path) == FirstScreen((), None, (), 0)


async def test_unknown_parts_are_there_too(path: Path, history: SqliteHistory, talk: Talk) -> None:
    await talk.end(await talk.begin("q"), UnknownPart({"type": "video", "data": LONG}))
    screen = read_first_screen(path)
    assert screen is not None
    assert screen.path_tail[-1].parts == (UnknownPart({"type": "video", "data": LONG}),)


@pytest.mark.parametrize("content", [None, b"", b"not a database, but long enough to be looked at " * 40])
def test_a_file_that_is_none_gives_none(tmp_path: Path, content: bytes | None) -> None:
    path = tmp_path / "history.db"
    if content is not None:
        path.write_bytes(content)
    assert read_first_screen(path) is None
    assert path.exists() == (content is not None)


@pytest.mark.parametrize("frozen", sorted(build.FOLDER.glob("v*.sqlite")), ids=lambda file: str(file.stem))
def test_a_file_of_every_format_is_shown_before_it_is_migrated(frozen: Path, path: Path) -> None:
    path.parent.mkdir()
    shutil.copy(frozen, path)
    before = path.read_bytes()
    screen = read_first_screen(path, thread_id=build.THREAD.id)
    assert screen is not None
    assert screen.thread == build.THREAD
    assert screen.path_tail == build.MESSAGES
    curated = [summary.thread for summary in screen.threads if summary.thread.id == build.CURATED.id]
    assert curated == ([] if frozen.stem == "v1" else [build.CURATED])
    assert path.read_bytes() == before
    assert not (path.parent / "backups").exists()


async def test_a_newer_file_and_a_damaged_one_give_none(path: Path, history: SqliteHistory, talk: Talk) -> None:
    await talk.turn("q", "a" * 50_000)
    await in_sql(history, lambda connection: connection.execute("PRAGMA user_version = 99"))
    assert read_first_screen(path) is None
    await in_sql(history, lambda connection: connection.execute("PRAGMA user_version = 2"))
    await history.close()
    assert read_first_screen(path) is not None
    data = path.read_bytes()
    path.write_bytes(data[:4096] + b"\xff" * (len(data) - 4096))
    assert read_first_screen(path) is None


def test_it_needs_no_sqlmodel() -> None:
    code = (
        "import sys, desktop_app.storage.first_screen, desktop_app.storage.sqlite_history;"
        "print('sqlalchemy' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=PATIENCE_S)
    assert done.stdout.strip() == "False"


@pytest.mark.slow
async def test_the_work_grows_no_faster_than_the_thread(
    path: Path, history: SqliteHistory, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`./dev bench storage` measures how long it takes."""
    steps: list[int] = []
    connect = sqlite3.connect

    def counted(*given: Any, **options: Any) -> sqlite3.Connection:
        connection: sqlite3.Connection = connect(*given, **options)
        connection.set_progress_handler(lambda: steps.append(1), 10)
        return connection

    async def work_for(count: int) -> int:
        name = f"t{count}"
        messages = tuple(
            Message(
                f"{name}-{number}",
                name,
                f"{name}-{number - 1}" if number else None,
                "user",
                (TextPart(f"{number} {LONG}"),),
                TIME,
            )
            for number in range(count)
        )
        await history.import_threads([ImportedThread(name, a_thread(name, tip=messages[-1].id), messages)])
        with monkeypatch.context() as patched:
            patched.setattr(sqlite3, "connect", counted)
            steps.clear()
            screen = read_first_screen(path, thread_id=name)
        assert screen is not None
        assert (screen.path_length, screen.path_tail[-1].id) == (count, messages[-1].id)
        return len(steps)

    assert await work_for(10_000) < 3 * await work_for(100), "only the end of the path is read"


@pytest.mark.parametrize("unit", ["words of an answer ", "é", "中"])
async def test_of_a_huge_answer_only_the_beginning_is_read(
    path: Path, history: SqliteHistory, talk: Talk, monkeypatch: pytest.MonkeyPatch, unit: str
) -> None:
    noise = "".join(map(chr, random.Random(1).choices(range(0x4E00, 0x9FA5), k=30_000)))
    for text in (unit * 200_000, noise):
        await talk.turn("question", text)
        monkeypatch.setattr(first_screen, "LONGEST_ANSWER", 20_001)
        screen = read_first_screen(path, tail=1)
        assert screen is not None
        assert screen.path_tail[0].text == text[:20_001]
        assert (await history.messages("thread", most=20_001))[-1].text == text[:20_001]
        assert (await history.messages("thread"))[-1].text == text, "an export has all of it"
