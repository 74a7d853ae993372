"""Owns `doctor`: prints what of this installation works. What is checked stands in `diagnosis`."""

from __future__ import annotations

from collections.abc import Mapping

from desktop_app.cli.exit_codes import DONE, EXIT_STATUS
from desktop_app.cli.options import DoctorOptions
from desktop_app.cli.output import Output
from desktop_app.cli.scratch import looking
from desktop_app.diagnosis import connections, installation, is_usable, report
from desktop_app.paths import DataPaths


async def examine(paths: DataPaths, environ: Mapping[str, str], options: DoctorOptions, output: Output) -> int:
    """Prints all checks. The status: 0 usable, 6 the history is not, 3 something else is missing."""
    checks = await installation(paths)
    history = next(check for check in checks if check.name == "history")
    async with looking(paths, environ, empty=True) as services:
        checks += await connections(services)
    ok = is_usable(checks)
    if options.json:
        output.json({"ok": ok, "checks": [{"name": c.name, "ok": c.ok, "detail": c.detail} for c in checks]})
    else:
        output.line(report(checks))
    if not history.ok:
        return EXIT_STATUS["store"]
    return DONE if ok else EXIT_STATUS["config"]
