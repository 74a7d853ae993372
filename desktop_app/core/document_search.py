"""The tools that look into a project's documents: what they are told to the model, and what they wrote so far (DOC-2).

Two budgets bound what passages may cost: one for a call, one for a turn. No passage is sent twice in one request.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from desktop_app.core.attachment_facts import is_in_part
from desktop_app.core.context.plan import ContextPlan
from desktop_app.core.context.sent_content import DOCUMENTS_TOOL, opens_turn
from desktop_app.core.context.text_features import features
from desktop_app.core.context.token_estimator import TokenEstimator
from desktop_app.core.messages import DocumentPart, Json, JsonObject, Message, ToolCallPart, ToolResultPart
from desktop_app.core.projects import ID_DIGITS
from desktop_app.core.tool_spec import ToolSpec

CALL_TOKENS: Final = 2_000
"""Tokens that one result may have."""

TURN_TOKENS: Final = 20_000
"""Tokens that all results of a turn may have together: an answer that needs more is better asked for in parts."""

SEARCH: Final = DOCUMENTS_TOOL
READ: Final = "read_document"
LIST: Final = "list_documents"
DOCUMENT_TOOLS: Final = (SEARCH, READ, LIST)


def _schema(required: Sequence[str], **properties: JsonObject) -> JsonObject:
    return {
        "type": "object",
        "properties": properties,
        "required": list(required),
        "additionalProperties": False,
    }


def _text(description: str) -> JsonObject:
    return {"type": "string", "description": description}


def _number(description: str) -> JsonObject:
    return {"type": "integer", "description": description}


SEARCH_DOCUMENTS: Final = ToolSpec(
    SEARCH,
    "Searches the documents of this project. Returns the best passages with their headings and pages. Every passage "
    "has an id; write it in square brackets right behind each statement that rests on the passage, such as "
    "[3f2a1b9c04-12]. Search before you answer about the documents, and again with other words where the answer is "
    "not among the passages.",
    _schema(
        ["query"],
        query=_text(
            "What to look for: a question, or words, names, numbers that the passage is likely to hold, in the "
            "language of the documents."
        ),
        document=_text("Only in the document with this name or id."),
        folder=_text("Only in documents whose path begins with this folder, such as `contracts/2024`."),
        since=_text("Only in documents that were changed at this date or later: YYYY, YYYY-MM or YYYY-MM-DD."),
        until=_text("Only in documents that were changed before this date, written in the same way."),
    ),
)
READ_DOCUMENT: Final = ToolSpec(
    READ,
    "Reads the passages of a document in their order: those around a passage that was found, or from one number to "
    "another.",
    _schema(
        ["id"],
        id=_text("A passage's id, such as 3f2a1b9c04-12, or a document's name or id."),
        **{
            "from": _number("The first passage's number, the last part of its id. Without it: around the passage."),
            "to": _number("The last passage's number."),
        },
        pages={"type": "boolean", "description": "`from` and `to` are numbers of pages instead."},
    ),
)
LIST_DOCUMENTS: Final = ToolSpec(
    LIST,
    "Lists the documents of this project with their ids, folders, lengths and dates.",
    _schema([], folder=_text("Only those whose path begins with this folder.")),
)

QUERY_MISSING: Final = "The query is missing: say in `query` what to look for."
ID_MISSING: Final = "The id is missing: say in `id` which passage or document to read."
NO_PROJECT: Final = "This conversation is in no project any more, so that there are no documents to look into."
NOTHING_FOUND: Final = (
    "Nothing was found in the documents. Other words for the same thing may find it; otherwise they do not say it."
)
TURN_IS_FULL: Final = (
    f"The {TURN_TOKENS:,} tokens that passages of documents may have in one turn are used up. Answer with what you "
    "have, and say what is still to be looked up: the user can ask for it in the next turn."
)

_DATE: Final = re.compile(r"\d{4}(?:-\d{2}(?:-\d{2}(?:T[\d:.]{2,12}Z?)?)?)?")


def is_date(text: str) -> bool:
    """Return True if a text is a date, or the beginning of one."""
    return len(text) <= len("2024-01-31T12:00:00.000Z") and _DATE.fullmatch(text) is not None


def turn_results(path: Sequence[Message]) -> Iterator[tuple[ToolCallPart, ToolResultPart]]:
    """The document tools' calls in the turn that a path ends with, newest first, with their results."""
    results: dict[str, ToolResultPart] = {}
    for message in reversed(path):
        for part in reversed(message.parts):
            if isinstance(part, ToolResultPart):
                results[part.call_id] = part
            elif isinstance(part, ToolCallPart) and part.name in DOCUMENT_TOOLS and part.id in results:
                yield part, results[part.id]
        if opens_turn(message):
            return


def spent_tokens(path: Sequence[Message], estimator: TokenEstimator) -> float:
    """Tokens of what the document tools wrote in the turn that a path ends with."""
    return sum(estimator.tokens(features(result.text)) for _, result in turn_results(path))


def passages_in_turn(path: Sequence[Message]) -> frozenset[str]:
    """The ids of the passages that the model has been sent in the turn that a path ends with."""
    return frozenset(one for _, result in turn_results(path) for one in passage_ids(result))


def passage_ids(result: ToolResultPart) -> Iterator[str]:
    """The ids of the passages whose text a result holds."""
    ids: Json = result.extra.get("passage_ids")
    if isinstance(ids, Sequence) and not isinstance(ids, str):
        yield from map(str, ids)


def documents_in_request(plan: ContextPlan) -> frozenset[str]:
    """The beginnings of passage ids of the documents that the request holds whole."""
    return frozenset(
        part.sha256[:ID_DIGITS]
        for message in plan.request.messages
        for part in message.blocks
        if isinstance(part, DocumentPart) and not is_in_part(part)
    )
