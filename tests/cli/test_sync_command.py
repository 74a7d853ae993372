"""`plimsoll sync`: its grammar, what it prints and exits with, and the way through an open window."""

from __future__ import annotations

import io
import json
from dataclasses import asdict
from pathlib import Path
from typing import Any, cast

import pytest

from desktop_app.cli.command_process import Output
from desktop_app.cli.options import Invocation, SyncOptions
from desktop_app.cli.parser import parse
from desktop_app.cli.upkeep_commands import SECOND_LINE, from_anywhere, read_passphrase, run_sync
from desktop_app.cli.window_runs import PROTOCOL, serve_command
from desktop_app.composition import AppServices
from desktop_app.controller.history_sync import Sync
from desktop_app.core.errors import UserError
from desktop_app.core.phrases import phrase
from desktop_app.core.sync import SyncTrouble, TroubleKind
from tests.fakes.fake_sync import DEVICES, KEY, FakeSync


class Heard:
    """Announcements that nobody listens to."""

    def publish(self, _fact: object) -> None: ...

    def subscribe(self, _hear: object) -> Any: ...


@pytest.fixture
def engine() -> FakeSync:
    return FakeSync(cast("Any", Heard()))


class Ran:
    """What a command printed."""

    def __init__(self) -> None:
        self.out, self.err = io.StringIO(), io.StringIO()

    async def __call__(self, engine: FakeSync, line: str, passphrase: str = "") -> int:
        self.out.truncate(0)
        self.out.seek(0)
        output = Output(self.out, self.err, plain=True)
        return await run_sync(cast("Sync", engine), options_of(line), passphrase, output)

    @property
    def json(self) -> Any:
        return json.loads(self.out.getvalue())


def last(engine: FakeSync) -> tuple[Any, ...]:
    return engine.asked[-1]


def options_of(line: str) -> SyncOptions:
    parsed = parse(["sync", *line.split()])
    assert isinstance(parsed, Invocation)
    assert isinstance(parsed.command, SyncOptions)
    return parsed.command


@pytest.mark.parametrize(
    ("line", "options"),
    [
        ("setup /s --passphrase-file f", SyncOptions("setup", "/s", passphrase_file="f")),
        (
            "setup s3://b/p --passphrase-file f --device Desk --accept-store --json",
            SyncOptions("setup", "s3://b/p", "Desk", "f", accept_store=True, json=True),
        ),
        ("now --json", SyncOptions("now", json=True)),
        ("now --passphrase-file f --accept-store", SyncOptions("now", passphrase_file="f", accept_store=True)),
        ("status --json", SyncOptions("status", json=True)),
        ("pause", SyncOptions("pause")),
        ("resume", SyncOptions("resume")),
        ("leave", SyncOptions("leave")),
        ("devices revoke d2 --passphrase-file f", SyncOptions("revoke", device="d2", passphrase_file="f")),
    ],
)
def test_the_grammar(line: str, options: SyncOptions) -> None:
    assert options_of(line) == options


@pytest.mark.parametrize("line", ["", "setup", "setup /s", "setup --passphrase-file f", "devices", "devices revoke d2"])
def test_what_is_missing_exits_with_2(line: str) -> None:
    with pytest.raises(SystemExit) as ended:
        parse(["sync", *line.split()])
    assert ended.value.code == 2


async def test_what_is_printed_has_exactly_these_keys(engine: FakeSync) -> None:
    ran = Ran()
    assert await ran(engine, "status --json") == 0
    assert ran.json == {"place": "", "device": "", "devices": [], "waiting": 0, "paused": False}
    assert await ran(engine, "setup /s --passphrase-file f --device Desk --json", "quiet words") == 0
    assert ran.json["recovery_key"] == KEY
    assert last(engine) == ("setup", "/s", "quiet words", "Desk", False)
    engine.become(devices=DEVICES, waiting=2)
    assert await ran(engine, "status --json") == 0
    assert ran.json == {
        "place": "/s",
        "device": "Desk",
        "devices": [{"id": one.id, "name": one.name, "last": one.last} for one in DEVICES],
        "waiting": 2,
        "paused": False,
    }
    assert await ran(engine, "now --json") == 0
    assert ran.json == {"sent": 3, "received": 1, "threads": 2, "bytes": 4_000_000}
    assert last(engine) == ("now", None)
    assert await ran(engine, "devices revoke d2 --passphrase-file f", "other words") == 0
    assert last(engine) == ("revoke", "d2", "other words")
    assert KEY in ran.out.getvalue()
    assert await ran(engine, "devices revoke d2 --passphrase-file f", "other words\nthe current ones") == 0
    assert last(engine) == ("revoke", "d2", "other words", "the current ones")
    for act in ("pause", "resume", "leave"):
        assert await ran(engine, act) == 0
        assert last(engine) == (act,)


@pytest.mark.parametrize(
    ("kind", "code"),
    [
        ("config", "config"),
        ("removed", "config"),
        ("network", "network"),
        ("store", "store"),
        ("newer", "store"),
        ("quota", "store"),
    ],
)
async def test_a_refusal_is_the_failure_of_its_kind(engine: FakeSync, kind: TroubleKind, code: str) -> None:
    engine.refuses = SyncTrouble(kind, phrase("Not this time."))
    with pytest.raises(UserError) as refused:
        await Ran()(engine, "setup /s --passphrase-file f", "quiet words")
    assert (refused.value.failure.code, refused.value.failure.message) == (code, "Not this time.")


async def test_without_a_keyring_a_removal_says_what_it_needs(engine: FakeSync) -> None:
    engine.become(place="/s", still_on=("Laptop",))
    engine.refuses = SyncTrouble("config", phrase("Not this time."))
    ran = Ran()
    with pytest.raises(UserError) as refused:
        await ran(engine, "devices revoke d2 --passphrase-file f", "other words")
    assert refused.value.failure.message == f"Not this time. {SECOND_LINE}"
    assert await ran(engine, "status") == 0
    assert "still on Laptop" in ran.out.getvalue()


async def test_a_swapped_place_is_taken_when_that_is_said(engine: FakeSync) -> None:
    engine.become(place="/s")
    assert await Ran()(engine, "now --accept-store") == 0
    assert engine.asked == [("accept",)]
    assert await (ran := Ran())(engine, "now --accept-store --json --passphrase-file f", "quiet words") == 0
    assert engine.asked[1:] == [("accept", "quiet words")]
    assert json.loads(ran.out.getvalue())["sent"] == 3


async def test_a_clock_that_is_ahead_is_told(engine: FakeSync, monkeypatch: pytest.MonkeyPatch) -> None:
    words = phrase("The clock of {device} is more than an hour ahead. Set it right.", device="Laptop")
    engine.become(place="/s")
    become = engine.become
    monkeypatch.setattr(engine, "become", lambda **state: become(**state | {"trouble": SyncTrouble("clock", words)}))
    assert await (ran := Ran())(engine, "now --json") == 0
    assert json.loads(ran.out.getvalue())["sent"] == 3
    assert ran.err.getvalue() == "The clock of Laptop is more than an hour ahead. Set it right.\n"


async def test_without_a_setup_there_is_nothing_to_do(engine: FakeSync) -> None:
    with pytest.raises(UserError) as refused:
        await Ran()(engine, "now")
    assert refused.value.failure.code == "config"


def test_the_passphrase_is_the_file_s_line(tmp_path: Path) -> None:
    file = tmp_path / "passphrase"
    file.write_text("quiet words\n")
    assert read_passphrase(str(file)) == "quiet words"
    assert read_passphrase(None) == ""
    for wrong in (tmp_path / "none", tmp_path):
        with pytest.raises(UserError):
            read_passphrase(str(wrong))
    file.write_text("\n")
    with pytest.raises(UserError):
        read_passphrase(str(file))


def test_a_folder_means_the_same_in_the_window(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert from_anywhere(SyncOptions("setup", "there")).place == str(tmp_path / "there")
    assert from_anywhere(SyncOptions("setup", "s3://there")).place == "s3://there"


class Link:
    """A command's side of the line to the window."""

    def __init__(self, *messages: dict[str, Any] | None) -> None:
        self._messages = list(messages)
        self.sent: list[dict[str, Any]] = []

    async def receive(self) -> dict[str, Any] | None:
        return self._messages.pop(0)

    def send(self, message: dict[str, Any]) -> None:
        self.sent.append(message)

    def close(self) -> None: ...


async def through_window(engine: FakeSync, asked: dict[str, Any], go: bool = True) -> list[dict[str, Any]]:
    class Services:
        sync = engine

    async def services() -> AppServices:
        return cast("AppServices", Services())

    link = Link({"protocol": PROTOCOL}, {"sync": asked, "passphrase": "quiet words"}, {"go": go})
    await serve_command(link, services, {})
    return link.sent[1:]


async def test_an_open_window_does_it(engine: FakeSync) -> None:
    engine.become(place="/s")
    accepted, printed, status = await through_window(engine, asdict(SyncOptions("now", json=True)))
    assert (accepted, status) == ({"accepted": True}, {"status": 0})
    assert set(json.loads(printed["out"])) == {"sent", "received", "threads", "bytes"}
    assert engine.asked == [("now", "quiet words")]
    engine.refuses = SyncTrouble("network", phrase("Not this time."))
    _, told, status = await through_window(engine, asdict(SyncOptions("now")))
    assert (told, status) == ({"err": "Not this time.\n"}, {"status": 5})


@pytest.mark.parametrize("changed", [{"act": "erase"}, {"json": "yes"}, {"place": 7}, {"more": 1}])
async def test_what_is_no_request_of_ours_does_nothing(engine: FakeSync, changed: dict[str, Any]) -> None:
    assert await through_window(engine, {**asdict(SyncOptions("now")), **changed}) == []
    assert await through_window(engine, asdict(SyncOptions("pause")), go=False) == [{"accepted": True}]
    assert engine.asked == []
