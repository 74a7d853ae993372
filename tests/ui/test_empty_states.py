"""Where there is nothing yet stand one line and one thing to do, in the list, the archive, a search, and on pages."""

from __future__ import annotations

from pathlib import Path

import pytest_asyncio
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QPushButton, QWidget

from desktop_app.ui.backups.backups_page import BackupsPage
from desktop_app.ui.prompts.prompt_pages import PromptsPage
from desktop_app.ui.transfer.transfer_pages import ImportPage
from desktop_app.ui.trash.trash_page import TrashPage
from desktop_app.ui.usage.usage_page import UsagePage
from tests.ui.inspector_scenes import pane_of
from tests.ui.open_window import OpenWindow
from tests.ui.shell.test_focus_return import by_hand
from tests.ui.thread_scenes import indexed
from tests.ui.views import opened


@pytest_asyncio.fixture(autouse=True)
async def in_view(window: OpenWindow) -> None:
    window.window.resize(1000, 700)
    window.window.activateWindow()
    await window.settled()


def click(button: QPushButton) -> None:
    assert button.isVisible()
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)


async def page(window: OpenWindow, action: str) -> QWidget:
    window.shortcut(action)
    await window.until(lambda: window.presenters.pages.page is not None, "the page")
    await window.settled()
    shown = window.presenters.pages.page
    assert shown is not None
    return shown


async def test_a_list_without_threads_offers_to_import_some(window: OpenWindow) -> None:
    nothing = window.threads.nothing
    assert nothing is not None
    assert (nothing.line.text(), nothing.button.text()) == ("No threads yet", "Import chats…")
    click(nothing.button)
    assert isinstance(window.presenters.pages.page, ImportPage)
    window.presenters.pages.leave()
    await window.settled()
    await window.send("hello")
    assert not nothing.isVisible()


async def test_an_empty_archive_leads_back_to_all_threads(window: OpenWindow) -> None:
    await window.send("hello")
    window.threads.show_archive(True)
    head = window.threads.archive_head
    assert head is not None
    assert head.nothing.line.text() == "No archived threads"
    assert window.threads.nothing is None or not window.threads.nothing.isVisible()
    click(head.nothing.button)
    assert not window.threads.model.archived
    assert window.threads.model.rowCount() > 0


async def test_a_search_without_results_says_so_and_can_be_cleared(window: OpenWindow) -> None:
    await window.send("hello")
    await indexed(window)
    window.threads.search.setText("zzqx")
    await window.until(lambda: window.threads.results and window.threads.results.leave_button.isVisible(), "no results")
    results = window.threads.results
    assert results is not None
    assert results.heading.text() == "No messages found"
    click(results.leave_button)
    assert window.threads.search.text() == ""
    assert window.threads.search.hasFocus()
    assert window.threads.view.isVisible()
    window.threads.search.setText("hello")
    await window.until(results.hits.rowCount, "a result")
    assert not results.leave_button.isVisible()


async def test_usage_leads_back_to_the_composer_and_a_span_to_all_time(window: OpenWindow) -> None:
    shown = await page(window, "show_usage")
    assert isinstance(shown, UsagePage)
    assert shown.empty.line.text() == "Nothing used yet"
    click(shown.empty.button)
    await window.settled()
    await by_hand(QApplication.processEvents)
    assert window.presenters.pages.page is None
    assert window.editor.hasFocus()


async def test_trash_backups_and_prompts_have_one_line_and_what_to_do(window: OpenWindow) -> None:
    trash = await page(window, "show_trash")
    assert isinstance(trash, TrashPage)
    assert trash.nothing.text() == "The trash is empty"
    assert trash.nothing.isVisible()
    assert not trash.about.isVisible()
    assert trash.back.isVisible()
    backups = await page(window, "show_backups")
    assert isinstance(backups, BackupsPage)
    assert backups.nothing.text() == "No backups yet"
    assert backups.make_button.isVisible()
    prompts = await page(window, "show_prompts")
    assert isinstance(prompts, PromptsPage)
    assert prompts.examples is not None
    assert prompts.new_button.isVisible()


async def test_words_of_a_list_are_gone_while_something_is_searched(window: OpenWindow, data_dir: Path) -> None:
    nothing = window.threads.nothing
    assert nothing is not None
    window.threads.search.setText("zzqx")
    assert not nothing.isVisible()
    window.threads.search.clear()
    assert nothing.isVisible()


async def test_an_inspector_without_a_model_says_what_is_missing(data_dir: Path, window: OpenWindow) -> None:
    async with opened(data_dir.with_name("e"), used=False) as bare:
        bare.shortcut("toggle_inspector")
        await bare.settled()
        said = pane_of(bare).messages.empty
        assert said.isVisible()
        assert "Choose one under the message" in said.words
