"""Pictures of what is shown of tools: look-ups, cards, searches with sources, thinking, the thread's parameters."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING

from desktop_app.core.messages import (
    Json,
    JsonObject,
    Message,
    Parameters,
    Part,
    Role,
    TextPart,
    ThinkingPart,
    ToolCallPart,
    ToolResultPart,
    UnknownPart,
)
from desktop_app.core.model_catalog import ModelInfo, shipped_models
from desktop_app.ui.models.model_choice import ModelChoice
from desktop_app.ui.models.parameters_popover import ThreadParameters, differences

if TYPE_CHECKING:
    from tests.ui.open_window import OpenWindow

CREATED = "2026-01-01T00:00:00.000Z"
PASSAGES = (
    "[Message 3 of 64, user, 2026-03-14]\nThe budget for the move is 4,200 euros, and not a cent more. Aunt Ursula "
    "pays for the piano.\n\n[Message 8 of 64, assistant, 2026-03-14]\nNoted: 4,200 euros in all. The piano is moved by "
    "Aunt Ursula's people on the 14th, so that it is not part of it.\n\n- van: 890\n- boxes: 120\n"
)


def message(number: int, role: Role, *parts: Part | str, **fields: object) -> Message:
    """A message with id `t<number>` that answers the one before it."""
    made = tuple(TextPart(part) if isinstance(part, str) else part for part in parts)
    parent = f"t{number - 1}" if number else None
    return Message(f"t{number}", "t", parent, role, made, CREATED, **fields)  # type: ignore[arg-type]


def look_up(call_id: str, query: str) -> ToolCallPart:
    """A look-up in earlier messages."""
    return ToolCallPart(call_id, "search_this_thread", {"query": query})


def found(call_id: str, *ids: str, text: str = PASSAGES) -> ToolResultPart:
    """What a look-up found."""
    starts: list[Json] = [at for at, _ in zip((0, text.find("[Message 8")), ids, strict=False)]
    return ToolResultPart(call_id, text, extra={"passages": len(ids), "messages": list(ids), "starts": starts})


def web_search(call_id: str, query: str) -> tuple[UnknownPart, UnknownPart]:
    """A search of the web as the provider tells it."""
    pages: list[Json] = [
        {
            "type": "web_search_result",
            "url": "https://www.python.org/dev/peps/pep-0703/",
            "title": "PEP 703 – Making the Global Interpreter Lock Optional",
            "encrypted_content": "x",
        },
        {
            "type": "web_search_result",
            "url": "https://docs.example.org/free-threading?version=3.14&a=1",
            "title": "Python support for free threading",
            "encrypted_content": "x",
        },
    ]
    asked: JsonObject = {"type": "server_tool_use", "id": call_id, "name": "web_search", "input": {"query": query}}
    return UnknownPart(asked), UnknownPart({"type": "web_search_tool_result", "tool_use_id": call_id, "content": pages})


def cited(text: str, number: int = 0) -> TextPart:
    """A text with a source on the web."""
    pages = (
        ("https://www.python.org/dev/peps/pep-0703/", "PEP 703 – Making the Global Interpreter Lock Optional"),
        ("https://docs.example.org/free-threading?version=3.14&a=1", "Python support for free threading"),
    )
    url, title = pages[number]
    citation = {
        "type": "web_search_result_location",
        "url": url,
        "title": title,
        "cited_text": "The free-threaded build is no longer experimental, and it is slower by about 8 % on one thread.",
    }
    return TextPart(text, {"citations": [citation]})


def two_rounds() -> list[Message]:
    """A turn of three answers: two look-ups at once, then one more, then the end."""
    return [
        message(0, "user", "What did we say about the piano, and what may the move cost?"),
        message(
            1,
            "assistant",
            ThinkingPart("The user asks for something said before."),
            "I look at what we said about it.",
            look_up("c1", "piano move"),
            look_up("c2", "budget for the move"),
        ),
        message(2, "user", found("c1", "t0", "t1"), found("c2", "t0", "t1")),
        message(3, "assistant", "And who pays for it:", look_up("c3", "who pays")),
        message(4, "user", found("c3", text="Nothing was found in the earlier messages of this conversation.")),
        message(
            5,
            "assistant",
            "The move may cost **4,200 euros** in all. The piano is not part of that: aunt Ursula "
            "has it moved by her own people on the 14th.",
        ),
        message(6, "user", "Thank you. Which python is it?"),
        message(
            7,
            "assistant",
            ToolCallPart("d1", "mcp__docs__search_documents", {"query": "Umsatz im dritten Quartal", "limit": 5}),
            ToolResultPart("d1", "\n".join(f"{line}: a line of the result" for line in range(60))),
            ToolCallPart("d2", "read_page", {"page": 12}),
            ToolResultPart("d2", "There is no page 12.", is_error=True),
            ToolCallPart("d3", "mcp__docs__search_documents", {"query": "stopped"}),
            look_up("d4", "the end"),
            ToolResultPart("d4", "The search could not be read.", is_error=True),
            UnknownPart({"type": "container_upload", "file_id": "file_011"}),
            "It was stopped here.",
            state="partial",
        ),
    ]


def searched() -> list[Message]:
    """An answer with a search of the web, and sources in it."""
    return [
        message(0, "user", "Is the GIL gone?"),
        message(
            1,
            "assistant",
            ThinkingPart("I had better look."),
            *web_search("s1", "python free threading status"),
            "Here is where it stands.\n\nSince version 3.14 ",
            cited("the free-threaded build is no longer experimental"),
            ", and ",
            cited("a program on one thread is about 8 % slower in it", 1),
            ". The usual build still has the lock.",
        ),
    ]


def fold(window: OpenWindow, number: int, message_id: str) -> None:
    """Unfolds a part of a message."""
    view = window.transcript
    view.path.layout_of(message_id).toggle(number)
    view.auto_scroll.show_changes()


async def show(window: OpenWindow, path: list[Message], width: int = 1180, height: int = 900) -> None:
    window.window.resize(width, height)
    window.transcript.show_path(path)
    window.transcript.navigation.scroll_to_message("t0")


async def recall(window: OpenWindow) -> None:
    await show(window, two_rounds())


async def recall_unfolded(window: OpenWindow) -> None:
    await show(window, two_rounds())
    fold(window, 2, "t1")


async def recall_running(window: OpenWindow) -> None:
    await show(window, two_rounds()[:1])
    view = window.transcript
    view.stream.begin_answer(message(1, "assistant"))
    for part in two_rounds()[1].parts:
        view.stream.finish_part("t1", part)
    view.stream.finish_part("t1", found("c1", "t0"))


async def recall_awaiting(window: OpenWindow) -> None:
    await show(window, two_rounds()[:1])
    view, path = window.transcript, two_rounds()
    view.stream.begin_answer(message(1, "assistant"))
    for part in path[1].parts:
        view.stream.finish_part("t1", part)
    view.stream.continue_answer(path[1], path[2])


async def tool_cards(window: OpenWindow) -> None:
    await show(window, two_rounds())
    window.transcript.navigation.scroll_to_message("t6")
    for number in (0, 8):
        fold(window, number, "t7")


async def tools_narrow(window: OpenWindow) -> None:
    await show(window, two_rounds(), 560, 900)
    window.transcript.navigation.scroll_to_message("t6")


async def web_sources(window: OpenWindow) -> None:
    await show(window, searched())
    fold(window, 1, "t1")
    fold(window, -2, "t1")


def all_parameters(**asked: object) -> ThreadParameters:
    """A model that takes everything, in a thread of some length."""
    levels = ("low", "medium", "high", "xhigh", "max")
    model = ModelInfo(
        "sonnet", "Claude Sonnet 5.5", 1_000_000, 64_000, accepts_tools=True, efforts=levels, thinking="choice",
        web_search=True, temperature=True,
    )  # fmt: skip
    price = "After a change the next message reads 62K tokens again: $0.19 instead of $0.02."
    return ThreadParameters(model, Parameters(**asked), True, price)  # type: ignore[arg-type]


async def parameters(window: OpenWindow) -> None:
    window.window.resize(1000, 760)
    await window.settled()
    shown = all_parameters(effort="high", web_search=True)
    window.composer.picker.show_choice(ModelChoice("anthropic", "Anthropic", "sonnet", "Claude Sonnet 5.5"))
    window.composer.picker.show_parameters(differences(shown))
    window.composer.parameters.open(shown)


async def parameters_narrow(window: OpenWindow) -> None:
    window.window.resize(560, 700)
    window.shortcut("toggle_threads")
    await window.settled()
    shown = all_parameters(temperature=0.7, thinking=False)
    window.composer.picker.show_choice(ModelChoice("anthropic", "Anthropic", "sonnet", "Claude Sonnet 5.5"))
    window.composer.picker.show_parameters(differences(shown))
    window.composer.parameters.open(shown)


async def switching(window: OpenWindow) -> None:
    """What going on with another model costs."""
    window.window.resize(1000, 700)
    picker = window.composer.picker
    small = ModelInfo("qwen3:8b", "Qwen3 8B", 32_768, 8_192)
    choices = [
        ModelChoice("anthropic", "Anthropic", model.id, model.name, model.window, info=model,
                    prices=(model.prices.input, model.prices.output) if model.prices else None,
                    anew="Reads about 62K tokens again, $0.19")
        for model in shipped_models("anthropic")[:5]
    ]  # fmt: skip
    lacks = ("sees no images", "can't look up earlier messages")
    choices.append(
        ModelChoice("openai", "127.0.0.1:11434", "qwen3:8b", "Qwen3 8B", 32_768, cost="free", info=small, lacks=lacks,
                    anew="Reads about 62K tokens again")
    )  # fmt: skip
    picker.show_choice(choices[0])
    picker.show_choices(choices)
    menu = picker.menu_shown
    assert menu is not None
    menu.view.setCurrentIndex(menu.rows.index(7))


async def thinking_live(window: OpenWindow) -> None:
    await show(window, searched()[:1])
    view = window.transcript
    view.stream.begin_answer(message(1, "assistant"))
    view.stream.grow_answer("t1", "thinking", "First I look at what the question means.\n\nThen")
    view.stream.show_now()
    fold(window, 0, "t1")


TOOL_SCENES: tuple[Callable[[OpenWindow], Awaitable[None]], ...] = (
    recall,
    recall_unfolded,
    recall_running,
    recall_awaiting,
    tool_cards,
    tools_narrow,
    web_sources,
    thinking_live,
    parameters,
    parameters_narrow,
    switching,
)
