"""Measures what each part of normalization is worth: what is lost without it.

    python -m tests.bench.ablation [--sets FAMILY=SET[,SET...]...] [--programs FOLDER...]

Each part is left out in turn, and a line says what that changes: for labelled sets, as in
``tests.bench.rankings``, the mean over families of average precision within tasks; for disguised
copies of the real programs below the folders, in each language that disguises know, the share that
stands out from honest pairs, the mean score, and the disguises that lose most. Without any of both,
the programs are those of the samples, each language by what it was asked for.
"""

from __future__ import annotations

import argparse
from collections import defaultdict
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import combinations, islice
from pathlib import Path
from statistics import fmean
from time import process_time
from typing import TYPE_CHECKING, Final, NamedTuple, TypeVar

import numpy as np

from mosslite.frontends import normalization
from mosslite.languages import language_of
from mosslite.options import Options
from mosslite.ranking.score import Weights, combined
from mosslite.ranking.views import evidence_on
from mosslite.records import Batch, Role, SourceFile, Submission, no_progress
from mosslite.winnowing.tokenized import tokenized_submissions
from tests.bench.batches import programs_in
from tests.bench.disguises import samples
from tests.bench.mutations import NAMES, disguised
from tests.bench.rankings import (
    FALSE_ALARMS,
    average_precision,
    family,
    measured,
    recall_at,
    tasks_of,
    within_tasks,
)
from tests.bench.tokens import Kind, partners, read
from tests.bench.vocabulary import chance

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from types import ModuleType

    from numpy.typing import NDArray

    from mosslite.frontends.normalization.program import Program
    from mosslite.records import TokenizedSubmission

__all__ = ["PARTS", "main", "without"]

Item = TypeVar("Item")

# In this process and again each time, as parts are left out in this process only.
OPTIONS: Final = Options(uses_workers=False, uses_cache=False)
LANGUAGES: Final = ("c", "cpp", "csharp", "go", "java", "javascript", "python", "typescript")

# Programs of a size as students write them; so many in a language, and so many of them are copied.
_SMALLEST, _LARGEST, _HONEST, _COPIED = 1_500, 16_000, 30, 6
_FEWEST: Final = 12
_SHOWN: Final = 4


class Part(NamedTuple):
    """The replacement of a part that is left out: a name in a module."""

    module: ModuleType
    name: str
    instead: object


def _no_imports(program: Program, *_: object) -> NDArray[np.bool_]:
    return np.zeros(len(program.words), np.bool_)


def _none(words: NDArray[np.int64], *_: object) -> NDArray[np.bool_]:
    return np.zeros(len(words), np.bool_)


PARTS: Final[Mapping[str, Part]] = {
    "imports": Part(normalization, "imports_in", _no_imports),
    "annotations": Part(normalization, "annotations_in", _none),
    "lone strings": Part(normalization, "lone_strings_in", _none),
}


@contextmanager
def without(name: str) -> Iterator[None]:
    """Leave a part out for as long as the block runs; with no name, none."""
    if not name:
        yield
        return
    part = PARTS[name]
    before = getattr(part.module, part.name)
    setattr(part.module, part.name, part.instead)
    try:
        yield
    finally:
        setattr(part.module, part.name, before)


# --- labelled sets -------------------------------------------------------------------------------


def family_figures(families: Mapping[str, Sequence[Path]]) -> list[float]:
    """Return means of sets: average precision within tasks of each family, and of all families.

    Behind them are average precision over all pairs of a set, and recall of each kind of copies
    at a hundredth of false alarms, each the mean over families.
    """
    of_families = [[_of_set(folder) for folder in folders] for folders in families.values()]
    means = [[fmean(column) for column in zip(*sets, strict=True)] for sets in of_families]
    overall = [fmean(column) for column in zip(*means, strict=True)]
    return [*(each[0] for each in means), *overall]


def _of_set(folder: Path) -> tuple[float, float, float]:
    found = [measured(task) for task in tasks_of(folder, OPTIONS)]
    scored = [(combined(each.evidence, Weights()).values, each.labels) for each in found]
    scores, labels = (np.concatenate(column) for column in zip(*scored, strict=True))
    kinds = np.array([kind for each in found for kind in each.kinds])
    recalls = [recall_at(scores, labels, kinds == kind) for kind in {*kinds[labels].tolist()}]
    return within_tasks(scored), average_precision(scores, labels), fmean(recalls)


# --- disguised copies of real programs -----------------------------------------------------------


@dataclass(frozen=True)
class Copies:
    """Honest programs in one language, and copies of the first few in each disguise."""

    suffix: str
    base: tuple[SourceFile, ...]
    honest: tuple[str, ...]
    copies: Mapping[str, tuple[str, ...]]


class Found(NamedTuple):
    """How many copies stand out, and the mean score of all."""

    recall: float
    score: float


def copies_of(folders: Sequence[Path]) -> dict[str, Copies]:
    """Disguise real programs in each language that has enough of them."""
    by_language: dict[str, list[Path]] = defaultdict(list)
    for folder in folders:
        for path in programs_in(folder, _LARGEST):
            language = language_of(path.name)
            if language and path.stat().st_size >= _SMALLEST:
                by_language[language.name].append(path)
    chosen = {each: by_language[each] for each in LANGUAGES if len(by_language[each]) >= _FEWEST}
    return {
        each: _copies(each, paths[0].suffix, map(_text, _mixed(paths)))
        for each, paths in chosen.items()
    }


def copies_of_samples() -> dict[str, Copies]:
    """Disguise the honest programs of the samples."""
    return {
        task.language: _copies(
            task.language,
            Path(task.programs[0].file_name).suffix,
            [each.text for each in _mixed(task.programs)],
            tuple(SourceFile(path.name, _text(path)) for path in task.base),
        )
        for task in samples()
    }


def _mixed(some: Sequence[Item]) -> list[Item]:
    return chance("programs").sample(some, len(some))


def _text(path: Path) -> str:
    return path.read_text(encoding="utf-8", errors="replace")


def _copies(
    language: str, suffix: str, programs: Iterable[str], base: tuple[SourceFile, ...] = ()
) -> Copies:
    texts = list(islice((text for text in programs if _is_balanced(text, language)), _HONEST))
    copies = {
        name: tuple(
            disguised(name, text, donor, language=language, seed=str(number))
            for number, (text, donor) in enumerate(
                zip(texts[:_COPIED], reversed(texts), strict=False)
            )
        )
        for name in NAMES
    }
    return Copies(suffix, base, tuple(texts), copies)


def _is_balanced(text: str, language: str) -> bool:
    """Return whether all brackets have partners, without which no disguise can tell blocks."""
    lexemes = read(text, language)
    brackets = [each for each in lexemes if each.kind is Kind.SIGN and each.text in "()[]{}"]
    return len(partners(lexemes)) == len(brackets)


def found_in(copies: Copies) -> dict[str, Found]:
    """Score the copies in each disguise, among the honest programs."""
    texts = [*copies.honest, *(text for some in copies.copies.values() for text in some)]
    tokens = _tokens(texts, copies)
    honest, others = tokens[: len(copies.honest)], iter(tokens[len(copies.honest) :])
    return {
        name: _found(honest, [next(others) for _ in some]) for name, some in copies.copies.items()
    }


def _tokens(texts: Sequence[str], copies: Copies) -> tuple[TokenizedSubmission, ...]:
    files = [SourceFile(f"{at:06}{copies.suffix}", text) for at, text in enumerate(texts)]
    submissions = tuple(Submission(file.name, Role.CURRENT, (file,)) for file in files)
    return tokenized_submissions(Batch(submissions, copies.base, (), ""), OPTIONS, no_progress)[0]


def _found(honest: Sequence[TokenizedSubmission], copies: Sequence[TokenizedSubmission]) -> Found:
    pairs = list(combinations(range(len(honest)), 2))
    planted = [(number, len(honest) + number) for number in range(len(copies))]
    order = sorted([*pairs, *planted])
    evidence = evidence_on([*honest, *copies], np.array(order, np.int64))
    scores = dict(zip(order, combined(evidence, Weights()).values.tolist(), strict=True))
    limit = sorted(scores[pair] for pair in pairs)[-1 - int(FALSE_ALARMS * len(pairs))]
    own = [scores[pair] for pair in planted]
    return Found(fmean(score > limit for score in own), fmean(own))


# --- the table -----------------------------------------------------------------------------------


def main(arguments: Sequence[str] | None = None) -> None:
    """Print a line for all of normalization, and one without each part."""
    summary, _, _ = (__doc__ or "").partition("\n")
    parser = argparse.ArgumentParser(prog="tests.bench.ablation", description=summary)
    parser.add_argument("--sets", nargs="+", type=family, default=[], metavar="FAMILY=SET[,SET...]")
    parser.add_argument("--programs", nargs="+", type=Path, default=[], metavar="FOLDER")
    parser.add_argument("--only", nargs="+", choices=PARTS, default=list(PARTS), metavar="PART")
    given = parser.parse_args(arguments)
    families, copies = dict(given.sets), copies_of(given.programs)
    if not families and not copies:
        copies = copies_of_samples()
    heads = [*families, *(["mean", "pooled", "at 1 %"] if families else [])]
    heads += ["recall", "score", *copies] if copies else []
    print(_row("without", [*heads, "seconds"]), flush=True)
    whole: dict[tuple[str, str], Found] = {}
    for name in ("", *given.only):
        with without(name):
            begun = process_time()
            cells = family_figures(families)
            found = {
                (language, disguise): each
                for language, of in copies.items()
                for disguise, each in found_in(of).items()
            }
            cells += _figures(found, copies)
            print(_row(name or "(nothing)", [*cells, process_time() - begun]), _worst(whole, found))
        whole = whole or found


def _figures(
    found: Mapping[tuple[str, str], Found], languages: Mapping[str, Copies]
) -> list[float]:
    """Return recall, mean score, and the mean score in each language."""
    if not found:
        return []
    by_language = [
        fmean(each.score for (own, _), each in found.items() if own == language)
        for language in languages
    ]
    recall = fmean(each.recall for each in found.values())
    return [recall, fmean(by_language), *by_language]


def _worst(whole: Mapping[tuple[str, str], Found], found: Mapping[tuple[str, str], Found]) -> str:
    """Name the disguises whose mean score over languages falls most."""
    lost: dict[str, list[float]] = defaultdict(list)
    for (language, disguise), before in whole.items():
        lost[disguise].append(before.score - found[language, disguise].score)
    falls = sorted(((fmean(each), name) for name, each in lost.items()), reverse=True)
    return ", ".join(f"{name} -{fall:.3f}" for fall, name in falls[:_SHOWN] if fall >= 0.001)


def _row(label: str, cells: Sequence[str | float]) -> str:
    shown = (f"{cell:.3f}" if isinstance(cell, float) else cell for cell in cells)
    return f"{label:24s} " + " ".join(f"{cell:>10s}" for cell in shown)


if __name__ == "__main__":
    main()
