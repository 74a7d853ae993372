"""What a desktop of Linux is told of Plimsoll: it starts what there is, speaks the window's languages, and is valid."""

from __future__ import annotations

import shlex
import shutil
import subprocess
import tomllib
import xml.etree.ElementTree as ET
from configparser import ConfigParser
from pathlib import Path

import pytest

from desktop_app import __version__
from desktop_app.cli.window_arguments import parse_window
from desktop_app.ui.i18n.language import TITLES
from desktop_app.ui.startup.single_instance import APP_ID
from desktop_app.window_options import WindowOptions

ROOT = Path(__file__).resolve().parents[3]
ENTRY = ROOT / "packaging" / "linux" / f"{APP_ID}.desktop"
METAINFO = ENTRY.with_suffix(".metainfo.xml")
LANGUAGE = "{http://www.w3.org/XML/1998/namespace}lang"
OTHERS = set(TITLES) - {"en"}


@pytest.fixture
def entry() -> ConfigParser:
    parser = ConfigParser(interpolation=None, delimiters="=")
    parser.optionxform = str  # type: ignore[assignment,method-assign]
    parser.read(ENTRY, "utf-8")
    return parser


def started(line: str) -> WindowOptions | None:
    program, *arguments = shlex.split(line)
    assert program == "plimsoll"
    return parse_window(arguments)


def test_it_starts_the_window_and_the_quick_line(entry: ConfigParser) -> None:
    assert started(entry["Desktop Entry"]["Exec"]) == WindowOptions()
    assert entry["Desktop Entry"]["Actions"] == "quick;"
    assert started(entry["Desktop Action quick"]["Exec"]) == WindowOptions(quick=True)


def test_its_window_and_icon_are_known_by_the_apps_own_id(entry: ConfigParser) -> None:
    assert entry["Desktop Entry"]["Icon"] == APP_ID
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    shared = project["tool"]["hatch"]["build"]["targets"]["wheel"]["shared-data"]
    assert [source for source in shared if not (ROOT / source).is_file()] == []
    assert f"share/applications/{APP_ID}.desktop" in shared.values()
    assert f"share/metainfo/{APP_ID}.metainfo.xml" in shared.values()
    assert {Path(place).stem for place in shared.values() if "/icons/" in place} == {APP_ID}
    sizes = {path.stem.removeprefix("plimsoll-") for path in (ROOT / "resources" / "icons").glob("plimsoll-*.png")}
    folders = {Path(place).parts[3] for place in shared.values() if "/icons/" in place}
    assert folders == {"scalable", *(f"{size}x{size}" for size in sizes)}


def test_what_is_read_is_there_in_every_language(entry: ConfigParser) -> None:
    for section, names in {
        "Desktop Entry": ("GenericName", "Comment", "Keywords"),
        "Desktop Action quick": ("Name",),
    }.items():
        for name in names:
            assert {f"{name}[{language}]" for language in OTHERS} <= set(entry[section]), name


def test_the_metainfo_is_of_this_version_and_in_every_language() -> None:
    root = ET.parse(METAINFO).getroot()
    assert root.findtext("id") == APP_ID
    assert root.findtext("launchable") == ENTRY.name
    releases = root.find("releases")
    assert releases is not None
    assert releases[0].get("version") == __version__
    # Debian 13's appstreamcli refuses it without them
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    urls = {str(each.get("type")): each.text for each in root.findall("url")}
    assert urls == {"homepage": project["urls"]["Homepage"], "bugtracker": project["urls"]["Issues"]}
    assert root.find("developer[@id='org.plimsoll']/name") is not None
    for plain in (root.findall("summary"), root.findall("description/p"), root.findall("description/ul/li")):
        languages = [each.get(LANGUAGE, "en") for each in plain]
        assert all(languages.count(language) == languages.count("en") for language in OTHERS)


@pytest.mark.parametrize(
    ("command", "package", "file"),
    [
        (("desktop-file-validate",), "desktop-file-utils", ENTRY),
        (("appstreamcli", "validate", "--no-net"), "appstream", METAINFO),
    ],
)
def test_it_is_valid(command: tuple[str, ...], package: str, file: Path) -> None:
    if shutil.which(command[0]) is None:
        pytest.skip(f"{command[0]} is not installed (Debian: {package})")
    done = subprocess.run([*command, file], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
