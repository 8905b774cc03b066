"""What is shipped, and that it works where it lands."""

import ast
import re
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest

from mosslite.report.html.site import environment, template_root

ROOT = Path(__file__).parents[1]
TEMPLATES = sorted(
    path.relative_to(ROOT / "templates").as_posix() for path in (ROOT / "templates").rglob("*.*")
)


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build the sdist, and the wheel from it."""
    folder = tmp_path_factory.mktemp("dist")
    subprocess.run(
        [sys.executable, "-m", "build", "--outdir", str(folder), str(ROOT)],
        check=True,
        capture_output=True,
    )
    return folder


@pytest.mark.slow
def test_the_wheel_holds_the_package_its_types_and_the_templates_and_nothing_else(
    built: Path,
) -> None:
    (wheel,) = built.glob("*.whl")
    names = zipfile.ZipFile(wheel).namelist()

    tops = {name.split("/")[0] for name in names}
    assert {top for top in tops if not top.endswith(".dist-info")} == {"mosslite"}
    assert "mosslite/py.typed" in names
    assert {f"mosslite/templates/{name}" for name in TEMPLATES} <= set(names)
    modules = {path.relative_to(ROOT).as_posix() for path in ROOT.glob("mosslite/**/*.py")}
    assert {name for name in names if name.endswith(".py")} == modules


@pytest.mark.slow
def test_the_sdist_holds_what_is_needed_to_build_and_test(built: Path) -> None:
    (sdist,) = built.glob("*.tar.gz")
    with tarfile.open(sdist) as archive:
        inside = {name.partition("/")[2] for name in archive.getnames()}

    assert {"pyproject.toml", "README.md", "ARCHITECTURE.md", "CONTRIBUTING.md"} <= inside
    assert "LICENSE" in inside
    assert "tests/test_packaging.py" in inside
    assert "samples/README.md" in inside
    assert not any("__pycache__" in name or name.startswith(".venv") for name in inside)


def test_every_package_that_is_imported_is_declared_as_a_dependency() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    # Those of an extra are imported by its package alone, which nothing imports unasked.
    extras = project["optional-dependencies"]
    own = (each for name in ("lab", "serve", "spark") for each in extras[name])
    given = [*project["dependencies"], *own]
    declared = {name_of(re.split("[<>=]", each)[0]) for each in given}
    owners = packages_distributions()

    assert "numpy" in imported()
    assert [each for each in imported() if declared.isdisjoint(map(name_of, owners[each]))] == []


def imported() -> list[str]:
    """Return what the package imports when it runs that is neither its own nor Python's."""
    found = set()
    for path in ROOT.glob("mosslite/**/*.py"):
        for node in ast.walk(ast.parse(path.read_bytes())):
            if isinstance(node, ast.Import):
                found |= {alias.name.split(".")[0] for alias in node.names}
            elif isinstance(node, ast.ImportFrom):
                found.add(str(node.module).split(".")[0])
    return sorted(found - sys.stdlib_module_names - {"mosslite", "_typeshed"})


def name_of(distribution: str) -> str:
    """Write a distribution's name in the one way that all ways to write it have in common."""
    return re.sub("[-_.]+", "-", distribution).lower()


def test_a_checkout_finds_its_templates_beside_the_package() -> None:
    names = {each.name for each in template_root().iterdir()}
    assert names == {name.partition("/")[0] for name in TEMPLATES}


@pytest.mark.parametrize("name", [name for name in TEMPLATES if name.endswith(".html")])
def test_every_template_compiles(name: str) -> None:
    assert environment().get_template(name).name == name


@pytest.mark.slow
def test_one_file_is_made_and_runs_as_the_documentation_says(tmp_path: Path) -> None:
    page = (ROOT / "docs" / "install.md").read_text(encoding="utf-8")
    make = next(line for line in page.splitlines() if line.startswith("shiv "))
    scripts = Path(sys.executable).parent

    built = [
        each.replace("mosslite.pyz", str(tmp_path / "mosslite.pyz")) for each in make.split()[1:]
    ]
    subprocess.run([scripts / "shiv", "-q", *built], cwd=ROOT, check=True, capture_output=True)
    done = subprocess.run(
        [
            sys.executable,
            "-I",
            tmp_path / "mosslite.pyz",
            "check",
            "--no-html",
            "samples/c/submissions",
        ],
        cwd=ROOT,
        env={"SHIV_ROOT": str(tmp_path / "root"), "HOME": str(tmp_path), "PATH": "/usr/bin:/bin"},
        capture_output=True,
        text=True,
        check=True,
    )

    assert "17 submissions compared" in done.stdout
