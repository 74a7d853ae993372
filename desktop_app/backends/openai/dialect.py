"""Owns in what servers of chat completions differ, and what an error teaches about it. Knows no network and no plan."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final, Literal

from desktop_app.backends.openai.api_error import ApiError


@dataclass(frozen=True, slots=True)
class Dialect:
    """How a request is written for one server or model.

    `include_usage`: the stream is asked for its usage. `output_field` names the longest answer ("": it is not sent).
    `system`: the role of the system prompt; "user": it opens the first user message, for templates without that role.
    `strict`: nothing but user and assistant in turn, so tool calls and results become text. `images`: pictures are
    sent. `reasoning_field`: under which name thinking goes back within a tool loop ("": it does not).
    """

    include_usage: bool = True
    output_field: Literal["max_tokens", "max_completion_tokens", ""] = "max_tokens"
    system: Literal["system", "developer", "user"] = "system"
    strict: bool = False
    images: bool = True
    reasoning_field: Literal["", "reasoning_content", "reasoning"] = "reasoning_content"


PLAIN: Final = Dialect()
"""What most servers understand."""

_TOO_MUCH: Final = re.compile(r"too (?:large|big|high|many)|at most|less than|exceed|maximum|range|invalid value")
_NO_SYSTEM: Final = re.compile(
    r"system (?:role|message|prompt|instruction)s?\b[^.]{0,40}(?:not|n't) |unknown role\W{0,4}system"
    r"|only user and (?:assistant|model) roles|role\W{0,4}system\W{0,4} is not"
)
_IN_TURN: Final = re.compile(
    r"roles must alternate|must alternate|unexpected role|role\W{0,4}tool\W|only user(?:,| and)"
)


def taught(dialect: Dialect, error: ApiError) -> Iterator[Dialect]:
    """The dialects that a refused request suggests instead, most likely first; nothing if it was refused otherwise."""
    if not (error.status in (400, 422) or error.status >= 500):
        return
    words = f"{error.param} {error.message}".lower()
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
    if dialect.system == "developer" and "developer" in words:
        yield replace(dialect, system="system")
    if dialect.system != "user" and _NO_SYSTEM.search(words):
        yield replace(dialect, system="user")
    if not dialect.strict and _IN_TURN.search(words):
        yield replace(dialect, strict=True)
