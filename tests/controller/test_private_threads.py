"""A private thread can do what every thread can, and nothing of it but figures reaches the disk."""

from __future__ import annotations

import asyncio
import logging
import sqlite3
import zlib
from collections.abc import AsyncIterator
from contextlib import closing, suppress
from dataclasses import dataclass
from pathlib import Path

import pytest
import pytest_asyncio

from desktop_app.composition import AppServices, compose
from desktop_app.controller.private_history import PrivateHistory
from desktop_app.controller.thread_library import ThreadLibrary
from desktop_app.core.errors import UserError
from desktop_app.core.history_records import ContextEvent, SearchPage, SearchWithin
from desktop_app.core.messages import Failure, ImagePart, MessageMark, Thread, Usage
from desktop_app.core.model_catalog import Prices
from desktop_app.core.settings import ContextSettings, CostSettings, Settings
from desktop_app.core.stream_events import Ended, Failed, TextDelta, UsageReported
from tests.controller.world import WatchedHistory, World, make_world, words
from tests.fakes.gated_backend import Gate, GatedBackend, said
from tests.fakes.memory_secrets import MemorySecrets

SECRET = ("xylophonic", "marzipanic", "quokkaesque", "gallimaufry", "zymurgical", "borborygmus")


def everything_in(file: Path) -> bytes:
    """Every value of every table, compressed ones unpacked."""
    found = bytearray()
    with closing(sqlite3.connect(file)) as connection:
        tables = [name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        for table in tables:
            for row in connection.execute(f'SELECT * FROM "{table}"'):
                for value in row:
                    raw = value if isinstance(value, bytes) else str(value).encode()
                    found += raw
                    for start in (0, 1) if isinstance(value, bytes) else ():
                        with suppress(zlib.error):
                            found += zlib.decompress(raw[start:])
    return bytes(found)


@dataclass
class Private:
    """A controller whose history keeps private threads in memory."""

    world: World
    file: WatchedHistory
    library: ThreadLibrary


@pytest_asyncio.fixture
async def private(
    history: WatchedHistory, with_private: PrivateHistory, backend: GatedBackend
) -> AsyncIterator[Private]:
    settings = Settings(context=ContextSettings(soft_limit=2_000))
    world = await make_world(
        with_private, {"gated": backend, "other": GatedBackend("other")}, settings=lambda: settings
    )
    yield Private(
        world, history, ThreadLibrary(world.history, world.chat.facts, world.announcements, stop=world.chat.stop)
    )
    await world.chat.close()


async def thread_of(private: Private) -> Thread:
    return await private.world.chat.new_thread(backend="gated", private=True)


async def test_a_private_thread_is_answered_and_the_file_never_hears_of_it(
    private: Private, backend: GatedBackend
) -> None:
    thread = await thread_of(private)
    await private.world.chat.send(thread.id, words("one"))
    await private.world.chat.send(thread.id, words("two"))
    opened = await private.world.chat.open_thread(thread.id)
    assert [message.text for message in opened.path] == ["one", "answer 1", "two", "answer 2"]
    assert [text for _, text in said(backend.plans[-1])] == [("one",), ("answer 1",), ("two",)]
    assert opened.thread.title == "one"
    assert [summary.messages for summary in await private.library.threads()] == [4]
    assert await private.file.threads() == ()
    with pytest.raises(UserError):
        await private.file.thread(thread.id)


async def test_nothing_is_opened_for_it_before_there_is_one(history: WatchedHistory) -> None:
    opened: list[WatchedHistory] = []

    async def open_in_memory() -> WatchedHistory:
        opened.append(await WatchedHistory.open_in_memory())
        return opened[-1]

    both = PrivateHistory(history, open_in_memory)
    threads = [Thread(str(number), "", "2026-01-01", "2026-01-01", private=number > 1) for number in range(4)]
    await both.create_thread(threads[0])
    await both.create_thread(threads[1])
    assert await both.search("word") == SearchPage()
    assert len(await both.threads()) == 2
    assert opened == []
    await asyncio.gather(both.create_thread(threads[2]), both.create_thread(threads[3]))
    assert len(opened) == 1
    assert {one.thread.id for one in await both.threads() if one.thread.private} == {"2", "3"}
    await both.close()


async def test_what_the_file_must_never_hold_it_refuses(history: WatchedHistory) -> None:
    with pytest.raises(ValueError, match="private"):
        await history.create_thread(Thread("id", "secret", "2026-01-01", "2026-01-01", private=True))
    assert await history.threads() == ()


async def test_the_ledger_has_the_figures_of_no_thread(private: Private, backend: GatedBackend) -> None:
    thread = await thread_of(private)
    backend.reply(TextDelta("a"), UsageReported(Usage(input=10, output=4, cost_usd=0.5), "big"), Ended("end_turn"))
    await private.world.chat.send(thread.id, words("one"))
    backend.reply(Failed(Failure("overloaded", "Busy.")))
    await private.world.chat.send(thread.id, words("two"))
    (row,) = await private.file.ledger()
    assert (row.thread_id, row.title, row.purpose, row.calls, row.input, row.output) == (None, "", "chat", 2, 10, 4)
    assert row.cost_usd == 0.5


async def test_spending_caps_hold_in_private_too(with_private: PrivateHistory) -> None:
    dear = GatedBackend(cost_kind="money")
    dear.prices = Prices(100.0, 100.0, 10.0, 125.0, 200.0)
    settings = Settings(costs=CostSettings(thread_cap_usd=2.0))
    world = await make_world(with_private, {"gated": dear}, settings=lambda: settings)
    thread = await world.chat.new_thread(backend="gated", private=True)
    dear.reply(TextDelta("a"), UsageReported(Usage(input=1, cost_usd=2.0), "big"), Ended("end_turn"))
    await world.chat.send(thread.id, words("hi"))
    outcome = await world.chat.send(thread.id, words("again"))
    assert outcome.failure is not None
    assert "cap" in outcome.failure.message
    other = await world.chat.new_thread(backend="gated", private=True)
    assert (await world.chat.send(other.id, words("hi"))).failure is None
    await world.chat.close()


async def test_the_growing_answer_is_kept_where_the_thread_is_left_and_stopped(
    private: Private, backend: GatedBackend
) -> None:
    thread, gate = await thread_of(private), Gate()
    backend.reply(TextDelta("so far"), gate, Ended("end_turn"))
    turn = private.world.chat.start_send(thread.id, words("one"))
    await gate.arrive()
    assert (await private.world.chat.open_thread(thread.id)).path[-1].text == "so far"
    refused = await private.world.chat.send(thread.id, words("two"))
    assert refused.failure is not None
    await private.world.chat.stop(thread.id)
    assert (await turn).stop_reason == "interrupted"
    kept = (await private.world.history.messages(thread.id))[-1]
    assert (kept.text, kept.state) == ("so far", "partial")
    assert private.file.partials == []


async def test_a_foreign_change_leaves_it_as_it_is(private: Private) -> None:
    thread = await thread_of(private)
    await private.world.chat.send(thread.id, words("one"))
    await private.world.chat.keep_draft(thread.id, "a draft")
    await private.world.history.save_attachments(thread.id, [ImagePart("a.png", "image/png", "AAAA")])
    private.world.chat.open_threads.forget_all()  # what a change by another process does
    opened = await private.world.chat.open_thread(thread.id)
    assert ([message.text for message in opened.path], opened.thread.draft) == (["one", "answer 1"], "a draft")
    assert len(await private.world.history.attachments(thread.id)) == 1
    assert opened.thread.private


async def test_facts_and_requests_stay_in_memory(private: Private) -> None:
    thread = await thread_of(private)
    await private.library.rename(thread.id, "Mine")
    await private.library.pin(thread.id)
    await private.world.chat.set_system(thread.id, "Be brief.")
    outcome = await private.world.chat.send(thread.id, words("one"))
    assert outcome.message is not None
    request = await private.world.chat.history.request(outcome.message.id)
    assert request is not None
    assert request["system"] != ""
    found = await private.library.find(thread.id)
    assert (found.title, found.pinned, found.private) == ("Mine", True, True)
    assert (await private.world.history.message(outcome.message.id)).text == "answer 1"


async def test_deleting_can_be_undone_while_the_app_is_open(private: Private) -> None:
    thread = await thread_of(private)
    await private.world.chat.send(thread.id, words("one"))
    await private.library.delete(thread.id)
    assert await private.library.threads() == ()
    with pytest.raises(UserError):
        await private.world.history.thread(thread.id)
    restored = await private.library.restore(thread.id)
    assert restored.private
    assert len(await private.world.history.messages(thread.id)) == 2


async def test_a_copy_of_a_private_thread_is_private(private: Private) -> None:
    thread = await thread_of(private)
    await private.world.chat.send(thread.id, words("one"))
    copy = await private.library.duplicate(thread.id)
    assert copy.private
    assert [message.text for message in (await private.world.chat.open_thread(copy.id)).path] == ["one", "answer 1"]
    assert await private.file.threads() == ()
    await private.world.chat.send(copy.id, words("only here"))
    assert len(await private.world.history.messages(thread.id)) == 2


async def test_marks_and_what_was_seen_stay_in_memory_and_go_into_a_copy(private: Private, tmp_path: Path) -> None:
    thread = await thread_of(private)
    await private.world.chat.send(thread.id, words("one"))
    history = private.world.history
    (summary,) = await history.threads()
    assert summary.unread
    question, answer = await history.messages(thread.id)
    await history.set_seen(thread.id, answer.id)
    await history.save_mark(thread.id, answer.id, MessageMark("down", "no"))
    await history.save_mark(thread.id, question.id, MessageMark("up"))
    await history.save_mark(thread.id, question.id, MessageMark())
    await private.library.rename(thread.id, "Other")
    (summary,) = await history.threads()
    assert (summary.unread, summary.seen) == (False, answer.id)
    assert await history.marks(thread.id) == {answer.id: MessageMark("down", "no")}
    copy = await private.library.duplicate(thread.id)
    assert list((await history.marks(copy.id)).values()) == [MessageMark("down", "no")]
    with pytest.raises(UserError):
        await history.save_mark(thread.id, "elsewhere", MessageMark("up"))
    with closing(sqlite3.connect(tmp_path / "history.db")) as file:
        assert file.execute("SELECT count(*) FROM mark").fetchone() == (0,)


async def test_what_was_left_out_is_looked_up_as_in_the_file(private: Private) -> None:
    """The same talk, in private and not: a question finds the same messages in the same order."""
    lines = ["The quokka lives on Rottnest Island.", "Marzipan is made of almonds.", "Almonds grow on trees in Spain."]
    found: list[list[str]] = []
    for is_private in (True, False):
        thread = await private.world.chat.new_thread(backend="gated", private=is_private)
        for line in lines:
            await private.world.chat.send(thread.id, words(line))
        messages = {message.id: message.text for message in await private.world.history.messages(thread.id)}
        hits = await private.world.history.search_thread(thread.id, "where do the almonds grow?", list(messages))
        found.append([messages[hit.message_id] for hit in hits])
    assert found[0] == found[1]
    assert found[0][0] == lines[2]


async def test_it_is_never_found_by_the_search(private: Private) -> None:
    thread = await thread_of(private)
    await private.world.chat.send(thread.id, words("quokkaesque"))
    assert await private.library.search("quokkaesque") == SearchPage()
    assert await private.world.history.search("quokkaesque", SearchWithin(thread.id)) == SearchPage()


async def test_a_full_disk_does_not_end_a_private_talk(
    private: Private, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async def full(*_: object, **__: object) -> None:
        raise UserError("store", "The disk is full.")

    for name in ("record_call", "record_events", "begin_turn", "end_turn", "save_draft"):
        monkeypatch.setattr(private.file, name, full)
    thread = await thread_of(private)
    with caplog.at_level(logging.WARNING):
        outcome = await private.world.chat.send(thread.id, words("one"))
    assert outcome.failure is None
    assert outcome.message is not None
    assert "figures of a private thread" in caplog.text


async def test_events_are_shown_here_and_counted_there(private: Private) -> None:
    thread = await thread_of(private)
    await private.world.history.record_events(
        thread.id, [ContextEvent("refused", 9, 9, 0, "big")], at="2026-03-01T00:00:00.000Z"
    )
    (event,) = await private.world.history.events(thread.id)
    assert event.event.kind == "refused"
    (count,) = await private.file.event_counts()
    assert (count.thread_id, count.kind, count.count) == (None, "refused", 1)


async def whole_talk(services: AppServices, backend: GatedBackend) -> None:
    """Sends, a retry, a stop, a refusal, a trim, a summary, a successor, a copy, a draft, an attachment."""
    chat = services.chat
    thread = await chat.new_thread(backend="scripted", private=True)
    await chat.set_system(thread.id, f"System {SECRET[0]}")
    for number in range(14):
        backend.reply(TextDelta(f"{SECRET[1]} {number} " + "plain filler words here " * 60), Ended("end_turn"))
        await chat.send(thread.id, words(f"{SECRET[2]} {number}"))
    await chat.retry(thread.id)
    gate = Gate()
    backend.reply(TextDelta(SECRET[3]), gate, Ended("end_turn"))
    turn = chat.start_send(thread.id, words(SECRET[2]))
    await gate.arrive()
    await chat.keep_draft(thread.id, SECRET[4])
    await services.history.save_attachments(thread.id, [ImagePart(SECRET[4], "image/png", "AAAA")])
    await chat.stop(thread.id)
    await turn
    ids = [message.id for message in (await chat.open_thread(thread.id)).path]
    backend.reply(TextDelta(f"Summary {SECRET[5]}"), Ended("end_turn"))
    await chat.summaries.start(thread.id, ids[2:14])
    backend.reply(TextDelta(f"Summary {SECRET[5]}"), Ended("end_turn"))
    await chat.continuation.start(thread.id, SECRET[4])
    await services.library.rename(thread.id, SECRET[0])
    await services.library.duplicate(thread.id)
    refused = await chat.send(thread.id, words(f"{SECRET[2]} " * 400_000))
    assert refused.failure is not None
    await services.library.delete(thread.id)
    await services.library.restore(thread.id)
    kinds = {event.event.kind for event in await services.history.events(thread.id)}
    await services.library.delete(thread.id)
    assert {"trimmed", "refused"} <= kinds


async def test_no_word_of_it_is_anywhere_in_the_data_folder(tmp_path: Path) -> None:
    data = tmp_path / "data"
    data.mkdir()
    (data / "settings.toml").write_text("[context]\nsoft_limit = 3000\n", "utf-8")
    services = await compose(data, environ={"HOME": str(tmp_path), "PATH": ""}, secrets=MemorySecrets())
    backend = GatedBackend("scripted", window=200_000)
    services.backends["scripted"] = backend  # type: ignore[index]
    open_thread = await services.chat.new_thread(backend="scripted")
    await services.chat.send(open_thread.id, words("long pangolin tale " * 500))
    await whole_talk(services, backend)
    ledger = await services.history.ledger()
    assert {row.purpose for row in ledger if row.thread_id is None} >= {"chat", "summary"}
    exported = await services.thread_export.export(None, "json", tmp_path / "out.json")
    while_open = {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}
    assert any(path.name.endswith("-wal") for path in while_open)
    await services.close()
    texts = {path: path.read_bytes() for path in (*tmp_path.rglob("*"), *exported) if path.is_file()}
    assert any(b"pangolin" in text for path, text in texts.items() if path in exported)
    for path, text in (*while_open.items(), *texts.items()):
        for word in SECRET:
            assert word.encode() not in text, f"{word} in {path.name}"
    unpacked = everything_in(data / "history.db")
    assert b"long pangolin" in unpacked
    for word in SECRET:
        assert word.encode() not in unpacked
