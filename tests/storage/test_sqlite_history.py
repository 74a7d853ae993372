from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import Path

import pytest

from desktop_app.controller.ports import History
from desktop_app.core.context.context_choices import ContextChoices, Deletion, Summary
from desktop_app.core.context.text_features import TokenWeights
from desktop_app.core.errors import TEXT_IN_MEMORY, TEXT_SAVED, UserError
from desktop_app.core.history_records import ContextEvent, TurnRecord
from desktop_app.core.messages import (
    BoundaryState,
    Failure,
    Message,
    RequestCount,
    TextPart,
    ThinkingPart,
    Thread,
    Usage,
)
from desktop_app.core.phrases import Phrase, having, phrase
from desktop_app.storage.first_screen import read_first_screen
from desktop_app.storage.sqlite_history import SqliteHistory
from tests.storage.conftest import TIME, Talk, a_thread, opened
from tests.storage.sql_work import in_sql, in_store

LONG = "salt and rope and tar " * 30


async def code_of(failing: object) -> str:
    with pytest.raises(UserError) as caught:
        await failing  # type: ignore[misc]
    return caught.value.failure.code


async def test_a_thread_comes_back_equal_after_reopening(path: Path) -> None:
    thread = Thread(
        "ab12", "Tides \ud83c\udf0a", TIME, TIME, "anthropic", "m", None, "Be brief.", "sea", True, True, 9, "dr\0aft"
    )
    async with opened(path) as history:
        await history.create_thread(thread)
    async with opened(path) as history:
        assert await history.thread("ab12") == replace(thread, title="Tides 🌊")


async def test_the_protocol_is_met(history: SqliteHistory) -> None:
    as_port: History = history
    assert await as_port.threads() == ()


async def test_threads_come_last_updated_first_with_their_counts(history: SqliteHistory, talk: Talk) -> None:
    await history.create_thread(a_thread("old", updated="2020-01-01T00:00:00.000Z"))
    await history.create_thread(a_thread("new", updated="2030-01-01T00:00:00.000Z"))
    await talk.turn("q", "a")
    assert [(one.thread.id, one.messages) for one in await history.threads()] == [("new", 0), ("thread", 2), ("old", 0)]


async def test_update_thread_leaves_tip_draft_and_times_alone(history: SqliteHistory, talk: Talk) -> None:
    await talk.turn("q", "a")
    await history.save_draft("thread", "not yet", expected="")
    await history.save_draft_count("thread", RequestCount("ff", 7))
    before = await history.thread("thread")
    stale = replace(before, title="New", pinned=True, soft_limit=7, tip=None, draft="", created="1999", updated="1999")
    stale = replace(stale, draft_count=None)
    await history.update_thread(stale)
    assert await history.thread("thread") == replace(before, title="New", pinned=True, soft_limit=7)


async def test_choices_are_stored_with_the_thread(path: Path) -> None:
    summary = Summary("s", ("q1", "a1"), 'Über die Ebbe \U0001f30a\n"all"', "m", TIME, edited=True, cost_usd=0.01)
    choices = ContextChoices(frozenset({"q1"}), frozenset({"a2"}), "a1", frozenset({"q3"}), (summary,), True, False)
    async with opened(path) as history:
        await history.create_thread(a_thread())
        await history.create_thread(replace(a_thread("decided"), choices=choices))
        await history.update_thread(replace(a_thread(), choices=choices))
    async with opened(path) as history:
        assert [(await history.thread(name)).choices for name in ("thread", "decided")] == [choices, choices]
        assert [one.thread.choices for one in await history.threads()] == [choices, choices]
        assert (await history.find_thread("deci")).choices == choices
        await history.update_thread(a_thread())
        assert await history.thread("thread") == a_thread()


@pytest.mark.parametrize("broken", ["{", "[]", '{"pinned": 3}', "[" * 100_000, "{}\0"])
async def test_choices_that_can_not_be_read_do_not_cost_the_thread(
    history: SqliteHistory, path: Path, broken: str, caplog: pytest.LogCaptureFixture
) -> None:
    await history.create_thread(a_thread())
    await in_sql(history, lambda connection: connection.execute("UPDATE thread SET choices = ?", (broken,)))
    assert await history.thread("thread") == a_thread()
    assert [one.thread for one in await history.threads()] == [a_thread()]
    screen = read_first_screen(path)
    assert screen is not None
    assert screen.thread == a_thread()
    assert "ContextChoices of a thread can't be read" in caplog.text


async def test_a_thread_is_found_by_an_unambiguous_prefix(history: SqliteHistory) -> None:
    for name in ("abc", "abcd", "ax%", "AXE"):
        await history.create_thread(a_thread(name))
    assert (await history.find_thread("abc")).id == "abc"
    assert (await history.find_thread("ax")).id == "ax%"
    for wrong in ("ab", "", "zzz", "%"):
        assert await code_of(history.find_thread(wrong)) == "usage"


async def test_a_thread_is_found_by_its_whole_title_and_several_of_one_title_are_named(history: SqliteHistory) -> None:
    for name, title in (("abc", "Tides"), ("abd", "Winds"), ("xyz", "winds"), ("tides", "Other")):
        await history.create_thread(replace(a_thread(name), title=title))
    assert (await history.find_thread("other")).id == "tides"
    assert (await history.find_thread("tides")).id == "tides", "an id goes before a title"
    assert await code_of(history.find_thread("Win")) == "usage"
    with pytest.raises(UserError) as refused:
        await history.find_thread("Winds")
    assert all(name in str(refused.value) for name in ("Winds", "abd", "xyz"))
    await history.delete_thread("xyz")
    assert (await history.find_thread("Winds")).id == "abd"


async def test_a_deleted_thread_is_unknown_until_it_is_restored(history: SqliteHistory, talk: Talk) -> None:
    await talk.turn("q", "a")
    await history.delete_thread("thread")
    assert await history.threads() == ()
    for failing in (
        history.thread("thread"),
        history.messages("thread"),
        history.save_draft_count("thread", RequestCount("ff", 7)),
        history.delete_thread("thread"),
        history.find_thread("thread"),
    ):
        assert await code_of(failing) == "usage"
    assert await history.save_draft("thread", "typed until then", expected="") is None
    await history.restore_thread("thread")
    assert len(await history.messages("thread")) == 2
    assert (await history.thread("thread")).draft == "typed until then"


async def test_every_field_of_a_message_comes_back(history: SqliteHistory, talk: Talk) -> None:
    answer = await talk.begin("hello")
    final = replace(
        answer,
        parts=(ThinkingPart(LONG, "sig"), TextPart(LONG, {"citations": [{"a": 1}]})),
        state="error",
        backend="anthropic",
        model="served",
        usage=Usage(1, 2, 3, 4, 5, 0.25),
        stop_reason="max_tokens",
        prefix_key="key",
        window=BoundaryState("q1", 3),
        failure=Failure("network", "No way.", "errno", ("retry", "stop"), 2.5),
    )
    await history.end_turn("t1", final, final.usage)
    assert await history.message("a1") == final
    assert list(await history.messages("thread"))[1] == final


async def test_a_failure_keeps_the_values_of_its_words(history: SqliteHistory, talk: Talk) -> None:
    words = phrase("No way to {host}. {saved}", host="a.example", saved=TEXT_SAVED)
    failed = replace(await talk.begin("hello"), failure=Failure("network", words, phrase("{tries} tries", tries=3)))
    await history.end_turn("t1", replace(failed, state="error"), None)
    kept = (await history.message("a1")).failure
    assert kept is not None
    assert (kept, type(kept.message), type(kept.detail)) == (failed.failure, Phrase, Phrase)
    assert having(kept.message, saved=TEXT_IN_MEMORY) == f"No way to a.example. {TEXT_IN_MEMORY}"


async def test_a_turn_stores_question_and_empty_answer_before_anything_is_sent(
    history: SqliteHistory, talk: Talk
) -> None:
    await history.save_draft("thread", "hello", expected="")
    await history.save_draft_count("thread", RequestCount("ff", 7))
    await talk.begin("hello")
    question, answer = await history.messages("thread")
    assert (question.text, question.parent_id, question.state) == ("hello", None, "complete")
    assert (answer.parts, answer.parent_id, answer.state) == ((), "q1", "partial")
    thread = await history.thread("thread")
    assert (thread.tip, thread.draft, thread.draft_count) == ("a1", "", None)


async def test_a_retry_keeps_the_draft_and_makes_a_sibling(history: SqliteHistory, talk: Talk) -> None:
    await talk.turn("q", "a")
    await history.save_draft("thread", "next", expected="")
    await history.save_draft_count("thread", RequestCount("ff", 7))
    again = Message("a1b", "thread", "q1", "assistant", (), TIME)
    record = TurnRecord("t1b", "thread", "q1", "a1b", "scripted", "echo", TIME)
    await history.begin_turn(record, new_messages=[], answer=again, expected_tip="a1", request={})
    assert [(one.id, one.parent_id) for one in await history.messages("thread")] == [
        ("q1", None), ("a1", "q1"), ("a1b", "q1"),
    ]  # fmt: skip
    thread = await history.thread("thread")
    assert (thread.draft, thread.draft_count) == ("next", RequestCount("ff", 7))


async def test_a_moved_tip_is_noticed_and_nothing_is_written(history: SqliteHistory, talk: Talk) -> None:
    await talk.turn("q", "a")
    await history.move_tip("thread", "q1", expected="a1")
    assert await code_of(history.move_tip("thread", "a1", expected="a1")) == "store"
    assert await code_of(talk.begin("lost?")) == "store"
    assert len(await history.messages("thread")) == 2
    assert (await history.thread("thread")).tip == "q1"


async def test_a_second_turn_is_refused_while_one_runs(history: SqliteHistory, talk: Talk) -> None:
    answer = await talk.begin("one")
    assert await code_of(Talk(history, tip="a1").begin("two", name="two")) == "store"
    assert await history.repair_turns() == ()
    await talk.end(answer, TextPart("done"))
    await talk.turn("two", "done")
    assert len(await history.messages("thread")) == 4


async def test_partial_answers_overwrite_each_other_until_the_turn_ends(history: SqliteHistory, talk: Talk) -> None:
    answer = await talk.begin("go")
    for text in ("The", "The sea", "The sea " + LONG):
        await history.save_partial(replace(answer, parts=(TextPart(text),)))
        assert (await history.message("a1")).text == text
    await talk.end(answer, TextPart("The end"))
    assert await code_of(history.save_partial(replace(answer, parts=(TextPart("late"),)))) == "store"
    assert (await history.message("a1")).text == "The end"


async def test_an_ended_turn_can_not_end_again(history: SqliteHistory, talk: Talk) -> None:
    answer = await talk.turn("q", "a")
    with pytest.raises(ValueError, match="ended already"):
        await talk.end(answer, TextPart("b"))
    assert (await history.message("a1")).text == "a"


async def test_events_and_usage_of_a_turn_are_in_the_file(history: SqliteHistory, talk: Talk) -> None:
    answer = Message("a", "thread", None, "assistant", (), TIME)
    record = TurnRecord("t", "thread", None, "a", "scripted", "echo", TIME)
    event = ContextEvent("trimmed", 160_000, 105_000, 38, "echo")
    await history.begin_turn(record, new_messages=[], answer=answer, expected_tip=None, request={}, events=[event])
    await history.end_turn("t", replace(answer, state="complete"), Usage(1, 2, 3, 4, 5, 0.5))
    rows = await in_sql(
        history,
        lambda connection: connection.execute(
            "SELECT kind, before, after, messages, input, turn.cost_usd, state "
            "FROM context_event JOIN turn ON turn.key = turn_key"
        ).fetchall(),
    )
    assert rows == [("trimmed", 160_000, 105_000, 38, 1, 0.5, "complete")]


async def test_each_message_stands_once_in_the_text_index(history: SqliteHistory, talk: Talk) -> None:
    answer = await talk.begin("Where is the lighthouse?")
    await history.save_partial(replace(answer, parts=(TextPart("On the pier"),)))
    await talk.end(answer, TextPart("On the cliff \udc00, in Málaga."))

    def found(word: str) -> list[str]:
        query = (
            "SELECT id FROM message JOIN message_text ON message.key = message_text.rowid WHERE message_text MATCH ?"
        )
        return [row[0] for row in connection.execute(query, (word,))]

    connection = await in_sql(history, lambda connection: connection)
    words = ("lighthouse", "pier", "cliff", "malaga")
    hits = await in_store(history, lambda store: {word: found(word) for word in words})
    assert hits == {"lighthouse": ["q1"], "pier": [], "cliff": ["a1"], "malaga": ["a1"]}


async def test_weights_come_back(history: SqliteHistory) -> None:
    weights = TokenWeights((1.5, 2.5), ((1.0, 0.1), (0.1, 1.0)), 4, {"utf8": 0.3})
    assert await history.token_weights("b", "m") is None
    await history.save_token_weights("b", "m", TokenWeights())
    await history.save_token_weights("b", "m", weights)
    assert await history.token_weights("b", "m") == weights


async def test_learned_windows_come_back_until_they_are_forgotten(path: Path) -> None:
    async with opened(path) as history:
        assert await history.learned_windows() == {}
        await history.save_learned_window("b", "m", 100_000)
        await history.save_learned_window("b", "m", 90_000)
        await history.save_learned_window("c", "m", 80_000)
        await history.save_learned_window("c", "m", None)
        await history.save_learned_window("never", "learned", None)
    async with opened(path) as history:
        assert await history.learned_windows() == {("b", "m"): 90_000}


async def test_a_cancelled_write_is_done_to_its_end(history: SqliteHistory, talk: Talk) -> None:
    waiting = asyncio.create_task(talk.begin("keep me"))
    await asyncio.sleep(0)
    waiting.cancel()
    with pytest.raises(asyncio.CancelledError):
        await waiting
    assert [one.id for one in await history.messages("thread")] == ["q1", "a1"]


async def test_an_end_the_disk_refused_does_not_block_the_thread(history: SqliteHistory, talk: Talk) -> None:
    answer = await talk.begin("q")

    async def limit(pages: int) -> None:
        await in_sql(history, lambda connection: connection.execute(f"PRAGMA max_page_count = {pages}").fetchone())

    await limit(1)
    with pytest.raises(UserError, match="disk is full") as caught:
        await talk.end(answer, TextPart("".join(chr(0x4E00 + n * 7 % 20_000) for n in range(30_000))))
    assert caught.value.failure.actions == ("retry", "open_data_folder")
    assert (await history.message("a1")).state == "partial"
    await limit(1_000_000)
    await talk.begin("next")
    kept = await history.message("a1")
    assert (kept.state, len(kept.text)) == ("complete", 30_000)


async def test_a_turn_that_could_not_begin_leaves_no_trace(path: Path, history: SqliteHistory, talk: Talk) -> None:
    request = {"messages": ["short", "texts", "in", "place"]}
    answer = Message("a", "thread", None, "assistant", (), TIME)
    record = TurnRecord("t", "thread", None, "a", "scripted", "echo", TIME)
    wrong = ContextEvent("trimmed", None, 0, 0, "m")  # type: ignore[arg-type]
    with pytest.raises(Exception, match="NOT NULL"):
        await history.begin_turn(
            record, new_messages=[], answer=answer, expected_tip=None, request=request, events=[wrong]
        )
    assert (await history.messages("thread"), (await history.thread("thread")).tip) == ((), None)
    other = await SqliteHistory.open(path)
    await Talk(other).turn("something else " * 30, "a", request={"messages": ["x", "y"]})
    await other.close()
    again = await Talk(history, tip="a1").end(await Talk(history, tip="a1").begin("q", request=request, name="2"))
    assert await history.request(again.id) == request


@pytest.mark.parametrize("beside", ["", "word " * 40, "word " * 4_000])
async def test_a_key_that_is_taken_out_of_a_draft_is_in_no_file_any_more(path: Path, beside: str) -> None:
    key = "sk-ant-api03-a1B2c3D4e5F6g7H8i9J0"

    def holds_it() -> bool:
        return any(key.encode() in file.read_bytes() for file in path.parent.iterdir())

    async with opened(path) as history:
        await history.create_thread(a_thread("beside"))
        await history.create_thread(a_thread("thread"))
        draft = ""
        for text in (f"{beside}Mine", f"{beside}Mine is {key}", f"{key} {beside}is mine, it {key}"):
            assert await history.save_draft("thread", text, expected=draft) is None
            await history.save_draft("beside", beside + text.replace(key, ""), expected=beside + draft.replace(key, ""))
            draft = text
        assert holds_it()
        await history.save_draft("thread", f"{beside}Mine is", expected=draft)
        assert not holds_it()
        assert (await history.thread("thread")).draft == f"{beside}Mine is"


async def test_the_last_answer_of_each_thread_that_has_words_and_is_not_deleted(
    history: SqliteHistory, talk: Talk
) -> None:
    first = await talk.turn("q", "the first")
    second = await talk.turn("q", "the second")
    assert await history.last_answers(["thread", "unknown"]) == {"thread": "the second", "unknown": ""}
    await talk.begin("q")
    assert await history.last_answers(["thread"]) == {"thread": "the second"}
    thread = await history.thread("thread")
    deleted = replace(thread.choices, deleted=frozenset({Deletion(second.id, second.id)}))
    await history.update_thread(replace(thread, choices=deleted))
    assert await history.last_answers(["thread"]) == {"thread": first.text}
