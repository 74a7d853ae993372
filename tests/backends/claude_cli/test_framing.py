"""Lines out of bytes, whatever the pieces they come in."""

from __future__ import annotations

import time
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from desktop_app.backends.claude_cli.program_process import LineFramer, LineTooLongError, record_of

LINE = st.text(st.characters(exclude_characters="\n\r", codec="utf-8"), min_size=1)


def pieces(data: bytes, cuts: list[int]) -> list[bytes]:
    edges = [0, *sorted({cut % (len(data) + 1) for cut in cuts}), len(data)]
    return [data[start:end] for start, end in pairwise(edges)]


@given(st.lists(LINE), st.lists(st.integers(0, 10_000)), st.booleans(), st.sampled_from(["\n", "\r\n", "\n\n"]))
def test_lines_do_not_depend_on_the_pieces(lines: list[str], cuts: list[int], closed: bool, ending: str) -> None:
    text = ending.join(lines) + (ending if closed else "")
    framer = LineFramer()

    got = [line for piece in pieces(text.encode(), cuts) for line in framer.feed(piece)]

    assert got + framer.end() == lines


def test_a_character_may_be_split_at_every_byte() -> None:
    framer = LineFramer()

    got = [line for byte in "Grüße 🌊 漢字\n".encode() for line in framer.feed(bytes([byte]))]

    assert got == ["Grüße 🌊 漢字"]


def test_line_separators_of_unicode_end_no_line() -> None:
    assert LineFramer().feed("a\u2028b\u0085c\x0bd\n".encode()) == ["a\u2028b\u0085c\x0bd"]


def test_bytes_that_are_no_text_are_replaced() -> None:
    assert LineFramer().feed(b"a\xff\xe2\x82b\n") == ["a\ufffd\ufffdb"]


def test_a_huge_line_in_small_pieces_takes_linear_time() -> None:
    def seconds(size: int) -> float:
        framer, start = LineFramer(), time.process_time()
        for _ in range(size // 1024):
            assert framer.feed(b"x" * 1024) == []
        assert [len(line) for line in framer.feed(b"\n")] == [size]
        return time.process_time() - start

    # eight times the bytes: 64 times the time if each piece were added to what is there
    assert min(seconds(2**25) for _ in range(3)) < 30 * min(seconds(2**22) for _ in range(3)) + 0.05


def test_a_line_without_an_end_is_given_up() -> None:
    framer = LineFramer(longest=1_000)
    assert framer.feed(b"a" * 900 + b"\n" + b"b" * 900) == ["a" * 900]
    with pytest.raises(LineTooLongError):
        framer.feed(b"b" * 200)


@pytest.mark.parametrize("line", ["[" * 100_000, '{"x": ' + "1" * 5_000 + "}", "[1]", "{"])
def test_a_line_that_is_no_record_is_an_empty_one(line: str) -> None:
    assert record_of(line) == {}
