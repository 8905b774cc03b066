"""Measures how many disguised copies stand out from honest work on the same task.

For each language and disguise, the batch is a folder of honest programs and, as references, a
disguised copy of some of them. A copy is found if it scores higher with its original than all but
a small share of the pairs of honest programs do with each other.

With ``--prose``, the batch is of real texts: manuals and licences of what is installed.

Usage: python -m tests.bench.disguises [--rate 0.01] [--most 12] [--seed 0] [--prose] [FOLDER ...]
"""

from __future__ import annotations

import argparse
import math
import re
from collections import Counter, defaultdict
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from statistics import fmean
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, NamedTuple

import mosslite
from mosslite import Options
from mosslite.languages import is_data, language_of
from tests.bench.mutations import disguised, names_for
from tests.bench.prose import PROSE, real_texts
from tests.bench.vocabulary import chance

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

__all__ = ["main", "samples"]

SAMPLES = Path(__file__).resolve().parents[2] / "samples"

_PLANTED = re.compile(r"^\| \S+ \| (\S+) \| .+ \|$", re.MULTILINE)
_FEWEST = 4  # honest programs that make a batch
_TEXTS = 40
_COPY = "copy_of_"


class Program(NamedTuple):
    """An honest program: the name of its file or folder, that of it as one file, and its text."""

    name: str
    file_name: str
    language: str
    text: str


@dataclass(frozen=True, slots=True)
class Task:
    """Honest programs in one language, and what was handed out for them."""

    programs: tuple[Program, ...]
    base: tuple[Path, ...] = ()

    @property
    def language(self) -> str:
        """The canonical name of the language."""
        return self.programs[0].language


class Copy(NamedTuple):
    """How a program came out next to another: a disguised copy next to its original."""

    is_found: bool
    score: float
    similarity: float


_NOTHING = Copy(is_found=False, score=0.0, similarity=0.0)


def main(arguments: Sequence[str] | None = None) -> None:
    """Print a table for each language."""
    given = _parser().parse_args(arguments)
    tasks = [task for folder in given.folder for task in _tasks(folder)]
    tasks += [_prose()] if given.prose else []
    copies: dict[str, dict[str, list[Copy]]] = {}
    for task in tasks or samples():
        names = names_for(task.language)
        rows = copies.setdefault(task.language, {name: [] for name in names})
        for name in names:
            rows[name] += _copies(task, name, given)
    print("\n\n".join(_table(language, copies[language]) for language in sorted(copies)))


def _parser() -> argparse.ArgumentParser:
    summary, _, _ = (__doc__ or "").partition("\n")
    parser = argparse.ArgumentParser(prog="tests.bench.disguises", description=summary)
    parser.add_argument("folder", nargs="*", type=Path, help="honest programs for one task")
    parser.add_argument("--rate", type=float, default=0.01, help="share of false alarms")
    parser.add_argument("--most", type=int, default=12, help="copies for each folder")
    parser.add_argument("--prose", action="store_true", help="manuals and licences")
    parser.add_argument("--seed", type=int, default=0, help="of all choices by chance")
    return parser


def samples() -> Iterator[Task]:
    """Return the honest programs of the samples: all but the right side of planted pairs."""
    for readme in sorted(SAMPLES.glob("*/README.md")):
        planted = set(_PLANTED.findall(readme.read_text(encoding="utf-8")))
        base = sorted((readme.parent / "template").iterdir())
        for task in _tasks(readme.parent / "submissions"):
            honest = tuple(each for each in task.programs if each.name not in planted)
            yield Task(honest, tuple(base))


def _prose() -> Task:
    texts = enumerate(real_texts(_TEXTS))
    return Task(tuple(Program(f"{at:02}", f"{at:02}.txt", PROSE, text) for at, text in texts))


def _tasks(folder: Path) -> Iterator[Task]:
    """Return the programs in a folder by language; each is a file, or the files of a folder."""
    by_language: dict[str, list[Program]] = defaultdict(list)
    for path in sorted(folder.iterdir()):
        program = _program(path)
        if program:
            by_language[program.language].append(program)
    for programs in by_language.values():
        if len(programs) >= _FEWEST:
            yield Task(tuple(programs))


def _program(path: Path) -> Program | None:
    """Read the files of a program that are in the language most of them are in."""
    files = sorted(path.rglob("*")) if path.is_dir() else [path]
    languages = {file: _language(file) for file in files if file.is_file()}
    counts = Counter(language for language in languages.values() if language)
    if not counts:
        return None
    language = max(sorted(counts), key=lambda each: counts[each])
    chosen = [file for file in languages if languages[file] == language]
    texts = [file.read_text(encoding="utf-8", errors="replace") for file in chosen]
    file_name = path.name + (chosen[0].suffix if path.is_dir() else "")
    return Program(path.name, file_name, language, "\n".join(texts))


def _language(path: Path) -> str:
    """Return the language of a program; nothing for prose and data."""
    language = language_of(path.name)
    is_program = language and not language.is_prose and not is_data(language)
    return language.name if language and is_program else ""


def _copies(task: Task, name: str, given: argparse.Namespace) -> Iterator[Copy]:
    """Check the honest programs of a task with copies in one disguise."""
    rng = chance(str(given.seed))
    chosen = rng.sample(task.programs, min(given.most, len(task.programs)))
    files = {}
    for program in chosen:
        donor = rng.choice([other for other in task.programs if other != program])
        seed = f"{given.seed} {program.name}"
        text = disguised(name, program.text, donor.text, language=task.language, seed=seed)
        files[_COPY + program.file_name] = text
    pairs = _check(task, files)
    honest = combinations(sorted(program.file_name for program in task.programs), 2)
    limit = _limit([pairs.get(pair, _NOTHING).score for pair in honest], given.rate)
    for program in chosen:
        pair = pairs.get((program.file_name, _COPY + program.file_name), _NOTHING)
        yield pair._replace(is_found=pair.score > limit)


def _check(task: Task, copies: Mapping[str, str]) -> dict[tuple[str, str], Copy]:
    """Run the checker and give its pairs by their names, that of a copy on the right, as lost."""
    honest = {program.file_name: program.text for program in task.programs}
    with TemporaryDirectory() as folder:
        current, reference = Path(folder, "honest"), Path(folder, "copies")
        _write(current, honest)
        _write(reference, copies)
        options = Options(show=0, jobs=1)
        report = mosslite.check(current, reference=reference, base=task.base, options=options)
    return {
        (pair.left.name, pair.right.name): Copy(
            is_found=False, score=pair.score, similarity=pair.similarity
        )
        for pair in report.pairs
    }


def _write(folder: Path, files: Mapping[str, str]) -> None:
    folder.mkdir()
    for name, text in files.items():
        (folder / name).write_text(text, encoding="utf-8", newline="")


def _limit(scores: list[float], rate: float) -> float:
    """Return the score that only this share of the pairs exceeds."""
    return sorted(scores)[math.ceil((1 - rate) * len(scores)) - 1]


def _table(language: str, rows: Mapping[str, Sequence[Copy]]) -> str:
    """Write recall, mean score and mean similarity for each disguise."""
    lines = [f"{language:<30}{'copies':>8}{'recall':>8}{'score':>8}{'similar':>9}"]
    for name, row in rows.items():
        recall, score, similarity = (fmean(column) for column in zip(*row, strict=True))
        lines.append(f"{name:<30}{len(row):8}{recall:8.0%}{score:8.2f}{similarity:9.0%}")
    return "\n".join(lines)


if __name__ == "__main__":
    main()
