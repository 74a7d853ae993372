"""The progress of an import or export, as its page shows it. Uses no widget and no file."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Literal, TypeAlias

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
