"""Tells whether a text holds what looks like an API key. Keeps and logs nothing of it."""

from __future__ import annotations

import re
from typing import Final

_LIKE_A_KEY: Final = re.compile(r"(?<![A-Za-z0-9_-])(?:sk-[A-Za-z0-9_-]{17}|AIza[A-Za-z0-9_-]{16})[A-Za-z0-9_-]*")
"""Known beginnings (sk-ant-, sk-proj-, sk-, AIza) of at least 20 characters."""


def holds_api_key(text: str) -> bool:
    """Whether something in it looks like a key; a name of words such as sk-estimator-doc-link-fitted is none."""
    return any(any(sign.isdigit() for sign in found.group()) for found in _LIKE_A_KEY.finditer(text))
