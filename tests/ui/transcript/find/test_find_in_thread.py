"""Finding in the thread: all hits are counted, the bar goes from one to the next, and nothing stalls."""

from __future__ import annotations

from itertools import pairwise

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from desktop_app.core.messages import TextPart, ThinkingPart, ToolCallPart, ToolResultPart
from desktop_app.ui.startup.garbage import GarbageCollection
from desktop_app.ui.transcript.canvas.canvas import TICK
from desktop_app.ui.transcript.find import find_in_thread
from desktop_app.ui.transcript.view import TranscriptView
from tests.benchmarks.bench_transcript import thread
from tests.counted_calls import CountedCalls
from tests.ui.transcript.gallery import message

PARTS = """A needle, and **nee**dle again.

- a needle in a list
- `needle` in code

| column | needle |
|---|---|
| x | two needle needle |

```py
needle = "needle"  # 🚀 needle
```

> A quoted
> needle.
"""


def counted(view: TranscriptView, qtbot: QtBot, words: str) -> str:
    """Types into the find bar; what it says in the end."""
    view.bars.open_find()
    QTest.keyClicks(view.find_in_thread.bar.field, words)
    qtbot.waitUntil(lambda: view.find_in_thread.done)
    return view.find_in_thread.bar.count.text()


def current(view: TranscriptView) -> tuple[int, str] | None:
    """The message of the hit that stands out as the current one, and its text."""
    for placed in view.row_layout.placed:
        for mark in view.highlights_in(placed):
            if mark.kind == "found-current":
                return placed.message, placed.row.item.text(mark.start, mark.end)
    return None


def test_hits_are_counted_in_everything_that_is_read(view: TranscriptView, qtbot: QtBot) -> None:
    view.show_path([message(0, "user", "needle *needle*"), message(1, "assistant", PARTS)])
    assert counted(view, qtbot, "needle") == "1 of 13"
    marks = [(p.row.item.text(m.start, m.end), m.kind) for p in view.row_layout.placed for m in view.highlights_in(p)]
    assert len(marks) == 13
    assert {words for words, _ in marks} == {"needle"}
    assert [kind for _, kind in marks].count("found-current") == 1


def test_enter_goes_round_and_shift_enter_back(view: TranscriptView, qtbot: QtBot) -> None:
    view.show_path([message(n, "assistant" if n % 2 else "user", f"Text number {n}\n\n" * 9) for n in range(20)])
    view.navigation.scroll_to_message("m0")
    assert counted(view, qtbot, "number 1") == "1 of 99"
    field = view.find_in_thread.bar.field
    seen = [current(view)]
    for _ in range(9):
        QTest.keyClick(field, Qt.Key.Key_Return)
        seen.append(current(view))
    assert seen == [(1, "number 1")] * 9 + [(10, "number 1")]
    assert view.find_in_thread.bar.count.text() == "10 of 99"
    for _ in range(10):
        QTest.keyClick(field, Qt.Key.Key_Return, Qt.KeyboardModifier.ShiftModifier)
    assert current(view) == (19, "number 1")
    assert view.find_in_thread.bar.count.text() == "99 of 99"
    view.find_in_thread.step(1)
    assert view.find_in_thread.bar.count.text() == "1 of 99"


def test_case_and_whole_words(view: TranscriptView, qtbot: QtBot) -> None:
    view.show_path([message(0, "assistant", "Ring ring rings ÉTÉ été")])
    assert counted(view, qtbot, "ring") == "1 of 3"
    QTest.mouseClick(view.find_in_thread.bar.case, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: view.find_in_thread.bar.count.text() == "1 of 2")
    QTest.mouseClick(view.find_in_thread.bar.words, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: view.find_in_thread.bar.count.text() == "1 of 1")
    QTest.mouseClick(view.find_in_thread.bar.case, Qt.MouseButton.LeftButton)
    view.find_in_thread.bar.field.setText("ete")
    qtbot.waitUntil(lambda: view.find_in_thread.bar.count.text() == "1 of 2")
    view.find_in_thread.bar.field.setText("nowhere")
    qtbot.waitUntil(lambda: view.find_in_thread.bar.count.text() == "No results")
    assert not view.find_in_thread.bar.next.isEnabled()


def test_folded_thinking_is_unfolded_and_tools_are_not_searched(view: TranscriptView, qtbot: QtBot) -> None:
    parts = (
        ThinkingPart("Hidden needle here"),
        ToolCallPart("c1", "search", {"query": "needle"}),
        ToolResultPart("c1", "needle " * 50),
        TextPart("The answer"),
    )
    view.show_path([message(0, "user", "Question"), message(1, "assistant", *parts)])
    assert counted(view, qtbot, "needle") == "1 of 1"
    assert current(view) == (1, "needle"), "the thinking was unfolded"


def test_long_code_is_unfolded_and_wide_code_scrolled_to_a_hit(view: TranscriptView, qtbot: QtBot) -> None:
    lines = [f"line_{n}" for n in range(300)]
    lines[200] = " " * 400 + "needle"
    view.show_path([message(0, "assistant", "```\n" + "\n".join(lines) + "\n```")])
    assert counted(view, qtbot, "needle") == "1 of 1"
    placed = next(p for p in view.row_layout.placed if p.message == 0)
    assert placed.row.item.height > 300 * 10
    rect = placed.row.item.caret_rect(placed.row.item.reading.index("needle"))
    assert 0 <= placed.item_top + rect.top() < view.row_layout.view
    assert 0 <= rect.x() < placed.row.item.width


def test_what_streams_in_is_counted(view: TranscriptView, qtbot: QtBot) -> None:
    view.show_path([message(0, "user", "needle")])
    view.stream.begin_answer(message(1, "assistant"))
    assert counted(view, qtbot, "needle") == "1 of 1"
    view.stream.grow_answer("m1", "text", "One nee")
    view.stream.grow_answer("m1", "text", "dle and **needle**")
    qtbot.waitUntil(lambda: view.find_in_thread.bar.count.text() == "1 of 3")
    view.stream.finish_answer(message(1, "assistant", "One needle and **needle**, needle"))
    qtbot.waitUntil(lambda: view.find_in_thread.bar.count.text() == "1 of 4")
    view.stream.add_message(message(2, "user", "needle"))
    qtbot.waitUntil(lambda: view.find_in_thread.bar.count.text() == "1 of 5")
    view.refresh_path([message(0, "user", "needle")])
    qtbot.waitUntil(lambda: view.find_in_thread.bar.count.text() == "1 of 1")


def test_earlier_messages_that_arrive_are_counted(view: TranscriptView, qtbot: QtBot) -> None:
    path = [message(n, "assistant" if n % 2 else "user", "needle") for n in range(40)]
    view.show_path(path[-4:], total=40)
    assert counted(view, qtbot, "needle") == "1 of 4"
    view.prepend(path[:-4])
    qtbot.waitUntil(lambda: "40" in view.find_in_thread.bar.count.text())


def test_opening_and_closing_move_no_text_on_the_screen(view: TranscriptView, qtbot: QtBot) -> None:
    view.show_path(thread(30))
    view.scroll_by(-2_000)
    placed = view.row_layout.placed[3]

    def on_screen() -> int:
        return (
            view.viewport()
            .mapToGlobal(QPoint(0, next(p.top for p in view.row_layout.placed if p.row is placed.row)))
            .y()
        )

    before = on_screen()
    view.bars.open_find()
    assert view.viewport().geometry().top() == view.find_in_thread.bar.height()
    assert on_screen() == before
    QTest.keyClick(view.find_in_thread.bar.field, Qt.Key.Key_Escape)
    assert not view.find_in_thread.shown
    assert on_screen() == before
    assert not any(view.highlights_in(p) for p in view.row_layout.placed)


def test_ticks_stand_in_the_scroll_bar(view: TranscriptView, qtbot: QtBot) -> None:
    path = [message(n, "assistant" if n % 2 else "user", "filler\n\n" * 20) for n in range(40)]
    path[10], path[30] = message(10, "user", "needle"), message(30, "user", "needle")
    view.show_path(path)
    view.scroll_by(-100_000)  # from the end it depends on the time to read which hit is met first
    assert counted(view, qtbot, "needle") == "1 of 2"
    qtbot.waitUntil(lambda: len(view.ticked_bar.ticks) == 2)
    first, second = sorted(view.ticked_bar.ticks)
    assert first < view.ticked_bar.height() / 2 < second
    picture = view.ticked_bar.grab().toImage()
    assert picture.pixelColor(5, first) == view.text_style.color("fill-warning")
    view.bars.close()
    assert not view.ticked_bar.ticks


def test_very_many_ticks_are_no_band(view: TranscriptView, qtbot: QtBot) -> None:
    view.show_path([message(n, "assistant" if n % 2 else "user", "needle") for n in range(900)])
    assert counted(view, qtbot, "needle").endswith("of 900")
    qtbot.waitUntil(lambda: not view.find_in_thread.ticks.busy and len(view.ticked_bar.ticks) > 90)
    lines = sorted(view.ticked_bar.ticks)
    assert min(after - before for before, after in pairwise(lines)) > TICK, "something shows between them"


def test_a_search_that_led_here_marks_only_the_message_that_it_found(view: TranscriptView, qtbot: QtBot) -> None:
    view.show_path([message(n, "assistant" if n % 2 else "user", f"needle {n}") for n in range(40)])
    view.navigation.scroll_to_message("m20", 0.2)
    view.mark_found("needle", "m20")
    qtbot.waitUntil(lambda: view.find_in_thread.done and len(view.ticked_bar.ticks) == 1)
    marked = {placed.message for placed in view.row_layout.placed if view.highlights_in(placed)}
    assert marked == {20}
    view.prepend([message(n, "user", "needle earlier") for n in range(100, 103)])
    view.find_in_thread.read_again()
    qtbot.waitUntil(lambda: view.find_in_thread.done)
    assert {placed.message for placed in view.row_layout.placed if view.highlights_in(placed)} == {23}
    view.unmark_found()
    assert not any(view.highlights_in(placed) for placed in view.row_layout.placed)


def test_ticks_made_bit_by_bit_are_those_made_at_once(
    view: TranscriptView, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    long = "\n\n".join(["filler", "needle", "filler " * 900] * 40)
    path = [message(n, "assistant" if n % 2 else "user", f"needle {n}") for n in range(300)]
    view.show_path([*path[:200], message(900, "assistant", long), *path[201:]])
    assert counted(view, qtbot, "needle").endswith("of 339")
    ticks = view.find_in_thread.ticks
    # some may be there already of what was found first
    qtbot.waitUntil(lambda: not ticks.busy and len(view.ticked_bar.ticks) > 20)
    at_once = view.ticked_bar.ticks
    room, top = view.ticked_bar.room, view.row_layout.heights.before(200)
    height = view.row_layout.heights[200]
    inside = [tick for tick in at_once if top < tick * view.row_layout.extent / room < top + height]
    assert len(inside) > 5, "a message that fills much of the bar has a tick for each place"
    monkeypatch.setattr(find_in_thread, "TICKS_SLICE_S", -1.0)
    times: list[int] = []
    monkeypatch.setattr(view.find_in_thread.ticks.timer, "start", times.append)
    view.find_in_thread.ticks.clear()
    view.find_in_thread.ticks.renew()
    while times and len(times) < 1_000:
        waited = len(times)
        view.find_in_thread.ticks.go_on()
        if len(times) == waited:
            break
    assert times.count(0) >= 300 // find_in_thread.STRIDE
    assert view.ticked_bar.ticks == at_once


@pytest.mark.slow
def test_ten_thousand_messages_are_searched_without_a_stall(view: TranscriptView, qtbot: QtBot) -> None:
    view.show_path(thread(10_000))
    garbage = GarbageCollection(view)  # as in the app: collections wait for quiet moments
    garbage.start()
    view.bars.open_find()
    view.find_in_thread.bar.field.setText("the")
    longest = every = 0
    ticks = view.find_in_thread.ticks
    while not view.find_in_thread.done or ticks.busy:
        with CountedCalls() as work:
            QApplication.processEvents()
        longest, every = max(longest, work.calls), every + work.calls
    garbage.stop()
    assert view.ticked_bar.ticks
    assert int(view.find_in_thread.bar.count.text().split(" of ")[1].replace(",", "")) > 50_000
    assert longest < every / 20, "a slice is a small part of the work, on a quick machine too"
    total = sum(
        len(view.find_in_thread.search.needle.spans(row.item.reading))
        for index in range(200)
        for row in laid_out(view, index)
    )
    assert total == sum(view.find_in_thread.search.counts[:200]), "what is counted is what the rows read"


def laid_out(view: TranscriptView, index: int) -> list:  # type: ignore[type-arg]
    """All rows of a message with text."""
    layout = view.row_layout.message_layout(index)
    layout.open_all()
    for row in layout.rows:
        layout.lay_out(row)
    return [row for row in layout.rows if row.slot >= 0]


def test_a_shorter_thread_is_opened_while_the_bar_is_still_reading(view: TranscriptView, qtbot: QtBot) -> None:
    long = [message(index, "assistant", "a needle") for index in range(40)]
    view.show_path(long)
    assert counted(view, qtbot, "needle").endswith(" of 40")
    view.show_path([message(index, "assistant", "a needle, again") for index in range(40)])
    view.find_in_thread.read_again()  # forty messages are to be read anew
    assert not view.find_in_thread.done
    view.show_path([message(0, "assistant", "one needle")])
    view.find_in_thread.search.read_slice()  # before the bar has looked at the path again
    view.find_in_thread.step(-1)
    qtbot.waitUntil(lambda: view.find_in_thread.done and view.find_in_thread.search.total == 1)
