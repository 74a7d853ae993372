"""Owns how a test drives the inspector of the real window."""

from __future__ import annotations

from typing import cast

from PySide6.QtCore import Qt

from desktop_app.backends.backend_protocol import Backend
from desktop_app.core.context.plan import ContextPlan
from desktop_app.ui.inspector.inspector_pane import InspectorPane
from desktop_app.ui.inspector.messages_tab import MessagesTab
from tests.fakes.wire_backend import WireBackend
from tests.ui.open_window import OpenWindow

ANSWER = "\n\n" + "The quick brown fox jumps over the lazy dog. " * 30


class Inspecting:
    """The inspector of one window, opened with its keys."""

    def __init__(self, window: OpenWindow) -> None:
        self.window = window

    @property
    def pane(self) -> InspectorPane:
        content = self.window.window.inspector.content
        assert isinstance(content, InspectorPane)
        return content

    @property
    def tab(self) -> MessagesTab:
        return self.pane.messages

    @property
    def plan(self) -> ContextPlan:
        plan = self.window.presenters.gauge.plan
        assert plan is not None
        return plan

    def states(self) -> dict[str, str]:
        return {placed.id: placed.state for placed in self.plan.placement.messages}

    async def open(self, tab: str = "messages") -> None:
        self.window.shortcut("toggle_inspector")
        self.pane.show_tab(tab)  # type: ignore[arg-type]
        await self.settled()

    async def settled(self) -> None:
        """Waits until wishes are carried out and the gauge has the plan that follows."""
        await self.window.settled()
        await self.window.until(lambda: self.tab.model.plan is self.plan or not self.tab.isVisible(), "the rows")

    def go_to(self, message_id: str) -> None:
        """Puts the keyboard on a message."""
        index = self.tab.model.index_of(message_id)
        assert index.isValid()
        self.tab.view.setCurrentIndex(index)

    async def press(self, key: Qt.Key, modifiers: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier) -> None:
        self.window.press(key, modifiers, widget=self.tab.view)
        await self.settled()


async def talked(window: OpenWindow, turns: int, *, program: bool = False, limit: int = 200_000) -> WireBackend:
    """A thread of some turns through a backend that asks as a real one does."""
    backend = WireBackend(program=program, window=limit)
    backend.text = ANSWER
    cast("dict[str, Backend]", window.services.backends)["scripted"] = backend
    for number in range(turns):
        await window.send(f"question {number}")
    return backend
