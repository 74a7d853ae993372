"""The words of the Messages tab: states, groups, excerpts, a screen reader's text for a row. Uses no widget."""

from __future__ import annotations

from desktop_app.core.context.plan import PlacedDocument, PlacedMessage, PlacedState
from desktop_app.ui.i18n.amounts import dollars
from desktop_app.ui.i18n.language import grouped, tr
from desktop_app.ui.i18n.language import translated as say
from desktop_app.ui.inspector.message_rows import FixedKind, FixedRow, GroupName, MessageGroupRow, Row


def group_name(group: GroupName) -> str:
    """The heading of a group, without its count."""
    names: dict[GroupName, str] = {
        "fixed": tr("Always sent"),
        "always": tr("Always included documents"),
        "searched": tr("Documents searched when needed"),
        "pinned": tr("Pinned"),
        "sent": tr("Sent"),
        "summarised": tr("Summarized"),
        "left_out": tr("Left out"),
        "excluded": tr("Excluded"),
        "deleted": tr("Deleted"),
    }
    return names[group]


def state_name(state: PlacedState) -> str:
    """The state of a message in a sentence, such as `left out`."""
    match state:
        case "whole":
            return tr("sent")
        case "annotated":
            return tr("sent with notes")
        case "pinned":
            return tr("pinned")
        case "summarised":
            return tr("summarized")
        case "left_out":
            return tr("left out")
        case "excluded":
            return tr("excluded")


def fixed_name(kind: FixedKind) -> str:
    """Return the name of a part that is sent beside the messages."""
    match kind:
        case "system":
            return tr("System prompt")
        case "tools":
            return tr("Tools")
        case "overhead":
            return tr("Added by the app and the connection")
        case "summary":
            return tr("Conversation summary")
        case "draft":
            return tr("Draft")


def exact(tokens: int) -> str:
    """`1 token`, `1,204 tokens`."""
    return tr("1 token") if tokens == 1 else tr("{count} tokens").format(count=grouped(tokens))


def spoken(row: Row, words: str) -> str:
    """Return a screen reader's text for a row; `words` is a message's excerpt."""
    if isinstance(row, MessageGroupRow):
        heading = f"{group_name(row.group)} {grouped(row.count)}, {exact(row.tokens)}"
        return ", ".join([heading, tr("collapsed")]) if row.folded else heading
    if isinstance(row, FixedRow):
        return f"{fixed_name(row.kind)}, {exact(row.tokens)}"
    if isinstance(row, PlacedDocument):
        told = f"{row.name}, {document_amount(row)}"
        return f"{told}. {reason(row)}" if row.reason else told
    speaker = tr("User") if row.asked else tr("Tool") if row.results else tr("Assistant")
    state = tr("deleted") if row.deleted else state_name(row.state)
    told = f"{speaker}, {state}, {exact(row.tokens or row.whole)}: {words}"
    return f"{told}. {reason(row)}" if row.reason else told


def document_amount(row: PlacedDocument) -> str:
    """Return a document's tokens in the request, with its share of the price; those it would have where it is not
    sent.
    """
    if row.state != "whole":
        return tr("{tokens} if it were sent").format(tokens=exact(row.whole))
    return f"{exact(row.whole)} · {dollars(row.cost_usd)}" if row.cost_usd else exact(row.whole)


def reason(row: PlacedMessage | PlacedDocument) -> str:
    """Why a message or document is in its state, as a sentence's beginning; empty where there is nothing to say."""
    told = say(row.reason)
    return told[:1].upper() + told[1:]


def hint(row: Row) -> str:
    """The tooltip of a row."""
    if isinstance(row, MessageGroupRow):
        return ""
    if isinstance(row, FixedRow):
        return exact(row.tokens)
    if isinstance(row, PlacedDocument):
        return f"{row.name}\n{reason(row)}\n{document_amount(row)}"
    if row.tokens or not row.whole:
        told = exact(row.tokens)
    else:
        told = tr("{tokens} if it were sent").format(tokens=exact(row.whole))
    return f"{reason(row)}\n{told}" if row.reason else told
