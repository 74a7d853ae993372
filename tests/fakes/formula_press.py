"""Typesets no formula before a test says so. Owns no process; an answer is a plain box."""

from __future__ import annotations

from collections.abc import Callable

from desktop_app.ui.transcript.formulas.formula_typesetter import Answer, FormulaTypesetter, Key


def box(width: float = 2_000, up: float = 700, down: float = 200) -> Answer:
    """A filled rectangle of that size, in thousandths of the font size."""
    corners = [(0.0, -up), (width, -up), (width, down), (0.0, down)]
    path: list[str | float] = []
    for number, (x, y) in enumerate(corners):
        path += ["L" if number else "M", x, y]
    return {"path": [*path, "Z"], "letters": [], "width": width, "up": up, "down": down}


class GatedPress(FormulaTypesetter):
    """Keeps what it is asked for; `answer` hands out a drawing, or None for a formula that can't be typeset."""

    def __init__(self, answered: Callable[[Key, Answer | None], None]) -> None:
        super().__init__(answered)
        self.asked: list[Key] = []
        self.heard = 0.0

    def ask(self, key: Key) -> None:
        self.asked.append(key)

    def get_ready(self) -> None:
        """It is."""

    def answer(self, source: str, answer: Answer | None = None, *, failed: bool = False) -> None:
        """Answers what was asked for, in a line and in a line of its own."""
        for key in [key for key in self.asked if key[0] == source]:
            self.asked.remove(key)
            self._answered(key, None if failed else answer or box())
