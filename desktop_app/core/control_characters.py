"""Owns how control characters of foreign texts are shown where they would steer a terminal. Knows no stream."""

from __future__ import annotations

import re
from typing import Final

_STEERING: Final = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")
"""C0 without newline and tab, DEL, C1 (8-bit escape sequences), and the overrides of the writing direction."""

_CONTROL_PICTURES: Final = 0x2400
"""Unicode's signs for the C0 controls stand in their order from here; the one for DEL follows them."""


def with_visible_controls(text: str) -> str:
    """The text with control characters as signs that can be seen; newline and tab stay, CRLF is a newline."""
    return _STEERING.sub(_sign, text.replace("\r\n", "\n"))


def _sign(found: re.Match[str]) -> str:
    code = ord(found.group())
    if code < 0x20:
        return chr(_CONTROL_PICTURES + code)
    return "\N{SYMBOL FOR DELETE}" if code == 0x7F else f"<U+{code:04X}>"
