"""The local model: its wire and its process with small stand-ins, and the real server with the real model."""

from __future__ import annotations

import asyncio
import json
import os
import re
import subprocess
import sys
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

import psutil
import pytest

import desktop_app.backends.local.local_backend as local
from desktop_app.backends.backend_protocol import Backend
from desktop_app.backends.local import LocalBackend
from desktop_app.backends.local.llama_server import fault_of, missing, serve_command, shipped_model_file
from desktop_app.backends.local.local_backend import failure_of, request_body
from desktop_app.core.context.plan import ContextPlan
from desktop_app.core.context.sent_content import PlannedMessage
from desktop_app.core.messages import DocumentPart, ImagePart, ThinkingPart, ToolResultPart
from desktop_app.core.model_catalog import ModelOverride
from desktop_app.core.stream_events import Ended, Notice, TextDelta, UsageReported
from desktop_app.system.own_processes import SERVE_LOCAL_MODEL
from tests.backends.plans import Collected, assistant, close_after, collect, plan_of, user
from tests.backends.small_model import needed
from tests.patience import PATIENCE_S

slow = pytest.mark.slow

PRESENT = Path(__file__)
"""A file that exists: enough where a stand-in plays the server."""

FAKE_SERVER = """
import json, os, sys, threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
order = json.loads(sys.stdin.readline())
class Handler(BaseHTTPRequestHandler):
    def log_message(self, *a): pass
    def do_POST(self):
        body = json.loads(self.rfile.read(int(self.headers["content-length"])))
        assert self.headers["authorization"] == "Bearer " + order["key"]
        self.send_response(STATUS); self.end_headers()
        for line in LINES:
            self.wfile.write(line.encode() + b"\\n\\n"); self.wfile.flush()
        END
server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
threading.Thread(target=server.serve_forever, daemon=True).start()
print(json.dumps({"url": f"http://127.0.0.1:{server.server_port}"}), flush=True)
while os.read(0, 100): pass
os._exit(0)
"""


SLOW_EXIT = "self.connection.shutdown(2); import time; time.sleep(0.05); os._exit(9)"
"""A connection that ends before its process does."""


def chunk(**fields: Any) -> str:
    return "data: " + json.dumps(fields)


def word(text: str) -> str:
    return chunk(choices=[{"index": 0, "delta": {"content": text}}])


def whole(text: str) -> tuple[str, ...]:
    """An answer with its end."""
    return word(text), chunk(choices=[{"index": 0, "delta": {}, "finish_reason": "stop"}]), "data: [DONE]"


def fake(*lines: str, status: int = 200, end: str = "pass") -> list[str]:
    program = FAKE_SERVER.replace("LINES", repr(lines)).replace("STATUS", str(status)).replace("END", end)
    return [sys.executable, "-c", program]


def plan(*messages: PlannedMessage, system: str = "", max_output: int = 24) -> ContextPlan:
    model = LocalBackend(model_path=None, overrides={}).model("smollm2-135m")
    return plan_of(*messages, system=system, model=model, max_output=max_output)


def test_every_role_and_text_is_sent() -> None:
    document = DocumentPart("a.txt", "inside", "0" * 64)
    image = ImagePart("a.png", "image/png", "aGk=")
    history = (user("one", document), assistant(ThinkingPart("hm"), "two"), user(ToolResultPart("t", "found")))
    body = request_body(plan(*history, assistant("four"), user(image), system="Be brief."))
    assert body["messages"] == [
        {"role": "system", "content": "Be brief."},
        {"role": "user", "content": "one\n\na.txt:\n\ninside"},
        {"role": "assistant", "content": "two"},
        {"role": "user", "content": "[result of the call]\nfound"},
        {"role": "assistant", "content": "four"},
        {"role": "user", "content": "[Image sent: a.png]"},
    ]
    assert (body["max_tokens"], body["stream"], body["repeat_penalty"]) == (24, True, 1.1)
    other = LocalBackend(model_path=Path("Qwen.gguf"), overrides={}).model("Qwen")
    assert "repeat_penalty" not in request_body(plan_of(user("hi"), model=other))


def test_the_small_model_is_asked_at_a_low_temperature_and_a_larger_file_at_its_own() -> None:
    assert request_body(plan(user("hi")))["temperature"] == 0.2
    other = LocalBackend(model_path=Path("Qwen.gguf"), overrides={}).model("Qwen")
    assert "temperature" not in request_body(plan_of(user("hi"), model=other))
    assert other.system == ""


def test_a_request_that_is_too_long_says_by_how_much() -> None:
    failure = failure_of(400, {"type": "exceed_context_size_error", "n_prompt_tokens": 9031, "n_ctx": 8192})
    assert failure.code == "context_limit"
    assert "9,031 tokens, and it takes 8,192" in failure.message


async def test_is_a_backend_with_one_model() -> None:
    backend: Backend = LocalBackend(model_path=None, overrides={"smollm2-135m": ModelOverride(window=4096)})
    (model,) = await backend.models()
    assert (model.id, model.window, model.max_output) == ("smollm2-135m", 4096, 2048)
    assert (backend.cost_kind, backend.default_model) == ("free", model.id)
    other: Backend = LocalBackend(model_path=Path("/x/Qwen.gguf"), overrides={})
    assert [(one.id, one.window) for one in await other.models()] == [("Qwen", 8192)]


async def test_a_model_file_that_is_not_there_is_said(tmp_path: Path) -> None:
    backend = LocalBackend(model_path=tmp_path / "none.gguf", overrides={})
    available = await backend.availability()
    assert not available.ok
    assert "none.gguf is not there" in available.detail
    await backend.prepare()
    failure = (await collect(backend.stream(plan(user("hi"))))).failed.failure
    assert (failure.code, failure.message) == ("config", available.detail)


def test_the_command_of_a_checkout_and_of_the_frozen_app(monkeypatch: pytest.MonkeyPatch) -> None:
    assert serve_command()[0] == sys.executable
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    assert serve_command() == [sys.executable, SERVE_LOCAL_MODEL]


@pytest.mark.parametrize(
    ("command", "words", "detail"),
    [
        ([sys.executable, "-c", 'print(\'{"error": "no such format"}\')'], "is not a GGUF file", "no such format"),
        ([sys.executable, "-c", "raise SystemExit(7)"], "is not a GGUF file", "status 7"),
        ([sys.executable, "-c", "print('nonsense')"], "is not a GGUF file", "Expecting value"),
        (["/no/such/program"], "could not be started", "FileNotFoundError"),
        (fake(word("a"), end="os._exit(9)"), "The text so far is saved", "status 9"),
        (fake(word("a"), end=SLOW_EXIT), "The text so far is saved", "status 9"),
        (fake(word("a")), "The text so far is saved", "ended before its end"),
        (fake("data: {"), "stopped unexpectedly", "not JSON"),
        (fake(chunk(error={"message": "odd", "type": "server_error"})), "could not answer this", "odd"),
        (fake("<html>", status=500), "could not answer this", "<html>"),
    ],
)
async def test_what_goes_wrong_is_one_failure(command: list[str], words: str, detail: str) -> None:
    backend = LocalBackend(model_path=PRESENT, overrides={}, command=command)
    answer = await collect(backend.stream(plan(user("hi"))))
    failure = answer.failed.failure
    assert failure.code == "backend"
    assert words in failure.message
    assert detail in failure.detail
    assert answer.events[0] == Notice("loading_model", "Loading the local model.")
    await backend.close()


async def test_after_a_crash_the_next_answer_starts_a_new_process() -> None:
    backend = LocalBackend(model_path=PRESENT, overrides={}, command=fake(word("a"), end="os._exit(9)"))
    for _ in range(2):
        answer = await collect(backend.stream(plan(user("hi"))))
        assert (answer.text, answer.failed.failure.code) == ("a", "backend")
    await backend.close()


async def test_stopping_while_the_model_loads_is_quick_and_closing_ends_the_process() -> None:
    backend = LocalBackend(model_path=PRESENT, overrides={}, command=[sys.executable, "-c", "input(); input()"])
    stream = backend.stream(plan(user("hi")))
    assert isinstance(await anext(stream), Notice)
    before = asyncio.all_tasks()
    waiting = asyncio.ensure_future(anext(stream))
    await asyncio.sleep(0.05)
    (child,) = psutil.Process().children()
    waiting.cancel()
    with pytest.raises(asyncio.CancelledError):
        await waiting
    assert asyncio.all_tasks() == before
    await backend.close()
    assert not child.is_running()


async def test_a_model_that_rests_gives_its_memory_back_and_comes_again() -> None:
    backend = LocalBackend(model_path=PRESENT, overrides={}, command=fake(*whole("a")), idle_s=0.1)
    for _ in range(2):
        stream = backend.stream(plan(user("hi")))
        while not isinstance(await anext(stream), TextDelta):
            pass
        (child,) = psutil.Process().children()
        await asyncio.sleep(0.2)
        assert child.is_running(), "an answer that is read slowly is no rest"
        await collect(stream)
        _, alive = await asyncio.to_thread(psutil.wait_procs, [child], timeout=PATIENCE_S)
        assert alive == []
    await backend.prepare()
    (child,) = psutil.Process().children()
    _, alive = await asyncio.to_thread(psutil.wait_procs, [child], timeout=PATIENCE_S)
    assert alive == [], "also what was started ahead and never asked"
    await backend.close()


async def test_a_process_that_no_longer_answers_is_replaced_while_the_user_types(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    backend = LocalBackend(model_path=PRESENT, overrides={}, command=fake(*whole("a")))
    await collect(backend.stream(plan(user("hi"))))
    (well,) = psutil.Process().children()
    await backend.prepare()
    assert psutil.Process().children() == [well]
    well.suspend()
    with monkeypatch.context() as impatient:
        impatient.setattr(local, "HEALTH_S", 0.2)
        await backend.prepare()
    (other,) = psutil.Process().children()
    assert other != well
    assert isinstance((await collect(backend.stream(plan(user("hi"))))).events[-1], Ended)
    await backend.close()


async def test_a_model_that_takes_its_time_to_load_says_so(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(local, "STILL_S", 0.1)
    large = tmp_path / "large.gguf"
    with large.open("wb") as file:
        file.truncate(600_000_000)
    program = "import time; time.sleep(0.5)\n" + fake(*whole("a"))[-1].strip()
    backend = LocalBackend(model_path=large, overrides={}, command=[sys.executable, "-c", program])
    answer = await collect(backend.stream(plan(user("hi"))))
    told = [notice.message for notice in answer.of(Notice)]
    assert told[0] == "Loading the local model (0.6 GB)."
    assert len(told) > 2
    assert all(line.startswith("Loading the local model: ") and line.endswith(" s.") for line in told[1:])
    assert isinstance(answer.events[-1], Ended)
    await backend.close()


async def test_a_model_that_can_not_be_loaded_is_tried_once(tmp_path: Path) -> None:
    tries = tmp_path / "tries"
    program = f"open({str(tries)!r}, 'a').write('x'); raise SystemExit(7)"
    backend = LocalBackend(model_path=PRESENT, overrides={}, command=[sys.executable, "-c", program])
    await collect(backend.stream(plan(user("hi"))))
    assert tries.read_text(encoding="utf-8") == "x"


def test_why_a_file_is_no_model(tmp_path: Path) -> None:
    (tmp_path / "cut.gguf").write_bytes(b"GGUF\x03\0\0")
    (tmp_path / "page.gguf").write_bytes(b"<html>")
    assert fault_of(tmp_path / "cut.gguf").startswith("The model file cut.gguf could not be loaded: it is not complete")
    assert fault_of(tmp_path / "page.gguf").startswith("page.gguf is not a GGUF file, which the local model needs. C")
    assert "can't be read (No such file" in fault_of(tmp_path / "none.gguf")
    assert all(fault_of(path).endswith("under Connections.") for path in tmp_path.iterdir())


async def test_prepare_starts_the_process_once() -> None:
    backend = LocalBackend(model_path=PRESENT, overrides={}, command=fake(word("a")))
    await backend.prepare()
    await backend.prepare()
    assert len(psutil.Process().children()) == 1
    await backend.close()
    assert psutil.Process().children() == []


async def test_secrets_of_the_environment_are_not_handed_on(monkeypatch: pytest.MonkeyPatch) -> None:
    """Read from the running child, once it is surely the program and not a copy of this process."""
    monkeypatch.setenv("ANTHROPIC_API_KEY", "sk-ant-secret")
    monkeypatch.setenv("SOME_TOKEN", "sk-ant-secret")
    backend = LocalBackend(model_path=PRESENT, overrides={}, command=fake(word("a")))
    await backend.prepare()
    (child,) = psutil.Process().children()
    stream = backend.stream(plan(user("hi")))
    while not isinstance(await anext(stream), TextDelta):
        pass
    assert "sk-ant-secret" not in child.environ().values()
    await stream.aclose()
    await backend.close()


@pytest.fixture
async def backend() -> AsyncIterator[LocalBackend]:
    made = LocalBackend(model_path=None, overrides={})
    yield made
    await made.close()
    assert psutil.Process().children() == []


@slow
@needed
async def test_the_real_model_answers_twice_and_sees_its_history(backend: LocalBackend) -> None:
    assert (await backend.availability()).ok
    first = await collect(backend.stream(plan(user("What is the capital of France?"))))
    assert first.events[0] == Notice("loading_model", "Loading the local model.")
    assert len(first.of(TextDelta)) > 1
    assert isinstance(first.events[-1], Ended)
    history = (user("What is the capital of France?"), assistant(first.text))
    second = await collect(backend.stream(plan(*history, user("And of Italy?"))))
    assert second.of(Notice) == []
    once, again = first.of(UsageReported)[0].usage, second.of(UsageReported)[0].usage
    assert again.prompt > once.prompt + once.output
    assert again.cache_read > 0
    third_plan = plan(*history, user("And of Italy?"), assistant(second.text or "Rome"), user("And of Spain?"))
    third = await collect(backend.stream(third_plan))
    assert third.of(UsageReported)[0].usage.prompt == await backend.count_tokens(third_plan)


COUNTING_SERVER = """
import xllamacpp
made = xllamacpp.Server
def counting(params):
    params.endpoint_metrics = True
    params.api_keys = [*params.api_keys, "of the test"]
    return made(params)
xllamacpp.Server = counting
from desktop_app.backends.local.llama_server import main
main()
"""
"""The real server, which also says to the test how many tokens it made."""


async def tokens_made() -> int:
    """By the only child process, a `COUNTING_SERVER`, for all its answers."""
    import httpx2

    async with httpx2.AsyncClient(trust_env=False, timeout=PATIENCE_S) as client:
        said = await client.get(
            f"http://127.0.0.1:{listening_port()}/metrics", headers={"authorization": "Bearer of the test"}
        )
    (made,) = re.findall(r"^llamacpp:tokens_predicted_total (\d+)$", said.text, re.MULTILINE)
    return int(made)


def listening_port() -> int:
    """Of the only child process, which listens nowhere else."""
    (child,) = psutil.Process().children()
    (listening,) = [one for one in child.net_connections(kind="inet") if one.status == psutil.CONN_LISTEN]
    assert listening.laddr.ip == "127.0.0.1"
    return int(listening.laddr.port)


@slow
@needed
async def test_the_real_server_is_free_again_after_a_stop() -> None:
    """It has one place for an answer: the next one comes only when the story is at its end, or was ended."""
    backend = LocalBackend(model_path=None, overrides={}, command=[sys.executable, "-c", COUNTING_SERVER])
    await close_after(5, backend.stream(plan(user("Tell a very long story."), max_output=2000)))
    answer = await asyncio.wait_for(collect(backend.stream(plan(user("Say yes."), max_output=3))), PATIENCE_S)
    assert isinstance(answer.events[-1], Ended)
    assert 5 < await tokens_made() < 1000
    await backend.close()


@slow
@needed
async def test_the_real_server_says_that_a_request_is_too_long(backend: LocalBackend) -> None:
    answer = await collect(backend.stream(plan(user("word " * 9000))))
    assert answer.failed.failure.code == "context_limit"


@slow
@needed
async def test_the_real_server_wants_its_key_and_listens_on_loopback_only(backend: LocalBackend) -> None:
    import httpx2

    await collect(backend.stream(plan(user("hi"), max_output=2)))
    async with httpx2.AsyncClient(trust_env=False, timeout=PATIENCE_S) as client:
        response = await client.post(f"http://127.0.0.1:{listening_port()}/v1/chat/completions", json={})
    assert response.status_code == 401


@slow
@needed
async def test_a_killed_server_is_a_failure_and_the_next_answer_works(backend: LocalBackend) -> None:
    seen = Collected()
    async for event in backend.stream(plan(user("Tell a very long story."), max_output=2000)):
        seen.add(event)
        if isinstance(event, TextDelta) and len(seen.of(TextDelta)) == 3:
            psutil.Process().children()[0].kill()
    assert seen.failed.failure.code == "backend"
    assert isinstance((await collect(backend.stream(plan(user("hi"), max_output=2)))).events[-1], Ended)


@slow
@needed
@pytest.mark.parametrize(
    ("kept", "words"), [(0, "is not a GGUF file"), (1_000, "is not complete"), (50_000_000, "is not complete")]
)
async def test_a_file_that_is_cut_is_said(tmp_path: Path, kept: int, words: str) -> None:
    shipped = shipped_model_file()
    assert shipped is not None
    (tmp_path / "cut.gguf").write_bytes(shipped.read_bytes()[:kept])
    backend = LocalBackend(model_path=tmp_path / "cut.gguf", overrides={})
    failure = (await collect(backend.stream(plan(user("hi"))))).failed.failure
    assert (failure.code, failure.actions) == ("backend", ("open_connections", "switch_model"))
    assert words in failure.message
    assert "cut.gguf" in failure.message
    await backend.close()


@slow
@needed
async def test_any_file_is_served_by_its_path(tmp_path: Path) -> None:
    shipped = shipped_model_file()
    assert shipped is not None
    (tmp_path / "mine.gguf").symlink_to(shipped)
    backend = LocalBackend(model_path=tmp_path / "mine.gguf", overrides={})
    (model,) = await backend.models()
    answer = await collect(backend.stream(plan_of(user("Say yes."), model=model, max_output=3)))
    assert (model.id, answer.of(UsageReported)[-1].model) == ("mine", "mine")
    assert isinstance(answer.events[-1], Ended)
    await backend.close()


def test_a_package_without_the_model_says_what_can_be_done(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody can add a Python package to a frozen program."""
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    monkeypatch.setattr(sys, "_MEIPASS", str(tmp_path), raising=False)
    monkeypatch.setattr("importlib.util.find_spec", lambda _: object())
    said = missing(None)
    assert said == "This package came without a local model. Choose a GGUF file under Connections."


PARENT = """
import asyncio, psutil, sys
from desktop_app.backends.local import LocalBackend
from tests.backends.plans import plan_of, user
async def main():
    backend = LocalBackend(model_path=None, overrides={})
    plan = plan_of(user("Tell a very long story."), model=backend.model("smollm2-135m"), max_output=4000)
    async for event in backend.stream(plan):
        if type(event).__name__ == "TextDelta":
            print(psutil.Process().children()[0].pid, flush=True)
asyncio.run(main())
"""


@slow
@needed
@pytest.mark.parametrize("end", [subprocess.Popen.kill, subprocess.Popen.terminate])
def test_no_process_outlives_the_app(end: Callable[[subprocess.Popen[str]], None]) -> None:
    root = str(Path(__file__).parents[2])
    command = [sys.executable, "-c", PARENT]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=os.environ | {"PYTHONPATH": root}) as app:
        assert app.stdout is not None
        child = psutil.Process(int(app.stdout.readline()))
        assert child.is_running()
        end(app)
        app.stdout.read()
    _, alive = psutil.wait_procs([child], timeout=PATIENCE_S)
    assert alive == []


async def test_another_file_starts_the_process_anew_and_says_so(tmp_path: Path) -> None:
    chosen = PRESENT
    backend = LocalBackend(model_path=lambda: chosen, overrides={}, command=fake(*whole("a")))
    for _ in range(2):
        answer = await collect(backend.stream(plan(user("hi"))))
    assert not any(isinstance(event, Notice) for event in answer.events), "it is loaded already"
    chosen = tmp_path / "other.gguf"
    chosen.write_bytes(b"")
    answer = await collect(backend.stream(plan(user("hi"))))
    assert (answer.text, answer.events[0].code) == ("a", "loading_model")  # type: ignore[union-attr]
    await backend.close()
