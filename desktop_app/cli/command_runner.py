"""Runs one subcommand: those that read the history themselves, known failures, the exit status.

The others are in `composed_commands`, loaded when one is run: what sends is most of what a short command would take.
"""

from __future__ import annotations

import asyncio
import gc
import os
from collections.abc import Mapping
from typing import Final

from desktop_app.cli import options
from desktop_app.cli.command_process import (
    BUG,
    DONE,
    EXIT_STATUS,
    INTERRUPTED,
    CommandContext,
    Output,
    signals,
    twice_if_damaged,
)
from desktop_app.cli.history_commands import list_threads, search, show_thread
from desktop_app.cli.json_shapes import error_shape
from desktop_app.core.errors import PlimsollError
from desktop_app.core.messages import Failure
from desktop_app.logs import write_crash_report
from desktop_app.paths import DataPaths, data_paths
from desktop_app.system.worker_process import DaemonThreads

SELDOM: Final = (50_000, 20, 100)
"""When garbage is looked for: a long thread is a hundred thousand objects, none of which becomes garbage."""


def run(invocation: options.Invocation, environ: Mapping[str, str] | None = None) -> int:
    """Runs the subcommand to its end and returns the exit status. Raises nothing."""
    environ = os.environ if environ is None else environ
    plain = bool(environ.get("NO_COLOR")) or environ.get("TERM") == "dumb"
    output, command = Output(plain=plain), invocation.command
    usual = gc.get_threshold()
    gc.set_threshold(*SELDOM)
    place = CommandContext(data_paths(invocation.data_dir, environ), environ, output)
    try:
        text = ""
        if isinstance(command, options.AskOptions):
            from desktop_app.cli.ask_command import read_message

            text = read_message(command.text, output)
        return asyncio.run(_supervised(command, text, place))
    except KeyboardInterrupt:
        return INTERRUPTED
    except PlimsollError as error:
        return _failed(command, error.failure, output)
    except Exception as error:  # noqa: BLE001  a bug: it is reported, whatever it is
        return _bug(place.paths, error, output)
    finally:
        gc.set_threshold(*usual)
        output.close()


async def _supervised(command: options.Command, text: str, place: CommandContext) -> int:
    # a name server that does not answer keeps no command from ending
    asyncio.get_running_loop().set_default_executor(DaemonThreads())
    async with signals() as interruption:
        # Nobody is left to read an answer: there is no point in paying for the rest of it.
        place.output.on_reader_gone = lambda: interruption.wish(DONE)
        if isinstance(command, options.ThreadsOptions | options.ShowOptions | options.SearchOptions):
            return await interruption.cut(twice_if_damaged(lambda: _read(command, place)))
        from desktop_app.cli.composed_commands import run_composed

        return await run_composed(command, text, place, interruption)


async def _read(
    command: options.ThreadsOptions | options.ShowOptions | options.SearchOptions, place: CommandContext
) -> int:
    services = await place.opened()
    try:
        match command:
            case options.ThreadsOptions():
                return await list_threads(services.history, command, place.output)
            case options.ShowOptions():
                return await show_thread(services.history, command, place.output)
            case options.SearchOptions():
                return await search(services.history, command, place.output, languages=services.languages)
    finally:
        await services.close()


def _failed(command: options.Command, failure: Failure, output: Output) -> int:
    """Print the failure, as the last line where JSON is expected, and return its exit status."""
    if isinstance(command, options.AskOptions | options.ChatOptions) and command.turn.json:
        output.json(error_shape(failure, None))
    else:
        output.tell(failure.message)
    return EXIT_STATUS[failure.code]


def _bug(paths: DataPaths, error: Exception, output: Output) -> int:
    report = write_crash_report(paths.logs, error)
    place = (
        f"A report is in {report}." if report is not None else f"({type(error).__name__}; no report could be written.)"
    )
    output.tell(f"An error in Plimsoll ended this command; what was stored before is safe. {place}")
    return BUG
