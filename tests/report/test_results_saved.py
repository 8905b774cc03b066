"""Results can come from anywhere and are validated."""

import json
from dataclasses import replace
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mosslite.errors import InputError
from mosslite.report.json_files import written
from mosslite.report.recording import json_of, results_of, to_json
from tests.reports import results_in, told_report


def told() -> dict[str, Any]:
    content: dict[str, Any] = json.loads(
        to_json(told_report("Zoe"), created="2026-11-21T09:30:00+00:00", version="0.1.0")
    )
    return content


CONTENT = told()


def read(content: object) -> None:
    results_in(json.dumps(content).encode())


def complaint(content: object) -> str:
    """Return why something is not a file of results; empty if it is one."""
    try:
        read(content)
    except InputError as error:
        return str(error)
    return ""


def paths_in(value: object, here: tuple[str | int, ...] = ()) -> list[tuple[str | int, ...]]:
    """Return the way to each value, of lists to the first."""
    if isinstance(value, dict):
        inside = [path for key, each in value.items() for path in paths_in(each, (*here, key))]
    elif isinstance(value, list) and value:
        inside = paths_in(value[0], (*here, 0))
    else:
        inside = []
    return [here, *inside] if here else inside


def put(content: object, path: tuple[str | int, ...], value: object) -> object:
    """Return a copy with another value there."""
    if not path:
        return value
    first, *rest = path
    if isinstance(content, dict):
        return content | {first: put(content[first], tuple(rest), value)}
    assert isinstance(content, list)
    return [put(content[0], tuple(rest), value), *content[1:]]


def test_what_we_write_is_read() -> None:
    results = results_in(json.dumps(CONTENT).encode())

    assert len(results.pairs) == len(CONTENT["pairs"]) > 0
    assert results.created == "2026-11-21T09:30:00+00:00"
    pair, saved = results.pairs[0], CONTENT["pairs"][0]
    assert (pair.score, pair.matched_lines) == (saved["score"], saved["matched_lines"])
    assert len(pair.matches) == len(saved["matches"])


@pytest.mark.parametrize("name", ["Zoe", "\u202e<b>"])
def test_results_of_a_run_equal_those_that_are_read_back(name: str) -> None:
    results = results_of(told_report(name), created="2026-11-21T09:30:00+00:00", version="0.1.0")

    read = results_in(written(results).encode())

    assert read.given == results.given
    assert msgspec.structs.replace(read, options=results.options) == results


@pytest.mark.parametrize("name", ["Zoe", "\u202e<b>\\n", "\udce9"])
@pytest.mark.parametrize("has_pairs", [True, False])
def test_results_written_in_pieces_are_the_same_bytes(name: str, has_pairs: bool) -> None:
    report = told_report(name)
    if not has_pairs:
        report = replace(report, pairs=())
    results = results_of(report, created="2026-11-21T09:30:00+00:00", version="0.1.0")

    pieces = [*json_of(report, created="2026-11-21T09:30:00+00:00", version="0.1.0")]

    assert len(pieces) > len(results.pairs)
    assert b"".join(pieces).decode() == written(results)


@pytest.mark.parametrize(
    "odd", [[], {}, "x" * 9, -1, 1.5, True, 10**30, {"a": [None]}, ["", 3]], ids=repr
)
def test_a_value_of_another_kind_is_one_line_or_no_harm(odd: object) -> None:
    for path in paths_in(CONTENT):
        message = complaint(put(CONTENT, path, odd))
        assert "\n" not in message, path
        assert len(message) < 300, path


@pytest.mark.parametrize(
    ("path", "odd", "message"),
    [
        (("pairs", 0, "score"), 2, "'pairs[0].score' is 2: it must be a number <= 1.0"),
        (("pairs", 0, "left"), 3, "'pairs[0].left' is 3: it must be text"),
        (("pairs", 0, "left"), "eve", "pair 1 names 'eve', which is not a submission"),
        (("format",), 2, "it was written by another version of mosslite"),
        (
            ("submissions", 0, "role"),
            "boss",
            "'submissions[0].role' is \"boss\": it must be a value that 'mosslite schema'",
        ),
        (("options", "layout"), "x", "unknown layout 'x'"),
        (("options", "limits"), [], "'options.limits' is []: it must be an object"),
        (("submissions",), "x" * 400, f"'submissions' is \"{'x' * 99}...: it must be a list"),
    ],
)
def test_a_message_says_which_value_is_wrong(
    path: tuple[str | int, ...], odd: object, message: str
) -> None:
    with pytest.raises(InputError) as error:
        read(put(CONTENT, path, odd))

    assert str(error.value).startswith(message)


@pytest.mark.parametrize(
    "content",
    [
        b'{"format":1,"pairs":3,"x":' + b"[" * 3000 + b"]" * 3000 + b"}",
        b'{"format":1,"x":"\\ud800","pairs":3}',
        b'{"format":1,"x":' + b"9" * 5000 + b',"pairs":3}',
    ],
    ids=["nested", "half a character", "digits"],
)
def test_a_wrong_value_beside_what_python_does_not_read_is_one_line(content: bytes) -> None:
    with pytest.raises(InputError, match=r"^'pairs' is .*: it must be a list$"):
        results_in(content)


@pytest.mark.parametrize("content", [b'"""Sort."""\nimport sys\n', b"7 lines", b'{"pairs":3} x'])
def test_what_begins_like_json_is_not_json(content: bytes) -> None:
    with pytest.raises(InputError, match=r"^it is not JSON$"):
        results_in(content)


@given(st.binary(max_size=60))
def test_no_bytes_are_a_traceback(content: bytes) -> None:
    with pytest.raises(InputError):
        results_in(content)
