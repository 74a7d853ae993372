"""Owns what becomes of a model's abilities on the way through the `claude` program. Knows nothing of processes.

Measured with version 2.1.330, model by model (`test_real_program.py` measures the borders again).
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Final

from desktop_app.backends.claude_cli.invocation import EFFORTS
from desktop_app.core.model_catalog import ModelInfo

ALWAYS_THINKS_FROM: Final = (5, 5)
"""From this version on the program sends `thinking: adaptive`, whatever it is told."""

_VERSION = re.compile(r"claude-[a-z]+-(\d{1,2})(?:-(\d{1,2}))?(?!\d)")


def in_program(model: ModelInfo) -> ModelInfo:
    """The model as the program offers it.

    The program lets even those models think that the API does not let think by itself. It has a search of the web of
    its own, which is off like all its tools, and no way to a temperature.
    """
    found = _VERSION.search(model.id)
    version = (int(found[1]), int(found[2] or 0)) if found else ALWAYS_THINKS_FROM
    always = model.thinking == "always" or version >= ALWAYS_THINKS_FROM
    return replace(
        model,
        accepts_tools=True,
        accepts_images=True,
        accepts_pdf=True,
        efforts=tuple(level for level in model.efforts if level in EFFORTS),
        thinking="always" if always else "choice",
        web_search=False,
        temperature=False,
    )
