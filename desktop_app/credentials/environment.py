"""Owns which environment variable holds the key of which backend. Knows no keyring."""

from __future__ import annotations

from collections.abc import Mapping

VARIABLES: Mapping[str, str] = {"anthropic": "ANTHROPIC_API_KEY", "openai": "OPENAI_API_KEY"}


def key_from_environment(environ: Mapping[str, str], backend: str) -> str | None:
    """The key that stands in the environment; None for an empty one or a backend without a variable."""
    return environ.get(VARIABLES.get(backend, ""), "").strip() or None
