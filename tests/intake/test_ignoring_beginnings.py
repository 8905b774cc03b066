"""Nobody takes a program out of the comparison by how it begins, or where it is kept."""

import codecs
import json
from pathlib import Path

import pytest

from mosslite import signatures
from mosslite.intake.archives import is_archive
from mosslite.intake.entries import Entry, NotReadError
from mosslite.intake.reading import Effort, read_entry
from mosslite.languages import is_program, known
from mosslite.options import Intake
from mosslite.records import Role
from tests.archives import tar_of, zip_of
from tests.batches import batch_of, hand_in, ignored
from tests.conftest import Run
from tests.programs import PRIMES, QUEUE, WORDS, write_files
from tests.tables import table

BINARY = [start for start, _ in (*signatures._DOCUMENTS, *signatures._OTHERS)]
CODE = "\nint main(void) { return 0; }\n" * 3
# Those that are taken apart are read in another way.
DOCUMENTS = (".htm", ".html", ".ipynb", ".qmd", ".rmarkdown", ".rmd")


def program_names() -> list[str]:
    """Return a name for each pattern of a programming language."""
    patterns = (pattern for pattern in known._languages_by_pattern() if "[" not in pattern)
    names = {f"ann/{pattern.replace('*', 'x')}" for pattern in patterns}
    return sorted(name for name in names if is_program(name) and not name.endswith(DOCUMENTS))


def reason_of(name: str, content: bytes) -> str:
    with pytest.raises(NotReadError) as caught:
        read_entry(Entry(name, name, content), Intake(), None, Effort(Role.CURRENT))
    return str(caught.value)


# --- by how it begins ------------------------------------------------------------------------


def test_a_program_in_any_language_is_compared_whatever_it_begins_like() -> None:
    names = program_names()
    assert len(names) > 500

    for number, beginning in enumerate(BINARY):
        content = beginning + CODE.encode()
        for name in names[number % 8 :: 8]:
            (file,) = read_entry(Entry(name, name, content), Intake(), None, Effort(Role.CURRENT))
            assert file.text.endswith(CODE), (beginning, name)
            assert file.begins_like, (beginning, name)


@pytest.mark.parametrize("start", ["GIF89a", "%PDF-1.7\n"])
def test_a_page_is_compared_whatever_it_begins_like(start: str) -> None:
    content = f"{start}<p>seen</p><script>run()</script>".encode()
    files = read_entry(Entry("a.html", "a.html", content), Intake(), None, Effort(Role.CURRENT))
    assert [each.name for each in files] == ["a.html", "a.html [javascript]"]
    assert all(each.begins_like for each in files)


@pytest.mark.parametrize("name", ["a.py", "a.js", "a.txt", "a", "a.unknown"])
def test_what_is_no_text_is_told_by_how_it_begins_whatever_its_name(name: str) -> None:
    for beginning in BINARY:
        content = beginning + bytes(range(256)) * 4
        assert reason_of(name, content).startswith("is a"), beginning
        assert reason_of(name, content) != "is binary", beginning


@pytest.mark.parametrize(
    "beginning", ["GIF89a=1;", "BZh91AY&SY=1", "!<arch>\n", "PK=1", "MZ=1", "BM=1"]
)
def test_a_text_whose_name_tells_nothing_is_read_if_it_only_begins_like_binary(
    beginning: str,
) -> None:
    for name in ("prog", "prog.unknown", "a.txt"):
        (file,) = read_entry(
            Entry(name, name, f"{beginning}{CODE}".encode()), Intake(), None, Effort(Role.CURRENT)
        )
        assert file.text.startswith(beginning)


def test_a_text_with_the_mark_of_a_tar_file_in_its_place_is_not_an_archive() -> None:
    text = (257 * "#" + "ustar  \n").ljust(600, "#").encode()
    assert not is_archive("prog", text)
    assert is_archive("work", tar_of({"a.py": b"x"}))


@table("name", "start")
def test_a_copy_that_begins_like_something_else_is_found_and_remarked_on(
    run: Run, tmp_path: Path, name: str, start: str
) -> None:
    write_files(tmp_path / "hw", {f"ann/{name}": QUEUE, f"bob/{name}": start + QUEUE})
    write_files(tmp_path / "hw", {f"cy/{name}": PRIMES})

    outcome = run("hw", "--json", "-", "--no-html")

    found = json.loads(outcome.out)
    assert (found["pairs"][0]["left"], found["pairs"][0]["right"]) == ("ann", "bob")
    assert found["skipped"] == []
    kind = signatures.binary_kind(start.encode())
    remark = f"compared as text, although it starts like {kind.kind}: bob/{name}" if kind else ""
    assert [each for each in found["warnings"] if "starts like" in each] == [remark][: bool(kind)]
    assert not kind or f"warning: {remark}\n" in outcome.err


# --- zero bytes and marks --------------------------------------------------------------------


@pytest.mark.parametrize("name", ["x.c", "x.js", "x.java"])
def test_zero_bytes_hide_no_program(run: Run, tmp_path: Path, name: str) -> None:
    program = "int f(int n) { return n < 2 ? n : f(n - 1) + f(n - 2); }\n" * 4
    hidden = program.replace(" ", "\0", 9) + "// \0\n"
    write_files(tmp_path / "hw", {f"ann/{name}": program, f"bob/{name}": hidden})

    outcome = run("hw", "--json", "-", "-o", "report")

    (pair,) = json.loads(outcome.out)["pairs"]
    assert pair["similarity"] == 1
    assert f"warning: zero bytes, read as spaces: bob/{name}\n" in outcome.err
    assert run("archive", "add", "a.mosslite", "--term", "1", "hw").code == 0


def test_zero_bytes_in_a_comment_make_no_other_encoding_of_a_program() -> None:
    comment = "// " + "a\0" * 40
    text = comment + CODE * 10
    (file,) = read_entry(Entry("a.c", "a.c", text.encode()), Intake(), None, Effort(Role.CURRENT))
    assert (file.text, file.encoding) == (text, "utf-8")


@pytest.mark.parametrize("name", ["a.c", "a.py", "a.js", "a.java"])
@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32"])
@pytest.mark.parametrize("start", ["", "GIF89a = 1\n", "%PDF-1.7\n"])
def test_a_program_in_any_form_of_unicode_is_read(name: str, encoding: str, start: str) -> None:
    content = (start + CODE).encode(encoding)
    (file,) = read_entry(Entry(name, name, content), Intake(), None, Effort(Role.CURRENT))
    assert file.text == start + CODE


def test_a_mark_in_front_of_bytes_that_are_no_text_in_it_does_not_hide_them() -> None:
    content = codecs.BOM_UTF8 + b"\0" * 400
    assert reason_of("a.c", content) == "is binary"


# --- by where it is kept ---------------------------------------------------------------------


OTHERS = {"ann/main.py": b"import core\n", "bob/main.py": b"print(2)\n"}
ways_to_hand_in = pytest.mark.parametrize("hw", ["hw", "hw.zip", "hw.tar.gz"])


@pytest.mark.usefixtures("in_empty_folder")
@ways_to_hand_in
@table("path", "told", "reason")
def test_a_program_where_nobody_looks_is_named(hw: str, path: str, told: str, reason: str) -> None:
    program = b"print('the work')\n"
    is_packed = path.endswith((".zip", "/data", "/core"))
    content = zip_of({"core.py": program}) if is_packed else program
    batch = batch_of(hand_in(hw, OTHERS | {"ann/.lib/a": b"x", f"ann/{path}": content}))
    assert dict(ignored(batch))[f"{hw}/ann/{told}"] == f"{reason}, but contains a program"


@pytest.mark.usefixtures("in_empty_folder")
@ways_to_hand_in
def test_what_tools_leave_behind_is_not_called_a_program(hw: str) -> None:
    apples = b"\0\5\x16\7" + bytes(20)
    names = {
        ".DS_Store": b"\0",
        ".git/objects/ab/cdef": b"x",
        ".git/config": b"[core]\n",
        ".vscode/settings.json": b"{}",
        ".idea/workspace.xml": b"<x/>",
        ".gitignore": b"*.pyc\n",
        "__pycache__/main.pyc": b"\0",
        "__MACOSX/ann/._main.py": apples,
        "._main.py": apples,
    }

    batch = batch_of(
        hand_in(hw, OTHERS | {f"ann/{name}": content for name, content in names.items()})
    )

    assert set(dict(ignored(batch)).values()) == {"is hidden", "is a generated file"}


@pytest.mark.usefixtures("in_empty_folder")
@ways_to_hand_in
def test_a_text_that_is_called_a_picture_is_named_where_it_is_not_compared(hw: str) -> None:
    packed = zip_of({"lib.py": b"print('the work')\n"})
    names = {"ann/core.png": b"print('the work')\n", "ann/data.bin": b"x = 1\n" * 999}
    names["ann/lib.bin"] = packed
    picture = {"ann/real.png": b"\x89PNG\r\n\x1a\n" + bytes(99)}

    batch = batch_of(hand_in(hw, OTHERS | names | picture))

    assert ignored(batch) == [(f"{hw}/ann/real.png", "is not text")]
    files = {file.name for each in batch.submissions for file in each.files}
    assert files >= {"core.png", "data.bin", "lib.bin/lib.py"}


@pytest.mark.usefixtures("in_empty_folder")
@pytest.mark.parametrize(
    "name", ["hw.zip", "hw.tar.gz", "hw.7z", "hw/export.zip", "hw.zip/export.zip", "hw/ann.zip"]
)
def test_what_the_names_of_files_hide_is_looked_at_however_deep_it_is_packed(name: str) -> None:
    files = OTHERS | {
        "ann/.lib/a": b"x",
        "ann/.lib/core.py": b"print('the work')\n",
        "ann/core.png": b"print('the work')\n",
        "ann/lib.bin": zip_of({"lib.py": b"print('the work')\n", ".b/b.py": b"b"}),
        "ann/real.png": b"\x89PNG\r\n\x1a\n" + bytes(99),
    }
    outer, _, inner = name.partition("/")
    if inner and outer == "hw":
        hand_in(name, files)
    else:
        hand_in(outer, {inner: zip_of(files)} if inner else files)

    batch = batch_of(outer)

    assert dict(ignored(batch)) == {
        f"{name}/ann/.lib/": "is hidden, but contains a program",
        f"{name}/ann/lib.bin/.b/": "is hidden, but contains a program",
        f"{name}/ann/real.png": "is not text",
    }
    read = {file.path for each in batch.submissions for file in each.files}
    assert read == {
        f"{name}/{path}"
        for path in ("ann/main.py", "bob/main.py", "ann/core.png", "ann/lib.bin/lib.py")
    }


def test_a_run_warns_of_programs_where_nobody_looks(run: Run, tmp_path: Path) -> None:
    write_files(tmp_path / "hw", {"ann/main.py": QUEUE, "bob/main.py": PRIMES})
    write_files(tmp_path / "hw", {"ann/.lib/a.py": WORDS, "bob/__pycache__/b.py": WORDS})
    write_files(tmp_path / "hw", {"bob/core.png": WORDS})

    outcome = run("hw", "--no-html")

    for reason, path in (
        ("is hidden, but contains a program", "hw/ann/.lib/"),
        ("is a generated file, but contains a program", "hw/bob/__pycache__/"),
    ):
        remark = f"not compared in 1 submission, as it {reason} (--no-ignore includes it): {path}"
        assert f"warning: {remark}\n" in outcome.out
    told = "not compared, but looks like source code (--include compares it): bob/core.png"
    assert f"warning: {told}\n" in outcome.out
