"""Programs for tuning k and t, and pairs of them that are copies or honest."""

import csv
import os
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from pathlib import Path
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from mosslite.errors import InputError
from mosslite.frontends import tokenize
from mosslite.intake.listing import shown_name
from mosslite.lab.disguises import DISGUISES
from mosslite.lab.streams import reading
from mosslite.languages import Language, is_data, language_of
from mosslite.records import TokenKind

_COLUMNS: Final = ("a", "b", "label")
_MEANINGS: Final = {
    **dict.fromkeys(("1", "yes", "true"), True),
    **dict.fromkeys(("0", "no", "false"), False),
}
_MOST_HONEST: Final = 3000
_FEWEST: Final = 4


@dataclass(frozen=True, slots=True, eq=False)
class Program:
    """A tokenized program or text.

    Attributes:
        codes: ``(n,) uint64`` symbol codes, names being one symbol.
        lexemes: ``(n,) uint64``, equal for tokens that are written the same.
        is_name: ``(n,) bool``.
        is_prose: It is prose, whose tokens are letters and digits.
    """

    name: str
    text: str
    codes: NDArray[np.uint64]
    lexemes: NDArray[np.uint64]
    is_name: NDArray[np.bool_]
    is_prose: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class Labelled:
    """Programs in one language, and pairs of them by index.

    Attributes:
        copies: Pairs by name of the disguise; in a labelled set, all are ``labelled``.
        honest: Pairs of independent programs.
        given: Number of programs from the user, which come first; the others are generated.
        base: Base code, which does not count.
    """

    language: Language
    programs: tuple[Program, ...]
    copies: dict[str, tuple[tuple[int, int], ...]]
    honest: tuple[tuple[int, int], ...]
    given: int
    base: tuple[Program, ...] = ()

    @property
    def all_copies(self) -> tuple[tuple[int, int], ...]:
        """The pairs of every disguise."""
        return tuple(pair for pairs in self.copies.values() for pair in pairs)


def programs_below(folder: str, language: Language | None) -> dict[Language, tuple[Program, ...]]:
    """Read the children of a folder: each file, or each folder's files, is a program.

    The language of all is that given, or without one by file name, and data is left out.

    Raises:
        InputError: The folder does not exist, a program in it cannot be read, or there are not
            enough of them in any language.
    """
    if not os.path.isdir(folder):  # noqa: PTH112 - False if the system rejects the name
        is_there = os.path.exists(folder)  # noqa: PTH110 - likewise
        shown = shown_name(folder)
        msg = f"{shown!r} is not a folder of programs" if is_there else f"{shown!r} does not exist"
        raise InputError(msg)
    found = defaultdict(list)
    for child in sorted(Path(folder).iterdir()):
        read = None if child.name.startswith(".") else _read(child, child.name, language)
        if read:
            found[read[0]].append(read[1])
    enough = {each: tuple(some) for each, some in found.items() if len(some) >= _FEWEST}
    if not enough:
        msg = f"{shown_name(folder)!r} has fewer than {_FEWEST} programs in each language"
        raise InputError(msg)
    return {each: enough[each] for each in sorted(enough, key=lambda each: each.name)}


def planted_pairs(
    language: Language, honest: Sequence[Program], *, copies: int, seed: int
) -> Labelled:
    """Disguise up to ``copies`` of the programs in each way, and treat all others as honest."""
    random = np.random.Generator(np.random.PCG64([seed, len(honest)]))
    originals = sorted(random.permutation(len(honest))[:copies].tolist())
    programs, planted = list(honest), {}
    for name, disguise in DISGUISES.items():
        pairs = []
        for original in originals:
            text = disguise(honest[original].text, language, random)
            if text != honest[original].text or name == "verbatim":
                pairs.append((original, len(programs)))
                programs.append(_program(f"{honest[original].name} ({name})", text, language))
        planted[name] = tuple(pairs)
    pairs_of_all = list(combinations(range(len(honest)), 2))
    chosen = sorted(random.permutation(len(pairs_of_all))[:_MOST_HONEST].tolist())
    among = tuple(pairs_of_all[index] for index in chosen)
    return Labelled(language, tuple(programs), planted, among, len(honest))


def with_base(labelled: Labelled, paths: Sequence[str]) -> Labelled:
    """Exclude base code in files or folders.

    Raises:
        InputError: One of them is not a program, or cannot be read.
    """
    base = []
    for path in paths:
        read = _read(Path(path), path, labelled.language)
        if not read:
            msg = f"base code {shown_name(path)!r} is not a program"
            raise InputError(msg)
        base.append(read[1])
    return replace(labelled, base=tuple(base))


def _read(path: Path, name: str, language: Language | None) -> tuple[Language, Program] | None:
    """Return language and tokens of a file, or of a folder's files in its main language."""
    files = sorted(path.rglob("*")) if path.is_dir() else [path]
    texts = defaultdict(list)
    for file in files:
        read_as = language or language_of(file.name)
        if file.is_file() and read_as and not is_data(read_as):
            with reading(str(file)):
                texts[read_as].append(file.read_bytes().decode("utf-8", "replace"))
    if not texts:
        return None
    main = max(sorted(texts, key=lambda each: each.name), key=lambda each: len(texts[each]))
    return main, _program(name, "\n".join(texts[main]), main)


def _program(name: str, text: str, language: Language) -> Program:
    stream = tokenize(text, language).stream
    is_name = stream.kinds == TokenKind.NAME
    return Program(name, text, stream.codes, stream.lexemes, is_name, language.is_prose)


# Labelled pairs


class _Pair(NamedTuple):
    """Two programs by path, the label of the pair, and the task that they solve."""

    left: str
    right: str
    is_copy: bool
    task: str


def labelled_pairs(
    folder: str, labels: str, language: Language | None, *, by_task: bool = False
) -> list[Labelled]:
    """Read the pairs of a CSV file with columns a, b and label: two paths below the folder.

    Returns:
        The programs and pairs of each language, or of each value of the column task.

    Raises:
        InputError: The file cannot be used, or names what is not there or cannot be read.
    """
    pairs = _pairs_in(labels)
    programs: dict[str, tuple[Language, Program]] = {}
    for name in sorted({name for pair in pairs for name in pair[:2]}):
        read = _read(Path(folder, name), name, language)
        if not read:
            msg = f"{name!r} of {shown_name(labels)!r} is not a program in {shown_name(folder)!r}"
            raise InputError(msg)
        programs[name] = read
    groups: dict[tuple[str, Language], list[_Pair]] = defaultdict(list)
    for pair in pairs:
        for of in {programs[name][0] for name in pair[:2]}:
            groups[pair.task if by_task else "", of].append(pair)
    found = []
    for (_, of), some in sorted(groups.items(), key=lambda each: (each[0][0], each[0][1].name)):
        own = sorted({name for pair in some for name in pair[:2] if programs[name][0] == of})
        numbers = {name: number for number, name in enumerate(own)}
        copies, honest = (
            tuple(
                (numbers[pair.left], numbers[pair.right])
                for pair in some
                if pair.is_copy is is_copy and pair.left in numbers and pair.right in numbers
            )
            for is_copy in (True, False)
        )
        chosen = tuple(programs[name][1] for name in own)
        found.append(Labelled(of, chosen, {"labelled": copies}, honest, len(chosen)))
    return found


def _pairs_in(labels: str) -> list[_Pair]:
    """Read the pairs of a CSV file, repeated ones once.

    Raises:
        InputError: The file cannot be read, lacks a column, has no pairs, or has a line that
            is invalid, pairs a program with itself, or contradicts an earlier line.
    """
    shown = shown_name(labels)
    pairs: dict[frozenset[str], _Pair] = {}
    try:
        # Spreadsheets add a byte order mark.
        with reading(labels), Path(labels).open(encoding="utf-8-sig", newline="") as file:
            lines = csv.reader(file)
            header = [cell.strip() for cell in next(lines, [])]
            for column in _COLUMNS:
                if column not in header:
                    msg = f"{shown!r} has no column {column!r}: it needs a, b and label"
                    raise InputError(msg)
            for cells in lines:
                row = {key: cell.strip() for key, cell in zip(header, cells, strict=False)}
                if any(cell.strip() for cell in cells):
                    where = f"line {lines.line_num} of {shown!r}"
                    pair = _pair(row, where)
                    known = pairs.setdefault(frozenset(pair[:2]), pair)
                    if known.is_copy is not pair.is_copy:
                        msg = (
                            f"{where} contradicts an earlier line on {pair.left!r} and "
                            f"{pair.right!r}: give each pair one label"
                        )
                        raise InputError(msg)
    except (UnicodeDecodeError, csv.Error) as error:
        msg = f"{shown!r} cannot be read as CSV"
        raise InputError(msg) from error
    if not pairs:
        msg = f"{shown!r} contains no pairs: add a line for each below a,b,label"
        raise InputError(msg)
    return list(pairs.values())


def _pair(row: Mapping[str, str], where: str) -> _Pair:
    for column in ("a", "b"):
        if not row.get(column):
            msg = f"{where} has no value in column {column!r}: it needs the path of a program"
            raise InputError(msg)
    left, right = os.path.normpath(row["a"]), os.path.normpath(row["b"])
    if left == right:
        msg = f"{where} compares {left!r} with itself: a pair needs two programs"
        raise InputError(msg)
    label = row.get("label", "")
    if label.lower() not in _MEANINGS:
        msg = (
            f"{where} has an unknown label {label!r}: "
            "use 1, yes or true for a copy, and 0, no or false for honest work"
        )
        raise InputError(msg)
    return _Pair(left, right, _MEANINGS[label.lower()], row.get("task", ""))
