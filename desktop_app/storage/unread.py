"""SQL for unread threads: the answer they end with has ended, or failed, and was not shown yet."""

from __future__ import annotations

_TIP = "SELECT 1 FROM message WHERE id = thread.tip AND role = 'assistant'"
_FAILED = "failure IS NOT NULL AND json_extract(failure, '$.code') != 'interrupted'"


def unread_if(seen: str = "thread.seen") -> str:
    """The condition on a row of `thread`; `seen` is the column, or what stands for it in an older file.

    A thread that was seen to its end, as nearly all are, costs no look at its messages.
    """
    return f"thread.tip IS NOT {seen} AND EXISTS ({_TIP} AND (state != 'partial' OR {_FAILED}))"


def failed_if(seen: str = "thread.seen") -> str:
    """The condition that what a thread ends with, unread, is a failure: nobody stopped it."""
    return f"thread.tip IS NOT {seen} AND EXISTS ({_TIP} AND {_FAILED})"
