"""Every kind of content block, from the wire through storage and our own JSON and back to the wire (BE-6)."""

from __future__ import annotations

from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from desktop_app.backends.anthropic_wire import block_of, part_of
from desktop_app.backends.openai.chat_failures import PLAIN
from desktop_app.backends.openai.chat_wire import request_body as chat_body
from desktop_app.controller.formats.plimsoll_json import part_from_json, part_to_json
from desktop_app.core.attachment_facts import BYTES, NOTE, PAGES
from desktop_app.core.messages import (
    DocumentPart,
    ImagePart,
    Part,
    TextPart,
    ThinkingPart,
    ToolCallPart,
    ToolResultPart,
    UnknownPart,
)
from desktop_app.storage.row_mapping import decode_parts, encode_parts
from tests.backends.plans import plan_of, user

WORDS = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=30).filter(str.strip)
NAMES = st.sampled_from(["id", "name", "url", "title", "kind", "raw", "v", "parts", "extra"])
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53), 2**53) | WORDS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(NAMES, inner, max_size=3),
    max_leaves=5,
)
OBJECTS = st.dictionaries(NAMES, VALUES, max_size=3)


def block(kind: str, **fields: st.SearchStrategy[Any]) -> st.SearchStrategy[dict[str, Any]]:
    return st.fixed_dictionaries({"type": st.just(kind), **fields})


SENT_BACK = st.one_of(
    block("text", text=WORDS),
    block("thinking", thinking=WORDS, signature=WORDS),
    block("redacted_thinking", data=WORDS),
    block("tool_use", id=WORDS, name=WORDS, input=OBJECTS),
    block("server_tool_use", id=WORDS, name=st.just("web_search"), input=OBJECTS),
    block("web_search_tool_result", tool_use_id=WORDS, content=st.lists(OBJECTS, max_size=2)),
    block("container_upload", file_id=WORDS),
    block("something_of_next_year", contents=VALUES, more=OBJECTS),
)
"""Blocks of an answer as the API gives them, and wants them back."""

EXTRAS = st.fixed_dictionaries(
    {}, optional={NOTE: WORDS, PAGES: st.integers(1, 99), BYTES: st.just("JVBERi0="), "new": VALUES}
)
ATTACHED = st.one_of(
    st.builds(ImagePart, WORDS, st.just("image/png"), st.just("AAAA"), st.integers(0, 99), st.integers(0, 99), EXTRAS),
    st.builds(DocumentPart, WORDS, WORDS, WORDS, st.just("application/pdf"), EXTRAS),
)
PARTS = st.one_of(
    ATTACHED,
    st.builds(TextPart, WORDS, OBJECTS),
    st.builds(ThinkingPart, WORDS, st.none() | WORDS, OBJECTS),
    st.builds(ToolCallPart, WORDS, WORDS, OBJECTS, OBJECTS),
    st.builds(ToolResultPart, WORDS, WORDS, st.booleans(), OBJECTS),
    st.builds(UnknownPart, OBJECTS),
)


def kept(part: Part) -> Part:
    """The part after the history, an export and an import."""
    (stored,) = decode_parts(encode_parts([part]))
    read = part_from_json(part_to_json(stored), "here")
    (again,) = decode_parts(encode_parts([read]))
    return again


@settings(max_examples=300)
@given(SENT_BACK)
def test_what_the_api_answered_goes_back_as_it_came(raw: dict[str, Any]) -> None:
    assert block_of(kept(part_of(raw))) == raw


@settings(max_examples=300)
@given(PARTS)
def test_no_part_changes_in_the_history_and_in_an_export(part: Part) -> None:
    assert kept(part) == part


@settings(max_examples=200)
@given(ATTACHED)
def test_nothing_that_is_attached_is_left_out_of_a_request(part: Part) -> None:
    assert block_of(part) is not None
    (message,) = chat_body(plan_of(user(part)), PLAIN)["messages"]
    assert message["content"] != "(blank)"


@given(st.builds(TextPart, WORDS, OBJECTS))
def test_what_the_provider_said_of_a_text_stays_with_us(part: TextPart) -> None:
    cited: list[dict[str, Any]] = [{"type": "char_location", "cited_text": part.text}]
    read = part_of({"type": "text", "text": part.text, "citations": cited})

    assert kept(read) == read == TextPart(part.text, {"citations": cited})
    assert block_of(read) == {"type": "text", "text": part.text}
