"""The page of sync on the real window, over an engine that says what a test wants: each step, each trouble."""

from __future__ import annotations

import asyncio
import re
import urllib.request
from datetime import UTC, datetime
from pathlib import Path

import pytest
from PySide6.QtCore import QStandardPaths
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QFileDialog, QLineEdit, QMessageBox, QPushButton

from desktop_app.controller import history_sync
from desktop_app.core.phrases import phrase
from desktop_app.core.sync import SyncApart, SyncRefused, SyncTrouble, TroubleKind
from desktop_app.ui.preferences.sync_page import REMEDIES, Step, SyncPage, in_groups, sheet_text, strength_words
from tests.cli.command import Ended, Plimsoll
from tests.fakes.fake_sync import DEVICES, KEY, FakeSync
from tests.ui.access_walk import all_faults
from tests.ui.open_window import OpenWindow

pytestmark = pytest.mark.slow


engine = FakeSync.of


@pytest.fixture
def sync_engine() -> type[FakeSync]:
    return FakeSync


async def sync_page(window: OpenWindow) -> SyncPage:
    window.shortcut("show_sync")
    await window.until(lambda: isinstance(window.presenters.pages.page, SyncPage), "the page")
    await window.settled()
    page = window.presenters.pages.page
    assert isinstance(page, SyncPage)
    return page


async def set_up(window: OpenWindow) -> SyncPage:
    engine(window).become(place="/mnt/sync", device="Desk", devices=DEVICES)
    return await sync_page(window)


def shown(page: SyncPage) -> set[str]:
    """The words of the buttons that can be seen."""
    return {one.text() for one in page.findChildren(QPushButton) if one.isVisible() and one.text()}


def step_of(page: SyncPage) -> str:
    return page.step


async def press(window: OpenWindow, page: SyncPage, words: str) -> None:
    next(one for one in page.findChildren(QPushButton) if one.text() == words).click()
    await window.settled()


async def go_on(window: OpenWindow, page: SyncPage) -> None:
    page.go_button.click()
    await window.settled()


async def test_the_first_device_makes_a_space_and_keeps_a_sheet(window: OpenWindow, tmp_path: Path) -> None:
    page, sync = await sync_page(window), engine(window)
    assert step_of(page) == "place"
    assert page.place.hasFocus()
    assert shown(page) == {"Back", "Choose a folder…", "Continue"}
    page.place.setText("not/whole")
    await go_on(window, page)
    assert page.wrong.text() == "Enter a folder with its full path, or s3://bucket/prefix."
    page.place.setText(str(tmp_path))
    page.device.setText("Desk")
    await go_on(window, page)
    assert step_of(page) == "new"
    assert page.secret.hasFocus()
    await go_on(window, page)
    assert page.wrong.text() == "At least 8 characters"
    page.secret.setText("short")
    page.repeated.setText("short")
    await go_on(window, page)
    assert (step_of(page), page.wrong.text()) == ("new", ""), "the line beneath the field says it already"
    page.secret.setText("four quiet words more")
    await go_on(window, page)
    assert page.wrong.text() == "The two passphrases differ"
    assert all_faults() == []
    page.repeated.setText("four quiet words more")
    await go_on(window, page)
    assert sync.asked[-2:] == [
        ("test", str(tmp_path)),
        ("setup", str(tmp_path), "four quiet words more", "Desk", False),
    ]
    assert (step_of(page), page.key_words.text()) == ("sheet", in_groups(KEY))
    assert not page.secret.text()
    page.other_button.click()
    assert (step_of(page), page.wrong.text().partition(".")[0]) == ("sheet", "Not saved yet")
    page.other_button.click()
    await window.settled()
    assert step_of(page) == ""
    assert not page.key_words.text()
    assert page.state.text() == f"Syncing with {tmp_path} as Desk · Everything is synced"


async def test_a_later_device_joins_by_passphrase_or_recovery_key(window: OpenWindow, tmp_path: Path) -> None:
    page, sync = await sync_page(window), engine(window)
    sync.spaces.add(str(tmp_path))
    page.place.setText(str(tmp_path))
    page.device.setText("Desk")
    await go_on(window, page)
    assert step_of(page) == "join"
    assert not page.repeated.isVisible()
    sync.refuses = SyncTrouble("config", phrase("That passphrase is wrong."))
    page.secret.setText("something")
    await go_on(window, page)
    assert page.wrong.text() == "That passphrase is wrong."
    page.other_button.click()
    assert step_of(page) == "key"
    page.secret.setText(f" {in_groups(KEY)} ")
    await go_on(window, page)
    assert sync.asked[-1] == ("join", str(tmp_path), KEY, "Desk")
    assert step_of(page) == ""
    assert [row.title for row in page.rows.rows] == ["Desk", "Laptop"]


async def test_a_bucket_is_typed_with_its_endpoint_and_keys(window: OpenWindow) -> None:
    page, sync = await sync_page(window), engine(window)
    assert not page.endpoint.isVisible()
    page.place.setText("")
    window.type("s3://notes/plimsoll", page.place)
    assert page.endpoint.isVisible()
    assert not page.choose.isVisible()
    page.endpoint.setText("https://s3.example.org")
    page.access.setText("AKIA")
    page.access_secret.setText("hidden")
    await go_on(window, page)
    place = "s3://notes/plimsoll?endpoint=https://s3.example.org"
    assert sync.asked[-2:] == [("credentials", place, "AKIA", "hidden"), ("test", place)]
    assert page.access_secret.text() == ""


async def test_a_place_that_can_t_be_reached_is_told_and_can_be_tried_again(window: OpenWindow, tmp_path: Path) -> None:
    page, sync = await sync_page(window), engine(window)
    sync.refuses = SyncTrouble("network", phrase("The place can't be reached."))
    page.place.setText(str(tmp_path))
    await go_on(window, page)
    assert (step_of(page), page.wrong.text()) == ("place", "The place can't be reached.")
    await go_on(window, page)
    assert step_of(page) == "new"


@pytest.mark.parametrize("kind", ["config", "network", "store", "newer", "clock", "quota", "cloned"])
async def test_each_trouble_has_its_words_and_its_button(window: OpenWindow, kind: TroubleKind) -> None:
    page, sync = await set_up(window), engine(window)
    assert not page.trouble.isVisible()
    sync.become(trouble=SyncTrouble(kind, phrase("Something is wrong."), "in detail"))
    await window.settled()
    assert (page.problem.text(), page.detail.text()) == ("Something is wrong.", "in detail")
    assert page.remedy.isVisible() == (kind in REMEDIES)
    assert all_faults() == []
    if kind not in REMEDIES:
        return
    page.remedy.click()
    await window.settled()
    if kind == "config":
        assert step_of(page) == "again"
        page.secret.setText("the passphrase")
        await go_on(window, page)
        assert sync.asked[-1] == ("now", "the passphrase")
    else:
        assert sync.asked[-1] == (("accept",) if kind in ("store", "cloned") else ("now", None))
    assert not page.trouble.isVisible()
    assert step_of(page) == ""


async def test_where_no_keyring_keeps_the_key_it_is_said_and_asked_for(window: OpenWindow, tmp_path: Path) -> None:
    engine(window).has_keyring = False
    page = await sync_page(window)
    assert not page.unkept.isVisible()
    page.place.setText(str(tmp_path))
    await go_on(window, page)
    assert page.unkept.isVisible()
    assert "asks for the passphrase at each start" in page.unkept.text()


async def test_the_field_stands_ready_where_the_passphrase_is_wanted(window: OpenWindow) -> None:
    sync = engine(window)
    trouble = SyncTrouble("config", phrase("Enter the passphrase to go on syncing."), phrase("There is no keyring."))
    sync.become(place="/mnt/sync", device="Desk", devices=DEVICES, trouble=trouble)
    page = await sync_page(window)
    assert step_of(page) == "again"
    assert (page.title.text(), page.explained.text()) == ("Enter the passphrase", "There is no keyring.")
    assert page.secret.hasFocus()
    assert page.state.text() == "Syncing with /mnt/sync as Desk"
    sync.become(waiting=1)
    page.secret.setText("the passphrase")
    await go_on(window, page)
    assert sync.asked[-1] == ("now", "the passphrase")
    assert page.state.text().endswith("Everything is synced")
    assert page.now_button.hasFocus(), "and not what pauses it"


async def test_what_is_wrong_behind_the_passphrase_has_its_button(
    window: OpenWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    page, sync = await set_up(window), engine(window)
    sync.become(trouble=SyncTrouble("config", phrase("Enter the passphrase to go on syncing.")))
    await window.settled()
    await press(window, page, "Enter the passphrase")
    assert step_of(page) == "again"
    emptied = SyncTrouble("store", phrase("The place is empty."))

    async def now(_passphrase: str) -> None:
        sync.become(trouble=emptied)
        raise SyncRefused(emptied)

    monkeypatch.setattr(sync, "now", now)
    page.secret.setText("quiet harbor lantern seven")
    await go_on(window, page)
    assert step_of(page) == ""
    assert page.problem.text() == "The place is empty."
    await press(window, page, "Use this place all the same")
    assert sync.asked[-1] == ("accept",)


async def test_sync_now_pause_and_resume(window: OpenWindow) -> None:
    page, sync = await set_up(window), engine(window)
    sync.become(waiting=12, bytes_sent=1_500_000, bytes_received=12_300)
    await window.settled()
    assert page.state.text().endswith("12 changes wait")
    assert page.figures.text() == "Sent 1.5 MB, received 13 KB"
    page.now_button.click()
    await window.settled()
    assert page.state.text().endswith("Everything is synced")
    page.pause_button.click()
    await window.settled()
    assert (page.pause_button.text(), page.now_button.isEnabled()) == ("Resume", False)
    page.pause_button.click()
    await window.settled()
    assert sync.asked[-2:] == [("pause",), ("resume",)]
    assert page.now_button.isEnabled()


async def test_a_device_is_removed_with_a_new_passphrase(window: OpenWindow) -> None:
    page, sync = await set_up(window), engine(window)
    assert not page.revoke_button.isEnabled(), "this device leaves, it is not removed"
    page.view.setCurrentIndex(page.rows.index(1))
    page.revoke_button.click()
    assert (step_of(page), page.secret.placeholderText()) == ("revoke", "New passphrase")
    assert "Change the credentials of the place yourself." in page.explained.text()
    for field in (page.secret, page.repeated):
        field.setText("another quiet passphrase")
    await go_on(window, page)
    assert sync.asked[-1] == ("revoke", "d2", "another quiet passphrase")
    assert (step_of(page), page.key_words.text()) == ("sheet", in_groups(KEY))
    assert page.explained.text().endswith(
        "A sheet from before a device was removed no longer lets a device join. Throw it away."
    )
    page.other_button.click()
    page.other_button.click()
    await window.settled()
    assert page.rows.rows[1].facts.startswith("Removed · ")


async def test_a_removed_device_is_told_what_happened_and_the_way_back(
    window: OpenWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    sync = engine(window)
    changed = SyncTrouble("config", phrase("The passphrase was changed on another device. Enter the new one."))
    sync.become(place="/mnt/sync", device="Boat", devices=DEVICES, trouble=changed)
    page = await sync_page(window)
    removed = SyncTrouble("removed", phrase("This device was removed."), phrase("Leave sync, then join again."))

    async def now(_passphrase: str) -> None:
        sync.become(trouble=removed)
        raise SyncRefused(removed)

    monkeypatch.setattr(sync, "now", now)
    page.secret.setText("the new passphrase")
    await go_on(window, page)
    assert (step_of(page), page.problem.text()) == ("", "This device was removed.")
    assert page.detail.text() == "Leave sync, then join again."
    assert window.threads.sync_foot is not None
    assert window.threads.sync_foot.line.text() == "This device was removed from sync"
    assert page.remedy.text() == "Leave sync"
    page.remedy.click()
    await window.until(lambda: window.window.findChild(QMessageBox), "the question")
    box = window.window.findChild(QMessageBox)
    assert isinstance(box, QMessageBox)
    next(one for one in box.buttons() if one.text() == "Leave sync").click()
    await window.settled()
    assert sync.asked[-1] == ("leave",)
    assert (step_of(page), page.device.text(), page.place.text()) == ("place", "Boat", "/mnt/sync")


async def test_each_thing_that_was_changed_apart_is_decided(window: OpenWindow) -> None:
    page, sync = await set_up(window), engine(window)
    assert not page.apart.isVisible()
    project = SyncApart("project", "p", "Harbor", (("instructions", "Be brief. " * 100),))
    thread = SyncApart("thread", "t", "Tides", (("pinned", ""),))
    sync.become(apart=(project, thread), still_on=("Laptop", "Phone"))
    await window.settled()
    assert page.differs.text() == "Harbor: Instructions changed on two devices"
    assert page.still.text() == "Deleted for good here, still on Laptop, Phone"
    assert page.other.text() == f"The other: {'Be brief. ' * 60}…"
    assert {"Use the other", "Keep this", "Copy the other"} <= shown(page)
    assert all_faults() == []
    page.copy_button.click()
    assert QGuiApplication.clipboard().text() == "Be brief. " * 100
    await press(window, page, "Use the other")
    assert page.differs.text() == "Tides: Pinned changed on two devices"
    assert not page.copy_button.isVisible()
    await press(window, page, "Keep this")
    assert sync.asked[-2:] == [("decide", "project", "p", True), ("decide", "thread", "t", False)]
    assert not page.apart.isVisible()


@pytest.mark.parametrize("step", ["", "again", "revoke"])
async def test_leaving_says_what_stays(window: OpenWindow, step: Step) -> None:
    page, sync = await set_up(window), engine(window)
    page.show_step(step)
    page.leave_button.click()
    await window.until(lambda: window.window.findChild(QMessageBox), "the question")
    box = window.window.findChild(QMessageBox)
    assert isinstance(box, QMessageBox)
    assert "/mnt/sync stays there" in box.text()
    next(one for one in box.buttons() if one.text() == "Leave sync").click()
    await window.settled()
    assert sync.asked[-1] == ("leave",)
    assert step_of(page) == "place"


async def test_a_first_join_shows_a_bar(window: OpenWindow) -> None:
    page, sync = await set_up(window), engine(window)
    assert not page.progress.isVisible()
    sync.become(progress=(30, 100))
    await window.settled()
    assert page.progress.isVisible()
    assert (page.progress.value(), page.progress.maximum()) == (30, 100)
    assert "Everything is synced" not in page.state.text()
    sync.become(progress=None)
    await window.settled()
    assert not page.progress.isVisible()


async def test_the_recovery_sheet_is_a_file_to_print(
    window: OpenWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = await set_up(window)
    documents, elsewhere = tmp_path / "Documents", tmp_path / "of the last attachment"
    for folder in (documents, elsewhere):
        folder.mkdir()
    monkeypatch.setattr(QStandardPaths, "writableLocation", lambda _: str(documents))
    window.window.setProperty("last_folder", str(elsewhere))
    page.sheet_button.click()
    await window.settled()
    assert page.key_words.text() == in_groups(KEY)
    page.go_button.click()
    await window.until(lambda: window.window.findChild(QFileDialog), "the dialog")
    dialog = window.window.findChild(QFileDialog)
    assert isinstance(dialog, QFileDialog)
    proposed = Path(dialog.selectedFiles()[0])
    assert proposed.parent == documents
    assert re.fullmatch(r"Plimsoll recovery sheet \d{4}-\d\d-\d\d \d\d\.\d\d\.pdf", proposed.name)
    sheet = tmp_path / "sheet.pdf"
    line = dialog.findChild(QLineEdit)
    assert line is not None
    line.setText(str(sheet))
    dialog.accept()
    await window.settled()
    assert page.wrong.text() == ""
    assert sheet.read_bytes().startswith(b"%PDF")
    assert window.window.toast.words == f"Recovery sheet saved in {tmp_path}"


def test_a_sheet_says_when_it_was_made_where_its_key_is_entered_and_which_sheets_are_of_no_use(qapp: object) -> None:
    text = sheet_text(KEY, "/mnt/sync", "Desk", datetime(2026, 11, 29, 18, 31, tzinfo=UTC), after_removal=False)
    assert all(words in text for words in (KEY, "/mnt/sync", "Made on Nov 29, 2026", "on Desk", "Use the recovery key"))
    assert "no longer" not in text
    text = sheet_text(KEY, "/mnt/sync", "Desk", datetime(2026, 11, 29, 18, 31, tzinfo=UTC), after_removal=True)
    assert "A sheet from before a device was removed no longer lets a device join. Throw it away." in text


PASSPHRASE = "quiet harbor lantern seven"


async def makes_a_space(window: OpenWindow, place: str, **fields: str) -> SyncPage:
    """Through the page, with the real engine, up to its devices."""
    page = await sync_page(window)
    page.place.setText(place)
    page.device.setText("Desk")
    for name, text in fields.items():
        getattr(page, name).setText(text)
    await go_on(window, page)
    assert (step_of(page), page.wrong.text()) == ("new", "")
    for field in (page.secret, page.repeated):
        field.setText(PASSPHRASE)
    await go_on(window, page)
    assert (step_of(page), page.wrong.text()) == ("sheet", "")
    await press(window, page, "Done")
    await press(window, page, "Done")  # although it is not saved
    return page


async def test_what_is_typed_in_the_window_and_said_in_another_process_is_in_both(
    data_dir: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for look in ("LOOK_S", "LOOK_WITHOUT_FOCUS_S"):
        monkeypatch.setattr(history_sync, look, 100_000.0)  # nothing is looked for without a reason
    place, secret = tmp_path / "place", tmp_path / "passphrase"
    place.mkdir()
    secret.write_text(PASSPHRASE)
    keep, laptop = ("--passphrase-file", str(secret)), Plimsoll.machine(tmp_path / "laptop")

    async def on_laptop(*words: str) -> Ended:
        return await asyncio.to_thread(laptop, *words)

    async with OpenWindow.opened(data_dir, fakes=False) as window:
        page, sync = await makes_a_space(window, str(place)), window.services.sync
        window.shortcut("show_sync")
        await window.send("Tides and winds")
        thread = await window.thread()
        await window.until(lambda: sync.status().bytes_sent > 500 and not sync.status().waiting, "all of it is sent")
        assert (await on_laptop("sync", "setup", str(place), *keep, "--device", "Laptop")).status == 0
        assert (await on_laptop("sync", "now", *keep)).status == 0
        assert "Tides and winds" in (await on_laptop("show", thread.id)).out
        assert (await on_laptop("ask", "--thread", thread.id, "And currents")).status == 0
        assert (await on_laptop("sync", "now", *keep)).status == 0
        sync.set_focus(True)  # the user is back at this window
        await window.until(lambda: "And currents" in shown_texts(window), "what was said on the laptop")
        sent = sync.status().bytes_sent
        here = Plimsoll(data_dir)
        asked = await asyncio.to_thread(here, "ask", "--backend", "scripted", "--thread", thread.id, "And the moon")
        assert asked.status == 0, asked
        await window.until(lambda: sync.status().bytes_sent > sent, "a command's turn is sent at once")
        assert (await on_laptop("sync", "now", *keep)).status == 0
        assert "And the moon" in (await on_laptop("show", thread.id)).out

        page = await sync_page(window)
        await press(window, page, "Sync now")
        assert [row.title for row in page.rows.rows] == ["Desk", "Laptop"]
        page.view.setCurrentIndex(page.rows.index(1))
        old = sync.recovery_key()
        await press(window, page, "Remove device")
        for field in (page.secret, page.repeated):
            field.setText("another quiet passphrase")
        await go_on(window, page)
        assert (step_of(page), page.wrong.text()) == ("sheet", "")
        assert page.key_words.text() == in_groups(sync.recovery_key()) != in_groups(old)
        await press(window, page, "Done")
        await press(window, page, "Done")  # although it is not saved
        assert page.rows.rows[1].facts.startswith("Removed · ")
        refused = await on_laptop("sync", "now", *keep)
        assert refused.status == 3, refused


def shown_texts(window: OpenWindow) -> list[str]:
    return [one.text for one in window.transcript.messages]


async def test_the_page_sets_up_a_server_of_s3(data_dir: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"):
        monkeypatch.delenv(name, raising=False)
    server = pytest.importorskip("moto.server").ThreadedMotoServer(port=0, verbose=False)
    server.start()
    try:
        host, port = server.get_host_and_port()
        address = f"http://{host}:{port}"
        bucket = urllib.request.Request(f"{address}/tides", method="PUT")
        (await asyncio.to_thread(urllib.request.urlopen, bucket)).close()
        async with OpenWindow.opened(data_dir, fakes=False) as window:
            keys = {"endpoint": address, "access": "key", "access_secret": "secret"}
            page = await makes_a_space(window, "s3://tides/plimsoll", **keys)
            window.shortcut("show_sync")
            await window.send("Tides and winds")
            page = await sync_page(window)
            await press(window, page, "Sync now")
            place = f"s3://tides/plimsoll?endpoint={address}"
            assert page.state.text() == f"Syncing with {place} as Desk · Everything is synced"
            assert not page.trouble.isVisible()
            assert window.services.sync.status().bytes_sent > 500
    finally:
        server.stop()


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", ""),
        ("abc", "Too short: at least 8 characters"),
        ("aaaaaaaaaaaa", "Weak: easy to guess. Use four words or more."),
        ("12345678", "Weak: easy to guess. Use four words or more."),
        ("quiet harbor", "Weak: easy to guess. Use four words or more."),
        ("quiet harbor lantern", "Fair: one more word makes it good"),
        ("quiet harbor lantern seven", "Good"),
        ("k7#Qz!p2Lw9@xVb4", "Strong"),
    ],
)
def test_a_passphrase_s_strength_is_said_in_words(text: str, words: str) -> None:
    assert strength_words(text) == words
