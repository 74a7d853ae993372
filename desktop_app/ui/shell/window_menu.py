"""The window's menu in groups, the steps of the text size, and the words for when an action can do nothing."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QAction, QWheelEvent
from PySide6.QtWidgets import QWidget

from desktop_app.ui.i18n.language import tr
from desktop_app.ui.shell.main_window import MainWindow
from desktop_app.ui.shell.pane_keys import PaneWidths
from desktop_app.ui.state.app_state import AppState
from desktop_app.ui.theme.theme import USUAL_TEXT_SIZE
from desktop_app.ui.widgets import ZOOMS
from desktop_app.ui.widgets.floating import Menu

Entries = Sequence[str | None]
"""Ids of actions, names of submenus, and None for a line between groups."""

TOP: Entries = (
    *("new", "thread", "view", None),
    *("show_usage", "show_trash", "transfer", None),
    *("connections", "preferences", "help", None, "quit"),
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
    "transfer": ("import_threads", "export_threads", None, "show_backups"),
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
    words = _words(states).get(name)
    if words is None:
        return action
    entry = QAction(words, menu)
    entry.setEnabled(action.isEnabled())
    entry.setShortcuts(action.shortcuts())
    entry.setCheckable(name in PANES or action.isCheckable())
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
        frame = window.windowHandle()
        if frame is not None:
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
