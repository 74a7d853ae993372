"""However the parts of an answer come, its rows end as they are made of the stored answer."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from desktop_app.core.messages import Message, Part, TextPart, ThinkingPart, ToolCallPart, ToolResultPart, UnknownPart
from desktop_app.ui.theme.theme import load_bundled_fonts, load_theme
from desktop_app.ui.transcript.message.message_layout import MessageLayout
from desktop_app.ui.transcript.view import TranscriptView
from tests.ui.tool_scenes import cited, found, look_up, message, web_search

TEXTS = st.sampled_from(
    ["One.", "half of ", "a", "`code`", "\n\n- x\n- y", "| a |\n|---|\n| b |", "**b", " and on", ""]
)


@st.composite
def answers(draw: st.DrawFn) -> list[Part]:
    """The parts of an answer; each call has its result behind it, or none."""
    parts: list[Part] = []
    for number in range(draw(st.integers(0, 7))):
        match draw(st.sampled_from(["text", "cited", "thinking", "recall", "tool", "web", "other"])):
            case "text":
                parts.append(TextPart(draw(TEXTS)))
            case "cited":
                parts.append(cited(draw(TEXTS)))
            case "thinking":
                parts.append(ThinkingPart(draw(TEXTS), "signature"))
            case "web":
                parts += web_search(f"w{number}", "x")
            case "other":
                parts.append(UnknownPart({"type": "new"}))
            case kind:
                call = look_up(f"c{number}", "x") if kind == "recall" else ToolCallPart(f"c{number}", "other", {})
                parts.append(call)
                if draw(st.booleans()):
                    parts.append(found(f"c{number}", "t0") if kind == "recall" else ToolResultPart(f"c{number}", "r"))
    return [part for part in parts if not (isinstance(part, TextPart | ThinkingPart) and not part.text)]


@pytest.fixture(scope="module")
def view(qapp: object) -> TranscriptView:
    load_bundled_fonts()
    return TranscriptView(load_theme("light"))


def rows(layout: MessageLayout) -> list[tuple[object, ...]]:
    """What a message shows, and where."""
    layout.measure(600)
    for row in layout.rows:
        layout.lay_out(row)
    return [
        (
            *(type(row.item), row.gap, row.tail, row.containers, row.part, row.item.height, row.item.text(0, 999)),
            *row.item.buttons(),
        )
        for row in layout.rows
    ]


def stream(layout: MessageLayout, parts: list[Part], sizes: list[int]) -> None:
    for number, part in enumerate(parts):
        if isinstance(part, TextPart | ThinkingPart):
            size = sizes[number % len(sizes)]
            kind = "text" if isinstance(part, TextPart) else "thinking"
            for start in range(0, len(part.text), size):
                layout.grow(kind, part.text[start : start + size])  # type: ignore[arg-type]
        layout.finish_part(part)


@settings(deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(answers(), st.lists(st.integers(1, 6), min_size=1, max_size=4), st.integers(0, 7))
def test_streamed_rows_are_those_of_the_stored_answer(
    view: TranscriptView, parts: list[Part], sizes: list[int], at: int
) -> None:
    empty = message(1, "assistant")
    layout = MessageLayout(view.row_builder, empty, set(), awaiting=True)
    stream(layout, parts[:at], sizes)
    layout.begin_next()
    stream(layout, [TextPart("Wrong start"), look_up("z", "x")], sizes)
    layout.reset()
    assert layout.parts == tuple(parts[:at])
    stream(layout, parts[at:], sizes)
    assert layout.parts == tuple(parts)
    stored: Message = replace(empty, parts=tuple(parts))
    layout.awaiting = False
    layout.finish(stored)
    assert rows(layout) == rows(MessageLayout(view.row_builder, stored, set()))


@settings(deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(answers(), st.sets(st.integers(0, 9)))
def test_folds_opened_one_by_one_are_those_of_a_sheet_made_open(
    view: TranscriptView, parts: list[Part], numbers: set[int]
) -> None:
    stored = message(1, "assistant", *parts)
    layout = MessageLayout(view.row_builder, stored, set())
    for section in list(layout._sections):
        if section.number in numbers and section.fold is not None:
            layout.toggle(section.number)
    made = MessageLayout(view.row_builder, stored, set(layout.unfolded))
    assert rows(layout) == rows(made)
    for number in list(layout.unfolded):
        layout.toggle(number)
    assert rows(layout) == rows(MessageLayout(view.row_builder, stored, set()))
