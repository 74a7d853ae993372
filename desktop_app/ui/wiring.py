"""Owns every connection between panes, presenters and announcements, one function per area. Decides nothing itself."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from dataclasses import dataclass
from functools import partial

from PySide6.QtCore import QCoreApplication, QTimer, QUrl
from PySide6.QtGui import QAction, QDesktopServices
from PySide6.QtWidgets import QApplication

from desktop_app.core.events import MessageAdded
from desktop_app.paths import DataPaths
from desktop_app.ui.actions import make_actions
from desktop_app.ui.appearance import Appearance
from desktop_app.ui.bridge import Bridge
from desktop_app.ui.desk import Desk
from desktop_app.ui.dialogs import confirmed
from desktop_app.ui.imports import INSPECTOR, ImportsAtRest
from desktop_app.ui.main_window import MainWindow
from desktop_app.ui.presenters.abandoned import Abandoned
from desktop_app.ui.presenters.cold import ColdLine
from desktop_app.ui.presenters.condensing import Condensing
from desktop_app.ui.presenters.connections import Connections
from desktop_app.ui.presenters.curating import Curating
from desktop_app.ui.presenters.drafts import Drafts
from desktop_app.ui.presenters.load import Load
from desktop_app.ui.presenters.message_menu import MessageMenu
from desktop_app.ui.presenters.pages import Pages
from desktop_app.ui.presenters.steps import Steps
from desktop_app.ui.presenters.thread_list import ThreadListPresenter
from desktop_app.ui.presenters.transcript import TranscriptPresenter
from desktop_app.ui.presenters.trouble import TroubleCards
from desktop_app.ui.presenters.turns import Turns
from desktop_app.ui.services import Services
from desktop_app.ui.style import dress
from desktop_app.ui.threads.model import title_of

LOOK_ON_DISK_MS = 2000
"""How often the window looks whether a command in another process wrote to the history: one number is read."""
IMPORT_AFTER_MS = 3000
"""When what is shown later is imported: the window has come to rest after its start."""
THEMES = ("system", "light", "dark")
MESSAGE_AT = 0.2
"""Share of the view's height above a message that a page leads to."""
UNCOVERED = ("choose_model", "show_gauge", "focus_card")
"""Actions of what a page hides."""
SAFE_SCHEMES = ("http", "https", "mailto")


@dataclass(frozen=True, slots=True)
class Presenters:
    """The flows of one window."""

    turns: Turns
    drafts: Drafts
    abandoned: Abandoned
    transcript: TranscriptPresenter
    load: Load
    curating: Curating
    condensing: Condensing
    steps: Steps
    menu: MessageMenu
    cold: ColdLine
    trouble: TroubleCards
    thread_list: ThreadListPresenter
    connections: Connections
    pages: Pages


def wire(window: MainWindow, desk: Desk, appearance: Appearance, paths: DataPaths) -> Presenters:
    """Makes the presenters and connects everything."""
    composer, transcript = window.composer, window.stage.transcript
    turns, load = Turns(desk, composer), Load(desk, composer)
    curating, condensing = Curating(desk, window.toast), Condensing(desk, transcript)
    presenters = Presenters(
        turns=turns,
        drafts=Drafts(desk, composer, turns.waiting_text),
        abandoned=Abandoned(desk, composer, turns.waiting_text),
        transcript=TranscriptPresenter(desk, transcript),
        load=load,
        curating=curating,
        condensing=condensing,
        steps=Steps(desk, transcript, composer, curating),
        menu=MessageMenu(transcript, load, curating, condensing),
        cold=ColdLine(desk, composer, condensing),
        trouble=TroubleCards(
            desk,
            transcript,
            composer,
            turns=turns,
            curating=curating,
            condensing=condensing,
            theme=appearance.theme,
        ),
        thread_list=ThreadListPresenter(desk, window.threads, window.toast),
        connections=Connections(desk, composer.picker, window.stage.welcome),
        pages=Pages(desk, window.stage, window.toast, lambda: appearance.theme, window),
    )
    _wire_opening(window, desk, presenters)
    _wire_announcements(desk.bridge, desk, window, presenters)
    _wire_threads(window, desk, presenters)
    _wire_composer(window, presenters, appearance)
    _wire_trouble(window, desk, presenters, paths)
    _wire_context(window, desk, presenters)
    _wire_actions(window, desk, presenters, appearance)
    _wire_pages(window, desk, presenters)
    _wire_inspector(window, desk, presenters, appearance)
    _wire_appearance(window, desk, presenters, appearance)
    _wire_services(window, desk, presenters)
    return presenters


def _wire_opening(window: MainWindow, desk: Desk, to: Presenters) -> None:
    desk.thread_left.connect(to.drafts.save_now)
    desk.thread_left.connect(to.abandoned.left)
    desk.thread_opened.connect(lambda opened: to.turns.show_thread(opened.thread))
    desk.thread_opened.connect(to.drafts.show_opened)
    desk.thread_opened.connect(to.transcript.show_opened)
    desk.thread_opened.connect(to.trouble.show_opened)
    desk.thread_opened.connect(lambda opened: window.stage.set_empty(not opened.path and to.trouble.card is None))
    desk.thread_opened.connect(lambda opened: window.threads.show_open(opened.thread.id))
    desk.thread_opened.connect(lambda opened: window.show_title(title_of(opened.thread)))
    desk.thread_switched.connect(partial(window.show_welcome, False))
    desk.thread_opened.connect(to.load.refresh)
    desk.thread_opened.connect(to.connections.show_choice)

    desk.thread_closed.connect(partial(to.turns.show_thread, None))
    desk.thread_closed.connect(to.drafts.clear)
    desk.thread_closed.connect(to.transcript.clear)
    desk.thread_closed.connect(to.trouble.clear)
    desk.thread_closed.connect(partial(window.stage.set_empty, True))
    desk.thread_closed.connect(partial(window.threads.show_open, None))
    desk.thread_closed.connect(partial(window.show_title, ""))
    desk.thread_closed.connect(partial(window.show_welcome, False))
    desk.thread_closed.connect(to.load.show_new)
    desk.thread_closed.connect(to.connections.show_choice)

    desk.thread_made.connect(to.drafts.adopt)
    desk.thread_made.connect(lambda thread: window.threads.show_open(thread.id))
    desk.thread_made.connect(lambda thread: window.show_title(title_of(thread)))
    desk.thread_made.connect(to.load.refresh)
    desk.thread_made.connect(to.connections.show_choice)

    desk.thread_changed.connect(lambda thread: window.show_title(title_of(thread)))
    desk.thread_changed.connect(to.load.refresh)
    desk.thread_changed.connect(to.connections.show_choice)


def _wire_announcements(bridge: Bridge, desk: Desk, window: MainWindow, to: Presenters) -> None:
    bridge.message_added.connect(to.turns.message_stored)
    bridge.message_added.connect(to.transcript.message_added)
    bridge.message_added.connect(lambda added: _show_reading(window, desk, added))
    bridge.turn_started.connect(to.trouble.started)
    bridge.turn_started.connect(to.turns.turn_started)
    bridge.turn_started.connect(to.transcript.turn_started)
    bridge.answer_grew.connect(to.transcript.answer_grew)
    bridge.answer_part_finished.connect(to.transcript.part_finished)
    bridge.answer_reset.connect(to.transcript.answer_reset)
    bridge.notice_raised.connect(to.transcript.notice_raised)
    for over in (bridge.turn_ended, bridge.turn_failed):
        over.connect(to.transcript.turn_over)
        over.connect(to.load.cool)
        over.connect(to.load.refresh)
    bridge.turn_ended.connect(to.turns.turn_ended)
    bridge.turn_failed.connect(to.turns.turn_failed)
    bridge.turn_failed.connect(to.trouble.failed)
    bridge.send_refused.connect(to.turns.send_refused)
    bridge.send_refused.connect(to.trouble.refused)
    bridge.draft_saved.connect(to.drafts.stored)
    bridge.thread_created.connect(to.thread_list.thread_changed)
    bridge.thread_changed.connect(to.thread_list.thread_changed)
    bridge.thread_deleted.connect(to.thread_list.thread_deleted)
    bridge.history_changed_elsewhere.connect(to.thread_list.reload)
    bridge.history_changed_elsewhere.connect(lambda _: desk.start(desk.reopen()))
    bridge.settings_changed.connect(to.load.refresh)
    bridge.settings_changed.connect(to.connections.show_choice)
    to.turns.running_changed.connect(to.thread_list.running_changed)


def _wire_context(window: MainWindow, desk: Desk, to: Presenters) -> None:
    """What is left out, summarised, pinned: the lines that tell of it and the ways to change it."""
    bridge, transcript, gauge, cold = desk.bridge, window.stage.transcript, window.composer.gauge, window.composer.cold
    for changed in (desk.thread_opened, desk.thread_changed, bridge.turn_started, bridge.turn_ended):
        changed.connect(to.steps.refresh)
    for another in (desk.thread_switched, desk.thread_closed):
        another.connect(partial(transcript.set_notice, None))
    desk.thread_opened.connect(to.condensing.show_opened)
    desk.thread_closed.connect(to.steps.clear)
    bridge.summary_started.connect(to.condensing.started)
    bridge.summary_ended.connect(to.condensing.ended)
    bridge.turn_started.connect(to.cold.hide)
    to.load.plan_changed.connect(to.cold.plan_changed)
    cold.summary_requested.connect(to.cold.summarise)
    cold.closed.connect(to.cold.close)
    transcript.action_requested.connect(to.steps.act)
    transcript.message_context_requested.connect(to.menu.fill)
    to.steps.inspector_requested.connect(lambda: _inspect(window, _left_out(to)))
    to.menu.inspector_requested.connect(lambda message_id: _inspect(window, [message_id]))
    to.steps.stop_requested.connect(to.condensing.stop)
    to.steps.summary_edit_requested.connect(lambda summary: to.pages.open_summary(desk.thread_id or "", summary))
    to.condensing.blocked.connect(to.trouble.blocked)
    to.turns.asked.connect(to.trouble.asked)
    to.trouble.system_prompt_requested.connect(to.pages.edit_system)
    to.trouble.caps_requested.connect(to.pages.show_caps)
    gauge.room_requested.connect(lambda: to.trouble.offer_room(to.load.plan))
    gauge.limit_requested.connect(to.load.ask_limit)


def _wire_threads(window: MainWindow, desk: Desk, to: Presenters) -> None:
    pane = window.threads
    pane.thread_chosen.connect(lambda _: window.show_welcome(False))
    pane.thread_chosen.connect(to.thread_list.open)
    pane.new_thread_requested.connect(partial(_new_thread, window, desk))
    pane.rename_requested.connect(to.thread_list.rename)
    pane.pin_requested.connect(to.thread_list.pin)
    pane.delete_requested.connect(to.thread_list.delete)
    pane.collapse_requested.connect(partial(window.show_list, False))
    window.header.list_requested.connect(partial(window.show_list, True))
    window.header.new_thread_requested.connect(partial(_new_thread, window, desk))


def _wire_composer(window: MainWindow, to: Presenters, appearance: Appearance) -> None:
    composer = window.composer
    composer.edited.connect(to.drafts.text_edited)
    composer.edited.connect(to.load.text_edited)
    composer.send_requested.connect(to.turns.send)
    composer.stop_requested.connect(to.turns.stop)
    composer.queue.edit_requested.connect(to.turns.unqueue)
    composer.queue.remove_requested.connect(to.turns.drop_queued)
    composer.picker.choices_requested.connect(to.connections.offer_models)
    composer.picker.model_chosen.connect(to.connections.choose_model)
    composer.picker.connections_requested.connect(to.connections.look_for_ways)
    composer.picker.connections_requested.connect(partial(window.show_welcome, True))
    composer.gauge.opened.connect(lambda: to.load.open_popover(appearance.theme))
    composer.gauge.review_requested.connect(to.transcript.show_left_out)
    window.escape_pressed.connect(partial(_escape, window, to))
    to.load.plan_changed.connect(to.transcript.show_boundary)
    to.load.plan_changed.connect(to.trouble.plan_changed)


def _wire_trouble(window: MainWindow, desk: Desk, to: Presenters, paths: DataPaths) -> None:
    trouble, connections, welcome = to.trouble, to.connections, window.stage.welcome
    trouble.card_shown.connect(partial(window.stage.set_empty, False))
    trouble.connections_requested.connect(connections.look_for_ways)
    trouble.connections_requested.connect(partial(window.show_welcome, True))
    trouble.models_requested.connect(connections.offer_models)
    trouble.data_folder_requested.connect(lambda: QDesktopServices.openUrl(QUrl.fromLocalFile(str(paths.root))))
    trouble.new_thread_requested.connect(partial(_new_thread_with, window, desk))
    desk.tasks.failed.connect(trouble.show_failure)
    connections.welcome_wanted.connect(connections.look_for_ways)
    connections.welcome_wanted.connect(partial(window.show_welcome, True))
    connections.thread_ready.connect(partial(window.show_welcome, False))
    connections.thread_ready.connect(window.composer.focus_editor)
    welcome.way_taken.connect(connections.take_way)
    welcome.key_entered.connect(connections.take_key)
    transcript = window.stage.transcript
    transcript.link_activated.connect(lambda url: desk.start(_open_link(window, url)))
    transcript.retry_requested.connect(lambda _message: to.turns.retry())
    transcript.copied.connect(lambda: window.toast.show_message(QCoreApplication.translate("Window", "Copied")))


def _wire_actions(window: MainWindow, desk: Desk, to: Presenters, appearance: Appearance) -> None:
    actions = window.actions_by_id = make_actions(window)
    actions["new_thread"].triggered.connect(partial(_new_thread, window, desk))
    actions["toggle_threads"].triggered.connect(lambda: window.show_list(window.threads.isHidden()))
    actions["search_threads"].triggered.connect(partial(_search_threads, window))
    actions["rename_thread"].triggered.connect(window.threads.rename_open)
    actions["choose_model"].triggered.connect(to.connections.offer_models)
    actions["show_gauge"].triggered.connect(lambda: to.load.open_popover(appearance.theme))
    actions["focus_card"].triggered.connect(to.trouble.focus)
    actions["connections"].triggered.connect(to.connections.look_for_ways)
    actions["connections"].triggered.connect(partial(window.show_welcome, True))
    actions["next_thread"].triggered.connect(lambda: window.threads.choose_beside(1))
    actions["previous_thread"].triggered.connect(lambda: window.threads.choose_beside(-1))
    actions["close_window"].triggered.connect(window.close)
    actions["quit"].triggered.connect(window.close)
    named = ("new_thread", "search_threads", "toggle_threads", "rename_thread")
    further = ("toggle_inspector", "choose_model", "edit_system", "show_gauge", "show_usage", "connections")
    groups = (named, further, tuple(f"theme_{choice}" for choice in THEMES), ("quit",))
    menu: list[QAction | None] = []
    for group in groups:
        menu += [*([None] if menu else []), *(actions[name] for name in group)]
    window.header.set_menu(menu)


def _wire_inspector(window: MainWindow, desk: Desk, to: Presenters, appearance: Appearance) -> None:
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
            _make_inspector(window, desk, to, appearance)

    def show() -> None:
        if not slot.shown:
            toggle()

    slot.wanted.connect(make)
    to.load.inspector_requested.connect(show)
    window.actions_by_id["toggle_inspector"].triggered.connect(toggle)
    importing = ImportsAtRest(INSPECTOR, window)
    if slot.shown:
        importing.done.connect(make)
    after_ms = 0 if slot.shown else IMPORT_AFTER_MS
    desk.services_arrived.connect(lambda _: importing.start(after_ms))


def _left_out(to: Presenters) -> list[str]:
    plan = to.load.plan
    return [placed.id for placed in plan.messages if placed.state == "left_out"] if plan is not None else []


def _inspect(window: MainWindow, ids: list[str]) -> None:
    """Shows these messages in the inspector, the newest of them in view."""
    from desktop_app.ui.inspector.pane import InspectorPane
    from desktop_app.ui.inspector.rows import GROUPS

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


def _make_inspector(window: MainWindow, desk: Desk, to: Presenters, appearance: Appearance) -> None:
    from desktop_app.ui.inspector.pane import InspectorPane
    from desktop_app.ui.presenters.inspector import Inspector
    from desktop_app.ui.presenters.requests import Requests

    slot, bridge = window.inspector, desk.bridge
    pane = InspectorPane(appearance.theme, slot)
    inspector, requests = Inspector(desk, pane, window.stage.transcript), Requests(desk, pane)
    desk.thread_opened.connect(inspector.show_opened)
    desk.thread_made.connect(inspector.thread_made)
    desk.thread_closed.connect(inspector.clear)
    desk.thread_changed.connect(inspector.thread_changed)
    for changed in (bridge.message_added, bridge.turn_started, bridge.turn_ended, bridge.turn_failed):
        changed.connect(inspector.path_grew)
    for feeding in (inspector, requests):
        to.load.plan_changed.connect(feeding.plan_changed)
        pane.tab_shown.connect(feeding.look)
        slot.shown_changed.connect(feeding.look)
    pane.tab_shown.connect(inspector.leave)
    slot.shown_changed.connect(lambda shown: None if shown else inspector.leave())
    inspector.path_changed.connect(requests.path_changed)
    inspector.summary_wanted.connect(to.condensing.summarise)
    inspector.summary_edit_requested.connect(lambda summary: to.pages.open_summary(desk.thread_id or "", summary))
    pane.close_requested.connect(window.actions_by_id["toggle_inspector"].trigger)
    pane.messages.jump_requested.connect(lambda _message: to.pages.leave())
    appearance.theme_changed.connect(lambda: pane.set_theme(appearance.theme))
    slot.fill(pane)
    requests.plan_changed(to.load.plan)
    inspector.begin(to.load.plan)


def _wire_pages(window: MainWindow, desk: Desk, to: Presenters) -> None:
    pages = to.pages
    pages.page_changed.connect(window.show_page)
    pages.page_changed.connect(lambda page: window.composer.focus_editor() if page is None else None)
    pages.message_wanted.connect(lambda message_id: window.stage.transcript.scroll_to_message(message_id, MESSAGE_AT))
    window.actions_by_id["show_usage"].triggered.connect(pages.show_usage)
    window.actions_by_id["edit_system"].triggered.connect(pages.edit_system)
    for name in UNCOVERED:
        pages.covering_changed.connect(window.actions_by_id[name].setDisabled)
    window.has_unsaved = pages.has_unsaved
    window.unsaved_found.connect(pages.ask_before_closing)
    pages.window_may_close.connect(window.close)
    desk.bridge.thread_deleted.connect(pages.forget_thread)
    desk.tasks.failed.connect(pages.tell)


def _wire_appearance(window: MainWindow, desk: Desk, to: Presenters, appearance: Appearance) -> None:
    app = QApplication.instance()

    def show() -> None:
        if isinstance(app, QApplication):
            dress(app, appearance.theme)
        window.set_theme(appearance.theme)
        to.trouble.set_theme(appearance.theme)
        to.pages.set_theme(appearance.theme)

    def take_settings() -> None:
        services = desk.ready
        if services is not None:
            settings = services.preferences.settings
            window.composer.editor.enter_sends = settings.composer.enter_sends
            window.composer.gauge.reduced_motion = settings.appearance.reduced_motion
            appearance.take(settings.appearance)
            for choice in THEMES:
                window.actions_by_id[f"theme_{choice}"].setChecked(settings.appearance.theme == choice)

    async def set_theme(choice: str) -> None:
        services = await desk.services()
        await services.preferences.set_value("appearance.theme", choice)

    for choice in THEMES:
        action = window.actions_by_id[f"theme_{choice}"]
        action.setCheckable(True)
        action.triggered.connect(partial(_start_with, desk, set_theme, choice))

    appearance.theme_changed.connect(show)
    desk.bridge.settings_changed.connect(take_settings)
    desk.services_arrived.connect(take_settings)


def _wire_services(window: MainWindow, desk: Desk, to: Presenters) -> None:
    look = QTimer(window)
    look.setInterval(LOOK_ON_DISK_MS)

    async def look_on_disk() -> None:
        services: Services = await desk.services()
        await services.chat.refresh_from_disk()

    look.timeout.connect(lambda: desk.start(look_on_disk()))
    desk.services_arrived.connect(lambda _: look.start())


def _start_with(desk: Desk, wish: Callable[[str], Coroutine[None, None, None]], value: str) -> None:
    desk.start(wish(value))


def _new_thread(window: MainWindow, desk: Desk) -> None:
    if desk.current is not None or not window.stage.reading:
        desk.close_thread()
    window.composer.focus_editor()


def _new_thread_with(window: MainWindow, desk: Desk, draft: str) -> None:
    desk.close_thread()
    window.composer.editor.replace_text(draft)
    window.composer.focus_editor()


def _search_threads(window: MainWindow) -> None:
    window.show_list(True)
    window.threads.search.setFocus()
    window.threads.search.selectAll()


def _escape(window: MainWindow, to: Presenters) -> None:
    if window.stage.welcoming and to.connections.chosen:
        window.show_welcome(False)
    if to.pages.page is not None:
        to.pages.leave()
    elif not to.turns.escape():
        window.composer.focus_editor()


def _show_reading(window: MainWindow, desk: Desk, added: MessageAdded) -> None:
    if desk.is_open(added.message.thread_id):
        window.stage.set_empty(False)


async def _open_link(window: MainWindow, address: str) -> None:
    """Opens a link after showing where it really goes; other kinds of addresses are not opened."""
    url = QUrl(address)
    if url.scheme().lower() not in SAFE_SCHEMES:
        window.toast.show_message(QCoreApplication.translate("Window", "This kind of link is not opened."))
        return
    question = QCoreApplication.translate("Window", "Open this address in the browser?")
    target = bytes(url.toEncoded().data()).decode("ascii")
    yes = QCoreApplication.translate("Window", "Open")
    if await confirmed(window, question, f"{question}\n\n{target}", yes):
        QDesktopServices.openUrl(url)
