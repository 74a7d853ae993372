"""What an overflow teaches, the one retry, and the actions of a refusal."""

from __future__ import annotations

from dataclasses import replace

import pytest

from desktop_app.core.context.context_choices import ContextChoices
from desktop_app.core.context.overflow_report import (
    Overflow,
    counts_bytes,
    learned_window,
    read_overflow,
    shrunk_after_overflow,
)
from desktop_app.core.context.plan_questions import refusal_remedies, trim_remedies
from desktop_app.core.context.plan_text import WORKING_ACTIONS, refusal, refusal_explanation
from desktop_app.core.errors import ACTIONS
from desktop_app.core.messages import DocumentPart, TextPart, ToolSpec
from desktop_app.core.model_catalog import find_model
from desktop_app.core.settings import ContextSettings
from tests.core.paths import MODEL_200K, message, plan_for, prepare, small_model, talk, words

REPORT = DocumentPart("report.pdf", words(170_000), "ab")


@pytest.mark.parametrize(
    ("detail", "expected"),
    [
        ("HTTP 400 invalid_request_error: prompt is too long: 210000 tokens > 200000 maximum", (200_000, 210_000)),
        ("input length and `max_tokens` exceed context limit: 195000 + 8192 > 200000, decrease", (200_000, 195_000)),
        (
            "This model's maximum context length is 128000 tokens. However, your messages resulted in 130012 tokens.",
            (128_000, 130_012),
        ),
        (
            "This model's maximum prompt length is 131072 but the request contains 150000 tokens.",
            (131_072, 150_000),
        ),
        (
            "The input token count (1,200,000) exceeds the maximum number of tokens allowed (1,048,576).",
            (1_048_576, 1_200_000),
        ),
        ("the request exceeds the available context size (8192 tokens), try increasing it", (8_192, None)),
        ("too many tokens: total number of tokens in the prompt cannot exceed 4081 - received 4292.", (4_081, 4_292)),
        ("too long for the local model: 9,000 tokens, and it takes 8,192.", (8_192, None)),
        ("Input is too long for requested model.", (None, None)),
        ("HTTP 413 request_too_large", (None, None)),
    ],
)
def test_the_sizes_in_an_error_are_read(detail: str, expected: tuple[int | None, int | None]) -> None:
    assert read_overflow(detail) == Overflow(*expected)


def test_without_a_size_the_window_is_half_of_what_failed_and_never_more_than_before() -> None:
    plan = plan_for((), words(50_000))
    assert learned_window("too long", plan) == plan.tokens.total // 2
    assert learned_window("maximum context length is 32768 tokens", plan) == 32_768
    assert learned_window("maximum context length is 1000000 tokens", plan) == 200_000


@pytest.mark.parametrize(
    "detail",
    [
        "HTTP 413 request_too_large: Request exceeds the maximum size (request req_1)",
        "HTTP 413: <html>413 Request Entity Too Large</html>",
        "Request too large (max 32MB). Accumulated images and attachments pushed the request over",
    ],
)
def test_too_many_bytes_teach_nothing_of_the_window(detail: str) -> None:
    plan = plan_for((), words(400))
    assert counts_bytes(detail)
    assert learned_window(detail, plan) == plan.limits.window
    assert not counts_bytes("HTTP 413 rate_limit: maximum context length is 8192 tokens")
    assert not counts_bytes("too long")


def test_the_retry_is_half_as_long_and_never_the_same() -> None:
    path = (*talk(*[words(3_000)] * 40), message(40, "user", "and now?"))
    prepared = prepare(path)
    failed = prepared.plan(())
    assert failed.decision == "ok"
    detail = f"prompt is too long: {failed.tokens.total * 5 // 4} tokens > {failed.tokens.total} maximum"
    shorter = shrunk_after_overflow(prepared, (), failed, detail)
    assert shorter is not None
    assert shorter == shrunk_after_overflow(prepare(path), (), failed, detail)
    assert (shorter.request.shrunk, shorter.decision) == (True, "trim")
    assert shorter.tokens.total <= failed.tokens.total * 3 // 8
    assert shorter.request.pending == failed.request.pending
    alone = prepare(path[:1]).plan(())
    assert shrunk_after_overflow(prepare(path[:1]), (), alone, detail) is None


def test_every_action_of_a_refusal_would_work() -> None:
    plan = prepare(()).plan([REPORT, TextPart("Summarise.")])
    actions = {remedy.action: remedy for remedy in refusal_remedies(plan)}
    assert list(actions) == ["send_anyway", "shorten_document", "remove_document", "switch_model"]
    assert actions["shorten_document"].label() == "Use the first 40K tokens of report.pdf"
    assert actions["remove_document"].label() == "Remove report.pdf"
    assert refusal(plan).actions == tuple(action for action in actions if action in WORKING_ACTIONS)
    assert set(actions) <= set(ACTIONS)
    large = replace(MODEL_200K, window=1_000_000)
    raised = next(r for r in refusal_remedies(prepare((), model=large).plan([REPORT])) if r.action == "raise_limit")
    assert raised.label() == f"Raise the limit to {raised.limit // 1_000}K"
    assert prepare((), model=large, soft_limit=raised.limit).plan([REPORT]).decision == "ok"
    first = (message(0, "user", REPORT, "read"), message(1, "assistant", "done"))
    stored = refusal_remedies(plan_for(first, "next"))
    assert ("exclude", "m0") in [(remedy.action, remedy.target) for remedy in stored]
    assert plan_for(first, "next", choices=ContextChoices(excluded=frozenset({"m0"}))).decision == "ok"
    system = refusal_remedies(plan_for((), "x", system=words(165_000)))
    assert [remedy.action for remedy in system] == ["send_anyway", "edit_system", "switch_model"]
    draft = refusal_remedies(plan_for((), words(165_000)))
    assert [remedy.action for remedy in draft] == ["send_anyway", "edit_draft", "switch_model"]
    beyond = refusal_remedies(plan_for((), words(200_000)))
    assert [remedy.action for remedy in beyond] == ["edit_draft", "switch_model"]
    assert refusal_remedies(plan_for((), "x")) == ()


def test_a_refusal_names_the_weight_of_tools_and_offers_to_switch_the_heaviest_off() -> None:
    tools = [
        ToolSpec(f"{server}__{number}", words(count), {"type": "object"}, server=server)
        for server, count in (("Light", 40), ("Git", 150), ("Files", 110))
        for number in range(3)
    ]
    plan = plan_for((), words(3_000), model=small_model(), tools=tools)
    assert plan.decision == "refuse"
    assert "tools" in refusal_explanation(plan)
    remedy = next(one for one in refusal_remedies(plan) if one.action == "tools_off")
    assert remedy.ids == ("Git",)
    assert remedy.label() == f"Switch off Git, saves {remedy.limit}"
    left = [tool for tool in tools if tool.server not in remedy.ids]
    after = plan_for((), words(3_000), model=small_model(), tools=left)
    assert after.decision != "refuse"
    # of a request that is too long the highest estimate is told, of all others the usual one: the share is compared
    whole, rest = (plan_for((), "short", model=small_model(), tools=some).tokens.tools for some in (tools, left))
    assert plan.tokens.tools * (whole - rest) / whole == pytest.approx(remedy.limit, rel=0.05)
    both = plan_for((), words(3_300), model=small_model(), tools=tools)
    assert next(one for one in refusal_remedies(both) if one.action == "tools_off").ids == ("Git", "Files")
    far = plan_for((), words(9_000), model=small_model(), tools=tools)
    assert "tools_off" not in [one.action for one in refusal_remedies(far)]


def test_pins_that_are_too_long_can_be_unpinned_or_summarised() -> None:
    path = talk(*[words(400)] * 40)
    small = small_model()
    pinned = frozenset(f"m{n}" for n in range(2, 30))
    plan = plan_for(path, "next", model=small, choices=ContextChoices(pinned=pinned))
    assert plan.decision == "refuse"
    actions = {remedy.action: remedy for remedy in refusal_remedies(plan)}
    assert {"summarise", "unpin", "new_thread", "new_thread_summary"} <= set(actions)
    assert set(actions["unpin"].ids) == pinned
    assert plan_for(path, "next", model=small).decision == "trim"


def test_a_step_offers_a_summary_with_its_price() -> None:
    model = find_model("anthropic", "claude-sonnet-4-5")
    plan = plan_for(talk(*[words(6_000)] * 30), "next", model=model, settings=ContextSettings())
    (offer,) = trim_remedies(plan)
    assert (offer.action, offer.ids) == ("summarise", plan.advice.summary_due)
    assert offer.cost_usd is not None
    assert 0.05 < offer.cost_usd < 0.5
