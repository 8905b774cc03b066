"""Real functions with one change are run: what does something else has other symbols."""

import os
import sys

import pytest

from tests.bench.executed import (
    has_compiler,
    mutants_of_c,
    mutants_of_python,
    mutants_of_real_functions,
    tally,
)
from tests.laws.files import FOLDER

pytestmark = [pytest.mark.slow, pytest.mark.timeout(900)]


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs processes that can be killed")
def test_functions_of_python_that_do_something_else_have_other_symbols() -> None:
    found = tally(mutants_of_python(5_000), "python")

    assert not found.violations + found.twins, str(found)
    assert found.mutants >= 5_000, str(found)
    assert found.changed > 1_250, "the changes change nothing"


def test_functions_of_c_that_do_something_else_have_other_symbols() -> None:
    if not has_compiler():
        pytest.skip("needs gcc to compile programs in C")
    found = tally(mutants_of_c(5_000), "c")

    assert not found.violations, str(found)
    assert found.mutants >= 5_000, str(found)
    assert found.changed > 1_250, "the changes change nothing"


@pytest.mark.skipif(sys.platform != "linux", reason="needs processes that may only write")
def test_real_functions_of_c_that_do_something_else_have_other_symbols() -> None:
    if not os.environ.get(FOLDER) or not has_compiler():
        pytest.skip(f"needs gcc, and a folder of real files in {FOLDER}")
    found = tally(mutants_of_real_functions(2_000), "c")

    assert not found.violations, str(found)
    assert found.mutants >= 2_000, str(found)
    assert found.changed > 200, "the changes change nothing"
