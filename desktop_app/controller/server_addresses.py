"""Checks the address of a server: its usual form, whose key it takes."""

from __future__ import annotations

import ipaddress
from typing import Final
from urllib.parse import SplitResult, urlsplit

from desktop_app.backends.connection_errors import is_on_this_computer
from desktop_app.core.backend_descriptors import OPENAI
from desktop_app.core.errors import UserError
from desktop_app.core.phrases import phrase
from desktop_app.core.redaction import holds_secret

KEYLESS_HOST: Final = "api.openai.com"
"""The host of the backend `openai` where no address is set: its key is kept under the backend's own name."""


def usual_form(address: str) -> str:
    """The address with its scheme and without a slash at its end; what is nearby is asked without encryption."""
    text = address.strip().rstrip("/")
    if text and "://" not in text:
        text = f"{'http' if _is_near(f'http://{text}') else 'https'}://{text}"
    return text


def host_of(address: str) -> str:
    """The host in lower case, "" where there is none."""
    parts = _split(address)
    return (parts.hostname or "") if parts is not None else ""


def has_path(address: str) -> bool:
    """Return True if the address names more than a server."""
    parts = _split(address)
    return parts is not None and bool(parts.path.strip("/"))


def is_open_to_others(address: str) -> bool:
    """Return True if the data sent can be read on the way: without encryption to another computer."""
    parts = _split(address)
    return parts is not None and parts.scheme == "http" and bool(parts.hostname) and not is_on_this_computer(address)


def key_entry(backend: str, address: str | None) -> str:
    """The name under which the key for an address is kept, so that a key is only ever sent where it was meant to go.

    Backends with one address use their own name. Scheme, host and port tell servers apart.
    """
    parts = _split(address) if address and backend == OPENAI.name else None
    if parts is None or (parts.scheme == "https" and parts.hostname == KEYLESS_HOST):
        return backend
    return f"{backend}@{parts.scheme}://{parts.netloc.rpartition('@')[2].lower()}"


def refuse_secret(address: str) -> None:
    """`UserError("config")` for an address with a password or key in it: the settings are a plain file."""
    if holds_secret(address):
        raise UserError(
            "config",
            phrase(
                "An address with a password or key in it is not stored. Leave it out of the address and enter it as "
                "the key, or set the whole address in the environment (OPENAI_BASE_URL, ANTHROPIC_BASE_URL)."
            ),
        )


def _is_near(address: str) -> bool:
    if is_on_this_computer(address):
        return True
    try:
        return ipaddress.ip_address(host_of(address)).is_private
    except ValueError:
        return False


def _split(address: str) -> SplitResult | None:
    try:
        return urlsplit(address.strip())
    except ValueError:
        return None
