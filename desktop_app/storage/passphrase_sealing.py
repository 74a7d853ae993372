"""Seals by a passphrase, in a process of its own: a try takes a second, in which no other thread may run."""

from __future__ import annotations

import base64
from collections.abc import Sequence
from typing import Any, Final

from pyrage import DecryptError, passphrase

from desktop_app.core.phrases import phrase
from desktop_app.core.sync import SyncRefused, SyncTrouble
from desktop_app.system.own_processes import SEAL_BY_PASSPHRASE, own_command
from desktop_app.system.worker_loop import serve
from desktop_app.system.worker_process import WorkerChild

MEMORY_LIMIT: Final = 4 * 2**30
"""Bytes: how much is needed says what is opened, which may be anybody's. Ours needs 0.3 GB, of a quick machine 1 GB."""


def sealed_by_passphrase(data: bytes, passphrase: str) -> bytes:
    """Sealed so that each attempt to guess the passphrase takes a second."""
    return _asked("encrypt", data, passphrase) or b""


def opened_by_passphrase(sealed: bytes, passphrase: str) -> bytes | None:
    """None: it is another passphrase."""
    return _asked("decrypt", sealed, passphrase)


def _asked(how: str, data: bytes, passphrase: str) -> bytes | None:
    answer: dict[str, Any] = {}
    try:
        child = WorkerChild(own_command(SEAL_BY_PASSPHRASE, __name__))
        try:
            order = {"how": how, "data": base64.b64encode(data).decode(), "passphrase": passphrase}
            answer = child.ask(order) or {"why": child.ended}
        finally:
            child.end()
        done: str | None = answer["done"]
    except (OSError, LookupError) as error:
        detail = str(answer) or type(error).__name__
        raise SyncRefused(SyncTrouble("store", phrase("Sync failed here. Nothing is lost."), detail)) from error
    return None if done is None else base64.b64decode(done)


def main(argv: Sequence[str] = ()) -> int:
    """Carries out orders until standard input ends. `argv` is not used."""
    del argv
    return serve(_answer_to, memory=MEMORY_LIMIT)


def _answer_to(order: dict[str, Any]) -> dict[str, Any]:
    work = passphrase.encrypt if order["how"] == "encrypt" else passphrase.decrypt
    try:
        return {"done": base64.b64encode(work(base64.b64decode(order["data"]), order["passphrase"])).decode()}
    except (DecryptError, ValueError):
        return {"done": None}
