"""Compares many pairs of submissions in one run of the checker."""

from __future__ import annotations

import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

from mosslite import Options, check

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from mosslite.model import Match, Pair, Report

__all__ = ["Compared", "Content", "compare", "compared", "run", "write"]

Content = str | bytes | dict[str, str]
"""A file, or the files of a folder."""

# Files are small, and a lexer of a busy machine must not be given up.
OPTIONS: Final = Options(uses_workers=False, uses_cache=True, seconds=60.0)

# Room for pairs that are alike besides those that are asked for.
_SHOWN_FOR_EACH: Final = 12


@dataclass(frozen=True, slots=True)
class Compared:
    """What the checker makes of two submissions, the first of them on the left.

    Attributes:
        matches: Their places on both sides, in order.
    """

    left: float
    right: float
    both: float
    score: float
    tokens: int
    matches: tuple[tuple[object, object], ...]

    @property
    def swapped(self) -> Compared:
        """The same with the other one on the left."""
        matches = sorted((right, left) for left, right in self.matches)  # type: ignore[type-var]
        return Compared(
            self.right, self.left, self.both, self.score, self.tokens, tuple(matches)
        )


NOTHING: Final = Compared(0.0, 0.0, 0.0, 0.0, 0, ())


def compare(pairs: Sequence[tuple[Content, Content]], suffix: str) -> list[Compared]:
    """Compare the two of each pair, all in one batch."""
    with tempfile.TemporaryDirectory() as scratch:
        for number, (left, right) in enumerate(pairs):
            write(Path(scratch), f"a{number:03}", left, suffix)
            write(Path(scratch), f"b{number:03}", right, suffix)
        report = run([scratch], show=_SHOWN_FOR_EACH * len(pairs))
    return compared(report, len(pairs))


def run(
    paths: Sequence[str], *, show: int, noise: int | None = None, **roles: Sequence[str]
) -> Report:
    """Run the checker."""
    options = Options(
        uses_workers=False, uses_cache=True, seconds=OPTIONS.seconds, show=show, noise=noise
    )
    return check(paths, options=options, **roles)


def write(folder: Path, name: str, content: Content, suffix: str) -> None:
    """Write a submission to a folder of them."""
    if isinstance(content, dict):
        (folder / name).mkdir(parents=True)
        for file, text in content.items():
            (folder / name / f"{file}{suffix}").write_text(text, encoding="utf-8", newline="")
    else:
        data = content if isinstance(content, bytes) else content.encode()
        folder.mkdir(parents=True, exist_ok=True)
        (folder / f"{name}{suffix}").write_bytes(data)


def compared(report: Report, count: int, first: str = "a", second: str = "b") -> list[Compared]:
    """Return what the pairs a000 and b000, a001 and b001 and so on have in common."""
    found = by_names(report)
    names = ((f"{first}{number:03}", f"{second}{number:03}") for number in range(count))
    return [found.get(each, NOTHING) for each in names]


def by_names(report: Report) -> Mapping[tuple[str, str], Compared]:
    """Return all pairs of a report by both names, without suffix, in either order."""
    found = dict[tuple[str, str], Compared]()
    for pair in report.pairs:
        names = (pair.left.name.split(".")[0], pair.right.name.split(".")[0])
        found[names] = _compared(pair)
        found[names[::-1]] = found[names].swapped
    return found


def _compared(pair: Pair) -> Compared:
    matches = tuple(sorted((_key(each)) for each in pair.matches))
    return Compared(
        pair.left_similarity,
        pair.right_similarity,
        pair.similarity,
        pair.score,
        pair.matched_tokens,
        matches,
    )


def _key(match: Match) -> tuple[tuple[int, ...], tuple[int, ...]]:
    return tuple(match.left), tuple(match.right)
