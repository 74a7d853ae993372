"""Asks a process that reads files, and says in words why one could not be read."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from typing import Any

from desktop_app.core.errors import UserError
from desktop_app.core.phrases import from_json, phrase
from desktop_app.documents.file_opening import display_name
from desktop_app.documents.reading_errors import DAMAGED, TOO_DEMANDING, UnreadableError
from desktop_app.worker_process import IDLE_S, MissingModuleError, UnforeseenError, WorkerFailedError, WorkerProcess

log = logging.getLogger(__name__)


class ReadingProcess:
    """A process that reads files, started with the first order and ended when idle. Times in seconds."""

    def __init__(self, command: Sequence[str], *, time_limit_s: float, idle_s: float = IDLE_S) -> None:
        self._process = WorkerProcess(command, time_limit_s=time_limit_s, idle_s=idle_s)

    async def ask(self, name: str, order: Mapping[str, Any]) -> dict[str, Any]:
        """The answer to an order about a file of this name; its `note` is a phrase. Raises `UserError`: "usage", or
        "config" where a part of the program is missing."""
        shown = display_name(name, "file")
        try:
            answer = await self._process.ask({"name": shown, **order})
        except MissingModuleError as error:
            log.error("a file could not be read: %s", error)
            words = phrase(
                "“{name}” can't be read: a part of Plimsoll is missing ({module}). Install Plimsoll again.",
                name=shown,
                module=error.module,
            )
            raise UserError("config", words, detail=str(error)) from None
        except WorkerFailedError as error:
            log.warning("a file could not be read: %s", error)
            why = DAMAGED if isinstance(error, UnforeseenError) else TOO_DEMANDING
            raise UserError("usage", UnreadableError(why).sentence(shown), detail=str(error)) from None
        except OSError as error:
            words = phrase(
                "“{name}” can't be read now: this computer can't start another program. Close some, then try again.",
                name=shown,
            )
            raise UserError("usage", words, detail=type(error).__name__) from None
        said = from_json(answer.get("phrase"), answer.get("error") or answer.get("note", ""))
        if "error" in answer:
            raise UserError("usage", said, detail=answer["detail"])
        return {**answer, "note": said}

    async def close(self) -> None:
        """Ends the process."""
        await self._process.close()
