"""Decodes bytes as text, and says where that was a guess."""

from __future__ import annotations

import codecs
import re
from typing import Final

from desktop_app.core.phrases import phrase
from desktop_app.documents.reading_errors import BINARY, UnreadableError

SAMPLE: Final = 100_000
"""Bytes that a guess looks at; a character of another encoding may stand further down."""

UNSURE: Final = 0.1
"""Below this the guesses are no better than the encoding that most such files have."""

MOST_CONTROLS: Final = 0.01
"""Share of control characters above which something is no text."""

USUAL: Final = "windows-1252"

_MARKS: Final = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_DECLARED: Final = re.compile(
    rb"""<\?xml[^>]{0,80}?encoding\s*=\s*["']([\w.:-]{2,40})"""
    rb"""|<meta[^>]{0,200}?charset\s*=\s*["']?([\w.:-]{2,40})"""
    rb"""|^[ \t]*#.{0,80}?coding[:=][ \t]*([\w.:-]{2,40})""",
    re.IGNORECASE | re.MULTILINE,
)
_DECLARED_WITHIN: Final = 1_024
_CONTROLS: Final = re.compile("[\0-\x08\x0e-\x1a\x1c-\x1f\x7f-\x84\x86-\x9f\ufffe\uffff]")
_JAPANESE: Final = re.compile(rb"\x1b\$[@B]")
"""The beginning of Japanese in ISO-2022-JP, which has no byte above 127; the colours of a terminal look otherwise."""


def decoded(data: bytes) -> tuple[str, str]:
    """The text, with lines ending in a line feed, and a sentence where its encoding is a guess, else "".

    A mark at the beginning, valid UTF-8 and what the text declares of itself are no guesses. `UnreadableError` for what
    is no text.
    """
    for mark, encoding in _MARKS:
        if data.startswith(mark):
            # a damaged character shows as the sign that stands for such
            return _plain(data[len(mark) :].decode(encoding, errors="replace")), ""
    wide = _wide(data)
    if wide is not None:
        return _plain(wide[0]), _guessed(wide[1])
    if not (data.isascii() and _JAPANESE.search(data)):
        try:
            return _plain(data.decode("utf-8")), ""
        except UnicodeDecodeError:
            pass
    found = _declared(data)
    if found is not None:
        return _plain(found), ""
    if _mostly_utf8(data):
        damaged = phrase("Some bytes are not valid UTF-8 and were replaced.")
        return _plain(data.decode("utf-8", errors="replace")), damaged
    return _by_guess(data)


def _by_guess(data: bytes) -> tuple[str, str]:
    import chardet

    best = chardet.detect(data[:SAMPLE])
    name, sure = best["encoding"], best["confidence"]
    order = (USUAL, name) if name and sure < UNSURE else (name, USUAL)
    for encoding in filter(None, order):
        text = _as(data, encoding)
        if text is not None and not _noisy(text):
            return _plain(text), "" if _is_utf8(encoding) else _guessed(encoding)
    raise UnreadableError(BINARY)


def _guessed(encoding: str) -> str:
    name = encoding.upper().replace("WINDOWS", "Windows").replace("MAC", "Mac", 1)
    return phrase("Its encoding is not stated; it was read as {name}, which is a guess.", name=name)


def _is_utf8(encoding: str) -> bool:
    return encoding.lower().replace("_", "-") in ("utf-8", "ascii", "us-ascii")


def _mostly_utf8(data: bytes) -> bool:
    """Return True if a few damaged bytes are the only fault: a text cut within a character, a stray byte in a log."""
    text = data.decode("utf-8", errors="replace")
    strange = text.count("\ufffd")
    beyond = sum(1 for one in text[:SAMPLE] if one > "\x7f")
    return not _noisy(text) and strange <= max(1, len(text) // 1_000) and beyond > 4 * text[:SAMPLE].count("\ufffd")


def _declared(data: bytes) -> str | None:
    found = _DECLARED.search(data[:_DECLARED_WITHIN])
    if found is None:
        return None
    name = next(one for one in found.groups() if one is not None).decode("ascii", errors="ignore")
    # pages say Latin-1 and mean the encoding that Windows has made of it
    return _as(data, USUAL if name.lower() in ("iso-8859-1", "latin-1", "latin1") else name)


def _wide(data: bytes) -> tuple[str, str] | None:
    """UTF-16 without a mark: every other byte of its digits, spaces and Latin letters is zero."""
    sample = data[:SAMPLE]
    zeros = sample.count(0)
    if not zeros or zeros < len(sample) // 50 or len(data) % 2:
        return None
    even, odd = sample[0::2].count(0), sample[1::2].count(0)
    if min(even, odd) * 20 > max(even, odd):
        return None
    encoding = "utf-16-le" if odd > even else "utf-16-be"
    text = _as(data, encoding)
    return (text, encoding) if text is not None and not _noisy(text) else None


def _as(data: bytes, encoding: str) -> str | None:
    try:
        return data.decode(encoding)
    except (LookupError, ValueError):  # there is no such encoding, or it is another one
        return None


def _noisy(text: str) -> bool:
    return len(_CONTROLS.findall(text)) > len(text) * MOST_CONTROLS


def _plain(text: str) -> str:
    if _noisy(text):
        raise UnreadableError(BINARY)
    return text.replace("\r\n", "\n").replace("\r", "\n")
