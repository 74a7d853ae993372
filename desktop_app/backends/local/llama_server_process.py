"""Runs llama.cpp's server in the child process, until the app is gone.

It reads one JSON line from standard input (`model`: path, `context`: tokens, `key`: what callers must present), prints
one JSON line (`url`, or `error`), and ends as soon as standard input does, which is when the app has ended in any way.
"""

from __future__ import annotations

import json
import os
import sys
import threading
from collections.abc import Sequence
from typing import TextIO

from desktop_app.system.own_processes import SERVE_LOCAL_MODEL, own_command
from desktop_app.system.parent_death import dying_with_parent


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
