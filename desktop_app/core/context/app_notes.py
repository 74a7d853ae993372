"""The lines that the app itself puts into a request: annotations, references, markers.

Every such line is one line in square brackets, made of nothing but facts of its own message, so that it never changes.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Final

from desktop_app.core.messages import (
    DocumentPart,
    ImagePart,
    Json,
    TextPart,
    ToolCallPart,
    ToolResultPart,
)

RECALL_TOOL: Final = "search_this_thread"
DOCUMENTS_TOOL: Final = "search_documents"
HISTORY_TOOL: Final = "search_history"
SEARCH_TOOLS: Final = {
    DOCUMENTS_TOOL: "searched documents",
    "read_document": "searched documents",
    RECALL_TOOL: "searched this thread",
    HISTORY_TOOL: "searched other threads",
}
"""The tools that look something up, and what their notes say of it."""
ARTIFACT_TOOLS: Final = ("create_artifact", "update_artifact")
ARTIFACT: Final = "artifact"
"""Under this name the facts of an artifact (id, title, version) stand in the `extra` of texts and of tool results."""
SUMMARY_HEADING: Final = "[Conversation Summary]"

SYSTEM_NOTE: Final = (
    "Lines in square brackets such as [searched documents], [performed an action], [created artifact], "
    "[Image sent: ...], [Document attached above: ...], [Conversation Summary] and [... left out] are notes of the app "
    "about what happened here. Never write such lines yourself."
)
"""Ends the system prompt of every request that holds a note of the app."""

_NOTE: Final = (
    r"^[ \t>*`]*\[(?:searched (?:documents|this thread|other threads)\]|performed an action\]|created artifact\]"
    r"|Image sent: |Document attached above: |Conversation Summary\]|[\d,]+ earlier messages? left out\]"
    r"|\.\.\. [\d,]+ tokens? left out\])"
)
_IMITATION: Final = re.compile(_NOTE, re.IGNORECASE | re.MULTILINE)
_NOTE_LINE: Final = re.compile(_NOTE + r"[^\n]*\n?", re.IGNORECASE | re.MULTILINE)


def imitates_note(text: str) -> bool:
    """Return True if an answer holds a line that passes for a note of the app: it did not do what the line says."""
    return "[" in text and _IMITATION.search(text) is not None


def without_notes(text: str) -> str:
    """A text without the lines in it that are notes of the app, or pass for them."""
    return _NOTE_LINE.sub("", text) if "[" in text else text


def call_note(call: ToolCallPart, result: ToolResultPart | None) -> str:
    """The one line that stands for a tool call and its result once their turn is over."""
    if call.name in ARTIFACT_TOOLS:
        if result is not None and result.is_error:
            return action_note(f"{call.name}, which failed")
        made = None if result is None else result.extra.get(ARTIFACT)
        return artifact_note({**call.input, **made} if isinstance(made, Mapping) else call.input)
    if call.name not in SEARCH_TOOLS:
        return action_note(call.name)
    line = f'[{SEARCH_TOOLS[call.name]}] "{call.input.get("query") or call.input.get("id") or ""}"'
    extra = {} if result is None else result.extra
    passages, sources = extra.get("passages"), extra.get("documents") or extra.get("threads")
    if isinstance(passages, int):
        line += f" -> {passages} passage{'' if passages == 1 else 's'}"
        # by numbers only messages of this thread are found again
        line += _numbers(extra) if call.name == RECALL_TOOL else ""
        if isinstance(sources, Sequence) and not isinstance(sources, str) and sources:
            line += " from " + ", ".join(map(str, sources))
    return one_line(line)


def _numbers(extra: Mapping[str, Json]) -> str:
    """`: messages 12, 40-44`, by which the model finds them again; "" where the result does not tell them."""
    numbers = extra.get("numbers")
    if not isinstance(numbers, Sequence) or isinstance(numbers, str) or not numbers:
        return ""
    one = len(numbers) == 1 and str(numbers[0]).isdigit()
    return f": message{'' if one else 's'} " + ", ".join(map(str, numbers))


def action_note(name: str) -> str:
    """The one line that stands for any other tool."""
    return one_line(f"[performed an action] {name}")


def artifact_of(part: TextPart) -> Mapping[str, Json] | None:
    """The facts of an artifact whose body is this text part: `extra["artifact"]` with title and version.

    None where there is none, or where it was deleted.
    """
    artifact = part.extra.get(ARTIFACT)
    return artifact if isinstance(artifact, Mapping) and not artifact.get("deleted") else None


def artifact_note(facts: Mapping[str, Json]) -> str:
    """`[created artifact] title v2`; without a version where none is known."""
    title = facts.get("title") or facts.get("id") or "untitled"
    version = facts.get("version")
    return one_line(f"[created artifact] {title}" + (f" v{version}" if version else ""))


def image_note(image: ImagePart) -> TextPart:
    """Return the note for an image that is older than the last step."""
    return TextPart(one_line(f"[Image sent: {image.name or 'image'}]"))


def document_note(document: DocumentPart) -> TextPart:
    """Return the note for a document that is sent whole further up."""
    return TextPart(one_line(f"[Document attached above: {document.name}]"))


def summary_block(texts: Sequence[str], left_out: int) -> TextPart:
    """The block of a gap in which summaries stand for messages; `left_out` others of the gap have none."""
    pieces = [f"{SUMMARY_HEADING}\n{text.strip()}" for text in texts]
    if left_out:
        pieces.append(gap_marker(left_out).text)
    return TextPart("\n\n".join(pieces))


def gap_marker(left_out: int) -> TextPart:
    """The app's note in the place of messages that are left out."""
    return TextPart(f"[{left_out:,} earlier message{'' if left_out == 1 else 's'} left out]")


def one_line(text: str) -> str:
    """The text with every run of white space as one space."""
    return " ".join(text.split())
