from __future__ import annotations

import csv
import io
import json
import re
from dataclasses import dataclass
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mosslite.lab.sheets import Plot, Series, Sheet, Table, draw, page_of, shown, to_csv, to_json
from mosslite.report.html.site import environment

NUMBERS = st.floats(-1e9, 1e9).filter(lambda each: abs(each) > 1e-9 or not each)
POINTS = st.lists(st.tuples(NUMBERS, NUMBERS), min_size=1, max_size=8)

HOSTILE = "</td><script>alert(1)</script>&\"'\u202e"


@dataclass(frozen=True)
class Part:
    values: tuple[float, ...]
    name: str | None


@dataclass(frozen=True)
class Whole:
    parts: tuple[Part, ...]


def plot_of(points: list[tuple[float, float]], *, is_log: bool = False) -> Plot:
    series = Series("a series", tuple(points))
    return Plot("a plot", "x", "y", (series,), is_x_log=is_log, is_y_log=is_log)


# --- plots ---------------------------------------------------------------------------------------


@given(POINTS, st.booleans())
def test_every_point_and_tick_is_within_the_frame(
    points: list[tuple[float, float]], is_log: bool
) -> None:
    drawing = draw(plot_of(points, is_log=is_log))

    places = [place for curve in drawing.curves for place in curve.dots]
    assert all(drawing.left <= x <= drawing.right for x, _ in places)
    assert all(drawing.top <= y <= drawing.bottom for _, y in places)
    assert all(drawing.left <= tick.place <= drawing.right for tick in drawing.x_ticks)
    assert all(drawing.top <= tick.place <= drawing.bottom for tick in drawing.y_ticks)
    assert len(drawing.x_ticks) <= 9


def test_greater_is_further_to_the_right_and_further_up() -> None:
    (curve,) = draw(plot_of([(1, 10), (2, 20), (4, 15)])).curves
    (left, low), (middle, high), (right, between) = curve.dots

    assert left < middle < right
    assert high < between < low


def test_powers_are_evenly_spaced_on_a_logarithmic_axis_which_shows_nothing_below_0() -> None:
    drawing = draw(plot_of([(1, 1), (10, 10), (100, 100), (0, 5), (-1, 5)], is_log=True))

    first, second, third = (x for x, _ in drawing.curves[0].dots)
    assert second - first == pytest.approx(third - second, abs=0.02)
    assert [tick.label for tick in drawing.x_ticks] == ["1", "10", "100"]


def test_between_few_powers_of_ten_there_are_more_ticks() -> None:
    ticks = draw(plot_of([(15, 1), (250, 1)], is_log=True)).x_ticks
    assert [tick.label for tick in ticks] == ["20", "50", "100", "200"]


def test_ticks_are_round_numbers() -> None:
    ticks = draw(plot_of([(0, 0), (0.97, 30)])).y_ticks
    assert [tick.label for tick in ticks] == ["0", "5", "10", "15", "20", "25", "30"]


def test_a_plot_without_points_is_an_empty_frame() -> None:
    assert draw(plot_of([(-1, -1)], is_log=True)).curves[0].dots == ()


# --- the page ------------------------------------------------------------------------------------


def hostile_page() -> str:
    table = Table(HOSTILE, (HOSTILE, "n"), ((HOSTILE, 1), ("", None)), HOSTILE)
    plot = Plot(HOSTILE, HOSTILE, HOSTILE, (Series(HOSTILE, ((1, 2), (3, 4))),))
    return page_of(Sheet("density", HOSTILE, (table,), (plot,)), environment())


def test_no_text_is_mark_up_on_the_page() -> None:
    page = hostile_page()

    assert "<script" not in page
    assert "\u202e" not in page
    assert page.count("&lt;script&gt;") >= 7


def test_the_page_asks_nobody_for_anything() -> None:
    page = hostile_page()

    assert re.findall(r"\b(?:src|href|action)=", page) == []
    assert "default-src 'none'" in page


def test_the_drawing_is_well_formed() -> None:
    for drawing in re.findall(r"<svg.*?</svg>", hostile_page(), re.DOTALL):
        ElementTree.fromstring(drawing)  # noqa: S314 - our own page


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


def test_csv_has_all_digits_and_no_formulas() -> None:
    sheet = Sheet("select", "t", (Table("one", ("a", "b"), (("=1+1", 1 / 3), ("x", None))),))

    rows = list(csv.reader(io.StringIO(to_csv(sheet))))

    assert rows == [
        *(["mosslite lab select"], [], ["one"], ["a", "b"], ["'=1+1", str(1 / 3)], ["x", ""]),
    ]


def test_json_nests_records_and_has_null_for_what_is_not_a_number() -> None:
    whole = Whole((Part((1.5, float("inf"), float("nan")), None), Part((), "b")))

    assert json.loads(to_json("tune", whole)) == {
        "format": 1,
        "experiment": "tune",
        "parts": [{"values": [1.5, None, None], "name": None}, {"values": [], "name": "b"}],
    }
