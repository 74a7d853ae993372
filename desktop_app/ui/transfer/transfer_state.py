"""The choices for an export, and the progress of an import or export as its page shows it. No widget, no file."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Literal, TypeAlias

from desktop_app.controller.formats import ExportFormat

Kind: TypeAlias = Literal["import", "export"]
Phase: TypeAlias = Literal["running", "ready", "done", "failed", "canceled"]
"""`ready`: what would be imported is shown, and waits to be wanted."""


@dataclass(frozen=True, slots=True)
class TransferState:
    """`done` threads of `total` (0: not known yet); `words` say where it is or how it ended, `details` the rest.

    `folder`: where the files are that were written. `button`: what begins it where it is ready; "": nothing to import.
    `settings`: a line for each setting that would come or not; `taken` of them would.
    """

    kind: Kind
    phase: Phase
    words: str
    done: int = 0
    total: int = 0
    details: tuple[str, ...] = ()
    folder: Path | None = None
    button: str = ""
    settings: tuple[str, ...] = ()
    taken: int = 0


@dataclass(frozen=True, slots=True)
class ExportScope:
    """Threads that can be exported together, by their words; `ids` None: all threads. `name`: of their file.

    `everything`: an archive of all there is, which has no format.
    """

    words: str
    ids: tuple[str, ...] | None
    name: str = "threads"
    everything: bool = False

    @property
    def several(self) -> bool:
        """True where it may be more than one thread."""
        return self.ids is None or len(self.ids) > 1


@dataclass(frozen=True, slots=True)
class ExportWish:
    """`one_file`: several threads go into one file; for other fields see `ExportContents`."""

    scope: ExportScope
    kind: ExportFormat
    details: bool = True
    attached: bool = False
    one_file: bool = False
