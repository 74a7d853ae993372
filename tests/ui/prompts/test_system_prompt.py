"""The system prompt's editor: saving with undo, weight, what a change costs; with no thread open, too."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import Qt

from desktop_app.core.context.plan import Overhead
from desktop_app.core.model_catalog import Prices
from desktop_app.ui.prompts.prompt_pages import SystemPromptEditor, change_words, share_words
from tests.ui.access_walk import faults
from tests.ui.editing import answer, undo
from tests.ui.open_window import OpenWindow

pytestmark = pytest.mark.slow

PROMPT = "Answer in one sentence."


async def open_editor(window: OpenWindow) -> SystemPromptEditor:
    window.shortcut("edit_system")
    await window.until(lambda: isinstance(window.presenters.pages.page, SystemPromptEditor), "the editor")
    await window.settled()
    page = window.presenters.pages.page
    assert isinstance(page, SystemPromptEditor)
    return page


async def test_a_prompt_is_saved_for_the_thread_and_sent(window: OpenWindow) -> None:
    await window.send("hello")
    page = await open_editor(window)
    assert faults(window.window) == []
    page.field.replace_text(PROMPT)
    page.save_button.click()
    await window.until(lambda: page.unsaved() is None, "the saved prompt")
    assert (await window.thread()).system == PROMPT
    page.back.click()
    await window.settled()
    assert window.presenters.pages.page is None
    await window.send("again")
    assert window.backend.plans[-1].request.system.startswith(PROMPT)
    page = await open_editor(window)
    assert page.text() == PROMPT


async def test_saving_can_be_undone(window: OpenWindow) -> None:
    await window.send("hello")
    page = await open_editor(window)
    page.field.replace_text(PROMPT)
    window.press(Qt.Key.Key_S, Qt.KeyboardModifier.ControlModifier, widget=page.field)
    await undo(window, "System prompt saved")
    assert (await window.thread()).system == ""
    assert page.text() == ""


async def test_what_changed_elsewhere_while_one_writes_is_said(window: OpenWindow) -> None:
    await window.send("one")
    thread_id = window.app_state.thread_id or ""
    await window.services.chat.set_system(thread_id, "Be kind.")
    await window.settled()
    editor = await open_editor(window)
    window.type("Be brief. ", editor.field)
    await window.services.chat.set_soft_limit(thread_id, 60_000)
    await window.settled()
    assert editor.problem.text() == ""
    await window.services.chat.set_system(thread_id, "Be exact.")
    await window.settled()
    assert editor.problem.text() == "Another window or command changed this meanwhile. Save replaces it."
    editor.save_button.click()
    await window.settled()
    assert "Be brief." in (await window.thread()).system
    assert editor.problem.text() == ""


async def test_an_empty_prompt_can_be_saved(window: OpenWindow) -> None:
    await window.send("hello")
    assert window.app_state.thread_id is not None
    await window.services.chat.set_system(window.app_state.thread_id, PROMPT)
    page = await open_editor(window)
    page.field.replace_text("")
    page.save_button.click()
    await window.until(lambda: page.unsaved() is None, "the saved prompt")
    assert (await window.thread()).system == ""


async def test_a_thread_that_is_not_made_yet_is_made_by_saving(window: OpenWindow) -> None:
    assert window.app_state.thread_id is None
    page = await open_editor(window)
    page.field.replace_text(PROMPT)
    page.back.click()
    await answer(window, "Save")
    assert (await window.thread()).system == PROMPT


async def test_the_weight_is_the_plans_own(window: OpenWindow) -> None:
    await window.send("hello")
    assert window.app_state.thread_id is not None
    await window.services.chat.set_system(window.app_state.thread_id, PROMPT * 400)
    page = await open_editor(window)
    plan = (await window.services.chat.prepared(window.app_state.thread_id)).plan(())
    await window.until(lambda: page.tokens.text().startswith(f"{plan.tokens.system:,} tokens, "), "the weight")
    assert page.tokens.text() == share_words(plan.tokens.system, plan, estimated=False)
    page.field.replace_text(PROMPT)
    await window.until(lambda: page.tokens.text().startswith("≈ "), "the estimate")
    page.field.replace_text(PROMPT * 400)


async def test_what_a_change_costs_is_said(window: OpenWindow) -> None:
    window.backend.cost_kind = "money"
    window.backend.prices = Prices(5.0, 25.0, 0.5, 6.25, 10.0)
    window.backend.overhead = Overhead(cache_marks=4)
    await window.send("The quick brown fox jumps over the lazy dog. " * 40)
    await window.send("And then?")
    page = await open_editor(window)
    assert window.app_state.thread_id is not None
    plan = (await window.services.chat.prepared(window.app_state.thread_id)).plan(())
    dear = replace(
        plan,
        tokens=replace(plan.tokens, history=62_000),
        price=replace(plan.price, cached_tokens=62_000, cost_usd=0.03),
    )
    assert change_words(dear, "money").endswith("62K cached tokens are lost, about $0.39 instead of $0.03.")
    assert change_words(dear, "plan").endswith("instead of $0.03 at list price.")
    assert change_words(dear, "free").endswith("62K cached tokens are lost.")
    assert "costs nothing extra" in change_words(replace(dear, price=replace(dear.price, cached_tokens=0)), "money")
    await window.until(lambda: page.price.text() == change_words(plan, "money"), "the price on the page")


async def test_the_error_cards_button_leads_here(window: OpenWindow) -> None:
    await window.send("hello")
    window.presenters.remedies.system_prompt_requested.emit()
    await window.until(lambda: isinstance(window.presenters.pages.page, SystemPromptEditor), "the editor")


async def test_what_is_not_saved_waits_for_the_next_start_when_a_signal_ends_the_window(data_dir: Path) -> None:
    async with OpenWindow.opened(data_dir) as window:
        await window.send("hello")
        page = await open_editor(window)
        page.field.replace_text(PROMPT)
        window.session.end(143)  # what a signal does: nobody is asked
    async with OpenWindow.opened(data_dir) as window:
        assert (await window.thread()).system == ""
        toast = window.window.toast
        await window.until(lambda: toast.isVisible() and toast.button.text() == "Go back", "the way back")
        toast.button.click()
        await window.until(lambda: isinstance(window.presenters.pages.page, SystemPromptEditor), "the editor")
        again = window.presenters.pages.page
        assert isinstance(again, SystemPromptEditor)
        assert again.text() == PROMPT
        assert again.unsaved() == PROMPT
        again.save_button.click()
        await window.until(lambda: again.unsaved() is None, "the saved prompt")
    async with OpenWindow.opened(data_dir) as window:
        assert (await window.thread()).system == PROMPT
        assert not window.window.toast.isVisible()


async def test_what_is_not_saved_in_private_is_not_kept(data_dir: Path) -> None:
    async with OpenWindow.opened(data_dir) as window:
        window.shortcut("new_private_thread")
        await window.send("hello")
        page = await open_editor(window)
        page.field.replace_text(PROMPT)
        window.session.end(143)
    for path in data_dir.rglob("*"):
        assert not path.is_file() or PROMPT.encode() not in path.read_bytes(), path.name


async def test_what_is_not_saved_is_kept_for_its_own_thread(window: OpenWindow, data_dir: Path) -> None:
    await window.send("one")
    first = window.app_state.thread_id
    assert first is not None
    page = await open_editor(window)
    page.field.replace_text("Half a prompt")
    window.shortcut("new_thread")
    await window.settled()
    page = await open_editor(window)
    assert page.text() == ""
    page.back.click()
    await window.settled()
    await window.choose_thread(first)
    page = await open_editor(window)
    assert page.text() == "Half a prompt"
    page.field.replace_text("")
    await window.services.library.delete(first)
    await window.settled()
    assert not window.presenters.pages.has_unsaved()
