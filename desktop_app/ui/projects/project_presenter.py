"""The flow behind a project's page: reads it, keeps it true, carries out the wishes made there."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Final

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QGuiApplication

from desktop_app.backends.backend_protocol import Backend
from desktop_app.controller.project_library import WeighedDocuments, weighed_documents
from desktop_app.core import events
from desktop_app.core.context.costs import request_cost
from desktop_app.core.context.limits import limits_for
from desktop_app.core.context.project_context import always_room, fitting, no_room
from desktop_app.core.errors import PlimsollError, UserError
from desktop_app.core.messages import ThreadSummary
from desktop_app.core.model_catalog import ModelInfo
from desktop_app.core.phrases import joined
from desktop_app.core.projects import DocumentMode, Project, ProjectDocument
from desktop_app.ui.i18n.content_words import price, thousands
from desktop_app.ui.i18n.language import grouped, translated
from desktop_app.ui.models.model_choice import ModelChoice
from desktop_app.ui.projects.documents_pane import DocumentsView
from desktop_app.ui.projects.project_page import ProjectPage, ProjectView
from desktop_app.ui.state.app_state import AppState
from desktop_app.ui.state.services import WindowServices
from desktop_app.ui.widgets.dragging import DroppedFiles, Incoming
from desktop_app.ui.widgets.floating import Toast, asked_files, asked_folder
from desktop_app.ui.widgets.live_page import PageFlow
from desktop_app.ui.widgets.parts import single_shot

OF_THREADS: Final = (
    events.ThreadCreated,
    events.ThreadChanged,
    events.ThreadDeleted,
    events.ProjectsChanged,
    events.HistoryChangedElsewhere,
)
"""Facts after which the project may have other threads."""
OF_DOCUMENTS: Final = (
    events.ProjectDocumentsChanged,
    events.ReadingProgressed,
    events.FolderChangesFound,
    events.SettingsChanged,
)
REST_MS: Final = 150
"""Facts that come within this time are shown together: a thousand files are read in a thousand steps."""

ShowModels = Callable[[Sequence["ModelChoice"]], None]
Models = Callable[[ShowModels, ShowModels, tuple[str, str] | None], Awaitable[None]]


class ProjectPresenter(PageFlow[ProjectPage]):
    """One project. What is undone outlives the page."""

    thread_chosen = Signal(str)
    document_chosen = Signal(object)  # ProjectDocument
    gone = Signal()  # the project was deleted: there is nothing to stay for

    def __init__(
        self,
        app_state: AppState,
        page: ProjectPage,
        toast: Toast,
        project_id: str,
        *,
        list_models: Models | None,
        parent: QObject,
    ) -> None:
        """`list_models`: shows what models there are, see `AvailableModels.list_models`."""
        super().__init__(app_state, page, toast, parent, (*OF_THREADS, *OF_DOCUMENTS))
        self._app_state = app_state
        self.project_id = project_id
        self._list_models = list_models
        self._threads: Sequence[ThreadSummary] | None = None
        """All threads; None: they are to be read again."""
        self._rest = single_shot(self, self.refresh, REST_MS)
        self._connect()
        self.refresh()
        app_state.look(self._look())

    def refresh(self) -> None:
        """Reads everything again."""
        self._rest.stop()
        if not self.ended:
            self._app_state.start(self._show())

    def end(self) -> None:
        """Save the text that was typed and not saved yet."""
        text = self.page.unsaved_instructions()
        self.ended = True
        self._rest.stop()
        if text is not None:
            self._app_state.start(self._store_instructions(text))

    # --- inside

    def _connect(self) -> None:
        page, documents, start = self.page, self.page.documents, self._app_state.start
        page.name.renamed.connect(lambda name: start(self._rename(name)))
        page.instructions_changed.connect(lambda text: start(self._store_instructions(text)))
        page.new_thread.clicked.connect(lambda: start(self._new_thread()))
        page.threads.thread_chosen.connect(self.thread_chosen)
        page.model.clicked.connect(self._offer_models)
        page.model_chosen.connect(lambda backend, model: start(self._set_model(backend, model)))
        page.limit_chosen.connect(lambda tokens: start(self._set_limit(tokens)))
        page.searches_threads.clicked.connect(lambda on: start(self._set_searches(on)))
        page.archive_requested.connect(lambda on: start(self._archive(on)))
        page.delete.clicked.connect(lambda: start(self._delete()))
        page.drop_target.dropped.connect(self._take)
        documents.add_files.clicked.connect(lambda: start(self._add_files()))
        documents.add_folder.clicked.connect(lambda: start(self._add_folder()))
        documents.follow.clicked.connect(lambda: start(self._follow()))
        documents.choose_folder_requested.connect(lambda folder_id: start(self._follow(folder_id)))
        documents.choose_file_requested.connect(lambda document: start(self._choose_file(document)))
        documents.unfollow_requested.connect(lambda folder_id: start(self._unfollow(folder_id)))
        documents.look_requested.connect(lambda: start(self._look()))
        documents.take_over_requested.connect(lambda: start(self._take_over()))
        documents.stop_requested.connect(lambda: start(self._stop()))
        documents.read_requested.connect(lambda which: start(self._read(which)))
        documents.list.open_requested.connect(self.document_chosen)
        documents.list.mode_requested.connect(lambda which, mode: start(self._set_mode(which, mode)))
        documents.list.remove_requested.connect(lambda which: start(self._remove(which)))

    def _changed(self, fact: object) -> None:
        if self.ended:
            return
        if isinstance(fact, OF_THREADS):
            self._threads = None
        if isinstance(fact, events.ReadingProgressed):
            if fact.project_id == self.project_id:
                shown = (fact.done, fact.total, fact.name) if fact.name else None
                self.page.documents.progress.show_progress(shown)
                if shown is None:
                    self._rest.start()
        elif getattr(fact, "project_id", self.project_id) == self.project_id and not self._rest.isActive():
            self._rest.start()

    async def _show(self) -> None:
        services = await self._app_state.services()
        projects, project_id = services.projects, self.project_id
        try:
            project = await projects.one(project_id)
            documents = await projects.documents(project_id)
            folders = await projects.folders(project_id)
            if self._threads is None:
                self._threads = await services.library.threads()
        except PlimsollError as error:
            if not self.ended:
                if not self.toast.offers_undo():  # it was just deleted in the thread list, which said so
                    self.toast.show_message(translated(error.failure.message))
                self.gone.emit()
            return
        weighed = await weighed_documents(services.chat, project_id, documents)
        chosen, default = await _model_of(services, project)
        model = chosen[1] if chosen is not None else None
        limits = services.preferences.settings.context
        soft = limits_for(model, limits, project.soft_limit).soft if model is not None else 0
        fits = () if model is None else await asyncio.to_thread(fitting, documents, soft, model.tokenizer)
        if self.ended or self._threads is None:  # they changed meanwhile: this is asked for again
            return
        always, too_much = self._always_words(chosen, soft, weighed)
        default_soft = limits_for(model, limits).soft if model is not None else 0
        self.page.show_project(
            ProjectView(
                project,
                [one.thread for one in self._threads if one.thread.project == project_id and not one.thread.archived],
                model.name if model is not None and project.model is not None else project.model or "",
                default,
                default_soft,
                [one.name for one in services.tool_servers.all if one.is_on(project_id)],
            )
        )
        reading = projects.document_reading.progress(project_id)
        self.page.documents.show_view(
            DocumentsView(
                [
                    _with_reason(one, weighed.instead[one.id]) if one.id in weighed.instead else one
                    for one in weighed.documents
                ],
                folders,
                projects.followed_folders.unreachable(project_id),
                projects.followed_folders.found(project_id),
                (reading.done, reading.total, reading.name) if reading is not None else None,
                projects.document_reading.problem(project_id),
                always,
                too_much,
                fits,
            )
        )
        self.toast.make_way()

    def _always_words(
        self, chosen: tuple[Backend, ModelInfo] | None, soft: int, weighed: WeighedDocuments
    ) -> tuple[str, str]:
        """Return the weight and cost of the always included documents, in words, and that they are more than fit."""
        if chosen is None or not any(one.mode == "always" and one.state != "failed" for one in weighed.documents):
            return "", ""
        tokens = sum(one.tokens for one in weighed.documents if one.id in weighed.sent)
        backend, model = chosen
        room = always_room(soft)
        words = self.tr("Always included: {tokens} of at most {room} tokens").format(
            tokens=thousands(tokens), room=thousands(room)
        )
        fresh, cached = request_cost(model, tokens), request_cost(model, tokens, cached=tokens)
        if backend.cost_kind == "money" and fresh is not None and cached is not None:
            words += " · " + self.tr("{price} per request, {cached} from the cache").format(
                price=price(fresh), cached=price(cached)
            )
        too_much = ""
        if no_room(soft) in weighed.instead.values():
            too_much = self.tr("Too long to include in full. The rest is searched when needed.")
        return words, too_much

    async def _try(self, act: Callable[[WindowServices], Awaitable[object]]) -> bool:
        """Carries out a wish; what went wrong is said in the toast."""
        services = await self._app_state.services()
        try:
            await act(services)
        except PlimsollError as error:
            self.toast.show_message(translated(error.failure.message))
            return False
        self.refresh()  # at once: what is told of it comes with what others do
        return True

    async def _rename(self, name: str) -> None:
        services = await self._app_state.services()
        problem = ""
        try:
            await services.projects.rename(self.project_id, name)
        except PlimsollError as error:
            problem = translated(error.failure.message)
        if not self.ended:
            self.page.show_name_problem(problem)
            self.refresh()

    async def _store_instructions(self, text: str) -> None:
        services = await self._app_state.services()
        problem = ""
        try:
            await services.projects.set_instructions(self.project_id, text)
        except PlimsollError as error:
            problem = translated(error.failure.message)
        if not self.ended:
            self.page.show_instructions_problem(problem)
        elif problem:
            QGuiApplication.clipboard().setText(text)
            words = self.tr("The instructions were not saved. Your text is in the clipboard.")
            self.toast.show_message(f"{problem} {words}")

    async def _new_thread(self) -> None:
        made: list[str] = []

        async def make(services: WindowServices) -> None:
            thread = await services.chat.new_thread(project=self.project_id)
            made.append(thread.id)

        if await self._try(make):
            self.thread_chosen.emit(made[0])

    def _offer_models(self) -> None:
        if self._list_models is not None:
            page = self.page
            self._app_state.look(_awaited(self._list_models(page.show_choices, page.update_choices, page.own_model)))

    async def _set_model(self, backend: str | None, model: str | None) -> None:
        await self._try(lambda services: services.projects.set_model(self.project_id, backend, model))

    async def _set_limit(self, tokens: int | None) -> None:
        await self._try(lambda services: services.projects.set_soft_limit(self.project_id, tokens))

    async def _set_searches(self, on: bool) -> None:
        await self._try(lambda services: services.projects.set_searches_threads(self.project_id, on))

    async def _archive(self, on: bool) -> None:
        services = await self._app_state.services()
        projects, project_id, app_state = services.projects, self.project_id, self._app_state
        if not on:
            await self._try(lambda _: projects.unarchive(project_id))
        elif await self._try(lambda _: projects.archive(project_id)):
            self.toast.show_message(
                self.tr("Project archived"),
                self.tr("Undo"),
                lambda: app_state.start(_awaited(projects.unarchive(project_id))),
            )

    async def _delete(self) -> None:
        services = await self._app_state.services()
        projects, project_id, app_state = services.projects, self.project_id, self._app_state
        self.ended = True  # what is told of its end is not for the page
        if await self._try(lambda _: projects.delete(project_id)):
            self.toast.show_message(
                self.tr("Project deleted. Its threads stay."),
                self.tr("Undo"),
                lambda: app_state.start(_awaited(projects.restore(project_id))),
            )
            self.gone.emit()
        else:
            self.ended = False

    def _take(self, brought: Incoming) -> None:
        if isinstance(brought, DroppedFiles):
            self._app_state.start(self._add(brought.paths))
        else:
            self.toast.show_message(self.tr("A picture can't be a document. Drop files or folders."))

    async def _add_files(self) -> None:
        await self._add(await asked_files(self.page, self.tr("Add files")))

    async def _add_folder(self) -> None:
        folder = await asked_folder(self.page, self.tr("Add folder"))
        await self._add((folder,) if folder is not None else ())

    async def _add(self, paths: Sequence[Path]) -> None:
        if not paths:
            return

        async def add(services: WindowServices) -> None:
            before = {one.id for one in await services.projects.documents(self.project_id)}
            added, failures = await services.projects.add_files(self.project_id, paths)
            if not self.ended:
                self.page.documents.show_left_out(failures)
            ids = [one.id for one in added if one.id not in before]
            if (again := [one.name for one in added if one.id in before]) and not ids:
                words = self.tr("“{name}” is in this project already. It is read again.").format(name=again[0])
                if len(again) > 1:
                    words = self.tr("{count} files are in this project already. They are read again.")
                    words = words.format(count=grouped(len(again)))
                self.toast.show_message(words)
            if ids:
                self.refresh()
                await self._tell_added(services, ids)

        await self._try(add)

    async def _tell_added(self, services: WindowServices, ids: Sequence[str]) -> None:
        """Say how many documents have come, once each was read: files that can't be are counted on the page."""
        projects, project_id, app_state = services.projects, self.project_id, self._app_state
        with suppress(UserError):  # the page tells it
            await projects.document_reading.finish(project_id)
        documents = await projects.documents(project_id)
        if not (count := sum(one.id in ids and one.state != "failed" for one in documents)):
            return
        words = self.tr("1 file added") if count == 1 else self.tr("{count} files added")
        self.toast.show_message(
            words.format(count=grouped(count)),
            self.tr("Undo"),
            lambda: app_state.start(_awaited(projects.remove_documents(project_id, ids))),
        )

    async def _follow(self, folder_id: str | None = None) -> None:
        title = self.tr("Follow a folder") if folder_id is None else self.tr("Choose folder")
        if (folder := await asked_folder(self.page, title)) is not None:
            await self._try(lambda services: services.projects.follow(self.project_id, folder, folder_id))

    async def _choose_file(self, document: ProjectDocument) -> None:
        for file in (await asked_files(self.page, self.tr("Choose file")))[:1]:
            await self._try(partial(_choose, self.project_id, document.id, file))

    async def _unfollow(self, folder_id: str) -> None:
        if await self._try(lambda services: services.projects.followed_folders.unfollow(self.project_id, folder_id)):
            self.toast.show_message(self.tr("Folder no longer followed. Its documents stay."))

    async def _look(self) -> None:
        await self._try(lambda services: services.projects.followed_folders.look(self.project_id))
        self.refresh()

    async def _take_over(self) -> None:
        async def accept(services: WindowServices) -> None:
            changes = services.projects.followed_folders.found(self.project_id)
            await services.projects.accept_changes(self.project_id, changes)
            ids = {one.document_id for one in changes if one.kind == "removed"}
            gone = [one for one in await services.projects.documents(self.project_id) if one.id in ids]
            if gone:
                words = self.tr("The file of “{name}” is gone; its text is kept.").format(name=gone[0].name)
                if len(gone) > 1:
                    words = self.tr("{count} files are gone; their text is kept.").format(count=grouped(len(gone)))
                app_state = self._app_state
                self.toast.show_message(words, self.tr("Remove"), lambda: app_state.start(self._remove(gone)))

        await self._try(accept)

    async def _stop(self) -> None:
        await self._try(lambda services: services.projects.document_reading.stop(self.project_id))

    async def _read(self, documents: Sequence[ProjectDocument]) -> None:
        """Reads these again; none: what waits."""
        ids = [one.id for one in documents]
        await self._try(lambda services: services.projects.read_again(self.project_id, ids))

    async def _set_mode(self, documents: Sequence[ProjectDocument], mode: DocumentMode) -> None:
        ids = [one.id for one in documents]
        await self._try(lambda services: services.projects.set_mode(self.project_id, ids, mode))

    async def _remove(self, documents: Sequence[ProjectDocument]) -> None:
        services = await self._app_state.services()
        projects, project_id, app_state = services.projects, self.project_id, self._app_state
        ids = [one.id for one in documents]
        if await self._try(lambda _: projects.remove_documents(project_id, ids)):
            words = (
                self.tr("“{name}” removed").format(name=documents[0].name)
                if len(ids) == 1
                else self.tr("{count} documents removed").format(count=grouped(len(ids)))
            )
            self.toast.show_message(
                words,
                self.tr("Undo"),
                lambda: app_state.start(_awaited(projects.restore_documents(project_id, ids))),
            )


async def _choose(project_id: str, document_id: str, file: Path, services: WindowServices) -> None:
    await services.projects.choose_file(project_id, document_id, file)


async def _awaited(wish: Awaitable[object]) -> None:
    await wish


def _with_reason(document: ProjectDocument, reason: str) -> ProjectDocument:
    return replace(document, note=joined([document.note, reason], " · ") if document.note else reason)


async def _model_of(services: WindowServices, project: Project) -> tuple[tuple[Backend, ModelInfo] | None, str]:
    """Return what answers in the project's threads, and the name of the default model; None where nothing does."""
    try:
        default = await services.chat.chooser.choose(interactive=True)
    except PlimsollError:
        default = None
    name = default.model.name if default is not None else ""
    if (backend := services.backends.get(project.backend or "")) is not None and project.model is not None:
        return (backend, backend.model(project.model)), name
    return (default.backend, default.model) if default is not None else None, name
