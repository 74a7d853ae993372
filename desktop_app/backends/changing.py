"""Owns values that may change while a backend lives: given once, or asked for each time. Knows no setting."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

Address: TypeAlias = str | Callable[[], str | None] | None
Seconds: TypeAlias = float | Callable[[], float | None] | None
"""The longest silence, in seconds; None: the backend's own."""


def address_now(address: Address) -> str | None:
    """The address as it is now; None where there is none of its own."""
    return address() if callable(address) else address


def seconds_now(seconds: Seconds, usual: float) -> float:
    """The seconds as they are now, `usual` where nothing is said."""
    return (seconds() if callable(seconds) else seconds) or usual
