"""Deleted messages of a thread: on one branch, on branches that grow out of it, on all of them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from desktop_app.core.context.context_choices import ContextChoices, Deletion
from desktop_app.core.conversation import Conversation
from desktop_app.core.messages import Message


def deleted_on(path: Iterable[Message], choices: ContextChoices) -> frozenset[str]:
    """The ids of the messages of a path that are deleted on it."""
    if not choices.deleted:
        return frozenset()
    here = {message.id for message in path}
    return frozenset(one.message for one in choices.deleted if one.message in here and one.branch in here)


def without_deleted(path: tuple[Message, ...], choices: ContextChoices) -> tuple[Message, ...]:
    """Return the shown part of a path; the path itself where nothing of it is deleted."""
    deleted = deleted_on(path, choices)
    return tuple(message for message in path if message.id not in deleted) if deleted else path


def carried_over(
    choices: ContextChoices, path: Sequence[Message], onto: Sequence[Message], branch: str | None = None
) -> ContextChoices:
    """The choices for a branch that begins behind `onto`: what is deleted on `path` stays deleted where it goes on.

    `branch`: the first message of the new branch; None: the last one of `onto`.
    """
    if not choices.deleted or not onto:
        return choices
    behind = {message.id for message in onto}
    missing = (deleted_on(path, choices) & behind) - deleted_on(onto, choices)
    if not missing:
        return choices
    begun = branch or onto[-1].id
    return replace(choices, deleted=choices.deleted | {Deletion(one, begun) for one in missing})


def shown_nowhere(conversation: Conversation, choices: ContextChoices) -> frozenset[str]:
    """The ids of the messages that are deleted on every branch they stand on."""
    candidates = {one.message for one in choices.deleted}
    if not candidates:
        return frozenset()
    shown: set[str] = set()
    for leaf in conversation.leaves:
        path = conversation.path(leaf)
        shown |= (candidates & {message.id for message in path}) - deleted_on(path, choices)
    return frozenset(one for one in candidates - shown if one in conversation)


def shown_end(conversation: Conversation, message_id: str, choices: ContextChoices) -> str:
    """The end of the branch that was grown last of those that show a message; of all where none does."""
    newest = conversation.newest_leaf(message_id)
    if not any(one.message == message_id for one in choices.deleted):
        return newest
    for leaf in (newest, *reversed(tuple(conversation.leaves))):
        path = conversation.path(leaf)
        if any(message.id == message_id for message in path) and message_id not in deleted_on(path, choices):
            return leaf
    return newest


def living_end(conversation: Conversation, tip: str, choices: ContextChoices) -> str:
    """Return the place where a thread goes on once the end of its branch is deleted: at the version that stood nearest
    to that.

    `tip` itself where its branch still shows its end, or where nothing stands beside what it does not show.
    """
    path = conversation.path(tip)
    deleted = deleted_on(path, choices)
    for message in reversed(path):
        if message.id not in deleted:
            break
        beside = conversation.siblings(message.id)
        place = beside.index(message.id)
        for other in sorted(beside, key=lambda one: abs(beside.index(one) - place)):
            version = conversation[other]
            if other == message.id or version.role != message.role or not version.parts:
                continue  # a question of which only answers without a word are left is none
            end = shown_end(conversation, other, choices)
            if other not in deleted_on(conversation.path(end), choices):
                return end
    return tip
