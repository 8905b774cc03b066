"""Paths as given by the user, and what is below them: names and handles, but no bytes.

Links are followed only in the part of a path that the user controls: the one folder or archive
given, the folders common to all paths given, and a pattern up to its first wildcard. Below that,
no link is followed, even if the shell expanded the pattern: students choose these names.
"""

import glob
import os
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from difflib import get_close_matches
from itertools import islice, takewhile
from pathlib import PurePath
from typing import Final

from mosslite.errors import InputError
from mosslite.intake.archives import head_of, is_archive, is_readable, may_hold_program
from mosslite.intake.entries import (
    Entry,
    Names,
    NotReadError,
    OnDisk,
    children_of,
    empty_folders,
    is_link,
    located,
    opened,
    real_path,
)
from mosslite.intake.ignoring import Rule, rule_of
from mosslite.languages import is_data, language_of
from mosslite.messages import M_
from mosslite.options import Intake
from mosslite.reasons import WITH_PROGRAM, Reason
from mosslite.signatures import (
    LIKELY_BOILERPLATE,
    REPORT_MARKER,
    REPORT_RESULTS,
    SHORT_PASSAGES,
    Signature,
    begins_with,
    is_own_result,
)

GIT: Final = ".git"
_ANY_DEPTH: Final = "**"
_SEPARATOR: Final = re.compile(rf"[{re.escape(os.sep + (os.altsep or ''))}]")


def places_at(argument: str) -> list[OnDisk]:
    """Find a path, in which links are followed, or the matches of a pattern.

    A pattern matches links but does not look behind them.

    Raises:
        InputError: It is a pattern that matches nothing.
    """
    if _is_literal(argument):
        return [located(argument)]
    matched = sorted(set(_matches(argument)))
    if not matched:
        raise InputError("no files match %(argument)r", argument)
    count = len(PurePath(_parted(argument)[0]).parts)
    return [located(path, followed=count) for path in matched]


def places_among(arguments: Iterable[str]) -> list[OnDisk]:
    """Find the paths that arguments stand for, each of which may be part of a submission.

    Raises:
        InputError: One is a pattern that matches nothing.
    """
    given = list(arguments)
    followed = _shared_parts([path for path in given if _is_literal(path)])
    found: list[OnDisk] = []
    for argument in given:
        if _is_literal(argument):
            found.append(located(argument, followed=followed[PurePath(argument).anchor]))
        else:
            found += places_at(argument)
    return found


# Larger folders are not searched for similar names.
_MOST_NAMES: Final = 10_000


def did_you_mean(path: str) -> str:
    """Return a suggestion for a missing path, to append to a message; empty without one.

    It is the only sibling whose name begins with the path's, or the nearest by ``difflib``.
    """
    folder, name = os.path.split(path.rstrip("/" + os.sep))
    try:
        names = sorted(os.listdir(folder or os.curdir))
    except (OSError, ValueError):
        return ""
    by_lower = {each.lower(): each for each in names[:_MOST_NAMES]}
    begun = [each for each in by_lower if name and each.startswith(name.lower())]
    near = begun if len(begun) == 1 else get_close_matches(name.lower(), by_lower, n=1)
    if not near:
        return ""
    path = os.path.join(folder, by_lower[near[0]])
    return M_(": did you mean %(path)r?", path)


# Longest marker read, in bytes: of a report of some 100,000 pages.
_LONGEST_MARKER: Final = 4 << 20
# Files of every report, and endings of all but the passages.
_PAGES: Final = frozenset({"index.html", "overview.js", "review-data.js"})
_ENDINGS: Final = (".html", ".css", ".js")
_PASSAGES: Final = (f"{LIKELY_BOILERPLATE}/", f"{SHORT_PASSAGES}/")


def is_folder(found: OnDisk) -> bool:
    """Return whether a path that the user gave, or in a batch, is a folder of submissions."""
    return found.is_folder and report_at(found.path) is None


def report_at(path: str) -> Reason | None:
    """Return why a folder is not a submission, if it is a mosslite report; else None.

    A marker lists its files, which are pages, and passages that submissions share. Anybody can
    write a marker, but one that lists other programs, or not all files, hides nothing. Of a folder
    with passages, or with pages of a website, the reader is told that it may be somebody's work.
    """
    try:
        place = located(os.path.join(path, REPORT_MARKER), followed=len(PurePath(path).parts))
        with opened(place) as marker:
            listed = {REPORT_MARKER, *marker.read(_LONGEST_MARKER).decode().splitlines()[1:]}
    except (NotReadError, OSError, UnicodeDecodeError):
        return None
    found = set[str]()
    for folder, _, names in os.walk(path):
        inside = os.path.relpath(folder, path)
        own = {shown_name(os.path.normpath(os.path.join(inside, name))) for name in names}
        if not own <= listed:
            return None
        found |= own
    others = found - {REPORT_MARKER, REPORT_RESULTS}
    if found != listed or "index.html" not in others:
        return None
    passages = {name for name in others if name.startswith(_PASSAGES)}
    if not all(name.endswith(_ENDINGS) for name in others - passages):
        return None
    return Reason.OWN_REPORT if others >= _PAGES and not passages else Reason.LIKE_REPORT


def _without_output(entry: Entry, intake: Intake) -> Entry:
    """Ignore an earlier report where the new one goes."""
    if not _is_output(entry.content, intake):
        return entry
    return replace(entry, obstacle=Reason.OWN_REPORT.message(), is_ignored=True)


def _is_output(content: object, intake: Intake) -> bool:
    """Return whether a place is an earlier report where the new one goes, a folder or a page."""
    if not isinstance(content, OnDisk) or content.obstacle or not intake.output:
        return False
    outputs = intake.output, f"{intake.output}.html"
    name = os.path.basename(os.path.abspath(content.path))
    if name not in {os.path.basename(os.path.abspath(each)) for each in outputs}:
        return False  # without looking at the disk, as almost always
    path = real_path(content.path)
    if path not in {*map(real_path, outputs)}:
        return False
    return (report_at(path) if content.is_folder else _result_at(path, content)) is not None


def named_path(path: str) -> str:
    """Return a path for display; one that ends in no name, such as ``..``, as its real path."""
    return shown_name(real_path(path) if PurePath(path).name in {"", ".."} else path)


def shown_name(path: str) -> str:
    r"""Return a path for display: forward slashes, undecodable bytes as ``\xff``."""
    text = os.fsencode(path).decode("utf-8", "backslashreplace")
    return text.replace(os.sep, "/")


def fixed_part(argument: str) -> str:
    """Return a path, or of a pattern the folder that all of its matches are in."""
    return argument if _is_literal(argument) else _parted(argument)[0] or os.curdir


def _is_literal(argument: str) -> bool:
    return os.path.lexists(argument) or not glob.has_magic(argument)


def _shared_parts(paths: Sequence[str]) -> dict[str, int]:
    """Count the leading folders common to all paths, relative and absolute ones separately."""
    folders = defaultdict(list)
    for path in map(PurePath, paths):
        folders[path.anchor].append(path.parts[:-1])
    shared = {}
    for anchor, some in folders.items():
        alike = takewhile(lambda parts: len(set(parts)) == 1, zip(*some, strict=False))
        shared[anchor] = len([*alike])
    return shared


def _parted(pattern: str) -> tuple[str, list[str]]:
    """Split a pattern into the folder before its first wildcard, and the rest."""
    sign = re.search(r"[*?[]", pattern)
    stop = sign.start() if sign else len(pattern)
    start = max((found.end() for found in _SEPARATOR.finditer(pattern, 0, stop)), default=0)
    return pattern[:start], [part for part in _SEPARATOR.split(pattern[start:]) if part]


def _matches(pattern: str) -> Iterator[str]:
    """Return the matches of a pattern like ``glob.glob``, but without following folder links."""
    folder, parts = _parted(pattern)
    is_folder_asked = _SEPARATOR.fullmatch(pattern[-1:]) is not None
    waiting = [(folder, 0)]
    seen = set(waiting)
    while waiting:
        here, at = waiting.pop()
        if at < len(parts):
            new = [step for step in _steps(here, parts, at) if step not in seen]
            seen.update(new)
            links = {path for path, then in new if then < len(parts) and is_link(path)}
            yield from filter(os.path.isdir, links)
            waiting += [step for step in new if step[0] not in links]
        elif here and (os.path.isdir(here) or not is_folder_asked):
            yield here


def _steps(here: str, parts: Sequence[str], at: int) -> Iterator[tuple[str, int]]:
    """Return the paths that pattern part ``at`` leads to, each with the number of the next part."""
    part, folder = parts[at], here or os.curdir
    if part != _ANY_DEPTH:
        for child in glob.iglob(part, root_dir=folder):
            yield os.path.join(here, child), at + 1
    elif os.path.isdir(folder):
        yield here, at + 1
        for path in (os.path.join(here, child) for child in glob.iglob("*", root_dir=folder)):
            if os.path.isdir(path):
                yield path, at
            elif at + 1 == len(parts):
                yield path, at + 1


@dataclass(frozen=True, slots=True)
class Listing:
    """What is at a path: one that the user gave, or that of a folder or archive in a batch.

    Attributes:
        place: Where it is; in an archive, only the path for display is known.
        entries: Everything in a folder, named relative to it, or the one file at the path. That of
            an archive may be replaced by what is in it.
        name: Prefix of the names of its submissions if it is one of several sections.
    """

    place: OnDisk
    entries: tuple[Entry, ...]
    is_folder: bool = False
    is_archive: bool = False
    name: str = ""

    @property
    def path(self) -> str:
        """The path for display."""
        return shown_name(self.place.path)

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
        file = _without_output(_given_file(place), intake)
        return Listing(place, (file,), is_archive=file.is_archive)
    root, names, folders = shown_name(place.path).rstrip("/"), Names(), list[str]()
    below = _below(place, rule_of(intake), folders, of_batch=of_batch)
    found = [_without_output(each, intake) for each in below]
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

    ``may_be_own`` says that it can be one of mosslite's results, or the place one of its reports.
    """
    is_readable = not (place.obstacle or place.is_folder)
    if is_readable and language_of(name) is None and is_archive(name, place):
        return Entry("", name, place, is_archive=True)
    own = None
    if may_be_own and not place.obstacle:
        own = report_at(place.path) if place.is_folder else _result_at(name, place)
    return Entry("", name, place, obstacle=own.message() if own else place.obstacle)


def _result_at(name: str, place: OnDisk) -> Reason | None:
    """Return why a file is not a submission, if it is one of mosslite's results; else None.

    A program or prose can begin like anything, so only one named like data can be a result, and a
    page may be somebody's.
    """
    language, own = language_of(name), name.rpartition("/")[2]
    if own.lower().endswith(".html"):
        is_report = begins_with(head_of(place), Signature.DOCUMENT_HTML)
        return Reason.LIKE_REPORT if is_report else None
    is_named_like_data = "." in own and (language is None or is_data(language))
    is_result = is_named_like_data and is_own_result(head_of(place))
    return Reason.OWN_RESULT if is_result else None


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
            if ignored is not None and not (
                ignored[1] is Reason.NOT_TEXT and is_readable(name, head_of(child))
            ):
                content = child if own_name == GIT else b""  # its history may be read later
                path, reason = ignored
                if reason in WITH_PROGRAM and _has_program(child):
                    reason = WITH_PROGRAM[reason]
                yield Entry("", path, content, obstacle=reason.message(), is_ignored=True)
            elif is_inner:
                waiting.append((child, f"{name}/"))
            else:
                yield _entry(name, child, may_be_own=is_own)


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
