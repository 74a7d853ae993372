from __future__ import annotations

import shutil
import sqlite3
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tests.data.db
from desktop_app.core.artifacts import Artifact, ArtifactVersion
from desktop_app.core.context.context_choices import ContextChoices, Deletion
from desktop_app.core.errors import UserError
from desktop_app.core.history_records import CallRecord, ContextEvent, MergeCount, TrashItem
from desktop_app.core.messages import DocumentPart, MessageMark, RequestCount, TextPart, Usage
from desktop_app.storage import history_merge
from desktop_app.storage.file_identity import FileIdentity
from desktop_app.storage.history_merge import merge_history
from desktop_app.storage.sqlite_connection import Transactions, connect
from desktop_app.storage.sqlite_history import SqliteHistory
from tests.storage.conftest import TIME, Talk, a_thread, opened
from tests.storage.sql_work import in_sql
from tests.storage.whole_histories import everything, fill, made_at


@pytest.fixture
async def other(tmp_path: Path) -> AsyncIterator[SqliteHistory]:
    async with opened(tmp_path / "other" / "history.db") as history:
        yield history


@settings(max_examples=12)
@given(seeds=st.lists(st.integers(0, 10**6), min_size=1, max_size=2, unique=True))
async def test_everything_of_a_generated_history_comes_and_a_second_time_changes_nothing(seeds: list[int]) -> None:
    with TemporaryDirectory() as folder:
        source = await made_at(Path(folder) / "source" / "history.db", *seeds)
        async with opened(source) as before:
            expected = await everything(before)
        async with opened(Path(folder) / "target" / "history.db") as history:
            count = await history.merge(source, None)
            assert await everything(history) == expected
            assert (count.threads, count.unreadable) == (3 * len(seeds), 0)
            again = await history.merge(source, None)
            assert await everything(history) == expected
            assert again == MergeCount(already=3 * len(seeds))
            assert await in_sql(history, _violations) == []
            while await history.catch_up_search():
                pass
            assert await in_sql(history, _indexed) == await in_sql(history, _stored)


def _indexed(connection: sqlite3.Connection) -> int:
    query = "SELECT count(*) FROM message_text WHERE message_text MATCH ?"
    return int(connection.execute(query, ('"§ruser" OR "§rassistant"',)).fetchone()[0])


def _stored(connection: sqlite3.Connection) -> int:
    return int(connection.execute("SELECT count(*) FROM message").fetchone()[0])


def _violations(connection: sqlite3.Connection) -> list[object]:
    verdict = connection.execute("PRAGMA integrity_check").fetchall()
    return [*connection.execute("PRAGMA foreign_key_check"), *(one for one in verdict if one != ("ok",))]


async def test_what_is_here_stays_and_grows(history: SqliteHistory, tmp_path: Path) -> None:
    await fill(history, 7)
    mine = await everything(history)
    source = await made_at(tmp_path / "source.db", 8)
    await history.merge(source, None)
    both = await everything(history)
    assert {name: both[name] for name in mine if name.startswith(("thread", "project"))} == {
        name: value for name, value in mine.items() if name.startswith(("thread", "project"))
    }
    async with opened(tmp_path / "source.db") as there:
        theirs = await everything(there)
    assert both["spent"] == mine["spent"] + theirs["spent"]
    threads = {one for one in (*mine, *theirs) if one.startswith("thread")}
    assert {one for one in both if one.startswith("thread")} == threads


async def test_one_thread_comes_with_all_its_rows_and_no_other(history: SqliteHistory, tmp_path: Path) -> None:
    source = await made_at(tmp_path / "source.db", 11, threads=4)
    async with opened(source) as there:
        expected = await everything(there)
        wanted = (await there.threads())[0].thread.id
    count = await history.merge(source, [wanted])
    assert [one.thread.id for one in await history.threads()] == [wanted]
    found = (await everything(history))[wanted]
    thread = replace(expected[wanted][0], project=None)  # its project is not here
    assert found == (thread, *expected[wanted][1:])
    assert (count.threads, count.projects, count.prompts) == (1, 0, 0)
    assert await history.projects.all() == []
    assert await history.prompts() == ()


async def test_a_thread_goes_on_where_the_other_file_has_more_and_is_back_if_it_was_deleted(
    history: SqliteHistory, other: SqliteHistory, tmp_path: Path, path: Path
) -> None:
    await history.create_thread(a_thread())
    await Talk(history).turn("one", "first")
    shutil.rmtree(tmp_path / "other")
    await history.copy_to(tmp_path / "later.db")
    async with opened(tmp_path / "later.db") as later:
        talk = Talk(later, tip="a1")
        next(talk._numbers)
        await talk.turn("two", "second " * 100, request={"messages": [1, 2, 3]})
    await history.delete_thread("thread")
    count = await history.merge(tmp_path / "later.db", ["thread"])
    assert (count.threads, count.messages, count.already) == (1, 4, 0)
    assert [one.id for one in await history.messages("thread")] == ["q1", "a1", "q2", "a2"]
    assert (await history.thread("thread")).tip == "a2"
    assert await history.request("a2") == {"messages": [1, 2, 3]}
    assert await history.spent_usd(since="2000") == 0.0


async def test_ids_of_another_thread_get_second_names(
    history: SqliteHistory, other: SqliteHistory, tmp_path: Path
) -> None:
    for one, thread in ((history, "thread"), (other, "second")):
        await one.create_thread(a_thread(thread))
        await Talk(one, thread).turn("a question", "an answer of " + thread, request={"asked": thread})
    await other.copy_to(tmp_path / "copy.db")
    for _ in range(2):
        await history.merge(tmp_path / "copy.db", None)
        messages = await history.messages("second")
        assert [one.text for one in messages] == ["a question", "an answer of second"]
        assert {one.id for one in messages}.isdisjoint({"q1", "a1"})
        assert messages[1].parent_id == messages[0].id
        assert (await history.thread("second")).tip == messages[1].id
        assert await history.request(messages[1].id) == {"asked": "second"}
        assert await history.request("a1") == {"asked": "thread"}


async def test_a_running_turn_of_the_other_file_does_not_run_here(
    history: SqliteHistory, other: SqliteHistory, tmp_path: Path
) -> None:
    await other.create_thread(a_thread())
    growing = await Talk(other).begin("a question")
    await other.save_partial(replace(growing, parts=(TextPart("so far"),)))
    await other.copy_to(tmp_path / "copy.db")
    await history.merge(tmp_path / "copy.db", None)
    assert await history.running_threads() == ()
    answer = await history.message("a1")
    assert (answer.text, answer.state) == ("so far", "partial")
    assert answer.failure is not None
    assert answer.failure.code == "interrupted"


async def test_a_merge_that_breaks_off_leaves_nothing(
    history: SqliteHistory, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(history_merge, "_STEP", 1)
    source = await made_at(tmp_path / "source.db", 3, threads=4)
    await fill(history, 5)
    before = await everything(history)
    looks = []

    def stop(waiting: int) -> None:
        looks.append(waiting)
        if len(looks) == 3:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        await history.merge(source, None, stop)
    assert await everything(history) == before
    assert await in_sql(history, _violations) == []
    assert (await history.merge(source, None)).threads == 4


async def test_nothing_of_a_merge_is_seen_before_it_is_whole(
    history: SqliteHistory, tmp_path: Path, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(history_merge, "_STEP", 1)
    source = await made_at(tmp_path / "source.db", 3, threads=4)
    await fill(history, 5)
    live = "SELECT id FROM thread WHERE deleted IS NULL"
    listed = f"{live} UNION ALL SELECT id FROM project UNION ALL SELECT id FROM prompt"
    with closing(sqlite3.connect(path)) as reader:
        before = reader.execute(listed).fetchall()
        seen: list[list[object]] = []
        await history.merge(source, None, lambda _: seen.append(reader.execute(listed).fetchall()))
        assert len(seen) > 4
        assert all(one == before for one in seen)
        assert len(reader.execute(listed).fetchall()) > len(before)


def _trigger(connection: sqlite3.Connection) -> None:
    connection.execute("CREATE TRIGGER t AFTER INSERT ON thread BEGIN DELETE FROM prompt; END")


def _view(connection: sqlite3.Connection) -> None:
    connection.execute("DROP TABLE prompt")
    connection.execute(
        "CREATE VIEW prompt AS SELECT 'a' AS id, 'b' AS title, 'c' AS text, '' AS created, '' AS updated"
    )


def _other_program(connection: sqlite3.Connection) -> None:
    connection.execute("PRAGMA application_id = 1")


def _newer(connection: sqlite3.Connection) -> None:
    connection.execute("PRAGMA user_version = 9999")


def _other_table(connection: sqlite3.Connection) -> None:
    connection.execute("CREATE TABLE more (x)")


@pytest.mark.parametrize("change", [_trigger, _view, _other_program, _newer, _other_table])
async def test_a_file_that_is_not_quite_a_history_is_refused(
    history: SqliteHistory, tmp_path: Path, change: Callable[[sqlite3.Connection], None]
) -> None:
    source = await made_at(tmp_path / "source.db", 1)
    with closing(sqlite3.connect(source, isolation_level=None)) as connection:
        change(connection)
    with pytest.raises(UserError) as refused:
        await history.merge(source, None)
    assert refused.value.failure.code == "store"
    assert await history.threads() == ()


@pytest.mark.parametrize("content", [b"", b"no database " * 100, None])
async def test_what_is_no_file_or_no_database_is_refused(
    history: SqliteHistory, tmp_path: Path, content: bytes | None
) -> None:
    source = tmp_path / "source.db"
    if content is not None:
        source.write_bytes(content)
    with pytest.raises(UserError) as refused:
        await history.merge(source, None)
    assert refused.value.failure.code == "store"
    assert sorted(one.name for one in tmp_path.iterdir()) == sorted(
        ["data", *(["source.db"] if content is not None else [])]
    )


_LINES = '{"v":1,"parts":[{"kind":"text","text":{"$":[1,0,99999999999]}}]}'
HOSTILE = [
    "UPDATE thread SET title = x'00ff'",
    "UPDATE thread SET created = 'yesterday', choices = '{\"pinned\": 3}', soft_limit = 'much'",
    "UPDATE message SET role = 'system'",
    f"UPDATE message SET parts = CAST('{_LINES}' AS BLOB)",
    "UPDATE message SET parts = CAST('[1' AS BLOB), usage = '{\"input\": NaN}'",
    "UPDATE message SET failure = '{\"code\": [], \"message\": 3}'",
    "UPDATE message SET window = '{\"first_kept\": {}}'",
    "UPDATE message SET parent_key = key + 1",
    "UPDATE message SET id = '' WHERE key = 1",
    "UPDATE block SET data = x'01'",
    "UPDATE block SET sha256 = randomblob(32)",
    "UPDATE request SET body = x'789c'",
    "UPDATE request SET base_key = key, kept = -5, chain = 900",
    "UPDATE turn SET input = -1, cost_usd = 1e300, owner_pid = 'x'",
    "UPDATE turn SET state = 'running' WHERE key IN (SELECT min(key) FROM turn GROUP BY thread_key)",
    "UPDATE artifact_version SET block_key = 999999",
    "UPDATE passage SET \"end\" = 99999999",
    "UPDATE document_text_part SET data = x'00'",
    "UPDATE project SET name = x'00'",
    "UPDATE device SET clock = 9223372036854775807",
    "UPDATE draft_attachments SET parts = x'00'",
]  # fmt: skip


@pytest.mark.parametrize("statement", HOSTILE)
async def test_rows_that_no_version_writes_do_no_harm(history: SqliteHistory, tmp_path: Path, statement: str) -> None:
    source = await made_at(tmp_path / "source.db", 2, 4)
    with closing(sqlite3.connect(source, isolation_level=None)) as connection:
        connection.execute("PRAGMA foreign_keys = OFF")
        connection.execute("PRAGMA ignore_check_constraints = ON")
        connection.execute(statement)
    await fill(history, 5)
    before = await everything(history)
    await history.merge(source, None)
    after = await everything(history)
    assert {name: after[name] for name in before if "5" in name} == {n: v for n, v in before.items() if "5" in n}
    assert await in_sql(history, _violations) == []


FROZEN = sorted(Path(tests.data.db.__file__).parent.glob("*.sqlite"))


@pytest.mark.parametrize("frozen", FROZEN, ids=lambda one: one.stem)
async def test_an_older_format_comes_by_way_of_its_steps(history: SqliteHistory, tmp_path: Path, frozen: Path) -> None:
    kept = frozen.read_bytes()
    count = await history.merge(frozen, None)
    assert frozen.read_bytes() == kept
    assert (count.threads > 0, count.unreadable) == (True, 0)
    async with opened(Path(shutil.copy(frozen, tmp_path / "itself.db"))) as itself:
        await itself.repair_turns()
        if not frozen.stem.startswith("projects"):  # which get their ids by a step
            assert await everything(history) == await everything(itself)
        assert await _in_projects(history) == await _in_projects(itself)
    again = await history.merge(frozen, None)
    assert again == MergeCount(already=count.threads)


async def _in_projects(history: SqliteHistory) -> dict[str, str]:
    names = {one.id: one.name for one in await history.projects.all()}
    return {one.thread.id: names.get(one.thread.project or "", "") for one in await history.threads()}


async def test_of_a_younger_state_what_may_change_is_taken_from_there(
    history: SqliteHistory, tmp_path: Path, path: Path
) -> None:
    await fill(history, 21)
    await history.create_thread(a_thread())
    talk = Talk(history)
    await talk.turn("one", "first")
    growing = await talk.begin("two")
    await history.save_partial(replace(growing, parts=(TextPart("so"),)))
    await history.copy_to(tmp_path / "older.db")
    await talk.end(growing, TextPart("so it is " * 40))
    await talk.turn("three", "third")
    await history.update_thread(replace(await history.thread("thread"), title="Renamed", archived=True))
    await history.save_draft("thread", "being typed", expected="")
    await history.save_mark("thread", "a1", MessageMark("down"))
    await history.delete_thread((await history.threads())[-1].thread.id)
    await history.copy_to(tmp_path / "younger.db")
    younger = await everything(history)
    connection = connect(tmp_path / "older.db")
    target = Transactions(connection, FileIdentity(tmp_path / "older.db", connection))
    merge_history(target, tmp_path / "younger.db", None, newer=True)
    target.close()
    async with opened(tmp_path / "older.db") as merged:
        assert await everything(merged) == younger
        assert await in_sql(merged, _violations) == []
        while await merged.catch_up_search():
            pass
        assert await in_sql(merged, _indexed) == await in_sql(merged, _stored)


async def test_nothing_of_a_message_or_artifact_deleted_for_good_comes_back(path: Path, tmp_path: Path) -> None:
    request = {"messages": [{"role": "user", "content": "secretzorp " * 40}]}
    async with opened(path) as history:
        await history.create_thread(a_thread())
        talk = Talk(history)
        await talk.turn("secretzorp " * 40, "answer", request=request)
        await history.save_mark("thread", "q1", MessageMark("up", "notezorp"))
        made = Artifact("order", "thread", "Order", created=TIME, updated=TIME)
        version = ArtifactVersion("order", 1, "artifactzorp " * 40, "model", TIME)
        await history.artifacts.add_version(made, version)
        await history.copy_to(tmp_path / "copy.db")
        items = [TrashItem("message", "q1", "", ""), TrashItem("artifact", "order", "", "")]
        await history.artifacts.delete("order")
        await history.trash.begin(items)
        while await history.trash.step():
            pass
        assert await history.request("a1") is None
        await history.merge(tmp_path / "copy.db", None)
        assert await history.request("a1") is None
        assert await history.marks("thread") == {}
        assert [one.text for one in await history.messages("thread")] == ["", "answer"]
        assert not await history.artifacts.all()
        await _erase(history)
        await history.merge(tmp_path / "copy.db", ["thread"])
        assert [one.text for one in await history.messages("thread")] == ["", "answer"], "nor with its thread"
        assert await history.request("a1") is None


async def _erase(history: SqliteHistory) -> None:
    await history.delete_thread("thread")
    await history.trash.begin([TrashItem("thread", "thread", "", "")])
    while await history.trash.step():
        pass


async def _send(history: SqliteHistory) -> None:
    talk = Talk(history, tip="a1")
    next(talk._numbers)
    await talk.turn("two", "second")


async def _choose(history: SqliteHistory) -> None:
    thread = await history.thread("thread")
    choices = ContextChoices(deleted=frozenset({Deletion("q1", "a1")}))
    await history.update_thread(replace(thread, title="new", choices=choices))


_EVENT = ContextEvent("summarised", 9, 5, 2, "m")
_USAGE = Usage(1, 2, 3, 4, 5, 0.5)
_CALL = CallRecord("c2", "thread", "title", "anthropic", "m", "money", TIME, TIME, _USAGE)
_ACTS: dict[str, Callable[[SqliteHistory], Awaitable[object]]] = {
    "draft": lambda history: history.save_draft("thread", "typed", expected=""),
    "draft's count": lambda history: history.save_draft_count("thread", RequestCount("m", 5)),
    "attachments": lambda history: history.save_attachments("thread", [DocumentPart("a", "text", "00")]),
    "reading place": lambda history: history.set_seen("thread", None),
    "mark": lambda history: history.save_mark("thread", "q1", MessageMark("up", "note")),
    "branch": lambda history: history.move_tip("thread", "q1", expected="a1"),
    "title and choices": _choose,
    "send": _send,
    "event": lambda history: history.record_events("thread", [_EVENT], at=TIME),
    "call": lambda history: history.record_call(_CALL),
    "trash": lambda history: history.delete_thread("thread"),
    "for good": _erase,
}


@pytest.mark.parametrize("act", _ACTS.values(), ids=_ACTS)
async def test_a_thread_that_came_back_after_it_was_deleted_for_good_takes_every_act(
    history: SqliteHistory, tmp_path: Path, act: Callable[[SqliteHistory], Awaitable[object]]
) -> None:
    await history.create_thread(a_thread())
    await Talk(history).turn("one", "first")
    await history.copy_to(tmp_path / "copy.db")
    async with opened(tmp_path / "copy.db") as ordinary:
        await history.copy_to(tmp_path / "backup.db")
        await _erase(history)
        await history.merge(tmp_path / "backup.db", ["thread"])
        assert await act(history) == await act(ordinary)
        assert await _shown(history) == await _shown(ordinary)


async def _shown(history: SqliteHistory) -> list[object]:
    threads = await history.threads()
    shown = [
        [
            await history.messages(one),
            await history.events(one),
            await history.marks(one),
            await history.attachments(one),
        ]
        for one in (summary.thread.id for summary in threads)
    ]
    trash = [(one.kind, one.id, one.rest) for one in await history.trash.items()]
    ledger = sorted(map(repr, await history.ledger()))
    return [threads, shown, trash, ledger, await history.event_counts()]


@pytest.mark.parametrize("whole", [False, True], ids=["thread", "everything"])
async def test_what_came_back_is_counted_once(history: SqliteHistory, tmp_path: Path, *, whole: bool) -> None:
    await history.create_thread(a_thread())
    talk = Talk(history)
    answer = await talk.begin("one")
    await history.copy_to(tmp_path / "running.db")
    await history.end_turn("t1", replace(answer, parts=(TextPart("first"),), state="complete", model="m"), _USAGE)
    await history.record_call(_CALL)
    await history.record_call(replace(_CALL, id="private", thread_id=None))
    await history.record_events("thread", [_EVENT], at=TIME, turn_id="t1")
    await history.copy_to(tmp_path / "backup.db")

    async def counted(of: SqliteHistory) -> tuple[object, ...]:
        return sorted(map(repr, await of.ledger())), await of.event_counts(), await of.spent_usd(since="2000")

    before = await counted(history)
    await _erase(history)
    await history.copy_to(tmp_path / "without.db")
    await history.merge(tmp_path / "backup.db", ["thread"])
    assert await counted(history) == before
    if whole:
        await history.merge(tmp_path / "without.db", None)
        assert await counted(history) == before
        assert await in_sql(history, _violations) == []
    await _erase(history)
    await history.merge(tmp_path / "running.db", ["thread"])
    assert sum(row.calls for row in await history.ledger()) == 3, "of the title the backup knows nothing"
    assert await history.spent_usd(since="2000") == before[2], "what it has cost in the end"
