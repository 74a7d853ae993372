"""The exit status of each failure, as scripts may rely on it."""

from __future__ import annotations

from collections.abc import Mapping

from desktop_app.core.messages import FailureCode

DONE = 0
BUG = 1
"""Not a failure anybody planned for: a crash report was written."""

EXIT_STATUS: Mapping[FailureCode, int] = {
    "usage": 2,
    "config": 3,
    "context_limit": 4,
    "auth": 5,
    "not_found": 5,
    "rate_limited": 5,
    "overloaded": 5,
    "network": 5,
    "backend": 5,
    "store": 6,
    "interrupted": 130,
}
