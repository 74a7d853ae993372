"""Owns the words of the Messages tab: states, groups, excerpts, what a screen reader says of a row. Knows no widget."""

from __future__ import annotations

from typing import assert_never

from PySide6.QtCore import QCoreApplication

from desktop_app.core.attachment_facts import is_in_part
from desktop_app.core.context.plan import PlacedMessage, PlacedState
from desktop_app.core.messages import (
    DocumentPart,
    ImagePart,
    Message,
    TextPart,
    ThinkingPart,
    ToolCallPart,
    ToolResultPart,
    UnknownPart,
)
from desktop_app.ui.i18n.language import grouped
from desktop_app.ui.i18n.language import spoken as say
from desktop_app.ui.inspector.message_rows import FixedKind, FixedRow, GroupName, MessageGroupRow, Row

EXCERPT = 160
"""Characters of an excerpt: more than the widest row can show."""
LOOKED_AT = 4 * EXCERPT


def _tr(words: str) -> str:
    return QCoreApplication.translate("Inspector", words)


def group_name(group: GroupName) -> str:
    """The heading of a group, without its count."""
    names: dict[GroupName, str] = {
        "fixed": _tr("Always sent"),
        "pinned": _tr("Pinned"),
        "sent": _tr("Sent"),
        "summarised": _tr("Summarised"),
        "left_out": _tr("Left out"),
        "excluded": _tr("Excluded"),
        "deleted": _tr("Deleted"),
    }
    return names[group]


def state_name(state: PlacedState) -> str:
    """The state of a message in a sentence, such as `left out`."""
    match state:
        case "whole":
            return _tr("sent")
        case "annotated":
            return _tr("sent with notes")
        case "pinned":
            return _tr("pinned")
        case "summarised":
            return _tr("summarised")
        case "left_out":
            return _tr("left out")
        case "excluded":
            return _tr("excluded")


def fixed_name(kind: FixedKind) -> str:
    """What is sent beside the messages."""
    match kind:
        case "system":
            return _tr("System prompt")
        case "tools":
            return _tr("Tools")
        case "overhead":
            return _tr("Added by the app and the backend")
        case "summary":
            return _tr("Conversation summary")
        case "draft":
            return _tr("Your message, not sent yet")


def excerpt(message: Message | None) -> str:
    """One line of what a message says; of a message without text, what it holds."""
    if message is None:
        return ""
    said: list[str] = []
    for part in message.parts:
        match part:
            case TextPart(text):
                said.append(" ".join(text[:LOOKED_AT].split()))
            case DocumentPart(name=name) | ImagePart(name=name):
                said.append(_tr("{name}, in part").format(name=name) if is_in_part(part) else name)
            case ToolCallPart(name=name):
                said.append(_tr("used {tool}").format(tool=name))
            case ToolResultPart():
                said.append(_tr("result of a tool"))
            case ThinkingPart():
                continue
            case UnknownPart():
                said.append(_tr("a block of a kind not known here"))
            case _:
                assert_never(part)
        if sum(map(len, said)) > EXCERPT:
            break
    words = " · ".join(one for one in said if one)[:EXCERPT]
    if not words and message.role == "assistant":
        return _tr("answering") if message.state == "partial" else _tr("no answer")
    return words


def exact(tokens: int) -> str:
    """`1 token`, `1,204 tokens`."""
    return _tr("1 token") if tokens == 1 else _tr("{count} tokens").format(count=grouped(tokens))


def spoken(row: Row, words: str) -> str:
    """What a screen reader says of a row; `words` is a message's excerpt."""
    if isinstance(row, MessageGroupRow):
        heading = f"{group_name(row.group)} {grouped(row.count)}, {exact(row.tokens)}"
        return f"{heading}, {_tr('folded')}" if row.folded else heading
    if isinstance(row, FixedRow):
        return f"{fixed_name(row.kind)}, {exact(row.tokens)}"
    speaker = _tr("User") if row.asked else _tr("Tool") if row.results else _tr("Assistant")
    state = _tr("deleted") if row.deleted else state_name(row.state)
    told = f"{speaker}, {state}, {exact(row.tokens or row.whole)}: {words}"
    return f"{told}. {reason(row)}" if row.reason else told


def reason(row: PlacedMessage) -> str:
    """Why a message is in its state, as a sentence's beginning; empty where there is nothing to say."""
    told = say(row.reason)
    return told[:1].upper() + told[1:]


def hint(row: Row) -> str:
    """The tooltip of a row."""
    if isinstance(row, MessageGroupRow):
        return ""
    if isinstance(row, FixedRow):
        return exact(row.tokens)
    if row.tokens or not row.whole:
        told = exact(row.tokens)
    else:
        told = _tr("{tokens} if it were sent").format(tokens=exact(row.whole))
    return f"{reason(row)}\n{told}" if row.reason else told
