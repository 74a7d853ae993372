"""Runs the commands that need the composed services: one line for each, what is open around it, its end."""

from __future__ import annotations

import sys
from dataclasses import replace
from getpass import getpass

from desktop_app.cli import options
from desktop_app.cli.ask_command import ChatInput, ask, chat
from desktop_app.cli.command_process import CommandContext, Interruption, Output, twice_if_damaged
from desktop_app.cli.context_command import change_context, show_context
from desktop_app.cli.model_commands import list_models, show_usage
from desktop_app.cli.project_commands import export_artifact, list_artifacts, run_project, show_artifact
from desktop_app.cli.tool_commands import run_tools
from desktop_app.cli.turn_printer import UnsavedAnswers
from desktop_app.cli.upkeep_commands import (
    bring_in,
    examine,
    from_anywhere,
    read_passphrase,
    run_backup,
    run_sync,
    write_out,
)
from desktop_app.cli.window_runs import Window
from desktop_app.composition import AppServices, compose
from desktop_app.logs import open_log


async def run_composed(command: options.Command, text: str, place: CommandContext, interruption: Interruption) -> int:
    """Runs the command to its end, or until the wish to stop; `text` is the message of `ask`."""
    match command:
        case options.AskOptions() | options.ChatOptions():
            return await interruption.run(_converse(command, text, place, interruption))
        case options.SyncOptions():
            return await interruption.cut(_sync(command, place, interruption))
        case options.ContextOptions() if not command.changes:
            return await interruption.cut(show_context(place.paths, place.environ, command, place.output))
        case options.DoctorOptions():
            return await interruption.cut(examine(place.paths, place.environ, command, place.output))
        case _:
            return await interruption.cut(twice_if_damaged(lambda: _look(command, place)))


async def _composed(place: CommandContext, *, reading: bool = False) -> AppServices:
    """The services over the data folder; faults of the settings are told. `reading`: nothing is to be written."""
    if reading:
        place.tell_of_copy()
    services = await compose(place.paths, environ=place.environ, redaction=place.redaction, reading=reading)
    place.tell_problems(services.paths, services.preferences, services.repair)
    if sys.stdin is not None and sys.stdin.isatty() and sys.stderr.isatty():
        services.ask_passwords(_typed_password)
    return services


async def _typed_password(name: str, wrong: bool) -> str:
    """The password of a file as it is typed on the terminal; "" for none."""
    try:
        return getpass(f"{'That was wrong. ' if wrong else ''}Password of “{name}” (Enter for none): ")
    except EOFError:
        return ""


async def _converse(
    command: options.AskOptions | options.ChatOptions, text: str, place: CommandContext, interruption: Interruption
) -> int:
    window = Window(place.paths, place.environ, place.output, interruption)
    given = ChatInput.of_standard_input(interruption) if isinstance(command, options.ChatOptions) else None
    if isinstance(command, options.ChatOptions) and given is not None:
        ran = await window.chat(command, given)
    else:
        ran = await window.ask(command.turn, text)
    if ran is not None:
        return ran
    services = await _composed(place)
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


async def _sync(command: options.SyncOptions, place: CommandContext, interruption: Interruption) -> int:
    command, passphrase = from_anywhere(command), read_passphrase(command.passphrase_file)
    window = Window(place.paths, place.environ, place.output, interruption)
    if (ran := await window.sync(command, passphrase)) is not None:
        return ran
    services = await _composed(place, reading=command.act == "status")
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


def _writes(command: options.Command) -> bool:
    if isinstance(command, options.ProjectOptions):
        return command.act not in {"list", "show"}
    if isinstance(command, options.ToolsOptions):
        return command.act != "list"
    return isinstance(command, options.ImportOptions | options.ContextOptions)


async def _look_at(services: AppServices, command: options.Command, output: Output) -> int:  # noqa: PLR0911
    match command:
        case options.ImportOptions():
            status = await bring_in(services.transfer, command, output)
            await _read_documents(services)  # of an archive of everything
            return status
        case options.ExportOptions():
            return await write_out(services, command, output)
        case options.ArtifactListOptions():
            return await list_artifacts(services.history, services.artifacts, command, output)
        case options.ArtifactShowOptions():
            return await show_artifact(services.artifacts, command, output)
        case options.ArtifactExportOptions():
            return await export_artifact(services.artifacts, services.artifact_export, command, output)
        case options.ModelsOptions():
            return await list_models(services, command, output)
        case options.ContextOptions():
            return await change_context(services, command, output)
        case options.ProjectOptions():
            return await run_project(services, command, output)
        case options.ToolsOptions():
            return await run_tools(services, command, output)
        case options.BackupOptions():
            return await run_backup(services.backups, command, output)
        case options.UsageOptions():
            return await show_usage(services.history, command, output)
        case _:
            raise AssertionError(f"{type(command).__name__} is no command that only looks")


async def _look(command: options.Command, place: CommandContext) -> int:
    services = await _composed(place, reading=not _writes(command))
    # what only looks leaves no trace, not even there
    close_log = open_log(place.paths.log) if isinstance(command, options.ContextOptions) else None
    try:
        return await _look_at(services, command, place.output)
    finally:
        await services.close()
        if close_log is not None:
            close_log()
