from __future__ import annotations

import asyncio
import sqlite3
from contextlib import closing
from dataclasses import replace
from operator import methodcaller
from pathlib import Path

import pytest

from desktop_app.core.artifacts import Artifact, ArtifactVersion
from desktop_app.core.context.context_choices import ContextChoices, Deletion, Summary
from desktop_app.core.errors import UserError
from desktop_app.core.history_records import CallRecord, TrashItem
from desktop_app.core.messages import (
    DocumentPart,
    MessageMark,
    TextPart,
    ThinkingPart,
    ToolCallPart,
    ToolResultPart,
    Usage,
)
from desktop_app.core.prompts import Prompt
from desktop_app.storage import erasure_store
from desktop_app.storage.sqlite_history import SqliteHistory
from tests.builders.leftovers import leftovers
from tests.storage.conftest import TIME, Talk, a_thread, opened
from tests.storage.sql_work import in_sql

LONG = " and so on, at some length, as it goes in answers" * 30
LATIN, CJK, CODE = "zyxomorphic", "龘齉爩鱻麤", "qwyjibo_counter"
WORDS = (
    "titlezorp", "systemzorp", "draftzorp", "notezorp", "toolzorp", "resultzorp", "thinkzorp", "attachzorp",
    "artizorp", "summaryzorp", "shortzorp", LATIN, CJK, CODE,
)  # fmt: skip
SHARED = "said in two threads: " + LONG


async def fill(history: SqliteHistory, thread_id: str = "gone") -> None:
    """A thread with words in everything that it has, one request for each answer."""
    choices = ContextChoices(summaries=(Summary("s1", ("q1",), "summaryzorp" + LONG, "m", TIME),))
    await history.create_thread(a_thread(thread_id, title="titlezorp"))
    thread = await history.thread(thread_id)
    await history.update_thread(replace(thread, system="systemzorp" + LONG, choices=choices))
    talk = Talk(history, thread_id)
    tools = [{"name": "toolzorp", "description": "toolzorp" + LONG}]
    asked = f"{LATIN} {CJK} shortzorp"
    first = await talk.begin(asked, request={"messages": [{"text": asked}], "tools": tools}, name=f"1{thread_id}")
    await talk.end(
        first,
        ThinkingPart("thinkzorp" + LONG),
        ToolCallPart("c", "toolzorp", {"query": "toolzorp" + LONG}),
        ToolResultPart("c", "resultzorp" + LONG),
        DocumentPart("attachzorp.txt", "attachzorp" + LONG, "00"),
        TextPart(f"```python\n{CODE} = 1\n```" + LONG),
    )
    request = {"messages": [{"text": asked}, {"text": f"{CODE}{LONG}"}, {"text": SHARED}], "tools": tools}
    await talk.end(await talk.begin(SHARED, request=request, name=f"2{thread_id}"), TextPart("resultzorp" * 40))
    await history.save_mark(thread_id, f"q1{thread_id}", MessageMark("up", "notezorp"))
    await history.save_draft(thread_id, "draftzorp", expected="")
    await history.save_attachments(thread_id, (DocumentPart("a", "attachzorp" + LONG, "00"),))
    artifact = Artifact(f"art-{thread_id}", thread_id, "artizorp", "markdown", "", False, 0, TIME, TIME)
    await history.artifacts.add_version(
        artifact, ArtifactVersion(artifact.id, 1, "artizorp" + LONG, "model", TIME, None)
    )


async def erase(history: SqliteHistory, *items: TrashItem) -> int:
    await history.trash.begin(items)
    steps = 0
    while await history.trash.step():
        steps += 1
    await history.trash.compact()
    return steps


def a_thread_item(thread_id: str) -> TrashItem:
    return TrashItem("thread", thread_id, "", "")


async def sound(history: SqliteHistory) -> None:
    """Nothing refers to what is not there, and the indexes agree with themselves."""
    assert await in_sql(history, lambda one: one.execute("PRAGMA integrity_check").fetchall()) == [("ok",)]
    assert await in_sql(history, lambda one: one.execute("PRAGMA foreign_key_check").fetchall()) == []
    for table in ("message_text", "passage_text"):
        check = f"INSERT INTO {table} ({table}) VALUES ('integrity-check')"
        await in_sql(history, methodcaller("execute", check))


async def test_a_thread_that_is_deleted_for_good_is_in_no_file_any_more(history: SqliteHistory, path: Path) -> None:
    await fill(history)
    await history.create_thread(a_thread("kept"))
    kept = Talk(history, "kept")
    await kept.turn(SHARED, "an answer", request={"messages": [{"text": SHARED}], "system": "kept" + LONG})
    assert {word for word in WORDS if leftovers(path.parent, [word])} == set(WORDS), "the search finds them"
    await history.delete_thread("gone")
    await erase(history, a_thread_item("gone"))
    assert leftovers(path.parent, WORDS) == []
    await sound(history)
    retired = "SELECT 1 FROM block WHERE length(sha256) > 32"
    assert await in_sql(history, lambda one: one.execute(retired).fetchall()) == []
    assert [one.text for one in await history.messages("kept")] == [SHARED, "an answer"]
    assert await history.request("a1") == {"messages": [{"text": SHARED}], "system": "kept" + LONG}
    assert [one.thread.id for one in await history.threads()] == ["kept"]
    assert await history.trash.items() == []
    for act in (history.restore_thread("gone"), history.save_draft("gone", "a", expected=""), history.marks("gone")):
        with pytest.raises(UserError, match=r"^This thread no longer exists\.$"):
            await act


async def test_what_a_thread_has_cost_stays_true(history: SqliteHistory) -> None:
    await fill(history)
    usage = Usage(1, 2, 3, 4, 5, 0.5)
    await history.record_call(CallRecord("c1", "gone", "title", "anthropic", "m", "money", TIME, TIME, usage))
    before = await history.ledger()
    assert {row.thread_id for row in before} == {"gone"}
    spent = await history.spent_usd(since="2020")
    events = await history.event_counts()
    await erase(history, a_thread_item("gone"))
    assert sorted(await history.ledger(), key=repr) == sorted(
        (replace(row, thread_id=None, title="") for row in before), key=repr
    )
    assert await history.spent_usd(since="2020") == spent == 0.5
    assert sum(one.count for one in await history.event_counts()) == sum(one.count for one in events)


async def test_it_goes_on_in_another_process_where_one_ended(path: Path) -> None:
    async with opened(path) as first:
        await fill(first)
        await first.trash.begin([a_thread_item("gone")])
        steps = 0
        while await first.trash.step():
            steps += 1
    for ended_after in range(steps):
        again = path.parent.with_name(f"again{ended_after}") / path.name
        async with opened(again) as history:
            await fill(history)
            await history.trash.begin([a_thread_item("gone")])
            for _ in range(ended_after):
                await history.trash.step()
        async with opened(again) as history:
            while await history.trash.step():
                pass
            await history.trash.compact()
            await sound(history)
        assert leftovers(again.parent, WORDS) == [], f"after {ended_after} steps"


async def test_the_same_words_said_again_meanwhile_stay(history: SqliteHistory, path: Path) -> None:
    """At any step of it, by this process and by another one that remembers where the words stood."""
    steps = 1
    number = 0
    async with opened(path) as other:
        await other.create_thread(a_thread("said"))
        said = Talk(other, "said")
        while number < steps:
            gone = f"gone{number}"
            await fill(history, gone)
            await said.turn(f"{number}{SHARED}", SHARED, request={"messages": [{"text": SHARED + str(number)}]})
            await history.trash.begin([a_thread_item(gone)])
            done = 0
            more = True
            while more:
                if done == number:
                    answer = await said.begin(
                        f"x{number}", request={"m": ["resultzorp" + LONG, SHARED]}, name=f"x{number}"
                    )
                    await said.end(answer, TextPart("resultzorp" + LONG))
                    await history.create_thread(a_thread(f"mine{number}"))
                    await Talk(history, f"mine{number}").end(
                        await Talk(history, f"mine{number}").begin("artizorp" + LONG, name=f"m{number}"),
                        TextPart("attachzorp" + LONG),
                    )
                more = await history.trash.step()
                done += 1
            steps = max(steps, done)
            await sound(history)
            if done <= number:
                break
            assert (await other.request(f"ax{number}")) == {"m": ["resultzorp" + LONG, SHARED]}
            texts = [one.text for one in await history.messages(f"mine{number}")]
            assert texts == ["artizorp" + LONG, "attachzorp" + LONG]
            number += 1
    assert steps > 5


async def test_two_processes_do_it_together(history: SqliteHistory, path: Path) -> None:
    for number in range(4):
        await fill(history, f"gone{number}")
    async with opened(path) as other:
        await history.trash.begin([a_thread_item("gone0"), a_thread_item("gone1")])
        await other.trash.begin([a_thread_item("gone2"), a_thread_item("gone3")])
        while any(await asyncio.gather(history.trash.step(), other.trash.step())):
            pass
    await history.trash.compact()
    assert leftovers(path.parent, WORDS) == []
    await sound(history)


async def test_a_thread_with_a_running_answer_is_refused(history: SqliteHistory) -> None:
    await history.create_thread(a_thread("runs"))
    await Talk(history, "runs").begin("question")
    message = TrashItem("message", "q1", "question", "", "Runs", "runs", ("a1",))
    for item in (a_thread_item("runs"), message):
        with pytest.raises(UserError, match="still coming"):
            await history.trash.begin([item])
    assert [one.thread.id for one in await history.threads()] == ["runs"]


async def test_too_little_room_is_told_and_changes_nothing(history: SqliteHistory, path: Path) -> None:
    await fill(history)
    await history.trash.begin([a_thread_item("gone")])
    while await history.trash.step():
        pass
    with pytest.raises(UserError, match="Too little disk space"):
        erasure_store.compact(path, lambda _: 1000)
    assert await history.trash.needs_compacting()
    erasure_store.compact(path, lambda _: 10**12)
    assert not await history.trash.needs_compacting()


async def test_a_reader_that_stays_keeps_the_file_as_it_is(
    history: SqliteHistory, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(erasure_store, "WAIT_S", 0.05)
    await fill(history)
    await history.delete_thread("gone")
    with closing(sqlite3.connect(path)) as reader:
        reader.execute("BEGIN")
        reader.execute("SELECT * FROM thread").fetchall()
        with pytest.raises(UserError, match="Another window"):
            erasure_store.compact(path)
        assert await history.threads() == ()
    await erase(history, a_thread_item("gone"))
    assert leftovers(path.parent, WORDS) == []


async def test_a_deleted_message_goes_with_the_requests_that_it_was_sent_with(
    history: SqliteHistory, path: Path
) -> None:
    await history.create_thread(a_thread())
    talk = Talk(history)
    await talk.turn("first", "one", request={"m": ["first"]})
    await talk.turn(f"{LATIN} {CODE}", CJK + LONG, request={"m": ["first", "one", f"{LATIN} {CODE}"]})
    await talk.turn("third", "three", request={"m": ["first", "one", f"{LATIN} {CODE}", CJK + LONG, "third"]})
    await history.save_mark("thread", "q2", MessageMark("", "notezorp"))
    thread = await history.thread("thread")
    gone = frozenset(Deletion(one, "a3") for one in ("q2", "a2"))
    await history.update_thread(replace(thread, choices=ContextChoices(deleted=gone)))
    items = await history.trash.items()
    assert [(one.kind, one.id, one.rest, one.inside_id) for one in items] == [("message", "q2", ("a2",), "thread")]
    assert [one.title for one in items] == [f"{LATIN} {CODE}"]
    await erase(history, *items)
    assert leftovers(path.parent, [LATIN, CODE, CJK, "notezorp"]) == []
    await sound(history)
    assert [one.text for one in await history.messages("thread")] == ["first", "one", "", "", "third", "three"]
    assert await history.request("a1") == {"m": ["first"]}
    assert await history.request("a3") is None
    assert await history.trash.items() == []
    await talk.turn("fourth", "four", request={"m": ["first"]})
    assert await history.request("a4") == {"m": ["first"]}


async def test_deleted_prompts_stay_in_the_trash_until_they_are_deleted_for_good(
    history: SqliteHistory, path: Path
) -> None:
    await history.save_prompts([Prompt("p1", "titlezorp", "draftzorp", TIME, TIME)])
    await history.delete_prompt("p1")
    assert await history.prompts() == ()
    (item,) = await history.trash.items()
    assert (item.kind, item.id, item.title) == ("prompt", "p1", "titlezorp")
    await history.trash.restore_prompt("p1")
    assert [one.title for one in await history.prompts()] == ["titlezorp"]
    assert await history.trash.items() == []
    await history.delete_prompt("p1")
    await erase(history, item)
    assert leftovers(path.parent, WORDS) == []


async def test_what_is_damaged_is_deleted_for_good_as_anything_else(history: SqliteHistory, path: Path) -> None:
    await fill(history)
    await fill(history, "kept")
    await in_sql(history, lambda one: one.execute("UPDATE request SET body = x'00' WHERE key % 2"))
    await in_sql(history, lambda one: one.execute("UPDATE block SET data = x'ff', encoding = 1 WHERE key % 3 = 0"))
    await erase(history, a_thread_item("gone"), a_thread_item("kept"))
    rows = await in_sql(history, lambda one: one.execute("SELECT count(*) FROM block").fetchone())
    assert await history.threads() == ()
    assert rows == (0,)


async def test_another_process_does_not_believe_what_it_remembers_of_it(history: SqliteHistory, path: Path) -> None:
    async with opened(path) as other:
        await fill(other)
        await erase(history, a_thread_item("gone"))
        await other.create_thread(a_thread("again"))
        request = {"messages": ["artizorp" + LONG, f"{CODE}{LONG}"], "system": "systemzorp" + LONG}
        await Talk(other, "again").turn(SHARED, "resultzorp" * 40, request=request)
        assert [one.text for one in await history.messages("again")] == [SHARED, "resultzorp" * 40]
        assert await history.request("a1") == request
    await sound(history)
