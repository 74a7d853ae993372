"""Reads the usage object of the Messages API: tokens and their cost."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import reduce
from typing import Any, Final

from desktop_app.core.context.costs import usage_cost
from desktop_app.core.messages import Usage
from desktop_app.core.model_catalog import WEB_SEARCH_USD, ModelInfo, find_model
from desktop_app.core.stream_events import count_in

BACKEND: Final = "anthropic"


def usage_of(usage: Mapping[str, Any], model: ModelInfo) -> Usage:
    """The API's usage object in our words, with its cost at the prices of `model`.

    Where it lists what each of several samplings used (`iterations`), the sum of these is what is paid for: the fields
    above may leave some out, as those of a compaction, or of an adviser at another price.
    """
    counted = replace(_sampling(usage, model), thinking=count_in(usage.get("output_tokens_details"), "thinking_tokens"))
    entries = usage.get("iterations")
    if isinstance(entries, list) and entries:
        each = [_sampling(entry, _model_of(entry, model)) for entry in entries if isinstance(entry, Mapping)]
        whole = replace(reduce(summed, each), thinking=counted.thinking) if each else counted
        if whole.prompt + whole.output >= counted.prompt + counted.output:
            counted = whole
    if counted.cost_usd is None:
        return counted
    return replace(counted, cost_usd=counted.cost_usd + searches_of(usage) * WEB_SEARCH_USD)


def _model_of(entry: Mapping[str, Any], model: ModelInfo) -> ModelInfo:
    """Whose prices a sampling has: it may be another model's."""
    name = entry.get("model")
    return model if not isinstance(name, str) or name == model.id else find_model(BACKEND, name)


def _sampling(usage: Mapping[str, Any], model: ModelInfo) -> Usage:
    counted = Usage(
        input=count_in(usage, "input_tokens"),
        cache_read=count_in(usage, "cache_read_input_tokens"),
        cache_write=count_in(usage, "cache_creation_input_tokens"),
        output=count_in(usage, "output_tokens"),
    )
    return replace(
        counted, cost_usd=_cost(model, counted, count_in(usage.get("cache_creation"), "ephemeral_1h_input_tokens"))
    )


def searches_of(usage: Mapping[str, Any]) -> int:
    """Return how often the provider searched the web for an answer."""
    return count_in(usage.get("server_tool_use"), "web_search_requests")


def summed(before: Usage, after: Usage) -> Usage:
    """The usage of an answer that took several requests; `first_prompt` is that of the first."""
    costs = (before.cost_usd, after.cost_usd)
    return Usage(
        input=before.input + after.input,
        cache_read=before.cache_read + after.cache_read,
        cache_write=before.cache_write + after.cache_write,
        output=before.output + after.output,
        thinking=before.thinking + after.thinking,
        cost_usd=None if None in costs else sum(cost or 0.0 for cost in costs),
        first_prompt=before.opening,
    )


def _cost(model: ModelInfo, usage: Usage, written_1h: int) -> float | None:
    """Dollars; `written_1h` of the tokens written to the cache live one hour and cost more."""
    cost = usage_cost(model, usage)
    dearest = usage_cost(model, usage, lifetime="1h")
    if cost is None or dearest is None or not usage.cache_write:
        return cost
    return cost + (dearest - cost) * written_1h / usage.cache_write
