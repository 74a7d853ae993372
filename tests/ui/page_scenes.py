"""Pictures of the pages that take the transcript's place: usage, summary editor, system prompt. Figures are made up."""

from __future__ import annotations

import math
from collections.abc import Awaitable, Callable
from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING, cast

from tests.set_time import NOW, days_ago
from tests.ui.ledgers import call

if TYPE_CHECKING:
    from desktop_app.composition import AppServices as Composed
    from tests.ui.open_window import OpenWindow

GERMAN = f"{1:032x}"
JAPANESE = f"{3:032x}"
SUMMARY = """\
Asked: a ring buffer in Python with an index, type hints and no allocation after the start.
Decided: capacity is fixed; the oldest entry is overwritten; `deque(maxlen=n)` wherever no index is needed.
Found: `pop(0)` on a list shifts every element; a deque is written in C and can be pickled.
Open: whether the buffer must be read by another process.
Files and names: ring.py, RingBuffer, the capacity of 4,096.
"""
PROMPT = """\
You are helping with the firmware of a small sensor. Answer briefly, show code first and explain it afterwards.

- The controller has 64 KB of memory; nothing may be allocated after the start.
- The code is C11, compiled with -Wall -Wextra -Werror.
"""
CHINESE_PROMPT = "你是一位耐心的中文老师。请用简单的句子回答,每次只解释一个语法点,并给出三个例句。"


async def fill_ledger(window: OpenWindow, days: int = 24) -> None:
    """Calls of some weeks: an API, a plan and the local model, with a quiet weekend now and then."""
    history = cast("Composed", window.services).history
    for back in range(days):
        day = NOW - timedelta(days=back)
        if back and day.weekday() == 6:
            continue
        weight = 1 + round(4 * abs(math.sin(back)))
        for number in range(weight):
            thread = f"{(back + number) % 6:032x}"
            read, fresh = 42_000 + 9_000 * number, 900 + 40 * back
            usage = (fresh, read, 1_800 + 300 * number, 700 + 90 * number)
            await history.record_call(call(day, "anthropic", "claude-sonnet-5-5", thread=thread, tokens=usage))
        if back % 3 == 0:
            usage = (400, 88_000, 4_200, 1_500)
            made = call(day, "claude-cli", "claude-opus-5-5", thread=GERMAN, tokens=usage, kind="plan")
            await history.record_call(made)
        if back % 5 == 0:
            usage = (2_600, 0, 0, 300)
            made = call(day, "local", "smollm2-135m", thread=JAPANESE, tokens=usage, kind="free", cost=0.0)
            await history.record_call(made)
        usage = (3_000, 0, 0, 400)
        made = call(day, "anthropic", "claude-haiku-5-5", thread=f"{0:032x}", tokens=usage, purpose="summary")
        await history.record_call(made)


async def show_usage(window: OpenWindow) -> None:
    window.shortcut("show_usage")
    await window.until(lambda: window.presenters.pages.page is not None, "the page")
    await window.settled()


async def usage(window: OpenWindow) -> None:
    window.window.resize(1180, 980)
    await fill_ledger(window)
    await window.services.preferences.set_value("costs.day_cap_usd", 5.0)
    await show_usage(window)


async def usage_plot(window: OpenWindow) -> None:
    """The keyboard on the plot."""
    from PySide6.QtCore import Qt

    await usage(window)
    plot = window.presenters.pages.page.plot  # type: ignore[union-attr]
    window.window.activateWindow()
    plot.setFocus()
    for _ in range(3):
        window.press(Qt.Key.Key_Left, widget=plot)


async def usage_money(window: OpenWindow) -> None:
    await usage(window)
    page = window.presenters.pages.page
    page.units["dollars"].click()  # type: ignore[union-attr]
    page.facets["model"].click()  # type: ignore[union-attr]


async def usage_year(window: OpenWindow) -> None:
    window.window.resize(1180, 980)
    await fill_ledger(window, 200)
    await show_usage(window)
    window.presenters.pages.page.spans["all"].click()  # type: ignore[union-attr]
    await window.settled()


async def usage_narrow(window: OpenWindow) -> None:
    await usage(window)
    window.window.resize(640, 900)
    window.window.splitter.setSizes([180, 460])
    await window.settled()


async def usage_today(window: OpenWindow) -> None:
    await usage(window)
    window.presenters.pages.page.spans["today"].click()  # type: ignore[union-attr]
    await window.settled()


async def usage_empty(window: OpenWindow) -> None:
    window.window.resize(1000, 700)
    await show_usage(window)


async def summarised(window: OpenWindow, thread_id: str, text: str = SUMMARY) -> None:
    """Opens the editor of a summary of the thread's messages."""
    from desktop_app.core.context.context_choices import Summary

    opened = await window.services.chat.open_thread(thread_id)
    stamp = days_ago(3 / 24)
    ids = tuple(message.id for message in opened.path)
    summary = Summary("s1", ids, text, "claude-haiku-5-5", stamp, edited=True, cost_usd=0.08)
    choices = replace(opened.thread.choices, summaries=(summary,))
    await window.services.chat.context_editing.restore(thread_id, choices)
    window.presenters.pages.show("summary", thread_id, "s1")
    await window.until(lambda: window.presenters.pages.page is not None, "the editor")
    await window.settled()


async def summary_editor(window: OpenWindow) -> None:
    window.window.resize(1180, 820)
    await summarised(window, f"{0:032x}")


async def summary_narrow(window: OpenWindow) -> None:
    window.window.resize(640, 760)
    window.window.splitter.setSizes([180, 460])
    await summarised(window, JAPANESE, "質問:固定長の配列による環形バッファ。\n決定:最も古い要素を上書きする。\n" * 3)


async def summary_writing(window: OpenWindow) -> None:
    await summary_editor(window)
    window.presenters.pages.page.set_busy(True)  # type: ignore[union-attr]


async def summary_problem(window: OpenWindow) -> None:
    await summary_editor(window)
    page = window.presenters.pages.page
    page.show_problem("The summary was longer than a quarter of its source. Nothing was changed.")  # type: ignore[union-attr]


async def system_prompt(window: OpenWindow) -> None:
    window.window.resize(1180, 820)
    await window.services.chat.set_system(f"{0:032x}", PROMPT)
    window.shortcut("edit_system")
    await window.until(lambda: window.presenters.pages.page is not None, "the editor")
    await window.settled()


async def system_prompt_narrow(window: OpenWindow) -> None:
    window.window.resize(640, 700)
    window.window.splitter.setSizes([180, 460])
    await window.services.chat.set_system(JAPANESE, CHINESE_PROMPT * 4)
    await window.choose_thread(JAPANESE)
    window.shortcut("edit_system")
    await window.until(lambda: window.presenters.pages.page is not None, "the editor")
    await window.settled()


PAGE_SCENES: tuple[Callable[[OpenWindow], Awaitable[None]], ...] = (
    usage,
    usage_plot,
    usage_money,
    usage_year,
    usage_narrow,
    usage_today,
    usage_empty,
    summary_editor,
    summary_narrow,
    summary_writing,
    summary_problem,
    system_prompt,
    system_prompt_narrow,
)
