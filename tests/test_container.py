"""The image that ``Containerfile`` describes, where a container engine runs."""

import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
CONTAINERFILE = ROOT / "Containerfile"


def run(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [str(each) for each in arguments], capture_output=True, text=True, check=False
    )


@pytest.fixture(scope="module")
def engine() -> str:
    """Return a container engine that can start the image which ours is built from."""
    base = CONTAINERFILE.read_text(encoding="utf-8").partition("FROM ")[2].split()[0]
    refusals = ["neither podman nor docker is installed"]
    for name in filter(shutil.which, ("podman", "docker")):
        started = run(name, "run", "--rm", base, "true")
        if not started.returncode:
            return name
        refusals.append(f"{name}: {started.stderr.strip().splitlines()[0]}")
    pytest.skip(refusals[-1])


@pytest.mark.slow
def test_an_image_compares_a_mounted_folder_without_network_or_rights(
    engine: str, tmp_path: Path
) -> None:
    shutil.copytree(ROOT / "samples" / "python", tmp_path / "python")
    built = run(engine, "build", "--file", CONTAINERFILE, "--tag", "mosslite-test", ROOT)
    assert built.returncode == 0, built.stderr

    own = tmp_path.stat()
    without_rights = ("--network=none", "--read-only", "--tmpfs=/tmp", "--cap-drop=all")
    compared = run(
        *(engine, "run", "--rm", *without_rights, f"--user={own.st_uid}:{own.st_gid}"),
        *(f"--volume={tmp_path}:/work", "mosslite-test"),
        *("check", "python/submissions", "-b", "python/template"),
    )

    assert compared.returncode == 0, compared.stderr
    assert "17 submissions compared, 0 skipped" in compared.stdout
    assert (tmp_path / "mosslite-report" / "index.html").is_file()
