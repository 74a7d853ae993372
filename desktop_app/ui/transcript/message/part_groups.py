"""The grouping of an answer's parts for display: runs of text, thinking, uses of tools.

Pure: knows no widget and no words. The same parts give the same groups, whether they come one by one or all at once.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, Literal, TypeAlias

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

PartGroupKind: TypeAlias = Literal[
    "text", "thinking", "recall", "documents", "history", "web", "tool", "attached", "other"
]

RECALL_NAME: Final = "search_this_thread"
WEB_NAME: Final = "web_search"
LOOK_UPS: Final[Mapping[str, PartGroupKind]] = {
    RECALL_NAME: "recall",
    "search_documents": "documents",
    "read_document": "documents",
    "list_documents": "documents",
    "search_history": "history",
}
"""The app's own tools that look something up, and what they are shown as."""
SERVER: Final = "server"
"""Key in `extra` of a call, or a result, that the provider ran itself; the block as it came stands there."""

_KINDS: Final[Mapping[type[Part], PartGroupKind]] = {
    TextPart: "text",
    ThinkingPart: "thinking",
    ToolResultPart: "tool",
    ImagePart: "attached",
    DocumentPart: "attached",
}
_ENDS: Final = frozenset(".!?:。！？\n")
"""The characters at the end of a text after which another begins afresh."""
_GOING_ON: Final = frozenset(" ,.;:)")
"""The characters that only a text begins with that goes on in the middle of a sentence or between two."""


@dataclass(slots=True, eq=False)
class PartGroup:
    """Something shown as one. `number` is the place of its first part in the message.

    A "recall", "documents", "history" or "web" group may hold several calls in a row, an "attached" one several
    attachments; `results` are by call id.
    """

    kind: PartGroupKind
    number: int
    parts: list[Part]
    results: dict[str, ToolResultPart] = field(default_factory=dict)

    @property
    def calls(self) -> tuple[ToolCallPart, ...]:
        """The calls of a use of tools, in order."""
        return tuple(part for part in self.parts if isinstance(part, ToolCallPart))

    @property
    def waiting(self) -> bool:
        """True while the result of a call is missing."""
        return any(call.id not in self.results for call in self.calls)

    @property
    def text(self) -> str:
        """The text that is written in it."""
        return "".join(getattr(part, "text", "") for part in self.parts)

    @property
    def content(self) -> tuple[PartGroupKind, object]:
        """The value by which two states of a group are compared; the results are no part of it."""
        return self.kind, self.text if self.kind in ("text", "thinking") else tuple(self.parts)


class PartGroups:
    """Takes parts in order; `list` are the groups so far. `typed`: what a user wrote, where no part runs on."""

    def __init__(self, parts: Sequence[Part] = (), *, typed: bool = False) -> None:
        self.list: list[PartGroup] = []
        self._typed = typed
        self._count = 0
        for part in parts:
            self.add(part)

    def add(self, part: Part) -> PartGroup:
        """The group that the part went into: a new one, the last, or for a result that of its call."""
        part = plain_part(part)
        number, self._count = self._count, self._count + 1
        if isinstance(part, ToolResultPart):
            asked = self.of_call(part.call_id)
            if asked is not None:
                asked.results[part.call_id] = part
                return asked
        kind = _kind(part)
        last = self.list[-1] if self.list else None
        if last is not None and last.kind == kind and _goes_on(last, part, typed=self._typed):
            last.parts.append(part)
            return last
        self.list.append(PartGroup(kind, number, [part]))
        return self.list[-1]

    def of_call(self, call_id: str) -> PartGroup | None:
        """The group of a call."""
        return next((group for group in reversed(self.list) if any(call.id == call_id for call in group.calls)), None)

    def of_part(self, place: int) -> PartGroup | None:
        """The group that begins with, or before, the part at a place."""
        return next((group for group in reversed(self.list) if group.number <= place), None)


def plain_part(part: Part) -> Part:
    """A call or result of a tool that the provider runs, kept as an unknown block, in the form of ours."""
    if not isinstance(part, UnknownPart):
        return part
    raw = part.raw
    match raw:
        case {"type": "server_tool_use", "id": str(call_id), "name": str(name), "input": Mapping() as given}:
            return ToolCallPart(call_id, name, given, {SERVER: raw})
        case {"type": str(kind), "tool_use_id": str(call_id)} if kind.endswith("_tool_result"):
            return ToolResultPart(call_id, "", _failed(raw), {SERVER: raw})
    return part


def tool_name(name: str) -> str:
    """A tool's own name, without the server's that offers it."""
    return name.rpartition("__")[2] or name


def citations_of(part: Part) -> Sequence[JsonObject]:
    """Return the sources that a text says it is taken from, in the provider's form."""
    cited = part.extra.get("citations") if isinstance(part, TextPart) else None
    return [one for one in cited if isinstance(one, Mapping)] if isinstance(cited, list | tuple) else ()


def _failed(raw: JsonObject) -> bool:
    content = raw.get("content")
    return isinstance(content, Mapping) and str(content.get("type", "")).endswith("_error")


def _kind(part: Part) -> PartGroupKind:
    if isinstance(part, ToolCallPart):
        if tool_name(part.name) == RECALL_NAME or part.name in LOOK_UPS:
            return LOOK_UPS[tool_name(part.name)]
        return "web" if part.name == WEB_NAME and SERVER in part.extra else "tool"
    return _KINDS.get(type(part), "other")


def _goes_on(group: PartGroup, part: Part, *, typed: bool) -> bool:
    """Return True if a part is one with those before it: calls in a row, or a text cut where its sources change."""
    if group.kind in ("recall", "documents", "history", "web", "attached"):
        return True
    if group.kind != "text" or typed:
        return False
    before = group.parts[-1]
    if citations_of(before) or citations_of(part):
        return True
    written, coming = getattr(before, "text", ""), getattr(part, "text", "")
    cut = bool(written.strip()) and (written[-1] not in _ENDS or coming[:1] in _GOING_ON)
    return cut and not coming.startswith("\n\n")


def written_text(message: Message) -> str:
    """The text of a message as it is read: its runs of text, apart by blank lines."""
    if message.role == "user" or len(message.parts) < 2:
        return message.text
    return "\n\n".join(group.text for group in PartGroups(message.parts).list if group.kind == "text")
