"""The typesetting and drawing of formulas: a process of its own lays them out, the canvas paints their outlines.

Knows nothing of messages. `EM` is what the process and the canvas have in common.
"""

from __future__ import annotations

from typing import Final


class NotTypesetError(ValueError):
    """The formula means nothing to the library, or nothing that could be shown."""


EM: Final = 1_000
"""Outlines are in thousandths of the formula's font size; y grows downwards from the baseline."""
