"""Passages as the Messages API takes what a search found, and its citations of them as the ids that stand in a text.

A passage is a `search_result` block whose source is its id. What an answer takes from it comes back as a citation of
the text that it stands beside.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, Final

from desktop_app.core.messages import Json, JsonObject, TextPart, ToolResultPart
from desktop_app.core.projects import ID_DIGITS

if TYPE_CHECKING:
    from desktop_app.core.citations import SentPassage

MARKS: Final = "marks"
"""In the `extra` of a text: where in it the ids stand that were no text of the answer, first and last character."""

_MARK: Final = rf"\[[0-9a-f]{{{ID_DIGITS}}}-\d{{1,6}}\]"


def search_results(result: ToolResultPart) -> list[dict[str, Any]]:
    """The blocks of a result that holds passages, in its order; none where it holds none."""
    if not result.extra.get("passage_ids"):
        return []
    from desktop_app.core.citations import passages_of_result, spans_of_result  # most requests hold no passages

    blocks: list[dict[str, Any]] = []
    done = 0
    for passage, (start, end) in zip(passages_of_result(result), spans_of_result(result), strict=True):
        begin = result.text.rfind(f"[{passage.id}]", done, start)
        if begin < 0 or end <= start:
            return []
        _add_text(blocks, result.text[done:begin])
        # behind the line with the id, so that a table's header goes along
        _, _, text = result.text[begin:end].partition("\n")
        blocks.append(_block(passage, text))
        done = end
    if blocks:
        _add_text(blocks, result.text[done:])
    return blocks


def _block(passage: SentPassage, text: str) -> dict[str, Any]:
    return {
        "type": "search_result",
        "source": passage.id,
        "title": str(passage.title),
        "content": [{"type": "text", "text": text}],
        "citations": {"enabled": True},
    }


def _add_text(blocks: list[dict[str, Any]], between: str) -> None:
    """Add the text between passages, except what their blocks say themselves."""
    from desktop_app.core.document_search import CITE

    lines = [block for block in between.strip().split("\n\n") if block and block != CITE]
    if lines and lines[-1].startswith("# "):
        lines.pop()
    if lines:
        blocks.append({"type": "text", "text": "\n\n".join(lines)})


def holds_search_results(body: Mapping[str, Any]) -> bool:
    """Return True if a request holds passages that its answer can cite."""
    return any(
        isinstance(inner, Mapping) and inner.get("type") == "search_result"
        for message in body.get("messages") or ()
        for block in message["content"]
        if isinstance(block, Mapping) and isinstance(block.get("content"), list)
        for inner in block["content"]
    )


def cited_marks(raw: Mapping[str, Any]) -> str:
    """The ids that a text block cites, in brackets; without those that its text ends with."""
    text = str(raw.get("text", "")).rstrip()
    marks = dict.fromkeys(f"[{source}]" for source in _sources(raw.get("citations")))
    return "".join(mark for mark in marks if re.fullmatch(_MARK, mark) and not text.endswith(mark))


def _sources(citations: Json) -> Iterator[str]:
    for one in citations if isinstance(citations, list | tuple) else ():
        if isinstance(one, Mapping) and one.get("type") == "search_result_location":
            yield str(one.get("source", ""))


def marked(rest: JsonObject, start: int, marks: str) -> JsonObject:
    """The `extra` of a text that got these marks at `start`."""
    return {**rest, MARKS: [start, start + len(marks)]}


def as_it_came(part: TextPart) -> str:
    """A text without the ids that were none of it."""
    place = part.extra.get(MARKS)
    match place:
        case [int(start), int(end)] | (int(start), int(end)) if 0 <= start <= end <= len(part.text):
            return part.text[:start] + part.text[end:]
    return part.text
