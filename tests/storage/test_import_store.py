from __future__ import annotations

import asyncio
import itertools
from collections.abc import Mapping
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from desktop_app.core import history_records
from desktop_app.core.context.context_choices import ContextChoices, Summary
from desktop_app.core.history_records import ImportCount, ImportedThread
from desktop_app.core.messages import BoundaryState, Message, MessageMark, TextPart
from desktop_app.storage import import_store
from desktop_app.storage.import_store import _parents_first
from desktop_app.storage.sqlite_history import SqliteHistory
from desktop_app.storage.store import Store
from desktop_app.storage.thread_store import IMPORTING
from tests.storage.conftest import TIME, Talk, a_thread
from tests.storage.sql_work import connection_of, in_store

LONG = "a text that is long enough for a block of its own " * 10


def said(name: str, parent: str | None, thread_id: str = "thread") -> Message:
    return Message(name, thread_id, parent, "user", (TextPart(f"text of {name}"),), TIME)


def imported(
    *messages: Message,
    key: str = "export/1",
    thread_id: str = "thread",
    tip: str | None = None,
    marks: Mapping[str, MessageMark] | None = None,
) -> ImportedThread:
    return ImportedThread(key, replace(a_thread(thread_id), tip=tip or messages[-1].id), messages, marks or {})


async def test_branches_come_in_whatever_the_order(history: SqliteHistory) -> None:
    thread = imported(said("c", "a"), said("b", "a"), said("a", None), tip="b")
    assert await history.import_threads([thread]) == ImportCount(1, 3, 0)
    links = {one.id: one.parent_id for one in await history.messages("thread")}
    assert links == {"a": None, "b": "a", "c": "a"}
    assert (await history.thread("thread")).tip == "b"


async def test_a_second_import_brings_only_what_is_new_and_moves_the_tip_along(history: SqliteHistory) -> None:
    first = imported(said("a", None), said("b", "a"))
    await history.import_threads([first])
    assert await history.import_threads([first]) == ImportCount(0, 0, 1)
    longer = imported(*first.messages, said("c", "b"))
    assert await history.import_threads([longer]) == ImportCount(0, 1, 1)
    assert (await history.thread("thread")).tip == "c"


async def test_a_tip_the_user_moved_on_from_stays(history: SqliteHistory) -> None:
    first = imported(said("a", None), said("b", "a"))
    await history.import_threads([first])
    await Talk(history, tip="b").turn("mine", "yes")
    await history.import_threads([imported(*first.messages, said("c", "b"))])
    assert (await history.thread("thread")).tip == "a1"
    assert len(await history.messages("thread")) == 5


async def test_one_id_in_two_threads_gets_a_second_name_each_time_the_same(history: SqliteHistory) -> None:
    one = imported(said("root", None), said("b", "root"))
    two = imported(said("root", None, "other"), said("c", "root", "other"), key="export/2", thread_id="other")
    assert await history.import_threads([one, two]) == ImportCount(2, 4, 0)
    assert await history.import_threads([two]) == ImportCount(0, 0, 1)
    root, child = await history.messages("other")
    assert (root.text, child.parent_id) == ("text of root", root.id)


CHOICES = ContextChoices(
    frozenset({"root"}), frozenset({"c"}), "root", frozenset({"c"}), (Summary("s", ("root", "c"), "x", "m", TIME),)
)


async def test_choices_come_along_and_a_second_import_leaves_those_that_are_there(history: SqliteHistory) -> None:
    thread = imported(said("root", None), said("c", "root"))
    decided = replace(thread, thread=replace(thread.thread, choices=CHOICES))
    await history.import_threads([decided])
    assert (await history.thread("thread")).choices == CHOICES
    mine = replace(CHOICES, fresh_from=None)
    await history.update_thread(replace(await history.thread("thread"), choices=mine))
    assert await history.import_threads([decided]) == ImportCount(0, 0, 1)
    assert (await history.thread("thread")).choices == mine


async def test_choices_and_boundaries_follow_messages_that_get_a_second_name(history: SqliteHistory) -> None:
    await history.import_threads([imported(said("root", None), said("c", "root"))])
    moved = replace(said("c", "root", "other"), window=BoundaryState("root", 1))
    thread = imported(said("root", None, "other"), moved, key="export/2", thread_id="other")
    await history.import_threads([replace(thread, thread=replace(thread.thread, choices=CHOICES))])
    root, child = await history.messages("other")
    assert {root.id, child.id}.isdisjoint({"root", "c"})
    assert child.window == BoundaryState(root.id, 1)
    assert (await history.thread("other")).choices == ContextChoices(
        frozenset({root.id}),
        frozenset({child.id}),
        root.id,
        frozenset({child.id}),
        (Summary("s", (root.id, child.id), "x", "m", TIME),),
    )


async def test_marks_and_what_was_seen_follow_messages_that_get_a_second_name(history: SqliteHistory) -> None:
    await history.import_threads([imported(said("root", None), said("c", "root"))])
    thread = imported(said("root", None, "other"), said("c", "root", "other"), key="export/2", thread_id="other")
    marks = {"root": MessageMark("up", "n"), "c": MessageMark("down"), "elsewhere": MessageMark("up")}
    await history.import_threads([replace(thread, thread=replace(thread.thread, seen="root"), marks=marks)])
    root, child = await history.messages("other")
    assert {root.id, child.id}.isdisjoint({"root", "c"})
    assert await history.marks("other") == {root.id: MessageMark("up", "n"), child.id: MessageMark("down")}
    assert (await history.thread("other")).seen == root.id
    assert await history.marks("thread") == {}


async def test_what_comes_into_a_thread_that_was_read_is_read_and_marks_of_the_old_messages_stay(
    history: SqliteHistory,
) -> None:
    first = imported(said("a", None))
    await history.import_threads(
        [replace(first, thread=replace(first.thread, seen="a"), marks={"a": MessageMark("up")})]
    )
    await history.save_mark("thread", "a", MessageMark("down"))
    longer = imported(*first.messages, said("b", "a"))
    await history.import_threads([replace(longer, marks={"a": MessageMark("up"), "b": MessageMark(note="new")})])
    assert await history.marks("thread") == {"a": MessageMark("down"), "b": MessageMark(note="new")}
    assert (await history.thread("thread")).seen == "b"
    await history.set_seen("thread", "a")
    await history.import_threads([imported(*longer.messages, said("c", "b"))])
    assert (await history.thread("thread")).seen == "a"


async def test_a_deleted_thread_that_is_imported_again_is_back(history: SqliteHistory) -> None:
    thread = imported(said("a", None))
    await history.import_threads([thread])
    await history.delete_thread("thread")
    assert await history.import_threads([thread]) == ImportCount(1, 1, 0)
    assert [one.id for one in await history.messages("thread")] == ["a"]


async def test_a_thread_that_can_not_be_stored_leaves_none_of_the_others(history: SqliteHistory) -> None:
    broken = ImportedThread("export/2", a_thread("broken"), (replace(said("z", None), parts=(object(),)),))  # type: ignore[arg-type]
    long = imported(replace(said("a", None), parts=(TextPart(LONG),)))
    with pytest.raises(KeyError):
        await history.import_threads([long, broken])
    assert await history.threads() == ()
    # what was kept in memory of the undone blocks must not be believed
    await history.create_thread(a_thread("first"))
    await Talk(history, "first").turn("another long text " * 30, "a")
    await history.import_threads([long])
    assert [one.text for one in await history.messages("thread")] == [LONG]


def counts(store: Store) -> list[int]:
    tables = ("thread", "message", "block", "import_origin", "mark")
    connection = connection_of(store)
    rows = [connection.execute(f"SELECT count(*) FROM {table}").fetchone()[0] for table in tables]
    hits = connection.execute("SELECT count(*) FROM message_text WHERE message_text MATCH 'text'").fetchone()[0]
    return [*rows, hits]


def many(count: int) -> list[ImportedThread]:
    """Threads of two messages, each of which is an import's step of its own."""
    return [
        imported(
            said(f"a{n}", None, f"t{n}"),
            replace(said(f"b{n}", f"a{n}", f"t{n}"), parts=(TextPart(f"{n} {LONG}"),)),
            key=f"export/{n}",
            thread_id=f"t{n}",
            marks={f"b{n}": MessageMark("up")},
        )
        for n in range(count)
    ]


@pytest.fixture
def small_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(history_records, "BATCH", 1)
    monkeypatch.setattr(import_store, "_UNDONE_AT_ONCE", 1)


@pytest.mark.usefixtures("small_steps")
async def test_nothing_of_an_import_is_seen_before_all_of_it_and_others_write_in_between(
    history: SqliteHistory, talk: Talk
) -> None:
    answer = await talk.begin("q")
    work = asyncio.create_task(history.import_threads(many(20)))
    seen = set()
    while not work.done():
        await history.save_partial(replace(answer, parts=(TextPart("more"),)))
        seen.add(len(await history.threads()))
    assert seen <= {1, 21}
    assert await work == ImportCount(20, 40, 0)
    summaries = await history.threads()
    assert [one.messages for one in summaries] == [2] * 21
    assert (await history.message("a1")).text == "more"
    assert [one.text for one in await history.messages("t7")] == ["text of a7", f"7 {LONG}"]


@pytest.mark.usefixtures("small_steps")
@pytest.mark.parametrize("meanwhile", [False, True])
async def test_a_failed_import_takes_out_what_its_steps_had_written(
    history: SqliteHistory, talk: Talk, meanwhile: bool
) -> None:
    broken = replace(many(4)[3], messages=(replace(said("z", None), parts=(object(),)),))  # type: ignore[arg-type]
    before = await in_store(history, counts)
    work = asyncio.create_task(history.import_threads([*many(3), broken]))
    if meanwhile:
        await asyncio.sleep(0)  # the first step is asked for; what follows comes between the steps
        await history.create_thread(a_thread("other"))
        await Talk(history, "other").turn(f"1 {LONG}", "a")
    with pytest.raises(KeyError):
        await work
    after = await in_store(history, counts)
    if meanwhile:
        assert [one.text for one in await history.messages("other")] == [f"1 {LONG}", "a"]
        assert (after[0], after[1], after[3]) == (before[0] + 1, before[1] + 2, before[3])
    else:
        assert after == before
    assert await history.import_threads(many(3)) == ImportCount(3, 6, 0)
    assert [one.text for one in await history.messages("t2")] == ["text of a2", f"2 {LONG}"]


@pytest.mark.usefixtures("small_steps")
async def test_a_cancelled_import_leaves_nothing(history: SqliteHistory) -> None:
    before = await in_store(history, counts)
    work = asyncio.create_task(history.import_threads(many(50)))
    while (await in_store(history, counts))[0] < 3:
        assert not work.done()
    work.cancel()
    with pytest.raises(asyncio.CancelledError):
        await work
    assert await in_store(history, counts) == before


async def looked(history: SqliteHistory, threads: list[ImportedThread]) -> ImportCount:
    """What a look says, counted as an import counts."""
    found = await history.imports.look(threads)
    changes = [one for one in found if one is not None]
    new = [one for one in changes if one.change != "more"]
    return ImportCount(len(new), sum(one.counts["messages"] for one in changes), len(found) - len(new))


async def died(history: SqliteHistory, threads: list[ImportedThread]) -> None:
    """Leaves what an import has written whose process is no more."""
    work = await in_store(history, lambda store: store.imports.begin())
    await in_store(history, lambda _: work.add(threads))
    mark = f'{IMPORTING}2026 ["id", {2**30}, "0", "another boot"]'
    rename = "UPDATE thread SET deleted = ? WHERE deleted IS NOT NULL"
    await in_store(history, lambda store: connection_of(store).execute(rename, (mark,)))


async def test_an_import_that_died_is_unseen_and_the_next_one_takes_it_from_there(history: SqliteHistory) -> None:
    await died(history, many(3))
    assert await history.threads() == ()
    assert await looked(history, many(5)) == ImportCount(5, 10, 0)
    assert await history.import_threads(many(5)) == ImportCount(5, 10, 0)
    assert [one.messages for one in await history.threads()] == [2] * 5
    assert [one.text for one in await history.messages("t1")] == ["text of a1", f"1 {LONG}"]


@pytest.mark.usefixtures("small_steps")
async def test_what_a_dead_import_left_behind_is_taken_out_at_a_quiet_moment(history: SqliteHistory) -> None:
    before = await in_store(history, counts)
    await died(history, many(3))
    while await in_store(history, lambda store: store.imports.clean()):
        pass
    after = await in_store(history, counts)
    assert (after[:2], after[3:]) == (before[:2], before[3:])


async def test_a_cancelled_import_takes_out_what_it_took_over(history: SqliteHistory) -> None:
    await died(history, many(3))
    writing = await history.imports.begin()
    await writing.add(many(5))
    await writing.undo()
    assert (await in_store(history, counts))[:2] == [0, 0]


async def test_an_import_that_another_one_is_in_the_middle_of_is_left_alone(history: SqliteHistory) -> None:
    other = await history.imports.begin()
    await other.add(many(3))
    assert not await in_store(history, lambda store: store.imports.clean())
    # the second one brings the threads, and has all of them even when the first takes its own out
    second = await history.imports.begin()
    await second.add(many(5))
    await other.undo()
    assert await second.finish() == ImportCount(5, 10, 0)
    assert [one.text for one in await history.messages("t1")] == ["text of a1", f"1 {LONG}"]


async def test_two_imports_of_the_same_at_once_give_it_once(history: SqliteHistory) -> None:
    first, second = await history.imports.begin(), await history.imports.begin()
    await first.add(many(3))
    await second.add(many(4))
    await first.finish()
    assert await second.finish() == ImportCount(1, 2, 3)
    assert [one.messages for one in await history.threads()] == [2] * 4


@pytest.mark.parametrize("in_memory", [10**7, 1])
async def test_a_look_says_what_the_import_will_do(
    history: SqliteHistory, monkeypatch: pytest.MonkeyPatch, in_memory: int
) -> None:
    monkeypatch.setattr(import_store, "_IN_MEMORY", in_memory)
    await history.import_threads(many(4))
    await history.delete_thread("t0")
    longer = [replace(one, messages=(*one.messages, said(f"c{n}", f"b{n}", f"t{n}"))) for n, one in enumerate(many(6))]
    coming = [longer[0], longer[1], *many(4)[2:], *longer[4:]]
    expected = ImportCount(3, 10, 3)
    before = await in_store(history, counts)
    assert await looked(history, coming) == expected
    assert await in_store(history, counts) == before
    assert await history.import_threads(coming) == expected
    assert [one.text for one in await history.messages("t1")] == ["text of a1", f"1 {LONG}", "text of c1"]
    assert await looked(history, coming) == ImportCount(0, 0, 6)
    assert await history.imports.known([*(one.key for one in coming), "nothing"]) == {
        one.key: one.thread.updated for one in coming
    }


async def test_a_conversation_that_comes_twice_is_there_once_with_all_of_it(history: SqliteHistory) -> None:
    short, longer = imported(said("a", None)), imported(said("a", None), said("b", "a"))
    assert await history.import_threads([short, longer, short]) == ImportCount(1, 2, 0)
    assert [one.id for one in await history.messages("thread")] == ["a", "b"]
    assert (await history.thread("thread")).tip == "b"


async def test_importing_what_is_there_changes_nothing_of_it(history: SqliteHistory) -> None:
    first = imported(said("a", None), said("b", "a"))
    await history.import_threads([first])
    await history.move_tip("thread", "a", expected="b")
    before = await history.thread("thread")
    await history.import_threads([first])
    assert await history.thread("thread") == before


@given(st.lists(st.tuples(st.integers(0, 6), st.none() | st.integers(0, 8)), max_size=8))
def test_each_message_comes_once_and_after_its_parent_even_in_a_circle(links: list[tuple[int, int | None]]) -> None:
    messages = [said(str(name), None if parent is None else str(parent)) for name, parent in links]
    ordered = list(_parents_first(messages))
    assert sorted(one.id for one in ordered) == sorted({one.id for one in messages})
    names = {one.id for one in messages}
    seen: set[str] = set()
    for one in ordered:
        assert one.parent_id is None or one.parent_id in seen or one.parent_id not in names
        seen.add(one.id)


def test_only_one_link_of_a_circle_is_cut() -> None:
    ring = [said(a, b) for a, b in itertools.pairwise("abca")]
    assert [one.parent_id for one in _parents_first(ring)].count(None) == 1


async def test_what_an_import_has_not_finished_is_marked_apart_from_what_was_deleted(history: SqliteHistory) -> None:
    writing = await history.imports.begin()
    await writing.add([imported(said("a", None))])
    marks = await in_store(history, lambda store: connection_of(store).execute("SELECT deleted FROM thread").fetchall())
    assert [mark.startswith(IMPORTING) for (mark,) in marks] == [True]
    await writing.finish()
    assert len(await history.threads()) == 1
