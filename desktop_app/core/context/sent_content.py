"""The part of a stored message that is sent: its blocks and roles, the app's own lines, annotations of what ended.

Every line of the app's own is one line in square brackets, made of nothing but facts of its own message, so that it
never changes.

Roles alternate, the first and the last message are the user's, consecutive messages of one role become blocks of one
message (PRODUCT.md CTX-8).

The rule for a message depends only on its own turn and on whether that turn is over, so its bytes never change from the
next request on (PRODUCT.md CTX-2).

Text that was typed or answered here is never read as a JSON array of content blocks: it is meant as it stands.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any, Final, assert_never

from desktop_app.core.attachment_facts import scanned_pdf
from desktop_app.core.context.token_estimator import as_sent
from desktop_app.core.messages import (
    DocumentPart,
    ImagePart,
    Json,
    Message,
    Part,
    Role,
    TextPart,
    ThinkingPart,
    ToolCallPart,
    ToolResultPart,
    UnknownPart,
)


@dataclass(frozen=True, slots=True)
class PlannedMessage:
    """One message of the request. Roles alternate over the request; `blocks` are sent in order, none is empty.

    `sources[i]` is the id of the message that block i comes from, None for the app's own markers.
    """

    role: Role
    blocks: tuple[Part, ...]
    sources: tuple[str | None, ...]


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
ARTIFACT_TOOLS: Final[tuple[str, str]] = ("create_artifact", "update_artifact")
ARTIFACT: Final = "artifact"
"""Under this name the facts of an artifact (id, title, version) stand in the `extra` of texts and of tool results."""
STAGE: Final = "stage"
"""In a call's `extra` of a growing answer: how far the call is, "asked" (about a consent) or "begun"."""
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
    if result is None and STAGE in call.extra:
        result = next(missing_results((call,), "the turn"))
    extra = {} if result is None else result.extra
    name = named if isinstance(named := extra.get("tool", call.extra.get("tool")), str) else call.name
    if isinstance(fate := extra.get("fate"), str):
        return action_note(f"{name}, which {fate}")
    if call.name in ARTIFACT_TOOLS:
        if result is not None and result.is_error:
            return action_note(f"{call.name}, which failed")
        made = extra.get(ARTIFACT)
        return artifact_note({**call.input, **made} if isinstance(made, Mapping) else call.input)
    if call.name not in SEARCH_TOOLS:
        failed = result is not None and result.is_error
        return action_note(name + (", which was not run" if extra.get("ran") is False else ", which failed" * failed))
    line = f'[{SEARCH_TOOLS[call.name]}] "{call.input.get("query") or call.input.get("id") or ""}"'
    passages, sources = extra.get("passages"), extra.get("documents") or extra.get("threads")
    if isinstance(passages, int):
        line += f" -> {passages} passage{'' if passages == 1 else 's'}"
        # by numbers only messages of this thread are found again
        line += _numbers(extra) if call.name == RECALL_TOOL else ""
        if isinstance(sources, Sequence) and not isinstance(sources, str) and sources:
            line += " from " + ", ".join(map(str, sources))
    return one_line(line)


def open_calls(parts: Sequence[Part]) -> tuple[ToolCallPart, ...]:
    """The calls among these parts that have no result there."""
    answered = {part.call_id for part in parts if isinstance(part, ToolResultPart)}
    return tuple(part for part in parts if isinstance(part, ToolCallPart) and part.id not in answered)


def missing_results(parts: Sequence[Part], ended: str) -> Iterator[ToolResultPart]:
    """Results for the calls that have none, as `ended` (the turn, or Plimsoll) ended before they came.

    A call's `STAGE` says how far it was: only one that had begun may have done something.
    """
    for call in open_calls(parts):
        stage, extra = call.extra.get(STAGE), {"tool": call.extra.get("tool", call.name)}
        fate = f"was not run: {ended} ended before" + " the user answered" * (stage == "asked")
        if begun := stage == "begun":
            fate = "may have run: its result is lost"
        yield ToolResultPart(call.id, f"This call {fate}.", True, {**extra, "fate": fate, "ran": begun and "perhaps"})


def _numbers(extra: Mapping[str, Json]) -> str:
    """`: messages 12, 40-44`, by which the model finds them again; "" where the result does not tell them."""
    if not isinstance(numbers := extra.get("numbers"), Sequence) or isinstance(numbers, str) or not numbers:
        return ""
    one = len(numbers) == 1 and str(numbers[0]).isdigit()
    return f": message{'' if one else 's'} " + ", ".join(map(str, numbers))


def action_note(name: str) -> str:
    """The one line that stands for any other tool."""
    return one_line(f"[performed an action] {name}")


def artifact_of(part: TextPart) -> Mapping[str, Json] | None:
    """The facts of an artifact whose body is this text part: `extra["artifact"]`. None: there is none any more."""
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


OPENING: Final = "[The conversation begins with the assistant]"
"""Stands in the user's role before a conversation whose first message is the assistant's."""

_BREAKS: Final = "\\n\\r\\x0b\\x0c\\x1c-\\x1e\\x85\\u2028\\u2029"
_FORGED: Final = re.compile(
    rf"(^|[{_BREAKS}])((?:(?![{_BREAKS}])\s)*)(?=\[(?:USER|ASSISTANT)\]:)",
    re.IGNORECASE,
)
_SURROGATES: Final = re.compile("[\ud800-\udfff]")


def clean_text(text: str) -> str:
    """The text without NUL and with U+FFFD for lone surrogates, which no provider takes."""
    if "\0" in text:
        text = text.replace("\0", "")
    if text.isascii():
        return text
    try:
        text.encode()
    except UnicodeEncodeError:
        return _SURROGATES.sub("\ufffd", text)
    return text


def clean_part(part: Part) -> Part | None:
    """The part as it may be sent, or None if nothing of it is left."""
    if isinstance(part, DocumentPart):
        part = as_sent(part)
    match part:
        case ThinkingPart(signature=str()):
            return part  # signed: it goes back as it came or not at all
        case TextPart(text) | ThinkingPart(text) | DocumentPart(text=text) | ToolResultPart(text=text):
            cleaned = clean_text(text)
            if not cleaned.strip() and not isinstance(part, ToolResultPart):
                return None
            return part if cleaned == text else replace(part, text=cleaned)
        case ImagePart(data=data):
            return part if data else None
        case ToolCallPart() | UnknownPart():
            return part
        case _:
            assert_never(part)


def labelled(block_text: str, role: Role) -> str:
    """One past or pending message as a block of a flattened history: label, text, blank line.

    A line of the text that begins, after spaces, with one of the labels in any case gets a backslash before the
    bracket, so that no text can pass for another speaker's.
    """
    label = "[USER]: " if role == "user" else "[ASSISTANT]: "
    return f"{label}{without_forged_labels(clean_text(block_text))}\n\n"


def without_forged_labels(text: str) -> str:
    """The text with every line-opening label escaped; unchanged, and quickly, where there is none."""
    return _FORGED.sub(r"\1\2\\", text) if "]:" in text else text


def merge(messages: Iterable[PlannedMessage]) -> tuple[PlannedMessage, ...]:
    """The messages with neighbours of one role made one; messages without blocks vanish."""

    merged: list[PlannedMessage] = []
    for message in messages:
        if not message.blocks:
            continue
        if merged and merged[-1].role == message.role:
            last = merged[-1]
            merged[-1] = PlannedMessage(last.role, last.blocks + message.blocks, last.sources + message.sources)
        else:
            merged.append(message)
    return tuple(merged)


def opened_by_user(messages: tuple[PlannedMessage, ...]) -> tuple[PlannedMessage, ...]:
    """The messages with an opening note in front if the assistant would speak first."""
    if not messages or messages[0].role == "user":
        return messages
    return (note("user", TextPart(OPENING)), *messages)


def note(role: Role, part: TextPart) -> PlannedMessage:
    """A message of the app's own."""

    return PlannedMessage(role, (part,), (None,))


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
    """The part of one message that is sent; `annotated` if a call, result or artifact became (part of) one line."""

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


def deleted_with(path: Sequence[Message], message_id: str) -> tuple[str, ...]:
    """The ids of a message's turn, which goes with it; the last answer goes alone, so that it can be asked again."""
    turn = turn_of(path, message_id)
    last = bool(turn) and turn[-1] == path[-1].id and opens_turn(path[-len(turn)])
    return turn[1:] if last and message_id != turn[0] else turn


def message_starts(path: Iterable[Message]) -> Iterator[int]:
    """The places at which a question or an answer begins; rounds of tools belong to their answer."""
    in_answer = False
    for place, message in enumerate(path):
        if (asked := opens_turn(message)) or not in_answer:
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
    """The tool results of some messages by the id of their call, the first of each."""
    # some servers count their calls anew in each answer
    found = [part for message in turn for part in message.parts if isinstance(part, ToolResultPart)]
    return {part.call_id: part for part in reversed(found)}


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
    """Return a block's part after its turn, and if it went into a line. `same`: its own provider reads it."""
    if (kind := str(part.raw.get("type"))) == _PROVIDERS_CALL:
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
        if (close := text.find(_ARTIFACT_END, position)) < 0:
            break
        pieces += [text[end:opening], artifact_note(dict(_ATTRIBUTE.findall(attributes[:_LONGEST_TAG])))]
        end = position = close + len(_ARTIFACT_END)
    return TextPart("".join([*pieces, text[end:]])) if pieces else None


_KINDS: Final = frozenset(
    (
        *("text", "thinking", "redacted_thinking", "tool_use", "tool_result", "image", "image_url", "document"),
        *("server_tool_use", "web_search_tool_result", "search_result"),
    )
)


def decoded_path(
    path: Sequence[Message], known: Mapping[str, tuple[Message, Message]], begun: Sequence[Message] = ()
) -> tuple[Message, ...]:
    """The path with every JSON-encoded message in parts. `known` (id -> as stored, as read) saves reading again.

    `begun`: the first messages of it as they were read before, each with the one behind it as it is now.

    Read are answers that no backend of this app gave, and user messages before such an answer, or with results for
    the calls of the message before them.
    """
    changed: dict[int, Message] = {}
    first = len(begun)
    for index, message in enumerate(islice(path, first, None), first):
        if not may_hold_blocks(message):
            continue
        if (earlier := known.get(message.id)) is not None and earlier[0] is message:
            changed[index] = earlier[1]
            continue
        if (read := decoded_parts(message.text)) is None:
            continue
        before = None
        if index:
            before = begun[-1] if index == first else changed.get(index - 1, path[index - 1])
        if _is_foreign(message, path[index + 1] if index + 1 < len(path) else None) or _answers_calls(read, before):
            changed[index] = replace(message, parts=read)
    if not changed:
        return (*begun, *path[first:])
    return (*begun, *(changed.get(index, path[index]) for index in range(first, len(path))))


def decoded_parts(text: str) -> tuple[Part, ...] | None:
    """The parts of a JSON array of content blocks; None if the text is anything else."""
    try:
        blocks = json.loads(text)
    except (ValueError, RecursionError):
        return None
    if not isinstance(blocks, list) or not blocks:
        return None
    if not all(isinstance(block, dict) and block.get("type") in _KINDS for block in blocks):
        return None
    return tuple(_part(block) for block in blocks)


def may_hold_blocks(message: Message) -> bool:
    """Return True if a message looks as if its only text were a JSON array of blocks; quick, and never a false no."""
    if len(parts := message.parts) != 1 or not isinstance(parts[0], TextPart):
        return False
    text = parts[0].text
    return text[:64].lstrip().startswith("[") and '"type"' in text


def _is_foreign(message: Message, after: Message | None) -> bool:
    if message.role == "assistant":
        return message.backend is None
    return after is not None and after.role == "assistant" and after.backend is None


def _answers_calls(read: Sequence[Part], before: Message | None) -> bool:
    calls = {part.id for part in before.parts if isinstance(part, ToolCallPart)} if before is not None else set()
    return any(isinstance(part, ToolResultPart) and part.call_id in calls for part in read)


def _part(block: dict[str, Any]) -> Part:  # noqa: PLR0911
    match block:
        case {"type": "text", "text": str(text)}:
            return TextPart(text)
        case {"type": "thinking", "thinking": str(text)}:
            signature = block.get("signature")
            return ThinkingPart(text, signature if isinstance(signature, str) else None)
        case {"type": "tool_use" | "server_tool_use", "id": str(call), "name": str(name)}:
            given = block.get("input")
            return ToolCallPart(call, name, given if isinstance(given, dict) else {})
        case {"type": "tool_result" | "web_search_tool_result", "tool_use_id": str(call)}:
            return ToolResultPart(call, _result_text(block.get("content")), bool(block.get("is_error")))
        case {"type": "image", "source": {"type": "base64", "media_type": str(kind), "data": str(data)}}:
            return ImagePart(str(block.get("name") or "image"), kind, data)
        case {"type": "image" | "image_url"}:
            # an image that lies elsewhere can't be sent, but that there was one is told
            return TextPart(image_note(ImagePart(str(block.get("name") or "image"), "", "")).text)
        case {"type": "document", "source": {"type": "text", "data": str(data)}}:
            title = block.get("title")
            return DocumentPart(
                str(title or "document"), data, hashlib.sha256(data.encode("utf-8", "replace")).hexdigest()
            )
        case _:
            return UnknownPart(block)


def _result_text(content: object) -> str:
    if isinstance(content, str):
        return content
    if not isinstance(content, list):
        return "" if content is None else json.dumps(content, ensure_ascii=False)
    texts = [item.get("text") for item in content if isinstance(item, dict)]
    return "\n\n".join(text for text in texts if isinstance(text, str))
