"""Reader of JSON piece by piece, with the place of a fault. Reads no files: bytes come in chunks.

The standard library's decoder takes one value after the other out of a window of text that moves on: it is as fast as
reading all at once, takes what `json.loads` takes, and knows where a fault is. Event parsers (ijson) are no faster,
lose half of a surrogate pair without a sign, and take memory by the square of the depth of what is nested.
"""

from __future__ import annotations

import codecs
import json
import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from functools import partial

from desktop_app.controller.formats.export_reading import ExportItem, UnreadableExportError
from desktop_app.core.messages import Json
from desktop_app.core.phrases import phrase

MOST_CHARACTERS = 512 * 1024**2
"""Of one value: conversations have up to 50 million, one of ours with its pictures some times more."""

WINDOW = 1024**2
"""Characters that are decoded at once, at least."""

_CUT = 16
"""Characters before the window's end in which a fault may come from the window's end: no literal is longer."""

_HALF_PAIR = re.compile(
    r"\\u[dD](?:[89abAB][0-9a-fA-F]{2}(?!\\u[dD][c-fC-F])"
    r"|[c-fC-F][0-9a-fA-F]{2}(?<!\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}))"
)
"""Begins with what a search skips to at once."""
_SURROGATE = re.compile("[\ud800-\udfff]")
_SPACE = re.compile(r"[ \t\n\r]*")
_TITLE = re.compile(r'"(?:title|name)"\s*:\s*("(?:[^"\\\x00-\x1f]|\\["\\/bfnrt]|\\u[0-9a-fA-F]{4}){1,200}")')


def _no_constant(name: str) -> Json:
    raise json.JSONDecodeError(f"{name} is no JSON number", name, 0)


_DECODER = json.JSONDecoder(parse_constant=_no_constant)
_CUT_NUMBER = 2
_SHAPE_LEVELS = 2
_SHAPE_ITEMS = 20


class JsonStream:
    """One JSON text, read once. Faults are `UnreadableExportError` with their place."""

    def __init__(self, chunks: Iterable[bytes]) -> None:
        self._chunks = iter(chunks)
        self._utf8 = codecs.getincrementaldecoder("utf-8-sig")()
        self._bytes_read = 0
        self._text = ""
        self._at = 0
        self._ended = False
        self._mark = (0, 0, 1)  # a place in the window: its character, the bytes of the file before it, its line

    def items(self, key: str | None = None) -> Iterator[ExportItem]:
        """The elements of the array at the top, or of the one under `key` of the object at the top.

        Without a key an object at the top is its own only element.
        """
        if (begin := self._next()) == "[" and key is None:
            yield from self._elements()
        elif begin == "{" and key is not None:
            yield from self._under(key)
        elif key is not None:
            raise self._fault(phrase("expected an object"))
        else:
            yield self._item(0)
        if self._next():
            raise self._fault(phrase("expected the end of the file"))

    def value(self) -> Json:
        """All of it as one value."""
        value = self._value(0)
        if self._next():
            raise self._fault(phrase("expected the end of the file"))
        return value

    def _elements(self) -> Iterator[ExportItem]:
        self._at += 1
        number = 0
        if self._next() == "]":
            self._at += 1
            return
        while True:
            yield self._item(number)
            number += 1
            if (separator := self._next()) not in (",", "]"):
                raise self._fault(phrase("expected a comma or the end of the list"))
            self._at += 1
            if separator == "]":
                return

    def _under(self, wanted: str) -> Iterator[ExportItem]:
        self._at += 1
        found = False
        while True:
            if self._next() != '"':
                raise self._fault(phrase("expected a name in quotes"))
            key = self._value(0)
            if self._next() != ":":
                raise self._fault(phrase("expected a colon"))
            self._at += 1
            if key == wanted:
                if found or self._next() != "[":
                    raise self._fault(phrase("expected one list under {name}", name=wanted))
                found = True
                yield from self._elements()
            else:
                self._value(0)
            if (separator := self._next()) not in (",", "}"):
                raise self._fault(phrase("expected a comma or the end of the object"))
            if separator == "}" and not found:
                raise self._fault(phrase("expected one list under {name}", name=wanted))
            self._at += 1
            if separator == "}":
                return

    def _item(self, number: int) -> ExportItem:
        self._next()
        place = self._place(self._at)
        return ExportItem(number, self._value(number + 1), place)

    def _next(self) -> str:
        """The next character that is no space, without taking it; empty at the end."""
        while True:
            space = _SPACE.match(self._text, self._at)
            self._at = space.end() if space is not None else self._at
            if self._at < len(self._text):
                return self._text[self._at]
            if not self._more():
                return ""

    def _value(self, number: int) -> Json:
        """Takes the value that begins at the next character; `number`: which item it is, from 1; 0: none."""
        self._next()
        while True:
            try:
                value, end = _DECODER.raw_decode(self._text, self._at)
            except json.JSONDecodeError as error:
                at = error.pos if error.doc is self._text else self._at
                may_be_cut = at >= len(self._text) - _CUT or error.msg.startswith("Unterminated string")
                if not (may_be_cut and self._more()):
                    raise self._fault(error.msg.removesuffix(" at"), at, number) from error
            except ValueError as error:  # Python reads some 4,300 digits
                raise self._fault(phrase("a number that is too long"), None, number) from error
            except RecursionError as error:
                raise self._fault(phrase("nested too deeply to be an export"), None, number) from error
            else:
                # What looks whole may be the beginning of a number: 0 of "0.5", 1 of "1e+3".
                if end < len(self._text) - _CUT_NUMBER or not self._more():
                    break
        begin, self._at = self._at, end
        return value if _HALF_PAIR.search(self._text, begin, end) is None else _mended(value)

    def _more(self) -> bool:
        """Moves the window on and makes it twice as long as what is left of it; False: it had the end already."""
        if self._ended:
            return False
        self._place(self._at)
        if len(left := self._text[self._at :]) > MOST_CHARACTERS:
            raise self._fault(phrase("more than {most:,} characters in one value", most=MOST_CHARACTERS))
        self._mark, self._at = (0, *self._mark[1:]), 0
        pieces, wanted = [left], max(WINDOW, len(left))
        while wanted > 0:
            chunk = next(self._chunks, b"")
            held = len(self._utf8.getstate()[0])
            try:
                text = self._utf8.decode(chunk, final=not chunk)
            except UnicodeDecodeError as error:
                byte = self._bytes_read - held + error.start
                raise UnreadableExportError(phrase("not UTF-8 text (byte {byte:,})", byte=byte)) from error
            self._bytes_read += len(chunk)
            pieces.append(text)
            wanted -= len(text)
            if not chunk:
                self._ended = True
                break
        self._text = "".join(pieces)
        return True

    def _place(self, at: int) -> str:
        """The place of a character for people. Each is counted once: `at` never goes back."""
        character, byte, line = self._mark
        between = self._text[character:at]
        line += between.count("\n")
        byte += len(between) if between.isascii() else len(between.encode("utf-8", "surrogatepass"))
        self._mark = (at, byte, line)
        return phrase("line {line:,}, byte {byte:,}", line=line, byte=byte + 1)

    def _fault(self, why: str, at: int | None = None, number: int = 0) -> UnreadableExportError:
        begin = self._at
        place = self._place(begin if at is None else max(at, begin))
        if not number:
            return UnreadableExportError(phrase("not JSON: {why} at {place}", why=why, place=place))
        title = _TITLE.search(self._text, begin, max(at or begin, begin))
        item = phrase("item {number}", number=number)
        if title is not None:
            item = phrase('item {number} "{title}"', number=number, title=_mended(json.loads(title[1])))
        return UnreadableExportError(phrase("not JSON: {why} at {place}, in {item}", why=why, place=place, item=item))


def shape(beginning: bytes) -> Json:
    """Return the two upper levels of a JSON text that may be cut off; None if it is none.

    Objects and arrays of the third level are empty, and what comes after 20 elements is left away.
    """
    text = beginning.decode("utf-8-sig", "replace")
    found: list[Json] = []
    with suppress(ValueError, RecursionError):  # it is cut off somewhere, as a rule
        _add_shape(text, _after_space(text, 0), _SHAPE_LEVELS, found.append)
    return found[0] if found else None


def _add_shape(text: str, at: int, levels: int, add: Callable[[Json], None]) -> int:
    """Adds the shape of the value at this place, as far as it is there, and returns where it ends."""
    begin = text[at : at + 1]
    named: dict[str, Json] = {}
    listed: list[Json] = []
    if begin == "{":
        add(named)
    elif begin == "[":
        add(listed)
    if begin not in ("{", "[") or not levels:
        value, end = _DECODER.raw_decode(text, at)
        if begin not in ("{", "["):
            add(value)
        return end
    at = _after_space(text, at + 1)
    while text[at : at + 1] not in ("}", "]"):
        if len(listed) == _SHAPE_ITEMS:
            raise ValueError("enough was seen")
        add_inner = listed.append
        if begin == "{":
            key, at = _DECODER.raw_decode(text, at)
            add_inner = partial(named.__setitem__, str(key))
            at = _after_space(text, text.index(":", at) + 1)
        at = _after_space(text, _add_shape(text, at, levels - 1, add_inner))
        if text[at : at + 1] == ",":
            at = _after_space(text, at + 1)
    return at + 1


def _after_space(text: str, at: int) -> int:
    return at if (space := _SPACE.match(text, at)) is None else space.end()


def _mended(value: Json) -> Json:
    """Half of a surrogate pair can be written in JSON, but is no text that any file could hold."""
    if isinstance(value, str):
        return value if value.isascii() else _SURROGATE.sub("\ufffd", value)
    if isinstance(value, dict):
        return {str(_mended(name)): _mended(item) for name, item in value.items()}
    if isinstance(value, list):
        return [_mended(item) for item in value]
    return value
