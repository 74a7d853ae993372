"""Owns what the real Messages API refuses. Knows no sockets and no tokens.

The wording of the messages follows the real API where it is known, so that code which reads them meets the real thing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

TOP_LEVEL_KEYS = frozenset(
    (
        *("model", "messages", "system", "max_tokens", "stream", "metadata", "stop_sequences", "thinking", "tools"),
        *("tool_choice", "temperature", "top_k", "top_p", "cache_control", "container", "context_management", "betas"),
        *("diagnostics", "fallbacks", "inference_geo", "mcp_servers", "output_config", "service_tier", "speed"),
        *("compaction", "thread", "user_profile_id", "workspace_id", "billing_policy", "fallback_credit_token"),
    )
)
"""The parameters of `messages.create`, stable and beta, of SDK 2.12."""

BLOCK_KEYS: Mapping[str, frozenset[str]] = {
    "text": frozenset(("type", "text", "cache_control", "citations")),
    "thinking": frozenset(("type", "thinking", "signature")),
    "redacted_thinking": frozenset(("type", "data")),
    "tool_use": frozenset(("type", "id", "name", "input", "cache_control", "caller", "toolset_name")),
    "tool_result": frozenset(("type", "tool_use_id", "content", "is_error", "cache_control", "toolset_name")),
    "image": frozenset(("type", "source", "cache_control", "transformations")),
    "search_result": frozenset(("type", "source", "title", "content", "citations", "cache_control")),
    "document": frozenset(("type", "source", "cache_control", "citations", "context", "title")),
}
TOOL_KEYS = frozenset(
    (
        *("name", "description", "input_schema", "cache_control", "type", "strict", "input_examples"),
        *("allowed_callers", "defer_loading", "eager_input_streaming"),
    )
)
SEARCH_TOOLS = ("web_search_20250305", "web_search_20260209", "web_search_20260318")

OTHER_BLOCKS = frozenset(
    (
        *("server_tool_use", "web_search_tool_result", "web_fetch_tool_result", "container_upload"),
        *("code_execution_tool_result", "bash_code_execution_tool_result", "text_editor_code_execution_tool_result"),
        *("tool_search_tool_result", "mcp_tool_use", "mcp_tool_result", "compaction", "fallback", "tool_addition"),
        *("tool_removal", "mcp_tool_listing", "advisor_tool_result"),
    )
)


def violation(body: Any, headers: Mapping[str, str], *, counting: bool = False) -> str | None:  # noqa: PLR0911
    """Why the real API would answer 400 to this body (a count_tokens body if `counting`); None where it would not.

    `headers` with lower-case names.
    """
    if "anthropic-version" not in headers:
        return "anthropic-version: header is required"
    if not isinstance(body, dict):
        return "The request body is not valid JSON: expected an object"
    for key in body:
        if key not in TOP_LEVEL_KEYS:
            return f"{key}: Extra inputs are not permitted"
    for key in ("model", "messages") if counting else ("model", "messages", "max_tokens"):
        if key not in body:
            return f"{key}: Field required"
    if not counting and (not isinstance(body["max_tokens"], int) or body["max_tokens"] < 0):
        return "max_tokens: Input should be greater than or equal to 0"
    if (
        not counting
        and body["max_tokens"] == 0
        and (body.get("stream") or body.get("thinking", {}).get("type") == "enabled")
    ):
        return "max_tokens: 0 only fills the cache: it can't be streamed, nor have a budget of thinking"
    if not isinstance(messages := body["messages"], list) or not messages:
        return "messages: at least one message is required"
    return (
        _system_violation(body.get("system"))
        or _messages_violation(messages, str(body["model"]))
        or _marks_violation(body)
        or _offer_violation(body)
        or _tools_violation(messages)
    )


def _system_violation(system: Any) -> str | None:
    if system is None or isinstance(system, str):
        return None
    if not isinstance(system, list):
        return "system: Input should be a valid list"
    for index, block in enumerate(system):
        if problem := _block_violation(f"system.{index}", block):
            return problem
    return None


def _messages_violation(messages: list[Any], model: str) -> str | None:  # noqa: PLR0911
    for index, message in enumerate(messages):
        where = f"messages.{index}"
        if not isinstance(message, dict) or message.get("role") not in ("user", "assistant", "system"):
            return f"{where}.role: Input should be 'user' or 'assistant'"
        if extra := set(message) - {"role", "content", "output_config", "clear_at"}:
            return f"{where}.{min(extra)}: Extra inputs are not permitted"
        if not (content := message.get("content")):
            return f"{where}: all messages must have non-empty content except for the optional final assistant message"
        if isinstance(content, str) and not content.strip():
            return "messages: text content blocks must contain non-whitespace text"
        if isinstance(content, list):
            for at, block in enumerate(content):
                if problem := _block_violation(f"{where}.content.{at}", block):
                    return problem
    if messages[0]["role"] != "user":
        return 'messages: first message must use the "user" role'
    if messages[-1]["role"] == "assistant" and "-4-" not in model and not _goes_on(messages[-1]["content"]):
        return "This model does not support assistant message prefill. The conversation must end with a user message."
    return None


def _goes_on(content: Any) -> bool:
    """Whether it is an answer that the API itself paused, at one of its own tools."""
    return isinstance(content, list) and any(block["type"] == "server_tool_use" for block in content)


def _block_violation(where: str, block: Any) -> str | None:  # noqa: PLR0911
    kind = str(block.get("type")) if isinstance(block, dict) else "nothing"
    if kind not in BLOCK_KEYS:
        return None if kind in OTHER_BLOCKS else f"{where}: Input tag {kind!r} does not match any of the expected tags"
    if kind in ("thinking", "redacted_thinking") and "cache_control" in block:
        return f"{where}.{kind}.cache_control: Extra inputs are not permitted"
    if extra := set(block) - BLOCK_KEYS[kind]:
        return f"{where}.{kind}.{min(extra)}: Extra inputs are not permitted"
    if kind == "text":
        if not isinstance(text := block.get("text"), str):
            return f"{where}.text.text: Input should be a valid string"
        if not text:
            return "messages: text content blocks must be non-empty"
        if not text.strip():
            return "messages: text content blocks must contain non-whitespace text"
    if kind == "thinking" and not block.get("signature"):
        return f"{where}.thinking.signature: Field required"
    if kind == "tool_result" and isinstance(block.get("content"), list):
        for at, inner in enumerate(block["content"]):
            if problem := _block_violation(f"{where}.tool_result.content.{at}", inner):
                return problem
    if kind == "search_result":
        return _search_result_violation(where, block)
    return None


def _search_result_violation(where: str, block: Mapping[str, Any]) -> str | None:
    if not isinstance(texts := block.get("content"), list) or not texts:
        return f"{where}.search_result.content: Input should be a valid list"
    for at, inner in enumerate(texts):
        if inner.get("type") != "text":
            return f"{where}.search_result.content.{at}: Input tag does not match any of the expected tags: 'text'"
        if problem := _block_violation(f"{where}.search_result.content.{at}", inner):
            return problem
    for key in ("source", "title"):
        if not isinstance(block.get(key), str) or not block[key]:
            return f"{where}.search_result.{key}: Field required"
    return None


def _marks_violation(body: Mapping[str, Any]) -> str | None:
    marks = [block["cache_control"] for _, block in blocks(body) if block.get("cache_control")]
    if body.get("cache_control"):
        marks.append(body["cache_control"])
    if len(marks) > 4:
        return f"A maximum of 4 blocks with cache_control may be provided. Found {len(marks)}."
    short_seen = False
    for mark in marks:
        lifetime = mark.get("ttl", "5m")
        if mark.get("type") != "ephemeral" or lifetime not in ("5m", "1h"):
            return "cache_control: Input should be {'type': 'ephemeral', 'ttl': '5m' or '1h'}"
        if lifetime == "1h" and short_seen:
            return (
                "cache_control.ttl: a ttl='1h' cache_control block must not come after a ttl='5m' cache_control block. "
                "Note that blocks are processed in the following order: `tools`, `system`, `messages`."
            )
        short_seen |= lifetime == "5m"
    return None


def _offer_violation(body: Mapping[str, Any]) -> str | None:  # noqa: PLR0911
    names = []
    for index, tool in enumerate(body.get("tools") or ()):
        if (kind := tool.get("type", "custom")) == "custom":
            if extra := set(tool) - TOOL_KEYS:
                return f"tools.{index}.custom.{min(extra)}: Extra inputs are not permitted"
            if (tool.get("input_schema") or {}).get("type") != "object":
                return f"tools.{index}.custom.input_schema.type: Input should be 'object'"
        elif kind.startswith("web_search_") and kind not in SEARCH_TOOLS:
            return f"tools.{index}: Input tag '{kind}' found using 'type' does not match any of the expected tags"
        if not re.fullmatch(r"[a-zA-Z0-9_-]{1,128}", str(tool.get("name"))):
            return f"tools.{index}.{kind}.name: String should match pattern '^[a-zA-Z0-9_-]{{1,128}}$'"
        names.append(tool["name"])
    if len(names) != len(set(names)):
        return "tools: Tool names must be unique."
    if body.get("tool_choice") and not names:
        return "tool_choice: tool_choice may only be specified while providing tools."
    if (body.get("output_config") or {}).get("effort") not in (None, "low", "medium", "high", "xhigh", "max"):
        return "output_config.effort: Input should be 'low', 'medium', 'high', 'xhigh' or 'max'"
    if body.get("thinking", {}).get("type", "adaptive") not in ("adaptive", "disabled", "enabled", "between_tools"):
        return "thinking: Input tag does not match any of the expected tags"
    return None


def _tools_violation(messages: list[Any]) -> str | None:
    turns: list[tuple[str, list[Any]]] = []
    for message in messages:
        content = message["content"] if isinstance(message["content"], list) else []
        if turns and turns[-1][0] == message["role"]:
            turns[-1][1].extend(content)
        else:
            turns.append((message["role"], list(content)))
    asked: set[str] = set()
    for index, (_, content) in enumerate(turns):
        results = {str(block.get("tool_use_id")) for block in content if block["type"] == "tool_result"}
        if lonely := results - asked:
            return (
                f"messages.{index}: unexpected `tool_use_id` found in `tool_result` blocks: {min(lonely)}. Each "
                "`tool_result` block must have a corresponding `tool_use` block in the previous message."
            )
        if missing := asked - results:
            return (
                f"messages.{index}: `tool_use` ids were found without `tool_result` blocks immediately after: "
                f"{min(missing)}. Each `tool_use` block must have a corresponding `tool_result` block in the next "
                "message."
            )
        calls = [str(block.get("id")) for block in content if block["type"] == "tool_use"]
        if len(calls) != len(set(calls)):
            return "messages: `tool_use` ids must be unique"
        asked = set(calls)
    return None if not asked else "messages: `tool_use` ids were found without `tool_result` blocks immediately after"


def blocks(body: Mapping[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Each block that can carry a cache mark, in the order of the cache: tools, system, messages; with its place."""
    for tool in body.get("tools") or ():
        yield "tools", tool
    if isinstance(system := body.get("system"), str) and system:
        yield "system", {"type": "text", "text": system}
    elif isinstance(system, list):
        for block in system:
            yield "system", block
    for index, message in enumerate(body.get("messages") or ()):
        if isinstance(content := message["content"], str):
            yield f"{index}.{message['role']}", {"type": "text", "text": content}
        else:
            for block in content:
                yield f"{index}.{message['role']}", block
