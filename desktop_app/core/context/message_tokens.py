"""Gives each message of a thread's tree the figure that is known of it. Counts nothing itself."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from desktop_app.core.context.plan import PlacedMessage
from desktop_app.core.messages import Message, Part


def message_tokens(
    messages: Iterable[Message], placed: Iterable[PlacedMessage], tokens_of: Callable[[Part], int]
) -> dict[str, int]:
    """Tokens by message id: on the open branch those of its plan, elsewhere what was counted when an answer came, else
    what the plan's estimator says of the parts (`PreparedContext.tokens_of`). May be called from any thread.
    """
    known = {one.id: one.whole for one in placed}
    return {message.id: known.get(message.id) or _own(message, tokens_of) for message in messages}


def _own(message: Message, tokens_of: Callable[[Part], int]) -> int:
    usage = message.usage
    if usage is not None and usage.output > usage.thinking:
        return usage.output - usage.thinking
    return sum(map(tokens_of, message.parts))
