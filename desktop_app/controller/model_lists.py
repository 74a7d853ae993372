"""Lists the models on offer: the provider's, kept in a file for later runs, else what is known here.

A file that can't be read holds nothing: it is only a cache.

Nobody waits for the network where a list is at hand.
"""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from datetime import timedelta
from pathlib import Path
from typing import Any, Final, get_args

from desktop_app import __version__
from desktop_app.backends.backend_protocol import Backend, ListsModels
from desktop_app.controller.ports import Clock, parse_stamp
from desktop_app.core.errors import PlimsollError
from desktop_app.core.model_catalog import ModelInfo, Prices, Thinking, TokenizerFamily, WindowSource
from desktop_app.system.private_files import write_atomically

log = logging.getLogger(__name__)

MOST_KEPT: Final = 20
"""Addresses whose lists are kept, the last asked first."""


@dataclass(frozen=True, slots=True)
class ModelList:
    """The models that one address of a backend listed, and when (ISO 8601 UTC)."""

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


FRESH: Final = timedelta(hours=1)
"""The age at which a kept list is asked for again, without its reader waiting."""


class ModelLists:
    """One per app. `load` once; then backends know what was kept, and what they ask for is kept in turn."""

    def __init__(
        self, backends: Mapping[str, Backend], path: Path, *, clock: Clock | None = None, read_only: bool = False
    ) -> None:
        """`path`: the file of kept lists. `read_only`: it is not written."""
        self._path = path
        self._clock = clock or Clock()
        self._read_only = read_only
        self._kept: dict[tuple[str, str], ModelList] = {}
        self._asking: dict[tuple[str, str], asyncio.Task[None]] = {}
        self._of_this_run = set[tuple[str, str]]()
        self._writing: asyncio.Task[None] | None = None
        self._to_write: list[ModelList] = []
        self._backends = backends

    async def load(self) -> None:
        """Reads what was kept, and tells it to the backends. Never raises for a bad file."""
        for kept in await asyncio.to_thread(read_lists, self._path):
            self._kept[kept.backend, kept.address] = kept
        for backend in self._backends.values():
            self.follow(backend)

    def follow(self, backend: Backend) -> None:
        """Tells a backend what was kept of it, and keeps what it lists from now on."""
        if isinstance(backend, ListsModels):
            name = backend.name
            for kept in (one for one in self._kept.values() if one.backend == name):
                backend.remember(kept.address, kept.models)
            backend.on_listed = lambda address, models: self._take(name, address, models)

    def known(self, backend: Backend) -> Sequence[ModelInfo]:
        """Return the models that the provider listed last, as known by now; empty where nothing was kept. Asks
        nobody.
        """
        kept = self._kept.get(self._key(backend))
        return () if kept is None else tuple(backend.model(model.id) for model in kept.models)

    async def list(self, backend: Backend, *, fresh: bool = False) -> Sequence[ModelInfo]:
        """The models of a backend: those that were kept, at once, else what the backend says.

        A list that is older than `FRESH` is asked for again meanwhile. `fresh`: it is asked for now. Raises
        `PlimsollError` where there is no list: with `fresh` also for the provider's error that a shipped list hides.
        """
        if fresh and isinstance(backend, ListsModels):
            return await backend.ask_models()
        key = self._key(backend)
        # a program of this computer, which is free, may serve another model since the last run: only facts are kept
        current = key in self._of_this_run or backend.cost_kind != "free"
        if current and (known := self.known(backend)):
            self._refresh(backend)
            return known
        return await backend.models()

    async def close(self) -> None:
        """Stops asking; what was listed is written."""
        asking = list(self._asking.values())
        for task in asking:
            task.cancel()
        await asyncio.gather(*asking, return_exceptions=True)
        if self._writing is not None:
            await self._writing

    def _key(self, backend: Backend) -> tuple[str, str]:
        return backend.name, backend.list_address if isinstance(backend, ListsModels) else ""

    def _refresh(self, backend: Backend) -> None:
        key = self._key(backend)
        asked = parse_stamp(self._kept[key].asked)
        if key in self._asking or (asked is not None and timedelta() <= self._clock.now() - asked < FRESH):
            return
        task = asyncio.create_task(self._ask(backend), name=f"list the models of {backend.name}")
        self._asking[key] = task
        task.add_done_callback(lambda _: self._asking.pop(key, None))

    async def _ask(self, backend: Backend) -> None:
        try:
            await self.list(backend, fresh=True)
        except PlimsollError as error:
            log.info("the kept list of models stays: %s", error.failure.code)

    def _take(self, backend: str, address: str, models: Sequence[ModelInfo]) -> None:
        if not address:
            return
        fresh = ModelList(backend, address, self._clock.stamp(), tuple(models))
        self._kept[backend, address] = fresh
        self._of_this_run.add((backend, address))
        if self._read_only:
            return
        self._to_write.append(fresh)
        if self._writing is None or self._writing.done():
            self._writing = asyncio.create_task(self._write(), name="keep a list of models")

    async def _write(self) -> None:
        while self._to_write:
            await asyncio.to_thread(write_list, self._path, self._to_write.pop(0))
