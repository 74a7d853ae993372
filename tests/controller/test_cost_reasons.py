"""Why an answer cost more, over the wire: what the server billed, and one sentence for it (CTX-19)."""

from __future__ import annotations

from desktop_app.controller.open_threads import OpenThread
from desktop_app.core.messages import DocumentPart, TextPart
from desktop_app.core.settings import ContextSettings, Settings
from tests.controller.test_living_caches import HAIKU, Talk
from tests.controller.test_living_caches import talk as talk  # noqa: PLC0414 - a fixture
from tests.controller.test_prices_over_the_wire import text
from tests.servers.messages_api import Answer, ToolUse


async def reasons(talk: Talk) -> dict[str, str]:
    return dict(await talk.world.chat.cost_reasons(talk.thread))


async def opened(talk: Talk) -> OpenThread:
    return await talk.world.chat.open_thread(talk.thread)


async def why(talk: Talk) -> str:
    """The cause that is named for the newest answer."""
    tip = (await opened(talk)).path[-1].id
    words = (await reasons(talk)).get(tip, "")
    assert not words or " instead of " in words
    return words.partition(": ")[2]


async def test_a_turn_like_the_others_says_nothing(talk: Talk) -> None:
    await talk.send()
    assert await why(talk) == ""


async def test_a_pause(talk: Talk) -> None:
    await talk.send()
    talk.wait(7_300)
    usage = await talk.send()
    assert usage.cache_read == 0
    assert await why(talk) == "cache expired after 2 hours"
    assert usage.cost_usd is not None
    assert (await reasons(talk))[(await opened(talk)).path[-1].id].startswith(f"${usage.cost_usd:.2f} instead of $0.0")


async def test_another_model(talk: Talk) -> None:
    await talk.switch("anthropic", HAIKU)
    await talk.send()
    await talk.switch("anthropic", "claude-sonnet-4-5")
    await talk.send()
    assert await why(talk) == "Claude Sonnet 4.5 had nothing cached"


async def test_a_system_prompt(talk: Talk) -> None:
    await talk.send()
    await talk.world.chat.set_system(talk.thread, "Be kind. " + text(2_000))
    await talk.send()
    assert await why(talk) == "the system prompt changed"


async def test_a_step(talk: Talk) -> None:
    await talk.send()
    talk.settings[0] = Settings(context=ContextSettings(max_turns=6))
    await talk.send()
    assert await why(talk) == "older messages were left out"


async def test_an_excluded_message(talk: Talk) -> None:
    await talk.send()
    path = (await opened(talk)).path
    await talk.world.chat.context_editing.exclude(talk.thread, [path[2].id, path[3].id])
    await talk.send()
    assert await why(talk) == "an earlier message was left out"


async def test_an_edited_question(talk: Talk) -> None:
    """The answer before it had its cache five turns ago, which its own branch kept alive in another place."""
    for _ in range(6):
        await talk.send()
        talk.wait(200)
    path = (await opened(talk)).path
    task = await talk.world.chat.start_edit(talk.thread, path[12].id, [TextPart("And what of this?")])
    assert (await task).failure is None
    tip = (await opened(talk)).path
    assert tip[-2].parent_id == path[11].id
    assert await why(talk) == "an earlier message was edited"


async def test_an_attachment(talk: Talk) -> None:
    await talk.send()
    book = DocumentPart("report.txt", text(60_000), "0" * 64)
    assert (await talk.world.chat.send(talk.thread, (book, TextPart("And this?")))).failure is None
    assert await why(talk) == "report.txt was attached"


async def test_a_long_question(talk: Talk) -> None:
    await talk.send()
    await talk.send(text(30_000))
    assert await why(talk) == "a long question"


async def test_rounds_of_tools(talk: Talk) -> None:
    await talk.send()
    talk.settings[0] = Settings(context=ContextSettings(max_turns=4))
    await talk.send()
    await talk.send()
    calls = [
        Answer(ToolUse("search_this_thread", {"query": f"word {n}"}, f"toolu_{n}"), stop_reason="tool_use")
        for n in range(9)
    ]
    talk.api.script(*calls)
    await talk.send()
    assert await why(talk) == "9 tool calls"
