"""Builds the scenes in which the transcript is looked at, and saves them as pictures: `python -m ...gallery FOLDER`."""

from __future__ import annotations

import itertools
import os
import subprocess
import sys
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

from desktop_app.core.messages import (
    DocumentPart,
    Message,
    Part,
    Role,
    TextPart,
    ThinkingPart,
    ToolCallPart,
    ToolResultPart,
)

if TYPE_CHECKING:
    from desktop_app.ui.transcript.view import TranscriptView

CREATED = "2026-01-01T00:00:00Z"
CREATED_DAY = datetime.fromisoformat(CREATED).astimezone().date()
"""On the reader's own clock: the tests run in a zone where it is about noon, so that this can be the day before."""

ANSWER = """Here is a compact **ring buffer** with type hints. It overwrites the oldest entry once `capacity` is \
reached, so `push` is *O(1)* and never allocates. See the [documentation](https://docs.python.org/3/library/collections.html).

```python
class RingBuffer(Generic[T]):
    \"\"\"A fixed-size ring buffer.\"\"\"

    def __init__(self, capacity: int) -> None:
        self._items: list[T | None] = [None] * capacity
        self._head = 0  # next write

    def push(self, item: T) -> None:
        self._items[self._head % len(self._items)] = item
        self._head += 1
        if self._head > 10_000 and not self._warned:
            raise ValueError(f"too many items: {self._head!r}")  # a long line that goes on and on, well beyond the card
```

## How it compares

| Structure | push | pop | Notes |
|---|---:|---:|:--|
| `list` | O(1)* | O(n) | shifting on `pop(0)` |
| `deque` | O(1) | O(1) | bounded with `maxlen` 👍 |
| ring buffer | O(1) | O(1) | cache friendly |

### What is left

1. Works with **any** type `T`
2. Emoji ✅ 🚀 and CJK 这是一个用于测试的中文段落 render inline
   - nested items too, with a line that is long enough to wrap so that the second line can be seen to hang correctly
   - and ~~struck~~ text
3. A step with code:
   ```bash
   pip install ring-buffer
   ```
10. A number of two digits

- [x] written
- [ ] measured

> Prefer `collections.deque(maxlen=n)` unless you need random access.
>
> A second paragraph of the quote.

---

Inline math stays source: \\(a_1 * b * c\\) and $e^{i\\pi} = -1$.

$$
\\int_0^1 x^2 dx
= \\frac{1}{3}
$$
"""


def message(number: int, role: Role, *parts: Part | str, **fields: object) -> Message:
    """A message with id `m<number>` that answers the one before it."""
    made = tuple(TextPart(part) if isinstance(part, str) else part for part in parts)
    parent = f"m{number - 1}" if number else None
    return Message(f"m{number}", "t", parent, role, made, CREATED, **fields)  # type: ignore[arg-type]


def thread() -> list[Message]:
    """A short thread with one of everything."""
    return [
        message(0, "user", "Write a ring buffer in Python.\nWith type hints, please."),
        message(1, "assistant", ThinkingPart("The user wants a buffer.\n\nKeep it short."), ANSWER),
        message(2, "user", DocumentPart("Quartalsbericht 2026.pdf", "Umsatz\n1\n2", "0" * 64), "Was steht im Bericht?"),
        message(
            3,
            "assistant",
            "I will look it up.",
            ToolCallPart("c1", "search_documents", {"query": "Umsatz im dritten Quartal", "limit": 5}),
        ),
        message(4, "user", ToolResultPart("c1", "5 passages from Quartalsbericht 2026.pdf")),
        message(5, "assistant", "Der Bericht nennt einen Umsatz von 3,2 Mio. Euro; العربية تُكتب من اليمين إلى اليسار."),
        message(6, "user", "مرحبا، كيف يعمل هذا؟"),
        message(7, "assistant", "Half an", state="partial", stop_reason="interrupted"),
    ]


def scene(name: str, theme: str, width: int, height: int) -> TranscriptView:
    """One of the scenes, shown."""
    from PySide6.QtWidgets import QLabel

    from desktop_app.ui.theme.theme import load_bundled_fonts, load_theme
    from desktop_app.ui.transcript.message.decorations import PINNED, StepLine
    from desktop_app.ui.transcript.view import TranscriptView

    load_bundled_fonts()
    view = TranscriptView(load_theme(theme))  # type: ignore[arg-type]
    view.resize(width, height)
    view.show()
    view.show_path(thread())
    if name == "top":
        view.navigation.scroll_to_message("m0")
    elif name == "lists":
        view.navigation.scroll_to_message("m1")
        view.scroll_by(620)
    elif name == "loadline":
        view.decorations.set_load_line("m5", {"m0": PINNED, "m3": "Left out: the request would pass 150K"})
        view.decorations.set_steps(StepLine("m2", "38 older messages left out", (("show", "Show"), ("undo", "Undo"))))
        view.navigation.scroll_to_message("m2")
    elif name == "card":
        card = QLabel("This conversation is too long to continue")
        card.setStyleSheet("border: 1px solid gray; padding: 16px")
        view.footer.set_notice("Rate limited. Trying again in 40 s")
        view.footer.set_card(card)
    elif name == "stream":
        view.stream.add_message(message(8, "user", "Once more, longer, please"))
        view.stream.begin_answer(message(9, "assistant"))
        view.stream.grow_answer("m9", "thinking", "Let me see")
        view.stream.grow_answer("m9", "text", ANSWER[:1_500])
    elif name == "selection":
        view.navigation.scroll_to_message("m1")
        view.selection.select_all()
    return view


SCENES = ("top", "lists", "end", "loadline", "card", "stream", "selection")


def save_all(folder: Path, scale: str) -> None:
    """Saves all scenes at this process's scale."""
    from PySide6.QtWidgets import QApplication

    from tests.benchmarks.bench_transcript import settle

    app = QApplication.instance() or QApplication([])
    for name, theme, width in itertools.product(SCENES, ("light", "dark"), (960, 500)):
        if width == 500 and name not in {"top", "lists", "end"}:
            continue
        view = scene(name, theme, width, 860)
        settle()
        view.grab().save(str(folder / f"{name}_{theme}_{width}_{scale}x.png"))
        view.close()
    app.processEvents()


def main(arguments: Sequence[str]) -> None:
    """Without a scale: one child process per scale."""
    folder = Path(arguments[0])
    folder.mkdir(parents=True, exist_ok=True)
    if len(arguments) > 1:
        save_all(folder, arguments[1])
        return
    for scale in ("1", "2"):
        environment = {**os.environ, "QT_QPA_PLATFORM": "offscreen", "QT_SCALE_FACTOR": scale}
        subprocess.run([sys.executable, "-m", __spec__.name, str(folder), scale], env=environment, check=True)


if __name__ == "__main__":
    main(sys.argv[1:])
