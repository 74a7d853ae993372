"""Incremental lexing: tokens line by line, going on from the last complete line. Uses Pygments, never Qt.

Pygments' `RegexLexer` is a state machine over regular expressions. Its table (`_tokens`) is run here by our own loop,
because the loop of the library cannot be stopped and continued; the result is the same as the library's.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from pygments.lexer import DelegatingLexer, ExtendedRegexLexer, Lexer, RegexLexer
from pygments.token import Token, _TokenType

#: (start, length, role) in code points of one line; roles are those of the theme's `syntax-` colors.
Tokens = list[tuple[int, int, str]]

#: Code beyond this many characters is not colored: nobody reads it in a chat, and lexing has a price.
LONGEST = 400_000
#: The same for lexers that can't go on from a line and read all of the code again when it grows.
LONGEST_AGAIN = 40_000
#: From a longer line on, code is not colored: it is packed or data, and the open line is lexed again when it grows.
LONGEST_LINE = 2_000
#: So far an expression of a lexer sees: bounds what one of them can cost that tries again and again (characters).
REACH = 3_000
#: From so much white space in one piece on, code is not colored: for some lexers (C) it costs its third power.
LONGEST_SPACE = 200
_SPACE = re.compile(rf"\s{{{LONGEST_SPACE}}}")
_SPACE_BEGINS = re.compile(rf"(?<!\s){_SPACE.pattern}")  # tried once for each run: what is searched is linear

_ROLES: tuple[tuple[_TokenType, str], ...] = (
    (Token.Keyword, "keyword"),
    (Token.Operator.Word, "keyword"),
    (Token.Name.Tag, "keyword"),
    (Token.Literal.Number, "number"),
    (Token.Literal, "string"),
    (Token.Comment, "comment"),
    (Token.Name.Class, "type"),
    (Token.Name.Builtin, "type"),
    (Token.Name.Exception, "type"),
    (Token.Name.Namespace, "type"),
    (Token.Name.Function, "name"),
    (Token.Name.Decorator, "name"),
    (Token.Name.Attribute, "name"),
    (Token.Name.Property, "name"),
    (Token.Name.Variable, "name"),
    (Token.Operator, "operator"),
    (Token.Generic.Inserted, "string"),
    (Token.Generic.Deleted, "keyword"),
    (Token.Generic.Heading, "type"),
    (Token.Generic.Subheading, "type"),
)


def find_lexer(language: str) -> Lexer | None:
    """The compiled lexer for a fence's word, or None. Takes 2-30 ms the first time: to be called off the GUI thread."""
    from pygments.lexers import get_lexer_by_name  # 7 ms, not needed before there is code
    from pygments.util import ClassNotFound

    try:
        lexer = get_lexer_by_name(language, stripnl=False, ensurenl=False)
    except ClassNotFound:
        return None
    for _ in lexer.get_tokens_unprocessed("x = 1\n"):  # compiles what is compiled late
        pass
    return lexer


def role_of(kind: _TokenType) -> str | None:
    """The theme's role for a token type; None for plain text."""
    return next((role for parent, role in _ROLES if kind[: len(parent)] == parent), None)


class LineLexer:
    """Turns code that only grows at its end into tokens per line."""

    def __init__(self, lexer: Lexer) -> None:
        self._lexer = lexer
        self._incremental = isinstance(lexer, RegexLexer) and not isinstance(
            lexer, ExtendedRegexLexer | DelegatingLexer
        )
        self._stack = ["root"]
        self._roles: dict[_TokenType, str | None] = {}
        self._position = 0
        self._line = 0
        self.lines: list[Tokens] = [[]]

    def run(self, code: str) -> Iterator[int]:
        """Lexes `code` from the last line that was complete before; yields the last finished line now and then.

        The code given before must be the beginning of this one. Stop iterating at any time; a later `run` goes on.
        """
        if len(code) > (LONGEST if self._incremental else LONGEST_AGAIN):
            return
        code = code[: self._end_of_short_lines(code)]
        space = _SPACE.match(code, self._position) or _SPACE_BEGINS.search(code, self._position)
        code = code[: space.start()] if space else code
        start = self._position if self._incremental else 0
        line = self._line if self._incremental else 0
        stack = list(self._stack)
        del self.lines[line:]
        self.lines.append([])
        column = 0
        source = self._states(code, start, stack) if self._incremental else self._plain(code)
        for count, (position, kind, value) in enumerate(source, 1):
            role = self._role(kind)
            pieces = value.split("\n") if "\n" in value else (value,)
            for index, piece in enumerate(pieces):
                if index:
                    self.lines.append([])
                    line, column = line + 1, 0
                if piece and role is not None:
                    self.lines[-1].append((column, len(piece), role))
                column += len(piece)
            if value.endswith("\n"):
                end = position + len(value)
                # the state behind a line break belongs to the next line; the open line is always lexed again
                self._position, self._line, self._stack = end, line, list(stack)
            if not count & 7:
                yield line
        yield line

    def _end_of_short_lines(self, code: str) -> int:
        """Return the beginning of the first line that is too long, or the end."""
        start = self._position
        while (end := code.find("\n", start, start + LONGEST_LINE + 1)) >= 0:
            start = end + 1
        return len(code) if len(code) - start <= LONGEST_LINE else start

    def _role(self, kind: _TokenType) -> str | None:
        if kind not in self._roles:
            self._roles[kind] = role_of(kind)
        return self._roles[kind]

    def _plain(self, code: str) -> Iterator[tuple[int, _TokenType, str]]:
        yield from self._lexer.get_tokens_unprocessed(code)

    def _states(self, text: str, position: int, stack: list[str]) -> Iterator[tuple[int, _TokenType, str]]:
        table: dict[str, list[Any]] = self._lexer._tokens  # type: ignore[attr-defined]
        rules = table[stack[-1]]
        while True:
            end = position + REACH
            for match, action, new_state in rules:
                if not (found := match(text, position, end)):
                    continue
                position = found.end()
                if new_state is not None:
                    pending = (found, action)
                    # tokens first, then the state: whoever reads `stack` at a line's end must see what follows it
                    tokens = list(self._tokens_of(*pending))
                    _enter(stack, new_state)
                    rules = table[stack[-1]]
                    yield from tokens
                else:
                    yield from self._tokens_of(found, action)
                break
            else:
                if position >= len(text):
                    return
                if text[position] == "\n":
                    stack[:] = ["root"]
                    rules = table["root"]
                    yield position, Token.Text.Whitespace, "\n"
                else:
                    yield position, Token.Error, text[position]
                position += 1

    def _tokens_of(self, found: Any, action: Any) -> Iterator[tuple[int, _TokenType, str]]:
        if action is None:
            return
        if type(action) is _TokenType:
            yield found.start(), action, found.group()
        else:
            for position, kind, value in action(self._lexer, found):
                if value:
                    yield position, kind, value


def _enter(stack: list[str], new_state: Any) -> None:
    if isinstance(new_state, tuple):
        for state in new_state:
            _enter_one(stack, state)
    elif isinstance(new_state, int):
        if abs(new_state) >= len(stack):
            del stack[1:]
        else:
            del stack[new_state:]
    else:
        _enter_one(stack, new_state)


def _enter_one(stack: list[str], state: str) -> None:
    if state == "#pop":
        if len(stack) > 1:
            stack.pop()
    elif state == "#push":
        stack.append(stack[-1])
    else:
        stack.append(state)
