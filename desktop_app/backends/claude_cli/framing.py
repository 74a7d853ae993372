"""Cuts a byte stream into lines, and reads a line as a record.

A line of the program can be as long as a whole answer, with pictures (the readers of asyncio raise beyond 64 KiB).
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Final

LONGEST_LINE: Final = 64 << 20
"""Bytes of a line; no answer comes near it."""


class LineTooLongError(Exception):
    """The program writes a line without an end."""


class LineFramer:
    """Takes bytes in any pieces, gives whole lines. Linear in the bytes also where a line comes in many pieces."""

    def __init__(self, longest: int = LONGEST_LINE) -> None:
        self._longest = longest
        self._length = 0
        self._open: list[bytes] = []

    def feed(self, data: bytes) -> list[str]:
        """The lines that `data` completes, without line ends; empty ones are left out.

        Only whole lines are decoded, so a character may be split over two pieces. Bytes that are not UTF-8 become
        U+FFFD. `LineTooLongError` where one is longer than any can be.
        """
        first, *others = data.split(b"\n")
        self._open.append(first)
        self._length += len(first)
        if self._length > self._longest:
            raise LineTooLongError(f"a line of more than {self._longest:,} bytes")
        lines: list[bytes] = []
        for piece in others:
            lines.append(b"".join(self._open))
            self._open, self._length = [piece], len(piece)
        return [text for line in lines if (text := _text(line))]

    def end(self) -> list[str]:
        """The last line where the stream ended without a line end."""
        rest, self._open = _text(b"".join(self._open)), []
        return [rest] if rest else []


def record_of(line: str) -> Mapping[str, Any]:
    """The JSON object of a line; an empty one for a line that is something else."""
    try:
        record = json.loads(line)
    except (ValueError, RecursionError):
        return {}
    return record if isinstance(record, dict) else {}


def _text(line: bytes) -> str:
    return line.strip(b"\r").decode("utf-8", errors="replace")
