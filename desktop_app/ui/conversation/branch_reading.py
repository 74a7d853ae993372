"""Owns what is read from a thread's tree: which version of how many is shown, and what stands beside it.

Knows no widget.
"""

from __future__ import annotations

from collections.abc import Sequence

from desktop_app.core.context.context_choices import NO_CHOICES, ContextChoices
from desktop_app.core.conversation import Conversation
from desktop_app.core.deletions import shown_nowhere
from desktop_app.core.messages import Message
from desktop_app.ui.transcript.message.merged_answers import is_results


def versions(
    conversation: Conversation, path: Sequence[Message], choices: ContextChoices = NO_CHOICES
) -> dict[str, tuple[str, ...]]:
    """The versions of each message of the path that has several, in the order they came, by its id.

    An answer of which nothing came, and what is deleted on all its branches, is no version that anybody would go back
    to, but for the one that is shown.
    """
    found: dict[str, tuple[str, ...]] = {}
    forks = conversation.forks  # few or none in most threads, however long
    gone = shown_nowhere(conversation, choices) if forks else frozenset()
    for message in path if forks else ():
        if message.parent_id not in forks:
            continue
        ids = conversation.siblings(message.id) if message.id in conversation else ()
        if len(ids) > 1 and not is_results(message):
            kept = tuple(
                one for one in ids if one == message.id or (one not in gone and _is_version(conversation[one], message))
            )
            if len(kept) > 1:
                found[message.id] = kept
    return found


def _is_version(other: Message, message: Message) -> bool:
    return other.role == message.role and bool(other.parts) and not is_results(other)


def is_question(message: Message) -> bool:
    """Whether a user wrote it: tools' results are no question."""
    return message.role == "user" and not is_results(message)


def beside(conversation: Conversation, path: Sequence[Message], choices: ContextChoices = NO_CHOICES) -> list[Message]:
    """What is shown on other branches than the one of this path, in the order it came."""
    passed = {message.id for message in path} | shown_nowhere(conversation, choices)
    return [message for message in conversation if message.id not in passed and not is_results(message)]
