"""Plans of what is held are made one at a time, of the newest place only, and never after it was let go."""

from __future__ import annotations

import asyncio
import threading
from typing import cast

import pytest
from PySide6.QtCore import QObject

from desktop_app.core.context.plan import ContextPlan
from desktop_app.ui.conversation.plan_previews import PlanPreviews
from desktop_app.ui.state.app_state import AppState
from tests.patience import PATIENCE_S, until


class _Looks:
    """Runs what is looked at, as the window's state does."""

    def __init__(self) -> None:
        self.tasks: list[asyncio.Task[None]] = []

    def look(self, coroutine: object) -> None:
        self.tasks.append(asyncio.get_running_loop().create_task(coroutine))  # type: ignore[arg-type]


class _Maker:
    """Makes plans on a thread; the first waits until the test lets it go on."""

    def __init__(self) -> None:
        self.made: list[int] = []
        self.begun, self.goes_on = threading.Event(), threading.Event()
        self.threads: set[int] = set()

    def __call__(self, place: int) -> ContextPlan:
        self.made.append(place)
        self.threads.add(threading.get_ident())
        self.begun.set()
        assert self.goes_on.wait(PATIENCE_S)
        return cast("ContextPlan", f"plan of {place}")


@pytest.mark.asyncio
async def test_of_a_thousand_places_two_are_planned_and_the_last_is_shown(qapp: QObject) -> None:
    looks, maker = _Looks(), _Maker()
    shown: list[tuple[int, object]] = []
    previews: PlanPreviews[int] = PlanPreviews(
        cast("AppState", looks), lambda place, plan: shown.append((place, plan)), QObject()
    )
    previews.begin(maker)
    previews.ask(0)
    await until(maker.begun.is_set, "the first plan")
    for place in range(1, 1_001):
        previews.ask(place)
    maker.goes_on.set()
    await asyncio.gather(*looks.tasks)
    assert maker.made == [0, 1_000]
    assert shown[-1] == (1_000, "plan of 1000")
    assert threading.get_ident() not in maker.threads
    previews.ask(7)
    await asyncio.gather(*looks.tasks)
    assert shown[-1] == (7, "plan of 7"), "and goes on"


@pytest.mark.asyncio
async def test_what_was_let_go_meanwhile_is_not_shown(qapp: QObject) -> None:
    looks, maker = _Looks(), _Maker()
    shown: list[int] = []
    previews: PlanPreviews[int] = PlanPreviews(
        cast("AppState", looks), lambda place, _plan: shown.append(place), QObject()
    )
    previews.begin(maker)
    previews.ask(3)
    await until(maker.begun.is_set, "the plan")
    previews.end()
    maker.goes_on.set()
    await asyncio.gather(*looks.tasks)
    assert shown == []
