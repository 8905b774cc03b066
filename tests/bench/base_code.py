"""Measures on real files what base code takes out: all of what was handed out, and nothing else.

``python -m tests.bench.base_code [FOLDER...]`` takes the programs in the folders (without any, the
standard library), by language, and prints for each language the mean and the least of:

own       an unrelated file as base code: the share of a file's tokens that stay
copy      ``base + file`` against ``file``: the smaller of both similarities
found     a template of which some was replaced by other code: the share of what is left of the
          template that is recognised, for each kind of edit; the mean is that of all tokens
kept      of the code that was put in, the share that stays
"""

import sys
import sysconfig
import tempfile
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from random import Random
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from pygments import lexers
from pygments.token import Comment, String

import mosslite
from mosslite.lab.disguises import DISGUISES
from mosslite.languages import find_language, language_of
from mosslite.ranges import covered
from mosslite.records import Batch, Document, Role, SourceFile, Submission, no_progress
from mosslite.winnowing.tokenized import tokenized_submissions
from mosslite.winnowing.winnow import kgram_hashes
from tests.bench.batches import programs_in
from tests.laws.arrangement import in_front
from tests.laws.edits import is_of

# Files of a size as students and instructors write them, and so many pairs of each language.
_SMALLEST, _LARGEST, _PAIRS = 2_000, 60_000, 12
_FEWEST, _LEAST_TOKENS = 5, 100
# Runs of lines are drawn so many times for each line before what is replaced is enough.
_MOST_RUNS = 10
# Two files are related if more of either is in passages of k tokens of the other.
_MOST_SHARED = 0.05

OPTIONS = mosslite.Options(uses_workers=False, uses_cache=False)


class Piece(NamedTuple):
    """Lines of a submission, and whether they are the template's."""

    text: str
    is_template: bool


class Edit(NamedTuple):
    """How a template is filled in: runs of about so many lines, with this share of its tokens."""

    name: str
    run: int
    percent: int
    then: Callable[[list[Piece], str, Random], list[Piece]]


# --- what a student does to a template -----------------------------------------------------------


def as_is(pieces: list[Piece], language: str, rng: Random) -> list[Piece]:
    """Change nothing further."""
    return pieces


def reformatted(pieces: list[Piece], language: str, rng: Random) -> list[Piece]:
    """Indent twice as far, and leave a blank line behind each line that is not continued."""
    return [piece._replace(text=_spaced(piece.text)) for piece in pieces]


def _spaced(text: str) -> str:
    lines = text.split("\n")
    return "\n".join(
        line[: len(line) - len(line.lstrip())] + line + ("" if line.endswith("\\") else "\n")
        for line in lines
    )


def renamed(pieces: list[Piece], language: str, rng: Random) -> list[Piece]:
    """Return the names of the template's lines others."""
    template = "\n".join(piece.text for piece in pieces if piece.is_template)
    random = np.random.default_rng(0)
    lines = iter(DISGUISES["rename"](template, find_language(language), random).split("\n"))
    return [
        piece._replace(text="\n".join(islice(lines, piece.text.count("\n") + 1)))
        if piece.is_template
        else piece
        for piece in pieces
    ]


def reordered(pieces: list[Piece], language: str, rng: Random) -> list[Piece]:
    """Shuffle what begins at the left margin behind a blank line: functions, mostly."""
    lines = [Piece(line, piece.is_template) for piece in pieces for line in piece.text.split("\n")]
    cuts = set(_cuts("\n".join(line.text for line in lines), language))
    groups: list[list[Piece]] = [[]]
    for number, line in enumerate(lines):
        is_behind_blank = bool(groups[-1]) and not groups[-1][-1].text.strip()
        if number in cuts and is_behind_blank and line.text[:1].strip():
            groups.append([])
        groups[-1].append(line)
    head, *functions = groups
    rng.shuffle(functions)
    return [line for group in (head, *functions) for line in group]


EDITS = tuple(
    Edit(f"{percent} % in {run}s, {then.__name__}", run, percent, then)
    for then in (as_is, reformatted, renamed, reordered)
    for run, percent in ((1, 20), (5, 20), (20, 40), (5, 40), (2, 60), (20, 60))
    if then is as_is or percent == 40
)


def filled_in(template: str, other: str, edit: Edit, language: str, rng: Random) -> list[Piece]:
    """Replace runs of lines of the template by runs of lines of another program."""
    lines, is_cut = template.split("\n"), _cuts(template, language)
    donor, may_begin = other.split("\n"), _cuts(other, language)
    tokens = _tokens_by_line(template, language)
    is_left = np.ones(len(lines), np.bool_)
    put_in: dict[int, str] = {}
    for _ in range(_MOST_RUNS * len(lines)):
        if tokens[is_left].sum() <= tokens.sum() * (100 - edit.percent) / 100:
            break
        start, stop = _run(is_cut, edit.run, rng)
        if start and is_left[start:stop].all():  # the first line can say what the file is
            is_left[start:stop] = False
            put_in[start] = "\n".join(donor[slice(*_run(may_begin, edit.run, rng))])
    pieces = []
    for number, line in enumerate(lines):
        if number in put_in:
            pieces.append(Piece(put_in[number], False))
        if is_left[number]:
            pieces.append(Piece(line, True))
    return edit.then(_joined(pieces), language, rng)


def _joined(pieces: Iterable[Piece]) -> list[Piece]:
    joined: list[Piece] = []
    for piece in pieces:
        if joined and joined[-1].is_template and piece.is_template:
            joined[-1] = Piece(f"{joined[-1].text}\n{piece.text}", True)
        else:
            joined.append(piece)
    return joined


def _cuts(text: str, language: str) -> list[int]:
    """Return the lines, and the end, before which no string or comment is cut."""
    lexer = lexers.get_lexer_by_name(language, ensurenl=False, stripnl=False)
    inside: set[int] = set()
    line = 0
    for kind, value in lexer.get_tokens(text):
        stop = line + value.count("\n")
        is_long = String in kind.split() or kind is Comment or kind is Comment.Multiline
        if is_long or "\\\n" in value:
            inside.update(range(line + 1, stop + 1))
        line = stop
    return [number for number in range(text.count("\n") + 2) if number not in inside]


def _tokens_by_line(text: str, language: str) -> NDArray[np.int64]:
    """Count the tokens that begin on each line, comments and blanks aside."""
    lexer = lexers.get_lexer_by_name(language, ensurenl=False, stripnl=False)
    counts = np.zeros(text.count("\n") + 1, np.int64)
    line = 0
    for kind, value in lexer.get_tokens(text):
        counts[line] += bool(value.strip()) and not is_of(kind, Comment, String.Doc)
        line += value.count("\n")
    return counts


def _run(cuts: Sequence[int], length: int, rng: Random) -> tuple[int, int]:
    first = rng.randrange(max(len(cuts) - 1, 1))
    return cuts[first], cuts[min(first + length, len(cuts) - 1)]


# --- what is measured ----------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class UnrelatedPair:
    """Two files of a language that have nothing to do with each other."""

    language: str
    base: str
    file: str
    suffix: str


def kept_beside_unrelated(pair: UnrelatedPair) -> float:
    """Return the share of the file's tokens that an unrelated base leaves."""
    document, _ = read(pair, pair.file)
    return share(~document.is_boilerplate)


def similarity_of_copy(pair: UnrelatedPair) -> float:
    """Return how much of a file is found again behind the base, and the other way round."""
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        texts = {
            "base": pair.base,
            "file": pair.file,
            "both": in_front(pair.base, pair.file, pair.language),
        }
        for name, text in texts.items():
            (folder / f"{name}{pair.suffix}").write_text(text, encoding="utf-8")
        paths = [str(folder / f"{name}{pair.suffix}") for name in texts]
        try:
            report = mosslite.check(paths[1:], base=paths[:1], options=OPTIONS)
        except mosslite.MossliteError:
            return 0.0
    sides = [(each.left_similarity, each.right_similarity) for each in report.pairs]
    return min(sides[0]) if sides else 0.0


class Share(NamedTuple):
    """So many of all; ``float`` is 1 of nothing."""

    found: int
    total: int

    def __float__(self) -> float:
        return self.found / self.total if self.total else 1.0


def found_and_kept(pair: UnrelatedPair, edit: Edit, seed: int) -> tuple[Share, Share]:
    """Return the share of the template's tokens found, and of the others left."""
    pieces = filled_in(pair.base, pair.file, edit, pair.language, Random(seed))  # noqa: S311
    text = "\n".join(piece.text for piece in pieces)
    is_template = np.repeat(
        [piece.is_template for piece in pieces], [len(piece.text) + 1 for piece in pieces]
    )
    document, _ = read(pair, text)
    is_theirs = is_template[document.stream.starts]
    found = document.is_boilerplate[is_theirs]
    kept = ~document.is_boilerplate[~is_theirs]
    return Share(int(found.sum()), len(found)), Share(int(kept.sum()), len(kept))


def read(pair: UnrelatedPair, text: str) -> tuple[Document, Document]:
    """Read a submission beside a base: its document, and that of the base."""
    name = f"x{pair.suffix}"
    submission = Submission("x", Role.CURRENT, (SourceFile(name, text),))
    base = SourceFile(f"base{pair.suffix}", pair.base)
    batch = Batch((submission,), (base,), (), "")
    submissions, [base_document] = tokenized_submissions(batch, OPTIONS, no_progress)
    return submissions[0].documents[0], base_document


def in_passages(document: Document, base: Document) -> NDArray[np.bool_]:
    """Mark the tokens in passages of k tokens of the base."""
    k = base.thresholds.noise
    hashes = kgram_hashes(document.stream.codes, k)
    starts = np.flatnonzero(np.isin(hashes, kgram_hashes(base.stream.codes, k)))
    return covered(starts, starts + k, len(document.stream))


def share(flags: NDArray[np.bool_]) -> float:
    """Return the share of flags that are set; 1 without flags."""
    return float(flags.mean()) if len(flags) else 1.0


# --- the table -----------------------------------------------------------------------------------


def pairs_in(folders: Sequence[Path]) -> Iterator[tuple[str, list[UnrelatedPair]]]:
    """Pair off programs of each language: of two halves by path, so that few share a folder."""
    by_language: dict[str, list[Path]] = defaultdict(list)
    for folder in folders:
        for path in programs_in(folder, _LARGEST):
            language = language_of(path.name)
            if path.stat().st_size >= _SMALLEST and language:
                by_language[language.name].append(path)
    for name, paths in sorted(by_language.items()):
        chosen = sorted(paths[: 2 * _PAIRS])
        half = len(chosen) // 2
        texts = [text_of(path) for path in chosen]
        pairs = [
            UnrelatedPair(name, base, file, path.suffix)
            for path, base, file in zip(chosen, texts[:half], texts[half:], strict=False)
        ]
        unrelated = [pair for pair in pairs if are_unrelated(*read(pair, pair.file))]
        if len(unrelated) >= _FEWEST:
            yield name, unrelated


def are_unrelated(file: Document, base: Document) -> bool:
    """Return whether two files have enough to compare and hardly anything in common.

    Of fewer tokens a few that are alike by chance are a large share. Files of one package often
    are related: one was made from the other, or both from a third, and an alignment is right.
    """
    if min(len(file.stream), len(base.stream)) < _LEAST_TOKENS:
        return False
    return max(share(in_passages(file, base)), share(in_passages(base, file))) <= _MOST_SHARED


def text_of(path: Path) -> str:
    """Return a text with unix line ends; nothing where it is not UTF-8."""
    try:
        return path.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        return ""


def main() -> None:
    folders = [Path(each) for each in sys.argv[1:]] or [Path(sysconfig.get_path("stdlib"))]
    print(f"{'language':16} {'pairs':>5} {'what':32} {'mean':>6} {'least':>6}")
    for language, pairs in pairs_in(folders):
        row(language, pairs, "own", [kept_beside_unrelated(pair) for pair in pairs])
        row(language, pairs, "copy", [similarity_of_copy(pair) for pair in pairs])
        for edit in EDITS:
            both = [found_and_kept(pair, edit, seed) for seed, pair in enumerate(pairs)]
            row(language, pairs, f"found {edit.name}", *by_tokens([found for found, _ in both]))
            row(language, pairs, f"kept  {edit.name}", *by_tokens([kept for _, kept in both]))


def by_tokens(shares: Sequence[Share]) -> tuple[list[float], float]:
    """Return the shares, and the share of all tokens."""
    total = Share(sum(each.found for each in shares), sum(each.total for each in shares))
    return list(map(float, shares)), float(total)


def row(
    language: str,
    pairs: Sequence[UnrelatedPair],
    what: str,
    values: Sequence[float],
    mean: float | None = None,
) -> None:
    mean = sum(values) / len(values) if mean is None else mean
    print(f"{language:16} {len(pairs):5} {what:32} {mean:6.3f} {min(values):6.3f}", flush=True)


if __name__ == "__main__":
    main()
