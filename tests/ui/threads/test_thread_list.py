"""The thread list: groups, search, renaming in place, pinning, deleting with undo."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from PySide6.QtCore import QLocale, Qt, QTime
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLineEdit
from pytestqt.qtbot import QtBot

from desktop_app.core.messages import Thread, ThreadSummary
from desktop_app.ui.i18n.language import SHORT, ago, moment, short_day
from desktop_app.ui.threads.results_pane import DAYS, SearchFilter
from desktop_app.ui.threads.thread_list_model import ThreadListModel
from desktop_app.ui.threads.thread_row_words import SEEN_AT_ONCE, ThreadPreviews
from desktop_app.ui.threads.thread_rows import PREVIEW_ROLE, group_threads
from tests.counted_calls import CountedCalls
from tests.set_time import NOW, days_ago, written
from tests.ui.open_window import OpenWindow

pytestmark = pytest.mark.slow


def summary(name: str, days: float, **facts: bool) -> ThreadSummary:
    when = days_ago(days)
    return ThreadSummary(Thread(name, name, when, when, **facts), 2)  # type: ignore[arg-type]


TURNS = {
    "Europe/Berlin": ((2026, 3, 29, 1), (2026, 10, 25, 1)),
    "America/New_York": ((2026, 3, 8, 7), (2026, 11, 1, 6)),
    "Australia/Lord_Howe": ((2026, 4, 4, 15), (2026, 10, 3, 15)),  # by half an hour
    "America/Santiago": ((2026, 4, 5, 3), (2026, 9, 6, 4)),  # a day without midnight, one with two
    "America/Havana": ((2026, 3, 8, 5), (2026, 11, 1, 5)),
    "Africa/Cairo": ((2026, 4, 23, 22), (2026, 10, 29, 21)),
}
"""When clocks are put forward or back, in UTC: the days around have 23 and 25 hours."""


@pytest.fixture
def zone(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[str], ZoneInfo]]:
    """Makes it another zone here."""

    def here(name: str) -> ZoneInfo:
        monkeypatch.setenv("TZ", name)
        take_zone()
        return ZoneInfo(name)

    take_zone: Callable[[], None] = getattr(time, "tzset", lambda: None)  # which is not on Windows
    yield here
    monkeypatch.undo()
    take_zone()


@pytest.mark.skipif(not hasattr(time, "tzset"), reason="the zone of a process is set on POSIX alone")
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=200)
@given(
    st.sampled_from([(name, turn) for name, turns in TURNS.items() for turn in turns]),
    st.integers(-50 * 60, 50 * 60),
    st.lists(st.integers(0, 12 * 24 * 60), min_size=1, max_size=8),
)
def test_days_and_hours_are_those_of_the_calendar_where_clocks_are_put_forward_or_back(
    zone: Callable[[str], ZoneInfo], where: tuple[str, tuple[int, int, int, int]], after: int, ages: list[int]
) -> None:
    name, turn = where
    there, now = zone(name), datetime(*turn, tzinfo=UTC) + timedelta(minutes=after)
    today = now.astimezone(there).date()
    stamps = [written(now - timedelta(minutes=age)) for age in ages]
    threads = [ThreadSummary(Thread(str(n), "", stamp, stamp), 2) for n, stamp in enumerate(stamps)]
    groups = {one.thread.id: group.key for group in group_threads(threads, today) for one in group.threads}
    for number, (stamp, age) in enumerate(zip(stamps, ages, strict=True)):
        then = (now - timedelta(minutes=age)).astimezone(there)
        days = (today - then.date()).days
        expected = ["today", "yesterday"][days] if days < 2 else "week" if days <= 7 else f"{then:%Y-%m}"
        assert groups[str(number)] == expected, (stamp, now)
        assert moment(stamp).startswith(short_day(then.date()))
        assert moment(stamp).endswith(QLocale().toString(QTime(then.hour, then.minute), SHORT))
        if age >= 24 * 60 and days < 7:
            assert ago(stamp, now) == f"{then:%a}"
        for span, held in DAYS.items():
            since, _ = SearchFilter(span=span).bounds(today)
            assert since is not None
            assert (stamp >= since) == (days < held), (span, stamp, since)


def test_threads_stand_under_the_day_or_month_of_their_last_change() -> None:
    groups = group_threads(
        [
            summary("long ago", 400),
            summary("today", 0.1),
            summary("pinned", 300, pinned=True),
            summary("archived", 0, archived=True),
            summary("yesterday", 1),
            summary("this week", 5),
            summary("last month", 40),
        ],
        NOW.date(),
    )
    assert [(group.heading, [each.thread.id for each in group.threads]) for group in groups] == [
        ("Pinned", ["pinned"]),
        ("Today", ["today"]),
        ("Yesterday", ["yesterday"]),
        ("Previous 7 days", ["this week"]),
        ("February 2026", ["last month"]),
        ("February 2025", ["long ago"]),
    ]


@given(st.lists(st.floats(min_value=0, max_value=1000), max_size=30))
def test_every_thread_stands_in_exactly_one_group_newest_first(ages: list[float]) -> None:
    threads = [summary(str(number), age) for number, age in enumerate(ages)]
    groups = group_threads(threads, NOW.date())
    shown = [each for group in groups for each in group.threads]
    assert sorted(each.thread.id for each in shown) == sorted(each.thread.id for each in threads)
    times = [each.thread.updated for each in shown]
    assert times == sorted(times, reverse=True)
    assert len({group.heading for group in groups}) == len(groups)


def test_a_damaged_time_falls_into_the_last_group() -> None:
    damaged = ThreadSummary(Thread("x", "x", "", ""), 0)
    groups = group_threads([damaged, summary("today", 0)], NOW.date())
    assert [each.thread.id for each in groups[-1].threads] == ["x"]


def test_ten_thousand_threads_are_grouped_within_a_frame(qapp: object) -> None:
    model = ThreadListModel()
    threads = [summary(f"Thread number {number}", number / 30) for number in range(10_000)]
    with CountedCalls() as work:
        model.set_threads(threads)
    assert work.calls < 21_000
    assert model.rowCount() > 10_000


async def test_the_search_box_filters_titles_by_every_word(window: OpenWindow) -> None:
    for text in ("Ring buffer in Python", "Trip to Lisbon", "Python packaging"):
        await window.send(text)
        window.shortcut("new_thread")
    await window.settled()
    window.type("PYTHON ring", window.threads.search)
    assert shown_titles(window) == ["Ring buffer in Python"]
    window.press(Qt.Key.Key_Escape, widget=window.threads.search)
    assert len(shown_titles(window)) == 3


async def test_a_title_is_edited_in_place(window: OpenWindow) -> None:
    await window.send("A question")
    window.shortcut("rename_thread")
    editor = window.threads.view.findChild(QLineEdit)
    assert editor is not None
    editor.selectAll()
    window.type("A better title", editor)
    window.press(Qt.Key.Key_Return, widget=editor)
    await window.until(lambda: shown_titles(window) == ["A better title"], "the new title")
    assert (await window.thread()).title == "A better title"
    assert "A better title" in window.window.windowTitle()


async def test_a_pinned_thread_stands_on_top(window: OpenWindow) -> None:
    await window.send("older")
    older = window.app_state.thread_id
    assert older is not None
    window.shortcut("new_thread")
    await window.send("newer")
    window.threads.pin_requested.emit([older], True)
    await window.settled()
    assert shown_titles(window) == ["older", "newer"]
    assert window.threads.model.index(0).data() == "Pinned"


async def test_a_deleted_thread_comes_back_with_undo(window: OpenWindow) -> None:
    await window.send("precious")
    thread_id = window.app_state.thread_id
    assert thread_id is not None
    window.threads.view.setFocus(Qt.FocusReason.ShortcutFocusReason)
    window.press(Qt.Key.Key_Delete, widget=window.threads.view)
    await window.settled()
    assert shown_titles(window) == []
    assert window.app_state.current is None
    assert window.window.toast.words == "“precious” moved to trash"
    window.window.toast.button.click()
    await window.settled()
    assert shown_titles(window) == ["precious"]
    assert window.app_state.is_open(thread_id)
    assert [message.text for message in (await window.opened_thread()).path] == ["precious", "answer 1"]


async def test_the_list_can_be_hidden_and_its_buttons_stay_at_hand(window: OpenWindow) -> None:
    window.threads.collapse_button.click()
    assert not window.threads.isVisible()
    assert window.window.header.new_button.isVisible()
    window.shortcut("toggle_threads")
    assert window.threads.isVisible()
    assert not window.window.header.new_button.isVisible()


def shown_titles(window: OpenWindow) -> list[str]:
    model = window.threads.model
    rows = (model.index(row) for row in range(model.rowCount()))
    return [str(index.data()) for index in rows if index.flags() & Qt.ItemFlag.ItemIsSelectable]


def test_today_is_the_users_own_day() -> None:
    late = datetime.combine(date(2026, 11, 21), datetime.min.time()).astimezone()
    stamp = late.astimezone(UTC).isoformat()
    before = (late - timedelta(seconds=1)).astimezone(UTC).isoformat()
    groups = group_threads(
        [ThreadSummary(Thread("a", "a", stamp, stamp), 0), ThreadSummary(Thread("b", "b", before, before), 0)],
        date(2026, 11, 21),
    )
    assert [group.heading for group in groups] == ["Today", "Yesterday"]


async def test_pages_have_their_place_at_the_foot_of_the_list(window: OpenWindow) -> None:
    buttons = window.threads.page_buttons
    assert all(button.isVisible() and button.toolTip() for button in buttons.values())
    for action, page in (
        ("show_prompts", "Prompts"),
        ("show_usage", "Usage"),
        ("show_trash", "Trash"),
        ("show_backups", "Backups"),
    ):
        QTest.mouseClick(buttons[action], Qt.MouseButton.LeftButton)
        await window.until(
            lambda title=page: (shown := window.presenters.pages.page) is not None and shown.windowTitle() == title,  # type: ignore[misc]
            "the page",
        )


async def test_previews_are_off_at_first_and_show_answer_draft_and_nothing_private(window: OpenWindow) -> None:
    view, model = window.threads.view, window.threads.model
    await window.send("Which port?")
    before = view.painter.height
    thread_id = window.app_state.thread_id
    assert thread_id is not None
    services = await window.app_state.services()
    await services.preferences.set_value("appearance.list_previews", True)
    await window.until(lambda: view.painter.height > before, "two lines")

    def preview(of: str) -> str:
        return str(model.index_of(of).data(PREVIEW_ROLE))

    await window.until(lambda: preview(thread_id) == "answer 1", "the answer's first words")
    assert "Which port?, answer 1" in str(model.index_of(thread_id).data(Qt.ItemDataRole.AccessibleTextRole))
    await window.send("And the host?")
    await window.until(lambda: preview(thread_id) == "answer 2", "the words of the newer answer")
    window.type("A thought")
    await window.until(lambda: preview(thread_id) == "Draft: A thought", "the draft")
    window.shortcut("new_private_thread")
    await window.send("A secret question")
    private = window.app_state.thread_id
    assert private is not None
    await window.settled()
    assert preview(private) == ""


def test_only_the_rows_in_view_ask_for_their_last_words(qtbot: QtBot) -> None:
    model = ThreadListModel()
    model.set_threads([replace(one, thread=replace(one.thread, tip="m")) for one in many(10_000)])
    model.previews = ThreadPreviews(model, model.last_words_wanted.emit, lambda _: None)
    with qtbot.waitSignal(model.last_words_wanted):
        for row in range(5_000):  # scrolled past
            model.index(row).data(PREVIEW_ROLE)
    with qtbot.waitSignal(model.last_words_wanted) as wanted:
        model.previews.ask_again()  # nobody could answer yet
    asked = (wanted.args or [()])[0]
    assert len(asked) == SEEN_AT_ONCE
    model.previews.take(dict.fromkeys(asked, "words"))
    assert model.index_of(asked[-1]).data(PREVIEW_ROLE) == "words"


def many(count: int) -> list[ThreadSummary]:
    return [summary(f"Thread number {number}", number / 30) for number in range(count)]
