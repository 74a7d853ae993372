"""The page of sync: set up or join, devices, what waits, pause and leave, and every trouble with its button."""

from __future__ import annotations

import math
import platform
from collections.abc import Awaitable, Callable, Mapping
from datetime import datetime
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import Final, Literal, TypeAlias
from urllib.parse import quote

from PySide6.QtCore import Qt, QUrl
from PySide6.QtGui import QDesktopServices, QGuiApplication
from PySide6.QtWidgets import QLineEdit, QWidget

from desktop_app.controller.history_sync import Sync
from desktop_app.core.artifacts import Artifact
from desktop_app.core.errors import PlimsollError
from desktop_app.core.events import SyncChanged
from desktop_app.core.phrases import phrase
from desktop_app.core.sync import SyncApart, SyncDevice, SyncRefused, SyncStatus
from desktop_app.system.system_clock import utc_now
from desktop_app.ui.i18n.language import day_of_year, grouped, moment, size_words, tr, translated
from desktop_app.ui.state.app_state import AppState
from desktop_app.ui.theme.theme import GRID, Theme
from desktop_app.ui.widgets.fitting import FlowRow
from desktop_app.ui.widgets.floating import Toast, asked_file_to_write, asked_folder, confirmed, documents_folder
from desktop_app.ui.widgets.list_parts import TwoLineRow
from desktop_app.ui.widgets.live_page import ListPage
from desktop_app.ui.widgets.parts import Part, Stretch, button_in, fill, frame_in, in_column, in_row, label_in

Step: TypeAlias = Literal["", "place", "new", "join", "key", "again", "revoke", "sheet"]
"""The form that is shown: a place is chosen, a passphrase made or entered, a sheet kept. "": none."""
SETTING_UP: Final = ("place", "new", "join", "key")
"""Forms that are shown as long as nothing is set up."""

S3: Final = "s3://"
SHOWN_OF_OTHER: Final = 600
"""Characters of what does not show; more can be copied."""
SHORTEST: Final = 8
"""Characters of a passphrase, at least."""
FAIR_BITS: Final = 32
GOOD_BITS: Final = 48
STRONG_BITS: Final = 72
"""From so many bits on a passphrase, stretched by age's scrypt, costs who guesses it weeks, years, or far more."""
BITS_OF_A_WORD: Final = 12
"""A word is one of some thousands, however many letters it has."""


def strength_words(text: str) -> str:
    """The effort to guess a passphrase, in words; "" for none."""
    if len(text) < SHORTEST:
        return tr("Too short: at least {n} characters").format(n=SHORTEST) if text else ""
    fresh = 1 + sum(abs(ord(one) - ord(before)) > 1 for before, one in pairwise(text))
    kinds = (str.islower, 26), (str.isupper, 26), (str.isdigit, 10), (lambda one: not one.isalnum(), 33)
    pool = sum(size for kind, size in kinds if any(map(kind, text))) + (0 if text.isascii() else 100)
    bits = fresh * math.log2(max(pool, 10))
    if text.replace(" ", "").isalpha():
        bits = min(bits, len(set(text.split())) * BITS_OF_A_WORD)
    if bits < FAIR_BITS:
        return tr("Weak: easy to guess. Use four words or more.")
    if bits < GOOD_BITS:
        return tr("Fair: one more word makes it good")
    return tr("Good") if bits < STRONG_BITS else tr("Strong")


REMEDIES: Final[Mapping[str, str]] = {
    "store": phrase("Use this place all the same"),
    "config": phrase("Enter the passphrase"),
    "network": phrase("Sync now"),
    "quota": phrase("Sync now"),
    "clock": phrase("Sync now"),
    "cloned": phrase("Go on as a new device"),
    "removed": phrase("Leave sync"),
}
"""The button of a trouble, by its kind; with a newer format nothing helps but an update."""


class SyncPage(ListPage):
    """Follows the engine. What is exchanged goes on when the page is left; what was typed in its form is forgotten."""

    def __init__(self, theme: Theme, app_state: AppState, toast: Toast, parent: QWidget) -> None:
        super().__init__(theme, app_state, toast, parent, facts=(SyncChanged,), lowest=14 * GRID)
        self._app_state = app_state
        self.status: SyncStatus | None = None
        self.step: Step = ""
        self._busy = False
        self._keeps_key = True
        self._place = ""
        self._key = ""
        self._unsaved = False  # a new recovery key
        self._leaving: SyncDevice | None = None
        self.set_title(self.tr("Sync"))
        self.now_button = button_in(self.top, self.tr("Sync now"), self.wished(self._sync_now))
        self.header_row.addWidget(self.now_button)
        self.about = self.small(
            self.tr("Your threads on every machine you own. They are encrypted before they leave this one.")
        )
        self._make_trouble()
        self._make_apart()
        self._make_form()
        self.state, self.figures = label_in(self.column, wrap=True), self.small()
        self.devices = self.subheading(self.tr("Devices"))
        self.view.setAccessibleName(self.tr("Devices"))
        self.pause_button = button_in(self.column, "", self.wished(self._pause))
        self.sheet_button = button_in(self.column, self.tr("Recovery sheet"), self.wished(self._show_sheet))
        self.revoke_button = button_in(self.column, self.tr("Remove device"), self._begin_revoking)
        self.leave_button = button_in(self.column, self.tr("Leave sync"), self.wished(self._leave_sync))
        self.buttons = self.button_row(self.pause_button, self.sheet_button, self.revoke_button, self.leave_button)
        self.never = self.small(self.tr("Never synced: keys, private threads, text being typed."))
        self.still = self.small()
        parts = (self.about, self.trouble, self.apart, self.form, self.state, self.figures, self.still, self.going_on)
        fill(self.inside, *parts, self.devices, (self.view, 1), self.buttons, self.never, Stretch(0))
        self.nothing.hide()
        self.view.selectionModel().currentChanged.connect(self.show_state)
        theme.set_font("body", self.state)
        self.show_progress("")
        app_state.start(self.open())

    def _make_trouble(self) -> None:
        self.trouble = frame_in(self.column, "field")
        self.problem = label_in(self.trouble, tone="danger", wrap=True)
        self.detail = label_in(self.trouble, tone="secondary", wrap=True)
        self.remedy = button_in(self.trouble, "", self.wished(self._mend))
        _fill(self.trouble, self.problem, self.detail, in_row(self.remedy, Stretch(1)))
        self.theme.set_font("small", self.detail)

    def _make_apart(self) -> None:
        """The first of what was changed apart on two devices; once that is decided, the next."""
        self.apart = frame_in(self.column, "field")
        self.differs = label_in(self.apart, wrap=True)
        self.other = label_in(self.apart, tone="secondary", wrap=True)
        self.copy_button = button_in(self.apart, self.tr("Copy the other"), self._copy_other)
        decisions = (
            button_in(self.apart, self.tr("Use the other"), self.wished(partial(self._decide, other=True))),
            button_in(self.apart, self.tr("Keep this"), self.wished(partial(self._decide, other=False))),
        )
        buttons = FlowRow(*decisions, self.copy_button, across=GRID, down=GRID)
        _fill(self.apart, self.differs, self.other, buttons)
        self.theme.set_font("small", self.other)

    def _make_form(self) -> None:
        self.form = frame_in(self.column, "field")
        self.title = label_in(self.form, wrap=True)
        self.explained = label_in(self.form, tone="secondary", wrap=True)
        self.place = self._field(self.tr("Folder, or s3://bucket/prefix"))
        self.choose = button_in(self.form, self.tr("Choose a folder…"), self.wished(self._choose_folder))
        self.endpoint = self._field(self.tr("Endpoint, empty for Amazon S3"))
        self.access = self._field(self.tr("Access key ID"))
        self.access_secret = self._field(self.tr("Secret access key"), hidden=True)
        self.credentials = label_in(
            self.form, self.tr("Kept in the keyring. Empty: those of the environment."), tone="secondary", wrap=True
        )
        self.device = self._field(self.tr("Name of this device"))
        self.device_words = label_in(self.form, self.tr("Name of this device"))
        self.device.setText(platform.node())
        self.secret = self._field("", hidden=True)
        self.repeated = self._field(self.tr("Passphrase again"), hidden=True)
        self.unkept = label_in(
            self.form,
            self.tr("The system keyring can't be used: Plimsoll asks for the passphrase at each start."),
            tone="secondary",
            wrap=True,
        )
        self.strength = label_in(self.form, tone="secondary", wrap=True)
        self.key_words = label_in(self.form, wrap=True)
        self.key_words.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.wrong = label_in(self.form, tone="danger", wrap=True)
        self.go_button = button_in(self.form, "", self._go_on, kind="primary")
        self.other_button = button_in(self.form, "", self._take_other_way)
        self.cancel_button = button_in(self.form, self.tr("Cancel"), lambda: self.show_step(""))
        _fill(
            self.form,
            self.title,
            self.explained,
            self.place,
            in_row(self.choose, Stretch(1)),
            self.endpoint,
            in_row((self.access, 1), (self.access_secret, 1), spacing=GRID),
            self.credentials,
            in_row(self.device_words, (self.device, 1), spacing=GRID),
            self.secret,
            self.repeated,
            self.unkept,
            self.strength,
            self.key_words,
            self.wrong,
            FlowRow(self.go_button, self.other_button, self.cancel_button, across=GRID, down=GRID),
        )
        self.theme.set_font("title", self.title)
        self.theme.set_font("small", self.explained, self.credentials, self.unkept, self.strength, self.wrong)
        self.theme.set_font("code", self.key_words)

    def _field(self, name: str, *, hidden: bool = False) -> QLineEdit:
        line = QLineEdit(self.form, placeholderText=name)
        line.setAccessibleName(name)
        line.setToolTip(name)  # its own words may be longer than a narrow line
        line.setMinimumWidth(1)
        if hidden:
            line.setEchoMode(QLineEdit.EchoMode.Password)
        line.textEdited.connect(lambda: self._say_wrong(""))
        line.returnPressed.connect(self._go_on)
        return line

    def focus_first(self) -> None:
        self._first_part().setFocus(Qt.FocusReason.OtherFocusReason)

    def _first_part(self) -> QWidget:
        if self.step:
            return self.place if self.step == "place" else self.go_button if self.step == "sheet" else self.secret
        return self.remedy if not self.remedy.isHidden() else self.now_button

    # --- what is shown

    async def open(self) -> None:
        sync = await self._sync()
        await sync.read_status()
        await super().open()
        self._keeps_key = await sync.keeps_key()
        if not self.ended:
            self.show_state()

    async def read_again(self) -> None:
        sync = await self._sync()
        if not self.ended:
            self._show(sync.status())

    def _show(self, status: SyncStatus) -> None:
        first, self.status = self.status is None, status
        if bool(status.place) == (self.step in SETTING_UP):
            self.show_step("")
        trouble = status.trouble
        self.problem.setText(translated(trouble.message) if trouble is not None else "")
        self.detail.setText(translated(trouble.detail) if trouble is not None else "")
        self.remedy.setText(translated(REMEDIES.get(trouble.kind, "")) if trouble is not None else "")
        if (apart := self._undecided) is not None:
            self.differs.setText(f"{apart.name}: {translated(apart.words)}")
        if text := self._other_text():
            text = text if len(text) <= SHOWN_OF_OTHER else f"{text[:SHOWN_OF_OTHER]}…"
            text = self.tr("The other: {text}").format(text=text)
        self.other.setText(text)
        devices = ", ".join(status.still_on)
        self.still.setText(self.tr("Deleted for good here, still on {devices}").format(devices=devices))
        self.state.setText(state_words(status))
        sent, received = size_words(status.bytes_sent), size_words(status.bytes_received)
        self.figures.setText(self.tr("Sent {sent}, received {received}").format(sent=sent, received=received))
        self.pause_button.setText(self.tr("Resume") if status.paused else self.tr("Pause"))
        chosen = self.chosen
        self.rows.show([TwoLineRow(one, one.name, facts_of_device(one)) for one in status.devices])
        same = (place for place, one in enumerate(status.devices) if chosen is not None and one.id == chosen.id)
        self.view.setCurrentIndex(self.rows.index(next(same, 0)))
        if not self._busy:
            self._show_first_join()
        self.show_state()
        if first and trouble is not None and trouble.kind == "config":
            self.show_step("again")
        elif first:
            self.focus_first()

    def _show_first_join(self) -> None:
        if self.status is None or self.status.progress is None:
            self.show_progress("")
            return
        words = self.tr("Your threads are coming. You can use them meanwhile.")
        self.show_progress(words, *self.status.progress)

    def show_state(self) -> None:
        status, step, free = self.status, self.step, not self._busy
        at_work = status is not None and bool(status.place) and step in ("", "again")
        for part in (self.state, self.figures, self.devices, self.view, self.buttons):
            part.setVisible(at_work)
        self.now_button.setVisible(at_work)
        self.about.setVisible(not at_work)
        self.never.setVisible(step in ("", "place"))
        troubled = status is not None and status.trouble is not None and step != "again" and at_work
        self.trouble.setVisible(troubled)
        self.apart.setVisible(at_work and self._undecided is not None)
        self.still.setVisible(at_work and status is not None and bool(status.still_on))
        for part in (self.other, self.copy_button):
            part.setVisible(bool(self.other.text()))
        self.detail.setVisible(bool(self.detail.text()))
        self.remedy.setVisible(bool(self.remedy.text()))
        self.form.setVisible(bool(step))
        self._show_form(step)
        for button in (self.go_button, self.other_button, self.pause_button, self.leave_button, self.remedy):
            button.setEnabled(free)
        self.now_button.setEnabled(free and status is not None and not status.paused)
        chosen = self.chosen
        self.revoke_button.setEnabled(free and chosen is not None and not (chosen.here or chosen.revoked))

    def _show_form(self, step: Step) -> None:
        s3 = step == "place" and self.place.text().strip().startswith(S3)
        twice = step in ("new", "revoke")
        shown: Mapping[QWidget, bool] = {
            self.place: step == "place",
            self.choose: step == "place" and not s3,
            self.endpoint: s3,
            self.access: s3,
            self.access_secret: s3,
            self.credentials: s3,
            self.device: step == "place",
            self.device_words: step == "place",
            self.secret: step not in ("", "place", "sheet"),
            self.repeated: twice,
            self.unkept: step in ("new", "join", "key", "again") and not self._keeps_key,
            self.strength: twice and bool(self.secret.text()),
            self.key_words: step == "sheet",
            self.wrong: bool(self.wrong.text()),
            self.other_button: bool(self.other_button.text()),
            self.cancel_button: step not in ("place", "sheet"),
        }
        for part, visible in shown.items():
            part.setVisible(visible)
        self.strength.setText(strength_words(self.secret.text()) if twice else "")

    def show_step(self, step: Step) -> None:
        """Shows another form, with nothing typed in it; "": none, or the first where nothing is set up."""
        self.step = step or ("place" if self.status is None or not self.status.place else "")
        for line in (self.secret, self.repeated):
            line.clear()
        name = self._leaving.name if self._leaving is not None else ""
        title, explained, go, other = _form_words(self.step, name)
        self.title.setText(title)
        trouble = self.status.trouble if self.status is not None else None
        if self.step == "again" and trouble is not None:
            explained = translated(trouble.detail or trouble.message)
        if self.step == "sheet" and self._removed:
            explained = f"{explained} {void_sheets()}"
        self.explained.setText(explained)
        self.go_button.setText(go)
        self.other_button.setText(other)
        named = {"key": self.tr("Recovery key"), "revoke": self.tr("New passphrase")}
        asked = named.get(self.step, self.tr("Passphrase"))
        self.secret.setPlaceholderText(asked)
        self.secret.setAccessibleName(asked)
        self.key_words.setText(in_groups(self._key))
        self._say_wrong("")
        self.focus_first()

    def _say_wrong(self, words: str) -> None:
        self.wrong.setText(words)
        self.show_state()

    @property
    def chosen(self) -> SyncDevice | None:
        """The device that is chosen in the list."""
        return None if (row := self.rows.at(self.view.currentIndex())) is None else row.item

    # --- what is done

    async def _sync(self) -> Sync:
        return (await self._app_state.services()).sync

    async def _try(self, words: str, act: Callable[[], Awaitable[object]]) -> bool:
        """Does it, with a bar meanwhile; what keeps it back is said in the form, or where there is none in a toast."""
        problem = ""
        self._busy = True
        try:
            with self.progress_shown(words):
                await act()
        except SyncRefused as refused:
            problem = translated(refused.trouble.message)
        except PlimsollError as error:
            problem = translated(error.failure.message)
        finally:
            self._busy = False
        if self.ended:
            return False
        if problem and self.step:
            self._say_wrong(problem)
        elif problem:
            self.toast.show_message(problem)
        self.show_state()
        return not problem

    def _go_on(self) -> None:
        if not self._busy:
            self.do(self._carry_on)

    async def _carry_on(self) -> None:
        secret = self.secret.text()
        if self.step in ("new", "revoke") and len(secret) < SHORTEST:
            self._say_wrong("" if secret else self.tr("At least {n} characters").format(n=SHORTEST))  # the hint says it
        elif self.step in ("new", "revoke") and secret != self.repeated.text():
            self._say_wrong(self.tr("The two passphrases differ"))
        elif self.step not in ("place", "sheet") and not secret:
            self.secret.setFocus(Qt.FocusReason.OtherFocusReason)
        elif self.step == "place":
            await self._test_place()
        elif self.step == "sheet":
            await self._save_sheet()
        elif self.step == "again":
            await self._enter_again(secret)
        elif self.step == "revoke":
            await self._revoke(secret)
        else:
            await self._set_up(secret)

    def _typed_place(self) -> str:
        """The place that is typed, as the engine takes it; "" where it is none."""
        text, endpoint = self.place.text().strip(), self.endpoint.text().strip()
        if text.startswith(S3):
            return f"{text}?endpoint={quote(endpoint, safe=':/')}" if endpoint and "?" not in text else text
        folder = Path(text).expanduser()
        return str(folder) if text and folder.is_absolute() else ""

    async def _test_place(self) -> None:
        if not (place := self._typed_place()):
            self._say_wrong(self.tr("Enter a folder with its full path, or s3://bucket/prefix."))
            return
        access, secret = self.access.text().strip(), self.access_secret.text()
        sync, there = await self._sync(), []

        async def test() -> None:
            if place.startswith(S3) and access and secret:
                await sync.store_credentials(place, access, secret)
            there.append(await sync.test_place(place))

        if await self._try(self.tr("Testing the place…"), test):
            self._place = place
            self.access_secret.clear()
            self.show_step("join" if there[0] else "new")

    async def _set_up(self, secret: str) -> None:
        sync, name = await self._sync(), self.device.text().strip()
        made: list[str] = []

        async def set_up() -> None:
            if self.step == "key":
                await sync.join_with_recovery_key(self._place, "".join(secret.split()), name)
            else:
                made.append(await sync.setup(self._place, secret, name))

        new = self.step == "new"
        if not await self._try(self.tr("Setting up…"), set_up):
            return
        self._key = made[0] if new and made else ""
        self.step = ""
        self._show(sync.status())
        self._unsaved = bool(self._key)
        self.show_step("sheet" if self._key else "")

    async def _enter_again(self, secret: str) -> None:
        sync = await self._sync()
        done = await self._try(self.tr("Syncing…"), lambda: sync.now(secret))
        trouble = sync.status().trouble
        if done or (trouble is not None and trouble.kind != "config"):  # which has a button of its own
            self.show_step("")
            await self.read_again()
            self.focus_first()

    def _begin_revoking(self) -> None:
        self._leaving = self.chosen
        self.show_step("revoke")

    async def _revoke(self, secret: str) -> None:
        sync, device, made = await self._sync(), self._leaving, list[str]()
        if device is None:
            return

        async def revoke() -> None:
            made.append(await sync.revoke(device.id, secret))

        if await self._try(self.tr("Removing…"), revoke):
            self._key, self._unsaved = made[0], True
            self._show(sync.status())
            self.show_step("sheet")

    async def _sync_now(self) -> None:
        sync = await self._sync()
        if await self._try(self.tr("Syncing…"), sync.now):
            self.toast.show_message(self.tr("Synced"))
        await self.read_again()

    async def _pause(self) -> None:
        sync = await self._sync()
        await self._try(self.tr("Syncing…"), sync.resume if sync.status().paused else sync.pause)
        await self.read_again()

    async def _mend(self) -> None:
        trouble = self.status.trouble if self.status is not None else None
        sync = await self._sync()
        if trouble is None:
            return
        match trouble.kind:
            case "config":
                self.show_step("again")
            case "removed":
                await self._leave_sync()
            case "store" | "cloned":
                await self._try(self.tr("Syncing…"), sync.accept_store)
            case _:
                await self._try(self.tr("Syncing…"), sync.now)
        await self.read_again()

    @property
    def _removed(self) -> bool:
        """True where a device was removed, which voids the sheets from before."""
        return self.status is not None and any(one.revoked for one in self.status.devices)

    @property
    def _undecided(self) -> SyncApart | None:
        return next(iter(self.status.apart), None) if self.status is not None else None

    def _other_text(self) -> str:
        fields = () if (apart := self._undecided) is None else apart.fields
        return "\n\n".join(text for _, text in fields if text)

    def _copy_other(self) -> None:
        QGuiApplication.clipboard().setText(self._other_text())
        self.toast.show_message(self.tr("Copied"))

    async def _decide(self, *, other: bool) -> None:
        sync = await self._sync()
        if (apart := self._undecided) is not None:
            await self._try(self.tr("Saving…"), lambda: sync.decide(apart.kind, apart.id, other=other))

    async def _leave_sync(self) -> None:
        sync = await self._sync()
        stays = self.tr("Your threads stay on this computer. What lies in {place} stays there, for your other devices.")
        place, name = sync.status().place, sync.status().device
        if await confirmed(self.window(), self.tr("Leave sync"), stays.format(place=place), self.tr("Leave sync")):
            if await self._try(self.tr("Leaving…"), sync.leave):
                self.place.setText(place)  # for who joins again
                self.device.setText(name)
            await self.read_again()

    def _take_other_way(self) -> None:
        if self.step == "sheet" and self._unsaved:
            self._unsaved = False  # a second press goes on
            self._say_wrong(self.tr("Not saved yet. Without it, nothing replaces a forgotten passphrase."))
        elif self.step == "sheet":
            self._key = ""
            self.show_step("")
        else:
            self.show_step("key" if self.step == "join" else "join")

    async def _choose_folder(self) -> None:
        if (folder := await asked_folder(self.window(), self.tr("Folder to sync with"))) is not None:
            self.place.setText(str(folder))
            self._say_wrong("")

    # --- the sheet

    async def _show_sheet(self) -> None:
        sync, found = await self._sync(), list[str]()

        async def read() -> None:
            found.append(sync.recovery_key())

        if await self._try(self.tr("Reading the keyring…"), read):
            self._key = found[0]
            self.show_step("sheet")

    async def _save_sheet(self) -> None:
        title, now, status = self.tr("Plimsoll recovery sheet"), utc_now().astimezone(), self.status or SyncStatus()
        name = f"{documents_folder()}/{title} {now:%Y-%m-%d %H.%M}.pdf"
        if (path := await asked_file_to_write(self.window(), self.tr("Save recovery sheet"), name)) is None:
            return
        services = await self._app_state.services()
        text = sheet_text(self._key, status.place or self._place, status.device, now, after_removal=self._removed)
        sheet = Artifact("", "", title)
        if await self._try(self.tr("Saving…"), lambda: services.artifact_export.write(sheet, text, "pdf", path)):
            self._unsaved = False
            self._say_wrong("")
            url = QUrl.fromLocalFile(str(path))
            words = self.tr("Recovery sheet saved in {folder}").format(folder=path.parent)
            self.toast.show_message(words, self.tr("Open to print"), partial(_open, url))


def _fill(frame: QWidget, *parts: Part) -> None:
    in_column(*parts, of=frame, spacing=GRID, margins=(2 * GRID, GRID + GRID // 2))


def in_groups(key: str) -> str:
    """A key as it is read from paper: a line can break between the groups."""
    head, dash, rest = key.rpartition("-")
    return " ".join((f"{head}{dash}", *(rest[place : place + 4] for place in range(0, len(rest), 4)))).strip()


def sheet_text(key: str, place: str, device: str, made: datetime, *, after_removal: bool) -> str:
    """Return the Markdown of a recovery sheet; `after_removal`: of a device, which voids the earlier ones."""
    title = tr("Plimsoll recovery sheet")
    lines = [
        f"# {title}",
        tr("This key opens your synced threads if you forget the passphrase. Keep it somewhere safe."),
        f"```\n{key}\n```",
        tr("To use it, open Sync on a new device, enter the place, and choose *Use the recovery key*. The place is:"),
        f"```\n{place}\n```",
        tr("Made on {day} on {device}.").format(day=day_of_year(made.date()), device=device),
    ]
    if after_removal:
        lines.append(void_sheets())
    return "\n\n".join(lines) + "\n"


def void_sheets() -> str:
    """Return the words on sheets from before a device was removed."""
    return tr("A sheet from before a device was removed no longer lets a device join. Throw it away.")


def _open(url: QUrl) -> None:
    QDesktopServices.openUrl(url)


def _form_words(step: Step, device: str) -> tuple[str, str, str, str]:
    """Title, explanation, the button that goes on, and the one that takes the other way; "" for none."""
    secret = tr(
        "It encrypts everything that is synced. Nobody can reset it, but a recovery sheet opens your threads too."
    )
    sheet = tr("It opens your threads if you forget the passphrase. Print it and keep it somewhere safe.")
    gone = tr(
        "{name} gets nothing that comes after; what it has, it keeps. Your other devices ask for the new passphrase. "
        "Change the credentials of the place yourself."
    )
    other = tr("Join your other devices")
    words: dict[Step, tuple[str, str, str, str]] = {
        "": ("", "", "", ""),
        "place": (
            tr("Choose a place"),
            tr("A folder that Syncthing, Nextcloud, Dropbox or a USB stick carries, or an S3 bucket."),
            tr("Continue"),
            "",
        ),
        "new": (tr("Choose a passphrase"), secret, tr("Set up sync"), ""),
        "join": (
            other,
            tr("Threads are synced here already. Enter the passphrase of your other devices."),
            tr("Join"),
            tr("Use the recovery key"),
        ),
        "key": (
            other,
            tr("It stands on the recovery sheet and begins with AGE-SECRET-KEY-."),
            tr("Join"),
            tr("Use the passphrase"),
        ),
        "again": (tr("Enter the passphrase"), "", tr("Enter"), ""),
        "revoke": (tr("Remove {name}").format(name=device), gone.format(name=device), tr("Remove device"), ""),
        "sheet": (tr("Recovery sheet"), sheet, tr("Save recovery sheet"), tr("Done")),
    }
    return words[step]


def state_words(status: SyncStatus) -> str:
    """With which place, as which device, and what waits."""
    if status.paused:
        waits = tr("Paused")
    elif not status.waiting:
        waits = tr("Everything is synced") if status.trouble is None and status.progress is None else ""
    else:
        waits = (
            tr("1 change waits") if status.waiting == 1 else tr("{n} changes wait").format(n=grouped(status.waiting))
        )
    place = tr("Syncing with {place} as {device}").format(place=status.place, device=status.device)
    return " · ".join(filter(None, (place, waits)))


def facts_of_device(one: SyncDevice) -> str:
    """Which one it is, and when it was seen last."""
    said = tr("This device") if one.here else tr("Removed") if one.revoked else ""
    last = tr("Last synced {moment}").format(moment=moment(one.last)) if one.last else tr("Not synced yet")
    return " · ".join(filter(None, (said, last)))
