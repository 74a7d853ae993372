"""The flows behind the pane of artifacts: which one, its versions and their differences, edits, its buttons."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from functools import partial
from typing import Final

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QGuiApplication, QImage

from desktop_app.controller.export_files import (
    PageServer,
    blocked_page,
    code_language,
    fenced,
    file_name,
    page_text,
    running_page,
    wanted_hosts,
)
from desktop_app.controller.formats import ArtifactFormat
from desktop_app.core.artifacts import Artifact, ArtifactVersion
from desktop_app.core.errors import PlimsollError
from desktop_app.core.events import ArtifactChanged
from desktop_app.core.svg_sanitizing import UnsafeDrawingError, safe_svg
from desktop_app.core.text_diff import VersionDiff, VersionLine, compare_versions
from desktop_app.ui.artifacts.artifact_pane import ArtifactPane, painted_drawing
from desktop_app.ui.i18n.language import grouped, tr, translated
from desktop_app.ui.state.app_state import AppState, UnsavedArtifact, UnsavedArtifacts
from desktop_app.ui.widgets.floating import Toast, asked_file_to_write, asked_to_save
from desktop_app.ui.widgets.text_lines import LineKind, TextLine, text_lines

AROUND: Final = 80
"""Characters of a very long line that are shown on either side of what changed in it."""
WHOLE: Final = 1_000
"""Characters up to which a changed line is shown as it is."""
_KINDS: Final[dict[str, LineKind]] = {"+": "added", "-": "removed", " ": "text"}


def version_lines(diff: VersionDiff, earlier: int, later: int) -> list[TextLine]:
    """The changed lines of two versions with what stands around them, and how many others there are."""
    which = f"v{earlier} → v{later}"
    if not diff.lines:
        return [TextLine("note", f"{which} · " + tr("No differences"))]
    lines = [TextLine("note", f"{which} · {counts(diff)}"), TextLine("text", "")]
    for line in diff.lines:
        if line.skipped:
            lines.append(_unchanged(line.skipped))
        lines += _shown(line)
    if diff.skipped:
        lines.append(_unchanged(diff.skipped))
    return lines


def counts(diff: VersionDiff) -> str:
    """Return how many lines came and went, in words."""
    added = tr("1 line added") if diff.added == 1 else tr("{count} lines added").format(count=grouped(diff.added))
    gone = (
        tr("1 line removed") if diff.removed == 1 else tr("{count} lines removed").format(count=grouped(diff.removed))
    )
    return f"{added} · {gone}"


def _shown(line: VersionLine) -> Iterator[TextLine]:
    """A line behind its sign, with the changed words marked; of a very long one they and what stands around them."""
    text, marks = f"{line.sign} {line.text}", [(first + 2, end + 2) for first, end in line.changed]
    if len(text) > WHOLE and marks:
        text, marks = _around(text, marks)
    start = 0  # of the piece, in the line
    for one in text_lines(text, _KINDS[line.sign]):
        end = start + len(one.text)
        inside = tuple((max(a, start) - start, min(b, end) - start) for a, b in marks if a < end and b > start)
        yield one._replace(marked=inside or ((0, 0),) * bool(marks))
        start = end


def _around(text: str, marks: Sequence[tuple[int, int]]) -> tuple[str, list[tuple[int, int]]]:
    """The marked words of a line with some of it around them, and where the marks are then."""
    said, at, moved = text[:2], 2, []
    for number, (first, end) in enumerate(marks):
        begin = max(at, first - AROUND)
        said += ("…" if begin > at else "") + text[begin:first]
        moved.append((len(said), len(said) + end - first))
        following = marks[number + 1][0] if number + 1 < len(marks) else len(text)
        at = min(following, end + AROUND)
        said += text[first:at]
    return said + ("…" if at < len(text) else ""), moved


def _unchanged(count: int) -> TextLine:
    words = tr("1 line unchanged") if count == 1 else tr("{count} lines unchanged").format(count=grouped(count))
    return TextLine("note", words)


DRAWN: Final = 1_200
"""Pixels across at which a drawing is painted at least."""
SHARPNESS: Final = 2.0
"""Pixels of a diagram's picture for one of the diagram's own."""


_WITH_SOURCE: Final = ("html", "svg", "mermaid")
"""Kinds that are shown as what they draw, or as their text."""
_JSX: Final = ("jsx", "tsx", "react")
NAMED_HOSTS: Final = 4
"""Hosts that a page asks for something that are named."""


class ArtifactsPresenter(QObject):
    """The artifacts of the open thread. `file_wanted`: a folder is to be shown; `page_wanted`: an address opened."""

    file_wanted = Signal(str)
    page_wanted = Signal(str)
    closed = Signal()

    def __init__(self, app_state: AppState, pane: ArtifactPane, toast: Toast, unsaved: UnsavedArtifacts) -> None:
        super().__init__(pane)
        self._unsaved = unsaved
        self._private = False  # the thread of the artifact that is shown
        self._app_state = app_state
        self._pane = pane
        self._toast = toast
        self._there: Sequence[Artifact] = ()
        self.artifact: Artifact | None = None
        self._versions: Sequence[ArtifactVersion] = ()
        self._number = 0
        self._compared = 0  # the version that is compared with; 0: that before the shown one
        self._edited = ""  # the text that the editor began with
        self._begun = self._told = 0  # the newest version when it began, and the newest that is said to have come since
        self._source = False  # a page or drawing is shown as its text
        self._changing: asyncio.Task[None] | None = None
        self._said_how_it_runs = False
        self._hinted = ""
        pane.artifact_chosen.connect(self._choose)
        pane.version_wanted.connect(self._step)
        pane.compared_wanted.connect(self._compare_with)
        pane.mode_wanted.connect(self._set_mode)
        pane.rename_wanted.connect(self._rename)
        pane.copy_wanted.connect(self._copy)
        pane.export_wanted.connect(lambda form: app_state.start(self._export(form)))
        pane.pin_wanted.connect(self._pin)
        pane.restore_wanted.connect(lambda: app_state.start(self._restore()))
        pane.delete_wanted.connect(lambda: app_state.start(self._delete()))
        pane.browser_wanted.connect(lambda: app_state.start(self._open_in_browser()))
        pane.run_wanted.connect(lambda: app_state.start(self.run()))
        pane.editor.newer_wanted.connect(self._take_newer)
        pane.editor.save_wanted.connect(lambda: app_state.start(self._save()))
        pane.editor.change_wanted.connect(self._change_selection)
        pane.editor.stop_wanted.connect(self._stop)
        pane.editor.text.textChanged.connect(unsaved.changed)
        unsaved.editing = self.editing
        pane.formats = (
            ("file", self.tr("As a file")),
            ("markdown", "Markdown"),
            ("html", "HTML"),
            ("pdf", "PDF"),
            ("docx", self.tr("Word document")),
        )

    @property
    def shown(self) -> ArtifactVersion | None:
        return next((one for one in self._versions if one.number == self._number), None)

    @property
    def writing(self) -> bool:
        """True while the editor is open."""
        return self._pane.mode == "editing"

    @property
    def unsaved(self) -> bool:
        """True where something was written in the editor that is no version yet."""
        return self.writing and self._pane.editor.written != self._edited

    def editing(self) -> UnsavedArtifact | None:
        """Return the text in the editor that is no version yet; None: nothing."""
        if (artifact := self.artifact) is None or not self.unsaved:
            return None
        written, begun = self._pane.editor.written, self._begun
        return UnsavedArtifact(artifact.thread_id, artifact.id, written, self._private, begun)

    # --- facts

    async def show(self, artifact_id: str = "", number: int = 0) -> bool:
        """Shows an artifact of the open thread (none named: its last), in a version (0: the newest).

        False where the thread has none.
        """
        if (thread_id := self._app_state.thread_id) is None:
            return False
        services = await self._app_state.services()
        there = await services.artifacts.of_thread(thread_id)
        wanted = next((one for one in there if one.id == artifact_id), there[-1] if there and not artifact_id else None)
        if wanted is None:
            return False
        versions = await services.artifacts.versions(wanted.id)
        if not self._app_state.is_open(thread_id):
            return False
        ids = [one.id for one in there]
        if self.unsaved and self.artifact is not None and self.artifact.id in ids:
            # the tab that was clicked stays that of what is edited, until that is settled
            self._there = there
            self._pane.show_list([one.title for one in there], ids.index(self.artifact.id))
        if not await self._leave_editor():
            return False
        already = self.artifact is not None and self.artifact.id == wanted.id
        self._there, self.artifact, self._versions = there, wanted, versions
        self._number, self._compared = number or versions[-1].number, 0
        self._source = self._source and already
        self._private = self._app_state.private
        self._pane.show_list([one.title for one in there], list(there).index(wanted))
        waits = self._unsaved.has(wanted.id)
        self._pane.say(self.tr("You have unsaved changes. Edit shows them.") if waits else "")
        await self._show_version()
        return True

    async def changed(self, changed: ArtifactChanged) -> None:
        """An artifact was made or changed: what is shown of it follows; what is being written stays."""
        if not self._app_state.is_open(changed.thread_id):
            return
        services = await self._app_state.services()
        self._there = await services.artifacts.of_thread(changed.thread_id)
        ids = [one.id for one in self._there]
        if self.artifact is None or self.artifact.id not in ids:
            if self._there and self._pane.isVisible():
                await self.show()
            else:
                self.clear()
                self.closed.emit()
            return
        at_newest = not self._versions or self._number == self._versions[-1].number
        self.artifact = self._there[ids.index(self.artifact.id)]
        self._pane.show_list([one.title for one in self._there], ids.index(self.artifact.id))
        if changed.artifact_id != self.artifact.id or not await self._read_versions(changed.artifact_id):
            return
        if at_newest and self._pane.mode != "editing":
            self._number = self._versions[-1].number
        self._show_head()
        if self._pane.mode == "editing":
            await self._tell_newer()
        elif self._pane.mode == "reading":
            await self._show_version()

    async def _read_versions(self, artifact_id: str) -> bool:
        """Take an artifact's versions as they are stored; return False where another is shown by then."""
        services = await self._app_state.services()
        versions = await services.artifacts.versions(artifact_id)
        if self.artifact is None or self.artifact.id != artifact_id:
            return False
        self._versions = versions
        return True

    def clear(self) -> None:
        """Another thread is open, or none: what is being written waits until its editor is opened again."""
        self._stop()
        if (unsaved := self.editing()) is not None:
            self._unsaved.keep(unsaved)
        self._there, self.artifact, self._versions, self._number = (), None, (), 0
        self._edited = self._pane.editor.written

    # --- looking

    def _choose(self, place: int) -> None:
        if 0 <= place < len(self._there):
            self._look(self.show(self._there[place].id))

    def _step(self, step: int) -> None:
        if any(one.number == self._number + step for one in self._versions):
            self._number, self._compared = self._number + step, 0
            self._look(self._show_version(keep_mode=True))

    def _compare_with(self, number: int) -> None:
        self._compared = number
        self._look(self._show_differences())

    def _set_mode(self, mode: str) -> None:
        if mode == "editing":
            self._look(self.edit())
        elif mode == "diff":
            self._look(self._show_differences())
        else:
            self._source = mode == "source"
            self._look(self._read())

    async def _read(self) -> None:
        if await self._leave_editor():
            await self._show_version()
        else:
            self._pane.edit.setChecked(True)
            self._pane.source.setChecked(False)

    async def edit(self) -> None:
        """Opens the editor with the shown version, or with what was written on the artifact and not saved."""
        if (shown := self.shown) is None:
            return
        self._pane.show_editor(shown.text, code_language(self.artifact) if self.artifact is not None else "")
        self._edited = self._pane.editor.written
        self._begun = self._told = self._versions[-1].number
        if (waiting := self._unsaved.take(shown.artifact_id)) is not None:
            self._pane.editor.show_text(waiting.text)
            self._pane.say(self.tr("Your changes are back. They are not saved yet."))
            self._begun = self._told = waiting.begun or self._begun
            await self._tell_newer()

    async def _tell_newer(self) -> None:
        """Says in the editor that a version came since it was opened, and shows what that changed."""
        newest = self._versions[-1]
        before = next((one for one in self._versions if one.number == self._begun), newest)
        if newest.number == self._told:
            return
        self._told = newest.number
        numbers = before.number, newest.number
        lines = await asyncio.to_thread(lambda: version_lines(compare_versions(before.text, newest.text), *numbers))
        if self.artifact is not None and self.artifact.id == newest.artifact_id and self._told == newest.number:
            self._pane.editor.show_newer(newest.number, lines)

    def _take_newer(self) -> None:
        """The newest version goes on in the editor, in the place of what is written there; undo brings that back."""
        newest = self._versions[-1]
        self._pane.editor.replace_text(newest.text)
        self._begun = self._told = newest.number
        self._settle()

    async def _show_version(self, *, keep_mode: bool = False) -> None:
        artifact, shown = self.artifact, self.shown
        if artifact is None or shown is None:
            return
        self._show_head()
        if keep_mode and self._pane.mode == "diff" and len(self._versions) > 1:
            await self._show_differences()
        elif artifact.kind in ("svg", "mermaid") and not self._source:
            await self._show_drawing(artifact, shown)
        elif artifact.kind == "html" and not self._source:
            await self._show_page(artifact, shown)
        elif artifact.kind == "markdown":
            self._pane.show_text(shown.text, artifact.title)
        else:
            self._pane.show_text(fenced(artifact, shown.text), artifact.title)
            self._hint(self._not_run if artifact.language.casefold() in _JSX else "")

    @property
    def _not_run(self) -> str:
        return self.tr("JSX needs a library, so it is not run. Ask for one HTML page without libraries.")

    async def _show_page(self, artifact: Artifact, shown: ArtifactVersion) -> None:
        text = await asyncio.to_thread(page_text, artifact, shown.text)
        hosts = await asyncio.to_thread(wanted_hosts, shown.text)
        if self._still_shown(shown):
            self._pane.show_text(text or fenced(artifact, shown.text), artifact.title)
            named = ", ".join(hosts[:NAMED_HOSTS]) + ("…" if len(hosts) > NAMED_HOSTS else "")
            words = self.tr("Needs the internet, which stays blocked: {hosts}")
            self._hint(words.format(hosts=named) if hosts and not self._private else "")

    def _hint(self, words: str) -> None:
        """A line about the shown version, unless the line beneath the head says something else."""
        if self._pane.note.words in ("", self._hinted):
            self._pane.say(words)
            self._hinted = words

    async def _show_drawing(self, artifact: Artifact, shown: ArtifactVersion) -> None:
        picture, why, mode = None, "", self._pane.mode
        try:
            picture = await self._drawing(artifact, shown.text)
        except UnsafeDrawingError as error:
            why = self.tr("Shown as source: {reason}.").format(reason=error)
        except PlimsollError as error:
            why = translated(error.failure.message)
        if not self._still_shown(shown) or self._pane.mode != mode:  # the editor was opened meanwhile
            return
        self._hint(why)
        if picture is None:
            self._pane.show_text(fenced(artifact, shown.text), artifact.title)
        else:
            self._pane.show_drawing(picture, artifact.title)

    async def _drawing(self, artifact: Artifact, text: str) -> QImage | None:
        """The picture of a drawing or diagram; None where there is nothing to see."""
        if artifact.kind == "svg":
            return await asyncio.to_thread(lambda: painted_drawing(safe_svg(text), DRAWN))
        services = await self._app_state.services()
        drawn = await services.draw_diagram(text, artifact.title, SHARPNESS, dark=self._pane.theme.name == "dark")
        image = QImage.fromData(drawn)
        image.setDevicePixelRatio(SHARPNESS)
        return image

    async def _show_differences(self) -> None:
        if (shown := self.shown) is None or not await self._leave_editor():
            return
        wanted = self._compared or self._number - 1
        if (other := next((one for one in self._versions if one.number == wanted), None)) is None:
            await self._show_version()
            return
        earlier, later = sorted((other, shown), key=lambda one: one.number)
        numbers = earlier.number, later.number
        lines = await asyncio.to_thread(lambda: version_lines(compare_versions(earlier.text, later.text), *numbers))
        if self._still_shown(shown):
            self._pane.say("")
            self._pane.show_differences(lines)

    def _still_shown(self, version: ArtifactVersion) -> bool:
        """Return True if nothing else was chosen while something was made of the version."""
        return (version.artifact_id, version.number) == (self.artifact.id if self.artifact else "", self._number)

    def _show_head(self) -> None:
        if (artifact := self.artifact) is None:
            return
        private = self._app_state.private
        self._pane.opens_in_browser = artifact.kind == "html" and not private
        self._pane.run.setVisible(artifact.kind in ("html", "svg") and not private)
        self._pane.source.setVisible(artifact.kind in _WITH_SOURCE)
        self._pane.source.setChecked(self._source)
        self._pane.show_head(artifact.title, number=self._number, count=len(self._versions), pinned=artifact.pinned)

    # --- changing

    async def _leave_editor(self) -> bool:
        """Return True if the editor may close: nothing was written there, or it is a version now, or is not wanted."""
        if not self.unsaved:
            return True
        answer = await asked_to_save(self._pane, self.tr("Save your changes as a version?"))
        if answer == "save":
            return await self._save()
        if answer == "discard":
            self._settle()
        return answer == "discard"

    def _settle(self) -> None:
        """Nothing in the editor is unsaved any more."""
        self._edited = self._pane.editor.written
        self._pane.say("")
        self._unsaved.changed.emit()

    async def _save(self) -> bool:
        """Stores what was written as a version, and shows what it changed, or what is drawn by it now."""
        if (artifact := self.artifact) is None:
            return False
        services = await self._app_state.services()
        before = self._versions[-1].number
        try:
            version = await services.artifacts.update(artifact.id, self._pane.editor.written, expected=self._told)
        except PlimsollError as error:
            await self.look_for_newer()
            self._pane.say(translated(error.failure.message), troubled=True)
            return False
        self._told = version.number
        self._settle()
        await self._show_made(artifact.id, version, before)
        return True

    async def look_for_newer(self) -> None:
        """Tells of a version that another process made while one is being written."""
        with suppress(PlimsollError):
            if (artifact := self.artifact) is not None and await self._read_versions(artifact.id):
                self._show_head()
                await self._tell_newer()

    async def _restore(self) -> None:
        """Makes a new version of the one that is shown; those between stay."""
        if (shown := self.shown) is None or not await self._leave_editor():
            return
        services, before = await self._app_state.services(), self._versions[-1].number
        try:
            version = await services.artifacts.update(shown.artifact_id, shown.text)
        except PlimsollError as error:
            self._pane.say(translated(error.failure.message), troubled=True)
            return
        await self._show_made(shown.artifact_id, version, before)

    async def _show_made(self, artifact_id: str, version: ArtifactVersion, before: int) -> None:
        if not await self._read_versions(artifact_id):
            return
        self._number, self._compared = version.number, 0
        drawn = self.artifact is not None and self.artifact.kind in _WITH_SOURCE
        self._source = self._source and not drawn
        self._show_head()
        self._pane.say("")
        if version.number != before and version.number > 1 and not drawn:
            await self._show_differences()
        else:
            await self._show_version()

    def _change_selection(self, wish: str) -> None:
        if self._changing is None and self.artifact is not None:
            self._changing = asyncio.get_running_loop().create_task(self._changed_selection(self.artifact.id, wish))
            self._changing.add_done_callback(self._change_ended)

    def _change_ended(self, _task: asyncio.Task[None]) -> None:
        self._changing = None
        self._pane.set_changing(False)

    def _stop(self) -> None:
        if self._changing is not None:
            self._changing.cancel()

    async def _changed_selection(self, artifact_id: str, wish: str) -> None:
        """Have the selection changed; store the written text as a version first, so that the selection is of stored
        text.
        """
        services = await self._app_state.services()
        start, end = self._pane.editor.selected
        self._pane.say(self.tr("Changing the selection…"))
        self._pane.set_changing(True)
        try:
            newest = await services.artifacts.update(artifact_id, self._pane.editor.written, expected=self._told)
            self._begun = self._told = newest.number
            self._edited = self._pane.editor.written
            self._unsaved.changed.emit()
            version = await services.artifacts.change_selection(artifact_id, start, end, wish)
            self._told = version.number
        except PlimsollError as error:
            await self.look_for_newer()
            self._pane.say(translated(error.failure.message), troubled=True)
            return
        except asyncio.CancelledError:
            self._pane.say(self.tr("Stopped. Nothing was changed."))
            raise
        self._pane.editor.wish.clear()
        await self._show_made(artifact_id, version, newest.number)

    # --- the other buttons

    def _rename(self, title: str) -> None:
        if (artifact := self.artifact) is not None and title.strip() and title.strip() != artifact.title:
            self._wish(lambda services: services.rename(artifact.id, title))

    def _pin(self) -> None:
        if (artifact := self.artifact) is not None:
            self._wish(lambda services: services.pin(artifact.id, not artifact.pinned))

    def _copy(self) -> None:
        if (shown := self.shown) is not None:
            text = self._pane.editor.written if self._pane.mode == "editing" else shown.text
            QGuiApplication.clipboard().setText(text)
            self._toast.show_message(self.tr("Copied"))

    async def _delete(self) -> None:
        if (artifact := self.artifact) is None:
            return
        services = await self._app_state.services()
        self._settle()
        self._unsaved.take(artifact.id)
        await services.artifacts.delete(artifact.id)
        words = self.tr("Deleted “{title}”").format(title=artifact.title)
        self._toast.show_message(words, self.tr("Undo"), partial(self._undo_delete, artifact.id))

    def _undo_delete(self, artifact_id: str) -> None:
        self._wish(lambda services: services.restore(artifact_id))

    async def _export(self, form: ArtifactFormat) -> None:
        artifact, shown = self.artifact, self.shown
        if artifact is None or shown is None:
            return
        path = await asked_file_to_write(self._pane, self.tr("Export"), file_name(artifact, form))
        if path is None:
            return
        services = await self._app_state.services()
        try:
            written = await services.artifact_export.write(artifact, shown.text, form, path)
        except PlimsollError as error:
            self._pane.say(translated(error.failure.message), troubled=True)
            return
        words = self.tr("Exported to {name}").format(name=written.name)
        show = partial(self.file_wanted.emit, str(written.parent))
        self._toast.show_message(words, self.tr("Show in folder"), show)

    async def _open_in_browser(self) -> None:
        """A page in which nothing runs and nothing is loaded."""
        if (artifact := self.artifact) is not None and (shown := self.shown) is not None:
            await self._open_page(await asyncio.to_thread(blocked_page, artifact.title, shown.text))

    async def run(self) -> None:
        """Opens the shown version with its scripts, which reach no network; says why where it is not run."""
        if (artifact := self.artifact) is None or (shown := self.shown) is None:
            return
        if self._app_state.private:
            self._pane.say(self.tr("Nothing of a private thread goes to the browser."))
        elif artifact.language.casefold() in _JSX:
            self._pane.say(self._not_run)
        elif artifact.kind not in ("html", "svg"):
            self._pane.say(self.tr("Only HTML pages and drawings run in the browser."))
        else:
            words = self.tr(
                "Not run: this browser can't keep scripts from the network. Use a current Chrome or Firefox."
            )
            page = await asyncio.to_thread(running_page, artifact, shown.text)
            await self._open_page(page, blocked_page(artifact.title, words), runs=True)

    async def _open_page(self, page: str, instead: str = "", *, runs: bool = False) -> None:
        pages = (await self._app_state.services()).artifact_export.pages
        address = await pages.address(page, instead)
        self.page_wanted.emit(address)
        self._app_state.look(self._tell_opened(pages, address, runs=runs))

    async def _tell_opened(self, pages: PageServer, address: str, *, runs: bool) -> None:
        if not await pages.asked_for(address):
            words = self.tr("No browser opened the page. Open its address in another.")
            copy = partial(QGuiApplication.clipboard().setText, address)
            self._toast.show_message(words, self.tr("Copy address"), copy)
        elif runs and not self._said_how_it_runs:
            self._said_how_it_runs = True
            self._toast.show_message(self._pane.run.toolTip())

    def _wish(self, wish: Callable[..., object]) -> None:
        async def do() -> None:
            services = await self._app_state.services()
            await wish(services.artifacts)  # type: ignore[misc]

        self._app_state.start(do())

    def _look(self, coroutine: object) -> None:
        self._app_state.start(coroutine)  # type: ignore[arg-type]
