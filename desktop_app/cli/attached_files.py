"""Owns how the files named on a command line or in a line of JSON become parts. Reads none itself, sends nothing."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path

from desktop_app.cli.interruption import Interruption
from desktop_app.controller.attachments import Attachments
from desktop_app.core.context.plan import PreparedContext
from desktop_app.core.errors import UserError
from desktop_app.core.messages import DocumentPart, Part


async def attached(
    attachments: Attachments, files: Sequence[str], interruption: Interruption
) -> tuple[Part, ...] | None:
    """The files as attachments, in order; folders stand for the files in them. None: somebody wished to stop.

    Raises `UserError("usage")` that names every file which can't be attached: then nothing is sent.
    """
    if not files:
        return ()
    reading = asyncio.ensure_future(attachments.read_files([Path(file) for file in files]))
    waiting = asyncio.ensure_future(interruption.until_wished())
    try:
        await asyncio.wait({reading, waiting}, return_when=asyncio.FIRST_COMPLETED)
    finally:
        waiting.cancel()
        if not reading.done():
            reading.cancel()
            await asyncio.wait({reading})
    if reading.cancelled():
        return None
    parts, failures = reading.result()
    if failures:
        raise UserError("usage", " ".join(failure.message for failure in failures))
    return parts


async def in_part(parts: Sequence[Part], first_tokens: int, prepared: PreparedContext) -> tuple[Part, ...]:
    """The attachments with each longer document cut, so that its first tokens are sent."""

    async def cut(part: Part) -> Part:
        if not isinstance(part, DocumentPart):
            return part
        return await asyncio.to_thread(prepared.first_tokens, part, first_tokens)

    return tuple([await cut(part) for part in parts])
