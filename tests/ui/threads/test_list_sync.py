"""What the list tells of sync: rings at rows, a line at its foot, after a failure or an hour; and lines in threads."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QPushButton

from desktop_app.core.events import SyncArrived
from desktop_app.core.history_records import ImportedThread
from desktop_app.core.messages import Message, TextPart, Thread
from desktop_app.core.phrases import phrase
from desktop_app.core.sync import SyncApart, SyncLine, SyncTrouble
from desktop_app.storage.sqlite_history import SqliteHistory
from desktop_app.system.system_clock import utc_now
from desktop_app.ui.preferences.sync_page import SyncPage
from desktop_app.ui.threads.thread_rows import MARK_ROLE
from tests.counted_calls import CountedCalls
from tests.fakes.fake_sync import DEVICES, FakeSync
from tests.set_time import days_ago
from tests.ui.listed import threads_of
from tests.ui.open_window import OpenWindow

pytestmark = pytest.mark.slow

TROUBLE = SyncTrouble("network", phrase("The place can't be reached."))


engine = FakeSync.of


@pytest.fixture
def sync_engine() -> type[FakeSync]:
    return FakeSync


def foot(window: OpenWindow) -> str:
    shown = window.threads.sync_foot
    return shown.line.text() if shown is not None and shown.isVisible() else ""


def marks(window: OpenWindow, *ids: str) -> list[str]:
    return [window.threads.model.index_of(one).data(MARK_ROLE) for one in ids]


def notice_of(window: OpenWindow) -> tuple[str, tuple[tuple[str, str], ...]] | None:
    return window.transcript.footer.notice


async def test_a_failure_is_told_at_rows_and_at_the_foot(window: OpenWindow) -> None:
    one, two = await threads_of(window, "Tides and winds", "Something else")
    sync = engine(window)
    state = {"place": "/mnt/sync", "device": "Desk", "devices": DEVICES, "waiting": 1}
    sync.become(**state, waiting_threads=frozenset({one}), since=utc_now().isoformat())
    assert (marks(window, one, two), foot(window)) == (["", ""], ""), "nothing is wrong yet"
    sync.become(trouble=TROUBLE, since=days_ago(2))
    assert marks(window, one, two) == ["unsynced", ""]
    tips = [window.threads.model.index_of(each).data(Qt.ItemDataRole.ToolTipRole) for each in (one, two)]
    assert [tip.endswith(" · not synced") for tip in tips] == [True, False]
    assert foot(window).startswith("1 thread not synced since ")
    row = window.threads.model.index_of(one)
    assert row.data(Qt.ItemDataRole.AccessibleTextRole) == "Tides and winds, not synced"
    details = next(one for one in window.threads.findChildren(QPushButton) if one.text() == "Details")
    details.click()
    await window.until(lambda: isinstance(window.presenters.pages.page, SyncPage), "the page")
    sync.become(paused=True)
    assert (marks(window, one), foot(window)) == ([""], ""), "paused is nothing wrong"
    sync.become(paused=False)
    assert foot(window)
    await sync.now()
    assert (marks(window, one), foot(window)) == ([""], "")


async def test_what_waits_for_an_hour_is_told_without_a_failure(window: OpenWindow) -> None:
    (one,) = await threads_of(window, "Tides and winds")
    sync = engine(window)
    window.presenters.thread_list.sync_hour.timeout.emit()  # the first minute is over
    state = {"place": "/mnt/sync", "device": "Desk", "waiting": 1, "waiting_threads": frozenset({one})}
    sync.become(**state, since=(utc_now() - timedelta(minutes=50)).isoformat())
    assert foot(window) == ""
    assert window.presenters.thread_list.sync_hour.isActive(), "it looks again when the hour is over"
    sync.become(since=(utc_now() - timedelta(minutes=61)).isoformat())
    assert marks(window, one) == ["unsynced"]
    assert foot(window).startswith("1 thread not synced since ")


async def test_trouble_with_nothing_waiting_has_a_line_as_well(window: OpenWindow) -> None:
    engine(window).become(place="/mnt/sync", trouble=TROUBLE)
    assert foot(window) == "Sync doesn't work"


async def test_a_merge_is_told_once_in_its_thread(window: OpenWindow) -> None:
    one, two = await threads_of(window, "Tides and winds", "Something else")
    await window.choose_thread(one)
    lines = (SyncLine(one, phrase("Continued on {device}", device="Laptop")), SyncLine(two, phrase("Back")))
    window.services.announcements.publish(SyncArrived(frozenset({one, two}), lines))
    footer = window.transcript.footer
    assert footer.notice == ("Continued on Laptop", ())
    await window.choose_thread(two)
    assert footer.notice == ("Back", ())
    await window.choose_thread(one)
    assert notice_of(window) is None
    engine(window).become(place="/mnt/sync", apart=(SyncApart("thread", two, "Else", (("pinned", ""),)),))
    window.services.announcements.publish(SyncArrived(frozenset({two}), lines[1:]))
    await window.choose_thread(two)
    assert (notice_of(window) or ("",))[0] == "Back · Pinned changed on two devices"


async def test_to_tell_what_waits_takes_as_long_for_many_threads_as_for_few(tmp_path: Path) -> None:
    """All of a history wait where its first exchange fails; for 2,000 rows, each told, the window stood for 20 ms."""
    stamp, ids = "2026-02-01T00:00:00.000Z", [f"thread{number}" for number in range(300)]
    history = await SqliteHistory.open(tmp_path / "history.db")
    one = [(Message(f"m{name}", name, None, "user", (TextPart("Tides"),), stamp),) for name in ids]
    threads = [Thread(name, name, stamp, stamp, tip=f"m{name}") for name in ids]
    await history.import_threads(
        [ImportedThread(thread.id, thread, said) for thread, said in zip(threads, one, strict=True)]
    )
    await history.close()
    async with OpenWindow.opened(tmp_path, sync=FakeSync) as window:
        sync, calls = engine(window), {10: 10**6, 290: 10**6}
        sync.become(place="/mnt/sync", devices=DEVICES, since=days_ago(2), trouble=TROUBLE)  # the line at the foot
        for count in (10, 290) * 3:
            lines = tuple(SyncLine(name, phrase("Back")) for name in ids[:count])
            with CountedCalls() as work:
                sync.become(waiting=count, waiting_threads=frozenset(ids[:count]), trouble=TROUBLE)
                window.services.announcements.publish(SyncArrived(frozenset(ids[:count]), lines))
                sync.become(progress=(count, 300))
                sync.become(waiting=0, waiting_threads=frozenset(), trouble=None, progress=None)
            calls[count] = min(calls[count], work.calls)
        assert abs(calls[290] - calls[10]) < 30, calls


async def test_what_was_changed_apart_is_told_in_its_thread_until_it_is_decided(window: OpenWindow) -> None:
    one, two = await threads_of(window, "Tides and winds", "Something else")
    await window.choose_thread(one)
    shown = {
        "Ebb": ("Title changed on two devices", "Use “Ebb”"),
        "Ebb " * 30: (f"Title changed on two devices · The other: {'Ebb ' * 30}".rstrip(), "Use the other"),
    }
    for title, told in shown.items():
        engine(window).become(place="/mnt/sync", apart=(SyncApart("thread", one, "Tides", (("title", title),)),))
        words, buttons = notice_of(window) or ("", ())
        assert (words, *(text for _, text in buttons)) == (*told, "Keep this")
    apart = SyncApart("thread", one, "Tides and winds", (("title", "Ebb"), ("backend", ""), ("model", "echo")))
    engine(window).become(place="/mnt/sync", apart=(apart,))
    words, buttons = notice_of(window) or ("", ())
    assert (words, [text for _, text in buttons]) == (
        "Title, Model changed on two devices · The other: Ebb, echo",
        ["Use the other", "Keep this"],
    )
    await window.choose_thread(two)
    assert notice_of(window) is None
    await window.choose_thread(one)
    assert notice_of(window) == (words, buttons), "it is not decided yet"
    assert foot(window) == ""
    window.transcript.row_actions.action_requested.emit("", buttons[0][0])
    await window.settled()
    assert engine(window).asked[-1] == ("decide", "thread", one, True)
    assert notice_of(window) is None


async def test_an_archived_thread_says_so_and_can_be_brought_back(window: OpenWindow) -> None:
    one, two = await threads_of(window, "Tides and winds", "Something else")
    await window.choose_thread(one)
    assert notice_of(window) is None
    window.presenters.thread_list.archive([one], True)
    await window.until(lambda: notice_of(window) is not None, "the line")
    words, ((action, button),) = notice_of(window) or ("", (("", ""),))
    assert (words, button) == ("Archived", "Unarchive")
    await window.choose_thread(two)
    assert notice_of(window) is None
    await window.app_state.open_thread(one)
    assert notice_of(window) == ("Archived", ((action, button),))
    window.transcript.row_actions.action_requested.emit("", action)
    await window.until(lambda: notice_of(window) is None, "the line gone")
    assert window.app_state.current is not None
    assert not window.app_state.current.archived


async def test_what_is_no_thread_is_told_at_the_foot(window: OpenWindow) -> None:
    apart = SyncApart("project", "p", "Harbor", (("instructions", "Be brief."),))
    engine(window).become(place="/mnt/sync", apart=(apart,))
    window.presenters.thread_list.sync_hour.timeout.emit()  # the first minute is over
    assert foot(window) == "Harbor: Instructions changed on two devices"


async def test_the_window_starts_the_engine_and_ends_it(data_dir: Path) -> None:
    async with OpenWindow.opened(data_dir, sync=FakeSync) as window:
        sync = engine(window)
        assert sync.asked == [("start",)]
    assert sync.asked[-1] == ("close",)
