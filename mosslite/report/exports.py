"""Helpers for importing other programs' results: reading their files, writing JSON results."""

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import msgspec

from mosslite.errors import InputError
from mosslite.messages import M_
from mosslite.report.json_files import written
from mosslite.report.recording import messages_of
from mosslite.report.results import (
    MatchResult,
    PairResult,
    Results,
)
from mosslite.report.review import without_surrogates

_MOST_LINE: Final = 1 << 31


@dataclass(frozen=True, slots=True)
class Export:
    """Files written by another program, by name; ``path`` is their source.

    Names inside the files are only looked up among these, so that none can lead elsewhere.
    """

    path: str
    program: str
    contents: Mapping[str, bytes]

    def error(self, why: str) -> InputError:
        """Return the error for files that are not a result of the program."""
        return InputError(
            "%(path)r is not a result of %(program)s: %(why)s", self.path, self.program, why
        )

    def text(self, name: str) -> str | None:
        """Return a file's text; None if it does not exist.

        Raises:
            InputError: It is not UTF-8.
        """
        content = self.contents.get(name)
        if content is None:
            return None
        try:
            return content.decode("utf-8-sig")
        except UnicodeDecodeError as error:
            raise self.error(M_("%(name)r is not UTF-8", name)) from error

    def json(self, name: str) -> object:
        """Return the content of a JSON file; None if it does not exist.

        Raises:
            InputError: It is not JSON.
        """
        text = self.text(name)
        if text is None:
            return None
        try:
            return json.loads(text, parse_constant=_refuse)
        except (ValueError, RecursionError) as error:
            raise self.error(M_("%(name)r is not JSON", name)) from error


def _refuse(constant: str) -> float:
    raise ValueError(constant)


def text_in(value: object) -> str | None:
    """Return a text that can be encoded; None for any other value."""
    return without_surrogates(value) if isinstance(value, str) and value else None


def count_in(value: object, least: int = 0) -> int | None:
    """Return an integer of at least ``least``; None for any other value."""
    return value if type(value) is int and least <= value < _MOST_LINE else None


def share_in(value: object, of: float = 1.0) -> float | None:
    """Return a share as a number from 0 to 1; None for any other value.

    Args:
        value: Anything.
        of: The value that represents the whole.
    """
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= of:
        return None
    return float(value / of)


def pair_result(
    left: str,
    right: str,
    similarity: float,
    sides: tuple[float | None, float | None],
    matches: Sequence[MatchResult],
) -> PairResult:
    """Return a pair; what the other program does not report is None.

    Args:
        left: Name of a submission.
        right: Name of the other.
        similarity: Of both.
        sides: How much of the left and of the right is matched.
        matches: In order of position on the left.
    """
    known = [each.tokens for each in matches if each.tokens is not None]
    is_known = bool(known) and len(known) == len(matches)
    return PairResult(
        left=left,
        right=right,
        similarity=similarity,
        left_similarity=sides[0],
        right_similarity=sides[1],
        matched_tokens=sum(known) if is_known else None,
        longest_match=max(known) if is_known else None,
        matches=tuple(matches),
    )


def imported(results: Results, warnings: Iterable[str | int]) -> str:
    """Return another program's results as JSON, in the order of our own.

    Args:
        results: Submissions and pairs in any order; pairs that share nothing are left out.
        warnings: Parts of its results that were not read; 0 for none.
    """
    language = text_in(results.options.get("language"))
    languages = (language,) if language else ()
    said = [each for each in warnings if isinstance(each, str)]
    ordered = msgspec.structs.replace(
        results,
        submissions=tuple(
            msgspec.structs.replace(each, languages=languages)
            for each in sorted(results.submissions, key=lambda each: each.name)
        ),
        pairs=tuple(sorted(filter(_similarity, results.pairs), key=_order)),
        warnings=tuple(said),
        messages=messages_of(said),
    )
    return written(ordered)


def _similarity(pair: PairResult) -> float:
    return pair.similarity or 0.0


def _order(pair: PairResult) -> tuple[float, str, str]:
    return -_similarity(pair), pair.left, pair.right


def distinct(names: Mapping[str, str]) -> dict[str, str]:
    """Return the names of submissions by id; ambiguous names are extended by the id."""
    counts = Counter(names.values())
    shown = {key: name if counts[name] == 1 else f"{name} ({key})" for key, name in names.items()}
    return dict(_without_clashes(shown))


def _without_clashes(names: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """Number names that are still equal, as ids can look like anything."""
    taken: set[str] = set()
    for key, name in names.items():
        shown, number = name, 1
        while shown in taken:
            number += 1
            shown = f"{name} ({number})"
        taken.add(shown)
        yield key, shown
