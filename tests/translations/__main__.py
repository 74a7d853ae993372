"""`python -m tests.translations` reads the shown texts anew into every language's file and compiles it.

`missing LANGUAGE` prints what is not translated yet, as JSON by context; `fill LANGUAGE FILE...` takes such JSON with
the translations (a list of forms for a counted text). docs/translating.md says how to write them.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import defaultdict
from pathlib import Path
from typing import Any

from tests.translations.catalogue import FORMS, NAMES, Catalogue, read_catalogue, save_phrases
from tests.translations.extraction import UnreadableTextError, extracted


def main() -> int:
    """The exit status: 1 where texts can't be read or are not translated yet."""
    parser = argparse.ArgumentParser(prog="python -m tests.translations", description=__doc__)
    actions = parser.add_subparsers(dest="action")
    missing = actions.add_parser("missing", help="what is not translated yet, as JSON")
    missing.add_argument("language", choices=list(NAMES))
    fill = actions.add_parser("fill", help="take translations from such JSON")
    fill.add_argument("language", choices=list(NAMES))
    fill.add_argument("files", nargs="+", type=Path)
    asked = parser.parse_args()
    try:
        texts = extracted()
    except UnreadableTextError as error:
        sys.stderr.write(f"{error}\n")
        return 1
    save_phrases(texts)
    catalogues = [
        read_catalogue(name).merged(texts) for name in NAMES if asked.action is None or name == asked.language
    ]
    if asked.action == "missing":
        sys.stdout.write(json.dumps(_to_fill(catalogues[0]), ensure_ascii=False, indent=1) + "\n")
        return 0
    for catalogue in catalogues:
        kept = catalogue
        for file in asked.files if asked.action == "fill" else ():
            kept = kept.filled(json.loads(file.read_text("utf-8")))
        kept = kept.merged(texts)  # what was filled may stand elsewhere too
        kept.save()
        kept.compile()
        sys.stdout.write(f"{kept.path.name}: {len(kept.entries)} texts, {len(kept.unfinished)} not translated yet\n")
    return 0


def _to_fill(catalogue: Catalogue) -> dict[str, dict[str, Any]]:
    found: dict[str, dict[str, Any]] = defaultdict(dict)
    for entry in catalogue.unfinished:
        found[entry.text.context][entry.text.source] = [""] * FORMS[catalogue.language] if entry.text.one else ""
    return found


if __name__ == "__main__":
    sys.exit(main())
