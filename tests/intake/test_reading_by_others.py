"""What Python, unzip or tar read is compared, however it is handed in."""

import json
from pathlib import Path

import pytest

from tests.conftest import Run
from tests.programs import PRIMES, QUEUE, WORDS, write_files

CONTROLS = "".join(map(chr, (*range(1, 9), *range(14, 27), 28, 29, 30, 31, 127)))


@pytest.mark.parametrize(
    ("name", "comment"),
    [
        ("x.py", "# " + "\x01" * 400),
        ("x.py", "# " + CONTROLS * 40),
        ("x.c", "// " + "\x01\x02" * 4_000),
        ("x.c", "// " + "\0" * 4_000),
        ("x.js", "// é" + CONTROLS * 40),
    ],
)
def test_control_characters_in_a_comment_hide_no_program(
    run: Run, tmp_path: Path, name: str, comment: str
) -> None:
    write_files(tmp_path, {f"hw/ann/{name}": QUEUE, f"hw/bob/{name}": WORDS})
    write_files(tmp_path, {f"hw/cy/{name}": PRIMES, f"hw/zed/{name}": f"{comment}\n{QUEUE}"})

    outcome = run("hw", "--no-html", "-q", "--json", "-", "--fail-above", "80")

    assert outcome.code == 1
    found = json.loads(outcome.out)["pairs"][0]
    assert (found["left"], found["right"]) == ("ann", "zed")
