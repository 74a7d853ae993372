"""Owns an analyst's talk: documents of real sizes, what is asked about them, and a model that follows a script.

The same for the same numbers. Knows no backend and measures nothing.
"""

from __future__ import annotations

import json
import random
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from tests.benchmarks.plain_talk import WORDS
from tests.servers.messages_api import Answer, CapturedRequest, ToolUse

SMALLEST, LARGEST = 300, 200_000
"""Words of the shortest and the longest document."""

FACTS: Final = (
    ("Decision 1: the portal keeps invoices for 3,650 days.", "how long are invoices kept", "3,650 days"),
    ("Decision 2: orders above 48,200 euros need two signatures.", "signatures for large orders", "48,200 euros"),
    ("Decision 3: the supplier of the scanners is Norberg & Sons.", "supplier of scanners", "Norberg & Sons"),
    ("Decision 4: reports leave on Thursday at nine.", "when do reports leave", "Thursday at nine"),
    ("Decision 5: the pilot runs in Rotterdam first.", "where does the pilot run", "Rotterdam"),
)
"""What is said in the first turns, how it is looked for later, and what has to be found."""

QUESTION, ANSWER = 100, 250
"""Words of what is said beside the question and the value."""

TITLE: Final = "Order requirements"
END: Final = "(end of the requirements)"
_PASSAGE: Final = re.compile(r"\[?([0-9a-f]{10}-\d+)\]?")


@dataclass(frozen=True, slots=True)
class Clause:
    """Something that one document says once, somewhere in it."""

    document: str
    about: str
    value: str

    @property
    def sentence(self) -> str:
        return f"The {self.about} is set to {self.value} by agreement."


def prose(chance: random.Random, words: int) -> Iterator[str]:
    """Sentences of so many words together."""
    while words > 0:
        length = min(words, chance.randint(6, 22))
        drawn = [chance.choice(WORDS[chance.random() < 0.15]) for _ in range(length)]
        words -= length
        yield " ".join(drawn).capitalize() + "."


def write_documents(folder: Path, count: int, largest: int = LARGEST, *, seed: int = 3) -> list[Clause]:
    """Writes Markdown files of 300 to `largest` words with sections of some 200; returns one clause of each."""
    chance = random.Random(seed)
    clauses = []
    for number in range(count):
        words = round(SMALLEST * (largest / SMALLEST) ** (number / max(1, count - 1)))
        about = (
            f"{chance.choice(WORDS[1])} {chance.choice(WORDS[1])} allowance of module {chr(65 + number % 26)}{number}"
        )
        clause = Clause(f"module-{number:02}.md", about, f"{chance.randint(1_000, 99_999):,} units")
        sentences, lines, written = list(prose(chance, words)), [f"# Module {number}"], 0
        place = chance.randrange(len(sentences))
        for at, sentence in enumerate(sentences):
            if at % 14 == 0:
                written += 1
                lines.append(f"\n## Section {written}\n")
            lines.append(f"{clause.sentence} {sentence}" if at == place else sentence)
        (folder / clause.document).write_text("\n".join(lines), "utf-8")
        clauses.append(clause)
    return clauses


@dataclass(slots=True)
class Requirements:
    """The document that the model writes: its text after every version."""

    versions: list[str] = field(default_factory=list)

    def next(self, clause: Clause, chance: random.Random) -> dict[str, Any]:
        """The input of the call that writes the next version; every fourth one is whole, the others are edits."""
        line = f"- {clause.about}: {clause.value} ({clause.document})\n  {' '.join(prose(chance, 120))}\n"
        if not self.versions:
            text = f"# {TITLE}\n\n{line}{END}"
            self.versions.append(text)
            return {"title": TITLE, "kind": "markdown", "text": text}
        text = self.versions[-1].replace(END, f"{line}{END}")
        self.versions.append(text)
        if len(self.versions) % 4 == 0:
            return {"id": TITLE, "text": text}
        return {"id": TITLE, "edits": [{"old": END, "new": f"{line}{END}"}]}


@dataclass(frozen=True, slots=True)
class Asked:
    """One turn: what the user says, what the model does. `writes`: the version that it makes, 0 for none."""

    said: str
    steps: tuple[tuple[str, Mapping[str, Any]], ...]
    clause: Clause | None = None
    writes: int = 0


def analyst_talk(
    turns: int, versions: int, clauses: Sequence[Clause], *, seed: int = 4
) -> tuple[list[Asked], list[str]]:
    """The turns, and the document after each version. The first five state facts, the last one asks for them."""
    chance, document = random.Random(seed), Requirements()
    between = turns - len(FACTS) - 1
    writing = {round(place * (between - 1) / max(1, versions - 1)) for place in range(versions)}
    asked = [
        Asked(f"{said} {' '.join(prose(chance, QUESTION))}", (("say", {"text": "Noted."}),)) for said, _, _ in FACTS
    ]
    for number in range(between):
        clause = clauses[number % len(clauses)]
        steps: list[tuple[str, Mapping[str, Any]]] = [
            ("search_documents", {"query": f"{clause.about} set by agreement"}),
            ("read_document", {}),
        ]
        words = f"Question {number}: to what is the {clause.about} set? {' '.join(prose(chance, QUESTION))}"
        if number in writing:
            version = len(document.versions) + 1
            steps.append(("create_artifact" if version == 1 else "update_artifact", document.next(clause, chance)))
            words += f" Write it into the {TITLE}." if version > 1 else " Begin a requirements document with it."
        answer = f"It is set to {clause.value}. {' '.join(prose(chance, ANSWER))}"
        writes = len(document.versions) if number in writing else 0
        asked.append(Asked(words, (*steps, ("say", {"text": answer})), clause, writes))
    asked.append(Asked("Which five decisions did I tell you at the beginning?", (("recall", {}),)))
    return asked, document.versions


@dataclass(slots=True)
class ScriptedAnalyst:
    """Plays the model: takes the steps of the turn, one for each request. `calling`: the wire's word for a call."""

    calling: str
    steps: list[tuple[str, Mapping[str, Any]]] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)
    found: list[str] = field(default_factory=list)
    _calls: int = 0

    def __call__(self, request: CapturedRequest) -> Answer:
        name, given = self.steps.pop(0) if self.steps else ("say", {"text": "Done."})
        text = json.dumps(request.body["messages"], ensure_ascii=False)
        if name == "recall":
            missing = [query for _, query, value in FACTS if value not in text]
            self.found = [value for _, _, value in FACTS if value in text]
            self.steps = [*(("search_this_thread", {"query": query}) for query in missing), ("say", {"text": "These."})]
            name, given = self.steps.pop(0)
        if name == "read_document":
            ids = _PASSAGE.findall(json.dumps(_last(request.body), ensure_ascii=False))
            given = {"id": ids[0] if ids else "none"}
            if not ids:
                self.faults.append("a search returned no passage")
        if name == "say":
            return Answer(str(given["text"]))
        known = next((found for found in tool_names(request.body) if found.endswith(name)), "")
        if not known:
            self.faults.append(f"{name} is not offered")
            return Answer("I can't.")
        self._calls += 1
        return Answer(ToolUse(known, given, f"toolu_{self._calls}"), stop_reason=self.calling)


def tool_names(body: Mapping[str, Any]) -> Iterator[str]:
    """The tools that a request offers."""
    for tool in body.get("tools") or ():
        yield str(tool.get("name") or tool.get("function", {}).get("name"))


def _last(body: Mapping[str, Any]) -> Any:
    return next(one for one in reversed(body["messages"]) if one["role"] in ("user", "tool"))
