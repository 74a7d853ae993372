"""A thread in which nothing was written does not stay."""

from __future__ import annotations

from pathlib import Path

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
