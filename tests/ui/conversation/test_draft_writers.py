"""Any two writers of one draft, in any order: no text is lost that somebody typed or a command kept."""

from __future__ import annotations

import asyncio
import itertools
import tempfile
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from types import SimpleNamespace
from typing import cast

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from PySide6.QtCore import QObject

from desktop_app.controller.outgoing_question import OutgoingQuestion
from desktop_app.controller.private_history import PrivateHistory
from desktop_app.core.events import DraftSaved, HistoryChangedElsewhere, MessageAdded
from desktop_app.core.messages import Failure
from desktop_app.core.text_diff import GAP, merged, queued, taken_apart, together, without_sent
from desktop_app.storage.sqlite_history import SqliteHistory
from desktop_app.ui.conversation.sending import Drafts
from desktop_app.ui.state.app_state import AppState
from desktop_app.ui.state.bridge import Bridge, Tasks
from desktop_app.ui.state.services import WindowServices
from tests.controller.world import World, make_world, words
from tests.fakes.gated_backend import GatedBackend
from tests.ui.conversation.fake_panes import FakeComposer

pytestmark = pytest.mark.usefixtures("qapp")

REFUSED = Failure("context_limit", "Too long.")


class Process:
    """One process with its window, or a command: the real controller over its own connection to the file."""

    def __init__(self, world: World) -> None:
        self.world, self.parent, self.composer = world, QObject(), FakeComposer()
        loop = asyncio.get_running_loop()
        self.tasks = Tasks(loop, self.parent)
        self.app_state = AppState(loop, self.tasks, Bridge(self.parent), self.parent)
        self.drafts = Drafts(self.app_state, self.composer, lambda: "")
        self.app_state.thread_left.connect(self.drafts.leave)
        self.app_state.thread_opened.connect(self.drafts.show_opened)
        bridge = self.app_state.bridge
        bridge.subscribe(MessageAdded, lambda added: self.composer.take_sent(added.message.text))
        bridge.subscribe(MessageAdded, self.drafts.message_stored)
        bridge.subscribe(DraftSaved, self.drafts.stored)
        bridge.subscribe(HistoryChangedElsewhere, lambda _: self.app_state.start(self.app_state.reopen()))
        services = SimpleNamespace(chat=world.chat, announcements=world.announcements)
        self.app_state.supply(cast("WindowServices", services))

    async def at_rest(self) -> None:
        rested = asyncio.Event()
        self.tasks.after_running(rested.set)
        await rested.wait()

    async def end(self) -> None:
        await self.world.chat.watch.look()
        await self.at_rest()
        await self.drafts.flush()
        await self.at_rest()


@asynccontextmanager
async def processes(folder: Path, *, private: bool) -> AsyncIterator[list[Process]]:
    async with AsyncExitStack() as stack:
        found = []
        for _ in range(1 if private else 2):
            file = await SqliteHistory.open(folder / "history.db")
            stack.push_async_callback(file.close)
            both = PrivateHistory(file, SqliteHistory.open_in_memory)
            stack.push_async_callback(both.close)
            world = await make_world(both, {"gated": GatedBackend()})
            stack.push_async_callback(world.chat.close)
            found.append(Process(world))
        yield found


STEPS = st.lists(
    st.tuples(
        st.sampled_from(
            ["type", "type", "below", "cut", "save", "save", "rest", "turn", "keep", "ask", "send", "look", "away"]
        ),
        st.integers(0, 1),
    ),
    min_size=2,
    max_size=14,
)


class Run:
    """What was done to one thread so far. `wanted`: the words that must not be lost."""

    def __init__(self, there: list[Process], thread_id: str, other_id: str) -> None:
        self.there, self.thread_id, self.other_id = there, thread_id, other_id
        self.numbers, self.wanted = itertools.count(1), set[str]()

    async def do(self, step: str, number: int) -> None:
        one = self.there[number % len(self.there)]
        if step in ("type", "below", "cut", "send"):
            if one.app_state.is_open(self.thread_id):
                await getattr(self, step)(one)
        else:
            await getattr(self, step)(one)

    def word(self) -> str:
        word = f"w{next(self.numbers)}w"
        self.wanted.add(word)
        return word

    async def type(self, one: Process, gap: str = " ") -> None:
        text = one.composer.text()
        one.composer.set_text(f"{text}{gap}{self.word()}" if text else self.word())
        one.drafts.text_edited()

    async def below(self, one: Process) -> None:
        await self.type(one, GAP)

    async def cut(self, one: Process) -> None:
        self.wanted -= {word for word in self.wanted if word in one.composer.text()}
        one.composer.set_text("")
        one.drafts.text_edited()

    async def save(self, one: Process) -> None:
        one.drafts.save_now()

    async def rest(self, one: Process) -> None:
        await one.at_rest()

    async def turn(self, _one: Process) -> None:
        await asyncio.sleep(0.002)

    async def keep(self, one: Process) -> None:
        await one.world.chat.sender.refuse(OutgoingQuestion(self.thread_id, words(self.word())), REFUSED)

    async def ask(self, one: Process) -> None:
        await one.world.chat.send(self.thread_id, words(self.word()))

    async def send(self, one: Process) -> None:
        if one.composer.text():
            await one.world.chat.start_send(self.thread_id, words(one.composer.text()), shown=True)

    async def look(self, one: Process) -> None:
        await one.world.chat.watch.look()

    async def away(self, one: Process) -> None:
        await one.app_state.open_thread(self.other_id if one.app_state.is_open(self.thread_id) else self.thread_id)


async def run(folder: Path, steps: list[tuple[str, int]], *, private: bool) -> None:
    async with processes(folder, private=private) as there:
        thread = await there[0].world.thread(private=private)
        other = await there[0].world.thread(private=private)
        for one in there:
            await one.world.chat.watch.look()
            await one.app_state.open_thread(thread.id)
        done = Run(there, thread.id, other.id)
        for step, number in steps:
            await done.do(step, number)
        for one in there * 2:
            await one.end()
        history = there[0].world.history
        draft = (await history.thread(thread.id)).draft
        said = [message.text for message in await history.messages(thread.id)]
        lost = {word for word in done.wanted if not any(word in text for text in (draft, *said))}
        assert not lost, (lost, draft, said)
        assert all(one.composer.text() == draft for one in there if one.app_state.is_open(thread.id))


@example(steps=[("keep", 0), ("type", 0), ("save", 0)], private=False)
@example(steps=[("keep", 0), ("type", 0), ("save", 0)], private=True)
@example(steps=[("keep", 1), ("type", 0), ("save", 0)], private=False)
@example(steps=[("type", 0), ("save", 0), ("rest", 0), ("ask", 1), ("look", 0)], private=False)
@example(steps=[("type", 0), ("save", 0), ("away", 0), ("keep", 1), ("away", 0), ("type", 0)], private=False)
@given(steps=STEPS, private=st.sampled_from([False, False, False, True]))
def test_no_interleaving_of_two_writers_loses_a_text(steps: list[tuple[str, int]], private: bool) -> None:
    with tempfile.TemporaryDirectory() as folder:
        asyncio.run(run(Path(folder), steps, private=private))


TEXTS = st.lists(st.sampled_from(["a", "b", "c", "d e"]), max_size=4).map(GAP.join)


@given(TEXTS, TEXTS, TEXTS)
def test_what_two_made_of_one_draft_has_the_new_paragraphs_of_both(base: str, mine: str, theirs: str) -> None:
    known = {"", *base.split(GAP)}
    kept = set(merged(base, mine, theirs).split(GAP))
    assert set(mine.split(GAP)) - known <= kept
    assert set(theirs.split(GAP)) - known <= kept
    assert set(together(mine, theirs).split(GAP)) >= {one for one in (mine + GAP + theirs).split(GAP) if one}


@given(TEXTS, TEXTS.filter(bool))
def test_only_what_was_sent_leaves_a_draft(draft: str, sent: str) -> None:
    assert without_sent(sent, sent) == ""
    assert without_sent(sent + GAP + "more", sent) == "more"
    assert without_sent(queued(sent, 2) + draft, sent) == draft
    rest = without_sent(queued(draft, 2) + "more " + sent, "more " + sent)
    assert taken_apart(rest) == ([(draft.lstrip("\n"), 2)], "")
    assert without_sent(together(draft, "more " + sent), sent).endswith("more " + sent)
    rest = without_sent(draft, sent)
    assert rest == draft or together(rest, sent).count(GAP) <= draft.count(GAP)
