"""The messages of a turn with tools are one answer to a reader; its parts are read the same whenever they come."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from desktop_app.core.messages import (
    Failure,
    Json,
    JsonObject,
    Message,
    Part,
    TextPart,
    ThinkingPart,
    ToolCallPart,
    ToolResultPart,
    UnknownPart,
    Usage,
)
from desktop_app.core.recall import TOOL_NAME, noted_if_few
from desktop_app.ui.transcript.message.links import passages_of, sources_of
from desktop_app.ui.transcript.message.row_builder import (
    RECALL_NAME,
    MergedAnswers,
    PartGroups,
    answers_of,
    is_results,
    joined,
    written_text,
)
from tests.counted_calls import CountedCalls
from tests.ui.tool_scenes import cited, found, look_up, message, searched, two_rounds, web_search


def contents(parts: Sequence[Part]) -> list[tuple[str, object]]:
    return [group.content for group in PartGroups(parts).list]


def test_the_tool_is_known_by_the_name_it_is_offered_under() -> None:
    assert RECALL_NAME == TOOL_NAME


def test_a_turn_of_three_answers_is_one() -> None:
    path = two_rounds()
    groups = answers_of(path)
    assert [tuple(m.id for m in group) for group in groups] == [
        ("t0",),
        ("t1", "t2", "t3", "t4", "t5"),
        ("t6",),
        ("t7",),
    ]
    answer = joined(groups[1])
    assert (answer.id, answer.role, answer.parent_id) == ("t1", "assistant", "t0")
    assert answer.parts == tuple(part for one in path[1:6] for part in one.parts)


def test_answers_without_results_between_them_stay_apart() -> None:
    path = [message(0, "user", "x"), message(1, "assistant", "a"), message(2, "assistant", "b")]
    assert [len(group) for group in answers_of(path)] == [1, 1, 1]


def test_a_path_may_begin_within_a_turn() -> None:
    tail = two_rounds()[4:]
    groups = answers_of(tail)
    assert [len(group) for group in groups] == [2, 1, 1]
    assert joined(groups[0]).role == "assistant"


def test_usage_of_all_calls_is_summed_and_the_end_is_the_last_ones() -> None:
    failure = Failure("network", "Connection lost.")
    first = message(1, "assistant", look_up("c", "x"), usage=Usage(10, 1, 2, 3, 1, 0.25), stop_reason="tool_use")
    last = message(3, "assistant", "Half", usage=Usage(20, 4, 0, 5), state="partial", failure=failure)
    answer = joined([first, message(2, "user", found("c")), last])
    assert answer.usage == Usage(30, 5, 2, 8, 1, 0.25, first_prompt=13)
    assert (answer.state, answer.failure, answer.stop_reason) == ("partial", failure, None)


def test_results_without_an_answer_after_them_count_as_stopped() -> None:
    asked = message(1, "assistant", look_up("c", "x"), stop_reason="tool_use")
    assert joined([asked, message(2, "user", found("c"))]).state == "partial"


def test_messages_are_found_as_part_of_their_answer() -> None:
    answers = MergedAnswers()
    shown = answers.read(two_rounds())
    assert [one.id for one in shown] == ["t0", "t1", "t6", "t7"]
    assert answers.hidden == 4
    assert {answers.id_of(f"t{n}") for n in range(1, 6)} == {"t1"}
    places = [answers.place_of(shown[1], f"t{n}") for n in range(1, 6)]
    assert shown[1].parts[places[1]] == look_up("c1", "piano move"), "results stand where their first call does"
    assert shown[1].parts[places[2]] == TextPart("And who pays for it:")
    assert shown[1].parts[places[3]] == look_up("c3", "who pays")
    again = answers.extended(shown[1], message(5, "assistant", "Another end"))
    assert again.text.endswith("Another end")
    assert answers.id_of("t5") == "t1"


def test_a_question_is_no_results_message() -> None:
    assert is_results(message(0, "user", found("c")))
    assert not is_results(message(0, "user"))
    assert not is_results(message(0, "user", found("c"), "and a word"))
    assert not is_results(message(0, "assistant", found("c")))


# --- units


def test_results_go_to_their_calls_in_either_shape() -> None:
    one, two = look_up("a", "x"), ToolCallPart("b", "other", {})
    results = [found("a", "t0"), ToolResultPart("b", "done")]
    orders: list[list[Part]] = [[one, results[0], two, results[1]], [one, two, *results]]
    for parts in orders:
        groups = PartGroups(parts).list
        assert [group.kind for group in groups] == ["recall", "tool"]
        assert not any(group.waiting for group in groups)
        assert groups[0].results == {"a": results[0]}


def test_look_ups_in_a_row_are_one_but_not_over_text_or_other_tools() -> None:
    parts: list[Part] = [look_up("a", "x"), found("a"), look_up("b", "y"), TextPart("So:"), look_up("c", "z")]
    assert [len(group.calls) for group in PartGroups(parts).list] == [2, 0, 1]
    other = [look_up("a", "x"), ToolCallPart("b", "other", {}), look_up("c", "z")]
    assert [group.kind for group in PartGroups(other).list] == ["recall", "tool", "recall"]


def test_a_name_with_its_server_is_the_same_tool() -> None:
    call = ToolCallPart("a", "mcp__plimsoll__search_this_thread", {"query": "x"})
    assert PartGroups([call]).list[0].kind == "recall"


def test_a_text_that_was_cut_at_its_sources_is_one_run() -> None:
    parts = searched()[1].parts
    kinds = [group.kind for group in PartGroups(parts).list]
    assert kinds == ["thinking", "web", "text"]
    assert written_text(searched()[1]).endswith("in it. The usual build still has the lock.")
    assert ", and a program" in written_text(searched()[1])


def test_texts_of_their_own_stay_apart() -> None:
    assert [u.text for u in PartGroups([TextPart("One."), TextPart("Two.")]).list] == ["One.", "Two."]
    typed = PartGroups([TextPart("one"), TextPart("two")], typed=True).list
    assert [group.text for group in typed] == ["one", "two"]


def test_blocks_of_the_providers_own_tools_are_read_as_calls() -> None:
    asked, answered = web_search("s", "x")
    group = PartGroups([asked, answered]).list[0]
    assert (group.kind, group.waiting, len(group.results)) == ("web", False, 1)
    code = UnknownPart({"type": "server_tool_use", "id": "k", "name": "code_execution", "input": {"code": "1"}})
    assert PartGroups([code]).list[0].kind == "tool"
    error = {"type": "web_search_tool_result_error", "error_code": "max_uses_exceeded"}
    failed = UnknownPart({"type": "web_search_tool_result", "tool_use_id": "s", "content": error})
    assert PartGroups([asked, failed]).list[0].results["s"].is_error


PARTS = st.lists(
    st.one_of(
        st.builds(TextPart, st.text("ab. \n", max_size=4)),
        st.builds(cited, st.text("ab. ", max_size=4)),
        st.builds(ThinkingPart, st.text("ab", max_size=3)),
        st.builds(look_up, st.sampled_from("cde"), st.just("x")),
        st.builds(lambda call: ToolCallPart(call, "other", {}), st.sampled_from("fgh")),
        st.builds(lambda call: ToolResultPart(call, "r"), st.sampled_from("cdefgh")),
        st.just(UnknownPart({"type": "new"})),
    ),
    max_size=12,
)


@given(PARTS)
def test_every_part_stands_in_one_unit_and_units_stand_in_order(parts: list[Part]) -> None:
    groups = PartGroups(parts)
    numbers = [group.number for group in groups.list]
    assert numbers == sorted(set(numbers))
    kept = [part for group in groups.list for part in group.parts]
    told = [part for part in parts if not isinstance(part, ToolResultPart)]
    assert [part for part in kept if not isinstance(part, ToolResultPart)] == told
    assert all(
        groups.of_call(part.call_id) is not None or part in kept for part in parts if isinstance(part, ToolResultPart)
    )
    assert contents(parts) == [group.content for group in groups.list]


# --- passages and sources


def test_passages_know_the_messages_they_are_from() -> None:
    passages = passages_of(found("c", "t0", "t1"))
    assert [(one.heading, one.message_id) for one in passages] == [
        ("Message 3 of 64, user, 2026-03-14", "t0"),
        ("Message 8 of 64, assistant, 2026-03-14", "t1"),
    ]
    assert passages[0].text.startswith("The budget")
    assert passages[1].text.endswith("boxes: 120")


def test_what_is_said_of_a_result_is_part_of_no_passage() -> None:
    result = found("c", "t0", "t1")
    assert passages_of(replace(result, text=noted_if_few(result.text, 2))) == passages_of(result)


def test_a_passage_that_quotes_a_heading_is_one_passage() -> None:
    (passage,) = passages_of(found("c", "t0"))
    assert (passage.heading, passage.message_id) == ("Message 3 of 64, user, 2026-03-14", "t0")
    assert "[Message 8 of 64" in passage.text


@pytest.mark.parametrize("starts", [None, [0], [0, 9_999], [5, 0], [3, 60], [0, "x"], [0, 0]])
def test_a_result_that_does_not_say_where_its_passages_begin_is_one_of_no_message(starts: Json) -> None:
    result = found("c", "t0", "t1")
    (passage,) = passages_of(replace(result, extra={**result.extra, "starts": starts}))
    assert (passage.heading, passage.message_id, passage.text) == ("", "", result.text)


def test_each_source_stands_once_with_all_that_is_cited_of_it() -> None:
    page: JsonObject = {
        "type": "page_location",
        "document_title": "Report",
        "start_page_number": 3,
        "end_page_number": 5,
    }
    text = TextPart("x", {"citations": [{**page, "cited_text": "one"}, {**page, "cited_text": "two"}]})
    sources = sources_of([cited("a"), text, cited("b"), TextPart("plain", {"citations": None})])
    assert [source.title for source in sources] == ["PEP 703 – Making the Global Interpreter Lock Optional", "Report"]
    assert (sources[1].place, sources[1].cited, sources[1].address) == ("p. 3–4", ("one", "two"), "")
    assert len(sources[0].cited) == 1


def shown(path: Sequence[Message]) -> list[str]:
    return [one.id for one in MergedAnswers().read(path)]


@given(st.lists(st.sampled_from(["q", "a", "r"]), max_size=20), st.integers(0, 20))
def test_a_path_read_in_two_pieces_shows_the_same_messages(kinds: list[str], at: int) -> None:
    made = {"q": ("user", TextPart("x")), "a": ("assistant", look_up("c", "x")), "r": ("user", found("c"))}
    path = [message(n, made[kind][0], made[kind][1]) for n, kind in enumerate(kinds)]  # type: ignore[arg-type]
    whole = answers_of(path)
    assert [one for group in whole for one in group] == path
    pieces = answers_of(path[:at]) + answers_of(path[at:])
    assert len(whole) <= len(pieces) <= len(whole) + 1


@pytest.mark.parametrize("name", ["weather", RECALL_NAME])
def test_thousands_of_calls_find_their_results_at_a_cost_that_grows_with_them_alone(name: str) -> None:
    def work(count: int) -> int:
        calls = [ToolCallPart(f"c{number}", name, {}) for number in range(count)]
        results = [ToolResultPart(call.id, "found") for call in calls]
        with CountedCalls() as counted:
            groups = PartGroups([*calls, *results]).list
        assert not any(group.waiting for group in groups)
        return counted.calls

    assert work(1_600) < 4.5 * work(400)
