"""What is checked before results are written, and how several are written."""

from pathlib import Path

import pytest

from mosslite.cli.files import (
    ResultFiles,
    files_first,
    require_apart,
    require_folder_of,
    require_no_archive,
    require_own,
    require_unseen,
    stream_of,
    write_each,
    write_file,
)
from mosslite.errors import OptionError, OutputError
from mosslite.signatures import Signature, begins_with

SIGNATURES = {"--json": Signature.QUERY_JSON, "--csv": Signature.QUERY_CSV}


def test_files_are_written_before_standard_output_whose_reader_may_close_it() -> None:
    targets = {"--json": "-", "--csv": "x.csv", "--sarif": "x.sarif"}
    assert [option for option, _ in files_first(targets)] == ["--csv", "--sarif", "--json"]


def test_two_results_may_not_have_one_path_however_it_is_spelled(tmp_path: Path) -> None:
    require_apart({"--json": str(tmp_path / "a"), "--csv": str(tmp_path / "b")})
    with pytest.raises(OptionError, match=r"--json and --csv both write to '.*'"):
        require_apart({"--json": str(tmp_path / "a"), "--csv": str(tmp_path / "x/../a")})
    with pytest.raises(OptionError, match="both write to standard output"):
        require_apart({"--json": "-", "--csv": "-"})


def test_the_folder_of_a_result_must_be_there_or_be_made_by_the_run(tmp_path: Path) -> None:
    require_folder_of(str(tmp_path / "a"))
    require_folder_of(str(tmp_path / "new/a"), made=tmp_path / "new")
    with pytest.raises(OutputError, match=r"'.*new' is not a folder"):
        require_folder_of(str(tmp_path / "new/a"))


def test_only_files_that_begin_like_ours_are_replaced(tmp_path: Path) -> None:
    ours, other = tmp_path / "ours", tmp_path / "other"
    ours.write_bytes(b"\xef\xbb\xbf" + Signature.CSV)  # as a spreadsheet saves it
    other.write_text("left,right\n", encoding="utf-8")
    assert begins_with(ours.read_bytes(), Signature.CSV)
    require_own(str(tmp_path / "missing"), "result", Signature.CSV)
    require_own(str(ours), "result", Signature.CSV)
    with pytest.raises(OutputError, match="exists and is not a result"):
        require_own(str(other), "result", Signature.CSV)
    with pytest.raises(OutputError, match="is a directory"):
        require_own(str(tmp_path), "result", Signature.CSV)


def test_a_key_to_names_is_never_shown_and_never_lost(tmp_path: Path) -> None:
    with pytest.raises(OptionError, match="cannot go to standard output"):
        require_unseen("-")
    require_unseen(str(tmp_path / "key.csv"))
    key = tmp_path / "key.csv"
    key.write_text("alias,name\nSubmission 001,ann\n", encoding="utf-8")
    require_no_archive(str(key))
    key.write_text("alias,name\n2025/Submission 001,ann\n", encoding="utf-8")
    with pytest.raises(OutputError, match="contains the key to an archive"):
        require_no_archive(str(key))


def test_if_one_result_cannot_be_written_the_others_are_and_all_reasons_are_said() -> None:
    written = []

    def fail() -> None:
        raise OutputError("cannot write %(target)r: %(reason)s", "x", "disk full")

    with pytest.raises(OutputError, match=r"'x': disk full; cannot write 'x': disk full"):
        write_each([fail, lambda: written.append("a"), fail, lambda: written.append("b")])
    assert written == ["a", "b"]


def test_a_file_is_replaced_whole_and_keeps_its_permissions(tmp_path: Path) -> None:
    target = tmp_path / "key.csv"
    target.write_text("old", encoding="utf-8")
    target.chmod(0o600)
    write_file(str(target), "new")
    assert (target.read_text(encoding="utf-8"), target.stat().st_mode & 0o777) == ("new", 0o600)
    assert [each.name for each in tmp_path.iterdir()] == ["key.csv"]


def test_the_names_of_standard_output_are_one_stream(tmp_path: Path) -> None:
    assert stream_of("-") == 1
    assert stream_of(str(tmp_path / "1")) is None


def test_json_and_csv_of_a_command_are_checked_at_once_and_written_in_order(
    tmp_path: Path, capsysbinary: pytest.CaptureFixture[bytes]
) -> None:
    csv = tmp_path / "x.csv"
    files = ResultFiles.of({"json": "-", "csv": str(csv)}, SIGNATURES)
    write_each(files.writers({"--json": lambda: "{}\n", "--csv": lambda: "a,b\n"}))
    assert (csv.read_text(encoding="utf-8"), capsysbinary.readouterr().out) == ("a,b\n", b"{}\n")
    assert ResultFiles.of({"json": None, "csv": None}, SIGNATURES).targets == {}
    with pytest.raises(OutputError, match="is not a result of --csv"):
        ResultFiles.of({"json": None, "csv": str(csv)}, SIGNATURES)
