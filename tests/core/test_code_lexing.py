"""Code that grows gets the colours that lexing it whole gives."""

from __future__ import annotations

import re
from typing import Any

import pytest

from desktop_app.core.code_lexing import LONGEST_SPACE, REACH, LineLexer, Tokens, find_lexer, role_of
from tests.benchmarks.bench_transcript import CODE

SAMPLES = {
    **CODE,
    "python": CODE["python"] + 'TEXT = """a\ndef no_code():\n  for x in y: \'\n"""\nx = 1  # end\n',
    "javascript": CODE["javascript"] + "const t = `a ${b}\nfor (const x of y) {\n`; // end\n",
}


def whole(language: str, code: str) -> list[Tokens]:
    """Roles per line from the library's own loop."""
    lexer = find_lexer(language)
    assert lexer is not None
    lines: list[Tokens] = [[]]
    column = 0
    for _, kind, value in lexer.get_tokens_unprocessed(code):
        for number, piece in enumerate(value.split("\n")):
            if number:
                lines.append([])
                column = 0
            role = role_of(kind)
            if piece and role is not None:
                lines[-1].append((column, len(piece), role))
            column += len(piece)
    return lines


@pytest.mark.parametrize("language", list(CODE))
@pytest.mark.parametrize("size", [1, 7, 40])
def test_growing_code_is_coloured_like_the_whole(language: str, size: int) -> None:
    code = SAMPLES[language] * 3
    lexer = find_lexer(language)
    assert lexer is not None
    growing = LineLexer(lexer)
    for end in [*range(0, len(code), size), len(code)]:
        for _ in growing.run(code[:end]):
            pass
    assert merged(growing.lines) == merged(whole(language, code))


def merged(lines: list[Tokens]) -> list[list[tuple[int, str]]]:
    """One entry per coloured character: how tokens are cut does not matter."""
    return [[(at, role) for start, length, role in line for at in range(start, start + length)] for line in lines]


def test_an_unknown_language_has_no_lexer() -> None:
    assert find_lexer("no such language") is None


def test_lexing_can_be_stopped_and_taken_up_again() -> None:
    code = CODE["python"] * 50
    lexer = find_lexer("python")
    assert lexer is not None
    growing = LineLexer(lexer)
    for _ in growing.run(code):
        break
    for _ in growing.run(code):
        pass
    assert merged(growing.lines) == merged(whole("python", code))


class Counted:
    """An expression of a lexer, with how far each try could see."""

    def __init__(self) -> None:
        self.seen: list[int] = []

    def wrapped(self, match: Any) -> Any:
        def tried(text: str, position: int, end: int) -> object:
            self.seen.append(min(end, len(text)) - position)
            return match(text, position, end)

        return tried


@pytest.fixture
def counted(monkeypatch: pytest.MonkeyPatch) -> tuple[Counted, Any]:
    lexer, counting = find_lexer("python"), Counted()
    assert lexer is not None
    table = {
        state: [(counting.wrapped(match), action, after) for match, action, after in rules]
        for state, rules in lexer._tokens.items()  # type: ignore[attr-defined]
    }
    monkeypatch.setattr(lexer, "_tokens", table, raising=False)
    return counting, lexer


@pytest.mark.parametrize("unit", ["x = f(1, 'a'); ", "x", '"', "{"])
def test_a_line_that_is_packed_is_not_coloured_and_costs_nothing(counted: tuple[Counted, Any], unit: str) -> None:
    counting, lexer = counted
    lines, before, tries = LineLexer(lexer), "def a():\n    return 1\n", []
    for size in (2_100, 20_000, 64_000):
        counting.seen.clear()
        for _ in lines.run(before + unit * (size // len(unit))):
            pass
        tries.append(len(counting.seen))
    assert tries[1] == tries[2] <= tries[0] < 500
    assert lines.lines[:2] != [[], []]


def test_an_expression_sees_only_so_far(counted: tuple[Counted, Any]) -> None:
    counting, lexer = counted
    for _ in LineLexer(lexer).run('x = """' + "a b c\n" * 10_000):
        pass
    assert max(counting.seen) <= REACH


@pytest.mark.parametrize("size", [7, 5_000])
def test_no_expression_sees_white_space_without_end(monkeypatch: pytest.MonkeyPatch, size: int) -> None:
    lexer = find_lexer("c")
    assert lexer is not None
    seen: set[str] = set()

    def wrapped(match: Any) -> Any:
        def tried(text: str, position: int, end: int) -> object:
            seen.add(text[position:end])
            return match(text, position, end)

        return tried

    table = {
        state: [(wrapped(match), action, after) for match, action, after in rules]
        for state, rules in lexer._tokens.items()  # type: ignore[attr-defined]
    }
    monkeypatch.setattr(lexer, "_tokens", table, raising=False)
    code = "int a;\n" + "   \n" * 1_000 + "int b;\n"
    lines = LineLexer(lexer)
    for end in [*range(0, len(code), size), len(code)]:
        for _ in lines.run(code[:end]):
            pass
    assert lines.lines[0], "what stands before it is coloured"
    assert max(len(run) for text in seen for run in re.findall(r"\s+", text)) <= LONGEST_SPACE
