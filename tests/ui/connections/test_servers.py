"""Servers on the connections page: found here, or set up by their address, tested for free, used without a restart."""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
import pytest_asyncio
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from desktop_app.controller.server_keys import key_entry
from desktop_app.ui.connections.connections_page import ConnectionRow, ConnectionsPage, ServerForm
from tests.fakes.memory_secrets import NO_KEYRING, LockedKeyring, MemorySecrets, NoKeyring
from tests.servers.chat_api import ChatApi
from tests.servers.messages_api import HttpError, NoReply
from tests.ui.open_window import OpenWindow

pytestmark = pytest.mark.slow


@pytest_asyncio.fixture
async def api() -> AsyncIterator[ChatApi]:
    async with ChatApi() as server:
        server.keyed = False
        yield server


@asynccontextmanager
async def bare_window(
    data_dir: Path, look_at: tuple[tuple[str, str], ...] = (), secrets: MemorySecrets | None = None
) -> AsyncIterator[OpenWindow]:
    async with OpenWindow.opened(data_dir, backend=None, fakes=False, secrets=secrets) as window:
        await window.until(lambda: window.window.stage.welcoming, "the welcome pane")
        window.services.connections.look_at = look_at
        await connections_of(window)
        yield window


@pytest_asyncio.fixture
async def bare(data_dir: Path, qapp: object) -> AsyncIterator[OpenWindow]:
    """A window on a computer where no server runs."""
    async with bare_window(data_dir) as window:
        yield window


async def connections_of(window: OpenWindow) -> ConnectionsPage:
    window.shortcut("connections")
    await window.until(lambda: page_of(window).rows, "the connections")
    await window.settled()
    return page_of(window)


def page_of(window: OpenWindow) -> ConnectionsPage:
    page = window.presenters.pages.page
    assert isinstance(page, ConnectionsPage)
    return page


def row_at(page: ConnectionsPage, address: str) -> ConnectionRow | None:
    return next((row for row in page.rows if row.view.id[1] == address), None)


def form_of(window: OpenWindow) -> ServerForm:
    return page_of(window).server


def is_reading(window: OpenWindow) -> bool:
    return window.window.stage.reading and window.composer.isVisible()


def fill(window: OpenWindow, address: str, key: str = "") -> ServerForm:
    """Chooses to type an address, and types it."""
    form = form_of(window)
    form.choose_service("Compatible server")
    form.address.clear()
    window.type(address, form.address)
    window.type(key, form.key)
    return form


async def test_a_server_found_here_answers_after_one_click(data_dir: Path, qapp: object, api: ChatApi) -> None:
    api.models = [{"id": "llama3:latest"}, {"id": "qwen3:8b"}]
    async with bare_window(data_dir, (("Ollama", api.url),)) as window:
        row = row_at(page_of(window), api.url)
        assert row is not None
        assert row.state.text() == "Runs on this computer, with llama3:latest and 1 more."
        QTest.mouseClick(row.connect_button, Qt.MouseButton.LeftButton)
        await window.until(lambda: is_reading(window), "the composer")
        await window.settled()
        assert window.editor.hasFocus()
        assert window.composer.picker.text().startswith("llama3:latest")
        await window.send("hello")
        assert api.answers[-1].body["model"] == "llama3:latest"
        assert "Hello from the loopback server." in (await window.opened_thread()).path[-1].text


async def test_nobody_is_looked_for_while_the_pane_is_not_shown(data_dir: Path, qapp: object, api: ChatApi) -> None:
    async with OpenWindow.opened(data_dir, look_at=(("Ollama", api.url),)) as window:
        await window.send("hello")
        assert api.requests == []
        page = await connections_of(window)
        assert [request.path for request in api.requests] == ["/v1/models"]
        assert row_at(page, api.url) is not None


async def test_an_address_is_tested_for_free_and_used(bare: OpenWindow, api: ChatApi) -> None:
    api.models = [{"id": f"model-{number}", "max_model_len": 16_000} for number in range(14)]
    form = fill(bare, api.root.removeprefix("http://"))
    bare.press(Qt.Key.Key_Return, widget=form.address)
    await bare.until(form.use.isVisible, "the result")
    assert form.status.text() == "Found 14 models · a question may need a key"
    assert form.address.text() == api.url
    assert form.use.hasFocus()
    assert api.answers == []
    form.model.click()
    menu = form.menu_shown
    assert menu is not None
    bare.type("model-12", menu.search)
    bare.press(Qt.Key.Key_Return, widget=menu.search)
    assert form.chosen_model == "model-12"
    form.use.click()
    await bare.until(lambda: is_reading(bare), "the composer")
    await bare.settled()
    assert bare.composer.picker.text().startswith("model-12")
    await bare.send("hello")
    assert api.answers[-1].body["model"] == "model-12"
    thread = await bare.thread()
    assert (bare.services.connections.address_of(thread.backend or ""), thread.model) == (api.url, "model-12")


async def test_a_key_is_asked_for_tried_and_stored_nowhere_but_in_the_keyring(
    bare: OpenWindow, api: ChatApi, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    api.script(HttpError(401, message="bad key sk-secret-word"), path="/v1/models")
    form = fill(bare, api.url, "sk-secret-word")
    form.test.click()
    await bare.until(form.status.isVisible, "the refusal")
    assert "does not accept this key" in form.status.text()
    assert (form.address.text(), form.key.text()) == (api.url, "sk-secret-word")
    assert not form.use.isVisible()
    form.test.click()
    await bare.until(form.use.isVisible, "the result")
    form.use.click()
    await bare.until(lambda: is_reading(bare), "the composer")
    await bare.send("hello")
    assert api.answers[-1].headers["authorization"] == "Bearer sk-secret-word"
    assert "sk-secret-word" not in caplog.text
    for path in bare.session.paths.root.rglob("*"):
        assert not path.is_file() or b"sk-secret-word" not in path.read_bytes()


@pytest.mark.parametrize(
    ("reply", "words"),
    [
        (HttpError(200, headers={"content-type": "text/html"}, body=b"<html>Sign in</html>"), "did not answer as"),
        (HttpError(404, headers={"content-type": "text/html"}, body=b"<html>"), "Correct the address"),
        (HttpError(500, message="oops"), "internal error"),
        (NoReply(), "in time"),
    ],
)
async def test_what_is_wrong_is_said_in_the_form_and_nothing_typed_is_lost(
    bare: OpenWindow, api: ChatApi, reply: HttpError | NoReply, words: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    if isinstance(reply, NoReply):
        await bare.services.connections.try_server(api.url)  # what the SDK takes to import is not waited for
        monkeypatch.setattr("desktop_app.controller.connections.ANSWER_WAIT_S", 0.3)
    api.script(reply, path="/v1/models")
    form = fill(bare, api.url, "sk-typed")
    form.test.click()
    assert form.test.text() == "Testing…"
    await bare.until(form.status.isVisible, "what is wrong")
    assert words in form.status.text()
    assert "under Connections" not in form.status.text()
    assert (form.address.text(), form.key.text()) == (api.url, "sk-typed")
    assert (form.test.text(), form.test.isEnabled()) == ("Test", True)
    assert form.isVisible()
    bare.type("x", form.address)
    assert not form.status.isVisible()


async def test_what_is_typed_during_a_test_is_not_called_tested(bare: OpenWindow, api: ChatApi) -> None:
    form = fill(bare, api.url)
    form.test.click()
    bare.type("/more", form.address)
    await bare.settled()
    assert not form.use.isVisible()
    assert form.address.text() == f"{api.url}/more"
    assert (form.test.text(), form.test.isEnabled()) == ("Test", True)


async def test_a_server_without_a_list_can_be_used_by_a_models_name(bare: OpenWindow, api: ChatApi) -> None:
    api.models = []
    form = fill(bare, api.url)
    form.test.click()
    await bare.until(form.model_name.isVisible, "the field for a name")
    assert "lists no models" in form.status.text()
    assert not form.use.isEnabled()
    bare.type("my-model", form.model_name)
    bare.press(Qt.Key.Key_Return, widget=form.model_name)
    await bare.until(lambda: is_reading(bare), "the composer")
    await bare.send("hello")
    assert api.answers[-1].body["model"] == "my-model"


async def test_a_key_over_an_open_network_is_warned_of(bare: OpenWindow) -> None:
    form = fill(bare, "http://192.0.2.7:8000/v1")
    assert not form.warning.isVisible()
    bare.type("sk", form.key)
    assert "not encrypted" in form.warning.text()
    assert form.warning.isVisible()
    form.address.clear()
    bare.type("https://192.0.2.7:8000/v1", form.address)
    assert not form.warning.isVisible()


async def test_a_service_brings_its_address_and_asks_for_a_key_where_it_needs_one(bare: OpenWindow) -> None:
    form = form_of(bare)
    names = [service.name for service in form.services]
    assert names[0] == "OpenAI"
    assert {"DeepSeek", "Gemini", "OpenRouter", "Ollama", "LM Studio", "llama.cpp"} < set(names)
    form.choose_service("OpenRouter")
    bare.type("sk-router", form.key)
    assert form.address.text() == "https://openrouter.ai/api/v1"
    form.choose_service("Ollama")
    assert form.address.text() == "http://127.0.0.1:11434/v1"
    assert form.entry.key == "", "a key is for one service"
    assert form.key.placeholderText() == "Key, if the server needs one"
    form.choose_service("DeepSeek")
    assert form.key.placeholderText() == "Paste your key"


async def test_no_field_moves_while_one_types(data_dir: Path, qapp: object) -> None:
    async with bare_window(data_dir, secrets=NoKeyring()) as window:
        form = form_of(window)
        window.window.resize(1280, 860)
        await window.settled()
        fields, page = (form.address, form.key, form.name, form.test), page_of(window)

        def places() -> list[int]:
            return [field.mapTo(page, field.rect().topLeft()).y() for field in fields]

        before = places()
        for address in ("http://127.0.0.1:11434/v1", "http://192.0.2.7:8000/v1", "https://openrouter.ai/api/v1"):
            for field, words in ((form.address, address), (form.key, "sk-typed")):
                field.clear()
                for part in (words[:1], words[1:]):
                    window.type(part, field)
                    await window.settled()
                    assert places() == before


async def test_what_stands_in_the_form_survives_another_look_and_another_theme(bare: OpenWindow, api: ChatApi) -> None:
    form = fill(bare, "http://192.0.2.7:8000/v1", "sk-typed")
    bare.services.connections.look_at = (("Ollama", api.url),)
    await connections_of(bare)
    assert row_at(page_of(bare), api.url) is not None
    await bare.services.preferences.set_value("appearance.theme", "dark")
    await bare.settled()
    assert (form.address.text(), form.key.text()) == ("http://192.0.2.7:8000/v1", "sk-typed")


async def test_what_stands_in_the_form_is_there_again_after_the_page_was_left(bare: OpenWindow) -> None:
    fill(bare, "http://192.0.2.7:8000/v1", "sk-typed")
    bare.press(Qt.Key.Key_Escape, widget=form_of(bare))
    await bare.until(lambda: bare.window.stage.welcoming, "the cards")
    await connections_of(bare)
    form = form_of(bare)
    assert (form.address.text(), form.key.text()) == ("http://192.0.2.7:8000/v1", "sk-typed")
    assert "not encrypted" in form.warning.text()


async def test_a_server_has_the_name_that_it_is_given_and_the_form_is_empty_for_another(
    bare: OpenWindow, api: ChatApi
) -> None:
    for name in ("At home", "At work"):
        form = fill(bare, api.url, f"sk-{name}")
        form.test.click()
        bare.type(name, form.name)
        await bare.until(form.use.isVisible, "the result")
        form.use.click()
        await bare.until(lambda: is_reading(bare), "the composer")
        await bare.settled()
        assert bare.composer.picker.text().endswith(f"· {name}")
        page = await connections_of(bare)
        assert name in {row.view.title for row in page.rows}
        assert (page.server.address.text(), page.server.name.text(), page.server.key.text()) == (
            "https://api.openai.com/v1",
            "",
            "",
        )


async def test_another_server_is_used_without_a_restart(bare: OpenWindow, api: ChatApi) -> None:
    async with ChatApi() as other:
        other.keyed = False
        other.models = [{"id": "other-model"}]
        for server in (api, other):
            await connections_of(bare)
            form = fill(bare, server.url)
            form.test.click()
            await bare.until(form.use.isVisible, "the result")
            form.use.click()
            if server is api:
                await bare.until(lambda: is_reading(bare), "the composer")
                await bare.send("hello")
                assert server.answers[-1].body["model"] == "test-model"
        toast, thread = bare.window.toast, await bare.thread()
        await bare.until(lambda: toast.words.startswith("Connected to"), "the second is there")
        assert (toast.button.text(), form.address.text()) == ("Use in this thread", "https://api.openai.com/v1")
        assert (await bare.thread()).id == thread.id, "nobody is led out of a thread"
        bare.press(Qt.Key.Key_Escape, widget=page_of(bare))
        await bare.until(lambda: is_reading(bare), "the thread")
        await bare.send("and again")
        assert "and again" in str(api.answers[-1].body), "a thread with messages stays with its server"
        assert not other.answers
        bare.composer.picker.click()
        await bare.until(lambda: bare.composer.picker.menu_shown is not None, "the menu")
        await bare.settled()
        menu = bare.composer.picker.menu_shown
        assert menu is not None
        names = [row.text for row in menu.rows.rows]
        assert "other-model" in names
        assert "test-model" in names
        menu.close()


async def test_the_form_is_used_with_the_keyboard_alone(bare: OpenWindow, api: ChatApi) -> None:
    form = fill(bare, api.url)
    bare.window.activateWindow()
    form.address.setFocus()
    bare.press(Qt.Key.Key_Tab, widget=form.address)
    assert form.key.hasFocus()
    bare.press(Qt.Key.Key_Tab, widget=form.key)
    assert form.name.hasFocus()
    bare.press(Qt.Key.Key_Tab, widget=form.name)
    assert form.test.hasFocus()
    bare.press(Qt.Key.Key_Space, widget=form.test)
    await bare.until(form.use.hasFocus, "the result")
    bare.press(Qt.Key.Key_Space, widget=form.use)
    await bare.until(lambda: is_reading(bare), "the composer")
    await bare.settled()


async def test_an_address_with_a_password_is_refused_in_its_place(bare: OpenWindow, api: ChatApi) -> None:
    form = fill(bare, api.url.replace("http://", "http://bot:hunter22@"))
    bare.press(Qt.Key.Key_Return, widget=form.address)
    await bare.until(lambda: "password or key" in form.status.text(), "why it is refused")
    assert not form.use.isVisible()
    assert api.requests == []
    assert "hunter22" in form.address.text()  # what was typed stays, to be changed
    settings = bare.session.paths.settings
    assert not settings.exists() or "hunter22" not in settings.read_text()


async def test_without_a_keyring_a_servers_key_is_used_until_plimsoll_closes(
    data_dir: Path, qapp: object, api: ChatApi
) -> None:
    async with bare_window(data_dir, secrets=NoKeyring()) as window:
        form = fill(window, api.url, "sk-of-this-server-4321")
        assert form.keyring.text() == "The system keyring can't be used: a key works until Plimsoll closes."
        assert form.keyring.isVisible()
        form.test.click()
        await window.until(form.use.isVisible, "the result")
        assert form.use.text() == "Use without saving"
        form.use.click()
        await window.until(lambda: is_reading(window), "the composer")
        await window.send("hello")
        assert api.answers[-1].headers["authorization"] == "Bearer sk-of-this-server-4321"
        for path in window.session.paths.root.rglob("*"):
            assert not path.is_file() or b"sk-of-this-server-4321" not in path.read_bytes()
        page = await connections_of(window)
        row = row_at(page, api.url)
        assert row is not None
        assert "Key ends in 4321 · Until Plimsoll closes" in row.state.text()
        assert not row.note.isVisible()


async def test_a_server_without_a_key_is_used_without_a_word_of_keyrings(
    data_dir: Path, qapp: object, api: ChatApi
) -> None:
    async with bare_window(data_dir, secrets=NoKeyring()) as window:
        form = fill(window, api.url)
        assert not form.keyring.isVisible()
        form.test.click()
        await window.until(form.use.isVisible, "the result")
        assert form.use.text() == "Use"
        form.use.click()
        await window.until(lambda: is_reading(window), "the composer")
        await window.send("hello")
        page = await connections_of(window)
        row = row_at(page, api.url)
        assert row is not None
        assert not row.note.isVisible()
        assert page.server.address.text() == "https://api.openai.com/v1", "it is set up"
        assert page.server.test.isEnabled(), "what stands there can be tested"
        anthropic = page.row(("anthropic", ""))
        assert anthropic is not None
        assert anthropic.note.property("tone") == "secondary", "nothing was set up there, so nothing is wrong"


async def test_a_keyring_that_fails_at_the_last_step_leaves_the_chosen_model_and_the_keyboard(
    bare: OpenWindow, api: ChatApi, monkeypatch: pytest.MonkeyPatch
) -> None:
    api.models = [{"id": "first"}, {"id": "second"}]
    form = fill(bare, api.url, "sk-typed")
    bare.press(Qt.Key.Key_Return, widget=form.key)
    await bare.until(form.use.isVisible, "the result")
    form._take_model("", "second")
    monkeypatch.setattr(bare.services.secrets, "_secrets", NoKeyring())
    form.use.setFocus()
    bare.press(Qt.Key.Key_Space, widget=form.use)
    await bare.until(lambda: form.status.text() == NO_KEYRING, "why it is not used")
    await bare.settled()
    assert (form.use.isVisible(), form.use.hasFocus(), form.chosen_model) == (True, True, "second")
    assert (form.address.text(), form.key.text()) == (api.url, "sk-typed")
    assert form.use.text() == "Use without saving"
    bare.press(Qt.Key.Key_Space, widget=form.use)
    await bare.until(lambda: is_reading(bare), "the composer")
    await bare.send("hello")
    assert api.answers[-1].body["model"] == "second"


async def test_a_keyring_dialog_that_is_closed_leaves_both_ways_on(data_dir: Path, qapp: object, api: ChatApi) -> None:
    keyring = LockedKeyring()
    async with bare_window(data_dir, secrets=keyring) as window:
        form = fill(window, api.url, "sk-typed")
        window.press(Qt.Key.Key_Return, widget=form.key)
        await window.until(form.use.isVisible, "the result")
        assert (form.use.text(), form.unlock.isVisible()) == ("Use", False)
        form.use.click()
        await window.until(form.unlock.isVisible, "the ways on")
        assert (form.use.text(), form.unlock.text()) == ("Use without saving", "Unlock keyring")
        assert form.status.text() == "The keyring is locked. Unlock it, then try again."
        form.unlock.click()
        await window.settled()
        assert form.unlock.isVisible(), "the dialog was closed once more"
        keyring.password = True
        form.unlock.click()
        await window.until(lambda: is_reading(window), "the composer")
        assert await keyring.get(key_entry("openai", api.url)) == "sk-typed"


async def test_a_stored_key_in_a_locked_keyring_is_unlocked_where_it_is_tested(
    data_dir: Path, qapp: object, api: ChatApi
) -> None:
    keyring = LockedKeyring(keys={key_entry("openai", api.url): "sk-kept"})
    async with bare_window(data_dir, secrets=keyring) as window:
        form = fill(window, api.url)
        form.test.click()
        await window.until(form.unlock.isVisible, "the way on")
        keyring.password = True
        form.unlock.setFocus()
        window.press(Qt.Key.Key_Space, widget=form.unlock)
        await window.until(form.use.isVisible, "the result")
        assert (form.use.text(), form.unlock.isVisible()) == ("Use", False)
        assert api.requests[-1].headers["authorization"] == "Bearer sk-kept"


async def test_the_button_names_the_service_of_the_address_that_is_typed(bare: OpenWindow) -> None:
    form = form_of(bare)
    assert form.service.text() == "OpenAI"
    form.address.clear()
    bare.type("127.0.0.1:8977/v1", form.address)
    assert form.service.text() == "Another address"
    form.address.clear()
    bare.type("http://127.0.0.1:11434/v1", form.address)
    assert form.service.text() == "Ollama"
    form.address.clear()
    bare.type("https://api.openai.com/v1/", form.address)
    assert form.service.text() == "OpenAI"


async def test_set_up_on_its_card_leads_to_the_form_with_the_keyboard_in_the_address(
    data_dir: Path, qapp: object, api: ChatApi
) -> None:
    async with OpenWindow.opened(data_dir, backend=None, fakes=False) as window:
        await window.until(lambda: window.window.stage.welcoming, "the welcome pane")
        await window.settled()
        window.services.connections.look_at = (("Ollama", api.url),)
        window.window.resize(800, 480)
        card = window.window.stage.welcome.row("openai")
        assert card is not None
        QTest.mouseClick(card.button, Qt.MouseButton.LeftButton)
        await window.until(lambda: row_at(page_of(window), api.url), "what was found above it")
        await window.settled()
        form = form_of(window)
        assert form.address.hasFocus()
        assert form.address.selectedText() == "https://api.openai.com/v1"
        whole = form.rect().translated(form.mapTo(page_of(window).scroller.viewport(), form.rect().topLeft()))
        assert page_of(window).scroller.viewport().rect().contains(whole)
