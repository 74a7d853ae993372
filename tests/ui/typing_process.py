"""A window of its own process in which somebody types without a rest: `python -m tests.ui.typing_process DATA_DIR`.

With `--private` behind it the thread is one that is kept in memory only.

Prints a line for each character: the time in seconds, and how many there are.
"""

from __future__ import annotations

import asyncio
import sys
import time
from pathlib import Path

import qasync
from PySide6.QtTest import QTest

EVERY_S = 0.04
"""25 characters a second: nobody types faster, and no rest is long enough for a draft that waits for one."""


async def type_on(data_dir: Path, *, private: bool) -> None:
    from tests.ui.open_window import OpenWindow

    async with OpenWindow.opened(data_dir) as window:
        if private:
            window.shortcut("new_private_thread")
        count = 0
        while True:
            QTest.keyClicks(window.editor, "word "[count % 5])
            count += 1
            sys.stdout.write(f"{time.monotonic()} {count}\n")
            sys.stdout.flush()
            await asyncio.sleep(EVERY_S)


def main() -> None:
    from desktop_app.ui.opening import make_application

    loop = qasync.QEventLoop(make_application())
    asyncio.set_event_loop(loop)
    loop.run_until_complete(type_on(Path(sys.argv[1]), private="--private" in sys.argv))


if __name__ == "__main__":
    main()
