"""Runs one subcommand: one line for each command, its services, known failures, the exit status.

Imports what every command needs; each loads its own, as what sends is most of what a short command would take.
"""

from __future__ import annotations

import asyncio
import gc
import os
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final

from desktop_app.cli import options
from desktop_app.cli.command_process import BUG, DONE, EXIT_STATUS, INTERRUPTED, Interruption, Output, signals
from desktop_app.core.errors import HistoryDamagedError, PlimsollError
from desktop_app.core.history_records import repair_sentences
from desktop_app.core.messages import Failure
from desktop_app.core.redaction import Redaction
from desktop_app.history_opening import ReadServices, open_for_reading
from desktop_app.logs import open_log, write_crash_report
from desktop_app.paths import DataPaths, data_paths
from desktop_app.storage.reading_copy import copied_bytes
from desktop_app.system.worker_process import DaemonThreads

if TYPE_CHECKING:
    from desktop_app.composition import AppServices

SELDOM: Final = (50_000, 20, 100)
"""When garbage is looked for: a long thread is a hundred thousand objects, none of which becomes garbage."""


LARGE: Final = 200_000_000
"""Bytes of a history; copying them takes a while."""


@dataclass(frozen=True, slots=True)
class _CommandContext:
    """The surroundings that a command runs in: the data folder, the environment, the streams it writes to."""

    paths: DataPaths
    environ: Mapping[str, str]
    output: Output
    redaction: Redaction = field(default_factory=Redaction)

    async def composed(self, *, reading: bool = False) -> AppServices:
        """The services over the data folder; faults of the settings are told. `reading`: nothing is to be written."""
        from desktop_app.composition import compose

        if reading:
            self._tell_of_copy()
        services = await compose(self.paths, environ=self.environ, redaction=self.redaction, reading=reading)
        self._tell_problems(services)
        if sys.stdin is not None and sys.stdin.isatty() and sys.stderr.isatty():
            services.ask_passwords(_typed_password)
        return services

    async def opened(self) -> ReadServices:
        """The history alone, with what is told by `composed`."""
        self._tell_of_copy()
        services = await open_for_reading(self.paths, environ=self.environ, redaction=self.redaction)
        self._tell_problems(services)
        return services

    def _tell_of_copy(self) -> None:
        if (size := copied_bytes(self.paths.history)) > LARGE:
            self.output.tell(f"The history can't be written, so a copy of {size / 1e9:,.1f} GB is made to read it.")

    def _tell_problems(self, services: AppServices | ReadServices) -> None:
        repaired = () if services.repair is None else repair_sentences(services.repair)
        for problem in (*repaired, *services.paths.set_aside, *services.preferences.problems):
            self.output.tell(problem)


async def _typed_password(name: str, wrong: bool) -> str:
    """The password of a file as it is typed on the terminal; "" for none."""
    from getpass import getpass

    try:
        return getpass(f"{'That was wrong. ' if wrong else ''}Password of “{name}” (Enter for none): ")
    except EOFError:
        return ""


def run(invocation: options.Invocation, environ: Mapping[str, str] | None = None) -> int:
    """Runs the subcommand to its end and returns the exit status. Raises nothing."""
    environ = os.environ if environ is None else environ
    plain = bool(environ.get("NO_COLOR")) or environ.get("TERM") == "dumb"
    output, command = Output(plain=plain), invocation.command
    usual = gc.get_threshold()
    gc.set_threshold(*SELDOM)
    place = _CommandContext(data_paths(invocation.data_dir, environ), environ, output)
    try:
        text = _message(command.text, output) if isinstance(command, options.AskOptions) else ""
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


def _message(text: str | None, output: Output) -> str:
    from desktop_app.cli.ask_command import read_message

    return read_message(text, output)


async def _supervised(command: options.Command, text: str, place: _CommandContext) -> int:
    # a name server that does not answer keeps no command from ending
    asyncio.get_running_loop().set_default_executor(DaemonThreads())
    async with signals() as interruption:
        # Nobody is left to read an answer: there is no point in paying for the rest of it.
        place.output.on_reader_gone = lambda: interruption.wish(DONE)
        if isinstance(command, options.AskOptions | options.ChatOptions):
            return await interruption.run(_converse(command, text, place, interruption))
        if isinstance(command, options.SyncOptions):
            return await interruption.cut(_sync(command, place, interruption))
        return await interruption.cut(_look(command, place))


async def _converse(
    command: options.AskOptions | options.ChatOptions, text: str, place: _CommandContext, interruption: Interruption
) -> int:
    from desktop_app.cli.ask_command import ChatInput, ask, chat
    from desktop_app.cli.turn_printer import UnsavedAnswers
    from desktop_app.cli.window_runs import Window

    window = Window(place.paths, place.environ, place.output, interruption)
    given = ChatInput.of_standard_input(interruption) if isinstance(command, options.ChatOptions) else None
    if isinstance(command, options.ChatOptions) and given is not None:
        ran = await window.chat(command, given)
    else:
        ran = await window.ask(command.turn, text)
    if ran is not None:
        return ran
    services = await place.composed()
    close_log = open_log(place.paths.log, redact=place.redaction.of_error)
    unsaved = UnsavedAnswers(place.output, json=command.turn.json)
    services.announcements.subscribe(unsaved.hear)
    try:
        if isinstance(command, options.ChatOptions) and given is not None:
            if window.thread is not None:  # it began there
                command = options.ChatOptions(replace(command.turn, thread=window.thread, attach=(), project=None))
            status = await chat(services, command, given, place.output, interruption, unsaved=unsaved)
        else:
            status = await ask(services, command.turn, text, place.output, interruption, unsaved=unsaved)
    finally:
        await services.close()
        close_log()
    return unsaved.status(status)


async def _sync(command: options.SyncOptions, place: _CommandContext, interruption: Interruption) -> int:
    from desktop_app.cli.upkeep_commands import from_anywhere, read_passphrase, run_sync
    from desktop_app.cli.window_runs import Window

    command, passphrase = from_anywhere(command), read_passphrase(command.passphrase_file)
    window = Window(place.paths, place.environ, place.output, interruption)
    if (ran := await window.sync(command, passphrase)) is not None:
        return ran
    services = await place.composed(reading=command.act == "status")
    close_log = open_log(place.paths.log, redact=place.redaction.of_error)
    try:
        status = await run_sync(services.sync, command, passphrase, place.output)
        await _read_documents(services)
        return status
    finally:
        await services.close()
        close_log()


async def _read_documents(services: AppServices) -> None:
    """Ends the reading that has begun."""
    for project_id in tuple(services.projects.document_reading.tasks):
        await services.projects.read_all(project_id)


async def _look(command: options.Command, place: _CommandContext) -> int:
    if isinstance(command, options.ContextOptions) and not command.changes:
        from desktop_app.cli.context_command import show_context

        return await show_context(place.paths, place.environ, command, place.output)
    if isinstance(command, options.DoctorOptions):
        from desktop_app.cli.upkeep_commands import examine

        return await examine(place.paths, place.environ, command, place.output)
    try:
        return await _look_once(command, place)
    except HistoryDamagedError:
        return await _look_once(command, place)  # it is noted, so that it is repaired before it is opened again


async def _look_once(command: options.Command, place: _CommandContext) -> int:
    if isinstance(command, options.ThreadsOptions | options.ShowOptions | options.SearchOptions):
        return await _read(command, place)
    services = await place.composed(reading=not _writes(command))
    # what only looks leaves no trace, not even there
    close_log = open_log(place.paths.log) if isinstance(command, options.ContextOptions) else None
    try:
        return await _look_at(services, command, place.output)
    finally:
        await services.close()
        if close_log is not None:
            close_log()


async def _read(
    command: options.ThreadsOptions | options.ShowOptions | options.SearchOptions, place: _CommandContext
) -> int:
    from desktop_app.cli.history_commands import list_threads, search, show_thread

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


def _writes(command: options.Command) -> bool:
    if isinstance(command, options.ProjectOptions):
        return command.act not in {"list", "show"}
    if isinstance(command, options.ToolsOptions):
        return command.act != "list"
    return isinstance(command, options.ImportOptions | options.ContextOptions)


async def _look_at(services: AppServices, command: options.Command, output: Output) -> int:  # noqa: PLR0911
    match command:
        case options.ImportOptions():
            from desktop_app.cli.upkeep_commands import bring_in

            status = await bring_in(services.transfer, command, output)
            await _read_documents(services)  # of an archive of everything
            return status
        case options.ExportOptions():
            from desktop_app.cli.upkeep_commands import write_out

            return await write_out(services, command, output)
        case options.ArtifactListOptions():
            from desktop_app.cli.project_commands import list_artifacts

            return await list_artifacts(services.history, services.artifacts, command, output)
        case options.ArtifactShowOptions():
            from desktop_app.cli.project_commands import show_artifact

            return await show_artifact(services.artifacts, command, output)
        case options.ArtifactExportOptions():
            from desktop_app.cli.project_commands import export_artifact

            return await export_artifact(services.artifacts, services.artifact_export, command, output)
        case options.ModelsOptions():
            from desktop_app.cli.model_commands import list_models

            return await list_models(services, command, output)
        case options.ContextOptions():
            from desktop_app.cli.context_command import change_context

            return await change_context(services, command, output)
        case options.ProjectOptions():
            from desktop_app.cli.project_commands import run_project

            return await run_project(services, command, output)
        case options.ToolsOptions():
            from desktop_app.cli.tool_commands import run_tools

            return await run_tools(services, command, output)
        case options.BackupOptions():
            from desktop_app.cli.upkeep_commands import run_backup

            return await run_backup(services.backups, command, output)
        case options.UsageOptions():
            from desktop_app.cli.model_commands import show_usage

            return await show_usage(services.history, command, output)
        case _:
            raise AssertionError(f"{type(command).__name__} is no command that only looks")


def _failed(command: options.Command, failure: Failure, output: Output) -> int:
    """Print the failure, as the last line where JSON is expected, and return its exit status."""
    if isinstance(command, options.AskOptions | options.ChatOptions) and command.turn.json:
        from desktop_app.cli.json_shapes import error_shape

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
