"""Remarks on a batch that was probably meant otherwise than it is read."""

import os
import shlex
from collections.abc import Iterable, Iterator
from pathlib import Path
from posixpath import commonprefix

from mosslite.display import counted, with_names
from mosslite.intake.disk import real_path
from mosslite.intake.entries import Planned
from mosslite.intake.grouping import Section, export_in, is_named_like_base
from mosslite.intake.paths import shown_name
from mosslite.intake.platforms.exports import parted
from mosslite.intake.platforms.times import is_time
from mosslite.languages import is_program
from mosslite.messages import M_
from mosslite.options import Intake
from mosslite.reasons import Reason
from mosslite.records import Role, Submission


def named_like_base(plans: Iterable[Planned]) -> Iterator[str]:
    """Name the current submissions that are probably base code, and the options to say so."""
    paths = sorted(each.path for each in readable(plans) if is_named_like_base(each.name))
    on_disk = [each for each in paths if Path(each).exists()]
    options = " ".join(f"-b {shlex.quote(each)}" for each in on_disk) or "-b"
    yield from with_names(
        "compared, but named like code that you handed out (%(options)s excludes it): %(names)s",
        options,
        names=paths,
    )


def readable(plans: Iterable[Planned]) -> list[Planned]:
    """Return the submissions in which there is anything to read."""
    return [each for each in plans if not all(entry.obstacle for entry in each.entries)]


def folder_inside(submissions: Iterable[Submission]) -> str:
    """Return the folder or archive on disk with all files of the only current submission.

    It is empty if there are several submissions, or if the only one has a single file on disk.
    """
    current = [each for each in submissions if each.role is Role.CURRENT]
    if len(current) != 1:
        return ""
    paths = [file.path for file in current[0].files]
    if len({*map(os.path.isabs, paths)}) > 1:
        paths = [real_path(path) for path in paths]
    folder = os.path.commonpath(paths) if len(paths) > 1 and all(paths) else ""
    if not folder:
        return ""
    inside = Path(folder)
    while not inside.exists():  # it is in an archive
        inside = inside.parent
    return shown_name(str(inside))


def undated_attempts(plans: Iterable[Planned]) -> Iterator[str]:
    """Name the submissions of whose attempts one was taken for the latest without a time."""
    names = [
        each.name
        for each in plans
        if any(Reason.of(entry.obstacle) is Reason.EARLIER_ATTEMPT for entry in each.entries)
        and not is_time(each.hand_in.submitted)
        and each.hand_in.submitted
    ]
    yield from with_names(
        "compared as the latest attempt, as its time cannot be read (--attempts all compares all): "
        "%(names)s",
        names=names,
    )


# Up to 12 submissions with at least 40 programs or folders with programs side by side each are
# probably sections, and up to 3 with at least 5 folders or recognized submissions.
_MOST_SECTIONS, _LEAST_HELD = 12, 40
_MOST_GIANTS, _LEAST_IN_GIANTS = 3, 5


def sections_among(plans: Iterable[Planned], intake: Intake) -> Iterator[str]:
    """Say how to compare what is in a few current submissions that each may be a whole class."""
    plans = readable(plans)
    inside = [
        _unwrapped(e.name for e in each.entries if not e.obstacle and is_program(e.name))
        for each in plans
    ]
    held = [len({parted(name)[0] for name in names}) for _, names in inside]
    is_probable = 1 < len(plans) <= _MOST_SECTIONS and min(held) >= _LEAST_HELD
    if not is_probable and not intake.each and 0 < len(plans) <= _MOST_GIANTS:
        held = [_held(planned, intake) for planned in plans]
        is_probable = min(held) >= _LEAST_IN_GIANTS
    if not is_probable:
        return
    submissions = counted(len(plans), "submission")
    words = M_("%(submissions)s with %(held)d or more programs or folders", submissions, min(held))
    folders = [planned.path + folder for planned, (folder, _) in zip(plans, inside, strict=True)]
    named = " ".join(map(shlex.quote, folders))
    is_on_disk = all(map(os.path.isdir, folders))
    if len(plans) == 1 and is_on_disk:
        yield M_("%(words)s; to compare what is in it, give %(named)s instead", words, named)
    elif is_on_disk and (intake.each or any(folder for folder, _ in inside)):
        yield M_(
            "%(words)s each; if these are sections of the course, use --each with %(named)s",
            words,
            named,
        )
    elif not intake.each:
        yield M_("%(words)s each; if these are sections of the course, add --each", words)


def _unwrapped(names: Iterable[str]) -> tuple[str, list[str]]:
    """Return the folder that all is in, with a slash before it, and the names relative to it."""
    names = [f"/{name}" for name in names]
    folder = commonprefix(names).rpartition("/")[0]
    return folder, [name[len(folder) + 1 :] for name in names]


def _held(planned: Planned, intake: Intake) -> int:
    """Count the folders in a submission, or the submissions if it is an export."""
    entries = [entry for entry in planned.entries if not entry.obstacle]
    names = _unwrapped(entry.name for entry in entries)[1]
    tops = {top for top, rest in map(parted, names) if rest}
    whole = Section("", planned.path, tuple(entries), is_archive=False)
    return max(len(tops), export_in(whole, intake)[1])
