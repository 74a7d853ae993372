"""The reading of the messages of one turn of tools as one answer. Uses no widget.

A backend of an API stores a turn with tools as answers with results between them (user messages of nothing but
`ToolResultPart`s). A reader sees one answer: these messages joined, under the id of the first.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from operator import is_

from desktop_app.core.messages import Message, Part, ToolCallPart, ToolResultPart, Usage
from desktop_app.ui.transcript.message.part_groups import plain_part


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
