"""Jobs of a repository of submissions, run as the CI services run them."""

import json
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.jobs import EXAMPLES, ROOT, Job, from_yaml, hook_command, run_action, step_of
from tests.programs import JAVA, PRIMES, QUEUE, QUEUE_RENAMED, WORDS, write_files

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(sys.platform == "win32", reason="the jobs are for bash"),
]


@dataclass(frozen=True, slots=True)
class Repository:
    """A repository with one folder for each submission."""

    path: Path

    def commit(self, files: dict[str, str]) -> None:
        write_files(self.path, files)
        self._git("add", "--all")
        self._git("commit", "--quiet", "--message", "hand in")

    def job(self, temp: Path) -> Job:
        temp.mkdir()
        checkout = temp / "checkout"
        self._git("clone", "--quiet", ".", str(checkout))
        return Job(checkout, temp)

    def _git(self, *arguments: str) -> None:
        names = [f"-c user.{key}=instructor@course.example" for key in ("name", "email")]
        own = [part for name in names for part in name.split(" ", 1)]
        command = ["git", *own, *arguments]
        subprocess.run(command, cwd=self.path, check=True, timeout=60)


@pytest.fixture
def repository(tmp_path: Path) -> Repository:
    """Two submissions that share a queue, which is known, and one of its own."""
    made = Repository(tmp_path / "repository")
    made.path.mkdir()
    subprocess.run(["git", "init", "--quiet"], cwd=made.path, check=True, timeout=60)  # noqa: S607
    made.commit(
        {
            "submissions/ann/queue.py": QUEUE,
            "submissions/bob/line.py": QUEUE_RENAMED,
            "submissions/cy/Tree.java": JAVA,
            "submissions/dan/words.txt": WORDS,
        }
    )
    job = made.job(tmp_path / "first")
    known = "mosslite baseline update baseline.json results.json -q"
    assert job.run(f"mosslite check submissions --no-html -q --json results.json && {known}") == 0
    made.commit({"baseline.json": (job.checkout / "baseline.json").read_text(encoding="utf-8")})
    return made


def comment(job: Job) -> None:
    """Run the example's step that comments, with a ``gh`` that keeps what it is given."""
    (job.temp / "gh").write_text('#!/bin/sh\nprintf "%s\\n" "$@" > "$RUNNER_TEMP/comment"\n')
    (job.temp / "gh").chmod(0o755)
    workflow = from_yaml(EXAMPLES / "github.yml")
    step = step_of(workflow["jobs"]["compare"]["steps"], "Comment on the commit")
    folder = job.outputs["folder"]
    summary = step["env"]["SUMMARY"].replace("${{ steps.mosslite.outputs.folder }}", folder)
    assert job.run(step["run"], SUMMARY=summary) == 0


def test_known_pairs_do_not_fail_the_job(repository: Repository, tmp_path: Path) -> None:
    job = repository.job(tmp_path / "job")
    assert run_action(job) == 0
    assert job.outputs["code"] == "0"
    assert "**0 new pairs** at or above score 0.8. 1 known pair not counted." in job.read("summary")


def test_a_new_pair_fails_the_job_and_is_what_the_comment_says(
    repository: Repository, tmp_path: Path
) -> None:
    repository.commit({"submissions/eve/Node.java": JAVA, "submissions/ann/more.py": PRIMES})
    job = repository.job(tmp_path / "job")
    assert run_action(job) == 1

    comment(job)

    method, path, flag, body = job.read("comment").splitlines()
    assert (method, path, flag) == ("api", "repos/course/hw1/commits/0123abc/comments", "-F")
    text = Path(body.removeprefix("body=@")).read_text(encoding="utf-8")
    assert "| `cy` | `eve` | 1.00 | 100 % |" in text
    assert text.count("**fails**") == 1


def test_a_job_that_fails_by_a_limit_alone_does_not_claim_a_new_pair(
    repository: Repository, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    job = repository.job(tmp_path / "job")

    assert run_action(job, options="--max-file-size\n300") == 1

    assert "**0 new pairs**" in job.read("summary")
    said = "::error title=mosslite::a new pair, or a submission compared only in part, needs a look"
    assert said in capfd.readouterr().out


def test_alerts_lead_to_the_files_of_the_repository(repository: Repository, tmp_path: Path) -> None:
    job = repository.job(tmp_path / "job")
    run_action(job)
    results = json.loads(job.read("mosslite/results.sarif"))["runs"][0]["results"]
    uris = {
        place["physicalLocation"]["artifactLocation"]["uri"]
        for result in results
        for place in (*result["locations"], *result["relatedLocations"])
    }
    assert uris
    assert all((job.checkout / uri).is_file() for uri in uris)
    assert {result["baselineState"] for result in results} == {"unchanged"}


def test_wrong_use_fails_the_job_at_once(repository: Repository, tmp_path: Path) -> None:
    job = repository.job(tmp_path / "job")
    (job.checkout / "baseline.json").write_text("{}")
    assert run_action(job) == 2


def test_a_score_as_the_percentage_of_the_action_fails_the_job_at_once(
    repository: Repository, tmp_path: Path
) -> None:
    assert run_action(repository.job(tmp_path / "job"), **{"fail-above": "0.8"}) == 2


def test_what_a_user_of_the_action_writes_is_no_part_of_its_script() -> None:
    steps = from_yaml(ROOT / "action.yml")["runs"]["steps"]
    assert all("${{" not in step.get("run", "") for step in steps)


def test_the_job_for_gitlab_does_the_same(repository: Repository, tmp_path: Path) -> None:
    _install, compare = from_yaml(EXAMPLES / "gitlab.yml")["similarity"]["script"]
    known = repository.job(tmp_path / "known")
    assert known.run(compare) == 0
    repository.commit({"submissions/eve/Node.java": JAVA})
    new = repository.job(tmp_path / "new")
    assert new.run(compare) == 1
    assert '<testcase classname="mosslite" name="eve"' in (new.checkout / "results.xml").read_text(
        encoding="utf-8"
    )


def test_the_hook_refuses_a_new_pair(repository: Repository, tmp_path: Path) -> None:
    repository.commit({"submissions/eve/Node.java": JAVA})
    job = repository.job(tmp_path / "job")
    assert job.run(hook_command()) == 1
    assert job.run(f"{hook_command()} --baseline baseline.json") == 1
