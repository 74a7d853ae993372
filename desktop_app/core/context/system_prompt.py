"""Owns the two forms of a system prompt: as written, and with the line about the app's notes. Knows no path."""

from __future__ import annotations

from dataclasses import dataclass

from desktop_app.core.context.app_notes import SYSTEM_NOTE
from desktop_app.core.context.text_features import CONSTANT, ZERO, Features, features, plus


@dataclass(frozen=True, slots=True)
class SystemPrompt:
    """The system prompt without and with the line about the app's notes, and their features."""

    texts: tuple[str, str]
    counted: tuple[Features, Features]

    @classmethod
    def of(cls, system: str) -> SystemPrompt:
        noted = f"{system.rstrip()}\n\n{SYSTEM_NOTE}" if system.strip() else SYSTEM_NOTE
        plain = plus(features(system), CONSTANT) if system.strip() else ZERO
        return cls((system, noted), (plain, plus(features(noted), CONSTANT)))
