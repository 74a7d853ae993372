"""The tree of messages."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from desktop_app.core.conversation import Conversation
from desktop_app.core.messages import Message, TextPart
from tests.counted_calls import CountedCalls


def _message(name: str, parent: str | None) -> Message:
    return Message(name, "t", parent, "user", (TextPart(name),), "2026-01-01T00:00:00Z")


def test_branches_have_their_own_paths_and_know_their_siblings() -> None:
    tree = Conversation([_message("a", None), _message("b", "a"), _message("c", "a"), _message("d", "c")])
    assert [m.id for m in tree.path("d")] == ["a", "c", "d"]
    assert [m.id for m in tree.path("b")] == ["a", "b"]
    assert tree.siblings("b") == ("b", "c")
    assert tree.children("a") == ("b", "c")
    assert tree.children(None) == ("a",)
    assert tree.newest_leaf("a") == "d"
    assert tree.path(None) == ()


def test_a_version_among_thousands_is_placed_in_few_steps() -> None:
    """As an archive of 30,000 versions of a question may have them; they are ordered by time, whatever came first."""
    calls: dict[int, float] = {}
    for count in (200, 2_000):
        said = [replace(_message(f"m{n}", None), created=f"{(n * 7_919) % count:06}") for n in range(count)]
        with CountedCalls() as work:
            tree = Conversation(said)
        assert list(tree.children(None)) == [one.id for one in sorted(said, key=lambda one: one.created)]
        calls[count] = work.calls / count
    assert calls[2_000] < 2 * calls[200], calls


def test_replacing_a_message_keeps_its_place() -> None:
    tree = Conversation([_message("a", None), _message("b", "a")])
    tree.add(replace(tree["b"], parts=(TextPart("longer"),)))
    assert (len(tree), tree.children("a"), tree["b"].text) == (2, ("b",), "longer")


@given(st.dictionaries(st.integers(0, 9), st.integers(-1, 9)))
def test_damaged_links_never_hang_and_paths_have_no_repeats(links: dict[int, int]) -> None:
    tree = Conversation(_message(str(a), str(b) if b >= 0 else None) for a, b in links.items())
    for name in map(str, links):
        path = [m.id for m in tree.path(name)]
        assert path[-1] == name
        assert len(path) == len(set(path))
        assert name in tree.siblings(name)
        assert tree.newest_leaf(name) in tree
