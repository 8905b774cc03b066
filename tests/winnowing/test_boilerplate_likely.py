"""Whole runs: what most of a class share, the command that leaves it out, and what remains."""

import json
import re
import shlex
from collections.abc import Sequence
from pathlib import Path

import pytest

import mosslite
from tests.conftest import Run
from tests.programs import program, write_files

PLANTED = [("amy", "zoe"), ("bob", "yan"), ("cid", "xia")]
HONEST = ("dan", "eva", "fay", "gus", "hal", "ida", "jim")
HELPER = program(900, functions=2)


def handed_out(skeleton: str, own: str) -> str:
    """Fill a skeleton that was handed out: its first half stands before what a student wrote."""
    first, second = skeleton.split("# your code here\n")
    return f"{first}{own}\n\n{second}"


SKELETON = f"{program(901, functions=3)}\n\n# your code here\n\n{program(902, functions=3)}"
HEAD = f"{program(903, functions=1)}\n\n# your code here\n\n"


# Two of them are enough each time.
RARER = [pytest.param(name, marks=pytest.mark.slow) for name in ("head", "file")]


@pytest.fixture(params=["skeleton", "copies", *RARER])
def batch(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a class with a skeleton, a short head, a file beside, or more copies, and no -b."""
    monkeypatch.chdir(tmp_path)
    own = {name: program(number, functions=4) for number, name in enumerate(HONEST)}
    for number, pair in enumerate(PLANTED):
        shared = program(50 + number, functions=4)
        for side, name in enumerate(pair):
            own[name] = f"{shared}\n\n{program(100 + 10 * number + side, functions=1)}"
    if request.param == "copies":
        own |= {f"own{n}": f"{program(60, functions=5)}\n\n{program(200 + n, functions=1)}"
                for n in range(5)}  # fmt: skip
    skeleton = {"head": HEAD, "file": ""}.get(request.param, SKELETON)
    files = {
        f"hw/{name}/main.py": handed_out(skeleton, text) if skeleton else text
        for name, text in own.items()
    }
    if request.param == "file":
        files |= {f"hw/{name}/helper.py": HELPER for name in own}
    write_files(tmp_path, files)
    return tmp_path


def ranking() -> list[tuple[str, str]]:
    pairs = json.loads(Path("x.json").read_text(encoding="utf-8"))["pairs"]
    return [(pair["left"], pair["right"]) for pair in pairs]


def said_by(lines: list[str]) -> list[str]:
    """Return the options of the command that a run suggests."""
    (line,) = [line for line in lines if "most submissions share these passages" in line]
    found = re.search(r"exclude them with (-b .*?): ", line)
    assert found is not None
    return shlex.split(found[1])


def test_the_suggested_command_leaves_the_planted_pairs_on_top_whenever_it_is_given(
    run: Run, batch: Path
) -> None:
    options = ["--json", "x.json"]
    suggested = said_by(run("hw", *options).out.splitlines())
    assert Path(suggested[1]).is_dir()
    first = run("hw", *options, *suggested)

    assert first.code == 0
    top = ranking()
    others = [pair for pair in top if not all(name.startswith("own") for name in pair)]
    assert set(others[: len(PLANTED)]) == set(PLANTED)
    assert run("hw", *options, *suggested) == first
    assert ranking() == top
    assert (batch / "mosslite-report").is_dir()
    assert not (batch / "mosslite-report.old").exists()


HIDDEN = "\x1b[2J\x1b[1;31m \x07 \x9b31m \u202e \u2066 \u200b \ufeff \u2028 \r"


@pytest.mark.parametrize("where", ["# {}", 'title = "{}"', "text = (1, '{}')"])
def test_passages_do_nothing_to_a_terminal_and_are_found_again(
    run: Run, tmp_path: Path, where: str
) -> None:
    shared = f"{program(1)}\n{where.format(HIDDEN)}\n{program(2)}"
    files = {f"hw/{n}\u202e\x1b[2J.py": shared + program(10 + n) for n in range(8)}
    write_files(tmp_path, files)

    said = run("hw")
    again = run("hw", "--no-html", "-b", "mosslite-report/likely-boilerplate")

    (passage,) = (tmp_path / "mosslite-report" / "likely-boilerplate").iterdir()
    text = passage.read_bytes().decode("utf-8")
    assert all(character.isprintable() or character in "\t\n" for character in text)
    assert passage.name.isascii()
    for line in [*said.out.splitlines(), *again.out.splitlines()]:
        assert line.isprintable(), repr(line)
    assert "nothing is excluded" not in again.out
    assert "most submissions share these passages" in said.out
    assert "most submissions share these passages" not in again.out


def test_long_paths_are_shortened_before_the_numbers_of_lines(run: Run, tmp_path: Path) -> None:
    name = f"{'the practical of ' * 4}{{}}/main.py"
    shared = [program(number, functions=2) for number in range(4)]
    files = {f"hw/{name}".format(n): program(10 + n).join(shared) for n in range(8)}
    write_files(tmp_path, files)

    lines = run("hw", "--no-html").out.splitlines()
    (line,) = [line for line in lines if "most submissions share these passages" in line]
    assert re.search(r": the practical of .*…[^…]*main\.py \(lines 1-\d+(, \d+-\d+){3}\)", line)


# --- what is listed, and where -------------------------------------------------------------------


def shared_in(folder: Path) -> list[tuple[str, int, int, int]]:
    """Return the file of each passage that most share, its lines, and how many have it."""
    return [
        (
            "/".join(
                [each.submission.name, each.submission.documents[each.place.document].file.name]
            ),
            each.place.first_line,
            each.place.last_line,
            each.submissions,
        )
        for each in mosslite.check([folder]).common
    ]


def accessors(names: Sequence[str]) -> str:
    return "\n".join(
        f"    public int get{name}() {{\n        return {name.lower()};\n    }}\n"
        f"    public void set{name}(int value) {{\n        {name.lower()} = value;\n    }}"
        for name in names
    )


FIELDS = ("Age", "Size", "Price", "Weight", "Level", "Count", "Total", "Speed", "Rank", "Depth")


def test_accessors_that_most_classes_have_are_no_boilerplate(tmp_path: Path) -> None:
    for number in range(8):
        sums = "\n".join(
            f"    int sum{nth}(int[] all) {{ return all[{nth}] {'+-*/%&|^'[number]} {nth}; }}"
            for nth in range(number + 3)
        )
        text = (
            f"class Item{number} {{\n{sums}\n{accessors(FIELDS[number:] + FIELDS[:number])}\n}}\n"
        )
        write_files(tmp_path, {f"s{number}/Item{number}.java": text})

    assert shared_in(tmp_path) == []


def own(number: int, *, functions: int = 6) -> str:
    """Write a program with an end that no other has."""
    sign = ("+", "-", "*", "/", "%", "|", "&", "^")[number % 8]
    return f"{program(number, functions=functions)}\nprint(1 {sign} 2 {sign} 3)\n"


def test_a_passage_is_shown_in_the_shortest_file_that_contains_it(tmp_path: Path) -> None:
    files = {f"s{n}/main.py": f"{own(n)}\n{HELPER}" for n in range(6)}
    files["s3/main.py"] = f"{own(3, functions=1)}\n{HELPER}"
    # A library has it twice, and most else that is shared; least for a person to read.
    files["s4/main.py"] = "\n".join([own(4, functions=30), HELPER, own(41), HELPER])
    write_files(tmp_path, files)

    first = len(own(3, functions=1).splitlines()) + 2
    lines = (first, first + len(HELPER.splitlines()) - 1)
    assert shared_in(tmp_path) == [("s3/main.py", *lines, 6)]


def test_of_files_of_one_length_the_first_by_name_shows_a_passage(tmp_path: Path) -> None:
    write_files(tmp_path, {f"s{n}/{name}.py": HELPER for n in range(6) for name in "ba"})

    assert shared_in(tmp_path) == [("s0/a.py", 1, len(HELPER.splitlines()), 6)]


def test_parts_of_lines_are_not_shown(tmp_path: Path) -> None:
    lines = HELPER.splitlines()[:-1]
    for number in range(7):
        end = f"    return (first, second) + {'[' * number}1{']' * number}"
        text = "\n".join([own(number), *lines, end, ""])
        write_files(tmp_path, {f"s{number}/m.py": text})

    [(name, first, last, count)] = shared_in(tmp_path)

    start = len(own(int(name[1])).splitlines()) + 2
    assert (first, last, count) == (start, start + len(lines) - 1, 7)
