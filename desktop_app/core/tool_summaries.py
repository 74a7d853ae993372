"""Says in some words what became of a call of a tool, for commands."""

from __future__ import annotations

from collections.abc import Sequence

from desktop_app.core.context.sent_content import HISTORY_TOOL, RECALL_TOOL
from desktop_app.core.document_search import LIST, READ, SEARCH
from desktop_app.core.messages import Json, ToolCallPart, ToolResultPart


def summary_of(call: ToolCallPart, result: ToolResultPart) -> str:
    """`looked up 3 earlier messages`, `searched documents "pricing": 5 passages from spec.pdf`; no line is broken."""
    if result.is_error:
        return " ".join(f"{call.name} failed: {result.text}".split())
    found, listed = result.extra.get("passages"), result.extra.get("listed")
    words = call.name
    if call.name == LIST and isinstance(listed, int):
        words = f"listed {_counted(listed, 'document')}"
    elif isinstance(found, int):
        match call.name:
            case name if name == RECALL_TOOL:
                words = f"looked up {_counted(found, 'earlier message')}"
                words = words if found else "found nothing in the earlier messages"
            case name if name == HISTORY_TOOL:
                threads = _names(result.extra.get("threads"))
                words = f"looked up {_counted(len(threads), 'thread')}: {', '.join(threads)}"
                words = words if found else "found nothing in the other threads"
            case name if name in (SEARCH, READ):
                asked = call.input.get("query") or call.input.get("id") or ""
                of = _names(result.extra.get("documents"))
                words = f'{"searched documents" if name == SEARCH else "read"} "{asked}": {_counted(found, "passage")}'
                words += f" from {', '.join(of)}" if of else ""
    return " ".join(words.split())


def _counted(count: int, what: str) -> str:
    return f"{count:,} {what}{'' if count == 1 else 's'}"


def _names(value: Json) -> Sequence[str]:
    return list(map(str, value)) if isinstance(value, Sequence) and not isinstance(value, str) else ()
