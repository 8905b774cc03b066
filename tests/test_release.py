"""The workflow that publishes a release."""

import os
import subprocess
import sys

import pytest

import mosslite
from tests.jobs import ROOT, from_yaml

RELEASE = from_yaml(ROOT / ".github" / "workflows" / "release.yml")["jobs"]


@pytest.mark.skipif(sys.platform == "win32", reason="the workflow is for bash")
@pytest.mark.parametrize(
    ("tag", "code"), [(f"v{mosslite.__version__}", 0), ("v99.0", 1), (mosslite.__version__, 1)]
)
def test_a_tag_that_is_not_the_version_is_refused(tag: str, code: int) -> None:
    (check,) = (
        step["run"]
        for step in RELEASE["build"]["steps"]
        if step.get("name") == "The tag is the version"
    )

    found = subprocess.run(
        ["bash", "-e", "-c", check],  # noqa: S607
        cwd=ROOT,
        env={**os.environ, "GITHUB_REF_NAME": tag},
        check=False,
        timeout=60,
    )

    assert found.returncode == code


def test_only_the_job_that_publishes_what_was_checked_is_trusted() -> None:
    assert RELEASE["publish"]["permissions"] == {"id-token": "write"}
    assert RELEASE["publish"]["needs"] == "build"
    assert "permissions" not in RELEASE["build"]
    assert ".ci/run" in [step.get("run") for step in RELEASE["build"]["steps"]]
