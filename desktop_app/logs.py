"""The log file: its rotation, and what is kept out of it.

Keys are struck out, and an exception is written with its type and its place only, unless its class is known to carry
no text of the user's: a database error, for one, repeats the message it could not store.
"""

from __future__ import annotations

import asyncio
import logging
import os
import platform
import re
import sys
import traceback
from collections.abc import Callable
from contextlib import suppress
from io import TextIOWrapper
from logging.handlers import RotatingFileHandler
from pathlib import Path
from types import TracebackType
from typing import Any, Final

from desktop_app.core.redaction import found_secrets, without_secrets

LARGEST_BYTES: Final = 1_000_000
KEPT_FILES: Final = 3

_SECRETS: Final = (
    re.compile(r"\b(?:sk|pk|rk)-[A-Za-z0-9_\-]{6,}"),
    re.compile(
        r"(?i)\b(authorization|x-api-key|api[_-]?key|token|password)(\"?'?\s*[:=]\s*\"?'?)(bearer\s+|basic\s+)?[^\s\"',}]+"
    ),
    re.compile(r"(?i)\b(bearer)\s+[A-Za-z0-9._~+/\-]{8,}=*"),
    re.compile(r"(?<=://)[^/\s:@]+:[^/\s@]+(?=@)"),
)

#: Messages of these are made by Python or the system from names and paths, not from what the user wrote.
_TELLING: Final = (OSError, AttributeError, NameError, ImportError, TypeError, NotImplementedError, RecursionError)


def redacted(text: str) -> str:
    """The text with keys, tokens and passwords struck out."""
    for secret in _SECRETS:
        text = secret.sub(_struck, text)
    return without_secrets(text, found_secrets(text))


def _struck(match: re.Match[str]) -> str:
    groups = match.groups()
    return f"{groups[0]}{groups[1]}[struck out]" if len(groups) > 1 else "[struck out]"


def described(error: BaseException) -> str:
    """An exception with those that caused it: types, places in the code, and only such messages as tell no text."""
    chain: list[str] = []
    seen: set[int] = set()
    current: BaseException | None = error
    while current is not None and id(current) not in seen:
        seen.add(id(current))
        words = f": {current}" if isinstance(current, _TELLING) else ""
        places = "".join(
            f'  File "{frame.filename}", line {frame.lineno}, in {frame.name}\n'
            for frame in traceback.extract_tb(current.__traceback__)
        )
        chain.append(f"{places}{type(current).__module__}.{type(current).__qualname__}{words}")
        current = current.__cause__ or (None if current.__suppress_context__ else current.__context__)
    return redacted("\ncaused by\n".join(chain))


class RedactingFormatter(logging.Formatter):
    """Formats a record without secrets."""

    def __init__(self, pattern: str, redact: Callable[[str], str] = str) -> None:
        super().__init__(pattern)
        self._redact = redact

    def formatException(self, ei: Any) -> str:  # noqa: N802 - the standard library's name
        return described(ei[1]) if ei and ei[1] is not None else ""

    def format(self, record: logging.LogRecord) -> str:
        # The text of an exception that another handler may have left on the record is not ours to write.
        record.exc_text = None
        return redacted(self._redact(super().format(record)))


class PrivateRotatingFile(RotatingFileHandler):
    """A rotating log file that only this user can read."""

    _is_told = False

    def _open(self) -> TextIOWrapper:
        handle = os.open(self.baseFilename, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
        return TextIOWrapper(os.fdopen(handle, "ab"), encoding="utf-8", errors="backslashreplace")

    def handleError(self, record: logging.LogRecord) -> None:  # noqa: N802 - the standard library's name
        """Says once, in one line, that the log can't be written, as on a full disk."""
        error = sys.exc_info()[1]
        if not self._is_told and sys.stderr is not None:
            self._is_told = True
            sys.stderr.write(f"The log can't be written: {getattr(error, 'strerror', None) or error}.\n")

    def close(self) -> None:
        with suppress(OSError):  # of what could not be written before
            super().close()


class CrashReports(logging.Handler):
    """Writes a report for every error that is logged with its exception: those are bugs."""

    def __init__(self, folder: Path) -> None:
        super().__init__(logging.ERROR)
        self._folder = folder

    def emit(self, record: logging.LogRecord) -> None:
        error = record.exc_info[1] if record.exc_info else None
        if error is not None:
            write_crash_report(self._folder, error)


def open_log(path: Path, *, redact: Callable[[str], str] = str, level: int = logging.INFO) -> Callable[[], None]:
    """Sends the app's log to `path` and lets unexpected errors write a report there; returns what undoes both.

    `redact` takes out the secrets that the app knows; what looks like one goes in any case.

    Where the file can't be opened the app goes on without a log: it must not keep anybody from chatting.
    """
    try:
        handler: logging.Handler = PrivateRotatingFile(
            path, maxBytes=LARGEST_BYTES, backupCount=KEPT_FILES, encoding="utf-8", delay=False
        )
    except OSError:
        handler = logging.NullHandler()
    handler.setFormatter(RedactingFormatter("%(asctime)s %(levelname)s %(name)s %(message)s", redact))
    logger = logging.getLogger("desktop_app")
    before_level, before_hook = logger.level, sys.excepthook
    reports = CrashReports(path.parent)
    logger.addHandler(handler)
    logger.addHandler(reports)
    logger.setLevel(level)
    # Ours only: what a library logs about requests and texts stays out.
    before_propagate, logger.propagate = logger.propagate, False

    def on_error(kind: type[BaseException], error: BaseException, place: TracebackType | None) -> None:
        if issubclass(kind, Exception):
            write_crash_report(path.parent, error)
        before_hook(kind, error, place)

    sys.excepthook = on_error

    def close() -> None:
        if sys.excepthook is on_error:
            sys.excepthook = before_hook
        logger.removeHandler(handler)
        logger.removeHandler(reports)
        logger.setLevel(before_level)
        logger.propagate = before_propagate
        handler.close()

    return close


def write_crash_report(folder: Path, error: BaseException) -> Path | None:
    """Writes a report of a bug into the logs folder and names it; None where that is not possible. Sends nothing."""
    name = f"crash-{os.getpid()}-{id(error):x}.txt"
    report = (
        f"Plimsoll met a fault. This report stays on this computer; it holds no messages and no keys.\n\n"
        f"Python {platform.python_version()} on {platform.platform()}\n\n{described(error)}\n"
    )
    try:
        handle = os.open(folder / name, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with os.fdopen(handle, "w", encoding="utf-8", errors="backslashreplace") as file:
            file.write(report)
    except OSError:
        return None
    return folder / name


def report_loop_errors(loop: asyncio.AbstractEventLoop, folder: Path) -> None:
    """Lets exceptions that no task's owner looked at get into the log, and a report of each into `folder`."""

    def on_error(loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        error = context.get("exception")
        logger = logging.getLogger("desktop_app")
        if isinstance(error, Exception):
            write_crash_report(folder, error)
            logger.error("a task failed", exc_info=error)
        else:
            logger.error("the event loop reports: %s", type(error).__name__)

    loop.set_exception_handler(on_error)
