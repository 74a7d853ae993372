from __future__ import annotations

import asyncio
import random
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from desktop_app.core.errors import HistoryDamagedError, UserError
from desktop_app.core.history_records import HistoryRepair, ImportedThread, TrashItem
from desktop_app.core.messages import Message, TextPart
from desktop_app.storage.backup import back_up
from desktop_app.storage.erasure_store import erase_in_copy, erase_items
from desktop_app.storage.history_repair import repair_history
from desktop_app.storage.repair_marks import ask_for_look, needs_look, repaired_file
from desktop_app.storage.sqlite_connection import connect
from desktop_app.storage.sqlite_history import SqliteHistory
from tests.storage.conftest import TIME, Talk, a_thread, opened
from tests.storage.whole_histories import everything, fill, made_at

PAGE = 4096


@pytest.fixture
async def backup(path: Path) -> Path:
    """A history with a backup of its first half, closed."""
    await made_at(path, 1, 2)
    kept = path.parent / "backups" / "kept.db"
    with closing(sqlite3.connect(path)) as connection:
        back_up(connection, kept)
    async with opened(path) as history:
        await fill(history, 3)
        await history.create_thread(a_thread("long"))
        said = "with words enough to fill a page of the file " * 4
        messages = [
            Message(
                f"m{number}",
                "long",
                f"m{number - 1}" if number else None,
                "user",
                (TextPart(f"{number} {said}"),),
                TIME,
            )
            for number in range(300)
        ]
        await history.import_threads([ImportedThread("export/long", a_thread("long", tip="m299"), tuple(messages))])
    return kept


async def all_of(path: Path) -> dict[str, Any]:
    async with opened(path) as history:
        return await everything(history)


def damage(path: Path, at: int, content: bytes) -> None:
    with path.open("r+b") as file:
        file.seek(at)
        file.write(content)


def kept_aside(path: Path) -> list[Path]:
    return [one for one in path.parent.glob("*-damaged-*") if not one.name.endswith(("-wal", "-shm"))]


HEADERS: dict[str, Callable[[Path], None]] = {
    "header of zeros": lambda path: damage(path, 0, b"\0" * 100),
    "header of noise": lambda path: damage(path, 0, random.Random(1).randbytes(100)),
    "first page of noise": lambda path: damage(path, 0, random.Random(2).randbytes(PAGE)),
    "a format that can't be": lambda path: damage(path, 60, b"\x32\x78\x8a\x8a"),
    "no application id": lambda path: damage(path, 68, b"\0" * 4),
    "schema of noise": lambda path: damage(path, 100, random.Random(3).randbytes(PAGE - 100)),
}


@pytest.mark.parametrize("change", HEADERS.values(), ids=HEADERS)
async def test_a_damaged_beginning_costs_nothing(path: Path, backup: Path, change: Callable[[Path], None]) -> None:
    before = await all_of(path)
    change(path)
    damaged = path.read_bytes()
    found = repair_history(path, [backup])
    assert found is not None
    assert await all_of(path) == before
    assert (found.missing, found.unreadable) == (0, 0)
    assert [one.read_bytes() for one in kept_aside(path)] == [damaged]
    assert found.aside == kept_aside(path)[0].name
    assert repair_history(path, [backup]) is None


@pytest.mark.parametrize("seed", range(12))
async def test_of_damaged_pages_only_what_stood_there_is_lost(path: Path, backup: Path, seed: int) -> None:
    before = await all_of(path)
    made = random.Random(seed)
    size = path.stat().st_size
    for _ in range(3):
        damage(path, made.randrange(PAGE, size - PAGE) // PAGE * PAGE, made.randbytes(PAGE))
    found = repair_history(path, [backup])
    after = await all_of(path)
    if found is None:  # pages that nothing stood in
        assert after == before
        return
    old = await all_of(backup)
    threads = [one for one in old if one.startswith("thread")]
    assert set(threads) <= set(after)
    for one in threads:  # what the backup had of messages is all there
        assert set(old[one][1]) <= set(after[one][1])
    lost = set(before["long"][1]) - set(after.get("long", before["long"])[1])
    if "long" in after:
        assert len(lost) < 150
    assert found.messages > 0


async def test_a_truncated_file_gives_what_is_left_of_it(path: Path, backup: Path) -> None:
    size = path.stat().st_size
    with path.open("r+b") as file:
        file.truncate(size * 9 // 10 // PAGE * PAGE + 100)
    found = repair_history(path, [backup])
    assert found is not None
    assert found.kind == "damaged"
    after = await all_of(path)
    assert {one for one in await all_of(backup) if one.startswith("thread")} <= set(after)
    assert found.salvaged > 0


@pytest.mark.parametrize("content", [b"", b"not a database at all\n" * 500], ids=["emptied", "foreign"])
async def test_what_is_no_history_makes_room_for_the_backup(path: Path, backup: Path, content: bytes) -> None:
    expected = await all_of(backup)
    shutil.copyfile(backup, backup.with_name("second.db"))
    path.write_bytes(content)
    found = repair_history(path, [backup.with_name("second.db")])
    assert found is not None
    assert found.kind == ("foreign" if content else "emptied")
    assert await all_of(path) == expected
    assert [one.read_bytes() for one in kept_aside(path)] == [content]


async def test_another_programs_database_is_set_aside_untouched(path: Path, backup: Path) -> None:
    path.unlink()
    with closing(sqlite3.connect(path)) as other:
        other.execute("CREATE TABLE bookmark (url TEXT)")
        other.execute("INSERT INTO bookmark VALUES ('x')")
        other.commit()
    content = path.read_bytes()
    found = repair_history(path, [])
    assert found is not None
    assert (found.kind, found.threads, found.backup) == ("foreign", 0, "")
    assert [one.read_bytes() for one in kept_aside(path)] == [content]
    async with opened(path) as history:
        assert list(await history.threads()) == []


async def test_a_newer_format_stays_refused_and_where_it_is(path: Path, backup: Path) -> None:
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA user_version = 4711")
    with pytest.raises(UserError, match="newer version"):
        repair_history(path, [backup])
    assert kept_aside(path) == []


async def test_a_damaged_index_is_built_anew_and_nothing_is_missing(path: Path, backup: Path) -> None:
    before = await all_of(path)
    with closing(sqlite3.connect(path)) as connection:
        root = "SELECT rootpage FROM sqlite_master WHERE name = 'message_by_thread'"
        page = connection.execute(root).fetchone()[0]
        connection.execute("PRAGMA journal_mode = DELETE")
    damage(path, (page - 1) * PAGE + 50, b"\xff" * 3000)
    found = repair_history(path, [backup])
    assert found is not None
    assert (found.kind, found.missing, found.unreadable) == ("index", 0, 0)
    assert await all_of(path) == before


async def test_what_only_the_wal_has_is_not_lost(path: Path, backup: Path) -> None:
    history = await SqliteHistory.open(path, quiet_s=None)
    await fill(history, 9)
    expected = await everything(history)
    copy = path.parent / "copy.db"
    for ending in ("", "-wal"):
        shutil.copyfile(f"{path}{ending}", f"{copy}{ending}")
    await history.close()
    copy.write_bytes(b"")
    found = repair_history(copy, [backup])
    assert found is not None
    after = await all_of(copy)
    assert {one for one in expected if one.startswith("thread9")} <= set(after)
    assert Path(f"{kept_aside(copy)[0]}-wal").exists()


async def test_a_backup_that_is_not_good_is_passed_over(path: Path, backup: Path) -> None:
    bad = backup.with_name("bad.db")
    shutil.copyfile(backup, bad)
    damage(bad, PAGE * 2, b"\xff" * PAGE)
    path.write_bytes(b"")
    found = repair_history(path, [bad, backup])
    assert found is not None
    assert found.backup == str(backup)


async def test_a_repair_that_was_ended_half_way_is_finished(
    path: Path, backup: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = await all_of(path)
    damage(path, 0, b"\0" * 100)

    def killed(_: Path) -> str:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr("desktop_app.storage.history_repair._set_aside", killed)
        with pytest.raises(KeyboardInterrupt):
            repair_history(path, [backup])
    assert needs_look(path)
    assert repaired_file(path).exists()
    left = path.with_name(f".{path.name}-repair-left")  # as a kill leaves it
    left.mkdir()
    (left / "damaged.db").write_bytes(b"private")
    assert repair_history(path, []) is not None
    assert not left.exists()
    assert await all_of(path) == before
    assert not needs_look(path)


def test_one_that_another_process_has_open_is_left_alone(path: Path) -> None:
    asyncio.run(made_at(path, 1))
    opening = f"import sqlite3; c = sqlite3.connect({str(path)!r}); c.execute('SELECT 1 FROM thread')"
    command = [sys.executable, "-c", f"{opening}; print(1, flush=True); input()"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as other:
        assert other.stdout is not None
        assert other.stdout.readline() == "1\n"
        damage(path, 40, b"\xff" * 20)
        with pytest.raises(UserError, match="another Plimsoll has it open"):
            repair_history(path, [])
        other.communicate("\n")
    assert kept_aside(path) == []


async def test_a_file_that_is_whole_is_left_as_it_is(path: Path, backup: Path) -> None:
    content = path.read_bytes()
    ask_for_look(path)
    assert needs_look(path)
    assert repair_history(path, [backup]) is None
    assert path.read_bytes() == content
    assert not needs_look(path)


async def test_opening_a_damaged_file_says_so(path: Path, backup: Path) -> None:
    damage(path, 0, b"\0" * 100)
    with pytest.raises(HistoryDamagedError):
        await SqliteHistory.open(path)


async def test_what_was_deleted_for_good_since_the_backup_does_not_come_back(path: Path, backup: Path) -> None:
    with closing(connect(path)) as connection:
        (gone,) = connection.execute("SELECT min(id) FROM thread WHERE deleted IS NULL").fetchone()
        erase_items(connection, [TrashItem("thread", gone, "", "")], [])
    damage(path, 0, b"\0" * 100)
    assert repair_history(path, [backup]) is not None
    async with opened(path) as history:
        assert gone not in {one.thread.id for one in await history.threads()}
    with sqlite3.connect(path) as repaired:
        assert repaired.execute("SELECT 1 FROM message WHERE id LIKE 'q1-%'").fetchone() is not None
        assert repaired.execute("SELECT 1 FROM thread WHERE id = ?", (gone,)).fetchone() is None
    repaired.close()


async def test_a_thread_that_came_back_since_it_was_deleted_for_good_stays(path: Path, backup: Path) -> None:
    gone = "thread1-0"
    with closing(connect(path)) as connection:
        erase_items(connection, [TrashItem("thread", gone, "", "")], [])
    async with opened(path) as history:
        await history.merge(backup, [gone])
    damage(path, 0, b"\0" * 100)
    assert repair_history(path, [backup]) is not None
    assert gone in await all_of(path)


async def test_what_copies_were_cleaned_of_does_not_come_back_with_them(path: Path, backup: Path) -> None:
    gone = "thread1-0"
    assert gone in await all_of(backup)
    erase_in_copy(backup, {"thread": [gone]})
    path.unlink()
    found = repair_history(path, [backup])
    assert found is not None
    assert (found.kind, found.aside) == ("missing", "")
    restored = await all_of(path)
    assert gone not in restored
    assert "thread1-1" in restored


def test_what_is_said_names_all_that_is_known() -> None:
    from desktop_app.core.history_records import repair_sentences

    told = repair_sentences(HistoryRepair("damaged", 3, 12, 4, 2, 1, "/b/x.db", "2026-11-20T10:00:00+00:00", "old.db"))
    assert [str(one) for one in told] == [
        "The history file was damaged. It was repaired.",
        "The backup of 2026-11-20 10:00 UTC was restored.",
        "Messages read from the damaged file: 4.",
        "Threads now: 3. Messages: 12.",
        "Messages missing: 2.",
        "Messages or requests without their text: 1.",
        "The old file is kept as old.db.",
    ]


def spoil_blocks(path: Path) -> int:
    """Changes a byte of each text that is stored once: SQLite finds nothing wrong with that."""
    with closing(sqlite3.connect(path)) as connection, connection:
        rows = connection.execute("SELECT key, data FROM block").fetchall()
        changed = [(data[:20] + bytes([data[20] ^ 255]) + data[21:], key) for key, data in rows]
        connection.executemany("UPDATE block SET data = ? WHERE key = ?", changed)
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        return len(rows)


async def test_damaged_texts_come_back_from_any_backup(path: Path, backup: Path) -> None:
    before = await all_of(path)
    newer = backup.with_name("newer.db")
    with closing(sqlite3.connect(path)) as connection:
        back_up(connection, newer)
    with closing(sqlite3.connect(backup)) as connection:
        (half,) = connection.execute("SELECT max(key) FROM block").fetchone()
    spoil_blocks(path)
    with closing(sqlite3.connect(newer)) as connection, connection:
        connection.execute("UPDATE block SET data = x'00' WHERE key <= ?", (half,))
    found = repair_history(path, [newer, backup])
    assert found is not None
    assert (found.kind, found.missing, found.unreadable) == ("texts", 0, 0)
    assert await all_of(path) == before
    assert repair_history(path, [newer, backup]) is None


async def test_texts_that_no_backup_has_cost_what_they_are_part_of(path: Path, backup: Path) -> None:
    before, old = await all_of(path), await all_of(backup)
    assert spoil_blocks(path) > 10
    found = repair_history(path, [backup])
    assert found is not None
    assert found.kind == "damaged"
    assert found.unreadable > 0
    after = await all_of(path)
    assert after.keys() == before.keys()
    for one in old:
        if one.startswith("thread"):
            assert set(old[one][1]) <= set(after[one][1])
    assert repair_history(path, [backup]) is None


@pytest.mark.parametrize("column", ["request.body", "document_text_part.data"])
async def test_what_is_stored_compressed_is_looked_into(path: Path, backup: Path, column: str) -> None:
    table, name = column.split(".")
    before = await all_of(backup)
    with closing(sqlite3.connect(path)) as connection, connection:
        changed = connection.execute(
            f"UPDATE {table} SET {name} = CAST(substr({name}, 1, 12) || x'ff' || substr({name}, 14) AS BLOB)"
        )
        assert changed.rowcount > 0
    found = repair_history(path, [backup])
    assert found is not None
    assert repair_history(path, [backup]) is None
    assert before.keys() <= (await all_of(path)).keys()


async def test_a_damaged_request_is_none_and_the_next_turn_is_not_built_on_it(path: Path) -> None:
    request: dict[str, Any] = {"system": "You know the tides. " * 20, "messages": []}
    async with opened(path) as history:
        await history.create_thread(a_thread())
        await Talk(history).turn("first", "answer", request=request)
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("UPDATE request SET body = x'00'")
    async with opened(path) as history:
        await history.prepare_turn("thread")
        assert await history.request("a1") is None
        talk = Talk(history, tip="a1")
        answer = await talk.begin("second", request=request, name="2")
        await talk.end(answer, TextPart("answer"))
        assert await history.request("a2") == request
    assert repair_history(path, []) is not None
    async with opened(path) as history:
        assert await history.request("a2") == request
