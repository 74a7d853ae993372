"""A page opened from another page leads back to the conversation, and what it says as it goes can be read."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget

from desktop_app.ui.connections.connections_page import ConnectionsPage
from desktop_app.ui.projects.project_page import ProjectPage
from desktop_app.ui.widgets.page import PageFrame
from tests.ui.open_window import OpenWindow

pytestmark = pytest.mark.slow

FIRST = ("preferences", "trash", "backups", "usage")


async def shown(window: OpenWindow, name: str, *what: object) -> PageFrame:
    pages = window.presenters.pages
    before = pages.page
    pages.show(name, *what)
    await window.until(lambda: pages.page is not None and pages.page is not before, name)
    await window.settled()
    assert pages.page is not None
    return pages.page


async def project_over(window: OpenWindow, first: str) -> ProjectPage:
    await window.send("hello")
    project = await window.services.projects.create("Harbour")
    await shown(window, first)
    page = await shown(window, "project", project.id)
    assert isinstance(page, ProjectPage)
    return page


def conversation_is_shown(window: OpenWindow) -> bool:
    return window.window.stage.reading and window.composer.isVisible()


@pytest.mark.parametrize("first", FIRST)
async def test_back_from_a_page_opened_over_another_leads_to_the_conversation(first: str, window: OpenWindow) -> None:
    page = await project_over(window, first)
    page.back.click()
    await window.until(lambda: window.presenters.pages.page is None, "the way back")
    assert conversation_is_shown(window)


async def test_escape_from_a_page_opened_over_another_leads_to_the_conversation(window: OpenWindow) -> None:
    page = await project_over(window, "preferences")
    window.press(Qt.Key.Key_Escape, widget=page)
    await window.until(lambda: window.presenters.pages.page is None, "the way back")
    assert conversation_is_shown(window)


def can_be_seen(widget: QWidget) -> bool:
    """Whether nothing lies over the middle of it."""
    window = widget.window()
    found = window.childAt(widget.mapTo(window, widget.rect().center()))
    return found is not None and (found is widget or widget.isAncestorOf(found))


@pytest.mark.parametrize("first", ["", *FIRST])
async def test_a_project_deleted_on_its_page_can_be_brought_back_from_the_toast(first: str, window: OpenWindow) -> None:
    await window.send("hello")
    project = await window.services.projects.create("Harbour")
    if first:
        await shown(window, first)
    page = await shown(window, "project", project.id)
    assert isinstance(page, ProjectPage)
    page.delete.click()
    await window.until(lambda: window.presenters.pages.page is None, "the end of the page")
    await window.settled()
    assert conversation_is_shown(window)
    toast = window.window.toast
    assert can_be_seen(toast), "nothing lies over it"
    assert can_be_seen(toast.button)
    toast.button.click()
    await window.settled()
    assert [one.name for one in await window.services.projects.all()] == ["Harbour"]


async def test_a_toast_is_above_the_page_that_comes_after_it(window: OpenWindow) -> None:
    await window.send("hello")
    window.window.toast.show_message("Said before the page came")
    await shown(window, "preferences")
    assert can_be_seen(window.window.toast)


async def test_back_from_the_prompts_leads_to_the_connections_they_were_opened_from(window: OpenWindow) -> None:
    await window.send("hello")
    await shown(window, "connections")
    prompts = await shown(window, "prompts")
    prompts.back.click()
    pages = window.presenters.pages
    await window.until(lambda: isinstance(pages.page, ConnectionsPage), "the connections")
    await window.settled()
    assert pages.page is not None
    pages.page.back.click()
    await window.until(lambda: pages.page is None, "the way back")
    assert conversation_is_shown(window)
