"""Submission pages: the matches of each submission with all others."""

from collections import defaultdict
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import accumulate, groupby
from typing import Final

import numpy as np

from mosslite.parallel import Task, blocks
from mosslite.ranges import ranges_of
from mosslite.records import Location, Pair, Report, Skipped, TokenizedSubmission
from mosslite.report.html.groups import Cases, Link
from mosslite.report.html.site import Site
from mosslite.report.timelines import attempts_of
from mosslite.signatures import without_suffix


def left_out_of(
    submissions: Sequence[TokenizedSubmission], left_out: Collection[Skipped]
) -> dict[str, list[Skipped]]:
    """Return, by submission, the left-out files in a folder or archive with its name, in any case.

    Linear in the paths, each of which is looked up by its folders.
    """
    if not left_out:
        return {}
    names: dict[tuple[str, ...], list[str]] = {}
    for submission in submissions:
        names.setdefault(_key(submission.name.lower().split("/")), []).append(submission.name)
    depths = sorted({len(key) for key in names})
    found: dict[str, list[Skipped]] = {}
    for each in left_out:
        steps = each.path.lower().split("/")
        runs = (
            steps[start : start + depth]
            for depth in depths
            for start in range(len(steps) - depth + 1)
        )
        candidates = ((name, run) for run in runs for name in names.get(_key(run), ()))
        for name in dict.fromkeys(name for name, run in candidates if _is_of(run, name)):
            found.setdefault(name, []).append(each)
    return found


def _is_of(run: Sequence[str], name: str) -> bool:
    """Return whether each component equals that of the name, or is an archive of that name."""
    own = name.lower().split("/")
    return all(each in (step, without_suffix(step)) for each, step in zip(own, run, strict=True))


def _key(steps: Sequence[str]) -> tuple[str, ...]:
    """Return the components without archive extensions, as a key for names."""
    return tuple(map(without_suffix, steps))


# Number of pages per task.
_TOGETHER: Final = 80

# Steps of a strip, which is about so many pixels wide.
_STEPS: Final = 250


@dataclass(frozen=True, slots=True)
class _Partner:
    """Another submission, as seen from this one.

    Attributes:
        number: Number of the other submission.
        similarity: Matched share of this submission.
        other_similarity: Matched share of the other.
        marks: ``(start, width)`` of the matched lines, as shares of all lines of this submission.
    """

    entry: Link
    number: int
    submission: TokenizedSubmission
    similarity: float
    other_similarity: float
    places: tuple[Location, ...]
    marks: tuple[tuple[float, float], ...]


@dataclass(frozen=True, slots=True)
class _Passage:
    """Lines of one document shared with the same partners, the most similar partner first."""

    document: int
    first_line: int
    last_line: int
    partners: tuple[_Partner, ...]


def submission_tasks(report: Report, site: Site, cases: Cases) -> list[Task[None]]:
    """Return tasks that write a page for each submission, with links to its neighbours."""
    attempts = attempts_of(report)
    skipped, ignored = (
        left_out_of(report.submissions, each) for each in (report.skipped, report.ignored)
    )

    def write(numbers: range) -> None:
        for number in numbers:
            submission = report.submissions[number - 1]
            lines = [_line_count(document.file.text) for document in submission.documents]
            partners = [
                _partner(entry, report.pairs[entry.rank - 1], number, lines)
                for entry in cases.entries_of.get(number, [])
            ]
            site.write_page(
                f"submissions/{number}.html",
                "submission.html",
                submission=submission,
                number=number,
                partners=partners,
                passages=list(_passages_of(partners)),
                group=cases.group_of.get(number),
                attempts=attempts.get(number, []),
                files=list(zip(submission.documents, lines, strict=True)),
                skipped=skipped.get(submission.name, []),
                ignored=ignored.get(submission.name, []),
            )

    return [partial(write, some) for some in blocks(len(report.submissions), _TOGETHER)]


def _passages_of(partners: Sequence[_Partner]) -> Iterator[_Passage]:
    """Split the shared lines of a submission wherever the set of partners changes."""
    places: defaultdict[int, list[tuple[int, Location]]] = defaultdict(list)
    for index, partner in enumerate(partners):
        for place in partner.places:
            places[place.document].append((index, place))
    for document in sorted(places):
        sharers = _sharers(places[document])
        for who, numbers in groupby(enumerate(sharers, 1), key=lambda line: line[1]):
            lines = [number for number, _ in numbers]
            if who:
                yield _Passage(document, lines[0], lines[-1], tuple(partners[n] for n in who))


def _sharers(places: Sequence[tuple[int, Location]]) -> list[tuple[int, ...]]:
    """Return, for each line of a document, the partners that share it, by index."""
    sharers: list[dict[int, None]] = [{} for _ in range(max(p.last_line for _, p in places))]
    for index, place in places:
        for line in sharers[place.first_line - 1 : place.last_line]:
            line[index] = None
    return [tuple(line) for line in sharers]


def _partner(entry: Link, pair: Pair, number: int, lines: Sequence[int]) -> _Partner:
    is_left = entry.left == number
    places = tuple(match.left if is_left else match.right for match in pair.matches)
    shares = (pair.left_similarity, pair.right_similarity)
    return _Partner(
        entry=entry,
        number=entry.right if is_left else entry.left,
        submission=pair.right if is_left else pair.left,
        similarity=shares[0 if is_left else 1],
        other_similarity=shares[1 if is_left else 0],
        places=places,
        marks=tuple(_marks(places, lines)),
    )


def _marks(places: Sequence[Location], lines: Sequence[int]) -> Iterator[tuple[float, float]]:
    """Merge locations into ranges of the concatenated files, in steps of the strip."""
    begins = list(accumulate(lines, initial=0))
    is_marked = np.zeros(_STEPS, np.bool_)
    for place in places:
        before = begins[place.document]
        first = (before + place.first_line - 1) * _STEPS // begins[-1]
        is_marked[first : -(-(before + place.last_line) * _STEPS // begins[-1])] = True
    for first, stop in ranges_of(is_marked).tolist():
        yield first / _STEPS, (stop - first) / _STEPS


def _line_count(text: str) -> int:
    """Count the lines of a text, at least one; a final line end starts no further line."""
    ends = text.count("\n") + text.count("\r") - text.count("\r\n")
    return max(ends + (not text.endswith(("\n", "\r"))), 1)
