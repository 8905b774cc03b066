"""Whole runs over batches with groups of copies: nothing that stands out is lost."""

import json
import os
import re
import shutil
from itertools import combinations
from pathlib import Path

import pytest

import mosslite
from mosslite import Options
from mosslite.records import Report
from tests.conftest import Run
from tests.programs import program, write_files
from tests.tables import texts_of

# A large group of near-copies, a smaller one, pairs and honest work.
LARGE, SMALL, PAIRS, HONEST = 18, 10, 7, 20


def edited(text: str, seed: int) -> str:
    """Put one function of another program behind, so that no two copies are the same."""
    return f"{text}\n\n{program(1_000 + seed, functions=1)}"


@pytest.fixture(scope="module")
def batch(tmp_path_factory: pytest.TempPathFactory) -> Path:
    files = {f"large{n:02}.py": edited(program(1), n) for n in range(LARGE)}
    files |= {f"small{n:02}.py": edited(program(2), 100 + n) for n in range(SMALL)}
    files |= {
        f"pair{n}{side}.py": f"{program(10 + n)}\n\n{program(2_000 + 10 * n + side, functions=3)}"
        for n in range(PAIRS)
        for side in range(2)
    }
    files |= {f"honest{n:02}.py": program(100 + n) for n in range(HONEST)}
    folder = tmp_path_factory.mktemp("batch")
    write_files(folder, {f"hw/{name}": text for name, text in files.items()})
    return folder


@pytest.fixture(autouse=True)
def cache(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    """Read the batch once for all tests: what is listed does not depend on how it was read."""
    monkeypatch.setenv("MOSSLITE_CACHE_DIR", str(tmp_path_factory.getbasetemp() / "standing-out"))


def report_on(batch: Path, show: int | None = None, **options: object) -> Report:
    chosen = {"uses_workers": False, "uses_cache": True} | options
    return mosslite.check(str(batch / "hw"), options=Options(show=show, **chosen))  # type: ignore[arg-type]


def names_in(report: Report) -> set[tuple[str, str]]:
    return {(pair.left.name, pair.right.name) for pair in report.pairs}


PLANTED = {(f"pair{n}0.py", f"pair{n}1.py") for n in range(PAIRS)}


def test_everything_that_stands_out_is_listed(batch: Path) -> None:
    report = report_on(batch)

    copies = [f"large{n:02}.py" for n in range(LARGE)], [f"small{n:02}.py" for n in range(SMALL)]
    expected = {pair for group in copies for pair in combinations(group, 2)} | PLANTED
    assert expected <= names_in(report)
    assert report.unlisted == ()
    assert report.threshold is not None
    assert report.threshold.found >= len(expected)
    assert report.threshold.groups == 2 + PAIRS
    assert report.threshold.submissions == LARGE + SMALL + 2 * PAIRS


def test_a_given_number_keeps_every_group_then_every_submission_whatever_processes_do(
    batch: Path,
) -> None:
    few, many = report_on(batch, 9), report_on(batch, 60)

    for report, show in ((few, 9), (many, 60)):
        scores = [pair.score for pair in report.pairs]
        assert len(scores) == show
        assert scores == sorted(scores, reverse=True)
        assert names_in(report) >= PLANTED
    everybody = {name for pair in names_in(many) for name in pair}
    assert not [name for name in everybody if name.startswith("honest")]
    assert len(everybody) == LARGE + SMALL + 2 * PAIRS

    again = report_on(batch, 60, uses_workers=True, uses_cache=False, jobs=2)
    assert [(p.left.name, p.right.name, p.score) for p in again.pairs] == [
        (p.left.name, p.right.name, p.score) for p in many.pairs
    ]
    assert [(u.left.name, u.right.name) for u in again.unlisted] == [
        (u.left.name, u.right.name) for u in many.unlisted
    ]


def test_what_is_not_listed_is_counted_beside_the_command_that_lists_it(
    run: Run, batch: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(batch)
    outcome = run("hw", "-n", "60", "--json", "x.json", "-o", "report")
    results = json.loads(Path("x.json").read_text(encoding="utf-8"))
    (said,) = [line for line in outcome.out.splitlines() if " not listed" in line]
    told = re.fullmatch(r"warning: (\d+) more pairs reach .*; -n (\d+) lists all", said)
    assert told is not None
    count, everything = map(int, told.groups())

    assert results["unlisted"] == count
    assert count + 60 == everything == results["threshold"]["found"]
    assert said.removeprefix("warning: ") in results["warnings"]
    assert said.removeprefix("warning: ") in Path("report/index.html").read_text(encoding="utf-8")
    require_page_of_a_group(Path("report"))
    again = run("hw", "-n", str(everything), "--json", "y.json", "--no-html")
    assert " not listed" not in again.out
    assert len(json.loads(Path("y.json").read_text(encoding="utf-8"))["pairs"]) == everything


def test_the_first_table_has_at_most_two_pairs_of_a_group(
    run: Run, batch: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(batch)
    lines = run("hw", "--no-html").out.splitlines()
    rows = [line.split()[:2] for line in lines[3:13]]

    assert [sum(row[0].startswith(name) for row in rows) for name in ("large", "small")] == [2, 2]
    assert sum(row[0].startswith("pair") for row in rows) == 6
    assert "(at most two pairs of each group)" in lines


def require_page_of_a_group(report: Path) -> None:
    """Check that it has all members of the large group, and a score for each pair."""
    pages = [path.read_text(encoding="utf-8") for path in (report / "groups").glob("*.html")]
    (large,) = [page for page in pages if "large00.py" in page]
    for n in range(LARGE):
        assert f"large{n:02}.py" in large
    matrix = large[large.index('<table class="matrix">') : large.index("</table>")]
    assert len(re.findall(r'<td class="shade-\d">', matrix)) == LARGE * (LARGE - 1)
    index = (report / "index.html").read_text(encoding="utf-8")
    assert f"{LARGE} submissions</text>" in index
    lines = sum(n * (n - 1) // 2 for n in (LARGE, SMALL))
    assert index.count('class="edge is-of-dense"') == lines


# Several languages

C_IDIOM = texts_of("programs")["C_IDIOM"]


def test_works_in_another_language_change_no_score(tmp_path: Path) -> None:
    python = {f"{n:02}.py": program(n % 12) + edited("", n) for n in range(14)}
    write_files(tmp_path, {f"one/{name}": text for name, text in python.items()})
    other = {f"{n}.c": C_IDIOM.format(n, " + 1" * n) for n in range(8)}
    write_files(tmp_path, {f"two/{name}": text for name, text in (python | other).items()})
    options = Options(show=0, uses_workers=False)
    alone, mixed = (
        mosslite.check(str(tmp_path / name), options=options) for name in ("one", "two")
    )

    scores = {(p.left.name, p.right.name): p.score for p in mixed.pairs}
    for pair in alone.pairs:
        assert scores[pair.left.name, pair.right.name] == pair.score


def test_the_idiom_of_a_small_language_does_not_stand_out(tmp_path: Path) -> None:
    files = {f"{n:02}.py": program(n) for n in range(30)}
    files |= {"copy.py": edited(program(0), 1)}
    files |= {f"{n}.c": C_IDIOM.format(n, " + 1" * n) for n in range(8)}
    write_files(tmp_path, {f"hw/{name}": text for name, text in files.items()})
    report = mosslite.check(str(tmp_path / "hw"), options=Options(uses_workers=False))
    highs = report.highs
    high = {(p.left.name, p.right.name) for p in report.pairs if highs.hold(p)}

    assert ("00.py", "copy.py") in high
    assert report.threshold is not None
    (limit,) = report.threshold.languages
    assert (limit.language, limit.is_suggested) == ("c", False)
    assert limit.score >= max(report.threshold.score, 0.5)


def test_the_threshold_is_not_one_students_to_shift(tmp_path: Path) -> None:
    """Modules of a library contain a bit of everything, and resemble each program a little."""
    samples = Path(__file__).parents[2] / "samples" / "python" / "submissions"
    for name in ("honest", "loaded"):
        shutil.copytree(samples, tmp_path / name)
    modules = sorted(Path(os.__file__).parent.glob("*.py"))
    for module in [each for each in modules if 3_000 < each.stat().st_size < 60_000][:60]:
        shutil.copy(module, tmp_path / "loaded" / "delphine")

    honest, loaded = (
        mosslite.check(tmp_path / name, options=Options(uses_workers=False)).threshold
        for name in ("honest", "loaded")
    )

    assert honest is not None
    assert loaded is not None
    assert abs(loaded.score - honest.score) <= 0.03
    assert abs(loaded.high - honest.high) <= 0.05
