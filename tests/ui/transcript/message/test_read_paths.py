"""Paths that are read on, cut and gone back to read as they would if each were read alone."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, cast

from hypothesis import example, given
from hypothesis import strategies as st

from desktop_app.core.citations import SentPassages
from desktop_app.core.messages import Message, Part, Role, TextPart, ToolCallPart, ToolResultPart
from desktop_app.ui.transcript.message.read_messages import ReadPath, ReadPaths
from desktop_app.ui.transcript.message.row_builder import RowBuilder

KINDS: dict[str, tuple[Role, tuple[Part, ...]]] = {
    "question": ("user", (TextPart("words"),)),
    "calls": ("assistant", (ToolCallPart("c", "search", {}),)),
    "results": ("user", (ToolResultPart("c", "found"),)),
}
ACTS = st.sampled_from([*KINDS, "passages", "changed", "last gone", "gone", "branch"])


class Taught:
    """Learns as what makes the rows does."""

    sent: SentPassages | None = None
    take_sent = RowBuilder.take_sent
    learn_sent = RowBuilder.learn_sent


def passages(number: int) -> tuple[Part, ...]:
    """A result with a passage that the one before it had, too."""
    ids = [f"p{number - 1}", f"p{number}"]
    return (ToolResultPart("c", f"found {number}", extra={"passage_ids": cast("Any", ids), "places": [{}, {}]}),)


def taught(read: ReadPath) -> dict[str, object] | None:
    learns: Any = Taught()
    read.teach(learns)
    return vars(learns.sent) if learns.sent is not None else None


@given(st.lists(st.tuples(ACTS, st.sampled_from([0, 0, 0, 1, 2]), st.booleans()), min_size=4, max_size=40))
@example([(act, 0, True) for act in ("question", "passages", "question", "last gone", "changed")])
@example([(act, 0, True) for act in ("results", "question", "last gone", "calls", "results", "passages")])
def test_a_kept_path_reads_as_one_that_is_read_alone(acts: list[tuple[str, int, bool]]) -> None:
    paths: list[tuple[Message, ...]] = [(), (), ()]
    kept = ReadPaths()
    for number, (act, which, looked_at) in enumerate(acts):
        path = paths[which]
        role, parts = KINDS.get(act, ("user", passages(number)))
        if act == "changed":
            path = (*path[:-1], *(replace(one, state="partial", parts=()) for one in path[-1:]))
        elif act in ("last gone", "gone"):
            path = path[: -1 if act == "last gone" else -3]
        elif act == "branch":
            path = paths[(which + 1) % 3]
        else:
            path = (*path, Message(f"m{number}", "t", None, role, parts, ""))
        paths[which] = path
        if looked_at:
            read, afresh = kept.of(path), ReadPath().read(path)
            assert read.messages == afresh.messages
            assert [read.answers.members(one) for one in read.messages] == [
                afresh.answers.members(one) for one in afresh.messages
            ]
            assert [read.answers.id_of(one.id) for one in path] == [afresh.answers.id_of(one.id) for one in path]
            assert read.answers.hidden == afresh.answers.hidden
            assert taught(read) == taught(afresh)
            assert read.find("m0") == afresh.find("m0")
            for one in path:
                assert read.find(one.id) == afresh.find(one.id)
