"""Copies a thread: everything of it under new ids."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import Final

from desktop_app.core.choices_json import choices_renamed
from desktop_app.core.context.sent_content import ARTIFACT
from desktop_app.core.messages import Json, Message, TextPart, Thread, ToolResultPart

NO_ARTIFACTS: Final[Mapping[str, str]] = MappingProxyType({})


def copied(
    thread: Thread,
    messages: Sequence[Message],
    new_id: Callable[[], str],
    *,
    title: str,
    at: str,
    artifacts: Mapping[str, str] = NO_ARTIFACTS,
) -> tuple[Thread, tuple[Message, ...]]:
    """The thread with all its branches, choices and draft once more, made `at` (ISO 8601 UTC), called `title`.

    The copy is neither pinned nor archived. An answer that is still coming stands in it as far as it came. Messages
    keep their times and what they used: they were paid for once, and the ledger counts calls, not messages.
    `artifacts`: the ids of the copies of its artifacts, by those of the originals.
    """
    thread_id = new_id()
    names = {**artifacts, **{message.id: new_id() for message in messages}}
    copy = replace(
        thread,
        id=thread_id,
        title=title,
        created=at,
        updated=at,
        tip=names.get(thread.tip or ""),
        seen=names.get(thread.seen or ""),
        pinned=False,
        archived=False,
        choices=choices_renamed(thread.choices, names),
    )
    return copy, tuple(_copied(message, thread_id, names) for message in messages)


def without_consent(thread: Thread) -> Thread:
    """The thread without what its user agreed to: a model's higher price above its cliff, the search of the web."""
    choices, parameters = thread.choices, thread.parameters
    if not (choices.accepted_cliff or parameters.web_search):
        return thread
    return replace(
        thread, choices=replace(choices, accepted_cliff=False), parameters=replace(parameters, web_search=False)
    )


def _copied(message: Message, thread_id: str, names: dict[str, str]) -> Message:
    window = message.window
    if window is not None and window.first_kept is not None:
        window = replace(window, first_kept=names.get(window.first_kept, window.first_kept))
    return replace(
        message,
        id=names[message.id],
        thread_id=thread_id,
        parent_id=names.get(message.parent_id or ""),
        window=window,
        parts=tuple(
            replace(part, extra=_led_back(part, names))
            if isinstance(part, (TextPart, ToolResultPart)) and part.extra
            else part
            for part in message.parts
        ),
    )


def _led_back(part: TextPart | ToolResultPart, names: dict[str, str]) -> dict[str, Json]:
    """Return the part's facts, with those looked up in the thread itself, and its artifacts, to be found in the
    copy.
    """
    extra = dict(part.extra)
    found, artifact = extra.get("messages"), extra.get(ARTIFACT)
    if isinstance(found, (list, tuple)):
        extra["messages"] = [names.get(one, one) if isinstance(one, str) else one for one in found]
    if isinstance(artifact, Mapping):
        kept = artifact.get("id")
        extra[ARTIFACT] = {**artifact, "id": names.get(kept, kept) if isinstance(kept, str) else kept}
    return extra
