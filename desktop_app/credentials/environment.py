"""Owns which environment variable holds the key of which backend. Knows no keyring."""

from __future__ import annotations

from collections.abc import Mapping

from desktop_app.core.backend_descriptors import KEY_VARIABLES


def key_from_environment(environ: Mapping[str, str], backend: str) -> str | None:
    """The key that stands in the environment; None for an empty one or a backend without a variable."""
    return environ.get(KEY_VARIABLES.get(backend, ""), "").strip() or None
