"""The protocol through which the window sees what the composition root built. Never imports an implementation of it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Protocol

from desktop_app.backends.backend_protocol import Backend
from desktop_app.controller.attachments import Attachments
from desktop_app.controller.backup_copies import Backups
from desktop_app.controller.ports import Announcements, DocumentPages, History, Secrets
from desktop_app.core.history_records import HistoryRepair

if TYPE_CHECKING:  # the controller is loaded after the first paint
    from desktop_app.controller.artifact_library import Artifacts
    from desktop_app.controller.chat import ChatController
    from desktop_app.controller.connections import ConnectionSetup, ConnectionStates
    from desktop_app.controller.everything import Everything
    from desktop_app.controller.export_files import ArtifactExport
    from desktop_app.controller.history_recovery import HistoryRecovery
    from desktop_app.controller.history_sync import Sync
    from desktop_app.controller.model_selection import ModelLists
    from desktop_app.controller.preferences import Preferences
    from desktop_app.controller.project_library import Projects
    from desktop_app.controller.prompt_library import PromptLibrary
    from desktop_app.controller.thread_export import ThreadExport
    from desktop_app.controller.thread_library import ThreadLibrary
    from desktop_app.controller.tool_library import ToolServers
    from desktop_app.controller.transfer import Transfer
    from desktop_app.controller.trash import Trash


class CheckedPart(Protocol):
    """One finding of `doctor`; `needed`: Plimsoll can't be used without."""

    @property
    def name(self) -> str: ...

    @property
    def ok(self) -> bool: ...

    @property
    def detail(self) -> str: ...

    @property
    def needed(self) -> bool: ...


class InstallationReport(Protocol):
    """All findings; `report` has them as lines of text."""

    @property
    def checks(self) -> Sequence[CheckedPart]: ...

    @property
    def usable(self) -> bool: ...

    @property
    def report(self) -> str: ...


class WindowServices(Protocol):
    """Everything behind the window. It arrives after the first paint."""

    @property
    def repair(self) -> HistoryRepair | None:
        """The problems of the history when it was opened, and the parts that came back."""

    def ask_passwords(self, asker: Callable[[str, bool], Awaitable[str]]) -> None:
        """Has the password of a file asked for, by its name; True: the one before was wrong."""

    def draw_diagram(self, text: str, name: str, scale: float, *, dark: bool = False) -> Awaitable[bytes]:
        """A text of Mermaid as a PNG, with `scale` pixels for one of its own; `UserError` says why there is none."""

    @property
    def chat(self) -> ChatController: ...

    @property
    def backups(self) -> Backups: ...

    @property
    def library(self) -> ThreadLibrary: ...

    @property
    def preferences(self) -> Preferences: ...

    @property
    def transfer(self) -> Transfer: ...
    @property
    def thread_export(self) -> ThreadExport: ...

    @property
    def everything(self) -> Everything: ...

    @property
    def tool_servers(self) -> ToolServers: ...

    @property
    def trash(self) -> Trash: ...

    @property
    def sync(self) -> Sync: ...

    @property
    def artifacts(self) -> Artifacts: ...

    @property
    def artifact_export(self) -> ArtifactExport: ...

    @property
    def history(self) -> History: ...

    @property
    def connections(self) -> ConnectionSetup: ...

    @property
    def connection_states(self) -> ConnectionStates: ...

    @property
    def attachments(self) -> Attachments: ...

    @property
    def models(self) -> ModelLists: ...

    @property
    def prompts(self) -> PromptLibrary: ...

    @property
    def projects(self) -> Projects: ...

    @property
    def extractor(self) -> DocumentPages: ...

    @property
    def backends(self) -> Mapping[str, Backend]: ...

    @property
    def secrets(self) -> Secrets: ...

    @property
    def announcements(self) -> Announcements: ...

    @property
    def recovery(self) -> HistoryRecovery: ...

    async def diagnose(self) -> InstallationReport: ...

    async def close(self) -> None: ...
