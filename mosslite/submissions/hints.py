"""Says what may have been meant by a batch that looks otherwise than it is read."""

from __future__ import annotations

import os
import re
import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Final

from mosslite.display import counted, with_names
from mosslite.languages import is_program
from mosslite.records import Role
from mosslite.submissions.paths import shown_name
from mosslite.submissions.platforms.records import parted
from mosslite.texts import M_

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from mosslite.records import Submission
    from mosslite.submissions.disk import OnDisk
    from mosslite.submissions.sections import Planned

__all__ = ["folder_inside", "named_like_base", "sections_among"]


# Names of folders and files of base code, without blanks and hyphens: in the languages of the
# reports, as instructors name them.
_NAMES_OF_BASE: Final = frozenset(
    {
        *("base", "basecode", "basefile", "basefiles", "boilerplate", "distribution"),
        *("distributioncode", "givencode", "handout", "handouts", "providedcode", "scaffold"),
        *("skeleton", "skeletoncode", "starter", "startercode", "starterfiles", "stub", "stubs"),
        *("template", "templates", "templatecode", "vorlage", "vorlagen", "plantilla"),
        *("plantillas", "esqueleto", "modele", "modèle", "squelette"),
    }
)
_BETWEEN_WORDS: Final = re.compile(r"[-_ ]+")

# Up to 12 submissions with at least 40 programs or folders with programs side by side each are
# probably sections.
_MOST_SECTIONS, _LEAST_HELD = 12, 40


def named_like_base(plans: Iterable[Planned]) -> Iterator[str]:
    """Name the current submissions that are probably base code."""
    yield from with_names(
        "compared, but named like code that you handed out (-b excludes it)",
        sorted(each.path for each in _read(plans) if _is_named_like_base(each.name)),
    )


def _read(plans: Iterable[Planned]) -> list[Planned]:
    return [each for each in plans if not all(entry.obstacle for entry, _ in each.entries)]


def _is_named_like_base(name: str) -> bool:
    stem = name.rstrip("/").rpartition("/")[2].partition(".")[0].lower()
    return _BETWEEN_WORDS.sub("", stem) in _NAMES_OF_BASE


def sections_among(
    plans: Iterable[Planned], places: Sequence[OnDisk], *, each: bool
) -> Iterator[str]:
    """Say how to compare what is in a few current submissions that each hold many programs.

    Args:
        plans: The current submissions.
        places: The paths given.
        each: The paths are read as sections already.
    """
    plans = _read(plans)
    if not 1 < len(plans) <= _MOST_SECTIONS:
        return
    inside = [_unwrapped(_programs_in(planned)) for planned in plans]
    least = min(len({parted(name)[0] for name in names}) for _, names in inside)
    if least < _LEAST_HELD:
        return
    paths = [planned.path + folder for planned, (folder, _) in zip(plans, inside, strict=True)]
    if not each and not any(folder for folder, _ in inside):
        paths = [shown_name(place.path) for place in places]
    if not all(map(os.path.exists, paths)):  # in an archive
        return
    command = " ".join(["mosslite check --each", *map(shlex.quote, paths)])
    submissions = counted(len(plans), "submission")
    yield M_(
        f"{submissions} with {least:,} or more programs or folders each; if these are sections of "
        f"the course, use {command}"
    )


def _programs_in(planned: Planned) -> list[str]:
    return [name for entry, name in planned.entries if not entry.obstacle and is_program(name)]


def _unwrapped(names: Iterable[str]) -> tuple[str, list[str]]:
    """Return the folder that all is in, with a slash before it, and the names relative to it."""
    names, folder = [*names], ""
    while len({parted(name)[0] for name in names}) == 1 and all(parted(name)[1] for name in names):
        folder += f"/{parted(names[0])[0]}"
        names = [parted(name)[1] for name in names]
    return folder, names


def folder_inside(submissions: Iterable[Submission]) -> str:
    """Return the folder that holds all files of the only current submission; empty if none does."""
    current = [each for each in submissions if each.role is Role.CURRENT]
    if len(current) != 1:
        return ""
    paths = [file.path for file in current[0].files]
    folder = os.path.commonpath(paths) if len(paths) > 1 and all(paths) else ""
    return shown_name(folder) if folder and Path(folder).is_dir() else ""
