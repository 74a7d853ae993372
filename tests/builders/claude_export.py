"""Builds Claude.ai exports: single messages by hand, and whole random conversations, sound or damaged."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

TEXTS = st.text(max_size=12)
TIMES = st.one_of(
    st.just("2025-03-01T10:00:00.123456Z"),
    st.just("2025-03-01T10:00:05+00:00"),
    st.just("2025-03-01T10:00:07"),
    st.just("soon"),
    st.none(),
    st.integers(),
)


def said(uuid: str, sender: str, *content: dict[str, Any] | str, parent: str | None = None, **more: Any) -> Any:
    """A message; a plain string becomes a block of text. Without `parent` it names none, as in older exports."""
    blocks = [{"type": "text", "text": one} if isinstance(one, str) else one for one in content]
    link = {} if parent is None else {"parent_message_uuid": parent}
    text = "\n\n".join(block.get("text", "") for block in blocks)
    times = {"created_at": "2025-03-01T10:00:00.000000Z", "updated_at": "2025-03-01T10:00:00.000000Z"}
    return {
        "uuid": uuid, "sender": sender, "text": text, "content": blocks, "attachments": [], "files": [],
    } | times | link | more  # fmt: skip


def conversation(*messages: Any, **more: Any) -> dict[str, Any]:
    return {
        "uuid": "c1",
        "name": "A talk",
        "created_at": "2025-03-01T09:59:00.000000Z",
        "updated_at": "2025-03-01T11:00:00.000000Z",
        "account": {"uuid": "me"},
        "chat_messages": list(messages),
    } | more


def artifact_call(command: str, **given: Any) -> dict[str, Any]:
    """A call that makes or changes the artifact `poem`."""
    return {"type": "tool_use", "name": "artifacts", "input": {"id": "poem", "command": command} | given}


def junk() -> st.SearchStrategy[Any]:
    """Values of kinds that were not expected."""
    simple = st.one_of(st.none(), st.booleans(), st.integers(), st.floats(allow_nan=False), TEXTS)
    return st.recursive(
        simple, lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(TEXTS, inner, max_size=3)),
        max_leaves=6,
    )  # fmt: skip


def _blocks() -> st.SearchStrategy[Any]:
    ids = st.one_of(st.none(), st.sampled_from(["call-1", "call-2"]))
    given_artifact = st.fixed_dictionaries(
        {"id": st.sampled_from(["poem", "page"]), "command": st.sampled_from(["create", "update", "rewrite"])},
        optional={
            "type": st.sampled_from(["text/markdown", "application/vnd.ant.code", "application/vnd.ant.react", "x"]),
            "title": TEXTS,
            "language": st.one_of(st.none(), TEXTS),
            "content": st.one_of(TEXTS, junk()),
            "old_str": TEXTS,
            "new_str": TEXTS,
            "version_uuid": TEXTS,
        },
    )
    results = st.one_of(
        TEXTS,
        junk(),
        st.lists(st.fixed_dictionaries({"type": st.just("text"), "text": TEXTS}, optional={"url": TEXTS})),
    )
    return st.one_of(
        junk(),
        st.fixed_dictionaries({"type": st.just("text"), "text": TEXTS}, optional={"citations": junk()}),
        st.fixed_dictionaries({"type": st.just("thinking"), "thinking": TEXTS, "summaries": junk()}),
        st.fixed_dictionaries({"type": st.just("tool_use"), "id": ids, "name": TEXTS, "input": junk()}),
        st.fixed_dictionaries({"type": st.just("tool_use"), "name": st.just("artifacts"), "input": given_artifact}),
        st.fixed_dictionaries(
            {"type": st.just("tool_result"), "tool_use_id": ids, "content": results, "is_error": st.booleans()}
        ),
        st.fixed_dictionaries({"type": st.just("voice_note"), "title": TEXTS, "text": TEXTS}),
        st.just({"type": "token_budget"}),
        st.fixed_dictionaries({"type": TEXTS, "value": junk()}),
    )


def _messages(names: list[str]) -> st.SearchStrategy[Any]:
    links = st.one_of(st.none(), st.sampled_from([*names, "00000000-0000-4000-8000-000000000000"]))
    attachments = st.lists(
        st.one_of(
            junk(), st.fixed_dictionaries({"file_name": TEXTS, "extracted_content": TEXTS, "file_size": st.integers()})
        ),
        max_size=2,
    )
    return st.one_of(
        junk(),
        st.fixed_dictionaries(
            {
                "uuid": st.sampled_from(names),
                "sender": st.sampled_from(["human", "assistant", "human", "assistant", "critic"]),
                "text": TEXTS,
                "content": st.one_of(junk(), st.lists(_blocks(), max_size=4)),
                "created_at": TIMES,
            },
            optional={
                "parent_message_uuid": links,
                "attachments": attachments,
                "files": st.lists(st.fixed_dictionaries({"file_name": TEXTS}), max_size=2),
            },
        ),
    )


def conversations() -> st.SearchStrategy[dict[str, Any]]:
    """Conversations of up to 12 messages whose links may be missing, doubled or circular."""
    names = [f"m{index}" for index in range(12)]
    return st.fixed_dictionaries(
        {"name": st.one_of(st.none(), TEXTS), "chat_messages": st.lists(_messages(names), max_size=12)},
        optional={
            "uuid": st.sampled_from(["c1", "c2", "c3"]),
            "created_at": TIMES,
            "updated_at": TIMES,
            "project": st.one_of(junk(), st.fixed_dictionaries({"uuid": TEXTS, "name": TEXTS})),
            "model": TEXTS,
            "current_leaf_message_uuid": st.sampled_from(names),
            "is_starred": st.booleans(),
        },
    )
