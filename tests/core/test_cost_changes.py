"""Why an answer's input cost much more than that of the answer before, by a fixed order of causes (CTX-19)."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from desktop_app.core.context.cost_changes import Circumstances, DearerAnswer, dearer_answers, why_dearer
from desktop_app.core.context.costs import usage_cost
from desktop_app.core.context.plan_text import dollars
from desktop_app.core.context.readable_request import ReadableRequest, read_request
from desktop_app.core.messages import (
    BoundaryState,
    DocumentPart,
    Json,
    Message,
    TextPart,
    ToolCallPart,
    ToolResultPart,
    UnknownPart,
    Usage,
)
from desktop_app.core.model_catalog import ModelInfo, find_model
from tests.core.paths import message

SONNET, OPUS, HAIKU = "claude-sonnet-4-5", "claude-opus-4-5", "claude-haiku-4-5"
HELD = Usage(input=3, cache_read=60_000, cache_write=2_000, output=300)
LOST = Usage(input=3, cache_write=63_000, output=300)


def model_of(backend: str, model: str) -> ModelInfo:
    return find_model(backend, model)


def said(number: int, usage: Usage, model: str = SONNET) -> Message:
    paid = replace(usage, cost_usd=usage_cost(find_model("anthropic", model), usage))
    return replace(message(number, "assistant", "Yes."), backend="anthropic", model=model, usage=paid)


def path(
    before: Usage, after: Usage, *, models: tuple[str, str] = (SONNET, SONNET), **question: object
) -> list[Message]:
    asked = replace(message(2, "user", "And now?"), **question)  # type: ignore[arg-type]
    return [message(0, "user", "Why?"), said(1, before, models[0]), asked, said(3, after, models[1])]


def only(messages: list[Message]) -> DearerAnswer:
    (dear,) = dearer_answers(messages, model_of)
    return dear


def why(messages: list[Message], about: Circumstances | None = None) -> str:
    return why_dearer(only(messages), about or Circumstances(), model_of)


def request(*texts: str, system: str = "Be brief.", ttl: str = "5m", **more: Json) -> ReadableRequest:
    turns: list[Json] = [
        {"role": "user" if number % 2 == 0 else "assistant", "content": [{"type": "text", "text": text}]}
        for number, text in enumerate(texts)
    ]
    mark: Json = {"type": "ephemeral", "ttl": ttl}
    return read_request(
        {"system": [{"type": "text", "text": system, "cache_control": mark}], "messages": turns, **more}
    )


TALK = ("One?", "Yes.", "Two?", "Yes.", "Three?")
SAME = request(*TALK), request(*TALK, "Yes.", "Four?")
COUNT = st.integers(0, 200_000)


@given(st.lists(st.tuples(COUNT, COUNT, COUNT, COUNT, st.sampled_from((SONNET, OPUS, HAIKU))), min_size=2, max_size=6))
def test_only_who_costs_twice_and_two_cents_more_says_why(calls: list[tuple[int, int, int, int, str]]) -> None:
    messages: list[Message] = []
    costs: list[tuple[str, float]] = []
    for fresh, read, written, output, model in calls:
        usage = Usage(fresh + 1, read, written, output)
        messages += [message(len(messages), "user", "Why?"), said(len(messages) + 1, usage, model)]
        info = find_model("anthropic", model)
        costs.append((messages[-1].id, usage_cost(info, replace(usage, output=0)) or 0.0))
    found = {dear.after.calls[-1].id: dear for dear in dearer_answers(messages, model_of)}
    for (_, was), (name, now) in pairwise(costs):
        assert (name in found) == (now >= 2 * was and now - was >= 0.02) or now == pytest.approx(2 * was)
        if name in found:
            words = why_dearer(found[name], Circumstances(), model_of)
            assert words.startswith(f"{dollars(now)} instead of {dollars(was)}: ")
    assert costs[0][0] not in found


@given(
    idle=st.none() | st.integers(0, 100_000),
    long=st.booleans(),
    other=st.booleans(),
    moved=st.booleans(),
    system=st.booleans(),
    tools=st.booleans(),
    edited=st.sampled_from(("", "edited", "left out")),
    missed=st.sampled_from(("", "tools_changed")),
)
def test_what_was_read_again_has_its_causes_in_a_fixed_order(
    idle: int | None, *, long: bool, other: bool, moved: bool, system: bool, tools: bool, edited: str, missed: str
) -> None:
    texts = {"": TALK, "edited": ("Won?", *TALK[1:]), "left out": TALK[2:]}[edited]
    requests = (
        request(*TALK, ttl="1h" if long else "5m"),
        request(
            *texts, "Yes.", "Four?", system="Be kind." if system else "Be brief.", tools=[{"name": "clock"}] * tools
        ),
    )
    window = BoundaryState("m2", 1, "tokens") if moved else None
    models = (SONNET, HAIKU if other else SONNET)
    messages = path(HELD, replace(LOST, cache_miss=missed), models=models, window=window)
    about = Circumstances(idle, requests)
    causes = (
        (idle is not None and idle > (3_600 if long else 300), "cache expired after "),
        (other, "Claude Haiku 4.5 had nothing cached"),
        (moved, "older messages were left out"),
        (system, "the system prompt changed"),
        (tools, "the tools changed"),
        (edited == "left out", "an earlier message was left out"),
        (edited == "edited", "an earlier message was edited"),
        (bool(missed), "the provider says the tools changed"),
        (True, "nothing changed here; the provider did not find the cache"),
    )
    expected = next(words for holds, words in causes if holds)
    assert why(messages, about).partition(": ")[2].startswith(expected)


@given(st.integers(301, 10_000_000))
def test_a_cache_that_was_read_did_not_expire(idle: int) -> None:
    """However long the pause was: what costs more is what is new."""
    read = Usage(input=3, cache_read=62_000, cache_write=30_000)
    words = why(path(HELD, read), Circumstances(idle, SAME))
    assert "cache" not in words


def test_the_time_of_a_pause_is_said_as_people_do() -> None:
    for seconds, time in ((400, "7 minutes"), (3_600, "1 hour"), (7_300, "2 hours"), (200_000, "2 days")):
        about = Circumstances(seconds, SAME)
        assert why(path(HELD, LOST), about) == f"$0.24 instead of $0.03: cache expired after {time}"


def test_what_is_new_is_named() -> None:
    more = Usage(input=3, cache_read=62_000, cache_write=40_000)
    book = DocumentPart("report.pdf", "x" * 140_000, "")
    assert why(path(HELD, more, parts=(book,))).endswith(": report.pdf was attached")
    assert why(path(HELD, more, parts=(book, book))).endswith(": 2 attachments")
    assert why(path(HELD, more, parts=(TextPart("x" * 140_000),))).endswith(": a long question")
    assert why(path(HELD, more)).endswith(": 40K new tokens")
    assert why(path(replace(HELD, output=39_000), more)).endswith(": the answer before was long")
    back = BoundaryState(None, 1, "returned")
    assert why(path(HELD, more, window=back)).endswith(": older messages came back")


def test_rounds_of_tools_and_searches_are_counted() -> None:
    messages = path(HELD, HELD)
    for number in range(12):
        messages[-1] = replace(messages[-1], parts=(ToolCallPart(f"c{number}", "clock", {}),))
        messages += [
            message(2 * number + 4, "user", ToolResultPart(f"c{number}", "noon")),
            said(2 * number + 5, HELD),
        ]
    assert why(messages) == "$0.33 instead of $0.03: 12 tool calls"
    assert only(messages).after.calls[-1].id == messages[-1].id
    searched = path(HELD, Usage(input=200_000, cache_read=62_000, cache_write=900, first_prompt=62_900))
    raw = UnknownPart({"type": "server_tool_use", "name": "web_search"})
    searched[-1] = replace(searched[-1], parts=(raw, raw))
    assert why(searched).endswith(": 2 web searches")


def test_a_dearer_model_and_a_dearer_size() -> None:
    assert why(path(HELD, HELD, models=(HAIKU, OPUS))).endswith(": Claude Opus 4.5 costs more")
    dear = "claude-haiku-5-5"
    below, above = Usage(input=99_000), Usage(input=101_000)
    assert why(path(below, above, models=(dear, dear))).endswith(": above 100K tokens the model costs more")


def test_a_date_in_the_id_is_no_other_model() -> None:
    dated = path(HELD, LOST, models=(SONNET, f"{SONNET}-20250929"))
    assert why(dated, Circumstances(requests=SAME)).endswith("the provider did not find the cache")


def test_where_nothing_is_paid_nothing_is_said() -> None:
    assert list(dearer_answers(path(HELD, LOST), lambda backend, model: None)) == []
    assert list(dearer_answers(path(LOST, HELD), model_of)) == []


def test_an_edited_question_and_what_was_not_kept() -> None:
    about = Circumstances(20, SAME, other_version=True)
    assert why(path(HELD, LOST), about).endswith(": an earlier message was edited")
    assert why(path(HELD, LOST)).endswith(": the provider did not find the cache")
    thinking = request(*TALK, "Yes.", "Four?", thinking={"type": "disabled"})
    assert why(path(HELD, LOST), Circumstances(requests=(SAME[0], thinking))).endswith(": the parameters changed")
