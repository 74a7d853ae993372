"""The times at which typeset formulas take the places of the lines that stand for them.

Text that is painted while an answer grows never moves: what is in view then keeps what it shows until it is out of
view. At other times what is at the top of the view, or the end, stays where it is.
"""

from __future__ import annotations

from collections.abc import Callable

from desktop_app.ui.transcript.canvas.canvas import Canvas
from desktop_app.ui.transcript.formulas.formula_cache import FormulaCache


class FormulaUpdates:
    """The formulas of one canvas; `grows`: an answer is coming."""

    def __init__(self, canvas: Canvas, grows: Callable[[], bool], formulas: FormulaCache | None = None) -> None:
        self.formulas = formulas or FormulaCache(canvas)
        self._canvas = canvas
        self._grows = grows
        self._left_out = False
        self.formulas.arrived.connect(self._on_arrived)
        canvas.scrolled_by_user.connect(self._on_scrolled)

    def _on_arrived(self) -> None:
        self._show(still=self._grows())

    def _on_scrolled(self) -> None:
        """Allow changes in the text that has left the view."""
        if self._left_out:
            self._show(still=True)

    def _show(self, *, still: bool) -> None:
        row_layout = self._canvas.row_layout
        at_end = bool(row_layout.placed) and row_layout.at_end and not still
        in_view = {id(placed.row) for placed in row_layout.placed}
        changed = self._left_out = False
        for index in row_layout.made:
            if index == len(row_layout.messages):
                continue
            layout = row_layout.message_layout(index)
            for row in layout.rows:
                fixed = id(row) in in_view and (still or row.item.is_still)
                changed = row.item.take_formulas(still=fixed) or changed
                self._left_out = self._left_out or (fixed and row.item.lacks_formulas)
            if layout.held:
                layout.arrange()
                changed = True
        if not changed:
            return
        if at_end:
            row_layout.place_end()
        else:
            row_layout.place_again()
        self._canvas.refresh()
