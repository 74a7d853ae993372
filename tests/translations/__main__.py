"""`python -m tests.translations` reads the shown texts into every language's file again and compiles it.

`list [WORDS]` prints every text with its translations as a table of tabs, or those with the words in any language;
`missing LANGUAGE` prints what is not translated yet as JSON, with what was said of a similar text; `fill LANGUAGE
FILE...` takes such JSON with the translations (a list of forms for a counted text). See docs/translating.md.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

from tests.translations.catalogue import (
    FORMS,
    PHRASE_LIST,
    compile_catalogue,
    fill,
    phrases,
    read_texts,
    table,
    ts_file,
    update,
)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.translations", description=__doc__)
    actions = parser.add_subparsers(dest="action")
    listing = actions.add_parser("list", help="every text in all languages, as a table of tabs")
    listing.add_argument("words", nargs="?", default="", help="only texts with these words, in any language")
    for name, words in (("missing", "what is not translated yet, as JSON"), ("fill", "take such JSON")):
        action = actions.add_parser(name, help=words)
        action.add_argument("language", choices=list(FORMS))
        if name == "fill":
            action.add_argument("files", nargs="+", type=Path)
    if (asked := parser.parse_args()).action == "list":
        for row in (("English", *FORMS), *table()):
            line = "\t".join(row)
            if asked.words.casefold() in line.casefold():
                sys.stdout.write(line + "\n")
        return
    PHRASE_LIST.write_text(json.dumps(phrases(), ensure_ascii=False, indent=0) + "\n", "utf-8")
    for path in map(ts_file, [asked.language] if asked.action else FORMS):
        update(path)
        for file in asked.files if asked.action == "fill" else ():
            fill(path, json.loads(file.read_text("utf-8")))
        compile_catalogue(path)
        texts = read_texts(path)
        wanting = {text.source: [*text.proposed] if text.one else text.proposed[0] for text in texts if not text.said}
        if asked.action == "missing":
            sys.stdout.write(json.dumps(wanting, ensure_ascii=False, indent=1) + "\n")
        else:
            sys.stdout.write(f"{path.name}: {len(texts)} texts, {len(wanting)} not translated yet\n")


if __name__ == "__main__":
    main()
