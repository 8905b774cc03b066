import ast
import json
from pathlib import Path

import pytest

import mosslite
from mosslite.display import (
    character_name,
    iso_of,
    names_in_short,
    names_joined,
    path_with_reason,
    script_json,
    seconds_between,
    with_names,
)
from mosslite.messages import PLACEHOLDER
from mosslite.texts import ENGLISH

ROOT = Path(mosslite.__file__).parent
# Two lines of a terminal of 80 columns, behind the word in front.
TWO_LINES = 2 * 80 - len("warning: ")


def templates() -> list[str]:
    """Return the templates of all remarks with names."""
    return sorted(
        node.args[0].value
        for path in sorted(ROOT.rglob("*.py"))
        for node in ast.walk(ast.parse(path.read_bytes()))
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Name)
        and node.func.id == "with_names"
        and isinstance(node.args[0], ast.Constant)
        and isinstance(node.args[0].value, str)
    )


def test_a_remark_takes_two_lines_of_a_small_terminal_whatever_it_names() -> None:
    names = ["submissions/" + 9 * "a long folder/" + f"{n}.py" for n in range(500)]
    for template in templates():
        others = [name for name, _ in PLACEHOLDER.findall(template) if name != "names"]
        values = [7 if f"%({name})d" in template else "C" for name in dict.fromkeys(others)]

        (remark,) = with_names(template, *values, names=names)

        assert len(remark) <= TWO_LINES, template
        assert remark.endswith("and 499 more")


def test_a_list_of_names_has_at_least_one_and_counts_the_others() -> None:
    assert names_in_short(["a.py"]) == ["a.py"]
    assert names_in_short(["a.py", "b.py"], 9) == ["a.py", "b.py"]
    assert names_in_short(["a" * 12, "b" * 12], 24) == "a" * 12 + " and 1 more"
    assert names_in_short(["a" * 100], 9) == [11 * "a" + "\u2026" + 11 * "a"]


def test_a_list_of_many_short_names_is_cut() -> None:
    assert names_in_short([*"abcdefg"]) == "a, b, c, d, e and 2 more"


def test_names_are_joined_as_in_a_sentence() -> None:
    assert names_joined(["a"]) == "a"
    assert names_joined(["a", "b", "c"]) == "a, b and c"
    assert path_with_reason("a.csv", "is not source code") == "a.csv is not source code"


def test_a_character_is_named_as_unicode_names_it() -> None:
    assert character_name("\u202e\u202e") == "right-to-left override"
    assert character_name("\0") == "control character"


def test_json_in_a_script_ends_no_script_and_starts_no_tag() -> None:
    written = script_json({"name": "</script><b>&\u2028"})
    assert not set("<>&\u2028") & set(written)
    assert json.loads(written) == {"name": "</script><b>&\u2028"}


# --- times are compared only where they can be ---------------------------------------------------


@pytest.mark.parametrize(
    ("first", "second", "seconds"),
    [
        ("2026-01-01T10:00:00", "2026-01-01T10:00:05", 5),
        ("2026-01-01T10:00:00+01:00", "2026-01-01T10:00:00+00:00", 3600),
        ("2026-01-02T00:00:00Z", "2026-01-01T00:00:00Z", -86400),
        ("2026-01-01T10:00:00", "2026-01-01T10:00:00+00:00", None),
        ("yesterday", "2026-01-01T10:00:00", None),
        ("", "", None),
    ],
)
def test_seconds_are_between_times_that_can_be_compared(
    first: str, second: str, seconds: int | None
) -> None:
    assert seconds_between(first, second) == seconds


@pytest.mark.parametrize(
    ("seconds", "words"),
    [
        (0, "no time"),
        (1, "1 second"),
        (3600, "1 hour"),
        (3661, "1 hour 1 minute"),
        (-90061, "1 day 1 hour"),
        (86401, "1 day"),
    ],
)
def test_a_gap_is_told_by_its_two_largest_units(seconds: int, words: str) -> None:
    assert ENGLISH.gap(seconds) == words


def test_a_moment_that_no_calendar_has_is_not_written() -> None:
    assert iso_of(10**15, "+0000") == ""
    assert iso_of(0, "-0130") == "1969-12-31T22:30:00-01:30"
