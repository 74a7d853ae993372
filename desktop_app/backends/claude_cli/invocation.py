"""Puts a `ContextPlan` to the `claude` program: arguments, standard input, control lines.

The facts behind each flag were measured with version 2.1.330.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final, assert_never

from desktop_app.backends.anthropic_wire import document_source
from desktop_app.core.context.plan import CacheLifetime, CacheMark, ContextPlan, PlannedMessage
from desktop_app.core.context.sent_content import labelled
from desktop_app.core.messages import (
    DocumentPart,
    ImagePart,
    Part,
    Role,
    TextPart,
    ThinkingPart,
    ToolCallPart,
    ToolResultPart,
    UnknownPart,
)
from desktop_app.core.tool_spec import ToolSpec

FLAGS = (
    "--print",
    # blocks instead of one text: the provider's cache matches at block boundaries, and `client_composed` is possible
    *("--input-format", "stream-json", "--output-format", "stream-json"),
    "--verbose",  # without it the program ends with code 1 and says nothing on standard output
    "--include-partial-messages",
    *("--tools", ""),
    "--strict-mcp-config",
    *("--setting-sources", ""),
    "--disable-slash-commands",
    "--no-session-persistence",
    *("--settings", '{"permissions":{"deny":["Read"]}}'),
)

SERVER: Final = "plimsoll"
"""The name by which the program refers to the server of our tools."""

_TOOL_PREFIX: Final = f"mcp__{SERVER}__"

EFFORTS: Final = ("low", "medium", "high", "xhigh", "max")
"""The values that `--effort` takes, according to the program's help; it ignores any other word."""

INTERRUPT = b'{"type":"control_request","request_id":"stop","request":{"subtype":"interrupt"}}\n'
"""The control line that ends the running answer; a `result` line follows after about 20 ms."""

READY = b'{"type":"control_request","request_id":"ready","request":{"subtype":"initialize"}}\n'
"""The control line that a program answers once it has started and read its system prompt; it changes no request."""


def arguments(
    system_file: Path, model: str, *, tools: Sequence[ToolSpec] = (), effort: str = "", thinks: bool = True
) -> tuple[str, ...]:
    """Everything after the program's name. The conversation is not among it: arguments are seen by all users.

    `tools` may be called without a question, and nothing else can be. `effort`: empty leaves it to the program.
    `thinks` False turns thinking off. Values stand in the form with an equals sign, so that no setting can pass for
    another flag.
    """
    more = [f"--allowedTools={','.join(tool_name(tool.name) for tool in tools)}"] if tools else []
    more += [f"--effort={effort}"] if effort in EFFORTS else []
    more += [] if thinks else ["--thinking=disabled"]
    return (*FLAGS, *more, "--system-prompt-file", str(system_file), f"--model={model}")


def tool_name(name: str) -> str:
    """The name that the model knows a tool of ours by."""
    return f"{_TOOL_PREFIX}{name}"


def plain_name(name: str) -> str:
    """Our name for a tool that the model called; the name itself where it is none of ours."""
    return name.removeprefix(_TOOL_PREFIX)


def lifetime(plan: ContextPlan) -> CacheLifetime:
    """Return how long the plan's marks live; 5m without one."""
    return next((mark.lifetime for mark in plan.request.marks if mark.message >= 0), "5m")


def encoded(text: str) -> bytes:
    """UTF-8. A lone surrogate, which JSON and a plan may hold but UTF-8 may not, becomes a question mark."""
    return text.encode("utf-8", errors="replace")


def stdin_line(plan: ContextPlan) -> str:
    """The one line that carries the conversation, with its line end.

    Content blocks of history and pending message in order, each text block being label + text + blank line. The bytes
    of the blocks depend on nothing that follows them, so they stay the same from turn to turn.
    """
    return user_line(plan.request.messages, plan.request.marks)


def user_line(messages: Sequence[PlannedMessage], marks: Sequence[CacheMark]) -> str:
    """`stdin_line` for messages and marks that belong to no plan."""
    record = {
        "type": "user",
        "message": {"role": "user", "content": content_blocks(messages, marks)},
        "parent_tool_use_id": None,
        "session_id": "",
        "client_composed": True,  # no `@path` in the text is read, no `/command` run
    }
    return encoded(json.dumps(record, ensure_ascii=False, separators=(",", ":")) + "\n").decode()


def content_blocks(messages: Sequence[PlannedMessage], marks: Sequence[CacheMark]) -> list[dict[str, Any]]:
    """The content blocks of that line, each with our cache mark where it has one."""
    lifetimes = {(mark.message, mark.block): mark.lifetime for mark in marks}
    content: list[dict[str, Any]] = []
    for at, message in enumerate(messages):
        for index, part in enumerate(message.blocks):
            block = _block(part, message.role)
            if block is not None:
                content.append(block)
            if (at, index) in lifetimes and content:
                # on a part that is not sent the mark falls back on the block before it
                content[-1]["cache_control"] = {"type": "ephemeral", "ttl": lifetimes[at, index]}
    return content


def _block(part: Part, role: Role) -> dict[str, Any] | None:
    """The content block of a part; None for what only the provider that made it can read (thinking, foreign blocks)."""
    match part:
        case TextPart(text) | ToolResultPart(text=text):
            return {"type": "text", "text": labelled(text, role)}
        case ImagePart():
            source = {"type": "base64", "media_type": part.media_type, "data": part.data}
            return {"type": "image", "source": source}
        case DocumentPart():
            return {"type": "document", "source": document_source(part), "title": part.name}
        case ThinkingPart() | ToolCallPart() | UnknownPart():
            return None
        case _:
            assert_never(part)
