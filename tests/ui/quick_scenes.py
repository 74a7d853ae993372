"""Pictures of the quick line: empty, with an answer, a long one, a refusal, a failed answer, a long text."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from desktop_app.backends.backend_protocol import Availability
from desktop_app.core.errors import TransientError
from desktop_app.core.stream_events import Ended, TextDelta
from tests.fakes.gated_backend import Gate

if TYPE_CHECKING:
    from desktop_app.ui.quick.quick_window import QuickWindow
    from tests.ui.open_window import OpenWindow

ANSWER = """\
Three ways, from the shortest on:

1. `git switch -` goes back to the branch before.
2. `git reflog` lists where you have been.

```sh
git reflog --date=relative | head
```
"""


async def _line(window: OpenWindow) -> QuickWindow:
    window.shortcut("new_thread")
    window.composer.picker.model_chosen.emit("scripted", "big")
    await window.settled()
    window.session.take_arguments({"quick": True})
    line = window.session.presence.quick.window
    assert line is not None
    await window.until(line.model.text, "the model's name")
    return line


async def _asked(window: OpenWindow, text: str) -> QuickWindow:
    line = await _line(window)
    line.set_text(text)
    QTest.keyClick(line.field, Qt.Key.Key_Return)
    await window.settled()
    return line


async def quick_empty(window: OpenWindow) -> None:
    await _line(window)


async def quick_six_lines(window: OpenWindow) -> None:
    line = await _line(window)
    line.set_text("\n".join(f"Line {number} of a question that was pasted" for number in range(1, 10)))


async def quick_answer(window: OpenWindow) -> None:
    window.backend.reply(TextDelta(ANSWER), Ended("end_turn"))
    await _asked(window, "How do I get back to the branch I was on?")


async def quick_streaming(window: OpenWindow) -> None:
    gate = Gate()
    window.backend.reply(TextDelta(ANSWER[:90]), gate, Ended("end_turn"))
    await _asked(window, "How do I get back to the branch I was on?")
    await gate.arrive()


async def quick_long(window: OpenWindow) -> None:
    window.backend.reply(TextDelta(ANSWER * 8), Ended("end_turn"))
    await _asked(window, "Everything about it, please. " * 6)


async def quick_refused(window: OpenWindow) -> None:
    line = await _line(window)
    window.backend.available = Availability(False, "The service is switched off. Switch it on, then ask again.")
    window.services.chat.chooser.forget_usable()
    line.set_text("How do I get back to the branch I was on?")
    QTest.keyClick(line.field, Qt.Key.Key_Return)
    quick = window.session.presence.quick
    await window.until(lambda: quick.card is not None, "the card")
    card = quick.card
    assert card is not None
    await window.until(lambda: not card.buttons[-1].visibleRegion().isEmpty(), "room for it")


async def quick_failed(window: OpenWindow) -> None:
    failure = TransientError("network", "The connection was lost. What came is kept.", actions=("retry",))
    window.backend.reply(TextDelta(ANSWER[:90]), failure)
    await _asked(window, "How do I get back to the branch I was on?")


QUICK_SCENES: tuple[Callable[[OpenWindow], Awaitable[None]], ...] = (
    quick_empty,
    quick_six_lines,
    quick_answer,
    quick_streaming,
    quick_long,
    quick_refused,
    quick_failed,
)
