"""Pictures of the real window, without a screen: `python -m tests.ui.scenes OUTDIR [scene ...]`.

Each scene is drawn in both themes, at one and two pixels per point; `--language de` has the window speak it, `--width
640` gives it another width. The threads in them are made up.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import subprocess
import sys
import tempfile
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import TYPE_CHECKING

from tests.set_time import days_ago, set_time
from tests.ui.attachment_scenes import ATTACHMENT_SCENES
from tests.ui.branch_scenes import BRANCH_SCENES
from tests.ui.composer_scenes import COMPOSER_SCENES
from tests.ui.connection_scenes import CONNECTION_SCENES
from tests.ui.context_scenes import CONTEXT_SCENES
from tests.ui.document_scenes import DOCUMENT_SCENES
from tests.ui.inspector_scenes import INSPECTOR_SCENES
from tests.ui.look_up_scenes import LOOK_UP_SCENES
from tests.ui.page_scenes import PAGE_SCENES
from tests.ui.palette_scenes import PALETTE_SCENES
from tests.ui.preference_scenes import PREFERENCE_SCENES
from tests.ui.project_scenes import PROJECT_SCENES
from tests.ui.prompt_scenes import PROMPT_SCENES
from tests.ui.quick_scenes import QUICK_SCENES
from tests.ui.reading_scenes import READING_SCENES
from tests.ui.shortcut_scenes import SHORTCUT_SCENES
from tests.ui.thread_scenes import THREAD_SCENES
from tests.ui.tool_scenes import TOOL_SCENES

if TYPE_CHECKING:
    from tests.ui.open_window import OpenWindow

SCALES = (1, 2)
THEMES = ("light", "dark")

RING_BUFFER = """\
Here is a compact **ring buffer** with type hints. It overwrites the oldest entry once `capacity` is reached, so \
`push` is *O(1)* and never allocates.

```python
class RingBuffer(Generic[T]):
    \"\"\"A fixed-size ring buffer.\"\"\"

    def __init__(self, capacity: int) -> None:
        self._items: list[T | None] = [None] * capacity
        self._head = 0  # next write

    def push(self, item: T) -> None:
        self._items[self._head % len(self._items)] = item
        self._head += 1
```

### How it compares

| Structure | push | pop | Notes |
|---|---:|---:|---|
| `list` | O(1)* | O(n) | shifting on `pop(0)` |
| `deque` | O(1) | O(1) | bounded with `maxlen` |
| ring buffer | O(1) | O(1) | cache friendly |

- Works with **any** type `T`
- One allocation, at the start
- See the [documentation](https://docs.python.org/3/library/collections.html)

> Prefer `collections.deque(maxlen=n)` unless you need random access.
"""
CHINESE = """\
当然可以。**环形缓冲区**是一种固定大小的数据结构:写满之后,新的元素会覆盖最旧的元素。

1. 写入位置用 `head` 表示,每次写入后加一
2. 取模运算让位置回到开头
3. 因此 `push` 的时间复杂度是 *O(1)*

日本語でも同じです。固定長の配列を使い、古い要素から上書きします。
"""
TITLES = (
    ("Ring buffer in Python", 0.01, False),
    ("Donaudampfschifffahrtsgesellschaftskapitän und andere sehr lange deutsche Wörter", 0.05, False),
    ("Quarterly report: what changed and why", 0.2, False),
    ("日本語の文法について", 1.1, False),
    ("Trip to Lisbon", 2, True),
    ("SQL window functions", 3, False),
    ("Why is the sky blue", 5, False),
    ("Refactor the delegate", 18, False),
    ("Reading list", 45, False),
    ("Fenwick trees", 47, False),
)


async def make_threads(data_dir: Path) -> None:
    """A history as a user of some weeks has it."""
    from desktop_app.core.history_records import ImportedThread
    from desktop_app.core.messages import Message, TextPart, Thread
    from desktop_app.storage.sqlite_history import SqliteHistory

    said = {
        "Ring buffer in Python": [
            "How do I write a ring buffer in Python?",
            RING_BUFFER,
            "And when is a deque the better choice?",
            "Nearly always. A `deque` with `maxlen` drops the oldest entry by itself, is written in C, and pickles. "
            "Write your own only where you need an index into the middle in constant time, or a fixed block of "
            "memory that something else reads.",
        ],
        "日本語の文法について": ["你能用中文解释一下环形缓冲区吗?", CHINESE],
    }
    data_dir.mkdir(mode=0o700, parents=True, exist_ok=True)
    history = await SqliteHistory.open(data_dir / "history.db")
    threads = []
    for number, (title, days, pinned) in enumerate(TITLES):
        stamp = days_ago(days)
        thread_id, parent, messages = f"{number:032x}", None, []
        for place, text in enumerate(said.get(title, ["A question", "An answer."])):
            role = "user" if place % 2 == 0 else "assistant"
            message_id = f"{number:016x}{place:016x}"
            messages.append(
                Message(message_id, thread_id, parent, role, (TextPart(text),), stamp)  # type: ignore[arg-type]
            )
            parent = message_id
        thread = Thread(thread_id, title, stamp, stamp, "claude-cli", tip=parent, seen=parent, pinned=pinned)
        threads.append(ImportedThread(f"scene/{number}", thread, tuple(messages)))
    await history.import_threads(threads)
    await history.close()


async def conversation(window: OpenWindow) -> None:
    window.window.resize(1180, 820)
    window.editor.setPlainText("Could you show me the version with an index?")


async def long_titles(window: OpenWindow) -> None:
    window.window.resize(700, 760)
    await window.choose_thread(f"{1:032x}")
    window.editor.setPlainText("One line\nand another\nand a third one that is so long that it has to go on below.")


async def chinese(window: OpenWindow) -> None:
    window.window.resize(1000, 700)
    await window.choose_thread(f"{3:032x}")
    window.editor.setPlainText("谢谢!再举一个例子。")


async def empty(window: OpenWindow) -> None:
    window.window.resize(1000, 700)
    window.shortcut("new_thread")


async def no_list(window: OpenWindow) -> None:
    window.window.resize(1180, 820)
    window.shortcut("toggle_threads")


def server_log(lines: int) -> str:
    """Lines as a server writes them, none like another."""
    asked = ("GET /orders/{}", "POST /orders/{}/items", "GET /customers/{}", "PUT /baskets/{}", "GET /stock/{}")
    return "\n".join(
        f"2026-11-{2 + line // 4_000:02}T{8 + line // 400 % 10:02}:{line // 7 % 60:02}:{line * 17 % 60:02}Z "
        f"{asked[line * 7 % 5].format(4_100 + line * 37 % 9_000)} {(200, 200, 304, 201)[line % 4]} "
        f"{12 + line * 29 % 83 + 1_400 * (line % 61 == 7)} ms"
        for line in range(lines)
    )


async def refused(window: OpenWindow) -> None:
    from PySide6.QtCore import Qt

    window.window.resize(1180, 820)
    window.composer.picker.model_chosen.emit("scripted", "big")
    await window.settled()
    window.editor.setPlainText("Why do some of these take so long?\n\n" + server_log(9_000))
    window.press(Qt.Key.Key_Return)
    await window.until(lambda: window.presenters.error_cards.card is not None, "the card")


async def near_the_limit(window: OpenWindow) -> None:
    window.window.resize(1180, 820)
    window.composer.picker.model_chosen.emit("scripted", "big")
    await window.settled()
    window.editor.setPlainText("The quick brown fox jumps over the lazy dog. " * 12_500)
    await window.until(lambda: window.gauge.reading.state == "near", "the amber gauge")


async def trim(window: OpenWindow) -> None:
    """Sending would leave messages out: `Review` was pressed."""
    from PySide6.QtCore import Qt

    from desktop_app.core.stream_events import Ended, TextDelta

    window.window.resize(980, 600)
    window.backend.window = 12_000
    window.shortcut("new_thread")
    window.composer.picker.model_chosen.emit("scripted", "big")
    await window.settled()
    questions = ("How do I write a ring buffer in Python?", "Shorter, please.", "Once more, with an index.")
    for number in range(40):
        window.editor.setPlainText(questions[number % len(questions)])
        await window.settled()
        if window.gauge.reading.state == "trim":
            break
        window.backend.reply(TextDelta(RING_BUFFER), Ended("end_turn"))
        window.press(Qt.Key.Key_Return)
        await window.until(window.composer.is_empty, "the question in the history")
        await window.until(lambda: not window.composer.streaming, "the answer")
    window.gauge.review_requested.emit()


async def trimmed(window: OpenWindow) -> None:
    """The message that caused a trim says so."""
    from PySide6.QtCore import Qt

    await trim(window)
    window.press(Qt.Key.Key_Return)
    await window.until(lambda: window.backend.plans[-1].decision == "trim", "the trimmed request")
    await window.until(lambda: not window.composer.streaming, "the answer")


async def kept(window: OpenWindow) -> None:
    """The beginning of a trimmed thread, which is always sent."""
    await trimmed(window)
    window.transcript.scroll_by(-window.transcript.row_layout.y)


async def streaming(window: OpenWindow) -> None:
    from PySide6.QtCore import Qt

    from desktop_app.core.stream_events import Ended, TextDelta
    from tests.fakes.gated_backend import Gate

    window.window.resize(1180, 820)
    window.composer.picker.model_chosen.emit("scripted", "big")
    await window.settled()
    gate = Gate()
    window.backend.reply(TextDelta(RING_BUFFER[:420]), gate, Ended("end_turn"))
    window.editor.setPlainText("Show me that again, step by step.")
    window.press(Qt.Key.Key_Return)
    await gate.arrive()
    window.editor.setPlainText("Then compare it with a deque, please.")
    window.press(Qt.Key.Key_Return)


async def waiting(window: OpenWindow) -> None:
    """A pause before another attempt, with what the server said."""
    from PySide6.QtCore import Qt

    from desktop_app.core.errors import retry_words
    from desktop_app.core.stream_events import Ended, Notice
    from tests.fakes.gated_backend import Gate

    window.window.resize(1000, 700)
    window.composer.picker.model_chosen.emit("scripted", "big")
    await window.settled()
    line = window.presenters.transcript.waiting
    line.clock = lambda: 0.0
    gate = Gate()
    said = "HTTP 429 rate_limit_error: This request would exceed 40,000 input tokens a minute. (request req_011CQ)"
    words = retry_words(cause="Rate limited.", seconds=40, attempt=2, most=3)
    window.backend.reply(Notice("retry", words, said, lambda: None), gate, Ended("end_turn"))
    window.editor.setPlainText("And what does it cost in memory?")
    window.press(Qt.Key.Key_Return)
    await gate.arrive()
    line.act("", "server_said")


async def popover(window: OpenWindow) -> None:
    window.window.resize(1180, 820)
    window.editor.setPlainText("What would this cost?")
    await window.until(lambda: window.presenters.gauge.plan is not None, "a plan")
    await window.settled()
    window.shortcut("show_gauge")


async def models(window: OpenWindow) -> None:
    window.window.resize(1000, 700)
    window.composer.picker.click()
    await window.until(lambda: window.composer.picker.menu_shown is not None, "the menu")


async def welcome(window: OpenWindow) -> None:
    window.window.resize(1000, 760)
    window.window.want_welcome()
    window.presenters.connections.look_for_ways()
    await window.settled()


SCENES: dict[str, Callable[[OpenWindow], Awaitable[None]]] = {
    scene.__name__: scene
    for scene in (
        conversation,
        long_titles,
        chinese,
        empty,
        no_list,
        refused,
        near_the_limit,
        trim,
        trimmed,
        kept,
        streaming,
        waiting,
        popover,
        models,
        welcome,
    )
}


SCENES.update(
    {
        scene.__name__: scene
        for scene in (
            *ATTACHMENT_SCENES,
            *BRANCH_SCENES,
            *COMPOSER_SCENES,
            *CONTEXT_SCENES,
            *DOCUMENT_SCENES,
            *INSPECTOR_SCENES,
            *PAGE_SCENES,
            *PALETTE_SCENES,
            *PREFERENCE_SCENES,
            *PROJECT_SCENES,
            *PROMPT_SCENES,
            *SHORTCUT_SCENES,
            *CONNECTION_SCENES,
            *QUICK_SCENES,
            *READING_SCENES,
            *TOOL_SCENES,
            *LOOK_UP_SCENES,
            *THREAD_SCENES,
        )
    }
)


async def draw(asked: argparse.Namespace, theme: str, suffix: str) -> None:
    """Draws the scenes, each in a window of its own; width 0: as wide as the scene wants to be."""
    from PySide6.QtCore import QPoint
    from PySide6.QtGui import QPainter
    from PySide6.QtWidgets import QApplication

    from desktop_app.ui.i18n.language import speak
    from tests.fakes.gated_backend import GatedBackend
    from tests.ui.open_window import OpenWindow

    for name in asked.scenes or SCENES:
        with tempfile.TemporaryDirectory(prefix="plimsoll-scene-") as folder:
            data_dir = Path(folder) / "d"
            await make_threads(data_dir)
            (data_dir / "settings.toml").write_text(
                f'[appearance]\ntheme = "{theme}"\nlanguage = "{asked.language}"\nreduced_motion = true\n',
                encoding="utf-8",
            )
            speak(asked.language)
            local = GatedBackend("local")
            async with OpenWindow.opened(data_dir, backend=None, local=local) as window:
                await SCENES[name](window)
                if asked.width:
                    window.window.resize(asked.width, window.window.height())
                await asyncio.sleep(0.5)  # late highlighting and the gauge's words; this is no test
                line = window.session.presence.quick.window
                picture = (window.window if line is None else line).grab()
                if (popup := QApplication.activePopupWidget()) is not None:
                    painter = QPainter(picture)
                    painter.drawPixmap(popup.pos() - window.window.mapToGlobal(QPoint(0, 0)), popup.grab())
                    painter.end()
                    popup.close()
                picture.save(str(asked.out / f"{name}-{theme}{suffix}.png"))


def main() -> int:
    asked = _arguments()
    asked.out.mkdir(parents=True, exist_ok=True)
    if (scale := os.environ.get("QT_SCALE_FACTOR")) is None:
        # The scale is fixed when Qt starts: one process for each.
        for each in SCALES:
            environ = {**os.environ, "QT_SCALE_FACTOR": str(each), "QT_QPA_PLATFORM": "offscreen"}
            subprocess.run([sys.executable, "-m", "tests.ui.scenes", *sys.argv[1:]], env=environ, check=True)
        return 0
    suffix = "".join(
        (
            f"-{asked.language}" if asked.language != "en" else "",
            f"-{asked.width}" if asked.width else "",
            f"@{scale}x" if scale != "1" else "",
        )
    )
    with tempfile.TemporaryDirectory(prefix="plimsoll-home-") as home:
        os.environ["HOME"] = home
        set_time()
        import qasync

        from desktop_app.ui.shell.opening import make_application

        loop = qasync.QEventLoop(make_application())
        asyncio.set_event_loop(loop)
        for theme in THEMES:
            loop.run_until_complete(draw(asked, theme, suffix))
        loop.close()
    return 0


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.ui.scenes", description="Pictures of the real window.")
    parser.add_argument("out", type=Path)
    parser.add_argument("scenes", nargs="*", metavar="scene", help=f"all of them, or some of {', '.join(SCENES)}")
    parser.add_argument("--language", default="en", help="en, de or zh_CN")
    parser.add_argument("--width", type=int, default=0, help="pixels of the window's width")
    asked = parser.parse_intermixed_args()
    unknown = [name for name in asked.scenes if name not in SCENES]
    if unknown:
        parser.error(f"there is no scene {', '.join(unknown)}")
    return asked


if __name__ == "__main__":
    sys.exit(main())
