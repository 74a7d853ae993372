"""Runs `project ...` and `artifact ...`: projects with their documents and folders, artifacts with their versions."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from desktop_app.cli.command_process import DONE, EXIT_STATUS, Output, counted
from desktop_app.cli.json_shapes import artifact_shape, artifact_text_shape, thread_shape
from desktop_app.cli.options import ArtifactExportOptions, ArtifactListOptions, ArtifactShowOptions, ProjectOptions
from desktop_app.cli.plan_shapes import project_shape
from desktop_app.composition import AppServices
from desktop_app.controller.artifact_library import Artifacts
from desktop_app.controller.document_files import is_missing, no_file
from desktop_app.controller.export_files import ArtifactExport
from desktop_app.controller.ports import History
from desktop_app.controller.project_library import weighed_documents
from desktop_app.core.artifacts import Artifact, ArtifactVersion
from desktop_app.core.errors import PlimsollError, UserError
from desktop_app.core.messages import Failure, ThreadSummary
from desktop_app.core.phrases import phrase
from desktop_app.core.projects import FolderChange, Project, ProjectDocument
from desktop_app.system.files_below import path_of

MODES = {"always": "always included", "search": "searched when needed"}


async def run_project(services: AppServices, options: ProjectOptions, output: Output) -> int:
    """Does what the options name; the exit status. A file that can't be read is told, and the others are read."""
    match options.act:
        case "list":
            return await _list(services, output, json=options.json)
        case "create":
            await services.projects.create(options.name, options.instructions)
            return DONE
        case "add":
            found = await services.history.projects.find(options.name)
            missing = [path for path in map(Path, options.files) if is_missing(path)]
            if found is None and len(missing) == len(options.files):
                raise UserError("usage", " ".join(map(no_file, missing)))
            return await _add(services, found or await services.projects.create(options.name), options, output)
        case "remove":
            return await _remove(services, await known_project(services, options.name), options.files)
        case "show":
            return await _show(services, await known_project(services, options.name), output, json=options.json)
        case "follow":
            project = await known_project(services, options.name)
            return await _follow(services, project, Path(options.files[0]), output)


async def known_project(services: AppServices, name: str) -> Project:
    """The project of that name. Raises `UserError("config")` where there is none."""
    if (project := await services.history.projects.find(name)) is None:
        raise UserError("config", f"There is no project “{name}”. `plimsoll project list` shows them.")
    return project


async def threads_of(services: AppServices, project_id: str) -> Sequence[ThreadSummary]:
    """The threads of a project, last used first."""
    return [one for one in await services.history.threads() if one.thread.project == project_id]


async def _list(services: AppServices, output: Output, *, json: bool) -> int:
    projects = await services.projects.all()
    threads = [summary.thread.project for summary in await services.history.threads()]
    documents = [await services.projects.documents(one.id) for one in projects]
    rows = [
        (one, sum(document.state != "failed" for document in of_it), threads.count(one.id))
        for one, of_it in zip(projects, documents, strict=True)
    ]
    if json:
        output.json([{"name": one.name, "documents": count, "threads": used} for one, count, used in rows])
        return DONE
    if not rows:
        output.tell("There are no projects yet. `plimsoll project create NAME` makes one.")
    for one, count, used in rows:
        output.line(f"{counted(count, 'document'):>16}  {counted(used, 'thread'):>12}  {one.name}")
    return DONE


async def _add(services: AppServices, project: Project, options: ProjectOptions, output: Output) -> int:
    before = {one.id for one in await services.projects.documents(project.id)}
    documents, failures = await services.projects.add_files(project.id, [Path(name) for name in options.files])
    if options.always:
        await services.projects.set_mode(project.id, [one.id for one in documents], "always")
    for again in (one for one in documents if one.id in before):
        output.tell(f"“{again.name}” is in the project already. It is read again.")
    return await _read(services, project, documents, failures, output)


async def _follow(services: AppServices, project: Project, folder: Path, output: Output) -> int:
    place = Path(await asyncio.to_thread(os.path.realpath, folder))
    known = (one for one in await services.projects.folders(project.id) if one.chosen)
    if (followed := next((one for one in known if path_of(one.path) == place), None)) is None:
        followed = await services.projects.follow(project.id, folder)
    else:
        found = await services.projects.followed_folders.look(project.id)
        changes = [one for one in found if one.folder_id == followed.id]
        await services.projects.accept_changes(project.id, changes)
    documents = [one for one in await services.projects.documents(project.id) if one.folder_id == followed.id]
    return await _read(services, project, documents, (), output)


async def _read(
    services: AppServices,
    project: Project,
    documents: Sequence[ProjectDocument],
    failures: Sequence[Failure],
    output: Output,
) -> int:
    """Waits until the documents are read and says what became of each that was not; the exit status."""
    await services.projects.read_all(project.id)
    ids = {document.id for document in documents}
    now = [one for one in await services.projects.documents(project.id) if one.id in ids]
    problems = [failure.message for failure in failures] + [one.error for one in now if one.state == "failed"]
    for problem in problems:
        output.tell(problem)
    first = {one.sha256: one for one in reversed(await services.projects.documents(project.id)) if one.sha256}
    for one in now:
        if (other := first.get(one.sha256, one)).id != one.id:
            output.tell(f"“{one.name}” is the same file as “{other.name}”.")
    weighed = await weighed_documents(services.chat, project.id, [one for one in now if one.state == "ready"])
    ready, tokens = weighed.documents, sum(one.tokens for one in weighed.documents)
    output.line(f"{project.name}: {counted(len(ready), 'document')} read, {_estimated(tokens)} tokens.")
    return EXIT_STATUS["usage"] if problems else DONE


async def _remove(services: AppServices, project: Project, names: Sequence[str]) -> int:
    documents = await services.projects.documents(project.id)
    chosen: dict[str, None] = {}
    for name in names:
        found = [one.id for one in documents if name in (one.id, one.name, one.path) or _is_file(one, name)]
        if not found:
            words = f"“{name}” is no document of “{project.name}”. `plimsoll project show` lists them."
            raise UserError("usage", words)
        chosen.update(dict.fromkeys(found))
    await services.projects.remove_documents(project.id, list(chosen))
    return DONE


def _is_file(document: ProjectDocument, name: str) -> bool:
    return bool(document.path) and document.folder_id is None and path_of(document.path) == Path(name).absolute()


async def _show(services: AppServices, project: Project, output: Output, *, json: bool) -> int:
    weighed = await weighed_documents(services.chat, project.id, await services.projects.documents(project.id))
    threads = await threads_of(services, project.id)
    changes: Sequence[FolderChange] = ()
    with suppress(PlimsollError):  # where the history can't be written, or a folder is not there
        changes = await services.projects.followed_folders.look(project.id)
    if json:
        told = [thread_shape(one, {project.id: project.name}) for one in threads]
        output.json(project_shape(project, weighed, told, changes))
        return DONE
    output.line(project.name)
    if project.instructions:
        output.line(f"\n{project.instructions}")
    if weighed.documents:
        output.line("\nDocuments")
    for document in weighed.documents:
        mode = weighed.instead.get(document.id) or MODES[document.mode]
        state = mode if document.state == "ready" else document.error or document.state
        output.line(f"  {_estimated(document.tokens):>11} tokens  {document.name}  ({state})")
    if changes:
        output.line("\nChanges in followed folders")
    for change in changes:
        output.line(f"  {change.kind:>11}  {change.path}")
    if threads:
        output.line("\nThreads")
    for summary in threads:
        output.line(f"  {summary.thread.id[:8]}  {summary.thread.title or 'Untitled'}")
    return DONE


def _estimated(tokens: int) -> str:
    """No model has counted a document's text when it was read; the plan of a thread does, for that thread's."""
    return f"≈ {tokens:,}" if tokens else "0"


SHORT_ID = 8


async def list_artifacts(history: History, artifacts: Artifacts, options: ArtifactListOptions, output: Output) -> int:
    """Prints the artifacts of a thread in the order they were made, or of all threads, last updated first."""
    if options.thread is None:
        found = await artifacts.all()
    else:
        found = await artifacts.of_thread((await history.find_thread(options.thread)).id)
    if options.json:
        output.json([artifact_shape(one) for one in found])
        return DONE
    if not found:
        output.tell("There are no artifacts yet.")
    for one in found:
        day, _, time = one.updated.partition("T")
        kind = one.language or one.kind
        output.line(f"{one.id[:SHORT_ID]}  {day} {time[:5]}  v{one.versions:<4} {kind:<10}  {one.title}")
    return DONE


async def show_artifact(artifacts: Artifacts, options: ArtifactShowOptions, output: Output) -> int:
    """Prints the text of one version."""
    artifact, version = await _version(artifacts, options.artifact, options.version)
    if options.json:
        output.json(artifact_text_shape(artifact, version))
    else:
        output.text(version.text if version.text.endswith("\n") else f"{version.text}\n")
    return DONE


async def export_artifact(
    artifacts: Artifacts, export: ArtifactExport, options: ArtifactExportOptions, output: Output
) -> int:
    """Writes one version and prints the path of the file."""
    artifact, version = await _version(artifacts, options.artifact, options.version)
    output.line(str(await export.write(artifact, version.text, options.format, Path(options.output))))
    return DONE


async def _version(artifacts: Artifacts, prefix: str, number: int | None) -> tuple[Artifact, ArtifactVersion]:
    artifact = await artifacts.find(prefix)
    versions = await artifacts.versions(artifact.id)
    found = versions[-1] if number is None else next((one for one in versions if one.number == number), None)
    if found is None:
        words = phrase(
            "“{title}” has no version {number}; the newest is {newest}.",
            title=artifact.title,
            number=number,
            newest=versions[-1].number,
        )
        raise UserError("usage", words)
    return artifact, found
