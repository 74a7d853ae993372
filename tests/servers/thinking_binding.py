"""Owns which thinking the loopback Messages API takes back. Knows no sockets, and nothing of the program under test.

The rules are those of the provider's documentation of prefix checks:

* A thinking block is bound to `tools`, `system` and everything before it, as they stood in the request that it
  answered. Behind anything else it is refused. Cache marks do not count.
* Leading thinking may be left out, a block between two others may not, and none may be moved or changed.
* Only newer models check.

Texts of nothing but white space do not count here: the API may answer with one, and refuses it in a request.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

from tests.servers.messages_rules import blocks
from tests.servers.messages_script import Answer, Block, Step, Text, Think, ToolUse, whole

CHECKED: Final = re.compile(r"claude-(?:[a-z]+-5-5|(?:fable|mythos)-5-[12])")

REFUSED: Final = (
    "messages.{message}.content.{block}: Invalid `signature` in `{kind}` block. The block is bound to a different "
    'conversation. Remove the block, or set `thinking.block_binding.prefix_mismatch_behavior` to "drop_block". That '
    "setting requires the `thinking-binding-controls-2026-08-01` value in the `anthropic-beta` header."
)
UNKNOWN: Final = "messages.{message}.content.{block}: Invalid `signature` in `{kind}` block"

_THINKING: Final = ("thinking", "redacted_thinking")


@dataclass(frozen=True, slots=True)
class _Bound:
    """What a block came behind: a digest of everything but thinking, and the thinking right before it."""

    digest: str
    before: str | None
    text: str


class ThinkingBindings:
    """Every thinking block that was answered with, by its signature."""

    def __init__(self) -> None:
        self._bound: dict[str, list[_Bound]] = {}
        self._count = 0

    def signed(self, answer: Answer, body: Mapping[str, Any]) -> Answer:
        """The answer with a signature of its own on each thinking step that has none, remembered as bound to `body`."""
        steps = list(answer.steps)
        for index, step in enumerate(steps):
            if isinstance(step, Think) and step.signature is None:
                self._count += 1
                steps[index] = replace(step, signature=f"c2lnbmF0dXJl{self._count:04d}")
        walk = _Walk()
        for _, _, role, block in _placed(body):
            walk.take(role, block)
        for block in _content(steps):
            if (name := _name(block)) is not None:
                bound = _Bound(walk.digest, walk.last, str(block.get("thinking", "")))
                self._bound.setdefault(name, []).append(bound)
            walk.take("assistant", block)
        return Answer(
            *steps,
            stop_reason=answer.stop_reason,
            stop_sequence=answer.stop_sequence,
            usage=answer.usage,
            model=answer.model,
            drip=answer.drip,
        )

    def violation(self, body: Mapping[str, Any]) -> str | None:
        """Why the real API would not take this request's thinking back; None where it would."""
        if not CHECKED.match(str(body["model"])):
            return None
        walk = _Walk()
        for message, place, role, block in _placed(body):
            if (name := _name(block)) is not None:
                known, where = self._bound.get(name), {"message": message, "block": place, "kind": block["type"]}
                if known is None:
                    return UNKNOWN.format_map(where)
                text = str(block.get("thinking", ""))
                fits = (one.digest == walk.digest and one.text == text for one in known)
                follows = walk.last is None or any(one.before == walk.last for one in known)
                if not (any(fits) and follows):
                    return REFUSED.format_map(where)
            walk.take(role, block)
        return None


class _Walk:
    """A digest that grows block by block, and the thinking that was met last."""

    def __init__(self) -> None:
        self._hash = hashlib.sha256()
        self.last: str | None = None

    @property
    def digest(self) -> str:
        return self._hash.hexdigest()

    def take(self, role: str, block: Mapping[str, Any]) -> None:
        if (name := _name(block)) is not None:
            self.last = name
        elif block.get("type") != "text" or block["text"].strip():
            bare = {key: value for key, value in block.items() if key != "cache_control"}
            if not bare.get("citations"):
                bare.pop("citations", None)
            self._hash.update(json.dumps([role, bare], sort_keys=True).encode())


def _placed(body: Mapping[str, Any]) -> Iterator[tuple[int, int, str, dict[str, Any]]]:
    """Message, place within it, role (of tools and system: their name) and block; messages of a role are one turn."""
    before, place = "", 0
    for where, block in blocks(body):
        place = place + 1 if where == before else 0
        before = where
        number, _, role = where.rpartition(".")
        yield int(number or -1), place, role, block


def _name(block: Mapping[str, Any]) -> str | None:
    """What a thinking block is known by; None for any other block."""
    if block.get("type") not in _THINKING:
        return None
    return str(block.get("signature") or block.get("data"))


def _content(steps: list[Step]) -> Iterator[dict[str, Any]]:
    """The blocks that a client gets; equal kinds of text in a row are one."""
    last: dict[str, Any] | None = None
    for step in steps:
        if not isinstance(step, str | Text | Think | ToolUse | Block):
            continue
        block = _finished(Text(step) if isinstance(step, str) else step)
        if last is not None and last["type"] == block["type"] and block["type"] in ("text", "thinking"):
            last |= {key: last[key] + block[key] for key in ("text", "thinking") if key in block}
            last |= {"signature": block["signature"]} if "signature" in block else {}
            continue
        if last is not None:
            yield last
        last = block
    if last is not None:
        yield last


def _finished(step: Text | Think | ToolUse | Block) -> dict[str, Any]:
    """The block with what was streamed after its opening."""
    block = whole(step)
    if isinstance(step, Block):
        partial = ""
        for delta in step.deltas:
            for key, value in delta.items():
                if key == "citation":
                    block["citations"] = [*(block.get("citations") or ()), value]
                elif key == "partial_json":
                    partial += value
                elif key != "type":
                    block[key] = str(block.get(key) or "") + value
        if partial:
            block["input"] = json.loads(partial)
    return block
