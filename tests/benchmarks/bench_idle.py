"""Wake-ups a second of a window that nobody touches: `python -m tests.benchmarks.bench_idle [--seconds N]`.

With the keyboard in the composer, behind another program's window, and minimized; of the GUI thread and of all threads.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import sys
import tempfile
from pathlib import Path

from PySide6.QtGui import QWindow

from tests.benchmarks.bench_longday import wake_ups
from tests.benchmarks.in_the_window import make_history

SECONDS, UNTOUCHED_S = 20.0, 10.0
MOST = {"focus": 1.0, "behind": 1.0, "minimized": 0.2}
"""Wake-ups a second of all threads."""


async def rest(data_dir: Path, seconds: float) -> list[str]:
    """Prints each figure; what is over its bound."""
    from tests.ui.open_window import OpenWindow

    await make_history(data_dir, (100,))
    over = []
    async with OpenWindow.opened(data_dir) as window:
        await window.settled()
        for due in (window.session.upkeep.backups.timer, window.session.upkeep.trash.timer):
            due.timeout.emit()  # a minute after the start, and then after hours
        window.window.activateWindow()
        window.composer.focus_editor()
        window.type("a draft")
        await window.settled()
        other = QWindow()
        for state, most in MOST.items():
            if state == "behind":
                other.show()
                other.requestActivate()
            if state == "minimized":
                window.window.showMinimized()
            await asyncio.sleep(UNTOUCHED_S)
            # the text index of a new history takes a while
            await window.until(lambda: not window.session.upkeep.looks, "the rest")
            gui, every = await wake_ups(seconds)
            print(f"{state:10} GUI thread {gui:5.2f}, all threads {every:5.2f} a second", flush=True)
            if every > most:
                over.append(f"{state}: {every:.2f}")
        other.destroy()
    return over


def main() -> int:
    """1 where a figure is over its bound."""
    parser = argparse.ArgumentParser(prog="bench_idle")
    parser.add_argument("--seconds", type=float, default=SECONDS)
    seconds = parser.parse_args().seconds
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    with tempfile.TemporaryDirectory(prefix="idle.") as folder:
        import qasync

        from desktop_app.ui.startup.single_instance import make_application

        loop = qasync.QEventLoop(make_application())
        asyncio.set_event_loop(loop)
        over = loop.run_until_complete(rest(Path(folder) / "data", seconds))
    for one in over:
        print(f"over: {one}")
    sys.stdout.flush()
    os._exit(1 if over else 0)  # what Qt still holds is nobody's


if __name__ == "__main__":
    main()
