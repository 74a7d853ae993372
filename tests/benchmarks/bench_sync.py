"""`./dev bench sync [--messages N]`: a history goes to a folder, a second machine joins: time, memory, objects, bytes.

Sealing by the passphrase, which takes a second and 0.3 GB once, is not in it."""

from __future__ import annotations

import argparse
import resource
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter

from desktop_app.core.history_records import ImportedThread
from desktop_app.core.messages import Message, TextPart, Thread
from desktop_app.core.sync import Arrived, Exchanged
from desktop_app.storage.store import Store
from desktop_app.storage.sync_merge import SyncMerge
from desktop_app.storage.sync_places import (
    Exchange,
    Sealing,
    SpaceObject,
    new_id,
    new_identity,
    open_place,
    write_space,
)
from tests.storage.test_size import English

ENGLISH = English(1)
TIME = "2026-03-01T10:00:00.000Z"
IN_THREAD = 50


def filled(path: Path, messages: int) -> Store:
    """A history of so many messages, in threads of fifty."""
    store = Store(path)
    running = store.imports.begin()
    for start in range(0, messages // IN_THREAD, 20):
        running.add([_thread(number) for number in range(start, min(start + 20, messages // IN_THREAD))])
    running.finish()
    return store


def _most_memory() -> float:
    """Megabytes that this process had at most."""
    if sys.platform == "win32":
        raise OSError("what a process used is not told here")
    else:  # noqa: RET506 (so that the types of Windows are clean)
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024) / 1e6


def _thread(number: int) -> ImportedThread:
    name = f"thread{number}"
    said = [
        Message(f"{name} {one}", name, f"{name} {one - 1}" if one else None, "assistant" if one % 2 else "user",
                (TextPart(ENGLISH.text(160)),), TIME)
        for one in range(IN_THREAD)
    ]  # fmt: skip
    return ImportedThread(name, Thread(name, f"Thread {number}", TIME, TIME), tuple(said))


def exchanged(store: Store, place: str, device: str, sealing: Sealing) -> tuple[Exchanged, float, float]:
    """What one machine's exchange did, how long it took, and after how long the first threads could be read."""
    first: list[float] = []
    sync = SyncMerge(store)
    sync.set_up({"place": place, "device": device, "name": device, "space": "space", "epoch": 1})
    done, before = Exchanged(), perf_counter()
    Exchange(sync, open_place(place), sealing, lambda *_: first.append(perf_counter() - before)).run(Arrived(), done)
    return done, perf_counter() - before, min(first, default=0.0)


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--messages", type=int, default=100_000)
    messages = options.parse_args().messages
    with TemporaryDirectory() as folder:
        place = Path(folder) / "place"
        place.mkdir()
        sealing = Sealing([new_identity()])
        write_space(open_place(str(place)), SpaceObject("space", 1, b"", b""))
        first, second = filled(Path(folder) / "first" / "history.db", messages), Store(Path(folder) / "second.db")
        for store, words in ((first, "sent"), (second, "joined")):
            done, seconds, readable = exchanged(store, str(place), new_id(), sealing)
            print(f"{words}: {messages:,} messages in {seconds:.1f} s, {messages / seconds:,.0f} a second")
            objects = done.sent + done.received
            print(f"  {objects:,} objects, {done.bytes / 1e6:.1f} MB; memory at most {_most_memory():.0f} MB")
            if readable:
                print(f"  the newest threads could be read after {readable:.1f} s")
        files = [path for path in place.rglob("*") if path.is_file()]
        size = sum(path.stat().st_size for path in files)
        came = second.transactions.connection.execute("SELECT count(*) FROM message").fetchone()[0]
        print(f"the place: {len(files):,} objects, {size / 1e6:.1f} MB; {came:,} messages came")
        for store in (first, second):
            store.close()


if __name__ == "__main__":
    main()
