"""One window per data folder; a second start hands its arguments over."""

from __future__ import annotations

import asyncio
import contextlib
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication

from desktop_app.system.own_processes import MAX_MESSAGE, socket_name
from desktop_app.ui.startup import command_link
from desktop_app.ui.startup.command_link import MOST_UNHEARD, CommandLink
from desktop_app.ui.startup.single_instance import MOST_COMMANDS, MOST_UNFINISHED, SingleInstance, hand_over
from tests.patience import PATIENCE_S

HAND_OVER = """
import sys
from pathlib import Path
from PySide6.QtCore import QCoreApplication
from desktop_app.ui.startup.single_instance import SingleInstance, hand_over
app = QCoreApplication([])
folder = Path(sys.argv[1])
print(SingleInstance(folder).claim(), hand_over(folder, {"open_thread": "abc"}, 3))
"""
CRASH = """
import os, sys
from pathlib import Path
from PySide6.QtCore import QCoreApplication
from desktop_app.ui.startup.single_instance import SingleInstance
app = QCoreApplication([])
instance = SingleInstance(Path(sys.argv[1]))
print(instance.claim() and instance.listen(), flush=True)
os.kill(os.getpid(), 9)
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    path = tmp_path / "d"
    path.mkdir(mode=0o700)
    return path


async def test_a_second_start_hands_its_arguments_over(folder: Path, qapp: QApplication) -> None:
    first = SingleInstance(folder)
    received: list[object] = []
    first.arguments_received.connect(received.append)
    assert first.claim()
    assert first.listen()
    second = await asyncio.create_subprocess_exec(
        sys.executable, "-c", HAND_OVER, str(folder), stdout=asyncio.subprocess.PIPE
    )
    output, _ = await asyncio.wait_for(second.communicate(), PATIENCE_S)
    assert output.split() == [b"False", b"True"]
    assert received == [{"open_thread": "abc"}]
    first.close()


@pytest.mark.skipif(sys.platform == "win32", reason="named pipes have no mode")
def test_the_socket_is_for_this_user_only(folder: Path, qapp: QApplication) -> None:
    instance = SingleInstance(folder)
    assert instance.claim()
    assert instance.listen()
    assert Path(socket_name(folder)).stat().st_mode & 0o077 == 0
    instance.close()


def test_the_socket_of_a_killed_window_is_taken_over(folder: Path, qapp: QApplication) -> None:
    crashed = subprocess.run(
        [sys.executable, "-c", CRASH, str(folder)], capture_output=True, timeout=PATIENCE_S, check=False
    )
    assert crashed.stdout.strip() == b"True"
    assert (folder / "instance.sock").exists()
    assert (folder / "instance.lock").exists()
    instance = SingleInstance(folder)
    assert instance.claim()
    assert instance.listen()
    instance.close()


def test_nobody_at_home_is_told_within_the_time(folder: Path, qapp: QApplication) -> None:
    assert not hand_over(folder, {}, 0.1)


def test_a_long_path_gets_a_short_socket_name(tmp_path: Path) -> None:
    assert len(socket_name(tmp_path / ("x" * 120)).encode()) < 100


async def connected(name: str) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    if sys.platform == "win32":
        pytest.skip("its sockets have no path")
    else:
        return await asyncio.open_unix_connection(name)


@pytest.mark.parametrize(
    "said",
    [b"[" * 100_000 + b"\n", b"\xff\x00\n", b'["open"]\n', b"{\n", b"9" * 5_000 + b"\n", b"a" * (MAX_MESSAGE + 10)],
    ids=["nested too deeply", "bytes", "a list", "cut", "digits", "without an end"],
)
async def test_what_is_no_message_is_not_heard_and_hung_up_on(said: bytes, folder: Path, qapp: QApplication) -> None:
    instance = SingleInstance(folder)
    assert instance.claim()
    assert instance.listen()
    heard: list[object] = []
    instance.arguments_received.connect(heard.append)
    try:
        reader, writer = await connected(socket_name(folder))
        async with asyncio.timeout(PATIENCE_S):
            with contextlib.suppress(ConnectionError):
                writer.write(said)
                await writer.drain()
                assert await reader.read() == b""
        writer.close()
        assert heard == []
    finally:
        instance.close()


@pytest.fixture
def listening(folder: Path, qapp: QApplication) -> Iterator[SingleInstance]:
    instance = SingleInstance(folder)
    assert instance.claim()
    assert instance.listen()
    yield instance
    instance.close()


async def open_still(readers: Sequence[asyncio.StreamReader]) -> int:
    """How many connections the window has not ended, once nothing more happens."""
    while True:
        before = [one.at_eof() for one in readers]
        await asyncio.sleep(0.1)
        if before == [one.at_eof() for one in readers]:
            return before.count(False)


async def test_unfinished_lines_take_little_and_keep_nobody_out(listening: SingleInstance, folder: Path) -> None:
    received: list[object] = []
    listening.arguments_received.connect(received.append)
    lines = []
    try:
        async with asyncio.timeout(PATIENCE_S):
            for _ in range(60):
                lines.append(await connected(socket_name(folder)))
                lines[-1][1].write(b"a" * 900_000)
            assert await open_still([reader for reader, _ in lines]) <= MOST_UNFINISHED
            reader, writer = await connected(socket_name(folder))
            writer.write(b'{"open_thread": "abc"}\n')
            assert await reader.read() == b"ok\n"  # and hung up
            writer.close()
        assert received == [{"open_thread": "abc"}]
    finally:
        for _, writer in lines:
            writer.transport.abort()


async def test_a_line_that_is_never_finished_is_hung_up_on(
    folder: Path, qapp: QApplication, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(command_link, "UNFINISHED_MS", 50)
    instance = SingleInstance(folder)
    links: list[CommandLink] = []
    instance.command_came.connect(links.append)
    assert instance.claim()
    assert instance.listen()
    try:
        async with asyncio.timeout(PATIENCE_S):
            for said in (b"", b'{"open', b'{"protocol": 1}\n{"ask'):
                reader, writer = await connected(socket_name(folder))
                writer.write(said)
                assert await reader.read() == b""
                writer.close()
            # a command that waits for its turn has no line begun
            reader, writer = await connected(socket_name(folder))
            writer.write(b'{"protocol": 1}\n')
            assert await open_still([reader]) == 1
            writer.close()
    finally:
        instance.close()


async def test_commands_and_what_they_say_before_they_are_heard_are_bounded(
    listening: SingleInstance, folder: Path
) -> None:
    links: list[CommandLink] = []
    listening.command_came.connect(links.append)
    lines = []
    try:
        async with asyncio.timeout(PATIENCE_S):
            for _ in range(MOST_COMMANDS + 3):
                lines.append(await connected(socket_name(folder)))
                lines[-1][1].write(b'{"protocol": 1}\n')
                await open_still([lines[-1][0]]) if len(lines) > MOST_COMMANDS else None
            assert await open_still([reader for reader, _ in lines]) == MOST_COMMANDS == len(links)
            reader, writer = lines[0]
            writer.write(b"{}\n" * (MOST_UNHEARD + 1))
            assert await reader.read() == b""
    finally:
        for _, writer in lines:
            writer.transport.abort()
