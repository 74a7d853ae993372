"""Tells whether a text holds what looks like an API key. Keeps and logs nothing of it."""

from __future__ import annotations

import re
from typing import Final

_LIKE_A_KEY: Final = re.compile(r"(?<![A-Za-z0-9_-])(?:sk-[A-Za-z0-9_-]{17}|AIza[A-Za-z0-9_-]{16})[A-Za-z0-9_-]*")
"""Known beginnings (sk-ant-, sk-proj-, sk-, AIza) of at least 20 characters."""


def first_api_key(text: str) -> str:
    """Return the first text that looks like a key in it, else nothing; a name of words such as
    sk-estimator-doc-link-fitted is none.
    """
    keys = (found.group() for found in _LIKE_A_KEY.finditer(text))
    return next((key for key in keys if any(sign.isdigit() for sign in key)), "")


def holds_api_key(text: str) -> bool:
    """Return True if something in it looks like a key."""
    return bool(first_api_key(text))


def backend_of_key(key: str) -> str:
    """The backend whose keys begin so; "" where none of ours does."""
    return "anthropic" if key.startswith("sk-ant-") else "openai" if key.startswith("sk-") else ""
