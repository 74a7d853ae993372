"""`plimsoll sync` as processes: two data folders over one folder, what is exchanged, and each refusal's exit status."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.command import Plimsoll

pytestmark = pytest.mark.slow

machine = Plimsoll.machine


def test_two_machines_exchange_through_a_folder(tmp_path: Path) -> None:
    place, secret, wrong = tmp_path / "place", tmp_path / "passphrase", tmp_path / "wrong"
    place.mkdir()
    secret.write_text("quiet harbor lantern seven\n")
    wrong.write_text("another one\n")
    keep = ("--passphrase-file", str(secret))
    desk, laptop = machine(tmp_path / "desk"), machine(tmp_path / "laptop")
    assert desk("sync", "now", *keep).status == 3, "it is not set up"
    assert desk("sync", "setup", str(tmp_path / "none" / "here"), *keep).status == 5
    made = desk("sync", "setup", str(place), *keep, "--device", "Desk", "--json")
    assert made.status == 0, made.err
    assert made.json["recovery_key"].startswith("AGE-SECRET-KEY-")
    assert desk("ask", "Tides and winds").status == 0
    sent = desk("sync", "now", *keep, "--json")
    assert set(sent.json) == {"sent", "received", "threads", "bytes"}
    assert sent.json["sent"] > 0
    assert laptop("sync", "setup", str(place), "--passphrase-file", str(wrong)).status == 3
    assert laptop("sync", "setup", str(place), *keep, "--device", "Laptop").status == 0
    assert laptop("sync", "now", *keep, "--json").json["threads"] == 1
    (thread,) = laptop("threads", "--json").json
    assert laptop("ask", "--thread", thread["id"], "And currents").status == 0
    assert laptop("sync", "now", *keep).status == 0
    assert desk("sync", "now", *keep, "--json").json["received"] > 0
    assert "And currents" in desk("show", thread["id"]).out
    told = desk("sync", "status", "--json").json
    assert set(told) == {"place", "device", "devices", "waiting", "paused"}
    assert [one["name"] for one in told["devices"]] == ["Desk", "Laptop"]
    gone = place.rename(tmp_path / "gone")
    assert desk("sync", "now", *keep).status == 5
    place.mkdir()
    assert desk("sync", "now", *keep).status == 6, "it was emptied"
    place.rmdir()
    gone.rename(place)
    assert desk("sync", "now", *keep).status == 0
    new = tmp_path / "new"
    new.write_text("another quiet passphrase\n")
    remove = ("sync", "devices", "revoke", told["devices"][1]["id"], "--passphrase-file", str(new))
    refused = desk(*remove)
    assert (refused.status, "the second line" in refused.err) == (3, True), "there is no keyring"
    new.write_text("another quiet passphrase\nquiet harbor lantern seven\n")
    assert "AGE-SECRET-KEY-" in desk(*remove).out
    assert laptop("sync", "now", *keep).status == 3
    assert desk("sync", "leave").status == 0
    assert desk("sync", "status", "--json").json["place"] == ""
    assert len(desk("threads", "--json").json) == 1


def test_a_projects_documents_weigh_the_same_on_both_machines(tmp_path: Path) -> None:
    place, secret = tmp_path / "place", tmp_path / "passphrase"
    place.mkdir()
    secret.write_text("quiet harbor lantern seven\n")
    keep = ("--passphrase-file", str(secret))
    desk, laptop = machine(tmp_path / "desk"), machine(tmp_path / "laptop")
    for name, text in (("b/zebra.txt", "Stripes."), ("c/apple.md", "# Fruit\n\nRed."), ("notes/tide.txt", "At noon.")):
        (tmp_path / name).parent.mkdir()
        (tmp_path / name).write_text(f"{text} {'The water rises twice a day. ' * 30}")
    assert desk("project", "add", "Sea", str(tmp_path / "b"), str(tmp_path / "c"), "--always").status == 0
    assert desk("project", "follow", "Sea", str(tmp_path / "notes")).status == 0
    assert desk("ask", "--project", "Sea", "When?").status == 0
    assert desk("sync", "setup", str(place), *keep).status == 0
    assert desk("sync", "now", *keep).status == 0
    (tmp_path / "notes").rename(tmp_path / "away")
    assert laptop("sync", "setup", str(place), *keep).status == 0
    assert laptop("sync", "now", *keep).status == 0
    (thread,) = laptop("threads", "--json").json
    # of another model: the answer has taught the desk's estimator, and what was learned is not synced
    desk.environ = laptop.environ = {"ANTHROPIC_API_KEY": "sk-ant-none"}
    asked = ("context", thread["id"], "--draft", "And then?", "--backend", "anthropic", "--request", "--json")
    here, there = desk(*asked).json, laptop(*asked).json
    assert here == there
    assert "Stripes." in str(here["request"])
    shown = laptop("project", "show", "Sea", "--json").json
    assert {(one["name"], one["state"]) for one in shown["documents"]} == {
        *(("zebra.txt", "ready"), ("apple.md", "ready"), ("tide.txt", "ready"))
    }
    assert str(tmp_path) not in str(shown)
    tide = next(one["id"] for one in shown["documents"] if one["name"] == "tide.txt")
    assert laptop("project", "remove", "Sea", "apple.md").status == 0
    assert laptop("project", "remove", "Sea", tide).status == 0
    assert laptop("sync", "now", *keep).status == 0
    assert desk("sync", "now", *keep).status == 0
    (left,) = desk("project", "show", "Sea", "--json").json["documents"]
    assert left["name"] == "zebra.txt"
