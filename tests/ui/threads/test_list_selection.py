"""Several threads at once: chosen with Ctrl, Shift and the arrows; archived, deleted, moved and exported, one undo."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QApplication, QFileDialog, QLabel, QLineEdit, QMenu

from desktop_app.controller.thread_library import ThreadLibrary
from desktop_app.core.errors import UserError
from desktop_app.core.messages import Thread, ThreadSummary
from desktop_app.ui.shell.opening import make_application
from desktop_app.ui.theme.theme import load_theme
from desktop_app.ui.threads.list_controls import SelectionBar
from desktop_app.ui.threads.threads_pane import ThreadsPane
from desktop_app.ui.transfer.transfer_pages import ExportPage
from tests.ui.listed import click, in_sight, place_of, point_at, shown_rows, stored_threads
from tests.ui.open_window import OpenWindow
from tests.ui.walking import focused

pytestmark = pytest.mark.slow

LEFT, NONE = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
CTRL, SHIFT = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier


def thread(number: int, **facts: object) -> Thread:
    return Thread(one(number), f"Thread {number}", "", "", "scripted", "big", **facts)  # type: ignore[arg-type]


def one(number: int) -> str:
    return f"{number:032x}"


async def twelve(data_dir: Path) -> None:
    """Twelve threads; 10 and 11 in projects of their own, and a heading between them and the others."""
    projects = {10: "Harbour", 11: "Sails"}
    await stored_threads(data_dir, *(thread(number, project=projects.get(number)) for number in range(12)))


def bar(window: OpenWindow) -> SelectionBar | None:
    """The bar that tells of several, if it is there."""
    found = window.threads.selection_bar
    return found if found is not None and found.isVisible() else None


def counted(window: OpenWindow) -> str:
    there = bar(window)
    assert there is not None
    return there.findChildren(QLabel)[0].text()


def press(window: OpenWindow, button: QAbstractButton) -> None:
    assert button.isVisible()
    QTest.mouseClick(button, LEFT)


def numbers(window: OpenWindow) -> list[int]:
    return [int(each, 16) for each in window.threads.view.selected_ids()]


async def undone(window: OpenWindow, words: str) -> None:
    """The toast says it, and its one button takes all of it back."""
    await window.settled()
    assert window.window.toast.words == words
    QTest.mouseClick(window.window.toast.button, LEFT)
    await window.settled()


async def test_ctrl_and_shift_choose_several_and_a_bar_says_how_many(data_dir: Path, qapp: QApplication) -> None:
    await twelve(data_dir)
    async with OpenWindow.opened(data_dir) as window:
        assert bar(window) is None
        click(window, one(2), CTRL)
        click(window, one(4), CTRL)
        assert (numbers(window), counted(window)) == ([0, 2, 4], "3 selected")
        click(window, one(7), SHIFT)
        assert (numbers(window), counted(window)) == ([0, 2, 4, 5, 6, 7], "6 selected")
        assert window.app_state.is_open(one(0)), "nothing is opened by it"
        there = bar(window)
        assert there is not None
        press(window, there.close_button)
        assert (numbers(window), bar(window)) == ([0], None)


async def test_the_arrows_choose_several_past_a_heading(data_dir: Path, qapp: QApplication) -> None:
    await twelve(data_dir)
    async with OpenWindow.opened(data_dir) as window:
        view, model = window.threads.view, window.threads.model
        window.threads.focus_list()
        view.make_current(model.index_of(one(11)))
        for _ in range(4):
            QTest.keyClick(view, Qt.Key.Key_Down, SHIFT)
        assert (numbers(window), counted(window)) == ([11, 0, 1, 2], "4 selected")
        QTest.keyClick(view, Qt.Key.Key_Up, SHIFT)
        assert counted(window) == "3 selected"
        QTest.keyClick(view, Qt.Key.Key_Escape)
        assert bar(window) is None
        QTest.keyClick(view, Qt.Key.Key_A, CTRL)
        assert counted(window) == "12 selected"
        there = bar(window)
        assert there is not None
        for _ in range(3):
            QTest.keyClick(focused(), Qt.Key.Key_Tab)
        assert there.isAncestorOf(focused()), "the bar is reached by Tab"


async def test_going_from_thread_to_thread_with_ctrl_selects_no_second_one(data_dir: Path, qapp: QApplication) -> None:
    await twelve(data_dir)
    async with OpenWindow.opened(data_dir) as window:
        for number in (1, 2):
            QTest.keyClick(window.editor, Qt.Key.Key_PageDown, CTRL)
            await window.until(lambda: window.app_state.is_open(one(number)), "the next thread")  # noqa: B023
            await window.settled()
            assert numbers(window) == [number]
            assert bar(window) is None


async def test_several_are_deleted_and_come_back_at_once(data_dir: Path, qapp: QApplication) -> None:
    await twelve(data_dir)
    async with OpenWindow.opened(data_dir) as window:
        before = shown_rows(window)
        click(window, one(3), CTRL)
        click(window, one(5), CTRL)
        there = bar(window)
        assert there is not None
        press(window, there.delete_button)
        await window.until(lambda: bar(window) is None, "nothing is selected any more")
        await window.settled()
        assert len(shown_rows(window)) == len(before) - 3
        assert window.app_state.current is None
        await undone(window, "3 threads moved to trash")
        assert shown_rows(window) == before
        assert window.app_state.is_open(one(0)), "what was open is open again"
        window.threads.focus_list()
        window.threads.view.make_current(window.threads.model.index_of(one(6)))
        QTest.keyClick(window.threads.view, Qt.Key.Key_Down, SHIFT)
        QTest.keyClick(window.threads.view, Qt.Key.Key_Delete)
        await window.settled()
        assert len(shown_rows(window)) == len(before) - 2
        QTest.keyClick(window.threads.view, Qt.Key.Key_Z, CTRL)
        await window.settled()
        assert shown_rows(window) == before


async def test_a_deletion_of_several_outlives_other_acts_and_its_toast(data_dir: Path, qapp: QApplication) -> None:
    await twelve(data_dir)
    async with OpenWindow.opened(data_dir) as window:
        before = shown_rows(window)
        window.threads.delete_requested.emit([one(number) for number in (1, 2, 3)])
        await window.settled()
        window.threads.delete_requested.emit([one(4)])
        await window.settled()
        window.window.toast.hide()
        await window.send("something else meanwhile")
        window.threads.focus_list()
        for expected in (3, 0):
            QTest.keyClick(window.threads.view, Qt.Key.Key_Z, CTRL)
            await window.settled()
            there = {int(each.thread.id, 16) for each in await window.services.library.threads()}
            assert len(set(range(12)) - there) == expected
        assert sorted(shown_rows(window)) == sorted(before)


class FailingOnce:
    """A library whose disk is full for the second thread that is to come back, once."""

    def __init__(self, library: ThreadLibrary) -> None:
        self._library = library
        self._calls = 0

    def __getattr__(self, name: str) -> Any:
        return getattr(self._library, name)

    async def restore(self, thread_id: str) -> Thread:
        self._calls += 1
        if self._calls == 2:
            raise UserError("store", "The disk is full.")
        return await self._library.restore(thread_id)


async def test_an_undo_that_failed_can_be_tried_again(data_dir: Path, qapp: QApplication) -> None:
    await twelve(data_dir)
    async with OpenWindow.opened(data_dir) as window:
        before = shown_rows(window)
        object.__setattr__(window.services, "library", FailingOnce(window.services.library))
        window.threads.delete_requested.emit([one(number) for number in (1, 2, 3)])
        await window.settled()
        window.threads.focus_list()
        for expected in (2, 0):
            QTest.keyClick(window.threads.view, Qt.Key.Key_Z, CTRL)
            await window.settled()
            assert len(shown_rows(window)) == len(before) - expected
        assert shown_rows(window) == before


async def test_the_keys_go_on_where_many_rows_went(data_dir: Path, qapp: QApplication) -> None:
    await stored_threads(data_dir, *(thread(number) for number in range(120)))
    async with OpenWindow.opened(data_dir) as window:
        view = window.threads.view
        window.threads.focus_list()
        view.make_current(window.threads.model.index_of(one(10)))
        for _ in range(70):
            QTest.keyClick(view, Qt.Key.Key_Down, SHIFT)
        assert numbers(window) == list(range(10, 81))
        assert counted(window) == "71 selected"
        QTest.keyClick(view, Qt.Key.Key_Delete)
        await window.settled()
        assert len(shown_rows(window)) == 1 + 120 - 71
        assert view.currentIndex().isValid()
        QTest.keyClick(view, Qt.Key.Key_Down)
        assert view.current_thread() is not None


async def test_the_bar_covers_no_row_that_was_just_chosen(data_dir: Path, qapp: QApplication) -> None:
    await stored_threads(data_dir, *(thread(number) for number in range(60)))
    async with OpenWindow.opened(data_dir) as window:
        view = window.threads.view
        last = max(number for number in range(60) if in_sight(window, one(number)))
        click(window, one(last), CTRL)
        assert counted(window) == "2 selected"
        assert in_sight(window, one(last))
        assert view.geometry().bottom() < window.threads.selection_bar.geometry().top()  # type: ignore[union-attr]


async def test_several_are_archived_and_moved_with_one_undo(data_dir: Path, qapp: QApplication) -> None:
    await twelve(data_dir)
    async with OpenWindow.opened(data_dir) as window:
        before = shown_rows(window)
        click(window, one(2), CTRL)
        there = bar(window)
        assert there is not None
        press(window, there.archive_button)
        await window.settled()
        assert window.threads.model.archived_count() == 2
        await undone(window, "2 threads archived")
        assert shown_rows(window) == before

        click(window, one(1))
        await window.until(lambda: window.app_state.is_open(one(1)), "a plain click opens")
        click(window, one(10), CTRL)
        press(window, there.move_button)
        menu = next(each for each in window.threads.findChildren(QMenu) if each.isVisible())
        assert [each.text() for each in menu.actions() if each.text()] == [
            *("Harbour", "Sails", "New project…", "No project")
        ]
        menu.setActiveAction(menu.actions()[1])
        QTest.keyClick(menu, Qt.Key.Key_Return)
        await window.settled()
        assert shown_rows(window)[:5] == ["Harbour", "Sails", "Thread 1", "Thread 10", "Thread 11"]
        assert in_sight(window, one(1))
        assert numbers(window) == [1, 10], "still chosen"
        await undone(window, "2 threads moved to Sails")
        assert shown_rows(window) == before


async def test_several_are_exported_into_a_folder(data_dir: Path, tmp_path: Path, qapp: QApplication) -> None:
    await twelve(data_dir)
    folder = tmp_path / "exported"
    folder.mkdir()
    async with OpenWindow.opened(data_dir) as window:
        click(window, one(2), CTRL)
        there = bar(window)
        assert there is not None
        press(window, there.export_button)
        await window.settled()
        page = window.presenters.pages.page
        assert isinstance(page, ExportPage)
        assert page.scopes[0].words == "2 selected threads"
        press(window, page.button)
        await window.until(lambda: window.window.findChild(QFileDialog) is not None, "the question where to")
        dialog = window.window.findChild(QFileDialog)
        assert dialog is not None
        name = dialog.findChild(QLineEdit)
        assert name is not None
        name.setText(str(folder))
        QTest.keyClick(name, Qt.Key.Key_Return)
        await window.settled()
        assert page.progress.words.text() == "2 threads exported"
        assert sorted(file.read_text("utf-8").partition("question ")[2][:1] for file in folder.iterdir()) == ["0", "2"]


async def test_the_menu_of_several_is_about_all_of_them(data_dir: Path, qapp: QApplication) -> None:
    await twelve(data_dir)
    async with OpenWindow.opened(data_dir) as window:
        click(window, one(2), CTRL)
        there = bar(window)
        assert there is not None
        point_at(window, place_of(window, one(2)))
        (button,) = [b for b in window.threads.view.viewport().findChildren(QAbstractButton) if b.isVisible()]
        QTest.mouseClick(button, LEFT)
        menu = next(each for each in window.threads.findChildren(QMenu) if each.isVisible())
        words = [each.text() for each in menu.actions() if each.text()]
        menu.close()
        assert words == ["2 threads", "Pin", "Move to project", "Archive", "Export…", "Delete"]


def test_work_with_ten_thousand_threads_is_bounded_by_what_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    app = make_application() if QApplication.instance() is None else QApplication.instance()
    assert app is not None
    pane = ThreadsPane(load_theme("light"))
    pane.resize(248, 760)
    stamp = "2026-11-22T10:00:00.000Z"
    threads = [Thread(one(number), f"Thread {number}", stamp, stamp) for number in range(10_000)]
    pane.model.set_threads([ThreadSummary(each, 1) for each in threads])
    pane.show()
    pane.view.viewport().repaint()
    seen = pane.view.viewport().height() // pane.view.painter.height + 2
    counts = {"painted": 0, "asked": 0, "arranged": 0}

    def counting(holder: object, name: str, what: str) -> None:
        real = getattr(holder, name)

        def counted(*args: object, **how: object) -> object:
            counts[what] += 1
            return real(*args, **how)

        monkeypatch.setattr(holder, name, counted)

    # not what Qt itself calls, and remembers
    counting(pane.view.painter, "_paint_row", "painted")
    counting(pane.model, "_at", "asked")
    pane.model.arranged.connect(lambda: counts.update(arranged=counts["arranged"] + 1))

    def work() -> dict[str, int]:
        pane.view.viewport().repaint()
        done = dict(counts)
        counts.update(painted=0, asked=0, arranged=0)
        return done

    acts: tuple[Callable[[], None], ...] = (
        lambda: QTest.mouseMove(pane.view.viewport(), pane.view.viewport().rect().center()),
        pane.view.selectAll,
        lambda: pane.view.make_current(pane.model.index_of(one(9_000))),
        lambda: pane.view.bring(one(5_000)),
    )
    for act in acts:
        act()
        done = work()
        assert done["painted"] <= 3 * seen
        assert done["asked"] <= 30 * seen
    pane.view.selectAll()
    assert len(pane.view.selected_ids()) == 10_000
    with pane.model.together():
        for each in threads[:500]:
            pane.model.remove_thread(each.id)
    assert work()["arranged"] == 1
    pane.close()
