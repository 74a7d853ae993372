"""Keeps one `claude` program started ahead while the user types."""

from __future__ import annotations

import asyncio
import contextlib
import logging

from desktop_app.backends.claude_cli.framing import LineTooLongError
from desktop_app.backends.claude_cli.launch import Launch, Launched

log = logging.getLogger(__name__)

IDLE_S = 60.0
"""Seconds that a prepared program may wait; it holds 200 MB."""


class PrewarmedProgram:
    """At most one idle program. Another system prompt, model, set of tools or lifetime of the cache starts another.

    A program that has started before it is needed gives its first request after 0.1 s in place of 0.65 s.
    """

    def __init__(self, *, idle_s: float = IDLE_S) -> None:
        self._idle_s = idle_s
        self._launch: Launch | None = None
        self.held: Launched | None = None
        self._watch: asyncio.Task[None] | None = None
        self._ending: set[asyncio.Task[None]] = set()
        self._lock = asyncio.Lock()
        self._closed = False

    async def hold(self, launch: Launch) -> None:
        """Starts a program for `launch`, or lets the one that is held wait on; of a failure the answer will speak."""
        async with self._lock:
            held = self._release() if self.fits(launch) else None
            if held is None:
                self._end(self._release())
                if self._closed:
                    return
                try:
                    held = await launch.start()
                except OSError as error:
                    log.info("no program could be started ahead: %s", error.strerror)
                    return
                held.greet()
            self._launch, self.held = launch, held
            self._watch = asyncio.get_running_loop().create_task(self._watched(held))

    async def take(self, launch: Launch) -> Launched | None:
        """The program held for `launch`, from now on the caller's; None where there is none. Another one is ended."""
        async with self._lock:
            if self.fits(launch):
                return self._release()
            self._end(self._release())
            return None

    async def close(self) -> None:
        """Ends what is held, and returns when it is gone."""
        self._closed = True
        async with self._lock:
            self._end(self._release())
        await asyncio.gather(*self._ending, return_exceptions=True)

    def fits(self, launch: Launch) -> bool:
        return self.held is not None and self._launch == launch and not self.held.process.ended

    def _release(self) -> Launched | None:
        held, self.held, self._launch = self.held, None, None
        if self._watch is not None:
            self._watch.cancel()
            self._watch = None
        return held

    def _end(self, held: Launched | None) -> None:
        """In a task: nobody who wants to send waits for the end of a program that does not fit."""
        if held is not None:
            held.forget_system()
            task = asyncio.get_running_loop().create_task(held.stop())
            self._ending.add(task)
            task.add_done_callback(self._ending.discard)

    async def _watched(self, held: Launched) -> None:
        """Reads its readiness, after which the system file is not needed; ends it where nothing comes to do."""
        with contextlib.suppress(TimeoutError, LineTooLongError):
            async with asyncio.timeout(self._idle_s):
                while data := await held.process.read():
                    for line in held.framer.feed(data):
                        if held.hear(line).get("type") == "control_response":
                            held.forget_system()
                            held.ready.set()
        if self.held is held:
            self._watch = None  # this task: it ends by itself
            self._end(self._release())
