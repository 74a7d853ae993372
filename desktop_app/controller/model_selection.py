"""Lists the models on offer (the provider's, kept in a file for later runs, else what is known here: a cache, so that
nobody waits for the network where a list is at hand), and chooses the backend and model of the next request.

The user's word wins: named for this call, then the thread's own, then its project's, then named at the start, then the
setting. Where nobody said anything the first usable one in the order of `BACKENDS` is taken.
"""

from __future__ import annotations

import asyncio
import json
import logging
import math
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import KW_ONLY, asdict, astuple, dataclass, field, replace
from datetime import timedelta
from pathlib import Path
from typing import Any, Final, Protocol

from desktop_app import __version__
from desktop_app.backends.backend_protocol import ANY_MODEL, Availability, Backend, ListsModels
from desktop_app.backends.openai.openai_client import place_at
from desktop_app.controller.ports import Clock, Secrets, parse_stamp
from desktop_app.core.backend_descriptors import BACKENDS, NOT_OFFERED, is_server, takes_key
from desktop_app.core.context.limits import limits_for, lowered_limit
from desktop_app.core.context.project_context import ProjectContext
from desktop_app.core.errors import KeyringError, PlimsollError, UserError
from desktop_app.core.messages import FailureCode, Thread
from desktop_app.core.model_catalog import ModelInfo, TokenizerFamily
from desktop_app.core.phrases import phrase
from desktop_app.core.plain_values import from_plain
from desktop_app.core.projects import Project
from desktop_app.core.settings import Settings
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


def _model(value: Any) -> ModelInfo | None:
    """The model that was written; None for anything else."""
    try:
        model = from_plain(ModelInfo, value)
    except ValueError:
        return None
    prices = [price for one in (model.prices, model.prices_above) if one is not None for price in astuple(one)]
    sizes = (model.window, model.max_output, model.min_cache_tokens, 1 if (top := model.price_cliff) is None else top)
    return model if min(sizes) > 0 and all(price >= 0 for price in prices) else None


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
        """The models that the provider listed last, as known by now; empty where nothing was kept. Asks nobody."""
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


class WindowStore(Protocol):
    """The part of the history that keeps learned windows; see `ports.History`."""

    async def learned_windows(self) -> Mapping[tuple[str, str], int]: ...

    async def save_learned_window(self, backend: str, model: str, window: int | None) -> None: ...


class LearnedWindows:
    """Windows in tokens by backend and model, read from the history once."""

    def __init__(self, history: WindowStore) -> None:
        self._history = history
        self._known: dict[tuple[str, str], int] | None = None

    async def of(self, backend: str, model: str) -> int | None:
        """Return the window learned of a model; None: nothing."""
        return (await self._read()).get((backend, model))

    async def applied(self, backend: str, model: ModelInfo) -> ModelInfo:
        """The model with its learned window, unless the user's own says otherwise (PRODUCT.md CTX-3)."""
        if (window := await self.of(backend, model.id)) is None or model.window_source == "override":
            return model
        return replace(model, window=window, window_source="learned", max_output=min(model.max_output, window))

    async def learn(self, backend: str, model: str, window: int | None) -> None:
        """Keeps a window from now on; None forgets what was learned."""
        known = await self._read()
        await self._history.save_learned_window(backend, model, window)
        if window is None:
            known.pop((backend, model), None)
        else:
            known[backend, model] = window

    def read_again(self) -> None:
        """Called when another process wrote to the history."""
        self._known = None

    async def _read(self) -> dict[tuple[str, str], int]:
        if self._known is None:
            self._known = dict(await self._history.learned_windows())
        return self._known


class ThreadProjects(Protocol):
    """The part of `Projects` that turns need. Both may raise `UserError("store")`."""

    async def of_thread(self, thread: Thread) -> Project | None:
        """The project that a thread is in; None where it is in none."""

    async def context_of(self, thread: Thread) -> ProjectContext | None:
        """Return what it adds to the thread's requests: the same object for as long as nothing of it changes."""


class NoProjects:
    """Every thread is in none."""

    async def of_thread(self, thread: Thread) -> Project | None:
        return None

    async def context_of(self, thread: Thread) -> ProjectContext | None:
        return None


NO_PROJECTS: Final = NoProjects()


def own_limit(thread: Thread, project: Project | None) -> int | None:
    """The soft limit that the user gave the thread, or else its project, in tokens; None: the setting holds."""
    if thread.soft_limit is not None or project is None:
        return thread.soft_limit
    return project.soft_limit


ASK_AGAIN_S = 3.0
"""Seconds for which a backend that can't be used is not asked again: a gauge asks with every change."""

LIST_AGAIN_S = 30.0
"""Seconds until a server that did not list its models is asked for them again: it may have been started since."""

NOTHING_SET_UP = phrase(
    "No connection is set up. Add an API key (or set ANTHROPIC_API_KEY), install Claude Code and log in, or choose "
    "a model file (GGUF) under Connections."
)


@dataclass(frozen=True, slots=True)
class ChosenModel:
    """The model that the next request goes to. `summary_model` writes summaries; None: `model` does."""

    backend: Backend
    model: ModelInfo
    summary_model: ModelInfo | None = None

    @property
    def writer(self) -> ChosenModel:
        """The model that the request for a summary goes to."""
        return ChosenModel(self.backend, self.summary_model or self.model)


@dataclass(eq=False)
class ModelChooser:
    """Chooses among the backends of this computer. `named_at_start` is what the command line said for all threads."""

    backends: Mapping[str, Backend]
    secrets: Secrets
    settings: Callable[[], Settings]
    windows: LearnedWindows
    _: KW_ONLY
    named_at_start: str | None = None
    interactive: bool = False
    projects: ThreadProjects = NO_PROJECTS
    _keyring_problem: PlimsollError | None = field(default=None, init=False)
    _asked: dict[str, tuple[Availability, float]] = field(default_factory=dict, init=False)
    _looked_for: dict[tuple[str, str], float] = field(default_factory=dict, init=False)
    _lacking: set[str] = field(default_factory=set, init=False)  # backends that were found to lack their key

    async def choose(
        self,
        thread: Thread | None = None,
        *,
        backend: str | None = None,
        model: str | None = None,
        interactive: bool | None = None,
    ) -> ChosenModel:
        """The backend and model for `thread` (None: a new one).

        `interactive` (None: as set at the start): the user is at a window, so `local` is never taken by itself.
        Raises `UserError("config")` for an unknown name, and where nothing is set up. Asks a provider only for its
        list of models, and only for a model that nothing here knows: once, or with each time that the user names it.
        """
        of_thread = thread.backend if thread is not None else None
        project = None if thread is None else await self.projects.of_thread(thread)
        of_project = None if project is None else project.backend
        own = next(
            (one for one in (of_thread, of_project) if one and (one in self.backends or self._is_removed(one))),
            None,  # archives name others
        )
        at_window = self.interactive if interactive is None else interactive
        if named := backend or own or self.named_at_start:
            chosen = self.named(named)
        elif (default := self.settings().default_backend) is None:
            chosen = await self.by_itself(at_window=at_window)
        else:
            chosen = self.named(default)
            if at_window and (thread is None or thread.tip is None):
                chosen = await self._in_place_of(chosen)
        # A thread's model means something only to the thread's own backend, a project's to the project's.
        of_thread_model = thread.model if thread is not None and of_thread in (None, chosen.name) else None
        of_project_model = project.model if project is not None and of_project in (None, chosen.name) else None
        default = self.settings().backend(chosen.name).model or chosen.default_model
        model_id = model or of_thread_model or of_project_model or default
        if model is not None:
            await self._must_exist(chosen, model)
        else:
            model_id = await self._looked_up(chosen, model_id)
        found = await self.windows.applied(chosen.name, chosen.model(model_id))
        return ChosenModel(chosen, found, await self._summary_model(chosen))

    async def project_limit(self, project_id: str) -> tuple[int, TokenizerFamily]:
        """The soft limit (tokens) and the tokenizer of what answers in a project's threads; 0: nothing is set up."""
        thread = Thread("", "", "", "", project=project_id)
        try:
            model = (await self.choose(thread)).model
        except UserError:
            return 0, "unknown"
        project = await self.projects.of_thread(thread)
        soft = None if project is None else project.soft_limit
        return limits_for(model, self.settings().context, soft).soft, model.tokenizer

    async def known(self, backend: str, model: str) -> ChosenModel | None:
        """A backend's model without asking anyone; None where it is not set up, or nothing here knows its window."""
        if (found := self.backends.get(backend)) is None or found.model(model).window_source == "assumed":
            return None
        return ChosenModel(found, await self.windows.applied(backend, found.model(model)))

    def named(self, name: str) -> Backend:
        """The backend of that name, or that people call so; `UserError("config")` naming it if there is none."""
        if (found := self.backends.get(name)) is None and self._is_removed(name):
            removed = self.settings().backend(name)
            words = phrase(
                'The connection "{name}" was removed. Add it again, or choose another model.',
                name=place_at(removed.base_url, called=removed.name).name,
            )
            raise UserError("config", words, actions=("switch_model", "open_connections"))
        called = [
            one for one in self.backends.values() if name.casefold() in (one.name.casefold(), one.title.casefold())
        ]
        if found is None and len(called) == 1:
            return called[0]
        if found is None:
            # The scripted backend is for tests and not offered.
            offered = ", ".join(sorted(set(self.backends) - NOT_OFFERED))
            words = phrase('There is no backend called "{name}". There are: {offered}.', name=name, offered=offered)
            raise UserError("config", words, actions=("open_connections",))
        return found

    def _is_removed(self, name: str) -> bool:
        return name not in self.backends and self.settings().backend(name).removed

    async def check_usable(self, backend: Backend) -> None:
        """`UserError` with what to do where the backend can't be used on this computer now.

        "config" where it is missing, "auth" where only the login is.

        A backend once found usable is not asked again: what fails later is told by the answer's failure.
        """
        if not (found := await self._availability(backend)).ok:
            code: FailureCode = "auth" if found.found else "config"
            first: tuple[str, ...] = ("add_key", "retry") if takes_key(backend.name) else ("retry", "open_connections")
            if (locked := self._keyring_problem) is not None and locked.failure.message == found.detail:
                first = (*locked.failure.actions, "open_connections")
            raise UserError(code, found.detail, actions=(*first, "switch_model"))

    async def lacks_key(self, backend: Backend) -> str:
        """Return what says that a key has to be added before the backend can answer; "" where none has."""
        if not takes_key(backend.name):
            return ""
        found = await self._availability(backend)
        unread = self._keyring_problem is not None and self._keyring_problem.failure.message == found.detail
        lacks = "" if found.ok or unread else found.detail
        if lacks:
            self._lacking.add(backend.name)
        else:
            self._lacking.discard(backend.name)
        return lacks

    async def _in_place_of(self, default: Backend) -> Backend:
        """The backend of new threads: another that can answer while the default is known to lack its key."""
        if default.name not in self._lacking or not await self.lacks_key(default):
            return default  # a keyring that was not asked yet is not waited for
        with suppress(UserError):
            other = await self.by_itself(at_window=True)
            return other if (await self._availability(other)).ok else default
        return default

    async def limit_problem(self, thread: Thread | None = None) -> str:
        """That the soft limit which is set is more than the model of `thread` (None: a new one) takes; "" where not."""
        settings, model = self.settings().context, (await self.choose(thread)).model
        own, accepted = None, False
        if thread is not None:
            own = own_limit(thread, await self.projects.of_thread(thread))
            accepted = thread.choices.accepted_cliff
        return lowered_limit(model, limits_for(model, settings, own, accepted_cliff=accepted), settings, own)

    def forget_usable(self) -> None:
        """Called when keys or settings changed: every backend is asked again before its next request."""
        self._asked.clear()
        self._looked_for.clear()

    async def by_itself(self, *, at_window: bool) -> Backend:
        """The first way to a model that can be used. Raises `UserError("config")` where there is none.

        Next is one that only lacks a login or key, whose error says what to do: for the window a server, for a command
        any, before the local model, which at the window waits on the welcome pane until it is asked for.
        """
        for last in (False, True):
            ways = [one for one in BACKENDS if (one.by_command if last and not at_window else one.by_window)]
            for one in (one for one in ways if one.per_address or not (last and at_window)):
                # one may be added or removed while another is asked
                for name in [*filter(is_server, self.backends)] if one.per_address else (one.name,):
                    if (backend := self.backends.get(name)) is None:
                        continue
                    if (available := await self._availability(backend)).ok or (last and available.found):
                        return backend
        words = NOTHING_SET_UP if self._keyring_problem is None else self._keyring_problem.failure.message
        raise UserError("config", words, actions=("open_connections",))

    async def _availability(self, backend: Backend) -> Availability:
        """Asked once where it is usable, else again after a while: asking may start a program."""
        kept = self._asked.get(backend.name)
        if kept is not None and (kept[0].ok or time.monotonic() - kept[1] < ASK_AGAIN_S):
            return kept[0]
        problem = None
        if takes_key(backend.name) and not self.secrets.from_environment(backend.name):
            # Looked for once, so that the backend may say at once whether there is one. An absent keyring holds no key
            # for us, and the backend says what to do; of one that can't be asked that is said.
            try:
                await self.secrets.get(backend.name)
            except PlimsollError as error:
                unsaid = isinstance(error, KeyringError) and error.trouble in ("locked", "silent", "failed")
                problem = error if unsaid else None
            self._keyring_problem = problem
        found = await backend.availability()
        self._asked[backend.name] = (found, time.monotonic())
        return found

    async def _looked_up(self, backend: Backend, model_id: str) -> str:
        """The model's id, after the provider was asked once for one that nothing here knows.

        Only its list tells which window the model has, and what a server serves where nobody named a model.
        """
        key = (backend.name, model_id)
        unknown = backend.model(model_id).window_source == "assumed"
        if unknown and time.monotonic() >= self._looked_for.get(key, 0.0):
            try:
                await backend.models()
                self._looked_for[key] = math.inf
            except PlimsollError:
                # What keeps it from answering is told by the answer's failure.
                self._looked_for[key] = time.monotonic() + LIST_AGAIN_S
        return backend.default_model if model_id == ANY_MODEL else model_id

    async def _summary_model(self, backend: Backend) -> ModelInfo | None:
        """The model that the setting names for summaries; None where it names none, or none that this backend has."""
        if (named := self.settings().context.summary_model) is None:
            return None
        model = backend.model(await self._looked_up(backend, named))
        return None if model.window_source == "assumed" else await self.windows.applied(backend.name, model)

    async def _must_exist(self, backend: Backend, model_id: str) -> None:
        if backend.model(model_id).window_source != "assumed":
            return
        try:
            listed = await backend.models()
        except PlimsollError:
            # Without a list nobody knows better than the user; the provider will say so if it is wrong.
            return
        if backend.model(model_id).window_source != "assumed":
            return  # its server answers to every name, or knows it by another
        sources = {model.window_source for model in listed}
        complete = "provider" in sources or (backend.cost_kind == "free" and "assumed" not in sources)
        if complete and model_id not in {model.id for model in listed}:
            some = ", ".join(model.id for model in listed[:6])
            words = phrase(
                'The backend {name} has no model called "{model_id}". It has: {some}.',
                name=backend.name,
                model_id=model_id,
                some=some,
            )
            raise UserError("config", words, actions=("switch_model",))
