import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

from tests.fuzz.running import TARGETS, fuzz, target_of, time_limit

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="needs a clock of computing time")
needs_atheris = pytest.mark.skipif(find_spec("atheris") is None, reason="atheris is not installed")

RUNS = {
    "archives": 4000,
    "batches": 500,
    "frontends": 1000,
    "layouts": 1000,
    "lexers": 1000,
    "reading": 4000,
}


@pytest.mark.parametrize("name", TARGETS)
def test_a_target_finds_nothing_in_the_inputs_it_begins_with(name: str) -> None:
    target = target_of(name)
    seeds = list(target.seeds())

    assert len(seeds) == len(set(seeds)) > 10
    for seed in seeds:
        with time_limit():
            target.TestOneInput(seed)


@needs_atheris
@pytest.mark.slow
@pytest.mark.parametrize("name", TARGETS)
def test_a_short_search_finds_nothing(name: str, tmp_path: Path) -> None:
    found = tmp_path / "found"
    found.mkdir()

    code = fuzz(name, [f"-runs={RUNS[name]}", "-seed=1", f"-artifact_prefix={found}/"])

    assert code == 0
    assert list(found.iterdir()) == []
