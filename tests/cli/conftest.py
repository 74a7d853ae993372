"""Runs `plimsoll` as scripts do, in a process of its own, and in this process where only speed matters."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from desktop_app.__main__ import main
from tests.cli.command import Ended, Plimsoll


@pytest.fixture
def plimsoll(tmp_path: Path) -> Plimsoll:
    folder = tmp_path / "data"
    folder.mkdir(mode=0o700)
    (folder / "settings.toml").write_text('[backend]\ndefault = "scripted"\n')
    return Plimsoll(folder)


Here = Callable[..., Ended]


@pytest.fixture
def here(plimsoll: Plimsoll, monkeypatch: pytest.MonkeyPatch) -> Here:
    """The same in this process: no start-up to wait for."""

    def run(*arguments: str, stdin: bytes = b"") -> Ended:
        streams = [io.TextIOWrapper(io.BytesIO()) for _ in range(2)]
        with monkeypatch.context() as patch:
            for name, value in plimsoll.environ.items():
                patch.setenv(name, value)
            patch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin)))
            lines = patch_input(patch, plimsoll.folder.parent / "stdin", stdin)
            patch.setattr(sys, "stdout", streams[0])
            patch.setattr(sys, "stderr", streams[1])
            try:
                status = main(["--data-dir", str(plimsoll.folder), *arguments])
            except SystemExit as leaving:
                status = int(leaving.code or 0)
            finally:
                os.close(lines)
        texts = []
        for stream in streams:
            stream.flush()
            buffer = stream.detach()
            assert isinstance(buffer, io.BytesIO)
            texts.append(buffer.getvalue().decode())
        return Ended(status, *texts)

    return run


def patch_input(patch: pytest.MonkeyPatch, path: Path, stdin: bytes) -> int:
    """Lets `chat` read `stdin`; returns the file descriptor, to be closed."""
    path.write_bytes(stdin)
    descriptor = os.open(path, os.O_RDONLY)
    patch.setattr("desktop_app.cli.ask_command.STDIN", descriptor)
    return descriptor
