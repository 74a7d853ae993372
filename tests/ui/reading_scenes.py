"""Scenes of reading a thread: finding, selecting, long code, wide tables, text from right to left."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt

from desktop_app.core.messages import ThinkingPart, Thread

if TYPE_CHECKING:
    from tests.ui.open_window import OpenWindow

LONG_CODE = "Here is the table of states:\n\n```python\n" + "\n".join(
    f'STATES[{n}] = State("number {n}", next={n + 1})' + ("  # and a remark that runs on" * 4 if n == 3 else "")
    for n in range(120)
) + "\n```\n\nAnd the figures:\n\n" + "\n".join(
    [
        "|" + "|".join(f" Quarter {n} " for n in range(1, 13)) + "|",
        "|" + "---:|" * 12,
        *("|" + "|".join(f" {n * row * 1_234:,} € " for n in range(1, 13)) + "|" for row in (1, 2, 3)),
    ]
)  # fmt: skip
ARABIC = (
    "المخزن الدائري بنية بيانات ذات حجم ثابت. عندما يمتلئ، تحل العناصر **الجديدة** محل أقدم العناصر.\n\n"
    "- الكتابة سريعة\n- القراءة سريعة مع `head`\n\nחוצץ טבעתי הוא מבנה נתונים בגודל קבוע."
)


def show(window: OpenWindow, *texts: str) -> None:
    """Questions and answers in turn."""
    from tests.ui.transcript.gallery import CREATED, message

    messages = [
        message(n, "assistant" if n % 2 else "user", *([ThinkingPart("Let me think.")] if n == 1 else []), text)
        for n, text in enumerate(texts)
    ]
    window.app_state.show_first(Thread("t", "", CREATED, CREATED), tuple(messages))
    window.transcript.show_path(messages)


async def found(window: OpenWindow) -> None:
    """The find bar with hits in prose, code and a table."""
    window.window.resize(1180, 820)
    window.shortcut("find")
    window.transcript.find_in_thread.bar.field.setText("deque")
    await window.until(lambda: window.transcript.find_in_thread.done, "all hits")
    window.transcript.find_in_thread.step(1)


async def found_narrow(window: OpenWindow) -> None:
    window.window.resize(620, 760)
    window.shortcut("toggle_threads")
    await window.choose_thread(f"{3:032x}")
    window.shortcut("find")
    window.transcript.find_in_thread.bar.field.setText("环形")
    await window.until(lambda: window.transcript.find_in_thread.done, "all hits")


async def not_found(window: OpenWindow) -> None:
    await found(window)
    window.transcript.find_in_thread.bar.field.setText("zebra")
    await window.until(lambda: window.transcript.find_in_thread.done, "no hits")


async def selected(window: OpenWindow) -> None:
    """A selection from the middle of one message into the next."""
    window.window.resize(1180, 820)
    window.transcript.navigation.scroll_to_message(window.transcript.row_layout.messages[0].id)
    window.transcript.selection.anchor = (0, 0, 9)
    window.transcript.selection.caret = (1, 1, 180)
    window.transcript.selection.show()


async def going(window: OpenWindow) -> None:
    window.window.resize(1180, 820)
    window.shortcut("go_to")
    window.type("3", window.transcript.bars.go_to.field)


async def long_code(window: OpenWindow) -> None:
    """Folded code, wide code, a wide table, and the keyboard on a button."""
    window.window.resize(1180, 980)
    show(window, "Show me all states.", LONG_CODE)
    window.transcript.setFocus(Qt.FocusReason.ShortcutFocusReason)
    window.transcript.keyboard.focus_message(1)
    for _ in range(5):
        window.transcript.keyboard.tab(1)
    window.transcript.scroll_by(200)


async def leftwards(window: OpenWindow) -> None:
    window.window.resize(1000, 700)
    show(window, "ما هو المخزن الدائري؟", ARABIC)
    window.transcript.selection.anchor, window.transcript.selection.caret = (1, 1 << 32, 20), (1, (1 << 32) + 2, 9)
    window.transcript.selection.show()


FORMULAS = r"""The roots of $ax^2 + bx + c = 0$ are

$$
x = \frac{-b \pm \sqrt{b^2 - 4ac}}{2a}
$$

with $\Delta = b^2 - 4ac \geq 0$. A hard one stays source: $\begin{pmatrix} 1 & 2 \end{pmatrix}$.
A price of $5 is a price.

- [x] checked by hand
- [ ] checked by a program
  1. nested
     > quoted in a list, with $\sum_{i=1}^{n} i$
"""


async def formulas(window: OpenWindow) -> None:
    window.window.resize(1000, 700)
    show(window, "And the formula?", FORMULAS)


READING_SCENES: tuple[Callable[[OpenWindow], Awaitable[None]], ...] = (
    found,
    found_narrow,
    not_found,
    selected,
    going,
    long_code,
    leftwards,
    formulas,
)
