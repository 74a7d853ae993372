"""What tests of documents share."""

from __future__ import annotations

import stat
from pathlib import Path

import pytest

from desktop_app.documents import text_extraction


@pytest.fixture
def tesseract(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """A program in the place of the real one: tells its language and how many bytes of a PNG it was given."""
    program = tmp_path / "programs" / "tesseract"
    program.parent.mkdir()
    program.write_text(
        "#!/usr/bin/env python3\n"
        "import sys\n"
        "data = sys.stdin.buffer.read()\n"
        "assert data.startswith(b'\\x89PNG')\n"
        "print('Recognized words of a page in', sys.argv[sys.argv.index('-l') + 1])\n"
    )
    program.chmod(program.stat().st_mode | stat.S_IXUSR)
    monkeypatch.setenv("PATH", str(program.parent), prepend=":")
    found = text_extraction.found()
    assert found == str(program)
    return found
