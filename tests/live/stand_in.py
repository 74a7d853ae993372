"""Owns loopback servers that answer the checks as the real providers are taken to. Knows what the checks ask."""

from __future__ import annotations

from tests.servers.chat_api import ChatApi
from tests.servers.messages_api import (
    Answer,
    Behaviour,
    CapturedRequest,
    HttpError,
    MessagesApi,
    Think,
    ToolUse,
    too_long,
)
from tests.servers.tokens import by_pieces

WINDOW = 200_000
CHAT_WINDOW = 272_000
CALL = ToolUse("look", {"word": "harbour"})


def messages_api() -> MessagesApi:
    """The Messages API with a model behind it; the smallest window on its list is held."""
    api = MessagesApi(count_text=by_pieces)

    def model(request: CapturedRequest) -> Behaviour:
        body = request.body
        tokens = api.count_tokens(body)
        if "haiku-4-5" in body["model"] and tokens > WINDOW:
            return too_long(tokens, WINDOW)
        content = body["messages"][-1]["content"]
        said = content if isinstance(content, str) else str(content[-1].get("text"))
        if said.startswith("Call the tool"):
            return Answer(CALL, stop_reason="tool_use")
        if body["max_tokens"] <= 8:
            return Answer("1, 2, 3", stop_reason="max_tokens")
        if body.get("thinking", {}).get("type") == "adaptive":
            return Answer(Think("The labels are all wrong."), "From the box labelled mixed.")
        return Answer("ok")

    api.default = model
    return api


def chat_api() -> ChatApi:
    """Chat completions with a model behind it that thinks, caches and has a window."""
    api = ChatApi()
    api.models = [{"id": "gpt-5.4-nano", "object": "model", "created": 1, "owned_by": "openai"}]
    api.output_field = "max_completion_tokens"
    seen: set[str] = set()

    def model(request: CapturedRequest) -> Behaviour:
        body = request.body
        if body["model"] == "no-such-model":
            message = "The model `no-such-model` does not exist or you do not have access to it."
            return HttpError(404, "model_not_found", message)
        said = body["messages"][-1]["content"]
        if len(said) // 2 > CHAT_WINDOW:
            message = (
                f"This model's maximum context length is {CHAT_WINDOW} tokens. However, your messages resulted in "
                f"{len(said) // 2} tokens. Please reduce the length of the messages."
            )
            return HttpError(400, "context_length_exceeded", message)
        if said.startswith("Call the tool"):
            return Answer(CALL)
        if body.get("max_completion_tokens", 300) <= 16:
            return Answer("1, 2, 3", stop_reason="length")
        cached = len(said) // 8 if said in seen else 0
        seen.add(said)
        return Answer("ok", usage={"prompt_tokens_details": {"cached_tokens": cached}})

    api.default = model
    return api
