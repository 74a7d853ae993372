"""What looks like a secret is asked about before it is sent, once, in the place of the gauge's line."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLineEdit

from desktop_app.core.context.request_secrets import SecretScan
from desktop_app.core.messages import DocumentPart, TextPart
from desktop_app.core.redaction import REDACTED
from desktop_app.ui.composer.composer_rows import NoticeRow
from desktop_app.ui.connections.connections_page import ConnectionsPage
from desktop_app.ui.conversation.transcript_presenter import ALLOW_SECRETS
from tests.ui.open_window import OpenWindow

KEY = "sk-ant-api03-a1B2c3D4e5F6g7H8i9J0"
TOKEN = "ghp_" + "a1B2" * 9


def is_kept(window: OpenWindow, key: str) -> bool:
    """Return True if any file of the data folder holds the key."""
    return any(key.encode() in file.read_bytes() for file in window.session.paths.root.rglob("*") if file.is_file())


async def asked(window: OpenWindow) -> NoticeRow:
    """The line that asks after Send."""
    window.press(Qt.Key.Key_Return)
    await window.until(lambda: "secret" in window.composer.lines and window.composer.lines["secret"].isVisible(), "it")
    await window.settled()
    return window.composer.lines["secret"]


async def answered(window: OpenWindow, requests: int) -> None:
    await window.until(lambda: len(window.backend.plans) == requests, "the request")
    await window.until(lambda: not window.composer.streaming, "the end of the answer")
    await window.settled()


def click(button: object) -> None:
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)  # type: ignore[call-overload]


async def test_a_secret_goes_only_when_it_is_sent_anyway(window: OpenWindow) -> None:
    window.type(f"Mine is {TOKEN}")
    line = await asked(window)
    question, figure = line.words.split(" · ")
    assert question == "Looks like a GitHub token"
    assert (line.button.text(), line.second.text()) == ("Remove", "Send anyway")
    assert window.backend.plans == []
    assert window.composer.text() == f"Mine is {TOKEN}", "nothing typed is lost"
    assert not window.composer.gauge.isVisible()
    click(line.cross)
    assert not line.isVisible()
    assert window.composer.gauge.isVisible()
    line = await asked(window)
    assert window.backend.plans == []
    click(line.second)
    await answered(window, 1)
    assert not line.isVisible()
    (plan,) = window.backend.plans
    assert TOKEN in repr(plan.request.pending)
    assert figure == f"{plan.tokens.total:,} tokens with it"
    window.enter(f"Again {TOKEN}")
    await answered(window, 2)


async def test_what_is_removed_leaves_the_text_for_its_writer_to_send(window: OpenWindow) -> None:
    window.type(f"Mine is {TOKEN}, what is it?")
    await window.until(lambda: is_kept(window, TOKEN), "the draft, stored while it is typed")
    line = await asked(window)
    click(line.button)
    await window.settled()
    assert window.composer.text() == f"Mine is {REDACTED}, what is it?"
    assert not line.isVisible()
    assert window.composer.editor.hasFocus()
    await window.presenters.drafts.flush()
    assert not is_kept(window, TOKEN)
    window.press(Qt.Key.Key_Return)
    await answered(window, 1)
    assert TOKEN not in repr(window.backend.plans)


async def test_a_secret_in_an_attachment_is_named_with_its_file(window: OpenWindow, tmp_path: Path) -> None:
    settings = tmp_path / "settings.env"
    settings.write_text(f"TOKEN={TOKEN}\n")
    window.presenters.attachments.add_files([settings])
    await window.until(lambda: bool(window.composer.attachments), "the attachment")
    window.type("What is this?")
    line = await asked(window)
    assert line.words.startswith("Looks like a GitHub token in settings.env · ")
    click(line.button)
    await window.settled()
    assert isinstance(window.composer.attachments[0], DocumentPart), "it stays, and is not what the provider gets"
    window.press(Qt.Key.Key_Return)
    await answered(window, 1)
    (plan,) = window.backend.plans
    request = SecretScan().masked(plan.request)
    assert TOKEN not in repr(request)
    assert f"TOKEN={REDACTED}" in repr(request)


async def test_what_was_taken_out_unasked_is_said_and_can_be_let_through(window: OpenWindow) -> None:
    await window.send("Hello")
    services = await window.app_state.services()
    thread_id = window.app_state.thread_id or ""
    await services.chat.send(thread_id, (TextPart(f"From a command: {TOKEN}"),))
    await window.settled()
    footer = window.transcript.footer
    shown: object = footer.notice
    assert shown == ("Removed before sending: a GitHub token", ((ALLOW_SECRETS, "Send anyway"),))
    window.transcript.row_actions.action_requested.emit("", ALLOW_SECRETS)
    await window.settled()
    assert footer.notice is None
    allowed = (await services.chat.context_editing.choices(thread_id)).secrets.sent
    assert len(allowed) == 1
    assert TOKEN not in repr(allowed)


@pytest.mark.parametrize(("key", "backend"), [(KEY, "anthropic"), ("sk-proj-a1B2c3D4e5F6g7H8i9J0", "openai")])
async def test_a_key_is_taken_from_the_message_into_its_field(
    window: OpenWindow, caplog: pytest.LogCaptureFixture, key: str, backend: str
) -> None:
    window.type(f"Mine is {key}")
    await window.until(lambda: is_kept(window, key), "the draft, stored while it is typed")
    line = await asked(window)
    assert line.button.text() == "Add as key"
    click(line.button)
    await window.settled()
    page = window.presenters.pages.page
    assert isinstance(page, ConnectionsPage)
    row = page.row((backend, ""))
    field = row.key if row is not None else page.server.key
    await window.until(lambda: field.text() == key, "the key in its field")
    assert field.isVisible()
    assert field.echoMode() == QLineEdit.EchoMode.Password
    assert window.composer.text() == "Mine is"
    assert not line.isVisible()
    assert window.backend.plans == []
    assert key not in caplog.text
    await window.presenters.drafts.flush()
    assert not is_kept(window, key), "nothing of it is stored before it is saved"


async def test_a_key_that_is_deleted_from_the_message_is_in_no_file(window: OpenWindow) -> None:
    window.type(f"Mine is {KEY}")
    await window.until(lambda: is_kept(window, KEY), "the stored draft")
    for _ in KEY:
        window.press(Qt.Key.Key_Backspace)
    await window.presenters.drafts.flush()
    assert window.composer.text() == "Mine is "
    assert not is_kept(window, KEY)
