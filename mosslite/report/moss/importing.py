"""Makes JSON results of MOSS' pages, so that an old case can be laid beside a new one.

What MOSS does not tell is ``null``: its pages have no score, no count of tokens and no mean of both
shares. Submissions have no role but ``current``, and a folder's files are known as far as its
passages name them. Pairs stay in the order of the page.
"""

from __future__ import annotations

import json
import re
from itertools import pairwise
from typing import TYPE_CHECKING, Final, NamedTuple

from mosslite.display import counted
from mosslite.errors import InputError, reason_of
from mosslite.report.moss.tables import passages_in, preamble_of, rows_in
from mosslite.report.results import FORMAT

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from mosslite.report.moss.tables import Passage, Row

__all__ = ["moss_to_json"]

# A page of 100,000 pairs; a page of thousands of passages.
_MOST_INDEX: Final = 16_000_000
_MOST_PAGE: Final = 1_000_000
_INDEX: Final = ("index.html", "index.htm")
_DAYS: Final = re.compile(r"(Mon|Tue|Wed|Thu|Fri|Sat|Sun) .*\b[0-9]{4}\b.*")


class _Page(NamedTuple):
    """What the page of a pair tells.

    Attributes:
        passages: None where the page is not there or is none of MOSS.
        unread: Rows of its table that are no passages.
        is_whole: It goes on to the end of its table.
    """

    passages: list[Passage] | None
    unread: int = 0
    is_whole: bool = True


_NO_PAGE: Final = _Page(None)


def moss_to_json(path: Path, *, version: str) -> str:
    """Read a downloaded result of MOSS and write it as JSON, with the passages that are there.

    Args:
        path: ``index.html`` by whatever name, or the folder it is in.
        version: That of mosslite.

    Raises:
        InputError: There is no result of MOSS.
    """
    index = _index_of(path)
    text = _read(index, _MOST_INDEX)
    if text is None:
        msg = f"{str(index)!r} is not a result of MOSS: it is larger than {_MOST_INDEX:,} bytes"
        raise InputError(msg)
    rows, unread = rows_in(text)
    preamble = preamble_of(text)
    if not rows and not any("moss results" in line.lower() for line in preamble):
        msg = f"{str(index)!r} is not a result of MOSS: it has no table of pairs"
        raise InputError(msg)
    pages = [_passages_of(index.parent, row) for row in rows]
    passages = [page.passages for page in pages]
    content = {
        "format": FORMAT,
        "mosslite": version,
        "created": None,
        "source": {"program": "moss", "date": _date(preamble)},
        "options": _options(preamble),
        "submissions": _submissions(rows, passages),
        "threshold": None,
        "pairs": [_pair(*each) for each in zip(rows, passages, strict=True)],
        "skipped": [],
        "ignored": [],
        "warnings": [*_warnings(pages, unread), *_cut_off(text)],
    }
    return json.dumps(content, ensure_ascii=False, indent=1) + "\n"


def _index_of(path: Path) -> Path:
    try:
        if not path.is_dir():
            return path
        names = [name for name in _INDEX if (path / name).is_file()]
    except OSError as error:
        raise _unreadable(path, error) from error
    if not names:
        msg = f"{str(path)!r} has no index.html: give the file with the table of pairs"
        raise InputError(msg)
    return path / names[0]


def _read(path: Path, most: int) -> str | None:
    """Read a page; None where it is too large to be one."""
    try:
        if path.exists() and not path.is_file():
            msg = f"{str(path)!r} is not a file"
            raise InputError(msg)
        with path.open("rb") as file:
            content = file.read(most + 1)
    except OSError as error:
        raise _unreadable(path, error) from error
    if len(content) > most:
        return None
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError:
        return content.decode("latin-1")


def _unreadable(path: Path, error: OSError) -> InputError:
    return InputError(f"cannot read {str(path)!r}: {reason_of(error)}")


def _passages_of(folder: Path, row: Row) -> _Page:
    if row.number is None:
        return _NO_PAGE
    try:
        text = _read(folder / f"match{row.number}-top.html", _MOST_PAGE)
    except InputError:
        return _NO_PAGE
    found, unread = passages_in(text or "")
    # What was downloaded too late says that nothing was found.
    if row.lines and not found:
        return _NO_PAGE
    return _Page(found, unread, is_whole=_is_whole(text or ""))


def _date(preamble: Sequence[str]) -> str | None:
    """Return the date as MOSS writes it: its time zone is one that only a reader may know."""
    return next((line for line in preamble if _DAYS.fullmatch(line)), None)


def _options(preamble: Sequence[str]) -> dict[str, object]:
    """Return the options that the page repeats, under our names."""
    line = next((line for line in preamble if line.startswith("Options")), "")
    words = line.split()[1:]
    after = dict(pairwise(words))
    options: dict[str, object] = {}
    if "-l" in after:
        options["language"] = after["-l"]
    if line:
        options["directories"] = "-d" in words
    if re.fullmatch("[0-9]{1,9}", after.get("-m", "")):
        options["max_sharing"] = int(after["-m"])
    if "-c" in words:
        options["comment"] = _unquoted(line.partition(" -c ")[2].strip())
    return options


def _unquoted(text: str) -> str:
    found = re.fullmatch("([\"'])(.*)\\1", text)
    return found[2] if found else text


def _submissions(
    rows: Sequence[Row], passages: Sequence[Sequence[Passage] | None]
) -> list[dict[str, object]]:
    files: dict[str, set[str]] = {}
    for row, found in zip(rows, passages, strict=True):
        for side, places in (
            (row.left, [passage.left for passage in found or ()]),
            (row.right, [passage.right for passage in found or ()]),
        ):
            own = files.setdefault(side.name, set())
            own.update(name for file, _, _ in places if (name := _file(side.name, file)))
            own.update([] if side.name.endswith("/") else [side.name])
    return [_submission(name, files[name]) for name in sorted(files)]


def _submission(name: str, files: set[str]) -> dict[str, object]:
    return {
        "name": _plain(name),
        "role": "current",
        "files": sorted(files),
        "tokens": None,
        "languages": [],
    }


def _pair(row: Row, passages: Sequence[Passage] | None) -> dict[str, object]:
    return {
        "left": _plain(row.left.name),
        "right": _plain(row.right.name),
        "score": None,
        "similarity": None,
        "left_similarity": row.left.percent / 100,
        "right_similarity": row.right.percent / 100,
        "matched_tokens": None,
        "matched_lines": row.lines,
        "longest_match": None,
        "matches": [
            {
                "left": _place(row.left.name, passage.left),
                "right": _place(row.right.name, passage.right),
                "tokens": None,
            }
            for passage in passages or ()
        ],
        "rare_evidence": [],
    }


def _place(name: str, place: tuple[str, int, int]) -> Mapping[str, object]:
    file, first, last = place
    return {"file": _file(name, file), "first_line": first, "last_line": last}


def _file(name: str, file: str) -> str | None:
    """Return a passage's file: a folder's must be told, a single one is the submission."""
    return file or (None if name.endswith("/") else name)


def _plain(name: str) -> str:
    """Name a folder without the slash at its end."""
    return name.rstrip("/") or name


def _is_whole(page: str) -> bool:
    return re.search("</table", page, re.IGNORECASE) is not None


def _cut_off(text: str) -> list[str]:
    return [] if _is_whole(text) else ["the page ends within its table: pairs can be missing"]


def _warnings(pages: Sequence[_Page], unread: int) -> list[str]:
    missing = sum(page.passages is None for page in pages)
    odd = [page.unread for page in pages if page.unread]
    cut_off = sum(page.passages is not None and not page.is_whole for page in pages)
    warnings = []
    if missing:
        reason = "their pages are not there, or not in the form of MOSS"
        warnings.append(f"no passages of {counted(missing, 'pair')}: {reason}")
    if odd:
        where = f"with the passages of {counted(len(odd), 'pair')}"
        what = counted(sum(odd), "row")
        warnings.append(f"{what} {where} left out: not in the form of MOSS")
    if cut_off:
        where = f"of {counted(cut_off, 'pair')}"
        warnings.append(f"not all passages {where}: the page ends within its table")
    if unread:
        warnings.append(f"{counted(unread, 'row')} of the table left out: not in the form of MOSS")
    return warnings
