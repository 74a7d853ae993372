"""Builds lines of Claude Code's sessions: single ones by hand, and whole random sessions, sound or damaged."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from tests.builders.claude_export import TEXTS, TIMES, junk

SESSION = "5e551011-0000-4000-8000-000000000001"


def line(kind: str, uuid: str, parent: str | None, **more: Any) -> dict[str, Any]:
    return {
        "type": kind, "uuid": uuid, "parentUuid": parent, "sessionId": SESSION, "isSidechain": False,
        "cwd": "/home/mate/voyage", "timestamp": "2026-03-01T10:00:00.000Z", "version": "2.1.330",
    } | more  # fmt: skip


def asked(uuid: str, parent: str | None, content: Any, **more: Any) -> dict[str, Any]:
    return line("user", uuid, parent, message={"role": "user", "content": content}, **more)


def answered(uuid: str, parent: str | None, *blocks: Any, answer: str = "", **more: Any) -> dict[str, Any]:
    """A line of the answer with the id `answer`; a plain string becomes a block of text."""
    content = [{"type": "text", "text": one} if isinstance(one, str) else one for one in blocks]
    calls = any(block.get("type") == "tool_use" for block in content)
    message = {
        "id": answer or f"msg_{uuid}", "type": "message", "role": "assistant", "model": "claude-opus-4-6",
        "content": content, "stop_reason": more.pop("stop_reason", "tool_use" if calls else "end_turn"),
        "usage": more.pop("usage", {"input_tokens": 3, "cache_read_input_tokens": 20, "output_tokens": 5}),
    }  # fmt: skip
    return line("assistant", uuid, parent, message=message | more.pop("message", {}), **more)


def call(call_id: str, name: str = "Read", **given: Any) -> dict[str, Any]:
    return {"type": "tool_use", "id": call_id, "name": name, "input": given}


def result(call_id: str, content: Any = "done") -> dict[str, Any]:
    return {"type": "tool_result", "tool_use_id": call_id, "content": content}


def sessions() -> st.SearchStrategy[list[Any]]:
    """Up to 14 lines whose links may be missing, doubled or circular."""
    names = [f"l{index}" for index in range(14)]
    links = st.one_of(st.none(), st.sampled_from([*names, "elsewhere"]))
    blocks = st.one_of(
        junk(),
        st.just({"type": "text", "text": "Land ahoy"}),
        st.fixed_dictionaries({"type": st.just("text"), "text": TEXTS}),
        st.fixed_dictionaries({"type": st.just("thinking"), "thinking": TEXTS, "signature": TEXTS}),
        st.fixed_dictionaries(
            {"type": st.just("tool_use"), "id": st.sampled_from("ab"), "name": TEXTS, "input": junk()}
        ),
        st.fixed_dictionaries(
            {"type": st.just("tool_result"), "tool_use_id": st.sampled_from("ab"), "content": st.one_of(TEXTS, junk())}
        ),
        st.fixed_dictionaries(
            {"type": st.just("image"), "source": st.just({"type": "base64", "media_type": "image/png", "data": "QQ=="})}
        ),
    )
    content = st.one_of(TEXTS, junk(), st.lists(blocks, min_size=1, max_size=3))
    message = st.fixed_dictionaries(
        {"role": st.sampled_from(["user", "assistant"]), "content": content},
        optional={
            "id": st.sampled_from(["m1", "m2", "m3"]),
            "model": st.sampled_from(["claude-opus-4-6", "<synthetic>"]),
            "stop_reason": st.sampled_from([None, "tool_use", "end_turn"]),
            "usage": st.one_of(junk(), st.fixed_dictionaries({"input_tokens": st.integers()})),
        },
    )
    lines = st.fixed_dictionaries(
        {
            "type": st.sampled_from(["user", "assistant", "assistant", "user", "system", "attachment", "progress"]),
            "uuid": st.sampled_from(names),
            "parentUuid": links,
            "sessionId": st.just(SESSION),
            "timestamp": TIMES,
            "message": st.one_of(message, message, message, junk()),
        },
        optional={
            "isSidechain": st.booleans(),
            "isMeta": st.booleans(),
            "isApiErrorMessage": st.booleans(),
            "logicalParentUuid": links,
            "cwd": TEXTS,
            "toolUseResult": junk(),
            "agentId": TEXTS,
        },
    )
    titles = st.one_of(
        st.fixed_dictionaries({"type": st.just("summary"), "summary": TEXTS, "leafUuid": st.sampled_from(names)}),
        st.fixed_dictionaries({"type": st.just("custom-title"), "customTitle": TEXTS, "sessionId": st.just(SESSION)}),
    )
    others = st.lists(st.one_of(titles, junk()), max_size=2)
    whole = st.lists(lines, min_size=1, max_size=12)
    return st.tuples(whole, others, st.integers(0, 12)).map(lambda drawn: _with_others(*drawn))


def _with_others(whole: list[Any], others: list[Any], at: int) -> list[Any]:
    return [*whole[:at], *others, *whole[at:]]
