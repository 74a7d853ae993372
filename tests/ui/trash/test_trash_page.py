"""The trash on the real window: what is deleted is there, comes back, or goes for good, from backups too."""

from __future__ import annotations

import asyncio
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from PySide6.QtCore import QItemSelectionModel, QPoint, QSize, Qt, QTimer
from PySide6.QtWidgets import QMessageBox

from desktop_app.storage.sqlite_history import SqliteHistory
from desktop_app.ui.shell.background_presence import TRASH_AFTER_START_MS, TRASH_AGAIN_MS
from desktop_app.ui.trash.trash_page import TrashPage
from tests.builders.leftovers import leftovers
from tests.ui.access_walk import all_faults
from tests.ui.editing import answer, question, undo
from tests.ui.listed import threads_of
from tests.ui.menus import entries_of
from tests.ui.open_window import OpenWindow

pytestmark = pytest.mark.slow


async def trash_page(window: OpenWindow) -> TrashPage:
    window.shortcut("show_trash")
    await window.until(lambda: isinstance(window.presenters.pages.page, TrashPage), "the page")
    await window.settled()
    page = window.presenters.pages.page
    assert isinstance(page, TrashPage)
    return page


def shown(page: TrashPage) -> list[str]:
    return [row.title for row in page.rows.rows]


def listed(window: OpenWindow) -> set[str]:
    return {one.thread.title for one in window.threads.model.threads()}


async def test_what_is_deleted_is_in_the_trash_and_undo_takes_it_out_again(window: OpenWindow) -> None:
    one, _ = await threads_of(window, "Tides and winds", "Something else")
    page = await trash_page(window)
    assert page.nothing.isVisible()
    assert not page.view.isVisible()
    assert not page.empty_button.isVisible()
    window.threads.delete_requested.emit([one])
    await window.until(lambda: shown(page) == ["Tides and winds"], "the thread in the trash")
    facts = page.rows.rows[0].facts
    assert facts.startswith("Thread · deleted ")
    assert facts.endswith("30 days left")
    assert all_faults() == []
    await undo(window, "“Tides and winds” moved to trash")
    await window.until(lambda: not shown(page), "an empty trash")
    assert page.nothing.isVisible()
    assert "Tides and winds" in listed(window)


async def test_by_keyboard_alone_one_is_restored_and_one_is_gone_for_good(window: OpenWindow, data_dir: Path) -> None:
    one, two = await threads_of(window, "Tides and winds", "Ropes and sails")
    prompt = await window.services.prompts.add("Knots", "Which knot?")
    await window.services.library.delete_all([one, two])
    await window.services.prompts.delete(prompt.id)
    page = await trash_page(window)
    await window.until(lambda: len(shown(page)) == 3, "everything in the trash")
    assert page.view.hasFocus()
    place = shown(page).index("Tides and winds")
    page.view.setCurrentIndex(page.rows.index(place))
    window.press(Qt.Key.Key_Return, widget=page.view)
    await window.until(lambda: "Tides and winds" in listed(window), "the thread in the list")
    await window.until(lambda: len(shown(page)) == 2, "two in the trash")
    page.view.setCurrentIndex(page.rows.index(shown(page).index("Ropes and sails")))
    window.press(Qt.Key.Key_Delete, widget=page.view)
    await answer(window, "Cancel")
    assert len(shown(page)) == 2
    window.press(Qt.Key.Key_Delete, widget=page.view)
    await answer(window, "Delete for good")
    await window.until(lambda: shown(page) == ["Knots"], "one in the trash")
    await window.until(lambda: window.window.toast.accessibleDescription() == "Deleted for good", "the toast")
    assert leftovers(data_dir, ["Ropes and sails"]) == []


async def test_the_trash_is_emptied_and_the_backups_are_cleaned_on_demand(window: OpenWindow, data_dir: Path) -> None:
    one, two = await threads_of(window, "Zyxomorphic winds", "Qwyjibo sails")
    backups = [data_dir / "backups" / f"{number}.db" for number in (1, 2)]
    for backup in backups:
        await window.services.history.copy_to(backup)
    await window.services.library.delete_all([one, two])
    page = await trash_page(window)
    await window.until(lambda: len(shown(page)) == 2, "both in the trash")
    page.empty_button.click()
    await answer(window, "Delete for good")
    await window.until(page.copies.isVisible, "the words about backups")
    assert page.copies.text() == "2 backups still hold items you deleted for good."
    assert page.nothing.isVisible()
    words = ["Zyxomorphic", "Qwyjibo"]
    assert {line.partition(":")[0] for line in leftovers(data_dir, words)} == {"backups/1.db", "backups/2.db"}
    page.copies_button.click()
    asked = await question(window)
    assert asked.text().startswith("2 backups still hold items you deleted for good. Delete them there too?")
    await answer(window, "Cancel")
    assert leftovers(data_dir, words), "nothing goes before it is confirmed"
    page.copies_button.click()
    await answer(window, "Delete there too")
    await window.until(lambda: not page.copies.isVisible(), "no more words")
    assert leftovers(data_dir, words) == []
    copy = await SqliteHistory.open(backups[0], quiet_s=None)
    assert await copy.threads() == ()
    await copy.close()


async def test_what_backups_still_hold_moves_nothing_that_is_aimed_at(window: OpenWindow) -> None:
    one, _ = await threads_of(window, "Tides and winds", "Something else")
    await window.services.library.delete(one)
    page = await trash_page(window)
    await window.until(lambda: len(shown(page)) == 1, "it in the trash")

    def places() -> list[tuple[QPoint, QSize]]:
        buttons = (page.restore_button, page.erase_button)
        return [(button.mapTo(page, QPoint()), button.size()) for button in buttons]

    before = places()
    page.show_copies(1)
    await window.settled()
    assert page.copies_button.isVisible()
    assert places() == before


async def test_a_question_about_what_is_lasting_is_said_once_and_enter_cancels_it(window: OpenWindow) -> None:
    one, _ = await threads_of(window, "Tides and winds", "Something else")
    await window.services.library.delete(one)
    page = await trash_page(window)
    await window.until(lambda: len(shown(page)) == 1, "it in the trash")
    page.erase_button.click()
    asked = await question(window)
    assert asked.windowTitle() == "Delete for good"
    assert asked.text() == "Delete “Tides and winds” for good?\n\nThis can't be undone."
    focused = asked.focusWidget()
    assert focused is asked.button(QMessageBox.StandardButton.Cancel)
    window.press(Qt.Key.Key_Return, widget=focused)
    await window.settled()
    assert shown(page) == ["Tides and winds"]
    assert len(await window.services.trash.items()) == 1


async def test_several_are_selected_and_a_menu_offers_the_same(window: OpenWindow) -> None:
    ids = await threads_of(window, "Tides", "Ropes", "Sails")
    await window.services.library.delete_all(ids)
    page = await trash_page(window)
    await window.until(lambda: len(shown(page)) == 3, "all in the trash")
    both = QItemSelectionModel.SelectionFlag.ClearAndSelect
    page.view.selectionModel().select(page.rows.index(0), both)
    page.view.selectionModel().select(page.rows.index(1), QItemSelectionModel.SelectionFlag.Select)
    page.view.customContextMenuRequested.emit(page.view.visualRect(page.rows.index(0)).center())
    assert page.menu is not None
    assert list(entries_of(page.menu)) == ["Restore", "Delete for good"]
    page.menu.actions()[0].trigger()
    await window.until(lambda: len(shown(page)) == 1, "one in the trash")
    await window.until(lambda: len(listed(window)) == 2, "both in the list")


async def test_the_archive_is_emptied_for_good(window: OpenWindow, data_dir: Path) -> None:
    one, _ = await threads_of(window, "Zyxomorphic winds", "Something else")
    await window.services.library.archive(one)
    await window.until(window.threads.archive_button.isVisible, "the way to the archive")
    window.threads.archive_button.click()
    head = window.threads.archive_head
    assert head is not None
    assert head.empty.isVisible()
    assert all_faults() == []
    head.empty.click()
    await answer(window, "Cancel")
    assert window.threads.model.archived_count() == 1
    head.empty.click()
    await answer(window, "Delete for good")
    await window.until(lambda: window.threads.model.archived_count() == 0, "an empty archive")
    await window.until(lambda: window.window.toast.accessibleDescription() == "1 thread deleted for good", "the toast")
    assert not head.empty.isVisible()
    assert leftovers(data_dir, ["Zyxomorphic"]) == []
    assert await window.services.trash.items() == []


async def test_what_is_deleted_for_good_goes_on_where_the_page_is_left(window: OpenWindow, data_dir: Path) -> None:
    one, _ = await threads_of(window, "Zyxomorphic winds", "Something else")
    await window.services.library.delete(one)
    page = await trash_page(window)
    await window.until(lambda: len(shown(page)) == 1, "it in the trash")
    page.empty_button.click()
    asked = asyncio.ensure_future(answer(window, "Delete for good"))
    await asked
    window.presenters.pages.leave()
    await window.until(lambda: leftovers(data_dir, ["Zyxomorphic"]) == [], "nothing left")


async def test_a_while_after_the_start_what_is_in_the_trash_for_long_goes(window: OpenWindow, data_dir: Path) -> None:
    one, two = await threads_of(window, "Zyxomorphic winds", "Qwyjibo sails")
    await window.services.library.delete_all([one, two])
    with closing(sqlite3.connect(data_dir / "history.db")) as connection, connection:
        connection.execute("UPDATE thread SET deleted = '2020-01-01T00:00:00+00:00' WHERE id = ?", (one,))
    looked = data_dir / "cache" / "trash_look"
    looked.parent.mkdir(mode=0o700, exist_ok=True)
    looked.write_text("2026-01-01T00:00:00+00:00 2026-03-16T00:00:00+00:00")
    timer = window.session.presence.findChild(QTimer, "trash expiry")
    assert isinstance(timer, QTimer)
    assert timer.isActive()
    assert timer.interval() == TRASH_AFTER_START_MS
    timer.timeout.emit()
    await window.until(lambda: leftovers(data_dir, ["Zyxomorphic"]) == [], "it gone")
    assert [item.id for item in await window.services.trash.items()] == [two]
    assert timer.interval() == TRASH_AGAIN_MS


async def test_a_deleted_turn_is_one_row_and_comes_back_whole(window: OpenWindow) -> None:
    for text in ("first", "second"):
        await window.send(text)
    thread_id = window.app_state.thread_id or ""
    path = (await window.services.chat.open_thread(thread_id)).path
    await window.services.chat.delete_turn(thread_id, path[2].id)
    page = await trash_page(window)
    await window.until(lambda: shown(page) == ["second"], "the turn in the trash")
    assert page.rows.rows[0].facts.startswith("Question and answer · ")
    window.press(Qt.Key.Key_Return, widget=page.view)
    await window.until(lambda: not shown(page), "an empty trash")
    assert [one.text for one in (await window.services.chat.open_thread(thread_id)).shown][2] == "second"
    await window.until(lambda: len(window.transcript.row_layout.messages) == 4, "the turn in the transcript")
