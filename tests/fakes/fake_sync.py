"""An engine of sync that exchanges nothing: a test says what its state is, and sees what it was asked."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from desktop_app.controller.ports import Announcements
from desktop_app.core.events import SyncChanged
from desktop_app.core.sync import SyncDevice, SyncExchange, SyncRefused, SyncStatus, SyncTrouble

KEY = "AGE-SECRET-KEY-1QQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQ"
DEVICES = (
    SyncDevice("d1", "Desk", "2026-11-26T09:00:00+00:00", here=True, revoked=False),
    SyncDevice("d2", "Laptop", "2026-11-26T08:00:00+00:00", here=False, revoked=False),
)


class FakeSync:
    """`refuses`: what the next act fails with; `spaces`: the places where others are already."""

    def __init__(self, announcements: Announcements) -> None:
        self._announcements = announcements
        self._status = SyncStatus()
        self.asked: list[tuple[Any, ...]] = []
        self.refuses: SyncTrouble | None = None
        self.spaces: set[str] = set()
        self.focus = False
        self.has_keyring = True

    @classmethod
    def of(cls, window: Any) -> FakeSync:
        """The one that a window has."""
        assert isinstance(window.services.sync, cls)
        return window.services.sync

    def become(self, **changes: Any) -> None:
        """Is in this state from now on, and tells so."""
        self._status = replace(self._status, **changes)
        self._announcements.publish(SyncChanged(self._status))

    def status(self) -> SyncStatus:
        return self._status

    async def keeps_key(self) -> bool:
        return self.has_keyring

    async def read_status(self) -> SyncStatus:
        return self._status

    async def setup(self, place: str, passphrase: str, device: str = "", *, accept_store: bool = False) -> str:
        self._ask("setup", place, passphrase, device, accept_store)
        joins = place in self.spaces
        self.become(place=place, device=device or "Desk", devices=DEVICES if joins else DEVICES[:1])
        return "" if joins else KEY

    async def join_with_recovery_key(self, place: str, recovery_key: str, device: str = "") -> None:
        self._ask("join", place, recovery_key, device)
        self.become(place=place, device=device, devices=DEVICES)

    async def now(self, passphrase: str | None = None) -> SyncExchange:
        self._ask("now", passphrase)
        self.become(waiting=0, waiting_threads=frozenset(), trouble=None)
        return SyncExchange(3, 1, 2, 4_000_000)

    async def pause(self) -> None:
        self._ask("pause")
        self.become(paused=True)

    async def resume(self) -> None:
        self._ask("resume")
        self.become(paused=False)

    async def leave(self) -> None:
        self._ask("leave")
        self._status = SyncStatus()
        self.become()

    async def revoke(self, device_id: str, passphrase: str, current: str = "") -> str:
        self._ask("revoke", device_id, passphrase, *filter(None, (current,)))
        self.become(devices=tuple(replace(one, revoked=one.id == device_id) for one in self._status.devices))
        return KEY

    async def decide(self, kind: str, one: str, *, other: bool) -> None:
        self._ask("decide", kind, one, other)
        self.become(apart=tuple(apart for apart in self._status.apart if apart.id != one))

    async def accept_store(self, passphrase: str | None = None) -> SyncExchange:
        self._ask("accept", *filter(None, (passphrase,)))
        self.become(trouble=None)
        return SyncExchange(3, 1, 2, 4_000_000)

    def recovery_key(self) -> str:
        return KEY

    async def test_place(self, place: str) -> bool:
        self._ask("test", place)
        return place in self.spaces

    async def store_credentials(self, place: str, access_key: str, secret_key: str) -> None:
        self._ask("credentials", place, access_key, secret_key)

    def start(self) -> None:
        self._ask("start")

    def set_focus(self, focus: bool) -> None:
        self.focus = focus

    async def close(self) -> None:
        self._ask("close")

    def _ask(self, *what: Any) -> None:
        self.asked.append(what)
        refuses, self.refuses = self.refuses, None
        if refuses is not None:
            raise SyncRefused(refuses)
