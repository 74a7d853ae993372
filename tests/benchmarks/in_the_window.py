"""What `bench_window` measures in processes of their own: a transcript alone, and the whole window over a history.

`python -m tests.benchmarks.in_the_window PART MESSAGES FOLDER` prints the figures as JSON.
"""

from __future__ import annotations

import asyncio
import gc
import json
import os
import statistics
import sys
import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from desktop_app.core.events import AnswerGrew
from tests.benchmarks.bench_transcript import SIZES, drag, settle, spread, stream, thread, wheel
from tests.benchmarks.pulse import Pulse

if TYPE_CHECKING:
    from tests.ui.open_window import OpenWindow

THREADS = 200
KEYS = 150
CHUNKS = 150
SWITCHES = 9
FRAME_S = 1 / 60
LONGEST = 40_000
"""The thread at which growth is measured from `LAST_USED` on."""
LAST_USED = 2_000
"""The thread of so many messages is open at a start."""


def long_id(size: int) -> str:
    """The thread of so many messages."""
    return f"{size:032x}"


async def make_history(data_dir: Path, sizes: Sequence[int] = (*SIZES, LONGEST)) -> None:
    """200 short threads, and one of each length."""
    from desktop_app.core.history_records import ImportedThread
    from desktop_app.core.messages import Message, TextPart, Thread
    from desktop_app.storage.sqlite_history import SqliteHistory

    data_dir.mkdir(mode=0o700)
    history = await SqliteHistory.open(data_dir / "history.db")
    threads = []
    for number in range(THREADS):
        stamp = f"2026-11-{1 + number // 12:02}T{number % 12:02}:00:00.000Z"
        thread_id, ids = f"short{number:027x}", [f"{number:016x}{place:016x}" for place in range(10)]
        messages = [
            Message(
                message_id,
                thread_id,
                ids[place - 1] if place else None,
                "assistant" if place % 2 else "user",
                (TextPart(f"Some words of message {place}."),),
                stamp,
            )
            for place, message_id in enumerate(ids)
        ]
        made = Thread(thread_id, f"Thread number {number}", stamp, stamp, "scripted", "scripted", tip=ids[-1])
        threads.append(ImportedThread(f"bench/{number}", made, tuple(messages)))
    for size in sizes:
        stamp = f"2026-12-{2 if size == LAST_USED else 1:02}T00:00:00.000Z"
        path = tuple(
            replace(
                one,
                id=f"{size:x}-{one.id}",
                thread_id=long_id(size),
                parent_id=f"{size:x}-{one.parent_id}" if one.parent_id else None,
                created=stamp,
            )
            for one in thread(size)
        )
        made = Thread(long_id(size), f"{size} messages", stamp, stamp, "scripted", "scripted", tip=path[-1].id)
        threads.append(ImportedThread(f"bench/long/{size}", made, path))
    await history.import_threads(threads)
    await history.close()


def transcript_figures(size: int) -> dict[str, float]:
    """Scrolling and streaming in a transcript of 900 x 800 pixels, with what the app imports beside its window."""
    from importlib import import_module

    from PySide6.QtWidgets import QApplication

    from desktop_app.ui.startup.background_imports import BESIDE
    from desktop_app.ui.startup.garbage import GarbageCollection
    from desktop_app.ui.startup.single_instance import make_application
    from desktop_app.ui.theme.theme import load_theme
    from desktop_app.ui.transcript.view import TranscriptView

    make_application()
    for name in BESIDE:
        import_module(name)
    GarbageCollection(QApplication.instance() or QApplication([])).start()  # as in the app
    view = TranscriptView(load_theme("light"))
    view.resize(900, 800)
    view.show()
    settle()
    gc.collect()
    view.show_path(thread(size))
    settle(0.5)
    figures = {}
    for name, times in (("wheel", wheel(view)), ("drag", drag(view, 120)), ("stream", stream(view, 300))):
        p50, p95, most = spread(times)
        figures.update({f"{name} p50": p50, f"{name} p95": p95, f"{name} max": most})
        settle()
    view.close()
    return figures


async def window_figures(size: int, data_dir: Path) -> dict[str, float]:
    """Switching, typing and streaming with a thread of that length in the whole window."""
    from PySide6.QtCore import Qt
    from PySide6.QtTest import QTest

    from tests.ui.open_window import OpenWindow

    figures: dict[str, float] = {}
    pulse = Pulse()
    async with OpenWindow.opened(data_dir) as window:
        await asyncio.sleep(0.3)
        short, switches = f"short{0:027x}", list[tuple[float, float]]()
        for number in range(2 * SWITCHES):
            wanted = short if number % 2 == 0 else long_id(size)
            begun = time.thread_time(), time.process_time()
            await window.app_state.open_thread(wanted)
            window.window.repaint()
            if number > 1 and wanted != short:
                switches.append(((time.thread_time() - begun[0]) * 1000, (time.process_time() - begun[1]) * 1000))
            await asyncio.sleep(0.2)
        figures["switch"], figures["switch process"] = map(statistics.median, zip(*switches, strict=True))
        await window.settled()
        await asyncio.sleep(0.3)
        keys = []
        for number in range(KEYS):
            pressed = time.thread_time()
            QTest.keyClick(window.editor, Qt.Key(ord("A") + number % 26))
            window.composer.repaint()
            keys.append((time.thread_time() - pressed) * 1000)
            await asyncio.sleep(0)
        figures["key"] = spread(keys)[1]
        figures.update(await _stream(window, pulse))
    return figures


async def _stream(window: OpenWindow, pulse: Pulse) -> dict[str, float]:
    from PySide6.QtCore import QEvent, QObject, Qt

    from desktop_app.core.stream_events import Ended, TextDelta
    from tests.fakes.gated_backend import Gate

    received: list[float] = []
    painted: list[float] = []

    class Watch(QObject):
        def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802 - Qt's name
            if event.type() == QEvent.Type.Paint and received:
                now = time.perf_counter()
                painted.extend(now - then for then in received)
                received.clear()
            return False

    watch = Watch()
    gates = [Gate() for _ in range(CHUNKS)]
    steps: list[Gate | TextDelta | Ended] = []
    for number, gate in enumerate(gates):
        steps += [gate, TextDelta(f"word{number} and some more of the answer, ")]
    window.backend.reply(*steps, Ended("end_turn"))
    pulse.taken()
    window.press(Qt.Key.Key_Return)
    await gates[0].arrive()
    await asyncio.sleep(0.2)
    _, sending = pulse.taken()
    window.transcript.viewport().installEventFilter(watch)
    window.app_state.bridge.subscribe(AnswerGrew, lambda _: received.append(time.perf_counter()))
    for gate in gates:
        await gate.arrive()
        gate.open()
        await asyncio.sleep(FRAME_S * 0.9)
    await window.until(lambda: not window.composer.streaming, "the end of the answer")
    await asyncio.sleep(0.1)
    stalled, streaming = pulse.taken()
    return {
        "send stall": sending,
        "painted": spread([each * 1000 for each in painted])[1],
        "stream stall": streaming,
        "stream stall wall": stalled,
    }


def main(arguments: Sequence[str]) -> None:
    part, size, data_dir = arguments[0], int(arguments[1]), Path(arguments[2])
    if part == "history":
        asyncio.run(make_history(data_dir))
        return
    if part == "transcript":
        print(json.dumps(transcript_figures(size)), flush=True)
        os._exit(0)  # what this process leaves behind is nobody's
    if part == "list":
        from tests.benchmarks.bench_threads import MANY
        from tests.benchmarks.bench_threads import figures as list_figures

        print(json.dumps({"list letter": list_figures(MANY)[0].measured}), flush=True)
        os._exit(0)
    import qasync

    from desktop_app.ui.startup.background_imports import give_way_sooner
    from desktop_app.ui.startup.single_instance import make_application

    give_way_sooner()  # as the app does
    loop = qasync.QEventLoop(make_application())
    asyncio.set_event_loop(loop)
    figures = loop.run_until_complete(window_figures(size, data_dir))
    print(json.dumps(figures), flush=True)
    os._exit(0)


if __name__ == "__main__":
    main(sys.argv[1:])
