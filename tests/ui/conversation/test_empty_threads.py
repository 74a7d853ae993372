"""A thread in which nothing was written does not stay."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Qt

from tests.ui.open_window import OpenWindow


async def titles(window: OpenWindow) -> list[str]:
    return [summary.thread.id for summary in await window.services.library.threads()]


async def blank_thread(window: OpenWindow) -> str:
    """Typed a word and took it back."""
    window.type("a")
    await window.until(lambda: window.app_state.thread_id, "the thread")
    await window.settled()
    window.editor.replace_text("")
    await window.settled()
    assert window.app_state.thread_id is not None
    return window.app_state.thread_id


async def test_a_thread_without_a_word_disappears_when_it_is_left(window: OpenWindow) -> None:
    await window.send("kept")
    kept = window.app_state.thread_id
    window.shortcut("new_thread")
    blank = await blank_thread(window)
    assert blank in await titles(window)
    assert kept is not None
    await window.choose_thread(kept)
    assert await titles(window) == [kept]
    assert not window.threads.model.index_of(blank).isValid()
    assert window.app_state.thread_id == kept


async def test_a_thread_with_a_draft_a_name_or_a_message_stays(window: OpenWindow) -> None:
    window.type("a draft")
    await window.settled()
    window.shortcut("new_thread")
    await window.settled()
    named = await blank_thread(window)
    await window.services.library.rename(named, "Named")
    await window.settled()
    window.shortcut("new_thread")
    await window.settled()
    await window.send("sent")
    window.shortcut("new_thread")
    await window.settled()
    assert len(await titles(window)) == 3


async def test_closing_the_window_leaves_no_blank_thread(data_dir: Path) -> None:
    async with OpenWindow.opened(data_dir) as window:
        await blank_thread(window)
    async with OpenWindow.opened(data_dir) as window:
        assert await titles(window) == []
        assert window.app_state.current is None


async def test_deleting_a_blank_thread_shows_no_error(window: OpenWindow) -> None:
    blank = await blank_thread(window)
    window.threads.delete_requested.emit([blank])
    await window.settled()
    assert await titles(window) == []
    assert window.presenters.error_cards.card is None


async def test_the_row_goes_with_the_last_letter_and_comes_back_with_the_first(window: OpenWindow) -> None:
    window.composer.focus_editor()
    window.type("a thought")
    await window.settled()
    thread = window.app_state.thread_id
    model = window.threads.model
    assert model.index_of(thread).isValid()
    window.press(Qt.Key.Key_A, Qt.KeyboardModifier.ControlModifier)
    window.press(Qt.Key.Key_Delete)
    await window.settled()
    assert not model.index_of(thread).isValid(), "nothing stands in it"
    window.press(Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    await window.settled()
    assert window.composer.text() == "a thought", "the field can still take it back"
    assert model.index_of(thread).isValid()
    window.press(Qt.Key.Key_Return)
    await window.until(lambda: bool(window.backend.plans) and not window.composer.streaming, "the answer")
    await window.settled()
    assert window.composer.is_empty()
    assert model.index_of(thread).isValid(), "a sent message empties the field, not the thread"


async def test_it_is_removed_when_it_is_left(window: OpenWindow) -> None:
    await window.send("first")
    window.shortcut("new_thread")
    window.type("x")
    await window.settled()
    thread = window.app_state.thread_id
    window.press(Qt.Key.Key_Backspace)
    await window.settled()
    rows = window.threads.model.rowCount()
    window.shortcut("new_thread")
    await window.settled()
    assert window.threads.model.rowCount() == rows, "it does not come up again before it is removed"
    assert window.threads.model.thread_of(str(thread)) is None
