"""Marks what was kept of an answer as an artifact: later requests hold its note in place of the text."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Final

from desktop_app.core.context.sent_content import ARTIFACT
from desktop_app.core.messages import JsonObject, Message, Part, TextPart

FENCES: Final = ("```", "~~~")
DELETED: Final = "deleted"
"""In a mark's facts: the artifact was deleted, so that the text itself is sent again."""


def marked(answer: Message, artifact_id: str, title: str, version: int, text: str | None = None) -> Message:
    """The answer with a mark on all that it says, or on the one code block that holds `text`.

    A text that stands there twice or not at all, or in a part with facts of its own, leaves the answer as it is.
    """
    facts: JsonObject = {"id": artifact_id, "title": title, "version": version}
    if text is None:
        parts = tuple(
            replace(part, extra={**part.extra, ARTIFACT: facts}) if isinstance(part, TextPart) else part
            for part in answer.parts
        )
        return replace(answer, parts=parts)
    places = [place for place, part in enumerate(answer.parts) if isinstance(part, TextPart) and text in part.text]
    if len(places) != 1:
        return answer
    part = answer.parts[places[0]]
    if not isinstance(part, TextPart) or part.extra or part.text.count(text) != 1:
        return answer
    pieces = tuple(_split(part.text, text, {ARTIFACT: facts}))
    return replace(answer, parts=(*answer.parts[: places[0]], *pieces, *answer.parts[places[0] + 1 :]))


def with_mark_deleted(answer: Message, artifact_id: str, *, deleted: bool) -> Message:
    """The answer with the marks of an artifact switched off, or on again."""

    def switched(part: Part) -> Part:
        facts = part.extra.get(ARTIFACT) if isinstance(part, TextPart) else None
        if not isinstance(part, TextPart) or not isinstance(facts, Mapping) or facts.get("id") != artifact_id:
            return part
        kept = {name: value for name, value in facts.items() if name != DELETED}
        return replace(part, extra={**part.extra, ARTIFACT: kept | ({DELETED: True} if deleted else {})})

    return replace(answer, parts=tuple(map(switched, answer.parts)))


def _split(whole: str, text: str, extra: JsonObject) -> Iterator[TextPart]:
    """Yield the text before, the block with its fence, and the text behind; lines end, so that none runs on."""
    start = whole.index(text)
    end = start + len(text)
    line = whole.rfind("\n", 0, max(0, start - 1)) + 1
    opening = whole[line:start].strip()
    if opening.startswith(FENCES):
        after = whole.find("\n", end + 1)
        close = whole[end : after if after >= 0 else len(whole)].strip()
        if close.startswith(FENCES) and not close.strip("`~"):
            start, end = line, after if after >= 0 else len(whole)
    before, behind = whole[:start].rstrip("\n"), whole[end:].lstrip("\n")
    if before.strip():
        yield TextPart(f"{before}\n")
    yield TextPart(whole[start:end].rstrip("\n") + "\n", extra)
    if behind.strip():
        yield TextPart(behind)
