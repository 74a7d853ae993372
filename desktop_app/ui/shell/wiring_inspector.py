"""The connections of the inspector, whose inside is imported and made when it is first shown. Decides nothing."""

from __future__ import annotations

from desktop_app.core.events import MessageAdded, TurnEnded, TurnFailed, TurnStarted
from desktop_app.ui.shell.main_window import MainWindow
from desktop_app.ui.shell.presenters import Presenters
from desktop_app.ui.shortcuts.key_tips import tell_keys
from desktop_app.ui.startup.background_imports import INSPECTOR, ImportsAtRest
from desktop_app.ui.state.app_state import AppState
from desktop_app.ui.theme.style import Appearance

IMPORT_AFTER_MS = 3000
"""When what is shown later is imported: the window has come to rest after its start."""


def wire_inspector(window: MainWindow, app_state: AppState, to: Presenters, appearance: Appearance) -> None:
    """The inspector's inside is imported and made when it is first shown."""
    slot = window.inspector

    def toggle() -> None:
        slot.set_shown(not slot.shown)
        if slot.shown:
            slot.content.focus_inside()  # type: ignore[union-attr]
        else:
            window.composer.focus_editor()

    def make() -> None:
        if slot.content is None:
            _make_inspector(window, app_state, to, appearance)

    def show() -> None:
        if not slot.shown:
            toggle()

    slot.wanted.connect(make)
    to.gauge.inspector_requested.connect(show)
    window.actions_by_id["toggle_inspector"].triggered.connect(toggle)
    importing = ImportsAtRest(INSPECTOR, window)
    if slot.shown:
        importing.done.connect(make)
    after_ms = 0 if slot.shown else IMPORT_AFTER_MS
    app_state.services_arrived.connect(lambda _: importing.start(after_ms))


def left_out(to: Presenters) -> list[str]:
    plan = to.gauge.plan
    return [placed.id for placed in plan.placement.messages if placed.state == "left_out"] if plan is not None else []


def inspect(window: MainWindow, ids: list[str]) -> None:
    """Shows these messages in the inspector, the newest of them in view."""
    from desktop_app.ui.inspector.inspector_pane import InspectorPane
    from desktop_app.ui.inspector.message_rows import GROUPS

    if not window.inspector.shown:
        window.actions_by_id["toggle_inspector"].trigger()
    pane = window.inspector.content
    if isinstance(pane, InspectorPane) and ids:
        pane.show_tab("messages")
        view = pane.messages.view
        for group in GROUPS:
            view.rows.fold(group, False)
        pane.messages.select(ids)
        view.scrollTo(view.rows.index_of(ids[-1]))


def _make_inspector(window: MainWindow, app_state: AppState, to: Presenters, appearance: Appearance) -> None:
    from desktop_app.ui.inspector.inspector_pane import InspectorPane
    from desktop_app.ui.inspector.messages_presenter import MessagesPresenter
    from desktop_app.ui.inspector.requests_presenter import RequestsPresenter

    slot, bridge = window.inspector, app_state.bridge
    pane = InspectorPane(appearance.theme, slot)
    inspector, requests = (
        MessagesPresenter(app_state, pane, window.stage.transcript),
        RequestsPresenter(app_state, pane),
    )
    app_state.thread_opened.connect(inspector.show_opened)
    app_state.thread_made.connect(inspector.thread_made)
    app_state.thread_closed.connect(inspector.clear)
    app_state.thread_changed.connect(inspector.thread_changed)
    bridge.subscribe_each((MessageAdded, TurnStarted, TurnEnded, TurnFailed), inspector.path_grew)
    for feeding in (inspector, requests):
        to.gauge.plan_changed.connect(feeding.plan_changed)
        pane.tab_shown.connect(feeding.look)
        slot.shown_changed.connect(feeding.look)
    pane.tab_shown.connect(inspector.leave)
    slot.shown_changed.connect(lambda shown: None if shown else inspector.leave())
    inspector.path_changed.connect(requests.path_changed)
    inspector.exclusion_wanted.connect(to.choices.exclude_quietly)
    inspector.summary_wanted.connect(to.summary_requests.summarise)
    inspector.summary_edit_requested.connect(
        lambda summary: to.pages.show("summary", app_state.thread_id or "", summary)
    )
    pane.close_requested.connect(window.actions_by_id["toggle_inspector"].trigger)
    tell_keys(pane.close_button, window.actions_by_id["toggle_inspector"])
    pane.messages.jump_requested.connect(lambda _message: to.pages.leave())
    slot.fill(pane)
    requests.plan_changed(to.gauge.plan)
    inspector.begin(to.gauge.plan)
