"""The tool that looks up what was left out of a request: what it may look at, what it answers (CTX-13)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final, assert_never

from desktop_app.core.attachment_facts import is_in_part
from desktop_app.core.context.plan import ContextPlan
from desktop_app.core.context.sent_content import RECALL_TOOL, SEARCH_TOOLS, artifact_of
from desktop_app.core.messages import (
    DocumentPart,
    ImagePart,
    JsonObject,
    Message,
    Part,
    TextPart,
    ThinkingPart,
    ToolCallPart,
    ToolResultPart,
    UnknownPart,
)
from desktop_app.core.recall_result import RecallResult
from desktop_app.core.tool_spec import ToolSpec

TOOL_NAME: Final = RECALL_TOOL
TOOL_DESCRIPTION: Final = (
    "Searches the earlier messages of this conversation that are no longer in view: messages that were left out or "
    "summarised, and what tools returned in earlier turns. Use it when the user refers to something said before that "
    "you do not see, or when an exact earlier wording, value, name or decision matters. Returns the best passages in "
    "their order, with message numbers; the query `message 12` or `messages 40-44` reads more of these."
)
TOOL_SCHEMA: Final[JsonObject] = {
    "type": "object",
    "properties": {
        "query": {
            "type": "string",
            "description": "What to look for: a question, or the words, names, numbers or identifiers that the earlier "
            "message is likely to hold, in the language of the conversation.",
        }
    },
    "required": ["query"],
    "additionalProperties": False,
}
"""JSON Schema of the tool's input."""

RECALL: Final = ToolSpec(TOOL_NAME, TOOL_DESCRIPTION, TOOL_SCHEMA, recalls=True)

QUERY_MISSING: Final = "The query is missing: say in `query` what to look for."
NOTHING_FOUND: Final = (
    "Nothing was found in the earlier messages of this conversation. Other words for the same thing may find it; "
    "otherwise it was not said here."
)
NO_SUCH_MESSAGE: Final = "This conversation has {count} messages so far, and none of these numbers that can be read."
ALL_IN_VIEW: Final = "Nothing has been left out so far: all of this conversation is in view."
OUT_OF_VIEW: Final = frozenset({"left_out", "annotated", "summarised"})

MOST_NAMED: Final = 20
"""Messages that one call may ask for by their numbers."""
LONGEST_NAMED: Final = 200
"""Characters of a query that does so; a longer one is looked for as words."""

_NAMED: Final = re.compile(r"[\W_]*messages?[\s#]*(\d[\d\s,#and–-]*)[\W_]*", re.IGNORECASE)
_RANGE: Final = re.compile(r"(\d+(?:,\d{3})*)(?:\s*[-–]\s*#?(\d+(?:,\d{3})*))?")


def eligible(plan: ContextPlan, path: Sequence[Message]) -> frozenset[str]:
    """The ids of the messages of `path` that the tool may look up: not in the request, or not whole.

    Also what is asked just now, where a document goes along in part. Never excluded ones, nor such as lack nothing in
    the request but what earlier searches returned.
    """
    states = {placed.id: placed.state for placed in plan.placement.messages}
    searches = {
        part.id
        for message in path
        for part in message.parts
        if isinstance(part, ToolCallPart) and part.name in SEARCH_TOOLS
    }
    return frozenset(
        message.id
        for message in path
        if (
            (state := states.get(message.id)) in OUT_OF_VIEW
            and any(_recallable(part, searches, in_view=state == "annotated") for part in message.parts)
        )
        or (state != "excluded" and any(map(is_in_part, message.parts)))
    )


def _recallable(part: Part, searches: set[str], *, in_view: bool) -> bool:
    """Return True if a part may bring its message back; `in_view`: the words of it are in the request."""
    match part:
        case ToolCallPart(id=call_id) | ToolResultPart(call_id=call_id):
            return call_id not in searches
        case TextPart(text):
            return not in_view or artifact_of(part) is not None or "<antArtifact" in text
        case DocumentPart() | ImagePart() | UnknownPart():
            return True
        case ThinkingPart():
            return False
        case _:
            assert_never(part)


def named_messages(query: str) -> tuple[int, ...]:
    """The numbers of the messages that a query asks for and nothing else, such as `messages 12, 40-44`; else empty."""
    found = _NAMED.fullmatch(query) if len(query) <= LONGEST_NAMED else None
    numbers: dict[int, None] = {}
    for first, last in _RANGE.findall(found[1]) if found else ():
        begin = int(first.replace(",", ""))
        end = int(last.replace(",", "")) if last else begin
        numbers.update(dict.fromkeys(range(begin, min(end, begin + MOST_NAMED) + 1)))
    return tuple(numbers)[:MOST_NAMED]


def found_at(path: Sequence[Message], message_id: str) -> int:
    """Return the place in its text where a message was found by the newest search that did; 0 where none did."""
    for message in reversed(path):
        for part in message.parts:
            if isinstance(part, ToolResultPart):
                ids, places = part.extra.get("messages"), part.extra.get("at")
                if isinstance(ids, (list, tuple)) and isinstance(places, (list, tuple)) and message_id in ids:
                    at = places[ids.index(message_id)] if len(places) == len(ids) else 0
                    return at if isinstance(at, int) else 0
    return 0


def result_facts(result: RecallResult) -> JsonObject:
    """Return the facts kept of a result beside its text: how many passages, where each leads and begins, by which
    numbers.
    """
    return {
        "passages": len(result.passages),
        "messages": [passage.message_id for passage in result.passages],
        "numbers": [passage.numbers for passage in result.passages],
        "at": [passage.at for passage in result.passages],
        "starts": [passage.start for passage in result.passages],
    }
