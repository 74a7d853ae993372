"""Recognizes the text of pictures by the `tesseract` program, where it is installed."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from typing import Final

from desktop_app.documents.reading_errors import RECOGNITION_LANGUAGE

PROGRAM: Final = "tesseract"

PAGE_TIME_S: Final = 60.0
"""Seconds that one page may take; a dense page at 300 dpi takes about five."""

DPI: Final = 300
"""Dots per inch, as the program's makers ask for."""

LONGEST_EDGE: Final = 5_000
"""Pixels of a page's longer side: A4 at 300 dpi has 3,508, a poster has more than memory."""

_LANGUAGES: Final = re.compile(r"[A-Za-z][\w/+-]{1,99}")
"""Names of the program's languages, several with `+`: deu+eng."""


def found() -> str | None:
    """Return the path of the program; None where it is not installed."""
    return shutil.which(PROGRAM)


def recognized(png: bytes, language: str, program: str) -> str | None:
    """The text in a picture; None where the program has failed, or took too long."""
    command = [program, "stdin", "stdout", "--dpi", str(DPI), "-l", _named(language)]
    environment = {**os.environ, "OMP_THREAD_LIMIT": "1"}
    try:
        done = subprocess.run(command, input=png, capture_output=True, timeout=PAGE_TIME_S, check=True, env=environment)
    except (OSError, subprocess.SubprocessError):
        return None
    return done.stdout.decode("utf-8", "replace").replace("\f", "").strip()


def _named(language: str) -> str:
    return language if _LANGUAGES.fullmatch(language) else RECOGNITION_LANGUAGE
