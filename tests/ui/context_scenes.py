"""Pictures of what the window says about the context: gauge, popover, load line, steps, cards, cold line."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QPoint, Qt

from desktop_app.core.context.plan import CachePromise
from desktop_app.ui.gauge.gauge_popover import GaugePopover
from desktop_app.ui.i18n.language import hour_of
from tests.ui.dragging import mouse
from tests.ui.long_threads import PRICES, SENTENCE, long_path, put_thread

if TYPE_CHECKING:
    from tests.ui.open_window import OpenWindow

ID = f"{77:032x}"


async def _long_thread(
    window: OpenWindow, turns: int, tokens: int, *, age_minutes: float = 0, cached: bool = True
) -> None:
    """Opens a thread of so many turns with a model that costs money."""
    from desktop_app.core.context.plan import Overhead

    window.window.resize(1180, 820)
    window.backend.cost_kind = "money"
    window.backend.prices = PRICES
    window.backend.overhead = Overhead(cache_marks=4)
    path = long_path(ID, turns, tokens, age=timedelta(minutes=age_minutes), cached=cached)
    await put_thread(window.session.paths.root, "Quarterly report", path)
    window.presenters.thread_list.reload()
    await window.settled()
    await window.app_state.open_thread(ID)
    await window.settled()


async def _typed(window: OpenWindow, text: str) -> None:
    window.editor.setPlainText(text)
    await window.settled()


def _make_narrow(window: OpenWindow) -> None:
    window.shortcut("toggle_threads")
    window.window.resize(480, 700)


async def gauge_calm(window: OpenWindow) -> None:
    await _long_thread(window, 40, 1_500)
    await _typed(window, "And the third quarter?")


async def gauge_near(window: OpenWindow) -> None:
    await _long_thread(window, 86, 1_500)
    await _typed(window, "And the third quarter?")


async def gauge_trim(window: OpenWindow) -> None:
    await _long_thread(window, 96, 1_500)
    await _typed(window, SENTENCE * 1_500)


async def gauge_refused(window: OpenWindow) -> None:
    await _long_thread(window, 40, 1_500)
    await _typed(window, SENTENCE * 20_000)


async def gauge_unknown(window: OpenWindow) -> None:
    await _long_thread(window, 8, 1_000)
    assert window.app_state.thread_id is not None
    await window.services.chat.facts.change(window.app_state.thread_id, model="nobody-knows-me")
    await window.settled()
    await _typed(window, "And the third quarter?")


async def gauge_cold(window: OpenWindow) -> None:
    """The cache has expired: the price joins the gauge, and a calm line offers a summary."""
    await _long_thread(window, 70, 1_500, age_minutes=300)
    await _typed(window, "Good morning. Where were we?")


async def gauge_cold_narrow(window: OpenWindow) -> None:
    await gauge_cold(window)
    _make_narrow(window)


async def popover_priced(window: OpenWindow) -> None:
    await _long_thread(window, 86, 1_500)
    await _typed(window, "And the third quarter?")
    window.shortcut("show_gauge")


async def popover_keep(window: OpenWindow) -> None:
    """What is cached, until when, and for what it is kept."""
    await popover_priced(window)
    popover, plan = window.composer.findChild(GaugePopover), window.presenters.gauge.plan
    assert popover is not None
    assert plan is not None
    until = datetime(2026, 3, 18, 15, 42, tzinfo=UTC).timestamp()
    promise = CachePromise("promised", 60_000, until, "1h", "a")
    price = replace(plan.price, cost_usd=0.13, most_usd=0.14, cached_tokens=60_000, cache=promise)
    popover.show_plan(replace(plan, price=price))
    popover.show_keep(hour_of(until + 3_600), "$0.05")


async def choices_compared(window: OpenWindow) -> None:
    await popover_priced(window)
    popover = window.composer.findChild(GaugePopover)
    assert popover is not None
    popover.compare.click()
    await window.until(lambda: len(popover.words()) > 12, "the table")


async def _stepped(window: OpenWindow, steps: int = 1) -> None:
    """Turns until so many steps have been made; then the end is shown."""
    from desktop_app.core.stream_events import Ended, TextDelta

    await _long_thread(window, 4, 900)
    window.backend.window = 12_000
    window.presenters.gauge.refresh()
    await window.settled()
    made = 0
    for number in range(60):
        await _typed(window, f"Question {number}: and what about region {number}?")
        window.backend.reply(TextDelta(f"Region {number}. " + SENTENCE * 60), Ended("end_turn"))
        window.press(Qt.Key.Key_Return)
        await window.until(window.composer.is_empty, "the question in the history")
        await window.until(lambda: not window.composer.streaming, "the answer")
        await window.settled()
        made += window.backend.plans[-1].decision == "trim"
        if made == steps:
            break
    await window.until(lambda: window.transcript.decorations.step is not None, "the line of the step")


async def step_line(window: OpenWindow) -> None:
    await _stepped(window)


async def step_line_unfolded(window: OpenWindow) -> None:
    await _stepped(window)
    assert window.transcript.decorations.step is not None
    window.transcript.row_actions.action_requested.emit(window.transcript.decorations.step.message_id, "show")


async def step_line_narrow(window: OpenWindow) -> None:
    await step_line_unfolded(window)
    _make_narrow(window)
    assert window.transcript.decorations.step is not None
    window.transcript.navigation.scroll_to_message(window.transcript.decorations.step.message_id, 0.3)


async def load_line(window: OpenWindow) -> None:
    """Where the model's view begins, with a pinned turn and an excluded one."""
    await _stepped(window)
    plan = window.presenters.gauge.plan
    assert plan is not None
    left = [placed.id for placed in plan.placement.messages if placed.state == "left_out"]
    sent = [placed.id for placed in plan.placement.messages if placed.state == "whole"]
    window.presenters.choices.pin(left[-2:])
    await window.settled()
    window.presenters.choices.exclude(sent[2:3])
    await window.settled()
    window.presenters.transcript.show_left_out()


async def load_line_dragged(window: OpenWindow) -> None:
    """The line is held a turn further down."""
    await _long_thread(window, 30, 130)
    view = window.transcript
    await window.services.chat.context_editing.move_line(ID, view.messages[30].id)
    await window.settled()
    window.presenters.transcript.show_left_out()
    placed = next(p for p in view.row_layout.placed if p.row.decoration == "load-line")
    grip = QPoint(view.column.right() - 10, placed.item_top + 14)
    lower = next(p for p in view.row_layout.placed if p.message == placed.message + 2)
    mouse(view.viewport(), QEvent.Type.MouseButtonPress, grip)
    mouse(view.viewport(), QEvent.Type.MouseMove, QPoint(grip.x(), lower.top))
    await window.until(lambda: bool(view.load_line_drag.words), "the figures")
    await window.settled()


async def load_line_refused(window: OpenWindow) -> None:
    """The keyboard holds the line where all of it would be over the limit."""
    await _long_thread(window, 30, 130)
    view = window.transcript
    await window.services.chat.set_soft_limit(ID, 2_000)
    await window.services.chat.context_editing.move_line(ID, view.messages[44].id)
    await window.settled()
    view.setFocus(Qt.FocusReason.TabFocusReason)
    view.keyboard.focus_message(44)
    window.press(Qt.Key.Key_Tab, widget=view)
    window.press(Qt.Key.Key_Home, widget=view)
    await window.until(lambda: view.load_line_drag.words.startswith("Over"), "the refusal")


async def load_line_focused(window: OpenWindow) -> None:
    """The keyboard is on the line."""
    await load_line(window)
    view = window.transcript
    view.setFocus(Qt.FocusReason.TabFocusReason)
    view.keyboard.focus_message(view.path.number(view.decorations.load_line or "") or 0, stay=True)
    window.press(Qt.Key.Key_Tab, widget=view)


async def load_line_narrow(window: OpenWindow) -> None:
    await load_line(window)
    _make_narrow(window)
    window.presenters.transcript.show_left_out()


async def _limit_held(window: OpenWindow, tokens: int) -> None:
    strip = window.composer.gauge
    mouse(strip, QEvent.Type.MouseButtonPress, QPoint(round(strip.width() * strip.reading.soft), 3))
    mouse(strip, QEvent.Type.MouseMove, QPoint(round(strip.width() * tokens / 180_000), 3))
    await window.until(lambda: strip.line.startswith("Soft limit"), "the figures")
    await window.settled()


async def limit_dragged(window: OpenWindow) -> None:
    """The mark of the soft limit is held where older messages would be left out."""
    await _long_thread(window, 40, 1_500)
    await _limit_held(window, 50_000)


async def limit_dragged_up(window: OpenWindow) -> None:
    await _long_thread(window, 40, 1_500)
    await window.services.chat.set_soft_limit(ID, 80_000)
    await window.settled()
    await _limit_held(window, 170_000)


async def margin_ticks(window: OpenWindow) -> None:
    await _stepped(window, 3)
    window.transcript.navigation.scroll_to_message(list(window.transcript.decorations.ticks)[-1], 0.4)


async def summary_line(window: OpenWindow) -> None:
    """A summary stands for the beginning of the thread; unfolded."""
    from desktop_app.core.stream_events import Ended, TextDelta

    await _long_thread(window, 12, 400)
    plan = window.presenters.gauge.plan
    assert plan is not None
    told = (
        "Asked: how the second quarter compares with the plan.",
        "Found: the north grew by 12 %.",
        "Open: the third.",
    )
    window.backend.reply(TextDelta("\n".join(told)), Ended("end_turn"))
    window.presenters.summary_requests.summarise([placed.id for placed in plan.placement.messages[2:16]])
    await window.until(lambda: window.app_state.current and window.app_state.current.choices.summaries, "the summary")
    await window.settled()
    assert window.app_state.current is not None
    summary = window.app_state.current.choices.summaries[0]
    window.transcript.row_actions.action_requested.emit("", f"show:{summary.id}")
    window.transcript.navigation.scroll_to_message(plan.placement.messages[16].id, 0.3)


async def summarising(window: OpenWindow) -> None:
    from desktop_app.core.stream_events import Ended, TextDelta
    from tests.fakes.gated_backend import Gate

    await _long_thread(window, 12, 400)
    plan = window.presenters.gauge.plan
    assert plan is not None
    gate = Gate()
    window.backend.reply(TextDelta("Asked: "), gate, Ended("end_turn"))
    window.presenters.summary_requests.summarise([placed.id for placed in plan.placement.messages[2:16]])
    await gate.arrive()


async def emergency(window: OpenWindow) -> None:
    """Pins fill the request: it is refused, and several ways out are real."""
    await _long_thread(window, 108, 1_500)
    plan = window.presenters.gauge.plan
    assert plan is not None
    window.backend.window = 1_000_000
    await window.services.chat.context_editing.pin(ID, [placed.id for placed in plan.placement.messages])
    await window.settled()
    await _typed(window, SENTENCE * 3_000)
    window.press(Qt.Key.Key_Return)
    await window.until(lambda: window.presenters.error_cards.card is not None, "the card")


async def emergency_narrow(window: OpenWindow) -> None:
    await emergency(window)
    _make_narrow(window)


async def first_crossing(window: OpenWindow) -> None:
    await _long_thread(window, 96, 1_500)
    window.backend.window = 1_000_000
    window.presenters.gauge.refresh()
    await window.settled()
    await _typed(window, SENTENCE * 1_500)
    window.press(Qt.Key.Key_Return)
    await window.until(lambda: window.presenters.error_cards.card is not None, "the question")


async def first_crossing_narrow(window: OpenWindow) -> None:
    await first_crossing(window)
    _make_narrow(window)


async def message_menu(window: OpenWindow) -> None:
    await _long_thread(window, 12, 400)
    window.transcript.setFocus(Qt.FocusReason.ShortcutFocusReason)
    window.transcript.keyboard.focus_message(20)
    window.press(Qt.Key.Key_Return, widget=window.transcript)


async def turn_cap(window: OpenWindow) -> None:
    from tests.ui.conversation.test_turn_cap import at_the_cap

    await _long_thread(window, 2, 100)
    await at_the_cap(window)
    await window.settled()


CONTEXT_SCENES = (
    gauge_calm,
    gauge_near,
    gauge_trim,
    gauge_refused,
    gauge_unknown,
    gauge_cold,
    gauge_cold_narrow,
    popover_priced,
    popover_keep,
    choices_compared,
    step_line,
    step_line_unfolded,
    step_line_narrow,
    load_line,
    load_line_narrow,
    load_line_dragged,
    load_line_refused,
    load_line_focused,
    limit_dragged,
    limit_dragged_up,
    margin_ticks,
    summary_line,
    summarising,
    emergency,
    emergency_narrow,
    first_crossing,
    first_crossing_narrow,
    message_menu,
    turn_cap,
)
