"""The usage page over a real history: spans, tables, caps, keys."""

from __future__ import annotations

from datetime import timedelta
from typing import cast

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication

from desktop_app.composition import AppServices
from desktop_app.core.messages import Failure, TextPart
from desktop_app.ui.inspector.inspector_pane import InspectorPane
from desktop_app.ui.preferences.preferences_page import PreferencesPage
from desktop_app.ui.usage.usage_page import UsagePage
from tests.fakes.gated_backend import GatedBackend
from tests.set_time import NOW
from tests.ui.access_walk import faults
from tests.ui.ledgers import call
from tests.ui.open_window import OpenWindow

pytestmark = pytest.mark.slow

TOKENS = (100_000, 820_000, 80_000, 10_000)


async def record(window: OpenWindow, back: int, **options: object) -> None:
    """A call `back` days ago."""
    options = {"tokens": TOKENS, **options}
    made = call(NOW - timedelta(days=back), "anthropic", "claude-sonnet-5-5", **options)  # type: ignore[arg-type]
    await cast("AppServices", window.services).history.record_call(made)


async def usage_page(window: OpenWindow) -> UsagePage:
    window.shortcut("show_usage")
    await window.until(lambda: isinstance(window.presenters.pages.page, UsagePage), "the page")
    await window.settled()
    page = window.presenters.pages.page
    assert isinstance(page, UsagePage)
    return page


async def choose(window: OpenWindow, page: UsagePage, span: str) -> None:
    page.spans[span].click()
    await window.settled()


def shown(page: UsagePage) -> dict[str, tuple[str, ...]]:
    """The table's lines by name."""
    return {line.name: line.cells for line in page.table.lines.lines}


async def test_an_answer_stands_on_the_page_and_escape_goes_back(window: OpenWindow) -> None:
    page = await usage_page(window)
    assert "Nothing used yet" in page.empty.line.text()
    assert not window.composer.isVisible()
    assert not window.window.actions_by_id["show_gauge"].isEnabled()
    window.press(Qt.Key.Key_Escape, widget=page.spans["month"])
    await window.settled()
    assert window.presenters.pages.page is None
    assert window.window.stage.reading
    assert window.composer.isVisible()
    assert window.window.actions_by_id["show_gauge"].isEnabled()
    await window.send("How much is that?")
    page = await usage_page(window)
    assert page.empty.isHidden()
    assert list(shown(page)) == ["How much is that?"]
    assert shown(page)["How much is that?"][0] == "1"
    assert page.cards.words().startswith("Free")


async def test_the_page_follows_what_happens_while_it_is_shown(window: OpenWindow) -> None:
    page = await usage_page(window)
    thread = await window.services.chat.new_thread()
    await window.services.chat.send(thread.id, (TextPart("Behind the page"),))
    await window.until(lambda: "Behind the page" in shown(page), "the new call")


async def test_a_span_is_chosen_and_told_in_figures_and_words(window: OpenWindow) -> None:
    for back in (0, 3, 20, 200):
        await record(window, back)
    page = await usage_page(window)
    calls = {}
    for span in ("today", "week", "month", "all"):
        await choose(window, page, span)
        calls[span] = page.table.lines.lines[0].cells[0]
        assert page.spans[span].isChecked()
    assert calls == {"today": "1", "week": "2", "month": "3", "all": "4"}
    assert page.facets["days"].text() == "Weeks"
    assert page.cache.text().startswith("82 % of the input was read from the cache, which saved about $")
    page.units["dollars"].click()
    assert page.plot.accessibleName() == "Money by week"
    assert [series.name for series in page.plot.chart.series] == ["Billed"]
    assert page.plot.chart.exact(page.plot.chart.totals()[0]) == "$2.33"


async def test_tables_tell_threads_models_purposes_connections_and_days_apart(window: OpenWindow) -> None:
    await window.send("A thread of its own")
    await record(window, 1, thread=window.app_state.thread_id, purpose="summary")
    await record(window, 2, kind="plan")
    page = await usage_page(window)
    assert set(shown(page)) == {"A thread of its own", "No thread, or a private one"}
    page.facets["model"].click()
    assert set(shown(page)) == {"Claude Sonnet 5.5", "big"}
    page.facets["purpose"].click()
    assert {"Answers", "Summaries"} == set(shown(page))
    page.facets["backend"].click()
    assert {"Gated", window.services.backends["anthropic"].title} == set(shown(page))
    page.facets["days"].click()
    assert len(shown(page)) == 3
    assert "Covered by a plan" in page.cards.words()


async def test_one_thread_is_read_alone_and_a_line_leads_to_its_thread(window: OpenWindow) -> None:
    await window.send("First")
    first = window.app_state.thread_id
    window.shortcut("new_thread")
    await window.send("Second")
    page = await usage_page(window)
    page.this_thread.click()
    await window.settled()
    assert set(shown(page)) == {"Second"}
    page.this_thread.click()
    await window.settled()
    row = [line.name for line in page.table.lines.lines].index("First")
    page.table.setCurrentIndex(page.table.lines.index(row, 0))
    window.press(Qt.Key.Key_Return, widget=page.table)
    await window.until(lambda: window.app_state.thread_id == first, "the first thread")
    await window.settled()
    assert window.presenters.pages.page is None
    assert window.window.stage.reading


async def test_what_is_spent_of_the_caps_is_told(window: OpenWindow) -> None:
    await window.send("Mine")
    await record(window, 0, thread=window.app_state.thread_id)
    page = await usage_page(window)
    assert "$0.58 spent today; there is no cap" in page.caps.text()
    assert "$0.58 spent in this thread; there is no cap" in page.caps.text()
    await window.services.preferences.set_value("costs.day_cap_usd", 2.5)
    await window.until(lambda: "$0.58 of $2.50 spent today" in page.caps.text(), "the words")
    await window.services.preferences.set_value("costs.thread_cap_usd", 3)
    await window.until(lambda: "$0.58 of $3.00 spent in this thread" in page.caps.text(), "the words")
    await window.services.preferences.set_value("context.turn_cap_usd", 0.5)
    await window.until(lambda: "have cost $0.50" in page.caps.text(), "the words")


@pytest.mark.parametrize("by", ["page", "card"])
async def test_change_the_cap_leads_to_the_field(window: OpenWindow, by: str) -> None:
    window.window.activateWindow()
    if by == "page":
        (await usage_page(window)).change_caps.click()
    else:
        window.presenters.remedies.caps_requested.emit("")
    page = window.presenters.pages.page
    assert isinstance(page, PreferencesPage)
    await window.until(lambda: page.complete, "the rows")
    await window.settled()
    focused = QApplication.focusWidget()
    assert focused is not None
    assert page.rows["costs.day_cap_usd"].isAncestorOf(focused)


async def test_everything_on_the_page_has_a_name_and_can_be_reached(window: OpenWindow) -> None:
    await window.send("Something to count")
    await record(window, 0)
    page = await usage_page(window)
    assert faults(window.window) == []
    window.window.activateWindow()
    page.focus_first()
    reached = []
    for _ in range(60):
        focused = QApplication.focusWidget()
        assert focused is not None
        if focused in reached:
            break
        reached.append(focused)
        window.press(Qt.Key.Key_Tab, widget=focused)
    for wanted in (page.back, page.this_thread, page.plot, page.table, page.change_caps):
        assert wanted in reached, wanted.accessibleName()


async def test_another_thread_or_a_new_one_takes_the_place_of_the_page(window: OpenWindow) -> None:
    await window.send("First")
    first = window.app_state.thread_id
    assert first is not None
    window.shortcut("new_thread")
    await usage_page(window)
    window.shortcut("new_thread")
    assert window.presenters.pages.page is None
    assert window.composer.isVisible()
    await usage_page(window)
    await window.choose_thread(first)
    assert window.presenters.pages.page is None
    assert window.window.stage.reading


async def test_prices_of_an_unknown_backend_are_no_trouble(window: OpenWindow) -> None:
    made = call(NOW, "gone", "model", tokens=TOKENS, cost=1.0)
    await cast("AppServices", window.services).history.record_call(made)
    page = await usage_page(window)
    assert page.cards.words().startswith("Billed · $1.00")
    assert page.cache.text() == "82 % of the input was read from the cache."


async def test_what_goes_wrong_meanwhile_is_told_over_the_page(window: OpenWindow) -> None:
    failure = Failure("store", "The history can't be written.")
    window.app_state.tasks.failed.emit(failure)
    assert window.window.toast.words == ""
    await usage_page(window)
    window.app_state.tasks.failed.emit(failure)
    assert window.window.toast.words == "The history can't be written."


async def test_the_theme_reaches_the_page(window: OpenWindow) -> None:
    assert isinstance(window.backend, GatedBackend)
    page = await usage_page(window)
    window.shortcut("theme_dark")
    await window.until(lambda: page.theme.name == "dark", "the dark page")


async def test_going_to_a_message_from_the_inspector_leaves_the_page(window: OpenWindow) -> None:
    await window.send("hello")
    window.shortcut("toggle_inspector")
    await usage_page(window)
    slot = window.window.inspector
    await window.until(lambda: slot.content is not None, "the inspector")
    content: InspectorPane = slot.content  # type: ignore[assignment]
    content.messages.view.jump_requested.emit((await window.opened_thread()).path[0].id)
    await window.until(lambda: window.window.stage.reading, "the transcript")
