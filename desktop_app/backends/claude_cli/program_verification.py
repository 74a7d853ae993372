"""Keeps every word of the user's from a `claude` program that did not pass the self-test; keeps results by SHA-256."""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import json
import logging
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, TypeAlias

from desktop_app.backends.claude_cli.program_finder import Program, Stamp
from desktop_app.backends.claude_cli.self_test import TRIAL, InconclusiveError, fault_of
from desktop_app.core.errors import UserError
from desktop_app.core.phrases import phrase
from desktop_app.system.private_files import write_atomically
from desktop_app.system.system_clock import local_day

_KEPT = 20
"""Programs that are remembered: every update is a new one."""


@dataclass(frozen=True, slots=True)
class SelfTestResult:
    """`fault` is empty for a program that passed. `checked` is a date, `trial` the number of the test."""

    version: str
    trial: int
    checked: str
    fault: str = ""


class SelfTestResults:
    """A small JSON file for this user only, read once. One that is damaged counts as empty: the test is held again."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._hashes: dict[str, str] | None = None
        self._verdicts: dict[str, SelfTestResult] = {}

    def of(self, stamp: Stamp) -> SelfTestResult | None:
        """Return the result kept for the file with that stamp, without reading the program."""
        digest = self._known().get(_key(stamp), "")
        return self._verdicts.get(digest)

    def of_hash(self, digest: str, stamp: Stamp) -> SelfTestResult | None:
        """Return the result kept for the program with that SHA-256; from now on its stamp is enough."""
        self._known()[_key(stamp)] = digest
        return self._verdicts.get(digest)

    def keep(self, digest: str, stamp: Stamp, verdict: SelfTestResult) -> None:
        """Stores a verdict, in memory also where the file can't be written: then OSError follows."""
        self._known()[_key(stamp)] = digest
        self._verdicts[digest] = verdict
        self.save()

    def save(self) -> None:
        """Rewrite the file, whole or not at all."""
        verdicts = dict(list(self._verdicts.items())[-_KEPT:])
        hashes = {key: digest for key, digest in self._known().items() if digest in verdicts}
        text = json.dumps(
            {"files": hashes, "programs": {digest: asdict(one) for digest, one in verdicts.items()}}, indent=1
        )
        write_atomically(self._path, text.encode())

    def _known(self) -> dict[str, str]:
        if self._hashes is None:
            self._hashes = {}
            with contextlib.suppress(OSError, ValueError, TypeError, AttributeError, LookupError):
                self._take(json.loads(self._path.read_text(encoding="utf-8")))
        return self._hashes

    def _take(self, stored: Mapping[str, Any]) -> None:
        verdicts = {str(digest): SelfTestResult(**fields) for digest, fields in stored["programs"].items()}
        self._verdicts, self._hashes = verdicts, {str(key): str(digest) for key, digest in stored["files"].items()}


def sha256_of(path: Path) -> str:
    """The SHA-256 of a file in hexadecimal; 0.3 s for 380 MB that are in memory, so never on an event loop."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _key(stamp: Stamp) -> str:
    path, changed_ns, size = stamp
    return f"{changed_ns}:{size}:{path}"


log = logging.getLogger(__name__)

Trial: TypeAlias = Callable[[Program, Mapping[str, str]], Awaitable[str]]
"""See `self_test.fault_of`."""


class ProgramVerification:
    """Tests each program once, by its SHA-256, and remembers it in `file`. One trial runs at a time."""

    def __init__(self, file: Path, environ: Mapping[str, str], *, trial: Trial = fault_of) -> None:
        self._verdicts = SelfTestResults(file)
        self._environ = environ
        self._trial = trial
        self._running: dict[Program, asyncio.Task[SelfTestResult]] = {}

    def known(self, program: Program) -> SelfTestResult | None:
        """The verdict where there is one that counts, found without a test and without reading the program."""
        return _counts(self._verdicts.of(program.stamp), program)

    async def require(self, program: Program) -> None:
        """Returns for a program that passed; waits for its trial where it has none. `UserError("config")` else.

        Who stops waiting leaves the trial to the next who asks.
        """
        verdict = self.known(program)
        if verdict is None:
            task = self._running.get(program)
            if task is None:
                task = self._running[program] = asyncio.get_running_loop().create_task(self._held(program))
                task.add_done_callback(lambda ended: self._forget(program, ended))
            try:
                verdict = await asyncio.shield(task)
            except InconclusiveError as error:
                message = phrase(
                    "claude {version_text} could not be checked before its first use: {error}. Nothing was sent. Try "
                    "again, or choose another connection.",
                    version_text=program.version_text,
                    error=error,
                )
                raise UserError("config", message, actions=("retry", "open_connections")) from error
        if verdict.fault:
            raise UserError("config", verification_failure(program, verdict), actions=("open_connections", "retry"))

    async def close(self) -> None:
        """Ends the trials that run."""
        tasks = tuple(self._running.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    def _forget(self, program: Program, ended: asyncio.Task[SelfTestResult]) -> None:
        self._running.pop(program, None)
        if not ended.cancelled() and (error := ended.exception()):
            # where everybody stopped waiting, nobody else would look at it
            log.info("claude %s was not tested to the end: %s", program.version_text, error)

    async def _held(self, program: Program) -> SelfTestResult:
        try:
            digest = await asyncio.to_thread(sha256_of, program.path)
        except OSError as error:
            raise InconclusiveError(error.strerror or type(error).__name__) from error
        verdict = _counts(self._verdicts.of_hash(digest, program.stamp), program)
        if verdict is None:
            fault = await self._trial(program, self._environ)
            verdict = SelfTestResult(program.version_text, TRIAL, local_day().isoformat(), fault)
        try:
            await asyncio.to_thread(self._verdicts.keep, digest, program.stamp, verdict)
        except OSError as error:
            log.warning("the verdict on claude %s is not stored: %s", program.version_text, error.strerror)
        return verdict


def verification_failure(program: Program, verdict: SelfTestResult) -> str:
    """Return the message about a program that is off."""
    return phrase(
        'claude {version_text} is not used, because in a check on this computer {fault}. Run "claude '
        'update" for another version, or choose another connection.',
        version_text=program.version_text,
        fault=verdict.fault,
    )


def _counts(verdict: SelfTestResult | None, program: Program) -> SelfTestResult | None:
    """A script may start another program each day: its hash stays, and its version does not."""
    current = verdict is not None and verdict.trial == TRIAL and verdict.version == program.version_text
    return verdict if current else None
