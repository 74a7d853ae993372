"""What is typed is never lost: kept per thread, through switching, closing and a crash."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QInputMethodEvent
from PySide6.QtWidgets import QApplication

from desktop_app.core.attachment_facts import attachments_of
from desktop_app.core.errors import UserError
from desktop_app.core.events import DraftSaved
from desktop_app.core.messages import Thread
from desktop_app.core.stream_events import Ended, TextDelta
from desktop_app.core.text_diff import queued
from desktop_app.ui.i18n.content_words import name_of
from tests.fakes.gated_backend import Gate
from tests.patience import PATIENCE_S
from tests.ui.open_window import OpenWindow


async def _drafts(window: OpenWindow) -> set[str]:
    library = window.services.library
    return {(await library.find(each.thread.id)).draft for each in await library.threads()}


async def test_each_thread_has_its_own_draft(window: OpenWindow) -> None:
    await window.send("one")
    first = window.app_state.thread_id
    window.type("draft of one")
    window.shortcut("new_thread")
    assert window.composer.is_empty()
    await window.settled()
    window.type("draft of two")
    await window.settled()
    second = window.app_state.thread_id
    assert first is not None
    assert second is not None
    assert second != first
    await window.choose_thread(first)
    assert window.composer.text() == "draft of one"
    await window.choose_thread(second)
    assert window.composer.text() == "draft of two"


def compose(window: OpenWindow, shown: str) -> None:
    """An input method shows a text that is not yet part of the message."""
    QApplication.sendEvent(window.editor, QInputMethodEvent(shown, []))


@pytest.mark.parametrize("way", ["another thread", "a new thread", "send", "close"])
async def test_what_an_input_method_composes_goes_with_its_draft(data_dir: Path, way: str) -> None:
    async with OpenWindow.opened(data_dir) as window:
        await window.send("one")
        first = window.app_state.thread_id
        assert first is not None
        window.shortcut("new_thread")
        await window.settled()
        window.type("two ")
        await window.settled()
        compose(window, "ni hao")
        match way:
            case "another thread":
                await window.choose_thread(first)
            case "a new thread":
                window.shortcut("new_thread")
            case "send":
                window.composer.send_requested.emit()
        await window.until(lambda: way == "close" or window.composer.is_empty(), "an empty composer")
        assert not window.editor.composing() or way == "close"
        await window.settled()
    async with OpenWindow.opened(data_dir) as window:
        library = window.services.library
        said = {text for one in await library.threads() for text in (one.thread.title, one.thread.draft)}
        assert "two ni hao" in said


async def test_what_is_composed_stays_where_another_draft_comes(window: OpenWindow) -> None:
    window.type("mine")
    await window.settled()
    thread_id = window.app_state.thread_id
    assert thread_id is not None
    await window.until(lambda: window.presenters.drafts.all_saved, "the saved draft")
    compose(window, "ni hao")
    await window.services.chat.keep_draft(thread_id, "kept")
    await window.settled()
    assert window.composer.text() == "mineni hao\n\nkept"


async def test_a_draft_survives_a_restart(data_dir: Path) -> None:
    async with OpenWindow.opened(data_dir) as window:
        window.type("not yet sent")
        await window.settled()
        thread_id = window.app_state.thread_id
    async with OpenWindow.opened(data_dir) as window:
        assert window.app_state.thread_id == thread_id
        assert window.composer.text() == "not yet sent"


async def test_what_was_typed_last_goes_to_the_trash_with_its_thread(data_dir: Path) -> None:
    gate = Gate()
    async with OpenWindow.opened(data_dir) as window:
        window.backend.reply(TextDelta("one"), gate, Ended("end_turn"))
        await window.begin("first", gate)
        thread_id = window.app_state.thread_id
        assert thread_id is not None
        window.enter("queued")
        window.type("behind it")
        window.shortcut("delete_thread")
        await window.settled()
        gate.open()
    async with OpenWindow.opened(data_dir) as window:
        await window.services.library.restore(thread_id)
        assert (await window.services.library.find(thread_id)).draft == "queued\n\nbehind it"


async def test_a_draft_is_stored_shortly_after_typing_rests(window: OpenWindow) -> None:
    saved: list[object] = []
    window.app_state.bridge.subscribe(DraftSaved, saved.append)
    window.type("a word")
    await window.until(lambda: saved, "the saved draft")
    assert window.app_state.thread_id is not None
    assert (await window.services.library.find(window.app_state.thread_id)).draft == "a word"


async def test_a_queued_message_is_part_of_the_draft(data_dir: Path) -> None:
    async with OpenWindow.opened(data_dir) as window:
        gate = Gate()
        window.backend.reply(TextDelta("one"), gate, Ended("end_turn"))
        await window.begin("first", gate)
        window.enter("queued")
        window.type("and more")
    async with OpenWindow.opened(data_dir) as window:
        assert window.composer.text() == "queued\n\nand more"


KILLED = """
import asyncio, os, signal, sys
from pathlib import Path
from desktop_app.core.stream_events import Ended, TextDelta
from desktop_app.ui.shell.opening import make_application
from tests.fakes.gated_backend import Gate
from tests.ui.open_window import OpenWindow
from tests.ui.window_loop import WindowLoop

async def queue_until_killed():
    async with OpenWindow.opened(Path(sys.argv[1])) as window:
        gate, attach = Gate(), window.services.attachments.add_text
        window.backend.reply(TextDelta("one"), gate, Ended("end_turn"))
        await window.begin("first", gate)
        thread_id = window.app_state.thread_id
        for text, name in (("second", ""), ("third", "third.txt"), ("", "fourth.txt"), ("fifth, removed", "")):
            if name:
                await attach(thread_id, "Soundings of " + name, name)
                await window.until(lambda: window.composer.attachments, "the attachment")
            window.enter(text)
        await attach(thread_id, "Soundings of the draft", "draft.txt")
        window.type("a draft")
        await window.settled()
        window.composer.queue.remove_requested.emit(3)
        await window.until(lambda: window.presenters.drafts.all_saved, "the saved draft")
        await window.settled()
        os.kill(os.getpid(), signal.SIGKILL)

app = make_application()
WindowLoop(app).run_until_complete(queue_until_killed())
"""


@pytest.mark.slow
@pytest.mark.parametrize("way", ["enter", "edit", "button"])
async def test_what_is_queued_is_a_queue_again_after_a_kill(data_dir: Path, way: str) -> None:
    """It is sent when the user sends, one message after another, each with what is attached to it; the draft, which
    was written last, goes last."""
    process = await asyncio.create_subprocess_exec(sys.executable, "-c", KILLED, str(data_dir))
    assert await asyncio.wait_for(process.wait(), PATIENCE_S) == -9
    async with OpenWindow.opened(data_dir) as window:
        await window.settled()
        first, second, third = window.composer.queue.rows
        words = "On hold: second", "On hold: third · third.txt", "On hold: fourth.txt"
        assert tuple(row._words.text() for row in (first, second, third)) == words
        assert [row.send_button.isVisible() for row in (first, second, third)] == [True, False, False]
        assert window.composer.text() == "a draft"
        assert [name_of(part) for part in window.composer.attachments] == ["draft.txt"]
        assert window.backend.plans == []
        asked = ["first", "second", "third", "", "a draft"]
        if way == "edit":  # what was first is still first, with the draft behind it
            first.edit_button.click()
            assert first._words.text() == "On hold: third · third.txt"
            assert window.composer.text() == "second\n\na draft"
            await window.settled()
            asked = ["first", "second\n\na draft", "third", ""]
        if way == "button":
            first.send_button.click()
            asked.pop()
        else:
            window.press(Qt.Key.Key_Return)
        await window.until(lambda: len(window.backend.plans) == len(asked) - 1, "the whole queue")
        await window.until(lambda: not window.composer.streaming, "the last answer")
        await window.settled()
        sent = [message for message in (await window.opened_thread()).path if message.role == "user"]
        assert [message.text for message in sent] == asked
        attached = {"third": ["third.txt"], "": ["fourth.txt"]}
        if way != "button":
            attached[next(text for text in asked if text.endswith("a draft"))] = ["draft.txt"]
        for message in sent:
            assert [name_of(part) for part in attachments_of(message.parts)] == attached.get(message.text, [])
        assert (await window.thread()).draft == ("a draft" if way == "button" else "")


async def test_what_is_typed_behind_a_queued_message_is_saved_when_that_has_gone(window: OpenWindow) -> None:
    gate = Gate()
    window.backend.reply(TextDelta("one"), gate, Ended("end_turn"))
    await window.begin("first", gate)
    window.enter("queued")
    window.type("and more")
    saved: list[str] = []
    window.app_state.bridge.subscribe(DraftSaved, lambda stored: saved.append(stored.text))
    await window.until(lambda: queued("queued", 0) + "and more" in saved, "the draft of both")
    gate.open()
    await window.until(lambda: len(window.backend.plans) == 2, "the queued message")
    await window.settled()
    assert (await window.thread()).draft == "and more"


async def test_text_typed_before_the_services_are_there_is_kept_and_sent(data_dir: Path) -> None:
    async with OpenWindow.opened(data_dir, type_at_once="early words") as window:
        await window.settled()
        assert window.composer.text() == "early words"
        assert window.app_state.current is not None
        window.press(Qt.Key.Key_Return)
        await window.until(lambda: window.backend.plans, "the request")
        await window.until(lambda: not window.composer.streaming, "the answer")
        assert [message.text for message in (await window.opened_thread()).path] == ["early words", "answer 1"]


async def test_what_is_typed_behind_a_queued_message_stays_where_the_thread_was_left(window: OpenWindow) -> None:
    """Storing the queued question clears the thread's draft, in which what was typed since stands, too."""
    gate = Gate()
    window.backend.reply(TextDelta("one"), gate, Ended("end_turn"))
    await window.begin("first", gate)
    first = window.app_state.thread_id
    assert first is not None
    window.enter("queued")
    window.type("and more")
    window.shortcut("new_thread")
    gate.open()
    await window.until(lambda: len(window.backend.plans) == 2, "the queued message")
    await window.settled()
    assert (await window.services.library.find(first)).draft == "and more"
    await window.choose_thread(first)
    assert window.composer.text() == "and more"


async def test_a_new_thread_is_made_before_another_is_opened(window: OpenWindow) -> None:
    """Its first word has it made, which takes a moment; whoever goes elsewhere meanwhile loses nothing."""
    await window.send("one")
    first = window.app_state.thread_id
    assert first is not None
    window.shortcut("new_thread")
    await window.settled()
    opening = asyncio.ensure_future(window.app_state.open_thread(first))
    await asyncio.sleep(0)
    window.type("a word")
    await opening
    await window.settled()
    assert window.app_state.thread_id == first
    assert window.composer.text() == ""
    assert await _drafts(window) == {"", "a word"}


async def test_a_new_thread_is_made_before_the_next_new_one(window: OpenWindow) -> None:
    window.type("a word")
    window.app_state.close_thread()
    await window.settled()
    assert window.app_state.thread_id is None
    assert window.composer.text() == ""
    window.type("another")
    await window.until(lambda: window.session.presenters.drafts.all_saved, "the saved draft")
    await window.settled()
    assert await _drafts(window) == {"another", "a word"}


async def test_a_queued_message_on_its_way_is_part_of_the_draft(
    data_dir: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The window is closed after the answer has ended and before the queued message is stored."""
    async with OpenWindow.opened(data_dir) as window:
        gate, asked = Gate(), asyncio.Event()

        async def asks(*_: object) -> None:
            asked.set()
            await asyncio.Event().wait()

        window.backend.reply(TextDelta("one"), gate, Ended("end_turn"))
        await window.begin("first", gate)
        window.enter("queued")
        window.type("and more")
        monkeypatch.setattr(window.services.chat.sender, "expected", asks)
        gate.open()
        await asked.wait()
    async with OpenWindow.opened(data_dir) as window:
        assert window.composer.text() == "queued\n\nand more"


async def test_a_message_that_comes_back_leaves_what_was_typed_behind_it(window: OpenWindow) -> None:
    """What can't be sent becomes the draft of a thread that was left meanwhile."""
    await window.send("one")
    first = window.app_state.thread_id
    assert first is not None
    window.composer.editor.insertPlainText("two\n\nand more")
    window.shortcut("new_thread")
    await window.settled()
    await window.services.chat.keep_draft(first, "two")
    await window.settled()
    assert (await window.services.library.find(first)).draft == "two\n\nand more"


async def test_a_word_whose_thread_cannot_be_made_is_there_for_the_next_one(
    window: OpenWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    await window.send("one")
    first = window.app_state.thread_id
    assert first is not None
    window.shortcut("new_thread")

    async def refused(**_: object) -> Thread:
        raise UserError("store", "The history can't be written.")

    with monkeypatch.context() as failing:
        failing.setattr(window.services.chat, "new_thread", refused)
        window.type("a word")
        await window.settled()
        await window.choose_thread(first)
    assert window.composer.text() == ""
    window.shortcut("new_thread")
    assert window.composer.text() == "a word"
    window.type("s")
    await window.until(lambda: window.app_state.thread_id is not None, "the thread")
    assert window.composer.text() == "a words"
