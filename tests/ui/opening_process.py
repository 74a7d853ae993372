"""A window of its own process that opens two threads, one after another: `python -m tests.ui.opening_process DATA_DIR`.

Prints the id of the first once both are there and the second has been open for a while, then opens the first and says
`open` when it is. With `--private` behind it, a private thread is written in then, before that is said. With
`--beside`, the first is opened in a window of its own instead, and a draft is typed there; with `--close` behind, a
third window is opened and closed before. With `--read`, a long answer comes in the second instead and is scrolled in;
where it is read is printed before `open`.
"""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

import qasync


async def open_both(data_dir: Path, *, private: bool, beside: bool, close: bool, read: bool) -> None:
    from desktop_app.core.stream_events import Ended, TextDelta
    from tests.ui.listed import threads_of
    from tests.ui.open_window import OpenWindow

    async with OpenWindow.opened(data_dir) as window:
        first, second = await threads_of(window, "alpha", "beta")
        _say(first)
        if read:
            window.backend.reply(TextDelta("A paragraph of an answer.\n\n" * 200), Ended("end_turn"))
            await window.send("a question")
            window.transcript.scroll_by(1_234)
            state, navigation = window.session.state, window.transcript.navigation
            await window.until(lambda: state.reading_place == navigation.whereabouts, "the place on the disk")
            _say(repr(tuple(navigation.whereabouts or ())))
        elif beside:
            if close:
                await window.choose_thread(first)
                await window.app_state.open_thread(second)
                window.session.open_window(None, window.one)
                await window.until(lambda: len(window.session.windows) == 2, "the window")
                await window.settled()
                window.another().window.close()
                await window.until(lambda: len(window.session.windows) == 1, "the window less")
            window.session.open_window(first, window.one)
            await window.until(lambda: len(window.session.windows) == 2, "the window")
            await window.settled()
            other = window.another()
            other.type("a draft")
            await other.until(lambda: other.presenters.drafts.all_saved, "the draft")
        else:
            await window.choose_thread(first)
        if private:
            window.shortcut("new_private_thread")
            await window.send("said in private")
            assert window.app_state.thread_id is not None
            _say(window.app_state.thread_id)
        _say("open")
        await asyncio.Event().wait()


def _say(words: str) -> None:
    sys.stdout.write(f"{words}\n")
    sys.stdout.flush()


def main() -> None:
    from desktop_app.ui.shell.opening import make_application

    loop = qasync.QEventLoop(make_application())
    asyncio.set_event_loop(loop)
    options = {name: f"--{name}" in sys.argv for name in ("private", "beside", "close", "read")}
    loop.run_until_complete(open_both(Path(sys.argv[1]), **options))


if __name__ == "__main__":
    main()
