"""Every command ends and says why, whatever a port does that can wait: the keyring, names of computers, the window."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import keyring
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from desktop_app.backends import connection_errors
from desktop_app.system.own_processes import socket_name
from desktop_app.system.worker_process import DaemonThreads
from tests.cli.command import Plimsoll
from tests.cli.conftest import Here
from tests.fakes.waiting_port import ERRORS, WaitingKeyring, WaitingPort
from tests.unix import unix_socket

FAR = "models.example"
KEYRING_COMMANDS = (
    *(("models", "--backend", "openai"), ("models", "--backend", "anthropic")),
    *(("doctor",), ("models",), ("threads",), ("search", "x"), ("usage",), ("context", "--draft", "x")),
    *(("ask", "hi"), ("ask", "--backend", "anthropic", "hi"), ("ask", "--backend", "openai", "hi")),
)
NETWORK_COMMANDS = (
    *(("doctor",), ("models", "--backend", "openai"), ("ask", "--backend", "openai", "hi")),
    *(("models", "--backend", "anthropic"), ("ask", "--backend", "anthropic", "hi")),
    ("context", "--backend", "openai", "--draft", "x"),
)
few = settings(max_examples=12, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])


@pytest.fixture(autouse=True)
def no_patience(monkeypatch: pytest.MonkeyPatch) -> None:
    """What does not answer at once is not waited for."""
    for name in (
        "desktop_app.credentials.key_stores.ANSWER_WITHIN_S",
        "desktop_app.backends.anthropic_backend.CONNECT_TIMEOUT_S",
        "desktop_app.backends.openai.openai_client.CONNECT_TIMEOUT_S",
        "desktop_app.controller.connections.DOOR_WAIT_S",
        "desktop_app.cli.window_runs.ANSWER_WITHIN_S",
    ):
        monkeypatch.setattr(name, 0.05)
    monkeypatch.setattr(connection_errors, "ATTEMPTS", 1)
    monkeypatch.setitem(DaemonThreads.__init__.__kwdefaults__ or {}, "end_s", 0.01)


@pytest.fixture
def nothing_set_up(plimsoll: Plimsoll) -> Plimsoll:
    plimsoll.environ |= {"PATH": str(plimsoll.folder), "PLIMSOLL_CLAUDE": str(plimsoll.folder / "none")}
    (plimsoll.folder / "settings.toml").write_text(f'[backends.local]\nmodel_path = "{plimsoll.folder}/none.gguf"\n')
    return plimsoll


@few
@given(st.sampled_from(KEYRING_COMMANDS), st.sampled_from((None, *ERRORS)))
@pytest.mark.usefixtures("nothing_set_up")
def test_a_keyring_that_waits_or_raises_ends_no_command(
    here: Here, command: tuple[str, ...], error: BaseException | None
) -> None:
    port, before = WaitingPort(error=error), keyring.get_keyring()
    keyring.set_keyring(WaitingKeyring(port))
    try:
        ended = here(*command)
    finally:
        port.release()
        keyring.set_keyring(before)
    said = ended.out + ended.err
    assert "An error in Plimsoll" not in said
    if port.asked:
        why = "The keyring does not respond" if error is None else "The keyring could not be used"
        assert why in said
        assert "There is no key" not in said
        assert ended.status == 3


@pytest.mark.parametrize(("backend", "variable"), [("openai", "OPENAI_BASE_URL"), ("anthropic", "ANTHROPIC_BASE_URL")])
def test_models_are_asked_for_with_a_key_of_the_keyring(
    here: Here, nothing_set_up: Plimsoll, backend: str, variable: str
) -> None:
    nothing_set_up.environ[variable] = "http://127.0.0.1:9"
    port, before = WaitingPort("sk-test"), keyring.get_keyring()
    port.release()
    keyring.set_keyring(WaitingKeyring(port))
    try:
        ended = here("models", "--backend", backend)
    finally:
        keyring.set_keyring(before)
    assert port.asked
    assert "no key" not in ended.err


@few
@given(
    st.sampled_from(NETWORK_COMMANDS),
    st.sampled_from((None, socket.gaierror(8, "x"), OSError(101, "x"), TimeoutError())),
)
def test_names_that_are_never_found_end_no_command(
    here: Here, nothing_set_up: Plimsoll, command: tuple[str, ...], error: Exception | None
) -> None:
    found, port = socket.getaddrinfo, WaitingPort([], error)

    def getaddrinfo(host: Any, *rest: Any, **options: Any) -> Any:
        return port() if host in (FAR, FAR.encode()) else found(host, *rest, **options)

    nothing_set_up.environ |= {
        "OPENAI_BASE_URL": f"http://{FAR}/v1",
        "OPENAI_API_KEY": "sk-test",
        "ANTHROPIC_BASE_URL": f"http://{FAR}",
        "ANTHROPIC_API_KEY": "sk-ant-test",
    }
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(socket, "getaddrinfo", getaddrinfo)
        ended = here(*command)
    port.release()
    assert "An error in Plimsoll" not in ended.err
    assert ended.out or ended.err


class MuteWindow:
    """Listens where the window would, takes what comes, and says `answers` in turn, then nothing."""

    def __init__(self, folder: Path, *answers: bytes) -> None:
        self.socket = unix_socket()
        self.socket.bind(socket_name(folder))
        (folder / "instance.sock").chmod(0o600)
        self.socket.listen()
        self.answers = answers
        self.taken: list[socket.socket] = []
        self.thread = threading.Thread(target=self._serve, daemon=True)
        self.thread.start()

    def _serve(self) -> None:
        while True:
            try:
                line, _ = self.socket.accept()
            except OSError:
                return
            self.taken.append(line)
            for answer in self.answers:
                line.sendall(answer)


@pytest.fixture
def mute_window(plimsoll: Plimsoll) -> Iterator[MuteWindow]:
    window = MuteWindow(plimsoll.folder)
    yield window
    window.socket.shutdown(socket.SHUT_RDWR)
    window.socket.close()
    for line in window.taken:
        line.close()


def test_a_window_that_says_nothing_is_left_alone(here: Here, mute_window: MuteWindow) -> None:
    ended = here("ask", "hi")
    assert ended.status == 0
    assert len(mute_window.taken) == 1
