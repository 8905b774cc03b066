"""Files that both sides of a pair have character for character."""

import re
from pathlib import Path

import pytest

from tests.conftest import Run
from tests.programs import PRIMES, QUEUE, QUEUE_RENAMED, WORDS, program, write_files

OWN = (program(1), program(2))


def first_lines(text: str) -> tuple[str, str]:
    """Return the first heading of a page, and the text of the paragraph behind it."""
    head = re.search(r"<h1.*?>(.*?)</h1>\s*<(?:p|div)\b.*?>(.*?)</(?:p|div)>", text, re.DOTALL)
    assert head is not None
    plain = [" ".join(re.sub(r"<[^>]*>", "", part).split()) for part in head.groups()]
    return plain[0], plain[1]


def compared(run: Run, folder: Path, ann: dict[str, str], bob: dict[str, str]) -> Path:
    for name, files in (("ann", ann), ("bob", bob)):
        write_files(folder, {f"class/{name}/{path}": text for path, text in files.items()})
    write_files(folder, {"given/given.py": WORDS})
    run("class", "-b", "given", "-o", "out", "--json", "out.json")
    return folder / "out" / "pairs" / "1.html"


def test_identical_files_are_the_first_line_of_a_pair_and_of_its_case_file(
    run: Run, tmp_path: Path
) -> None:
    both = {"queue.py": QUEUE, "primes.py": PRIMES, "third.py": program(3)}
    page = compared(run, tmp_path, both | {"own.py": OWN[0]}, both | {"own.py": OWN[1]})
    run("report", "out.json", "1", "-o", "case.html")

    told = "identical, character for character (3 of 4 files): primes.py, queue.py, third.py"
    assert first_lines(page.read_text(encoding="utf-8"))[1] == told
    assert first_lines((tmp_path / "case.html").read_text(encoding="utf-8"))[1] == told


@pytest.mark.parametrize(
    ("ann", "bob", "told"),
    [
        ({"a.py": QUEUE}, {"b.py": QUEUE}, "(1 of 1 file): a.py"),
        (
            {"a.py": QUEUE, "c.py": OWN[0]},
            {"b.py": QUEUE},
            "(1 of 2 files on the left, of 1 on the right): a.py",
        ),
        ({"a.py": QUEUE, "given.py": WORDS}, {"b.py": QUEUE, "x.py": WORDS}, "(1 of 1 file): a.py"),
        ({"a.py": QUEUE, "c.py": QUEUE}, {"b.py": QUEUE, "d.py": OWN[1]}, "(1 of 2 files): a.py"),
    ],
)
def test_files_count_by_their_text_alone_and_handed_out_ones_not_at_all(
    run: Run, tmp_path: Path, ann: dict[str, str], bob: dict[str, str], told: str
) -> None:
    page = compared(run, tmp_path, ann, bob)

    line = first_lines(page.read_text(encoding="utf-8"))[1]
    assert line == f"identical, character for character {told}"


@pytest.mark.parametrize(
    "other",
    [QUEUE_RENAMED, QUEUE + "\n", QUEUE.replace("\n", "\r\n"), QUEUE.replace("'", '"') + " "],
)
def test_what_differs_in_one_character_is_not_called_identical(
    run: Run, tmp_path: Path, other: str
) -> None:
    page = compared(run, tmp_path, {"a.py": QUEUE}, {"b.py": other})

    assert "character for character" not in page.read_text(encoding="utf-8")
