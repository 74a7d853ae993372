"""Owns the connections of what is dragged: the load line. What moves it is imported when it is first moved."""

from __future__ import annotations

from desktop_app.core.events import TurnStarted
from desktop_app.ui.shell.main_window import MainWindow
from desktop_app.ui.shell.presenters import Presenters
from desktop_app.ui.state.app_state import AppState


def wire_load_line(window: MainWindow, app_state: AppState, to: Presenters) -> None:
    """The load line can be moved."""
    transcript = window.stage.transcript

    def made(drag: object) -> None:
        from desktop_app.ui.conversation.load_line_presenter import LoadLinePresenter
        from desktop_app.ui.transcript.message.load_line_drag import LoadLineDrag

        assert isinstance(drag, LoadLineDrag)
        presenter = LoadLinePresenter(app_state, drag, to.gauge, to.choices, window.toast)
        app_state.bridge.subscribe(TurnStarted, presenter.turn_started)

    transcript.decorations.line_moves = True
    transcript.line_drag_made.connect(made)
