"""The backend `claude-cli`: one run of the `claude` program per answer.

Measured with version 2.1.330, model by model (`test_real_program.py` measures the borders again).
"""

from __future__ import annotations

import asyncio
import contextlib
import re
from collections.abc import AsyncGenerator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final

from desktop_app.backends.backend_protocol import Availability, CostKind, Seconds, seconds_now
from desktop_app.backends.claude_cli.claude_answer_reader import ClaudeAnswerReader
from desktop_app.backends.claude_cli.claude_failures import SIGN_IN
from desktop_app.backends.claude_cli.invocation import EFFORTS, INTERRUPT, encoded, stdin_line
from desktop_app.backends.claude_cli.program_finder import Program, ProgramFinder, reduced_environment
from desktop_app.backends.claude_cli.program_process import run_briefly
from desktop_app.backends.claude_cli.program_session import (
    LAST_WORDS_S,
    Launch,
    Launched,
    PrewarmedProgram,
    ProgramSession,
)
from desktop_app.backends.claude_cli.program_verification import ProgramVerification, Trial, verification_failure
from desktop_app.backends.claude_cli.self_test import fault_of
from desktop_app.core.backend_descriptors import CLAUDE_CLI
from desktop_app.core.context.plan import ContextPlan, Overhead
from desktop_app.core.errors import PlimsollError, UserError
from desktop_app.core.messages import JsonObject, ToolResultPart
from desktop_app.core.model_catalog import ModelInfo, ModelOverride, find_model, shipped_models
from desktop_app.core.phrases import phrase
from desktop_app.core.stream_events import Failed, Notice, StreamEvent

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
    the longest silence within an answer, in seconds; a function is asked before each answer.
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
    ) -> None:
        self._work_dir = work_dir
        self._seconds = timeout_s
        self._environ = environ
        self._overrides = overrides
        self._default_model = model or DEFAULT_MODEL
        self._finder = ProgramFinder(explicit=program, environ=environ, folder=work_dir)
        self._verification = ProgramVerification(
            check_file or work_dir.with_name("claude-check.json"), environ, trial=trial
        )
        self.prewarmed = PrewarmedProgram()
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
        return Overhead(tokens=OVERHEAD_TOKENS, labels=True, cache_marks=4, system_mark=False)

    @property
    def default_model(self) -> str:
        return self._default_model

    async def availability(self) -> Availability:
        """Runs `claude --version` once, and asks the program itself about the login; both stay on this computer."""
        try:
            program = await self._program()
            verdict = self._verification.known(program)
            if verdict is not None and verdict.fault:
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
        return Availability(
            True,
            phrase(
                "claude {version_text} at {path}, {checked}",
                version_text=program.version_text,
                path=program.path,
                checked=checked,
            ),
        )

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
        launched = await self.prewarmed.take(launch)
        if launched is None:
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
