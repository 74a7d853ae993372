"""The connections of load line and limit, which are dragged. The code that moves them is imported when one is."""

from __future__ import annotations

from desktop_app.ui.shell.main_window import MainWindow
from desktop_app.ui.shell.presenters import Presenters
from desktop_app.ui.state.app_state import AppState


def wire_load_line(window: MainWindow, app_state: AppState, to: Presenters) -> None:
    """The load line can be moved, and so can the mark of the soft limit on the gauge."""
    transcript, strip = window.stage.transcript, window.composer.gauge

    def line_drag_made(drag: object) -> None:
        from desktop_app.ui.conversation.plan_previews import LoadLinePresenter
        from desktop_app.ui.transcript.message.load_line_drag import LoadLineDrag

        assert isinstance(drag, LoadLineDrag)
        LoadLinePresenter(app_state, drag, to.gauge, to.choices, window.toast)

    def limit_drag_made(drag: object) -> None:
        from desktop_app.ui.conversation.plan_previews import LimitPresenter
        from desktop_app.ui.gauge.limit_drag import LimitDrag

        assert isinstance(drag, LimitDrag)
        LimitPresenter(app_state, drag, to.gauge, window.toast)

    transcript.decorations.line_moves = True
    transcript.line_drag_made.connect(line_drag_made)
    strip.limit_drag_made.connect(limit_drag_made)
