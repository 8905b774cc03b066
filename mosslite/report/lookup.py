"""Finds the pair or group of results that a user names."""

from collections.abc import Sequence
from difflib import get_close_matches

from mosslite.errors import InputError
from mosslite.forests import grouped
from mosslite.messages import M_
from mosslite.report.results import PairResult, Results


def pair_of(results: Results, names: Sequence[str]) -> PairResult:
    """Return the pair with this number or these names.

    Args:
        results: The results.
        names: Its number in the list, or the names of both submissions, in either order.

    Raises:
        InputError: There is no such pair.
    """
    if len(names) == 1:
        return _numbered(results, names[0])
    if len(names) != 2:
        raise InputError("a pair is a number or two names, not %(names)s of them", len(names))
    wanted = frozenset(names)
    for pair in results.pairs:
        if pair.names == wanted:
            return pair
    for name in names:
        _require_submission(results, name)
    raise InputError(
        "%(names)r and %(names2)r are not among the pairs of the results", names[0], names[1]
    )


def _numbered(results: Results, number: str) -> PairResult:
    count = len(results.pairs)
    if number.isascii() and number.isdecimal() and 1 <= len(number) <= 9:
        if 1 <= int(number) <= count:
            return results.pairs[int(number) - 1]
        raise InputError(
            "there is no pair %(number)d: the results have %(count)d", int(number), count
        )
    hint = "" if number in results.by_name else _hint(results, number)
    raise InputError(
        "%(number)r is not the number of a pair: give a number, or the names "
        "of both submissions%(hint)s",
        number,
        hint,
    )


def _require_submission(results: Results, name: str) -> None:
    if name not in results.by_name:
        hint = _hint(results, name)
        raise InputError("%(name)r is not a submission of the results%(hint)s", name, hint)


def _hint(results: Results, name: str) -> str:
    """Return which submission a name is likely to mean; empty if none is like it."""
    submissions: dict[str, str] = {}
    for each in results.by_name:
        for form in _forms(each):
            submissions.setdefault(form, each)
    close = (get_close_matches(form, submissions, n=1) for form in _forms(name))
    near = next((submissions[each[0]] for each in close if each), "")
    return M_(": did you mean %(near)r?", near) if near else ""


def _forms(name: str) -> list[str]:
    """Return the forms in which a name is remembered: without case, folders, extensions, files."""
    folded = name.casefold().rstrip("/")
    last = folded.rpartition("/")[2]
    return [folded, last, last.partition(".")[0], folded.partition("/")[0]]


def group_of(results: Results, name: str) -> tuple[PairResult, ...]:
    """Return the pairs above the threshold that connect a submission with others.

    Raises:
        InputError: It does not exist, or is in no such pair.
    """
    _require_submission(results, name)
    if results.threshold is None and results.no_threshold is None:
        raise InputError("the results have no threshold, so there are no groups: name a pair")
    for members in groups_of(results):
        if name in members:
            return tuple(
                pair for pair in results.pairs if pair.left in members and results.stands_out(pair)
            )
    raise InputError("%(name)r is in no group: no pair of it reaches the threshold", name)


def groups_of(results: Results) -> list[frozenset[str]]:
    """Return the groups connected by pairs above the threshold, ordered by their best pair."""
    high = filter(results.stands_out, results.pairs)
    groups = grouped(high, lambda pair: (pair.left, pair.right))
    return [frozenset(name for pair in group for name in pair.names) for group in groups]
