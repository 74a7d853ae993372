"""The parts of an answer grouped for display, and the messages of one turn of tools read as one answer.

Uses no widget and no words. The same parts give the same groups, whether they come one by one or all at once. A backend
of an API stores a turn with tools as answers with results between them (user messages of nothing but
`ToolResultPart`s). A reader sees one answer: these messages joined, under the id of the first."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from operator import is_
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
    Usage,
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
        self._of_call: dict[str, PartGroup] = {}
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
        else:
            self.list.append(last := PartGroup(kind, number, [part]))
        if isinstance(part, ToolCallPart):
            self._of_call[part.id] = last
        return last

    def of_call(self, call_id: str) -> PartGroup | None:
        """The group of a call."""
        return self._of_call.get(call_id)

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


def is_results(message: Message) -> bool:
    """True for a user message that nobody wrote: the results of tools."""
    parts = message.parts
    # asked of every message of a thread that is opened, most of which end here
    if message.role != "user" or not parts or type(parts[0]) is not ToolResultPart:
        return False
    return all(isinstance(part, ToolResultPart) for part in parts)


def answers_of(path: Sequence[Message]) -> list[tuple[Message, ...]]:
    """The messages of a path, with those together that are one answer; most stand alone."""
    groups: list[list[Message]] = []
    for message in path:
        if groups and continues(groups[-1], message):
            groups[-1].append(message)
        else:
            groups.append([message])
    return [tuple(group) for group in groups]


def continues(answer: Sequence[Message], message: Message) -> bool:
    """Return True if `message`, which comes next on the path, belongs to this answer."""
    last = answer[-1]
    if is_results(message):
        return last.role == "assistant" or is_results(last)
    return message.role == "assistant" and is_results(last)


def joined(messages: Sequence[Message]) -> Message:
    """One answer of these messages: all parts in order, the usage of all calls, the end of the last.

    Where the last are results, no answer followed them: what there is counts as stopped.
    """
    if len(messages) == 1 and not is_results(messages[0]):
        return messages[0]
    said = [message for message in messages if message.role == "assistant"]
    last = said[-1] if said else messages[-1]
    return replace(
        messages[0],
        role="assistant",
        parts=tuple(part for message in messages for part in message.parts),
        state="partial" if is_results(messages[-1]) and last.state == "complete" else last.state,
        backend=last.backend,
        model=last.model,
        usage=_sum([message.usage for message in said if message.usage is not None]),
        stop_reason=last.stop_reason,
        failure=last.failure,
    )


def _sum(usages: Sequence[Usage]) -> Usage | None:
    if not usages:
        return None
    costs = [usage.cost_usd for usage in usages if usage.cost_usd is not None]
    return Usage(
        input=sum(usage.input for usage in usages),
        cache_read=sum(usage.cache_read for usage in usages),
        cache_write=sum(usage.cache_write for usage in usages),
        output=sum(usage.output for usage in usages),
        thinking=sum(usage.thinking for usage in usages),
        cost_usd=sum(costs) if costs else None,
        first_prompt=usages[0].opening if len(usages) > 1 else usages[0].first_prompt,
        asked=usages[-1].asked,
    )


class MergedAnswers:
    """Which messages of the shown path are one answer. An answer has the id of its first message."""

    def __init__(self) -> None:
        self._members: dict[str, tuple[Message, ...]] = {}
        self._answer_of: dict[str, str] = {}

    def read(self, path: Sequence[Message]) -> list[Message]:
        """The path as a reader sees it; what is joined is kept in mind."""
        if not any(map(is_results, path)):
            return list(path)
        return [self._take(group) for group in answers_of(path)]

    def copy(self) -> MergedAnswers:
        """The same answers, to go on with in another way."""
        made = MergedAnswers()
        made._members, made._answer_of = self._members.copy(), self._answer_of.copy()
        return made

    def read_on(
        self, shown: Sequence[Message], before: Sequence[Message], path: Sequence[Message]
    ) -> list[Message] | None:
        """`path` as a reader sees it, where `shown` is that of `before` and all but its last message is on it still.

        None where more is another than before. The cost is that of the last answer and of what came since.
        """
        if not before or len(path) < len(before) - 1 or not all(map(is_, before[:-1], path)):
            return None
        last = self.members(shown[-1])
        start = len(before) - len(last)
        if len(shown) > 1 and start < len(path) and continues(self.members(shown[-2]), path[start]):
            return None  # it stands in the last one's place, and belongs to the answer before that
        self._members.pop(shown[-1].id, None)
        for member in last[1:]:
            del self._answer_of[member.id]
        return [*shown[:-1], *self.read(path[start:])]

    @property
    def hidden(self) -> int:
        """The number of messages of the path that are not shown by themselves."""
        return len(self._answer_of)

    def id_of(self, message_id: str) -> str:
        """The id of the answer that a message is part of; its own where it stands alone."""
        return self._answer_of.get(message_id, message_id)

    def members(self, message: Message) -> tuple[Message, ...]:
        """The messages that are shown as this one."""
        return self._members.get(message.id, (message,))

    def continues(self, answer: Message, message: Message) -> bool:
        """Return True if a message that comes next belongs to the answer that is shown."""
        return continues(self.members(answer), message)

    def extended(self, answer: Message, message: Message) -> Message:
        """The answer with another message, or with another state of one that it has."""
        members = self.members(answer)
        known = [index for index, member in enumerate(members) if member.id == message.id]
        if known:
            return self._take((*members[: known[0]], message, *members[known[0] + 1 :]))
        return self._take((*members, message))

    def place_of(self, answer: Message, message_id: str) -> int:
        """Which part of the answer a message begins with; results stand where their first call does."""
        place = 0
        for member in self.members(answer):
            if member.id == message_id:
                return _place_of_call(answer, member.parts[0], place) if is_results(member) else place
            place += len(member.parts)
        return 0

    def _take(self, group: tuple[Message, ...]) -> Message:
        answer = joined(group)
        if len(group) > 1 or is_results(group[0]):
            self._members[answer.id] = group
            self._answer_of.update((member.id, answer.id) for member in group[1:])
        return answer


def _place_of_call(answer: Message, result: Part, otherwise: int) -> int:
    if not isinstance(result, ToolResultPart):
        return otherwise
    calls = (
        place
        for place, part in enumerate(answer.parts)
        if isinstance(plain := plain_part(part), ToolCallPart) and plain.id == result.call_id
    )
    return next(calls, otherwise)
