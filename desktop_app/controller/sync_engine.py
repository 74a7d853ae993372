"""The part of syncing that is on a thread of its own: loaded there, and only where sync is set up."""

from __future__ import annotations

import base64
import json
import logging
import os
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, TypeAlias

from desktop_app.controller.document_files import copy_of
from desktop_app.core.phrases import phrase
from desktop_app.core.sync import MARKER, REMOVED, Arrived, Exchanged, SyncDevice, SyncRefused, SyncStatus, SyncTrouble
from desktop_app.storage.store import Store
from desktop_app.storage.sync_merge import SyncMerge
from desktop_app.storage.sync_places import (
    Exchange,
    Place,
    Sealing,
    SpaceObject,
    accept,
    new_id,
    new_identity,
    newest_space,
    open_place,
    write_space,
)
from desktop_app.storage.sync_tips import lines_elsewhere
from desktop_app.system.private_files import lock, make_private_file, write_atomically
from desktop_app.system.system_clock import utc_now

log = logging.getLogger(__name__)

Joined: TypeAlias = tuple[list[str], SpaceObject, list[str], bool]
Enter: TypeAlias = Callable[[Any, Place], Joined]
"""Enters a space, with what `sync_places` has for it."""


class SyncEngine:
    """All that is on the thread of syncing: a store of its own over the history, as another process would have it."""

    def __init__(self, history: Path, is_shown: Callable[[str], bool]) -> None:
        self._marker = history.with_name(MARKER)
        self._lock = self._locked(history.with_name("sync.lock"))
        try:
            self._store: Store = Store(history, must_exist=True)
        except BaseException:
            os.close(self._lock)
            raise
        self._sync: SyncMerge = SyncMerge(self._store, copy_of=partial(copy_of, history.with_name("documents")))
        self._sync.is_shown = is_shown
        self._since = self._last = ""

    @staticmethod
    def _locked(path: Path) -> int:
        make_private_file(path)
        handle = os.open(path, os.O_RDWR)
        try:
            lock(handle)
        except BlockingIOError as error:
            os.close(handle)
            raise SyncRefused.of(
                "store", phrase("Another window or command is syncing this history. Try again.")
            ) from error
        except OSError as error:
            log.info("no lock for syncing: %s", type(error).__name__)  # a file system without locks
        return handle

    def close(self) -> None:
        self._store.close()
        os.close(self._lock)

    def version(self) -> int:
        """Another one where anybody else has written."""
        return self._store.data_version()

    def is_removed(self) -> bool:
        """Return True once this device was told, by a passphrase that was entered here, that another removed it."""
        return bool(self._sync.state().get("removed"))

    def set_up(self, place: str, name: str, space: SpaceObject, revoked: Sequence[str]) -> None:
        state = {"place": place, "device": new_id(), "name": name, **_space_state(space)}
        self._sync.set_up(state)
        self._sync.remove_devices(revoked)
        self.note(paused=False)

    def note(self, *, paused: bool) -> None:
        state = self._sync.state()
        text = json.dumps({"place": state["place"], "name": state["name"], "paused": paused})
        make_private_file(self._marker)
        write_atomically(self._marker, text.encode())

    def leave(self) -> None:
        self._sync.leave()
        self._marker.unlink(missing_ok=True)

    def status(self, before: SyncStatus) -> SyncStatus:
        state = self._sync.state()
        waiting = self._sync.waiting_threads()
        self._since = (self._since or utc_now().isoformat(timespec="seconds")) if waiting else ""
        others = tuple(
            SyncDevice(one, name, last, here=False, revoked=bool(revoked))
            for one, name, _, last, revoked in self._sync.devices()
            if name or not revoked  # of those that were removed before this one joined there is only the id
        )
        last = self._last or state.get("last", "")
        here = SyncDevice(state["device"], state["name"], last, here=True, revoked=False)
        return replace(
            before,
            place=state["place"],
            device=state["name"],
            devices=(here, *others),
            waiting=len(waiting),
            waiting_threads=waiting,
            since=self._since,
            apart=self._sync.apart(),
            elsewhere=lines_elsewhere(self._sync.connection),
            still_on=self._sync.still_on(),
            bytes_sent=state["sent"],
            bytes_received=state["received"],
        )

    def exchange(
        self,
        identities: Sequence[str],
        keys: str,
        arrived: Arrived,
        done: Exchanged,
        progress: Callable[[int, int], None],
    ) -> SyncTrouble | None:
        exchange, name = (
            Exchange(self._sync, self._place(keys), Sealing(identities), progress),
            self._sync.state()["name"],
        )
        exchange.run(arrived, done)
        if self._sync.state()["name"] != name:
            self.note(paused=False)
        self._last = utc_now().isoformat(timespec="seconds")
        if done.sent or done.received:  # else nothing is written: the window would read all again
            self._sync.write_state(last=self._last)
        if not exchange.ahead:
            return None
        words = phrase("The clock of {device} is more than an hour ahead. Set it right.", device=exchange.ahead)
        return SyncTrouble("clock", words)

    def enter(self, keys: str, passphrase: str) -> list[str]:
        state, space = self._sync.state(), self._space()
        there = newest_space(self._place(keys))
        if there is not None and there.space == space.space and there.epoch > space.epoch:
            space = there  # else what is wrong with the place is told, and asked about, by the exchange
        identities, revoked = space.opened(space.identity(passphrase))
        if state["device"] in revoked:
            self._sync.write_state(removed=1)
            raise SyncRefused(REMOVED)
        self._sync.write_state(**_space_state(space))
        self._sync.remove_devices(revoked)
        return identities

    def revoke(self, identities: Sequence[str], keys: str, device_id: str, passphrase: str) -> list[str]:
        state = self._sync.state()
        if device_id not in {one for one, *_ in self._sync.devices()}:
            raise SyncRefused.of("config", phrase("There is no device {device}.", device=device_id))
        if self._space().is_sealed_by(passphrase):
            raise SyncRefused.of("config", phrase("The removed device knows this passphrase. Choose another."))
        new = [*identities, new_identity()]
        revoked = [one for one, *_, gone in self._sync.devices() if gone] + [device_id]
        space = SpaceObject.made(state["space"], state["epoch"] + 1, passphrase, new, revoked)
        if not write_space(self._place(keys), space):
            raise SyncRefused.of("store", phrase("Another device removed one at the same time. Sync, then try again."))
        self._sync.write_state(**_space_state(space))
        self._sync.remove_devices(revoked)
        return new

    def decide(self, kind: str, one: str, arrived: Arrived, *, other: bool) -> None:
        self._sync.decide(kind, one, arrived, other=other)

    def accept(self, identities: Sequence[str], keys: str) -> None:
        accept(self._sync, self._place(keys), Sealing(identities), self._space())

    def _space(self) -> SpaceObject:
        return SpaceObject.from_bytes(base64.b64decode(self._sync.state()["space_object"]))

    def _place(self, keys: str) -> Place:
        return open_place(self._sync.state()["place"], keys)


def _space_state(space: SpaceObject) -> dict[str, Any]:
    return {"space": space.space, "epoch": space.epoch, "space_object": base64.b64encode(space.to_bytes()).decode()}
