"""The connections page with real keys and clicks: each connection with its state, its key replaced, removed, tested."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import cast

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QPushButton, QWidget

from desktop_app.controller.server_keys import RememberedKeys
from desktop_app.core.errors import UserError
from desktop_app.ui.connections.connections_page import ConnectionRow, ConnectionsPage
from desktop_app.ui.conversation.error_cards import ErrorCard
from desktop_app.ui.preferences.preferences_page import PreferencesPage
from tests.fakes.memory_secrets import LockedKeyring, MemorySecrets, NoKeyring
from tests.servers.chat_api import ChatApi
from tests.servers.messages_api import HttpError, MessagesApi
from tests.ui.open_window import OpenWindow

pytestmark = pytest.mark.slow

KEY = "sk-ant-api03-kept-in-the-keyring-9wXy"
ANTHROPIC = ("anthropic", "")


class LockedSecrets(MemorySecrets):
    """A keyring that can be read, and takes nothing."""

    async def set(self, backend: str, key: str) -> None:
        raise UserError("config", "The keyring is locked. Unlock it, then try again.")

    async def delete(self, backend: str) -> None:
        await self.set(backend, "")


@asynccontextmanager
async def keyed_window(
    data_dir: Path,
    api: MessagesApi,
    secrets: MemorySecrets | None = None,
    environ: Mapping[str, str] | None = None,
) -> AsyncIterator[OpenWindow]:
    """A window with a key for a provider on this computer."""
    around = {"HOME": str(data_dir.parent), "PATH": "", "ANTHROPIC_BASE_URL": api.url, **(environ or {})}
    kept = secrets or MemorySecrets(around, {"anthropic": KEY})
    async with OpenWindow.opened(data_dir, backend=None, fakes=False, environ=around, secrets=kept) as window:
        await window.services.preferences.set_value("titles.by_model", False)
        await window.settled()
        yield window


def page_of(window: OpenWindow) -> ConnectionsPage:
    page = window.presenters.pages.page
    assert isinstance(page, ConnectionsPage)
    return page


async def opened_page(window: OpenWindow) -> ConnectionsPage:
    window.shortcut("connections")
    await window.until(lambda: page_of(window).rows, "the connections")
    await window.settled()
    return page_of(window)


def row_of(window: OpenWindow, connection: tuple[str, str] = ANTHROPIC) -> ConnectionRow:
    row = page_of(window).row(connection)
    assert row is not None
    return row


def server_row(window: OpenWindow, address: str) -> ConnectionRow:
    return next(row for row in page_of(window).rows if row.view.id[1] == address)


def click(part: QWidget | None) -> None:
    assert part is not None
    assert part.isVisible()
    QTest.mouseClick(part, Qt.MouseButton.LeftButton)


def keys_sent(api: MessagesApi) -> list[str]:
    found = (next(value for value in one.headers.values() if "sk-ant" in value) for one in api.requests)
    return [value.rpartition(" ")[2] for value in found]


async def test_every_connection_stands_there_with_its_state(data_dir: Path, qapp: object) -> None:
    async with MessagesApi() as api, ChatApi() as one, keyed_window(data_dir, api) as window:
        one.keyed = False
        name = await window.services.connections.use_server(one.url, key="sk-of-this-server-4321")
        await window.send("hello")
        page = await opened_page(window)
        anthropic, server = row_of(window), server_row(window, one.url)
        assert [row.view.id[0] for row in page.rows[:2]] == ["anthropic", name]
        host = api.url.removeprefix("http://")
        assert anthropic.state.text() == f"Ready · {host} · Key ends in 9wXy · Used in this thread · Last used today"
        assert (anthropic.default.text(), anthropic.default.isVisible()) == ("Used for new threads", True)
        assert not anthropic.use.isVisible()
        assert server.state.text() == f"{one.url} · Key ends in 4321"
        assert not server.default.isVisible()
        assert KEY not in " ".join(label.text() for label in page.findChildren(type(anthropic.state)))


async def test_the_connection_of_new_threads_is_chosen_with_a_click(data_dir: Path, qapp: object) -> None:
    async with MessagesApi() as api, ChatApi() as one, keyed_window(data_dir, api) as window:
        one.keyed = False
        await window.services.connections.use_server(one.url)
        await window.send("hello")
        await opened_page(window)
        row = server_row(window, one.url)
        click(row.use)
        await window.until(row.default.isVisible, "the choice")
        assert not row_of(window).default.isVisible()
        window.press(Qt.Key.Key_Escape, widget=page_of(window))
        await window.until(lambda: window.window.stage.reading, "the thread")
        assert (await window.thread()).backend in {None, "anthropic"}, "the open thread stays with its own"
        window.shortcut("new_thread")
        await window.settled()
        await window.send("again")
        assert len(one.answers) == 1
        assert len(api.answers) == 1


async def test_a_key_is_replaced_by_keys_alone_and_used_at_once(data_dir: Path, qapp: object) -> None:
    async with MessagesApi() as api, keyed_window(data_dir, api) as window:
        await opened_page(window)
        row = row_of(window)
        assert not row.key.isVisible()
        row.replace_key.setFocus()
        window.press(Qt.Key.Key_Return, widget=row.replace_key)
        assert row.key.hasFocus()
        window.type("sk-ant-the-new-key-0001", row.key)
        window.press(Qt.Key.Key_Return, widget=row.key)
        await window.until(lambda: row.result.text() == "Key saved", "the new key")
        await window.settled()
        assert "Key ends in 0001" in row.state.text()
        assert not row.key.isVisible()
        assert row.key.text() == ""
        window.press(Qt.Key.Key_Escape, widget=page_of(window))
        await window.send("hello")
        assert keys_sent(api)[-1] == "sk-ant-the-new-key-0001"


async def test_a_stored_key_is_tested_again(data_dir: Path, qapp: object) -> None:
    async with MessagesApi() as api, keyed_window(data_dir, api) as window:
        await opened_page(window)
        row = row_of(window)
        assert row.state.text().startswith("Ready · ")
        wishes: list[None] = []
        row.test_requested.connect(lambda: wishes.append(None))
        row.test.setFocus()
        window.press(Qt.Key.Key_Space, widget=row.test)
        await window.until(lambda: row.result.text() == "Testing…", "the test")
        window.press(Qt.Key.Key_Space, widget=row.test)  # under way already
        await window.until(lambda: row.result.text().startswith("Found "), "the result")
        assert row.test.hasFocus(), "the keyboard stays where it was"
        assert len(wishes) == 1
        await window.settled()
        assert row.result.isVisible()
        api.script(HttpError(401), path="/v1/models")
        click(row.test)
        await window.until(row.problem.isVisible, "the refusal")
        assert row.problem.text() == "Anthropic does not accept this key. Check it."
        assert "Ready" not in row.state.text()
        assert not api.answers


async def test_a_key_is_removed_and_undo_brings_it_back(data_dir: Path, qapp: object) -> None:
    async with MessagesApi() as api, keyed_window(data_dir, api) as window:
        await opened_page(window)
        click(row_of(window).remove)
        await window.until(lambda: window.window.toast.words == "Key removed", "the toast")
        await window.settled()
        assert await window.services.secrets.get("anthropic") is None
        assert row_of(window).replace_key.text() == "Add key"
        assert not row_of(window).remove.isVisible()
        assert page_of(window).isVisible(), "the page stays, though nothing answers any more"
        click(window.window.toast.button)
        await window.settled()
        assert await window.services.secrets.get("anthropic") == KEY
        assert "Key ends in 9wXy" in row_of(window).state.text()


async def test_a_refused_key_stays_in_its_field_and_the_old_one_is_kept(data_dir: Path, qapp: object) -> None:
    async with MessagesApi() as api, keyed_window(data_dir, api) as window:
        await opened_page(window)
        row = row_of(window)
        click(row.replace_key)
        api.script(HttpError(401), path="/v1/models")
        window.type("sk-ant-mistyped", row.key)
        click(row.save)
        await window.until(row.problem.isVisible, "the refusal")
        assert row.problem.text() == "Anthropic does not accept this key. Check it."
        assert (row.key.text(), row.save.text()) == ("sk-ant-mistyped", "Save key")
        assert await window.services.secrets.get("anthropic") == KEY
        window.press(Qt.Key.Key_Escape, widget=row.key)
        assert not row.key.isVisible()
        assert page_of(window).isVisible(), "Esc closes the field first"
        assert row.replace_key.hasFocus()


async def test_a_key_whose_page_was_left_while_it_is_tested_is_told_of(data_dir: Path, qapp: object) -> None:
    async with MessagesApi() as api, keyed_window(data_dir, api) as window:
        api.script(HttpError(401), path="/v1/models")
        page = await opened_page(window)
        row = row_of(window)
        click(row.replace_key)
        window.type("sk-ant-wrong", row.key)
        window.press(Qt.Key.Key_Return, widget=row.key)
        page.back.click()
        await window.until(window.window.toast.isVisible, "the refusal")
        assert window.window.toast.words == "Anthropic does not accept this key. Check it."


async def test_save_anyway_says_what_may_be_wrong(data_dir: Path, qapp: object) -> None:
    async with MessagesApi() as api, keyed_window(data_dir, api) as window:
        await opened_page(window)
        row = row_of(window)
        click(row.replace_key)
        api.script(HttpError(529), path="/v1/models")
        window.type("sk-ant-never-tested-0002", row.key)
        click(row.save)
        await window.until(lambda: row.save.text() == "Save anyway", "the second way")
        assert row.problem.text().endswith("The key was not tested: it may be mistyped, expired or without credit.")
        click(row.save)
        await window.until(lambda: row.result.text() == "Saved without testing", "the key")
        assert await window.services.secrets.get("anthropic") == "sk-ant-never-tested-0002"
        assert len(api.requests) == 1


async def test_no_other_key_can_be_typed_while_one_is_tested_and_a_refused_one_is_selected(
    data_dir: Path, qapp: object
) -> None:
    async with MessagesApi() as api, keyed_window(data_dir, api) as window:
        await opened_page(window)
        row = row_of(window)
        click(row.replace_key)
        api.script(HttpError(401), path="/v1/models")
        window.type("sk-ant-mistyped", row.key)
        click(row.save)
        await window.until(lambda: row.result.text() == "Testing…", "the test")
        assert row.key.hasFocus(), "the keyboard stays where the key is"
        window.type("sk-ant-right", row.key)
        assert (row.key.text(), row.key.isReadOnly()) == ("sk-ant-mistyped", True)
        assert window.composer.text() == "", "what the locked field does not take goes nowhere else"
        await window.until(row.problem.isVisible, "the refusal")
        await window.settled()
        assert row.key.hasFocus()
        assert row.key.selectedText() == "sk-ant-mistyped"
        window.type("sk-ant-right", row.key)
        window.press(Qt.Key.Key_Return, widget=row.key)
        await window.until(lambda: row.result.text() == "Key saved", "the new key")
        assert await window.services.secrets.get("anthropic") == "sk-ant-right"
        await window.settled()
        assert not row.key.isReadOnly()


async def test_what_a_test_says_moves_no_button(data_dir: Path, qapp: object) -> None:
    async with MessagesApi() as api, keyed_window(data_dir, api) as window:
        await opened_page(window)
        row = row_of(window)
        before = [button.mapToGlobal(QPoint()) for button in (row.test, row.replace_key, row.remove)]

        def places() -> list[QPoint]:
            QApplication.sendPostedEvents()
            return [button.mapToGlobal(QPoint()) for button in (row.test, row.replace_key, row.remove)]

        click(row.test)
        await window.until(lambda: row.result.text() == "Testing…", "the test")
        assert places() == before
        await window.until(lambda: row.result.text().startswith("Found "), "the result")
        await window.settled()
        assert places() == before
        api.script(HttpError(401), path="/v1/models")
        click(row.test)
        await window.until(row.problem.isVisible, "the refusal")
        await window.settled()
        assert places() == before
        click(row.replace_key)
        assert places() == before, "the field comes below them as well"


async def test_a_locked_keyring_is_said_beside_the_key_which_stays(data_dir: Path, qapp: object) -> None:
    secrets = LockedSecrets(keys={"anthropic": KEY})
    async with MessagesApi() as api, keyed_window(data_dir, api, secrets) as window:
        await opened_page(window)
        row = row_of(window)
        click(row.replace_key)
        window.type("sk-ant-good", row.key)
        click(row.save)
        await window.until(row.problem.isVisible, "what is wrong")
        assert row.problem.text() == "The keyring is locked. Unlock it, then try again."
        assert row.key.text() == "sk-ant-good"
        click(row.remove)
        await window.until(row.remove.isEnabled, "the answer")
        await window.settled()
        assert row.problem.text() == "The keyring is locked. Unlock it, then try again."
        assert row.key.text() == "sk-ant-good"


async def test_unlocking_the_keyring_on_a_card_reads_all_keys_again(data_dir: Path, qapp: object) -> None:
    secrets = LockedKeyring(keys={"anthropic": KEY})
    async with MessagesApi() as api, keyed_window(data_dir, api, secrets) as window:
        await opened_page(window)
        row = row_of(window)
        assert row.test.text() == "Unlock keyring"
        click(row.test)
        await window.until(row.problem.isVisible, "that it stays locked")
        assert row.problem.text() == "The keyring is locked. Unlock it, then try again."
        secrets.password = True
        click(row.test)
        await window.until(lambda: row.test.text() == "Test", "the key")
        assert not row.note.isVisible()
        assert not row.problem.isVisible()
        assert "Key ends in 9wXy" in row.state.text()
        assert api.requests == [], "it was not asked to test"


async def test_unlocking_a_keyring_without_a_key_blames_nobody(data_dir: Path, qapp: object) -> None:
    secrets = LockedKeyring()
    secrets.password = True
    async with MessagesApi() as api, keyed_window(data_dir, api, secrets) as window:
        await opened_page(window)
        row = row_of(window)
        click(row.test)
        await window.until(lambda: row.replace_key.text() == "Add key" and not row.view.locked, "what was read")
        assert not row.problem.isVisible()


async def test_a_used_connection_that_lacks_its_key_offers_it_with_the_keyboard_on_it(
    data_dir: Path, qapp: object
) -> None:
    async with MessagesApi() as api, keyed_window(data_dir, api, MemorySecrets()) as window:
        await window.services.preferences.set_value("backend.default", "anthropic")
        await window.settled()
        page = await opened_page(window)
        row = row_of(window)
        assert page.rows[0] is row, "it is used, so it is none to add"
        assert (row.replace_key.text(), row.replace_key.hasFocus()) == ("Add key", True)
        window.press(Qt.Key.Key_Return, widget=row.replace_key)
        assert (row.key.hasFocus(), row.replace_key.isVisible()) == (True, False)
        window.press(Qt.Key.Key_Escape, widget=row.key)
        assert (row.replace_key.hasFocus(), row.key.isVisible()) == (True, False)


async def test_the_card_of_a_missing_key_leads_to_its_field(data_dir: Path, qapp: object) -> None:
    async with MessagesApi() as api, keyed_window(data_dir, api, MemorySecrets(keys={"anthropic": KEY})) as window:
        await window.send("hello")
        await window.services.connection_states.remove("anthropic")
        await window.settled()
        window.enter("again")
        await window.until(lambda: window.presenters.error_cards.card, "the card")
        card = window.presenters.error_cards.card
        assert isinstance(card, ErrorCard)
        assert card.content.actions[0].words == "Add key"
        window.presenters.connections.show_choice()  # as when the thread is opened in another window
        await window.settled()
        assert not card.resolved, "the key is still missing"
        window.presenters.error_cards.act("add_key")
        await window.until(lambda: isinstance(window.presenters.pages.page, ConnectionsPage), "the page")
        await window.until(lambda: page_of(window).rows, "the connections")
        await window.settled()
        assert row_of(window).key.hasFocus()


async def test_a_button_that_the_pointer_led_to_has_no_frame_until_a_key_is_pressed(
    data_dir: Path, qapp: object
) -> None:
    async with MessagesApi() as api, keyed_window(data_dir, api) as window:
        frame = window.window.windowHandle()
        await window.settled()
        QTest.mousePress(frame, Qt.MouseButton.LeftButton, pos=QPoint(500, 200))
        QTest.mouseRelease(frame, Qt.MouseButton.LeftButton, pos=QPoint(500, 200))
        page = await opened_page(window)
        await window.until(page.back.hasFocus, "the focus")
        assert page.back.property("pointed")
        without = page.back.grab().toImage()
        QTest.keyClick(frame, Qt.Key.Key_Shift)
        assert not page.back.property("pointed")
        assert page.back.grab().toImage() != without


async def test_a_key_of_the_environment_can_neither_be_replaced_nor_removed_here(data_dir: Path, qapp: object) -> None:
    environ = {"ANTHROPIC_API_KEY": "sk-ant-from-the-environment"}
    async with MessagesApi() as api, keyed_window(data_dir, api, MemorySecrets(environ), environ) as window:
        await opened_page(window)
        row = row_of(window)
        assert row.note.text() == "The key comes from ANTHROPIC_API_KEY in the environment. Change or remove it there."
        assert "Key ends in ment" in row.state.text()
        assert not row.remove.isVisible()
        assert not row.replace_key.isVisible()
        click(row.test)
        await window.until(lambda: row.result.text().startswith("Found "), "the result")


async def test_a_rejected_keys_card_leads_to_its_field_and_back_and_tries_again(data_dir: Path, qapp: object) -> None:
    async with MessagesApi() as api, keyed_window(data_dir, api) as window:
        api.script(HttpError(401))
        await window.send("hello")
        card = window.presenters.error_cards.card
        assert isinstance(card, ErrorCard)
        assert [action.id for action in card.content.actions] == ["replace_key", "retry", "switch_model"]
        click(card.button("replace_key"))
        await window.until(lambda: isinstance(window.presenters.pages.page, ConnectionsPage), "the page")
        await window.until(lambda: page_of(window).rows and row_of(window).key.hasFocus(), "the field")
        window.type("sk-ant-the-right-one-0003", row_of(window).key)
        window.press(Qt.Key.Key_Return, widget=row_of(window).key)
        await window.until(lambda: window.window.stage.reading, "the thread")
        await window.settled()
        card = window.presenters.error_cards.card
        assert isinstance(card, ErrorCard)
        click(card.button("retry"))
        await window.until(lambda: window.presenters.error_cards.card is None, "the answer")
        await window.until(lambda: not window.composer.streaming, "its end")
        assert keys_sent(api)[-1] == "sk-ant-the-right-one-0003"
        assert (await window.opened_thread()).path[-1].failure is None


async def test_back_and_esc_lead_where_one_came_from(data_dir: Path, qapp: object) -> None:
    async with MessagesApi() as api, keyed_window(data_dir, api) as window:
        await window.send("hello")
        page = await opened_page(window)
        click(page.back)
        await window.until(lambda: window.window.stage.reading, "the thread")
        assert window.editor.hasFocus()
        window.shortcut("preferences")
        await window.until(lambda: isinstance(window.presenters.pages.page, PreferencesPage), "the preferences")
        page = await opened_page(window)
        window.press(Qt.Key.Key_Escape, widget=page)
        await window.until(lambda: isinstance(window.presenters.pages.page, PreferencesPage), "the preferences again")
        window.press(Qt.Key.Key_Escape, widget=window.presenters.pages.page)
        await window.until(lambda: window.window.stage.reading, "the thread")


async def test_a_server_here_that_wants_a_key_has_its_field_after_a_test(data_dir: Path, qapp: object) -> None:
    """Without a keyring its key ends with the program: its row had *Test* and *Remove* alone."""
    async with MessagesApi() as api, ChatApi() as one, keyed_window(data_dir, api) as window:
        one.models = [{"id": "of-one"}]
        await window.services.connections.use_server(one.url)
        one.script(HttpError(401), path="/v1/models")
        await opened_page(window)
        row = server_row(window, one.url)
        assert row.view.key == ""
        click(row.test)
        await window.until(lambda: server_row(window, one.url).view.key == "Add key", "the way to its key")
        click(server_row(window, one.url).replace_key)
        assert server_row(window, one.url).key.isVisible()


async def test_a_server_is_removed_and_its_key_with_it(data_dir: Path, qapp: object) -> None:
    async with MessagesApi() as api, ChatApi() as one, keyed_window(data_dir, api) as window:
        await window.services.connections.use_server(one.url, key="sk-of-this-server-4321")
        await opened_page(window)
        click(server_row(window, one.url).remove)
        await window.until(lambda: window.window.toast.words == "Connection removed", "the toast")
        await window.settled()
        assert one.url not in {row.view.id[1] for row in page_of(window).rows}
        assert await window.services.secrets.get(f"openai@{one.root}") is None


async def test_a_server_is_edited_on_its_card_and_undo_brings_it_back(data_dir: Path, qapp: object) -> None:
    async with MessagesApi() as api, ChatApi() as one, ChatApi() as two, keyed_window(data_dir, api) as window:
        name = await window.services.connections.use_server(one.url, key="sk-of-this-server-4321", called="Dock")
        await opened_page(window)
        row = server_row(window, one.url)
        click(row.edit)
        assert (row.name.text(), row.address.text(), row.key.text()) == ("Dock", one.url, "")
        assert (row.name.hasFocus(), row.save.text()) == (True, "Save")
        window.press(Qt.Key.Key_Escape, widget=row.name)
        assert (row.address.isVisible(), row.edit.hasFocus()) == (False, True)
        click(row.edit)
        row.name.setText("Quay")
        row.address.setText(two.root)
        window.type("sk-wrong", row.key)
        two.script(HttpError(401, message="no"), path="/v1/models")
        click(row.save)
        await window.until(lambda: "does not accept this key" in row.problem.text(), "the refusal")
        assert (row.name.text(), row.address.text(), row.key.text()) == ("Quay", two.root, "sk-wrong")
        row.key.clear()
        window.type("sk-of-the-other-8765", row.key)
        window.press(Qt.Key.Key_Return, widget=row.key)
        await window.until(lambda: window.window.toast.words == "Connection saved", "the toast")
        await window.settled()
        row = server_row(window, two.url)
        assert (row.view.id[0], row.title.text()) == (name, "Quay")
        assert "Key ends in 8765" in row.state.text()
        click(window.window.toast.button)
        await window.until(lambda: any(row.view.id[1] == one.url for row in page_of(window).rows), "it is back")
        await window.settled()
        row = server_row(window, one.url)
        assert (row.title.text(), "Key ends in 4321" in row.state.text()) == ("Dock", True)


async def test_an_address_out_of_reach_is_saved_by_a_second_click(data_dir: Path, qapp: object) -> None:
    async with MessagesApi() as api, ChatApi() as one, keyed_window(data_dir, api) as window:
        await window.services.connections.use_server(one.url, key="sk-of-this-server-4321")
        await opened_page(window)
        row = server_row(window, one.url)
        click(row.edit)
        row.address.setText("http://127.0.0.1:9/v1")
        click(row.save)
        await window.until(lambda: row.save.text() == "Save anyway", "what is wrong")
        assert "could not be reached" in row.problem.text()
        assert "key" not in row.problem.text()
        click(row.save)
        await window.until(lambda: window.window.toast.words == "Connection saved", "the toast")
        await window.settled()
        assert server_row(window, "http://127.0.0.1:9/v1").isVisible()


async def test_threads_of_two_servers_stand_side_by_side_and_a_removed_one_says_what_to_do(
    data_dir: Path, qapp: object
) -> None:
    async with MessagesApi() as api, ChatApi() as one, ChatApi() as two, keyed_window(data_dir, api) as window:
        one.models, two.models = [{"id": "of-one"}], [{"id": "of-two"}]
        first = await window.services.connections.use_server(one.url, key="sk-of-the-first-server")
        second = await window.services.connections.use_server(two.url, key="sk-of-the-second-server")
        threads = []
        for name in (first, second):
            window.shortcut("new_thread")
            await window.services.preferences.set_value("backend.default", name)
            await window.settled()
            await window.send(f"hello {name}")
            threads.append((await window.thread()).id)
        assert (one.answers[0].body["model"], two.answers[0].body["model"]) == ("of-one", "of-two")
        await window.app_state.open_thread(threads[0])
        await window.settled()
        await window.send("and again")
        assert {answer.body["model"] for answer in one.answers} == {"of-one"}
        before = len(two.answers)
        await opened_page(window)
        click(server_row(window, one.url).remove)
        await window.until(lambda: "1 thread uses it" in window.window.toast.words, "the toast")
        await window.settled()
        window.press(Qt.Key.Key_Escape, widget=page_of(window))
        await window.until(lambda: window.window.stage.reading, "the thread")
        asked = len(one.answers)
        window.enter("and now")
        await window.until(lambda: window.presenters.error_cards.card, "the card")
        card = window.presenters.error_cards.card
        assert card is not None
        assert card.content.heading.startswith(f'The connection "{one.root.removeprefix("http://")}" was removed')
        assert [one.id for one in card.content.actions][:2] == ["switch_model", "open_connections"]
        assert (len(one.answers), len(two.answers), len(api.answers)) == (asked, before, 0)


async def test_a_file_that_is_no_model_is_refused_and_a_model_taken(
    data_dir: Path, qapp: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    wrong, right = data_dir.parent / "notes.gguf", data_dir.parent / "bigger.gguf"
    wrong.write_bytes(b"not a model")
    right.write_bytes(b"GGUF and more")
    chosen = [wrong, right]

    async def asked(parent: QWidget, title: str) -> tuple[Path, ...]:
        return (chosen.pop(0),)

    monkeypatch.setattr("desktop_app.ui.connections.connections_presenter.asked_files", asked)
    async with MessagesApi() as api, keyed_window(data_dir, api) as window:
        await opened_page(window)
        row = row_of(window, ("local", ""))
        click(row.file)
        await window.until(row.problem.isVisible, "the refusal")
        assert row.problem.text().startswith("notes.gguf is not a GGUF file")
        click(row.file)
        await window.until(lambda: window.services.preferences.settings.backend("local").model_path, "the file")
        assert window.services.preferences.settings.backend("local").model_path == str(right)


def test_a_list_of_many_connections_keeps_what_is_typed(qapp: QApplication) -> None:
    from desktop_app.ui.connections.connections_page import ConnectionView
    from desktop_app.ui.theme.theme import load_theme

    holder = QWidget()
    page = ConnectionsPage(load_theme("light"), holder)
    views = [
        ConnectionView(("openai", str(number)), "globe", f"Server {number}", "x", key="Add key") for number in range(40)
    ]
    page.show_connections(views, [])
    row = page.rows[20]
    row.edit_key()
    row.key.setText("sk-typed")
    page.show_connections([*reversed(views)], [])
    assert page.row(("openai", "20")) is row
    assert row.key.text() == "sk-typed"
    assert [shown.view.title for shown in page.rows] == [f"Server {number}" for number in reversed(range(40))]
    holder.deleteLater()


async def test_what_is_not_set_up_says_what_to_do_here(data_dir: Path, qapp: object) -> None:
    async with MessagesApi() as api, keyed_window(data_dir, api) as window:
        await window.services.connection_states.remove("anthropic")
        page = await opened_page(window)
        row = row_of(window)
        assert row.note.text() == "There is no key for Anthropic. Add one, or set ANTHROPIC_API_KEY."
        heights = {part.height() for part in page.findChildren(QPushButton) if part.isVisible()}
        assert len(heights) == 1, "every button of a page has one height"


async def test_the_lines_of_a_connection_have_the_size_of_the_lines_beside_it(data_dir: Path, qapp: object) -> None:
    async with MessagesApi() as api, keyed_window(data_dir, api) as window:
        page = await opened_page(window)
        assert row_of(window).state.font().pointSizeF() == page.server.detail.font().pointSizeF()


async def test_a_server_that_turns_out_to_need_a_key_is_given_one_and_the_question_is_answered(
    data_dir: Path, qapp: object
) -> None:
    nothing = NoKeyring()
    async with MessagesApi() as api, ChatApi() as one, keyed_window(data_dir, api, nothing) as window:
        name = await window.services.connections.use_server(one.url, key="sk-first", unsaved=True)
        await window.services.preferences.set_value("backend.default", name)
        await window.settled()
        await window.send("hello")
        await cast("RememberedKeys", window.services.secrets).forget(f"openai@{one.root}")  # as after a restart
        one.script(HttpError(401))
        window.enter("again")
        await window.until(lambda: window.presenters.error_cards.card, "the card")
        window.presenters.error_cards.act("add_key")
        await window.until(lambda: isinstance(window.presenters.pages.page, ConnectionsPage), "the page")
        await window.until(lambda: page_of(window).rows, "the connections")
        await window.settled()
        row = server_row(window, one.url)
        assert page_of(window).rows[0] is row
        assert row.note.text().startswith("There is no key for")
        assert row.key.hasFocus()
        QTest.keyClicks(row.key, "sk-of-this-server")
        assert row.save.text() == "Use without saving", "no keyring is tried first"
        click(row.save)
        await window.until(lambda: window.window.stage.reading, "the thread")
        await window.until(lambda: len(one.answers) == 3, "the answer")
        assert one.answers[-1].headers["authorization"] == "Bearer sk-of-this-server"


async def test_new_threads_use_another_connection_while_the_default_has_no_key(data_dir: Path, qapp: object) -> None:
    nothing = NoKeyring()
    around = {"HOME": str(data_dir.parent), "PATH": ""}
    async with ChatApi() as one, ChatApi() as two:
        two.keyed = False
        async with OpenWindow.opened(data_dir, backend=None, fakes=False, environ=around, secrets=nothing) as window:
            connections = window.services.connections
            lost = await connections.use_server(one.url, key="sk-of-the-first", unsaved=True)
            await connections.use_server(two.url, called="Other")
            await window.services.preferences.set_value("backend.default", lost)
            await window.settled()
        async with OpenWindow.opened(data_dir, backend=None, fakes=False, environ=around, secrets=nothing) as window:
            await window.until(window.window.toast.isVisible, "the word on it")
            toast = window.window.toast
            assert " needs a key. New threads use test-model until it has one." in toast.words
            await window.settled()
            assert "Other" in window.composer.picker.text()
            assert "key" not in window.composer.lines or not window.composer.lines["key"].isVisible()
            toast.hide()
            await window.send("hello")
            assert two.answers
            assert one.answers == []
            window.shortcut("new_thread")
            await window.settled()
            assert "Other" in window.composer.picker.text()
            assert not toast.isVisible(), "it is said once"
            await opened_page(window)
            row = server_row(window, one.url)
            assert (row.default.isVisible(), row.view.needs_key) == (True, True), "it is the default all the same"
            assert server_row(window, two.url).use.isVisible()
            await window.services.connection_states.set_key(lost, one.url, "sk-again", unsaved=True)
            window.shortcut("new_thread")
            await window.settled()
            assert "Other" not in window.composer.picker.text()


async def test_a_key_that_was_not_saved_is_asked_for_again_after_a_start_and_where_its_server_is_all_that_is_left(
    data_dir: Path, qapp: object
) -> None:
    around = {"HOME": str(data_dir.parent), "PATH": ""}
    async with ChatApi() as one, ChatApi() as two:
        async with OpenWindow.opened(
            data_dir, backend=None, fakes=False, environ=around, secrets=NoKeyring()
        ) as window:
            connections = window.services.connections
            first = await connections.use_server(one.url, key="sk-of-the-first", unsaved=True)
            await connections.use_server(two.url, key="sk-of-the-second", unsaved=True)
            await window.services.preferences.set_value("backend.default", first)
            await window.settled()
            assert "key" not in window.composer.lines
        async with OpenWindow.opened(
            data_dir, backend=None, fakes=False, environ=around, secrets=NoKeyring()
        ) as window:
            window.services.connections.look_at = ()
            await window.until(lambda: "key" in window.composer.lines, "the line")
            line = window.composer.lines["key"]
            assert "The key is gone" in line.words
            window.enter("hello")
            await window.until(lambda: window.presenters.error_cards.card, "the card")
            card = window.presenters.error_cards.card
            assert card is not None
            assert [action.id for action in card.content.actions][:1] == ["add_key"]
            assert one.answers == [], "nothing is sent without it"
            assert not line.isVisible(), "the card says the same"
            card.action_requested.emit("add_key")
            await window.until(lambda: isinstance(window.presenters.pages.page, ConnectionsPage), "the page")
            await window.until(lambda: page_of(window).rows, "the connections")
            await window.settled()
            row = server_row(window, one.url)
            assert row.save.text() == "Use without saving"
            assert row.note.text().startswith("The key is gone")
            assert row.key.isVisible()
            click(row.remove)
            await window.settled()
            window.shortcut("new_thread")
            await window.until(lambda: window.window.stage.reading, "the composer")
            await window.settled()
            assert not window.window.stage.welcoming
            assert window.composer.isVisible()
            await window.until(lambda: window.composer.lines["key"].words.startswith("127.0.0.1"), "its line")


async def test_a_closed_line_on_a_missing_key_comes_back_only_when_a_key_was_there_and_is_gone(
    data_dir: Path, qapp: object
) -> None:
    around = {"HOME": str(data_dir.parent), "PATH": ""}
    async with OpenWindow.opened(data_dir, backend=None, fakes=False, environ=around, secrets=NoKeyring()) as window:
        window.services.connections.look_at = ()
        await window.services.preferences.set_value("backend.default", "anthropic")
        window.shortcut("new_thread")
        await window.until(lambda: "key" in window.composer.lines, "the line")
        line = window.composer.lines["key"]
        assert line.isVisible()
        click(line.cross)
        for _ in range(2):
            window.shortcut("new_thread")
            await window.settled()
            await window.app_state.made_thread()
            await window.settled()
            assert not line.isVisible()
        states = window.services.connection_states
        await states.set_key("anthropic", "", "sk-ant-again", unsaved=True)
        await window.settled()
        await states.remove("anthropic")
        await window.services.preferences.set_value("backend.default", "anthropic")
        window.shortcut("new_thread")
        await window.until(line.isVisible, "the line")
