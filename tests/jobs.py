"""Jobs of a repository of submissions: the steps of our action, hook and examples, in bash."""

import os
import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

ROOT = Path(__file__).parents[1]
EXAMPLES = Path(__file__).with_name("ci")
EXPRESSION = re.compile(r"\$\{\{ ([\w.-]+) \}\}")


def from_yaml(path: Path) -> dict[str, Any]:
    content: dict[str, Any] = yaml.safe_load(path.read_text(encoding="utf-8"))
    return content


def step_of(steps: list[dict[str, Any]], name: str) -> dict[str, Any]:
    (found,) = [step for step in steps if step.get("name") == name]
    return found


@dataclass(frozen=True, slots=True)
class Job:
    """A fresh checkout of the repository on a machine that has mosslite."""

    checkout: Path
    temp: Path

    def run(self, script: str, **environment: str) -> int:
        """Run a step as the services do: bash that stops at the first error."""
        tools = os.pathsep.join([str(self.temp), str(Path(sys.executable).parent)])
        given = {
            "PATH": os.pathsep.join([tools, os.environ["PATH"]]),
            # As many a start file leaves it: the empty part stands for the current folder.
            "PYTHONPATH": f"{os.pathsep}{ROOT}",
            "RUNNER_TEMP": str(self.temp),
            "GITHUB_OUTPUT": str(self.temp / "output"),
            "GITHUB_STEP_SUMMARY": str(self.temp / "summary"),
            "GITHUB_REPOSITORY": "course/hw1",
            "GITHUB_SHA": "0123abc",
        }
        command = ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", script]
        return subprocess.run(
            command, cwd=self.checkout, env=given | environment, check=False, timeout=120
        ).returncode

    def read(self, name: str) -> str:
        return (self.temp / name).read_text(encoding="utf-8")

    @property
    def outputs(self) -> dict[str, str]:
        lines = self.read("output").splitlines()
        return dict(line.split("=", 1) for line in lines)


def run_action(job: Job, **inputs: str) -> int:
    """Run the steps of the action that are its own, with the inputs of the example or others."""
    action, workflow = from_yaml(ROOT / "action.yml"), from_yaml(EXAMPLES / "github.yml")
    (used,) = [s for s in workflow["jobs"]["compare"]["steps"] if s.get("id") == "mosslite"]
    defaults = {name: each.get("default", "") for name, each in action["inputs"].items()}
    values = {f"inputs.{name}": text for name, text in (defaults | used["with"] | inputs).items()}
    steps = action["runs"]["steps"]
    compare = step_of(steps, "Compare submissions")
    environment = {
        name: EXPRESSION.sub(lambda found: values[found[1]], text)
        for name, text in compare["env"].items()
    }
    code = job.run(compare["run"], **environment)
    if code == 0 and job.outputs["code"] == "1":
        return job.run(step_of(steps, "Fail when something needs a look")["run"])
    return code


def hook_command() -> str:
    """Return the command line of the hook."""
    (hook,) = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))
    return " ".join([hook["entry"], *hook["args"]])
