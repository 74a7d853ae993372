"""Gathers what is stored of two answers, to say why the later one's input cost much more (PRODUCT.md CTX-19)."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Sequence

from desktop_app.controller.ports import parse_stamp
from desktop_app.core.context.cost_changes import (
    Circumstances,
    DearerAnswer,
    PricedModel,
    cache_owner,
    dearer_answers,
    why_dearer,
)
from desktop_app.core.context.readable_request import ReadableRequest, read_request
from desktop_app.core.conversation import Conversation
from desktop_app.core.messages import JsonObject, Message
from desktop_app.core.model_catalog import ModelInfo

SentRequest = Callable[[str], Awaitable[JsonObject | None]]
"""The request that was sent for an answer, by its id; None where none was kept."""


async def cost_reasons(
    path: Sequence[Message], conversation: Conversation, model_of: PricedModel, sent: SentRequest
) -> dict[str, str]:
    """One sentence for each answer of `path`, by its (last call's) id, whose input cost much more than before."""
    asked = {(one.backend, one.model) for one in path if one.backend is not None and one.model is not None}
    models: dict[tuple[str, str], ModelInfo | None] = {key: model_of(*key) for key in asked}

    def priced(backend: str, model: str) -> ModelInfo | None:
        return models.get((backend, model))

    # ten thousand messages take longer than a frame
    found = await asyncio.to_thread(lambda: list(dearer_answers(path, priced)))
    everything = tuple(conversation) if found else ()
    reasons: dict[str, str] = {}
    for dear in found:
        question = dear.after.messages[0].id
        about = Circumstances(
            await asyncio.to_thread(_idle, dear.after.calls[0], everything),
            await _requests(dear, sent),
            other_version=conversation.siblings(question)[:1] != (question,),
        )
        reasons[dear.after.calls[-1].id] = why_dearer(dear, about, priced)
    return reasons


def _idle(call: Message, messages: Iterable[Message]) -> float | None:
    """Seconds since the model was last asked before this call, on any branch."""
    at = parse_stamp(call.created)
    owner = cache_owner(call)
    same = (one for one in messages if one.backend == call.backend and cache_owner(one) == owner)
    times = [time for one in same if (time := parse_stamp(one.created)) is not None and at is not None and time < at]
    return (at - max(times)).total_seconds() if times and at is not None else None


async def _requests(dear: DearerAnswer, sent: SentRequest) -> tuple[ReadableRequest, ReadableRequest] | None:
    before, after = [await sent(turn.calls[0].id) for turn in (dear.before, dear.after)]
    if before is None or after is None:
        return None
    return await asyncio.to_thread(lambda: (read_request(before), read_request(after)))
