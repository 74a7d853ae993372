from __future__ import annotations

from dataclasses import replace

import pytest

from desktop_app.core.context.context_choices import ContextChoices, Deletion
from desktop_app.core.history_records import ImportedThread
from desktop_app.core.messages import Message, TextPart
from desktop_app.storage import full_text_search
from desktop_app.storage.sqlite_history import SqliteHistory
from tests.storage.conftest import TIME, a_thread


async def store(history: SqliteHistory, name: str, *said: str, **facts: object) -> None:
    """A thread whose messages follow one another: ids `name0` and so on."""
    messages = tuple(
        Message(f"{name}{number}", name, f"{name}{number - 1}" if number else None, "user", (TextPart(words),), TIME)
        for number, words in enumerate(said)
    )
    thread = replace(a_thread(name), tip=messages[-1].id, **facts)  # type: ignore[arg-type]
    await history.import_threads([ImportedThread(name, thread, messages)])


async def found(history: SqliteHistory, question: str, *among: str) -> list[tuple[str, str]]:
    hits = await history.projects.search_threads(question, among)
    return [(thread_id, hit.message_id) for thread_id, hit in hits]


@pytest.mark.parametrize("named", [200, 0], ids=["asked for by thread", "picked out of all"])
async def test_what_says_most_of_the_question_comes_first(
    history: SqliteHistory, monkeypatch: pytest.MonkeyPatch, named: int
) -> None:
    monkeypatch.setattr(full_text_search, "_NAMED", named)
    await store(history, "a", "The quay is made of stone.", "Nothing of that.")
    await store(history, "b", "The quay was calculated to be 40 m long.")
    await store(history, "c", "The quay was calculated to be 40 m long.")
    assert await found(history, "How long is the quay, as we calculate it?", "a", "b") == [("b", "b0"), ("a", "a0")]
    assert await found(history, "quay") == []
    assert await found(history, "quay", "private or gone") == []
    assert await found(history, "?!", "a", "b") == []


async def test_only_what_the_current_branch_shows_is_found(history: SqliteHistory) -> None:
    await store(
        history, "a", "Where is the quay?", "The quay is east.", "The quay is west.",
        choices=ContextChoices(deleted=frozenset({Deletion("a1", "a2")})),
    )  # fmt: skip
    await history.move_tip("a", "a1", expected="a2")
    assert {one for _, one in await found(history, "quay", "a")} == {"a0", "a1"}, "deleted on the other branch only"
    await history.move_tip("a", "a2", expected="a1")
    assert {one for _, one in await found(history, "quay", "a")} == {"a0", "a2"}
    await history.move_tip("a", "a0", expected="a2")
    assert {one for _, one in await found(history, "quay", "a")} == {"a0"}
    await history.delete_thread("a")
    assert await found(history, "quay", "a") == []


async def test_the_place_of_the_passage_is_told(history: SqliteHistory) -> None:
    await store(history, "a", "Nothing. " * 100 + "The quay is long. " + "Nothing. " * 100)
    ((_, hit),) = await history.projects.search_threads("quay", ["a"])
    words = "Nothing. " * 100 + "The quay is long. " + "Nothing. " * 100
    assert "quay" in words[hit.start : hit.end]
