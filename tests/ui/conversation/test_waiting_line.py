"""The line in an answer's place while it is awaited: for whom, how long, the next attempt, what the server said."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtGui import QAccessibleAnnouncementEvent

from desktop_app.core.errors import retry_words
from desktop_app.core.messages import ToolCallPart, ToolResultPart
from desktop_app.core.stream_events import Ended, Notice, PartFinished, Reset, SignOfLife, TextDelta
from desktop_app.ui.conversation.transcript_presenter import WaitingLine
from desktop_app.ui.transcript.items.text_item import TextItem
from desktop_app.ui.transcript.message.tool_rows import STATUS
from tests.fakes.gated_backend import Gate
from tests.servers.chat_api import ChatApi
from tests.servers.messages_api import HttpError
from tests.ui.open_window import OpenWindow
from tests.ui.transcript.message.test_tool_rows import notes

SAID = "HTTP 429 rate_limit_error: This request would exceed 40,000 tokens a minute (request req_1)"


class Watch:
    """A clock that stands until it is set on."""

    def __init__(self, window: OpenWindow) -> None:
        self._now = 1_000.0
        self._line: WaitingLine = window.presenters.transcript.waiting
        self._line.clock = lambda: self._now

    def pass_by(self, seconds: float) -> None:
        """So much later the line is shown again, as it is with each second."""
        self._now += seconds
        self._line.show()


@pytest.fixture
def watch(window: OpenWindow) -> Watch:
    return Watch(window)


def is_ticking(window: OpenWindow) -> bool:
    return window.presenters.transcript.waiting.ticking


def behind(window: OpenWindow) -> str:
    """What stands behind the answer."""
    return "" if (notice := window.transcript.footer.notice) is None else notice[0]


def line(window: OpenWindow) -> list[str]:
    """The muted lines in the answer's place."""
    return notes(window.transcript, window.transcript.row_layout.messages[-1].id)


def press(window: OpenWindow, words: str) -> None:
    """Presses a word of the line as a screen reader would."""
    view = window.transcript
    last = len(view.row_layout.messages) - 1
    found = [place for place, told in enumerate(view.accessible.actions(last)) if told.endswith(words)]
    view.accessible.act(last, found[0])


def unfolded(window: OpenWindow) -> list[str]:
    """What stands beneath the line."""
    layout = window.transcript.row_layout.message_layout(len(window.transcript.row_layout.messages) - 1)
    return [row.item.inline.text for row in layout.rows if row.decoration == STATUS and isinstance(row.item, TextItem)]


def retry(seconds: int, hurry: list[str] | None = None, *, cause: str = "Rate limited.", attempt: int = 2) -> Notice:
    words = retry_words(cause=cause, seconds=seconds, attempt=attempt, most=3)
    return Notice("retry", words, SAID, None if hurry is None else lambda: hurry.append("now"))


async def ask(window: OpenWindow, gate: Gate) -> None:
    await window.begin("A question", gate)


async def end(window: OpenWindow, *gates: Gate) -> None:
    for gate in gates:
        gate.open()
    await window.until(lambda: window.backend.open_streams == 0 and not window.transcript.growing, "the end")
    await window.settled()


async def test_it_names_the_model_and_counts_from_one_second_on(window: OpenWindow, watch: Watch) -> None:
    waiting, coming = Gate(), Gate()
    window.backend.reply(waiting, TextDelta("Here"), coming, TextDelta(" it is."), Ended("end_turn"))
    await ask(window, waiting)
    assert line(window) == ["Waiting for big"]
    watch.pass_by(0.9)
    assert line(window) == ["Waiting for big"]
    watch.pass_by(0.1)
    assert line(window) == ["Waiting for big · 1 s"]
    watch.pass_by(13.9)
    assert line(window) == ["Waiting for big · 14 s"]
    watch.pass_by(50.1)
    assert line(window) == ["Waiting for big · 1 min 5 s · Stop · Try again"]
    assert window.transcript.accessible.text(1) == "Waiting for big · 1 min 5 s"
    assert is_ticking(window)
    waiting.open()
    await coming.arrive()
    await window.until(lambda: line(window) == [], "the text in its place")
    assert not is_ticking(window)
    watch.pass_by(5)
    assert line(window) == []
    assert behind(window) == ""
    await end(window, coming)


async def test_a_retry_counts_down_and_can_be_tried_now(window: OpenWindow, watch: Watch) -> None:
    pressed: list[str] = []
    waiting, again = Gate(), Gate()
    window.window.resize(1000, 700)
    window.backend.reply(retry(4, pressed), waiting, retry(8, attempt=3), again, TextDelta("Yes."), Ended("end_turn"))
    await ask(window, waiting)
    said = "Show what the server said"
    assert line(window) == [f"Rate limited. Trying again in 4 s (2 of 3) · Stop · Try now · {said}"]
    watch.pass_by(2.4)
    assert line(window) == [f"Rate limited. Trying again in 2 s (2 of 3) · Stop · Try now · {said}"]
    assert behind(window) == "", "one line"
    press(window, "Try now")
    await window.until(lambda: pressed, "the next attempt")
    assert line(window) == [f"Rate limited. Trying again now (2 of 3) · 2 s · {said}"]
    waiting.open()
    await again.arrive()
    assert line(window) == [f"Rate limited. Trying again in 8 s (3 of 3) · Stop · {said}"], (
        "a program's pause can't be hurried"
    )
    watch.pass_by(9)
    assert line(window) == [f"Rate limited. Trying again now (3 of 3) · 11 s · {said}"]
    await end(window, again)
    assert line(window) == []


async def test_the_servers_own_words_are_there_on_demand(window: OpenWindow, watch: Watch) -> None:
    waiting = Gate()
    window.backend.reply(retry(30), waiting, TextDelta("Yes."), Ended("end_turn"))
    await ask(window, waiting)
    assert unfolded(window) == []
    press(window, "Show what the server said")
    assert unfolded(window) == [SAID]
    watch.pass_by(1)
    assert unfolded(window) == [SAID], "it stays while the time is counted"
    assert "Trying again in 29 s" in line(window)[0]
    press(window, "Hide what the server said")
    assert unfolded(window) == []
    await end(window, waiting)


async def test_the_keyboard_stays_on_its_button_while_the_seconds_pass(window: OpenWindow, watch: Watch) -> None:
    waiting = Gate()
    window.backend.reply(retry(30, []), waiting, Ended("end_turn"))
    await ask(window, waiting)
    layout = window.transcript.row_layout.message_layout(1)
    before = [row.item for row in layout.rows if row.decoration == STATUS]
    watch.pass_by(3)
    assert [row.item for row in layout.rows if row.decoration == STATUS] == before
    await end(window, waiting)


async def test_another_thread_has_its_own_and_the_time_goes_on_meanwhile(window: OpenWindow, watch: Watch) -> None:
    await window.send("The other thread")
    other = window.app_state.thread_id
    window.shortcut("new_thread")
    await window.settled()
    waiting = Gate()
    window.backend.reply(retry(9, cause="No connection."), waiting, TextDelta("Yes."), Ended("end_turn"))
    await ask(window, waiting)
    asked = window.app_state.thread_id
    assert other is not None
    assert asked is not None
    await window.choose_thread(other)
    assert line(window) == []
    assert not is_ticking(window)
    watch.pass_by(4)
    await window.choose_thread(asked)
    assert "Trying again in 5 s" in line(window)[0]
    assert is_ticking(window)
    await end(window, waiting)
    assert not is_ticking(window)


async def test_where_text_has_come_the_line_stands_behind_it(window: OpenWindow, watch: Watch) -> None:
    broken, afresh = Gate(), Gate()
    window.backend.reply(
        TextDelta("Half an"), retry(5), broken, Reset(), afresh, TextDelta("A whole answer."), Ended("end_turn")
    )
    await ask(window, broken)
    assert line(window) == []
    assert behind(window) == "Rate limited. Trying again in 5 s (2 of 3)"
    broken.open()
    await afresh.arrive()
    assert behind(window) == ""
    assert line(window)[0].startswith("Rate limited. Trying again in 5 s (2 of 3)"), "the answer begins again"
    await end(window, afresh)
    assert (line(window), behind(window)) == ([], "")


async def test_an_answer_that_stands_still_is_told_until_something_comes(window: OpenWindow, watch: Watch) -> None:
    first, second, third = Gate(), Gate(), Gate()
    call = ToolCallPart("c1", "search_this_thread", {"query": "x"})
    window.backend.reply(
        *(TextDelta("Beginning"), first, SignOfLife(), second),
        *(PartFinished(call), third, PartFinished(ToolResultPart("c1", "y")), TextDelta(" End."), Ended("end_turn")),
    )
    await ask(window, first)
    watch.pass_by(14.9)
    assert (behind(window), is_ticking(window)) == ("", False)
    watch.pass_by(5.2)
    assert (behind(window), is_ticking(window)) == ("Nothing has come for 20 s", True)
    assert window.transcript.footer.notice is not None
    assert [words for _, words in window.transcript.footer.notice[1]] == ["Stop", "Try again"]
    watch.pass_by(60)
    assert behind(window) == "Nothing has come for 1 min 20 s"
    first.open()
    await second.arrive()
    assert (behind(window), is_ticking(window)) == ("", False), "a part that is not shown yet has come"
    watch.pass_by(15)
    assert behind(window) == "Nothing has come for 15 s"
    second.open()
    await third.arrive()
    watch.pass_by(600)
    assert behind(window) == "", "a tool takes its time"
    await end(window, third)
    assert (behind(window), window.composer.streaming) == ("", False)


@pytest.mark.parametrize("action", ["Stop", "Try again"])
async def test_an_answer_that_stands_still_can_be_stopped_or_asked_for_again(
    window: OpenWindow, watch: Watch, action: str
) -> None:
    stands = Gate()
    window.backend.reply(TextDelta("Beginning"), stands, Ended("end_turn"))
    await ask(window, stands)
    watch.pass_by(15)
    assert window.transcript.footer.notice is not None
    chosen = next(one for one, words in window.transcript.footer.notice[1] if words == action)
    window.transcript.row_actions.action_requested.emit("", chosen)
    await window.until(lambda: len(window.backend.plans) == (2 if action == "Try again" else 1), "the request")
    await window.until(lambda: not window.composer.streaming and window.backend.open_streams == 0, "the end")
    await window.settled()
    opened = await window.opened_thread()
    assert [one.role for one in opened.path] == ["user", "assistant"]
    assert next(one.text for one in opened.conversation if one.role == "assistant") == "Beginning"
    assert opened.path[-1].state == ("complete" if action == "Try again" else "partial")
    assert behind(window) == ""


async def test_an_answer_that_stands_still_is_announced_once_each_time(
    window: OpenWindow, watch: Watch, monkeypatch: pytest.MonkeyPatch
) -> None:
    told: list[str] = []
    monkeypatch.setattr(
        "desktop_app.ui.conversation.transcript_presenter.QAccessible.updateAccessibility",
        lambda event: told.append(event.message()) if isinstance(event, QAccessibleAnnouncementEvent) else None,
    )
    first, second = Gate(), Gate()
    window.backend.reply(TextDelta("Beginning"), first, TextDelta(" and more"), second, Ended("end_turn"))
    await ask(window, first)
    for gate in (first, second):
        for seconds in (15, 1, 1):
            watch.pass_by(seconds)
        gate.open()
        await (second.arrive() if gate is first else window.settled())
    assert [words for words in told if "Nothing" in words] == ["Nothing has come for 15 s"] * 2


async def test_a_change_of_state_is_announced_once(
    window: OpenWindow, watch: Watch, monkeypatch: pytest.MonkeyPatch
) -> None:
    told: list[str] = []
    monkeypatch.setattr(
        "desktop_app.ui.conversation.transcript_presenter.QAccessible.updateAccessibility",
        lambda event: told.append(event.message()) if isinstance(event, QAccessibleAnnouncementEvent) else None,
    )
    waiting = Gate()
    window.backend.reply(retry(30), waiting, Ended("end_turn"))
    await ask(window, waiting)
    for _ in range(5):
        watch.pass_by(1)
    assert [words for words in told if "Rate limited" in words] == ["Rate limited. Trying again in 30 s (2 of 3)"]
    await end(window, waiting)


async def test_a_pause_before_a_retry_can_be_stopped_in_its_line(window: OpenWindow, watch: Watch) -> None:
    waiting = Gate()
    window.backend.reply(retry(30, []), waiting, TextDelta("Yes."), Ended("end_turn"))
    await ask(window, waiting)
    press(window, "Stop")
    await window.until(lambda: not window.composer.streaming, "the end of the answer")
    assert not is_ticking(window)


async def test_where_there_is_little_room_the_words_stay_whole(window: OpenWindow, watch: Watch) -> None:
    waiting = Gate()
    window.backend.reply(retry(30, []), waiting, Ended("end_turn"))
    window.window.resize(480, 600)
    await ask(window, waiting)
    watch.pass_by(0)
    assert line(window) == [
        "Rate limited. Trying again in 30 s (2 of 3)",
        " · Stop · Try now · Show what the server said",
    ]
    window.window.resize(1400, 800)
    watch.pass_by(0)
    assert len(line(window)) == 1
    await end(window, waiting)


@pytest.mark.slow
async def test_over_the_wire_a_minute_is_not_waited_for(data_dir: Path) -> None:
    limited = HttpError(429, message="Too many tokens a minute", headers={"retry-after": "59"})
    async with ChatApi() as api, OpenWindow.opened(data_dir, backend=None, fakes=False) as window:
        api.keyed = False
        api.models = [{"id": "one", "max_model_len": 16_000}]
        name = await window.services.connections.use_server(api.url)
        await window.services.preferences.set_value("backend.default", name)
        api.script(limited)
        window.shortcut("new_thread")
        await window.settled()
        window.enter("A question")
        await window.until(
            lambda: window.transcript.row_layout.messages[1:] and "Try now" in "".join(line(window)), "it"
        )
        assert line(window)[0].startswith("Rate limited. Trying again in ")
        press(window, "Show what the server said")
        assert "Too many tokens a minute" in "".join(unfolded(window))
        press(window, "Try now")
        await window.until(lambda: not window.composer.streaming, "the answer")
        await window.settled()
        assert [one.status for one in api.answers][:2] == [429, 200]
        assert line(window) == []
