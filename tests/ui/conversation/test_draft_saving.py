"""When a draft is saved and which one is shown, over a composer that only remembers."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest

from desktop_app.core.events import DraftSaved, MessageAdded
from desktop_app.core.text_diff import queued
from desktop_app.ui.conversation.sending import Drafts
from tests.ui.conversation.fake_panes import FakeComposer
from tests.ui.state.fake_services import StateOfWindow, thread_of
from tests.ui.tool_scenes import message

pytestmark = pytest.mark.usefixtures("qapp")

TALK = [message(0, "user", "one"), message(1, "assistant", "two")]


class Writing:
    def __init__(self) -> None:
        self.state, self.composer = StateOfWindow(), FakeComposer()
        self.queued = ""
        self.drafts = Drafts(self.state.app_state, self.composer, lambda: self.queued)
        self.state.app_state.thread_left.connect(self.drafts.leave)
        self.state.app_state.thread_opened.connect(self.drafts.show_opened)
        self.state.app_state.thread_closed.connect(self.drafts.clear)
        self.state.app_state.thread_made.connect(self.drafts.adopt)

    def type_text(self, text: str) -> None:
        self.composer.set_text(text)
        self.drafts.text_edited()

    async def saved(self) -> dict[str, str]:
        self.drafts.save_now()
        await self.state.at_rest()
        return self.state.chat.drafts


async def test_a_draft_is_saved_with_what_waits_before_it() -> None:
    writing = Writing()
    await writing.state.opened(TALK)
    writing.type_text("a thought")
    assert await writing.saved() == {"t": "a thought"}
    writing.queued = queued("first", 0)
    assert await writing.saved() == {"t": queued("first", 0) + "a thought"}


async def test_the_draft_of_a_thread_is_shown_and_saved_when_it_is_left() -> None:
    writing = Writing()
    await writing.state.opened(TALK, draft="kept")
    assert writing.composer.text() == "kept"
    writing.type_text("kept and more")
    other = replace(thread_of(TALK), id="other", draft="elsewhere")
    writing.state.chat.put(other, TALK)
    await writing.state.app_state.open_thread("other")
    await writing.state.at_rest()
    assert (writing.state.chat.drafts, writing.composer.text()) == ({"t": "kept and more"}, "elsewhere")


async def test_the_first_word_of_a_new_thread_has_it_made() -> None:
    writing = Writing()
    writing.state.supply()
    writing.state.app_state.close_thread()
    writing.type_text("h")
    await writing.state.at_rest()
    assert writing.state.app_state.thread_id == "t"
    assert writing.composer.text() == "h"
    assert await writing.saved() == {"t": "h"}


async def test_a_draft_that_somebody_else_saved_is_not_saved_again() -> None:
    writing = Writing()
    await writing.state.opened(TALK)
    writing.type_text("same")
    writing.drafts.stored(DraftSaved("t", "same"))
    assert await writing.saved() == {}


async def test_a_save_under_way_does_not_bring_back_what_was_sent_meanwhile(monkeypatch: pytest.MonkeyPatch) -> None:
    writing = Writing()
    await writing.state.opened(TALK)
    begun, gate, save = asyncio.Event(), asyncio.Event(), writing.state.chat.save_draft

    async def late(thread_id: str, text: str, *, expected: str) -> str | None:
        begun.set()
        await gate.wait()
        return await save(thread_id, text, expected=expected)

    monkeypatch.setattr(writing.state.chat, "save_draft", late)
    writing.type_text("old")
    writing.drafts.save_now()
    await begun.wait()
    writing.composer.take_sent("old")
    writing.drafts.message_stored(MessageAdded(replace(message(2, "user", "old"), thread_id="t")))
    writing.drafts.stored(DraftSaved("t", "old"))
    assert writing.composer.text() == ""
    gate.set()
    assert await writing.saved() == {"t": ""}
    assert writing.composer.text() == ""
