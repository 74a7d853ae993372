"""Asks the provider why its cache was not read, and words its answer.

Nothing is asked as long as the cache does what the plan expects of it.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from desktop_app.core.context.plan import ContextPlan
from desktop_app.core.messages import Json, Usage
from desktop_app.core.phrases import phrase
from desktop_app.core.stream_events import Notice

MOST_KEPT: Final = 64
"""Conversations whose last answer is kept in mind."""

_CHANGED: Final[Mapping[str, str]] = {
    "model_changed": phrase("another model was asked before"),
    "system_changed": phrase("the system prompt changed"),
    "tools_changed": phrase("the available tools changed"),
    "messages_changed": phrase("an earlier message changed"),
}


@dataclass(frozen=True, slots=True)
class _Last:
    message_id: str
    missed: bool


class CacheDiagnosis:
    """The last answer of each conversation, which is known by its first message."""

    def __init__(self) -> None:
        self._last: OrderedDict[str, _Last] = OrderedDict()

    def previous(self, plan: ContextPlan) -> str | None:
        """The provider's id of the previous answer where its request was expected to read the cache and did not."""
        last = self._last.get(_conversation(plan))
        return last.message_id if last is not None and last.missed else None

    def ended(self, plan: ContextPlan, message_id: str, usage: Usage | None) -> None:
        """Takes in what an answer used."""
        key = _conversation(plan)
        if not key or not message_id or usage is None:
            return
        expected = plan.price.cached_tokens if plan.price.cached_tokens >= plan.model.min_cache_tokens else 0
        missed = usage.cache_write > 0 and usage.cache_read < expected // 2
        self._last[key] = _Last(message_id, missed)
        self._last.move_to_end(key)
        while len(self._last) > MOST_KEPT:
            self._last.popitem(last=False)


def _conversation(plan: ContextPlan) -> str:
    sources = (source for message in plan.request.messages for source in message.sources if source is not None)
    return next(sources, "")


def cache_notice(reason: Mapping[str, Json]) -> Notice | None:
    """Return in words what the provider found to have changed; None where it has nothing to say."""
    changed = _CHANGED.get(str(reason.get("type")))
    if changed is None:
        return None
    tokens = reason.get("cache_missed_input_tokens")
    size = (
        phrase(" About {tokens:,} tokens were read again.", tokens=tokens)
        if isinstance(tokens, int) and tokens > 0
        else ""
    )
    return Notice("cache", phrase("The cache was rewritten: {changed}.{size}", changed=changed, size=size))
