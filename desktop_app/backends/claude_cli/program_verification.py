"""Owns that no word of the user's reaches a `claude` program that did not pass the self-test. Fails closed."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable, Mapping
from pathlib import Path
from typing import TypeAlias

from desktop_app.backends.claude_cli.program_finder import Program
from desktop_app.backends.claude_cli.self_test import TRIAL, InconclusiveError, fault_of
from desktop_app.backends.claude_cli.verdicts import SelfTestResult, SelfTestResults, sha256_of
from desktop_app.core.errors import UserError
from desktop_app.core.phrases import phrase

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
            verdict = SelfTestResult(program.version_text, TRIAL, time.strftime("%Y-%m-%d"), fault)
        try:
            await asyncio.to_thread(self._verdicts.keep, digest, program.stamp, verdict)
        except OSError as error:
            log.warning("the verdict on claude %s is not stored: %s", program.version_text, error.strerror)
        return verdict


def verification_failure(program: Program, verdict: SelfTestResult) -> str:
    """What is said of a program that is off."""
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
