"""Owns the connections of the prompt library: composer, pages, palette, menu of a message. Decides nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING

from desktop_app.core.events import HistoryChangedElsewhere, PromptsChanged
from desktop_app.ui.shell.main_window import MainWindow
from desktop_app.ui.state.app_state import AppState

if TYPE_CHECKING:
    from desktop_app.ui.shell.wiring import Presenters


def wire_prompts(window: MainWindow, app_state: AppState, to: Presenters) -> None:
    """Connects what offers, inserts and begins prompts; after the actions are made."""
    prompts = to.prompts
    window.composer.edited.connect(prompts.text_edited)
    app_state.services_arrived.connect(prompts.refresh)
    app_state.bridge.subscribe(PromptsChanged, prompts.refresh)
    app_state.bridge.subscribe(HistoryChangedElsewhere, prompts.refresh)
    app_state.thread_switched.connect(prompts.close)
    app_state.thread_closed.connect(prompts.close)
    to.pages.covering_changed.connect(prompts.close)
    to.pages.prompt_chosen.connect(prompts.insert)
    to.palette.prompt_chosen.connect(prompts.insert_by_id)
    window.stage.transcript.message_context_requested.connect(prompts.fill_menu)
    window.actions_by_id["save_as_prompt"].triggered.connect(prompts.save_draft)
