"""Every page stands on the transcript's own column, under one header, and leads back by Esc.

Driven by the table of pages: one that is added is looked at here by itself.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Final

import pytest
from PySide6.QtCore import QPoint, QSize, Qt
from PySide6.QtWidgets import QAbstractItemView, QLabel, QPushButton, QWidget

from desktop_app.core.context.context_choices import Summary
from desktop_app.core.messages import DocumentPart, TextPart
from desktop_app.ui.help.help_pages import GuidePage
from desktop_app.ui.projects.project_page import ProjectPage
from desktop_app.ui.shell.page_specs import PAGES
from desktop_app.ui.theme.theme import GRID
from desktop_app.ui.widgets.list_parts import MarginBar
from desktop_app.ui.widgets.page import PageFrame
from tests.ui.open_window import OpenWindow

pytestmark = pytest.mark.slow

WIDTHS: Final = (480, 640, 900, 1280, 1680)
HIDDEN_BELOW: Final = 700
"""Pixels of the window below which the list is hidden, as who has so little room does."""
LOW, HIGH = 420, 1600
"""Pixels of the window's height: in the low one a long page scrolls, in the high one it does not."""
Edges = tuple[int, int]


async def set_up(window: OpenWindow) -> Mapping[str, tuple[object, ...]]:
    """A thread, a project and a summary; what the pages are about that are about something."""
    await window.send("hello")
    thread = await window.opened_thread()
    ids = tuple(message.id for message in thread.path)
    summary = Summary("s1", ids, "They said hello.", "big", "2026-11-23T10:00:00.000Z")
    choices = replace(thread.thread.choices, summaries=(summary,))
    await window.services.chat.context_editing.restore(thread.thread.id, choices)
    project = await window.services.projects.create("Harbour")
    return {
        "document": (DocumentPart("notes.txt", "text/plain", "Some lines.\n" * 40),),
        "project": (project.id,),
        "summary": (thread.thread.id, "s1"),
    }


async def resized(window: OpenWindow, width: int, height: int) -> None:
    if window.window.threads.isHidden() != (width < HIDDEN_BELOW):
        window.window.show_list(width >= HIDDEN_BELOW)
    window.window.resize(width, height)
    await window.settled()


async def shown(window: OpenWindow, name: str, about: Mapping[str, tuple[object, ...]]) -> PageFrame:
    pages = window.presenters.pages
    before = pages.page
    pages.show(name, *about.get(name, ()))
    await window.until(lambda: pages.page is not None and pages.page is not before, name)
    await window.settled()
    assert pages.page is not None
    return pages.page


def place(part: QWidget, window: OpenWindow) -> Edges:
    left = part.mapTo(window.window.centre, QPoint(0, 0)).x()
    return left, left + part.width()


def transcript_column(window: OpenWindow) -> Edges:
    viewport, column = window.transcript.viewport(), window.transcript.column
    left = viewport.mapTo(window.window.centre, column.topLeft()).x()
    return left, left + column.width()


def page_column(page: PageFrame, window: OpenWindow) -> Edges:
    if not isinstance(page, GuidePage):
        return place(page.column, window)
    left = page.view.viewport().mapTo(window.window.centre, page.view.column.topLeft()).x()
    return left, left + page.view.column.width()


def reaching_out(page: PageFrame, edges: Edges, window: OpenWindow) -> list[str]:
    """What stands on the page and reaches over an edge of the column."""
    parts = [page.column, *page.column.findChildren(QWidget)]
    pinned = [item for item in map(page.pinned.itemAt, range(page.pinned.count())) if item is not None]
    out = [
        f"{type(part).__name__} {part.accessibleName()}: {place(part, window)}"
        for part in parts
        if part.isVisible() and part.parentWidget() is page.column and not _within(place(part, window), edges)
    ]
    left = page.mapTo(window.window.centre, QPoint(0, 0)).x()
    for item in pinned:
        rect = item.geometry()
        if (rect.left() + left, rect.right() + 1 + left) != edges:
            out.append(f"above the column: {rect}")
    return out


def _within(inner: Edges, outer: Edges) -> bool:
    return outer[0] <= inner[0] and inner[1] <= outer[1]


def header_faults(page: PageFrame, edges: Edges, window: OpenWindow) -> list[str]:
    header, faults = window.window.header, []
    if place(page.back, window)[0] != edges[0]:
        faults.append(f"Back at {place(page.back, window)[0]}")
    buttons = [button for button in page.top.findChildren(QPushButton) if button.isVisible() and button != page.back]
    if len(buttons) > 1:
        faults.append(f"{len(buttons)} actions in the header")
    faults += [
        f"{button.text()} ends at {place(button, window)[1]}"
        for button in buttons
        if place(button, window)[1] != edges[1]
    ]
    for button in (header.list_button, header.new_button, header.menu_button):
        over = button.isVisible() and place(button, window)[1] > edges[0] and place(button, window)[0] < edges[1]
        if over:
            faults.append(f"{button.accessibleName()} lies over the page")
    if header.findChildren(QLabel)[0].isVisible() or header.project.isVisible():
        faults.append("the thread beneath is named")
    if not window.window.windowTitle().startswith(page.windowTitle()) or not page.windowTitle():
        faults.append(f"the window is called {window.window.windowTitle()}")
    return faults


async def test_every_page_stands_on_the_transcripts_column(window: OpenWindow) -> None:
    about = await set_up(window)
    sizes = [(width, height) for width in WIDTHS for height in (LOW, HIGH)]
    columns: dict[tuple[int, int], Edges] = {}
    for width, height in sizes:
        await resized(window, width, height)
        columns[width, height] = transcript_column(window)
    faults: list[str] = []
    pages = window.presenters.pages
    for name in PAGES:
        await shown(window, name, about)
        for width, height in sizes:
            await resized(window, width, height)
            page, edges = pages.page, columns[width, height]
            assert page is not None
            told = [] if page_column(page, window) == edges else [f"the column is {page_column(page, window)}"]
            told += reaching_out(page, edges, window) + header_faults(page, edges, window)
            faults += [f"{name} at {width}x{height}, {edges}: {fault}" for fault in told]
    assert not faults, "\n".join(faults)


@pytest.mark.parametrize("name", ["prompts", "shortcuts", "trash", "usage"])
async def test_a_list_that_scrolls_by_itself_ends_on_the_edge_of_its_column(name: str, window: OpenWindow) -> None:
    for number in range(20):
        await window.services.prompts.add(f"Prompt {number}", "Say it again.")
        thread = await window.services.chat.new_thread()
        await window.services.chat.send(thread.id, (TextPart(f"Question {number}"),))
        if name == "trash":
            await window.services.library.delete(thread.id)
    await shown(window, name, {})
    for width in (480, 900, 1680):
        await resized(window, width, 560)
        page = window.presenters.pages.page
        assert page is not None
        areas = page.column.findChildren(QAbstractItemView)
        area = next(one for one in areas if one.isVisible())
        assert area.verticalScrollBar().maximum() > 0, "there is something to scroll"
        if name != "prompts" or width < 1680:  # there the prompt stands beside the list
            assert place(area.viewport(), window) == page_column(page, window)
        (bar,) = (one for one in page.findChildren(MarginBar) if one.isVisible())
        assert place(bar, window)[0] == place(area.viewport(), window)[1]
        assert place(bar, window)[1] <= window.window.centre.width()
        bar.setValue(bar.maximum())
        assert area.verticalScrollBar().value() == bar.maximum() > 0


@pytest.mark.parametrize("name", sorted(PAGES))
async def test_escape_leads_back_from_every_page_to_the_same_pixel(name: str, window: OpenWindow) -> None:
    about = await set_up(window)
    window.composer.set_text("\n\n".join(f"line {number}" for number in range(80)))
    await window.send(" more")
    pages, bar = window.presenters.pages, window.transcript.verticalScrollBar()
    bar.setValue(bar.maximum() // 2)
    await window.settled()
    title, before = window.window.windowTitle(), _shown(window)
    await shown(window, name, about)
    for _ in range(2):  # a field may take the first one
        if pages.page is not None:
            window.press(Qt.Key.Key_Escape, widget=window.window.focusWidget())
            await window.settled()
    await window.until(lambda: pages.page is None, "the conversation")
    await window.settled()
    assert window.window.windowTitle() == title
    assert window.window.header.findChildren(QLabel)[0].isVisible()
    assert _shown(window) == before


def _shown(window: OpenWindow) -> tuple[int, QSize, list[tuple[int, int]]]:
    """Where every row of the transcript stands."""
    view = window.transcript
    return view.verticalScrollBar().value(), view.size(), [(row.top, row.bottom) for row in view.row_layout.placed]


async def test_the_name_of_a_project_names_the_window(window: OpenWindow) -> None:
    about = await set_up(window)
    page = await shown(window, "project", about)
    assert isinstance(page, ProjectPage)
    page.name.renamed.emit("Ordering portal")
    await window.until(lambda: window.window.windowTitle().startswith("Ordering portal"), "the new name")


async def test_buttons_of_the_window_stand_beside_the_page_where_there_is_room(window: OpenWindow) -> None:
    header = window.window.header
    window.window.show_list(False)
    window.window.resize(1280, 800)
    page = await shown(window, "usage", {})
    assert header.list_button.isVisible()
    assert header.new_button.isVisible()
    under = window.window.childAt(page.back.mapTo(window.window, page.back.rect().center()))
    assert under is page.back, "the window's header lets clicks through beside its buttons"
    window.window.resize(80 * GRID, 800)
    await window.settled()
    assert header.list_button.isVisible(), "in the margin"
    assert header.list_button.geometry().right() + GRID // 2 <= page.back.mapTo(window.window, QPoint(0, 0)).x()
    assert not header.new_button.isVisible()
    assert header.menu_button.isVisible()


async def test_the_list_mutes_the_open_thread_while_a_page_covers_it(window: OpenWindow) -> None:
    await window.send("hello")
    view = window.threads.view
    window.editor.setFocus()

    def strip() -> object:
        place = view.visualRect(view.rows.index_of(view.painter.open_id))
        return view.viewport().grab().toImage().pixelColor(place.left() + GRID + 1, place.center().y()).name()

    open_one = strip()
    assert open_one == window.session.appearance.theme.color("accent").name()
    page = await shown(window, "usage", {})
    assert strip() != open_one
    page.left.emit()
    await window.settled()
    assert strip() == open_one
