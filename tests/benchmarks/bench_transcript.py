"""Measures the transcript beside the targets of PRODUCT.md section 7: `python -m tests.benchmarks.bench_transcript`.

CPU milliseconds of the GUI thread (`time.thread_time`; lexers are loaded on another), offscreen, 900 x 800 pixels; RSS
in MB of the whole process.
"""

from __future__ import annotations

import gc
import os
import random
import sys
import time
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import psutil

from desktop_app.core.messages import Message, TextPart

if TYPE_CHECKING:
    from desktop_app.ui.transcript.view import TranscriptView

SIZES = (20, 200, 2_000, 10_000)
CREATED = "2026-01-01T00:00:00Z"
PROSE = (
    "the model returns a streaming response whose tokens arrive in small chunks and every chunk must be shown",
    "without blocking the window while scrolling stays smooth even for very long threads with code and lists",
)
WORDS = [word for line in PROSE for word in line.split()]
CODE = {
    "python": 'class Point:\n    """A place."""\n\n    async def move(self, dx: float) -> "Point":\n'
    "        await sleep(0.1)  # a while\n        return Point(self.x + dx)\n\n",
    "javascript": "export function* lines(text) {\n  for (const line of text.split('\\n')) yield line; // each\n}\n",
    "bash": '#!/bin/sh\nfor f in "$@"; do\n  grep -n TODO "$f" | wc -l\ndone\n',
}

#: name -> (targets, hard limits) as they stand in PRODUCT.md section 7
TARGETS = {
    "switch warm": ((10.0,), (20.0,)),
    "wheel": ((None, 4.0, 8.0), (None, 8.0, 16.7)),
    "drag": ((None, 12.0, 16.7), (None, 20.0, 33.0)),
    "stream 60 Hz": ((1.0, 3.0, 5.0), (2.0, 5.0, 10.0)),
    "find": ((None, None, 16.0), (None, None, 50.0)),
    "copy all": ((None, None, 16.0), (None, None, 50.0)),
    "RSS": ((200.0,), (260.0,)),
}


def sentence(rnd: random.Random, count: int) -> str:
    """So many words, some of them marked."""
    words = []
    for _ in range(count):
        word, chance = rnd.choice(WORDS), rnd.random()
        words.append(
            f"**{word}**"
            if chance < 0.02
            else f"`{word}`"
            if chance < 0.05
            else f"[{word}](https://example.org/{word})"
            if chance < 0.055
            else word
        )
    return " ".join(words).capitalize() + "."


def _code(rnd: random.Random) -> str:
    language = rnd.choice(list(CODE))
    return f"```{language}\n{CODE[language] * rnd.randint(1, 5)}```"


def _table(rnd: random.Random) -> str:
    rows = [f"| item {i} | {rnd.random():.3f} | {sentence(rnd, 4)} |" for i in range(rnd.randint(3, 7))]
    return "\n".join(["| Name | Value | Notes |", "|---|---:|:--|", *rows])


def _list(rnd: random.Random) -> str:
    return "\n".join(f"- {sentence(rnd, rnd.randint(4, 14))}" for _ in range(rnd.randint(3, 6)))


#: kinds of blocks with their share in percent
BLOCKS: list[tuple[int, Callable[[random.Random], str]]] = [
    (45, lambda rnd: sentence(rnd, rnd.randint(20, 60))),
    (8, lambda rnd: "## " + sentence(rnd, 5)),
    (15, _list),
    (6, _table),
    (16, _code),
    (4, lambda rnd: "> " + sentence(rnd, 20)),
    (6, lambda rnd: "这是一个用于测试的中文段落，包含标点符号。日本語も。🚀 " + sentence(rnd, 10)),
]


def block(rnd: random.Random) -> str:
    """One Markdown block of a random kind."""
    (made,) = rnd.choices([make for _, make in BLOCKS], [share for share, _ in BLOCKS])
    return made(rnd)


def text_of(rnd: random.Random, size: int) -> str:
    """Markdown of about `size` characters."""
    blocks: list[str] = []
    while sum(map(len, blocks)) < size:
        blocks.append(block(rnd))
    return "\n\n".join(blocks)


def thread(count: int, name: str = "t") -> list[Message]:
    """A thread with a mean of 1.6 KB a message; every 200th has 50 KB."""
    rnd = random.Random(1)
    messages = []
    for number in range(count):
        if number % 2 == 0:
            text = sentence(rnd, rnd.randint(8, 60))
        else:
            text = text_of(rnd, 50_000 if number % 200 == 101 else rnd.choice([500, 1_000, 2_000, 3_500, 4_200]))
        role = "assistant" if number % 2 else "user"
        parent = f"m{number - 1}" if number else None
        messages.append(Message(f"m{number}", name, parent, role, (TextPart(text),), CREATED))  # type: ignore[arg-type]
    return messages


def cpu_ms(work: Callable[[], object]) -> float:
    """CPU milliseconds that the work and the painting after it took."""
    from PySide6.QtWidgets import QApplication

    start = time.thread_time()
    work()
    QApplication.sendPostedEvents()
    QApplication.processEvents()
    return (time.thread_time() - start) * 1e3


def settle(seconds: float = 0.3) -> None:
    """Lets idle work finish, so that it does not count for what is measured next."""
    from PySide6.QtWidgets import QApplication

    # QTest.qWait keeps Python's lock: the thread that loads lexers would not run
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        QApplication.processEvents()
        time.sleep(0.002)


def spread(times: Sequence[float]) -> tuple[float, float, float]:
    """Median, 95th percentile and maximum."""
    ordered = sorted(times)
    return ordered[len(ordered) // 2], ordered[int(len(ordered) * 0.95)], ordered[-1]


def wheel(view: TranscriptView, steps: int = 250) -> list[float]:
    """Scrolls up from the end."""
    return [cpu_ms(lambda: view.scroll_by(-120)) for _ in range(steps)]


def drag(view: TranscriptView, steps: int = 200) -> list[float]:
    """Equal jumps from the top to the bottom by the scroll bar."""
    bar = view.verticalScrollBar()
    bar.setValue(0)
    settle()
    return [cpu_ms(lambda i=i: bar.setValue(bar.maximum() * i // steps)) for i in range(steps + 1)]  # type: ignore[misc]


def stream(view: TranscriptView, frames: int = 500) -> list[float]:
    """A 20 KB answer, in four chunks a frame."""
    view.stream.add_message(Message("q", "t", None, "user", (TextPart("Once more?"),), CREATED))
    view.stream.begin_answer(Message("a", "t", "q", "assistant", (), CREATED))
    settle()
    text = text_of(random.Random(99), 20_000)[:20_000]
    size = len(text) // (frames * 4)
    times = []
    for frame in range(frames):
        if frame % 40 == 39:
            view.auto_scroll.show_latest()
        chunks = [text[(frame * 4 + i) * size : (frame * 4 + i + 1) * size] for i in range(4)]

        def show(chunks: list[str] = chunks) -> None:
            for chunk in chunks:
                view.stream.grow_answer("a", "text", chunk)
            view.stream.show_now()

        times.append(cpu_ms(show))
    view.stream.finish_answer(Message("a", "t", "q", "assistant", (TextPart(text),), CREATED))
    return times


def find(view: TranscriptView, words: str = "the") -> list[float]:
    """Looks for a common word in the whole thread, an event at a time."""
    view.bars.open_find()
    times = [cpu_ms(lambda: view.find_in_thread.bar.field.setText(words))]
    while not view.find_in_thread.done:
        times.append(cpu_ms(lambda: None))
    times += [cpu_ms(lambda: view.find_in_thread.step(1)) for _ in range(20)]
    view.bars.close()
    return times


def copy_all(view: TranscriptView) -> list[float]:
    """Copies all messages as text, an event at a time."""
    view.selection.select_all()
    times = [cpu_ms(view.copying.copy)]
    while view.copying.busy:
        times.append(cpu_ms(lambda: None))
    view.selection.clear()
    return times


def measure(size: int) -> dict[str, tuple[float, ...]]:
    """All figures for one length of thread."""
    from desktop_app.ui.theme.theme import load_bundled_fonts, load_theme
    from desktop_app.ui.transcript.view import TranscriptView

    messages, other = thread(size), thread(min(size, 60), "other")
    load_bundled_fonts()
    view = TranscriptView(load_theme("light"))
    view.resize(900, 800)
    view.show()
    settle()
    gc.collect()
    figures: dict[str, tuple[float, ...]] = {"open cold": (cpu_ms(lambda: view.show_path(messages)),)}
    settle(0.5)
    switches = []
    for _ in range(3):
        view.show_path(other)
        settle(0.2)
        switches.append(cpu_ms(lambda: view.show_path(messages)))
        settle(0.2)
    figures["switch warm"] = (sorted(switches)[1],)
    figures["wheel"] = spread(wheel(view))
    settle()
    figures["drag"] = spread(drag(view))
    settle()
    figures["resize"] = spread([cpu_ms(lambda w=w: view.resize(w, 800)) for w in range(890, 700, -10)])  # type: ignore[misc]
    figures["RSS"] = (psutil.Process().memory_info().rss / 1e6,)
    settle()
    figures["find"] = spread(find(view))
    settle()
    figures["copy all"] = spread(copy_all(view))
    settle()
    figures["stream 60 Hz"] = spread(stream(view))
    view.close()
    return figures


def shown(values: Sequence[float | None]) -> str:
    """Figures beside each other; a dash where there is none."""
    return " / ".join("-" if value is None else f"{value:.1f}" for value in values)


def main() -> None:
    """Prints one table; each size in a process of its own, so that memory can be compared."""
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    if len(sys.argv) > 1:
        from PySide6.QtWidgets import QApplication

        from desktop_app.ui.startup.garbage import GarbageCollection

        app = QApplication([])
        app.setStyle("Fusion")
        GarbageCollection(app).start()  # as in the app: collections wait for quiet moments
        size = int(sys.argv[1])
        print(f"{size} messages")
        for name, values in measure(size).items():
            target, hard = TARGETS.get(name, ((), ()))
            print(f"  {name:14} {shown(values):24} target {shown(target) or '-':20} limit {shown(hard) or '-'}")
        return
    import subprocess

    print("CPU ms, p50 / p95 / max where three figures stand; RSS in MB")
    for size in SIZES:
        subprocess.run([sys.executable, "-m", "tests.benchmarks.bench_transcript", str(size)], check=True)


if __name__ == "__main__":
    main()
