"""Sending, queueing and stopping, over a composer that only remembers: no window, no provider."""

from __future__ import annotations

from dataclasses import replace
from typing import cast

import pytest

from desktop_app.core.context.plan import ContextPlan
from desktop_app.core.events import MessageAdded, SendRefused, ToolServersAwaited, TurnEnded, TurnStarted
from desktop_app.core.messages import Failure, Message, TextPart
from desktop_app.core.text_diff import queued
from desktop_app.ui.conversation.sending import SendingPresenter
from tests.ui.conversation.fake_panes import FakeAttachments, FakeComposer
from tests.ui.state.fake_services import StateOfWindow
from tests.ui.tool_scenes import message

pytestmark = pytest.mark.usefixtures("qapp")

TALK = [message(0, "user", "one"), message(1, "assistant", "two")]
REFUSED = SendRefused("t", Failure("context_limit", "Too long."), None)


class Sending:
    """A presenter in an open thread, wired to announcements as the window wires it."""

    def __init__(self) -> None:
        self.state = StateOfWindow()
        self.composer, self.attachments = FakeComposer(), FakeAttachments()
        self.presenter = SendingPresenter(self.state.app_state, self.composer, self.attachments)
        bridge = self.state.app_state.bridge
        bridge.subscribe(MessageAdded, self.presenter.message_stored)
        bridge.subscribe(TurnStarted, self.presenter.turn_started)
        bridge.subscribe(TurnEnded, self.presenter.turn_ended)
        bridge.subscribe(SendRefused, self.presenter.not_sent)
        bridge.subscribe(ToolServersAwaited, self.presenter.servers_awaited)
        self.state.app_state.thread_opened.connect(lambda opened: self.presenter.show_thread(opened.thread))

    async def send(self, text: str) -> None:
        self.composer.set_text(text)
        self.presenter.send()
        await self.state.at_rest()

    def begin(self) -> None:
        self.state.announcements.publish(TurnStarted("t", TALK[1], cast("ContextPlan", None)))

    async def end(self, answer: Message = TALK[1]) -> None:
        self.state.announcements.publish(TurnEnded("t", answer))
        await self.state.at_rest()

    @property
    def sent(self) -> list[object]:
        return [call[2] for call in self.state.chat.sent if call[0] == "send"]


@pytest.fixture
async def sending() -> Sending:
    made = Sending()
    await made.state.opened(TALK)
    return made


async def test_text_leaves_the_composer_when_it_is_stored(sending: Sending) -> None:
    await sending.send("three")
    assert sending.sent == [(TextPart("three"),)]
    assert sending.composer.text() == "three", "it is not in the history yet"
    sending.presenter.send()
    await sending.state.at_rest()
    assert len(sending.sent) == 1, "the same text is on its way"
    sending.state.announcements.publish(MessageAdded(message(2, "user", "three")))
    assert sending.composer.text() == ""


async def test_what_is_typed_after_return_is_no_part_of_the_message(sending: Sending) -> None:
    sending.composer.set_text("three")
    sending.presenter.send()
    sending.composer.set_text("three and more")  # before the event loop has turned
    await sending.state.at_rest()
    assert sending.sent == [(TextPart("three"),)]
    sending.state.announcements.publish(MessageAdded(message(2, "user", "three")))
    assert sending.composer.text() == " and more"


async def test_a_wait_for_servers_of_tools_is_told_and_escape_ends_it(sending: Sending) -> None:
    await sending.send("three")
    sending.state.announcements.publish(ToolServersAwaited("t", ("Git", "Time")))
    assert sending.composer.problem == "Starting Git, Time first. Esc cancels."
    of_another = replace(message(7, "user", "a command's"), thread_id="u")
    sending.state.announcements.publish(MessageAdded(of_another))
    assert sending.composer.problem, "the message of this thread still waits"
    assert sending.presenter.escape()
    await sending.state.at_rest()
    assert ("stop", "t") in sending.state.chat.sent
    sending.state.announcements.publish(REFUSED)
    assert sending.composer.problem == ""
    assert not sending.presenter.escape()


async def test_refused_text_stays_and_can_be_sent_again(sending: Sending) -> None:
    await sending.send("three")
    sending.state.announcements.publish(REFUSED)
    assert sending.composer.text() == "three"
    sending.presenter.send()
    await sending.state.at_rest()
    assert len(sending.sent) == 2


async def test_messages_wait_for_the_end_of_the_answer_and_go_one_after_another(sending: Sending) -> None:
    sending.begin()
    assert sending.composer.shown_streaming() is True
    await sending.send("next")
    assert (sending.sent, sending.composer.text(), sending.composer.queue.text) == ([], "", "next")
    assert sending.presenter.queued_text() == queued("next", 0)
    await sending.send("and another")
    await sending.send("the last")
    assert (sending.composer.text(), sending.composer.queue.text) == ("", "next | and another | the last")
    assert sending.presenter.queued_text() == "".join(queued(one, 0) for one in ("next", "and another", "the last")), (
        "they are kept with the draft"
    )
    await sending.end()
    assert sending.composer.shown_streaming() is False
    assert (sending.sent, sending.composer.queue.text) == ([(TextPart("next"),)], "and another | the last")
    assert sending.presenter.queued_text() == "".join(queued(one, 0) for one in ("next", "and another", "the last")), (
        "none is stored yet"
    )
    sending.state.announcements.publish(MessageAdded(message(2, "user", "next")))
    sending.begin()
    sending.presenter.drop_queued(0)
    assert sending.presenter.queued_text() == queued("the last", 0)
    await sending.end()
    assert sending.sent == [(TextPart("next"),), (TextPart("the last"),)]


async def test_after_a_stop_the_others_wait_until_the_next_is_sent(sending: Sending) -> None:
    sending.begin()
    for text in ("one", "two", "three"):
        await sending.send(text)
    stopped = message(1, "assistant", "tw", state="partial", stop_reason="interrupted")
    await sending.end(stopped)
    queue = sending.composer.queue
    assert (sending.sent, sending.composer.text(), queue.text, queue.held) == ([], "one", "two | three", True)
    sending.begin()  # an answer that is asked for again is no word about them
    await sending.end()
    sending.begin()
    await sending.end(stopped)
    assert (sending.sent, sending.composer.text(), queue.text) == ([], "one", "two | three")
    sending.presenter.send()
    await sending.state.at_rest()
    assert not queue.held
    sending.state.announcements.publish(MessageAdded(message(2, "user", "one")))
    sending.begin()
    await sending.end()
    assert (sending.sent, queue.text) == ([(TextPart("one"),), (TextPart("two"),)], "three")
    sending.state.announcements.publish(REFUSED)
    assert (sending.composer.text(), queue.text, queue.held) == ("two", "three", True)


async def test_a_message_comes_back_when_the_answer_was_stopped_or_it_was_refused(sending: Sending) -> None:
    sending.begin()
    await sending.send("next")
    await sending.end(message(1, "assistant", "tw", state="partial", stop_reason="interrupted"))
    assert (sending.sent, sending.composer.text()) == ([], "next")
    sending.begin()
    await sending.send("next")
    await sending.end()
    sending.state.announcements.publish(REFUSED)
    assert sending.composer.text() == "next"


async def test_escape_takes_back_first_and_then_stops(sending: Sending) -> None:
    assert not sending.presenter.escape()
    sending.begin()
    await sending.send("next")
    assert sending.presenter.escape()
    assert (sending.composer.text(), sending.attachments.told[-1]) == ("next", ("hold", "t"))
    assert sending.presenter.escape()
    await sending.state.at_rest()
    assert sending.state.chat.sent == [("stop", "t")]


async def test_nothing_goes_while_a_file_is_read(sending: Sending) -> None:
    sending.attachments.busy = True
    await sending.send("with a file")
    assert sending.sent == []
    sending.attachments.busy = False
    sending.composer.tell_problem("")  # as the attachments do that are there
    sending.presenter.all_attached()
    await sending.state.at_rest()
    assert sending.sent == [(TextPart("with a file"),)]
