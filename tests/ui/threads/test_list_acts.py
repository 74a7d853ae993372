"""What a row of the thread list offers: the "…" button at hover and keyboard focus, and what is done with projects."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import QEvent, QPoint, Qt
from PySide6.QtGui import QContextMenuEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLineEdit, QMenu, QToolButton, QWidget

from desktop_app.core.messages import Thread
from desktop_app.ui.projects.project_page import ProjectPage
from desktop_app.ui.threads.thread_rows import PROJECT
from desktop_app.ui.trash.trash_page import TrashPage
from tests.ui.listed import place_of, point_at, shown_rows, stored_threads
from tests.ui.open_window import OpenWindow

pytestmark = pytest.mark.slow

LEFT, RIGHT, NONE = Qt.MouseButton.LeftButton, Qt.MouseButton.RightButton, Qt.KeyboardModifier.NoModifier


def thread(number: int, **facts: object) -> Thread:
    return Thread(f"{number:032x}", f"Thread {number}", "", "", "scripted", "big", **facts)  # type: ignore[arg-type]


async def a_project(data_dir: Path) -> None:
    """Six threads; 2 and 3 in a project, 4 archived from it."""
    facts: dict[int, dict[str, object]] = {
        2: {"project": "Harbour"},
        3: {"project": "Harbour"},
        4: {"project": "Harbour", "archived": True},
    }
    await stored_threads(data_dir, *(thread(number, **facts.get(number, {})) for number in range(6)))


def one(number: int) -> str:
    return f"{number:032x}"


def button(window: OpenWindow) -> QToolButton:
    """The one button that a row of the list shows."""
    shown = [each for each in window.threads.view.viewport().findChildren(QToolButton) if each.isVisible()]
    assert len(shown) == 1
    return shown[0]


def no_button(window: OpenWindow) -> bool:
    return not any(each.isVisible() for each in window.threads.view.viewport().findChildren(QToolButton))


def menu(window: OpenWindow) -> QMenu:
    """The menu that is open, which a test closes."""
    found = [each for each in window.threads.findChildren(QMenu) if each.isVisible()]
    assert len(found) >= 1
    return found[0]


def entries(window: OpenWindow) -> list[str]:
    opened = menu(window)
    words = [action.text() for action in opened.actions() if action.text()]
    opened.close()
    return words


def right_click(window: OpenWindow, place: QPoint) -> None:
    """A right click as Qt delivers it: offscreen it makes no context menu event of its own."""
    viewport = window.threads.view.viewport()
    QTest.mouseClick(viewport, RIGHT, NONE, place)
    event = QContextMenuEvent(QContextMenuEvent.Reason.Mouse, place, viewport.mapToGlobal(place))
    QApplication.sendEvent(viewport, event)


def heading(window: OpenWindow, key: str) -> QPoint:
    view, model = window.threads.view, window.threads.model
    return view.visualRect(model.index(model.row_of_group(key))).center()


async def test_the_button_at_hover_has_what_right_click_has(data_dir: Path, qapp: QApplication) -> None:
    await a_project(data_dir)
    async with OpenWindow.opened(data_dir) as window:
        view = window.threads.view
        for place in (place_of(window, one(1)), place_of(window, one(2)), heading(window, "project:Harbour")):
            right_click(window, place)
            expected = entries(window)
            assert len(expected) >= 2
            point_at(window, place)
            there = button(window)
            assert there.geometry().center().y() == pytest.approx(place.y(), abs=3)
            assert there.accessibleName().startswith("Actions for ")
            opened = window.app_state.thread_id
            QTest.mouseClick(there, LEFT)
            assert entries(window) == expected
            assert window.app_state.thread_id == opened, "the row is not opened"
        point_at(window, heading(window, "today"))
        assert no_button(window), "nothing can be done with a day"
        point_at(window, place_of(window, one(1)))
        QTest.mouseMove(window.editor)
        QApplication.sendEvent(view.viewport(), QEvent(QEvent.Type.Leave))
        assert no_button(window)


async def test_the_row_with_the_keyboard_has_a_button_that_tab_reaches(data_dir: Path, qapp: QApplication) -> None:
    await a_project(data_dir)
    async with OpenWindow.opened(data_dir) as window:
        view = window.threads.view
        window.threads.focus_list()
        assert button(window).accessibleName() == "Actions for Thread 0"
        QTest.keyClick(view, Qt.Key.Key_Down)
        assert button(window).accessibleName() == "Actions for Thread 1"
        QTest.keyClick(view, Qt.Key.Key_Tab)
        focused = QApplication.focusWidget()
        assert focused is button(window)
        for key in (Qt.Key.Key_Return, Qt.Key.Key_Space):
            QTest.keyClick(focused, key)
            assert "Archive" in entries(window)
        QTest.keyClick(focused, Qt.Key.Key_Escape)
        assert view.hasFocus()
        window.composer.focus_editor()
        await window.until(lambda: no_button(window), "no button where the keyboard is elsewhere")


def taken(window: OpenWindow, words: str) -> None:
    """Takes an entry of the open menu with the keyboard."""
    opened = menu(window)
    opened.setActiveAction(next(each for each in opened.actions() if each.text() == words))
    QTest.keyClick(opened, Qt.Key.Key_Return)


async def projects(window: OpenWindow) -> dict[str, str | None]:
    """The name of the project of each thread."""
    names: dict[str | None, str] = {one.id: one.name for one in await window.services.projects.all()}
    summaries = await window.services.library.threads()
    return {str(int(each.thread.id, 16)): names.get(each.thread.project) for each in summaries}


def field(window: OpenWindow) -> QWidget:
    found = window.threads.view.findChild(QLineEdit)
    assert found is not None
    return found


async def test_a_project_is_renamed_in_place_and_back(data_dir: Path, qapp: QApplication) -> None:
    await a_project(data_dir)
    async with OpenWindow.opened(data_dir) as window:
        point_at(window, heading(window, "project:Harbour"))
        QTest.mouseClick(button(window), LEFT)
        taken(window, "Rename")
        editor = field(window)
        assert editor.accessibleName() == "Name of the project"
        QTest.keyClick(editor, Qt.Key.Key_A, Qt.KeyboardModifier.ControlModifier)
        window.type("Port  works", editor)
        QTest.keyClick(editor, Qt.Key.Key_Return)
        await window.until(lambda: "Port works" in shown_rows(window), "the new name")
        await window.settled()
        assert {name for name in (await projects(window)).values() if name} == {"Port works"}
        assert (await projects(window))["4"] == "Port works", "the archived one goes with it"
        assert window.window.toast.words == "“Harbour” renamed to “Port works”"
        QTest.mouseClick(window.window.toast.button, LEFT)
        await window.settled()
        assert (await projects(window))["4"] == "Harbour"
        assert shown_rows(window)[:3] == ["Harbour", "Thread 2", "Thread 3"]


async def test_enter_after_a_new_title_opens_nothing(data_dir: Path, qapp: QApplication) -> None:
    await a_project(data_dir)
    async with OpenWindow.opened(data_dir) as window:
        point_at(window, place_of(window, one(2)))
        QTest.mouseClick(button(window), LEFT)
        taken(window, "Rename")
        editor = field(window)
        window.type("!", editor)
        QTest.keyClick(editor, Qt.Key.Key_Return)
        await window.until(lambda: "!" in shown_rows(window), "the new title")
        await window.settled()
        assert window.app_state.is_open(one(0))


async def test_f2_renames_the_project_that_has_the_keyboard(data_dir: Path, qapp: QApplication) -> None:
    await a_project(data_dir)
    async with OpenWindow.opened(data_dir) as window:
        view, model = window.threads.view, window.threads.model
        window.threads.focus_list()
        model.set_collapsed("project:Harbour", True)
        view.setCurrentIndex(model.index(0))
        window.shortcut("rename_thread")
        editor = field(window)
        QTest.keyClick(editor, Qt.Key.Key_A, Qt.KeyboardModifier.ControlModifier)
        window.type("Dock", editor)
        QTest.keyClick(editor, Qt.Key.Key_Return)
        await window.until(lambda: "Dock" in shown_rows(window), "the new name")
        await window.settled()
        assert shown_rows(window)[:2] == ["Dock", "Today"], "closed as it was"


async def test_a_project_goes_and_its_threads_stay(data_dir: Path, qapp: QApplication) -> None:
    await a_project(data_dir)
    async with OpenWindow.opened(data_dir) as window:
        right_click(window, heading(window, "project:Harbour"))
        taken(window, "Delete project")
        await window.until(lambda: "Harbour" not in shown_rows(window), "its removal")
        await window.settled()
        assert set((await projects(window)).values()) == {None}
        assert shown_rows(window) == ["Today", *(f"Thread {number}" for number in (0, 1, 2, 3, 5))]
        QTest.mouseClick(window.window.toast.button, LEFT)
        await window.settled()
        assert [number for number, name in sorted((await projects(window)).items()) if name] == ["2", "3", "4"]


async def test_a_deleted_project_whose_page_is_open_comes_back_with_ctrl_z(data_dir: Path, qapp: QApplication) -> None:
    await a_project(data_dir)
    async with OpenWindow.opened(data_dir) as window:
        pages, toast = window.presenters.pages, window.window.toast
        for words in ("Open project", "Delete project"):
            right_click(window, heading(window, "project:Harbour"))
            taken(window, words)
            await window.settled()
        await window.until(lambda: pages.page is None, "the page of a deleted project goes")
        await window.settled()
        assert (toast.words, toast.offers_undo()) == ("Project “Harbour” deleted. Its threads stay.", True)
        window.composer.focus_editor()
        QTest.keyClick(window.editor, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
        await window.until(lambda: "Harbour" in shown_rows(window), "the project again")
        await window.settled()
        assert [number for number, name in sorted((await projects(window)).items()) if name] == ["2", "3", "4"]
        assert not toast.isVisible()


async def test_a_project_deleted_on_its_page_comes_back_with_ctrl_z(data_dir: Path, qapp: QApplication) -> None:
    await a_project(data_dir)
    async with OpenWindow.opened(data_dir) as window:
        right_click(window, heading(window, "project:Harbour"))
        taken(window, "Open project")
        await window.until(lambda: isinstance(window.presenters.pages.page, ProjectPage), "the page")
        await window.settled()
        page = window.presenters.pages.page
        assert isinstance(page, ProjectPage)
        QTest.mouseClick(page.delete, LEFT)
        await window.until(lambda: window.presenters.pages.page is None, "the page gone")
        await window.settled()
        window.composer.focus_editor()
        QTest.keyClick(window.editor, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
        await window.until(lambda: "Harbour" in shown_rows(window), "the project again")


async def many_threads(data_dir: Path) -> None:
    await stored_threads(data_dir, *(thread(number) for number in range(60)))


def is_in_view(window: OpenWindow, thread_id: str) -> bool:
    view = window.threads.view
    return view.viewport().rect().contains(view.visualRect(view.rows.index_of(thread_id)).center())


async def test_what_comes_back_is_in_sight(data_dir: Path, qapp: QApplication) -> None:
    await many_threads(data_dir)
    async with OpenWindow.opened(data_dir) as window:
        bar = window.threads.view.verticalScrollBar()
        for undone in (window.presenters.thread_list.undo, None):
            bar.setValue(bar.maximum())
            last = window.threads.model.threads_between(0, 1_000)[-1]
            window.presenters.thread_list.delete([last])
            await window.until(lambda one=last: window.threads.model.thread_of(one) is None, "it is gone")  # type: ignore[misc]
            bar.setValue(0)
            if undone is not None:
                undone()
            else:
                window.presenters.pages.show("trash")
                page = window.presenters.pages.page
                assert isinstance(page, TrashPage)
                await window.until(page.restore_button.isEnabled, "the button")
                page.restore_button.click()
            await window.until(lambda one=last: is_in_view(window, one), "the thread")  # type: ignore[misc]


async def test_a_new_project_is_in_sight_and_a_new_thread_leaves_the_search(data_dir: Path, qapp: QApplication) -> None:
    await many_threads(data_dir)
    async with OpenWindow.opened(data_dir) as window:
        view, model = window.threads.view, window.threads.model
        view.verticalScrollBar().setValue(view.verticalScrollBar().maximum())
        window.shortcut("new_project")
        await window.until(model.projects, "the project")
        row = model.index(model.row_of_group(PROJECT + model.projects()[0][0]))
        await window.until(lambda: view.viewport().rect().contains(view.visualRect(row).center()), "its heading")
        window.threads.search.setText("7")
        window.shortcut("new_thread")
        assert window.threads.search.text() == ""


async def test_del_acts_on_the_row_that_was_clicked_until_something_is_written(
    data_dir: Path, qapp: QApplication
) -> None:
    await a_project(data_dir)
    async with OpenWindow.opened(data_dir) as window:
        for number, typed in ((5, ""), (1, "x")):
            place = place_of(window, one(number))
            QTest.mouseClick(window.threads.view.viewport(), LEFT, NONE, place)
            await window.until(lambda n=number: window.app_state.is_open(one(n)), "the thread")  # type: ignore[misc]
            window.type(typed)
            for _ in typed:
                window.press(Qt.Key.Key_Backspace)
            window.press(Qt.Key.Key_Delete)
            await window.settled()
        kept = {each.thread.id for each in window.threads.model.threads()}
        assert one(5) not in kept
        assert one(1) in kept
