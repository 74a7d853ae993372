from __future__ import annotations

import json
from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from desktop_app.controller.formats.exported_thread import (
    ExportContents,
    ExportedThread,
    write_branch,
    write_file,
    write_section,
)
from desktop_app.core.context.context_choices import ContextChoices, Summary
from desktop_app.core.messages import (
    DocumentPart,
    Failure,
    ImagePart,
    Json,
    Message,
    Part,
    TextPart,
    ThinkingPart,
    Thread,
    ToolCallPart,
    ToolResultPart,
    UnknownPart,
)
from tests.builders.exported_threads import everything, hostile, talk


def written(*parts: Part, **facts: object) -> str:
    thread = Thread("t1", "Ships", "2026-01-01T00:00:00.000Z", "2026-01-01T00:00:00.000Z", system="Be brief.\nAlways.")
    question = Message("m1", "t1", None, "user", (TextPart("How deep?"),), "2026-01-01")
    answer = Message("m2", "t1", "m1", "assistant", parts, "2026-01-01", model="claude-x", **facts)  # type: ignore[arg-type]
    return write_branch(thread, (question, answer))


def test_a_branch_reads_as_a_conversation() -> None:
    assert written(TextPart("To the *line*.\n")) == (
        "# Ships\n\n*2026-01-01T00:00:00.000Z · 2 messages*\n\n## System\n\n> Be brief.\n> Always.\n\n"
        "## You\n\nHow deep?\n\n## Assistant (claude-x)\n\nTo the *line*.\n"
    )


def test_tools_thinking_and_attachments_are_named() -> None:
    text = written(
        ThinkingPart("Hm.\n\nYes."),
        ToolCallPart("c", "search", {"q": "ü"}),
        ToolResultPart("c", "```\ncode\n```"),
        ToolResultPart("elsewhere", "no net", is_error=True),
        ImagePart("ship.png", "image/png", "AAAA"),
        DocumentPart("log.txt", "a long text", "00"),
        UnknownPart({"type": "chatgpt.part"}),
    )
    assert "> Thinking:\n>\n> Hm.\n>\n> Yes.\n" in text
    assert '*Used search:*\n\n```json\n{\n  "q": "ü"\n}\n```\n\n````\n```\ncode\n```\n````\n' in text
    assert "*The tool failed:*\n\n```\nno net\n```\n" in text
    named = "[image] ship.png\n\n[document] log.txt\n\n```\na long text\n```\n\n[chatgpt.part: kept in the JSON export]"
    assert named in text


def test_calls_that_a_server_counts_anew_in_each_answer_keep_their_own_results() -> None:
    text = written(
        ToolCallPart("call_0", "search_documents", {"query": "lighthouse"}),
        ToolResultPart("call_0", "red", extra={"passages": 2, "documents": ["pilot-book.pdf"]}),
        ToolCallPart("call_0", "search_documents", {"query": "bakery"}),
        ToolResultPart("call_0", "none", extra={"passages": 0, "documents": []}),
    )
    assert '*Searched documents "lighthouse": 2 passages from pilot-book.pdf:*' in text
    assert '*Searched documents "bakery": 0 passages:*' in text


def test_an_answer_that_did_not_end_says_so() -> None:
    assert "interrupted" in written(TextPart("To"), state="partial")
    assert "*Connection lost.*" in written(state="error", failure=Failure("network", "Connection lost."))


def test_a_summary_is_noted_before_the_first_message_that_it_stands_for() -> None:
    path = tuple(
        Message(f"m{index}", "t", f"m{index - 1}" if index else None, "user", (TextPart(f"text {index}"),), "2026")
        for index in range(5)
    )
    summaries = (
        Summary("s1", ("m1", "m2", "elsewhere"), "What was\ndecided.", "claude-x", "2026"),
        Summary("s2", ("m4",), "My words.", "", "2026", edited=True),
        Summary("s3", ("elsewhere",), "Of another branch.", "claude-x", "2026"),
    )
    text = write_branch(Thread("t", "Ships", "2026", "2026", choices=ContextChoices(summaries=summaries)), path)
    first = (
        "text 0\n\n"
        "*Conversation summary by claude-x. The model reads it in place of 2 messages from here on.*\n\n"
        "> What was\n> decided.\n\n## You\n\ntext 1"
    )
    second = (
        "text 3\n\n*Conversation summary by you. The model reads it in place of the next message.*\n\n"
        "> My words.\n\n## You\n\ntext 4"
    )
    assert first in text
    assert second in text
    assert "another branch" not in text


def test_citations_are_footnotes_that_are_listed_at_the_end() -> None:
    passage = "3f2a1b9c04-12"
    places: Json = [{"document": "spec.pdf", "heading": "Fees", "page": 4, "start": 0, "end": 4}]
    text = written(
        ToolCallPart("c", "search_documents", {"query": "fees"}),
        ToolResultPart("c", "Nine crowns.", extra={"passage_ids": [passage], "places": places}),
        TextPart(f"Nine [{passage}].\n"),
    )
    assert text.endswith("\n\nNine [^1].\n\n[^1]: spec.pdf, Fees, page 4\n")


def exported(one: ExportedThread, contents: ExportContents | None = None) -> str:
    return "".join(write_file(one, contents or ExportContents()))


def test_a_file_begins_with_the_facts_of_the_branch() -> None:
    assert exported(everything()).startswith(
        '---\ntitle: "How it works"\ncreated: "2026-03-01T10:00:00.000Z"\nupdated: "2026-03-01T11:00:00.000Z"\n'
        'models: ["Claude Sonnet 4.5"]\nproject: "Harbor"\nmessages: 2\ninput_tokens: 2400\noutput_tokens: 690\n'
        'cost_usd: 0.0246\nthread: "t1"\nsource: "Plimsoll"\n---\n\n# How it works\n\n## You\n\nHow deep?\n'
    )


@given(st.text(), st.text())
def test_the_facts_are_one_line_each_whatever_a_title_holds(title: str, project: str) -> None:
    one = everything()
    text = exported(replace(one, thread=replace(one.thread, title=title, project=project)))
    head = text.split("\n---\n", 1)[0].splitlines()
    assert head[0] == "---"
    facts = dict(line.split(": ", 1) for line in head[1:])
    assert json.loads(facts["title"]) == (" ".join(title.split()) or "Untitled")
    assert ("project" in facts) == bool(project)
    # what YAML can't hold as it is does not stand there
    assert all(sign.isprintable() or sign == " " or ord(sign) > 0xA0 for sign in facts["title"])
    assert not set(facts["title"]) & set("\x85\u2028\u2029\ufeff")


def test_details_are_folded_and_attachments_named() -> None:
    text = exported(everything())
    assert "<details>\n<summary>Thinking</summary>\n\nLet me think.\n\n</details>" in text
    assert (
        '<summary>Used search</summary>\n\n```json\n{\n  "q": "ü"\n}\n```\n\n```\nthree results\n```\n\n</details>'
        in text
    )
    assert "[document] report.pdf" in text
    assert "text of the report" not in text
    plain = exported(everything(), ExportContents(details=False, attached=True))
    assert "<details>" not in plain
    assert "*Used search*" in plain
    assert "three results" not in plain
    assert "text of the report" in plain


def test_thinking_can_not_end_its_fold() -> None:
    assert exported(hostile()).count("\n</details>") == exported(hostile()).count("<details>\n<summary>")


def test_footnotes_of_several_threads_in_a_file_do_not_meet() -> None:
    result = ToolResultPart("c", "Berths.", extra={"passage_ids": ["3f2a1b9c04-12"], "places": [{"document": "a.pdf"}]})
    one = talk(("user", (result,)), ("assistant", (TextPart("It is [3f2a1b9c04-12]."),)))
    first, second = ("".join(write_section(one, ExportContents(), number)) for number in (1, 2))
    assert "It is [^1]." in first
    assert "It is [^2-1]." in second
    assert "\n[^2-1]: a.pdf" in second


def test_an_artifact_stands_there_with_or_without_details_and_a_call_says_what_became_of_it() -> None:
    made = ToolCallPart(
        "a", "create_artifact", {"title": "Tide\ntable", "kind": "code", "language": "sql", "text": "x;"}
    )
    failed = ToolCallPart("b", "search", {"q": "ü"})
    one = talk(
        ("assistant", (made, failed)),
        ("user", (ToolResultPart("a", "done"), ToolResultPart("b", "no\nnet " * 99, is_error=True))),
    )
    for details in (True, False):
        text = exported(one, ExportContents(details=details))
        assert "<summary>Artifact: Tide table</summary>\n\n```sql\nx;\n```" in text
        assert "Search failed: no net no net" in text
        assert max(map(len, text.splitlines())) < 250
