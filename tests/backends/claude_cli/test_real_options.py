"""What is wished of a model, and what the plan of a login allows, through the real `claude` program."""

from __future__ import annotations

import json
import subprocess
from datetime import datetime
from pathlib import Path

import pytest

from desktop_app.backends.claude_cli.claude_cli_backend import NAME, ClaudeCliBackend, in_program
from desktop_app.backends.claude_cli.invocation import EFFORTS
from desktop_app.core.messages import NO_PARAMETERS, Parameters
from desktop_app.core.model_catalog import find_model, shipped_models
from desktop_app.core.stream_events import Accumulator
from desktop_app.system.system_clock import utc_now
from tests.backends.claude_cli.plans import plan_of
from tests.backends.claude_cli.tool_user import ToolUser
from tests.patience import PATIENCE_S
from tests.servers.messages_api import Answer, HttpError, MessagesApi, Pause, Ping

pytestmark = pytest.mark.slow


@pytest.fixture
def login(environ: dict[str, str]) -> None:
    """A login in the place of a key."""
    del environ["ANTHROPIC_API_KEY"]
    account = {"accessToken": "dummy", "refreshToken": "dummy", "expiresAt": 9_999_999_999_999}
    account |= {"scopes": ["user:inference"], "subscriptionType": "max"}
    (Path(environ["HOME"]) / ".claude").mkdir()
    (Path(environ["HOME"]) / ".claude" / ".credentials.json").write_text(json.dumps({"claudeAiOauth": account}))


@pytest.mark.parametrize("model", ["claude-sonnet-5-5", "claude-opus-4-7"])
async def test_the_effort_that_is_wished_is_asked_for(backend: ClaudeCliBackend, api: MessagesApi, model: str) -> None:
    wished = backend.model(model).efforts
    for effort in (wished[0], wished[-1]):
        await ToolUser().read(backend, plan_of("q", model=model, parameters=Parameters(effort=effort)))

    assert [request.body["output_config"]["effort"] for request in api.answers] == [wished[0], wished[-1]]


def test_the_levels_of_effort_are_those_that_the_program_names(program: Path) -> None:
    said = subprocess.run([program, "--help"], capture_output=True, text=True, check=True, timeout=PATIENCE_S).stdout

    assert f"({', '.join(EFFORTS)})" in " ".join(said.split())


async def test_a_word_that_is_no_effort_changes_nothing(backend: ClaudeCliBackend, api: MessagesApi) -> None:
    for parameters in (NO_PARAMETERS, Parameters(effort="--dangerously-skip-permissions")):
        await ToolUser().read(backend, plan_of("q", parameters=parameters))

    first, second = ({**request.body, "metadata": None} for request in api.answers)
    assert first == second


@pytest.mark.parametrize(
    "model", ["claude-haiku-4-5", "claude-opus-4-7", "claude-sonnet-5", "claude-haiku-5-5", "claude-sonnet-5-5"]
)
async def test_thinking_is_off_where_it_can_be(backend: ClaudeCliBackend, api: MessagesApi, model: str) -> None:
    """What the program does with each model, and that `abilities` knows it."""
    for parameters in (NO_PARAMETERS, Parameters(thinking=False)):
        await ToolUser().read(backend, plan_of("q", model=model, parameters=parameters))

    usual, without = (request.body["thinking"]["type"] for request in api.answers)
    assert usual in ("adaptive", "enabled")
    can_be_off = without == "disabled"
    assert backend.model(model).thinking == ("choice" if can_be_off else "always")


def test_every_model_takes_what_the_program_can_carry() -> None:
    for shipped in (*shipped_models(NAME), find_model(NAME, "nobody-knows-it")):
        model = in_program(shipped)
        assert (model.accepts_tools, model.accepts_images, model.accepts_pdf) == (True, True, True)
        assert (model.web_search, model.temperature) == (False, False)
        assert model.thinking != "never"
        assert model.window == shipped.window


async def test_a_plan_that_is_used_up_says_when_it_resets(
    backend: ClaudeCliBackend, api: MessagesApi, login: None
) -> None:
    reset = int(utc_now().timestamp()) + 2 * 3_600
    api.default = HttpError(
        429,
        headers={
            "anthropic-ratelimit-unified-status": "rejected",
            "anthropic-ratelimit-unified-reset": str(reset),
            "anthropic-ratelimit-unified-representative-claim": "five_hour",
            "retry-after": "7200",
        },
    )

    user = await ToolUser().read(backend, plan_of("q"))

    failure = user.answer.failure
    assert failure is not None
    assert failure.code == "rate_limited"
    assert failure.message.startswith("Your plan's 5-hour limit is reached. It resets ")
    assert f"at {datetime.fromtimestamp(reset).astimezone():%H:%M}" in failure.message
    assert failure.retry_after_s is not None
    assert 7_000 < failure.retry_after_s <= 7_200
    assert len(api.answers) == 1


async def test_a_login_that_is_refused_is_told_before_the_program_has_tried_all_it_can(
    backend: ClaudeCliBackend, api: MessagesApi, login: None
) -> None:
    api.default = HttpError(401)
    answer = Accumulator()

    async for event in backend.stream(plan_of("q")):
        answer.add(event)

    assert len(api.answers) <= 2
    assert answer.failure is not None
    assert answer.failure.code == "auth"
    assert answer.failure.message == 'Sign in needed: run "claude" and log in.'


async def test_pings_of_the_provider_keep_an_answer_alive(
    program: Path, tmp_path: Path, environ: dict[str, str], check_file: Path, api: MessagesApi
) -> None:
    """The program passes one on every ten seconds at most; a limit below that could not know of them."""
    backend = ClaudeCliBackend(
        program=program,
        work_dir=tmp_path / "w",
        environ=environ,
        overrides={},
        check_file=check_file,
        timeout_s=11.5,
    )
    api.script(Answer("some ", *[step for _ in range(14) for step in (Pause(1), Ping())], "more"))

    user = await ToolUser().read(backend, plan_of("q"))

    assert user.answer.failure is None
    assert user.text == "some more"
