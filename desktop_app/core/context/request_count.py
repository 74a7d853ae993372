"""Owns what a provider counted for one request that was not sent yet. Knows no plan and no backend."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class RequestCount:
    """`tokens` as the provider counted them for the request with the hash `request` (see `request_hash`)."""

    request: str
    tokens: int
