"""Hashes a planned request by everything in it that weighs something."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from dataclasses import fields, is_dataclass, replace
from typing import Any

from desktop_app.core.context.plan import ContextPlan
from desktop_app.core.messages import Part, RequestCount, Role, TextPart


class RequestHasher:
    """Hashes requests that mostly differ in their last message: what comes before it is read once."""

    def __init__(self) -> None:
        self._front: tuple[object, ...] = ()
        self._state: Any = None

    def is_counted(self, plan: ContextPlan, count: RequestCount) -> bool:
        """Return True if the count is this request's: hashed only where its last message is as long, so not at each
        key.
        """
        return count.size in (0, size_of(plan)) and self.of(plan) == count.request

    def of(self, plan: ContextPlan) -> str:
        """The hash of everything that is counted: the same for the same request, in any process.

        The window leaves away the empty lines around a text, which a command sends: they don't make another request.
        """
        front = (
            plan.backend,
            plan.model.id,
            plan.request.system,
            plan.request.tools,
            plan.request.parameters,
            plan.request.history,
        )
        if self._state is None or front != self._front:
            self._front, self._state = front, hashlib.sha256(_packed(front[:-1]))
            for message in plan.request.history:
                _add(self._state, message.role, message.blocks)
        state = self._state.copy()
        if plan.request.pending is not None:
            _add(state, plan.request.pending.role, map(_without_margins, plan.request.pending.blocks))
        return str(state.hexdigest())


def size_of(plan: ContextPlan) -> int:
    """The characters of the last message's texts, without the empty lines around them."""
    blocks = () if plan.request.pending is None else plan.request.pending.blocks
    return sum(len(block.text.strip()) for block in blocks if isinstance(block, TextPart))


def _add(state: Any, role: Role, blocks: Iterable[Part]) -> None:
    state.update(_packed([role, *([type(block).__name__, block] for block in blocks)]))


def _without_margins(block: Part) -> Part:
    return replace(block, text=block.text.strip()) if isinstance(block, TextPart) else block


def _packed(value: object) -> bytes:
    return json.dumps(value, default=_members, sort_keys=True).encode()


def _members(value: Any) -> object:
    if not is_dataclass(value):
        raise TypeError(f"{type(value).__name__} is no part of a request")
    return {one.name: getattr(value, one.name) for one in fields(value)}
