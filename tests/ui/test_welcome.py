"""The first start: what is found on this computer is offered, and one click leads to a thread that can be written."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import cast

import pytest
import pytest_asyncio
from PySide6.QtCore import Qt

from desktop_app.backends.base import Availability, Backend
from desktop_app.credentials.memory import MemorySecrets
from desktop_app.ui.welcome.way_row import WayRow
from tests.fakes.gated_backend import GatedBackend, said
from tests.servers.messages_api import HttpError, MessagesApi
from tests.ui.open_window import OpenWindow

pytestmark = pytest.mark.slow


def is_welcoming(window: OpenWindow) -> bool:
    return window.window.stage.welcoming


@pytest_asyncio.fixture
async def bare(data_dir: Path, qapp: object) -> AsyncIterator[OpenWindow]:
    """A window on a computer where nothing is set up but a (faked) local model."""
    async with OpenWindow.opened(data_dir, backend=None, local=GatedBackend("local")) as window:
        await window.until(lambda: window.window.stage.welcoming, "the welcome pane")
        await window.settled()
        yield window


@asynccontextmanager
async def key_window(data_dir: Path, address: str) -> AsyncIterator[OpenWindow]:
    """A window that asks for a key to a provider at `address`."""
    environ = {"HOME": str(data_dir.parent), "PATH": "", "ANTHROPIC_BASE_URL": address}
    async with OpenWindow.opened(data_dir, backend=None, environ=environ) as window:
        await window.until(lambda: window.window.stage.welcoming, "the welcome pane")
        await window.settled()
        yield window


def key_row(window: OpenWindow) -> WayRow:
    row = window.window.stage.welcome.row("anthropic")
    assert row is not None
    return row


async def test_with_nothing_set_up_the_ways_are_shown_and_local_is_not_taken_by_itself(bare: OpenWindow) -> None:
    rows = bare.window.stage.welcome.rows
    assert [row.way.backend for row in rows if row.button.isVisible()] == ["local", "anthropic"]
    local = bare.window.stage.welcome.row("local")
    assert local is not None
    assert "tiny model" in local.way.detail
    assert not bare.composer.isVisible()
    claude = bare.window.stage.welcome.row("claude-cli")
    assert claude is not None
    assert not claude.button.isVisible()
    assert claude.way.detail


async def test_one_click_on_try_it_offline_gets_an_answer(bare: OpenWindow) -> None:
    row = bare.window.stage.welcome.row("local")
    assert row is not None
    row.button.click()
    await bare.until(lambda: not bare.window.stage.welcoming, "the composer")
    await bare.settled()
    assert bare.editor.hasFocus()
    assert bare.composer.picker.text() == "big · Gated"
    local = cast("GatedBackend", bare.services.backends["local"])
    bare.type("hello")
    await bare.send("")
    assert said(local.plans[0]) == [("user", ("hello",))]
    assert (await bare.thread()).backend == "local"


async def test_a_new_thread_goes_on_with_the_backend_that_the_user_chose(bare: OpenWindow) -> None:
    row = bare.window.stage.welcome.row("local")
    assert row is not None
    row.button.click()
    await bare.settled()
    await bare.send("hello")
    bare.shortcut("new_thread")
    await bare.settled()
    assert not bare.window.stage.welcoming
    await bare.send("again")
    assert (await bare.thread()).backend == "local"


async def test_a_key_is_tried_then_stored_and_its_backend_chosen(data_dir: Path, qapp: object) -> None:
    async with MessagesApi() as api, key_window(data_dir, api.url) as window:
        row = key_row(window)
        assert not row.button.isEnabled()
        window.type("sk-ant-test", row.key)
        row.button.click()
        await window.until(lambda: not window.window.stage.welcoming, "the composer")
        assert [request.path for request in api.requests] == ["/v1/models"]
        assert await window.services.secrets.get("anthropic") == "sk-ant-test"
        assert (await window.thread()).backend == "anthropic"
        for path in window.session.paths.root.rglob("*"):
            assert not path.is_file() or b"sk-ant-test" not in path.read_bytes()


async def test_a_key_that_is_refused_stays_in_its_field_and_is_not_stored(data_dir: Path, qapp: object) -> None:
    async with MessagesApi() as api, key_window(data_dir, api.url) as window:
        api.script(HttpError(401), path="/v1/models")
        row = key_row(window)
        window.type("sk-ant-wrong", row.key)
        window.press(Qt.Key.Key_Return, widget=row.key)
        await window.until(row.problem.isVisible, "the refusal")
        assert row.problem.text() == "Anthropic does not accept this key. Check it."
        assert row.key.text() == "sk-ant-wrong"
        assert (row.button.text(), row.button.isEnabled()) == ("Store the key", True)
        assert await window.services.secrets.get("anthropic") is None
        window.type("x", row.key)
        assert not row.problem.isVisible()


async def test_a_key_can_be_stored_while_its_provider_is_out_of_reach(data_dir: Path, qapp: object) -> None:
    async with MessagesApi() as api, key_window(data_dir, api.url) as window:
        api.script(HttpError(529), path="/v1/models")
        row = key_row(window)
        window.type("sk-ant-test", row.key)
        row.button.click()
        await window.until(lambda: row.button.text() == "Store untested", "the second way")
        assert row.problem.isVisible()
        row.button.click()
        await window.until(lambda: not window.window.stage.welcoming, "the composer")
        assert await window.services.secrets.get("anthropic") == "sk-ant-test"
        assert len(api.requests) == 1


async def test_a_key_that_is_there_needs_no_welcome(data_dir: Path, qapp: object) -> None:
    secrets = MemorySecrets(keys={"anthropic": "sk-ant-test"})
    async with OpenWindow.opened(data_dir, backend=None, secrets=secrets) as window:
        await window.settled()
        assert not window.window.stage.welcoming
        assert window.composer.picker.text().endswith(window.services.backends["anthropic"].title)


async def test_the_pane_can_be_reached_later_and_left_again(window: OpenWindow) -> None:
    await window.send("a thread")
    window.shortcut("connections")
    await window.settled()
    assert is_welcoming(window)
    window.window.escape_pressed.emit()
    assert not is_welcoming(window)
    assert window.composer.isVisible()


async def test_a_way_that_is_not_there_says_what_to_do(bare: OpenWindow) -> None:
    local = cast("dict[str, Backend]", bare.services.backends)["local"]
    assert isinstance(local, GatedBackend)
    local.available = Availability(False, "The model file is missing. Install it with ./dev.")
    bare.shortcut("connections")
    await bare.settled()
    row = bare.window.stage.welcome.row("local")
    assert row is not None
    assert not row.button.isVisible()
    assert row.detail.text() == "The model file is missing. Install it with ./dev."


@pytest.mark.slow
async def test_the_real_local_model_answers_after_one_click(data_dir: Path, qapp: object) -> None:
    async with OpenWindow.opened(data_dir, backend=None) as window:
        await window.until(lambda: window.window.stage.welcoming, "the welcome pane")
        await window.settled()
        row = window.window.stage.welcome.row("local")
        assert row is not None
        if not row.button.isVisible():
            pytest.skip(row.way.detail)
        row.button.click()
        await window.until(lambda: not window.window.stage.welcoming, "the composer")
        await window.settled()
        window.type("Say hello.")
        await window.send("", patience_s=60)
        answer = (await window.opened_thread()).path[-1]
        assert answer.failure is None
        assert answer.text.strip()
