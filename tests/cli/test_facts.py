"""``mosslite tokens``: what a file is compared by."""

import re
from pathlib import Path

from tests.conftest import Run
from tests.programs import write_files

PROGRAM = '''\
import os

def area(width, height):
    """Multiply."""
    if width > 3:
        return width * height + 0x1F  # in hexadecimal
    print(f"area {width}")
'''


def symbols_of(output: str) -> list[str]:
    """Return the third column of each line that has symbols."""
    rows = [re.split(r" {2,}", line) for line in output.splitlines()[2:]]
    return [row[-1] for row in rows if len(row) > 2]


def test_the_symbols_of_each_line_are_printed_beside_its_text(run: Run, tmp_path: Path) -> None:
    write_files(tmp_path, {"a.py": PROGRAM})
    outcome = run("tokens", "a.py")
    lines = [re.sub(" {2,}", "  ", line) for line in outcome.out.splitlines()]
    assert lines[:5] == [
        "a.py (python)",
        "line  text  symbols",
        "1  import os",
        "2",
        "3  def area(width, height):  def NAME ( NAME , NAME ) :",
    ]
    assert "return NAME * NAME + NUMBER END-OF-BLOCK" in outcome.out
    assert "NAME ( STRING NAME STRING )" in outcome.out
    assert (outcome.code, outcome.err) == (0, "")


def test_files_have_the_same_symbols_where_names_literals_and_layout_differ(
    run: Run, tmp_path: Path
) -> None:
    other = PROGRAM.replace("width", "w").replace("0x1F", "7").replace("    ", "\t")
    write_files(tmp_path, {"a.py": PROGRAM, "b.py": other})
    own, others = (symbols_of(run("tokens", name).out) for name in ("a.py", "b.py"))
    assert own == others
    assert len(own) == 4


def test_base_code_is_in_brackets(run: Run, tmp_path: Path) -> None:
    write_files(tmp_path, {"a.py": PROGRAM, "base.py": PROGRAM})
    outcome = run("tokens", "a.py", "-b", "base.py")
    assert "[def] [NAME] [(]" in outcome.out


def test_a_language_can_be_given(run: Run, tmp_path: Path) -> None:
    write_files(tmp_path, {"a.txt": "int main() { return 0; }\n"})
    assert "int NAME ( ) { return NUMBER ; }" in run("tokens", "a.txt", "-l", "c").out


def test_words_for_signs_are_printed_as_the_signs_that_they_are_read_as(
    run: Run, tmp_path: Path
) -> None:
    words, signs = "if (a and not b) c or_eq <%%>;\n", "if (a && !b) c |= {};\n"
    write_files(tmp_path, {"a.cpp": words, "b.cpp": signs})
    own, others = (symbols_of(run("tokens", name).out) for name in ("a.cpp", "b.cpp"))
    assert own == others == ["if ( NAME & & ! NAME ) NAME | = { } ;"]


def test_every_file_of_a_folder_is_printed_and_what_is_left_out_is_named(
    run: Run, tmp_path: Path
) -> None:
    write_files(tmp_path, {"ann/a.py": PROGRAM, "ann/b.py": PROGRAM, "ann/c.pdf": "%PDF-1.7\n"})
    outcome = run("tokens", "ann")
    assert [line for line in outcome.out.splitlines() if "(python)" in line] == [
        "a.py (python)",
        "b.py (python)",
    ]
    assert outcome.err.startswith("mosslite: ann/c.pdf ")


def test_characters_that_control_a_terminal_are_spelled_out(run: Run, tmp_path: Path) -> None:
    write_files(tmp_path, {"a.py": 'x = "\x1b[31m"\n'})
    assert "\x1b" not in run("tokens", "a.py").out


def test_a_file_without_code_is_an_error_of_one_line(run: Run, tmp_path: Path) -> None:
    write_files(tmp_path, {"a.pdf": "%PDF-1.7\n"})
    outcome = run("tokens", "a.pdf")
    assert (outcome.code, outcome.out) == (2, "")
    assert outcome.err.startswith("mosslite: ")
    assert outcome.err.count("\n") == 1


def test_a_missing_file_is_an_error(run: Run) -> None:
    assert run("tokens", "nope.py").err == "mosslite: 'nope.py' does not exist\n"
