"""Owns the title a thread gets at once, from the words of its first message. Knows no model."""

from __future__ import annotations

LONGEST = 60


def title_from(text: str) -> str:
    """The first words of `text` on one line, at most 60 characters, cut between words where there are spaces."""
    line = " ".join(text[: LONGEST * 20].split())
    if len(line) <= LONGEST:
        return line
    cut = line.rfind(" ", LONGEST // 2, LONGEST)
    return (line[:cut] if cut > 0 else line[: LONGEST - 1]).rstrip(" ,;:.") + "…"
