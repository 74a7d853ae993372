"""The panes by keyboard: where the focus returns, the order of F6, and the actions that make panes wider."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QCoreApplication, QEvent, QObject, Qt, QTimer
from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent, QFocusEvent, QKeyEvent, QKeySequence, QMouseEvent
from PySide6.QtWidgets import QApplication, QWidget
from shiboken6 import isValid

from desktop_app.ui.i18n.language import tr
from desktop_app.ui.shell.main_window import MainWindow
from desktop_app.ui.theme.theme import GRID
from desktop_app.ui.transcript.view import BY_KEYBOARD
from desktop_app.ui.widgets import KEEPS_FOCUS

if TYPE_CHECKING:
    from desktop_app.ui.conversation.error_card import ErrorCard


_PRESSES: Final = (QEvent.Type.MouseButtonPress, QEvent.Type.MouseButtonDblClick)
_PICKING: Final = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier
_TURNING: Final = (Qt.Key.Key_PageUp, Qt.Key.Key_PageDown)


class FocusReturn(QObject):
    """Gives the composer of a shown window the focus back."""

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self._window = window
        self._places: list[QWidget] = []
        self._reached: QWidget | None = None  # the place to which the keyboard led
        self._owed = False  # the focus was lost while a page hid the composer
        self._pressed: tuple[QWidget | None, QWidget | None] = (None, None)  # what had the focus; what was clicked
        self._picking = False  # Ctrl or Shift was down with the click
        self.add_place(window.stage.transcript)
        self.add_place(window.threads.view)
        window.threads.results_made.connect(lambda results: self.add_place(results.view))
        window.take_lost_focus = self._take_lost
        # of all clicks and keys only those of this window, and no paint events
        frame = window.windowHandle()
        for watched in (frame, window, window.composer):
            if watched is not None:
                watched.installEventFilter(self)
        app = QApplication.instance()
        if isinstance(app, QApplication):
            app.focusChanged.connect(self._focus_changed)

    def add_place(self, place: QWidget) -> None:
        """Takes in a part of the window that has the focus only where the keyboard led to it."""
        place.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        place.installEventFilter(self)
        self._places.append(place)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        kind = event.type()
        if kind == QEvent.Type.KeyPress and isinstance(event, QKeyEvent):
            return (watched is self._window or watched in self._places) and self._take_key(watched, event)
        if kind == QEvent.Type.FocusIn and isinstance(event, QFocusEvent) and watched in self._places:
            self._look_how_it_came(watched, event.reason())
        elif isinstance(event, QMouseEvent) and watched is self._window.windowHandle():
            if kind in _PRESSES:
                self._reached, self._picking = None, bool(event.modifiers() & _PICKING)
                self._pressed = self._window.focusWidget(), self._window.childAt(event.position().toPoint())
            elif kind == QEvent.Type.MouseButtonRelease:
                # after what the click does: it may open a menu, a page or a field
                QTimer.singleShot(0, self, self._after_click)
        elif kind == QEvent.Type.Show and watched is self._window.composer and self._owed:
            self._give_back()
        return False

    # --- where the focus is

    def _give_back(self) -> bool:
        """Gives the composer the focus: now, or where a page hides it as soon as it is there again (False)."""
        composer = self._window.composer
        self._owed = not composer.isVisible()
        if not self._owed:
            composer.focus_editor()
        return not self._owed

    def _focus_changed(self, _before: QWidget | None, now: QWidget | None) -> None:
        window = self._window
        if now is window.composer.editor:
            self._reached = None
        elif now is None:
            QTimer.singleShot(0, self, self._look_whether_gone)
        elif now in self._places and now is not self._reached:
            self._give_back()

    def _take_lost(self) -> bool:
        """Return True if the composer has the focus now, since the widget that had it was hidden or disabled."""
        here = self._window.focusWidget()
        if here is None or (here.isVisible() and here.isEnabled()) or not self._window.isVisible():
            return False
        return self._give_back()

    def _look_whether_gone(self) -> None:
        """Nothing has the focus: what had it was destroyed, or another window is active."""
        window = self._window
        if window.isActiveWindow() and QApplication.focusWidget() is None and not _is_interrupted():
            self._give_back()

    def _look_how_it_came(self, place: QObject, reason: Qt.FocusReason) -> None:
        if reason in BY_KEYBOARD and isinstance(place, QWidget):
            self._reached = place
        elif reason == Qt.FocusReason.PopupFocusReason and place is not self._reached:
            QTimer.singleShot(0, self, self._give_back)

    # --- clicks

    def _after_click(self) -> None:
        before, clicked = self._pressed
        window = self._window
        if _is_interrupted() or not window.composer.isVisible() or clicked is None or not isValid(clicked):
            return
        if self._picking and window.threads.view.isAncestorOf(clicked):
            self._reached = window.threads.view
            self._reached.setFocus(Qt.FocusReason.ShortcutFocusReason)  # Del is about what was picked
            return
        here, composer = window.focusWidget(), window.composer
        # a chip takes the focus with the pointer only until the click is over
        in_composer = here is not None and composer.isAncestorOf(here) and composer.isAncestorOf(clicked)
        if in_composer or (here is before and self._returns_from(clicked)):
            composer.focus_editor()
        transcript = window.stage.transcript
        if transcript.isAncestorOf(clicked) and transcript.selection.range is not None:
            # one selection at a time: what was selected last is copied
            cursor = composer.editor.textCursor()
            cursor.clearSelection()
            composer.editor.setTextCursor(cursor)

    def _returns_from(self, clicked: QWidget) -> bool:
        """Return True if a click there gives the composer the focus: in a pane, and not in a part that keeps it."""
        here: QWidget | None = clicked
        while here is not None and here not in self._places:
            if here.property(KEEPS_FOCUS) or here is self._window.focusWidget():
                return False
            here = here.parentWidget()
        return self._window.splitter.isAncestorOf(clicked)

    # --- keys

    def _take_key(self, watched: QObject, event: QKeyEvent) -> bool:
        """A key that means nothing where the focus is: letters are written, what is about reading is read."""
        window = self._window
        if not window.composer.isVisible() or self._is_covered:
            return False
        if _is_letter(event):
            window.composer.focus_editor()
            QCoreApplication.sendEvent(window.composer.editor, event)
            return True
        if watched is window and window.composer.editor.hasFocus() and _is_for_reading(event):
            window.stage.transcript.keyPressEvent(event)
            return True
        return False

    @property
    def _is_covered(self) -> bool:
        """True where the widget with the focus lies over the panes, as an image shown large does."""
        here = self._window.focusWidget()
        return here is not None and here is not self._window and not self._window.splitter.isAncestorOf(here)


def _is_interrupted() -> bool:
    """Return True if a menu, a popover or a dialog is open, and has the keyboard."""
    return QApplication.activePopupWidget() is not None or QApplication.activeModalWidget() is not None


def _is_letter(event: QKeyEvent) -> bool:
    """Return True if the key writes something by itself; AltGr and Shift belong to that."""
    modifiers, text = event.modifiers(), event.text()
    control = bool(modifiers & (Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.MetaModifier))
    return bool(text.strip()) and text.isprintable() and control == bool(modifiers & Qt.KeyboardModifier.AltModifier)


def _is_for_reading(event: QKeyEvent) -> bool:
    """Copying and turning pages: the composer passes these on where it has nothing to copy or to turn."""
    both = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier
    as_markdown = event.key() == Qt.Key.Key_C and event.modifiers() == both
    return event.matches(QKeySequence.StandardKey.Copy) or as_markdown or event.key() in _TURNING


@dataclass(frozen=True, slots=True)
class Pane:
    """A part of the window, and what gives it the keyboard."""

    part: QWidget
    enter: Callable[[], object]


class Panes:
    """Composer, card, conversation (or the page in its place), what is open at the side, thread list, and round again.

    The card comes right after the composer, where the keyboard stays when something goes wrong.
    """

    def __init__(self, window: MainWindow, card: Callable[[], ErrorCard | None]) -> None:
        self._window = window
        self._card = card

    def step(self, step: int) -> None:
        """Gives the keyboard to the next pane (1) or the one before (-1)."""
        panes = self._shown()
        here = self._here(panes)
        for further in range(1, len(panes) + 1):
            place = (here + step * further) % len(panes) if here is not None else (further - 1) * step
            panes[place].enter()
            if self._here(panes) == place % len(panes):
                if panes[place].part is not self._window.threads:
                    self._window.list_slot.leave()
                return

    def _shown(self) -> list[Pane]:
        window, card = self._window, self._card()
        panes = [Pane(window.composer, window.composer.focus_editor)]
        if card is not None and not card.resolved:
            panes.append(Pane(card, card.focus_first))
        panes.append(Pane(window.stage, self._enter_stage))
        panes += [Pane(slot, slot.enter) for slot in (window.artifacts, window.document)]
        panes.append(Pane(window.inspector, self._enter_inspector))
        panes.append(Pane(window.threads, window.threads.focus_list))
        return [pane for pane in panes if pane.part.isVisible()]

    def _here(self, panes: list[Pane]) -> int | None:
        """The pane that has the keyboard; a card lies within the conversation and comes before it."""
        focused = QApplication.focusWidget()
        if focused is None:
            return None
        holding = [place for place, pane in enumerate(panes) if pane.part is focused or pane.part.isAncestorOf(focused)]
        return min(holding, default=None)

    def _enter_stage(self) -> None:
        from desktop_app.ui.widgets.page import PageFrame

        stage = self._window.stage
        shown = stage.currentWidget()
        if shown is stage.transcript:
            stage.transcript.setFocus(Qt.FocusReason.ShortcutFocusReason)
        elif stage.welcoming:
            stage.welcome.focus_first()
        elif isinstance(shown, PageFrame):
            shown.focus_first()

    def _enter_inspector(self) -> None:
        from desktop_app.ui.inspector.inspector_pane import InspectorPane

        content = self._window.inspector.content
        if isinstance(content, InspectorPane):
            content.focus_inside()


STEP: Final = 4 * GRID
"""Pixels of one step."""


class PaneWidths:
    """The thread list and the inspector of one window."""

    def __init__(self, window: MainWindow) -> None:
        self._window = window

    @property
    def steps(self) -> Mapping[str, Callable[..., None]]:
        """The function of each action that changes a width, by its id."""
        return {
            "widen_threads": partial(self._widen_threads, STEP),
            "narrow_threads": partial(self._widen_threads, -STEP),
            "widen_inspector": partial(self._widen_inspector, STEP),
            "narrow_inspector": partial(self._widen_inspector, -STEP),
        }

    def why_not(self, action: str) -> str:
        """Why the action can do nothing now, as one sentence; empty where it can."""
        wider, threads = action.startswith("widen"), action.endswith("threads")
        widths = self._threads_widths() if threads else self._inspector_widths()
        if widths is None:
            return tr("The thread list is hidden.") if threads else tr("The context inspector is closed.")
        least, width, most = widths
        if wider and width >= most:
            return tr("Largest width reached")
        return tr("Smallest width reached") if not wider and width <= least else ""

    def _threads_widths(self) -> tuple[int, int, int] | None:
        if self._window.list_slot.over:
            return (self._window.threads.width(),) * 3
        edge = self._window.splitter.edge_of(self._window.threads)
        return edge.widths if edge is not None else None

    def _inspector_widths(self) -> tuple[int, int, int] | None:
        slot = self._window.inspector
        if not slot.shown:
            return None
        edge = self._window.splitter.edge_of(slot)
        return edge.widths if edge is not None else slot.overlaid_widths

    def _widen_threads(self, pixels: int, _checked: bool = False) -> None:
        edge = self._window.splitter.edge_of(self._window.threads)
        if edge is not None:
            edge.widen(pixels)
            self._say(self._window.threads.width())

    def _widen_inspector(self, pixels: int, _checked: bool = False) -> None:
        slot = self._window.inspector
        edge = self._window.splitter.edge_of(slot)
        if edge is not None:
            edge.widen(pixels)
        elif slot.shown:
            slot.widen_overlaid(pixels)
        else:
            return
        self._say(slot.width())

    def _say(self, width: int) -> None:
        if QAccessible.isActive():
            words = tr("{count} pixels wide").format(count=width)
            QAccessible.updateAccessibility(QAccessibleAnnouncementEvent(self._window, words))
