"""Input and output of layouts, and the naming schemes of the platforms."""

import re
import unicodedata
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Final

from mosslite.archive_names import has_archive_name, without_suffix
from mosslite.records import Role
from mosslite.submissions.disk import NotReadError
from mosslite.submissions.entries import Entry, content_of

# A platform's list of a thousand students is smaller; larger files are not read as one.
_MOST_METADATA: Final = 16 << 20


@dataclass(frozen=True, slots=True)
class ExportEntry:
    """An entry in an export, and its student; key, name and file are never empty.

    Attributes:
        key: Equal for all files of one student or team, in all attempts.
        name: Display name of the submission.
        file: Path inside the submission.
        attempt: Equal for all files of one attempt; ascends with time within a key.
        submitted: Submission time, in ISO 8601 if it can be parsed, else as written.
        members: Names in a team of several.
        label: A group, or another mark set by the instructor.
        role: A role other than that of the batch.
        ignored: Why the entry is not part of a submission, as in ``is Moodle's list``; or empty.
        is_beside: It is outside of the submissions; nobody submitted it.
        mark: Distinguishes submissions of equal name for a reader; if empty, the key does.
        ids: The platform's ids of the members or the one student; empty if it has none.
        emails: Their addresses, likewise.
    """

    key: str
    name: str
    file: str
    attempt: str = ""
    submitted: str = ""
    members: tuple[str, ...] = ()
    label: str = ""
    is_late: bool = False
    role: Role | None = None
    ignored: str = ""
    is_beside: bool = False
    mark: str = ""
    ids: tuple[str, ...] = ()
    emails: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Recognized:
    """A batch's layout, and an export entry for each of its entries, in order.

    Attributes:
        title: The platform's name; empty for a plain batch.
        remark: What the reader must know about the recognition; may be empty.
    """

    title: str
    places: tuple[ExportEntry, ...]
    remark: str = ""


@dataclass(frozen=True, slots=True)
class Listing:
    """A batch as seen from one of its folders, which may contain the submissions.

    Attributes:
        folder: Name of that folder.
        entries: All of the batch.
        names: Path of each entry relative to the folder; empty for entries outside of it.
        tops: The entries below each first path component, in order of appearance.
        all_attempts: Earlier attempts are included.
        is_outermost: The folder is the one given by the user, so it cannot be a submission.
        is_asked: The user named the layout; otherwise it fits only if everything is plausible.
    """

    folder: str
    entries: tuple[Entry, ...]
    names: tuple[str, ...]
    tops: Mapping[str, tuple[int, ...]]
    all_attempts: bool
    is_outermost: bool = True
    is_asked: bool = False


# A layout's result for the entries of a listing: None for an entry it does not recognize; empty if
# it recognizes none.
Places = list[ExportEntry | None]

Layout = Callable[[Listing], Places]
"""How a platform names what was handed in."""


def listing_of(
    entries: Sequence[Entry], names: Sequence[str], folder: str, *, all_attempts: bool
) -> Listing:
    """Return the view of a batch from a folder, relative to which its entries have these names."""
    tops: dict[str, list[int]] = {}
    for index, name in enumerate(names):
        if name:
            tops.setdefault(parted(name)[0], []).append(index)
    frozen = {top: tuple(indices) for top, indices in tops.items()}
    return Listing(folder, tuple(entries), tuple(names), frozen, all_attempts)


def file_at(listing: Listing, name: str) -> int | None:
    """Return the number of the file of this name beside the submissions; None without one."""
    places = listing.tops.get(name, ())
    return next((place for place in places if listing.names[place] == name), None)


def is_folder(listing: Listing, top: str) -> bool:
    """Return whether a first component is a folder, not a submitted file or archive."""
    is_file = any(listing.names[place] == top for place in listing.tops[top])
    return not is_file and not has_archive_name(top)


def submissions_in(listing: Listing) -> list[str]:
    """Return the first components that no rule excludes, without lists of grades and the like."""
    places = set(wanted(listing.entries))
    return [
        top
        for top, indices in listing.tops.items()
        if top not in EXTRAS and not places.isdisjoint(indices)
    ]


def wanted(entries: Sequence[Entry]) -> list[int]:
    """Return the entries that no rule excludes, or all if there are none."""
    found = [place for place, entry in enumerate(entries) if not entry.is_ignored]
    return found or list(range(len(entries)))


def parted(name: str) -> tuple[str, str]:
    """Return the first component of a path and the rest, which can be empty."""
    top, _, rest = name.strip("/").partition("/")
    return top or "unnamed", rest.strip("/")


def plain_place(name: str) -> ExportEntry:
    """Place an entry in the submission of its first path component."""
    top, rest = parted(name)
    # What is in an archive was read, so the archive stands for a folder.
    own = without_suffix(top) if rest else top
    return ExportEntry(key=top, name=own, file=rest or top, mark=top)


def beside(name: str, reason: str) -> ExportEntry:
    """Place files that the platform or the instructor puts beside the submissions."""
    return replace(plain_place(name), file=name, ignored=reason, is_beside=True)


def places_of_tops(listing: Listing, by_top: Mapping[str, ExportEntry]) -> Places:
    """Place entries by their first component.

    In ``by_top``, ``file`` is the name of a submitted file, and empty for a
    folder.
    """
    if not by_top:
        return []
    places: Places = [None] * len(listing.entries)
    for top, place in by_top.items():
        for index in listing.tops[top]:
            rest = parted(listing.names[index])[1]
            file = "/".join(part for part in (place.file, rest) if part)
            places[index] = replace(place, file=file or top)
    return places


def text_of(entry: Entry) -> str | None:
    """Return the text of a platform's own file; None if it cannot be read."""
    try:
        return content_of(entry, _MOST_METADATA).decode("utf-8-sig", "replace")
    except NotReadError:
        return None


def iso(text: str) -> str:
    """Return a time in ISO 8601 to the second, or unchanged if it cannot be parsed."""
    text = text.strip()
    match = _CLOCK.fullmatch(text)
    if match is None:
        return text
    zone = (match["zone"] or "").replace("UTC", "Z")
    try:
        return datetime.fromisoformat(f"{match['date']}T{match['time']}{zone}").isoformat()
    except ValueError:
        return text


def is_time(text: str) -> bool:
    """Return whether a time was read, so that it is in ISO 8601."""
    try:
        return bool(datetime.fromisoformat(text))
    except ValueError:
        return False


# How the names of the months begin in the languages of learning platforms, without accents. The
# longest beginning that fits counts.
_MONTHS: Final = (
    "jan ene gen oca sty tam led ion ian янв يناير",
    "feb fev sub lut hel uno chw фев فبراير",
    "mar mrt maa bre maw мар مارس",
    "apr avr abr nis kwi huh dub ebr апр ابريل",
    "may mai maj mei mag tou kve мая май مايو",
    "jun juin giu haz cze kes cer iun meh июн يونيو",
    "jul juil lug tem lip hei cervenec cervence iul gor июл يوليو",
    "aug aou ago agu sie elo srp aws авг اغسطس",
    "sep set eyl wrz syy zar szep medi сен سبتمبر",
    "oct okt out ott eki paz lok rij hyd окт اكتوبر",
    "nov kas lis marras noi tac ноя نوفمبر",
    "dec dez dic des ara gru jou pro rha дек ديسمبر",
)
_MONTH_OF: Final = {
    start: number for number, starts in enumerate(_MONTHS, 1) for start in starts.split()
}
# Marks of the two halves of a day, in those languages.
_BEFORE_NOON: Final = re.compile(r"\b(a\W{0,2}m|oo|ص)\b|\bfm$|上午|午前|오전")
_AFTER_NOON: Final = re.compile(r"\b(p\W{0,2}m|os|م)\b|\bem$|下午|午後|오후")
_WORD: Final = re.compile(r"[^\W\d_]+")
_LONGEST_TIME: Final = 100


def written_time(text: str) -> str:
    """Return a time as people write it in ISO 8601, or unchanged if it cannot be read.

    The month has a name in one of many languages, or all is in numbers; the time of the day comes
    last: ``9 mai 2024 2130``, ``May 9, 2024 930 PM``, ``2024-05-09 21:30``. A date whose day could
    be its month is not read. The platform does not state a time zone, so none is added.
    """
    plain = _without_accents(text[:_LONGEST_TIME])
    found = _date_of(plain, re.findall(r"\d+", plain))
    try:
        if found is None:
            return text
        (year, month, day), rest = found
        if not rest:
            return datetime(year, month, day).date().isoformat()  # noqa: DTZ001
        hour, minute = _clock(rest)
        if hour <= _NOON and (_AFTER_NOON.search(plain) or _BEFORE_NOON.search(plain)):
            hour = hour % _NOON + _NOON * bool(_AFTER_NOON.search(plain))
        return datetime(year, month, day, hour, minute).isoformat()  # noqa: DTZ001
    except (OverflowError, ValueError):
        return text


_NOON: Final = 12


def _without_accents(text: str) -> str:
    letters = unicodedata.normalize("NFKD", text.casefold())
    bare = "".join(each for each in letters if unicodedata.category(each) != "Mn")
    return unicodedata.normalize("NFC", bare)


def _date_of(plain: str, numbers: list[str]) -> tuple[tuple[int, int, int], list[str]] | None:
    """Return year, month and day, and the numbers behind them; None if one is not certain."""
    months = [month for word in _WORD.findall(plain) if (month := _month_of(word))]
    year_at = next((at for at, each in enumerate(numbers) if len(each) == 4), len(numbers))
    day_at = next((at for at, each in enumerate(numbers) if len(each) <= 2), len(numbers))
    if months and max(year_at, day_at) < len(numbers):
        date = int(numbers[year_at]), months[-1], int(numbers[day_at])
        return date, numbers[max(year_at, day_at) + 1 :]
    if months or year_at not in {0, 2} or len(numbers) < 3:
        return None
    first, second = map(int, numbers[1:3] if year_at == 0 else sorted(numbers[:2], key=int))
    if year_at and second <= _NOON and first != second:  # the day may be the month
        return None
    return (int(numbers[year_at]), first, second), numbers[3:]


def _month_of(word: str) -> int:
    starts = (word[:size] for size in range(len(word), 2, -1))
    return next((_MONTH_OF[start] for start in starts if start in _MONTH_OF), 0)


def _clock(numbers: list[str]) -> tuple[int, int]:
    """Return the hour and the minute, of ``9 30``, ``930`` or ``9``."""
    hour, minute = numbers[0], (numbers[1:2] or ["0"])[0]
    if len(hour) > 2:
        hour, minute = hour[:-2], hour[-2:]
    return int(hour), int(minute)


def ascending(text: str) -> str:
    """Return a string that ascends with the ISO 8601 time ``text``, in any zone."""
    try:
        when = datetime.fromisoformat(text)
        return (when.astimezone(UTC) if when.tzinfo else when).strftime("%Y-%m-%dT%H:%M:%S")
    except (ValueError, OverflowError):
        return text


# smithbob_LATE_340934_208490284_hw.py, or smithbob_340934_text.html for text typed by the student.
CANVAS: Final = re.compile(
    r"(?P<who>.*?)(?P<late>_LATE)?_(?P<id>[0-9]+)_"
    r"(?:(?P<attachment>[0-9]+)_(?P<file>.+)|(?P<typed>(?:text|link)\.html))",
    re.DOTALL,
)
# LATE_anon_aB3dE_208490284_hw.py
CANVAS_ANONYMOUS: Final = re.compile(
    r"(?P<late>LATE_)?anon_(?P<id>[0-9A-Za-z]+)_"
    r"(?:(?P<attachment>[0-9]+)_(?P<file>.+)|(?P<typed>(?:text|link)\.html))",
    re.DOTALL,
)
# hw-1.py: hw.py, uploaded again.
CANVAS_UPLOAD: Final = re.compile(
    r"(?P<stem>.+)-(?P<number>[0-9]{1,2})(?P<suffix>\.[^.]*)?", re.DOTALL
)

# Ann Smith_123_assignsubmission_file (a folder; older sites add an underscore), or
# Ann Smith_123_assignsubmission_file_Main.java
MOODLE: Final = re.compile(
    r"(?P<who>.+?)_(?P<id>[0-9]+)_assignsubmission_(?P<kind>[a-z]+)(?P<rest>(?:[_.].*)?)",
    re.DOTALL,
)

# submission_123 (a folder) or, of an assignment on paper, 123.pdf; in assignment_7_export/
GRADESCOPE_TOP: Final = re.compile(r"submission_[0-9]+|[0-9]+\.pdf")
GRADESCOPE_FOLDER: Final = re.compile(r"assignment_[0-9]+_export")

# Homework 1_ann_attempt_2024-01-15-23-59-00_Main.java, and a note that ends after the time
BLACKBOARD: Final = re.compile(
    r"(?P<who>.+?)_attempt_(?P<time>[0-9]{4}(?:-[0-9]{2}){5})(?:_(?P<file>.+)|(?P<note>\.txt))?",
    re.DOTALL,
)
BLACKBOARD_NAME: Final = re.compile(
    r"^Name:(?P<name>[^\r\n]*)\((?P<user>[^()\r\n]*)\)[ \t]*\r?$", re.MULTILINE
)
# Text typed by the student; without any, the platform writes a fixed sentence.
BLACKBOARD_TEXT: Final = re.compile(
    r"^Submission Field:\s*(?!There is no student submission text data)(?!Comments:)\S",
    re.MULTILINE,
)

# 101-7 - Ann Smith - January 15, 2024 1159 PM (a folder, or before the file's name); the time is in
# the language of the site
BRIGHTSPACE: Final = re.compile(
    r"(?P<first>[0-9]+)-(?P<second>[0-9]+) - (?P<who>.+?) - "
    r"(?P<time>(?=(?:(?! - ).)*?(?<!\d)\d{4}(?!\d))"  # a year
    r"(?=(?:(?! - ).)*?(?<!\d)\d\d?(?!\d))(?:(?! - ).)+)"  # and a day
    r"(?: - (?P<file>.+))?",
    re.DOTALL,
)
# Smith Ann 1002 ann7 (a folder, which holds one for each attempt); a team has no login
VPL: Final = re.compile(r"(?P<who>.+?) (?P<id>[0-9]+)(?: (?P<login>\S*))?", re.DOTALL)
# 2024-05-15-10-30-00, and 2024-05-15-10-30-00.ceg with the results of its tests
VPL_ATTEMPT: Final = re.compile(
    r"(?P<date>[0-9]{4}-[0-9]{2}-[0-9]{2})-(?P<time>[0-9]{2}-[0-9]{2}-[0-9]{2})(?P<tests>\.ceg)?"
)

# hw1-submissions/, which holds hw1-ann/
GITHUB_FOLDER: Final = re.compile(r"(?P<slug>.+)-submissions", re.DOTALL)

# 2019-07-23 17:12:33.123456789 +0200
_CLOCK: Final = re.compile(
    r"(?P<date>[0-9]{4}-[0-9]{2}-[0-9]{2})[T ](?P<time>[0-9]{2}:[0-9]{2}(?::[0-9]{2})?)"
    r"(?:[.,][0-9]+)?\s*(?P<zone>Z|UTC|[+-][0-9]{2}:?[0-9]{2})?"
)

# Files that an export or the instructor adds beside the submissions.
EXTRAS: Final = frozenset(
    {"index.html", "grades.csv", "gradebook.csv", "roster.csv", "submissions.csv"}
)
