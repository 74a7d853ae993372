"""Measures what hostile texts cost: `python -m tests.benchmarks.bench_hostile [--readers] [--window]`.

Readers: CPU of each reader of foreign text for each kind of text at doubling lengths, with the exponent that fits and
what 1 MB would take. Window: the longest stretch of CPU on the GUI thread while a text is opened, typed or streamed.
Each kind whose figure is over its bound is printed; the exit status says whether there was one.
"""

from __future__ import annotations

import argparse
import math
import os
import sys
import time
from collections.abc import Iterator
from typing import TYPE_CHECKING

from desktop_app.core.messages import Message, TextPart
from tests.hostile.readers import READERS, Reader
from tests.hostile.texts import Text, fenced, generated, pairs, texts
from tests.unix import TimeUsedUpError, limited_time

if TYPE_CHECKING:
    from desktop_app.ui.transcript.view import TranscriptView

SIZES = (16_000, 32_000, 64_000, 128_000)
GLANCE = (4_000, 16_000)
"""Lengths at which a text is tried first; only one that seems slow, or to grow too fast, is tried at all of them."""
MOST_EXPONENT = 1.2
MOST_S_PER_MB = {"markdown at once": 8.0, "markdown, whole": 12.0, "cut": 8.0, "prompt": 2.0, "question": 4.0}
"""Seconds for 1 MB that a reader may take; else 1. The window reads the sections of Markdown that are near its view."""
NEGLIGIBLE_S = 0.02
GIVEN_UP_S = 10.0

STALL_MS = 50.0
WINDOW_SIZE = 64_000
DELTAS, IN_A_ROW = (12, 5, 1), 16
HOW = ("imported", "typed", "streamed")
CREATED = "2026-01-01T00:00:00Z"


def seconds(read: Reader, text: str) -> float:
    """CPU of one reading; infinite where it was given up."""
    start = time.process_time()
    try:
        with limited_time(GIVEN_UP_S):
            read(text)
    except TimeUsedUpError:
        return math.inf
    return time.process_time() - start


def exponent(times: list[float]) -> float:
    """The power of the length with which the time grows, by the last two doublings; 0 where it hardly takes any."""
    if times[-1] < NEGLIGIBLE_S:
        return 0.0
    return math.log2(times[-1] / max(times[-3], 1e-3)) / 2


def _is_quick(read: Reader, kind: Text) -> bool:
    short, long = (seconds(read, kind.make(size)) for size in GLANCE)
    grows = long > NEGLIGIBLE_S and long > short * (GLANCE[1] / GLANCE[0]) ** MOST_EXPONENT
    return long < NEGLIGIBLE_S * 2 and not grows


def readers(kinds: list[Text], only: str = "") -> int:
    """Prints what is over its bound; how many are."""
    over = 0
    for name, read in READERS.items():
        if only not in name:
            continue
        worst, steepest, bad = 0.0, 0.0, []
        for kind in kinds:
            if _is_quick(read, kind):
                continue
            times = []
            for size in SIZES:
                times.append(seconds(read, kind.make(size)))
                if times[-1] > GIVEN_UP_S / 4:
                    break
            if len(times) < 3 or math.isinf(times[-1]):
                bad.append((kind.name, times))
                continue
            per_mb, power = times[-1] * 1e6 / SIZES[len(times) - 1], exponent(times)
            worst, steepest = max(worst, per_mb), max(steepest, power)
            if per_mb > MOST_S_PER_MB.get(name, 1.0) or (power > MOST_EXPONENT and times[-1] > 5 * NEGLIGIBLE_S):
                bad.append((kind.name, times))
        over += len(bad)
        print(f"{name:20} worst {worst:6.2f} s/MB   steepest {steepest:4.2f}   over the bound: {len(bad)}", flush=True)
        for text, times in bad[:10]:
            print(f"    {text[:70]:70} {' '.join(f'{one:.3f}' for one in times)} s")
    return over


def _steps(view: TranscriptView) -> Iterator[float]:
    """CPU milliseconds of each turn of the loop until nothing is left to do."""
    from PySide6.QtWidgets import QApplication

    quiet = 0
    while quiet < 6:
        start = time.thread_time()
        QApplication.processEvents()
        spent = (time.thread_time() - start) * 1e3
        yield spent
        quiet = 0 if spent > 2 or view.highlighter.busy else quiet + 1
        time.sleep(0.001)


def _timed(work: object) -> float:
    assert callable(work)
    start = time.thread_time()
    work()
    return (time.thread_time() - start) * 1e3


def opened(view: TranscriptView, text: str, *, typed: bool) -> float:
    """The longest stretch while a thread is opened that has this text, and is looked through."""
    question = Message("q", "t", None, "user", (TextPart(text if typed else "Well?"),), CREATED)
    answer = Message("a", "t", "q", "assistant", (TextPart("Well." if typed else text),), CREATED)
    longest = max(_timed(lambda: view.show_path([question, answer])), *_steps(view))
    for _ in range(3):
        longest = max(longest, _timed(lambda: view.scroll_by(-700)), *_steps(view))
    return longest


def streamed(view: TranscriptView, text: str) -> float:
    """The longest stretch while a text comes at once but for its end, that in small deltas, and when it is over."""
    from PySide6.QtWidgets import QApplication

    view.show_path([Message("q", "t", None, "user", (TextPart("Well?"),), CREATED)])
    view.stream.begin_answer(Message("a", "t", "q", "assistant", (), CREATED))
    end = len(text) - IN_A_ROW * sum(DELTAS)
    longest = _timed(lambda: view.stream.grow_answer("a", "text", text[:end]))
    while view.row_layout.message_layout(1).unread:
        longest = max(longest, _timed(view.stream.show_now), _timed(QApplication.processEvents))
    longest = max(longest, *_steps(view))
    for size in DELTAS:
        for _ in range(IN_A_ROW):
            view.stream.grow_answer("a", "text", text[end : end + size])
            end += size
            longest = max(longest, _timed(view.stream.show_now), _timed(QApplication.processEvents))
    finished = Message("a", "t", "q", "assistant", (TextPart(text),), CREATED)
    return max(longest, _timed(lambda: view.stream.finish_answer(finished)), *_steps(view))


def window(kinds: list[Text]) -> int:
    """Prints what holds up the window; how many do."""
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    from PySide6.QtWidgets import QApplication

    from desktop_app.ui.startup.garbage import GarbageCollection
    from desktop_app.ui.theme.theme import load_bundled_fonts, load_theme
    from desktop_app.ui.transcript.view import TranscriptView

    app = QApplication([])
    app.setStyle("Fusion")
    GarbageCollection(app).start()
    load_bundled_fonts()
    view = TranscriptView(load_theme("light"))
    view.resize(900, 800)
    view.show()
    over, worst = 0, 0.0
    for kind in kinds:
        text = kind.make(WINDOW_SIZE)
        figures = [
            opened(view, text, typed=False),
            opened(view, text, typed=True),
            streamed(view, text),
        ]
        worst = max(worst, *figures)
        if max(figures) > STALL_MS:
            over += 1
            shown = "  ".join(f"{how} {ms:6.0f}" for how, ms in zip(HOW, figures, strict=True))
            print(f"    {kind.name[:60]:60} {shown} ms", flush=True)
    print(f"{len(kinds)} kinds of {WINDOW_SIZE:,} characters: {over} over {STALL_MS:.0f} ms, the worst {worst:.0f} ms")
    return over


def main() -> int:
    """Runs what is asked for, or both."""
    parser = argparse.ArgumentParser(prog="bench_hostile")
    parser.add_argument("--readers", action="store_true")
    parser.add_argument("--window", action="store_true")
    parser.add_argument("--only", default="", help="only kinds whose name has this")
    parser.add_argument("--generated", type=int, default=40, help="kinds made by chance besides")
    parser.add_argument("--pairs", action="store_true", help="also each opener with each closer")
    parser.add_argument("--reader", default="", help="only readers whose name has this")
    chosen = parser.parse_args()
    kinds = [*texts(), *generated(chosen.generated), *(pairs() if chosen.pairs else ())]
    kinds = [kind for kind in kinds if chosen.only in kind.name]
    both = not (chosen.readers or chosen.window)
    over = 0
    if chosen.readers or both:
        over += readers(kinds, chosen.reader)
    if chosen.window or both:
        over += window([*kinds, *(kind for kind in fenced() if chosen.only in kind.name)])
    return 1 if over else 0


if __name__ == "__main__":
    sys.exit(main())
