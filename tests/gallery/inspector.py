"""Shows the rows of the inspector's Messages tab in each state. Owns a made-up plan."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import Qt

from desktop_app.core.context.plan import PlacedMessage, PlacedState
from desktop_app.core.messages import Role
from desktop_app.ui.inspector.message_rows import MessageRowModel
from desktop_app.ui.inspector.messages_tab import MessageRowView
from desktop_app.ui.theme.theme import GRID
from tests.builders.placed import GivenPath
from tests.gallery.fitted import message
from tests.gallery.page import Page
from tests.gallery.popovers import PLAN

STATES: tuple[tuple[PlacedState, int, str], ...] = (
    ("pinned", 420, "Pinned"),
    ("summarised", 0, "Summarized"),
    ("left_out", 0, "Left out: the request would pass 150K"),
    ("excluded", 0, "Excluded by you"),
    ("whole", 1_204, ""),
    ("annotated", 38, "Left out: superseded by the answer after it"),
    ("whole", 24_100, ""),
)


def fill(page: Page) -> None:
    """All rows, then with groups folded away."""
    placed, messages = [], {}
    for number, (state, tokens, reason) in enumerate(STATES):
        for half, role in enumerate(("user", "assistant")):
            made = message(2 * number + half, "user" if role == "user" else "assistant", _text(number, half))
            messages[made.id] = made
            placed.append(PlacedMessage(made.id, _role(half), state, tokens, reason, whole=max(tokens, 310)))
    plan = replace(PLAN, placement=replace(PLAN.placement, messages=GivenPath(placed)))
    for caption, folded in (("Every state, one row with the keyboard", False), ("Folded", True)):
        model = MessageRowModel(page)
        model.show_plan(plan, messages)
        view = MessageRowView(model, page.theme, page)
        if folded:
            for group in ("sent", "left_out", "fixed"):
                model.fold(group, True)
        else:
            view.setCurrentIndex(model.index_of("m8"))
        view.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        view.setFixedSize(52 * GRID, view.painted.height * model.rowCount() + GRID)
        page.add_at_left(caption, view)


def _role(half: int) -> Role:
    return "assistant" if half else "user"


def _text(number: int, half: int) -> str:
    if half:
        return "Nearly always. A deque with maxlen drops the oldest entry by itself, is written in C, and pickles."
    return f"Question {number + 1}: when is a deque the better choice?"
