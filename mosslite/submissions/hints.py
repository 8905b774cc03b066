"""Says what may have been meant by a batch that looks otherwise than it is read."""

import os
import re
import shlex
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

from mosslite.display import with_names
from mosslite.records import Role, Submission
from mosslite.submissions.disk import real_path
from mosslite.submissions.entries import Planned
from mosslite.submissions.paths import shown_name
from mosslite.texts import M_

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


def named_like_base(plans: Iterable[Planned]) -> Iterator[str]:
    """Name the current submissions that are probably base code, and the options to say so."""
    paths = sorted(each.path for each in readable(plans) if is_named_like_base(each.name))
    on_disk = [each for each in paths if Path(each).exists()]
    options = " ".join(f"-b {shlex.quote(each)}" for each in on_disk) or "-b"
    yield from with_names(
        M_(f"compared, but named like code that you handed out ({options} excludes it)"), paths
    )


def readable(plans: Iterable[Planned]) -> list[Planned]:
    """Return the submissions in which there is anything to read."""
    return [each for each in plans if not all(entry.obstacle for entry, _ in each.entries)]


def is_named_like_base(name: str) -> bool:
    """Return whether a submission is named as instructors name what they hand out."""
    stem = name.rstrip("/").rpartition("/")[2].partition(".")[0].lower()
    return _BETWEEN_WORDS.sub("", stem) in _NAMES_OF_BASE


def folder_inside(submissions: Iterable[Submission]) -> str:
    """Return the folder that holds all files of the only current submission; empty if none does."""
    current = [each for each in submissions if each.role is Role.CURRENT]
    if len(current) != 1:
        return ""
    paths = [file.path for file in current[0].files]
    if len({*map(os.path.isabs, paths)}) > 1:
        paths = [real_path(path) for path in paths]
    folder = os.path.commonpath(paths) if len(paths) > 1 and all(paths) else ""
    return shown_name(folder) if folder and Path(folder).is_dir() else ""
