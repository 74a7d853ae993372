"""Artifacts through the real backends: what the servers get of them in later requests."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from desktop_app.controller.artifact_library import Artifacts, artifact_tools
from desktop_app.controller.ports import Announcements
from desktop_app.core.artifacts import CREATE, UPDATE
from tests.benchmarks.thread_loop import wired_backend
from tests.controller.test_artifacts import BRD, OfferedCreate, OfferedUpdate
from tests.controller.test_tools_over_the_wire import BACKENDS, calling, last_is_result, last_said, server
from tests.controller.world import WatchedHistory, World, make_world, words
from tests.servers.messages_api import Answer, CapturedRequest, ToolUse

pytestmark = pytest.mark.slow

FIRST, SECOND, THIRD = "Write the BRD of orders.", "Prices are to be in euros.", "Thank you. What is next?"


def named(body: Any, tool: str) -> str:
    """A tool's name as this backend offers it."""
    names = [str(one.get("name") or one.get("function", {}).get("name")) for one in body.get("tools") or ()]
    return next((name for name in names if tool in name), "")


async def talking(
    name: str, api: Any, folder: Path, history: WatchedHistory, *, own: bool = False
) -> tuple[World, Artifacts, str, Any]:
    """`own`: the tools are offered as the app offers them; else in every request."""
    made = wired_backend(name, api, folder)
    backend = await made.__aenter__()
    announcements = Announcements()

    async def rewrite(*_: object) -> str:
        return ""

    artifacts = Artifacts(history, announcements, threads=lambda: world.chat, rewrite=rewrite)
    tools = artifact_tools(artifacts) if own else (OfferedCreate(artifacts), OfferedUpdate(artifacts))
    world = await make_world(
        history,
        {backend.name: backend},
        tools=tools,
        announcements=announcements,
        artifacts=artifacts.contexts if own else None,
    )
    model = "gpt-5.2" if name == "openai" else "claude-sonnet-5-5"
    thread = await world.chat.new_thread(backend=backend.name, model=model)
    return world, artifacts, thread.id, made


@pytest.mark.parametrize("name", BACKENDS)
async def test_what_is_made_and_changed_by_edits_is_two_notes_in_the_third_request(
    name: str, history: WatchedHistory, tmp_path: Path
) -> None:
    bodies: list[str] = []

    def model(request: CapturedRequest) -> Answer:
        text = json.dumps(last_said(request.body), ensure_ascii=False)
        create, update = named(request.body, CREATE.name), named(request.body, UPDATE.name)
        if not create:
            return Answer("A title.")
        bodies.append(json.dumps(request.body["messages"], ensure_ascii=False))
        if last_is_result(request.body):
            return Answer("Done.")
        # the program has all that was said in one message: the newest counts
        if THIRD in text:
            return Answer("Nothing.")
        if SECOND in text:
            edit = {"old": "Prices are in cents.", "new": "Prices are in euros."}
            return calling(name, ToolUse(update, {"id": "Order BRD", "edits": [edit]}, "toolu_2"))
        return calling(name, ToolUse(create, {"title": "Order BRD", "kind": "markdown", "text": BRD}, "toolu_1"))

    with server(name, model) as api:
        world, artifacts, thread_id, made = await talking(name, api, tmp_path, history)
        try:
            for text in (FIRST, SECOND, THIRD):
                assert (await world.chat.send(thread_id, words(text))).failure is None
        finally:
            await made.__aexit__(None, None, None)
    (artifact,) = await artifacts.of_thread(thread_id)
    newest = await artifacts.newest(artifact.id)
    assert (newest.number, newest.text) == (2, BRD.replace("cents", "euros"))
    third = bodies[-1]
    assert THIRD in third
    assert "[created artifact] Order BRD v1" in third
    assert "[created artifact] Order BRD v2" in third
    assert "An order has lines." not in third
    assert "toolu_1" not in third
    # the user's own words stand as they were typed
    assert FIRST in third
    assert SECOND in third


@pytest.mark.parametrize("name", BACKENDS)
async def test_an_answer_that_is_kept_is_its_note_in_the_next_request(
    name: str, history: WatchedHistory, tmp_path: Path
) -> None:
    bodies: list[str] = []

    def model(request: CapturedRequest) -> Answer:
        bodies.append(json.dumps(request.body["messages"], ensure_ascii=False))
        return Answer(BRD if FIRST in bodies[-1] and THIRD not in bodies[-1] else "Nothing.")

    with server(name, model) as api:
        world, artifacts, thread_id, made = await talking(name, api, tmp_path, history)
        try:
            outcome = await world.chat.send(thread_id, words(FIRST))
            assert outcome.message is not None
            await artifacts.keep(outcome.message)
            await world.chat.send(thread_id, words(THIRD))
        finally:
            await made.__aexit__(None, None, None)
    assert "[created artifact] Order BRD v1" in bodies[-1]
    assert "An order has lines." not in bodies[-1]
    assert FIRST in bodies[-1]


@pytest.mark.parametrize("name", BACKENDS)
async def test_outside_of_projects_the_model_can_read_and_change_what_was_kept(
    name: str, history: WatchedHistory, tmp_path: Path
) -> None:
    """Its note does not say what stands there: the tools are offered as soon as there is an artifact."""
    shorten, offered, results = "Please shorten the second point of it.", list[tuple[bool, bool]](), list[str]()

    def model(request: CapturedRequest) -> Answer:
        update = named(request.body, UPDATE.name)
        offered.append((bool(named(request.body, CREATE.name)), bool(update)))
        said = json.dumps(request.body["messages"], ensure_ascii=False)
        if shorten not in said:
            return Answer(BRD)
        if not last_is_result(request.body):
            return calling(name, ToolUse(update, {"id": "Order BRD"}, "toolu_1")) if update else Answer("No.")
        results.append(json.dumps(last_said(request.body), ensure_ascii=False))
        if len(results) > 1:
            return Answer("Done.")
        edit = {"old": "Prices are in pounds.", "new": "In pounds."}
        return calling(name, ToolUse(update, {"id": "Order BRD", "edits": [edit]}, "toolu_2"))

    with server(name, model) as api:
        world, artifacts, thread_id, made = await talking(name, api, tmp_path, history, own=True)
        try:
            outcome = await world.chat.send(thread_id, words(FIRST))
            assert outcome.message is not None
            kept = await artifacts.keep(outcome.message)
            await artifacts.update(kept.id, BRD.replace("cents", "pounds"))
            offered_before, offered[:] = set(offered), []
            assert (await world.chat.send(thread_id, words(shorten))).failure is None
        finally:
            await made.__aexit__(None, None, None)
    assert offered_before == {(False, False)}, "a thread without artifacts is a plain one"
    assert offered[0] == (True, True)
    assert "Prices are in pounds." in results[0]
    assert "Version 2" in results[0]
    assert "may name an earlier version" in results[0]
    newest = await artifacts.newest(kept.id)
    assert (newest.number, newest.author) == (3, "model")
    assert "In pounds." in newest.text
