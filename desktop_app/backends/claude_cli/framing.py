"""Owns the cut of a byte stream into lines, and of a line into a record. Knows nothing of what a record says.

A line of the program can be as long as a whole answer, so there is no limit on its length (the readers of asyncio
have one of 64 KiB and raise beyond it).
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any


class LineFramer:
    """Takes bytes in any pieces, gives whole lines. Linear in the bytes also where a line comes in many pieces."""

    def __init__(self) -> None:
        self._open: list[bytes] = []

    def feed(self, data: bytes) -> list[str]:
        """The lines that `data` completes, without line ends; empty ones are left out.

        Only whole lines are decoded, so a character may be split over two pieces. Bytes that are not UTF-8 become
        U+FFFD.
        """
        first, *others = data.split(b"\n")
        self._open.append(first)
        lines: list[bytes] = []
        for piece in others:
            lines.append(b"".join(self._open))
            self._open = [piece]
        return [text for line in lines if (text := _text(line))]

    def end(self) -> list[str]:
        """The last line where the stream ended without a line end."""
        rest, self._open = _text(b"".join(self._open)), []
        return [rest] if rest else []


def record_of(line: str) -> Mapping[str, Any]:
    """The JSON object of a line; an empty one for a line that is something else."""
    try:
        record = json.loads(line)
    except ValueError:
        return {}
    return record if isinstance(record, dict) else {}


def _text(line: bytes) -> str:
    return line.strip(b"\r").decode("utf-8", errors="replace")
