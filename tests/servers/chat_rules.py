"""Owns what real servers of chat completions refuse. Knows no sockets and no tokens.

The wording follows OpenAI's own API where it is known, so that code which reads it meets the real thing.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

TOP_LEVEL_KEYS = frozenset(
    (
        *("model", "messages", "stream", "stream_options", "max_tokens", "max_completion_tokens", "tools"),
        *("tool_choice", "parallel_tool_calls", "temperature", "top_p", "stop", "seed", "reasoning_effort", "store"),
        *("metadata", "prompt_cache_key", "prompt_cache_options", "service_tier", "n", "user", "response_format"),
        # OpenRouter's own
        "plugins",
        # llama.cpp's own
        *("repeat_penalty", "top_k", "min_p"),
    )
)
MESSAGE_KEYS: Mapping[str, frozenset[str]] = {
    "system": frozenset(("role", "content", "name")),
    "developer": frozenset(("role", "content", "name")),
    "user": frozenset(("role", "content", "name")),
    "assistant": frozenset(
        ("role", "content", "name", "tool_calls", "refusal", "reasoning_content", "reasoning", "reasoning_details")
    ),
    "tool": frozenset(("role", "content", "tool_call_id")),
}


def violation(body: Any, *, strict: bool = False) -> str | None:  # noqa: PLR0911
    """Why a real server would answer 400 to this body; None where it would not.

    `strict`: as the templates of many local models, nothing but user and assistant in turn after one system prompt.
    """
    if not isinstance(body, dict):
        return "We could not parse the JSON body of your request."
    for key in body:
        if key not in TOP_LEVEL_KEYS:
            return f"Unrecognized request argument supplied: {key}"
    if not body.get("model") or not isinstance(body["model"], str):
        return "you must provide a model parameter"
    if not isinstance(messages := body.get("messages"), list) or not messages:
        return "Invalid 'messages': empty array. Expected an array with minimum length 1, but got an empty array."
    if body.get("stream_options") is not None and not body.get("stream"):
        return "The 'stream_options' parameter is only allowed when 'stream' is enabled."
    for field in ("max_tokens", "max_completion_tokens"):
        if field in body and (not isinstance(body[field], int) or body[field] < 1):
            return f"Invalid '{field}': integer below minimum value. Expected a value >= 1."
    if "max_tokens" in body and "max_completion_tokens" in body:
        return "Setting 'max_tokens' and 'max_completion_tokens' at the same time is not supported."
    if problem := _offer_violation(body):
        return problem
    for index, message in enumerate(messages):
        if problem := _message_violation(index, message):
            return problem
    return _calls_violation(messages) or (_turns_violation(messages) if strict else None)


def _offer_violation(body: Mapping[str, Any]) -> str | None:
    if (tools := body.get("tools")) is not None and not tools:
        return "Invalid 'tools': empty array. Expected an array with minimum length 1."
    for index, tool in enumerate(tools or ()):
        match tool:
            case {"type": "function", "function": {"name": str(), "parameters": {"type": "object"}}}:
                pass
            case _:
                return f"Invalid type for 'tools[{index}]'."
    if "tool_choice" in body and not tools:
        return "'tool_choice' is only allowed when 'tools' are specified."
    if body.get("reasoning_effort") not in (None, "none", "minimal", "low", "medium", "high", "xhigh", "max"):
        return "Invalid value for 'reasoning_effort'."
    return None


def _message_violation(index: int, message: Any) -> str | None:
    where = f"messages[{index}]"
    role = str(message.get("role")) if isinstance(message, dict) else "nothing"
    if role not in MESSAGE_KEYS:
        return f"Invalid value: '{role}'. Supported values are: 'system', 'assistant', 'user', 'tool', 'developer'."
    if extra := set(message) - MESSAGE_KEYS[role]:
        return f"Additional properties are not allowed ('{min(extra)}' was unexpected) - '{where}'"
    if (content := message.get("content")) is None and not (role == "assistant" and message.get("tool_calls")):
        return f"Invalid value for 'content': expected a string, got null. ({where})"
    if isinstance(content, list):
        return next((problem for part in content if (problem := _part_violation(where, role, part))), None)
    if content is not None and not isinstance(content, str):
        return f"Invalid type for '{where}.content': expected one of a string or array of objects."
    return None


def _part_violation(where: str, role: str, part: Any) -> str | None:
    match part:
        case {"type": "text", "text": str()}:
            return None
        case {"type": "image_url", "image_url": {"url": str(url)}}:
            if role != "user":
                return f"Image URLs are only allowed for messages with role 'user' ({where})."
            if not url.startswith(("data:image/", "https://")) or (url.startswith("data:") and ";base64," not in url):
                return f"Invalid '{where}.content[0].image_url.url'. Expected a base64-encoded data URL."
            return None
    return f"Invalid value for '{where}.content': a part of type {part.get('type') if isinstance(part, dict) else part}"


def _calls_violation(messages: list[dict[str, Any]]) -> str | None:
    open_calls: list[str] = []
    for index, message in enumerate(messages):
        if message["role"] == "tool":
            if (call := message.get("tool_call_id")) not in open_calls:
                return (
                    "Invalid parameter: messages with role 'tool' must be a response to a preceding message with "
                    f"'tool_calls'. (messages[{index}])"
                )
            open_calls.remove(call)
            continue
        if open_calls:
            return (
                "An assistant message with 'tool_calls' must be followed by tool messages responding to each "
                f"'tool_call_id'. The following tool_call_ids did not have response messages: {', '.join(open_calls)}"
            )
        for call in message.get("tool_calls") or ():
            match call:
                case {"id": str(call_id), "type": "function", "function": {"name": str(), "arguments": str(whole)}}:
                    if not isinstance(json.loads(whole), dict):
                        return "The arguments of a call must be a JSON object."
                    open_calls.append(call_id)
                case _:
                    return f"Invalid type for 'messages[{index}].tool_calls'."
    return "An assistant message with 'tool_calls' must be followed by tool messages." if open_calls else None


def _turns_violation(messages: list[dict[str, Any]]) -> str | None:
    turns = messages[1:] if messages[0]["role"] == "system" else messages
    for index, message in enumerate(turns):
        if message["role"] != ("user", "assistant")[index % 2] or message.get("tool_calls"):
            return "Conversation roles must alternate user/assistant/user/assistant/..."
    return None
