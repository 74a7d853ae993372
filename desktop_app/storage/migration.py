"""One step of the history file's format."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Migration:
    """One change of format: leads from `number` - 1 to `number`; `why` is one sentence for those who come later."""

    number: int
    why: str
    statements: tuple[str, ...]
