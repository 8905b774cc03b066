"""Batches for tests: written in any form, collected, and what became of their files."""

from collections import defaultdict
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from mosslite.intake import collect
from mosslite.options import Intake
from mosslite.records import Batch, Inputs
from tests.archives import seven_zip_of, tar_of, zip_of

_TAR_MODES: Final = {
    **dict.fromkeys(("gz", "tgz"), "w:gz"),
    **dict.fromkeys(("bz2", "tbz", "tbz2"), "w:bz2"),
    **dict.fromkeys(("xz", "txz"), "w:xz"),
}


def hand_in(path: str | Path, files: Mapping[str, str | bytes]) -> str:
    """Write files as an archive of the kind that its name says, or as a folder; return the path."""
    target, ending = Path(path), Path(path).suffix.lower().lstrip(".")
    if ending:
        target.parent.mkdir(parents=True, exist_ok=True)
    if ending == "7z":
        target.write_bytes(seven_zip_of(files))
    elif ending in {"zip", "jar"}:
        target.write_bytes(zip_of(files))
    elif ending:
        target.write_bytes(tar_of(files, _TAR_MODES.get(ending, "w")))
    else:
        for name, content in files.items():
            (target / name).parent.mkdir(parents=True, exist_ok=True)
            (target / name).write_bytes(content.encode() if isinstance(content, str) else content)
    return str(path)


def write(*paths: str) -> None:
    """Write files that hold their own path; ``a->b`` is a link, and ``a/`` an empty folder."""
    for path in paths:
        place, arrow, target = path.partition("->")
        if path.endswith("/"):
            Path(path).mkdir(parents=True)
        elif arrow:
            Path(place).symlink_to(target)
        else:
            hand_in(".", {path: path})


def batch_of(*words: str, **choices: object) -> Batch:
    """Collect paths, those behind ``--base``, ``--prior`` and ``--reference`` in that role."""
    given, role = defaultdict[str, list[str]](list), "--current"
    for word in words:
        if word.startswith("--"):
            role = word
        else:
            given[role].append(word)
    inputs = Inputs(
        *(tuple(given[f"--{role}"]) for role in ("current", "base", "prior", "reference"))
    )
    directories = bool(choices.pop("directories", False))
    return collect(inputs, intake=Intake(**choices), directories=directories)  # type: ignore[arg-type]


def members(batch: Batch) -> dict[str, list[str]]:
    """Return the files of each submission."""
    return {each.name: [file.name for file in each.files] for each in batch.submissions}


def skipped(batch: Batch) -> list[tuple[str, str]]:
    """Return what could not be read, and why."""
    return [(each.path, each.reason) for each in batch.skipped]


def ignored(batch: Batch) -> list[tuple[str, str]]:
    """Return what a rule leaves out, and by which."""
    return [(each.path, each.reason) for each in batch.ignored]
