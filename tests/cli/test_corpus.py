import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.archives import zip_of
from tests.conftest import Run
from tests.exports import moodle_export, within
from tests.git_repositories import commit, git, needs_git, repository
from tests.programs import PRIMES, QUEUE, QUEUE_RENAMED, WORDS, write_files

pytest.importorskip("pyarrow")

FILES = {
    "batch/ann.py": QUEUE,
    "batch/bob/main.py": QUEUE_RENAMED,
    "batch/bob/notes.txt": "See main.py.\n",
    "batch/cy.py": PRIMES,
    "batch/dee.py": "",
}


def result_of(run: Run, *arguments: str) -> dict[str, object]:
    outcome = run("check", *arguments, "--no-html", "-q", "--json", "-")
    assert outcome.err == ""
    found: dict[str, object] = json.loads(outcome.out)
    del found["inputs"]  # the paths as they were given
    return found


def test_a_packed_corpus_is_compared_as_what_it_was_packed_from(run: Run, tmp_path: Path) -> None:
    write_files(tmp_path, FILES)
    (tmp_path / "batch" / "picture.py").write_bytes(b"\0\1\2" * 50)

    assert run("corpus", "pack", "batch", "-o", "c").out.startswith("packed: 5 submissions")

    expected = result_of(run, "batch")
    assert result_of(run, "c") == expected
    assert len(expected["skipped"]) == 3  # type: ignore[arg-type]


def test_info_says_what_a_corpus_holds(run: Run, tmp_path: Path) -> None:
    write_files(tmp_path, FILES)
    run("corpus", "pack", "batch", "-o", "c", "--term", "2025")

    assert run("corpus", "info", "c").out.splitlines() == [
        "4 submissions with 5 files, 0.0 MB",
        "parts: 1, packed by mosslite 0.1.0",
        "term: 2025",
        "from: batch",
    ]


def test_exports_and_archives_are_packed_by_student(run: Run, tmp_path: Path) -> None:
    write_files(tmp_path, within("export", moodle_export()))
    (tmp_path / "more.zip").write_bytes(
        zip_of({"eve.py": QUEUE.encode(), "fay.py": WORDS.encode()})
    )

    run("corpus", "pack", "export", "more.zip", "-o", "c")

    names = [each["name"] for each in result_of(run, "c", "-k", "2", "-t", "3")["submissions"]]  # type: ignore[attr-defined]
    assert names == [
        *("export/Ann Doe", "export/Bob Smith", "export/Cy O'Hara"),
        *("more/eve.py", "more/fay.py"),
    ]


def test_a_corpus_can_be_an_earlier_term_and_base_code(run: Run, tmp_path: Path) -> None:
    write_files(tmp_path, FILES | {"now/zoe.py": QUEUE, "given/words.py": WORDS})
    run("corpus", "pack", "batch", "-o", "c")
    run("corpus", "pack", "given", "-o", "g")

    found = result_of(run, "now/zoe.py", "--prior", "c", "-b", "g")

    assert [each["role"] for each in found["submissions"]] == ["current", *["prior"] * 3]  # type: ignore[attr-defined]
    assert found == result_of(run, "now/zoe.py", "--prior", "batch", "-b", "g")


def test_a_run_that_was_stopped_does_not_pack_again_what_is_there(run: Run, tmp_path: Path) -> None:
    write_files(tmp_path, FILES | {"other/x.py": WORDS})
    run("corpus", "pack", "batch", "other", "-o", "c")
    (tmp_path / "c" / "corpus.json").unlink()
    first, second = sorted((tmp_path / "c").glob("part-*"))
    before = first.stat().st_mtime_ns
    second.write_bytes(b"half a part")

    assert run("corpus", "pack", "batch", "other", "-o", "c").code == 0

    assert first.stat().st_mtime_ns == before
    assert len(result_of(run, "c")["submissions"]) == 4  # type: ignore[arg-type]


def test_a_changed_file_is_packed_again(run: Run, tmp_path: Path) -> None:
    write_files(tmp_path, FILES)
    run("corpus", "pack", "batch", "-o", "c")
    (tmp_path / "c" / "corpus.json").unlink()
    write_files(tmp_path, {"batch/ann.py": WORDS})

    run("corpus", "pack", "batch", "-o", "c")

    assert result_of(run, "c") == result_of(run, "batch")


@pytest.mark.parametrize(
    ("there", "message"),
    [
        ({"c/corpus.json": "{}"}, "already contains a corpus: give another folder with -o"),
        ({"c/thesis.tex": "mine"}, "contains other files, such as 'thesis.tex': give another"),
    ],
)
def test_nothing_of_others_is_written_over(
    run: Run, tmp_path: Path, there: dict[str, str], message: str
) -> None:
    write_files(tmp_path, FILES | there)

    outcome = run("corpus", "pack", "batch", "-o", "c")

    assert (outcome.code, outcome.out) == (2, "")
    assert message in outcome.err


def test_a_file_that_is_not_as_it_was_packed_is_skipped(run: Run, tmp_path: Path) -> None:
    from pyarrow import parquet  # noqa: PLC0415 - it may be missing

    write_files(tmp_path, FILES)
    run("corpus", "pack", "batch", "-o", "c")
    (part,) = (tmp_path / "c").glob("part-*")
    table = parquet.read_table(part)
    rows = table.to_pylist()
    rows[0]["content"] += b"x"
    parquet.write_table(type(table).from_pylist(rows, schema=table.schema), part)

    skipped = result_of(run, "c")["skipped"]

    message = {"id": "is damaged in the corpus", "params": {}}
    row = {"path": "batch/ann.py", "reason": message["id"], "message": message}
    assert row in skipped  # type: ignore[operator]


@pytest.mark.parametrize(
    ("name", "content"),
    [("corpus.json", b'{"kind": "mosslite corpus"}'), ("part-00000-00000000.parquet", b"PAR1")],
)
def test_a_damaged_corpus_is_one_line(run: Run, tmp_path: Path, name: str, content: bytes) -> None:
    write_files(tmp_path, FILES)
    run("corpus", "pack", "batch", "-o", "c")
    (tmp_path / "c" / name).write_bytes(content)

    outcome = run("check", "c")

    assert outcome.code == 2
    assert outcome.err.startswith("mosslite: corpus 'c' is damaged: ")
    assert outcome.err.count("\n") == 1


def test_a_corpus_given_twice_counts_once(run: Run, tmp_path: Path) -> None:
    write_files(tmp_path, FILES | {"now/zoe.py": QUEUE})
    run("corpus", "pack", "batch", "-o", "c")

    found = result_of(run, "now/zoe.py", "--prior", "c", "--prior", "c")

    assert len(found["submissions"]) == 4  # type: ignore[arg-type]
    said = {"path": "c", "reason": "is given twice"}
    assert said | {"message": {"id": "is given twice", "params": {}}} in found["skipped"]  # type: ignore[operator]


@pytest.mark.slow
def test_a_bundle_has_the_program_and_what_it_uses_but_not_spark(run: Run, tmp_path: Path) -> None:
    import tarfile  # noqa: PLC0415

    outcome = run("corpus", "bundle", "-o", "b")

    assert "spark-submit --master URL --archives b/environment.tar.gz#environment" in outcome.out
    with tarfile.open(tmp_path / "b" / "environment.tar.gz") as archive:
        names = set(archive.getnames())
    wanted = ("mosslite/cli/main.py", "pygments/__init__.py", "numpy/__init__.py")
    assert names.issuperset((*wanted, "mosslite/templates/report.css", "pyarrow/__init__.py"))
    assert not [name for name in names if name.startswith(("pyspark/", "tests/"))]


@pytest.mark.parametrize("name", ["pyarrow", "pandas"])
def test_a_bundle_without_what_the_cluster_needs_is_not_written(name: str, tmp_path: Path) -> None:
    script = (
        "import importlib.metadata as found\n"
        "usual = found.Distribution.discover\n"
        "found.Distribution.discover = classmethod(lambda cls, **asked: usual("
        f"**asked | dict(path=[]) if asked.get('name') == {name!r} else asked))\n"
        "from mosslite.cli import main; main()\n"
    )

    done = subprocess.run(
        [sys.executable, "-c", script, "corpus", "bundle", "-o", str(tmp_path / "b")],
        capture_output=True,
        text=True,
        check=False,
    )

    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == (
        f"mosslite: the bundle needs {name}: in a checkout, pip install '.[spark]'\n"
    )
    assert not (tmp_path / "b").exists()


@needs_git
@pytest.mark.parametrize("form", ["bundle", "bare"])
@pytest.mark.parametrize(
    ("revision", "files"), [("HEAD", {"main.py", "more.py"}), ("final", {"main.py"})]
)
def test_of_a_history_the_files_of_a_commit_are_packed(
    run: Run, tmp_path: Path, form: str, revision: str, files: set[str]
) -> None:
    for name, text in (("ann", QUEUE), ("bob", QUEUE_RENAMED)):
        folder = repository(tmp_path / name)
        commit(folder, {"main.py": text}, "2025-01-01T10:00:00+00:00")
        git(folder, "tag", "final")
        commit(folder, {"more.py": PRIMES}, "2025-01-02T10:00:00+00:00")
        if form == "bundle":
            git(folder, "bundle", "create", "-q", str(tmp_path / f"{name}.bundle"), "--all")
        else:
            git(tmp_path, "clone", "-q", "--bare", name, f"{name}.bare")

    inputs = [f"{name}.{form}" for name in ("ann", "bob")]
    run("corpus", "pack", *inputs, "-o", "both", "--revision", revision)
    run("corpus", "pack", inputs[0], "-o", "one", "--revision", revision)

    both, one = result_of(run, "both"), result_of(run, "one", "--prior", "both")
    assert [set(each["files"]) for each in both["submissions"]] == [files] * 2  # type: ignore[attr-defined]
    assert [set(each["files"]) for each in one["submissions"]] == [files] * 3  # type: ignore[attr-defined]


@needs_git
def test_a_revision_that_a_history_does_not_have_is_named(run: Run, tmp_path: Path) -> None:
    folder = repository(tmp_path / "ann")
    commit(folder, {"main.py": QUEUE}, "2025-01-01T10:00:00+00:00")
    git(folder, "bundle", "create", "-q", str(tmp_path / "ann.bundle"), "--all")
    run("corpus", "pack", "ann.bundle", "-o", "c", "--revision", "fnal")

    outcome = run("check", "c")

    assert outcome.code == 2
    assert "'ann.bundle' is a git repository, but it has no commit called 'fnal'" in outcome.err
