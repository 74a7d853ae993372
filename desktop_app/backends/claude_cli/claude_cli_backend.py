"""The backend `claude-cli`: one run of the `claude` program per answer.

Measured with version 2.1.330, model by model (`test_real_program.py` measures the borders again). Every word of the
user's is kept from a program that did not pass the self-test; its results are kept by SHA-256.
"""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import json
import logging
import re
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, Final, TypeAlias

from desktop_app.backends.backend_protocol import Availability, CostKind, Seconds, seconds_now
from desktop_app.backends.claude_cli.claude_answer_reader import ClaudeAnswerReader
from desktop_app.backends.claude_cli.claude_failures import SIGN_IN
from desktop_app.backends.claude_cli.invocation import EFFORTS, INTERRUPT, encoded, stdin_line
from desktop_app.backends.claude_cli.program_finder import Program, ProgramFinder, Stamp, reduced_environment
from desktop_app.backends.claude_cli.program_process import run_briefly
from desktop_app.backends.claude_cli.program_session import (
    LAST_WORDS_S,
    Launch,
    Launched,
    PrewarmedProgram,
    ProgramSession,
)
from desktop_app.backends.claude_cli.self_test import TRIAL, InconclusiveError, fault_of
from desktop_app.core.backend_descriptors import CLAUDE_CLI
from desktop_app.core.context.plan import ContextPlan, Overhead
from desktop_app.core.errors import PlimsollError, UserError
from desktop_app.core.messages import JsonObject, ToolResultPart
from desktop_app.core.model_catalog import ModelInfo, ModelOverride, find_model, shipped_models
from desktop_app.core.phrases import phrase
from desktop_app.core.stream_events import Failed, Notice, StreamEvent
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
        digest = self._known().get(_key(stamp), "")  # which reads the verdicts
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
        if (verdict := self.known(program)) is None:
            if (task := self._running.get(program)) is None:
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
        if (verdict := _counts(self._verdicts.of_hash(digest, program.stamp), program)) is None:
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


ALWAYS_THINKS_FROM: Final = (5, 5)
"""From this version on the program sends `thinking: adaptive`, whatever it is told."""

_VERSION = re.compile(r"claude-[a-z]+-(\d{1,2})(?:-(\d{1,2}))?(?!\d)")


def in_program(model: ModelInfo) -> ModelInfo:
    """The model as the program offers it.

    The program lets even those models think that the API does not let think by itself. It has a search of the web of
    its own, which is off like all its tools, and no way to a temperature.
    """
    found = _VERSION.search(model.id)
    version = (int(found[1]), int(found[2] or 0)) if found else ALWAYS_THINKS_FROM
    always = model.thinking == "always" or version >= ALWAYS_THINKS_FROM
    return replace(
        model,
        accepts_tools=True,
        accepts_images=True,
        accepts_pdf=True,
        efforts=tuple(level for level in model.efforts if level in EFFORTS),
        thinking="always" if always else "choice",
        web_search=False,
        temperature=False,
    )


NAME = CLAUDE_CLI.name
DEFAULT_MODEL = "claude-sonnet-5-5"

OVERHEAD_TOKENS = 350
"""Tokens that the program adds to every request: two blocks before the system prompt and one on its surroundings.

1,070 characters (1,190 for models before 5.0) in version 2.1.330 with a working folder of 35 characters, at 3.2
characters a token; `test_real_program.py` measures it again.
"""

TAIL_TOKENS = 290
"""Those of the surroundings, 924 characters, which come last and behind every mark."""

DEFAULT_TIMEOUT_S = 600.0
"""Longest silence within an answer, in seconds: that of the other backends.

The program passes on a ping of the provider's every 10 s at most: a limit below that can't know of them.
"""

_LOGIN_S = 10.0


class ClaudeCliBackend:
    """Speaks with `claude` as described in `base.Backend`.

    `program` is a path from the settings; without it the program is searched for. `work_dir` becomes a private empty
    folder; it has to stay the same path for the provider's cache to be of use. `environ` is what of our environment
    may be handed over (a small part of it is). `model` is the id used where no thread names one.
    `check_file` keeps what the self-test found, beside `work_dir` if not named; `trial` is that test. `timeout_s`:
    the longest silence within an answer, in seconds; a function is asked before each answer. `signed_in` is told of
    the login that the program asks with.
    """

    def __init__(
        self,
        *,
        program: Path | None,
        work_dir: Path,
        environ: Mapping[str, str],
        overrides: Mapping[str, ModelOverride],
        model: str | None = None,
        check_file: Path | None = None,
        trial: Trial = fault_of,
        timeout_s: Seconds = None,
        signed_in: Callable[[str], object] = bool,
    ) -> None:
        self._work_dir = work_dir
        self._seconds = timeout_s
        self._environ = environ
        self._overrides = overrides
        self.default_model = model or DEFAULT_MODEL
        self._finder = ProgramFinder(explicit=program, environ=environ, folder=work_dir)
        self._verification = ProgramVerification(
            check_file or work_dir.with_name("claude-check.json"), environ, trial=trial
        )
        self._told_of_login = signed_in
        self.prewarmed = PrewarmedProgram(signed_in=self._signed_in)
        self._running: set[Launched] = set()
        self._login_known = False

    @property
    def name(self) -> str:
        return NAME

    @property
    def title(self) -> str:
        return CLAUDE_CLI.title

    @property
    def cost_kind(self) -> CostKind:
        """With a key each token costs; a login draws on its plan."""
        return "money" if self._environ.get("ANTHROPIC_API_KEY") else "plan"

    @property
    def overhead(self) -> Overhead:
        return Overhead(OVERHEAD_TOKENS, TAIL_TOKENS, labels=True, cache_marks=4, system_mark=False)

    async def availability(self) -> Availability:
        """Runs `claude --version` once, and asks the program itself about the login; both stay on this computer."""
        try:
            program = await self._program()
            if (verdict := self._verification.known(program)) is not None and verdict.fault:
                return Availability(False, verification_failure(program, verdict), found=True)
            logged_in = await self._logged_in(program)
        except PlimsollError as error:
            return Availability(False, error.failure.message)
        if not logged_in:
            return Availability(False, phrase("{sign_in}.", sign_in=SIGN_IN), found=True)
        checked = (
            phrase("checked {checked}", checked=verdict.checked)
            if verdict is not None
            else phrase("to be checked before its first use")
        )
        words = phrase(
            "claude {version_text} at {path}, {checked}",
            version_text=program.version_text,
            path=program.path,
            checked=checked,
        )
        return Availability(True, words)

    async def models(self) -> Sequence[ModelInfo]:
        return tuple(self.model(known.id) for known in shipped_models(NAME))

    def model(self, model_id: str) -> ModelInfo:
        return in_program(find_model(NAME, model_id, self._overrides.get(model_id)))

    def request(self, plan: ContextPlan) -> JsonObject:
        return {"stdin": stdin_line(plan), "system": encoded(plan.request.system).decode()}

    async def stream(self, plan: ContextPlan) -> AsyncGenerator[StreamEvent, ToolResultPart | None]:
        """See `Backend.stream`. A call that gets no result by `asend` is answered as one that failed."""
        launched: Launched | None = None
        reader = ClaudeAnswerReader(tools=bool(plan.request.tools), asked=plan.model.id)
        try:
            program = await self._program()
            if self._verification.known(program) is None:
                yield Notice(
                    "check",
                    phrase("Checking claude {version_text} before its first use", version_text=program.version_text),
                )
            await self._verification.require(program)
            # a long conversation takes longer to encode than a frame of the window may
            line = await asyncio.to_thread(stdin_line, plan)
            launched = await self._launched(plan, program)
            launched.process.write(line.encode())
            answer = ProgramSession(
                launched, reader, seconds_now(self._seconds, DEFAULT_TIMEOUT_S), refuses_calls=plan.request.answer_now
            )
            async with contextlib.aclosing(answer.events()) as events:
                result: ToolResultPart | None = None
                with contextlib.suppress(StopAsyncIteration):
                    while True:
                        event = await events.asend(result)
                        if isinstance(event, Failed) and event.failure.code == "auth":
                            self._login_known = False
                        self._signed_in(launched.account)
                        result = yield event
            if not reader.given_up:
                launched.process.close_stdin()
                await launched.process.wait(LAST_WORDS_S)
        except PlimsollError as error:
            yield Failed(error.failure)
        finally:
            if launched is not None:
                at_it = reader.started and (reader.outcome is None or reader.given_up)
                await launched.stop(INTERRUPT if at_it else b"")
                self._running.discard(launched)

    def _signed_in(self, account: str) -> None:
        if account:  # of a key it says only where it has it from
            self._told_of_login(account + self._environ.get("ANTHROPIC_API_KEY", ""))

    async def count_tokens(self, plan: ContextPlan) -> int | None:
        """None: the program has no service that counts without asking a model."""
        return None

    async def prepare(self, plan: ContextPlan | None = None) -> None:
        """Finds the program, tests one that is new, and with a plan starts one that then waits for its question."""
        with contextlib.suppress(PlimsollError):  # the answer will say it
            program = await self._program()
            await self._verification.require(program)
            if plan is not None:
                await self.prewarmed.hold(self._launch(plan, program))

    async def close(self) -> None:
        await asyncio.gather(
            self._verification.close(), self.prewarmed.close(), *(launched.stop() for launched in tuple(self._running))
        )

    async def _program(self) -> Program:
        try:
            self._work_dir.mkdir(parents=True, exist_ok=True, mode=0o700)
        except OSError as error:
            message = phrase(
                "The folder {work_dir} can't be created. Make its parent writable, then try again.",
                work_dir=self._work_dir,
            )
            raise UserError("store", message, detail=str(error), actions=("retry", "open_data_folder")) from error
        return await self._finder.find()

    async def _logged_in(self, program: Program) -> bool:
        """Asks the program, which takes 0.3 s, until it says yes; then not before an answer was refused."""
        if not self._login_known and not self._environ.get("ANTHROPIC_API_KEY"):
            code, _ = await run_briefly(
                (str(program.path), "auth", "status"),
                guard=program.guard,
                environ=reduced_environment(self._environ),
                folder=self._work_dir,
                seconds=_LOGIN_S,
            )
            if code != 0:
                return False
        self._login_known = True
        return True

    def _launch(self, plan: ContextPlan, program: Program) -> Launch:
        return Launch.of(plan, program, self._work_dir, self._environ)

    async def _launched(self, plan: ContextPlan, program: Program) -> Launched:
        launch = self._launch(plan, program)
        if (launched := await self.prewarmed.take(launch)) is None:
            try:
                launched = await launch.start()
            except OSError as error:
                message = phrase("The claude program at {path} could not be started.", path=program.path)
                actions = ("retry", "open_connections")
                raise UserError("config", message, detail=str(error), actions=actions) from error
            if launch.tools:
                launched.greet()
        self._running.add(launched)
        return launched
