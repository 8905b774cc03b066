"""Paths as given by the user: what they refer to, and how they are displayed.

Links are followed only in the part of a path that the user controls: the one folder or archive
given, the folders common to all paths given, and a pattern up to its first wildcard. Below that,
no link is followed, even if the shell expanded the pattern: students choose these names.
"""

import glob
import os
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from difflib import get_close_matches
from fnmatch import translate
from itertools import takewhile
from pathlib import PurePath
from typing import Final

from mosslite.errors import InputError
from mosslite.intake.disk import NotReadError, OnDisk, is_link, located, opened, real_path
from mosslite.messages import M_
from mosslite.output_signatures import REPORT_MARKER, REPORT_RESULTS

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
# Files of every report.
_PAGES: Final = frozenset({"index.html", "overview.js", "review-data.js"})


def is_folder(found: OnDisk) -> bool:
    """Return whether a path that the user gave, or in a batch, is a folder of submissions."""
    return found.is_folder and not is_report(found.path)


def is_report(path: str) -> bool:
    """Return whether a folder is a mosslite report: a marker lists its files, all of them pages.

    Anybody can write a marker, but one that lists a program, or not all files, hides nothing.
    """
    try:
        place = located(os.path.join(path, REPORT_MARKER), followed=len(PurePath(path).parts))
        with opened(place) as marker:
            listed = {REPORT_MARKER, *marker.read(_LONGEST_MARKER).decode().splitlines()[1:]}
    except (NotReadError, OSError, UnicodeDecodeError):
        return False
    found = set[str]()
    for folder, _, names in os.walk(path):
        inside = os.path.relpath(folder, path)
        own = {shown_name(os.path.normpath(os.path.join(inside, name))) for name in names}
        if not own <= listed:
            return False
        found |= own
    others = found - {REPORT_MARKER, REPORT_RESULTS}
    are_pages = all(name.endswith((".html", ".css", ".js")) for name in others)
    return found == listed and found >= _PAGES and are_pages


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
    part, is_last = parts[at], at + 1 == len(parts)
    if not glob.has_magic(part):
        path = os.path.join(here, part)
        if os.path.lexists(path):
            yield path, at + 1
    elif part == _ANY_DEPTH:
        if os.path.isdir(here or os.curdir):
            yield here, at + 1
        for path in (os.path.join(here, child) for child in _visible(here, "")):
            if os.path.isdir(path):
                yield path, at
            elif is_last:
                yield path, at + 1
    else:
        is_match = re.compile(translate(os.path.normcase(part))).match
        for child in _visible(here, part):
            if is_match(os.path.normcase(child)):
                yield os.path.join(here, child), at + 1


def _visible(folder: str, part: str) -> list[str]:
    """List a folder, without hidden names unless the pattern part begins with a dot."""
    try:
        names = os.listdir(folder or os.curdir)
    except OSError:
        return []
    return [name for name in names if not name.startswith(".") or part.startswith(".")]
