"""Runs `artifact list|show|export`."""

from __future__ import annotations

from pathlib import Path

from desktop_app.cli.exit_codes import DONE
from desktop_app.cli.json_shapes import artifact_shape, artifact_text_shape
from desktop_app.cli.options import ArtifactExportOptions, ArtifactListOptions, ArtifactShowOptions
from desktop_app.cli.output import Output
from desktop_app.controller.artifact_export import ArtifactExport
from desktop_app.controller.artifacts import Artifacts
from desktop_app.controller.ports import History
from desktop_app.core.artifacts import Artifact, ArtifactVersion
from desktop_app.core.errors import UserError
from desktop_app.core.phrases import phrase

SHORT_ID = 8


async def list_artifacts(history: History, artifacts: Artifacts, options: ArtifactListOptions, output: Output) -> int:
    """Prints the artifacts of a thread in the order they were made, or of all threads, last updated first."""
    if options.thread is None:
        found = await artifacts.all()
    else:
        found = await artifacts.of_thread((await history.find_thread(options.thread)).id)
    if options.json:
        output.json([artifact_shape(one) for one in found])
        return DONE
    if not found:
        output.tell("There are no artifacts yet.")
    for one in found:
        day, _, time = one.updated.partition("T")
        kind = one.language or one.kind
        output.line(f"{one.id[:SHORT_ID]}  {day} {time[:5]}  v{one.versions:<4} {kind:<10}  {one.title}")
    return DONE


async def show_artifact(artifacts: Artifacts, options: ArtifactShowOptions, output: Output) -> int:
    """Prints the text of one version."""
    artifact, version = await _version(artifacts, options.artifact, options.version)
    if options.json:
        output.json(artifact_text_shape(artifact, version))
    else:
        output.text(version.text if version.text.endswith("\n") else f"{version.text}\n")
    return DONE


async def export_artifact(
    artifacts: Artifacts, export: ArtifactExport, options: ArtifactExportOptions, output: Output
) -> int:
    """Writes one version and prints the path of the file."""
    artifact, version = await _version(artifacts, options.artifact, options.version)
    output.line(str(await export.write(artifact, version.text, options.format, Path(options.output))))
    return DONE


async def _version(artifacts: Artifacts, prefix: str, number: int | None) -> tuple[Artifact, ArtifactVersion]:
    artifact = await artifacts.find(prefix)
    versions = await artifacts.versions(artifact.id)
    found = versions[-1] if number is None else next((one for one in versions if one.number == number), None)
    if found is None:
        words = phrase(
            "“{title}” has no version {number}; the newest is {newest}.",
            title=artifact.title,
            number=number,
            newest=versions[-1].number,
        )
        raise UserError("usage", words)
    return artifact, found
