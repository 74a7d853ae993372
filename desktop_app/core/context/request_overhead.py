"""The contents of every request beside its messages: the system prompt, and the tools on offer."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from desktop_app.core.context.app_notes import SYSTEM_NOTE
from desktop_app.core.context.text_features import CONSTANT, ZERO, Features, features, plus
from desktop_app.core.model_catalog import TokenizerFamily
from desktop_app.core.tool_spec import ToolSpec


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


TOOL_PROMPT: Final[dict[TokenizerFamily, int]] = {"claude-2023": 346, "claude-2026": 346}
"""Tokens that a provider adds to a request which offers any tool, as Anthropic's documentation of tool use states them.

0 for families that are not named: what they add is not documented, and the first answer's usage tells it.
"""


@dataclass(frozen=True, slots=True)
class ToolTokens:
    """The tools of a request: what is told of them, its features, and the provider's own tokens for it."""

    tools: tuple[ToolSpec, ...] = ()
    counted: Features = ZERO
    hidden: int = 0

    @classmethod
    def of(cls, tools: Sequence[ToolSpec], family: TokenizerFamily) -> ToolTokens:
        if not tools:
            return NO_TOOLS
        counted = ZERO
        for tool in tools:
            told = f"{tool.name}\n{tool.description}\n{json.dumps(tool.schema, ensure_ascii=False)}"
            counted = plus(counted, plus(features(told), CONSTANT))
        return cls(tuple(tools), counted, TOOL_PROMPT.get(family, 0))

    @property
    def key_facts(self) -> tuple[object, ...]:
        """The facts that the bytes of the request depend on; empty where nothing is offered."""
        return tuple((tool.name, tool.description, tool.schema) for tool in self.tools)


NO_TOOLS: Final = ToolTokens()
