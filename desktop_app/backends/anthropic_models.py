"""Reads the model list of the Messages API: sizes and abilities.

It takes parsed JSON of any shape: a server that leaves a field out says nothing about it.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from desktop_app.backends.sse import BrokenStreamError
from desktop_app.core.model_catalog import TO_MAX, ModelInfo, Thinking, find_model
from desktop_app.core.stream_events import mapping_in

BACKEND: Final = "anthropic"


@dataclass(frozen=True, slots=True)
class ModelListPage:
    """One page of the list. `last_id`: after which model the next one begins; None: it is the last."""

    entries: Sequence[Mapping[str, Any]]
    last_id: str | None


def entries_of(body: bytes) -> ModelListPage:
    """The models of a page that can be asked; `BrokenStreamError` for what is no such page."""
    try:
        page = json.loads(body)
    except (ValueError, RecursionError):
        page = None
    data = page.get("data") if isinstance(page, Mapping) else None
    if not isinstance(page, Mapping) or not isinstance(data, list):
        raise BrokenStreamError("no list of models")
    found = [one for one in data if isinstance(one, Mapping) and isinstance(one.get("id"), str) and one["id"]]
    last = page.get("last_id")
    goes_on = page.get("has_more") is True and isinstance(last, str)
    return ModelListPage([one for one in found if one.get("lifecycle") != "retired"], last if goes_on else None)


def model_of(entry: Mapping[str, Any]) -> ModelInfo:
    """The shipped facts with what the provider says in their place."""
    model_id = str(entry.get("id") or "")
    shipped = find_model(BACKEND, model_id)
    # the second is llama.cpp's own word for it
    window = _size(entry, "max_input_tokens") or _size(mapping_in(entry, "meta"), "n_ctx")
    output = _size(entry, "max_tokens") or shipped.max_output
    model = replace(
        shipped,
        name=str(entry.get("display_name") or shipped.name),
        window=window or shipped.window,
        window_source="provider" if window else shipped.window_source,
        max_output=min(output, window) if window else output,
    )
    able = mapping_in(entry, "capabilities")
    return _with_abilities(model, able) if able else model


def _with_abilities(model: ModelInfo, able: Mapping[str, Any]) -> ModelInfo:
    efforts, searches = mapping_in(able, "effort"), mapping_in(mapping_in(able, "server_tools"), "web_search")
    levels = tuple(level for level in TO_MAX if _supported(efforts, level))
    return replace(
        model,
        accepts_images=_supported(able, "image_input", model.accepts_images),
        accepts_pdf=_supported(able, "pdf_input", model.accepts_pdf),
        efforts=(levels if efforts.get("supported") else ()) if efforts else model.efforts,
        thinking=_thinking(mapping_in(able, "thinking"), model.thinking),
        web_search=bool(searches["supported"]) if "supported" in searches else model.web_search,
    )


def _thinking(able: Mapping[str, Any], shipped: Thinking) -> Thinking:
    """Return how the model thinks: if it decides itself how much, and if that can be turned off."""
    types = mapping_in(able, "types")
    if not types:
        return shipped
    if not able.get("supported") or not _supported(types, "adaptive"):
        return "never"
    return "choice" if _supported(types, "disabled") else "always"


def _supported(able: Mapping[str, Any], name: str, otherwise: bool = False) -> bool:
    found = mapping_in(able, name)
    return bool(found["supported"]) if "supported" in found else otherwise


def _size(source: Mapping[str, Any], key: str) -> int | None:
    value = source.get(key)
    return value if isinstance(value, int) and not isinstance(value, bool) and value > 0 else None
