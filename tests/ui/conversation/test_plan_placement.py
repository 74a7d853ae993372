"""Where the load line stands and which messages are toned down or marked, read off real plans."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtWidgets import QApplication

from desktop_app.core.context.context_choices import ContextChoices, Summary
from desktop_app.core.messages import BoundaryState, Message
from desktop_app.ui.conversation.transcript_presenter import NOTHING_LEFT_OUT, read_placement
from desktop_app.ui.i18n.language import speak
from desktop_app.ui.transcript.message.decorations import ALWAYS_SENT, PINNED
from tests.core.paths import plan_for, talk

PATH = talk(*(f"message {number}" for number in range(12)))


def cut(first_kept: str) -> tuple[Message, ...]:
    """The path with a step whose tail begins there, taken after a pause: no limit gives it back."""
    return (*PATH[:10], replace(PATH[10], window=BoundaryState(first_kept, 1, "idle")), PATH[11])


def test_where_everything_is_sent_nothing_is_said() -> None:
    assert read_placement(plan_for(PATH, "now")) == NOTHING_LEFT_OUT


def test_the_line_stands_where_the_tail_begins_and_the_head_is_marked() -> None:
    placement = read_placement(plan_for(cut("m6"), "now"))
    assert placement.line == "m6"
    assert placement.reasons["m0"] == ALWAYS_SENT
    left_out = {key for key, reason in placement.reasons.items() if reason.startswith("left out")}
    assert left_out == {"m1", "m2", "m3", "m4", "m5"}
    assert set(placement.reasons) == left_out | {"m0"}
    assert placement.marks == {}
    assert placement.last_left_out == "m5"


def test_pins_stay_and_are_named_above_the_line_and_below_it() -> None:
    choices = ContextChoices(pinned=frozenset({"m2", "m8"}))
    placement = read_placement(plan_for(cut("m6"), "now", choices=choices))
    assert placement.line == "m6"
    assert {key for key, reason in placement.reasons.items() if reason == PINNED} == {"m2", "m3", "m8", "m9"}


def test_an_excluded_turn_is_marked_once_and_makes_no_line(qapp: QApplication) -> None:
    placement = read_placement(plan_for(PATH, "now", choices=ContextChoices(excluded=frozenset({"m4"}))))
    assert placement.line is None
    assert set(placement.reasons) == {"m4", "m5"}
    assert placement.marks == {"m4": "Excluded"}
    speak("de")
    try:
        placement = read_placement(plan_for(PATH, "now", choices=ContextChoices(excluded=frozenset({"m4"}))))
    finally:
        speak("en")
    assert placement.marks == {"m4": "Ausgeschlossen"}


def test_a_fresh_start_puts_the_line_behind_what_it_leaves_out() -> None:
    placement = read_placement(plan_for(PATH, "now", choices=ContextChoices(fresh_from="m5")))
    assert placement.line == "m6"
    assert set(placement.reasons) == {f"m{number}" for number in range(6)}


def test_where_nothing_is_sent_the_line_stands_above_what_comes_next() -> None:
    plan = plan_for(PATH, "now", choices=ContextChoices(fresh_from="m11"))
    assert read_placement(plan).line is None
    assert read_placement(plan, next_id="m12").line == "m12"


def test_a_summary_of_the_middle_is_marked_and_one_of_the_beginning_has_the_line() -> None:
    summary = Summary("s", ("m2", "m3", "m4", "m5"), "What was said.", "model", "2026-01-01T00:00:00Z")
    choices = ContextChoices(summaries=(summary,))
    placement = read_placement(plan_for(PATH, "now", choices=choices))
    assert placement.line is None
    assert placement.marks == {"m2": "Summarized"}
    assert set(placement.reasons) == set(summary.sources)
    placement = read_placement(plan_for(cut("m6"), "now", choices=choices))
    assert placement.line == "m6"
