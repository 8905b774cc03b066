"""Published similarity measures for documents, as rankings of labelled pairs of programs.

Every ranker maps a pair to a number that increases with similarity. All that hash k-grams use the
same tokens and k-grams, so that the comparison is between their methods of selection and
counting.
"""

import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final, TypeVar

import numpy as np

from mosslite.intake import collect
from mosslite.lab.density import same_density
from mosslite.lab.programs import Labelled, Program
from mosslite.lab.sheets import Plot, Sheet, Table, Values, pivoted, series_by
from mosslite.lab.streams import Hashes
from mosslite.lab.tune import (
    Hashing,
    average_precision,
    constant_hashes,
    fingerprints_of,
    limit_of,
    parameterised_hashes,
    recall_at,
    share_of_smaller,
    telling,
)
from mosslite.languages import Language
from mosslite.options import Options
from mosslite.ranking.score import WEIGHTS, combined
from mosslite.ranking.views import evidence_on
from mosslite.records import Inputs, Progress, no_progress
from mosslite.winnowing.fingerprints import resemblance
from mosslite.winnowing.tokenized import tokenized_submissions

Pairs = Sequence[tuple[int, int]]
Ranker = Callable[["Comparison", Pairs], list[float]]


@dataclass(frozen=True, slots=True)
class Parameters:
    """Parameters common to the rankers.

    Attributes:
        k: Length of k-grams, in tokens, at least 1.
        w: Window of winnowing, in k-grams; 0 mod p selects as many, with p = (w + 1) / 2.
        n: Number of smallest hashes of each program used by Heintze and Broder.
        most_sharing: Fingerprints of more programs than this are ignored in MOSS' count.
    """

    k: int
    w: int
    n: int
    most_sharing: int


@dataclass(frozen=True, slots=True)
class Comparison:
    """The programs of one task.

    Attributes:
        folder: Folder of the programs.
        language: The language asked for; None detects it per file.
    """

    folder: str
    programs: Sequence[Program]
    parameters: Parameters
    language: Language | None = None


_SENTENCE_END: Final = re.compile(r"[.!?]+(?:\s|$)")
_WORD: Final = re.compile(r"\w+")
# Words count as equally frequent if the sum of both ratios of their frequencies is below this.
_EPSILON: Final = 2.5


def units_of(text: str, *, is_prose: bool) -> frozenset[str]:
    """Return the sentences of prose, or the lines of a program, without their blanks."""
    parts = _SENTENCE_END.split(text) if is_prose else text.splitlines()
    return frozenset(unit for unit in ("".join(part.split()) for part in parts) if unit)


def word_closeness(left: Mapping[str, int], right: Mapping[str, int]) -> float:
    """Return the similarity of two documents by the frequencies of their words.

    The close words c are those with F1 / F2 + F2 / F1 < 2.5. A document is a subset of the other
    by (sum over c of F1 F2) / (sum over all its words of F1^2); the similarity is the larger of
    both directions, and at most 1.
    """
    close = [
        left[word] * right[word]
        for word in left.keys() & right.keys()
        if left[word] / right[word] + right[word] / left[word] < _EPSILON
    ]
    squares = [sum(count * count for count in each.values()) for each in (left, right)]
    return min(sum(close) / max(min(squares), 1), 1.0)


def _kgrams(comparison: Comparison, hashing: Hashing = constant_hashes) -> list[Hashes]:
    """Return the distinct k-grams of each program, ascending."""
    return [np.unique(hashing(each, comparison.parameters.k)) for each in comparison.programs]


def _zero_mod_p(comparison: Comparison) -> list[Hashes]:
    p = np.uint64(same_density(comparison.parameters.w))
    return [each[each % p == 0] for each in _kgrams(comparison)]


def _telling(comparison: Comparison) -> list[Hashes]:
    """Return the fingerprints of each program, except those of too many programs."""
    given = comparison.parameters
    chosen = fingerprints_of(comparison.programs, constant_hashes, given.k, given.w)
    return telling(chosen, given.most_sharing, len(chosen))


def _common(left: Hashes, right: Hashes, parameters: Parameters) -> float:
    """Return the number of hashes that occur on both sides."""
    return float(len(np.intersect1d(left, right, assume_unique=True)))


def _shares(left: Hashes, right: Hashes, parameters: Parameters) -> float:
    return share_of_smaller(left, right)


Features = TypeVar("Features")


def _by(
    features: Callable[[Comparison], Sequence[Features]],
    value: Callable[[Features, Features, Parameters], float],
) -> Ranker:
    """Return a ranker that compares the features of two programs."""

    def ranker(comparison: Comparison, pairs: Pairs) -> list[float]:
        found = features(comparison)
        return [value(found[left], found[right], comparison.parameters) for left, right in pairs]

    return ranker


def _rank_by_score(comparison: Comparison, pairs: Pairs) -> list[float]:
    """The score of ``mosslite check``, with all of its views."""
    paths = [str(Path(comparison.folder, each.name)) for each in comparison.programs]
    language = comparison.language.name if comparison.language else None
    batch = collect(Inputs(tuple(paths)), directories=False, language=language)
    options = Options(language=language, uses_workers=False)
    found, _ = tokenized_submissions(batch, options, no_progress)
    numbers = {submission.name: number for number, submission in enumerate(found)}
    places = [numbers.get(path.replace("\\", "/")) for path in paths]
    scores = np.zeros(len(pairs))
    sides = [(places[left], places[right]) for left, right in pairs]
    known = [number for number, each in enumerate(sides) if None not in each]
    if known:
        table = np.sort(np.array([sides[number] for number in known], np.int64), axis=1)
        distinct, back = np.unique(table, axis=0, return_inverse=True)
        scores[known] = combined(evidence_on(found, distinct), WEIGHTS).values[back.ravel()]
    return scores.tolist()


RANKERS: Final[dict[str, Ranker]] = {
    # S. Brin, J. Davis, H. Garcia-Molina: Copy Detection Mechanisms for Digital Documents (SIGMOD
    # 1995): share of the smaller side's sentences or lines that the other contains.
    "COPS: sentences or lines": _by(
        lambda given: [units_of(each.text, is_prose=each.is_prose) for each in given.programs],
        lambda left, right, _: len(left & right) / max(min(len(left), len(right)), 1),
    ),
    # N. Shivakumar, H. Garcia-Molina: SCAM: A Copy Detection Mechanism for Digital Documents
    # (Digital Libraries 1995): closeness of word frequencies, the maximum of both directions.
    "SCAM: frequencies of words": _by(
        lambda given: [Counter(_WORD.findall(each.text)) for each in given.programs],
        lambda left, right, _: word_closeness(left, right),
    ),
    # U. Manber: Finding Similar Files in a Large File System (USENIX 1994); SIGMOD 2003, section
    # 2.3: share of the smaller side's selected hashes that the other contains.
    "0 mod p (Manber)": _by(_zero_mod_p, _shares),
    # N. Heintze: Scalable Document Fingerprinting (USENIX Electronic Commerce 1996): number of
    # equal hashes among the n smallest of each side, divided by n.
    "n smallest (Heintze)": _by(
        _kgrams,
        lambda left, right, given: _common(left[: given.n], right[: given.n], given) / given.n,
    ),
    # A. Broder: On the Resemblance and Containment of Documents (SEQUENCES 1997): |A and B| / |A or
    # B|, estimated from the n smallest hashes of the union; |A and B| / |A| of all k-grams, the
    # maximum of both directions.
    "resemblance (Broder)": _by(
        _kgrams, lambda left, right, given: resemblance(left, right, given.n)
    ),
    "containment (Broder)": _by(_kgrams, _shares),
    # S. Schleimer, D. Wilkerson, A. Aiken: Winnowing (SIGMOD 2003), sections 3 and 5.2: number of
    # common fingerprints, except those of too many programs.
    "winnowing (MOSS' count)": _by(_telling, _common),
    # B. Baker: On Finding Duplication and Near-Duplication in Large Software Systems (WCRE 1995):
    # share of the smaller side's k-grams that p-match, by one-to-one renaming, one of the other's.
    "p-match (Baker)": _by(lambda given: _kgrams(given, parameterised_hashes), _shares),
    "mosslite's score": _rank_by_score,
}
"""Rankers by what they are called in results."""


@dataclass(frozen=True, slots=True)
class LabelledSet:
    """A set of labelled pairs: one item for each task and language."""

    name: str
    folder: str
    tasks: Sequence[Labelled]
    language: Language | None = None


def rank(
    sets: Sequence[LabelledSet], parameters: Parameters, *, progress: Progress = no_progress
) -> Values:
    """Rank the pairs of labelled sets, copies or honest, with each ranker.

    Of each set, ``within`` is the mean average precision of the tasks with copies and honest pairs,
    None without any, and ``pooled`` that over the pairs of all tasks; the recall is the share of
    the copies that rank above 99 % of the honest pairs.
    """
    ranked: list[Values] = []
    for labelled in sets:
        for name, ranker in RANKERS.items():
            copies: list[float] = []
            honest: list[float] = []
            within = []
            for task in labelled.tasks:
                given = Comparison(labelled.folder, task.programs, parameters, labelled.language)
                values = ranker(given, [*task.all_copies, *task.honest])
                ours, theirs = values[: len(task.all_copies)], values[len(task.all_copies) :]
                if ours and theirs:
                    within.append(average_precision(ours, theirs))
                copies += ours
                honest += theirs
            ranked.append(
                {
                    "ranker": name,
                    "set_name": labelled.name,
                    "within": float(np.mean(within)) if within else None,
                    "pooled": average_precision(copies, honest),
                    "recall": recall_at(copies, limit_of(honest)),
                }
            )
            progress("ranking", len(ranked), len(sets) * len(RANKERS))
    tasks = [task for each in sets for task in each.tasks]
    return {
        "sets": [each.name for each in sets],
        "copies": sum(len(task.all_copies) for task in tasks),
        "honest": sum(len(task.honest) for task in tasks),
        "ranked": ranked,
    }


# What is shown of each ranker and set, and what that means.
_SHOWN: Final = {
    "average precision within tasks": (
        "within",
        "Mean over the tasks that have both copies and honest pairs.",
    ),
    "average precision of all pairs": (
        "pooled",
        "All tasks in one ranking, as if scores were comparable across tasks.",
    ),
    "recall at 1 % false alarms": (
        "recall",
        "Share of copies that rank above 99 % of the honest pairs.",
    ),
}


def sheet_of_rankings(result: Values) -> Sheet:
    """Return tables of all rankers on all sets."""
    ranked, tables = result["ranked"], []
    for title, (name, note) in _SHOWN.items():
        sets, rows = pivoted(ranked, "ranker", "set_name", name)
        known = [[cell for cell in row[1:] if cell is not None] for row in rows]
        means = [sum(cells) / len(cells) if cells else None for cells in known]
        with_means = tuple((*row, mean) for row, mean in zip(rows, means, strict=True))
        tables.append(Table(title, ("ranked by", *sets, "mean"), with_means, note))
    pooled = series_by(ranked, "set_name", "pooled", "ranker")
    dots = tuple(replace(each, style="o") for each in pooled)
    plot = Plot("All pairs", "average precision", "", dots)
    title = "Copied pairs: {copies:,}, honest pairs: {honest:,}".format_map(result)
    return Sheet("rank", title, tuple(tables), (plot,))
