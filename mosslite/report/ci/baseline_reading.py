"""Reads baselines, and takes what a check wrote as JSON for one."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Final, NotRequired, TypedDict, cast

from mosslite.errors import InputError, reason_of
from mosslite.report.ci.baseline import FORMAT, KIND, Baseline, KnownPair, KnownWork
from mosslite.report.review import pair_key, without_surrogates
from mosslite.winnowing.fingerprints import SKETCH_DIGITS

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

__all__ = ["baseline_of_results", "read_baseline"]

_WORK_KEYS: Final = ("name", "code", "sketch")
_PAIR_KEYS: Final = ("left", "right")
_CODE: Final = re.compile(r"[0-9a-f]{24}")
_SKETCH: Final = re.compile(rf"(?:[0-9a-f]{{{SKETCH_DIGITS}}})*")


class _Work(TypedDict):
    name: str
    code: str
    sketch: str


class _Pair(TypedDict):
    left: str
    right: str
    score: float


class _Content(TypedDict):
    """What a baseline and the JSON results have in common, and what only these can say."""

    submissions: list[_Work]
    pairs: list[_Pair]
    anonymous: NotRequired[bool]


def read_baseline(path: Path) -> Baseline:
    """Read a baseline.

    Raises:
        InputError: It cannot be read, or is not a baseline.
    """
    return _baseline(_content(path, "baseline", ("kind", KIND)))


def baseline_of_results(path: Path, *, above: float = 0.0) -> Baseline:
    """Take the pairs in the JSON results of a check that score at least ``above`` for known.

    Raises:
        InputError: It cannot be read, is not a result of ``--json``, or has no names.
    """
    content = _content(path, "result of --json", None)
    if content.get("anonymous"):
        msg = f"{str(path)!r} is anonymous: give what the check writes without --anonymize"
        raise InputError(msg)
    whole = _baseline(content)
    pairs = tuple(pair for pair in whole.pairs if pair.score >= above)
    names = {name for pair in pairs for name in (pair.left, pair.right)}
    return Baseline(tuple(work for work in whole.works if work.name in names), pairs)


def _content(path: Path, what: str, mark: tuple[str, str] | None) -> _Content:
    """Read JSON that has a baseline in it, and ``mark`` among its keys and values."""
    try:
        content = json.loads(path.read_text(encoding="utf-8-sig"))
    except OSError as error:
        msg = f"cannot read {str(path)!r}: {reason_of(error)}"
        raise InputError(msg) from error
    except (ValueError, RecursionError) as error:
        msg = f"{str(path)!r} is not a {what}: it is not JSON"
        raise InputError(msg) from error
    obstacle = next(_obstacles(content, mark), None)
    if obstacle:
        msg = f"{str(path)!r} is not a {what}: {obstacle}"
        raise InputError(msg)
    return cast("_Content", content)


def _baseline(content: _Content) -> Baseline:
    return Baseline(
        tuple(
            KnownWork(without_surrogates(each["name"]), each["code"], each["sketch"])
            for each in content["submissions"]
        ),
        tuple(
            KnownPair(
                without_surrogates(each["left"]),
                without_surrogates(each["right"]),
                float(each["score"]),
            )
            for each in content["pairs"]
        ),
    )


def _obstacles(content: object, mark: tuple[str, str] | None) -> Iterator[str]:
    """Say what is wrong; after the first thing nothing is to be relied on."""
    if not isinstance(content, dict):
        yield "it is not an object"
        return
    if mark and content.get(mark[0]) != mark[1]:
        yield f"its {mark[0]} is not {mark[1]!r}"
    if content.get("format") != FORMAT:
        yield f"its format is {_shown(content.get('format'))}, not {FORMAT}"
    for key in ("submissions", "pairs"):
        if not isinstance(content.get(key), list):
            yield f"it has no list of {key!r}"
    yield from _wrong_works(content["submissions"])
    names = {each["name"] for each in content["submissions"]}
    yield from _wrong_pairs(content["pairs"], names)


def _wrong_works(works: list[object]) -> Iterator[str]:
    names = set()
    for number, each in enumerate(works, 1):
        if not isinstance(each, dict) or not _has_texts(each, _WORK_KEYS):
            yield f"submission {number} has no texts 'name', 'code' and 'sketch'"
            return
        if not _CODE.fullmatch(each["code"]) or not _SKETCH.fullmatch(each["sketch"]):
            yield f"submission {number} has a code or a sketch that is none"
        if each["name"] in names:
            yield f"submission {number} has the name of an earlier one"
        names.add(each["name"])


def _wrong_pairs(pairs: list[object], names: set[str]) -> Iterator[str]:
    keys = set()
    for number, each in enumerate(pairs, 1):
        if not isinstance(each, dict) or not _has_texts(each, _PAIR_KEYS):
            yield f"pair {number} has no texts 'left' and 'right'"
            return
        if not _is_score(each.get("score")):
            yield f"pair {number} has no score from 0 to 1"
        if not names.issuperset((each["left"], each["right"])):
            yield f"pair {number} is of a submission that is not listed"
        key = pair_key(each["left"], each["right"])
        if key in keys:
            yield f"pair {number} is there twice"
        keys.add(key)


def _has_texts(each: dict[str, object], keys: tuple[str, ...]) -> bool:
    return all(isinstance(each.get(key), str) for key in keys)


def _is_score(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value <= 1


def _shown(value: object) -> str:
    """Write a value on the rest of one line."""
    if value is None or isinstance(value, bool | int | float):
        return json.dumps(value)
    return repr(value) if isinstance(value, str) and len(value) < 40 else "something else"
