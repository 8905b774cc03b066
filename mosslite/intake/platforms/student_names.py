"""Platforms that put the student into each name, such as Canvas and Moodle."""

import re
import unicodedata
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from posixpath import commonprefix
from typing import Final

from mosslite.intake.platforms.exports import ExportEntry, PlaceOf, View, beside, by_tops, parted
from mosslite.intake.platforms.times import iso, written_time
from mosslite.reasons import Reason

# --- Blackboard -----------------------------------------------------------------------------------

# Homework 1_ann_attempt_2024-01-15-23-59-00_Main.java, and a note that ends after the time
_BLACKBOARD: Final = re.compile(
    r"(?P<who>.+?)_attempt_(?P<time>[0-9]{4}(?:-[0-9]{2}){5})(?:_(?P<file>.+)|(?P<note>\.txt))?",
    re.DOTALL,
)
BLACKBOARD_NAME: Final = re.compile(
    r"^Name:(?P<name>[^\r\n]*)\((?P<user>[^()\r\n]*)\)[ \t]*\r?$", re.MULTILINE
)
# Text typed by the student; without any, the platform writes a fixed sentence.
_BLACKBOARD_TEXT: Final = re.compile(
    r"^Submission Field:\s*(?!There is no student submission text data)(?!Comments:)\S",
    re.MULTILINE,
)
# The name is in the first line; text typed by the student may be long and look like one.
_HEAD: Final = 2000


def blackboard(view: View) -> PlaceOf | None:
    """Place files by assignment and user name; each time is an attempt."""
    matches = view.matching(_BLACKBOARD)
    names = _user_names({match["who"] for match in matches.values()})
    users, typed = dict(names), set[str]()
    for top, match in matches.items():
        if match["note"]:
            text = view.text(view.tops[top][0])
            # Text typed by the student follows further down.
            head = BLACKBOARD_NAME.match(text, 0, _HEAD)
            if head and head["user"] and f"_{match['who']}".endswith(f"_{head['user']}"):
                users[match["who"]] = head["user"]
                names[match["who"]] = head["name"].strip() or names[match["who"]]
            if _BLACKBOARD_TEXT.search(text):
                typed.add(top)
    files = Counter((match["who"], match["time"]) for match in matches.values())
    by_top = {}
    for top, match in matches.items():
        who, date, time = match["who"], match["time"][:10], match["time"][11:].replace("-", ":")
        is_part = not match["note"] or (top in typed and files[who, match["time"]] == 1)
        by_top[top] = ExportEntry(
            # The end of the assignment's name is not marked, and two user names may end alike.
            key=who,
            name=names[who],
            file=match["file"] or ("submission.txt" if match["note"] else ""),
            attempt=match["time"],
            submitted=iso(f"{date} {time}"),
            ignored=None if is_part else Reason.BLACKBOARD_NOTE,
            ids=(users[who],),
        )
    return by_tops(by_top)


def _user_names(prefixes: set[str]) -> dict[str, str]:
    """Split user names from the assignment's name before them; both may contain ``_``."""
    shared = commonprefix(sorted(prefixes)) if len(prefixes) > 1 else ""
    start = shared.rfind("_") + 1
    return {each: each[start:] if start else each.rpartition("_")[2] for each in prefixes}


# --- Brightspace ----------------------------------------------------------------------------------

# 101-7 - Ann Smith - January 15, 2024 1159 PM (a folder, or before the file's name); the time is in
# the language of the site
_BRIGHTSPACE: Final = re.compile(
    r"(?P<first>[0-9]+)-(?P<second>[0-9]+) - (?P<who>.+?) - "
    r"(?P<time>(?=(?:(?! - ).)*?(?<!\d)\d{4}(?!\d))"  # a year
    r"(?=(?:(?! - ).)*?(?<!\d)\d\d?(?!\d))(?:(?! - ).)+)"  # and a day
    r"(?: - (?P<file>.+))?",
    re.DOTALL,
)
_LIST: Final = "index.html"


def brightspace(view: View) -> PlaceOf | None:
    """Place files by the student's number and name; each time is an attempt."""
    matches = view.matching(_BRIGHTSPACE)
    # Of the two numbers, the one that is not always equal identifies the student. If both vary or
    # neither does, students are distinguished by name alone.
    numbers = [
        group
        for group in ("first", "second")
        if len({match[group] for match in matches.values()}) > 1
    ]
    by_top = {}
    for top, match in matches.items():
        submitted = written_time(match["time"])
        number = match[numbers[0]] if len(numbers) == 1 else ""
        by_top[top] = ExportEntry(
            key=f"{match['who']} {number}".rstrip(),
            name=match["who"],
            mark=number,
            file=match["file"] or "",
            attempt=submitted,
            submitted=submitted,
            ids=(number,) if number else (),
        )
    if view.has_file(_LIST):
        by_top[_LIST] = beside(_LIST, Reason.BRIGHTSPACE_INDEX)
    return by_tops(by_top)


# --- Canvas ---------------------------------------------------------------------------------------

# smithbob_LATE_340934_208490284_hw.py or LATE_anon_aB3dE_208490284_hw.py, and for text typed by the
# student smithbob_340934_text.html. Of hw.py and hw-1.py, names do not prove an order.
_CANVAS: Final = re.compile(
    r"(?:(?P<early>LATE_)?(?P<anonymous>anon_[0-9A-Za-z]+)|(?P<who>.*?)(?P<late>_LATE)?_(?P<id>[0-9]+))"
    r"_(?:(?P<attachment>[0-9]+)_(?P<file>.+)|(?P<typed>(?:text|link)\.html))",
    re.DOTALL,
)
# Shorter numbers may be counters of weeks or tasks, or years.
_DIGITS_OF_IDS: Final = 5
# Share of the numbers that must be unique to one thing: a team's name may end in a number.
_SHARE: Final = 0.8


def canvas(view: View) -> PlaceOf | None:
    """Place files by the numbers of the user and the attachment in their names."""
    matches = view.matching(_CANVAS)
    if not view.is_asked:
        matches = {top: each for top, each in matches.items() if _is_canvas_name(each["who"] or "")}
        if not _is_plausible(list(matches.values())):
            return None
    by_top = {}
    for top, match in matches.items():
        user, who = (match["anonymous"] or match[group] for group in ("id", "who"))
        by_top[top] = ExportEntry(
            key=f"{user} {who}",
            name=who or user,
            file=match["file"] or match["typed"],
            is_late=bool(match["early"] or match["late"]),
            mark=user,
            ids=(user,),
        )
    return by_tops(by_top)


def _is_canvas_name(who: str) -> bool:
    """Return whether a name has Canvas' form: lower-case letters, digits and underscores."""
    return who == who.lower() and all(unicodedata.category(c)[0] in "LMN" or c == "_" for c in who)


def _is_plausible(matches: Sequence[re.Match[str]]) -> bool:
    """Return whether the numbers are Canvas' own: not those of tasks, as in ``lab_1_2_ann.py``."""
    attachments = [match["attachment"] for match in matches if match["attachment"]]
    students = {match.group("anonymous", "id", "who") for match in matches}
    users = {(anonymous, number) for anonymous, number, _ in students}
    if len(set(attachments)) < _SHARE * len(attachments) or len(users) < _SHARE * len(students):
        return False
    is_varied = len({(anonymous, who) for anonymous, _, who in students}) > 1 or len(matches) == 1
    has_ids = all(len(number) >= _DIGITS_OF_IDS for number in attachments)
    return is_varied or (has_ids and bool(attachments))


# --- Moodle ---------------------------------------------------------------------------------------

# Ann Smith_123_assignsubmission_file (a folder; older sites add an underscore), or
# Ann Smith_123_assignsubmission_file_Main.java
_MOODLE: Final = re.compile(
    r"(?P<who>.+?)_(?P<id>[0-9]+)_assignsubmission_(?P<kind>[a-z]+)(?P<rest>(?:[_.].*)?)",
    re.DOTALL,
)


def moodle(view: View) -> PlaceOf | None:
    """Place files by the number of the participant or team, which only Moodle's names have."""
    matches = view.matching(_MOODLE)
    numbers = {match["id"] for match in matches.values()}
    names = {match["who"] for match in matches.values()}
    # With anonymous marking, all have the same name, in the language of the site.
    is_blind = (len(names) == 1 < len(numbers)) or names == {"Participant"}
    by_top = {}
    for top, match in matches.items():
        who, number, kind, rest = match.groups()
        by_top[top] = ExportEntry(
            key=f"{number} {who}",  # a team and a student may have the same number
            name=f"{who} {number}" if is_blind else who,
            # Of a folder of files, nothing follows.
            file=kind + rest if rest.startswith(".") else rest.removeprefix("_"),
            mark=number,
            ids=(number,),
        )
    return by_tops(by_top)


# Smith Ann 1002 ann7 (a folder, which holds one for each attempt); a team has no login
_VPL: Final = re.compile(r"(?P<who>.+?) (?P<id>[0-9]+)(?: (?P<login>\S*))?", re.DOTALL)
# 2024-05-15-10-30-00, and 2024-05-15-10-30-00.ceg with the results of its tests
_VPL_ATTEMPT: Final = re.compile(
    r"(?P<date>[0-9]{4}-[0-9]{2}-[0-9]{2})-(?P<time>[0-9]{2}-[0-9]{2}-[0-9]{2})(?P<tests>\.ceg)?"
)
_VPL_REPORTS: Final = ("Report.txt", "Errors.txt")


def vpl(view: View) -> PlaceOf | None:
    """Place files of Moodle's Virtual Programming Lab by student and the folder of the attempt."""
    students = view.matching(_VPL)

    def place_of(name: str) -> ExportEntry | None:
        if name in _VPL_REPORTS:
            return beside(name, Reason.VPL_REPORT)
        top, rest = parted(name)
        # A student's folder without files has an obstacle, or is not among the files of an archive.
        is_file = name in view.entries and not view.entries[name].obstacle
        is_placed = top in students and (rest or not is_file)
        return _vpl_place(students[top], rest) if is_placed else None

    return place_of if students and any(map(place_of, view.entries)) else None


def _vpl_place(student: re.Match[str], rest: str) -> ExportEntry | None:
    """Place a file below the folder of an attempt; an empty folder of a student has none."""
    key, number = student[0], student["id"]
    if not rest:  # nothing was handed in
        return ExportEntry(key, student["who"], key, mark=number, ids=(number,))
    folder, file = parted(rest)
    match = _VPL_ATTEMPT.fullmatch(folder)
    if match is None:
        return None
    submitted = iso(f"{match['date']} {match['time'].replace('-', ':')}")
    ignored = Reason.VPL_RECORD if match["tests"] else None
    place = ExportEntry(key, student["who"], file or folder, submitted, submitted, ignored=ignored)
    return replace(place, mark=number, ids=(number,))


# --- GitHub Classroom and submit50 ----------------------------------------------------------------

# hw1-submissions/, which holds hw1-ann/
_GITHUB_FOLDER: Final = re.compile(r"(?P<slug>.+)-submissions", re.DOTALL)
_ORGANIZATION: Final = "me50"


def github(view: View) -> PlaceOf | None:
    """Place the files of ``hw1-ann/`` in ``hw1-submissions/``."""
    folder = _GITHUB_FOLDER.fullmatch(view.folder)
    tops = _folders(view)
    if folder is not None:
        slug = f"{folder['slug']}-"
    elif view.is_asked and len(tops) > 1:
        shared = commonprefix(tops)
        slug = shared[: shared.rfind("-") + 1]
    else:
        return None
    logins = {
        top: top.removeprefix(slug) for top in tops if slug and top.startswith(slug) and top != slug
    }
    return by_tops(
        {top: ExportEntry(login, login, "", ids=(login,)) for top, login in logins.items()}
    )


def submit50(view: View) -> PlaceOf | None:
    """Place the files of ``ann/`` in ``me50/``."""
    if view.folder != _ORGANIZATION and not view.is_asked:
        return None
    return by_tops({top: ExportEntry(top, top, "", ids=(top,)) for top in _folders(view)})


def _folders(view: View) -> list[str]:
    """Return the folders and archives in a view."""
    return [top for top, names in view.tops.items() if view.is_archive(top) or names != (top,)]
