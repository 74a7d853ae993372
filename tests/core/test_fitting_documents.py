"""Which documents of a project have room among the always included ones."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from desktop_app.core.context.project_context import always_room, counted_text, fitting
from desktop_app.core.messages import DocumentPart
from desktop_app.core.projects import ProjectDocument


def document(name: str, tokens: int, **facts: object) -> ProjectDocument:
    return ProjectDocument(name, "p", name, **{"sha256": name, "tokens": tokens, "state": "ready", **facts})  # type: ignore[arg-type]


def test_the_smallest_are_taken_as_long_as_they_fit_beside_those_that_are_included() -> None:
    documents = [
        document("large", 20_000),
        document("small", 100),
        document("there", 30_000, mode="always"),
        document("medium", 14_000),
        document("unread", 0, state="waiting"),
        document("broken", 10, state="failed"),
    ]
    assert always_room(150_000) == 45_000
    assert [one.name for one in fitting(documents, 150_000, "claude-2023")] == ["small", "medium"]


def test_nothing_fits_where_there_is_no_limit_or_no_room() -> None:
    assert fitting([document("a", 10)], 0, "claude-2023") == []
    assert fitting([document("a", 10), document("b", 45_000, mode="always")], 150_000, "claude-2023") == []


def test_one_that_has_no_room_takes_none() -> None:
    documents = [document("a", 10), document("b", 46_000, mode="always")]
    assert [one.name for one in fitting(documents, 150_000, "claude-2023")] == ["a"]


def test_the_same_file_takes_no_room_twice() -> None:
    documents = [document("a", 40_000, mode="always"), document("b", 2_000), document("c", 2_500)]
    again = [replace(documents[0], id="again", mode="search"), replace(documents[1], id="again too", name="d")]
    found = fitting([*documents, *again], 150_000, "claude-2023")
    assert [one.name for one in found] == ["b", "c"]


@given(
    st.lists(st.tuples(st.integers(1, 60_000), st.sampled_from(["always", "search"]), st.integers(0, 6)), max_size=12),
    st.sampled_from([0, 4_000, 60_000, 150_000, 1_000_000]),
)
def test_the_room_is_filled_with_the_smallest_and_no_more_than_is_there(
    made: list[tuple[int, str, int]], soft: int
) -> None:
    weights = {file: tokens for tokens, _, file in made}
    documents = [
        document(str(number), weights[file], mode=mode, sha256=f"file {file}", added=f"{number:03}")
        for number, (_, mode, file) in enumerate(made)
    ]
    found = fitting(documents, soft, "claude-2023")
    assert all(one.mode == "search" for one in found), "what is chosen already is not chosen again"
    left, sent = always_room(soft), set[str]()
    for one in documents:  # as a request places them
        if one.mode == "always" and one.sha256 not in sent and one.tokens <= left:
            left -= one.tokens
            sent.add(one.sha256)
    new = {one.sha256: one.tokens for one in found}
    assert len(new) == len(found)
    assert not sent & new.keys()
    assert sum(new.values()) <= left
    out = [one.tokens for one in documents if one.mode == "search" and one.sha256 not in sent | new.keys()]
    assert all(tokens >= max(new.values(), default=0) and tokens > left - sum(new.values()) for tokens in out)


def test_what_fits_is_weighed_as_requests_are() -> None:
    """20,000 tokens as it was read are 29,000 of the newer tokenizer."""
    counted = counted_text(DocumentPart("a", "The pier stands in the north of the harbour. " * 2_000, "ab"))
    documents = [document("a", 20_000, counted=counted), document("b", 20_000, mode="always", counted=counted)]
    assert len(fitting(documents, 150_000, "claude-2023")) == 1
    assert fitting(documents, 150_000, "claude-2026") == []
