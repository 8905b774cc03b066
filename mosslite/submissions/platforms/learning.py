"""Blackboard, Brightspace, Canvas and Moodle: platforms that put the student into each name."""

import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from typing import Final

from mosslite.submissions.platforms.records import (
    BLACKBOARD,
    BLACKBOARD_NAME,
    BLACKBOARD_TEXT,
    BRIGHTSPACE,
    CANVAS,
    CANVAS_ANONYMOUS,
    CANVAS_UPLOAD,
    MOODLE,
    VPL,
    VPL_ATTEMPT,
    ExportEntry,
    Listing,
    Places,
    beside,
    file_at,
    iso,
    parted,
    places_of_tops,
    text_of,
    written_time,
)
from mosslite.texts import M_

# The name is in the first line; text typed by the student may be long and look like one.
_HEAD: Final = 2000


@dataclass(frozen=True, slots=True)
class _Note:
    """The platform's note on a submission; ``holds_text`` if the student typed text."""

    name: str
    user: str
    holds_text: bool


def blackboard(listing: Listing) -> Places:
    """Place files by assignment and user name; each time is an attempt."""
    matches = {top: match for top in listing.tops if (match := BLACKBOARD.fullmatch(top))}
    notes = {top: _note(listing, match) for top, match in matches.items() if match["note"]}
    names = _user_names({match["who"] for match in matches.values()})
    users = names | {matches[top]["who"]: note.user for top, note in notes.items() if note.user}
    names |= {matches[top]["who"]: note.name for top, note in notes.items() if note.name}
    files = Counter((match["who"], match["time"]) for match in matches.values())
    by_top = {}
    for top, match in matches.items():
        is_alone = files[match["who"], match["time"]] == 1
        is_part = top not in notes or (is_alone and notes[top].holds_text)
        place = _blackboard_place(match, names[match["who"]], is_part=is_part)
        by_top[top] = replace(place, ids=(users[match["who"]],))
    return places_of_tops(listing, by_top)


def _blackboard_place(match: re.Match[str], name: str, *, is_part: bool) -> ExportEntry:
    date, time = match["time"][:10], match["time"][11:].replace("-", ":")
    return ExportEntry(
        # The end of the assignment's name is not marked, and two user names may end alike.
        key=match["who"],
        name=name,
        file=match["file"] or ("submission.txt" if match["note"] else ""),
        attempt=match["time"],
        submitted=iso(f"{date} {time}"),
        ignored="" if is_part else M_("is Blackboard's note on a submission"),
    )


def _note(listing: Listing, top: re.Match[str]) -> _Note:
    text = text_of(listing.entries[listing.tops[top[0]][0]]) or ""
    # Text typed by the student follows further down.
    match = BLACKBOARD_NAME.match(text, 0, _HEAD)
    is_own = match is not None and f"_{top['who']}".endswith(f"_{match['user']}")
    name = match["name"].strip() if match is not None and is_own else ""
    user = match["user"] if match is not None and is_own else ""
    return _Note(name, user, BLACKBOARD_TEXT.search(text) is not None)


def _user_names(prefixes: set[str]) -> dict[str, str]:
    """Split user names from the assignment's name before them; both may contain ``_``."""
    parts = [prefix.split("_") for prefix in sorted(prefixes)]
    common = 0
    while len(parts) > 1 and all(len(each) > common + 1 for each in parts):
        if len({each[common] for each in parts}) > 1:
            break
        common += 1
    return {"_".join(each): "_".join(each[common or -1 :]) for each in parts}


_LIST: Final = "index.html"


def brightspace(listing: Listing) -> Places:
    """Place files by the student's number and name; each time is an attempt."""
    matches = {top: match for top in listing.tops if (match := BRIGHTSPACE.fullmatch(top))}
    number = _number_of_student(matches.values())
    by_top = {top: _brightspace_place(match, number) for top, match in matches.items()}
    if file_at(listing, _LIST) is not None:
        by_top[_LIST] = beside(_LIST, M_("is Brightspace's index"))
    return places_of_tops(listing, by_top)


def _number_of_student(matches: Collection[re.Match[str]]) -> str:
    """Return which of the two numbers identifies the student: the one that is not always equal.

    If both vary or neither does, students are distinguished by name alone.
    """
    different = [
        group for group in ("first", "second") if len({match[group] for match in matches}) > 1
    ]
    return different[0] if len(different) == 1 else ""


def _brightspace_place(match: re.Match[str], number: str) -> ExportEntry:
    submitted = written_time(match["time"])
    return ExportEntry(
        key=f"{match['who']} {match[number]}" if number else match["who"],
        name=match["who"],
        mark=match[number] if number else "",
        file=match["file"] or "",
        attempt=submitted,
        submitted=submitted,
        ids=(match[number],) if number else (),
    )


# Shorter numbers may be counters of weeks or tasks, or years.
_DIGITS_OF_IDS: Final = 5
# Canvas renames a repeated hw-1.py to hw-1-1.py; more numbers than this do not occur.
_MOST_NUMBERS: Final = 3
# Share of the numbers that must be unique to one thing: a team's name may end in a number.
_SHARE: Final = 0.8


@dataclass(frozen=True, slots=True)
class _Upload:
    """A parsed first path component; ``attachment`` is empty for text typed by the student."""

    top: str
    who: str
    user: str
    attachment: str
    file: str
    is_late: bool


def canvas(listing: Listing) -> Places:
    """Place files by the numbers of the user and the attachment in their names."""
    uploads = [upload for top in listing.tops if (upload := _upload(top)) is not None]
    if not listing.is_asked:
        uploads = [upload for upload in uploads if _is_canvas_name(upload.who)]
        if not _is_plausible(uploads):
            return []
    by_user: defaultdict[tuple[str, str], list[_Upload]] = defaultdict(list)
    for upload in uploads:
        by_user[upload.user, upload.who].append(upload)
    by_top: dict[str, ExportEntry] = {}
    for each in by_user.values():
        by_top |= _of_user(each, all_attempts=listing.all_attempts)
    return places_of_tops(listing, by_top)


def _upload(top: str) -> _Upload | None:
    match = CANVAS_ANONYMOUS.fullmatch(top)
    if match is not None:
        who = user = f"anon_{match['id']}"
    else:
        match = CANVAS.fullmatch(top)
        if match is None:
            return None
        who, user = match["who"], match["id"]
    file = match["file"] or match["typed"]
    return _Upload(top, who, user, match["attachment"] or "", file, match["late"] is not None)


def _is_canvas_name(who: str) -> bool:
    """Return whether a name has Canvas' form: lower-case letters, digits and underscores."""
    if who.startswith("anon_"):
        return True
    return who == who.lower() and all(unicodedata.category(c)[0] in "LMN" or c == "_" for c in who)


def _is_plausible(uploads: Sequence[_Upload]) -> bool:
    """Return whether the numbers are Canvas' own: not those of tasks, as in ``lab_1_2_ann.py``."""
    attachments = [upload.attachment for upload in uploads if upload.attachment]
    names = {(upload.user, upload.who) for upload in uploads}
    users = {upload.user for upload in uploads}
    if len(set(attachments)) < _SHARE * len(attachments) or len(users) < _SHARE * len(names):
        return False
    is_varied = len({upload.who for upload in uploads}) > 1 or len(uploads) == 1
    has_ids = all(len(number) >= _DIGITS_OF_IDS for number in attachments)
    return is_varied or (has_ids and bool(attachments))


def _of_user(uploads: Sequence[_Upload], *, all_attempts: bool) -> dict[str, ExportEntry]:
    first = uploads[0]
    is_late = any(upload.is_late for upload in uploads)
    newer = _newer_uploads([upload.file for upload in uploads])
    count = 1 + max(newer.values())
    places = {}
    for upload in uploads:
        place = ExportEntry(
            f"{first.user} {first.who}",
            first.who or first.user,
            upload.file,
            is_late=is_late,
            mark=first.user,
            ids=(first.user,),
        )
        # If hw.py and hw-1.py were submitted together, both are read: names do not prove an order.
        if all_attempts and count > 1:
            place = replace(place, attempt=f"{count - newer[upload.file]:04}")
        places[upload.top] = place
    return places


def _newer_uploads(files: Sequence[str]) -> dict[str, int]:
    """Return for each file how many newer uploads have the same original name.

    Canvas names the second upload of ``hw.py`` ``hw-1.py``; without a ``hw.py``, that is an
    ordinary name.
    """
    known = set(files)
    chains: defaultdict[str, list[tuple[tuple[int, ...], str]]] = defaultdict(list)
    for file in sorted(known):
        bare, numbers = _bare(file, known)
        chains[bare].append((numbers, file))
    newer: dict[str, int] = {}
    for chain in chains.values():
        newest_first = sorted(chain, reverse=True)
        newer |= {file: later for later, (_, file) in enumerate(newest_first)}
    return newer


def _bare(file: str, known: set[str]) -> tuple[str, tuple[int, ...]]:
    """Return the name of a file's first upload, and the numbers that were appended to it."""
    numbers: tuple[int, ...] = ()
    while len(numbers) < _MOST_NUMBERS and (match := CANVAS_UPLOAD.fullmatch(file)) is not None:
        bare = match["stem"] + (match["suffix"] or "")
        if bare not in known:
            break
        file, numbers = bare, (int(match["number"]), *numbers)
    return file, numbers


def moodle(listing: Listing) -> Places:
    """Place files by the number of the participant or team, which only Moodle's names have."""
    matches = {top: match for top in listing.tops if (match := MOODLE.fullmatch(top))}
    numbers = {match["id"] for match in matches.values()}
    names = {match["who"] for match in matches.values()}
    # With anonymous marking, all have the same name, in the language of the site.
    is_blind = (len(names) == 1 < len(numbers)) or names == {"Participant"}
    return places_of_tops(
        listing, {top: _moodle_place(match, is_blind=is_blind) for top, match in matches.items()}
    )


def _moodle_place(match: re.Match[str], *, is_blind: bool) -> ExportEntry:
    name = f"{match['who']} {match['id']}" if is_blind else match["who"]
    # A team and a student may have the same number.
    key = f"{match['id']} {match['who']}"
    return ExportEntry(
        key, name, _file(match["kind"], match["rest"]), mark=match["id"], ids=(match["id"],)
    )


def _file(kind: str, rest: str) -> str:
    """Return the name of a submitted file, empty if this is a folder of files."""
    return kind + rest if rest.startswith(".") else rest.removeprefix("_")


_VPL_REPORTS: Final = ("Report.txt", "Errors.txt")


def vpl(listing: Listing) -> Places:
    """Place files of Moodle's Virtual Programming Lab by student and the folder of the attempt."""
    places: Places = [None] * len(listing.entries)
    for student in filter(None, map(VPL.fullmatch, listing.tops)):
        for index in listing.tops[student[0]]:
            rest = parted(listing.names[index])[1]
            if rest or listing.entries[index].obstacle:
                places[index] = _vpl_place(student, rest)
    for name in _VPL_REPORTS if any(places) else ():
        report = file_at(listing, name)
        if report is not None:
            places[report] = beside(name, M_("is VPL's report"))
    return places if any(places) else []


def _vpl_place(student: re.Match[str], rest: str) -> ExportEntry | None:
    """Place a file below the folder of an attempt; an empty folder of a student has none."""
    key, number = student[0], student["id"]
    if not rest:
        return ExportEntry(key, student["who"], key, mark=number, ids=(number,))
    folder, file = parted(rest)
    match = VPL_ATTEMPT.fullmatch(folder)
    if match is None:
        return None
    submitted = iso(f"{match['date']} {match['time'].replace('-', ':')}")
    ignored = M_("is VPL's record of tests and grades") if match["tests"] else ""
    place = ExportEntry(key, student["who"], file or folder, submitted, submitted, ignored=ignored)
    return replace(place, mark=number, ids=(number,))
