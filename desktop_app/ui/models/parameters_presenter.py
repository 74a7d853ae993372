"""The parameters asked of the model in the open thread, with the web search's switch. Sends nothing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QToolButton, QWidget

from desktop_app.core.context.costs import uncached_cost
from desktop_app.core.context.plan import ContextPlan
from desktop_app.core.errors import PlimsollError
from desktop_app.core.messages import Parameters
from desktop_app.core.model_catalog import WEB_SEARCH_USD, ModelInfo
from desktop_app.ui.i18n.content_words import plan_price, price, thousands
from desktop_app.ui.models.model_picker import ModelPicker, ParametersButton
from desktop_app.ui.models.parameters_popover import ThreadParameters, differences
from desktop_app.ui.state.app_state import AppState
from desktop_app.ui.theme.theme import Theme, icon
from desktop_app.ui.widgets.parts import tool_in


class WebSearchSwitch(QToolButton):
    """Shown only where the model can search the web. `chosen(on)`: the user has switched it.

    `servers` stands beside it: shown only where servers of tools are on in the open thread; a click leads to them.
    """

    chosen = Signal(bool)

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self.setCheckable(True)
        self.setProperty("kind", "switch")
        self.setAccessibleName(self.tr("Search the web"))
        self.clicked.connect(self._choose)
        self._theme = theme
        self.servers = tool_in(parent)
        theme.follow(self._apply_theme)
        self.hide()
        self.show_servers(())

    def show_servers(self, names: Sequence[str], failed: Sequence[str] = ()) -> None:
        """Tells the servers of tools that are on, and which of them could not start."""
        lines = [self.tr("Tools on: {names}").format(names=", ".join(names))]
        if failed:
            lines.append(self.tr("Could not start: {names}").format(names=", ".join(failed)))
        self.servers.setToolTip("\n".join(lines))
        self.servers.setAccessibleName(". ".join(lines))
        self.servers.setVisible(bool(names))

    def _apply_theme(self) -> None:
        self.servers.setIcon(icon("terminal", self._theme, "accent"))
        self.setIcon(icon("globe", self._theme, "accent" if self.isChecked() else "text-secondary"))

    def show_state(self, on: bool | None, price: str = "") -> None:
        """Show whether it is on, and the price of a search; None: the model can't search."""
        self.setVisible(on is not None)
        self.setChecked(bool(on))
        state = self.tr("Web search is on") if on else self.tr("Search the web")
        self.setToolTip(f"{state}. {price}" if price else state)
        self.setAccessibleDescription(price)
        self._apply_theme()

    def _choose(self, on: bool) -> None:
        self._apply_theme()
        self.chosen.emit(on)


USUAL_TEMPERATURES: Final = {"anthropic": 1.0}
"""The temperature that a provider takes where none is asked for, as it documents it."""


class ParametersPresenter(QObject):
    """Every change counts from the next message on; of a thread that is not made yet, from its making on."""

    def __init__(
        self, app_state: AppState, button: ParametersButton, picker: ModelPicker, web_search: WebSearchSwitch
    ) -> None:
        super().__init__(button)
        self._app_state = app_state
        self._button = button
        self._picker = picker
        self._web_search = web_search
        self._plan: ContextPlan | None = None
        self._model: ModelInfo | None = None
        self._backend = ""
        button.wanted.connect(self.open)
        button.parameters_chosen.connect(self.set_parameters)
        button.recall_chosen.connect(self.set_recall)
        web_search.chosen.connect(self.set_web_search)

    def refresh(self, _fact: object = None) -> None:
        """Another thread, model or value."""
        self._app_state.start(self._refresh())

    def plan_changed(self, plan: ContextPlan | None) -> None:
        """Update the cost of the next request."""
        self._plan = plan

    def open(self) -> None:
        """Opens the popover; nothing where no model is chosen."""
        self._app_state.start(self._open())

    def set_parameters(self, parameters: Parameters) -> None:
        self._app_state.start(self._set(parameters, None))

    def set_recall(self, offered: bool) -> None:
        self._app_state.start(self._set(None, offered))

    def set_web_search(self, on: bool) -> None:
        """Lets the provider search the web for answers in this thread, or not."""
        if self._model is not None:
            self.set_parameters(replace(self._shown(self._model).parameters, web_search=on))

    async def _open(self) -> None:
        await self._refresh()
        if self._model is not None:
            self._button.open(self._shown(self._model))

    async def _refresh(self) -> None:
        services = await self._app_state.services()
        thread = self._app_state.current
        project, servers = None if thread is None else thread.project, services.tool_servers
        await servers.load()
        on = [one.name for one in servers.all if one.is_on(project)]
        self._web_search.show_servers(on, [name for name in on if servers.listed(name).problem])
        try:
            choice = await services.chat.chooser.choose(thread or self._app_state.choice_like(), interactive=True)
        except PlimsollError:
            self._model = None
        else:
            self._model, self._backend = choice.model, choice.backend.name
        if thread is self._app_state.current:
            self._show()

    def _show(self) -> None:
        self._button.setEnabled(self._model is not None)
        if self._model is None:
            self._picker.show_parameters(())
            self._web_search.show_state(None)
            return
        shown = self._shown(self._model)
        words = differences(shown)
        self._button.show_differences(words)
        self._picker.show_parameters(words)
        self._web_search.show_state(
            shown.parameters.web_search if self._model.web_search else None, self._search_price()
        )
        if self._button.popover is not None:
            self._button.open(shown)

    def _shown(self, model: ModelInfo) -> ThreadParameters:
        if (thread := self._app_state.current) is None:
            parameters, recall, cost = self._app_state.next_parameters, self._app_state.next_recall, ""
        else:
            parameters, recall, cost = thread.parameters, thread.choices.recall, self._price()
        return ThreadParameters(model, parameters, recall, cost, USUAL_TEMPERATURES.get(self._backend))

    def _price(self) -> str:
        """Return the cost of changing something now: the cached text has to be read again."""
        if (plan := self._plan) is None or not plan.price.cached_tokens:
            return ""
        anew = thousands(plan.tokens.total)
        fresh = uncached_cost(plan)
        if not plan.price.cost_usd or fresh is None:
            return self.tr("After a change the next message reads {tokens} tokens again.").format(tokens=anew)
        words = self.tr("After a change the next message reads {tokens} tokens again: {fresh} instead of {now}.")
        return words.format(tokens=anew, fresh=price(*fresh), now=plan_price(plan))

    def _search_price(self) -> str:
        if self._backend != "anthropic":
            return self.tr("The provider may charge for each search.")
        thousand = price(1_000 * WEB_SEARCH_USD)
        return self.tr("Searches cost extra: {price} per 1,000.").format(price=thousand)

    async def _set(self, parameters: Parameters | None, recall: bool | None) -> None:
        services = await self._app_state.services()
        if (thread := self._app_state.current) is None:
            self._app_state.next_parameters = parameters or self._app_state.next_parameters
            self._app_state.next_recall = self._app_state.next_recall if recall is None else recall
        elif parameters is not None:
            await services.chat.set_parameters(thread.id, parameters)
        elif recall is not None:
            await services.chat.context_editing.set_recall(thread.id, recall)
        self._show()
