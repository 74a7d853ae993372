"""`ask` while a real window is open for its data folder: the window runs the turn, the command prints it."""

from __future__ import annotations

import json
import os
import signal
import stat
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.cli.command import Plimsoll
from tests.patience import PATIENCE_S, wait_until

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(os.name != "posix", reason="the socket of the window is Unix's"),
]

SLOW = ({"text": "first "}, {"delay_ms": 3_600_000}, {"text": "never"}, {"end": "end_turn"})


@pytest.fixture
def plimsoll(tmp_path: Path) -> Plimsoll:
    folder = tmp_path / "data"
    folder.mkdir(mode=0o700)
    (folder / "settings.toml").write_text('[backend]\ndefault = "scripted"\n')
    environ = {"QT_QPA_PLATFORM": "offscreen", "PYTHON_KEYRING_BACKEND": "keyring.backends.null.Keyring"}
    return Plimsoll(folder, {**environ, "PLIMSOLL_SCRIPT": str(tmp_path / "script.ndjson")})


def play(plimsoll: Plimsoll, *lines: object) -> None:
    Path(plimsoll.environ["PLIMSOLL_SCRIPT"]).write_text("\n".join(map(json.dumps, lines)))


@pytest.fixture
def window(plimsoll: Plimsoll) -> Iterator[subprocess.Popen[bytes]]:
    play(plimsoll, {"text": "an answer"}, {"usage": {"input": 3, "output": 2}}, {"end": "end_turn"})
    with plimsoll.start() as running:
        try:
            wait_until((plimsoll.folder / "instance.sock").is_socket, "the window's socket")
            yield running
        finally:
            if running.poll() is None:
                running.terminate()
            running.communicate(timeout=PATIENCE_S)


def test_two_windows_exchange_through_a_folder(
    plimsoll: Plimsoll, window: subprocess.Popen[bytes], tmp_path: Path
) -> None:
    place, secret, folder = tmp_path / "place", tmp_path / "passphrase", tmp_path / "laptop"
    place.mkdir()
    secret.write_text("quiet harbor lantern seven")
    laptop = Plimsoll.machine(folder)
    laptop.environ = plimsoll.environ
    with laptop.start() as other:
        try:
            wait_until((folder / "instance.sock").is_socket, "the other window's socket")
            for one, name in ((plimsoll, "Desk"), (laptop, "Laptop")):
                made = one("sync", "setup", str(place), "--passphrase-file", str(secret), "--device", name)
                assert made.status == 0, made
            asked = plimsoll("ask", "--backend", "scripted", "--json", "a question")
            thread = asked.of("done")[0]["thread"]

            def arrived(at: Plimsoll, text: str) -> bool:
                now = at("sync", "now", "--json")  # by itself a command would be refused: the window syncs
                assert now.status == 0, now
                return text in at("show", thread).out

            wait_until(lambda: arrived(laptop, "a question"), "the question at the other window")
            back = laptop("ask", "--backend", "scripted", "--thread", thread, "and back")
            assert back.status == 0, back
            wait_until(lambda: arrived(plimsoll, "and back"), "the answer to it")
            assert owners(plimsoll)[:1] == [window.pid]
            assert owners(laptop)[-1:] == [other.pid]
        finally:
            other.terminate()
            other.communicate(timeout=PATIENCE_S)


def owners(plimsoll: Plimsoll) -> list[int]:
    """The processes that ran the turns, first to last."""
    import sqlite3
    from contextlib import closing

    with closing(sqlite3.connect(plimsoll.folder / "history.db")) as connection:
        return [pid for (pid,) in connection.execute("SELECT owner_pid FROM turn ORDER BY key")]


def begun(plimsoll: Plimsoll) -> subprocess.Popen[bytes]:
    """A command whose answer has begun, and goes on for an hour."""
    play(plimsoll, *SLOW)
    command = plimsoll.start("ask", "--json", "a question")
    assert command.stdout is not None
    while (line := json.loads(command.stdout.readline()))["type"] != "delta":
        pass
    assert line["text"] == "first "
    return command


def test_the_window_runs_the_turn_and_the_output_is_the_command_s_own(
    plimsoll: Plimsoll, window: subprocess.Popen[bytes]
) -> None:
    there = plimsoll("ask", "--json", "a question")
    assert there.status == 0, there
    assert owners(plimsoll) == [window.pid]
    assert stat.S_IMODE((plimsoll.folder / "instance.sock").stat().st_mode) & 0o077 == 0
    plain = plimsoll("ask", "--thread", there.of("done")[0]["thread"], "another")
    assert (plain.status, plain.out, plain.err) == (0, "an answer\n", "")
    unknown = plimsoll("ask", "--thread", "nothing", "x")
    assert (unknown.status, "nothing" in unknown.err) == (2, True), unknown
    window.terminate()
    window.wait(PATIENCE_S)
    here = plimsoll("ask", "--json", "a question")
    assert owners(plimsoll)[:2] == [window.pid] * 2
    assert owners(plimsoll)[2] != window.pid

    def same(lines: list[dict[str, object]]) -> list[dict[str, object]]:
        return [{name: value for name, value in one.items() if name not in {"thread", "message"}} for one in lines]

    def kinds(lines: list[dict[str, object]]) -> list[tuple[object, list[str]]]:
        return [(one["type"], list(one)) for one in lines]

    assert kinds(there.lines) == kinds(here.lines)
    assert same(there.of("delta")) == same(here.of("delta"))
    assert same(there.of("usage")) == same(here.of("usage"))


def test_a_chat_goes_through_the_window_and_goes_on_without_it(
    plimsoll: Plimsoll, window: subprocess.Popen[bytes]
) -> None:
    command = plimsoll.start("chat", "--json", stdin=subprocess.PIPE)
    assert command.stdin is not None
    assert command.stdout is not None

    def ask(line: bytes) -> dict[str, object]:
        assert command.stdin is not None
        assert command.stdout is not None
        command.stdin.write(line)
        command.stdin.flush()
        while (told := json.loads(command.stdout.readline()))["type"] not in {"done", "error"}:
            pass
        return dict(told)

    first = ask(b'{"text": "one"}\n')
    assert ask(b"nonsense\n")["type"] == "error"
    assert ask(b'{"text": "two"}\n')["thread"] == first["thread"]
    assert owners(plimsoll) == [window.pid] * 2
    window.terminate()
    window.wait(PATIENCE_S)
    assert ask(b'{"text": "three"}\n')["thread"] == first["thread"]
    assert owners(plimsoll) == [window.pid] * 2 + [command.pid]
    command.communicate(timeout=PATIENCE_S)
    assert command.returncode == 2, "that of the line that was none"


@pytest.mark.parametrize(
    ("name", "value"),
    [("ANTHROPIC_API_KEY", "sk-ant-another"), ("OPENAI_BASE_URL", "http://127.0.0.1:9"), ("PLIMSOLL_SCRIPT", "")],
)
def test_another_environment_writes_by_itself(
    plimsoll: Plimsoll, window: subprocess.Popen[bytes], name: str, value: str
) -> None:
    plimsoll.environ[name] = value
    assert plimsoll("ask", "hello").status == 0
    assert owners(plimsoll) != [window.pid]


@pytest.mark.parametrize(("number", "status"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_a_stop_ends_the_turn_in_the_window_and_keeps_what_came(
    plimsoll: Plimsoll, window: subprocess.Popen[bytes], number: signal.Signals, status: int
) -> None:
    command = begun(plimsoll)
    command.send_signal(number)
    rest, _ = command.communicate(timeout=PATIENCE_S)
    assert command.returncode == status
    done = json.loads(rest.splitlines()[-1])
    assert (done["type"], done["stop_reason"]) == ("done", "interrupted")
    shown = plimsoll("show", done["thread"], "--json").json
    assert [one["text"] for one in shown["messages"]] == ["a question", "first "]
    assert window.poll() is None


def test_a_second_send_in_the_thread_exits_6(plimsoll: Plimsoll, window: subprocess.Popen[bytes]) -> None:
    with begun(plimsoll) as command:
        (thread,) = plimsoll("threads", "--json").json
        for environ in ({}, {"ANTHROPIC_API_KEY": "sk-ant-another"}):  # through the window, and beside it
            plimsoll.environ.update(environ)
            second = plimsoll("ask", "--thread", thread["id"], "me too")
            assert second.status == 6, second
        command.send_signal(signal.SIGINT)
        command.communicate(timeout=PATIENCE_S)
    assert window.poll() is None


def test_a_window_that_is_killed_costs_nothing_that_came(plimsoll: Plimsoll, window: subprocess.Popen[bytes]) -> None:
    with begun(plimsoll) as command:
        (thread,) = plimsoll("threads", "--json").json

        def stored() -> bool:
            shown = plimsoll("show", thread["id"], "--json").json
            return [one["text"] for one in shown["messages"]] == ["a question", "first "]

        wait_until(stored, "the text on the disk")
        window.kill()
        rest, _ = command.communicate(timeout=PATIENCE_S)
    assert command.returncode == 6
    last = json.loads(rest.splitlines()[-1])
    assert (last["type"], last["code"], last["thread"]) == ("error", "store", thread["id"])
    assert "window ended" in last["message"]
    assert stored()
    play(plimsoll, {"text": "again"}, {"end": "end_turn"})
    assert plimsoll("ask", "--thread", thread["id"], "go on").status == 0


def test_a_command_that_is_killed_leaves_its_turn_to_the_window(
    plimsoll: Plimsoll, window: subprocess.Popen[bytes], tmp_path: Path
) -> None:
    play(plimsoll, {"text": "first "}, {"delay_ms": 1_500}, {"text": "and last"}, {"end": "end_turn"})
    command = plimsoll.start("ask", "--json", "a question")
    assert command.stdout is not None
    while json.loads(command.stdout.readline())["type"] != "delta":
        pass
    command.kill()
    command.communicate(timeout=PATIENCE_S)
    (thread,) = plimsoll("threads", "--json").json

    def whole() -> bool:
        answer = plimsoll("show", thread["id"], "--json").json["messages"][-1]
        return (answer["text"], answer["state"]) == ("first and last", "complete")

    wait_until(whole, "the whole answer")
    assert window.poll() is None
    assert plimsoll("ask", "--thread", thread["id"], "go on").status == 0
