"""The first start: what is found on this computer is offered, and one click leads to a thread that can be written."""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import cast

import pytest
import pytest_asyncio
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QMenu, QPushButton
from pytestqt.qtbot import QtBot

from desktop_app.backends.backend_protocol import Availability, Backend
from desktop_app.controller.connections import KEY_SERVICES
from desktop_app.controller.server_keys import key_entry
from desktop_app.ui.connections.available_models import LeftKey
from desktop_app.ui.connections.connections_page import ConnectionRow, ConnectionsPage
from desktop_app.ui.connections.welcome_pane import CLAUDE_CODE_GUIDE, WelcomePane, WelcomeRow
from desktop_app.ui.preferences.sync_page import SyncPage
from desktop_app.ui.theme.theme import load_theme
from tests.fakes.gated_backend import GatedBackend, said
from tests.fakes.memory_secrets import NO_KEYRING, MemorySecrets, NoKeyring
from tests.servers.chat_api import ChatApi
from tests.servers.messages_api import HttpError, MessagesApi
from tests.ui.open_window import OpenWindow

pytestmark = pytest.mark.slow

CLAUDE = """#!/bin/sh
case "$*" in
  *--version*) echo "9.0.0 (Claude Code)";;
  *auth*) [ -e "$HOME/logged-in" ];;
esac
"""
"""Answers what is asked of the program at the start."""


def is_welcoming(window: OpenWindow) -> bool:
    return window.window.stage.welcoming


@pytest_asyncio.fixture
async def bare(data_dir: Path, qapp: object) -> AsyncIterator[OpenWindow]:
    """A window on a computer where nothing is set up but a (faked) local model."""
    async with OpenWindow.opened(data_dir, backend=None, local=GatedBackend("local")) as window:
        await window.until(lambda: window.window.stage.welcoming, "the welcome pane")
        await window.settled()
        yield window


async def test_threads_of_another_computer_are_a_click_away(bare: OpenWindow) -> None:
    bare.window.stage.welcome.join.click()
    await bare.until(lambda: isinstance(bare.presenters.pages.page, SyncPage), "the page")
    await bare.settled()
    bare.presenters.pages.leave()
    await bare.settled()
    assert is_welcoming(bare)


@asynccontextmanager
async def key_window(data_dir: Path, address: str, secrets: MemorySecrets | None = None) -> AsyncIterator[OpenWindow]:
    """A window that asks for a key to a provider at `address`."""
    environ = {"HOME": str(data_dir.parent), "PATH": "", "ANTHROPIC_BASE_URL": address}
    async with OpenWindow.opened(data_dir, backend=None, environ=environ, secrets=secrets) as window:
        await window.until(lambda: window.window.stage.welcoming, "the welcome pane")
        await window.settled()
        yield window


def key_row(window: OpenWindow) -> WelcomeRow:
    row = window.window.stage.welcome.row("key")
    assert row is not None
    return row


async def test_with_nothing_found_each_card_has_one_line_and_one_action_and_offline_comes_last(
    bare: OpenWindow,
) -> None:
    rows = [row for row in bare.window.stage.welcome.rows if row.isVisible()]
    assert [row.way.backend for row in rows] == ["key", "claude-cli", "openai", "local"]
    for row in rows:
        assert row.button.isVisible()
        assert row.detail.height() < 2 * row.detail.fontMetrics().height(), row.detail.text()
    assert not bare.composer.isVisible()
    assert key_row(bare).key.hasFocus()


async def test_the_cards_are_made_at_once_and_fill_in_as_checks_end(qtbot: QtBot) -> None:
    pane = WelcomePane(load_theme("light"))
    qtbot.addWidget(pane)
    assert [row.way.backend for row in pane.rows] == ["key", "claude-cli", "openai", "local"]
    pane.show_detail("claude-cli", "Not found.")
    pane.show_offline(offered=False)
    _, claude, _, local = pane.rows
    assert claude.detail.text() == "Not found."
    assert local.isHidden()


async def test_a_server_of_this_computer_answers_without_a_click(data_dir: Path, qapp: object) -> None:
    async with ChatApi() as empty, ChatApi() as api:
        api.keyed = empty.keyed = False
        empty.models = []
        api.models = [{"id": "llama3:latest"}, {"id": "qwen3:8b"}]
        look_at = (("LM Studio", empty.url), ("Ollama", api.url))
        async with OpenWindow.opened(data_dir, backend=None, fakes=False, look_at=look_at) as window:
            await window.until(lambda: "llama3:latest" in window.composer.picker.text(), "the model")
            await window.settled()
            assert window.window.stage.reading
            assert window.editor.hasFocus()
            await window.send("hello")
            assert api.answers[-1].body["model"] == "llama3:latest"


async def test_what_is_typed_while_a_server_is_looked_for_is_sent_to_it(data_dir: Path, qapp: object) -> None:
    async with ChatApi() as api:
        api.keyed = False
        look_at, words = (("Ollama", api.url),), "typed at once"
        async with OpenWindow.opened(
            data_dir, backend=None, fakes=False, look_at=look_at, type_at_once=words
        ) as window:
            await window.until(lambda: "test-model" in window.composer.picker.text(), "the model")
            await window.settled()
            assert window.composer.text() == "typed at once"
            await window.send("")
            assert "typed at once" in str(api.answers[-1].body["messages"])


async def test_no_card_flashes_while_a_slow_server_is_asked(data_dir: Path, qapp: object) -> None:
    async with ChatApi() as api:
        api.keyed = False
        async with OpenWindow.opened(data_dir, backend=None, fakes=False) as window:
            await window.until(lambda: is_welcoming(window), "the cards")
            window.services.connections.look_at = (("Ollama", api.url),)
            window.window.show_welcome(False)
            shown: list[str] = []
            window.presenters.connections.welcome_wanted.connect(lambda: shown.append("cards"))
            window.presenters.connections._looking = None  # as at a start
            for _ in range(3):
                window.presenters.connections.show_choice()
            await window.until(lambda: "test-model" in window.composer.picker.text(), "the model")
            await window.settled()
            assert shown == []


async def test_a_server_without_a_model_is_named_and_none_is_taken(data_dir: Path, qapp: object) -> None:
    async with ChatApi() as api:
        api.keyed = False
        api.models = []
        look_at = (("Ollama", api.url),)
        async with OpenWindow.opened(data_dir, backend=None, fakes=False, look_at=look_at) as window:
            await window.until(lambda: is_welcoming(window), "the cards")
            await window.settled()
            row = window.window.stage.welcome.row("openai")
            assert row is not None
            assert row.detail.text().startswith("Ollama runs here without a model.")


@pytest.mark.parametrize(("variable", "title"), [("ANTHROPIC_API_KEY", "Anthropic"), ("OPENAI_API_KEY", "OpenAI")])
async def test_a_key_in_the_environment_needs_no_click(data_dir: Path, qapp: object, variable: str, title: str) -> None:
    environ = {"HOME": str(data_dir.parent), "PATH": "", variable: "sk-from-the-environment"}
    async with OpenWindow.opened(data_dir, backend=None, environ=environ, secrets=MemorySecrets(environ)) as window:
        await window.settled()
        assert window.window.stage.reading
        assert window.editor.hasFocus()
        assert window.composer.picker.text().endswith(title)


async def test_a_claude_login_needs_no_click_and_without_one_its_card_says_so(data_dir: Path, qapp: object) -> None:
    program = data_dir.parent / "claude"
    program.write_text(CLAUDE)
    program.chmod(0o700)
    login = data_dir.parent / "logged-in"
    environ = {"HOME": str(data_dir.parent), "PATH": os.environ["PATH"], "PLIMSOLL_CLAUDE": str(program)}
    async with OpenWindow.opened(data_dir, backend=None, fakes=False, environ=environ) as window:
        await window.until(lambda: is_welcoming(window), "the cards")
        await window.settled()
        row = window.window.stage.welcome.row("claude-cli")
        assert row is not None
        assert "log in" in row.detail.text()
        login.touch()
        QTest.mouseClick(row.button, Qt.MouseButton.LeftButton)
        await window.until(lambda: window.window.stage.reading, "the composer")
        await window.settled()
        assert window.editor.hasFocus()
        assert window.composer.picker.text().endswith("Claude Code")
    async with OpenWindow.opened(data_dir.parent / "other", backend=None, fakes=False, environ=environ) as another:
        await another.settled()
        assert another.window.stage.reading
        assert another.composer.picker.text().endswith("Claude Code")


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
        await window.settled()
        assert [request.path for request in api.requests] == ["/v1/models"]
        assert await window.services.secrets.get("anthropic") == "sk-ant-test"
        assert (await window.thread()).backend == "anthropic"
        for path in window.session.paths.root.rglob("*"):
            assert not path.is_file() or b"sk-ant-test" not in path.read_bytes()


@pytest.mark.parametrize("key", ["gsk_of-mine", "nobody-knows-this-one"])
async def test_a_key_of_any_service_is_recognized_or_asked_about_and_goes_to_that_service_alone(
    data_dir: Path, qapp: object, key: str
) -> None:
    async with MessagesApi() as other, ChatApi() as api, key_window(data_dir, other.url) as window:
        connections = window.services.connections
        services = [replace(one, address=api.url if one.name == "Groq" else one.address) for one in KEY_SERVICES]
        connections.key_services = services
        api.models = [{"id": "of-groq"}]
        row = key_row(window)
        window.type(key, row.key)
        window.press(Qt.Key.Key_Return, widget=row.key)
        if not key.startswith("gsk_"):
            assert row.problem.text() == "Which service is this key for?"
            assert [*api.requests, *other.requests] == []
            menu = row.findChild(QMenu)
            assert menu is not None
            next(one for one in menu.actions() if one.text() == "Groq").trigger()
            menu.close()
        await window.until(lambda: not window.window.stage.welcoming, "the composer")
        await window.settled()
        await window.send("hello")
        assert api.answers[-1].body["model"] == "of-groq"
        assert {one.headers["authorization"] for one in api.requests} == {f"Bearer {key}"}
        assert other.requests == []
        assert connections.address_of((await window.thread()).backend or "") == api.url


async def test_the_pages_that_give_keys_open_by_a_click_alone(bare: OpenWindow) -> None:
    links: list[str] = []
    bare.presenters.connections.link_wanted.disconnect()
    bare.presenters.connections.link_wanted.connect(links.append)
    row = key_row(bare)
    assert row.guide.text() == "Get a key"
    row.guide.click()
    menu = row.findChild(QMenu)
    assert menu is not None
    assert [one.text() for one in menu.actions()][:3] == ["Anthropic", "OpenAI", "DeepSeek"]
    assert links == []
    menu.actions()[0].trigger()
    menu.close()
    assert links == ["https://console.anthropic.com/settings/keys"]


async def test_a_key_that_is_refused_stays_in_its_field_and_is_not_stored(data_dir: Path, qapp: object) -> None:
    async with MessagesApi() as api, key_window(data_dir, api.url) as window:
        api.script(HttpError(401), path="/v1/models")
        row = key_row(window)
        window.type("sk-ant-wrong", row.key)
        window.press(Qt.Key.Key_Return, widget=row.key)
        await window.until(row.problem.isVisible, "the refusal")
        assert row.problem.text() == "Anthropic does not accept this key. Check it."
        assert row.key.text() == "sk-ant-wrong"
        assert (row.button.text(), row.button.isEnabled()) == ("Save key", True)
        assert await window.services.secrets.get("anthropic") is None
        window.type("x", row.key)
        assert not row.problem.isVisible()


async def test_a_key_can_be_stored_while_its_provider_is_out_of_reach(data_dir: Path, qapp: object) -> None:
    async with MessagesApi() as api, key_window(data_dir, api.url) as window:
        api.script(HttpError(529), path="/v1/models")
        row = key_row(window)
        window.type("sk-ant-test", row.key)
        row.button.click()
        await window.until(lambda: row.button.text() == "Save anyway", "the second way")
        assert row.problem.text().endswith("The key was not tested: it may be mistyped, expired or without credit.")
        row.button.click()
        await window.until(lambda: not window.window.stage.welcoming, "the composer")
        assert await window.services.secrets.get("anthropic") == "sk-ant-test"
        assert len(api.requests) == 1


async def shown_row(window: OpenWindow, connection: tuple[str, str]) -> ConnectionRow:
    """Opens the page of connections."""
    window.shortcut("connections")
    page = window.presenters.pages.page
    assert isinstance(page, ConnectionsPage)
    await window.until(lambda: page.row(connection) is not None, "the connection")
    row = page.row(connection)
    assert row is not None
    return row


@pytest.mark.parametrize("status", [401, 529, 200])
async def test_a_key_that_was_left_while_it_is_tested_is_told_of_and_its_user_stays_where_they_are(
    data_dir: Path, qapp: object, status: int
) -> None:
    async with MessagesApi() as api, key_window(data_dir, api.url) as window:
        if status != 200:
            api.script(HttpError(status), path="/v1/models")
        server = window.window.stage.welcome.row("openai")
        assert server is not None
        window.type("sk-ant-test", key_row(window).key)
        window.press(Qt.Key.Key_Return, widget=key_row(window).key)
        server.button.click()  # at once: nothing was answered yet
        toast, page = window.window.toast, window.presenters.pages.page
        assert isinstance(page, ConnectionsPage)
        if status == 200:
            await window.until(toast.isVisible, "the word on the key")
            assert (toast.words, await window.services.secrets.get("anthropic")) == ("Key saved", "sk-ant-test")
            return
        await window.until(lambda: window.presenters.connections.left_keys, "the test's end")
        await window.settled()
        assert not toast.isVisible()
        assert page.server.address.hasFocus()
        words, button = {
            401: ("Anthropic does not accept this key. Check it.", "Save key"),
            529: (
                "Anthropic is overloaded at the moment. Try again in a while. The key was not tested: ",
                "Save anyway",
            ),
        }[status]
        row = page.row(("anthropic", ""))
        assert row is not None
        assert (row.key.text(), row.save.text()) == ("sk-ant-test", button)
        assert row.problem.text().startswith(words)
        page.back.click()
        row = await shown_row(window, ("anthropic", ""))
        assert (row.key.text(), row.save.text(), row.key.isVisible()) == ("sk-ant-test", button, True), (
            "until it is used"
        )
        row.save.click()
        await window.until(lambda: toast.words == "Key saved", "the key")
        assert await window.services.secrets.get("anthropic") == "sk-ant-test"
        window.press(Qt.Key.Key_Escape, widget=window.window.stage.currentWidget())
        await window.until(lambda: window.presenters.pages.page is None, "the thread")
        assert window.presenters.connections.left_keys == {}


async def test_a_key_for_a_service_that_is_not_set_up_is_kept_on_a_card_of_its_own_until_it_is_taken_back(
    data_dir: Path, qapp: object
) -> None:
    service = next(one for one in KEY_SERVICES if one.address)
    connection = ("openai", service.address)
    async with MessagesApi() as api, key_window(data_dir, api.url) as window:
        left_keys = window.presenters.connections.left_keys
        left_keys[connection] = LeftKey("sk-never-tested", "The service could not be reached.", "Save anyway")
        row = await shown_row(window, connection)
        assert (row.title.text(), row.key.text(), row.save.text()) == (service.name, "sk-never-tested", "Save anyway")
        row.save.click()
        await window.until(lambda: window.window.toast.words == "Key saved", "the key")
        assert await window.services.secrets.get(key_entry(*connection)) == "sk-never-tested"
        left_keys[connection] = LeftKey("sk-mistyped", "Not accepted.")
        row = await shown_row(window, connection)
        window.press(Qt.Key.Key_Escape, widget=row.key)
        window.presenters.pages.leave()
        await window.until(lambda: window.presenters.pages.page is None, "the thread")
        assert left_keys == {}, "Esc takes it back"


async def test_no_other_key_can_be_typed_while_one_is_tested_and_a_refused_one_is_selected(
    data_dir: Path, qapp: object
) -> None:
    async with MessagesApi() as api, key_window(data_dir, api.url) as window:
        api.script(HttpError(401), path="/v1/models")
        row = key_row(window)
        window.type("sk-ant-mistyped", row.key)
        QTest.mouseClick(row.button, Qt.MouseButton.LeftButton)
        await window.until(lambda: row.button.text() == "Testing…", "the test")
        assert row.key.hasFocus(), "the keyboard stays where the key is"
        window.type("sk-ant-right", row.key)
        assert (row.key.text(), row.key.isReadOnly()) == ("sk-ant-mistyped", True)
        assert window.composer.text() == "", "what the locked field does not take goes nowhere else"
        await window.until(row.problem.isVisible, "the refusal")
        assert row.key.hasFocus()
        assert row.key.selectedText() == "sk-ant-mistyped"
        window.type("sk-ant-right", row.key)
        window.press(Qt.Key.Key_Return, widget=row.key)
        await window.until(lambda: not window.window.stage.welcoming, "the composer")
        assert await window.services.secrets.get("anthropic") == "sk-ant-right"


async def test_without_a_keyring_a_key_is_used_until_plimsoll_closes(data_dir: Path, qapp: object) -> None:
    async with MessagesApi() as api, key_window(data_dir, api.url, NoKeyring()) as window:
        row = key_row(window)
        assert row.detail.text() == "The system keyring can't be used: a key works until Plimsoll closes."
        assert row.detail.toolTip() == NO_KEYRING
        assert not row.problem.isVisible()
        assert row.button.text() == "Use without saving"
        window.type("sk-ant-test", row.key)
        window.press(Qt.Key.Key_Return, widget=row.key)
        await window.until(lambda: not window.window.stage.welcoming, "the composer")
        await window.settled()
        await window.send("hello")
        assert "sk-ant-test" in str(api.answers[-1].headers)
        for path in window.session.paths.root.rglob("*"):
            assert not path.is_file() or b"sk-ant-test" not in path.read_bytes()


async def test_the_claude_program_is_found_while_the_keyring_lets_itself_be_waited_for(
    data_dir: Path, qapp: object
) -> None:
    class Silent(MemorySecrets):
        answers = asyncio.Event()
        answers.set()

        async def get(self, backend: str) -> str | None:
            await self.answers.wait()
            return await super().get(backend)

    secrets = Silent()
    async with OpenWindow.opened(data_dir, backend=None, secrets=secrets, greets=True) as window:
        row = window.window.stage.welcome.row("claude-cli")
        assert row is not None
        row.detail.setText("not yet")
        secrets.answers.clear()
        window.services.chat.chooser.forget_usable()
        window.presenters.connections.show_choice()
        await window.until(lambda: row.detail.text() == "Install it, then log in.", "what was found")
        secrets.answers.set()
        await window.settled()


async def test_a_keyring_that_goes_away_is_said_and_the_key_stays_where_the_keyboard_is(
    data_dir: Path, qapp: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with MessagesApi() as api, key_window(data_dir, api.url) as window:
        row = key_row(window)
        monkeypatch.setattr(window.services.secrets, "_secrets", NoKeyring())
        window.type("sk-ant-test", row.key)
        window.press(Qt.Key.Key_Return, widget=row.key)
        await window.until(row.problem.isVisible, "what is wrong")
        assert (row.problem.text(), row.button.text()) == (NO_KEYRING, "Use without saving")
        assert (row.key.text(), row.key.hasFocus()) == ("sk-ant-test", True)
        assert not api.requests, "nothing is tried for nothing"
        row.button.click()
        await window.until(lambda: not window.window.stage.welcoming, "the composer")
        assert await window.services.secrets.get("anthropic") == "sk-ant-test"


async def test_a_key_that_is_there_needs_no_welcome(data_dir: Path, qapp: object) -> None:
    secrets = MemorySecrets(keys={"anthropic": "sk-ant-test"})
    async with OpenWindow.opened(data_dir, backend=None, secrets=secrets) as window:
        await window.settled()
        assert not window.window.stage.welcoming
        assert window.composer.picker.text().endswith(window.services.backends["anthropic"].title)


async def test_the_page_that_says_how_claude_code_is_installed_opens_by_a_click_alone(
    bare: OpenWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened: list[str] = []

    async def agreed(_parent: object, _question: str, details: str, _yes: str) -> bool:
        assert CLAUDE_CODE_GUIDE in details, "where it goes is shown first"
        return True

    monkeypatch.setattr("desktop_app.ui.shell.wiring.confirmed", agreed)
    monkeypatch.setattr(
        "desktop_app.ui.shell.wiring.QDesktopServices.openUrl", lambda url: opened.append(url.toString())
    )
    row = bare.window.stage.welcome.row("claude-cli")
    assert row is not None
    assert (row.guide.text(), row.guide.isVisible()) == ("How to install", True)
    assert opened == []
    QTest.mouseClick(row.guide, Qt.MouseButton.LeftButton)
    await bare.until(lambda: opened, "the browser")
    assert opened == [CLAUDE_CODE_GUIDE]


async def test_a_new_thread_before_anything_is_connected_stays_at_the_top_of_the_cards(bare: OpenWindow) -> None:
    bare.window.resize(480, 600)
    await bare.services.preferences.set_value("appearance.text_size", 17)
    await bare.settled()
    pane = bare.window.stage.welcome
    pane.rows[-1].button.setFocus()
    pane.ensureWidgetVisible(pane.rows[-1])
    for _ in range(2):
        bare.shortcut("new_thread")
        await bare.settled()
        assert pane.verticalScrollBar().value() == 0
        assert pane.rows[0].key.hasFocus()
    top = pane.rows[0].key.mapTo(pane.viewport(), pane.rows[0].key.rect().topLeft())
    assert pane.viewport().rect().contains(top)


async def test_nothing_is_said_or_offered_twice_on_the_first_screen(bare: OpenWindow) -> None:
    shown = [part for part in bare.window.findChildren(QPushButton) if part.isVisible()]
    words = [part.text() for part in shown if part.text()]
    assert len(words) == len(set(words)), words
    titles = {row.way.title for row in bare.window.stage.welcome.rows}
    assert titles.isdisjoint(words)
    assert bare.window.stage.welcome.bring.isVisible()


async def test_an_empty_thread_without_a_model_says_so_and_leads_to_the_cards(bare: OpenWindow) -> None:
    bare.window.leave_welcome()
    await bare.settled()
    words = {label.text() for label in bare.window.stage.transcript.findChildren(QLabel) if label.isVisible()}
    assert "No model connected" in words
    assert "How can I help?" not in words
    (connect,) = (
        part
        for part in bare.window.stage.transcript.findChildren(QPushButton)
        if part.isVisible() and part.text() == "Connect a model"
    )
    QTest.mouseClick(connect, Qt.MouseButton.LeftButton)
    await bare.until(lambda: is_welcoming(bare), "the cards")


async def test_a_local_model_that_is_not_installed_is_not_offered(bare: OpenWindow) -> None:
    local = cast("dict[str, Backend]", bare.services.backends)["local"]
    assert isinstance(local, GatedBackend)
    local.available = Availability(False, "The model file is missing. Install it with ./dev.")
    bare.presenters.connections.look_for_ways()
    await bare.settled()
    row = bare.window.stage.welcome.row("local")
    assert row is not None
    assert not row.isVisible()


async def test_from_the_cards_to_a_server_and_back_by_esc(bare: OpenWindow) -> None:
    row = bare.window.stage.welcome.row("openai")
    assert row is not None
    QTest.mouseClick(row.button, Qt.MouseButton.LeftButton)
    await bare.until(lambda: isinstance(bare.presenters.pages.page, ConnectionsPage), "the page")
    await bare.settled()
    page = bare.presenters.pages.page
    assert page is not None
    bare.press(Qt.Key.Key_Escape, widget=page)
    await bare.until(lambda: is_welcoming(bare), "the cards again")
    assert not bare.composer.isVisible()


@pytest.mark.slow
async def test_the_real_local_model_answers_after_one_click(data_dir: Path, qapp: object) -> None:
    async with OpenWindow.opened(data_dir, backend=None) as window:
        await window.until(lambda: window.window.stage.welcoming, "the welcome pane")
        await window.settled()
        row = window.window.stage.welcome.row("local")
        assert row is not None
        if not row.isVisible():
            pytest.skip("the local model is not installed")
        row.button.click()
        await window.until(lambda: not window.window.stage.welcoming, "the composer")
        await window.settled()
        window.type("Say hello.")
        await window.send("")
        answer = (await window.opened_thread()).path[-1]
        assert answer.failure is None
        assert answer.text.strip()


@pytest.mark.parametrize(("typed", "address", "key"), [("http://box:8080/v1", "http://box:8080/v1", ""),
                                                       ("sk-of-my-own-server", "", "sk-of-my-own-server")])  # fmt: skip
async def test_an_address_or_a_key_of_ones_own_server_leads_to_the_form_for_servers(
    data_dir: Path, qapp: object, typed: str, address: str, key: str
) -> None:
    async with MessagesApi() as other, key_window(data_dir, other.url) as window:
        row = key_row(window)
        window.type(typed, row.key)
        window.press(Qt.Key.Key_Return, widget=row.key)
        if key:
            menu = row.findChild(QMenu)
            assert menu is not None
            menu.actions()[-1].trigger()
            menu.close()
        await window.until(lambda: isinstance(window.presenters.pages.page, ConnectionsPage), "the page")
        await window.settled()
        page = window.presenters.pages.page
        assert isinstance(page, ConnectionsPage)
        assert (page.server.address.text(), page.server.key.text(), row.key.text()) == (address, key, "")
        assert other.requests == []
