"""Finds the git repositories among the entries of a submission, on disk and in archives."""

import posixpath
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import PurePath
from typing import Final

from mosslite import options
from mosslite.intake.archives import batch_entries, head_of
from mosslite.intake.entries import Entry, OnDisk, Planned, located, paths_to, placed
from mosslite.intake.history import History, PackedFiles
from mosslite.intake.ignoring import Rule, rule_of
from mosslite.intake.listing import GIT, shown_name
from mosslite.languages import is_program
from mosslite.messages import M_, chained
from mosslite.options import Intake, Limits
from mosslite.reasons import Reason
from mosslite.records import RepositoryPlace
from mosslite.records.results import Commit

# A file and a folder that every repository has.
_HEAD, _OBJECTS = "HEAD", "objects/"
_BUNDLES: Final = (b"# v2 git bundle\n", b"# v3 git bundle\n")
# The inside path of a repository that is the whole archive.
_ALL: Final = "."


def repositories_among(entries: Sequence[Entry]) -> tuple[RepositoryPlace, ...]:
    """Return the repositories in a submission, on disk or in archives, outermost first."""
    bare = bare_folders(entries)
    found = dict.fromkeys(each for entry in entries for each in _places(entry, bare))
    return tuple(sorted(found))[: options.MOST_REPOSITORIES]


def bare_folders(entries: Sequence[Entry]) -> frozenset[str]:
    """Return the folders, ending in a slash, that are bare repositories, as many as are read."""
    names = {entry.name for entry in entries}
    heads = {name.removesuffix(_HEAD) for name in names if posixpath.basename(name) == _HEAD}
    folders = sorted(f"{name}/" for name in names)
    found = list[str]()
    for head in sorted(heads):
        at = bisect_left(folders, head + _OBJECTS)
        has_objects = at < len(folders) and folders[at].startswith(head + _OBJECTS)
        if has_objects and f"{head}config" in names:
            found.append(head)
    return frozenset(found[: options.MOST_REPOSITORIES])


def is_bundle(entry: Entry) -> bool:
    """Return whether an entry is a file created by ``git bundle``."""
    is_named = not entry.obstacle and entry.name.endswith(".bundle")
    return is_named and head_of(entry.content).startswith(_BUNDLES)


def _places(entry: Entry, bare: frozenset[str]) -> Iterator[RepositoryPlace]:
    path = entry.name.rstrip("/")
    own = posixpath.basename(path)
    if own == GIT:
        content = entry.content
        is_folder = isinstance(content, OnDisk) and content.is_folder
        if entry.archive:
            is_folder = entry.path.endswith("/")
        yield from _place(
            entry, path.removesuffix(GIT), "" if is_folder else Reason.ELSEWHERE.message()
        )
    elif is_bundle(entry):
        for place in _place(entry, path.removesuffix(own)):
            yield place._replace(is_bundle=True)
    elif own == _HEAD and path.removesuffix(_HEAD) in bare:
        folder, _, _ = path.removesuffix("/" + _HEAD).rpartition("/")
        for place in _place(entry, f"{folder}/" if folder else ""):
            if place.inside:
                yield place._replace(inside=posixpath.dirname(place.inside) or _ALL)
            else:
                yield place._replace(path=str(PurePath(place.path).parent))


def _place(entry: Entry, folder: str, obstacle: str = "") -> Iterator[RepositoryPlace]:
    """Yield the place of an entry, on disk or in an archive; none if it is only in memory."""
    if entry.archive is not None:
        archive = entry.archive
        above = f"{shown_name(archive.path)}/"
        if entry.path.startswith(above):
            inside = entry.path.removeprefix(above).rstrip("/")
            yield RepositoryPlace(folder, archive.path, archive.followed, obstacle, inside=inside)
    elif isinstance(entry.content, OnDisk):
        on_disk = entry.content
        why = on_disk.obstacle or obstacle
        yield RepositoryPlace(folder, on_disk.path, on_disk.followed, why)


def with_repositories(planned: Planned, intake: Intake, revision: str = "HEAD") -> Planned:
    """Leave out the files of bare repositories and bundles, and add those of a commit.

    They are added if there is no program beside the repository, and never replace other files. The
    revision is a branch, a tag or an id; by default what is checked out.
    """
    places = repositories_among(planned.entries)
    is_given = any(entry.is_given for entry in planned.entries)
    # A repository that is a submission of its own contains all the others, and is no student's.
    if not places or (posixpath.basename(planned.name) == GIT and not is_given):
        return planned
    own, wholes = _apart(planned)
    found, commit_of = list[Entry](), dict[str, str]()
    names = {entry.name for entry in own if not entry.obstacle}
    if not any(map(is_program, names)):
        commit_of, files = _committed(places, intake, revision)
        found = [entry for entry in files if entry.name not in names]
    entries = [_as_read(entry, commit_of) for entry in (*own, *wholes)]
    return replace(planned, entries=(*entries, *found))


def _apart(planned: Planned) -> tuple[list[Entry], list[Entry]]:
    """Return the files outside of bare repositories and bundles, and an entry for each of these."""
    bare = tuple(bare_folders(planned.entries))
    own, wholes = list[Entry](), dict[str, Entry]()
    for entry in planned.entries:
        folder = next((each for each in bare if entry.name.startswith(each)), None)
        if folder is None and not is_bundle(entry):
            own.append(entry)
            continue
        inside = "" if folder is None else entry.name.removeprefix(folder)
        path = entry.path.removesuffix(inside).rstrip("/") or entry.path
        reason = Reason.REPOSITORY.message()
        wholes.setdefault(path, Entry(path, folder or entry.name, b"", False, reason, True))
    return own, list(wholes.values())


def _as_read(entry: Entry, commit_of: Mapping[str, str]) -> Entry:
    """Return the entry of a repository, with the commit that is read in its obstacle."""
    commit = commit_of.get(entry.path.rstrip("/"))
    if not commit:
        return entry
    return replace(entry, obstacle=Reason.COMMITTED.message(commit), is_ignored=True)


def _committed(
    places: Sequence[RepositoryPlace], intake: Intake, revision: str
) -> tuple[dict[str, str], list[Entry]]:
    """Return the commit read of each repository, and its files, including those left out."""
    packed, found = packed_files(places, intake.limits), list[Entry]()
    for place in places:
        if place.obstacle:
            continue
        shown = shown_name(place.path)
        if place.inside:
            shown = f"{shown}/{place.inside}".removesuffix(f"/{_ALL}")
        with History(place, packed.get(place)) as history:
            commit, entries, remarks = _snapshot(history, shown, rule_of(intake), revision)
        if remarks:
            why = Reason.REPOSITORY_BUT.message(chained(remarks))
            found.append(Entry(shown, _ALL, obstacle=why))
        if commit is not None:
            found += [replace(each, name=place.folder + each.name) for each in entries]
            return {shown: commit.id[:8]}, found
    return {}, found


def _snapshot(
    history: History, shown: str, rule: Rule, revision: str = "HEAD"
) -> tuple[Commit | None, list[Entry], tuple[str, ...]]:
    """Read the files of a commit, named by a branch, a tag, an id or a prefix of one.

    ``shown`` is the prefix of their paths in messages.

    Returns:
        The commit, None if none can be read; its files with their bytes, those that are not read or
        are ignored with an obstacle; and other parts that are not read, in words.
    """
    number = history.find(revision)
    if number is None:
        if revision != "HEAD":
            history.remarks[M_("it has no commit called %(revision)r", revision)] = None
        return None, [], tuple(history.remarks)
    before = set(history.remarks)
    files = history.files(number, lambda _name: True)
    remarks = tuple(each for each in history.remarks if each not in before)
    entries: dict[str, Entry] = {}
    for path, blob in files:
        name, objection = placed(path)
        ignored, content = None if objection else rule(name), None
        if ignored is not None:
            name, objection = ignored[0], ignored[1].message()
        elif not objection:
            content = history.blob(blob)
            if content is None:
                objection = Reason.NOT_COMMITTED.message(options.LARGEST_OBJECT >> 20)
        is_ignored = ignored is not None
        entries[name] = Entry(
            f"{shown}/{name}", name, content or b"", obstacle=objection, is_ignored=is_ignored
        )
    return history.nodes[number].commit, [*entries.values()], remarks


def packed_files(
    places: Iterable[RepositoryPlace], limits: Limits
) -> dict[RepositoryPlace, PackedFiles]:
    """Read the files of repositories in archives, each archive once, and no other files.

    Each repository gets a share of the limits of its archive. Places on disk are ignored.
    """
    of_archive = defaultdict[tuple[str, int], list[RepositoryPlace]](list)
    for place in places:
        if place.inside and not place.obstacle:
            of_archive[place.path, place.followed].append(place)
    found = dict[RepositoryPlace, PackedFiles]()
    for (path, followed), own in of_archive.items():
        found |= _packed_in(located(path, followed=followed), own, limits)
    return found


def _packed_in(
    archive: OnDisk, places: Iterable[RepositoryPlace], limits: Limits
) -> dict[RepositoryPlace, PackedFiles]:
    """Read the files of repositories in one archive."""
    place_of = {"" if each.inside == _ALL else each.inside: each for each in places}
    around = {above for path in place_of for above in ("", *paths_to(path))}
    unpacked = min(limits.unpacked, options.MOST_PACKED_BYTES)
    limits = replace(limits, file=options.LARGEST_PACKED_FILE, unpacked=unpacked)
    found = {place: PackedFiles({}) for place in place_of.values()}

    def repository(name: str) -> str | None:
        """Return the repository that contains a path, or that it is."""
        above = ["", *paths_to(name.strip("/"))]
        return next((each for each in reversed(above) if each in place_of), None)

    def rule(name: str) -> tuple[str, Reason] | None:
        is_needed = name.strip("/") in around or repository(name) is not None
        return None if is_needed else (name, Reason.NOT_NEEDED)

    def owners(entries: Sequence[Entry]) -> list[str]:
        """Return the owner of each entry: a repository, or an archive that contains some."""
        return [repository(each.name) or each.name for each in entries]

    for entry in batch_entries(Entry(archive.path, "", archive), limits, rule, owners):
        is_whole = entry.path == archive.path
        own = "" if is_whole else repository(entry.name)
        is_empty = Reason.of(entry.obstacle) is Reason.NO_FILES
        if entry.obstacle and not (entry.is_ignored or is_empty):
            remark = M_("a file of it, or the archive around it, %(obstacle)s", entry.obstacle)
            inner = "" if is_whole else f"{entry.name.strip('/')}/"
            for path, place in place_of.items():
                if path == own or f"{path}/".startswith(inner):
                    found[place] = found[place]._replace(remarks=(remark,))
        elif own is not None and isinstance(entry.content, bytes) and not entry.is_ignored:
            name = entry.name.removeprefix(own).lstrip("/")
            found[place_of[own]].files[name] = entry.content
    return found
