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


IMPORTED = 16
VOYAGE = (
    (
        "Where should we start a two-week sail around Funen?",
        "Start in **Svendborg**. The sound is sheltered, the town has chandlers and a train, and the islands to "
        "the south are a morning away.",
        "From the third day on the wind is steady enough to plan by.\n\n- Take over the boat on a Friday\n"
        "- Buy gas in town, not in the harbour\n- Ask for the berth list; it names the free boxes",
    ),
    (
        "How do we get there by train with all the luggage?",
        "Over Odense. From there a local train goes every half hour and ends three hundred meters from the quay; "
        "bicycles need a ticket of their own in summer.",
        "The last train leaves at half past eleven, so a late ferry does no harm.\n\n- Sit in the rear coach\n"
        "- A cab to the marina takes six minutes\n- The station has lockers for two suitcases",
    ),
    (
        "Which charts do we need on paper?",
        "**151** and **152** cover the whole archipelago; 142 is worth it only if you go north through the Little "
        "Belt. The small-craft folio has all of them at a handier size.",
        "Whatever the plotter shows, the sand north of Drejø has moved since it was surveyed.\n\n"
        "- Correct the buoys before you leave\n- Keep the folio dry: it is not laminated\n"
        "- Pencil in the anchorages you like",
    ),
    (
        "What do we do if it blows from the east for days?",
        "Stay west of Langeland. Between *Lyø* and *Avernakø* you lie well in anything from north-east to "
        "south-east, and the ferry brings bread.",
        "On the fourth day it veers, and the whole fleet leaves at once.\n\n- Have a second anchor ready\n"
        "- Walk around Lyø: two hours\n- The inn closes its kitchen at eight",
    ),
    (
        "How much water does the passage north of Tåsinge have?",
        "About **2.4 m** in the dredged channel, less after a week of south-westerlies, which empty the whole "
        "archipelago by up to half a meter.",
        "With your draft of 1.9 m that leaves a hand's breadth on a bad day.\n\n- Stay on the leading line\n"
        "- Go through on a rising level\n- Call Troense if the gauge shows less than minus forty",
    ),
    (
        "Draw up a list of what to buy before we leave.",
        "For six people and three days without a shop: bread, potatoes, eggs, coffee, two gas cartridges, and a "
        "spare impeller. Everything else is to be had on Ærø.",
        "Fresh fish comes with the boats at four, straight from the quay.\n\n- Two nets of onions\n"
        "- Sunscreen: the islands are out of it in July\n- Coins for the showers",
    ),
    (
        "Which harbors take a boat of 4.2 m beam?",
        "Svendborg, Rudkøbing and Marstal have boxes that wide. In Ærøskøbing ask for the long pier; on Lyø you "
        "lie alongside.",
        "In July be there by two: wide boxes go first.\n\n- A green sign means free until tomorrow\n"
        "- Rudkøbing takes reservations by phone\n- Four fenders a side are enough",
    ),
    (
        "Is Ærø worth two nights?",
        "Yes. Marstal has the better harbor and the maritime museum; Ærøskøbing is prettier and smaller. Take "
        "one night in each, and walk between them along the southern shore.",
        "The bus around the island is free and runs every hour.\n\n- See the ship models in the church\n"
        "- Try the smoked mackerel\n- Swim at Vesterstrand, by the painted huts",
    ),
    (
        "Can we sail to Marstal at night?",
        "You can: the fairway is lit from both ends. But the fish traps east of Strynø are not, and they move "
        "with the season.",
        "If you are late, anchor off Birkholm and go in with the first light.\n\n- Sector lights: stay in white\n"
        "- One of you watches the bow\n- Lower the speed to four knots behind buoy nine",
    ),
    (
        "What does a night in the harbors cost?",
        "Between 180 and 260 crowns for eleven meters, with power and showers in it nearly everywhere. "
        "Anchoring is free, and so are the buoys with the club's mark if you are a member.",
        "Over two weeks that makes about 2,900 crowns.\n\n- Pay at the machine before noon\n"
        "- The third night is free in Faaborg\n- Keep the receipt: it opens the gate",
    ),
    (
        "Where do the children have something to do?",
        "In Faaborg there is a beach beside the pier and a tower to climb; on Avernakø they can ride. Svendborg "
        "has the science house for a rainy day.",
        "Plan the long legs for the morning, while they still read.\n\n- Crab lines are sold at every kiosk\n"
        "- Life jackets on the pier, too\n- Drejø has a swing above the water",
    ),
    (
        "How do we call the bridge at Langeland?",
        "You need not: its span is 26 m high, and your mast has 17. Only the bridge in Svendborg Sound is lower, "
        "with 33 m still far above you.",
        "What opens is the small one at Siø, on request and never at noon.\n\n- Channel 16, then 12\n"
        "- Two long blasts if nobody answers\n- Wait on the east side: the stream sets west",
    ),
    (
        "What if somebody falls ill on board?",
        "Dial 112 near land, channel 16 elsewhere. Svendborg has a hospital; Ærø and Langeland have a doctor on "
        "duty until ten in the evening.",
        "A helicopter reaches any of the islands within half an hour.\n\n- Note allergies on the chart table\n"
        "- The blue cards are valid here\n- Know your position before you call",
    ),
    (
        "Is there a way through the Little Belt and back?",
        "There is, with the current: it runs at up to three knots beneath the bridges, and turns with the wind "
        "over the whole Baltic rather than with the moon.",
        "Allow two days for it, and one to rest in Middelfart.\n\n- Porpoises keep you company\n"
        "- Keep out of the way of the coasters\n- Moor in Kongebro, beneath the beeches",
    ),
    (
        "Which anchorages are safe in a westerly?",
        "The bight east of *Hjortø*, the bay below Thurø, and Lindelse Nor if you draw less than two meters. All "
        "three have clay beneath the weed.",
        "Let out five times the depth, and dive for the anchor if you can.\n\n- A trip line against old chains\n"
        "- Hoist the black ball\n- Thurø is quiet only on weekdays",
    ),
    (
        "How do we read the water level forecast?",
        "It is given against the mean level, in centimeters, for every ten minutes. What counts is the lowest "
        "figure while you are in the channel, not the one at departure.",
        "A falling glass with a south-wester means low water here tomorrow.\n\n- Look at the gauge of Faaborg\n"
        "- Minus sixty closes Lindelse Nor to you\n- It comes back faster than it goes",
    ),
    (
        "May we land on the small islands?",
        "On most, outside the breeding season: signs stand where birds nest, and the keepers mean it until the "
        "middle of July. Dogs stay on board.",
        "Hjelmshoved and Odden are the two that are open all year.\n\n- Row in; the shore is stony\n"
        "- No fires above the tide line\n- Take your rubbish along",
    ),
    (
        "What is the last day like, and who takes the boat?",
        "Be back in Svendborg by noon with a full tank. The owner looks through the boat with you, and you sign "
        "the list that you signed on the first day.",
        "Then there is time for an ice cream before the train.\n\n- Fuel at the yard, not in town\n"
        "- Leave the charts on board\n- Write down what broke: nobody minds",
    ),
)


def forecast(turn: int) -> str:
    """A table of some thousand tokens, as no other turn has it."""
    sides = ("SW", "W", "NW", "N", "W", "SW", "S", "SE", "S")
    rows = [
        f"| {1 + hour // 24 + 2 * turn % 20} July, {hour % 24:02}:00 | {sides[(hour // 7 + turn) % 9]} "
        f"{2 + abs((hour * 5 // 11 + turn) % 8 - 4)} | {0.1 * (1 + abs((hour * 3 // 8 + turn) % 16 - 8)):.1f} m | "
        f"{(hour * 7 // 5 + 11 * turn) % 71 - 38:+} cm |"
        for hour in range(429)
    ]
    return "\n".join(("| Time | Wind | Sea | Level at Marstal |", "| --- | --- | --- | --- |", *rows))


def advice(turn: int) -> str:
    """The answer of a turn: a few words, what they go by, and a few more."""
    _, opening, closing = VOYAGE[turn % len(VOYAGE)]
    return f"{opening}\n\nThis is the forecast I went by:\n\n{forecast(turn)}\n\n{closing}"


async def loaded(window: OpenWindow) -> None:
    """A long thread as one has it after weeks: the line, what is left out above it, and how full the next "
    "request is."""
    from desktop_app.core.history_records import ImportedThread
    from desktop_app.core.messages import Message, TextPart, Thread
    from desktop_app.core.stream_events import StreamEvent, TextDelta
    from tests.fakes.wire_backend import WireBackend

    class Sailor(WireBackend):
        title = "Anthropic API"

        def _answer(self, plan: ContextPlan) -> tuple[StreamEvent, ...]:
            _, *more = super()._answer(plan)
            return (TextDelta(advice(IMPORTED + len(self.plans) - 1)), *more)

    window.window.resize(1280, 860)
    cast("dict[str, Backend]", window.services.backends)["scripted"] = Sailor()
    messages: list[Message] = []
    texts = [text for turn in range(IMPORTED) for text in (VOYAGE[turn][0], advice(turn))]
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
    for turn in range(IMPORTED, IMPORTED + 5):
        window.editor.setPlainText(VOYAGE[turn % len(VOYAGE)][0])
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


async def inspector_messages(window: OpenWindow) -> None:
    """What would be sent: pins, and messages chosen."""
    await loaded(window)
    opened = await window.opened_thread()
    await window.services.chat.context_editing.pin(opened.thread.id, [one.id for one in opened.path[8:10]])
    await window.settled()
    view = pane_of(window).messages.view
    for _ in range(4):
        window.press(Qt.Key.Key_Down, widget=view)
    for _ in range(2):
        window.press(Qt.Key.Key_Down, Qt.KeyboardModifier.ShiftModifier, widget=view)


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
    from desktop_app.core.history_records import ImportedThread
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
