"""Keys: the environment first, a real Secret Service where there is one, and never a plain file."""

from __future__ import annotations

import asyncio
import os
import shutil
import subprocess
import sys
import textwrap
from collections.abc import Awaitable, Callable, Iterator, Sequence
from pathlib import Path

import keyring
import keyring.backend
import keyring.errors
import pytest
from hypothesis import given
from hypothesis import strategies as st

from desktop_app.controller.ports import Secrets
from desktop_app.core.errors import KeyringError, UserError
from desktop_app.credentials import key_stores
from desktop_app.credentials.key_stores import KeyringSecrets
from tests.fakes.memory_secrets import MemorySecrets
from tests.fakes.waiting_port import ERRORS, WaitingKeyring, WaitingPort
from tests.patience import PATIENCE_S, until

ENVIRONMENT = {"ANTHROPIC_API_KEY": " sk-ant-env \n", "OPENAI_API_KEY": "", "OTHER": "x"}


class FailingKeyring(keyring.backend.KeyringBackend):
    """A keyring that fails as it is told; counts how often it was asked."""

    # Being defined registers the class: it must never be the one that keyring chooses by itself, in other tests.
    priority = -1.0

    def __init__(self, error: Exception) -> None:
        super().__init__()  # type: ignore[no-untyped-call]
        self.error = error
        self.asked = 0

    def get_password(self, service: str, username: str) -> str | None:
        self.asked += 1
        raise self.error

    def set_password(self, service: str, username: str, password: str) -> None:
        raise self.error

    def delete_password(self, service: str, username: str) -> None:
        raise self.error


class PlainFileKeyring(FailingKeyring):
    """Stands for the keyrings that keep keys in the clear."""


PlainFileKeyring.__module__ = "keyrings.alt.file"


class Chain(FailingKeyring):
    def __init__(self, *backends: keyring.backend.KeyringBackend) -> None:
        super().__init__(AssertionError())
        self.backends = backends


@pytest.fixture
def no_patience(monkeypatch: pytest.MonkeyPatch) -> None:
    """A keyring that does not answer at once is not waited for."""
    for name in ("ANSWER_WITHIN_S", "ASKED_WITHIN_S"):
        monkeypatch.setattr(key_stores, name, 0.02)


@pytest.fixture
def use() -> Iterator[object]:
    before = keyring.get_keyring()
    yield keyring.set_keyring
    keyring.set_keyring(before)


def failing(error: Exception) -> FailingKeyring:
    ring = FailingKeyring(error)
    keyring.set_keyring(ring)
    return ring


@pytest.mark.usefixtures("use")
async def test_the_environment_comes_first_and_the_keyring_is_not_asked() -> None:
    ring = failing(keyring.errors.NoKeyringError())
    secrets: Secrets = KeyringSecrets(ENVIRONMENT)
    assert secrets.from_environment("anthropic") == "sk-ant-env"
    assert await secrets.get("anthropic") == "sk-ant-env"
    assert secrets.from_environment("openai") is None
    assert secrets.from_environment("claude-cli") is None
    assert ring.asked == 0


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (keyring.errors.NoKeyringError("none"), "has no keyring. Install one"),
        (keyring.errors.InitError("Prompt dismissed"), "is locked. Unlock it"),
        (keyring.errors.KeyringLocked("locked"), "is locked. Unlock it"),
        (keyring.errors.PasswordSetError("x"), "could not be used"),
        (ConnectionRefusedError("bus"), "could not be used"),
    ],
)
@pytest.mark.usefixtures("use")
async def test_a_keyring_that_fails_says_what_to_do(error: Exception, words: str) -> None:
    failing(error)
    secrets = KeyringSecrets({})
    for call in (secrets.get("anthropic"), secrets.set("anthropic", "sk-ant-secret"), secrets.delete("anthropic")):
        with pytest.raises(UserError) as raised:
            await call
        failure = raised.value.failure
        assert failure.code == "config"
        assert words in failure.message
        assert failure.message.endswith("Or set ANTHROPIC_API_KEY in the environment.")
        assert "sk-ant-secret" not in str(failure)


CALLS: Sequence[Callable[[KeyringSecrets], Awaitable[object]]] = (
    lambda secrets: secrets.get("anthropic"),
    lambda secrets: secrets.get("openai"),
    lambda secrets: secrets.set("anthropic", "sk-ant-secret"),
    lambda secrets: secrets.delete("anthropic"),
    lambda secrets: secrets.unlock("anthropic"),
)


async def all_fail(port: WaitingPort, order: Sequence[int], trouble: str) -> None:
    keyring.set_keyring(WaitingKeyring(port))
    secrets = KeyringSecrets({})
    for number in order:
        with pytest.raises(KeyringError) as raised:
            await CALLS[number](secrets)
        assert raised.value.trouble == trouble
        assert raised.value.failure.message


ORDERS = st.lists(st.sampled_from(range(len(CALLS))), min_size=1, max_size=5)


@given(ORDERS)
@pytest.mark.usefixtures("use", "no_patience")
def test_a_keyring_that_hangs_is_said(order: list[int]) -> None:
    """Every call ends; the answers come late, when nobody waits any more."""
    port = WaitingPort("late")
    asyncio.run(all_fail(port, order, "silent"))
    port.release()


@given(ORDERS, st.sampled_from(ERRORS))
@pytest.mark.usefixtures("use")
def test_a_keyring_that_raises_anything_is_said(order: list[int], error: BaseException) -> None:
    asyncio.run(all_fail(WaitingPort(error=error), order, "failed"))


@pytest.mark.usefixtures("use", "no_patience")
async def test_a_keyring_that_answers_late_is_asked_once_and_then_believed() -> None:
    port = WaitingPort("sk-ant-late")
    keyring.set_keyring(WaitingKeyring(port))
    secrets = KeyringSecrets({})
    for backend in ("anthropic", "openai", "anthropic", "doctor"):
        with pytest.raises(KeyringError, match="does not respond"):
            await secrets.get(backend)
    assert port.asked == 1
    port.release()
    await until(lambda: not secrets.waits, "the late answer")
    assert await secrets.get("anthropic") == "sk-ant-late"


@pytest.mark.parametrize("chained", [False, True])
@pytest.mark.usefixtures("use")
async def test_a_keyring_of_plain_files_is_refused(*, chained: bool) -> None:
    plain = PlainFileKeyring(AssertionError("it was used"))
    keyring.set_keyring(Chain(plain, FailingKeyring(AssertionError())) if chained else plain)
    with pytest.raises(UserError, match="plain files"):
        await KeyringSecrets({}).set("anthropic", "sk-ant-secret")
    with pytest.raises(UserError, match=r"keyrings\.alt"):
        await KeyringSecrets({}).get("anthropic")


async def test_memory_forgets_and_writes_nothing() -> None:
    secrets: Secrets = MemorySecrets({"ANTHROPIC_API_KEY": "sk-ant-env"}, {"openai": "sk-1"})
    assert (await secrets.get("anthropic"), await secrets.get("openai")) == ("sk-ant-env", "sk-1")
    await secrets.set("openai", "sk-2")
    assert await secrets.get("openai") == "sk-2"
    await secrets.delete("openai")
    await secrets.delete("openai")
    assert await secrets.get("openai") is None


PROGRAMS = ("dbus-run-session", "gnome-keyring-daemon", "secret-tool")
MISSING = [program for program in PROGRAMS if shutil.which(program) is None]

ROUND_TRIP = """
import asyncio, subprocess
from desktop_app.credentials.key_stores import KeyringSecrets
async def main():
    secrets = KeyringSecrets({})
    assert await secrets.get("anthropic") is None
    await secrets.delete("anthropic")
    await secrets.set("anthropic", "sk-ant-tést")
    assert await KeyringSecrets({}).get("anthropic") == "sk-ant-tést"
    look_up = ["secret-tool", "lookup", "service", "plimsoll", "username", "anthropic"]
    seen = subprocess.run(look_up, capture_output=True)
    assert seen.stdout.decode() == "sk-ant-tést", seen
    assert await KeyringSecrets({"ANTHROPIC_API_KEY": "sk-env"}).get("anthropic") == "sk-env"
    await secrets.delete("anthropic")
    assert await secrets.get("anthropic") is None
    print("round trip done")
asyncio.run(main())
"""

CONNECTIONS = """
import asyncio, subprocess, sys
from pathlib import Path
from desktop_app.composition import compose
def kept():
    look_up = ["secret-tool", "lookup", "service", "plimsoll", "username", "anthropic"]
    return subprocess.run(look_up, capture_output=True).stdout.decode()
async def main():
    services = await compose(Path("data"), environ={"PATH": "", "HOME": "."}, interactive=True)
    states = services.connection_states
    async def end():
        return next(one.key_end for one in await states.all() if one.backend == "anthropic")
    for key in ("sk-ant-the-first-one-1111", "sk-ant-the-second-one-2222"):
        await states.set_key("anthropic", "", key)
        assert (kept(), await end()) == (key, key[-4:])
    bring_back = await states.remove("anthropic")
    assert (kept(), await end()) == ("", "")
    await bring_back()
    assert (kept(), await end()) == ("sk-ant-the-second-one-2222", "2222")
    await services.close()
    print("connections done")
asyncio.run(main())
"""

LOCKED_CONNECTIONS = """
import asyncio
from pathlib import Path
from desktop_app.composition import compose
async def main():
    services = await compose(Path("data"), environ={"PATH": "", "HOME": "."}, interactive=True)
    found = await services.connection_states.all()
    print(next(one.keyring_problem for one in found if one.backend == "anthropic"))
    await services.close()
asyncio.run(main())
"""

READ_WITHOUT_KEYRING = """
import asyncio
from desktop_app.__main__ import main
from desktop_app.credentials import key_stores
print("read", asyncio.run(key_stores.KeyringSecrets({}).get("anthropic")))
print("doctor", main(["--data-dir", "data", "doctor"]))
print("asked", len(open("asked").readlines()))
key_stores.ASKED_WITHIN_S = 1.0
try:
    asyncio.run(key_stores.KeyringSecrets({}).set("anthropic", "sk-ant-secret"))
except key_stores.KeyringError as error:
    print("set", error.trouble, "asked", len(open("asked").readlines()))
"""

READ_LOCKED = """
import asyncio
from contextlib import closing
import secretstorage
from desktop_app.credentials import key_stores
secrets = key_stores.KeyringSecrets({})
asyncio.run(secrets.set("anthropic", "sk-ant-secret"))
with closing(secretstorage.dbus_init()) as bus:
    secretstorage.Collection(bus).lock()
key_stores.ASKED_WITHIN_S = 1.0
for name in ("anthropic", "openai"):
    for act in (secrets.get, secrets.unlock):
        try:
            asyncio.run(act(name))
        except key_stores.KeyringError as error:
            print(error.trouble, len(open("asked").readlines()))
"""

CLOSED_DIALOG = """
import asyncio
from contextlib import closing
from pathlib import Path
import secretstorage
from desktop_app.composition import compose
from desktop_app.core.errors import KeyringError
from tests.servers.chat_api import ChatApi
async def main():
    async with ChatApi() as kept, ChatApi() as keyless, ChatApi() as new:
        keyless.keyed = False
        services = await compose(Path("data"), environ={"PATH": "", "HOME": "."}, interactive=True)
        name = await services.connections.use_server(kept.url, key="sk-kept-in-the-keyring")
        with closing(secretstorage.dbus_init()) as bus:
            secretstorage.Collection(bus).lock()
        for act in (
            lambda: services.backends[name].models(),
            lambda: services.connection_states.unlock(name, kept.url),
            lambda: services.connections.use_server(new.url, key="sk-new"),
        ):
            try:
                await act()
            except KeyringError as error:
                print(error.trouble, "unlock_keyring" in error.failure.actions, len(open("asked").readlines()))
        unsaved = await services.connections.use_server(new.url, key="sk-new", unsaved=True)
        print(len(await services.backends[unsaved].models()) > 0, new.requests[-1].headers["authorization"])
        other = await services.connections.use_server(keyless.url)
        print(len(await services.backends[other].models()) > 0, len(kept.requests))
        await services.close()
asyncio.run(main())
"""

LOCKED = """
import asyncio
from desktop_app.core.errors import UserError
from desktop_app.credentials.key_stores import KeyringSecrets
try:
    print(asyncio.run(KeyringSecrets({}).set("anthropic", "sk-ant-secret")))
except UserError as error:
    print(error.failure.code, error.failure.message)
"""

UNLOCK = "printf pw | gnome-keyring-daemon --unlock --components=secrets --daemonize >/dev/null 2>&1; "


PROMPTER = (
    f"{sys.executable} -m tests.fakes.silent_prompter asked & while [ ! -e asked ]; do sleep 0.05; done; "
    f"trap 'kill '$! EXIT; "
)


def in_own_session(tmp_path: Path, shell: str, program: str) -> str:
    """Runs a program under a session bus of its own, with its own folders; returns what it printed."""
    (tmp_path / "runtime").mkdir(mode=0o700)
    environment = {
        "PATH": os.environ["PATH"],
        "HOME": str(tmp_path),
        "XDG_RUNTIME_DIR": str(tmp_path / "runtime"),
        "XDG_DATA_HOME": str(tmp_path / "data"),
        "PYTHONPATH": str(Path(__file__).parents[2]),
        "PROGRAM": textwrap.dedent(program),
        "LANG": "C.UTF-8",
    }
    command = ["dbus-run-session", "--", "sh", "-c", f'{shell} "$0" -c "$PROGRAM"', sys.executable]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=PATIENCE_S, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.slow
@pytest.mark.skipif(bool(MISSING), reason=f"programs are missing: {', '.join(MISSING)}")
def test_a_real_secret_service(tmp_path: Path) -> None:
    assert "round trip done" in in_own_session(tmp_path, UNLOCK, ROUND_TRIP)
    files = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert files
    assert not any("sk-ant-tést".encode() in path.read_bytes() for path in files)


@pytest.mark.slow
@pytest.mark.skipif(bool(MISSING), reason=f"programs are missing: {', '.join(MISSING)}")
def test_connections_replace_remove_and_bring_back_a_key_in_a_real_secret_service(tmp_path: Path) -> None:
    assert "connections done" in in_own_session(tmp_path, f"cd {tmp_path}; {UNLOCK}", CONNECTIONS)
    text = "".join(path.read_text("utf-8", "replace") for path in tmp_path.rglob("data/*") if path.is_file())
    assert "sk-ant-the" not in text


@pytest.mark.slow
@pytest.mark.skipif(bool(MISSING), reason=f"programs are missing: {', '.join(MISSING)}")
def test_reading_makes_no_keyring_and_asks_for_no_password(tmp_path: Path) -> None:
    """The daemon runs, and has no keyring yet: only storing a key has it ask for a password for a new one."""
    start = f"cd {tmp_path}; {PROMPTER} gnome-keyring-daemon --start --components=secrets >/dev/null 2>&1; "
    said = in_own_session(tmp_path, start, READ_WITHOUT_KEYRING)
    assert said.startswith("read None\n")
    assert "The system keyring can be asked for keys." in said
    assert "\nasked 0\n" in said
    assert said.endswith("set silent asked 1\n")


@pytest.mark.slow
@pytest.mark.skipif(bool(MISSING), reason=f"programs are missing: {', '.join(MISSING)}")
def test_reading_leaves_a_locked_keyring_locked(tmp_path: Path) -> None:
    said = in_own_session(tmp_path, f"cd {tmp_path}; {PROMPTER} {UNLOCK}", READ_LOCKED)
    assert said.splitlines() == ["locked 0", "silent 1", "locked 1", "silent 1"], "one question at a time"


@pytest.mark.slow
@pytest.mark.skipif(bool(MISSING), reason=f"programs are missing: {', '.join(MISSING)}")
def test_the_dialog_of_a_locked_keyring_that_is_closed_leaves_ways_on(tmp_path: Path) -> None:
    prompter = PROMPTER.replace(" asked &", " asked closes &")
    said = in_own_session(tmp_path, f"cd {tmp_path}; {prompter} {UNLOCK}", CLOSED_DIALOG).splitlines()
    assert said == ["locked True 0", "locked True 1", "locked True 2", "True Bearer sk-new", "True 0"]


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("dbus-run-session") is None, reason="dbus-run-session is missing")
def test_connections_say_that_the_keyring_can_not_be_asked(tmp_path: Path) -> None:
    said = in_own_session(tmp_path, f"cd {tmp_path}; unset DBUS_SESSION_BUS_ADDRESS; ", LOCKED_CONNECTIONS)
    assert "keyring" in said
    assert "ANTHROPIC_API_KEY" in said


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("dbus-run-session") is None, reason="dbus-run-session is missing")
def test_a_session_without_an_unlocked_keyring(tmp_path: Path) -> None:
    said = in_own_session(tmp_path, "", LOCKED)
    assert said.startswith("config ")
    assert "ANTHROPIC_API_KEY" in said


async def test_the_keyring_is_asked_in_another_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    import threading

    threads: list[threading.Thread] = []

    def get_password(service: str, name: str) -> str:
        threads.append(threading.current_thread())
        return f"{service}/{name}"

    ring = FailingKeyring(AssertionError())
    monkeypatch.setattr(ring, "get_password", get_password)
    monkeypatch.setattr(keyring, "get_keyring", lambda: ring)
    assert await KeyringSecrets({}).get("anthropic") == "plimsoll/anthropic"
    assert threads[0] is not threading.main_thread()
