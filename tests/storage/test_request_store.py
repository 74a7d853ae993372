from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from desktop_app.storage import request_store
from desktop_app.storage.request_store import make_manifest, read_manifest
from desktop_app.storage.sqlite_history import SqliteHistory
from tests.storage.conftest import Talk, a_thread
from tests.storage.sql_work import in_store
from tests.storage.strategies import json_objects, json_values

LONG = "what the sea gives in the morning it takes back in the evening, said the old man at the pier. " * 4


class Shelf:
    """Blocks in memory, with their places as keys."""

    def __init__(self) -> None:
        self.texts: list[str] = []

    def put(self, text: str) -> int:
        if text not in self.texts:
            self.texts.append(text)
        return self.texts.index(text)


def bytes_of(value: Any) -> bytes:
    return json.dumps(value, ensure_ascii=False).encode("utf-8", "surrogatepass")


@settings(max_examples=60, deadline=None)
@given(json_objects())
def test_any_request_comes_back_byte_for_byte(request: dict[str, Any]) -> None:
    shelf = Shelf()
    back = read_manifest(make_manifest(request, shelf.put).manifest, shelf.texts.__getitem__)
    assert bytes_of(back) == bytes_of(request)


@settings(max_examples=40, deadline=None)
@given(
    st.lists(
        st.tuples(json_values(), st.booleans(), st.sampled_from([(",", ":"), (", ", ": "), (",", ": ")])), max_size=3
    ),
    st.sampled_from(["", "\n", "\n\n", "{"]),
)
def test_standard_input_comes_back_byte_for_byte_however_its_lines_were_written(
    lines: list[tuple[Any, bool, tuple[str, str]]], end: str
) -> None:
    written = (
        json.dumps({"content": value, "text": LONG}, ensure_ascii=ascii_only, separators=separators)
        for value, ascii_only, separators in lines
    )
    request = {"stdin": "\n".join(written) + end, "system": "be brief"}
    shelf = Shelf()
    assert read_manifest(make_manifest(request, shelf.put).manifest, shelf.texts.__getitem__) == request


def test_a_json_line_that_would_be_written_otherwise_stays_a_string() -> None:
    for line in ('{"a":1e5,"t":"%s"}' % LONG, '{"a":1,"a":2,"t":"%s"}' % LONG, '{"a" : 1,"t":"%s"}' % LONG, "{" + LONG):  # noqa: UP031
        shelf = Shelf()
        assert read_manifest(make_manifest({"stdin": line}, shelf.put).manifest, shelf.texts.__getitem__) == {
            "stdin": line
        }


def test_a_message_and_its_labelled_form_share_one_block() -> None:
    shelf = Shelf()
    line = json.dumps({"content": [{"type": "text", "text": f"[USER]: {LONG}\n\n"}, {"type": "text", "text": LONG}]})
    make_manifest({"stdin": line + "\n", "messages": [{"content": LONG}]}, shelf.put)
    assert shelf.texts == [LONG]


def as_sent(texts: list[str], *, program: bool) -> dict[str, Any]:
    """A request as backends make it: a moving cache mark, labels and one line where it goes to a program."""
    blocks: list[dict[str, Any]] = [
        {"type": "text", "text": f"[USER]: {text}\n\n" if program else text} for text in texts
    ]
    blocks[-1]["cache_control"] = {"type": "ephemeral"}
    if program:
        return {"stdin": json.dumps({"type": "user", "message": {"content": blocks}}) + "\n", "system": "s"}
    return {"model": "m", "max_tokens": 64_000, "messages": [{"role": "user", "content": [one]} for one in blocks]}


@pytest.mark.parametrize("program", [False, True])
async def test_the_requests_of_a_thread_come_back_along_and_beyond_a_chain(
    talk: Talk, history: SqliteHistory, program: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(request_store, "LONGEST_CHAIN", 4)
    texts, sent = [], {}
    for number in range(14):
        texts.append(f"{number} {LONG}" if number % 3 else f"short {number}")
        if number == 9:
            del texts[2:6]  # a step of the window: the beginning stays, the middle goes
        request = as_sent(texts, program=program)
        answer = await talk.turn(texts[-1], "yes", request=request)
        sent[answer.id] = request
    for answer_id, request in sent.items():
        assert bytes_of(await history.request(answer_id)) == bytes_of(request)


async def test_a_numeral_and_a_truth_value_are_not_taken_for_the_same(talk: Talk, history: SqliteHistory) -> None:
    first = await talk.turn("a", "b", request={"messages": [1, True, 1.0]})
    second = await talk.turn("a", "b", request={"messages": [True, 1, 1]})
    assert bytes_of(await history.request(first.id)) == b'{"messages": [1, true, 1.0]}'
    assert bytes_of(await history.request(second.id)) == b'{"messages": [true, 1, 1]}'


@settings(max_examples=10, deadline=None)
@given(sent=st.lists(json_objects(), min_size=1, max_size=4))
async def test_any_requests_of_a_thread_come_back_from_the_file(
    sent: list[dict[str, Any]], tmp_path_factory: pytest.TempPathFactory
) -> None:
    history = await SqliteHistory.open(tmp_path_factory.mktemp("any") / "history.db")
    try:
        await history.create_thread(a_thread())
        talk = Talk(history)
        answers = [await talk.turn("q", "a", request=one) for one in sent]
        for answer, one in zip(answers, sent, strict=True):
            back = await history.request(answer.id)
            assert back is not None
            assert bytes_of(back) == bytes_of(one)
    finally:
        await history.close()


@pytest.mark.slow
@settings(max_examples=150, deadline=None)
@given(data=st.data())
def test_a_request_that_begins_like_the_one_before_comes_back_byte_for_byte(data: st.DataObject) -> None:
    """Each is made with what is remembered of the one before; they share any beginning, also none."""
    program = data.draw(st.booleans())
    style = data.draw(st.sampled_from([(",", ":"), (", ", ": ")])), data.draw(st.booleans())
    shelf, before, spine = Shelf(), None, data.draw(st.lists(json_values(), max_size=4))
    for _ in range(4):
        spine = spine[: data.draw(st.integers(0, len(spine)))] + data.draw(st.lists(json_values(), max_size=3))
        value = {"head": data.draw(st.sampled_from([1, True, "\u00e9", [1, 2]])), "content": spine, "end": LONG}
        if data.draw(st.booleans()):
            value[data.draw(st.sampled_from(["$", "$o", "spine"]))] = ["spine"]
        line = json.dumps(value, separators=style[0], ensure_ascii=style[1])
        request: Any = (
            {"stdin": line + data.draw(st.sampled_from(["", "\n", f"\n{line}\n", "]"])), "s": 1} if program else value
        )
        made = make_manifest(request, shelf.put, before)
        assert bytes_of(read_manifest(made.manifest, shelf.texts.__getitem__)) == bytes_of(request)
        before = made


FIRST = {"c": ["one", "two", "three"], "end": LONG}
LINE = json.dumps(FIRST, separators=(",", ":"))


@pytest.mark.parametrize(
    ("first", "second"),
    [
        # what is left of the line after its equal beginning is JSON, the whole is not
        ({"stdin": LINE}, {"stdin": LINE.replace('"three"', "")}),
        ({"stdin": LINE}, {"stdin": LINE.replace('"three"', '"\\u0041"')}),
        # keys that begin with the mark of packed JSON, where the longest list stands
        ({"m": {"$o": [1, 2, 3]}}, {"m": {"$o": [1, 2, 3, 4]}}),
        ({"m": [1, 1, 1]}, {"m": [1, True, 1.0, 4]}),
        ({"m": [{"a": 1, "b": 2}, 3, 4]}, {"m": [{"b": 2, "a": 1}, 3, 4]}),
        ({"m": ["a", "b", "c"]}, {"m": "abcd"}),
        ({"m": ["a", "b", "c"]}, {"m": {"a": 1, "b": 2, "c": 3}}),
    ],
)
def test_what_only_looks_like_the_request_before_comes_back_too(first: Any, second: Any) -> None:
    shelf = Shelf()
    before = make_manifest(first, shelf.put)
    assert before.beginning is not None or "$o" in str(first)
    made = make_manifest(second, shelf.put, before)
    assert bytes_of(read_manifest(made.manifest, shelf.texts.__getitem__)) == bytes_of(second)


@pytest.mark.parametrize("program", [False, True])
def test_what_a_request_begins_with_like_the_one_before_is_not_looked_at_again(program: bool) -> None:
    texts = [f"{number} {LONG}" for number in range(50)]
    first = make_manifest(as_sent(texts, program=program), Shelf().put)
    again = Shelf()
    second = make_manifest(as_sent([*texts, f"new {LONG}"], program=program), again.put, first)
    assert again.texts == [f"49 {LONG}", f"new {LONG}"]
    assert second.manifest.spine[:49] == first.manifest.spine[:49]


@pytest.mark.parametrize("program", [False, True])
async def test_a_request_after_preparing_comes_back_and_costs_what_is_new(
    talk: Talk, history: SqliteHistory, path: Path, program: bool
) -> None:
    texts = [f"{number} {LONG}" for number in range(30)]
    first = await talk.turn("q", "a", request=as_sent(texts, program=program))
    await history.close()
    again = await SqliteHistory.open(path)
    try:
        await again.prepare_turn("nowhere")
        await again.prepare_turn("thread")
        # the blocks are where they were, and the beginning is known: none of them is asked for again
        await in_store(again, lambda store: store.requests.blocks.forget())
        next_request = as_sent([*texts, f"new {LONG}"], program=program)
        second = await Talk(again, tip=first.id).begin("q", request=next_request, name="2")
        known = await in_store(again, lambda store: len(store.requests.blocks.keys))
        assert known <= 3
        assert bytes_of(await again.request(second.id)) == bytes_of(next_request)
    finally:
        await again.close()


async def test_an_answer_without_a_request_has_none(talk: Talk, history: SqliteHistory) -> None:
    await talk.turn("q", "a")
    assert await history.request("q1") is None
