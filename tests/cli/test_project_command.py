from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import Path

import pytest

from desktop_app.composition import compose
from desktop_app.core.context.text_features import features
from desktop_app.core.context.token_estimator import TokenEstimator
from tests.cli.command import Plimsoll
from tests.cli.conftest import Here
from tests.patience import PATIENCE_S

NOTES = "# Pricing\n\nThe basic plan is 9 dollars a month.\n\n# Support\n\nMail is answered within a day.\n"
PRICES = "The basic plan costs 12.40 EUR, the large one 31. " * 40


def notes(tmp_path: Path, name: str = "notes.md", text: str = NOTES) -> Path:
    file = tmp_path / name
    file.parent.mkdir(exist_ok=True, parents=True)
    file.write_text(text, "utf-8")
    return file


def test_what_is_added_is_shown(here: Here, tmp_path: Path) -> None:
    assert here("project", "create", "Shop", "--instructions", "Answer in French.").status == 0
    added = here("project", "add", "shop", str(notes(tmp_path)))
    assert (added.status, added.out.startswith("Shop: 1 document read, ")) == (0, True)
    shown = here("project", "show", "SHOP", "--json").json
    (document,) = shown.pop("documents")
    assert shown == {"name": "Shop", "instructions": "Answer in French.", "changes": [], "threads": []}
    assert document.keys() == {"id", "name", "type", "tokens", "mode", "state", "error", "note"}
    assert document["tokens"] > 10
    expected = {
        "name": "notes.md",
        "type": "text/markdown",
        "mode": "search",
        "state": "ready",
        "error": None,
        "note": None,
    }
    assert document.items() >= expected.items()
    assert here("project", "list", "--json").json == [{"name": "Shop", "documents": 1, "threads": 0}]
    # no model has counted them: a thread's plan may say another number
    assert f"≈ {document['tokens']} tokens  notes.md  (searched when needed)" in here("project", "show", "Shop").out
    assert added.out == f"Shop: 1 document read, ≈ {document['tokens']} tokens.\n"


def test_adding_makes_the_project_and_takes_folders(here: Here, tmp_path: Path) -> None:
    notes(tmp_path, "folder/a.md")
    notes(tmp_path, "folder/inside/b.txt", "The warehouse is in Lyon.")
    added = here("project", "add", "Shop", str(tmp_path / "folder"), "--always")
    assert added.status == 0
    documents = here("project", "show", "Shop", "--json").json["documents"]
    assert {(one["name"], one["mode"]) for one in documents} == {("a.md", "always"), ("b.txt", "always")}


def test_a_file_that_cannot_be_read_is_named_and_the_others_are_read(here: Here, tmp_path: Path) -> None:
    broken = tmp_path / "broken.pdf"
    broken.write_bytes(b"%PDF-1.7 nothing")
    added = here("project", "add", "Shop", str(notes(tmp_path)), str(broken))
    assert (added.status, added.out.startswith("Shop: 1 document read")) == (2, True)
    assert "broken.pdf" in added.err
    states = {one["name"]: one["state"] for one in here("project", "show", "Shop", "--json").json["documents"]}
    assert states == {"notes.md": "ready", "broken.pdf": "failed"}
    missing = here("project", "add", "Shop", str(tmp_path / "nothing.txt"))
    assert missing.status == 2
    assert "nothing.txt" in missing.err


def test_documents_are_removed_by_name_and_files_stay(here: Here, tmp_path: Path) -> None:
    file = notes(tmp_path)
    here("project", "add", "Shop", str(file))
    wrong = here("project", "remove", "Shop", "other.md")
    assert (wrong.status, "other.md" in wrong.err) == (2, True)
    assert here("project", "remove", "Shop", "notes.md").status == 0
    assert here("project", "show", "Shop", "--json").json["documents"] == []
    assert file.exists()


def test_a_followed_folder_is_read(here: Here, tmp_path: Path) -> None:
    notes(tmp_path, "folder/a.md")
    here("project", "create", "Shop")
    assert here("project", "follow", "Shop", str(tmp_path / "folder")).status == 0
    assert [one["name"] for one in here("project", "show", "Shop", "--json").json["documents"]] == ["a.md"]
    assert here("project", "follow", "Shop", str(tmp_path / "no")).status == 2


def test_a_file_that_is_there_already_is_told(here: Here, tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("The fee is 4 crowns.")
    (tmp_path / "b.txt").write_text("The fee is 4 crowns.")
    here("project", "add", "P", str(tmp_path / "a.txt"))
    again = here("project", "add", "P", str(tmp_path / "a.txt"), str(tmp_path / "b.txt"))
    assert again.status == 0
    assert "“a.txt” is in the project already. It is read again." in again.err
    assert "“b.txt” is the same file as “a.txt”." in again.err


@pytest.mark.parametrize("more", [(), ("--json",)])
def test_changes_in_a_followed_folder_are_told_and_read_by_following_it_again(
    here: Here, tmp_path: Path, more: tuple[str, ...]
) -> None:
    folder = notes(tmp_path, "folder/a.md").parent
    here("project", "create", "Shop")
    here("project", "follow", "Shop", str(folder))
    assert here("ask", *more, "--project", "Shop", "Hello").err.count("followed folders") == 0
    notes(tmp_path, "folder/a.md", NOTES * 2)
    notes(tmp_path, "folder/b.md")
    found = [{"kind": "changed", "path": "a.md"}, {"kind": "new", "path": "b.md"}]
    assert here("project", "show", "Shop", "--json").json["changes"] == found
    shown = here("project", "show", "Shop").out
    assert [line.split() for line in shown.splitlines() if line.endswith(("a.md", "b.md"))] == [
        ["changed", "a.md"],
        ["new", "b.md"],
    ]
    words = (
        "Files in followed folders of “Shop”: 1 new, 1 changed. `plimsoll project follow` with the folder reads them."
    )
    asked = here("ask", *more, "--project", "Shop", "Hello")
    assert asked.status == 0
    if more:
        assert [(line["code"], line["message"]) for line in asked.of("notice")] == [("folder_changes", words)]
    else:
        assert words in asked.err
    followed = here("project", "follow", "Shop", str(folder))
    assert (followed.status, followed.out.startswith("Shop: 2 documents read")) == (0, True)
    assert here("project", "show", "Shop", "--json").json["changes"] == []


def test_what_is_not_there_is_no_document_and_makes_no_project(here: Here, tmp_path: Path) -> None:
    """`project add P /nonexistent` made a project with "1 document"."""
    added = here("project", "add", "Shop", str(tmp_path / "gone.md"))
    assert (added.status, added.out) == (2, "")
    assert added.err == "There is no file “gone.md”. Check the name, or whether it was moved.\n"
    assert here("project", "list", "--json").json == []
    both = here("project", "add", "Shop", str(tmp_path / "gone.md"), str(notes(tmp_path)))
    assert (both.status, "gone.md" in both.err) == (2, True)
    broken = tmp_path / "broken.pdf"
    broken.write_bytes(b"%PDF-1.7 nothing")
    assert here("project", "add", "Shop", str(broken)).status == 2
    assert here("project", "list", "--json").json == [{"name": "Shop", "documents": 1, "threads": 0}]


def test_a_question_in_a_project(here: Here, tmp_path: Path) -> None:
    here("project", "create", "Shop", "--instructions", "Answer in French.")
    here("project", "add", "Shop", str(notes(tmp_path)), "--always")
    asked = here("ask", "--json", "--project", "shop", "What does the basic plan cost?")
    assert asked.status == 0
    context = asked.of("context")[0]
    assert context["tokens"]["documents"] > 10
    (thread,) = here("threads", "--json").json
    assert [one["id"] for one in here("project", "show", "Shop", "--json").json["threads"]] == [thread["id"]]
    request = here("context", thread["id"], "--request", "--json", "--draft", "And?").json["request"]
    assert "Answer in French." in str(request)
    assert request["messages"][0]["content"][0] == "[document]"


def test_a_document_has_one_figure_wherever_it_is_told(here: Here, plimsoll: Plimsoll, tmp_path: Path) -> None:
    here("project", "add", "Shop", str(notes(tmp_path, text=PRICES)), "--always")
    here("ask", "--json", "--project", "Shop", "What does it cost?")
    (thread,) = here("threads", "--json").json
    read = asyncio.run(_with_learned_weights(plimsoll.folder, thread["id"]))
    (document,) = here("context", thread["id"], "--json", "--draft", "And?").json["documents"]
    assert document["state"] == "whole"
    assert document["tokens"] > 1.2 * read, "the model has been found to need more than a reader's estimate"
    shown = here("project", "show", "Shop", "--json").json["documents"]
    assert [one["tokens"] for one in shown] == [document["tokens"]]
    assert f"≈ {document['tokens']:,} tokens" in here("project", "show", "Shop").out


async def _with_learned_weights(folder: Path, thread_id: str) -> int:
    """Lets the thread's model be one that counts half as much again; returns what the reading estimated."""
    services = await compose(folder, environ={})
    try:
        choice = await services.chat.chooser.choose((await services.chat.open_thread(thread_id)).thread)
        family = choice.model.tokenizer
        seed = TokenEstimator.seeded(family)
        text = features(PRICES)
        learned = seed
        for _ in range(8):
            learned = learned.observe(text, round(1.5 * seed.tokens(text)))
        await services.history.save_token_weights(choice.backend.name, choice.model.id, learned.weights())
        (document,) = await services.projects.documents((await services.projects.find("Shop")).id)
        return document.tokens
    finally:
        await services.close()


def test_a_document_weighs_the_same_searched_or_always_included_and_what_has_no_room_says_so(
    here: Here, plimsoll: Plimsoll, tmp_path: Path
) -> None:
    """9,262 in `project add`, 13,140 with `--always`; 451K of at most 45K where 10.7K went."""
    plimsoll.environ |= {"ANTHROPIC_BASE_URL": "http://127.0.0.1:9", "ANTHROPIC_API_KEY": "sk-ant-test"}
    (plimsoll.folder / "settings.toml").write_text('[backend]\ndefault = "anthropic"\n')
    prices = str(notes(tmp_path, "prices.md", PRICES))
    added = [here("project", "add", name, prices, *always).out for name, always in (("A", ()), ("B", ("--always",)))]
    (searched,), (always,) = (here("project", "show", name, "--json").json["documents"] for name in "AB")
    weighs = searched["tokens"]
    assert always["tokens"] == weighs
    assert [line.strip() for line in added] == [f"{name}: 1 document read, ≈ {weighs:,} tokens." for name in "AB"]
    here("project", "add", "B", str(notes(tmp_path, "long.md", PRICES * 100)), "--always")
    shown = {one["name"]: one for one in here("project", "show", "B", "--json").json["documents"]}
    why = "searched instead: always included documents share 45K tokens"
    assert {name: (one["mode"], one["note"]) for name, one in shown.items()} == {
        "prices.md": ("always", None),
        "long.md": ("always", why),
    }
    assert shown["prices.md"]["tokens"] == weighs
    assert f"≈ {shown['long.md']['tokens']:,} tokens  long.md  ({why})" in here("project", "show", "B").out


def test_an_unknown_project_is_said_before_anything_is_made(here: Here) -> None:
    asked = here("ask", "--json", "--project", "Nowhere", "Hello")
    assert asked.status == 3
    assert (asked.lines[-1]["type"], asked.lines[-1]["code"]) == ("error", "config")
    assert "Nowhere" in asked.lines[-1]["message"]
    assert here("threads", "--json").json == []
    assert here("project", "show", "Nowhere").status == 3
    assert here("ask", "--project", "Nowhere", "--thread", "abc", "Hello").status == 2


LOOKS = (("project", "show", "Shop"), ("project", "list"), ("threads",), ("artifact", "list"))


@pytest.mark.parametrize("looking", LOOKS, ids=" ".join)
def test_a_look_ends_when_its_reader_has_gone_and_reads_nothing(
    here: Here, plimsoll: Plimsoll, tmp_path: Path, looking: tuple[str, ...]
) -> None:
    thread = here("ask", "--json", "Hello").of("done")[0]["thread"]
    here("project", "add", "Shop", str(notes(tmp_path)))
    asyncio.run(_with_artifact_and_waiting_document(plimsoll.folder, thread))
    running = plimsoll.start(*looking)
    assert running.stdout is not None
    running.stdout.close()
    try:
        assert running.wait(PATIENCE_S) == 0
    finally:
        running.kill()
        running.wait()
        assert running.stderr is not None
        told = running.stderr.read()
        running.stderr.close()
    assert told == b""
    (document,) = here("project", "show", "Shop", "--json").json["documents"]
    assert document["state"] == "waiting"


async def _with_artifact_and_waiting_document(folder: Path, thread: str) -> None:
    """As after a window that was ended in the middle of reading."""
    services = await compose(folder, environ={})
    try:
        await services.artifacts.create(thread, "Order", "first\n")
        project = await services.projects.find("Shop")
        documents = await services.projects.documents(project.id)
        await services.history.projects.save_documents([replace(one, state="waiting") for one in documents])
    finally:
        await services.close()
