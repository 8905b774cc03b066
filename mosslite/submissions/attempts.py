"""Groups what one student or team handed in, and chooses among several attempts."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from mosslite.records import Role, SubmissionMetadata
from mosslite.submissions.entries import Names, free_name

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from mosslite.options import Intake
    from mosslite.submissions.entries import Entry
    from mosslite.submissions.platforms import ExportEntry

__all__ = ["EARLIER", "Planned", "distinct", "submissions_of"]


# The reason why an attempt is left out.
EARLIER = "is of an earlier attempt"

_Placed = tuple["Entry", "ExportEntry"]


@dataclass(frozen=True, slots=True)
class Planned:
    """A submission to be read.

    Attributes:
        path: What stands for it in messages.
        entries: Each with the path of the file inside the submission.
        is_required: Without it every number would be wrong.
        is_beside: Nobody handed it in, so that nobody misses it.
    """

    name: str
    role: Role
    path: str
    entries: tuple[tuple[Entry, str], ...]
    hand_in: SubmissionMetadata = SubmissionMetadata()
    is_required: bool = False
    is_beside: bool = False


def submissions_of(
    placed: Sequence[_Placed], role: Role, root: str, intake: Intake
) -> list[Planned]:
    """Return a submission for each student or team, or for each attempt where all are asked for.

    Args:
        placed: The entries of one batch, and who handed each in.
        role: What the batch is.
        root: The batch's path, for messages.
        intake: Whether all attempts are compared.
    """
    of_key: dict[str, list[_Placed]] = defaultdict(list)
    for entry, place in placed:
        of_key[place.key].append((_without_chaff(entry, place), place))
    names = Counter(group[0][1].name for group in of_key.values())
    plans: list[Planned] = []
    for group in of_key.values():
        title = _title(group[0][1], is_alone=names[group[0][1].name] == 1)
        chosen = _attempts(group, title) if intake.all_attempts else [(title, _latest(group))]
        plans += [_planned(title, members, role, root) for title, members in chosen]
    return plans


def _title(place: ExportEntry, *, is_alone: bool) -> str:
    return place.name if is_alone or not place.mark else f"{place.name} ({place.mark})"


def _without_chaff(entry: Entry, place: ExportEntry) -> Entry:
    return _ignored(entry, place.ignored) if place.ignored else entry


def _ignored(entry: Entry, reason: str) -> Entry:
    """Leave out an entry for a rule; that its reading exceeds a limit matters no more then."""
    if entry.obstacle and not entry.limit:
        return entry
    return replace(entry, obstacle=reason, is_ignored=True, limit="")


def _attempts(group: Sequence[_Placed], title: str) -> Iterator[tuple[str, list[_Placed]]]:
    attempts = sorted({place.attempt for _, place in group})
    for number, attempt in enumerate(attempts, 1):
        members = [each for each in group if each[1].attempt == attempt]
        yield (title if len(attempts) == 1 else f"{title}, attempt {number}"), members


def _latest(group: Sequence[_Placed]) -> list[_Placed]:
    """Leave out, for all to see, what is not of the last attempt."""
    last = max(place.attempt for _, place in group)
    members = [each for each in group if each[1].attempt == last]
    earlier = (each for each in group if each[1].attempt != last)
    return members + [(_ignored(entry, EARLIER), place) for entry, place in earlier]


def _planned(title: str, members: Sequence[_Placed], role: Role, root: str) -> Planned:
    place = members[0][1]
    own, names = {_own_path(entry.name, each) for entry, each in members}, Names()
    return Planned(
        name=title,
        role=place.role or role,
        path=f"{root.rstrip('/')}/{own.pop() if len(own) == 1 else title}",
        entries=tuple((entry, names.distinct(each.file)) for entry, each in members),
        hand_in=SubmissionMetadata(
            owner=place.key,
            members=place.members,
            submitted=place.submitted,
            label=place.label,
            is_late=any(each.is_late for _, each in members),
        ),
        is_beside=all(each.is_beside for _, each in members),
    )


def _own_path(name: str, place: ExportEntry) -> str:
    """Return the folder that stands for a submission, or the file if it is one."""
    path = name.strip("/")
    return path if place.file == place.name else path.removesuffix(f"/{place.file}")


def distinct(plans: Iterable[Planned]) -> list[Planned]:
    """Name by its path what would otherwise share a name with another submission."""
    names: set[str] = set()
    named = []
    for each in plans:
        name = free_name(each.path, names) if each.name in names else each.name
        names.add(name)
        named.append(each if name == each.name else replace(each, name=name))
    return named
