"""Walks a path: every file below it, and what stands where one should be, is an entry."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, NamedTuple

from mosslite.errors import InputError, reason_of
from mosslite.languages import language_of
from mosslite.submissions.archives import head_of, is_archive, may_hold_program
from mosslite.submissions.attempts import Names
from mosslite.submissions.binary import looks_like_text
from mosslite.submissions.disk import OnDisk, children_of
from mosslite.submissions.entries import NO_FILES, Entry, empty_folders
from mosslite.submissions.ignoring import NO_TEXT, rule_of, with_program
from mosslite.submissions.paths import is_folder, shown_name

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mosslite.options import Intake
    from mosslite.submissions.ignoring import Rule

__all__ = [
    "entries_at",
    "holds_archive",
    "is_batch",
]


def entries_at(place: OnDisk, intake: Intake) -> list[Entry]:
    """Return the file at a place, or all that is below a folder, in order of their names there.

    Archives are files still. What is ignored is told by its outermost folder.

    Raises:
        InputError: The folder itself cannot be read.
    """
    if not is_folder(place):
        return [_given_file(place)]
    root, names, folders = shown_name(place.path).rstrip("/"), Names(), list[str]()
    found = list(_below(place, rule_of(intake), folders))
    found += [
        _Below(folder, obstacle=NO_FILES, is_ignored="/" in folder)
        for folder in empty_folders(folders, [each.name for each in found])
    ]
    found.sort(key=_order)
    return [
        Entry(
            path=f"{root}/{name}",
            name=names.distinct(name),
            content=content,
            obstacle=obstacle,
            is_ignored=is_ignored,
        )
        for name, content, obstacle, is_ignored in found
    ]


def is_batch(place: OnDisk) -> bool:
    """Return whether a place holds submissions; given alone, an archive stands for a folder."""
    return is_folder(place) or holds_archive(_given_file(place))


def holds_archive(entry: Entry) -> bool:
    """Return whether an entry is an archive; a name that tells a language is taken at its word."""
    if entry.obstacle or language_of(entry.name) is not None:
        return False
    return is_archive(entry.name, entry.content)


def _given_file(place: OnDisk) -> Entry:
    """Return what is at a place that is not a folder of work."""
    shown = shown_name(place.path)
    return Entry(shown, shown, place, is_given=True, obstacle=_obstacle(place))


class _Below(NamedTuple):
    """What is below a folder, as an ``Entry`` says it; the name is from there on."""

    name: str
    content: bytes | OnDisk = b""
    obstacle: str = ""
    is_ignored: bool = False


def _order(found: _Below) -> tuple[str, str]:
    return found.name, found.content.path if isinstance(found.content, OnDisk) else ""


def _below(folder: OnDisk, rule: Rule, folders: list[str]) -> Iterator[_Below]:
    """Return what is below a folder, and add the folders read to ``folders``.

    There is no recursion, as folders can be nested a thousand deep.
    """
    waiting = [(folder, "")]
    while waiting:
        here, prefix = waiting.pop()
        try:
            children = children_of(here)
        except OSError as error:
            if not prefix:
                msg = f"folder {shown_name(folder.path)!r} cannot be read: {reason_of(error)}"
                raise InputError(msg) from error
            yield _Below(prefix[:-1], obstacle="is a folder that cannot be read")
            continue
        if prefix:
            folders.append(prefix[:-1])
        names = Names()  # of two folders that are shown alike each is a submission
        for own_name, child in children:
            name = prefix + names.distinct(shown_name(own_name))
            is_inner = is_folder(child)
            ignored = rule(f"{name}/" if is_inner else name)
            if ignored is not None and not (ignored[1] == NO_TEXT and _is_readable(child)):
                yield _Below(ignored[0], obstacle=_reason(ignored[1], child), is_ignored=True)
            elif is_inner:
                waiting.append((child, f"{name}/"))
            else:
                yield _Below(name, child, _obstacle(child))


def _is_readable(file: OnDisk) -> bool:
    """Return whether a file that is not called so is text or an archive all the same."""
    head = b"" if file.obstacle else head_of(file)
    return looks_like_text(head) or is_archive(file.path, head)


def _reason(reason: str, place: OnDisk) -> str:
    """Return the reason why a place is ignored, and whether there is a program in it."""
    telling = with_program(reason)
    return telling if telling != reason and _has_program(place) else reason


def _has_program(place: OnDisk) -> bool:
    """Return whether what is ignored, or something in it, is called as programs are, or packed."""
    waiting = [place]
    while waiting:
        here = waiting.pop()
        if here.is_folder:
            with suppress(OSError):
                waiting += [child for _, child in children_of(here)]
        elif not here.obstacle and may_hold_program(shown_name(here.path), head_of(here)):
            return True
    return False


def _obstacle(place: OnDisk) -> str:
    """Say why a place is not a file to read, where that can be told without reading it."""
    return "is a mosslite report" if place.is_folder else place.obstacle
