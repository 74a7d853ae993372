"""`context` of a thread in a project: documents of both kinds, in words and as JSON."""

from __future__ import annotations

from pathlib import Path

from tests.cli.conftest import Here


def test_both_kinds_of_documents_are_told_with_what_they_weigh(here: Here, tmp_path: Path) -> None:
    small, large = tmp_path / "small.md", tmp_path / "large.md"
    small.write_text("# Small\n\n" + "A seat is 12 euros. " * 40)
    large.write_text("# Large\n\n" + "Payment within 30 days. " * 80)
    assert here("project", "add", "Shop", str(small), "--always").status == 0
    assert here("project", "add", "Shop", str(large)).status == 0
    in_project = here("project", "show", "Shop", "--json").json["documents"]
    asked = here("ask", "--project", "Shop", "--json", "What does a seat cost?").of("context")[0]
    (thread,) = here("threads", "--json").json
    shown = here("context", thread["id"], "--draft", "And two?", "--json").json
    always, searched = shown["documents"]
    assert always.keys() == searched.keys() == {"id", "name", "mode", "tokens", "state"}
    assert (always["name"], always["mode"], always["state"]) == ("small.md", "always", "whole")
    assert (searched["name"], searched["mode"], searched["state"]) == ("large.md", "search", "searched")
    weighs = next(one["tokens"] for one in in_project if one["name"] == "small.md")
    assert asked["documents"][0]["tokens"] == asked["tokens"]["documents"] == weighs > 0
    assert always["tokens"] == shown["tokens"]["documents"], "as its provider counted it"
    assert searched["tokens"] == 0
    lines = here("context", thread["id"], "--draft", "And two?").out.splitlines()
    at = lines.index("Documents 1 always included, 1 searched")
    assert lines[at + 1].split() == [f"{always['tokens']:,}", "small.md"]
    outside = here("context", "--draft", "Hello")
    assert "Documents" not in outside.out
