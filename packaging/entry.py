"""The frozen program's first lines: the same entry as the `plimsoll` command, with the environment of its user."""

import os
import sys
from collections.abc import MutableMapping

from desktop_app.__main__ import main


def give_back(environ: MutableMapping[str, str]) -> None:
    """Takes back what PyInstaller has set, so that a browser opened from here loads its own libraries and not ours.

    This process read LD_LIBRARY_PATH when it began, and Qt finds its plugins beside itself. PyInstaller keeps what the
    user had set of LD_LIBRARY_PATH, but not of Qt's variables.
    """
    for name in ("QT_PLUGIN_PATH", "QML2_IMPORT_PATH", *(each for each in environ if each.startswith("_PYI_"))):
        environ.pop(name, None)
    before = environ.pop("LD_LIBRARY_PATH_ORIG", None)
    if before is not None:
        environ["LD_LIBRARY_PATH"] = before
    elif sys.platform == "linux":
        environ.pop("LD_LIBRARY_PATH", None)


if __name__ == "__main__":
    give_back(os.environ)
    sys.exit(main())
