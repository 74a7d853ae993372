"""The gauge's mark of the soft limit is moved by mouse and keyboard, and what is shown meanwhile is what then holds."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio
from PySide6.QtCore import QEvent, QPoint, Qt
from PySide6.QtTest import QTest

from desktop_app.core.stream_events import Ended, TextDelta
from desktop_app.ui.i18n.content_words import thousands
from tests.fakes.gated_backend import Gate
from tests.ui.attaching import attach
from tests.ui.dragging import mouse
from tests.ui.long_threads import PRICES, drafted, long_path, put_thread
from tests.ui.open_window import OpenWindow

THREAD = f"{8:032x}"


@pytest_asyncio.fixture
async def talk(window: OpenWindow, data_dir: Path) -> AsyncIterator[OpenWindow]:
    """A window with a thread of about 40K open, of which all is sent."""
    window.backend.cost_kind, window.backend.prices = "money", PRICES
    await put_thread(data_dir, "Long", long_path(THREAD, 40, 1_000))
    await window.app_state.open_thread(THREAD)
    await window.settled()
    yield window


async def limit(window: OpenWindow) -> int | None:
    return (await window.thread()).soft_limit


def mark(window: OpenWindow) -> QPoint:
    return QPoint(round(window.gauge.width() * window.gauge.reading.soft), 3)


def x_of(window: OpenWindow, tokens: int) -> QPoint:
    """Where on the gauge so many tokens are, while it is 180K wide."""
    return QPoint(round(window.gauge.width() * tokens / 180_000), 3)


async def held_at(window: OpenWindow, tokens: int) -> None:
    """The mark is taken and held at a limit."""
    mouse(window.gauge, QEvent.Type.MouseButtonPress, mark(window))
    mouse(window.gauge, QEvent.Type.MouseMove, x_of(window, tokens))
    await window.settled()


def let_go(window: OpenWindow) -> None:
    mouse(window.gauge, QEvent.Type.MouseButtonRelease, mark(window))


def near(tokens: int, wanted: int) -> bool:
    return abs(tokens - wanted) <= 1_000


async def test_the_mark_follows_the_mouse_and_what_was_shown_is_sent(talk: OpenWindow) -> None:
    drag = talk.gauge.limit_drag
    await held_at(talk, 100_000)
    assert near(drag.tokens, 100_000)
    assert drag.tokens % 1_000 == 0
    assert talk.gauge.line.startswith(f"Soft limit {drag.tokens // 1_000}K · Everything is sent · ")
    assert talk.gauge.line.count("·") == 3, "and the price"
    mouse(talk.gauge, QEvent.Type.MouseMove, x_of(talk, 30_000))
    await talk.settled()
    low, line = drag.tokens, talk.gauge.line
    assert near(low, 30_000)
    assert "older messages left out" in line
    assert await limit(talk) is None, "nothing is done yet"
    let_go(talk)
    await talk.settled()
    assert await limit(talk) == low
    assert talk.window.toast.words == f"Soft limit set to {low // 1_000}K"
    assert talk.gauge.reading.soft == low / 180_000, "the mark stays where it was let go"
    assert talk.gauge.reading.emergency == low * 6 // 5 / 180_000
    assert talk.gauge.reading.unscaled.soft == pytest.approx(5 / 6)
    plan = talk.presenters.gauge.plan
    assert plan is not None
    assert f"{plan.placement.left_out} older messages left out" in line


async def test_the_gauge_is_as_wide_as_its_limit_again_once_a_message_is_sent(talk: OpenWindow) -> None:
    await held_at(talk, 100_000)
    let_go(talk)
    await talk.settled()
    assert talk.gauge.reading.soft == pytest.approx(100_000 / 180_000, abs=0.01)
    await talk.send("And?")
    assert talk.gauge.reading.soft == pytest.approx(5 / 6)


async def test_escape_and_undo_leave_the_limit_as_it_was(talk: OpenWindow) -> None:
    await held_at(talk, 60_000)
    QTest.keyClick(talk.editor, Qt.Key.Key_Escape)
    assert talk.gauge.limit_drag.tokens == 0
    assert not talk.gauge.line.startswith("Soft limit")
    mouse(talk.gauge, QEvent.Type.MouseMove, x_of(talk, 80_000))
    assert talk.gauge.limit_drag.tokens == 0, "this press moves nothing any more"
    let_go(talk)
    await talk.settled()
    assert await limit(talk) is None
    await held_at(talk, 60_000)
    let_go(talk)
    await talk.settled()
    assert near(await limit(talk) or 0, 60_000)
    QTest.keyClick(talk.editor, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    await talk.settled()
    assert await limit(talk) is None


async def test_a_click_on_the_mark_opens_the_popover_as_everywhere(talk: OpenWindow) -> None:
    opened: list[None] = []
    talk.gauge.opened.connect(lambda: opened.append(None))
    QTest.mouseClick(talk.gauge, Qt.MouseButton.LeftButton, pos=mark(talk))
    assert opened
    assert await limit(talk) is None


async def test_the_keyboard_moves_the_mark(talk: OpenWindow) -> None:
    gauge, drag = talk.gauge, talk.gauge.limit_drag
    gauge.setFocus(Qt.FocusReason.TabFocusReason)
    QTest.keyClick(gauge, Qt.Key.Key_Left)
    assert drag.tokens == 145_000
    QTest.keyClick(gauge, Qt.Key.Key_End)
    assert drag.tokens == 150_000, "the highest that this model takes"
    QTest.keyClick(gauge, Qt.Key.Key_Home)
    assert drag.tokens == 1_000
    await talk.until(lambda: gauge.line.startswith("Soft limit 1K · 7"), "the figures")
    assert gauge.sentence() == gauge.line
    QTest.keyClick(gauge, Qt.Key.Key_Escape)
    assert drag.tokens == 0
    QTest.keyClick(gauge, Qt.Key.Key_PageDown)
    QTest.keyClick(gauge, Qt.Key.Key_Return)
    await talk.settled()
    assert await limit(talk) == 125_000
    QTest.keyClick(gauge, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    await talk.settled()
    assert await limit(talk) is None
    QTest.keyClick(gauge, Qt.Key.Key_Left)
    talk.composer.focus_editor()
    assert drag.tokens == 0, "the keyboard has left"


async def test_a_limit_under_which_nothing_could_be_sent_says_so_and_is_not_set(talk: OpenWindow) -> None:
    gauge = talk.gauge
    await drafted(talk, "word " * 4_000)
    gauge.setFocus(Qt.FocusReason.TabFocusReason)
    QTest.keyClick(gauge, Qt.Key.Key_Home)
    await talk.until(lambda: gauge.line == "Soft limit 1K · too long to send", "the refusal")
    QTest.keyClick(gauge, Qt.Key.Key_Return)
    await talk.settled()
    assert talk.window.toast.words == "Not set. Soft limit 1K · too long to send"
    assert await limit(talk) is None


async def test_held_at_the_end_the_mark_goes_on_to_higher_limits(talk: OpenWindow) -> None:
    talk.backend.window = 2_000_000
    talk.presenters.gauge.refresh()
    await talk.settled()
    drag = talk.gauge.limit_drag
    mouse(talk.gauge, QEvent.Type.MouseButtonPress, mark(talk))
    mouse(talk.gauge, QEvent.Type.MouseMove, QPoint(talk.gauge.width() - 1, 3))
    await talk.until(lambda: drag.tokens > 250_000, "a limit that had no room on the gauge")
    let_go(talk)
    await talk.settled()
    assert (await limit(talk) or 0) > 250_000


async def dragged(window: OpenWindow, start: QPoint, by: int) -> list[str]:
    """What opened while the mouse was pressed, moved in steps and let go."""
    opened: list[str] = []
    window.gauge.opened.connect(lambda: opened.append("popover"))
    mouse(window.gauge, QEvent.Type.MouseButtonPress, start)
    for step in range(1, 11):
        mouse(window.gauge, QEvent.Type.MouseMove, start + QPoint(by * step // 10, 0))
    mouse(window.gauge, QEvent.Type.MouseButtonRelease, start + QPoint(by, 0))
    await window.settled()
    return opened


@pytest.mark.parametrize("beside", [-8, 8])
@pytest.mark.parametrize("from_bottom", [False, True])
async def test_the_mark_is_taken_beside_it_and_at_any_height(talk: OpenWindow, beside: int, from_bottom: bool) -> None:
    gauge = talk.gauge
    start = QPoint(round(gauge.width() * gauge.reading.soft) + beside, gauge.height() - 1 if from_bottom else 0)
    QTest.mouseMove(gauge, start)
    assert gauge.cursor().shape() == Qt.CursorShape.SizeHorCursor
    assert await dragged(talk, start, -100) == []
    assert (await limit(talk) or 150_000) < 140_000


async def test_a_drag_that_moves_nothing_opens_nothing(talk: OpenWindow) -> None:
    assert await dragged(talk, mark(talk) - QPoint(60, 0), -100) == [], "the mark was missed"
    gate = Gate()
    talk.backend.reply(TextDelta("so"), gate, Ended("end_turn"))
    talk.enter("And?")
    await talk.until(lambda: talk.app_state.running, "the answer")
    assert await dragged(talk, mark(talk), -100) == []
    assert talk.window.toast.words == "You can move the limit when the answer is complete"
    gate.open()
    await talk.until(lambda: not talk.app_state.running, "the end of the answer")
    assert await limit(talk) is None


async def test_while_an_answer_comes_and_without_a_thread_the_limit_stays(talk: OpenWindow) -> None:
    gate = Gate()
    talk.backend.reply(TextDelta("so"), gate, Ended("end_turn"))
    talk.enter("And?")
    await talk.until(lambda: talk.app_state.running, "the answer")
    talk.gauge.setFocus(Qt.FocusReason.TabFocusReason)
    QTest.keyClick(talk.gauge, Qt.Key.Key_Left)
    assert talk.gauge.limit_drag.tokens == 0
    assert talk.window.toast.words == "You can move the limit when the answer is complete"
    gate.open()
    await talk.until(lambda: not talk.app_state.running, "the end of the answer")
    talk.app_state.close_thread()
    await talk.settled()
    talk.gauge.setFocus(Qt.FocusReason.TabFocusReason)
    QTest.keyClick(talk.gauge, Qt.Key.Key_Left)
    assert talk.gauge.limit_drag.tokens == 0


@pytest.mark.parametrize("way", ["mouse", "keyboard", "raise"])
async def test_what_is_sent_anyway_leaves_the_dragged_limit_as_it_is(
    window: OpenWindow, tmp_path: Path, way: str
) -> None:
    await window.send("Tell me of load lines")
    await held_at(window, 6_600)
    let_go(window)
    await window.settled()
    dragged = await limit(window)
    assert near(dragged or 0, 6_600)
    line = "Line {}: the barge Ada{} carried {} tons of wheat from port {} to port {}, draught 9.{} m.\n"
    lines, cards = 150, window.presenters.error_cards
    while (plan := window.presenters.gauge.plan) is None or not plan.only_uncertain:
        lines += 8
        notes = tmp_path / f"notes{lines}.txt"
        notes.write_text("".join(line.format(*([number] * 6)) for number in range(lines)))
        for part in window.composer.attachments:
            window.presenters.attachments.remove_document(part.name)  # type: ignore[union-attr]
        await window.settled()
        await attach(window, notes)
        await drafted(window, f"What does the file say of Ada{lines}?")
        await window.settled()
        assert lines < 500
    window.press(Qt.Key.Key_Return)
    await window.until(lambda: cards.card is not None, "the refusal")
    await window.settled()
    assert cards.card is not None
    assert [button.objectName() for button in cards.card.buttons[:2]] == ["send_anyway", "raise_limit"]
    offered = cards.card.buttons[1].text()
    if way == "keyboard":
        window.shortcut("focus_card")
        QTest.keyClick(cards.card.buttons[0], Qt.Key.Key_Space)
    else:
        QTest.mouseClick(cards.card.buttons[way == "raise"], Qt.MouseButton.LeftButton)
    await window.until(lambda: window.composer.is_empty() and not window.composer.streaming, "the answer")
    await window.settled()
    now, thread = await limit(window), await window.thread()
    told = {entry.event.kind for entry in await window.services.chat.journal.of(thread.id)}
    assert ("limit_passed" in told) == (way != "raise")
    assert now == dragged if way != "raise" else offered == f"Raise the limit to {thousands(now or 0)}"
