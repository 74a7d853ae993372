"""Pictures of the context inspector: its three tabs, narrow, long words, empty."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from typing import TYPE_CHECKING, Literal, cast

from PySide6.QtCore import Qt

if TYPE_CHECKING:
    from desktop_app.backends.backend_protocol import Backend
    from desktop_app.core.context.plan import ContextPlan
    from desktop_app.ui.inspector.inspector_pane import InspectorPane
    from tests.ui.open_window import OpenWindow

QUESTIONS = (
    "How do I write a ring buffer in Python that never allocates?",
    "Donaudampfschifffahrtsgesellschaftskapitänsmützenabzeichen: was ist daran so schwer zu übersetzen?",
    "你能用中文解释一下环形缓冲区吗?谢谢!",
    "And when is a deque the better choice?",
    "Compare both for a queue of a million small records, please.",
)
ANSWER = (
    "\n\nA ring buffer overwrites the oldest entry once its capacity is reached, so a push never allocates. Write your "
    "own only where you need an index into the middle in constant time, or a fixed block of memory that something else "
    "reads. Nearly always a deque with a maximum length is the better choice: it is written in C, it pickles, and "
    "everybody who reads your code knows it already.\n\n- It drops the oldest entry by itself\n- It is thread safe for "
    "appends and pops from either side\n- It has no index into the middle in constant time\n\n"
) * 6


def pane_of(window: OpenWindow) -> InspectorPane:
    """The inspector's inside."""
    from desktop_app.ui.inspector.inspector_pane import InspectorPane

    content = window.window.inspector.content
    assert isinstance(content, InspectorPane)
    return content


async def talked(window: OpenWindow, *, turns: int = 14, program: bool = False, limit: int = 8_000) -> None:
    """A thread that has been trimmed, with pins and an exclusion, through a backend that asks as real ones do."""
    from tests.fakes.wire_backend import WireBackend

    backend = WireBackend(program=program, window=limit)
    backend.text = ANSWER
    cast("dict[str, Backend]", window.services.backends)["scripted"] = backend
    window.shortcut("new_thread")
    window.composer.picker.model_chosen.emit("scripted", "claude-opus-4-5")
    await window.settled()
    thread = await window.app_state.made_thread(backend="scripted", model="claude-opus-4-5")
    await window.services.chat.facts.change(thread.id, system="You are a patient teacher. Be brief, and be exact.")
    for number in range(turns):
        window.editor.setPlainText(QUESTIONS[number % len(QUESTIONS)])
        await window.settled()
        window.press(Qt.Key.Key_Return)
        await window.until(window.composer.is_empty, "the question in the history")
        await window.until(lambda: not window.composer.streaming, "the answer")
        await window.settled()
    opened = await window.opened_thread()
    await window.services.chat.context_editing.pin(thread.id, [opened.path[4].id])
    await window.services.chat.context_editing.exclude(thread.id, [opened.path[-4].id])
    await window.settled()
    window.editor.setPlainText("Could you show me the version with an index?")
    await window.settled()


async def inspector_messages(window: OpenWindow) -> None:
    """What would be sent, a message chosen."""
    window.window.resize(1280, 860)
    await talked(window)
    window.shortcut("toggle_inspector")
    view = pane_of(window).messages.view
    for _ in range(8):
        window.press(Qt.Key.Key_Down, widget=view)
    for _ in range(2):
        window.press(Qt.Key.Key_Down, Qt.KeyboardModifier.ShiftModifier, widget=view)


VOYAGE = (
    (
        "Where should we start a two-week sail around Funen?",
        "Start in **Svendborg**. The sound is sheltered, the town has chandlers and a train, and the islands to "
        "the south are a morning away.",
    ),
    (
        "Is Ærø worth two nights?",
        "Yes. Marstal has the better harbour and the maritime museum; Ærøskøbing is prettier and smaller. Take "
        "one night in each, and walk between them along the southern shore.",
    ),
    (
        "What do we do if it blows from the east for days?",
        "Stay west of Langeland. Between *Lyø* and *Avernakø* you lie well in anything from north-east to "
        "south-east, and the ferry brings bread.",
    ),
    (
        "How much water does the passage north of Tåsinge have?",
        "About **2.4 m** in the dredged channel, less after a week of south-westerlies, which empty the whole "
        "archipelago by up to half a metre.",
    ),
    (
        "Draw up a list of what to buy before we leave.",
        "For six people and three days without a shop: bread, potatoes, eggs, coffee, two gas cartridges, charts "
        "151 and 152, and a spare impeller.",
    ),
    (
        "Which harbours take a boat of 4.2 m beam?",
        "Svendborg, Rudkøbing and Marstal have boxes that wide. In Ærøskøbing ask for the long pier; on Lyø you "
        "lie alongside.",
    ),
)
DETAILS = (
    "\n\nThe pilot book says so, and the harbour master said it again on the phone. In settled weather the wind "
    "goes round "
    "with the sun; in the evening it dies, and the last two miles are done under engine. Depths are below mean "
    "sea level.\n\n"
    "- Leave before nine: the bridge opens on the hour\n- Pay at the machine; it takes cards\n- Showers close at "
    "ten\n\n"
) * 110


async def loaded(window: OpenWindow) -> None:
    """A long thread as one has it after weeks: the line, what is left out above it, and how full the next "
    "request is."""
    from desktop_app.controller.ports import ImportedThread
    from desktop_app.core.messages import Message, TextPart, Thread
    from desktop_app.core.stream_events import StreamEvent, TextDelta
    from tests.fakes.wire_backend import WireBackend

    class Sailor(WireBackend):
        title = "Anthropic API"

        def _answer(self, plan: ContextPlan) -> tuple[StreamEvent, ...]:
            _, *more = super()._answer(plan)
            return (TextDelta(VOYAGE[len(self.plans) % 6][1] + DETAILS), *more)

    window.window.resize(1280, 860)
    cast("dict[str, Backend]", window.services.backends)["scripted"] = Sailor()
    messages: list[Message] = []
    texts = [text for number in range(16) for text in (VOYAGE[number % 6][0], VOYAGE[number % 6][1] + DETAILS)]
    for place, text in enumerate(texts):
        before = messages[-1].id if messages else None
        role: Literal["user", "assistant"] = "assistant" if place % 2 else "user"
        messages.append(Message(f"{place:032x}", "f" * 32, before, role, (TextPart(text),), "2026-11-20T10:00:00.000Z"))
    created = messages[0].created
    made = Thread("f" * 32, "Two weeks around Funen", created, created, "scripted", "claude-opus-4-5")
    made = replace(made, tip=messages[-1].id, seen=messages[-1].id)
    await window.services.history.import_threads([ImportedThread("scene/loaded", made, tuple(messages))])
    await window.app_state.open_thread("f" * 32)
    await window.settled()
    for number in range(1, 6):
        window.editor.setPlainText(VOYAGE[number % 6][0])
        await window.settled()
        window.press(Qt.Key.Key_Return)
        await window.until(lambda: not window.composer.streaming and window.composer.is_empty(), "the answer")
        await window.settled()
    window.editor.setPlainText("And where do we fill the water tank?")
    window.shortcut("toggle_inspector")
    await window.settled()
    tab = pane_of(window).messages
    placed = tab.model.plan.placement.messages if tab.model.plan is not None else ()
    below = next(after for row, after in pairwise(placed[1:]) if row.state != "whole" and after.state == "whole")
    tab.view.setCurrentIndex(tab.model.index_of(below.id))
    await window.settled()


async def inspector_summary(window: OpenWindow) -> None:
    """What a summary of the selection would cost."""
    window.window.resize(1280, 860)
    await talked(window)
    window.shortcut("toggle_inspector")
    await window.settled()
    tab = pane_of(window).messages
    view = tab.view
    rows = [row.id for row in tab.model.plan.placement.messages] if tab.model.plan is not None else []
    tab.select(rows[4:16])
    window.press(Qt.Key.Key_S, widget=view)


async def inspector_unused(window: OpenWindow) -> None:
    """Dead weight first, the keyboard on it."""
    from desktop_app.controller.ports import ImportedThread
    from desktop_app.core.messages import Thread
    from tests.core.test_dead_weight import filler, thread

    window.window.resize(1280, 860)
    path = tuple(replace(message, thread_id="f" * 32) for message in thread(*filler(21)))
    made = Thread("f" * 32, "Zebrafish", path[0].created, path[-1].created, "claude-cli", tip=path[-1].id)
    await window.services.history.import_threads([ImportedThread("scene/unused", made, path)])
    await window.app_state.open_thread("f" * 32)
    await window.settled()
    window.shortcut("toggle_inspector")
    tab = pane_of(window).messages
    await window.until(tab.unused_first.isVisible, "the dead weight")
    tab.unused_first.click()
    tab.view.setFocus()
    tab.view.setCurrentIndex(tab.model.index_of("m0"))
    await window.settled()


async def inspector_menu(window: OpenWindow) -> None:
    """Everything that can be done with a message."""
    await inspector_messages(window)
    tab = pane_of(window).messages
    tab.menu_for(tab.view.selected_messages()).popup(tab.view.viewport().mapToGlobal(tab.view.rect().center()))


async def inspector_request(window: OpenWindow) -> None:
    """The request as people read it."""
    window.window.resize(1280, 860)
    await talked(window)
    window.shortcut("toggle_inspector")
    pane = pane_of(window)
    pane.show_tab("request")
    await window.until(lambda: pane.request.text.shown_lines, "the request")
    await window.settled()
    bar = pane.request.text.verticalScrollBar()
    await window.until(lambda: bar.maximum() > 4, "a text that is longer than the view")
    bar.setValue(4)


async def inspector_request_end(window: OpenWindow) -> None:
    """Where the cache marks stand."""
    await inspector_request(window)
    bar = pane_of(window).request.text.verticalScrollBar()
    bar.setValue(bar.maximum())


async def inspector_raw(window: OpenWindow) -> None:
    """What the program reads."""
    window.window.resize(1280, 860)
    await talked(window, turns=6, program=True)
    window.shortcut("toggle_inspector")
    pane = pane_of(window)
    pane.show_tab("request")
    await window.until(lambda: pane.request.text.shown_lines, "the request")
    pane.request.raw.click()
    await window.settled()


async def inspector_past(window: OpenWindow) -> None:
    """A turn of the past."""
    window.window.resize(1280, 860)
    await talked(window)
    window.shortcut("toggle_inspector")
    pane = pane_of(window)
    pane.show_tab("past")
    await window.until(lambda: pane.past.request.text.shown_lines, "the request")
    await window.settled()


async def inspector_compare(window: OpenWindow) -> None:
    """What changed from one turn to the next."""
    await inspector_past(window)
    past = pane_of(window).past
    whole = list(past.request.text.shown_lines)
    past.compare.click()
    await window.until(lambda: list(past.request.text.shown_lines) not in ([], whole), "the diff")
    await window.settled()


async def inspector_narrow(window: OpenWindow) -> None:
    """Over the conversation in a narrow window."""
    window.window.resize(760, 720)
    await talked(window)
    window.shortcut("toggle_inspector")


async def inspector_empty(window: OpenWindow) -> None:
    """Nothing has been said."""
    window.window.resize(1180, 720)
    window.shortcut("new_thread")
    window.composer.picker.model_chosen.emit("scripted", "big")
    await window.settled()
    window.shortcut("toggle_inspector")


INSPECTOR_SCENES = (
    inspector_messages,
    loaded,
    inspector_summary,
    inspector_unused,
    inspector_menu,
    inspector_request,
    inspector_request_end,
    inspector_raw,
    inspector_past,
    inspector_compare,
    inspector_narrow,
    inspector_empty,
)
