"""Where the thread list stands: it starts at its top, follows what the user moves, and folds by its arrows only."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMenu

from desktop_app.core.messages import Thread
from desktop_app.ui.state.window_state import WindowState
from desktop_app.ui.threads.thread_rows import GROUP_ROLE
from tests.ui.listed import in_sight, place_of, point_at, shown_rows, stored_threads
from tests.ui.open_window import OpenWindow

pytestmark = pytest.mark.slow

LEFT = Qt.MouseButton.LeftButton


def thread(number: int, **facts: object) -> Thread:
    return Thread(f"{number:032x}", f"Thread {number}", "", "", "scripted", "big", **facts)  # type: ignore[arg-type]


async def many(data_dir: Path, *, opened: int, pins: int = 2) -> None:
    """300 threads: one in a project, the last ones pinned; one of them was open when the window closed."""
    threads = [thread(number, project="Contracts" if number == 40 else None) for number in range(300 - pins)]
    await stored_threads(data_dir, *threads, *(thread(number, pinned=True) for number in range(300 - pins, 300)))
    WindowState(data_dir / "window.ini").open_thread = f"{opened:032x}"


@pytest.mark.parametrize("opened", [0, 5, 8, 299])
async def test_the_list_starts_at_its_top_with_pins_and_projects_in_view(
    data_dir: Path, qapp: QApplication, opened: int
) -> None:
    await many(data_dir, opened=opened)
    async with OpenWindow.opened(data_dir) as window:
        assert window.app_state.is_open(f"{opened:032x}")
        assert window.threads.view.verticalScrollBar().value() == 0
        assert shown_rows(window)[:5] == ["Pinned", "Thread 298", "Thread 299", "Contracts", "Thread 40"]
        assert in_sight(window, f"{opened:032x}")


async def test_only_an_open_thread_that_is_out_of_view_moves_the_start(data_dir: Path, qapp: QApplication) -> None:
    await many(data_dir, opened=200)
    async with OpenWindow.opened(data_dir) as window:
        view = window.threads.view
        assert in_sight(window, f"{200:032x}")
        row = view.visualRect(window.threads.model.index_of(f"{200:032x}"))
        assert view.viewport().height() - row.bottom() <= view.painter.height, "no further than it takes"


def take(window: OpenWindow, thread_id: str, words: str) -> None:
    """Takes an entry of the menu that a right click on a thread opens."""
    view = window.threads.view
    place = place_of(window, thread_id)
    point_at(window, place)
    view.menu_requested.emit(thread_id, view.viewport().mapToGlobal(place))
    menu = next(one for one in window.threads.findChildren(QMenu) if one.parent() is window.threads)
    action = next(one for one in menu.actions() if one.text() == words)
    point_at(window, place + QPoint(10, 3 * view.painter.height))  # the menu lies over other rows
    menu.setActiveAction(action)
    QTest.keyClick(menu, Qt.Key.Key_Return)


@pytest.mark.parametrize("scrolled", [0, 20, 90])
async def test_what_is_pinned_stays_in_sight_and_comes_back_so(
    data_dir: Path, qapp: QApplication, scrolled: int
) -> None:
    await many(data_dir, opened=0, pins=0)
    async with OpenWindow.opened(data_dir) as window:
        view, model = window.threads.view, window.threads.model
        view.verticalScrollBar().setValue(scrolled * view.painter.height)
        chosen = f"{7 + scrolled:032x}"
        assert in_sight(window, chosen)
        take(window, chosen, "Pin")
        await window.until(lambda: shown_rows(window)[0] == "Pinned", "the pin")
        await window.settled()
        assert in_sight(window, chosen), "pinned"
        assert view.visualRect(model.index(0)).top() == 0, "with its heading"
        take(window, chosen, "Unpin")
        await window.until(lambda: shown_rows(window)[0] != "Pinned", "its old place")
        await window.settled()
        assert in_sight(window, chosen), "unpinned"


async def test_what_goes_into_a_closed_group_opens_it(data_dir: Path, qapp: QApplication) -> None:
    await many(data_dir, opened=0)
    async with OpenWindow.opened(data_dir) as window:
        model = window.threads.model
        for key in ("pinned", "project:Contracts"):
            model.set_collapsed(key, True)
        take(window, f"{3:032x}", "Pin")
        await window.until(lambda: window.threads.model.thread_of(f"{3:032x}").pinned, "the pin")  # type: ignore[union-attr]
        await window.settled()
        assert in_sight(window, f"{3:032x}")
        window.threads.project_requested.emit([f"{4:032x}"], "Contracts")
        await window.settled()
        assert in_sight(window, f"{4:032x}")


async def test_at_its_top_the_list_stays_there_when_a_thread_goes_into_a_new_project(
    data_dir: Path, qapp: QApplication
) -> None:
    await many(data_dir, opened=0, pins=1)
    async with OpenWindow.opened(data_dir) as window:
        bar = window.threads.view.verticalScrollBar()
        point_at(window, place_of(window, f"{4:032x}"))
        harbour = await window.services.projects.create("Harbour")
        await window.settled()
        window.threads.project_requested.emit([f"{8:032x}"], harbour.id)
        await window.until(lambda: "Harbour" in shown_rows(window), "the project")
        await window.settled()
        assert bar.value() == 0
        assert in_sight(window, f"{299:032x}"), "the only pinned thread"
        assert in_sight(window, f"{8:032x}")


async def test_the_heading_at_the_edge_never_hides_the_only_row_of_its_group(
    data_dir: Path, qapp: QApplication
) -> None:
    await many(data_dir, opened=0, pins=1)
    async with OpenWindow.opened(data_dir) as window:
        view = window.threads.view
        row = window.threads.model.index_of(f"{299:032x}")
        for value in range(0, view.painter.height + 1, 4):
            view.verticalScrollBar().setValue(value)
            sticky = view.sticky()
            assert sticky is None or not sticky[1].intersects(view.visualRect(row)), value


async def test_headings_fold_by_their_arrow_only(data_dir: Path, qapp: QApplication) -> None:
    await many(data_dir, opened=0)
    async with OpenWindow.opened(data_dir) as window:
        view, model = window.threads.view, window.threads.model
        before = shown_rows(window)

        def press(place: QPoint) -> None:
            QTest.mouseClick(view.viewport(), LEFT, Qt.KeyboardModifier.NoModifier, place)

        for key in ("pinned", "project:Contracts", "today"):
            heading = view.visualRect(model.index(model.row_of_group(key)))
            press(QPoint(heading.left() + 30, heading.center().y()))
            press(heading.center())
            QTest.mouseDClick(view.viewport(), LEFT, Qt.KeyboardModifier.NoModifier, heading.center())
            assert shown_rows(window) == before
            arrow = view.painter.arrow_rect(heading).center()
            press(arrow)
            assert model.index(model.row_of_group(key)).data(GROUP_ROLE).collapsed
            press(arrow)
            assert shown_rows(window) == before
        view.verticalScrollBar().setValue(30 * view.painter.height)
        found = view.sticky()
        assert found is not None
        press(found[1].center())
        assert shown_rows(window) == before, "the heading at the edge"
        press(view.painter.arrow_rect(found[1]).center())
        assert len(shown_rows(window)) < len(before)
        await window.settled()
