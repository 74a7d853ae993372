"""Puts storage, backends and controller together, for the window and the command line alike."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import AsyncExitStack, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from desktop_app.backends.backend_protocol import Backend, RedactingListingBackend, with_redaction
from desktop_app.backends.local import LocalBackend
from desktop_app.backends.openai.known_models import TiktokenVocabulary
from desktop_app.backends.openai.openai_backend import OpenAiBackend
from desktop_app.backends.scripted_backend import ScriptedBackend
from desktop_app.controller.artifact_library import Artifacts, artifact_tools
from desktop_app.controller.attachments import Attachments
from desktop_app.controller.backup_copies import Backups, BackupStore
from desktop_app.controller.chat import ChatController
from desktop_app.controller.connections import ConnectionSetup, ConnectionStates, TrialBackend
from desktop_app.controller.document_tools import document_tools
from desktop_app.controller.everything import Everything, EverythingPlaces
from desktop_app.controller.export_files import ArtifactExport, PdfPrinting
from desktop_app.controller.history_recovery import HistoryRecovery
from desktop_app.controller.history_sync import Sync
from desktop_app.controller.model_selection import ModelLists
from desktop_app.controller.ports import Announcements, History, LockableSecrets, Secrets, ToolHost
from desktop_app.controller.preferences import ModelOverrides, Preferences
from desktop_app.controller.private_history import PrivateHistory
from desktop_app.controller.project_library import Projects
from desktop_app.controller.prompt_library import PromptLibrary
from desktop_app.controller.server_keys import RememberedKeys, key_entry
from desktop_app.controller.server_tools import ServerTools
from desktop_app.controller.thread_export import ThreadExport
from desktop_app.controller.thread_library import ThreadLibrary, ThreadProperties
from desktop_app.controller.tool_library import ToolServers
from desktop_app.controller.transfer import Transfer
from desktop_app.controller.trash import Trash, TrashServices
from desktop_app.controller.turn_tools import HistoryTool
from desktop_app.core.backend_descriptors import BACKEND_NAMES
from desktop_app.core.context.request_secrets import SecretScan
from desktop_app.core.errors import PlimsollError
from desktop_app.core.history_records import HistoryRepair
from desktop_app.core.redaction import Redaction
from desktop_app.core.search_terms import search_languages
from desktop_app.core.tool_servers import ServerReport
from desktop_app.diagnosis import Diagnosis, connections, installation
from desktop_app.documents.document_reader import DocumentReader, PasswordAsker, WorkerDocumentExtractor
from desktop_app.history_opening import open_history, open_or_repair, read_preferences
from desktop_app.paths import DataPaths
from desktop_app.storage.backup_folder import BackupFolder
from desktop_app.storage.sqlite_history import SqliteHistory
from desktop_app.system.own_processes import PRINT_PDF, TYPESET_FORMULAS, own_command

PDF_WORKER: Final = "desktop_app.ui.printing.pdf_pages"
FORMULA_WORKER: Final = "desktop_app.ui.transcript.formulas.formula_typesetter"
"""Needs Qt, and so a process of its own: commands run without."""


NOWHERE: Final = "https://plimsoll.invalid/v1"
"""Asked by a server that somebody took out of the settings while it answers: never another one with its text."""


@dataclass(frozen=True, slots=True)
class AppServices:
    """Everything an app needs. `await close()` once, at the end: stops turns, stores them, ends processes."""

    paths: DataPaths
    history: History
    backends: Mapping[str, Backend]
    secrets: Secrets
    announcements: Announcements
    preferences: Preferences
    chat: ChatController
    library: ThreadLibrary
    transfer: Transfer
    everything: Everything
    thread_export: ThreadExport
    printing: PdfPrinting
    artifacts: Artifacts
    artifact_export: ArtifactExport
    connections: ConnectionSetup
    connection_states: ConnectionStates
    attachments: Attachments
    reader: DocumentReader
    extractor: WorkerDocumentExtractor
    models: ModelLists
    prompts: PromptLibrary
    projects: Projects
    recovery: HistoryRecovery
    trash: Trash
    backups: Backups
    tool_servers: ToolServers
    sync: Sync
    removed: Mapping[str, Backend]
    """The servers that were taken off the list since the start."""
    repair: HistoryRepair | None = None
    """The faults of the history when it was opened, and the data that came back."""

    async def diagnose(self) -> Diagnosis:
        """Return the diagnosis that `doctor` prints of this installation."""
        return Diagnosis((*await installation(self.paths), *await connections(self)))

    def ask_passwords(self, asker: PasswordAsker) -> None:
        """Has the password of a PDF asked for that has one and was chosen by itself."""
        self.reader.password_asker = self.extractor.password_asker = asker

    def draw_diagram(self, text: str, name: str, scale: float, *, dark: bool = False) -> Awaitable[bytes]:
        """The picture of a diagram, by the process that reads files."""
        return self.reader.draw_diagram(text, name, scale, dark=dark)

    async def close(self) -> None:
        """Ends in order: no turn is cut off before it is stored, no backend is ended under a turn.

        What fails, or is cancelled, keeps nothing after it from ending: an open history keeps a whole process alive.
        """
        async with AsyncExitStack() as last_first:
            last_first.push_async_callback(self.history.close)
            last_first.push_async_callback(self._end_processes)
            last_first.push_async_callback(self.models.close)
            last_first.push_async_callback(self.recovery.keep)
            last_first.push_async_callback(self.sync.close)
            last_first.push_async_callback(self.projects.close)
            last_first.push_async_callback(self.backups.close)
            last_first.push_async_callback(self.chat.close)

    async def _end_processes(self) -> None:
        closing = (
            *(backend.close() for backend in (*self.backends.values(), *self.removed.values())),
            self.reader.close(),
            self.printing.close(),
            self.artifact_export.pages.close(),
            self.extractor.close(),
            self.tool_servers.close(),
            *(one.close() for one in (self.chat.context.vocabulary,) if one is not None),
        )
        await asyncio.gather(*closing, return_exceptions=True)


async def compose(
    data_dir: Path | DataPaths,
    *,
    environ: Mapping[str, str],
    default_backend: str | None = None,
    interactive: bool = False,
    only_looking: bool = False,
    reading: bool = False,
    secrets: LockableSecrets | None = None,
    redaction: Redaction | None = None,
) -> AppServices:
    """Builds everything over one data folder, made where it is not there.

    `default_backend`: named on the command line for this run. `interactive`: a person is at a window, so the local
    model is never chosen by itself. `only_looking`: nothing will be sent, so the turns of dead processes are left as
    they are and the history is not written to. `reading`: a data folder or history that can't be written is used all
    the same, and refuses what would write. `secrets`: in place of the environment and the system keyring.
    `redaction` learns every secret that comes into the app's hands. Raises `UserError("store")` where folder or history
    can't be used, and `UserError("config")` for an unknown `default_backend`. Imports no SDK, and SQL only off the
    calling thread.
    """
    paths = (data_dir if isinstance(data_dir, DataPaths) else DataPaths(data_dir)).make(reading=reading)
    announcements = Announcements()
    redaction = redaction or Redaction()
    keys, preferences, address = read_preferences(paths, environ, announcements, secrets, redaction)
    connections = ConnectionSetup(
        _trials(environ, preferences, redaction),
        preferences,
        keys,
        fixed_address=environ.get("OPENAI_BASE_URL") or None,
    )
    if not reading:
        with suppress(PlimsollError):  # settings that can't be written keep what earlier versions saved
            await connections.adopt_saved()
    # Off the calling thread for its imports, which would hold the window still for 40 ms.
    made, made_server = await asyncio.to_thread(_backends, paths, environ, preferences, keys, address)
    scan = SecretScan()
    backends = {backend.name: with_redaction(backend, redaction, scan) for backend in made}
    models = ModelLists(backends, paths.models, read_only=only_looking)
    removed: dict[str, Backend] = {}

    def keep_servers() -> None:
        """Each server of the settings is a backend; one that was removed ends with the app, its answers go on."""
        gone = preferences.settings.backend("openai").removed and not environ.get("OPENAI_BASE_URL")
        wanted = [*(name for name in BACKEND_NAMES if not (gone and name == "openai")), *preferences.settings.servers]
        removed.update({name: backends.pop(name) for name in list(backends) if name not in wanted})
        for name in wanted:
            if name not in backends:
                again = removed.pop(name) if name in removed else with_redaction(made_server(name), redaction, scan)
                backends[name] = again
                models.follow(backends[name])

    keep_servers()
    preferences.on_change(keep_servers)
    await models.load()
    file, repair = await open_or_repair(
        paths, preferences.settings.backups.folder, only_looking=only_looking, reading=reading
    )
    history = PrivateHistory(file, _open_in_memory)
    reader = DocumentReader()
    attachments = Attachments(history, reader, announcements)
    extractor = WorkerDocumentExtractor(language=lambda: preferences.settings.documents.scan_languages)
    projects = Projects(
        history.projects,
        extractor,
        announcements,
        files=paths.documents,
        vocabulary=(vocabulary := TiktokenVocabulary(environ)),
        limit=(lambda one: chat.chooser.project_limit(one)) if interactive else None,  # noqa: PLW0108 - made later
    )

    tool_servers = ToolServers(preferences, keys, _tool_host, paths.tools, announcements, read_only=only_looking)
    await tool_servers.load()

    def rewrite(thread_id: str, text: str, start: int, end: int, wish: str) -> Awaitable[str]:
        return chat.selection_rewriting.rewrite(thread_id, text, start, end, wish)

    artifacts = Artifacts(history, announcements, threads=lambda: chat, rewrite=rewrite)
    try:
        chat = ChatController(
            history=history,
            backends=backends,
            secrets=keys,
            settings=lambda: preferences.settings,
            announcements=announcements,
            default_backend=default_backend,
            interactive=interactive,
            tools=(
                *document_tools(history.projects),
                HistoryTool(history, lambda: preferences.settings),
                *artifact_tools(artifacts),
            ),
            servers=_server_tools(tool_servers, lambda: chat.facts),
            projects=projects,
            artifacts=artifacts.contexts,
            scan=scan,
            vocabulary=vocabulary,
        )
        if default_backend is not None:
            await chat.chooser.choose(backend=default_backend)
        preferences.on_change(chat.chooser.forget_usable)
        if not only_looking:
            await chat.start()
    except BaseException:
        await history.close()
        raise
    printing = PdfPrinting(own_command(PRINT_PDF, PDF_WORKER))
    formulas = own_command(TYPESET_FORMULAS, FORMULA_WORKER)
    library = ThreadLibrary(
        history,
        chat.facts,
        announcements,
        stop=chat.stop,
        moved=chat.project_moves.tell,
        languages=lambda: search_languages(preferences.settings.appearance.language, environ),
    )
    everything = Everything(
        file,
        preferences,
        announcements,
        EverythingPlaces(paths.documents, paths.settings, paths.words),
        read_documents=projects.start,
    )
    return AppServices(
        paths=paths,
        history=history,
        backends=backends,
        secrets=keys,
        announcements=announcements,
        preferences=preferences,
        chat=chat,
        library=library,
        transfer=Transfer(
            file, announcements, everything=everything, documents=paths.documents, read_documents=projects.start
        ),
        everything=everything,
        thread_export=ThreadExport(file, printing, formulas),  # what is private can't be exported
        printing=printing,
        artifacts=artifacts,
        artifact_export=ArtifactExport(printing, formulas),
        attachments=attachments,
        reader=reader,
        extractor=extractor,
        models=models,
        prompts=PromptLibrary(history, announcements),
        projects=projects,
        trash=Trash(
            history,
            TrashServices(library, projects, artifacts, chat),
            announcements,
            documents=paths.documents,
            looked=paths.trash_look,
        ),
        backups=Backups(
            lambda folder: _backup_folder(paths.history, folder),
            history,
            lambda: preferences.settings,
            announcements,
            forget=chat.open_threads.forget_all,
        ),
        tool_servers=tool_servers,
        sync=await _sync(paths, keys, announcements, chat, projects),
        recovery=HistoryRecovery(history, chat, lambda path: open_history(path, only_looking=True), paths.history),
        removed=removed,
        repair=repair,
        connections=connections,
        connection_states=ConnectionStates(
            connections, backends, preferences, keys, file, environ.get("ANTHROPIC_BASE_URL") or ""
        ),
    )


async def _sync(
    paths: DataPaths, keys: Secrets, announcements: Announcements, chat: ChatController, projects: Projects
) -> Sync:
    sync = Sync(paths.history, keys, announcements, chat.open_threads, chat.watch, read_documents=projects.start)
    await asyncio.to_thread(sync.load)
    return sync


def _backup_folder(history: Path, elsewhere: Path | None) -> BackupStore:
    return BackupFolder(history, elsewhere)


def _server_tools(servers: ToolServers, facts: Callable[[], ThreadProperties]) -> Callable[[], ServerTools | None]:
    """Gives the tools of servers to turns once there is a server: most people have none."""
    made: list[ServerTools] = []

    def server_tools() -> ServerTools | None:
        if not made and servers.all:
            made.append(ServerTools(servers, facts()))
        return made[0] if made else None

    return server_tools


def _tool_host(reported: Callable[[ServerReport], None]) -> ToolHost:
    from desktop_app.backends.tool_host import ToolHostProcess

    return ToolHostProcess(reported=reported)


async def _open_in_memory() -> History:
    return await SqliteHistory.open_in_memory()


def _backends(
    paths: DataPaths,
    environ: Mapping[str, str],
    preferences: Preferences,
    keys: RememberedKeys,
    address: Callable[[], str | None],
) -> tuple[Sequence[Backend], Callable[[str], Backend]]:
    """All backends, and what makes a server's by its name. Each imports, starts and asks nothing before its use."""
    from desktop_app.backends.anthropic_backend import AnthropicBackend
    from desktop_app.backends.claude_cli.claude_cli_backend import ClaudeCliBackend

    overrides = ModelOverrides(lambda: preferences.settings)

    # What follows is asked for each time, as an address is: a change counts from the next question on.
    def silence(backend: str) -> Callable[[], float | None]:
        return lambda: preferences.settings.backend(backend).timeout_s

    def model_file() -> Path | None:
        path = preferences.settings.backend("local").model_path
        return Path(path).expanduser() if path else None

    def server(name: str) -> Backend:
        return OpenAiBackend(
            name=name,
            called=lambda: preferences.settings.backend(name).name,
            key=lambda address: keys.stored(key_entry("openai", address, preferences.settings.key_owner(name))),
            base_url=(lambda: preferences.settings.backend(name).base_url or NOWHERE) if name != "openai" else address,
            timeout_s=silence(name),
            overrides=overrides,
            has_key=lambda: keys.known(name),
            key_problem=lambda: keys.problem(name),
        )

    program, script = environ.get("PLIMSOLL_CLAUDE"), environ.get("PLIMSOLL_SCRIPT")
    return (
        AnthropicBackend(
            key=lambda: keys.get("anthropic"),
            base_url=lambda: environ.get("ANTHROPIC_BASE_URL") or preferences.settings.backend("anthropic").base_url,
            timeout_s=silence("anthropic"),
            overrides=overrides,
            has_key=lambda: keys.known("anthropic"),
            key_problem=lambda: keys.problem("anthropic"),
        ),
        ClaudeCliBackend(
            program=Path(program).expanduser() if program else None,
            work_dir=paths.claude_work,
            check_file=paths.claude_check,
            environ=environ,
            overrides=overrides,
            timeout_s=silence("claude-cli"),
            signed_in=lambda login: keys.signed_in("claude-cli", login),
        ),
        server("openai"),
        LocalBackend(model_path=model_file, overrides=overrides),
        ScriptedBackend(script=Path(script) if script else None),
    ), server


def _trials(
    environ: Mapping[str, str], preferences: Preferences, redaction: Redaction
) -> Callable[[str, str, str], TrialBackend]:
    """Makes backends that try an address and a key which nobody has stored."""

    def make(backend: str, address: str, key: str) -> TrialBackend:
        from desktop_app.backends.anthropic_backend import AnthropicBackend

        async def given() -> str | None:
            return key or None

        redaction.add(key)
        redaction.add_address(address)
        overrides = ModelOverrides(lambda: preferences.settings)
        tried: AnthropicBackend | OpenAiBackend
        if backend == AnthropicBackend.name:
            usual = environ.get("ANTHROPIC_BASE_URL") or preferences.settings.backend(backend).base_url
            tried = AnthropicBackend(
                key=given, base_url=address or usual, timeout_s=None, overrides=overrides, has_key=lambda: bool(key)
            )
        else:
            tried = OpenAiBackend(
                key=lambda _: given(),
                base_url=lambda: address or None,
                timeout_s=None,
                overrides=overrides,
                has_key=lambda: bool(key),
            )
        return RedactingListingBackend(tried, tried, redaction, SecretScan())

    return make
