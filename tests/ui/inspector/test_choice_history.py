"""The way back through the choices of a thread, whoever made them, however fast the keys come."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from desktop_app.core.context.context_choices import NO_CHOICES, ContextChoices
from desktop_app.core.messages import Thread, ToolCallPart, ToolResultPart
from desktop_app.ui.inspector.messages_presenter import ChoiceHistory, whole_turns
from tests.core.paths import message

THREAD = Thread("t", "", "", "")


def choices(*pinned: str) -> ContextChoices:
    return ContextChoices(pinned=frozenset(pinned))


def having(now: ContextChoices) -> Thread:
    return replace(THREAD, choices=now)


CHOICES = st.sampled_from([NO_CHOICES, choices("a"), choices("b"), choices("a", "b")])


@given(st.lists(CHOICES, max_size=8), st.integers(0, 8), st.booleans())
def test_every_change_can_be_taken_back_and_made_again(
    states: list[ContextChoices], steps: int, stored_late: bool
) -> None:
    history = ChoiceHistory()
    history.take(having(NO_CHOICES))
    seen = [NO_CHOICES]
    for state in states:
        history.take(having(state))
        if state != seen[-1]:
            seen.append(state)
    waiting: list[ContextChoices] = []

    def store(state: ContextChoices | None) -> None:
        assert state is not None
        waiting.append(state)
        if not stored_late:
            history.take(having(waiting.pop()))

    steps = min(steps, len(seen) - 1)
    for back in range(1, steps + 1):
        store(history.back())
        assert history.now == seen[-1 - back]
    for state in waiting:
        history.take(having(state))
    waiting.clear()
    for forth in range(steps - 1, -1, -1):
        store(history.forth())
        assert history.now == seen[-1 - forth]
    for state in waiting:
        history.take(having(state))
    assert history.now == seen[-1]
    assert history.forth() is None
    assert history.can_undo == (len(seen) > 1)


def test_a_new_change_ends_the_way_forth_and_another_thread_begins_anew() -> None:
    history = ChoiceHistory()
    history.take(having(NO_CHOICES))
    history.take(having(choices("a")))
    history.take(having(history.back() or NO_CHOICES))
    history.take(having(choices("b")))
    assert not history.can_redo
    assert history.back() == NO_CHOICES
    history.take(replace(THREAD, id="other", choices=choices("c")))
    assert not history.can_undo
    assert history.now == choices("c")
    history.take(None)
    assert (history.thread_id, history.back()) == (None, None)


def test_a_step_that_could_not_be_stored_is_not_waited_for() -> None:
    history = ChoiceHistory()
    history.take(having(NO_CHOICES))
    history.take(having(choices("a")))
    wanted = history.back()
    assert wanted is not None
    history.forget_step(wanted)
    history.take(having(choices("a")))
    assert history.now == choices("a")


def test_whole_turns_hold_their_tools_and_questions_in_a_row() -> None:
    path = (
        message(0, "user", "one"),
        message(1, "assistant", "calling", ToolCallPart("c", "search", {})),
        message(2, "user", ToolResultPart("c", "found")),
        message(3, "assistant", "answer"),
        message(4, "user", "two"),
        message(5, "user", "and this"),
        message(6, "assistant", "answer"),
    )
    assert whole_turns(path, ["m2"]) == ["m0", "m1", "m2", "m3"]
    assert whole_turns(path, ["m5"]) == ["m4", "m5", "m6"]
    assert whole_turns(path, ["m6", "m0"]) == [one.id for one in path]
    assert whole_turns(path, ["elsewhere"]) == []
