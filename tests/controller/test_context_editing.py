"""What the user decides about a thread's context is stored, announced, and taken back."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

import pytest

from desktop_app.controller.context_editing import ContextEditing
from desktop_app.core.context.context_choices import ContextChoices, Leaving, Summary
from desktop_app.core.events import ThreadChanged
from tests.controller.world import WatchedHistory, World, make_world

SUMMARY = Summary("s", ("a", "b"), "They agreed.", "m", "2026-01-01T00:00:00.000Z")
OTHER = Summary("t", ("c",), "And on.", "m", "2026-01-01T00:00:00.000Z", at_step=True)
START = ContextChoices(pinned=frozenset({"a"}), excluded=frozenset({"x"}), summaries=(SUMMARY, OTHER))

Change = Callable[[ContextEditing, str], Awaitable[ContextChoices]]

CHANGES: list[tuple[Change, ContextChoices]] = [
    (lambda c, t: c.pin(t, ["x", "y"]), ContextChoices(frozenset("axy"), frozenset(), summaries=(SUMMARY, OTHER))),
    (lambda c, t: c.unpin(t, ["a"]), ContextChoices(frozenset(), frozenset("x"), summaries=(SUMMARY, OTHER))),
    (lambda c, t: c.exclude(t, ["a"]), ContextChoices(frozenset(), frozenset("ax"), summaries=(SUMMARY, OTHER))),
    (
        lambda c, t: c.let_go(t, ["a"], at_once=True),
        ContextChoices(frozenset(), frozenset("x"), summaries=(SUMMARY, OTHER), leaving=frozenset({Leaving("a", "")})),
    ),
    (lambda c, t: c.bring_back(t, ["x", "b", "z"]), ContextChoices(frozenset("az"), summaries=(OTHER,))),
    (
        lambda c, t: c.start_fresh(t, "b"),
        ContextChoices(frozenset("a"), frozenset("x"), "b", summaries=(SUMMARY, OTHER)),
    ),
    (
        lambda c, t: c.undo_trim(t, "q"),
        ContextChoices(frozenset("a"), frozenset("x"), undone=frozenset("q"), summaries=(SUMMARY, OTHER)),
    ),
    (
        lambda c, t: c.accept_cliff(t),
        ContextChoices(frozenset("a"), frozenset("x"), summaries=(SUMMARY, OTHER), accepted_cliff=True),
    ),
    (
        lambda c, t: c.set_recall(t, False),
        ContextChoices(frozenset("a"), frozenset("x"), summaries=(SUMMARY, OTHER), recall=False),
    ),
    (
        lambda c, t: c.add_summary(t, Summary("n", ("a", "b"), "New.", "m", "")),
        ContextChoices(frozenset(), frozenset("x"), summaries=(OTHER, Summary("n", ("a", "b"), "New.", "m", ""))),
    ),
    (
        lambda c, t: c.add_summary(t, Summary("n", ("d",), "New.", "m", ""), replaces="t"),
        ContextChoices(frozenset("a"), frozenset("x"), summaries=(SUMMARY, Summary("n", ("d",), "New.", "m", ""))),
    ),
    (lambda c, t: c.remove_summary(t, "s"), ContextChoices(frozenset("a"), frozenset("x"), summaries=(OTHER,))),
    (lambda c, t: c.edit_summary(t, "s", " "), ContextChoices(frozenset("a"), frozenset("x"), summaries=(OTHER,))),
    (
        lambda c, t: c.edit_summary(t, "t", "Mine."),
        ContextChoices(
            frozenset("a"),
            frozenset("x"),
            summaries=(SUMMARY, Summary("t", ("c",), "Mine.", "m", OTHER.created, edited=True, at_step=True)),
        ),
    ),
]


@pytest.mark.parametrize(("change", "after"), CHANGES, ids=range(len(CHANGES)))
async def test_a_change_is_stored_and_taken_back(
    world: World, history: WatchedHistory, change: Change, after: ContextChoices
) -> None:
    thread = await world.thread()
    await world.chat.context_editing.restore(thread.id, START)
    world.heard.clear()
    before = await change(world.chat.context_editing, thread.id)
    assert before == START
    assert (await history.thread(thread.id)).choices == after
    assert await world.chat.context_editing.choices(thread.id) == after
    assert world.of(ThreadChanged)[-1].thread.choices == after
    assert (await world.chat.open_thread(thread.id)).thread.choices == after
    assert await world.chat.context_editing.restore(thread.id, before) == after
    assert await world.chat.context_editing.choices(thread.id) == START


async def test_a_step_is_taken_back_where_no_connection_is_set_up(history: WatchedHistory) -> None:
    world = await make_world(history, {})
    thread = await world.thread(backend=None)
    await world.chat.context_editing.undo_trim(thread.id, "q")
    assert (await world.chat.context_editing.choices(thread.id)).undone == {"q"}
    assert await world.chat.journal.of(thread.id) == ()
    await world.chat.close()
