"""The layout of the inspector's three tabs, and the content of Request and Past. Sends none.

Requests are read, told in lines and compared off the GUI thread; only what somebody looks at is made at all."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Final, Literal, TypeAlias

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtWidgets import QStackedWidget, QTabBar, QToolButton, QWidget

from desktop_app.core.context.costs import PastTurn, past_turns
from desktop_app.core.context.plan import ContextPlan
from desktop_app.core.context.readable_request import ReadableRequest, RequestDiff, compare_requests, read_request
from desktop_app.core.errors import PlimsollError
from desktop_app.core.messages import JsonObject, Message
from desktop_app.ui.i18n.language import translated
from desktop_app.ui.inspector.messages_tab import MessagesTab
from desktop_app.ui.inspector.past_tab import PastTab
from desktop_app.ui.inspector.request_view import RequestReading, RequestView
from desktop_app.ui.state.app_state import AppState
from desktop_app.ui.theme.theme import GRID, Theme, set_icon
from desktop_app.ui.widgets import KEEPS_FOCUS
from desktop_app.ui.widgets.page import rule_in
from desktop_app.ui.widgets.parts import Stretch, in_column, in_row, single_shot

TabName: TypeAlias = Literal["messages", "request", "past"]
TABS: Final[tuple[TabName, ...]] = ("messages", "request", "past")


class TabStrip(QTabBar):
    """Tabs that are all in view: where there is no room for their words these are elided, with a tip."""

    def __init__(self, parent: QWidget | None) -> None:
        super().__init__(parent)
        self.setDrawBase(False)
        self.setExpanding(False)
        self.setUsesScrollButtons(False)
        self.setElideMode(Qt.TextElideMode.ElideRight)

    def tabLayoutChange(self) -> None:
        for place in range(self.count()):
            whole = self.tabRect(place).width() >= self.tabSizeHint(place).width()
            self.setTabToolTip(place, "" if whole else self.tabText(place))


class InspectorPane(QWidget):
    """Messages, Request, Past. `tab_shown` comes when another one is looked at."""

    tab_shown = Signal(str)
    close_requested = Signal()

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self.setProperty(KEEPS_FOCUS, True)
        self.tabs = TabStrip(self)
        self.tabs.setAccessibleName(self.tr("Inspector sections"))
        for words in (self.tr("Messages"), self.tr("Request"), self.tr("Past")):
            self.tabs.addTab(words)
        self.close_button = QToolButton(self)
        self.close_button.setAccessibleName(self.tr("Close the inspector"))
        self.close_button.setToolTip(self.tr("Close the inspector"))
        self.messages = MessagesTab(theme, self)
        self.request = RequestView(theme, self)
        self.past = PastTab(theme, self)
        self._stack = QStackedWidget(self)
        for tab in (self.messages, self.request, self.past):
            self._stack.addWidget(tab)
        top = in_row(self.tabs, Stretch(), self.close_button, margins=(GRID, 0))
        self._head = head = QWidget(self)
        head.setLayout(top)
        in_column(head, rule_in(self), (self._stack, 1), of=self, spacing=0, margins=0)
        self.tabs.currentChanged.connect(self._show_tab)
        self.close_button.clicked.connect(self.close_requested)
        self._theme = theme
        theme.set_font("small", self.tabs)
        set_icon(self.close_button, "close", theme)
        theme.follow(self._apply_theme)

    def _apply_theme(self) -> None:
        self._head.setFixedHeight(self._theme.pixels(6 * GRID))

    @property
    def tab(self) -> TabName:
        return TABS[self.tabs.currentIndex()]

    def show_tab(self, name: TabName) -> None:
        self.tabs.setCurrentIndex(TABS.index(name))

    def focus_inside(self) -> None:
        """Gives the keyboard to what the tab is about."""
        if self.tab == "messages":
            self.messages.view.focus_rows()
        elif self.tab == "request":
            self.request.text.setFocus(Qt.FocusReason.OtherFocusReason)
        else:
            self.past.view.setFocus(Qt.FocusReason.OtherFocusReason)

    def _show_tab(self, place: int) -> None:
        self._stack.setCurrentIndex(place)
        self.tab_shown.emit(TABS[place])


REST_MS = 250
"""The request follows the draft when typing has rested this long."""


class RequestsPresenter(QObject):
    """Feeds the two tabs while they are looked at."""

    def __init__(self, app_state: AppState, pane: InspectorPane) -> None:
        super().__init__(pane)
        self._app_state = app_state
        self._request = pane.request
        self._past = pane.past
        self._plan: ContextPlan | None = None
        self._shown: ContextPlan | None = None
        self._of: str | None = None
        self._path: Sequence[Message] = ()
        self._path_is_new = False
        self._wanted_turns: tuple[str, ...] = ()
        self._rest = single_shot(self, self._make, REST_MS)
        for view in (pane.request, pane.past.request):
            view.lines_wanted.connect(lambda reading, view=view: app_state.start(self._lay_out(view, reading)))
        pane.past.turn_chosen.connect(self.show_turn)
        pane.past.comparison_wanted.connect(self.compare)

    # --- facts

    def plan_changed(self, plan: ContextPlan | None) -> None:
        """The newest plan; its request is made when typing rests and somebody looks."""
        self._plan = plan
        if self._request.isVisible():
            self._rest.start()

    def path_changed(self, path: Sequence[Message]) -> None:
        """The open branch has other messages."""
        self._path, self._path_is_new = path, True
        if self._past.isVisible():
            self._show_turns()

    def look(self, _tab: object = None) -> None:
        """Another tab is looked at: what it shows is made now."""
        if self._request.isVisible() and self._plan is not self._shown:
            self._make()
        if self._past.isVisible() and self._path_is_new:
            self._show_turns()

    # --- the request that would be sent

    def _make(self) -> None:
        plan = self._shown = self._plan
        if plan is None:
            self._request.say(
                self.tr("No model is chosen. Choose one under the message to see the request that would be sent.")
            )
        elif not plan.request.messages:
            self._request.say(self.tr("Nothing to send yet. The request updates as you type."))
        else:
            self._app_state.start(self._show_plan(plan))

    async def _show_plan(self, plan: ContextPlan) -> None:
        services = await self._app_state.services()
        if (backend := services.backends.get(plan.backend)) is None:
            return

        def read() -> ReadableRequest:
            return read_request(backend.request(plan))

        readable = await asyncio.to_thread(read)
        if plan is not self._shown:
            return
        note, alarming = "", False
        if plan.decision == "refuse":
            note, alarming = self.tr("Too long: this request would not be sent."), True
        elif plan.request.pending is None:
            note = self.tr("Nothing written yet. Your message goes at the end.")
        anew, self._of = self._of != self._app_state.thread_id, self._app_state.thread_id
        self._request.show_source(readable, note, alarming=alarming, anew=anew)

    # --- the requests that were sent

    def _show_turns(self) -> None:
        self._path_is_new = False
        self._app_state.start(self._tell_turns(self._path))

    async def _tell_turns(self, path: Sequence[Message]) -> None:
        services = await self._app_state.services()
        priced = {name for name, backend in services.backends.items() if backend.cost_kind == "money"}
        asked = {(one.backend, one.model) for one in path if one.backend in priced and one.model is not None}
        models = {(name, model): services.backends[name].model(model) for name, model in asked if name is not None}

        def told() -> tuple[PastTurn, ...]:
            return past_turns(path, lambda name, model: models.get((name, model)))

        # five thousand turns take 10 ms
        turns = await asyncio.to_thread(told)
        reasons = await services.chat.cost_reasons(path[-1].thread_id) if path and priced else {}
        if path is self._path:
            self._past.show_turns(turns, priced, reasons)

    def show_turn(self, turn: PastTurn) -> None:
        """Shows the request that was sent for a turn."""
        self._wanted_turns = (turn.answer.id,)
        self._app_state.start(self._show_turn(turn))

    def compare(self, earlier: PastTurn, later: PastTurn) -> None:
        """Shows what changed between the requests of two turns."""
        self._wanted_turns = (earlier.answer.id, later.answer.id)
        self._app_state.start(self._compare(earlier, later))

    async def _show_turn(self, turn: PastTurn) -> None:
        if (requests := await self._sent(turn)) is None:
            return
        readable = await asyncio.to_thread(read_request, requests[0])
        if self._wanted_turns == (turn.answer.id,):
            self._past.request.show_source(readable, self._past.model.remark(turn), anew=True)

    async def _compare(self, earlier: PastTurn, later: PastTurn) -> None:
        if (requests := await self._sent(earlier, later)) is None:
            return

        def compared() -> RequestDiff:
            return compare_requests(read_request(requests[0]), read_request(requests[1]))

        diff = await asyncio.to_thread(compared)
        if self._wanted_turns == (earlier.answer.id, later.answer.id):
            note = self.tr("From turn {earlier} to turn {later}. Pick another turn to compare with it.")
            self._past.request.show_source(diff, note.format(earlier=earlier.number, later=later.number), anew=True)

    async def _sent(self, *turns: PastTurn) -> list[JsonObject] | None:
        """The requests of these turns; None where one can't be had, which is said, or is not wanted any more."""
        wanted = tuple(turn.answer.id for turn in turns)
        services = await self._app_state.services()
        found: list[JsonObject] = []
        for turn in turns:
            try:
                request = await services.chat.history.request(turn.answer.id)
            except PlimsollError as error:
                if self._wanted_turns == wanted:
                    self._past.request.say(translated(error.failure.message), alarming=True)
                return None
            if self._wanted_turns != wanted:
                return None
            if request is None:
                words = self.tr("The request of turn {number} was not kept.")
                self._past.request.say(words.format(number=turn.number))
                return None
            found.append(request)
        return found

    async def _lay_out(self, view: RequestView, reading: RequestReading) -> None:
        lines = await asyncio.to_thread(reading.lines)
        view.show_lines(reading, lines)
