"""A draft that somebody else writes while the thread is open here: taken up, or kept beside what is being written."""

from __future__ import annotations

import asyncio
import os
from pathlib import Path

import pytest

from desktop_app.controller.outgoing_question import OutgoingQuestion
from desktop_app.core.messages import DocumentPart, Failure, TextPart
from tests.cli.command import Plimsoll
from tests.ui.open_window import OpenWindow

BIG = ("The quick brown fox jumps over the lazy dog.\n" * 27_000).strip()


async def stored(window: OpenWindow, thread_id: str) -> str:
    await window.presenters.drafts.flush()
    return (await window.services.history.thread(thread_id)).draft


async def refused_by_the_window(window: OpenWindow, thread_id: str, text: str) -> None:
    """As a command's turn that is handed to the window."""
    outcome = await window.services.chat.start_send(thread_id, (TextPart(text),))
    assert outcome.failure is not None
    assert outcome.failure.code == "context_limit"
    await window.settled()


async def test_what_a_command_kept_is_taken_up_by_an_empty_composer(window: OpenWindow) -> None:
    await window.send("one")
    thread_id = window.app_state.thread_id or ""
    await refused_by_the_window(window, thread_id, BIG)
    window.type("abc")
    assert window.composer.text().endswith("dog.abc")
    kept = await stored(window, thread_id)
    assert BIG in kept
    assert "abc" in kept


async def test_what_a_command_kept_stands_below_what_is_being_written(window: OpenWindow) -> None:
    await window.send("one")
    thread_id = window.app_state.thread_id or ""
    window.type("mine ")
    await refused_by_the_window(window, thread_id, BIG)
    window.type("abc")
    assert window.composer.text() == "mine abc\n\n" + BIG
    assert await stored(window, thread_id) == "mine abc\n\n" + BIG
    assert window.composer.line("added").words


@pytest.mark.parametrize("way", ["undone", "deleted"])
async def test_the_line_about_added_text_goes_when_that_text_is_gone(window: OpenWindow, way: str) -> None:
    await window.send("one")
    window.type("mine ")
    await refused_by_the_window(window, window.app_state.thread_id or "", BIG)
    window.type("abc")
    assert window.composer.line("added").words
    if way == "undone":
        while BIG in window.composer.text():
            window.editor.undo()
    else:
        cursor = window.editor.textCursor()
        cursor.setPosition(len("mine abc\n\n"))
        cursor.movePosition(cursor.MoveOperation.End, cursor.MoveMode.KeepAnchor)
        cursor.removeSelectedText()
    assert window.composer.text().startswith("mine ")
    assert not window.composer.line("added").words


async def test_the_line_stands_for_the_first_of_two_added_texts_and_for_no_text_typed_after_them(
    window: OpenWindow,
) -> None:
    composer, document = window.composer, window.editor.document()
    window.type("mine")
    composer.add_text("mine\n\nfirst 😀")
    composer.add_text(composer.text() + "\n\nsecond")
    cursor = window.editor.textCursor()
    cursor.movePosition(cursor.MoveOperation.End)
    cursor.insertText(" own")

    def delete(words: str) -> None:
        found = document.find(words)
        assert found.hasSelection()
        found.removeSelectedText()

    delete("second")
    assert composer.line("added").words
    cursor = document.find("first")
    cursor.setPosition(document.characterCount() - 1 - len(" own"), cursor.MoveMode.KeepAnchor)
    cursor.removeSelectedText()
    assert composer.text() == "mine\n\n own"
    assert not composer.line("added").words
    composer.add_text(composer.text() + "\n\nthird")
    assert composer.line("added").words
    composer.set_text(composer.text())
    assert not composer.line("added").words, "no undo removes it now"


async def test_the_card_says_the_same_as_the_gauge_and_that_the_draft_is_below(window: OpenWindow) -> None:
    await window.send("one")
    thread_id = window.app_state.thread_id or ""
    window.presenters.attachments.add_text("A chip that was here before. " * 4_000)
    await window.settled()
    await window.services.chat.start_send(thread_id, (TextPart(BIG),))
    card = window.presenters.error_cards.card
    assert card is not None
    assert card.content.sentence == "Nothing was sent. Your draft is still below."
    assert window.composer.text() == BIG

    def same() -> bool:
        plan, now = window.presenters.gauge.plan, window.presenters.error_cards.card
        assert now is not None
        both = plan is not None and bool(plan.placement.attached) and plan.tokens.draft > BIG.count("\n") * 5
        return both and plan is not None and f"({plan.tokens.upper:,} estimated" in now.content.heading

    await window.until(same, "one figure, of the text and the chip")


async def test_what_is_attached_here_stays_when_a_command_sends_or_is_refused(window: OpenWindow) -> None:
    await window.send("one")
    thread_id = window.app_state.thread_id or ""
    window.presenters.attachments.add_text("A chip of mine.")
    await window.settled()
    (mine,) = window.composer.attachments
    theirs = DocumentPart("theirs.txt", "A document of the command.", "ab")
    await window.services.chat.start_send(thread_id, (theirs, TextPart("sent")))
    await window.settled()
    assert list(window.composer.attachments) == [mine]
    assert await window.services.attachments.of(thread_id) == (mine,)
    await window.services.chat.start_send(thread_id, (theirs, TextPart(BIG)))
    await window.settled()
    assert list(window.composer.attachments) == [mine, theirs]
    assert await window.services.attachments.of(thread_id) == (mine, theirs)


async def test_a_card_does_not_speak_of_a_draft_where_there_is_none(window: OpenWindow) -> None:
    await window.send("one")
    thread_id = window.app_state.thread_id or ""
    refusal = Failure("auth", "There is no key.", actions=("retry",))
    await window.services.chat.sender.refuse(OutgoingQuestion(thread_id, None), refusal)
    assert window.presenters.error_cards.card is not None
    assert window.presenters.error_cards.card.content.sentence == "Nothing was sent. The thread is unchanged."


@pytest.mark.skipif(os.name != "posix", reason="the command is a Unix process here")
async def test_what_a_command_in_another_process_kept_outlives_typing(data_dir: Path, qapp: object) -> None:
    async with OpenWindow.opened(data_dir) as window:
        await window.send("one")
        thread_id = window.app_state.thread_id or ""
        where = ("--backend", "scripted", "--model", "scripted", "--thread", thread_id)
        done = await asyncio.to_thread(Plimsoll(data_dir), "ask", *where, "-", stdin=BIG.encode())
        assert done.status == 4, done
        window.type("abc")
        kept = await stored(window, thread_id)
        assert BIG in kept
        assert "abc" in kept
        await window.services.chat.watch.look()
        await window.settled()
        assert BIG in window.composer.text()
