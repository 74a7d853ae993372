"""What holds for both backends that speak to a provider's API: how a stream is read, how it is stopped."""

from __future__ import annotations

import asyncio
import gc
import subprocess
import sys
import threading
from collections.abc import Callable

import pytest

from desktop_app.core.messages import ToolCallPart
from desktop_app.core.stream_events import Ended, PartFinished, SignOfLife, TextDelta
from tests.backends.both_apis import Api, ApiBackend, Provider, for_both
from tests.backends.plans import Collected, close_after, collect, none_left
from tests.patience import PATIENCE_S
from tests.servers.messages_api import (
    HELLO,
    Answer,
    Behaviour,
    Drop,
    HttpError,
    NoReply,
    Stall,
    Think,
    ToolUse,
    Wait,
    rate_limited,
)


@for_both
async def test_characters_and_events_may_be_split(provider: Provider, api: Api, backend: ApiBackend) -> None:
    api.script(Answer("Grüße ", "世界 🌍", drip=1))
    assert (await collect(backend.stream(provider.plan))).text == "Grüße 世界 🌍"


@for_both
async def test_a_delta_of_300_kb_arrives_whole(provider: Provider, api: Api, backend: ApiBackend) -> None:
    large = "ä" * 150_000
    api.script(Answer(large))
    assert (await collect(backend.stream(provider.plan))).text == large


@for_both
async def test_a_call_that_is_being_written_gives_signs_of_life(
    provider: Provider, api: Api, backend: ApiBackend, monkeypatch: pytest.MonkeyPatch
) -> None:
    api.script(Answer("Now", ToolUse("search", {"q": "long"}), stop_reason="tool_use"))
    monkeypatch.setattr("desktop_app.backends.response_bodies.SIGN_EVERY_S", 0.0)
    events = (await collect(backend.stream(provider.plan))).events
    call = next(one for one in events if isinstance(one, PartFinished) and isinstance(one.part, ToolCallPart))
    assert SignOfLife() in events[events.index(TextDelta("Now")) : events.index(call)]


@for_both
async def test_the_connection_is_used_again(provider: Provider, api: Api, backend: ApiBackend) -> None:
    for _ in range(3):
        await collect(backend.stream(provider.plan))
    assert len(api.answers) == 3
    assert len({request.client_port for request in api.answers}) == 1


@for_both
async def test_a_connection_lost_after_the_reason_lost_nothing(
    provider: Provider, api: Api, backend: ApiBackend
) -> None:
    api.script(Answer("all", provider.reached_limit, Drop()))
    answer = await collect(backend.stream(provider.plan))
    assert (answer.text, answer.events[-1]) == ("all", Ended("max_tokens"))


@for_both
async def test_several_answers_at_once(provider: Provider, api: Api, backend: ApiBackend) -> None:
    api.script(*[Answer(f"{number}") for number in range(5)])
    answers = await asyncio.gather(*[collect(backend.stream(provider.plan)) for _ in range(5)])
    assert sorted(answer.text for answer in answers) == ["0", "1", "2", "3", "4"]


@for_both
async def test_a_changed_key_is_used_at_once(provider: Provider, api: Api) -> None:
    keys = iter(["sk-first", "sk-second"])

    async def ask() -> str | None:
        return next(keys)

    backend = provider.backend_for(api.url, ask=ask)
    for _ in range(2):
        await collect(backend.stream(provider.plan))
    assert [one.headers["authorization"] for one in api.answers] == ["Bearer sk-first", "Bearer sk-second"]
    await backend.close()


MOMENTS: dict[str, Callable[[Provider], Behaviour]] = {
    "before an answer": lambda _: NoReply(),
    "before a word": lambda _: Answer(Stall()),
    "in the text": lambda _: Answer("a", Wait(threading.Event())),
    "in the thinking": lambda _: Answer(Think("hm"), Stall()),
    "after the reason": lambda provider: Answer("a", provider.reached_limit, Stall()),
    "waiting to try again": lambda _: rate_limited(30),
}


@for_both
@pytest.mark.parametrize("moment", MOMENTS)
@pytest.mark.parametrize("how", ["cancel", "aclose"])
async def test_stops_at_any_moment(provider: Provider, api: Api, backend: ApiBackend, moment: str, how: str) -> None:
    behaviour = MOMENTS[moment](provider)
    api.script(behaviour)
    before = asyncio.all_tasks()
    stream, seen, moved = backend.stream(provider.plan), Collected(), asyncio.Event()

    async def read() -> None:
        async for event in stream:
            seen.add(event)
            moved.set()

    reading = asyncio.create_task(read())
    if moment == "before an answer" or (moment == "before a word" and not provider.greets):
        await api.arrived(1)
    else:
        await asyncio.wait_for(moved.wait(), PATIENCE_S)
    reading.cancel()
    with pytest.raises(asyncio.CancelledError):
        await reading
    if how == "aclose":
        await stream.aclose()
    await none_left(before)
    assert await asyncio.to_thread(api.answers[0].ended.wait, PATIENCE_S)
    if not isinstance(behaviour, HttpError):
        assert api.answers[0].disconnected
    assert (await collect(backend.stream(provider.plan))).text == HELLO


@for_both
async def test_closing_the_iterator_between_two_events_stops_the_model(
    provider: Provider, api: Api, backend: ApiBackend
) -> None:
    api.script(Answer(*"abc", Stall()))
    await close_after(1, backend.stream(provider.plan))
    assert await asyncio.to_thread(api.answers[0].ended.wait, PATIENCE_S)
    assert api.answers[0].disconnected


@for_both
async def test_a_stop_leaves_nothing_to_the_garbage_collector(
    provider: Provider, api: Api, backend: ApiBackend, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Under Qt's event loop nobody closes a generator that was dropped: Python would complain aloud."""
    complaints: list[object] = []
    monkeypatch.setattr(sys, "unraisablehook", complaints.append)
    hooks = sys.get_asyncgen_hooks()
    sys.set_asyncgen_hooks(None, None)
    try:
        api.script(Answer("a", Stall()))
        stream = backend.stream(provider.plan)
        while not isinstance(await anext(stream), TextDelta):
            pass
        await stream.aclose()
        del stream
        gc.collect()
    finally:
        sys.set_asyncgen_hooks(*hooks)
    assert complaints == []


@for_both
async def test_stops_before_the_sdk_is_there(provider: Provider, api: Api) -> None:
    backend = provider.backend_for(api.url)
    reading = asyncio.create_task(collect(backend.stream(provider.plan)))
    await asyncio.sleep(0)
    reading.cancel()
    with pytest.raises(asyncio.CancelledError):
        await reading
    assert api.requests == []
    await backend.close()


def test_importing_a_backend_imports_no_sdk() -> None:
    sdks = ("anthropic", "openai", "httpx2", "xllamacpp", "keyring", "pydantic")
    program = (
        "import sys, desktop_app.backends.anthropic_backend, desktop_app.backends.openai.openai_backend;"
        "import desktop_app.backends.local, desktop_app.backends.scripted_backend;"
        "import desktop_app.credentials.key_stores;"
        f"print([name for name in {sdks} if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
