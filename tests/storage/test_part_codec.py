from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from desktop_app.core.messages import (
    DocumentPart,
    ImagePart,
    JsonObject,
    Part,
    TextPart,
    ThinkingPart,
    ToolCallPart,
    ToolResultPart,
    UnknownPart,
)
from desktop_app.storage.block_store import from_bytes, unpack
from desktop_app.storage.row_mapping import decode_parts, encode_parts, pack_parts
from tests.storage.strategies import json_objects, texts


def all_parts() -> st.SearchStrategy[Part]:
    counts = st.integers(0, 10_000)
    return st.one_of(
        st.builds(TextPart, texts(), json_objects()),
        st.builds(ThinkingPart, texts(), st.none() | texts(), json_objects()),
        st.builds(ToolCallPart, texts(), texts(), json_objects(), json_objects()),
        st.builds(ToolResultPart, texts(), texts(), st.booleans(), json_objects()),
        st.builds(ImagePart, texts(), texts(), texts(), counts, counts, json_objects()),
        st.builds(DocumentPart, texts(), texts(), texts(), texts(), json_objects()),
        st.builds(UnknownPart, json_objects()),
    )


@settings(max_examples=60, deadline=None)
@given(st.lists(all_parts(), max_size=3))
def test_every_part_comes_back_equal_inline_and_through_blocks(parts: list[Part]) -> None:
    blocks: list[str] = []

    def put(text: str) -> int:
        blocks.append(text)
        return len(blocks) - 1

    for keep in (None, put):
        stored = pack_parts(tuple(parts), keep)
        assert decode_parts(unpack(from_bytes(stored), blocks.__getitem__)) == tuple(parts)


def test_fields_with_their_default_are_not_written() -> None:
    assert encode_parts([TextPart("hi")]) == {"v": 1, "parts": [{"kind": "text", "text": "hi"}]}


def test_a_kind_of_a_newer_version_is_kept_and_written_back_as_it_was() -> None:
    newer: JsonObject = {"v": 1, "parts": [{"kind": "video", "seconds": 9}, {"kind": "text", "text": "hi"}]}
    parts = decode_parts(newer)
    assert parts == (UnknownPart({"kind": "video", "seconds": 9}), TextPart("hi"))
    assert encode_parts(parts) == newer


def test_a_known_kind_of_another_shape_loses_nothing() -> None:
    shapes: tuple[JsonObject, ...] = (
        {"kind": "text"},
        {"kind": "text", "text": 3},
        {"kind": "text", "text": "a", "colour": "red"},
    )
    for raw in shapes:
        parts = decode_parts({"v": 1, "parts": [raw]})
        assert parts == (UnknownPart(raw),)
        assert decode_parts(encode_parts(parts)) == parts


def test_parts_of_a_newer_version_are_kept_verbatim() -> None:
    assert decode_parts({"v": 2, "parts": [{"kind": "text", "text": "hi"}]}) == (
        UnknownPart({"kind": "text", "text": "hi"}),
    )
