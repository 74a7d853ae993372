"""Options of the window, as the command line gives them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

NO_ANSWER: Final = 5
"""Exit status where nobody answers: the window that is open, or the screen (PRODUCT.md section 6)."""


@dataclass(frozen=True, slots=True)
class WindowOptions:
    """`plimsoll` without a subcommand. `data_dir` None: PLIMSOLL_HOME, else the system's place for data."""

    data_dir: str | None = None
    backend: str | None = None
    open_thread: str | None = None
    quick: bool = False
    safe_mode: bool = False
    reset_layout: bool = False
