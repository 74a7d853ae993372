"""How long a test waits for what must come: a protection against hanging, far above what a busy machine needs."""

from __future__ import annotations

from typing import Final

PATIENCE_S: Final = 120.0
PATIENCE_MS: Final = 120_000
