"""What the command says of a plan above the soft limit, and of an event without a figure before it."""

from __future__ import annotations

from dataclasses import replace

from desktop_app.cli.context_command import decision_words, event_words, token_words
from desktop_app.core.context.plan import CountSource
from desktop_app.core.history_records import ContextEvent
from desktop_app.core.messages import DocumentPart
from tests.core.paths import message, plan_for, talk, words


def test_what_is_sent_above_the_soft_limit_does_not_fit() -> None:
    plan = plan_for((), "Hello")
    assert decision_words(plan) == "everything fits"
    above = replace(plan, limits=replace(plan.limits, soft=plan.tokens.total - 1))
    assert decision_words(above) == "over the soft limit, sent as it is"


def test_the_same_figure_is_not_told_twice() -> None:
    event = ContextEvent("undone", 119_320, 119_320, 0, "m")
    assert event_words(event) == "what was left out is sent again, 119,320 tokens"
    assert event_words(replace(event, before=1_062)) == "what was left out is sent again, 1,062 -> 119,320 tokens"


def test_a_document_that_leaves_with_older_messages_is_named() -> None:
    notes = DocumentPart("notes.txt", words(3_000), "ab")
    path = (*talk("Hello.", "Hi."), message(2, "user", notes, "Read."), message(3, "assistant", "Done."))
    plan = plan_for((*path, *talk(*[words(900)] * 6)[4:]), "And?", soft_limit=3_000)
    assert decision_words(plan) == "sending leaves out older messages and notes.txt"


def test_no_error_is_told_where_there_is_none() -> None:
    plan = plan_for((), "Hello")
    told: list[tuple[CountSource, int, str]] = [
        ("calibrated", 0, "counted"),
        ("estimated", 0, "estimated"),
        ("measured", 0, "counted"),
        ("vocabulary", 3, "±3 vocabulary"),
    ]
    for source, doubt, said in told:
        shown = token_words(replace(plan, tokens=replace(plan.tokens, doubt=doubt, source=source)))
        assert shown == f"{plan.tokens.total:,} {said}"
