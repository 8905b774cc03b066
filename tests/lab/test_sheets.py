import csv
import io
import json
from xml.etree import ElementTree

import pytest

from mosslite.lab.sheets import (
    Plot,
    Series,
    Sheet,
    Table,
    Values,
    picture_of,
    pivoted,
    series_by,
    shown,
    table_of,
    to_csv,
    to_json,
)

HOSTILE = "_</text><script>alert(1)</script>&\"'$x^2$ --> \x01\u202e \u6f22\uacf5"


def point(colour: str, x: int, y: float, part: Values | None = None) -> Values:
    return {"colour": colour, "x": x, "y": y, "part": part}


POINTS = (point("red", 1, 0.5), point("red", 2, 0.25), point("blue", 1, 4.0, {"name": "p"}))


# --- tables --------------------------------------------------------------------------------------


def test_a_table_has_a_row_for_each_of_some_and_a_column_for_each_value_asked_for() -> None:
    table = table_of("t", POINTS, "colour y part.name who:part.name")

    assert table.headings == ("colour", "y", "name", "who")
    assert table.rows[1:] == (("red", 0.25, None, None), ("blue", 4.0, "p", "p"))
    assert table.words == 1


def test_rows_with_names_have_them_in_the_first_column() -> None:
    table = table_of("t", {"first": POINTS[0]}, "x")
    assert (table.headings, table.rows) == (("", "x"), (("first", 1),))


def test_a_value_is_arranged_by_two_others() -> None:
    points = [point("red", 1, 0.5), point("red", 2, 0.25), point("blue", 1, 4), point("blue", 2, 3)]
    assert pivoted(points, "colour", "x", "y") == ((1, 2), (("red", 0.5, 0.25), ("blue", 4, 3)))
    assert pivoted([], "colour", "x", "y") == ((), ())


# --- plots ---------------------------------------------------------------------------------------


def test_a_series_has_the_points_of_one_colour() -> None:
    assert series_by(POINTS, "colour", "x", "y", "a {} one") == (
        Series("a red one", ((1, 0.5), (2, 0.25))),
        Series("a blue one", ((1, 4.0),)),
    )


def sheet_with(*plots: Plot) -> Sheet:
    return Sheet("density", HOSTILE, (), plots)


LINE = Plot(HOSTILE, "x", "y", (Series(HOSTILE, ((1, 10), (10, 20), (0, 5))),), True, True)
NAMES = Plot("names", "x", "", (Series("s", ((0.5, "one"), (0.7, "two")), "o"),))


@pytest.mark.parametrize("kind", ["png", "svg"])
def test_a_picture_is_the_same_bytes_each_time(kind: str) -> None:
    once, again = (picture_of(sheet_with(LINE, NAMES), kind) for _ in range(2))

    assert once == again
    assert once.startswith({"png": b"\x89PNG", "svg": b"<?xml"}[kind])
    assert b"matplotlib version" not in once


def test_no_text_is_mark_up_in_a_picture() -> None:
    picture = picture_of(sheet_with(LINE), "svg")

    tree = ElementTree.fromstring(picture)  # noqa: S314 - our own picture
    assert {each.tag.rpartition("}")[2] for each in tree.iter()}.isdisjoint(
        {"script", "a", "image"}
    )


def test_a_plot_of_nothing_is_a_frame() -> None:
    nothing = Plot("nothing", "x", "y", (), is_x_log=True)
    assert picture_of(sheet_with(nothing), "png").startswith(b"\x89PNG")


def test_more_plots_make_a_larger_picture() -> None:
    def size(*plots: Plot) -> tuple[int, int]:
        head = picture_of(sheet_with(*plots), "png")[16:24]
        return int.from_bytes(head[:4]), int.from_bytes(head[4:])

    (width, height), wide, high = size(LINE), size(LINE, NAMES), size(LINE, NAMES, LINE)

    assert wide == (2 * width, height)
    assert high == (2 * width, 2 * height)


# --- text, CSV and JSON --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("cell", "text"),
    [
        (None, ""),
        (True, "yes"),
        (False, "no"),
        (1234567, "1,234,567"),
        (0.0198024, "0.019802"),
        (0.0, "0.000000"),
        (2.5e-5, "2.5e-05"),
        (1234.5, "1,234.50"),
        ("words", "words"),
    ],
)
def test_values_are_written_for_readers(cell: float | str | None, text: str) -> None:
    assert shown(cell) == text


def test_a_table_of_few_pairs_has_few_decimals_in_every_row() -> None:
    assert [shown(share, 3) for share in (0.864407, 1.0, 0.0)] == ["0.864", "1.000", "0.000"]


def test_csv_has_all_digits_and_no_formulas() -> None:
    sheet = Sheet("select", "t", (Table("one", ("a", "b"), (("=1+1", 1 / 3), ("x", None))),))

    rows = list(csv.reader(io.StringIO(to_csv(sheet))))

    assert rows == [
        *(["mosslite lab select"], [], ["one"], ["a", "b"], ["'=1+1", str(1 / 3)], ["x", ""]),
    ]


def test_json_has_null_for_what_is_not_a_number() -> None:
    values = {"parts": [{"values": (1.5, float("inf"), float("nan")), "name": None}]}

    assert json.loads(to_json("tune", values)) == {
        "format": 1,
        "experiment": "tune",
        "parts": [{"values": [1.5, None, None], "name": None}],
    }
