"""However an answer comes, no turn of the event loop does more than a bounded amount of work: calls are counted."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from cProfile import Profile

import pytest
from pytestqt.qtbot import QtBot

from desktop_app.core.messages import TextPart
from desktop_app.ui.transcript.items.item import Item
from desktop_app.ui.transcript.items.line_items import NoteItem
from desktop_app.ui.transcript.message import message_changes, message_layout
from desktop_app.ui.transcript.message.message_changes import Coalescer
from desktop_app.ui.transcript.view import TranscriptView
from tests.hostile.texts import Text, texts
from tests.ui.transcript.gallery import message

MOST = 300_000
"""Calls of one turn; some 40 ms here. Prose takes 5,000."""
EVENTS = 32
"""Deltas that come in one turn: a running turn gives way after so many."""
DELTAS = (12, 1)
FOUND_BY_ATTACK = (
    *("links in each other", "'\\\\(' repeated", "'[' repeated", "'*a **b ' repeated", "lines of '-\\n'"),
    *("lines of 'a\\n\\n'", "definition that never ends", "open fence in a list", "paragraph of lines"),
    *("formula of many lines, brackets", "lines of '- a\\n'", "prices and a dollar"),
)
KINDS = {kind.name: kind for kind in texts()}
PARTS = 8


def turns(view: TranscriptView, text: str) -> Iterator[int]:
    """The calls of each turn while a text comes at once but for its end, which comes in ever smaller deltas."""

    def counted(*acts: Callable[[], object]) -> int:
        work = Profile()  # counts as `CountedCalls` does, and is quick
        work.enable()
        for act in acts:
            act()
        work.disable()
        return sum(entry.callcount for entry in work.getstats())

    layout = view.row_layout.message_layout
    view.show_path([message(0, "user", TextPart("Well?"))])
    view.stream.begin_answer(message(1, "assistant"))
    answer = message(1, "assistant", TextPart(text))
    end = len(text) - EVENTS * sum(DELTAS)
    yield counted(lambda: view.stream.grow_answer(answer.id, "text", text[:end]), view.stream.show_now)
    while layout(1).unread:
        yield counted(view.stream.show_now)
    for size in DELTAS:
        pieces = [text[start : start + size] for start in range(end, end + EVENTS * size, size)]
        end += EVENTS * size
        grow = [lambda piece=piece: view.stream.grow_answer(answer.id, "text", piece) for piece in pieces]
        yield counted(*grow, view.stream.show_now)
    yield counted(lambda: view.stream.finish_answer(answer))
    assert layout(1).parts == answer.parts


def over(view: TranscriptView, kinds: list[Text], size: int) -> list[str]:
    found = ((kind.name, max(turns(view, kind.make(size)))) for kind in kinds)
    return [f"{name}: {most}" for name, most in found if most > MOST]


def test_no_turn_does_more_for_a_longer_text(view: TranscriptView) -> None:
    assert over(view, [KINDS[name] for name in FOUND_BY_ATTACK], 32_000) == []


def test_no_turn_does_much_for_any_kind_of_text(view: TranscriptView) -> None:
    assert over(view, list(KINDS.values()), 3_000) == []


@pytest.mark.slow
@pytest.mark.parametrize("part", range(PARTS))
def test_no_turn_does_more_for_any_kind_of_longer_text(view: TranscriptView, part: int) -> None:
    assert over(view, list(KINDS.values())[part::PARTS], 64_000) == []


def test_deltas_that_are_there_at_once_are_shown_once_however_long_that_takes(
    qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(message_changes, "FRAME_MS", 0)  # each showing takes longer than a frame
    shown: list[int] = []
    coalescer = Coalescer(lambda: shown.append(len(shown)))
    for _ in range(5_000):
        coalescer.touch()
    assert len(shown) == 1
    qtbot.waitUntil(lambda: len(shown) == 2)


def _note(item: Item) -> str:
    assert isinstance(item, NoteItem)
    return item.note


PROSE = "".join(
    f"Paragraph *{number}* of it, see [it](https://a.example/{number}).\n\n- one\n\n" for number in range(800)
)
FENCE = "First.\n\n```python\n" + "x = 1\n\n" * 8_000 + "```\n\nLast.\n"


def read_of(view: TranscriptView) -> str:
    layout = view.row_layout.message_layout(1)
    layout.open_all()
    return "".join("".join(row.item.reading.split()) for row in layout.rows)


@pytest.mark.parametrize("text", [PROSE, FENCE])
@pytest.mark.parametrize("slices", [0, 3])
def test_an_answer_that_ends_before_all_of_it_is_shown_reads_as_when_it_is_opened(
    view: TranscriptView, text: str, slices: int
) -> None:
    asked, answer = message(0, "user", TextPart("Well?")), message(1, "assistant", TextPart(text))
    view.show_path([asked, answer])
    fresh = read_of(view)
    view.show_path([asked])
    view.stream.begin_answer(message(1, "assistant"))
    view.stream.grow_answer(answer.id, "text", text)
    for _ in range(slices):
        view.stream.show_now()
    shown = [row.item for row in view.row_layout.message_layout(1).rows][:-1]
    assert view.row_layout.message_layout(1).unread
    view.stream.finish_answer(answer)
    assert [row.item for row in view.row_layout.message_layout(1).rows][: len(shown)] == shown
    assert read_of(view) == fresh


def test_a_text_beyond_all_measure_is_shown_when_it_is_over(
    view: TranscriptView, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(message_layout, "MOST_GROWING", 20_000)
    view.show_path([message(0, "user", TextPart("Well?"))])
    view.stream.begin_answer(message(1, "assistant"))
    answer = message(1, "assistant", TextPart(PROSE))
    view.stream.grow_answer(answer.id, "text", PROSE)
    layout = view.row_layout.message_layout(1)
    while layout.unread:
        view.stream.show_now()
    assert _note(layout.rows[-1].item) == "The rest appears when the answer is finished"
    before = len(layout.rows)
    view.stream.grow_answer(answer.id, "text", "More.")
    view.stream.show_now()
    assert len(layout.rows) == before
    view.stream.finish_answer(message(1, "assistant", TextPart(PROSE + "More.")))
    assert read_of(view).endswith("More.")
