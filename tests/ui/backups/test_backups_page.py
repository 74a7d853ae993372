"""The page of backups on the real window: make one, look into it, bring a lost thread back."""

from __future__ import annotations

import sqlite3
from collections import Counter
from contextlib import closing
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, QRect, QTimer

from desktop_app.core.events import HistoryDamaged, HistoryRepaired
from desktop_app.core.history_records import Backup, HistoryRepair
from desktop_app.storage.backup_folder import made_at
from desktop_app.ui.backups.backups_page import BackupsPage, facts_of_backup, title_of_backup
from desktop_app.ui.i18n.language import moment
from desktop_app.ui.shell.background_presence import AGAIN_MS, BACKUP_AFTER_START_MS, OPEN_LONG_MS
from desktop_app.ui.theme.theme import GRID
from tests.ui.access_walk import all_faults
from tests.ui.listed import threads_of
from tests.ui.open_window import OpenWindow

pytestmark = pytest.mark.slow


async def backups_page(window: OpenWindow) -> BackupsPage:
    window.shortcut("show_backups")
    await window.until(lambda: isinstance(window.presenters.pages.page, BackupsPage), "the page")
    await window.settled()
    page = window.presenters.pages.page
    assert isinstance(page, BackupsPage)
    return page


def titles(window: OpenWindow) -> set[str]:
    return {one.thread.title for one in window.threads.model.threads()}


async def test_a_thread_that_is_gone_for_good_comes_back_from_a_backup(window: OpenWindow) -> None:
    one, _ = await threads_of(window, "Tides and winds", "Something else")
    page = await backups_page(window)
    assert page.nothing.isVisible()
    page.make_button.click()
    await window.until(lambda: len(page.rows.rows) == 1, "a backup")
    await window.until(lambda: len(page.threads.rows) == 2, "its threads")
    assert page.rows.rows[0].facts.startswith("2 threads · ")
    assert page.rows.rows[0].facts.endswith("verified")
    assert all_faults() == []
    await window.services.library.delete_all([one])
    await window.services.trash.erase(await window.services.trash.items())
    await window.until(lambda: titles(window) == {"Something else"}, "one thread less")
    place = [row.title for row in page.threads.rows].index("Tides and winds")
    page.threads_view.setCurrentIndex(page.threads.index(place))
    await window.until(page.restore_button.isEnabled, "the button")
    page.restore_button.click()
    await window.until(lambda: "Tides and winds" in titles(window), "the thread in the list")
    await window.until(lambda: len(page.rows.rows) == 2, "a backup of what was there before")
    first, second = (row.title for row in page.rows.rows)
    assert (first.endswith(" · before restoring"), second.endswith(" · manual")) == (True, True)
    taken = sum(one.bytes for one in await window.services.backups.all()) / 1_000_000
    await window.until(lambda: page.place.text().endswith(f"together take {taken:.1f} MB."), "what both take")
    await window.until(lambda: not page.progress.isVisible(), "the end")
    assert page.place.toolTip() == str(window.services.backups.folder)


async def test_one_thread_is_not_called_threads_when_all_are_restored(window: OpenWindow) -> None:
    one, *_ = await threads_of(window, "Tides and winds", "Something else")
    page = await backups_page(window)
    page.make_button.click()
    await window.until(lambda: len(page.threads.rows) == 2, "its threads")
    await window.until(page.restore_all_button.isEnabled, "the button")
    await window.services.library.delete_all([one])
    await window.until(lambda: titles(window) == {"Something else"}, "one thread less")
    page.restore_all_button.click()
    await window.until(lambda: window.window.toast.words.endswith("restored"), "the word on it")
    assert window.window.toast.words.startswith("1 thread and 2 messages ")


async def test_the_keyboard_stays_on_the_button_while_a_copy_is_made(window: OpenWindow) -> None:
    await threads_of(window, "Tides and winds")
    page, toast = await backups_page(window), window.window.toast
    for button, is_made in (
        (page.make_button, lambda: len(page.threads.rows) == 1),
        (page.restore_all_button, lambda: toast.words == "Nothing was missing"),
    ):
        await window.until(button.isEnabled, "the button")
        button.setFocus()
        button.click()
        await window.until(is_made, "the copy")
        await window.until(lambda: not page.running, "the end")
        await window.settled()
        assert button.hasFocus()


async def test_the_keyboard_stays_where_it_is_when_the_backups_are_read_again(window: OpenWindow) -> None:
    await threads_of(window, "Tides", "Winds")
    page = await backups_page(window)
    page.make_button.click()
    await window.until(lambda: len(page.threads.rows) == 2, "what the backup holds")
    await window.settled()
    page.threads_view.setCurrentIndex(page.threads.index(1))
    chosen = page.chosen_thread
    page.restore_all_button.setFocus()
    await page.read_again()
    await window.settled()
    assert page.restore_all_button.hasFocus()
    assert page.chosen_thread == chosen


async def test_the_day_s_copy_is_made_when_the_window_is_open_for_a_while(window: OpenWindow) -> None:
    await window.send("one")
    await window.settled()
    timer = window.session.presence.findChild(QTimer, "backup keeping")
    assert isinstance(timer, QTimer)
    assert timer.interval() == BACKUP_AFTER_START_MS
    looked: list[bool] = []
    keep_up = window.services.backups.keep_up

    async def seen(*, open_long: bool = False) -> None:
        await keep_up(open_long=open_long)
        looked.append(open_long)

    window.services.backups.keep_up = seen  # type: ignore[method-assign]
    timer.timeout.emit()
    await window.until(lambda: looked == [False], "a first look")
    assert await window.services.backups.all() == []
    assert timer.interval() == OPEN_LONG_MS
    timer.timeout.emit()
    await window.until(lambda: looked == [False, True], "another")
    (made,) = await window.services.backups.all()
    assert made.messages == 2
    assert timer.interval() == AGAIN_MS
    assert f"{made.bytes / 1_000_000:.1f} MB" in facts_of_backup(made), "as the command says it"


async def test_damage_that_is_found_is_repaired_without_a_new_start(data_dir: Path) -> None:
    async with OpenWindow.opened(data_dir) as window:
        await window.send("one")
        await window.settled()
        backup = await window.services.backups.make()
        path = data_dir / "history.db"
        mark = path.with_name("history.db.suspect")
        mark.touch()
        window.services.announcements.publish(HistoryDamaged("Tree 7"))
        await window.until(lambda: window.presenters.error_cards.card is not None, "the card")
        card = window.presenters.error_cards.card
        assert card is not None
        assert card.content.actions[0].id == "repair_history"
        before = window.app_state.ready
        window.presenters.error_cards.act("repair_history")
        await window.until(lambda: window.app_state.ready not in (None, before), "the history again")
        await window.settled()
        assert backup.verified
        assert not mark.exists()


async def test_what_came_back_from_a_backup_is_told_in_a_card(data_dir: Path) -> None:
    async with OpenWindow.opened(data_dir) as window:
        repair = HistoryRepair("earlier", 1, 5, salvaged=2, backup="x", backup_at="2026-11-20T10:00:00Z")
        window.services.announcements.publish(HistoryRepaired(repair))
        await window.until(lambda: window.presenters.error_cards.card is not None, "the card")
        card = window.presenters.error_cards.card
        assert card is not None
        assert "restored from the backup of 2026-11-20 10:00 UTC" in card.content.heading + card.content.sentence


async def test_a_repair_at_the_start_is_told_once(data_dir: Path) -> None:
    async with OpenWindow.opened(data_dir) as window:
        await window.send("one")
        await window.settled()
    path = data_dir / "history.db"
    content = path.read_bytes()
    path.write_bytes(b"\0" * 100 + content[100:])
    async with OpenWindow.opened(data_dir) as window:
        await window.until(lambda: window.presenters.error_cards.card is not None, "the card")
        card = window.presenters.error_cards.card
        assert card is not None
        assert "was damaged" in card.content.heading + card.content.sentence
    async with OpenWindow.opened(data_dir) as window:
        await window.settled()
        assert window.presenters.error_cards.card is None
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute("SELECT count(*) FROM message").fetchone() == (2,)


def test_backups_of_one_minute_say_their_seconds() -> None:
    made = (("20261129T124312Z-kept", ":12"), ("20261129T124340Z-before", ":40"), ("20261129T120000Z", ""))
    every = [backup_named(f"history-{stamp}") for stamp, _ in made]
    minutes = Counter(moment(one.at) for one in every)
    titles = [title_of_backup(one, minutes) for one in every]
    assert all(seconds in title for title, (_, seconds) in zip(titles, made, strict=True))
    assert [title.rpartition(" · ")[2] for title in titles] == ["manual", "before restoring", "automatic"]
    assert ":00:00" not in titles[2]


def backup_named(name: str) -> Backup:
    at, rotates = made_at(Path(f"{name}.db"))
    by_hand, before = name.endswith(("-kept", "-before")), name.endswith("-before")
    return Backup(name, name, at, 1, 2, 1, 9, True, by_hand, rotates, before)


async def test_a_toast_does_not_cover_the_sentence_at_the_foot(window: OpenWindow) -> None:
    await threads_of(window, *(f"Thread {number}" for number in range(12)))
    page = await backups_page(window)
    page.make_button.click()
    toast, stage = window.window.toast, window.window.stage
    await window.until(toast.isVisible, "the word on it")
    await window.settled()
    foot = QRect(page.about.mapTo(stage, QPoint()), page.about.size())
    assert page.about.isVisible()
    assert not toast.geometry().intersects(foot)
    assert toast.geometry().bottom() > foot.top() - 8 * GRID, "not far from its usual place"
