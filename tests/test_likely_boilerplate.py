"""Whole runs: what most of a class share, the command that leaves it out, and what remains."""

from __future__ import annotations

import json
import re
import shlex
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.programs import program, write_files

if TYPE_CHECKING:
    from tests.conftest import Run

PLANTED = [("amy", "zoe"), ("bob", "yan"), ("cid", "xia")]
HONEST = ("dan", "eva", "fay", "gus", "hal", "ida", "jim")
HELPER = program(900, functions=2)


def handed_out(skeleton: str, own: str) -> str:
    """Fill a skeleton that was handed out: its first half stands before what a student wrote."""
    first, second = skeleton.split("# your code here\n")
    return f"{first}{own}\n\n{second}"


SKELETON = f"{program(901, functions=3)}\n\n# your code here\n\n{program(902, functions=3)}"
HEAD = f"{program(903, functions=1)}\n\n# your code here\n\n"


@pytest.fixture(params=["skeleton", "head", "file", "copies"])
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
    for _ in range(2):
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
