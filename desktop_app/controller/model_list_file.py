"""Owns the file of the lists that providers gave of their models: JSON, readable by this user only.

Must not know who asks for a list, nor when it is too old. A file that can't be read holds nothing: it is only a cache.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any, Final, get_args

from desktop_app import __version__
from desktop_app.atomic_write import write_atomically
from desktop_app.controller.clock import parse_stamp
from desktop_app.core.model_catalog import ModelInfo, Prices, TokenizerFamily, WindowSource
from desktop_app.core.model_table import Thinking

log = logging.getLogger(__name__)

MOST_KEPT: Final = 20
"""Addresses whose lists are kept, the last asked first."""


@dataclass(frozen=True, slots=True)
class ModelList:
    """What one address of a backend listed, and when (ISO 8601 UTC)."""

    backend: str
    address: str
    asked: str
    models: tuple[ModelInfo, ...]


def read_lists(path: Path) -> list[ModelList]:
    """The lists in a file, the last asked first; none where there is no file of this version."""
    try:
        whole = json.loads(path.read_bytes())
    except FileNotFoundError:
        return []
    except (OSError, ValueError, RecursionError) as error:
        log.warning("the kept lists of models can not be read: %s", type(error).__name__)
        return []
    # another version knows other facts about a model, which its lists have taken in
    if not isinstance(whole, Mapping) or whole.get("version") != __version__:
        return []
    lists = whole.get("lists")
    return list(_lists(lists if isinstance(lists, list) else []))


def write_list(path: Path, fresh: ModelList) -> None:
    """Puts a list into the file, in the place of an earlier one of its address. Not being able to is only logged."""
    others = [one for one in read_lists(path) if (one.backend, one.address) != (fresh.backend, fresh.address)]
    lists = [asdict(one) for one in (fresh, *others)[:MOST_KEPT]]
    text = json.dumps({"version": __version__, "lists": lists}, ensure_ascii=False)
    try:
        write_atomically(path, text.encode())
    except OSError as error:
        log.warning("a list of models can not be kept: %s", type(error).__name__)


def _lists(values: Sequence[Any]) -> Iterator[ModelList]:
    for value in values:
        match value:
            case {"backend": str(backend), "address": str(address), "asked": str(asked), "models": list(models)}:
                found = tuple(model for one in models if (model := _model(one)) is not None)
                if found and parse_stamp(asked) is not None:
                    yield ModelList(backend, address, asked, found)


_CHOICES: Final[Mapping[str, tuple[str, ...]]] = {
    "window_source": get_args(WindowSource),
    "tokenizer": get_args(TokenizerFamily),
    "thinking": get_args(Thinking),
}
_SIZES: Final = ("window", "max_output", "min_cache_tokens")
_SWITCHES: Final = ("accepts_images", "accepts_tools", "accepts_pdf", "web_search", "temperature")


def _model(value: Any) -> ModelInfo | None:
    """The model that was written; None for anything else."""
    if not isinstance(value, Mapping) or set(value) != {field.name for field in fields(ModelInfo)}:
        return None
    cliff, efforts = value["price_cliff"], value["efforts"]
    prices = _prices(value["prices"]), _prices(value["prices_above"])
    sound = (
        isinstance(value["id"], str)
        and isinstance(value["name"], str)
        and isinstance(value["system"], str)
        and all(_is_size(value[name]) for name in _SIZES)
        and all(isinstance(value[name], bool) for name in _SWITCHES)
        and all(value[name] in choices for name, choices in _CHOICES.items())
        and (cliff is None or _is_size(cliff))
        and isinstance(efforts, list)
        and all(isinstance(effort, str) for effort in efforts)
        and (prices[0] is None) == (value["prices"] is None)
        and (prices[1] is None) == (value["prices_above"] is None)
    )
    if not sound:
        return None
    return ModelInfo(**{**value, "prices": prices[0], "prices_above": prices[1], "efforts": tuple(efforts)})


def _prices(value: Any) -> Prices | None:
    names = {field.name for field in fields(Prices)}
    if not isinstance(value, Mapping) or set(value) != names:
        return None
    numbers = all(isinstance(one, int | float) and not isinstance(one, bool) and one >= 0 for one in value.values())
    return Prices(**value) if numbers else None


def _is_size(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value > 0
