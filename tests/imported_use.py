"""Imports files into a data folder and goes on as a user does: `python -m tests.imported_use FOLDER FILE...`.

What the window does by itself at its start and with a project's page is done, then something is asked in every project.
Prints what the previews and reports said as one JSON object.
"""

from __future__ import annotations

import asyncio
import json
import os
import sys
from dataclasses import asdict
from pathlib import Path
from typing import Any

from desktop_app.composition import compose
from desktop_app.core.errors import UserError
from desktop_app.core.messages import TextPart
from desktop_app.paths import DataPaths


async def use(folder: Path, files: list[Path]) -> dict[str, Any]:
    said: dict[str, Any] = {"previews": [], "reports": []}
    services = await compose(DataPaths(folder), environ=os.environ)
    try:
        for file in files:
            try:
                said["previews"].append(asdict(await services.transfer.preview([file])))
                said["reports"].append(asdict(await services.transfer.import_files([file], partial=True)))
            except UserError as error:
                said["reports"].append({"refused": error.failure.message})
    finally:
        await services.close()
    services = await compose(DataPaths(folder), environ=os.environ)
    try:
        await services.projects.start()
        for project in await services.projects.all():
            await services.projects.followed_folders.look(project.id)
            await services.projects.read_all(project.id)
            for document in await services.projects.documents(project.id):
                await services.projects.file_of(document)
                await services.projects.original_of(document)
            thread = await services.chat.new_thread(project=project.id)
            await services.chat.send(thread.id, [TextPart("What is in the documents? canary")])
        await services.everything.write(folder.parent / "again.zip")
    finally:
        await services.close()
    return said


if __name__ == "__main__":
    print(json.dumps(asyncio.run(use(Path(sys.argv[1]), [Path(one) for one in sys.argv[2:]])), default=str))
