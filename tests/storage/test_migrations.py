from __future__ import annotations

import os
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from desktop_app.core.errors import UserError
from desktop_app.storage import backup
from desktop_app.storage.file_format import APPLICATION_ID, NEWEST
from desktop_app.storage.migration_steps import Migration
from desktop_app.storage.migrations import STEPS, migrate
from desktop_app.storage.sqlite_connection import connect
from desktop_app.storage.sqlite_history import SqliteHistory
from tests.data.db import build
from tests.storage.conftest import opened
from tests.storage.sql_work import in_store

FROZEN = sorted(build.FOLDER.glob("v*.sqlite"), key=lambda file: int(file.stem[1:]))
NEXT = Migration(NEWEST + 1, "a step that only this test knows", ("ALTER TABLE thread ADD COLUMN colour TEXT",))


@pytest.fixture
def old(path: Path) -> Iterator[sqlite3.Connection]:
    """A connection to a file of the current format, which is old for the step `NEXT`."""
    with closing(connect(path)) as connection:
        connection.execute("INSERT INTO calibration VALUES ('b', 'm', '{}')")
        yield connection


def test_every_step_is_numbered_reasoned_and_frozen() -> None:
    assert [step.number for step in STEPS] == list(range(1, NEWEST + 1))
    assert all(step.why for step in STEPS)
    assert [file.stem for file in FROZEN] == [f"v{step.number}" for step in STEPS]


@pytest.mark.parametrize("frozen", FROZEN, ids=lambda file: str(file.stem))
async def test_a_file_of_every_released_format_opens_with_all_it_holds(frozen: Path, path: Path) -> None:
    path.parent.mkdir()
    shutil.copy(frozen, path)
    async with opened(path) as history:
        assert await history.thread(build.THREAD.id) == build.THREAD
        assert tuple(await history.messages(build.THREAD.id)) == build.MESSAGES
        assert [await history.request(answer) for answer in ("a1", "a2")] == list(build.REQUESTS)
        assert await history.token_weights("anthropic", "m") == build.WEIGHTS
        assert tuple(await history.events(build.THREAD.id)) == build.EVENTS
        assert build.TURNS_SPENT in await history.ledger()
        assert await history.spent_usd(since="2026", thread_id=build.THREAD.id) == 0.5
    assert len(list((path.parent / "backups").glob("*"))) == NEWEST - int(frozen.stem[1:])
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        connection.execute("INSERT INTO message_text (message_text) VALUES ('integrity-check')")


@pytest.mark.parametrize("frozen", FROZEN[3:], ids=lambda file: str(file.stem))
async def test_since_format_4_parameters_and_attachments_are_there(frozen: Path, path: Path) -> None:
    path.parent.mkdir()
    shutil.copy(frozen, path)
    async with opened(path) as history:
        assert await history.thread(build.ASKED.id) == build.ASKED
        assert await history.attachments(build.ASKED.id) == build.ATTACHED


@pytest.mark.parametrize("frozen", FROZEN[4:], ids=lambda file: str(file.stem))
async def test_since_format_5_prompts_marks_and_what_was_seen_are_there(frozen: Path, path: Path) -> None:
    path.parent.mkdir()
    shutil.copy(frozen, path)
    async with opened(path) as history:
        assert await history.prompts() == build.PROMPTS[::-1]
        assert await history.marks(build.THREAD.id) == build.MARKS
        assert await history.thread(build.UNREAD.id) == build.UNREAD
        assert [one.thread.id for one in await history.threads() if one.unread] == [build.UNREAD.id]


@pytest.mark.parametrize("frozen", FROZEN[5:], ids=lambda file: str(file.stem))
async def test_since_format_6_the_count_of_a_draft_is_there(frozen: Path, path: Path) -> None:
    path.parent.mkdir()
    shutil.copy(frozen, path)
    async with opened(path) as history:
        assert await history.thread(build.WEIGHED.id) == build.WEIGHED


@pytest.mark.parametrize("frozen", FROZEN[7:], ids=lambda file: str(file.stem))
async def test_since_format_8_what_is_deleted_on_all_branches_is_not_found(frozen: Path, path: Path) -> None:
    path.parent.mkdir()
    shutil.copy(frozen, path)
    async with opened(path) as history:
        assert await history.thread(build.LAKES.id) == build.LAKES
        while await history.catch_up_search():
            pass
        assert (await history.search("Danube")).hits == ()
        assert [hit.message_id for hit in (await history.search("Tanganyika")).hits] == ["q5"]


@pytest.mark.parametrize("frozen", FROZEN[9:], ids=lambda file: str(file.stem))
async def test_since_format_10_the_trash_and_what_was_deleted_for_good_are_known(frozen: Path, path: Path) -> None:
    path.parent.mkdir()
    shutil.copy(frozen, path)
    async with opened(path) as history:
        in_trash = {("thread", build.DELETED.id), ("prompt", "p3"), ("message", "q4")}
        assert {(one.kind, one.id) for one in await history.trash.items()} == in_trash
        assert await in_store(history, lambda store: dict(store.erasure.erased())) == {"thread": [build.ERASED.id]}


@pytest.mark.parametrize("frozen", FROZEN[7:9], ids=lambda file: str(file.stem))
async def test_what_was_deleted_before_format_10_has_30_days_from_then_on(frozen: Path, path: Path) -> None:
    path.parent.mkdir()
    shutil.copy(frozen, path)
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("UPDATE thread SET deleted = '2020-01-01T00:00:00+00:00' WHERE id = ?", (build.ASKED.id,))
    async with opened(path) as history:
        items = await history.trash.items()
    assert {(one.kind, one.id) for one in items} == {("thread", build.ASKED.id), ("message", "q4")}  # with its answer
    assert {one.deleted[:2] for one in items} == {"20"}
    assert all(one.deleted > "2026" for one in items)


@pytest.mark.parametrize("frozen", FROZEN[:7], ids=lambda file: str(file.stem))
async def test_before_format_8_nothing_was_deleted(frozen: Path, path: Path) -> None:
    path.parent.mkdir()
    shutil.copy(frozen, path)
    async with opened(path) as history:
        assert not any(one.thread.choices.deleted for one in await history.threads())
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute("SELECT count(*) FROM deleted_message").fetchone() == (0,)


@pytest.mark.parametrize("frozen", FROZEN[:5], ids=lambda file: str(file.stem))
async def test_before_format_6_no_draft_was_counted(frozen: Path, path: Path) -> None:
    path.parent.mkdir()
    shutil.copy(frozen, path)
    async with opened(path) as history:
        assert [one.thread.draft_count for one in await history.threads() if one.thread.draft_count] == []


@pytest.mark.parametrize("frozen", FROZEN[:4], ids=lambda file: str(file.stem))
async def test_threads_from_before_format_5_count_as_read(frozen: Path, path: Path) -> None:
    path.parent.mkdir()
    shutil.copy(frozen, path)
    async with opened(path) as history:
        summaries = await history.threads()
        assert [one.thread.seen for one in summaries] == [one.thread.tip for one in summaries]
        assert await history.prompts() == ()
        assert await history.marks(build.THREAD.id) == {}


@pytest.mark.parametrize("frozen", FROZEN[1:], ids=lambda file: str(file.stem))
async def test_since_format_2_choices_calls_and_windows_are_there(frozen: Path, path: Path) -> None:
    path.parent.mkdir()
    shutil.copy(frozen, path)
    async with opened(path) as history:
        assert await history.thread(build.CURATED.id) == build.CURATED
        assert tuple(await history.events(build.CURATED.id)) == (build.REFUSED,)
        assert set(await history.ledger()) == {build.TURNS_SPENT, build.CALL_SPENT}
        assert await history.learned_windows() == build.WINDOWS


def test_step_2_knows_how_each_backend_was_paid_and_sums_what_there_was(path: Path) -> None:
    path.parent.mkdir()
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("PRAGMA foreign_keys = ON")
        migrate(connection, path, STEPS[:1])
        connection.execute(
            "INSERT INTO thread (id, title, created, updated, system, pinned, archived, draft, message_count) "
            "VALUES ('t', '', '', '', '', 0, 0, '', 0)"
        )
        connection.execute(
            "INSERT INTO message (id, thread_key, depth, role, state, created, parts) "
            "VALUES ('a', 1, 1, 'assistant', 'complete', '', x'')"
        )
        for number, backend in enumerate(("anthropic", "claude-cli", "local", "scripted") * 2):
            connection.execute(
                "INSERT INTO turn (id, thread_key, answer_key, purpose, backend, model, state, started, owner_pid, "
                "owner_started, owner_boot, input, cost_usd) VALUES (?, 1, 1, 'chat', ?, 'm', 'complete', ?, 1, '', "
                "'', ?, ?)",
                (str(number), backend, f"2026-01-0{1 + number // 4}T", number or None, number / 2 if number else None),
            )
        migrate(connection, path, STEPS[:2])
        spending = connection.execute(
            "SELECT day, backend, cost_kind, calls, input, cost_usd, priced FROM spending ORDER BY day, backend"
        ).fetchall()
    assert spending == [
        ("2026-01-01", "anthropic", "money", 1, 0, 0.0, 0),
        ("2026-01-01", "claude-cli", "plan", 1, 1, 0.5, 1),
        ("2026-01-01", "local", "free", 1, 2, 1.0, 1),
        ("2026-01-01", "scripted", "free", 1, 3, 1.5, 1),
        ("2026-01-02", "anthropic", "money", 1, 4, 2.0, 1),
        ("2026-01-02", "claude-cli", "plan", 1, 5, 2.5, 1),
        ("2026-01-02", "local", "free", 1, 6, 3.0, 1),
        ("2026-01-02", "scripted", "free", 1, 7, 3.5, 1),
    ]
    (saved,) = (path.parent / "backups").iterdir()
    with closing(sqlite3.connect(saved)) as copy:
        assert copy.execute("PRAGMA user_version").fetchone() == (1,)
        assert copy.execute("SELECT count(*) FROM turn").fetchone() == (8,)


def test_rows_and_migrations_agree(path: Path) -> None:
    from sqlmodel import SQLModel

    from desktop_app.storage import rows

    assert rows.ThreadRow.metadata is SQLModel.metadata
    tables = {name: table for name, table in SQLModel.metadata.tables.items() if _is_ours(table)}
    assert set(tables) == {
        *("thread", "message", "turn", "request", "context_event", "calibration", "import_origin"),
        *("model_call", "learned_window"),
    }
    with closing(connect(path)) as connection:
        for name, table in tables.items():
            stored = {
                column[1]: (bool(column[3]) or bool(column[5]), bool(column[5]))
                for column in connection.execute(f"PRAGMA table_info({name})")
            }
            wanted = {column.name: (not column.nullable, column.primary_key) for column in table.columns}
            assert stored == wanted, name


def _is_ours(table: object) -> bool:
    from desktop_app.storage import rows

    classes = [one for one in vars(rows).values() if isinstance(one, type) and one.__module__ == rows.__name__]
    return any(getattr(one, "__table__", None) is table for one in classes)


def test_a_new_file_is_marked_as_ours_and_needs_no_backup(path: Path) -> None:
    with closing(connect(path)) as connection:
        assert connection.execute("PRAGMA application_id").fetchone() == (APPLICATION_ID,)
        assert connection.execute("PRAGMA user_version").fetchone() == (NEWEST,)
        settings = [
            connection.execute(f"PRAGMA {name}").fetchone()[0]
            for name in ("journal_mode", "synchronous", "foreign_keys")
        ]
        assert settings == ["wal", 2, 1]
    assert not (path.parent / "backups").exists()


def test_before_a_step_a_verified_backup_is_made(old: sqlite3.Connection, path: Path) -> None:
    migrate(old, path, (*STEPS, NEXT))
    assert old.execute("SELECT colour FROM thread").fetchall() == []
    (saved,) = (path.parent / "backups").iterdir()
    with closing(sqlite3.connect(saved)) as copy:
        assert copy.execute("PRAGMA user_version").fetchone() == (NEWEST,)
        assert copy.execute("SELECT * FROM calibration").fetchall() == [("b", "m", "{}")]
    migrate(old, path, (*STEPS, NEXT))
    assert list((path.parent / "backups").iterdir()) == [saved]


def test_a_step_that_fails_changes_nothing(old: sqlite3.Connection, path: Path) -> None:
    wrong = Migration(NEXT.number, "fails half-way", (*NEXT.statements, "ALTER TABLE nowhere ADD COLUMN colour TEXT"))
    with pytest.raises(sqlite3.OperationalError):
        migrate(old, path, (*STEPS, wrong))
    assert old.execute("PRAGMA user_version").fetchone() == (NEWEST,)
    assert "colour" not in [column[1] for column in old.execute("PRAGMA table_info(thread)")]


def test_without_a_good_backup_the_step_is_not_taken(
    old: sqlite3.Connection, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def spoiled(unproved: Path) -> sqlite3.Connection:
        return sqlite3.connect(unproved, factory=_Spoiled, isolation_level=None)

    monkeypatch.setattr(backup, "open_copy", spoiled)
    with pytest.raises(UserError, match="can't be read back"):
        migrate(old, path, (*STEPS, NEXT))
    assert old.execute("PRAGMA user_version").fetchone() == (NEWEST,)


class _Spoiled(sqlite3.Connection):
    """A copy in which the disk lost a page: an index no longer agrees with its table."""

    def execute(self, sql: str, parameters: object = (), /) -> sqlite3.Cursor:
        if "integrity_check" in sql:
            super().execute("PRAGMA writable_schema = ON")
            super().execute("UPDATE sqlite_master SET rootpage = 3 WHERE name = 'calibration'")
            super().execute("PRAGMA writable_schema = RESET")
        return super().execute(sql)


async def test_a_newer_file_is_refused_with_both_versions_and_stays_untouched(path: Path) -> None:
    connect(path).close()
    with closing(sqlite3.connect(path)) as connection:
        connection.execute(f"PRAGMA user_version = {NEWEST + 3}")
    before = path.read_bytes()
    with pytest.raises(UserError) as caught:
        await SqliteHistory.open(path)
    failure = caught.value.failure
    assert failure.code == "store"
    for word in (str(path), f"format {NEWEST + 3}", f"up to {NEWEST}", "newer version", "--data-dir"):
        assert word in failure.message
    assert path.read_bytes() == before


async def test_another_programs_database_is_refused_and_stays_untouched(path: Path) -> None:
    path.parent.mkdir()
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TABLE recipe (name TEXT)")
    before = path.read_bytes()
    with pytest.raises(UserError, match="not a Plimsoll history"):
        await SqliteHistory.open(path)
    assert path.read_bytes() == before


def test_the_copy_of_a_migration_that_was_killed_is_removed_at_the_next_start(path: Path) -> None:
    connect(path).close()
    backups = path.parent / "backups"
    backups.mkdir()
    for end in (".db.unproved", ".db.unproved-journal"):
        half = backups / f"history-format6-20260301T100000.000000Z{end}"
        half.write_bytes(b"half")
        os.utime(half, (0, 0))
    good = backups / "history-format5-20260301T100000.000000Z.db"
    good.write_bytes(b"good")
    connect(path).close()
    assert list(backups.iterdir()) == [good]


def test_a_copy_that_another_start_is_making_stays(path: Path) -> None:
    connect(path).close()
    backups = path.parent / "backups"
    backups.mkdir()
    unproved = backups / "history-format6-20260301T100000.000000Z.db.unproved"
    unproved.touch()
    os.utime(unproved, (0, 0))
    with backup._in_the_making(unproved):
        connect(path).close()
        assert unproved.exists()


async def test_step_9_makes_projects_of_their_names(path: Path) -> None:
    """Of a frozen file of format 8 with threads in projects, some of which are deleted."""
    path.parent.mkdir()
    shutil.copy(build.FOLDER / "projects-v8.sqlite", path)
    async with opened(path) as history:
        projects = {one.name: one for one in await history.projects.all()}
        assert list(projects) == ["Archive", "harbour", "ÜBERSICHT"], "called as in the thread that was used last"
        harbour = projects["harbour"]
        assert (harbour.created, harbour.updated) == ("2026-11-20T10:00:00.000Z", "2026-11-22T10:00:00.000Z")
        await history.restore_thread("t7")
        await history.restore_thread("t6")
        names = {one.id: name for name, one in projects.items()}
        found = {one.thread.id: one.thread.project and names[one.thread.project] for one in await history.threads()}
        both, other = dict.fromkeys(("t1", "t2", "t7"), "harbour"), dict.fromkeys(("t3", "t4"), "ÜBERSICHT")
        assert found == both | other | {"t5": None, "t6": None, "t8": "Archive"}
    with closing(sqlite3.connect(path)) as connection:
        (gone,) = connection.execute("SELECT name, id FROM project WHERE deleted IS NOT NULL").fetchall()
        assert gone[0] == "Gone"
    async with opened(path) as history:
        await history.projects.restore(gone[1])
        assert (await history.thread("t6")).project == gone[1]
