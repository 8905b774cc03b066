"""Which commits have a match first, in whole runs over real repositories."""

import json
from pathlib import Path

import mosslite
from mosslite.options import Intake, Options
from mosslite.records import Origin, Report, Sides
from mosslite.report.anonymous import anonymous
from mosslite.report.recording import to_json
from tests.git_repositories import commit, git, needs_git, repository
from tests.programs import PRIMES, QUEUE

pytestmark = needs_git

DAY = "2026-03-0{} 12:00:00 +0100"
OPTIONS = Options(uses_workers=False)


def grown(folder: Path, text: str, name: str = "main.py") -> None:
    """Commit a text in three steps, on the first three days."""
    lines = text.splitlines(keepends=True)
    for step in (1, 2, 3):
        part = "".join(lines[: len(lines) * step // 3])
        commit(repository(folder), {name: part}, DAY.format(step), f"step {step}")


def check(folder: Path, options: Options = OPTIONS) -> Report:
    return mosslite.check(folder, options=options)


def origins(report: Report) -> tuple[Origin | None, Origin | None]:
    """Return the origins of the longest match of the first pair."""
    match = max(report.pairs[0].matches, key=lambda each: each.tokens)
    sides = match.first_commits or Sides()
    return sides.left or None, sides.right or None


def test_who_wrote_step_by_step_and_who_committed_it_whole_is_reported(tmp_path: Path) -> None:
    grown(tmp_path / "hw/ann", QUEUE)
    bob = repository(tmp_path / "hw/bob")
    commit(bob, {"main.py": "print('hello')\n"}, DAY.format(1), "start")
    commit(bob, {"main.py": QUEUE}, DAY.format(8), "finished")
    left, right = origins(check(tmp_path / "hw"))
    assert left is not None
    assert right is not None
    assert left.commit is not None
    assert right.commit is not None
    assert (left.commit.subject, left.commits, left.arrived_whole) == ("step 3", 3, False)
    assert (right.commit.subject, right.commits, right.arrived_whole) == ("finished", 1, True)
    assert right.commit.authored == "2026-03-08T12:00:00+01:00"
    assert not right.is_oldest_read


def test_a_passage_that_moved_to_another_file_is_as_old_as_it_is(tmp_path: Path) -> None:
    ann = repository(tmp_path / "hw/ann")
    commit(ann, {"old.py": QUEUE}, DAY.format(1), "wrote it")
    git(ann, "mv", "old.py", "new.py")
    commit(ann, {}, DAY.format(2), "renamed it")
    commit(repository(tmp_path / "hw/bob"), {"b.py": QUEUE}, DAY.format(3), "whole")
    left, right = origins(check(tmp_path / "hw"))
    assert left is not None
    assert left.commit is not None
    assert left.commit.subject == "wrote it"
    assert right is not None
    assert right.is_oldest_read


def test_renaming_what_was_copied_makes_it_no_younger(tmp_path: Path) -> None:
    ann = repository(tmp_path / "hw/ann")
    commit(ann, {"a.py": QUEUE}, DAY.format(1), "copied")
    commit(ann, {"a.py": QUEUE.replace("queue", "waiting")}, DAY.format(2), "renamed")
    commit(repository(tmp_path / "hw/bob"), {"b.py": QUEUE}, DAY.format(3), "whole")
    left, _ = origins(check(tmp_path / "hw"))
    assert left is not None
    assert left.commit is not None
    assert left.commit.subject == "copied"


def test_the_same_commit_on_both_sides_is_reported(tmp_path: Path) -> None:
    grown(tmp_path / "hw/ann", QUEUE)
    git(tmp_path, "clone", "-q", "hw/ann", "hw/bob")
    left, right = origins(check(tmp_path / "hw"))
    assert left is not None
    assert right is not None
    assert left.is_same_commit
    assert right.is_same_commit


def test_what_was_never_committed_is_reported(tmp_path: Path) -> None:
    ann = repository(tmp_path / "hw/ann")
    commit(ann, {"main.py": PRIMES}, DAY.format(1))
    (ann / "main.py").write_text(QUEUE, encoding="utf-8")
    grown(tmp_path / "hw/bob", QUEUE)
    left, right = origins(check(tmp_path / "hw"))
    assert left is not None
    assert left.commit is None
    assert right is not None
    assert right.commit is not None


def test_one_side_may_have_no_repository(tmp_path: Path) -> None:
    grown(tmp_path / "hw/ann", QUEUE)
    (tmp_path / "hw/bob").mkdir()
    (tmp_path / "hw/bob/main.py").write_text(QUEUE, encoding="utf-8")
    report = check(tmp_path / "hw")
    left, right = origins(report)
    assert left is not None
    assert right is None
    assert report.pairs[0].repositories
    assert not report.pairs[0].repositories.right


def test_a_link_or_a_file_in_place_of_git_is_not_followed(tmp_path: Path) -> None:
    grown(tmp_path / "secret", QUEUE)
    for name in ("ann", "bob"):
        (tmp_path / "hw" / name).mkdir(parents=True)
        (tmp_path / "hw" / name / "main.py").write_text(QUEUE, encoding="utf-8")
    (tmp_path / "hw/ann/.git").symlink_to(tmp_path / "secret/.git")
    (tmp_path / "hw/bob/.git").write_text(f"gitdir: {tmp_path}/secret/.git\n", encoding="utf-8")
    pair = check(tmp_path / "hw").pairs[0]
    assert pair.matches[0].first_commits is None
    assert pair.repositories
    for summary in (pair.repositories.left, pair.repositories.right):
        assert summary
        assert summary.commits == 0
    assert "symbolic link" in str(pair.repositories.left)
    assert "names another folder" in str(pair.repositories.right)


def test_what_is_in_git_is_still_not_compared(tmp_path: Path) -> None:
    grown(tmp_path / "hw/ann", QUEUE)
    grown(tmp_path / "hw/bob", PRIMES)
    report = check(tmp_path / "hw")
    files = [file.name for each in report.submissions for file in each.source.files]
    assert files == ["main.py", "main.py"]
    assert len([each for each in report.ignored if each.path.endswith(".git/")]) == 2


def test_ignoring_nothing_still_reads_the_history(tmp_path: Path) -> None:
    grown(tmp_path / "hw/ann", QUEUE)
    grown(tmp_path / "hw/bob", QUEUE)
    options = Options(uses_workers=False, intake=Intake(reads_ignored=True))
    pair = check(tmp_path / "hw", options).pairs[0]
    assert pair.repositories
    assert pair.repositories.left
    assert pair.repositories.left.commits == 3


def test_a_bare_repository_beside_the_files_is_their_history(tmp_path: Path) -> None:
    for name in ("ann", "bob"):
        grown(tmp_path / "work" / name, QUEUE)
        (tmp_path / "hw" / name).mkdir(parents=True)
        (tmp_path / "hw" / name / "main.py").write_text(QUEUE, encoding="utf-8")
        git(tmp_path, "clone", "-q", "--bare", f"work/{name}", f"hw/{name}/hw.git")
    report = check(tmp_path / "hw")
    left, _ = origins(report)
    assert left is not None
    assert left.commits == 3
    files = [file.name for each in report.submissions for file in each.source.files]
    assert files == ["main.py", "main.py"]


def test_results_have_the_commits_and_are_the_same_in_every_run(tmp_path: Path) -> None:
    grown(tmp_path / "hw/ann", QUEUE)
    grown(tmp_path / "hw/bob", QUEUE)
    texts = {to_json(check(tmp_path / "hw"), created="now", version="0") for _ in range(2)}
    assert len(texts) == 1
    (pair,) = json.loads(texts.pop())["pairs"]
    assert pair["repositories"]["left"]["commits"] == 3
    first = pair["matches"][0]["first_commits"]["right"]
    assert first["commit"]["author"] == "Ann <ann@example.org>"
    assert first["commits"] == 3
    assert first["arrived_whole"] is False


def test_an_anonymous_report_has_no_commits(tmp_path: Path) -> None:
    grown(tmp_path / "hw/ann", QUEUE)
    grown(tmp_path / "hw/bob", QUEUE)
    nameless, _ = anonymous(check(tmp_path / "hw"))
    text = to_json(nameless, created="now", version="0")
    assert "example.org" not in text
    assert "first_commits" not in text
    assert "repositories" not in text


def test_a_bundle_beside_the_files_is_their_history(tmp_path: Path) -> None:
    for name in ("ann", "bob"):
        grown(tmp_path / "work" / name, QUEUE)
        (tmp_path / "hw" / name).mkdir(parents=True)
        (tmp_path / "hw" / name / "main.py").write_text(QUEUE, encoding="utf-8")
        bundle = str(tmp_path / "hw" / name / "hw.bundle")
        git(tmp_path / "work" / name, "bundle", "create", "-q", bundle, "--all")
    report = check(tmp_path / "hw")
    left, _ = origins(report)
    assert left is not None
    assert left.commits == 3
    assert not report.skipped


def test_packs_are_no_programs_that_somebody_hid(tmp_path: Path) -> None:
    for name in ("ann", "bob"):
        grown(tmp_path / "hw" / name, QUEUE)
        git(tmp_path / "hw" / name, "gc", "-q")
    report = check(tmp_path / "hw")
    assert not [each for each in report.warnings if "holds a program" in each]
    assert report.pairs[0].repositories
    assert report.pairs[0].repositories.left
