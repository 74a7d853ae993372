"""The window's menu and actions, what each does and why not, text size, and the settings that views follow."""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final

from PySide6.QtCore import QEvent, QObject, QPoint, Qt
from PySide6.QtGui import QAction, QWheelEvent
from PySide6.QtWidgets import QWidget

from desktop_app.core import events
from desktop_app.ui.i18n.language import tr
from desktop_app.ui.palette.palette_presenter import COMMAND_PALETTE
from desktop_app.ui.prompts.prompt_starters import starters_of
from desktop_app.ui.shell.main_window import MainWindow
from desktop_app.ui.shell.page_specs import PAGES, Presenters
from desktop_app.ui.shell.pages import Pages
from desktop_app.ui.shell.wiring_panes import Panes, PaneWidths
from desktop_app.ui.shortcuts.keymap import KeyMap, KeyTip, make_actions
from desktop_app.ui.state.app_state import AppState, ThreadProject
from desktop_app.ui.theme.style import Appearance
from desktop_app.ui.theme.theme import USUAL_TEXT_SIZE
from desktop_app.ui.widgets import ZOOMS
from desktop_app.ui.widgets.floating import Menu, show_at_once

Entries = Sequence[str | None]
"""Ids of actions, names of submenus, and None for a line between groups."""

TOP: Entries = (
    *("new", "thread", "view", None),
    *("show_usage", "show_trash", "transfer", None),
    *("models", "preferences", "help", None, "quit"),
)
SUBMENUS: Mapping[str, Entries] = {
    "new": ("new_thread", "new_private_thread", "new_project"),
    "thread": (
        *("find", "go_to", "show_branches", None, "open_in_new_window", "rename_thread", "pin_thread", None),
        *("edit_system", "show_prompts", None, "archive_thread", "delete_thread"),
    ),
    "view": (
        *("command_palette", "search_threads", None),
        *("toggle_threads", "toggle_inspector", "toggle_artifacts", "show_gauge", None),
        *("larger_text", "smaller_text", "usual_text", "theme"),
    ),
    "theme": ("theme_system", "theme_light", "theme_dark"),
    "models": (
        *("connections", "show_tools", "ask_tools_again", None),
        *("choose_model", "thread_parameters"),
    ),
    "transfer": ("import_threads", "export_threads", None, "show_backups", "show_sync"),
    "help": ("show_shortcuts", "show_help", "show_about"),
}
PANES = frozenset({"toggle_threads", "toggle_inspector", "toggle_artifacts"})
"""Actions that show or hide a pane: a check mark says that it is shown."""


def window_menu(
    actions: Mapping[str, QAction], parent: QWidget, states: Callable[[], Mapping[str, bool]] = dict
) -> Menu:
    """The menu as it is now: what can do nothing is left out, and so is a submenu of nothing else.

    `states`: which panes are shown, and what the open thread is, by action.
    """
    menu, now = Menu(parent), states()
    _fill(menu, TOP, _titles(), {name: _entry(name, action, now, menu) for name, action in actions.items()})
    return menu


def _entry(name: str, action: QAction, states: Mapping[str, bool], menu: Menu) -> QAction:
    """The action, or one that does the same in the few words that its place in the menu leaves it."""
    if (words := _words(states).get(name)) is None:
        return action
    entry = QAction(words, menu, enabled=action.isEnabled(), checkable=name in PANES or action.isCheckable())
    entry.setShortcuts(action.shortcuts())
    entry.setChecked(states.get(name, action.isChecked()))
    entry.triggered.connect(action.trigger)
    return entry


def _words(states: Mapping[str, bool]) -> Mapping[str, str]:
    """Return the words submenus have for their entries, whose titles say the rest."""
    return {
        "rename_thread": tr("Rename"),
        "pin_thread": tr("Unpin") if states.get("pin_thread") else tr("Pin"),
        "archive_thread": tr("Unarchive") if states.get("archive_thread") else tr("Archive"),
        "delete_thread": tr("Delete"),
        "toggle_threads": tr("Thread list"),
        "toggle_inspector": tr("Context inspector"),
        "toggle_artifacts": tr("Artifacts"),
        "theme_system": tr("System"),
        "theme_light": tr("Light"),
        "theme_dark": tr("Dark"),
    }


def _titles() -> Mapping[str, str]:
    return {
        "new": tr("New"),
        "thread": tr("Thread"),
        "view": tr("View"),
        "theme": tr("Theme"),
        "models": tr("Connections and tools"),
        "transfer": tr("Import, export, backups"),
        "help": tr("Help"),
    }


def _fill(menu: Menu, entries: Entries, titles: Mapping[str, str], actions: Mapping[str, QAction]) -> None:
    for entry in entries:
        if entry is None:
            menu.addSeparator()  # one at an end, or above another, is not shown
        elif entry in SUBMENUS:
            submenu = Menu(menu)
            submenu.setTitle(titles[entry])
            _fill(submenu, SUBMENUS[entry], titles, actions)
            if not submenu.isEmpty():
                menu.addMenu(submenu)
        elif actions[entry].isEnabled():
            menu.addAction(actions[entry])


OF_THE_THREAD = ("duplicate_thread", "pin_thread", "move_thread", "archive_thread", "delete_thread")
"""Actions that do with the open thread what its menu in the list does."""


@dataclass(frozen=True, slots=True)
class Reason:
    """The state of an action: whether it can do something now, and the words where it can't."""

    able: Callable[[], bool]
    words: Callable[[], str]


def tell_reasons(
    window: MainWindow, *, has_card: Callable[[], bool], can_go_on: Callable[[], bool], widths: PaneWidths
) -> None:
    """Has the window say why an action can do nothing now. To be called before anybody else listens to the actions."""

    def tell(reason: Reason) -> None:
        if not reason.able():
            window.toast.show_message(reason.words())

    for name, reason in {**_reasons(window, has_card, can_go_on), **_reasons_of_widths(widths)}.items():
        window.actions_by_id[name].triggered.connect(partial(_ignoring_checked, partial(tell, reason)))


def cover(actions: Iterable[QAction], covered: bool) -> None:
    """Disable the actions while a page hides them, with the reason as their tip."""
    reason = tr("Go back to the thread first (Esc).")
    for action in actions:
        action.setDisabled(covered)
        action.setToolTip(reason if covered else "")


def _ignoring_checked(do: Callable[[], None], _checked: bool = False) -> None:
    do()


def _reasons(window: MainWindow, has_card: Callable[[], bool], can_go_on: Callable[[], bool]) -> Mapping[str, Reason]:
    transcript, threads, composer = window.stage.transcript, window.threads, window.composer

    def has_messages() -> bool:
        return bool(transcript.row_layout.messages)

    def has_selection() -> bool:
        return transcript.selection.range is not None

    def is_free() -> bool:
        return has_messages() and not composer.streaming

    def has_thread() -> bool:
        return threads.open_thread() is not None

    def busy_or(words: str) -> str:
        coming = tr("An answer is still coming. Stop it or wait until it is complete.")
        return coming if composer.streaming else words

    open_first = Reason(has_thread, lambda: tr("Open a thread first."))
    no_question = tr("There is no question yet.")
    return {
        "quote": Reason(
            lambda: has_selection() or transcript.row_layout.focused >= 0,
            lambda: tr("Select something to quote first."),
        ),
        "copy_markdown": Reason(has_selection, lambda: tr("Select something to copy first.")),
        "copy_thread": Reason(has_messages, lambda: tr("There is nothing to copy yet.")),
        "previous_question": Reason(has_messages, lambda: no_question),
        "next_question": Reason(has_messages, lambda: no_question),
        "edit_question": Reason(is_free, lambda: busy_or(no_question)),
        "try_again": Reason(is_free, lambda: busy_or(tr("There is no answer to regenerate yet."))),
        "continue_answer": Reason(
            can_go_on, lambda: busy_or(tr("The last answer is complete. There is nothing to continue."))
        ),
        "ask_tools_again": open_first,
        "rename_thread": Reason(threads.can_rename, lambda: tr("Open a thread first.")),
        **dict.fromkeys(OF_THE_THREAD, open_first),
        "next_thread": Reason(lambda: bool(threads.beside(1)), lambda: tr("There is no thread below this one.")),
        "previous_thread": Reason(lambda: bool(threads.beside(-1)), lambda: tr("There is no thread above this one.")),
        "focus_card": Reason(has_card, lambda: tr("There is no message card here.")),
    }


def _reasons_of_widths(widths: PaneWidths) -> Mapping[str, Reason]:
    def able(name: str) -> bool:
        return not widths.why_not(name)

    return {name: Reason(partial(able, name), partial(widths.why_not, name)) for name in widths.steps}


SIZES: Final = (8, 9, 10, 11, 12, 13, 14, 16, 18, 20, 22, 25, 28, 33)
"""Points. The setting takes others as well, which lie between two steps."""
NOTCH: Final = 120
"""Eighths of a degree that a wheel turns by one notch."""
SETTING: Final = "appearance.text_size"


class TextSize(QObject):
    """Makes all text larger or smaller, keeps that, and says for a moment how large it is now."""

    def __init__(self, app_state: AppState, window: MainWindow) -> None:
        super().__init__(window)
        self._app_state = app_state
        self._window = window
        self._turned = 0
        self._wanted: int | None = None  # what was wished last, until it is stored
        if (frame := window.windowHandle()) is not None:
            frame.installEventFilter(self)

    def larger(self) -> None:
        """The next step up."""
        self._step(1)

    def smaller(self) -> None:
        """The next step down."""
        self._step(-1)

    def reset(self) -> None:
        """The usual size."""
        self._want(USUAL_TEXT_SIZE)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if not isinstance(event, QWheelEvent) or event.modifiers() != Qt.KeyboardModifier.ControlModifier:
            return False
        under = self._window.childAt(event.position().toPoint())
        if under is None or not self._window.splitter.isAncestorOf(under) or _zooms(under):
            return False  # a picture shown large has its own
        self._turned += event.angleDelta().y()
        if abs(self._turned) >= NOTCH:
            self._step(1 if self._turned > 0 else -1)
            self._turned = 0
        return True

    @property
    def _size(self) -> int:
        services = self._app_state.ready
        stored = services.preferences.settings.appearance.text_size if services is not None else USUAL_TEXT_SIZE
        return self._wanted if self._wanted is not None else stored

    def _step(self, step: int) -> None:
        here = self._size
        further = [size for size in SIZES if (size - here) * step > 0]
        self._want((min if step > 0 else max)(further, default=here))

    def _want(self, size: int) -> None:
        self._wanted = size
        percent = 5 * round(20 * size / USUAL_TEXT_SIZE)
        self._window.toast.show_message(self.tr("Text size {percent} %").format(percent=percent))
        self._app_state.start(self._store(size))

    async def _store(self, size: int) -> None:
        try:
            services = await self._app_state.services()
            await services.preferences.set_value(SETTING, size)
        finally:
            if self._wanted == size:
                self._wanted = None


def _zooms(part: QWidget | None) -> bool:
    """Return True if the widget under the pointer zooms by itself."""
    while part is not None and not part.property(ZOOMS):
        part = part.parentWidget()
    return part is not None


def wire_prompts(window: MainWindow, app_state: AppState, to: Presenters) -> None:
    """Connects what offers, inserts and begins prompts; after the actions are made."""
    prompts = to.prompts
    window.composer.edited.connect(prompts.text_edited)
    to.sending.holds_back = prompts.holds_back
    app_state.services_arrived.connect(prompts.refresh)
    app_state.bridge.subscribe(events.PromptsChanged, prompts.refresh)
    app_state.bridge.subscribe(events.HistoryChangedElsewhere, prompts.refresh)
    app_state.thread_switched.connect(prompts.close)
    app_state.thread_closed.connect(prompts.close)
    to.pages.covering_changed.connect(prompts.close)
    to.pages.prompt_chosen.connect(prompts.insert)
    to.palette.prompt_chosen.connect(prompts.insert_by_id)
    prompts.read.connect(lambda library: window.stage.show_starters(starters_of(library)))
    window.stage.starter_chosen.connect(prompts.insert)
    window.stage.transcript.message_context_requested.connect(prompts.fill_menu)
    window.actions_by_id["save_as_prompt"].triggered.connect(prompts.save_draft)


THEMES = ("system", "light", "dark")
MESSAGE_AT = 0.2
"""Share of the view's height above a message that a page leads to."""
UNCOVERED = (
    "choose_model",
    "thread_parameters",
    "attach_files",
    "save_as_prompt",
    "show_gauge",
    "focus_card",
    "find",
    "go_to",
    "show_branches",
    "edit_question",
    "rate_up",
    "rate_down",
    "note",
)
"""Actions of what a page hides."""


def wire_actions(window: MainWindow, app_state: AppState, to: Presenters, appearance: Appearance) -> None:
    actions = window.actions_by_id
    actions.update(make_actions(window))
    for action in actions.values():
        action.triggered.connect(window.toast.hide)  # before anybody who shows another one
    widths = PaneWidths(window)
    tell_reasons(
        window,
        widths=widths,
        has_card=lambda: to.error_cards.card is not None and not to.error_cards.card.resolved,
        can_go_on=lambda: to.branches.can_go_on,
    )
    actions["new_thread"].triggered.connect(partial(new_thread, window, app_state))
    actions["new_private_thread"].triggered.connect(partial(new_thread, window, app_state, private=True))
    actions["toggle_threads"].triggered.connect(partial(_toggle_list, window))
    actions["search_threads"].triggered.connect(partial(_search_threads, window))
    pane = window.threads
    for chosen in (pane.thread_chosen, pane.new_thread_requested, pane.new_private_requested, to.pages.page_changed):
        chosen.connect(lambda *_: window.list_slot.leave())
    actions["rename_thread"].triggered.connect(partial(_rename, window))
    for name in OF_THE_THREAD:
        actions[name].triggered.connect(partial(_act_on_thread, window, to, name))
    actions["choose_model"].triggered.connect(to.connections.offer_models)
    actions["thread_parameters"].triggered.connect(to.parameters.open)
    actions["attach_files"].triggered.connect(to.attachments.choose_files)
    actions["show_gauge"].triggered.connect(lambda: to.gauge.open_popover(appearance.theme))
    actions["focus_card"].triggered.connect(to.error_cards.focus)
    for name in OF_A_CONSENT:
        actions[name].triggered.connect(partial(_ignoring_checked, partial(to.error_cards.act, name)))
    for told in (to.error_cards.open_changed, to.pages.page_changed):
        told.connect(lambda *_: _offer_consent(actions, to))
    _offer_consent(actions, to)
    panes = Panes(window, lambda: to.error_cards.card)
    actions["next_pane"].triggered.connect(lambda: panes.step(1))
    actions["previous_pane"].triggered.connect(lambda: panes.step(-1))
    for name, step in widths.steps.items():
        actions[name].triggered.connect(step)
    actions["edit_question"].triggered.connect(to.branches.edit_question)
    actions["try_again"].triggered.connect(to.branches.try_again)
    for name in ("rate_up", "rate_down", "note"):
        actions[name].triggered.connect(partial(_mark, to, name))
    actions["continue_answer"].triggered.connect(to.branches.continue_last)
    actions["next_thread"].triggered.connect(lambda: window.threads.choose_beside(1))
    actions["previous_thread"].triggered.connect(lambda: window.threads.choose_beside(-1))
    actions["close_window"].triggered.connect(window.close)
    actions["quit"].triggered.connect(window.quit)
    window.composer.web_search.servers.clicked.connect(actions["show_tools"].trigger)
    actions["ask_tools_again"].triggered.connect(lambda: app_state.start(_ask_tools_again(window, app_state)))
    window.header.make_menu = partial(window_menu, actions, window.header, partial(_states, window))


OF_A_CONSENT = ("allow_once", "allow_thread", "refuse_call")
"""Actions that are the buttons of the card of a call that waits."""


def _offer_consent(actions: Mapping[str, QAction], to: Presenters) -> None:
    """Offers them while the card is there to be read."""
    card = to.error_cards.card
    for name in OF_A_CONSENT:
        readable = card is not None and not card.resolved and to.pages.page is None
        actions[name].setEnabled(readable and card is not None and card.content.action(name) is not None)


async def _ask_tools_again(window: MainWindow, app_state: AppState) -> None:
    """Takes back what was allowed in the open thread."""
    if (thread_id := app_state.thread_id) is None:
        return
    editing = (await app_state.services()).chat.context_editing
    allowed = (await editing.set_allowed_tools(thread_id)).allowed_tools
    undo = partial(editing.set_allowed_tools, thread_id, allowed)
    window.toast.show_message(
        tr("In this thread each tool asks again, unless it is always allowed."),
        tr("Undo") if allowed else "",
        (lambda: app_state.start(undo())) if allowed else None,
    )


def _states(window: MainWindow) -> dict[str, bool]:
    """Which panes are shown, and what the open thread is, by action."""
    thread = window.threads.open_thread()
    return {
        "toggle_threads": window.threads.isVisible(),
        "toggle_inspector": window.inspector.shown,
        "toggle_artifacts": window.artifacts.shown,
        "pin_thread": thread is not None and thread.pinned,
        "archive_thread": thread is not None and thread.archived,
    }


def wire_reading(window: MainWindow) -> None:
    """Connect the parts that find, lead and copy in the open thread."""
    actions, transcript = window.actions_by_id, window.stage.transcript
    actions["find"].triggered.connect(lambda: transcript.bars.open_find())  # noqa: PLW0108 - made when asked for
    actions["find_next"].triggered.connect(lambda: transcript.find_in_thread.step(1))
    actions["find_previous"].triggered.connect(lambda: transcript.find_in_thread.step(-1))
    actions["previous_question"].triggered.connect(lambda: transcript.navigation.go_to_question(-1))
    actions["next_question"].triggered.connect(lambda: transcript.navigation.go_to_question(1))
    actions["go_to"].triggered.connect(lambda: transcript.bars.ask_where())  # noqa: PLW0108 - made when asked for
    actions["quote"].triggered.connect(lambda: transcript.copying.quote())  # noqa: PLW0108 - made when asked for
    actions["copy_markdown"].triggered.connect(lambda: transcript.copying.copy_as_markdown())  # noqa: PLW0108 - made when asked for
    actions["copy_thread"].triggered.connect(lambda: transcript.copying.copy_thread())  # noqa: PLW0108 - made when asked for
    actions["wrap_code"].triggered.connect(lambda: transcript.wrap_code(not transcript.wraps_code))


def wire_pages(window: MainWindow, app_state: AppState, to: Presenters) -> None:
    pages = to.pages
    pages.page_changed.connect(window.show_page)
    pages.page_changed.connect(to.spelling.page_changed)
    pages.page_left.connect(partial(to.spelling.page_changed, None))
    pages.message_wanted.connect(
        lambda message_id: window.stage.transcript.navigation.scroll_to_message(message_id, MESSAGE_AT)
    )
    for name, spec in PAGES.items():
        if spec.action:
            window.actions_by_id[spec.action].triggered.connect(partial(_show_page, pages, name))
    to.thread_list.export_wanted.connect(partial(pages.show, "export"))
    for offer in (window.stage.welcome.import_requested, window.threads.import_requested):
        offer.connect(lambda: pages.show("import"))
    window.stage.welcome.chats_requested.connect(partial(_bring_in_found, to))
    _wire_shortcuts(window, app_state, pages)
    pages.covering_changed.connect(window.threads.view.show_covered)
    pages.covering_changed.connect(partial(cover, [window.actions_by_id[name] for name in UNCOVERED]))
    window.has_unsaved = pages.has_unsaved
    window.unsaved_found.connect(pages.ask_before_closing)
    pages.window_may_close.connect(window.go_on_closing)
    app_state.bridge.subscribe(events.ThreadDeleted, pages.forget_thread)
    app_state.tasks.failed.connect(pages.tell)
    app_state.tasks.unwritable.connect(pages.tell)


def wire_projects(window: MainWindow, app_state: AppState, to: Presenters) -> None:
    """Connect the places where the open thread's project is shown and opened from; once the services are there."""

    def begin(_services: object) -> None:

        found = ThreadProject(app_state)
        found.changed.connect(lambda project: window.header.set_project(project.name if project is not None else ""))

        def show_project(_checked: bool = False) -> None:
            if found.project is not None:
                to.pages.show("project", found.project.id)
            else:
                window.toast.show_message(tr("This thread is in no project. Move it to one in the thread list."))

        window.header.project_requested.connect(show_project)
        window.actions_by_id["open_project"].triggered.connect(show_project)

    app_state.services_arrived.connect(begin)
    app_state.bridge.subscribe(events.ProjectsChanged, to.thread_list.reload)
    for place in (window.threads.view, to.palette):
        place.project_chosen.connect(partial(to.pages.show, "project"))
    to.transcript.tools_wanted.connect(partial(to.pages.show, "tools"))


def wire_palette(window: MainWindow, app_state: AppState, to: Presenters) -> None:
    """Connects what is chosen in the palette with what shows it; prompts and projects have their own wiring."""
    palette = to.palette
    window.actions_by_id[COMMAND_PALETTE].triggered.connect(palette.toggle)
    palette.thread_chosen.connect(window.threads.thread_chosen)
    palette.model_chosen.connect(window.composer.picker.model_chosen)
    palette.passage_chosen.connect(app_state.passage_wanted)

    def show_message(thread_id: str, message_id: str, words: str) -> None:
        app_state.start(to.navigation.show_message(thread_id, message_id, words))

    def search(words: str) -> None:
        _search_threads(window)
        window.threads.search.setText(words)

    palette.message_chosen.connect(show_message)
    palette.search_chosen.connect(search)


def _bring_in_found(to: Presenters) -> None:
    to.pages.show("import")
    to.transfers.import_found()


def _show_page(pages: Pages, name: str, _checked: bool = False) -> None:
    pages.show(name)


def _wire_shortcuts(window: MainWindow, app_state: AppState, pages: Pages) -> None:
    """The keys that the settings say count at once, in the window and in what tells of them."""
    keymap = pages.keymap = KeyMap(window.actions_by_id, window)
    for button, action in (
        (window.header.list_button, "toggle_threads"),
        (window.header.new_button, "new_thread"),
        (window.threads.new_button, "new_thread"),
        (window.threads.private_button, "new_private_thread"),
        (window.threads.collapse_button, "toggle_threads"),
        (window.composer.attach, "attach_files"),
    ):
        KeyTip(button, window.actions_by_id[action])
    for action, button in window.threads.page_buttons.items():
        if action == "new_project":
            button.clicked.connect(partial(_show_projects, window, button))
            continue
        button.clicked.connect(window.actions_by_id[action].trigger)
        KeyTip(button, window.actions_by_id[action])

    def take_settings(_: object = None) -> None:
        if app_state.ready is not None:
            keymap.take(app_state.ready.preferences.settings.shortcuts)

    app_state.bridge.subscribe(events.SettingsChanged, take_settings)
    app_state.services_arrived.connect(take_settings)


def wire_appearance(window: MainWindow, app_state: AppState, to: Presenters, appearance: Appearance) -> None:
    show_at_once()

    def take_settings(_: object = None) -> None:
        if (services := app_state.ready) is not None:
            settings = services.preferences.settings
            window.composer.editor.enter_sends = settings.composer.enter_sends
            to.spelling.take(settings.composer)
            window.composer.gauge.reduced_motion = settings.appearance.reduced_motion
            window.threads.view.reduced_motion = settings.appearance.reduced_motion
            appearance.take(settings.appearance)
            for choice in THEMES:
                window.actions_by_id[f"theme_{choice}"].setChecked(settings.appearance.theme == choice)

    size = TextSize(app_state, window)
    for name, step in (("larger_text", size.larger), ("smaller_text", size.smaller), ("usual_text", size.reset)):
        window.actions_by_id[name].triggered.connect(step)

    async def set_theme(choice: str) -> None:
        services = await app_state.services()
        await services.preferences.set_value("appearance.theme", choice)

    for choice in THEMES:
        action = window.actions_by_id[f"theme_{choice}"]
        action.setCheckable(True)
        action.triggered.connect(partial(_start_with, app_state, set_theme, choice))

    app_state.bridge.subscribe(events.SettingsChanged, take_settings)
    app_state.services_arrived.connect(take_settings)


def _show_projects(window: MainWindow, button: QWidget, _checked: bool = False) -> None:
    """The projects, and the way to a new one: a slip of the mouse makes none."""
    menu = Menu(button, tr("Projects"), once=True)
    for project, name in window.threads.model.projects():
        menu.addAction(name.replace("&", "&&"), partial(window.threads.view.project_chosen.emit, project))
    if not menu.isEmpty():
        menu.addSeparator()
    menu.addAction(window.actions_by_id["new_project"])
    menu.popup(button.mapToGlobal(QPoint(0, -menu.sizeHint().height())))


def _start_with(app_state: AppState, wish: Callable[[str], Coroutine[None, None, None]], value: str) -> None:
    app_state.start(wish(value))


def _toggle_list(window: MainWindow, _checked: bool = False) -> None:
    window.show_list(not window.list_slot.shown)
    if window.list_slot.over:
        window.threads.focus_list()


def _rename(window: MainWindow, _checked: bool = False) -> None:
    if window.threads.can_rename():
        window.show_list(True)
        window.threads.rename_open()


def _search_threads(window: MainWindow) -> None:
    window.show_list(True)
    window.threads.focus_search()


def _act_on_thread(window: MainWindow, to: Presenters, name: str) -> None:
    stage = window.stage
    to.thread_list.act_on_open(name, stage.mapToGlobal(stage.transcript.column.topLeft()))


def _mark(to: Presenters, name: str) -> None:
    to.marks.act_here(name)


def new_thread(window: MainWindow, app_state: AppState, _checked: bool = False, *, private: bool = False) -> None:
    """An empty thread to write in; one that is empty already stays."""
    if app_state.current is not None or app_state.private != private or not window.stage.reading:
        app_state.close_thread(private=private)
    window.threads.leave_search()
    window.composer.focus_editor()
