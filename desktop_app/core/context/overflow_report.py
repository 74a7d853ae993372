"""Reads the window and the size sent from an overflow's words, and decides the one shorter retry.

No model is ever called on this path (PRODUCT.md CTX-6).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from desktop_app.core.context.plan import ContextPlan
from desktop_app.core.context.planner import Preparation
from desktop_app.core.messages import Part

SMALLEST_WINDOW: Final = 256
"""A number below this in an error is no window."""
_LOOKED_AT: Final = 4_000
"""Characters of an error's words that are read: it is a server that wrote them."""

_NUMBER: Final = r"(?<!\d)(\d{1,3}(?:[,_.]\d{3}){1,5}(?!\d)|\d{1,15}(?!\d))"
# each names the size that was sent and the most that is taken, as far as the provider says them
_WORDINGS: Final = tuple(
    re.compile(pattern.replace("#", _NUMBER), re.IGNORECASE | re.DOTALL)
    for pattern in (
        r"(?P<sent>#) tokens? > (?P<most>#) maximum",
        r"(?P<sent>#) \+ # > (?P<most>#)",
        r"maximum (?:context|prompt|input) length is (?P<most>#)"
        r"(?:.{0,120}?(?:resulted in|requested|contains?|of) (?P<sent>#))?",
        r"(?:token count|number of tokens|input tokens?|prompt)\D{0,40}?(?P<sent>#)\D{0,80}?"
        r"(?:exceeds?|greater|more than|cannot exceed|longer)\D{0,80}?(?P<most>#)",
        r"cannot exceed (?P<most>#)(?:\D{0,40}?received (?P<sent>#))?",
        r"(?:context (?:size|length|window)|n_ctx|limit of|maximum (?:of|is)|up to)\D{0,24}?(?P<most>#)",
        r"takes (?P<most>#)",
    )
)


_BYTES: Final = re.compile(r"HTTP 413|request too large", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Overflow:
    """The sizes in an error, in the provider's tokens: the real window and the size sent; None where it has none."""

    window: int | None = None
    sent: int | None = None


def read_overflow(detail: str) -> Overflow:
    """The sizes in the words of an error."""
    for wording in _WORDINGS:
        if (found := wording.search(detail, 0, _LOOKED_AT)) is None:
            continue
        most, sent = _size(found["most"]), _size(found.groupdict().get("sent"))
        if most is not None and (sent is None or sent >= most or "+" in found[0]):
            return Overflow(most, sent)
    return Overflow()


def counts_bytes(detail: str) -> bool:
    """Return True if the request was refused for its bytes, mostly of pictures: that says nothing of tokens."""
    return read_overflow(detail).window is None and _BYTES.search(detail, 0, _LOOKED_AT) is not None


def learned_window(detail: str, plan: ContextPlan) -> int:
    """The real window in tokens after `plan` was too long: the one the error names, else half of what failed.

    Never more than what was taken for the window until now, and just that where it was the bytes that were too many.
    """
    if counts_bytes(detail):
        return plan.limits.window
    if (window := read_overflow(detail).window) is None or window > plan.limits.window:
        window = plan.tokens.total // 2 if window is None else plan.limits.window
    return max(SMALLEST_WINDOW, window)


def shrunk_after_overflow(
    prepared: Preparation, draft: Sequence[Part], failed: ContextPlan, detail: str = ""
) -> ContextPlan | None:
    """The plan for the one retry: at most half the soft limit of the real window; None if it can't be shorter.

    `prepared` is the path as it is now, the question that failed included where it is stored. Where the provider
    counts more than the plan did, the target shrinks in the same measure. The plan never repeats the bytes that
    failed; its `decision` may be `refuse`.
    """
    said = read_overflow(detail)
    window = learned_window(detail, failed)
    soft = min(failed.limits.soft, window * 3 // 4)
    target = soft // 2
    if said.sent is not None and said.sent > failed.tokens.total > 0:
        target = target * failed.tokens.total // said.sent
    plan = prepared.shrunk(draft, max(1, target), window)
    return plan if _said(plan) != _said(failed) and plan.tokens.total < failed.tokens.total else None


def _said(plan: ContextPlan) -> list[tuple[str, tuple[Part, ...]]]:
    return [(message.role, message.blocks) for message in plan.request.messages]


def _size(number: str | None) -> int | None:
    if number is None:
        return None
    size = int(re.sub(r"\D", "", number))
    return size if size >= SMALLEST_WINDOW else None
