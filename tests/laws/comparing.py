"""Compares many pairs of submissions in one run of the checker."""

import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from mosslite import Options, check
from mosslite.records import Match, Pair, Report

Content = str | bytes | dict[str, str]
"""A file, or the files of a folder by their names without suffix."""

# Of a file on a busy machine; no law is about time.
_SECONDS: Final = 60.0

# Room for pairs that are alike besides those that are asked for.
SHOWN_FOR_EACH: Final = 12


@dataclass(frozen=True, slots=True)
class Compared:
    """What the checker makes of two submissions.

    Attributes:
        matches: Places on the left and on the right, in order of the left.
    """

    left: float
    right: float
    both: float
    score: float
    tokens: int
    matches: tuple[tuple[tuple[int, ...], tuple[int, ...]], ...]

    @property
    def swapped(self) -> "Compared":
        """The same with the other one on the left."""
        matches = tuple(sorted((right, left) for left, right in self.matches))
        return Compared(self.right, self.left, self.both, self.score, self.tokens, matches)


NOTHING: Final = Compared(0.0, 0.0, 0.0, 0.0, 0, ())
"""Of two that share nothing, or too little to be shown."""


def compare(pairs: Sequence[tuple[Content, Content]], suffix: str) -> list[Compared]:
    """Compare the two of each pair, all in one batch."""
    with tempfile.TemporaryDirectory() as scratch:
        write_pairs(Path(scratch), pairs, suffix)
        report = run([scratch], show=SHOWN_FOR_EACH * len(pairs))
    return compared(report, len(pairs))


def run(
    paths: Sequence[str], *, show: int, noise: int | None = None, **roles: Sequence[str]
) -> Report:
    """Run the checker in this process."""
    options = Options(uses_workers=False, uses_cache=True, seconds=_SECONDS, show=show, noise=noise)
    return check(paths, options=options, base=roles.get("base", ()), prior=roles.get("prior", ()))


def write_pairs(folder: Path, pairs: Sequence[tuple[Content, Content]], suffix: str) -> None:
    """Write each pair as the submissions a000 and b000, a001 and b001, and so on."""
    for number, (left, right) in enumerate(pairs):
        write(folder, f"a{number:03}", left, suffix)
        write(folder, f"b{number:03}", right, suffix)


def write(folder: Path, name: str, content: Content, suffix: str) -> None:
    """Write a submission to a folder of them."""
    if isinstance(content, dict):
        (folder / name).mkdir(parents=True)
        for file, text in content.items():
            (folder / name / f"{file}{suffix}").write_bytes(text.encode())
    else:
        data = content if isinstance(content, bytes) else content.encode()
        folder.mkdir(parents=True, exist_ok=True)
        (folder / f"{name}{suffix}").write_bytes(data)


def compared(report: Report, count: int) -> list[Compared]:
    """Return what the pairs that were written have in common."""
    found = by_names(report)
    names = ((f"a{number:03}", f"b{number:03}") for number in range(count))
    return [found.get(each, NOTHING) for each in names]


def by_names(report: Report) -> Mapping[tuple[str, str], Compared]:
    """Return all pairs of a report by both names without suffixes, in either order."""
    found = dict[tuple[str, str], Compared]()
    for pair in report.pairs:
        names = (pair.left.name.partition(".")[0], pair.right.name.partition(".")[0])
        found[names] = _compared(pair)
        found[names[::-1]] = found[names].swapped
    return found


def _compared(pair: Pair) -> "Compared":
    return Compared(
        left=pair.left_similarity,
        right=pair.right_similarity,
        both=pair.similarity,
        score=pair.score,
        tokens=pair.matched_tokens,
        matches=tuple(sorted(map(_places, pair.matches))),
    )


def _places(match: Match) -> tuple[tuple[int, ...], tuple[int, ...]]:
    return tuple(match.left), tuple(match.right)
