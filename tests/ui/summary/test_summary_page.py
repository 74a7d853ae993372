"""The summary editor: text, sources, save, write again, remove; undo for each, and nothing typed is lost."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QMessageBox

from desktop_app.core.context.context_choices import Summary
from desktop_app.core.errors import UserError
from desktop_app.core.messages import Failure, TextPart, Usage
from desktop_app.core.model_catalog import Prices
from desktop_app.core.stream_events import Ended, Failed, TextDelta, UsageReported
from desktop_app.ui.summary.summary_editor import SummaryEditor
from desktop_app.ui.widgets.page import PageFrame
from tests.fakes.gated_backend import Gate
from tests.patience import PATIENCE_S
from tests.ui.access_walk import faults
from tests.ui.editing import answer, undo
from tests.ui.long_threads import long_path, put_thread
from tests.ui.open_window import OpenWindow

pytestmark = pytest.mark.slow

THREAD = f"{5:032x}"
TEXT = "Asked: the quarter. Decided: nothing yet."
MADE = "2026-03-01T09:30:00.000Z"


@asynccontextmanager
async def editing(data_dir: Path) -> AsyncIterator[tuple[OpenWindow, SummaryEditor]]:
    """A thread of twelve turns with a summary of the first eight, its editor open."""
    path = long_path(THREAD, 12, 300)
    await put_thread(data_dir, "The quarter", path)
    async with OpenWindow.opened(data_dir, open_thread=THREAD) as window:
        summary = Summary("s1", tuple(message.id for message in path[:16]), TEXT, "big", MADE, cost_usd=0.08)
        thread = await window.thread()
        await window.services.chat.context_editing.restore(THREAD, replace(thread.choices, summaries=(summary,)))
        yield window, await open_editor(window, "s1")


async def open_editor(window: OpenWindow, summary_id: str) -> SummaryEditor:
    window.presenters.pages.show("summary", THREAD, summary_id)
    await window.until(lambda: isinstance(window.presenters.pages.page, SummaryEditor), "the editor")
    await window.settled()
    page = window.presenters.pages.page
    assert isinstance(page, SummaryEditor)
    return page


def shown(window: OpenWindow) -> PageFrame | None:
    return window.presenters.pages.page


async def summaries(window: OpenWindow) -> tuple[Summary, ...]:
    return (await window.services.chat.context_editing.choices(THREAD)).summaries


async def test_the_editor_tells_all_that_is_known_of_a_summary(data_dir: Path) -> None:
    async with editing(data_dir) as (window, page):
        assert page.text() == TEXT
        assert page.facts.text().startswith("Written by big · ")
        assert page.facts.text().endswith(" · $0.08")
        assert page.sources_heading.text() == "Replaces 16 messages"
        first = page.sources.sources.index(0)
        assert first.data() == "You: What did the second quarter look like?"
        assert not page.save_button.isEnabled()
        assert page.field.hasFocus() or not window.window.isActiveWindow()
        assert faults(window.window) == []


async def test_facts_of_the_source_that_the_text_lacks_are_folded_on_the_page(data_dir: Path) -> None:
    async with editing(data_dir) as (window, page):
        await window.until(page.missing.isVisible, "what is missing")
        assert page.missing_words.text() == "Not in this summary: 1 name"
        assert not page.missing_list.isVisible()
        page.missing_button.click()
        assert page.missing_button.text() == "Hide"
        assert page.missing_list.text() == "January"
        assert faults(window.window) == []
        page.field.replace_text(f"{TEXT} The plan is of January.")
        await window.until(lambda: not page.missing.isVisible(), "nothing is missing")
        page.field.replace_text(TEXT)  # else the window asks before it closes


async def test_the_page_and_the_inspector_agree_whether_a_summary_is_read(data_dir: Path) -> None:
    async with editing(data_dir) as (window, page):
        read = "The model reads this instead of the messages below."
        (made,) = await summaries(window)

        async def states() -> set[str]:
            plan = (await window.services.chat.prepared(THREAD)).plan(())
            return {message.state for message in plan.placement.messages if message.id in made.sources[2:]}

        await window.until(lambda: page.lead.text() == read, "that it is read")
        assert await states() == {"summarised"}
        thread = await window.thread()
        waiting = replace(thread.choices, summaries=(replace(made, at_step=True),))
        await window.services.chat.context_editing.restore(THREAD, waiting)
        await window.until(lambda: page.lead.text().startswith("Takes effect when"), "from when it is")
        assert await states() == {"whole"}


async def test_tokens_follow_the_text_and_come_from_the_plan(data_dir: Path) -> None:
    async with editing(data_dir) as (window, page):
        await window.until(lambda: page.tokens.text().startswith("≈ "), "a count")
        before = page.tokens.text()
        window.type(" More words, many more words than there were." * 3, page.field)
        await window.until(lambda: page.tokens.text() != before, "another count")
        plan = (await window.services.chat.prepared(THREAD)).plan((TextPart(page.text()),))
        assert page.tokens.text() == f"≈ {plan.tokens.draft:,} tokens"
        page.field.replace_text(TEXT)


async def test_saving_marks_the_summary_as_edited_and_can_be_undone(data_dir: Path) -> None:
    async with editing(data_dir) as (window, page):
        page.field.replace_text("My own words.")
        window.press(Qt.Key.Key_S, Qt.KeyboardModifier.ControlModifier, widget=page.field)
        await window.until(lambda: page.facts.text().endswith("edited by you"), "the mark")
        assert (await summaries(window))[0].text == "My own words."
        assert page.unsaved() is None
        await undo(window, "Summary saved")
        assert (await summaries(window))[0] == Summary(
            "s1", (await summaries(window))[0].sources, TEXT, "big", MADE, cost_usd=0.08
        )
        assert page.text() == TEXT


async def test_an_empty_text_is_not_saved(data_dir: Path) -> None:
    async with editing(data_dir) as (window, page):
        page.field.replace_text("  ")
        assert not page.save_button.isEnabled()
        window.press(Qt.Key.Key_S, Qt.KeyboardModifier.ControlModifier, widget=page.field)
        await window.settled()
        assert (await summaries(window))[0].text == TEXT
        page.field.replace_text(TEXT)


async def test_removing_goes_back_and_can_be_undone(data_dir: Path) -> None:
    async with editing(data_dir) as (window, page):
        page.remove_button.click()
        await window.until(lambda: window.presenters.pages.page is None, "the transcript")
        assert await summaries(window) == ()
        await undo(window, "Summary removed")
        assert [summary.id for summary in await summaries(window)] == ["s1"]


async def test_a_source_leads_to_its_message(data_dir: Path) -> None:
    async with editing(data_dir) as (window, page):
        wanted: list[str] = []
        window.presenters.pages.message_wanted.connect(wanted.append)
        page.sources.setCurrentIndex(page.sources.sources.index(5))
        window.press(Qt.Key.Key_Return, widget=page.sources)
        await window.until(lambda: window.presenters.pages.page is None, "the transcript")
        assert wanted == [(await window.opened_thread()).path[5].id]
        assert window.window.stage.reading


async def test_writing_again_replaces_the_text_and_can_be_undone(data_dir: Path) -> None:
    async with editing(data_dir) as (window, page):
        gate = Gate()
        window.backend.reply(
            gate,
            TextDelta("Asked: the quarter, anew."),
            UsageReported(Usage(input=9, output=9), "big"),
            Ended("end_turn"),
        )
        page.again_button.click()
        await gate.arrive()
        assert page.stop_button.isVisible()
        assert page.progress.isVisible()
        assert page.field.isReadOnly()
        assert not page.again_button.isVisible()
        gate.open()
        await window.until(lambda: page.text() == "Asked: the quarter, anew.", "the new text")
        await window.settled()
        (summary,) = await summaries(window)
        assert (summary.text, summary.edited) == ("Asked: the quarter, anew.", False)
        assert page.again_button.isVisible()
        assert page.unsaved() is None
        await undo(window, "Summary rewritten")
        assert [each.text for each in await summaries(window)] == [TEXT]


async def test_stop_ends_the_writing_and_changes_nothing(data_dir: Path) -> None:
    async with editing(data_dir) as (window, page):
        gate = Gate()
        window.backend.reply(gate, TextDelta("never"), Ended("end_turn"))
        page.again_button.click()
        await gate.arrive()
        page.stop_button.click()
        await window.until(page.again_button.isVisible, "the end")
        await window.settled()
        assert page.problem.text() == "The summary was stopped."
        assert (page.text(), [each.id for each in await summaries(window)]) == (TEXT, ["s1"])


async def test_a_summary_that_could_not_be_made_says_why_on_the_page(data_dir: Path) -> None:
    async with editing(data_dir) as (window, page):
        window.backend.reply(Failed(Failure("overloaded", "The service is overloaded. Try again later.")))
        page.again_button.click()
        await window.until(page.problem.isVisible, "the problem")
        await window.settled()
        assert "Nothing was changed." in page.problem.text()
        assert [each.id for each in await summaries(window)] == ["s1"]
        assert page.again_button.isVisible()


async def test_a_full_disk_takes_no_text_and_loses_none(data_dir: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def full(*_: object) -> bool:
        raise UserError("store", "The disk is full.")

    async with editing(data_dir) as (window, page):
        with monkeypatch.context() as disk:
            disk.setattr(window.services.history, "update_thread", full)
            window.backend.reply(TextDelta("A newer one."), Ended("end_turn"))
            page.again_button.click()
            await window.until(lambda: "written but not saved" in page.problem.text(), "the reason")
            assert page.text() == TEXT
            page.field.replace_text("My own words.")
            page.save_button.click()
            await window.until(lambda: page.problem.text() == "The disk is full.", "the reason")
            assert page.text() == "My own words."
            assert page.unsaved() is not None
        page.save_button.click()
        await window.until(lambda: page.unsaved() is None, "that it is saved")
        assert (await summaries(window))[0].text == "My own words."


async def test_a_spend_cap_asks_before_it_is_passed(data_dir: Path) -> None:
    async with editing(data_dir) as (window, page):
        window.backend.cost_kind = "money"
        window.backend.prices = Prices(5_000.0, 5_000.0, 500.0, 6_000.0, 10_000.0)
        await window.services.preferences.set_value("costs.day_cap_usd", 0.01)
        await window.settled()
        page.again_button.click()
        await answer(window, "Cancel")
        assert "would pass the cap of $0.01" in page.problem.text()
        assert window.backend.plans == []
        window.backend.reply(TextDelta("Asked: the quarter, at any price."), Ended("end_turn"))
        page.again_button.click()
        await answer(window, "Rewrite anyway")
        await window.until(lambda: page.text() == "Asked: the quarter, at any price.", "the new text")
        assert page.problem.isHidden()


async def test_leaving_asks_about_what_is_not_saved(data_dir: Path) -> None:
    async with editing(data_dir) as (window, page):
        page.field.replace_text("Not saved yet.")
        window.press(Qt.Key.Key_Escape, widget=page.field)
        await answer(window, "Keep editing")
        assert shown(window) is page
        assert page.text() == "Not saved yet."
        page.back.click()
        await answer(window, "Save")
        assert shown(window) is None
        assert [each.text for each in await summaries(window)] == ["Not saved yet."]
        again = await open_editor(window, "s1")
        again.field.replace_text("Away with it.")
        again.back.click()
        await answer(window, "Discard")
        assert [each.text for each in await summaries(window)] == ["Not saved yet."]
        assert not window.presenters.pages.has_unsaved()


async def test_what_is_not_saved_waits_while_another_thread_is_read(data_dir: Path) -> None:
    async with editing(data_dir) as (window, page):
        page.field.replace_text("Half a thought")
        window.shortcut("new_thread")
        await window.settled()
        assert shown(window) is None
        assert window.presenters.pages.has_unsaved()
        await undo(window, "Your changes are not saved yet.")
        await window.until(lambda: isinstance(window.presenters.pages.page, SummaryEditor), "the editor")
        await window.settled()
        again = window.presenters.pages.page
        assert isinstance(again, SummaryEditor)
        assert window.app_state.thread_id == THREAD
        assert again.text() == "Half a thought"
        again.field.replace_text(TEXT)
        assert not window.presenters.pages.has_unsaved()


@pytest.mark.parametrize(("button", "text"), [("Save", "Last words"), ("Discard", TEXT)])
async def test_closing_the_window_asks_first(data_dir: Path, button: str, text: str) -> None:
    async with editing(data_dir) as (window, page):
        page.field.replace_text("Last words")
        window.window.close()
        await answer(window, "Keep editing")
        assert window.window.isVisible()
        assert page.text() == "Last words"
        window.window.close()
        await window.until(lambda: window.window.findChildren(QMessageBox), "the question")
        box = next(box for box in window.window.findChildren(QMessageBox) if box.isVisible())
        next(each for each in box.buttons() if each.text() == button).click()
        async with asyncio.timeout(PATIENCE_S):
            await window.session.ended
    async with OpenWindow.opened(data_dir, open_thread=THREAD) as window:
        assert [each.text for each in await summaries(window)] == [text]


async def test_a_summary_that_goes_away_takes_the_page_along_but_not_the_text(data_dir: Path) -> None:
    async with editing(data_dir) as (window, page):
        page.field.replace_text("Typed meanwhile")
        before = await window.services.chat.context_editing.remove_summary(THREAD, "s1")
        await window.settled()
        assert window.presenters.pages.page is page
        assert "removed" in page.problem.text()
        assert page.text() == "Typed meanwhile"
        await window.services.chat.context_editing.restore(THREAD, before)
        await window.settled()
        page.field.replace_text(TEXT)
        await window.services.chat.context_editing.remove_summary(THREAD, "s1")
        await window.until(lambda: window.presenters.pages.page is None, "the transcript")


async def test_a_summary_that_is_no_more_is_said_to_be_gone(data_dir: Path) -> None:
    async with editing(data_dir) as (window, _page):
        window.presenters.pages.leave()
        await window.settled()
        window.presenters.pages.show("summary", THREAD, "nobody")
        await window.until(lambda: window.window.toast.words == "This summary no longer exists.", "the words")
        assert window.presenters.pages.page is None
