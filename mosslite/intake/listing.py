"""Lists a path: every file below it becomes an entry, with its name and a handle but no bytes."""

from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import islice

from mosslite.errors import InputError
from mosslite.intake.archives.expand import head_of, is_archive, may_hold_program
from mosslite.intake.disk import OnDisk, children_of, located
from mosslite.intake.entries import Entry, Names, empty_folders
from mosslite.intake.ignoring import Rule, looks_like_text, rule_of
from mosslite.intake.paths import fixed_part, is_folder, shown_name
from mosslite.intake.repositories.places import GIT
from mosslite.languages import is_data, language_of
from mosslite.options import Intake
from mosslite.output_signatures import is_own_result
from mosslite.reasons import WITH_PROGRAM, Reason


@dataclass(frozen=True, slots=True)
class Listing:
    """What is at a path given by the user.

    Attributes:
        entries: Everything in a folder, named relative to it, or the one file at the path.
    """

    place: OnDisk
    entries: tuple[Entry, ...]
    is_folder: bool

    @property
    def path(self) -> str:
        """The path for display."""
        return shown_name(self.place.path)

    @property
    def is_archive(self) -> bool:
        """Whether the path is that of an archive, which may contain submissions like a folder."""
        return not self.is_folder and self.entries[0].is_archive

    @property
    def is_batch(self) -> bool:
        """Whether there can be submissions in it."""
        return self.is_folder or self.is_archive


def listing_at(place: OnDisk, intake: Intake, *, of_batch: bool = False) -> Listing:
    """List the file at a place, or all files below a folder, sorted by name.

    Archives are not opened yet. An ignored folder is reported once, for the outermost. Of a batch,
    reports and results directly in it are not submissions; further below, they are a student's.

    Raises:
        InputError: The folder itself cannot be read.
    """
    if not is_folder(place):
        return Listing(place, (_given_file(place),), is_folder=False)
    root, names, folders = shown_name(place.path).rstrip("/"), Names(), list[str]()
    found = list(_below(place, rule_of(intake), folders, of_batch=of_batch))
    found += [
        Entry("", folder, obstacle=Reason.NO_FILES.message(), is_ignored="/" in folder)
        for folder in empty_folders(folders, [each.name for each in found])
    ]
    found.sort(key=lambda each: (each.name, getattr(each.content, "path", "")))
    entries = (
        replace(each, path=f"{root}/{each.name}", name=names.distinct(each.name)) for each in found
    )
    return Listing(place, tuple(entries), is_folder=True)


def require_few(paths: Iterable[str], intake: Intake, most: int) -> None:
    """Check that some paths lead to few files together, before any of these is read.

    Raises:
        InputError: There are more than ``most``, or a folder cannot be read.
    """
    count = 0
    for path in paths:
        place = located(fixed_part(path))
        below = _below(place, rule_of(intake), [], of_batch=False) if place.is_folder else [place]
        count += sum(1 for _ in islice(below, most + 1))
        if count > most:
            raise InputError("the paths lead to more than %(most)d files", most)


def is_batch(place: OnDisk) -> bool:
    """Return whether a place contains submissions; a single archive counts as a folder."""
    return is_folder(place) or _given_file(place).is_archive


def _given_file(place: OnDisk) -> Entry:
    """Return the entry of a place that is not a folder of submissions."""
    shown = shown_name(place.path)
    return replace(_entry(shown, place, may_be_own=True), path=shown, is_given=True)


def _entry(name: str, place: OnDisk, *, may_be_own: bool) -> Entry:
    """Return the entry of a file, without a path; one named like source code is not an archive.

    ``may_be_own`` says that it can be one of mosslite's results, or the place one of its reports. A
    program or prose can begin like anything, so only a file named like data can be a result.
    """
    if place.obstacle or (may_be_own and place.is_folder):
        return Entry("", name, place, obstacle=place.obstacle or Reason.OWN_REPORT.message())
    language = language_of(name)
    if language is None and is_archive(name, place):
        return Entry("", name, place, is_archive=True)
    is_named_like_data = "." in name.rpartition("/")[2] and (language is None or is_data(language))
    is_result = may_be_own and is_named_like_data and is_own_result(head_of(place))
    return Entry("", name, place, obstacle=Reason.OWN_RESULT.message() if is_result else "")


def _below(folder: OnDisk, rule: Rule, folders: list[str], *, of_batch: bool) -> Iterator[Entry]:
    """Yield the files below a folder, without paths, and append the folders read to ``folders``.

    Iterative, as folders can be nested a thousand deep.
    """
    waiting = [(folder, "")]
    while waiting:
        here, prefix = waiting.pop()
        try:
            children = children_of(here)
        except OSError as error:
            if not prefix:
                raise InputError(
                    "folder %(path)r cannot be read: %(reason)s", shown_name(folder.path), error
                ) from error
            yield Entry("", prefix[:-1], obstacle=Reason.UNREADABLE_FOLDER.message())
            continue
        if prefix:
            folders.append(prefix[:-1])
        names = Names()  # two folders that are displayed alike are two submissions
        for own_name, child in children:
            name = prefix + names.distinct(shown_name(own_name))
            is_own = of_batch and not prefix  # one of mosslite's reports or results may be here
            is_inner = is_folder(child) if is_own else child.is_folder
            ignored = rule(f"{name}/" if is_inner else name)
            if ignored is not None and not (ignored[1] is Reason.NOT_TEXT and _is_readable(child)):
                content = child if own_name == GIT else b""  # its history may be read later
                path, reason = ignored
                if reason in WITH_PROGRAM and _has_program(child):
                    reason = WITH_PROGRAM[reason]
                yield Entry("", path, content, obstacle=reason.message(), is_ignored=True)
            elif is_inner:
                waiting.append((child, f"{name}/"))
            else:
                yield _entry(name, child, may_be_own=is_own)


def _is_readable(file: OnDisk) -> bool:
    """Return whether a file with an unknown name is text or an archive."""
    head = b"" if file.obstacle else head_of(file)
    return looks_like_text(head) or is_archive(file.path, head)


def _has_program(place: OnDisk) -> bool:
    """Return whether an ignored place is or contains an archive, or a file named like a program."""
    waiting = [place]
    while waiting:
        here = waiting.pop()
        if here.is_folder:
            with suppress(OSError):
                waiting += [child for _, child in children_of(here)]
        elif not here.obstacle and may_hold_program(shown_name(here.path), head_of(here)):
            return True
    return False
