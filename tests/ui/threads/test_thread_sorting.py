"""What is done with threads in the list: select, pin, archive, sort into projects, copy, delete and take it back."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QMouseEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLineEdit, QMenu, QToolButton

from desktop_app.core.stream_events import Ended, TextDelta
from desktop_app.ui.threads.threads_presenter import thread_menu
from tests.fakes.gated_backend import Gate
from tests.ui.listed import click, place_of, shown_rows, threads_of
from tests.ui.open_window import OpenWindow
from tests.ui.walking import focused

pytestmark = pytest.mark.slow

CTRL, SHIFT, NONE = (
    Qt.KeyboardModifier.ControlModifier,
    Qt.KeyboardModifier.ShiftModifier,
    Qt.KeyboardModifier.NoModifier,
)


def titles(window: OpenWindow) -> list[str]:
    model = window.threads.model
    indexes = (model.index(row) for row in range(model.rowCount()))
    return [str(index.data()) for index in indexes if index.flags() & Qt.ItemFlag.ItemIsSelectable]


def choose(window: OpenWindow, words: str, *ids: str) -> None:
    """Takes a line of the menu of these threads."""
    threads = [thread for one in ids if (thread := window.threads.model.thread_of(one)) is not None]
    menu = thread_menu(window.threads, threads)
    inside = [action for sub in menu.findChildren(QMenu) for action in sub.actions()]
    actions = [*menu.actions(), *inside]
    (action,) = [action for action in actions if action.text() == words]
    action.trigger()
    menu.deleteLater()


async def test_several_are_selected_without_being_opened(window: OpenWindow) -> None:
    one, two, three = await threads_of(window, "one", "two", "three")
    click(window, one, CTRL)
    assert window.app_state.is_open(three)
    assert set(window.threads.view.selected_ids()) == {one, three}
    click(window, two, NONE)
    await window.until(lambda: window.app_state.is_open(two), "the clicked one")
    click(window, one, SHIFT)
    assert window.threads.view.selected_ids() == [two, one]
    assert window.threads.view.ids_at(three) == [three], "a row outside of the selection is meant alone"
    await window.settled()


async def test_several_deletions_in_a_row_are_taken_back_one_by_one(window: OpenWindow) -> None:
    one, two, three, four = await threads_of(window, "one", "two", "three", "four")
    view = window.threads.view
    view.setFocus(Qt.FocusReason.ShortcutFocusReason)
    click(window, one)
    await window.settled()
    click(window, two, CTRL)
    window.press(Qt.Key.Key_Delete, widget=view)
    await window.settled()
    assert titles(window) == ["four", "three"]
    assert window.window.toast.words == "2 threads moved to trash"
    window.threads.delete_requested.emit([four])
    await window.settled()
    window.threads.archive_requested.emit([three], True)
    await window.settled()
    assert titles(window) == []
    view.setFocus(Qt.FocusReason.ShortcutFocusReason)
    for expected in (["three"], ["four", "three"], ["four", "three", "two", "one"]):
        window.press(Qt.Key.Key_Z, CTRL, widget=view)
        await window.settled()
        assert sorted(titles(window)) == sorted(expected)
    assert window.app_state.is_open(one), "what was open is open again"
    window.press(Qt.Key.Key_Z, CTRL, widget=view)
    await window.settled()
    assert len(titles(window)) == 4


async def test_deleting_stops_the_answer_and_keeps_what_came(window: OpenWindow) -> None:
    gate = Gate()
    window.backend.reply(TextDelta("so far"), gate, Ended("end_turn"))
    await window.begin("a question", gate)
    thread_id = window.app_state.thread_id
    window.threads.delete_requested.emit([thread_id])
    await window.settled()
    assert window.backend.open_streams == 0
    window.window.toast.button.click()
    await window.settled()
    assert [message.text for message in (await window.opened_thread()).path] == ["a question", "so far"]


async def test_the_archive_has_a_view_of_its_own(window: OpenWindow) -> None:
    one, _two = await threads_of(window, "one", "two")
    assert window.threads.archive_button.isHidden()
    choose(window, "Archive", one)
    await window.settled()
    assert titles(window) == ["two"]
    assert window.threads.archive_button.text() == "Archived (1)"
    QTest.mouseClick(window.threads.archive_button, Qt.MouseButton.LeftButton)
    assert titles(window) == ["one"]
    assert window.threads.archive_button.isHidden(), "the way back is at the top"
    head = window.threads.archive_head
    assert head is not None
    assert head.isVisible()
    assert head.heading.text() == "Archived"
    assert head.geometry().bottom() <= window.threads.view.geometry().top()
    assert head.nothing.isHidden()
    click(window, one)
    await window.until(lambda: window.app_state.is_open(one), "the archived thread")
    choose(window, "Unarchive", one)
    await window.settled()
    assert head.nothing.isVisible()
    QTest.mouseClick(head.back, Qt.MouseButton.LeftButton)
    assert titles(window) == ["two", "one"]
    assert head.isHidden()


async def test_the_archive_is_entered_and_left_by_keys(window: OpenWindow) -> None:
    one, _two = await threads_of(window, "one", "two")
    await window.services.library.archive(one)
    await window.settled()
    for leave in (Qt.Key.Key_Escape, Qt.Key.Key_Space):
        window.threads.archive_button.setFocus(Qt.FocusReason.TabFocusReason)
        QTest.keyClick(window.threads.archive_button, Qt.Key.Key_Space)
        assert titles(window) == ["one"]
        assert window.threads.view.hasFocus()
        if leave == Qt.Key.Key_Space:
            while not isinstance(focused(), QToolButton) or focused().accessibleName() != "Back to all threads":
                QTest.keyClick(focused(), Qt.Key.Key_Backtab)
        QTest.keyClick(focused(), leave)
        assert titles(window) == ["two"]
        assert window.threads.view.hasFocus()


async def named(window: OpenWindow, name: str) -> None:
    """Writes the name of a project that was just made over the one it was given."""
    field = window.threads.view.findChild(QLineEdit)
    assert field is not None, "its name is written in its place, without a dialog"
    assert field.accessibleName() == "Name of the project"
    assert field.selectedText() == field.text() == "New project"
    window.type(name, field)
    QTest.keyClick(field, Qt.Key.Key_Return)
    await window.until(lambda: window.threads.view.findChild(QLineEdit) is None, "the end of writing")
    await window.settled()


async def test_projects_are_made_and_left_by_the_menu(window: OpenWindow) -> None:
    one, two = await threads_of(window, "one", "two")
    choose(window, "New project…", one)
    await window.settled()
    await named(window, "  Harbour   works ")
    assert shown_rows(window) == ["Harbour works", "one", "Today", "two"]
    choose(window, "Harbour works", two)
    await window.settled()
    assert shown_rows(window) == ["Harbour works", "two", "one"]
    choose(window, "No project", one, two)
    await window.settled()
    assert shown_rows(window) == ["Harbour works", "Today", "two", "one"], "it is there without them"


async def test_a_project_made_for_a_thread_goes_when_that_is_taken_back(window: OpenWindow) -> None:
    one, two = await threads_of(window, "one", "two")
    choose(window, "New project…", one)
    await window.settled()
    await named(window, "Harbour")
    choose(window, "New project…", two)
    await window.settled()
    await named(window, "hARBOUR")
    assert shown_rows(window)[:2] == ["Harbour", "one"]
    assert "New project" in shown_rows(window), "a name that is taken is refused, in words"
    assert "Harbour" in window.window.toast.words
    for _ in range(3):
        window.threads.view.undo_requested.emit()
        await window.settled()
    assert shown_rows(window) == ["Today", "two", "one"]
    assert await window.services.projects.all() == []


async def test_a_private_thread_is_offered_no_project(window: OpenWindow) -> None:
    window.shortcut("new_private_thread")
    await window.send("secret")
    private = window.app_state.thread_id
    assert private is not None
    harbour = await window.services.projects.create("Harbour")
    menu = thread_menu(window.threads, [await window.services.library.find(private)])
    assert "Move to project" not in [action.text() for action in menu.actions()]
    window.threads.project_requested.emit([private], harbour.id)
    await window.settled()
    assert window.window.toast.words == "A private thread can't be in a project"
    assert (await window.services.library.find(private)).project is None


async def test_a_copy_is_opened_and_goes_its_own_way(window: OpenWindow) -> None:
    (one,) = await threads_of(window, "one")
    choose(window, "Duplicate", one)
    await window.settled()
    assert window.app_state.thread_id != one
    assert titles(window) == ["one (copy)", "one"]
    await window.send("more")
    assert len((await window.opened_thread()).path) == 4
    assert len((await window.services.chat.open_thread(one)).path) == 2


async def test_threads_are_dragged_into_groups_and_out_of_them(window: OpenWindow) -> None:
    one, two, three = await threads_of(window, "one", "two", "three")
    await window.services.library.pin(one)
    harbour = await window.services.projects.create("Harbour")
    await window.services.library.move_to_project([two], harbour.id)
    await window.settled()
    assert shown_rows(window) == ["Pinned", "one", "Harbour", "two", "Today", "three"]
    mouse_drag(window, three, place_of(window, two))
    await window.settled()
    assert shown_rows(window) == ["Pinned", "one", "Harbour", "three", "two"]
    assert window.app_state.is_open(three)
    mouse_drag(window, two, place_of(window, one))
    await window.settled()
    assert shown_rows(window) == ["Pinned", "two", "one", "Harbour", "three"]
    await window.services.library.move_to_project([three], None)
    await window.settled()
    mouse_drag(window, two, place_of(window, three))
    await window.settled()
    stored = await window.services.library.find(two)
    assert (stored.pinned, stored.project) == (False, None)


async def test_esc_ends_a_drag(window: OpenWindow) -> None:
    one, two = await threads_of(window, "one", "two")
    await window.services.library.pin(one)
    await window.settled()
    view = window.threads.view
    start = place_of(window, two)
    send_mouse(window, QEvent.Type.MouseButtonPress, start)
    send_mouse(window, QEvent.Type.MouseMove, start + QPoint(0, 20))
    send_mouse(window, QEvent.Type.MouseMove, place_of(window, one))
    assert view.dragging
    assert view.painter.target == "pinned"
    window.press(Qt.Key.Key_Escape, widget=view)
    send_mouse(window, QEvent.Type.MouseButtonRelease, place_of(window, one))
    await window.settled()
    assert not (await window.services.library.find(two)).pinned


async def test_groups_are_folded_by_mouse_and_keys(window: OpenWindow) -> None:
    one, two = await threads_of(window, "one", "two")
    view = window.threads.view
    view.setFocus(Qt.FocusReason.ShortcutFocusReason)
    window.press(Qt.Key.Key_Left, widget=view)
    window.press(Qt.Key.Key_Left, widget=view)
    assert shown_rows(window) == ["Today"]
    window.press(Qt.Key.Key_Right, widget=view)
    assert shown_rows(window) == ["Today", "two", "one"]
    window.press(Qt.Key.Key_Right, widget=view)
    thread = view.current_thread()
    assert thread is not None
    assert thread.id == two
    window.press(Qt.Key.Key_Up, widget=view)
    window.press(Qt.Key.Key_Space, widget=view)
    assert shown_rows(window) == ["Today"]
    arrow = view.painter.arrow_rect(view.visualRect(window.threads.model.index(0))).center()
    send_mouse(window, QEvent.Type.MouseButtonPress, arrow)
    send_mouse(window, QEvent.Type.MouseButtonRelease, arrow)
    assert shown_rows(window) == ["Today", "two", "one"]
    assert one
    await window.settled()


async def test_f2_renames_the_row_that_has_the_keyboard(window: OpenWindow) -> None:
    one, _two = await threads_of(window, "one", "two")
    view = window.threads.view
    view.setFocus(Qt.FocusReason.ShortcutFocusReason)
    window.press(Qt.Key.Key_Down, widget=view)
    window.shortcut("rename_thread")
    editor = view.findChild(QLineEdit)
    assert editor is not None
    editor.selectAll()
    window.type("first", editor)
    window.press(Qt.Key.Key_Return, widget=editor)
    await window.until(lambda: titles(window) == ["two", "first"], "the new title")
    assert (await window.services.library.find(one)).title == "first"
    await window.settled()


async def test_the_heading_of_what_is_in_view_stays_at_the_edge(window: OpenWindow) -> None:
    window.window.resize(700, 420)
    await threads_of(window, *(f"thread {number}" for number in range(16)))
    view = window.threads.view
    assert view.sticky() is None
    view.verticalScrollBar().setValue(100)
    found = view.sticky()
    assert found is not None
    assert found[0].heading == "Today"
    send_mouse(window, QEvent.Type.MouseButtonPress, view.painter.arrow_rect(found[1]).center())
    assert shown_rows(window) == ["Today"]


async def test_the_row_with_the_keyboard_is_never_under_the_heading_at_the_edge(window: OpenWindow) -> None:
    window.window.resize(700, 420)
    await threads_of(window, *(f"thread {number}" for number in range(16)))
    view = window.threads.view
    view.setFocus(Qt.FocusReason.ShortcutFocusReason)
    window.press(Qt.Key.Key_End, widget=view)
    assert view.sticky() is not None
    while view.current_thread() is not None:
        assert view.visualRect(view.currentIndex()).top() >= (view.painter.height if view.sticky() is not None else 0)
        window.press(Qt.Key.Key_Up, widget=view)
    assert view.currentIndex().row() == 0
    assert view.verticalScrollBar().value() == 0


async def test_the_list_keeps_its_place_when_a_thread_above_comes_up(window: OpenWindow) -> None:
    window.window.resize(700, 420)
    ids = await threads_of(window, *(f"thread {number}" for number in range(16)))
    view = window.threads.view
    view.verticalScrollBar().setValue(160)
    watched = next(one for one in ids[::-1] if view.visualRect(window.threads.model.index_of(one)).top() >= 0)
    before = view.visualRect(window.threads.model.index_of(watched)).top()
    await window.services.chat.send(ids[0], ())  # refused: nothing moves
    await window.services.chat.retry(ids[0])
    await window.settled()
    window.threads.model.hold(False)
    assert shown_rows(window)[1] == "thread 0"
    assert view.visualRect(window.threads.model.index_of(watched)).top() == before


def send_mouse(window: OpenWindow, kind: QEvent.Type, place: QPoint) -> None:
    viewport = window.threads.view.viewport()
    left, none = Qt.MouseButton.LeftButton, Qt.MouseButton.NoButton
    button = none if kind == QEvent.Type.MouseMove else left
    held = none if kind == QEvent.Type.MouseButtonRelease else left
    where = QPointF(place)
    event = QMouseEvent(kind, where, QPointF(viewport.mapToGlobal(place)), button, held, NONE)
    QApplication.sendEvent(viewport, event)


def mouse_drag(window: OpenWindow, thread_id: str, to: QPoint) -> None:
    start = place_of(window, thread_id)
    send_mouse(window, QEvent.Type.MouseButtonPress, start)
    send_mouse(window, QEvent.Type.MouseMove, start + QPoint(0, 20))
    send_mouse(window, QEvent.Type.MouseMove, to)
    send_mouse(window, QEvent.Type.MouseButtonRelease, to)


async def test_a_title_being_written_outlives_what_happens_to_its_thread(window: OpenWindow) -> None:
    (one,) = await threads_of(window, "one")
    window.shortcut("rename_thread")
    editor = window.threads.view.findChild(QLineEdit)
    assert editor is not None
    editor.selectAll()
    window.type("half a na", editor)
    await window.services.library.rename(one, "made by a model")
    await window.services.chat.retry(one)
    await window.services.library.pin(one)
    await window.settled()
    assert editor.text() == "half a na"
    window.type("me", editor)
    window.press(Qt.Key.Key_Return, widget=editor)
    await window.until(lambda: titles(window) == ["half a name"], "the new title")
    await window.settled()


async def test_closed_groups_stay_closed_through_a_restart(data_dir: Path, qapp: QApplication) -> None:
    async with OpenWindow.opened(data_dir) as window:
        await threads_of(window, "one", "two")
        window.threads.model.set_collapsed("today", True)
    async with OpenWindow.opened(data_dir) as window:
        assert shown_rows(window) == ["Today"]
        window.threads.model.set_collapsed("today", False)
    async with OpenWindow.opened(data_dir) as window:
        assert shown_rows(window) == ["Today", "two", "one"]


async def test_the_open_thread_stays_in_view_when_it_comes_up(window: OpenWindow) -> None:
    window.window.resize(700, 420)
    ids = await threads_of(window, *(f"thread {number}" for number in range(16)))
    view = window.threads.view
    await window.choose_thread(ids[12])
    window.editor.setFocus()
    view.verticalScrollBar().setValue(view.visualRect(window.threads.model.index_of(ids[12])).top() + 40)
    await window.app_state.open_thread(ids[6])
    await window.settled()
    window.threads.model.hold(False)
    await window.send("more")
    window.threads.model.hold(False)
    assert shown_rows(window)[1] == "thread 6"
    rect = view.visualRect(window.threads.model.index_of(ids[6]))
    assert view.viewport().rect().contains(rect.center())


async def test_the_running_mark_turns_only_where_motion_is_wanted(window: OpenWindow) -> None:
    (one,) = await threads_of(window, "one")
    view = window.threads.view
    window.threads.model.set_mark(one, "running", True)
    assert view.turning.isActive()
    window.threads.model.set_mark(one, "running", False)
    assert not view.turning.isActive()
    await window.services.preferences.set_value("appearance.reduced_motion", True)
    await window.settled()
    window.threads.model.set_mark(one, "running", True)
    assert not view.turning.isActive()
