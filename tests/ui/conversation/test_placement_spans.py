"""The load line read off spans says what reading every row would, and makes as few rows in any thread."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from desktop_app.core.context.context_choices import ContextChoices, Deletion, Summary
from desktop_app.core.context.placed_messages import PlacedMessages
from desktop_app.core.context.plan import ContextPlan, PlacedPath
from desktop_app.core.messages import BoundaryState, Message
from desktop_app.ui.conversation.transcript_presenter import LEFT_OUT_STATES, MARKS, Placement, read_placement
from desktop_app.ui.transcript.message.decorations import ALWAYS_SENT, PINNED
from tests.core.paths import plan_for, talk

LENGTH = 24


def stepped(path: tuple[Message, ...], *steps: tuple[int, int]) -> tuple[Message, ...]:
    """The path with steps, each stored at a message with the first that it kept; after a pause."""
    changed = list(path)
    for epoch, (at, kept) in enumerate(sorted(steps), 1):
        if kept <= at:
            changed[at] = replace(changed[at], window=BoundaryState(f"m{kept}", epoch, "idle"))
    return tuple(changed)


def read_row_by_row(plan: ContextPlan, next_id: str) -> Placement:
    """The same with a look at every message."""
    rows = [(index, row) for index, row in enumerate(plan.placement.messages) if not row.deleted]
    missing = [(index, row) for index, row in rows if row.state in LEFT_OUT_STATES]
    line = max([plan.placement.messages.start, *(index + 1 for index, row in missing if row.state == "left_out")])
    line = line if missing and missing[0][0] < line else 0
    reasons, marks, before = {}, {}, ""
    for index, row in rows:
        if row.state in LEFT_OUT_STATES:
            reasons[row.id] = row.reason
            if row.state not in ("left_out", before):
                marks[row.id] = MARKS[row.state]
        elif row.state == "pinned":
            reasons[row.id] = PINNED
        elif index < line:
            reasons[row.id] = ALWAYS_SENT
        before = row.state
    shown = next((row.id for index, row in rows if index >= line), next_id) if line else None
    return Placement(shown if reasons else None, reasons, marks, missing[-1][1].id if missing else "")


places = st.integers(0, LENGTH - 1)
ids = st.frozensets(places.map("m{}".format), max_size=4)


@st.composite
def plans(draw: st.DrawFn) -> ContextPlan:
    questions = places.map(lambda at: at // 2 * 2)
    steps = draw(st.lists(st.tuples(questions, questions), max_size=3))
    turn = draw(questions)
    sources = tuple(f"m{index}" for index in range(turn, min(LENGTH - 2, turn + 2 * draw(st.integers(1, 4)))))
    choices = ContextChoices(
        pinned=draw(ids),
        excluded=draw(ids),
        fresh_from=draw(st.none() | places.map("m{}".format)),
        keeps_start=draw(st.booleans()),
        summaries=(Summary("s", sources, "Said.", "m", "2026-01-01T00:00:00Z"),) if draw(st.booleans()) else (),
        deleted=frozenset(Deletion(one, f"m{LENGTH - 1}") for one in draw(ids)),
    )
    path = talk(*(f"message {number}" for number in range(LENGTH)))
    return plan_for(stepped(path, *steps), "now", choices=choices)


@given(plans())
def test_spans_say_what_the_rows_say(plan: ContextPlan) -> None:
    spans = plan.placement.messages.spans
    assert [index for span in spans for index in range(span.first, span.end)] == list(range(LENGTH))
    for span in spans:
        for row in plan.placement.messages[span.first : span.end]:
            assert (row.state, row.reason, row.deleted) == (span.row.state, span.row.reason, span.row.deleted)
    placement = read_placement(plan, next_id="next")
    assert placement == read_row_by_row(plan, "next")
    assert all(placement.reasons[message_id] for message_id in placement.reasons)
    assert len(placement.reasons) == len(dict(placement.reasons))


@pytest.mark.parametrize("length", [40, 4_000])
def test_reading_the_line_makes_few_rows(length: int, monkeypatch: pytest.MonkeyPatch) -> None:
    made = 0
    real = PlacedMessages._row

    def counted(self: PlacedMessages, index: int) -> object:
        nonlocal made
        made += 1
        return real(self, index)

    path = stepped(talk(*(f"message {number}" for number in range(length))), (length - 4, length - 20))
    plan = plan_for(path, "now", choices=ContextChoices(pinned=frozenset({"m8"})))
    monkeypatch.setattr(PlacedMessages, "_row", counted)
    placement = read_placement(plan)
    assert placement.line == f"m{length - 20}"
    assert placement.reasons["m5"].startswith("left out")
    assert "m5" in placement.reasons
    assert f"m{length - 2}" not in placement.reasons
    assert made < 20


@given(plans(), plans(), st.integers(1, LENGTH))
def test_what_changed_is_what_a_look_at_every_row_finds(earlier: ContextPlan, now: ContextPlan, length: int) -> None:
    before, after = earlier.placement.messages, now.placement.messages
    assert after.changes_since(before) == PlacedPath.changes_since(after, before)
    shorter = plan_for(talk(*(f"message {number}" for number in range(length)))).placement.messages
    assert after.changes_since(shorter) == PlacedPath.changes_since(after, shorter)
