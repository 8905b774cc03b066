"""Exports of learning platforms: views of a batch, entries of its students, and written times."""

import re
import unicodedata
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Final

from mosslite.intake.entries import Entry, NotReadError, content_of
from mosslite.options import MOST_METADATA
from mosslite.reasons import Reason
from mosslite.records import Role
from mosslite.signatures import without_suffix

# Files that an export or the instructor adds beside the submissions.
EXTRAS: Final = frozenset(
    {"index.html", "grades.csv", "gradebook.csv", "roster.csv", "submissions.csv"}
)


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
        ignored: Why the entry is not part of a submission, or None.
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
    ignored: Reason | None = None
    is_beside: bool = False
    mark: str = ""
    ids: tuple[str, ...] = ()
    emails: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class View:
    """A batch as seen from one of its folders, which may contain the submissions.

    Attributes:
        folder: Name of that folder.
        prefix: Path of that folder in the batch, with a slash behind it; empty for the batch.
        entries: The entries in the folder by their paths in it.
        tops: The paths below each first path component, in order of appearance.
        is_outermost: The folder is the one given by the user, so it cannot be a submission.
        is_asked: The user named the layout; otherwise it fits only if everything is plausible.
    """

    folder: str
    prefix: str
    entries: Mapping[str, Entry]
    tops: Mapping[str, tuple[str, ...]]
    is_outermost: bool = True
    is_asked: bool = False

    @property
    def wanted(self) -> Sequence[str]:
        """The paths that no rule excludes, or all if there are none."""
        found = [name for name, entry in self.entries.items() if not entry.is_ignored]
        return found or list(self.entries)

    def matching(self, pattern: re.Pattern[str]) -> dict[str, re.Match[str]]:
        """Return the first components that match a pattern as a whole."""
        return {top: match for top in self.tops if (match := pattern.fullmatch(top))}

    def is_archive(self, top: str) -> bool:
        """Return whether a first component is an archive that is not opened yet."""
        return top in self.entries and self.entries[top].is_archive

    def has_file(self, name: str) -> bool:
        """Return whether there is a file of this name beside the submissions."""
        return name in self.entries and name in self.tops

    def text(self, name: str) -> str:
        """Return the text of a platform's own file; empty if it cannot be read."""
        try:
            return content_of(self.entries[name], MOST_METADATA).decode("utf-8-sig", "replace")
        except NotReadError:
            return ""


PlaceOf = Callable[[str], ExportEntry | None]
"""Returns the student of a path in the folder of a view; None for a path that does not fit."""

Layout = Callable[[View], PlaceOf | None]
"""How a platform names what was handed in; None for a view of something else."""


def view_of(entries: Iterable[tuple[str, Entry]], folder: str, prefix: str) -> View:
    """Return the view of a batch from a folder, relative to which its entries have these names."""
    inside = dict(entries)
    tops: dict[str, list[str]] = {}
    for name in inside:
        tops.setdefault(parted(name)[0], []).append(name)
    frozen = {top: tuple(names) for top, names in tops.items()}
    return View(folder, prefix, inside, frozen)


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


def beside(name: str, reason: Reason) -> ExportEntry:
    """Place files that the platform or the instructor puts beside the submissions."""
    return replace(plain_place(name), file=name, ignored=reason, is_beside=True)


def by_tops(places: Mapping[str, ExportEntry]) -> PlaceOf | None:
    """Place entries by their first component.

    In ``places``, ``file`` is the name of a submitted file, and empty for a folder.
    """

    def place_of(name: str) -> ExportEntry | None:
        top, rest = parted(name)
        place = places.get(top)
        if place is None:
            return None
        return replace(place, file="/".join(filter(None, (place.file, rest))) or top)

    return place_of if places else None


# --- times ---------------------------------------------------------------------------------------

# 2019-07-23 17:12:33.123456789 +0200
_CLOCK: Final = re.compile(
    r"(?P<date>[0-9]{4}-[0-9]{2}-[0-9]{2})[T ](?P<time>[0-9]{2}:[0-9]{2}(?::[0-9]{2})?)"
    r"(?:[.,][0-9]+)?\s*(?P<zone>Z|UTC|[+-][0-9]{2}:?[0-9]{2})?"
)


def iso(text: str) -> str:
    """Return a time in ISO 8601 to the second, or unchanged if it cannot be parsed."""
    text = text.strip()
    match = _CLOCK.fullmatch(text)
    if match is None:
        return text
    zone = (match["zone"] or "").replace("UTC", "Z")
    found = f"{match['date']}T{match['time']}{zone}"
    return datetime.fromisoformat(found).isoformat() if is_time(found) else text


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
_BEFORE_NOON: Final = re.compile(r"(?<![^\W\d_])(?:(a\W{0,2}m|oo|ص)\b|fm$)|上午|午前|오전")
_AFTER_NOON: Final = re.compile(r"(?<![^\W\d_])(?:(p\W{0,2}m|os|م)\b|em$)|下午|午後|오후")
_WORD: Final = re.compile(r"[^\W\d_]+")
_LONGEST_TIME: Final = 100


def written_time(text: str) -> str:
    """Return a time as people write it in ISO 8601, or unchanged if it cannot be read.

    The month has a name in one of many languages, or all is in numbers; the time of the day comes
    last: ``9 mai 2024 2130``, ``May 9, 2024 930 PM``, ``2024-05-09 21:30``. A date whose day could
    be its month is not read. The platform does not state a time zone, so none is added.
    """
    letters = unicodedata.normalize("NFKD", text[:_LONGEST_TIME].casefold())
    plain = "".join(each for each in letters if unicodedata.category(each) != "Mn")
    plain = unicodedata.normalize("NFC", plain)
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
