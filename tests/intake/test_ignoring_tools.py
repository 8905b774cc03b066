"""What tools write is left out by what it contains, and nobody loses a folder by its name."""

import json
from pathlib import Path

import pytest

from mosslite.intake.ignoring import built_folders, made_by_machine
from mosslite.reasons import Reason
from mosslite.records import Batch
from tests.batches import batch_of, hand_in
from tests.conftest import Run
from tests.programs import PRIMES, QUEUE, WORDS, write_files
from tests.tables import texts_of, values_of

pytestmark = pytest.mark.usefixtures("in_empty_folder")

# --- folders ---------------------------------------------------------------------------------

OUTPUT = values_of("intake/test_ignoring_tools", "OUTPUT")
WORK = values_of("intake/test_ignoring_tools", "WORK")


ROUTES = ("hw", "hw.zip", "hw.tar.gz", "one by one", "zips")


def handed_in(route: str, files: dict[str, str]) -> Batch:
    """Collect files of ann and bob that are handed in in some way."""
    if route == "zips":
        for student in ("ann", "bob"):
            own = {name: text for name, text in files.items() if name.startswith(student)}
            hand_in(f"hw/{student}.zip", {name[4:]: text for name, text in own.items()})
        return batch_of("hw")
    path = hand_in("hw" if route == "one by one" else route, files)
    return batch_of("hw/ann", "hw/bob") if route == "one by one" else batch_of(path)


def programs_compared(route: str, names: str) -> tuple[set[str], set[str]]:
    """Return ann's programs that are compared, and why others are ignored."""
    files = {f"ann/{name}": f"x = '{name}';\n" for name in names.split()}
    batch = handed_in(route, files | {"bob/main.py": "print(1)\n"})
    (ann,) = (each for each in batch.submissions if "ann" in each.name)
    suffixes = (".json", ".xml", ".txt", ".gradle", ".map")
    compared = {file.name for file in ann.files if not file.name.endswith(suffixes)}
    return compared & set(names.split()), {each.reason for each in batch.ignored}


@pytest.mark.parametrize("route", ROUTES)
def test_build_output_is_ignored_whichever_way_it_is_handed_in(
    route: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for tool, names in OUTPUT.items():
        (tmp_path / tool).mkdir()
        monkeypatch.chdir(tmp_path / tool)
        compared, reasons = programs_compared(route, names)
        assert not {each for each in compared if Path(each).stem.lower() == "b"}, tool
        assert {each for each in compared if Path(each).stem.lower() in {"a", "main", "m", "p"}}
        assert Reason.BUILT.value in reasons or any("generated" in each for each in reasons), tool


@pytest.mark.parametrize("route", ROUTES)
@pytest.mark.parametrize("names", WORK.values(), ids=WORK.keys())
def test_work_is_compared_whatever_its_folder_is_called(route: str, names: str) -> None:
    compared, _ = programs_compared(route, names)
    suffixes = (".java", ".py", ".js", ".c", ".sh")
    wanted = {each for each in names.split() if each.endswith(suffixes) and ".min." not in each}
    assert compared >= {each for each in wanted if not each.startswith("target/classes")}


@pytest.mark.parametrize("name", ["build", "target", "vendor", "bin", "dist", "out"])
@pytest.mark.parametrize("path", ["hw", "hw.zip", "hw.tar.gz"])
def test_a_student_may_be_called_like_a_build_folder(path: str, name: str) -> None:
    files = {f"{name}/A.java": "class A {}\n", f"{name}/A.class": "\0", "pom.xml": "<x/>\n"}
    batch = batch_of(hand_in(path, files | {"bob/B.java": "class B {}\n"}))
    assert name in {each.name for each in batch.submissions}


def test_a_build_folder_is_one_entry_and_the_warning_counts_the_submissions(
    run: Run, tmp_path: Path
) -> None:
    for student, program in (("ann", QUEUE), ("bob", PRIMES), ("cid", WORDS)):
        write_files(tmp_path / "hw" / student, {"main.py": program, "e/pyvenv.cfg": "home = /\n"})
        write_files(tmp_path / "hw" / student / "e", {"bin/a.py": QUEUE, "bin/b.py": PRIMES})

    outcome = run("hw", "--json", "-", "--no-html")

    found = json.loads(outcome.out)
    assert found["pairs"] == []
    assert [each["path"] for each in found["ignored"]] == ["hw/ann/e/", "hw/bob/e/", "hw/cid/e/"]
    built = Reason.BUILT.value
    told = f"not compared in 3 submissions, as it {built} (--no-ignore includes it): hw/ann/e/"
    assert f"warning: {told}" in outcome.err


def test_work_that_is_all_in_a_build_folder_is_compared_and_named(run: Run, tmp_path: Path) -> None:
    write_files(tmp_path / "hw", {"ann/main.py": QUEUE, "bob/setup.cfg": "[x]\n"})
    write_files(tmp_path / "hw", {"bob/build/lib/main.py": QUEUE, "bob/readme.md": "about\n"})

    outcome = run("hw", "--json", "-", "--no-html")

    assert json.loads(outcome.out)["pairs"][0]["similarity"] == 1
    told = f"although it {Reason.BUILT.value}, as it is most of the work: bob/build/lib/main.py"
    assert told in outcome.err


@pytest.mark.parametrize("depth", [60, 2_000])
def test_very_deep_folders_cost_little(depth: int) -> None:
    names = [f"{'build/' * depth}{number}.java" for number in range(2_000)]
    assert built_folders(names) == frozenset()


# --- files -----------------------------------------------------------------------------------

WRITTEN = texts_of("written_by_tools")
CLAIMED = {
    "a.py": "# @generated\n",
    "a.go": "// Code generated by mytool. DO NOT EDIT.\n",
    "a.java": "@lombok.Generated\nclass A {}",
    "a.cs": "// <auto-generated>\n",
}
OWN = {
    "gradlew.bat": "@echo off\n",
    "Form1.Designer.cs": "class Form1 {}\n",
    "a.c": "/* A scanner like those generated by flex, but mine */\nint main;",
    "a.d": "// main.o: mine, as main.d: is\nvoid main() { run(1); }\n",
    "a.py": "# made by me, not by Bison\nprint('do not edit')\n",
    "list.py": "# the list is generated by main\n# do not edit\n",
}


@pytest.mark.parametrize(("name", "text"), WRITTEN.items(), ids=WRITTEN.keys())
def test_what_a_known_tool_wrote_is_told_by_its_first_lines_and_its_content(
    name: str, text: str
) -> None:
    assert made_by_machine(f"src/{name}", text) is Reason.GENERATED


@pytest.mark.parametrize(("name", "text"), CLAIMED.items(), ids=CLAIMED.keys())
def test_a_mark_alone_is_a_claim(name: str, text: str) -> None:
    assert made_by_machine(name, text) is Reason.MARKED_GENERATED


@pytest.mark.parametrize(("name", "text"), OWN.items(), ids=OWN.keys())
def test_a_program_that_speaks_of_tools_is_work(name: str, text: str) -> None:
    assert made_by_machine(name, text) is None


@pytest.mark.parametrize(("name", "text"), WRITTEN.items(), ids=WRITTEN.keys())
def test_first_lines_of_a_tool_alone_do_not_show_that_it_wrote_the_rest(
    name: str, text: str
) -> None:
    head = text[: text.rfind("\n", 0, -1) + 1] if "Designer" not in name else "// nothing"
    is_by_name = name in {"gradlew", "gradlew.bat", "mvnw.cmd"}
    reason = made_by_machine(f"src/{name}", f"{head}{QUEUE}")
    assert is_by_name or reason is not Reason.GENERATED


@pytest.mark.parametrize("mark", CLAIMED.values(), ids=CLAIMED.keys())
def test_a_mark_does_not_hide_most_of_a_submission(run: Run, tmp_path: Path, mark: str) -> None:
    write_files(tmp_path / "hw", {"ann/main.py": QUEUE, "cid/main.py": PRIMES})
    copy = f"# {mark.splitlines()[0]}\n{QUEUE}"
    write_files(tmp_path / "hw", {"bob/core.py": copy, "bob/main.py": "import core\n"})

    outcome = run("hw", "--json", "-", "--no-html")

    assert json.loads(outcome.out)["pairs"][0]["score"] > 0.9
    told = "is generated code, as its first lines say, as it is most of the work: bob/core.py"
    assert f"warning: compared, although it {told}" in outcome.err


def test_a_few_marked_files_beside_a_program_are_left_out_and_counted(
    run: Run, tmp_path: Path
) -> None:
    for student, program in (("ann", QUEUE), ("bob", PRIMES)):
        generated = f"# @generated\n{WORDS[:120]}"
        write_files(tmp_path / "hw" / student, {"main.py": program, "gen.py": generated})

    outcome = run("hw", "--json", "-", "--no-html")

    assert json.loads(outcome.out)["pairs"] == []
    assert "warning: not compared in 2 submissions, as it is generated code" in outcome.err


def test_what_a_person_names_is_compared() -> None:
    lexer = WRITTEN["lex.yy.c"]
    files = {"ann/main.c": "int main;\n", "ann/lex.yy.c": lexer, "ann/out/b.c": "int b;\n"}
    hand_in("hw", files | {"ann/out/main.o": "x", "bob/main.c": "int bob;\n"})

    def compared(*patterns: str) -> set[str]:
        batch = batch_of("hw", patterns=patterns)
        return {file.name for each in batch.submissions for file in each.files} - {"out/main.o"}

    assert compared() == compared("!*.c") == {"main.c"}
    assert compared("*.py", "!lex.yy.c") == {"main.c", "lex.yy.c"}
    assert compared("*.py", "!out/*.c") == {"main.c", "out/b.c"}
    hand_in("hw", {"bob/.own.c": "int own;\n"})
    for patterns in (("!.own.c", "!*.c"), ("!*.c", "!.own.c")):
        assert compared(*patterns) == compared("*.py", *patterns) == {"main.c", ".own.c"}
    assert compared("!.own.c", "*.c") == set()
    given = batch_of("hw/ann/lex.yy.c", "hw/ann/out/b.c", "hw/bob/.own.c")
    assert len(given.submissions) == 3


def test_generated_programs_beside_prose_alone_are_compared() -> None:
    hand_in("hw", {"ann/a.c": WRITTEN["parser.tab.c"], "ann/README.md": "about\n"})
    (ann,) = batch_of("hw").submissions
    assert "a.c" in {file.name for file in ann.files}
