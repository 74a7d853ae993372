"""A request as people read it, and the difference between two: nothing is lost on the way."""

from __future__ import annotations

import json

from hypothesis import given
from hypothesis import strategies as st

from desktop_app.backends.anthropic_wire import request_body
from desktop_app.backends.claude_cli.invocation import stdin_line
from desktop_app.backends.local.local_backend import request_body as local_body
from desktop_app.core.context.plan import Overhead
from desktop_app.core.context.readable_request import (
    DiffLine,
    ReadableRequest,
    RequestBlock,
    RequestDiff,
    compare_requests,
    line_changes,
    read_request,
)
from desktop_app.core.messages import DocumentPart, ImagePart, JsonObject
from desktop_app.core.text_diff import MOST_PAIRS
from tests.core.paths import message, plan_for, talk, words
from tests.counted_calls import CountedCalls

PATH = (
    message(0, "user", DocumentPart("report.pdf", "a long report", "ab" * 32), "What does it say?"),
    message(1, "assistant", "It says much."),
    message(2, "user", ImagePart("photo", "image/png", "QUJD" * 30, 10, 10), "And the photo?"),
    message(3, "assistant", "A ship."),
)


def blocks_of(request: JsonObject) -> list[tuple[str, str, str]]:
    return [(block.speaker, block.kind, block.text) for block in read_request(request).blocks]


def test_a_body_reads_as_roles_and_blocks_with_its_marks_and_settings() -> None:
    plan = plan_for(PATH, "Thanks", system="Be brief.")
    readable = read_request(request_body(plan))
    assert [(b.speaker, b.kind, b.text) for b in readable.blocks] == [
        ("system", "text", plan.request.system),
        ("user", "document", "a long report"),
        ("user", "text", "What does it say?"),
        ("assistant", "text", "It says much."),
        ("user", "image", ""),
        ("user", "text", "And the photo?"),
        ("assistant", "text", "A ship."),
        ("user", "text", "Thanks"),
    ]
    assert readable.blocks[1].title == "report.pdf"
    assert readable.blocks[4].size == 90
    assert [b.message for b in readable.blocks] == [1, 2, 2, 3, 4, 4, 5, 6]
    assert readable.blocks[-1].mark == "5m"
    assert sum(bool(b.mark) for b in readable.blocks) == len(plan.request.marks)
    assert readable.setting("model") == "model-200k"
    assert readable.setting("stream") == "true"
    assert json.loads(readable.raw[0].text) == request_body(plan)


def test_the_programs_input_reads_as_the_same_conversation() -> None:
    plan = plan_for(PATH, "Thanks", system="Be brief.", overhead=Overhead(labels=True, cache_marks=1))
    request = {"stdin": stdin_line(plan), "system": plan.request.system}
    readable = read_request(request)
    said = [(b.speaker, b.text) for b in readable.blocks if b.kind == "text"]
    assert said == [
        ("system", plan.request.system),
        ("user", "What does it say?"),
        ("assistant", "It says much."),
        ("user", "And the photo?"),
        ("assistant", "A ship."),
        ("user", "Thanks"),
    ]
    assert [b.message for b in readable.blocks] == [0, 1, 1, 2, 3, 3, 4, 5]
    assert [raw.title for raw in readable.raw] == ["stdin", "system"]
    assert readable.raw[0].text == request["stdin"]


def test_a_local_body_has_its_system_prompt_among_the_messages() -> None:
    plan = plan_for(talk("one", "two"), "three", system="Be brief.")
    assert blocks_of(local_body(plan)) == [
        ("system", "text", plan.request.system),
        ("user", "text", "one"),
        ("assistant", "text", "two"),
        ("user", "text", "three"),
    ]


def test_what_is_not_known_is_shown_as_json_and_never_left_out() -> None:
    odd: JsonObject = {
        "model": "m",
        "tools": [{"name": "search", "input_schema": {}}],
        "messages": [
            {"role": "user", "content": [{"type": "hologram", "beam": 3}, "plain", 7]},
            {"role": "assistant", "content": [{"type": "tool_use", "id": "1", "name": "search", "input": {"q": "x"}}]},
            {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "1", "content": "found"}]},
            "nothing",
        ],
    }
    found = read_request(odd).blocks
    assert [(b.kind, b.title) for b in found[:2]] == [("tool", "search"), ("other", "")]
    assert '"beam": 3' in found[1].text
    assert [b.kind for b in found[2:]] == ["text", "other", "call", "result", "other"]
    assert blocks_of({"stdin": "not json"}) == [("user", "other", "not json")]


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=12,
)


@given(st.dictionaries(st.sampled_from(["messages", "system", "tools", "stdin", "model", "input"]), JSON))
def test_any_json_can_be_read(request: JsonObject) -> None:
    readable = read_request(request)
    assert compare_requests(readable, readable).settings == ()


LINES = st.lists(st.sampled_from(["a", "b", "c", "d", ""]), max_size=30).map("\n".join)


@given(LINES, LINES)
def test_line_changes_lead_from_one_text_to_the_other(before: str, after: str) -> None:
    old, new = before.split("\n"), after.split("\n")
    told = list(line_changes(before, after))
    at_old = at_new = 0
    for line in told:
        assert old[at_old : at_old + line.skipped] == new[at_new : at_new + line.skipped]
        at_old, at_new = at_old + line.skipped, at_new + line.skipped
        if line.sign != "+":
            assert old[at_old] == line.text
            at_old += 1
        if line.sign != "-":
            assert new[at_new] == line.text
            at_new += 1
    assert old[at_old:] == new[at_new:]
    if before == after:
        assert told == []


BLOCKS = st.lists(
    st.builds(
        RequestBlock,
        speaker=st.sampled_from(["user", "assistant"]),
        kind=st.just("text"),
        text=st.sampled_from(["one", "two", "three\nfour", "five"]),
        message=st.integers(0, 3),
        mark=st.sampled_from(["", "", "5m"]),
    ),
    max_size=12,
)


@given(BLOCKS, BLOCKS)
def test_a_diff_accounts_for_every_block_of_both(before: list[RequestBlock], after: list[RequestBlock]) -> None:
    diff = compare_requests(ReadableRequest(tuple(before), (), ()), ReadableRequest(tuple(after), (), ()))
    count = {
        kind: sum(h.count for h in diff.hunks if h.kind == kind) for kind in ("same", "changed", "added", "removed")
    }
    assert count["same"] + count["changed"] + count["removed"] == len(before)
    assert count["same"] + count["changed"] + count["added"] == len(after)
    assert [b.said for b in before[: diff.same]] == [b.said for b in after[: diff.same]]
    marked = [number for number, block in enumerate(before, 1) if block.mark]
    if not marked:
        assert diff.cache == "unmarked"
    elif diff.cache == "kept":
        assert diff.block == marked[-1] <= diff.same
    else:
        assert marked[-1] > diff.same
        assert diff.block == max((n for n in marked if n <= diff.same), default=0) + 1


def compared(first: JsonObject, second: JsonObject) -> RequestDiff:
    return compare_requests(read_request(first), read_request(second))


def test_the_next_turn_keeps_the_cache_and_a_trim_rewrites_it() -> None:
    path = talk("one", "two", "three", "four")
    first, second = plan_for(path[:2], "three", system="S"), plan_for(path, "five", system="S")
    diff = compared(request_body(first), request_body(second))
    assert (diff.cache, diff.block, diff.same) == ("kept", 4, 4)
    assert [(hunk.kind, hunk.count) for hunk in diff.hunks] == [("same", 4), ("added", 1), ("added", 1)]
    changed = plan_for(path, "five", system="Another")
    diff = compared(request_body(first), request_body(changed))
    assert (diff.cache, diff.block) == ("rewritten", 1)
    model = {**request_body(second), "model": "other"}
    diff = compared(request_body(first), model)
    assert (diff.cache, diff.block) == ("rewritten", 1)
    assert diff.settings[0] == ("model", "model-200k", "other")


def test_a_change_inside_a_long_block_shows_its_lines_only() -> None:
    lines = [f"line {number}" for number in range(500)]
    other = [*lines[:300], "changed", *lines[301:]]
    changes = list(line_changes("\n".join(lines), "\n".join(other)))
    assert changes == [
        DiffLine(" ", "line 298", 298),
        DiffLine(" ", "line 299"),
        DiffLine("-", "line 300"),
        DiffLine("+", "changed"),
        DiffLine(" ", "line 301"),
        DiffLine(" ", "line 302"),
    ]


def test_large_texts_without_anything_in_common_are_bounded() -> None:
    count = MOST_PAIRS // 10
    before = "\n".join(f"{number % 7} a" for number in range(count))
    after = "\n".join(f"{number % 7} b" for number in range(count))
    with CountedCalls() as work:
        told = list(line_changes(before, after))
        assert len(told) == 2 * count
    assert work.calls < 200_000
    plan = plan_for((), words(100))
    assert compared(request_body(plan), request_body(plan)).hunks[0].kind == "same"
