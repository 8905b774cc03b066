"""Jupyter notebooks as files of code and of prose, their cells concatenated."""

import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import chain
from pathlib import PurePosixPath
from typing import Final, NamedTuple

from mosslite.intake.disk import NotReadError
from mosslite.intake.documents.passages import (
    PROSE,
    Passage,
    files_by_language,
    known_language,
    language_of_file,
    program_language,
    titled,
)
from mosslite.intake.entries import LimitError
from mosslite.messages import M_
from mosslite.options import MOST_JSON_BYTES
from mosslite.reasons import Reason
from mosslite.records import Part, SourceFile

# Only Python's kernel has magics; in other languages ``%`` and ``!`` are operators.
_WITH_MAGICS: Final = "python"

_CELL_MAGIC: Final = re.compile(r"\s*+%%(!|[^\s%]*+)[ \t]*+([^\r\n]*+)(?:\r\n|[\r\n])?")
_OF_A_FILE: Final = frozenset({"file", "writefile"})
_OF_A_SHELL: Final = frozenset({"!", "sh", "sx", "system"})

# IPython syntax at the start of a statement: a magic, a shell line, help before or after a name,
# and an assignment from a magic or a shell line.
_LINE_MAGIC: Final = re.compile(
    r"""[ \t]*+(?:[%!?] | [\w.*]++\?{1,2}[ \t]*+(?=[\r\n]|\Z)
                   | ([\w.,* \t]++=)[ \t]*+[%!])""",
    re.VERBOSE,
)
_SIGN_OF_MAGIC: Final = re.compile(r"[%!?]")
_LINE: Final = re.compile(r"(?:[^\\\r\n]++|\\(?:\r\n|[\r\n])?)*+(?:\r\n|[\r\n])?")

# As much of Python's syntax as is needed to find the starts of statements.
_PIECE: Final = re.compile(
    r"""
    (?P<text> \"{3}[^"\\]*+(?:(?:\\.|"(?!""))[^"\\]*+)*+(?:\"{3}|\Z)
            | \'{3}[^'\\]*+(?:(?:\\.|'(?!''))[^'\\]*+)*+(?:\'{3}|\Z)
            | "(?:[^"\\\r\n]++|\\(?:\r\n|.)?)*+"?
            | '(?:[^'\\\r\n]++|\\(?:\r\n|.)?)*+'?
            | \#[^\r\n]*+
            | \\(?:\r\n|[\r\n])?
            | [^"'#\\\r\n()\[\]{}]++ )
    | (?P<open> [(\[{] ) | (?P<close> [)\]}] ) | (?P<end> \r\n|[\r\n] )
    """,
    re.VERBOSE | re.DOTALL,
)


# Magics whose line is code, behind its options.
_OF_CODE: Final = re.compile(
    r"[ \t]*+%(?:debug|l?prun|mem(?:it|run)|mprun|time(?:it)?)\b"
    r"(?:[ \t]++-\w++(?:[ \t]++\d++)?)*+[ \t]*+"
)
_OWN_MAGICS: Final = re.compile(r"register_\w*magic|alias_magic|@\w*cell_magic")
_DEFINED: Final = re.compile(r"(?:\bdef\s+|alias_magic\s+(?:-\w+\s+)*|[\"'])(\w+)")
_RUNNING: Final = re.compile(r"(?:%run|%load|\bexec|\brun_path|\brun_cell)\b[^\r\n]*")
_FILE_NAME: Final = re.compile(r"[\w.-]+")


class _Kernel(NamedTuple):
    """What runs a notebook.

    Attributes:
        language: Canonical name of its language.
        magics: Names of what may be magics of the notebook's own, with any effect.
        named: How often file names and words occur in its code.
        run: Those that occur where a file or text is run.
    """

    language: str
    magics: frozenset[str]
    named: Counter[str]
    run: frozenset[str]

    def runs(self, path: str) -> bool:
        """Return whether a file that a cell writes is run, or may be as no program is its name."""
        name = PurePosixPath(path).name
        if program_language(language_of_file(name) or PROSE) is None:
            return self.named[name] > 1
        return name in self.run


class _Cell(NamedTuple):
    """A cell: its number, from 1, and its source."""

    number: int
    source: str
    is_code: bool

    @property
    def heading(self) -> str:
        """The line above it in the text that is compared."""
        return f"# cell {self.number}\n"


def _cell_passages(cell: _Cell, kernel: _Kernel) -> list[Passage]:
    """Return the passages of a cell to compare, by language.

    A magic at the start of the cell can set its language; lines for IPython or the shell are
    left out with their continuations. A cell of another type is prose as a whole.
    """
    source = cell.source
    start, language = _after_magics(source, kernel) if cell.is_code else (0, PROSE)
    if language == _WITH_MAGICS and _SIGN_OF_MAGIC.search(source, start):
        return list(_without_magics(source, start))
    return [Passage(start, len(source), language)]


def _after_magics(source: str, kernel: _Kernel) -> tuple[int, str]:
    """Return where the source starts behind magics, and its language."""
    start, own = 0, kernel.language
    while own == _WITH_MAGICS and (found := _CELL_MAGIC.match(source, start)):
        start = found.end()
        own = _language_of_magic(found[1].lower(), found[2].split(), kernel)
    return start, own


def _language_of_magic(name: str, arguments: list[str], kernel: _Kernel) -> str:
    language = kernel.language
    if name in _OF_A_SHELL:
        return "bash"
    if name == "script":
        named = (known_language(PurePosixPath(each).name) for each in arguments)
        return next(filter(None, named), language)
    if name in _OF_A_FILE:
        written = ("", *arguments)[-1]
        return language if kernel.runs(written) else language_of_file(written) or language
    # Any other magic changes how the cell is run, such as its timing, not its language.
    return language if name in kernel.magics else known_language(name) or language


def _without_magics(source: str, start: int) -> Iterator[Passage]:
    """Yield the Python code of a cell without IPython's lines."""
    depth, place, is_statement = 0, start, True
    while piece := _PIECE.match(source, place):
        magic = _LINE_MAGIC.match(source, place) if is_statement and not depth else None
        if magic:
            # The target of an assignment is kept, and so is code that a magic runs.
            stop = magic.end(1) if magic[1] else place
            if start < stop:
                yield Passage(start, stop, _WITH_MAGICS)
            code = _OF_CODE.match(source, place)
            line = _LINE.match(source, place)
            start = place = code.end() if code else line.end() if line else place
            is_statement = not code
            continue
        depth = max(0, depth + (piece.lastgroup == "open") - (piece.lastgroup == "close"))
        is_statement = piece.lastgroup == "end"
        place = piece.end()
    yield Passage(start, place, _WITH_MAGICS)


_DEFAULT_LANGUAGE: Final = "python"

# Metadata fields that name the language, the most reliable first: Jupyter starts the kernel by its
# name and does not look at the others.
_LANGUAGE_PLACES: Final = (
    ("kernelspec", "name"),
    ("kernelspec", "language"),
    ("language_info", "name"),
    ("language_info", "pygments_lexer"),
)

# Upper bound of the bytes that Python allocates per JSON character: for a list, an object, half of
# a string, and a place in a list. Numbers are not kept.
_ROOM: Final = {"[": 88, "{": 232, '"': 32, ",": 8}

# Characters possible in JSON but not in a text file: lone surrogates and NUL.
_NO_CHARACTER: Final = re.compile("[\0\ud800-\udfff]")


def _read_notebook(text: str) -> tuple[list[_Cell], _Kernel]:
    """Read a notebook of any version from 2 on; raise a NotReadError if it is not valid."""
    root = _parsed(text)
    cells = [
        _Cell(number, _source(cell, number), cell.get("cell_type") == "code")
        for number, cell in enumerate(_cells(root), 1)
    ]
    code = "\n".join(cell.source for cell in cells if cell.is_code)
    magics = _DEFINED.findall(code) if _OWN_MAGICS.search(code) else ()
    running = chain.from_iterable(map(_FILE_NAME.findall, _RUNNING.findall(code)))
    named = Counter(_FILE_NAME.findall(code))
    return cells, _Kernel(_language(root), frozenset(magics), named, frozenset(running))


def _parsed(text: str) -> dict[str, object]:
    if sum(size * text.count(sign) for sign, size in _ROOM.items()) > MOST_JSON_BYTES:
        raise NotReadError(Reason.TOO_MANY_VALUES)
    try:
        root: object = json.loads(text, parse_int=_number, parse_float=_number)
    except json.JSONDecodeError as error:
        raise _invalid(f"{error.msg.lower()} at line {error.lineno}") from error
    except RecursionError as error:
        raise _invalid(M_("it is nested too deeply")) from error
    return _object(root, "it")


_BEFORE_CELLS: Final = (2.0, 3.0)


def _number(digits: str) -> float:
    """Return one of these versions of the format, the only numbers that are looked at, or 0."""
    return next((each for each in _BEFORE_CELLS if each == float(digits)), 0.0)


def _cells(root: dict[str, object]) -> Iterator[dict[str, object]]:
    """Yield the cells; before version 4, they are in worksheets, whatever else there is."""
    if "cells" not in root and "worksheets" not in root:
        reason = M_("it has no cells")
        raise _invalid(reason)
    is_old = root.get("nbformat") in _BEFORE_CELLS and "worksheets" in root
    is_new = "cells" in root and not is_old
    sheets = [root] if is_new else _list(root.get("worksheets", []), "worksheets")
    number = 0
    for sheet in sheets:
        for cell in _list(_object(sheet, M_("a worksheet")).get("cells", []), "cells"):
            number += 1
            yield _object(cell, f"cell {number}")


def _source(cell: dict[str, object], number: int) -> str:
    source = cell.get("source", cell.get("input", ""))
    lines = source if isinstance(source, list) else [source]
    texts = [line for line in lines if isinstance(line, str)]
    if len(texts) < len(lines):
        raise _invalid(M_("the source of cell %(number)s is not text", number))
    return _NO_CHARACTER.sub("\N{REPLACEMENT CHARACTER}", "".join(texts))


def _language(root: dict[str, object]) -> str:
    """Return the first language named by the metadata that is a programming language."""
    metadata = root.get("metadata")
    for part, key in _LANGUAGE_PLACES:
        about = metadata.get(part) if isinstance(metadata, dict) else None
        name = about.get(key) if isinstance(about, dict) else None
        if isinstance(name, str) and (language := program_language(name)):
            return language
    return _DEFAULT_LANGUAGE


def _object(value: object, what: str) -> dict[str, object]:
    if not isinstance(value, dict):
        raise _invalid(f"{what} is not an object")
    return value


def _list(value: object, what: str) -> list[object]:
    if not isinstance(value, list):
        raise _invalid(M_("its %(what)s are not a list", what))
    return value


def _invalid(reason: str) -> NotReadError:
    return NotReadError(Reason.INVALID_NOTEBOOK, reason)


_LINE_END = re.compile(r"\r\n|[\r\n]")


def files_of_notebook(
    file: SourceFile, given: str | None, *, reads_prose: bool, most: int
) -> tuple[SourceFile, ...]:
    """Return the code of a notebook for each of its languages, and its prose if requested.

    The text consists of the cells, each below a heading such as ``# cell 3``; cells of all kinds
    are counted, from 1. Outputs, attachments and metadata are left out.

    Raises:
        NotReadError: It is not a valid notebook, or contains no code.
        LimitError: All cells together have more than ``most`` characters.
    """
    cells, kernel = _read_notebook(file.text)
    written = [cell for cell in cells if cell.source and not cell.source.isspace()]
    if sum(len(cell.heading) + len(cell.source) for cell in written) > most:
        raise LimitError("--max-file-size", Reason.CELLS_TOO_LARGE, most)
    kinds: dict[bool, list[_Cell]] = {False: [], True: []}
    for cell in written:  # one is prose by its type or a magic such as %%markdown
        is_prose = not cell.is_code or _after_magics(cell.source, kernel)[1] == PROSE
        kinds[is_prose].append(cell)
    main = given or kernel.language
    left_out = 0 if reads_prose else sum(cell.is_code for cell in kinds[True])
    file = replace(file, cells_left_out=left_out)
    files = files_by_language(*_concatenated(file, kinds[False], kernel, given), main)
    if reads_prose:
        own = titled(file, PROSE)
        files += files_by_language(*_concatenated(own, kinds[True], kernel, None), PROSE)
    if not files:
        raise NotReadError(Reason.NO_CODE)
    return files


def _concatenated(
    file: SourceFile, cells: Iterable[_Cell], kernel: _Kernel, given: str | None
) -> tuple[SourceFile, list[Passage]]:
    """Concatenate cells: return the file with that text, and the passages to compare."""
    pieces, parts, passages = [], [], []
    size, line = 0, 1
    for cell in cells:
        piece = cell.heading + cell.source + ("" if cell.source[-1:] in "\r\n" else "\n")
        parts.append(Part(line + 1, f"cell {cell.number}"))
        start = size + len(cell.heading)
        passages += [
            Passage(start + each.start, start + each.stop, given or each.language)
            for each in _cell_passages(cell, kernel)
        ]
        pieces.append(piece)
        size += len(piece)
        line += len(_LINE_END.findall(piece))
    return replace(file, text="".join(pieces), parts=tuple(parts)), passages
