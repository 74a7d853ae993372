"""Owns the lists of models on offer: the provider's, kept for later runs, else what is known here.

Must not know how a backend asks, nor who shows a list. Nobody waits for the network where a list is at hand.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Mapping, Sequence
from datetime import timedelta
from pathlib import Path
from typing import Final

from desktop_app.backends.backend_protocol import Backend, ListsModels
from desktop_app.controller.clock import Clock, parse_stamp
from desktop_app.controller.model_list_file import ModelList, read_lists, write_list
from desktop_app.core.errors import PlimsollError
from desktop_app.core.model_catalog import ModelInfo

log = logging.getLogger(__name__)

FRESH: Final = timedelta(hours=1)
"""How old a kept list may be before it is asked for again, behind the back of who reads it."""


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
        self._writing: asyncio.Task[None] | None = None
        self._to_write: list[ModelList] = []
        self._listing = {name: backend for name, backend in backends.items() if isinstance(backend, ListsModels)}

    async def load(self) -> None:
        """Reads what was kept, and tells it to the backends. Never raises for a bad file."""
        for kept in await asyncio.to_thread(read_lists, self._path):
            self._kept[kept.backend, kept.address] = kept
            if (backend := self._listing.get(kept.backend)) is not None:
                backend.remember(kept.address, kept.models)
        for name, backend in self._listing.items():
            backend.on_listed = lambda address, models, name=name: self._take(name, address, models)

    def known(self, backend: Backend) -> Sequence[ModelInfo]:
        """What the provider listed last, as it is known by now; empty where nothing was kept. Asks nobody."""
        kept = self._kept.get(self._key(backend))
        return () if kept is None else tuple(backend.model(model.id) for model in kept.models)

    def known_at(self, backend: str, address: str) -> frozenset[str]:
        """The ids of what an address listed last; none where nothing was kept."""
        kept = self._kept.get((backend, address))
        return frozenset() if kept is None else frozenset(model.id for model in kept.models)

    async def list(self, backend: Backend, *, fresh: bool = False) -> Sequence[ModelInfo]:
        """The models of a backend: those that were kept, at once, else what the backend says.

        A list that is older than `FRESH` is asked for again meanwhile. `fresh`: it is asked for now. Raises
        `PlimsollError` where there is no list: with `fresh` also for the provider's error that a shipped list hides.
        """
        if fresh and isinstance(backend, ListsModels):
            return await backend.ask_models()
        if known := self.known(backend):
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
        if self._read_only:
            return
        self._to_write.append(fresh)
        if self._writing is None or self._writing.done():
            self._writing = asyncio.create_task(self._write(), name="keep a list of models")

    async def _write(self) -> None:
        while self._to_write:
            await asyncio.to_thread(write_list, self._path, self._to_write.pop(0))
