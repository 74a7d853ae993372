"""Builds ChatGPT exports: single nodes by hand, and whole random trees, sound or damaged, with hypothesis."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

TEXTS = st.text(max_size=12)
TIMES = st.one_of(st.none(), st.floats(0, 4e9), st.just("2026-03-01T10:00:00Z"), st.just("soon"), st.just(1e300))


def node(node_id: str, parent: str | None, message: dict[str, Any] | None, *children: str) -> dict[str, Any]:
    return {"id": node_id, "parent": parent, "children": list(children), "message": message}


def said(role: str, content: Any, **more: Any) -> dict[str, Any]:
    """A message; a plain string becomes a text content."""
    if isinstance(content, str):
        content = {"content_type": "text", "parts": [content]}
    author = {"role": role, "name": more.pop("name", None), "metadata": {}}
    return {"author": author, "content": content, "weight": 1, "recipient": "all", "metadata": {}} | more


def conversation(*nodes: dict[str, Any], current: str | None = None, **more: Any) -> dict[str, Any]:
    return {
        "conversation_id": "c1",
        "title": "A talk",
        "create_time": 1_700_000_000.5,
        "update_time": 1_700_000_100.0,
        "mapping": {one["id"]: one for one in nodes},
        "current_node": current,
    } | more


def _contents() -> st.SearchStrategy[Any]:
    junk = st.one_of(st.none(), st.integers(), TEXTS, st.lists(st.integers(), max_size=2))
    parts = st.lists(st.one_of(TEXTS, st.none(), st.just({"content_type": "image_asset_pointer"})), max_size=3)
    thoughts = st.lists(st.one_of(junk, st.fixed_dictionaries({"summary": TEXTS, "content": TEXTS})), max_size=2)
    return st.one_of(
        junk,
        st.fixed_dictionaries({"content_type": st.sampled_from(["text", "multimodal_text"]), "parts": parts}),
        st.fixed_dictionaries({"content_type": st.just("code"), "text": TEXTS, "language": TEXTS}),
        st.fixed_dictionaries({"content_type": st.just("execution_output"), "text": TEXTS}),
        st.fixed_dictionaries({"content_type": st.just("thoughts"), "thoughts": thoughts}),
        st.fixed_dictionaries({"content_type": st.just("tether_quote"), "text": TEXTS, "url": TEXTS}),
        st.fixed_dictionaries({"content_type": TEXTS, "text": junk}),
    )


def _messages() -> st.SearchStrategy[Any]:
    return st.one_of(
        st.none(),
        st.fixed_dictionaries(
            {
                "author": st.fixed_dictionaries(
                    {"role": st.sampled_from(["user", "assistant", "tool", "system", "critic"])}
                ),
                "content": _contents(),
                "weight": st.sampled_from([0, 1, 1, 1, None]),
                "recipient": st.sampled_from(["all", "python", "browser", None]),
                "create_time": TIMES,
                "metadata": st.one_of(st.none(), st.just({"is_visually_hidden_from_conversation": True}), st.just({})),
            }
        ),
    )


@st.composite
def conversations(draw: st.DrawFn) -> dict[str, Any]:
    """A tree of up to 12 nodes whose links may be missing, doubled or circular."""
    names = [f"n{index}" for index in range(draw(st.integers(0, 12)))]
    links = st.one_of(st.none(), st.sampled_from([*names, "nowhere"]))
    children = st.lists(st.sampled_from([*names, "nowhere"]), max_size=3)
    nodes = {
        name: {"id": name, "parent": draw(links), "children": draw(children), "message": draw(_messages())}
        for name in names
    }
    return {
        "conversation_id": draw(st.one_of(st.none(), st.just("c1"))),
        "title": draw(st.one_of(st.none(), TEXTS)),
        "create_time": draw(TIMES),
        "update_time": draw(TIMES),
        "current_node": draw(links),
        "mapping": nodes,
    }
