"""Run by ``-m slow`` where ``MOSSLITE_REAL_FILES`` names the folder of ``tests.laws.packages``."""

from __future__ import annotations

import os
from statistics import fmean
from typing import TYPE_CHECKING

import pytest

from tests.laws.exceptions import EXCEPTIONS
from tests.laws.files import FOLDER, LANGUAGES, real_files
from tests.laws.laws import BASE_CODE, LAWS
from tests.laws.outcomes import FILES, languages, outcomes

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tests.laws.outcomes import Outcome

pytestmark = [
    pytest.mark.slow,
    pytest.mark.timeout(2400),
    pytest.mark.skipif(FOLDER not in os.environ, reason=f"{FOLDER} names no folder of real files"),
]

# So many files keep each law in each language; the others have a reason.
_LEAST_SHARE = 0.7


@pytest.fixture(scope="module")
def found() -> Mapping[tuple[str, str], Outcome]:
    """Try all laws on all languages once."""
    return {(each.law, each.language): each for each in outcomes(languages())}


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("law", [each for each in LAWS if each != BASE_CODE])
def test_a_law_holds_for_real_files_but_for_known_reasons(
    law: str, language: str, found: Mapping[tuple[str, str], Outcome]
) -> None:
    outcome = found.get((law, language))
    if outcome is None:
        pytest.skip(f"no real files of {language} that {law!r} is about: {FOLDER} names none")
    assert outcome.unexplained == []
    assert outcome.share >= _LEAST_SHARE


def test_unrelated_base_code_leaves_own_code_in_place(
    found: Mapping[tuple[str, str], Outcome],
) -> None:
    tried = [outcome for (law, _), outcome in found.items() if law == BASE_CODE]
    if not tried:
        pytest.skip(f"no real files to try base code on: {FOLDER} names none")
    assert min(each.mean for each in tried) >= 0.95
    assert fmean(each.mean for each in tried) >= 0.98
    assert fmean(each.share for each in tried) >= 0.95


def test_there_are_enough_real_files_of_twelve_languages() -> None:
    if len(languages()) == 1:
        pytest.skip(f"{FOLDER} names no folder: see tests/laws/packages.py")
    assert sum(len(real_files(each, FILES)) == FILES for each in LANGUAGES) >= 12


def test_every_exception_is_of_laws_that_there_are() -> None:
    assert {law for each in EXCEPTIONS for law in each.laws} <= set(LAWS)
