"""Link targets that may be opened: web and mail addresses."""

from __future__ import annotations

import re

#: Characters that no shown or opened target may hold: controls, spaces, and marks that turn the reading direction.
_FORBIDDEN = re.compile(r"[\x00-\x20\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\\]")
_ALLOWED = re.compile(r"(?:https?://[^/?#@]*(?:@[^/?#@]*)?[^/?#@]+(?:[/?#].*)?|mailto:[^?#]+@[^?#]+(?:\?.*)?)", re.I)

BARE = re.compile(r"https?://[^\s<>\"'`\x00-\x1f]+", re.I)


def safe_target(target: str) -> str | None:
    """`target` if it may be opened after a click (http, https or mailto, well formed), else None."""
    if len(target) > 4_000 or _FORBIDDEN.search(target) or not _ALLOWED.fullmatch(target):
        return None
    return target


def bare_targets(text: str) -> list[tuple[int, int]]:
    """Return the places of addresses in plain text, as (start, end), without closing punctuation."""
    return [(found.start(), found.start() + len(_trimmed(found.group()))) for found in BARE.finditer(text)]


def _trimmed(address: str) -> str:
    # counted once: an address may consist of nothing but brackets
    unpaired = {")": address.count(")") - address.count("("), "]": address.count("]") - address.count("[")}
    end = len(address)
    while end:
        last = address[end - 1]
        if last not in ".,;:!?*_~。，、；：！？）】」" and unpaired.get(last, 0) <= 0:
            break
        if last in unpaired:
            unpaired[last] -= 1
        end -= 1
    return address[:end]
