"""Owns what is read from a thread's tree for its arrows: which version of how many is shown. Knows no widget."""

from __future__ import annotations

from collections.abc import Sequence

from desktop_app.core.conversation import Conversation
from desktop_app.core.messages import Message
from desktop_app.ui.transcript.answers import is_results


def versions(conversation: Conversation, path: Sequence[Message]) -> dict[str, tuple[str, ...]]:
    """The versions of each message of the path that has several, in the order they came, by its id.

    An answer of which nothing came is no version that anybody would go back to, but for the one that is shown.
    """
    found = {}
    for message in path:
        ids = conversation.siblings(message.id) if message.id in conversation else ()
        if len(ids) > 1 and not is_results(message):
            kept = tuple(one for one in ids if one == message.id or _is_version(conversation[one], message))
            if len(kept) > 1:
                found[message.id] = kept
    return found


def _is_version(other: Message, message: Message) -> bool:
    return other.role == message.role and bool(other.parts) and not is_results(other)
