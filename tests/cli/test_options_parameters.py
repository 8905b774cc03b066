import re
import shlex
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import click
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mosslite.cli.check import check
from mosslite.cli.options import inputs_of, options_of, percent, size, size_text
from mosslite.options import Intake, Limits, Options
from mosslite.records import Inputs
from tests.builders import LAW
from tests.conftest import Outcome, Run
from tests.tables import table

HINT = "; see mosslite check --help\n"


@pytest.fixture(autouse=True)
def empty_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Be where no file gives options."""
    monkeypatch.chdir(tmp_path)


def parsed(line: str) -> Mapping[str, Any]:
    return check.make_context("check", shlex.split(line)).params


def patterns(line: str) -> tuple[str, ...]:
    return options_of(parsed(f"hw {line}")).intake.patterns


# What options become


def test_without_options_all_is_as_the_records_have_it() -> None:
    arguments = parsed("hw")
    assert options_of(arguments) == Options(uses_cache=True)  # a program's own have none
    assert inputs_of(arguments) == Inputs(("hw",))


def test_every_option_finds_its_place() -> None:
    line = (
        "hw --layout canvas --name-pattern '(?P<name>.)' --attempts all --exclude a --no-ignore "
        "--max-file-size 1K --max-unpacked 2M --max-members 3 --max-ratio 4 --max-depth 5 "
        "--encoding cp1252 --markdown-cells --time-limit 6.5 -l java -d -m 7 -n 8 -k 9 -t 10 -j 11 "
        "--no-cache -c title -b base --prior old --reference web"
    )
    limits = Limits(file=1024, unpacked=2 << 20, members=3, ratio=4, depth=5)
    intake = Intake("canvas", "(?P<name>.)", True, ("a",), True, "cp1252", True, limits)
    assert options_of(parsed(line)) == Options(
        language="java",
        directories=True,
        max_sharing=7,
        show=8,
        comment="title",
        noise=9,
        guarantee=10,
        jobs=11,
        uses_cache=False,
        seconds=6.5,
        intake=intake,
    )
    assert inputs_of(parsed(line)) == Inputs(("hw",), ("base",), ("old",), ("web",))


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("", ()),
        ("--exclude a --exclude b", ("a", "b")),
        ("--include a --include b", ("!a", "!b")),
        ("--exclude a --include b --exclude c", ("a", "!b", "c")),
        ("--include=a -m 3 --exclude=b more --include c", ("!a", "b", "!c")),
        ("-c --include --exclude a", ("a",)),
        ("--exclude --include -- --exclude b", ("--include",)),
        ("--exclude '!a' --include '#b' --exclude '#c#'", ("!a", "!#b", r"\#c#")),
    ],
)
def test_patterns_of_both_options_keep_the_order_of_the_command_line(
    line: str, expected: tuple[str, ...]
) -> None:
    assert patterns(line) == expected


@LAW
@given(st.lists(st.tuples(st.booleans(), st.text("abc*/", min_size=1))))
def test_any_mixture_of_patterns_keeps_its_order(mixture: list[tuple[bool, str]]) -> None:
    line = [f"--{'include' if is_read else 'exclude'}={pattern}" for is_read, pattern in mixture]
    expected = tuple("!" * is_read + pattern for is_read, pattern in mixture)
    assert patterns(shlex.join(line)) == expected


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("500000", 500_000),
        ("1k", 1 << 10),
        ("500K", 500 << 10),
        ("4M", 4 << 20),
        ("1.5M", 3 << 19),
        ("1G", 1 << 30),
        ("2MB", 2 << 20),
        ("2MiB", 2 << 20),
        ("7b", 7),
    ],
)
def test_sizes_are_in_binary_units(text: str, count: int) -> None:
    assert size(text) == count


@pytest.mark.parametrize("text", ["", "M", "-1", "4 M", "4T", "1e6", "0x10", "٣", "1" * 5000])
def test_what_is_not_a_size_is_refused(text: str) -> None:
    with pytest.raises(click.BadParameter, match="is not a size: give one such as"):
        size(text)


@LAW
@given(st.integers(0, 10**15))
def test_a_size_that_is_written_is_read_as_the_same(count: int) -> None:
    assert size(size_text(count)) == count


# Wrong options


@table("options", "message")
def test_an_invalid_value_is_explained_in_one_line(run: Run, options: str, message: str) -> None:
    outcome = run("hw", *shlex.split(options))
    assert (outcome.code, outcome.out) == (2, "")
    assert outcome.err.startswith(f"mosslite: {message}")
    assert outcome.err.endswith(HINT)
    assert outcome.err.count("\n") == 1


@table("options", "message")
def test_a_value_that_means_nothing_is_explained(run: Run, options: str, message: str) -> None:
    assert run("hw", *shlex.split(options)) == Outcome(2, "", f"mosslite: {message}\n")


@pytest.mark.parametrize(
    "command",
    [
        ("check", ""),
        ("course", "a.json", "b.json", "-o", ""),
        ("course", "a.json", "b.json", "--csv", ""),
        ("course", "a.json", "b.json", "--students", ""),
        ("report", ""),
        ("report", "a.json", "1", "-o", ""),
        ("query", "a.mosslite", ""),
        ("archive", "add", "", "--term", "1", "hw"),
        ("archive", "export", "a.mosslite", ""),
        ("baseline", "update", "a.json", ""),
        ("import-moss", ""),
        ("tokens", ""),
    ],
    ids=" ".join,
)
def test_no_command_takes_an_empty_path_for_the_current_folder(
    run: Run, tmp_path: Path, command: tuple[str, ...]
) -> None:
    outcome = run(*command)
    assert outcome.code == 2
    assert "'' is not a path: give a file or folder; see mosslite" in outcome.err
    assert not any(tmp_path.glob("*.html"))


# The help


# Percentages


@pytest.mark.parametrize(
    ("written", "right"),
    [
        ("0.8", "80"),
        (".8", "80"),
        ("8e-1", "80"),
        ("0.29", "29"),
        ("0.855", "85.5"),
        ("0.02", "2"),
        ("1", "100"),
        ("1.0", "100"),
        (0.8, "80"),
        (1, "100"),
    ],
)
def test_a_score_in_place_of_a_percentage_is_refused_with_what_to_write(
    written: str | float, right: str
) -> None:
    with pytest.raises(click.BadParameter, match=rf"write {re.escape(right)} for score "):
        percent(written)
    assert percent(right) == float(right)


@given(st.floats(0, 1, exclude_min=True))
@LAW
def test_no_percentage_above_0_and_up_to_1_is_taken(number: float) -> None:
    for written in (number, repr(number)):
        with pytest.raises(click.BadParameter):
            percent(written)


@pytest.mark.parametrize("written", ["0", "0.0", "-0", "1.01", "1.5", "50", "100", 0, 80.5])
def test_other_percentages_are_taken_as_they_are(written: str | float) -> None:
    assert percent(written) == float(written)


def test_a_command_that_takes_a_percentage_says_what_to_write(run: Run) -> None:
    told = "'0.8' is not a percentage but a fraction: write 80 for score 0.8"
    for line, option in (
        ("a b --fail-above 0.8", "fail-above"),
        ("baseline update x.json y.json --above 0.8", "above"),
    ):
        outcome = run(*shlex.split(line))
        assert (outcome.code, outcome.out) == (2, "")
        assert f"--{option}" in outcome.err
        assert told in outcome.err
