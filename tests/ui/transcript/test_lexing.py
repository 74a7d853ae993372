"""Code that grows gets the colours that lexing it whole gives."""

from __future__ import annotations

import pytest

from desktop_app.ui.transcript.lexing import LineLexer, Tokens, find_lexer, role_of
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
