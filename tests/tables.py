"""Tables of texts beside the tests that read them: adding a case is adding a line.

``tables/a/test_x.txt`` has a heading for each test of ``a/test_x.py`` that asks for it;
under it is a row a line, its columns between tabs. What a row cannot hold has a picture of its own.
Longer texts stand under headings of their own as they are; what is of two parts has a line between.
"""

from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Final, TypeVar

import pytest

Test = TypeVar("Test", bound=Callable[..., None])

_FOLDER: Final = Path(__file__).with_name("tables")
_PICTURES: Final = str.maketrans({"␊": "\n", "␉": "\t", "␍": "\r", "␀": ""})


def table(*columns: str) -> Callable[[Test], Test]:
    """Run a test with each row under its name, a value for each column."""

    def with_rows(test: Test) -> Test:
        rows = rows_of(test.__module__.removeprefix("tests.").replace(".", "/"), test.__name__)
        assert {len(row) for row in rows} == {len(columns)}, test.__name__
        values = [row if len(row) > 1 else row[0] for row in rows]
        names = columns if len(columns) > 1 else columns[0]
        marked: Test = pytest.mark.parametrize(names, values)(test)
        return marked

    return with_rows


def rows_of(name: str, heading: str) -> list[tuple[str, ...]]:
    """Return the rows under a heading of a table."""
    return [
        tuple(column.translate(_PICTURES) for column in line.split("\t"))
        for line in texts_of(name)[heading].split("\n")
        if line
    ]


def values_of(name: str, heading: str) -> dict[str, str]:
    """Return the second column of a table's rows by the first."""
    rows = rows_of(name, heading)
    assert all(len(row) == 2 for row in rows), heading
    return {row[0]: row[1] for row in rows}


def column_of(name: str, heading: str) -> tuple[str, ...]:
    """Return the first column of a table's rows."""
    return tuple(row[0] for row in rows_of(name, heading))


@cache
def texts_of(name: str) -> dict[str, str]:
    """Return the texts of a table by their headings."""
    whole = "\n" + (_FOLDER / f"{name}.txt").read_text("utf-8").removesuffix("\n")
    return dict(each.split("\n", 1) for each in whole.split("\n== ")[1:])


def parts_of(name: str) -> dict[str, tuple[str, ...]]:
    """Return the texts of a table by their headings, each in its parts."""
    return {key: tuple(text.split("\n----\n")) for key, text in texts_of(name).items()}
