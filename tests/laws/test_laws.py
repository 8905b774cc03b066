"""Run by ``-m slow`` where ``MOSSLITE_REAL_FILES`` names the folder of ``tests.laws.packages``."""

import os
from collections.abc import Mapping
from pathlib import Path

import pytest

from tests.laws.exceptions import EXCEPTIONS
from tests.laws.files import FOLDER, LANGUAGES, real_files
from tests.laws.laws import BASE_AND_COPY, BASE_CODE, LAWS
from tests.laws.outcomes import FILES, Outcome, languages, outcomes
from tests.laws.packages import PACKAGES

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


@pytest.mark.parametrize("law", LAWS)
def test_a_law_holds_for_real_files_but_for_known_reasons(
    law: str, found: Mapping[tuple[str, str], Outcome]
) -> None:
    tried = [outcome for (each, _), outcome in found.items() if each == law]
    if not tried:
        pytest.skip(f"no real files that {law!r} is about: {FOLDER} names none")

    assert {each.language: each.unexplained for each in tried if each.unexplained} == {}
    assert [each.language for each in tried if each.share < _LEAST_SHARE] == []


@pytest.mark.parametrize(("law", "least"), [(BASE_CODE, 0.98), (BASE_AND_COPY, 0.99)])
def test_unrelated_base_code_leaves_own_code_in_place_on_average(
    law: str, least: float, found: Mapping[tuple[str, str], Outcome]
) -> None:
    tried = [outcome for (each, _), outcome in found.items() if each == law]

    assert [each.language for each in tried if each.mean < least] == []


def test_there_are_enough_real_files_of_twelve_languages() -> None:
    missing = [each.name for each in PACKAGES if not Path(os.environ[FOLDER], each.name).is_dir()]
    if missing:
        pytest.skip(f"not downloaded: {', '.join(missing)}")

    assert sum(len(real_files(each, FILES)) == FILES for each in LANGUAGES) >= 12


def test_every_exception_is_of_laws_that_there_are() -> None:
    assert {law for each in EXCEPTIONS for law in each.laws} <= set(LAWS)
