"""False alarms of what looks like a secret: how many messages in a thousand of texts that hold none.

`./dev bench secrets [--list]`: over the repository's own text, the sources and papers of the packages that are
installed here, both cut into messages, made-up identifiers of every kind, and the talks of the other benchmarks. Ends
with 1 where more than one message in a thousand is asked about (PRODUCT.md CTX-22). `--list` names each with its place.
"""

from __future__ import annotations

import argparse
import random
import sys
import sysconfig
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final

from desktop_app.core.redaction import found_secrets
from tests.benchmarks.plain_talk import plain_talk
from tests.builders.secret_samples import MESSAGE, identifiers, text_of_repository
from tests.servers.tokens import by_pieces

ENDINGS: Final = frozenset((".py", ".pyi", ".md", ".rst", ".txt", ".json", ".toml", ".js", ".css", ".html", ".h"))
PAPERS: Final = frozenset(("METADATA", "RECORD", "LICENSE"))
MOST: Final = 1 / 1_000
LONGEST: Final = 400_000
"""Characters of a file that are read."""

Place = tuple[str, str]
"""A message and where it is from."""


def installed() -> Iterator[Place]:
    """The texts of the packages that are installed beside the app, cut into messages."""
    folder = Path(sysconfig.get_path("purelib"))
    roots = {folder, *(Path(one) for one in sys.path if one.endswith("site-packages"))}
    for file in sorted(file for root in roots for file in root.rglob("*")):
        if (file.suffix in ENDINGS or file.name in PAPERS) and file.is_file():
            text = file.read_text(errors="replace")[:LONGEST]
            yield from ((text[at : at + MESSAGE], file.name) for at in range(0, len(text), MESSAGE))


def texts() -> Mapping[str, Iterator[Place]]:
    """The kinds of texts by name."""
    return {
        "repository": ((one, "") for one in text_of_repository()),
        "installed packages": installed(),
        "identifiers": ((one, "") for one in identifiers(random.Random(7))),
        "talks": ((text, "") for one in plain_talk(1_000, by_pieces) for text in (one.user, one.answer)),
    }


def main(arguments: Sequence[str] | None = None) -> int:
    """Prints a line for each kind of text; 1 where one has more than is allowed."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--list", action="store_true", help="name each false alarm with its place")
    asked = parser.parse_args(arguments)
    over = False
    print(f"{'text':<20}{'messages':>10}{'alarms':>8}{'in 1,000':>10}   at most 1")
    for name, messages in texts().items():
        number, alarms = 0, list[str]()
        for message, place in messages:
            number += 1
            alarms += [
                f"  {place}: {found[0].words}, {found[0].text[:12]}…" for found in [found_secrets(message)] if found
            ]
        over = over or len(alarms) > MOST * number
        print(f"{name:<20}{number:>10,}{len(alarms):>8}{1_000 * len(alarms) / max(1, number):>10.2f}", flush=True)
        if asked.list:
            print("\n".join(alarms))
    return int(over)


if __name__ == "__main__":
    sys.exit(main())
