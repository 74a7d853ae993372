"""The choices for an export: which threads, in which format, with what. Uses no widget and no file."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:  # the controller is loaded after the first paint
    from desktop_app.controller.formats import ExportFormat


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
