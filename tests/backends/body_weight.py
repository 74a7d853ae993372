"""Owns what a request's body weighs by an estimator, block by block as it stands on the wire. Knows no planner."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from itertools import pairwise
from typing import Any

from desktop_app.backends.anthropic_wire import request_body
from desktop_app.backends.claude_cli.invocation import content_blocks
from desktop_app.core.context.plan import ContextPlan
from desktop_app.core.context.text_features import CONSTANT, features
from desktop_app.core.context.token_counting import image_tokens
from desktop_app.core.context.token_estimator import TokenEstimator
from desktop_app.core.messages import ImagePart


def body_weight(plan: ContextPlan, estimator: TokenEstimator, *, labels: bool) -> float:
    """Tokens of what the backend sends for a plan, as an estimator counts each block.

    The wire does not tell stored messages of one role apart that go as one; each of them was counted for its edges.
    """
    edges = estimator.tokens(CONSTANT)
    front = edges * (bool(plan.request.system.strip()) + len(plan.request.tools))
    weight = body_tokens(plan, lambda text: estimator.tokens(features(text)), labels=labels)
    return weight + front + edges * _edges(plan)


def body_tokens(plan: ContextPlan, count: Callable[[str], float], *, labels: bool = False) -> float:
    """What the texts of a request's body count, and its images: system prompt, tools, every block of every message."""
    body = request_body(plan)
    texts = [plan.request.system] if plan.request.system.strip() else []
    texts += [f"{t['name']}\n{t['description']}\n{json.dumps(t['input_schema'])}" for t in body.get("tools", ())]
    if labels:
        blocks = content_blocks(plan.request.messages, ())
    else:
        blocks = [block for message in body["messages"] for block in message["content"]]
    texts += [text for block in blocks for text in _texts(block)]
    images = (b for m in plan.request.messages for b in m.blocks if isinstance(b, ImagePart))
    return sum(map(count, texts)) + sum(image_tokens(image, plan.model.tokenizer) for image in images)


def _edges(plan: ContextPlan) -> int:
    return sum(1 + sum(a != b for a, b in pairwise(message.sources)) for message in plan.request.messages)


def _texts(block: Mapping[str, Any]) -> Iterator[str]:
    match block["type"]:
        case "text":
            yield block["text"]
        case "document":
            yield f"{block['title']}\n{block['source']['data']}"
        case "tool_use":
            yield block["name"] + json.dumps(block["input"], ensure_ascii=False)
        case "tool_result":
            yield block.get("content", "")
        case "thinking":
            yield block["thinking"]
        case kind:
            assert kind == "image", kind
