"""Owns hypothesis strategies for what storage must carry: any text, any JSON."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

_LONG = "the tide comes in twice a day and takes what was left on the sand " * 4


def texts() -> st.SearchStrategy[str]:
    """Any text, lone surrogates and NUL too; some long enough for a block, some labelled, some ending in lines."""
    short = st.text(st.characters(), max_size=12)
    return short | st.builds(
        lambda label, start, long, end: label + start + long + end,
        st.sampled_from(["", "[USER]: ", "[ASSISTANT]: ", "[USER]: [USER]: "]),
        short,
        st.sampled_from(["", _LONG, _LONG * 3]),
        st.sampled_from(["", "\n", "\n\n", "\n\n\n\n", "\r\n"]) | short,
    )


def json_values() -> st.SearchStrategy[Any]:
    numbers = st.integers(-(10**30), 10**30) | st.floats(allow_nan=False)
    leaves = st.none() | st.booleans() | numbers | texts()
    names = st.sampled_from(["$", "$o", "$s", "$t", "$j", "stdin"]) | texts()
    return st.recursive(
        leaves, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(names, inner, max_size=3), max_leaves=6
    )


def json_objects() -> st.SearchStrategy[dict[str, Any]]:
    names = st.sampled_from(["$", "$o", "$s", "$t", "$j", "stdin", "messages", "system"]) | texts()
    return st.dictionaries(names, json_values(), max_size=3)
