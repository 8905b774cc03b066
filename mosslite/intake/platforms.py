"""The table of learning platforms, and how each names what was handed in.

A platform is a function from a view of a batch to the students of its paths, and a row of
``PLATFORMS``.
"""

import csv
import io
import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice
from posixpath import commonprefix
from typing import TYPE_CHECKING, Final, NamedTuple

from mosslite.intake.exports import (
    EXTRAS,
    ExportEntry,
    Layout,
    PlaceOf,
    View,
    ascending,
    beside,
    by_tops,
    iso,
    parted,
    plain_place,
    written_time,
)
from mosslite.reasons import Reason
from mosslite.records import Role
from mosslite.signatures import has_archive_name

if TYPE_CHECKING:
    from yaml import BaseLoader  # slow to import, and rarely needed

# Share of the students that must have one of a platform's own files, or a row in its table, and of
# numbers in names that must be unique to one thing: a team's name may end in a number.
_SHARE: Final = 0.8

# --- Gradescope -----------------------------------------------------------------------------------

# submission_123 (a folder) or, of an assignment on paper, 123.pdf; in assignment_7_export/
_GRADESCOPE_TOP: Final = re.compile(r"submission_[0-9]+|[0-9]+\.pdf")
_GRADESCOPE_FOLDER: Final = re.compile(r"assignment_[0-9]+_export")
METADATA: Final = "submission_metadata.yml"


def gradescope(view: View) -> PlaceOf | None:
    """Place the contents of submission folders, by the metadata if it can be read."""
    has_metadata = view.has_file(METADATA)
    is_export = has_metadata or _GRADESCOPE_FOLDER.fullmatch(view.folder) is not None
    if not is_export and not view.is_asked:
        return None
    metadata = _metadata_in(view.text(METADATA)) if has_metadata else {}
    by_top = {
        top: _gradescope_place(top, metadata.get(top))
        for top in view.tops
        # A folder of another name could have been submitted, along with fake metadata.
        if _GRADESCOPE_TOP.fullmatch(top) or (view.is_asked and top in metadata)
    }
    if has_metadata:
        by_top[METADATA] = beside(METADATA, Reason.METADATA)
    return by_tops(by_top)


def _gradescope_place(top: str, metadata: object) -> ExportEntry:
    """Place a submission by its metadata, which can contain anything."""
    if not isinstance(metadata, dict):
        return ExportEntry(top, top, "")
    students = tuple(_students(metadata.get(":submitters")))
    members = tuple(name for name, _, _ in students)
    submitted = metadata.get(":created_at")
    return ExportEntry(
        key=top,
        name=", ".join(members) or top,
        file="",
        submitted=iso(submitted) if isinstance(submitted, str) else "",
        members=members if len(members) > 1 else (),
        ids=tuple(number for _, number, _ in students),
        emails=tuple(email for _, _, email in students),
    )


def _students(submitters: object) -> Iterator[tuple[str, str, str]]:
    """Yield name, number (or else address) and address of each student; empty where missing."""
    for each in submitters if isinstance(submitters, list) else ():
        if not isinstance(each, dict):
            continue
        known = (each.get(key) for key in (":name", ":sid", ":email"))
        name, number, email = (v.strip() if isinstance(v, str) else "" for v in known)
        if name or email:
            yield name or email, number or email, email


# The only keys of a submission that are read; earlier attempts and test results can be a hundred
# times as long.
_WANTED: Final = (":submitters:", ":created_at:")
# Text of ten thousand students, after reduction to these keys.
_MOST_TEXT: Final = 2 << 20
_DEEPEST: Final = 20


def _metadata_in(text: str) -> dict[object, object]:
    """Return the metadata by submission; empty if it cannot be read."""
    import yaml  # noqa: PLC0415 - slow to import, and rarely needed

    # Strings, lists and dictionaries only, whatever tags occur.
    loader: type[BaseLoader] = getattr(yaml, "CBaseLoader", yaml.BaseLoader)
    text = _essence(text)
    if len(text) > _MOST_TEXT:
        return {}
    try:
        if _is_too_deep(yaml.parse(text, Loader=loader)):
            return {}
        metadata = yaml.load(text, Loader=loader)  # noqa: S506 - constructs no objects
    except (yaml.YAMLError, ValueError, TypeError, RecursionError):
        return {}
    return metadata if isinstance(metadata, dict) else {}


def _essence(text: str) -> str:
    """Remove the unneeded keys of submissions, by indentation.

    The file is generated, with keys indented by two blanks; a file in another form is returned
    unchanged.
    """
    kept, is_wanted = [], True
    for line in text.replace("\r\n", "\n").split("\n"):
        if line[:1] not in ("", " "):
            is_wanted = True
        elif line.startswith("  :"):
            is_wanted = line[2:].startswith(_WANTED)
        if is_wanted:
            kept.append(line)
    return "\n".join(kept)


def _is_too_deep(events: Iterable[object]) -> bool:
    """Return whether collections are nested too deep; what follows then is not parsed."""
    import yaml  # noqa: PLC0415

    depth = 0
    for event in events:
        depth += isinstance(event, yaml.CollectionStartEvent)
        depth -= isinstance(event, yaml.CollectionEndEvent)
        if depth > _DEEPEST:
            return True
    return False


# --- Dolos ----------------------------------------------------------------------------------------

DOLOS_TABLE: Final = "info.csv"
_COLUMNS: Final = frozenset({"filename", "full_name", "label", "labels", "created_at", "ignored"})
# More files than a course submits.
_MOST_ROWS: Final = 100_000
# Folders examined above a file; without a limit, a hostile path costs quadratic time.
_MOST_PARTS: Final = 50


def dolos(view: View) -> PlaceOf | None:
    """Place files by their rows; a file without one is a submission of its own."""
    if not view.has_file(DOLOS_TABLE):
        return None
    rows = dict(_rows(view.text(DOLOS_TABLE)))
    found = {name: _row_of(name, rows) for name in view.entries}
    if not any(found.values()) or not (view.is_asked or _is_believed(view, found)):
        return None
    counts = Counter((row.key, row.attempt, row.file) for row in rows.values())

    def place_of(name: str) -> ExportEntry | None:
        if name == DOLOS_TABLE:
            return beside(DOLOS_TABLE, Reason.METADATA)
        path = _row_of(name, rows)
        if not path:
            return replace(plain_place(name), key=f"{parted(name)[0]}/")
        row = rows[path]
        is_alone = counts[row.key, row.attempt, row.file] == 1
        return replace(row, file=(name[len(path) + 1 :] or row.file) if is_alone else name)

    return place_of


def _is_believed(view: View, found: Mapping[str, str]) -> bool:
    """Return whether no student can have written the table, and it lists nearly all students."""
    tops = {parted(name)[0] for name in view.wanted} - EXTRAS - {DOLOS_TABLE}
    covered = {top for top in tops if any(found[name] for name in view.tops[top])}
    has_files = any(top in view.entries or has_archive_name(top) for top in tops)
    return view.is_outermost and not has_files and len(covered) >= _SHARE * len(tops) > 0


def _rows(text: str) -> Iterator[tuple[str, ExportEntry]]:
    """Yield path and place of a file, or of all files below a folder; none if it is not a table.

    Rows can have other cells. Templates and files of nobody have a key of their own, and without a
    time, all files of a student are one attempt.
    """
    lines = csv.reader(io.StringIO(text, newline=""))
    try:
        columns = {name: at for at, name in enumerate(next(lines, [])) if name in _COLUMNS}
        rows = [
            {name: line[at].strip() for name, at in columns.items() if at < len(line)}
            for line in islice(filter(None, lines), _MOST_ROWS)
        ]
    except csv.Error:
        return
    for cells in rows:
        row = defaultdict(str, cells)
        # As in entries; a path that leads outside matches none.
        path = row["filename"].replace("\\", "/").removeprefix("./").strip("/")
        who, submitted = row["full_name"], iso(row["created_at"])
        is_template = row["ignored"].lower() == "true"
        if path:
            yield (
                path,
                ExportEntry(
                    key=who if who and not is_template else f"{path}/",
                    name=who or path,
                    file=path.rpartition("/")[2],
                    attempt=ascending(submitted),
                    submitted=submitted,
                    label=row["label"] or row["labels"],
                    role=Role.BASE if is_template else None,
                ),
            )


def _row_of(name: str, rows: Container[str]) -> str:
    """Return the path of an entry, or of the nearest folder or archive around it, with a row."""
    parts = name.split("/", _MOST_PARTS)
    paths = ("/".join(parts[:depth]) for depth in range(len(parts), 0, -1))
    return next((path for path in paths if path in rows), "")


# --- nbgrader -------------------------------------------------------------------------------------

_SUBMITTED: Final = "submitted"
# Other folders and files of a course.
_COURSE: Final = frozenset(
    {"source", "release", "autograded", "feedback", "gradebook.db", "nbgrader_config.py"}
)
_TIME: Final = "timestamp.txt"


def nbgrader(view: View) -> PlaceOf | None:
    """Place the files of a course's ``submitted/`` folder, or of one with the same structure."""
    is_likely = view.is_asked or not _COURSE.isdisjoint(view.tops)
    is_course = is_likely and _SUBMITTED in view.tops
    below = f"{_SUBMITTED}/" if is_course else ""
    paths = {name: _parts_below(name, below) for name in view.entries}
    parts = [each for each in paths.values() if each]
    knows = is_course or view.folder == _SUBMITTED
    if not view.is_asked and not _is_plausible(parts, knows=knows):
        return None
    students = {each[0] for each in parts if len(each) > 2}
    is_one = len({each[1] for each in parts if len(each) > 2}) == 1
    times = _times(view, paths)

    def place_of(name: str) -> ExportEntry | None:
        top = parted(name)[0]
        # Anything that no course has there could be a submission beside one named "submitted".
        if is_course and top != _SUBMITTED and (view.is_asked or top in _COURSE):
            return beside(name, Reason.NOT_SUBMITTED)
        own = _parts_below(name, below)
        if len(own) < 2 or own[0] not in students:
            return None
        return ExportEntry(
            key=own[0],
            name=own[0],
            file="/".join(own[2:] if is_one and len(own) > 2 else own[1:]),
            submitted=times.get(own[0], ""),
            ids=(own[0],),
            ignored=Reason.NBGRADER_TIME if own[2:] == [_TIME] else None,
        )

    return place_of if is_course or any(map(place_of, view.entries)) else None


def _parts_below(name: str, folder: str) -> list[str]:
    return name.removeprefix(folder).split("/", 3) if name.startswith(folder) else []


def _is_plausible(parts: Sequence[Sequence[str]], *, knows: bool) -> bool:
    """Return whether most students have a time, or a notebook, where nbgrader puts them.

    ``knows`` says that the folder is named as in nbgrader: then notebooks are sufficient.
    """
    suffixes = (".ipynb", _TIME) if knows else (_TIME,)
    students = {each[0] for each in parts}
    fitting = {each[0] for each in parts if len(each) == 3 and each[2].endswith(suffixes)}
    return len(fitting) >= _SHARE * len(students) > 0


def _times(view: View, paths: Mapping[str, Sequence[str]]) -> dict[str, str]:
    """Return the time of each student's latest submission."""
    times: dict[str, str] = {}
    for name, parts in paths.items():
        if len(parts) == 3 and parts[2] == _TIME:
            time = iso(view.text(name).strip().partition("\n")[0])
            times[parts[0]] = max(times.get(parts[0], time), time, key=ascending)
    return times


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
_NOTE_HEAD: Final = 2000


def blackboard(view: View) -> PlaceOf | None:
    """Place files by assignment and user name; each time is an attempt."""
    matches = view.matching(_BLACKBOARD)
    names = _user_names({match["who"] for match in matches.values()})
    users, typed = dict(names), set[str]()
    for top, match in matches.items():
        if match["note"]:
            text = view.text(view.tops[top][0])
            # Text typed by the student follows further down.
            head = BLACKBOARD_NAME.match(text, 0, _NOTE_HEAD)
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
_INDEX: Final = "index.html"


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
    if view.has_file(_INDEX):
        by_top[_INDEX] = beside(_INDEX, Reason.BRIGHTSPACE_INDEX)
    return by_tops(by_top)


# --- Sakai ----------------------------------------------------------------------------------------

# Smith, Ann(ann7) (a folder)
_SAKAI: Final = re.compile(r"(?P<who>.+)\((?P<id>[^()]+)\)", re.DOTALL)
# In it: what was handed in, typed text, and what the platform and the instructor add.
_SAKAI_FILE: Final = re.compile(
    r"Submission attachment\(s\)/(?P<file>.+)|.*_(?P<typed>submissionText\.html)"
    r"|timestamp\.txt|comments\.txt|feedbackText\.html|Feedback Attachment\(s\)(?:/.*)?",
    re.DOTALL,
)
# 20240115235900000
_SAKAI_TIME: Final = re.compile(r"(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)\d*\s*")


def sakai(view: View) -> PlaceOf | None:
    """Place the files of ``Smith, Ann(ann7)/`` by the part of the folder that they are in."""
    students = view.matching(_SAKAI)
    dated = {top: f"{top}/{_TIME}" for top in students if f"{top}/{_TIME}" in view.entries}
    if not view.is_asked and len(dated) < _SHARE * len(students):
        return None
    times = {top: _SAKAI_TIME.sub(r"\1-\2-\3 \4:\5:\6", view.text(n)) for top, n in dated.items()}

    def place_of(name: str) -> ExportEntry | None:
        top, rest = parted(name)
        if top not in students:
            return None
        part, number = _SAKAI_FILE.fullmatch(rest), students[top]["id"]
        file = (part and (part["file"] or part["typed"])) or rest or top
        return ExportEntry(
            key=top,
            name=students[top]["who"],
            file=file,
            submitted=iso(times.get(top, "")),
            ignored=Reason.SAKAI_RECORD if part and file == rest else None,
            mark=number,
            ids=(number,),
        )

    return place_of if students else None


# --- Autolab --------------------------------------------------------------------------------------

# ann@example.edu_2_hw.py: the second version that Ann handed in
_AUTOLAB: Final = re.compile(
    r"(?P<who>[^@]+@[^@_]+)_(?P<version>[0-9]{1,12})_(?P<file>.+)", re.DOTALL
)


def autolab(view: View) -> PlaceOf | None:
    """Place files by the student's address; each version is an attempt."""
    return by_tops(
        {
            top: ExportEntry(
                key=match["who"],
                name=match["who"],
                file=match["file"],
                attempt=match["version"].zfill(12),
                ids=(match["who"],),
                emails=(match["who"],),
            )
            for top, match in view.matching(_AUTOLAB).items()
        }
    )


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


def canvas(view: View) -> PlaceOf | None:
    """Place files by the numbers of the user and the attachment in their names."""
    matches = view.matching(_CANVAS)
    if not view.is_asked:
        matches = {top: each for top, each in matches.items() if _is_canvas_name(each["who"] or "")}
        if not _are_canvas_numbers(list(matches.values())):
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


def _are_canvas_numbers(matches: Sequence[re.Match[str]]) -> bool:
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
# Ann Smith_123_assignsubmission_file_Main.java; beside it, Ann Smith_123_assignfeedback_comments
_MOODLE: Final = re.compile(
    r"(?P<who>.+?)_(?P<id>[0-9]+)_assign(?P<by>submission|feedback)"
    r"_(?P<kind>[a-z]+)(?P<rest>(?:[_.].*)?)",
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
        who, number, by, kind, rest = match.groups()
        is_feedback = by == "feedback"
        by_top[top] = ExportEntry(
            key=f"{number} {who}",  # a team and a student may have the same number
            name=f"{who} {number}" if is_blind else who,
            # Of a folder of files, nothing follows.
            file=kind + rest if rest.startswith(".") or is_feedback else rest.removeprefix("_"),
            mark=number,
            ids=(number,),
            ignored=Reason.MOODLE_FEEDBACK if is_feedback else None,
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


# --- all platforms -------------------------------------------------------------------------------


class Platform(NamedTuple):
    """A learning platform: its layout's name, with what the user can check in a batch.

    Attributes:
        metadata: Regular expression of its own files, of which the content is read.
    """

    name: str
    title: str
    example: str
    layout: Layout
    metadata: str = ""


# More specific layouts come first: they fit where a general one would fit too.
# fmt: off
PLATFORMS: Final = (
    Platform("gradescope", "Gradescope", "submission_123/hw.py", gradescope,
              re.escape(METADATA)),
    Platform("dolos", "Dolos", "info.csv with a column 'filename'", dolos,
              re.escape(DOLOS_TABLE)),
    Platform("moodle", "Moodle", "Ann Smith_123_assignsubmission_file/hw.py", moodle),
    Platform("vpl", "Moodle VPL", "Smith Ann 123 ann7/2024-05-15-10-30-00/hw.py", vpl),
    Platform("blackboard", "Blackboard", "Hw_ann_attempt_2024-01-15-23-59-00_hw.py", blackboard,
              r".+_attempt_[-0-9]{19}\.txt"),
    Platform("brightspace", "Brightspace", "1-2 - Ann - May 1, 2024 930 AM/hw.py", brightspace),
    Platform("sakai", "Sakai", "Smith, Ann(ann7)/Submission attachment(s)/hw.py", sakai,
              re.escape(_TIME)),
    Platform("autolab", "Autolab", "ann@example.edu_1_hw.py", autolab),
    Platform("canvas", "Canvas", "smithbob_340934_208490284_hw.py", canvas),
    Platform("nbgrader", "nbgrader", "submitted/ann/ps1/problem.ipynb", nbgrader,
              re.escape(_TIME)),
    Platform("github", "GitHub Classroom", "hw1-submissions/hw1-ann/hw.py", github),
    Platform("submit50", "submit50", "me50/ann/hw.py", submit50),
)
# fmt: on
_OWN_FILES: Final = "|".join(each.metadata for each in PLATFORMS if each.metadata)


def is_metadata(name: str) -> bool:
    """Return whether a path may be a platform's own file, whose content is needed to recognize."""
    return re.fullmatch(_OWN_FILES, name.rpartition("/")[2], re.DOTALL) is not None
