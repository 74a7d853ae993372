"""The part of a stored message that is sent: annotations for finished turns, all for the running tool loop.

The rule for a message depends only on its own turn and on whether that turn is over, so its bytes never change from the
next request on (PRODUCT.md CTX-2).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final, assert_never

from desktop_app.core.attachment_facts import scanned_pdf
from desktop_app.core.context.app_notes import ARTIFACT, action_note, artifact_note, artifact_of, call_note, image_note
from desktop_app.core.context.roles import clean_part, clean_text
from desktop_app.core.messages import (
    DocumentPart,
    ImagePart,
    Json,
    Message,
    Part,
    TextPart,
    ThinkingPart,
    ToolCallPart,
    ToolResultPart,
    UnknownPart,
)

_ARTIFACT: Final = "<antArtifact"
_ARTIFACT_END: Final = "</antArtifact>"
_LONGEST_TAG: Final = 2_000
"""Characters of an opening tag in which attributes are looked for."""
_ATTRIBUTE: Final = re.compile(r'\b(\w{1,40})="([^"]{0,400})"')


_THOUGHT: Final = ("redacted_thinking",)
_PROVIDERS_CALL: Final = "server_tool_use"
_PROVIDERS_RESULT: Final = "_tool_result"
"""Kinds of blocks in which a provider tells of what it thought, and of a tool that it ran itself."""


@dataclass(frozen=True, slots=True)
class Content:
    """The part of one message that is sent; `annotated` if a tool call, result or artifact became one line, or went
    into one.
    """

    blocks: tuple[Part, ...]
    annotated: bool = False


def opens_turn(message: Message) -> bool:
    """True for what a user wrote; a user message made of tool results continues the assistant's turn."""
    return message.role == "user" and not any(isinstance(part, ToolResultPart) for part in message.parts)


def turn_of(path: Sequence[Message], message_id: str) -> tuple[str, ...]:
    """The ids of the turn that a message of the path belongs to, from its question to before the next one."""
    place = next((index for index, message in enumerate(path) if message.id == message_id), None)
    if place is None:
        return ()
    first = next((index for index in range(place, -1, -1) if opens_turn(path[index])), 0)
    end = next((index for index in range(place + 1, len(path)) if opens_turn(path[index])), len(path))
    return tuple(message.id for message in path[first:end])


def message_starts(path: Iterable[Message]) -> Iterator[int]:
    """The places at which a question or an answer begins; rounds of tools belong to their answer."""
    in_answer = False
    for place, message in enumerate(path):
        asked = opens_turn(message)
        if asked or not in_answer:
            yield place
        in_answer = not asked


def running_turn_start(path: Sequence[Message]) -> int:
    """Index where the running tool loop's turn begins; the path's length if none is running.

    A loop is running while the path ends with tool results that the model has not answered yet.
    """
    if not path or path[-1].role != "user" or opens_turn(path[-1]):
        return len(path)
    index = len(path) - 1
    while index and not opens_turn(path[index]):
        index -= 1
    return index


def results_of(turn: Sequence[Message]) -> dict[str, ToolResultPart]:
    """The tool results of some messages by the id of their call."""
    return {part.call_id: part for message in turn for part in message.parts if isinstance(part, ToolResultPart)}


@dataclass(frozen=True, slots=True)
class Sight:
    """The formats that the model can look at: images, and the pages of a PDF."""

    images: bool = True
    pages: bool = True


ALL_SIGHT: Final = Sight()


def content_of(  # noqa: PLR0912  one per kind of part
    message: Message,
    results: Mapping[str, ToolResultPart],
    *,
    backend: str,
    labels: bool,
    running: bool,
    sight: Sight = ALL_SIGHT,
) -> Content:
    """Return the part of a message that is sent to `backend`. `results` are those of its turn; `labels`: history is
    flattened.

    What the model can't look at (`sight`), and a picture in an answer, is a line that says there was something.
    """
    blocks: list[Part] = []
    annotated = False
    kept: Mapping[str, Json] | None = None
    for part in message.parts:
        sent: Part | None
        match part:
            case ImagePart() if not sight.images or message.role == "assistant":
                # No provider takes a picture in an answer; imported ones have what another program drew.
                sent, annotated = image_note(part), True
            case DocumentPart() if not sight.pages and scanned_pdf(part) is not None:
                sent, annotated = replace(part, extra={}), True
            case _ if running and not labels:
                sent = part
            case ToolCallPart():
                sent, annotated = TextPart(clean_text(call_note(part, results.get(part.id)))), True
            case ToolResultPart():
                sent, annotated = None, True
            case ThinkingPart():
                sent = None
            case UnknownPart():
                sent, noted_call = _block_of_provider(part, same=not labels and message.backend == backend)
                annotated = annotated or noted_call
            case TextPart() if message.role == "assistant" and (facts := artifact_of(part)) is not None:
                # an answer that was kept whole may be several texts
                sent, annotated, kept = (None if facts == kept else TextPart(artifact_note(facts))), True, facts
            case TextPart() if message.role == "assistant" and (noted := _without_tagged(part)) is not None:
                sent, annotated = noted, True
            case TextPart(text, extra) if extra and (labels or message.backend != backend):
                sent = TextPart(text)
            case TextPart(text, extra) if ARTIFACT in extra:  # it was deleted
                sent = TextPart(text, {name: value for name, value in extra.items() if name != ARTIFACT})
            case TextPart() | ImagePart() | DocumentPart():
                sent = part
            case _:
                assert_never(part)
        cleaned = None if sent is None else clean_part(sent)
        if cleaned is not None:
            blocks.append(cleaned)
    return Content(tuple(blocks), annotated)


def _block_of_provider(part: UnknownPart, *, same: bool) -> tuple[Part | None, bool]:
    """Return the part of a block sent once its turn is over, and if a tool's call or result went into a line.

    `same`: the provider that made it reads it.
    """
    kind = str(part.raw.get("type"))
    if kind == _PROVIDERS_CALL:
        return TextPart(clean_text(action_note(str(part.raw.get("name"))))), True
    if kind.endswith(_PROVIDERS_RESULT):
        return None, True
    return (part if same and kind not in _THOUGHT else None), False


def _without_tagged(part: TextPart) -> TextPart | None:
    """The text with artifact bodies, which stand between tags, as one line each; None if it holds none."""
    text, pieces, end, position = part.text, [], 0, 0
    while (opening := text.find(_ARTIFACT, position)) >= 0 and (opened := text.find(">", opening)) >= 0:
        opening = text.rfind(_ARTIFACT, opening, opened)
        attributes = text[opening + len(_ARTIFACT) : opened]
        position = opened + 1
        if attributes and (attributes[0].isalnum() or attributes[0] == "_"):
            continue  # a tag with a longer name
        close = text.find(_ARTIFACT_END, position)
        if close < 0:
            break
        pieces += [text[end:opening], artifact_note(dict(_ATTRIBUTE.findall(attributes[:_LONGEST_TAG])))]
        end = position = close + len(_ARTIFACT_END)
    return TextPart("".join([*pieces, text[end:]])) if pieces else None
