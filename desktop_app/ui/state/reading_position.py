"""The value that says where in a thread somebody reads."""

from __future__ import annotations

from typing import NamedTuple


class ReadingPosition(NamedTuple):
    """The place where somebody reads, to be found again when the thread is laid out again.

    `message`: id of the message whose row stands `top` pixels below the view's top; negative: it begins above.
    `slot`: the row's number in its message, -1: the message's first row. `held`: a message id and the pixels that
    there is room for from its top on.
    """

    message: str
    top: int
    slot: int = -1
    held: tuple[str, int] | None = None
