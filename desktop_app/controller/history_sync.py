"""The use cases of syncing with the user's other machines: set up, exchange, pause, leave, remove a device.

All SQL, files, network and sealing are on one thread of its own; where nothing is set up there is no such thread.
"""

from __future__ import annotations

import asyncio
import json
import logging
import os
import platform
from collections import deque
from collections.abc import Awaitable, Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Final, TypeVar

from desktop_app.controller.history_watch import HistoryWatch
from desktop_app.controller.open_threads import OpenThreads
from desktop_app.controller.ports import Announcements, Secrets
from desktop_app.core.errors import KeyringError, PlimsollError
from desktop_app.core.events import (
    Announcement,
    AnswerSaved,
    ArtifactChanged,
    HistoryChangedElsewhere,
    MarkChanged,
    ProjectDocumentsChanged,
    ProjectsChanged,
    PromptsChanged,
    SyncArrived,
    SyncChanged,
    ThreadChanged,
    ThreadCreated,
    ThreadDeleted,
    TrashChanged,
    TurnEnded,
)
from desktop_app.core.phrases import phrase
from desktop_app.core.sync import (
    MARKER,
    REMOVED,
    Arrived,
    Exchanged,
    SyncExchange,
    SyncRefused,
    SyncStatus,
    SyncTrouble,
)

if TYPE_CHECKING:
    from desktop_app.controller.sync_engine import Enter, Joined, SyncEngine

log = logging.getLogger(__name__)

LOOK_S: Final = 15.0
LOOK_WITHOUT_FOCUS_S: Final = 60.0
PIECE_S: Final = 2.0
"""In such pieces that which has come is shown while the rest comes."""
TOGETHER_S: Final = 2.0
"""After a change this long is waited for the next, so that they go together."""

SECRET: Final = "sync"  # the entry's name in the keyring
STORE_SECRET: Final = "sync-store"
_WAKING: Final = (
    *(TurnEnded, AnswerSaved, ThreadCreated, ThreadChanged, ThreadDeleted, MarkChanged, PromptsChanged),
    *(ProjectsChanged, ProjectDocumentsChanged, ArtifactChanged, TrashChanged, HistoryChangedElsewhere),
)

_PASSPHRASE_WANTED: Final = phrase("Enter the passphrase to go on syncing.")

R = TypeVar("R")


class Sync:
    """One per data folder. `history` None: in memory, never synced. `watch` takes what is written for known.

    `read_documents`: begins to read the documents that wait.
    """

    def __init__(
        self,
        history: Path | None = None,
        secrets: Secrets | None = None,
        announcements: Announcements | None = None,
        open_threads: OpenThreads | None = None,
        watch: HistoryWatch | None = None,
        *,
        read_documents: Callable[[], Awaitable[None]] | None = None,
    ) -> None:
        self._history = history
        self._secrets = secrets
        self._announcements = announcements or Announcements()
        self._open_threads, self._watch = open_threads, watch
        self._read_documents = read_documents
        self._status = SyncStatus()
        self._identities: tuple[str, ...] = ()
        self._thread: ThreadPoolExecutor | None = None
        self._engine: SyncEngine | None = None
        self._one_at_a_time = asyncio.Lock()
        self._wake = asyncio.Event()
        self._look_s = LOOK_S
        self.is_shown: Callable[[str], bool] = lambda _: False
        """True for a thread that a window shows; asked on the thread of syncing. Set before anything is exchanged."""
        self._task: asyncio.Task[None] | None = None
        self._started = False
        self._closing = False
        self._unsubscribe: Callable[[], None] | None = None

    def load(self) -> None:
        """Reads whether it is set up: one small file. Blocks."""
        if self._history is None or not (path := self._history.with_name(MARKER)).is_file():
            return
        try:
            found = json.loads(path.read_text("utf-8"))
            self._status = SyncStatus(
                place=str(found["place"]), device=str(found["name"]), paused=bool(found["paused"])
            )
        except (OSError, ValueError, LookupError, TypeError) as error:
            log.warning("the note of what is synced can't be read: %s", type(error).__name__)

    def status(self) -> SyncStatus:
        """From memory."""
        return self._status

    async def read_status(self) -> SyncStatus:
        """As the history has it, with devices and what waits; from memory where another process syncs."""
        if self._status.place:
            async with self._one_at_a_time:
                with suppress(SyncRefused):
                    engine, before = await self._opened(), self._status
                    self._tell(await self._work(lambda: engine.status(before)))
        return self._status

    def start(self) -> None:
        """From now on what changes is exchanged by itself, where it is set up."""
        self._started = True
        if self._task is None and self._status.place and not self._closing:
            self._unsubscribe = self._announcements.subscribe(self._heard)
            self._task = asyncio.get_running_loop().create_task(self._run(), name="sync")

    def set_focus(self, focus: bool) -> None:
        """The user is there: looks are more frequent."""
        self._look_s = LOOK_S if focus else LOOK_WITHOUT_FOCUS_S
        if focus:
            self._wake.set()

    async def close(self) -> None:
        """Ends the background task and the thread; what was not exchanged waits."""
        self._closing = True
        await self._end_task()
        async with self._one_at_a_time:
            await self._end_thread()

    async def test_place(self, place: str) -> bool:
        """Return True where other devices sync already; `SyncRefused` where nothing can be written there."""
        keys = await self._store_keys()
        async with self._one_at_a_time:
            try:
                return await self._work(lambda: _tested(place, keys))
            finally:
                if not self._status.place:
                    await self._end_thread()

    async def store_credentials(self, place: str, access_key: str, secret_key: str) -> None:
        """Keeps them in the keyring; those in the environment go first."""
        del place  # there is one
        if self._secrets is not None:
            await self._secrets.set(STORE_SECRET, f"{access_key.strip()} {secret_key.strip()}")

    async def setup(self, place: str, passphrase: str, device: str = "", *, accept_store: bool = False) -> str:
        """Makes the space, or joins the one that is there. The recovery key of a new one, "" where this one joined."""
        if self._status.place == place:
            if accept_store:
                await self.accept_store(passphrase)
            else:
                await self._enter(passphrase)
            return ""
        if not passphrase:
            raise SyncRefused.of("config", phrase("Give a passphrase."))
        return await self._join(place, device, lambda module, there: module.entered(there, passphrase))

    async def join_with_recovery_key(self, place: str, recovery_key: str, device: str = "") -> None:
        """Joins the space at a place without its passphrase."""
        await self._join(place, device, lambda module, there: module.joined(there, recovery_key))

    async def now(self, passphrase: str | None = None) -> SyncExchange:
        """Exchanges all that was there at the start."""
        if not self._status.place:
            raise SyncRefused.of("config", phrase("Sync is not set up here."))
        if passphrase:
            await self._enter(passphrase)
        async with self._one_at_a_time:
            return await self._exchange()

    async def pause(self) -> None:
        """Nothing is exchanged by itself until `resume`."""
        await self._set_paused(paused=True)

    async def resume(self) -> None:
        """Goes on."""
        await self._set_paused(paused=False)
        self._wake.set()

    async def leave(self) -> None:
        """Nothing is synced any more. What is here stays, what lies at the place, too."""
        await self._end_task()
        async with self._one_at_a_time:
            if self._status.place:
                engine = await self._opened()
                await self._work(engine.leave)
            await self._end_thread()
            if self._secrets is not None:
                for name in (SECRET, STORE_SECRET):
                    with suppress(PlimsollError):
                        await self._secrets.delete(name)
            self._identities = ()
            self._tell(SyncStatus())

    async def revoke(self, device_id: str, passphrase: str, current: str = "") -> str:
        """Removes a device: what comes after is sealed for a new identity. The new recovery key.

        `current`: the passphrase until now, where no keyring keeps the key.
        """
        if not passphrase:
            raise SyncRefused.of("config", phrase("Give a new passphrase."))
        if current:
            await self._enter(current)
        async with self._one_at_a_time:
            engine = await self._opened()
            identities, keys = await self._known_identities(), await self._store_keys()
            new = await self._work(lambda: engine.revoke(identities, keys, device_id, passphrase))
            await self._keep(new)
            self._tell(await self._work(lambda: engine.status(self._status)))
            return new[-1]

    async def decide(self, kind: str, one: str, *, other: bool) -> None:
        """Of what was changed apart on two devices the other version shows from now on, or the one that shows now."""
        arrived = Arrived()
        async with self._one_at_a_time:
            engine = await self._opened()
            await self._work(lambda: engine.decide(kind, one, arrived, other=other))
            self._tell(await self._work(lambda: engine.status(self._status)))
        arrived.others = True
        await self._came(arrived)

    async def accept_store(self, passphrase: str | None = None) -> SyncExchange:
        """Uses the place as it is now: all that is here is sent again."""
        if passphrase:
            await self._enter(passphrase)
        async with self._one_at_a_time:
            engine = await self._opened()
            identities, keys = await self._known_identities(), await self._store_keys()
            await self._work(lambda: engine.accept(identities, keys))
            return await self._exchange()

    def recovery_key(self) -> str:
        """The key that opens everything without the passphrase; `SyncRefused` where the keyring does not give it."""
        if not self._identities:
            raise SyncRefused.of("config", _PASSPHRASE_WANTED)
        return self._identities[-1]

    # inside

    def _heard(self, announcement: Announcement) -> None:
        if isinstance(announcement, _WAKING):
            self._wake.set()

    async def _run(self) -> None:
        while not self._closing:
            if self._status.place and not self._status.paused:
                with suppress(SyncRefused):
                    await self.now()
            patience = self._look_s * (4 if self._status.trouble is not None else 1)
            with suppress(TimeoutError):
                await asyncio.wait_for(self._wake.wait(), patience)
                await asyncio.sleep(TOGETHER_S)
            self._wake.clear()

    async def _exchange(self) -> SyncExchange:

        arrived, done = Arrived(), Exchanged()
        trouble: SyncTrouble | None = None
        before: int | None = None
        try:
            engine = await self._opened()
            if await self._work(engine.is_removed):
                raise SyncRefused(REMOVED)
            if self._watch is not None:
                before = await self._work(engine.version)
                with suppress(PlimsollError):
                    await self._watch.look()
            identities = await self._known_identities()
            keys = await self._store_keys()
            trouble = await self._in_pieces(engine, identities, keys, arrived, done)
        except SyncRefused as refused:
            trouble = refused.trouble
            raise
        except PlimsollError as error:
            trouble = SyncTrouble("store", error.failure.message, error.failure.detail or "")
            raise SyncRefused(trouble) from error
        except Exception as error:
            log.exception("an exchange failed")
            trouble = SyncTrouble("store", phrase("Sync failed here. Nothing is lost."))
            raise SyncRefused(trouble) from error
        finally:
            if self._watch is not None and before is not None:
                await self._watch.pass_over(lambda: self._work(engine.version), before)
            await self._came(arrived.taken())
            if self._engine is not None and not self._closing:
                engine, status = self._engine, self._status
                with suppress(Exception):
                    self._tell(replace(await self._work(lambda: engine.status(status)), trouble=trouble, progress=None))
            else:
                self._tell(replace(self._status, trouble=trouble, progress=None))
        return SyncExchange(done.sent, done.received, len(arrived.all), done.bytes)

    async def _in_pieces(
        self, engine: SyncEngine, identities: Sequence[str], keys: str, arrived: Arrived, done: Exchanged
    ) -> SyncTrouble | None:
        """Exchanges, and shows what has come while the rest comes."""
        pieces: deque[tuple[Arrived, tuple[int, int]]] = deque()
        told = monotonic()

        def progress(read: int, of: int) -> None:
            nonlocal told
            if self._closing:
                raise SyncRefused.of("network", "")
            if monotonic() - told > PIECE_S:
                told = monotonic()
                pieces.append((arrived.taken(), (read, of)))

        work = asyncio.ensure_future(self._work(lambda: engine.exchange(identities, keys, arrived, done, progress)))
        try:
            while not work.done():
                await asyncio.wait({work}, timeout=PIECE_S)
                while pieces:
                    some, at = pieces.popleft()
                    await self._came(some)
                    self._tell(replace(self._status, progress=at))
            return work.result()
        finally:
            work.cancel()  # where this is cancelled nobody asks for what comes of it

    async def _came(self, arrived: Arrived) -> None:
        if arrived.threads or arrived.others:
            if self._open_threads is not None:
                await self._open_threads.renew(arrived.threads)
            self._announcements.publish(HistoryChangedElsewhere(frozenset(arrived.threads)))
            self._announcements.publish(SyncArrived(frozenset(arrived.threads), tuple(arrived.lines)))
        if arrived.documents and self._read_documents is not None and not self._closing:
            with suppress(PlimsollError):
                await self._read_documents()

    async def _join(self, place: str, device: str, enter: Enter) -> str:
        if self._history is None:
            raise SyncRefused.of("config", phrase("This history is in memory only."))
        if self._status.place:
            raise SyncRefused.of(
                "config", phrase("Sync is set up with {place}. Leave it first.", place=self._status.place)
            )
        keys = await self._store_keys()
        name = device.strip() or platform.node() or "computer"
        async with self._one_at_a_time:
            try:
                identities, space, revoked, new = await self._work(lambda: _met(place, keys, enter))
                self._engine = engine = await self._work(lambda: _new_engine(self._path(), self.is_shown))
                await self._work(lambda: engine.set_up(place, name, space, revoked))
            except BaseException:
                await self._end_thread()
                raise
            await self._keep(identities)
            self._tell(await self._work(lambda: engine.status(SyncStatus(place=place, device=name))))
        if self._started:
            self.start()
        return identities[-1] if new else ""

    async def _enter(self, passphrase: str) -> None:
        async with self._one_at_a_time:
            keys = await self._store_keys()
            engine = await self._opened()
            try:
                await self._keep(await self._work(lambda: engine.enter(keys, passphrase)))
            except SyncRefused as refused:
                if refused.trouble.kind == "removed":
                    self._tell(replace(self._status, trouble=refused.trouble))
                raise

    async def _set_paused(self, *, paused: bool) -> None:
        if not self._status.place:
            raise SyncRefused.of("config", phrase("Sync is not set up here."))
        async with self._one_at_a_time:
            engine = await self._opened()
            await self._work(lambda: engine.note(paused=paused))
            self._tell(replace(self._status, paused=paused))

    async def _keep(self, identities: Sequence[str]) -> None:
        """In the keyring; where there is none they are known as long as the app runs."""
        self._identities = tuple(identities)
        if self._secrets is not None:
            try:
                await self._secrets.set(SECRET, " ".join(identities))
            except PlimsollError as error:
                log.warning("the identity of sync is not in a keyring: %s", error.failure.code)

    async def keeps_key(self) -> bool:
        """True where a keyring takes the key, so that the passphrase is entered once; else at each start."""
        try:
            if self._secrets is not None:
                await self._secrets.get(SECRET)
        except KeyringError as error:
            return error.trouble == "locked"
        return True

    async def _known_identities(self) -> tuple[str, ...]:
        if not self._identities and self._secrets is not None:
            try:
                self._identities = tuple((await self._secrets.get(SECRET) or "").split())
            except PlimsollError as error:
                raise SyncRefused.of("config", _PASSPHRASE_WANTED, error.failure.message) from error
        if not self._identities:
            raise SyncRefused.of("config", _PASSPHRASE_WANTED, phrase("The key of sync is not in the keyring."))
        return self._identities

    async def _store_keys(self) -> str:
        if self._secrets is None or os.environ.get("AWS_ACCESS_KEY_ID"):
            return ""
        with suppress(PlimsollError):
            return await self._secrets.get(STORE_SECRET) or ""
        return ""

    async def _opened(self) -> SyncEngine:
        if not self._status.place:
            raise SyncRefused.of("config", phrase("Sync is not set up here."))
        if self._engine is None:
            self._engine = await self._work(lambda: _new_engine(self._path(), self.is_shown))
        return self._engine

    def _path(self) -> Path:
        assert self._history is not None
        return self._history

    async def _work(self, work: Callable[[], R]) -> R:
        self._thread = self._thread or ThreadPoolExecutor(1, "sync")
        return await asyncio.get_running_loop().run_in_executor(self._thread, work)

    async def _end_task(self) -> None:
        if self._unsubscribe is not None:
            self._unsubscribe()
            self._unsubscribe = None
        task, self._task = self._task, None
        if task is not None:
            task.cancel()
            await asyncio.wait({task})

    async def _end_thread(self) -> None:
        engine, self._engine = self._engine, None
        thread, self._thread = self._thread, None
        if thread is not None:
            if engine is not None:
                await asyncio.get_running_loop().run_in_executor(thread, engine.close)
            thread.shutdown(wait=False)

    def _tell(self, status: SyncStatus) -> None:
        if status != self._status:
            self._status = status
            self._announcements.publish(SyncChanged(status))


def _new_engine(history: Path, is_shown: Callable[[str], bool]) -> SyncEngine:
    from desktop_app.controller.sync_engine import SyncEngine

    return SyncEngine(history, is_shown)


def _met(place: str, keys: str, enter: Enter) -> Joined:
    from desktop_app.storage import sync_places

    return enter(sync_places, sync_places.open_place(place, keys))


def _tested(place: str, keys: str) -> bool:
    from desktop_app.storage.sync_places import newest_space, open_place

    there = open_place(place, keys)
    there.check()
    return newest_space(there) is not None
