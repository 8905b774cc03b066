"""Repositories that are handed in alone or in archives are read like those on disk."""

import io
import tarfile
import zipfile
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path

import pytest

import mosslite
from mosslite.options import Intake, Limits, Options
from mosslite.reasons import Reason
from mosslite.records import Report
from tests.git_repositories import commit, git, needs_git, repository
from tests.programs import PRIMES, QUEUE

pytestmark = needs_git

DAY = "2026-03-0{} 12:00:00 +0100"
OPTIONS = Options(uses_workers=False)


def worked(folder: Path, text: str = QUEUE) -> Path:
    """Commit half of a text and then all of it, beside notes."""
    lines = text.splitlines(keepends=True)
    commit(repository(folder), {"main.py": "".join(lines[: len(lines) // 2])}, DAY.format(1))
    commit(folder, {"main.py": text, "README.md": "How to run it.\n"}, DAY.format(2), "done")
    return folder


def zipped(folder: Path) -> bytes:
    """Return a folder as a zip archive."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for path in sorted(folder.rglob("*")):
            archive.write(path, path.relative_to(folder).as_posix())
    return packed.getvalue()


def placed(target: Path, content: bytes) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_bytes(content)


def as_bundle(work: Path, hw: Path) -> None:
    hw.mkdir(exist_ok=True)
    git(work, "bundle", "create", "-q", str(hw / "ann.bundle"), "main")


def as_bare_folder(work: Path, hw: Path) -> None:
    git(work, "clone", "-q", "--bare", str(work), str(hw / "ann.git"))


def as_git_folder_beside_notes(work: Path, hw: Path) -> None:
    (hw / "ann").mkdir(parents=True)
    (work / ".git").rename(hw / "ann/.git")
    (hw / "ann/notes.md").write_text("It is all in the repository.\n", encoding="utf-8")


def as_git_folder_in_zip(work: Path, hw: Path) -> None:
    (work / "main.py").unlink()
    placed(hw / "ann.zip", zipped(work))


def as_bare_folder_in_tar(work: Path, hw: Path) -> None:
    git(work, "clone", "-q", "--bare", str(work), "bare.git")
    hw.mkdir(exist_ok=True)
    with tarfile.open(hw / "ann.tar.gz", "w:gz") as archive:
        archive.add(work / "bare.git", "bare.git")


def as_bare_folder_that_is_all_of_a_zip(work: Path, hw: Path) -> None:
    git(work, "clone", "-q", "--bare", str(work), "bare.git")
    placed(hw / "ann.zip", zipped(work / "bare.git"))


def as_bundle_in_zip_in_zip(work: Path, hw: Path) -> None:
    git(work, "bundle", "create", "-q", "all.bundle", "--all")
    (work / "inner").mkdir()
    (work / "all.bundle").rename(work / "inner/all.bundle")
    (work / "outer").mkdir()
    placed(work / "outer/inner.zip", zipped(work / "inner"))
    placed(hw / "ann.zip", zipped(work / "outer"))


WAYS = (
    as_bundle,
    as_bare_folder,
    as_git_folder_beside_notes,
    as_git_folder_in_zip,
    as_bare_folder_in_tar,
    as_bare_folder_that_is_all_of_a_zip,
    as_bundle_in_zip_in_zip,
)


def check(folder: Path, intake: Intake = Intake()) -> Report:
    return mosslite.check(folder, options=Options(uses_workers=False, intake=intake))


def with_bob(hw: Path) -> Path:
    placed(hw / "bob/main.py", QUEUE.encode())
    return hw


@pytest.mark.parametrize("hand_in", WAYS)
def test_a_repository_handed_in_alone_is_compared_and_its_history_is_read(
    tmp_path: Path, hand_in: Callable[[Path, Path], None]
) -> None:
    hand_in(worked(tmp_path / "work"), tmp_path / "hw")
    report = check(with_bob(tmp_path / "hw"))
    ann = report.submissions[0].source
    assert [Path(file.name).name for file in ann.files] == ["main.py"]
    assert ann.files[0].text == QUEUE
    (pair,) = report.pairs
    assert pair.similarity == 1
    assert pair.repositories
    assert pair.repositories.left
    assert (pair.repositories.left.commits, pair.repositories.left.remarks) == (2, ())
    assert pair.matches[0].first_commits
    origin = pair.matches[0].first_commits.left
    assert origin
    assert origin.commit is not None
    assert (origin.commit.subject, origin.commits) == ("done", 2)
    assert any(Reason.of(each.reason) is Reason.COMMITTED for each in report.ignored)
    assert "1 submission is a git repository without a program beside it" in "".join(
        report.warnings
    )


def test_what_lies_beside_the_repository_is_compared_where_it_is_a_program(tmp_path: Path) -> None:
    git_folder = worked(tmp_path / "hw/ann") / "main.py"
    git_folder.write_text(PRIMES, encoding="utf-8")
    report = check(with_bob(tmp_path / "hw"))
    assert [file.text for file in report.submissions[0].source.files] == [PRIMES]
    assert not any("git repository" in each for each in report.warnings)


def test_the_history_in_an_archive_of_the_whole_batch_is_read(tmp_path: Path) -> None:
    for name in ("ann", "bob", "cleo"):
        worked(tmp_path / "hw" / name)
    placed(tmp_path / "batch.zip", zipped(tmp_path / "hw"))
    report = check(tmp_path / "batch.zip")
    assert len(report.pairs) == 3
    for pair in report.pairs:
        sides = pair.repositories
        assert sides
        assert sides.left
        assert sides.right
        assert sides.left.commits == sides.right.commits == 2
        assert pair.matches[0].first_commits


def test_a_git_file_in_an_archive_is_not_followed(tmp_path: Path) -> None:
    secret = worked(tmp_path / "secret")
    placed(tmp_path / "work/.git", f"gitdir: {secret}/.git\n".encode())
    placed(tmp_path / "work/main.py", QUEUE.encode())
    placed(tmp_path / "hw/ann.zip", zipped(tmp_path / "work"))
    (pair,) = check(with_bob(tmp_path / "hw")).pairs
    assert pair.repositories
    assert pair.repositories.left
    assert pair.repositories.left.commits == 0
    assert "names another folder" in str(pair.repositories.left.remarks)


def test_what_a_limit_leaves_out_of_an_archive_is_reported(tmp_path: Path) -> None:
    work = worked(tmp_path / "work")
    commit(
        work,
        {"data.txt": "".join(sha256(b"%d" % n).hexdigest() for n in range(6_000))},
        DAY.format(3),
    )
    (work / "data.txt").unlink()
    placed(tmp_path / "hw/ann.zip", zipped(work))
    intake = Intake(limits=Limits(unpacked=60_000))
    (pair,) = check(with_bob(tmp_path / "hw"), intake).pairs
    assert pair.repositories
    assert pair.repositories.left
    assert "--max-unpacked" in str(pair.repositories.left.remarks)


@pytest.mark.parametrize("damage", ["cut", "empty"])
def test_a_repository_without_a_commit_that_can_be_read_is_skipped_by_its_reason(
    tmp_path: Path, damage: str
) -> None:
    work = worked(tmp_path / "work")
    hw = with_bob(tmp_path / "hw")
    if damage == "cut":
        as_bundle(work, hw)
        (hw / "ann.bundle").write_bytes((hw / "ann.bundle").read_bytes()[:150])
    else:
        git(tmp_path, "init", "-q", "--bare", "hw/ann.git")
    placed(hw / "cleo/main.py", QUEUE.encode())
    report = check(hw)
    assert [each.name for each in report.submissions] == ["bob", "cleo"]
    reasons = " ".join(each.reason for each in report.skipped)
    assert "is a git repository, but it" in reasons


def test_links_and_paths_that_lead_out_are_not_read_from_a_commit(tmp_path: Path) -> None:
    work = worked(tmp_path / "work")
    (work / "link.py").symlink_to("/etc/passwd")
    commit(work, {}, DAY.format(3))
    as_bundle(work, tmp_path / "hw")
    report = check(with_bob(tmp_path / "hw"))
    assert [file.name for file in report.submissions[0].source.files] == ["main.py"]
    assert any("symbolic links are not read" in each.reason for each in report.skipped)


@pytest.mark.parametrize(("revision", "number"), [("HEAD", 1), ("v1", 0), ("side", 0), ("x", None)])
def test_a_revision_is_found_by_its_name(tmp_path: Path, revision: str, number: int | None) -> None:
    from mosslite.intake.history import History  # noqa: PLC0415
    from mosslite.records import RepositoryPlace  # noqa: PLC0415

    work = worked(tmp_path / "work")
    git(work, "tag", "-a", "-m", "tagged", "v1", "HEAD~1")
    git(work, "branch", "side", "HEAD~1")
    place = RepositoryPlace("", str(work / ".git"), followed=len(work.parts))
    with History(place) as history:
        assert history.find(revision) == number
        assert history.find(history.nodes[0].commit.id[:8]) == 0
        assert history.find(history.nodes[0].commit.id[:3]) is None
