"""The heights of long threads from one start to the next, as small files. Stores only ids and pixels, no message.

It stands in ui and not in storage because it keeps nothing but the state of this window, like `window.ini`: pixels of
one layout, which nobody else could use and which are learnt again wherever a file is missing, old or damaged.
"""

from __future__ import annotations

import hashlib
import json
import stat
import sys
import threading
import zlib
from array import array
from collections.abc import Collection, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from desktop_app.system.private_files import write_atomically

MAGIC = b"plimsoll heights 1\n"
MOST_FILES = 200
"""Those of the threads that were written last; a file of 10,000 messages takes 10 to 20 KB."""
MOST_BYTES = 2_000_000
MOST_MESSAGES = 500_000
LEAST_MESSAGES = 30
"""A shorter thread is estimated in no time, and measured soon after."""
REMEMBERED = 16
"""Threads whose heights stay in memory after they were read."""


@dataclass(frozen=True, slots=True)
class StoredHeights:
    """The heights of the first messages of a path in pixels; `last` is the id of the message that they end with.

    In a tree of messages the last one tells which are before it. `layout`: what the heights were measured with, in a
    column of `width` pixels.
    """

    layout: str
    width: int
    last: str
    values: Sequence[int]


class HeightFiles:
    """Files in one folder. `read`, `keep`, `forget` and `keep_only` touch the disk and are for any other thread."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._known: dict[str, StoredHeights] = {}
        self._gone: set[str] = set()
        self._lock = threading.Lock()

    def known(self, thread_id: str, layout: str) -> StoredHeights | None:
        """Return the heights read of a thread, if it was measured with the same layout."""
        known = self._known.get(thread_id)
        return known if known is not None and known.layout == layout else None

    def read(self, thread_id: str) -> None:
        """Looks for a thread's file, so that `known` has it."""
        path = self._path(thread_id)
        with self._lock:
            self._gone.discard(thread_id)
            if thread_id in self._known:
                return
            try:
                found = path.stat()  # a pipe would keep its reader waiting
                fits = stat.S_ISREG(found.st_mode) and found.st_size <= MOST_BYTES
                known = _unpacked(path.read_bytes()) if fits else None
            except FileNotFoundError:
                return
            except (OSError, ValueError, LookupError, TypeError, zlib.error):
                known = None
            if known is None:
                with suppress(OSError):
                    path.unlink()
                return
            self._remember(thread_id, known)

    def keep(self, thread_id: str, known: StoredHeights) -> None:
        """Writes what is known of a thread; where that is not possible it will be learnt again."""
        if not LEAST_MESSAGES <= len(known.values) <= MOST_MESSAGES:
            return
        with self._lock:
            if thread_id in self._gone or self._known.get(thread_id) == known:
                return
            self._remember(thread_id, known)
            with suppress(OSError):
                self._write(self._path(thread_id), _packed(known))

    def forget(self, thread_id: str) -> None:
        """A thread was deleted: nothing of it stays, and nothing comes until it is opened again."""
        with self._lock:
            self._gone.add(thread_id)
            self._known.pop(thread_id, None)
            with suppress(OSError):
                self._path(thread_id).unlink()

    def keep_only(self, thread_ids: Collection[str]) -> None:
        """Removes the files of all other threads, and of those that were written longest ago where there are many."""
        with self._lock, suppress(OSError):
            there = {self._path(thread_id).name for thread_id in thread_ids}
            files = sorted(self._folder.iterdir(), key=lambda path: path.stat().st_mtime, reverse=True)
            for number, path in enumerate(files):
                if number >= MOST_FILES or path.name not in there:
                    path.unlink()

    def _remember(self, thread_id: str, known: StoredHeights) -> None:
        self._known.pop(thread_id, None)
        self._known[thread_id] = known
        while len(self._known) > REMEMBERED:
            del self._known[next(iter(self._known))]

    def _path(self, thread_id: str) -> Path:
        return self._folder / hashlib.blake2b(thread_id.encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()

    def _write(self, path: Path, data: bytes) -> None:
        for folder in (self._folder.parent, self._folder):
            folder.mkdir(mode=0o700, exist_ok=True)
        write_atomically(path, data, durable=False)


def _packed(known: StoredHeights) -> bytes:
    values = array("I", known.values)
    if sys.byteorder == "big":
        values.byteswap()
    head = json.dumps({"layout": known.layout, "width": known.width, "last": known.last, "count": len(known.values)})
    body = head.encode() + b"\n" + zlib.compress(values.tobytes(), 1)
    return MAGIC + zlib.crc32(body).to_bytes(4, "big") + body


def _unpacked(data: bytes) -> StoredHeights | None:
    """None where it is not what was written; may raise `ValueError`, `LookupError`, `TypeError` or `zlib.error`."""
    if not data.startswith(MAGIC):
        return None
    checksum, body = data[len(MAGIC) : len(MAGIC) + 4], data[len(MAGIC) + 4 :]
    if zlib.crc32(body).to_bytes(4, "big") != checksum:
        return None
    head, _, packed = body.partition(b"\n")
    told = json.loads(head)
    count, values = int(told["count"]), array("I")
    if not 0 < count <= MOST_MESSAGES:
        return None
    values.frombytes(zlib.decompressobj().decompress(packed, values.itemsize * count))
    if sys.byteorder == "big":
        values.byteswap()
    if len(values) != count or int(told["width"]) <= 0:
        return None
    return StoredHeights(str(told["layout"]), int(told["width"]), str(told["last"]), values)
