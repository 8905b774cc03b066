import pytest

from mosslite.errors import OptionError
from mosslite.frontends.selection import language_to_read, without_stray_files
from mosslite.options import Options
from mosslite.records import Batch, Role, Skipped, SourceFile, Submission

BESIDE_CODE = "is not source code"


def kept(*names: str, given: tuple[str, ...] = (), language: str | None = None) -> list[str]:
    """Return what is left of a submission of files found in a folder, and of files given."""
    batch = without_stray_files(batch_of(*names, given=given), Options(language=language))
    (submission,) = batch.submissions
    left_out = [each.path for each in batch.skipped]
    assert {each.reason for each in batch.skipped} <= {BESIDE_CODE}
    assert sorted([f"ann/{file.name}" for file in submission.files] + left_out) == sorted(
        f"ann/{name}" for name in (*names, *given)
    )
    return [file.name for file in submission.files]


def batch_of(*names: str, given: tuple[str, ...] = (), skipped: tuple[Skipped, ...] = ()) -> Batch:
    files = [SourceFile(name, name, "utf-8", is_given=False) for name in names]
    files += [SourceFile(name, name, "utf-8") for name in given]
    return Batch((Submission("ann", Role.CURRENT, tuple(files)),), (), skipped, "")


@pytest.mark.parametrize(
    ("name", "language", "read_as"),
    [
        ("Main.java", None, "java"),
        ("essay.txt", None, "text"),
        ("no-such.extension", None, "text"),
        ("Main.java", "cc", "cpp"),
        ("essay.txt", "python", "python"),
        ("main.py", "ascii", "text"),
    ],
)
def test_a_file_is_read_as_asked_else_by_its_name_else_as_prose(
    name: str, language: str | None, read_as: str
) -> None:
    file = SourceFile(name, "", "utf-8")
    assert language_to_read(file, Options(language=language)).name == read_as


def test_an_unknown_language_is_refused() -> None:
    with pytest.raises(OptionError, match=r"^unknown language 'jaava': did you mean 'java'\? "):
        language_to_read(SourceFile("a", "", "utf-8"), Options(language="jaava"))


def test_prose_and_data_beside_code_are_left_out() -> None:
    assert kept("README.md", "build.xml", "data.json", "main.py", "notes.txt") == ["main.py"]


def test_a_file_whose_name_tells_no_language_is_left_out_beside_code() -> None:
    assert kept("main.py", "notes", "table.dat") == ["main.py"]
    assert kept("notes", "table.dat") == ["notes", "table.dat"]


def test_code_in_several_languages_stays() -> None:
    assert kept("app.py", "app.js", "query.sql", "notes.txt") == ["app.py", "app.js", "query.sql"]


def test_prose_or_data_stays_where_it_is_all_there_is() -> None:
    assert kept("essay.txt", "notes.md") == ["essay.txt", "notes.md"]
    assert kept("data.json") == ["data.json"]


def test_what_the_user_named_stays() -> None:
    assert kept("main.py", "notes.txt", given=("README.md",)) == ["main.py", "README.md"]


def test_what_the_language_asked_for_reads_stays() -> None:
    assert kept("main.py", "essay.txt", language="ascii") == ["main.py", "essay.txt"]
    assert kept("main.py", "data.json", "note.txt", language="json") == ["main.py", "data.json"]


def test_each_submission_is_looked_at_by_itself() -> None:
    code, prose = (batch_of(name, "README.md").submissions[0] for name in ("main.py", "essay.md"))
    batch = without_stray_files(Batch((code, prose), (), (), ""), Options())
    assert [len(each.files) for each in batch.submissions] == [1, 2]


def test_what_was_skipped_before_stays_listed_in_order_of_path() -> None:
    empty = Skipped("ann/b.py", "is empty")
    batch = without_stray_files(batch_of("a.txt", "c.py", "d.txt", skipped=(empty,)), Options())
    assert batch.skipped == (
        Skipped("ann/a.txt", BESIDE_CODE),
        empty,
        Skipped("ann/d.txt", BESIDE_CODE),
    )


def test_a_submission_without_files_passes() -> None:
    assert kept() == []
