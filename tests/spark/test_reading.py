"""What tasks of Spark read is what this machine would read, whatever was handed in."""

import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from mosslite.errors import InputError
from mosslite.frontends.selection import wanted_files
from mosslite.intake.entries import Planned
from mosslite.intake.plan import plan
from mosslite.intake.reading import read_each
from mosslite.options import Intake, Limits, Options
from mosslite.records import Inputs, Role
from mosslite.spark import SparkError
from mosslite.spark.engine import engine_on
from mosslite.spark.reading import documents_in, entry_rows
from mosslite.spark.stages import unpack_outlines, unpack_texts
from tests.batches import hand_in
from tests.builders import notebook
from tests.conftest import Run
from tests.git_repositories import commit, needs_git, repository
from tests.spark_runs import JAVA, SAMPLES, json_by, needs_spark, started

PYTHON = SAMPLES / "python" / "submissions"
QUEUE = (PYTHON / "aldo.py").read_text("utf-8")
HOW = Options(
    uses_workers=False,
    intake=Intake(limits=Limits(file=20_000, unpacked=60_000), patterns=("*.tmp.py",)),
)


def hard_to_read(folder: Path) -> Path:
    """Write a batch of submissions that are each hard to read in a way of their own."""
    batch = folder / "batch"
    for path in sorted(PYTHON.glob("*.py"))[:4]:
        (batch / path.stem).mkdir(parents=True)
        shutil.copy(path, batch / path.stem / "main.py")
    texts: dict[str, str | bytes] = {
        "notebook/hw.ipynb": notebook(("m", "# prose"), ("c", QUEUE), ("c", "%%bash\nls")),
        "broken/only.py": b"\0\1\2" * 30,
        "latin/main.py": QUEUE.replace("def", "# caf\xe9\ndef", 1).encode("latin-1"),
        "zeros/main.py": QUEUE.replace("def", "# \0\ndef", 1),
        "mixed/main.py": QUEUE,
        "mixed/data.csv": "a,b\n1,2\n" * 50,
        "mixed/README.md": "Read me: what is prose beside code is not compared.\n" * 10,
        "mixed/made.py": "# @generated\n" + QUEUE,
        "mixed/left.tmp.py": QUEUE,
        "mixed/large.py": "x = 1\n" * 4_000,
        "mixed/odd\udcff\u202e<b>.py": QUEUE,
        "ignored/__pycache__/x.pyc": b"\0",
        "prose/README.md": "All that is there is prose, so it is compared.\n" * 20,
        "empty/empty.py": "",
    }
    hand_in(batch, texts)
    hand_in(batch / "packed.zip", {"main.py": QUEUE, "deep/more.py": QUEUE})
    hand_in(batch / "bomb.zip", {f"{nth}.py": "y = 2\n" * 3_000 for nth in range(9)})
    return batch


def planned_of(batch: Path, options: Options = HOW) -> list[Planned]:
    return [*plan(Inputs((str(batch),)), options.intake, directories=False).submissions]


def require_same_in_tasks(planned: list[Planned], options: Options = HOW) -> None:
    """Read submissions as tasks do and as this machine does, and compare all that is read."""
    expected = [*read_each(planned, options.intake, options.language)]
    rows = [*documents_in([*entry_rows(planned, options, 3)], options=options)]
    outlines = [
        each for row in rows if row.kind == "outlines" for each in unpack_outlines(row.payload)
    ]
    texts = dict(unpack_texts(row.payload) for row in rows if row.kind == "texts")
    for number, (each, found) in enumerate(zip(planned, expected, strict=True)):
        light = [replace(file, text="", code=None, parts=()) for file in found.files]
        outline = outlines[number]
        assert (outline.number, [*map(repr, outline.found.files)]) == (number, [*map(repr, light)])
        assert outline.found[1:] == found[1:]
        own = texts.get(number)
        assert (own.files if own else ()) == wanted_files(found.files, options)
        assert own is None or (own.name, own.hand_in) == (each.name, each.hand_in)


def test_tasks_read_what_this_machine_reads(tmp_path: Path) -> None:
    planned = planned_of(hard_to_read(tmp_path))

    found = [*read_each(planned, HOW.intake, None)]

    assert sum(bool(each.files) for each in found) >= 8
    reasons = {out.reason for each in found for out in (*each.skipped, *each.ignored)}
    assert any("--max-file-size" in reason for reason in reasons)
    assert any("--max-unpacked" in reason for reason in reasons)
    assert {"is generated code, as its first lines say", "is empty"} <= reasons
    require_same_in_tasks(planned)


@pytest.mark.parametrize("role", [Role.PRIOR, Role.REFERENCE])
def test_tasks_know_the_role_of_what_they_read(tmp_path: Path, role: Role) -> None:
    planned = [replace(each, role=role) for each in planned_of(hard_to_read(tmp_path))]

    (first, *_) = documents_in([*entry_rows(planned, HOW, 3)], options=HOW)

    assert unpack_texts(first.payload)[1].role is role
    require_same_in_tasks(planned)


@needs_git
def test_tasks_read_the_files_of_the_commit_that_is_checked_out(tmp_path: Path) -> None:
    batch = hard_to_read(tmp_path)
    work = repository(batch / "history")
    commit(work, {"main.py": QUEUE, "notes/a.py": "x = 1\n" * 9}, "2025-01-01T10:00:00+00:00")
    (work / "main.py").unlink()
    shutil.rmtree(work / "notes")
    planned = planned_of(batch)

    (found,) = read_each([p for p in planned if p.name == "history"], HOW.intake, None)

    assert {file.name for file in found.files} == {"main.py", "notes/a.py"}
    require_same_in_tasks(planned)


def test_no_row_holds_more_submissions_than_a_block_may(tmp_path: Path) -> None:
    planned = planned_of(hard_to_read(tmp_path))

    keys = [row.key for row in entry_rows(planned, HOW, 3)]

    assert keys == [number // 3 for number in range(len(planned))]


# --- with Spark ----------------------------------------------------------------------------------


@needs_spark
@pytest.mark.slow
def test_the_summary_names_shared_passages_with_either_engine(run: Run, tmp_path: Path) -> None:
    for number in range(150):  # more than are held in memory
        own = "\n".join(f"v{number % k} = f{k}(x[{k}], {number % 7})" for k in (2, 3, 5, 7, 11))
        (tmp_path / f"{number:03}.py").write_text(f"{QUEUE[:600]}\n{own}\n", "utf-8")
    paths = [each.name for each in sorted(tmp_path.glob("*.py"))]

    local = run("check", *paths, "--no-html")
    spark = run("check", *paths, "--no-html", "--engine", "spark", "--master", "local[2]")

    assert "most submissions share" in local.out + local.err
    assert (spark.code, spark.out, spark.err) == (local.code, local.out, local.err)


@needs_spark
@needs_git
@pytest.mark.slow
def test_both_engines_give_the_same_bytes_of_what_is_hard_to_read(tmp_path: Path) -> None:
    batch = hard_to_read(tmp_path)
    work = repository(batch / "history")
    commit(work, {"main.py": QUEUE}, "2025-01-01T10:00:00+00:00")
    (work / "main.py").unlink()
    base = tmp_path / "base.py"
    base.write_text(QUEUE[:300])
    inputs = Inputs((str(batch),), (str(base),), (str(PYTHON),))
    unreadable = tmp_path / "unreadable.py"
    unreadable.write_bytes(b"\0\1\2" * 30)
    wrong = replace(inputs, base=(str(unreadable),))

    expected = json_by(inputs, HOW)

    with pytest.raises(InputError) as local:
        json_by(wrong, HOW)
    with started() as session:
        with engine_on(session, None, "0") as engine:
            assert json_by(inputs, HOW, engine) == expected
        with engine_on(session, None, "0") as engine, pytest.raises(InputError) as told:
            json_by(wrong, HOW, engine)
        assert str(told.value) == str(local.value)
        with (
            engine_on(session, "nowhere://host/stages", "0") as engine,
            pytest.raises(
                SparkError, match=r"^[^\n]*cannot be used: [^\n]*No FileSystem for scheme"
            ),
        ):
            json_by(JAVA, HOW, engine)
        (tmp_path / "file").touch()
        with (
            engine_on(session, str(tmp_path / "file" / "stages"), "0") as engine,
            pytest.raises(SparkError, match=r"^[^\n]*file[^\n]*\Z"),
        ):
            json_by(JAVA, HOW, engine)
