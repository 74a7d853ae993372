from __future__ import annotations

import copy
import json
from functools import cache
from typing import Any, get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from desktop_app.controller.formats import plimsoll_json
from desktop_app.controller.formats.export_reading import UnreadableExportError
from desktop_app.core.context.context_choices import NO_CHOICES, ContextChoices, Deletion, Summary
from desktop_app.core.messages import (
    PART_KINDS,
    RATINGS,
    UNKNOWN,
    BoundaryCause,
    BoundaryState,
    DocumentPart,
    Failure,
    FailureCode,
    ImagePart,
    Message,
    MessageMark,
    Parameters,
    Part,
    TextPart,
    ThinkingPart,
    Thread,
    ToolCallPart,
    ToolResultPart,
    UnknownPart,
    Usage,
)
from desktop_app.core.thread_copy import without_consent
from desktop_app.resources import resource
from tests.builders.export_source import read_all, source_of

TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=20)
NAMES = st.text("abc", min_size=1, max_size=4)
OBJECTS = st.dictionaries(NAMES, st.one_of(st.none(), st.booleans(), st.integers(), TEXT, st.lists(TEXT, max_size=2)))
COUNTS = st.integers(0, 10**6)
COSTS = st.one_of(st.none(), st.floats(0, 100))


def parts() -> st.SearchStrategy[Part]:
    return st.one_of(
        st.builds(TextPart, TEXT, OBJECTS),
        st.builds(ThinkingPart, TEXT, st.one_of(st.none(), TEXT), OBJECTS),
        st.builds(ToolCallPart, NAMES, NAMES, OBJECTS, OBJECTS),
        st.builds(ToolResultPart, NAMES, TEXT, st.booleans(), OBJECTS),
        st.builds(ImagePart, TEXT, NAMES, NAMES, COUNTS, COUNTS, OBJECTS),
        st.builds(DocumentPart, TEXT, TEXT, NAMES, NAMES, OBJECTS),
        st.builds(UnknownPart, OBJECTS),
    )


def choices() -> st.SearchStrategy[ContextChoices]:
    ids = st.frozensets(NAMES, max_size=2)
    sources = st.lists(NAMES, max_size=2).map(tuple)
    flags = st.booleans()
    summaries = st.lists(st.builds(Summary, NAMES, sources, TEXT, TEXT, NAMES, flags, COSTS, flags), max_size=2)
    one = st.one_of(st.none(), NAMES)
    return st.builds(
        ContextChoices,
        pinned=ids,
        excluded=ids,
        deleted=st.frozensets(st.builds(Deletion, NAMES, NAMES), max_size=2),
        fresh_from=one,
        undone=ids,
        summaries=summaries.map(tuple),
        return_from=one,
        accepted_cliff=flags,
        recall=flags,
    ) | st.just(NO_CHOICES)


def parameters() -> st.SearchStrategy[Parameters]:
    return st.builds(
        Parameters,
        st.sampled_from(["", "low", "high"]),
        st.one_of(st.none(), st.booleans()),
        st.booleans(),
        st.one_of(st.none(), st.floats(0, 2)),
    )


def windows() -> st.SearchStrategy[BoundaryState]:
    cause = st.sampled_from(get_args(BoundaryCause))
    first = st.one_of(st.none(), NAMES)
    return st.builds(BoundaryState, first, COUNTS, cause, COUNTS, COUNTS, COUNTS, NAMES, NAMES)


@cache
def validator() -> Draft202012Validator:
    """Of the schema that packages carry."""
    schema = json.loads(resource("export-format.schema.json").read_text("utf-8"))
    Draft202012Validator.check_schema(schema)
    return Draft202012Validator(schema)


def marks() -> st.SearchStrategy[MessageMark]:
    return st.builds(MessageMark, st.sampled_from(RATINGS), TEXT)


def failures() -> st.SearchStrategy[Failure]:
    actions = st.lists(NAMES, max_size=2).map(tuple)
    return st.builds(Failure, st.sampled_from(get_args(FailureCode)), TEXT, TEXT, actions, COSTS)


@st.composite
def threads(draw: st.DrawFn) -> tuple[Thread, list[Message], dict[str, MessageMark]]:
    thread_id = draw(st.uuids()).hex
    messages: list[Message] = []
    for _ in range(draw(st.integers(0, 4))):
        messages.append(
            Message(
                id=draw(st.uuids()).hex,
                thread_id=thread_id,
                parent_id=draw(st.sampled_from([None, *(message.id for message in messages)])),
                role=draw(st.sampled_from(["user", "assistant"])),
                parts=tuple(draw(st.lists(parts(), max_size=3))),
                created=draw(TEXT),
                state=draw(st.sampled_from(["complete", "partial", "error"])),
                backend=draw(st.one_of(st.none(), NAMES)),
                model=draw(st.one_of(st.none(), NAMES)),
                usage=draw(
                    st.one_of(st.none(), st.builds(Usage, COUNTS, COUNTS, COUNTS, COUNTS, COUNTS, COSTS, COUNTS))
                ),
                stop_reason=draw(st.one_of(st.none(), NAMES)),
                prefix_key=draw(st.one_of(st.none(), NAMES)),
                window=draw(st.one_of(st.none(), windows())),
                failure=draw(st.one_of(st.none(), failures())),
            )
        )
    tips = [None, *(message.id for message in messages)]
    thread = Thread(
        id=thread_id,
        title=draw(TEXT),
        created=draw(TEXT),
        updated=draw(TEXT),
        backend=draw(st.one_of(st.none(), NAMES)),
        model=draw(st.one_of(st.none(), NAMES)),
        tip=draw(st.sampled_from(tips)),
        system=draw(TEXT),
        project=draw(st.one_of(st.none(), NAMES)),
        pinned=draw(st.booleans()),
        archived=draw(st.booleans()),
        soft_limit=draw(st.one_of(st.none(), COUNTS)),
        draft=draw(TEXT),
        choices=draw(choices()),
        parameters=draw(parameters()),
        seen=draw(st.sampled_from([*tips, "elsewhere"])),
    )
    marked = draw(st.lists(st.sampled_from(messages), max_size=3)) if messages else []
    given_marks = {message.id: draw(marks()) for message in marked}
    return thread, messages, {one: mark for one, mark in given_marks.items() if not mark.empty}


def several() -> st.SearchStrategy[list[tuple[Thread, list[Message], dict[str, MessageMark]]]]:
    return st.lists(threads(), max_size=3, unique_by=lambda item: item[0].id)


@settings(max_examples=40)
@given(several())
@pytest.mark.slow
def test_what_is_written_is_read_back_whole_and_written_the_same(
    whole: list[tuple[Thread, list[Message], dict[str, MessageMark]]],
) -> None:
    text = "".join(plimsoll_json.write_export(whole))
    validator().validate(json.loads(text))
    source = source_of({"plimsoll.json": text.encode()})
    assert plimsoll_json.recognizes(source)
    read = read_all(plimsoll_json.IMPORTER, source)
    # what its user agreed to does not travel
    assert [(item.thread, list(item.messages), item.marks) for item in read.threads] == [
        (without_consent(thread), messages, marks) for thread, messages, marks in whole
    ]
    assert (
        "".join(plimsoll_json.write_export((item.thread, item.messages, item.marks) for item in read.threads)) == text
    )


def test_the_schema_is_that_of_this_version_and_knows_every_kind_of_part() -> None:
    schema: Any = validator().schema
    assert schema["properties"]["version"] == {"const": plimsoll_json.VERSION}
    kinds = {part["properties"]["type"]["const"]: set(part["properties"]) for part in schema["$defs"]["part"]["oneOf"]}
    assert kinds == {
        **{kind.name: {"type", *(one.name for one in kind.fields)} for kind in PART_KINDS.values()},
        UNKNOWN: {"type", "raw"},
    }


@pytest.mark.parametrize("place", [("threads", 0), ("threads", 0, "messages", 0), ("threads", 0, "choices")])
def test_the_schema_refuses_what_no_export_holds(place: tuple[Any, ...]) -> None:
    data = sound()
    assert validator().is_valid(data)
    target = data
    for step in place:
        target = target[step]
    target["unheard-of"] = 1
    assert not validator().is_valid(data)


@pytest.mark.parametrize("version", [1, 2, 3, 4])
def test_an_export_of_an_older_version_is_read_and_its_threads_count_as_seen(version: int) -> None:
    thread = Thread("t1", "Title", "2026-01-01", "2026-01-02", tip="m1", seen="m1")
    message = Message("m1", "t1", None, "assistant", (TextPart("two"),), "2026-01-01")
    text = "".join(plimsoll_json.write_export([(thread, [message], {})]))
    assert not any(word in text for word in ("choices", "seen", "mark"))
    older = text.replace('"version": 5', f'"version": {version}')
    assert older != text
    (read,) = read_all(plimsoll_json.IMPORTER, source_of({"plimsoll.json": older.encode()})).threads
    assert (read.thread, read.messages, read.marks) == (thread, (message,), {})


def test_one_message_stands_on_one_line() -> None:
    thread = Thread("t1", "Title", "2026-01-01", "2026-01-02", tip="m2")
    one = Message("m1", "t1", None, "user", (TextPart("two\nlines"),), "2026-01-01")
    two = Message("m2", "t1", "m1", "assistant", (TextPart("ü"),), "2026-01-01")
    lines = "".join(plimsoll_json.write_export([(thread, [one, two], {"m2": MessageMark("down", "no")})])).splitlines()
    assert [line.strip(",") for line in lines if '"role"' in line] == [
        '{"id": "m1", "parent": null, "role": "user", "state": "complete", "created": "2026-01-01", '
        '"parts": [{"type": "text", "text": "two\\nlines"}]}',
        '{"id": "m2", "parent": "m1", "role": "assistant", "state": "complete", "created": "2026-01-01", '
        '"parts": [{"type": "text", "text": "ü"}], "mark": {"rating": "down", "note": "no"}}',
    ]


def sound() -> dict[str, Any]:
    decided = ContextChoices(
        frozenset({"m1"}), fresh_from="m1", summaries=(Summary("s", ("m1",), "x", "m", ""),), recall=False
    )
    thread = Thread("t1", "Title", "2026-01-01", "2026-01-02", tip="m1", seen="m0", soft_limit=10, choices=decided)
    usage = Usage(1, 2, 3, 4, 5, 0.5)
    parts = (TextPart("a"), ToolCallPart("c", "n", {"x": 1}), ImagePart("i", "image/png", "AA==", 1, 1))
    failure = Failure("network", "lost", "", ("retry",), 1.5)
    window = BoundaryState("m1", 2)
    message = Message("m1", "t1", None, "user", parts, "2026-01-01", usage=usage, window=window, failure=failure)
    data: dict[str, Any] = json.loads(
        "".join(plimsoll_json.write_export([(thread, [message], {"m1": MessageMark("up", "good")})]))
    )
    return data


def places(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    inside: list[tuple[Any, ...]] = []
    if isinstance(value, dict):
        inside = [place for name, item in value.items() for place in places(item, (*path, name))]
    elif isinstance(value, list):
        inside = [place for index, item in enumerate(value) for place in places(item, (*path, index))]
    return [path, *inside] if path else inside


@given(st.sampled_from(places(sound())), st.sampled_from([None, True, -1, 2.5, "x", [], {}, [[]], 10**30]))
def test_a_changed_file_is_read_or_refused_with_a_place(place: tuple[Any, ...], value: Any) -> None:
    data = copy.deepcopy(sound())
    target = data
    for step in place[:-1]:
        target = target[step]
    target[place[-1]] = value
    try:
        read_all(plimsoll_json.IMPORTER, source_of({"plimsoll.json": data}))
        problem = "expected nothing else"
    except UnreadableExportError as error:
        problem = str(error)
    assert "expected" in problem


@pytest.mark.parametrize(
    ("place", "value", "expected"),
    [
        (("threads", 0, "messages", 0, "role"), "system", r"threads\[0\]\.messages\[0\]\.role: expected one of user"),
        (("threads", 0, "choices", "pinned"), "m1", r"threads\[0\]\.choices: pinned: expected an array"),
        (("threads", 0, "choices", "summaries", 0, "text"), 1, r"summaries\[0\]\.text: expected a string"),
        (("threads", 0, "messages", 0, "mark", "rating"), "star", r"messages\[0\]\.mark\.rating: expected one of"),
        (("threads", 0, "messages", 0, "mark"), "up", r"messages\[0\]\.mark: expected an object"),
        (("threads", 0, "seen"), 1, r"threads\[0\]\.seen: expected a string"),
        (("threads", 0, "tip"), "m9", r"threads\[0\]\.tip: expected the id"),
        (("threads", 0, "messages", 0, "parent"), "m9", "expected its parent to stand before it"),
        (("threads", 0, "id"), "m1", "stands more than once"),
        (("version",), 6, "a newer Plimsoll wrote it"),
        (("threads", 0, "messages", 0, "parts", 0, "type"), "hologram", "hologram"),
    ],
)
def test_an_error_names_the_place_and_what_was_expected(place: tuple[Any, ...], value: Any, expected: str) -> None:
    data = sound()
    target: Any = data
    for step in place[:-1]:
        target = target[step]
    target[place[-1]] = value
    with pytest.raises(UnreadableExportError, match=expected):
        read_all(plimsoll_json.IMPORTER, source_of({"plimsoll.json": data}))
