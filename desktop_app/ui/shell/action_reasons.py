"""The words for when an action can do nothing at the moment: no key is answered with silence.

Knows no action's doing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import partial

from PySide6.QtGui import QAction

from desktop_app.ui.i18n.language import tr
from desktop_app.ui.shell.main_window import MainWindow
from desktop_app.ui.shell.pane_widths import PaneWidths

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
