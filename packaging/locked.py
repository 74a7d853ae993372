"""Reads out of the lock what the program needs on another system than this one."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from typing import Final

from packaging.markers import Marker
from packaging.requirements import Requirement
from shared_files import ROOT

_ENTRY: Final = re.compile(r"^(?P<name>[\w.-]+)==[^\s;]+(?: ; (?P<marker>.+?))? \\\n(?:    .*\n)*", re.MULTILINE)
_BY: Final = re.compile(r"^    #(?: via|  ) +([\w.-]+)", re.MULTILINE)


def locked_for(system: Mapping[str, str], unused: tuple[str, ...] = ()) -> Iterator[str]:
    """The lock's entries, with their hashes, of what the program needs where markers have the values of `system`."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    needed = (*project["dependencies"], *project["optional-dependencies"]["diagrams"])
    wanted = {Requirement(one).name.lower() for one in needed}
    entries = list(_ENTRY.finditer((ROOT / "packaging" / "requirements.lock").read_text("utf-8")))
    kept = [one for one in entries if one["marker"] is None or Marker(one["marker"]).evaluate(dict(system))]
    kept = [one for one in kept if one["name"] not in unused]
    before = 0
    while before != len(wanted):
        before = len(wanted)
        wanted |= {one["name"] for one in kept if wanted & set(_BY.findall(one[0]))}
    # without the markers, which pip reads as those of the computer it runs on
    yield from (one[0].replace(f" ; {one['marker']}", "") for one in kept if one["name"] in wanted)
