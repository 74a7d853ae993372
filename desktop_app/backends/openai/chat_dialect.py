"""Differences between servers of chat completions, and what an error teaches about them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final, Literal

from desktop_app.backends.openai.chat_failures import ChatApiError
from desktop_app.core.messages import Parameters
from desktop_app.core.model_catalog import ModelInfo
from desktop_app.core.phrases import phrase


@dataclass(frozen=True, slots=True)
class ChatDialect:
    """The way a request is written for one server or model.

    `include_usage`: the stream is asked for its usage. `output_field` names the longest answer ("": it is not sent).
    `system`: the role of the system prompt; "user": it opens the first user message, for templates without that role.
    `strict`: nothing but user and assistant in turn, so tool calls and results become text. `images`: pictures are
    sent. `reasoning_field`: under which name thinking goes back within a tool loop ("": it does not). `tools`, `effort`
    and `temperature` may be asked for. `search`: how the server is asked to search the web ("": it is not).
    """

    include_usage: bool = True
    output_field: Literal["max_tokens", "max_completion_tokens", ""] = "max_tokens"
    system: Literal["system", "developer", "user"] = "system"
    strict: bool = False
    images: bool = True
    reasoning_field: Literal["", "reasoning_content", "reasoning"] = "reasoning_content"
    tools: bool = True
    effort: bool = True
    temperature: bool = True
    search: Literal["", "plugins"] = ""

    def able(self, model: ModelInfo) -> ModelInfo:
        """The model with only those abilities that it can be asked for."""
        return replace(
            model,
            accepts_images=model.accepts_images and self.images,
            accepts_tools=model.accepts_tools and self.tools and not self.strict,
            efforts=model.efforts if self.effort else (),
            thinking=model.thinking if self.effort or model.thinking == "never" else "always",
            temperature=model.temperature and self.temperature,
            web_search=bool(self.search),
        )


PLAIN: Final = ChatDialect()
"""The dialect that most servers understand."""

_TOO_MUCH: Final = re.compile(r"too (?:large|big|high|many)|at most|less than|exceed|maximum|range|invalid value")
_NO_SYSTEM: Final = re.compile(
    r"system (?:role|message|prompt|instruction)s?\b[^.]{0,40}(?:not|n't) |unknown role\W{0,4}system"
    r"|only user and (?:assistant|model) roles|role\W{0,4}system\W{0,4} is not"
)
_IN_TURN: Final = re.compile(
    r"roles must alternate|must alternate|unexpected role|role\W{0,4}tool\W|only user(?:,| and)"
)

_TOOLS: Final = r"(?:\btools?\b(?!_)|\btool_choice\b|\btool[ -](?:us|call|choice)|\bfunction[ _-]call)"
_NO_TOOLS: Final = re.compile(
    rf"(?:\bnot|n't|no endpoints|unsupported|unrecogni[sz]ed|unknown)\b[^.]{{0,60}}{_TOOLS}"
    rf"|{_TOOLS}[^.]{{0,40}}(?:\bnot\b|n't |unsupported|requires?\b|extra inputs|--jinja)"
)
_OF_A_CALL: Final = re.compile(r"role\W{0,4}tool\W|tool_calls?\b|tool_call_id|must be followed|preceding")


def taught(dialect: ChatDialect, error: ChatApiError) -> Iterator[ChatDialect]:
    """The dialects that a refused request suggests instead, most likely first; nothing if it was refused otherwise."""
    words = f"{error.param} {error.message}".lower()
    no_tools = bool(_NO_TOOLS.search(words)) and not _OF_A_CALL.search(words)
    if not (error.status in (400, 422) or error.status >= 500 or (error.status == 404 and no_tools)):
        return
    if dialect.include_usage and ("stream_options" in words or "include_usage" in words):
        yield replace(dialect, include_usage=False)
    if dialect.output_field and dialect.output_field in words:
        if not _TOO_MUCH.search(words.replace("max_tokens", "").replace("max_completion_tokens", "")):
            other: Literal["max_tokens", "max_completion_tokens"] = (
                "max_completion_tokens" if dialect.output_field == "max_tokens" else "max_tokens"
            )
            yield replace(dialect, output_field=other)
        yield replace(dialect, output_field="")
    if dialect.reasoning_field and dialect.reasoning_field in words:
        yield replace(dialect, reasoning_field="")
    if dialect.tools and no_tools:
        yield replace(dialect, tools=False)
    if dialect.effort and re.search(r"reasoning[_. ]effort|\beffort\b", words):
        yield replace(dialect, effort=False)
    if dialect.temperature and re.search(r"\btemperature\b", words):
        yield replace(dialect, temperature=False)
    if dialect.search and re.search(r"\bplugins?\b|web[_ ]search", words):
        yield replace(dialect, search="")
    if dialect.system == "developer" and "developer" in words:
        yield replace(dialect, system="system")
    if dialect.system != "user" and _NO_SYSTEM.search(words):
        yield replace(dialect, system="user")
    if not dialect.strict and _IN_TURN.search(words):
        yield replace(dialect, strict=True)


def refused_options(before: ChatDialect, after: ChatDialect, wishes: Parameters) -> tuple[str, ...]:
    """Return, in words, what the user asked for and `after` can't be asked for."""
    lost = (
        (before.effort and not after.effort and bool(wishes.effort), phrase("a level of effort")),
        (before.effort and not after.effort and wishes.thinking is False, phrase("an answer without thinking")),
        (before.temperature and not after.temperature and wishes.temperature is not None, phrase("a temperature")),
        (bool(before.search) and not after.search and wishes.web_search, phrase("a web search")),
    )
    return tuple(words for is_lost, words in lost if is_lost)
