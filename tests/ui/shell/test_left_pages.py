"""A page that is left while something is under way for it: nothing touches what is gone, what was wished is done."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, QObject
from PySide6.QtWidgets import QApplication, QMessageBox
from shiboken6 import isValid

from desktop_app.core.messages import DocumentPart
from desktop_app.ui.prompts.prompt_pages import SystemPromptEditor
from desktop_app.ui.shell.pages import Pages
from desktop_app.ui.spelling.speller import Dictionaries
from desktop_app.ui.state.bridge import Tasks
from tests.ui.open_window import OpenWindow

PAGES: dict[str, Callable[[Pages], None]] = {
    "usage": lambda pages: pages.show("usage"),
    "preferences": lambda pages: pages.show("preferences"),
    "shortcuts": lambda pages: pages.show("shortcuts"),
    "prompts": lambda pages: pages.show("prompts"),
    "a new prompt": lambda pages: pages.show("prompt"),
    "system prompt": lambda pages: pages.show("system_prompt"),
    "document": lambda pages: pages.show("document", DocumentPart("notes.txt", "A line.\n" * 4_000, "0" * 64)),
}


@pytest.fixture(autouse=True)
def no_fault_is_logged(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.ERROR)


def faults(caplog: pytest.LogCaptureFixture) -> list[str]:
    return [f"{record.message} {record.exc_text or ''}" for record in caplog.records]


def delete_what_is_due() -> None:
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)


async def emptied(window: OpenWindow, saved: str) -> None:
    """Goes back to the text that was kept, and leaves nothing unsaved."""
    pages = window.presenters.pages
    pages.show("system_prompt")
    await window.until(lambda: isinstance(pages.page, SystemPromptEditor), "the editor")
    await window.settled()
    assert isinstance(pages.page, SystemPromptEditor)
    pages.page.field.replace_text(saved)
    assert not pages.has_unsaved()


@pytest.mark.parametrize("steps", [0, 1, 3])
@pytest.mark.parametrize("name", PAGES)
async def test_a_page_left_at_once_is_touched_by_nothing(
    name: str, steps: int, window: OpenWindow, caplog: pytest.LogCaptureFixture
) -> None:
    pages = window.presenters.pages
    PAGES[name](pages)
    await window.until(lambda: pages.page is not None, "the page")
    page = pages.page
    assert page is not None
    for _ in range(steps):
        await asyncio.sleep(0)
    window.window.show_welcome(True)  # as anything does that shows something else in its place
    assert pages.page is None
    delete_what_is_due()
    await window.settled()
    await window.until(lambda: not isValid(page), "the end of the page")
    assert faults(caplog) == []


async def test_preferences_left_while_dictionaries_are_read(
    window: OpenWindow, caplog: pytest.LogCaptureFixture
) -> None:
    window.presenters.pages.show("preferences")
    page = window.presenters.pages.page
    assert page is not None
    await window.settled()
    speller = window.presenters.spelling.speller
    window.window.show_welcome(True)
    await window.settled()
    await window.until(lambda: not isValid(page), "the end of the page")
    speller.dictionaries_changed.emit(Dictionaries())
    assert faults(caplog) == []


async def test_what_was_to_be_saved_is_saved_and_said_when_its_page_is_left_at_once(
    window: OpenWindow, caplog: pytest.LogCaptureFixture
) -> None:
    await window.send("hello")
    window.presenters.pages.show("system_prompt")
    await window.until(lambda: window.presenters.pages.page is not None, "the editor")
    await window.settled()
    page = window.presenters.pages.page
    assert isinstance(page, SystemPromptEditor)
    page.field.replace_text("Answer in one sentence.")
    page.save_button.click()
    window.window.show_welcome(True)
    delete_what_is_due()
    await window.settled()
    assert (await window.thread()).system == "Answer in one sentence."
    assert faults(caplog) == []
    await emptied(window, "Answer in one sentence.")


async def test_a_question_on_a_page_that_goes_is_answered_with_staying(
    window: OpenWindow, caplog: pytest.LogCaptureFixture
) -> None:
    pages = window.presenters.pages
    pages.show("system_prompt")
    await window.until(lambda: pages.page is not None, "the editor")
    await window.settled()
    page = pages.page
    assert isinstance(page, SystemPromptEditor)
    page.field.replace_text("Be brief.")
    pages.leave()
    await window.until(lambda: page.findChild(QMessageBox) is not None, "the question")
    window.window.show_welcome(True)  # another thread was asked for, by a second start for example
    await window.settled()
    assert [*pages.unsaved_texts().values()] == ["Be brief."], "kept"
    # a window whose question is never answered could neither leave a page nor be closed any more
    pages.show("usage")
    pages.leave()
    await window.settled()
    assert pages.page is None
    assert faults(caplog) == []
    await emptied(window, "")


async def test_a_slow_wish_keeps_its_page_until_it_is_done(qapp: QApplication, tmp_path: Path) -> None:
    tasks, page, free = Tasks(asyncio.get_running_loop()), QObject(), asyncio.Event()
    named: list[str] = []

    async def wish() -> None:
        await free.wait()
        named.append(page.tr("Saved"))

    tasks.start_task(wish())
    tasks.after_running(page.deleteLater)
    delete_what_is_due()
    assert isValid(page)
    free.set()
    await tasks.come_to_rest(5_000)
    await asyncio.sleep(0)
    delete_what_is_due()
    assert named == ["Saved"]
    assert not isValid(page)
