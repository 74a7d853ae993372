from __future__ import annotations

import json
import re
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from desktop_app.controller import export_sources
from desktop_app.controller.export_sources import JsonStream, shape
from desktop_app.controller.formats.export_reading import UnreadableExportError
from desktop_app.core.messages import Json

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=9),
    lambda inside: st.lists(inside, max_size=3) | st.dictionaries(st.text(max_size=3), inside, max_size=3),
    max_leaves=9,
)


def pieces(raw: bytes, size: int) -> Iterator[bytes]:
    return (raw[start : start + size] for start in range(0, len(raw), size))


@pytest.fixture(params=[1, 64])
def window(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(export_sources, "WINDOW", request.param)


@pytest.mark.usefixtures("window")
def test_any_text_is_read_as_all_at_once_however_it_is_cut() -> None:
    @given(st.lists(JSON, max_size=5), st.integers(1, 40), st.booleans(), st.sampled_from([None, 1]))
    def same(values: list[Json], size: int, plain: bool, indent: int | None) -> None:
        raw = json.dumps(values, ensure_ascii=plain, indent=indent).encode()
        assert [item.value for item in JsonStream(pieces(raw, size)).items()] == json.loads(raw)

    same()


@pytest.mark.usefixtures("window")
@pytest.mark.parametrize("size", range(1, 8))
def test_a_number_is_read_wherever_it_is_cut(size: int) -> None:
    raw = b'[0.5, 1e3, -2E-1, 7, {"a": 0.0}]'
    assert [item.value for item in JsonStream(pieces(raw, size)).items()] == json.loads(raw)


@pytest.mark.usefixtures("window")
def test_the_list_under_a_name_is_read_whatever_stands_around_it() -> None:
    raw = b'{"a": [1, {"threads": 2}], "threads": [ {"b": "\xc3\xbc"} , 12], "z": "]"} '
    for size in (1, 7, 100):
        items = list(JsonStream(pieces(raw, size)).items("threads"))
        assert [item.value for item in items] == [{"b": "ü"}, 12]
        assert [item.number for item in items] == [0, 1]


def test_an_element_knows_where_it_begins() -> None:
    items = list(JsonStream([b'[\n {"a": "\xc3\xbc"},\n', b" 2]"]).items())
    assert [item.place for item in items] == ["line 2, byte 4", "line 3, byte 18"]


def test_half_of_a_surrogate_pair_is_replaced_and_a_whole_one_is_kept() -> None:
    raw = b'[{"\\udc00": "a\\ud800b"}, "\\ud83d\\ude00"]'
    for size in range(1, 40):
        assert [item.value for item in JsonStream(pieces(raw, size)).items()] == [{"\ufffd": "a\ufffdb"}, "😀"]


@pytest.mark.usefixtures("window")
@pytest.mark.parametrize(
    ("raw", "words"),
    [
        (b"", "not JSON: Expecting value at line 1, byte 1"),
        (b"[", "Expecting value at line 1, byte 2, in item 1"),
        (b"[1, 2", "expected a comma or the end of the list at line 1, byte 6"),
        (b"[1 2]", "expected a comma or the end of the list at line 1, byte 4"),
        (b"[1] [2]", "expected the end of the file at line 1, byte 5"),
        (b"[NaN]", "NaN is no JSON number"),
        (b'["\xff"]', "not UTF-8 text (byte 2)"),
        (b'["ab\xc3"', "not UTF-8 text (byte 4)"),
        (b'[1, {"a" 2}]', "Expecting ':' delimiter at line 1, byte 10, in item 2"),
        (b'[1,\n {"title": "My \\"talk\\"", "a": tru}]', 'at line 2, byte 36, in item 2 "My "talk""'),
        (b'[1,\n {"name": "T", "a": "no end}]', 'Unterminated string starting at line 2, byte 25, in item 2 "T"'),
        (b"[" * 100_000, "nested too deeply"),
        (b'[{"a":' * 100_000, "nested too deeply"),
    ],
)
def test_a_fault_is_named_with_its_place(raw: bytes, words: str) -> None:
    for size in (3, 1000):
        with pytest.raises(UnreadableExportError, match=re.escape(words)):
            list(JsonStream(pieces(raw, size)).items())


@pytest.mark.parametrize("raw", [b"[1]", b"{}", b'{"a": [1]}', b'{"threads": {}}', b'{"threads": [], "threads": []}'])
def test_a_missing_list_is_a_fault(raw: bytes) -> None:
    with pytest.raises(UnreadableExportError, match="expected"):
        list(JsonStream([raw]).items("threads"))


def test_what_came_before_a_fault_is_given() -> None:
    found: list[Json] = []
    with pytest.raises(UnreadableExportError):
        found.extend(item.value for item in JsonStream([b'[1, "two", {"a": }]']).items())
    assert found == [1, "two"]


def test_the_work_grows_with_the_size(monkeypatch: pytest.MonkeyPatch) -> None:
    """A long element is not decoded again with every chunk: the window doubles."""
    decoded: list[int] = []
    decode = export_sources._DECODER.raw_decode

    class Counted:
        def raw_decode(self, text: str, at: int) -> tuple[Json, int]:
            decoded.append(len(text) - at)
            return decode(text, at)

    monkeypatch.setattr(export_sources, "_DECODER", Counted())
    monkeypatch.setattr(export_sources, "WINDOW", 1000)
    raw = json.dumps(["x" * 500_000]).encode()
    assert [len(str(item.value)) for item in JsonStream(pieces(raw, 100)).items()] == [500_000]
    assert sum(decoded) < 4 * len(raw)


@pytest.mark.parametrize(
    ("raw", "expected"),
    [
        (b'[{"a": 1, "mapping": {"x": {"deep": 1', [{"a": 1, "mapping": {}}]),
        (b'{"format": "plimsoll", "threads": [{"id": 1, "messages": [', {"format": "plimsoll", "threads": [{}]}),
        (b'[null, "x", {"a": [1, 2]}, {}]', [None, "x", {"a": []}, {}]),
        (
            b'\xef\xbb\xbf {"type": "user", "message": {"a": {"b": 1}}}\n{"type": 2}',
            {"type": "user", "message": {"a": {}}},
        ),
        (b"no json", None),
        (b"[" * 100_000, [[[]]]),
        (b"", None),
        (b'{"a', {}),
        (b'{"a": tr', {}),
    ],
)
def test_the_shape_of_a_beginning(raw: bytes, expected: Json) -> None:
    assert shape(raw) == expected
