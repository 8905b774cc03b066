"""Lays the cells of a notebook end to end, as files of code and of prose."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from mosslite.intake.entries import NotReadError
from mosslite.intake.extraction.cells import cell_passages, is_prose_cell
from mosslite.intake.extraction.names import PROSE
from mosslite.intake.extraction.notebook import read_notebook
from mosslite.intake.extraction.passages import Passage, files_by_language, titled
from mosslite.model import Part

if TYPE_CHECKING:
    from collections.abc import Iterable

    from mosslite.intake.extraction.notebook import Cell
    from mosslite.model import SourceFile

__all__ = ["files_of_notebook"]

_LINE_END = re.compile(r"\r\n|[\r\n]")


def files_of_notebook(
    file: SourceFile, given: str | None, *, reads_prose: bool, most: int
) -> tuple[SourceFile, ...]:
    """Return the code of a notebook for each of its languages, then its prose if that is wanted.

    The text is that of the cells, each below a heading such as ``# cell 3``; cells of all kinds
    are counted, from 1. Outputs, attachments and metadata are no work.

    Args:
        file: The notebook as JSON.
        given: Language of all code; None asks the notebook.
        reads_prose: Cells of Markdown and raw text are wanted.
        most: Characters that all cells may have together.

    Raises:
        NotReadError: It is not a valid notebook, holds no code, or cells that are too large.
    """
    notebook = read_notebook(file.text)
    written = [cell for cell in notebook.cells if cell.source and not cell.source.isspace()]
    if sum(len(_heading(cell)) + len(cell.source) for cell in written) > most:
        msg = f"holds cells of more than {most:,} characters (--max-file-size)"
        raise NotReadError(msg)
    kinds: dict[bool, list[Cell]] = {False: [], True: []}
    for cell in written:
        kinds[is_prose_cell(cell, notebook.language)].append(cell)
    main = given or notebook.language
    files = files_by_language(*_laid_out(file, kinds[False], notebook.language, given), main)
    if reads_prose:
        own = titled(file, PROSE)
        files += files_by_language(*_laid_out(own, kinds[True], notebook.language, None), PROSE)
    if not files:
        msg = "holds no code"
        raise NotReadError(msg)
    return files


def _heading(cell: Cell) -> str:
    return f"# cell {cell.number}\n"


def _laid_out(
    file: SourceFile, cells: Iterable[Cell], language: str, given: str | None
) -> tuple[SourceFile, list[Passage]]:
    """Lay cells end to end: give the file with that text, and what of it is compared."""
    pieces, parts, passages = [], [], []
    size, line = 0, 1
    for cell in cells:
        heading = _heading(cell)
        piece = heading + cell.source + ("" if cell.source[-1:] in "\r\n" else "\n")
        parts.append(Part(line + 1, f"cell {cell.number}"))
        start = size + len(heading)
        passages += [
            Passage(start + each.start, start + each.stop, given or each.language)
            for each in cell_passages(cell, language)
        ]
        pieces.append(piece)
        size += len(piece)
        line += len(_LINE_END.findall(piece))
    return replace(file, text="".join(pieces), parts=tuple(parts)), passages
