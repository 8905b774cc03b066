import csv
import json
import os
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from tests.commands import refusal
from tests.conftest import Outcome, Run
from tests.programs import PRIMES, QUEUE, write_files
from tests.tables import table

# Its first page is never there, whoever asks.
UNREADABLE = Path("/proc/self/mem")

SMALL = ("--random", "5000", "-k", "20", "-w", "30")


# --- density -------------------------------------------------------------------------------------


def test_density_writes_the_nested_numbers_of_figure_3(run: Run, tmp_path: Path) -> None:
    assert run("lab", "density", *SMALL, "--json", "d.json", "-q") == Outcome(0, "", "")

    density = json.loads((tmp_path / "d.json").read_text())
    assert list(density)[:9] == [
        *("format", "experiment", "source", "k", "w", "p", "total_bytes", "text_bytes", "hashes"),
    ]
    assert density["hashes"] == 4981
    assert density["winnowing"]["expected_density"] == 2 / 31
    assert 0.05 < density["winnowing"]["measured_density"] < 0.08
    assert density["robust"]["measured_density"] <= density["winnowing"]["measured_density"]
    assert 0.04 < density["mod_p"]["measured_density"] < 0.09
    assert density["mod_p"]["longest_run_without_fingerprint"] > 30


def test_density_prints_figure_3(run: Run) -> None:
    lines = run("lab", "density", *SMALL).out.splitlines()

    assert lines[0] == "Figure 3 on 5,000 random letters, seed 1: k = 20, w = 30"
    assert [line.split("  ")[1] for line in lines[2:5]] == [
        *("total bytes", "text bytes", "hashes computed"),
    ]
    assert "odds of the longest run" in lines[8]


def test_a_seed_repeats_an_experiment_to_the_digit(run: Run) -> None:
    once, again, other = (
        run("lab", "density", *SMALL, "--seed", seed, "--json", "-").out for seed in ("1", "1", "2")
    )

    assert once == again != other


def test_density_reads_files_as_tokens_where_a_language_is_given(run: Run, tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("total = other + 5  # a comment of many letters\n" * 9)

    density = json.loads(
        run("lab", "density", "a.py", *("-l", "python", "-k", "3", "-w", "4", "--json", "-")).out
    )

    assert density["text_bytes"] == 5 * 9


# --- select --------------------------------------------------------------------------------------


def test_select_sets_the_algorithms_side_by_side(run: Run, tmp_path: Path) -> None:
    run("lab", "select", *SMALL, "--csv", "s.csv", "-q")

    with (tmp_path / "s.csv").open(newline="") as file:
        rows = [row for row in csv.reader(file) if row]
    assert rows[0] == ["mosslite lab select"]
    assert [row[0] for row in rows[3:10]] == [
        *("winnowing", "robust winnowing", "0 mod 15", "Safe 0 mod 9", "100 smallest"),
        *("every 30th", "anchors"),
    ]


# --- results -------------------------------------------------------------------------------------


def test_plots_are_pictures_with_their_numbers_beside_them(run: Run, tmp_path: Path) -> None:
    arguments = ("lab", "select", *SMALL, "--plots", "plots", "-q")
    assert run(*arguments) == Outcome(0, "", "")

    plots = tmp_path / "plots"
    assert sorted(path.name for path in plots.iterdir()) == [
        f"select.{kind}" for kind in ("csv", "json", "png", "svg")
    ]
    numbers = run("lab", "select", *SMALL, "-q", "--json", "-").out
    assert (plots / "select.json").read_text() == numbers
    assert "<script" not in (plots / "select.svg").read_text()


def test_a_picture_takes_the_place_of_an_older_one_but_of_nothing_else(
    run: Run, tmp_path: Path
) -> None:
    (tmp_path / "plots").mkdir()
    (tmp_path / "plots" / "density.svg").write_text("<svg>my own</svg>")

    assert run("lab", "density", *SMALL, "--plots", "plots") == refusal(
        f"'plots{os.sep}density.svg' exists and is not a result of --plots: give another file"
    )
    assert run("lab", "select", *SMALL, "--plots", "plots", "-q").code == 0
    assert run("lab", "select", *SMALL, "--plots", "plots", "-q").code == 0
    assert run("lab", "select", *SMALL, "--plots", "no/plots", "-q").code == 2


@pytest.mark.parametrize(
    ("arguments", "package"),
    [
        (("hashes", "--random", "900"), "scipy"),
        (("frequency", "--random", "900"), "scipy"),
        (("distributions",), "scipy"),
        (("density", *SMALL, "--plots", "plots"), "matplotlib"),
    ],
)
def test_without_the_extra_one_line_says_what_to_install(
    run: Run, monkeypatch: pytest.MonkeyPatch, arguments: tuple[str, ...], package: str
) -> None:
    monkeypatch.setattr("mosslite.cli.commands.find_spec", lambda name: None)
    assert run("lab", *arguments) == refusal(
        f"this experiment needs {package}: in a checkout, pip install '.[lab]'"
    )


def test_what_needs_no_extra_runs_without_it() -> None:
    program = (
        "import sys; sys.modules.update(scipy=None, matplotlib=None)\n"
        "from mosslite.cli import main\n"
        f"sys.argv[1:] = ['lab', 'density', *{SMALL}]\n"
        "main()\n"
    )
    done = subprocess.run([sys.executable, "-c", program], check=False, capture_output=True)
    assert (done.returncode, done.stderr) == (0, b"")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no device that is always full")
def test_where_one_result_cannot_be_written_the_others_still_are(run: Run, tmp_path: Path) -> None:
    outcome = run("lab", "density", *SMALL, "-q", "--json", "/dev/full", "--csv", "d.csv")

    assert outcome == refusal("cannot write '/dev/full': no space left on device")
    assert (tmp_path / "d.csv").read_text(encoding="utf-8").startswith("mosslite lab density")


def test_a_result_takes_the_place_of_an_older_one_but_of_nothing_else(
    run: Run, tmp_path: Path
) -> None:
    (tmp_path / "essay.txt").write_text("my own words")

    assert run("lab", "density", *SMALL, "--json", "essay.txt") == refusal(
        "'essay.txt' exists and is not a result of --json: give another file"
    )
    for _ in range(2):
        assert run("lab", "density", *SMALL, "-q", "--json", "d.json", "--csv", "d.csv").code == 0


@table("arguments", "message")
def test_what_cannot_be_done_is_said_in_one_line(run: Run, arguments: str, message: str) -> None:
    assert run("lab", "density", *shlex.split(arguments)) == refusal(message)


@table("arguments", "message")
def test_a_number_that_means_nothing_is_refused(run: Run, arguments: str, message: str) -> None:
    assert run("lab", *shlex.split(arguments)) == refusal(message)


@pytest.mark.parametrize("p", [10**17, 2**64 - 1])
def test_hardly_a_hash_is_0_mod_the_greatest_p(run: Run, p: int) -> None:
    result = run("lab", "density", "--random", "999", "-p", str(p), "-q", "--json", "-")
    mod_p = json.loads(result.out)["mod_p"]
    assert (mod_p["fingerprints"], mod_p["expected_longest_run"]) == (0, 0)


def test_a_folder_whose_name_no_folder_can_have_is_not_a_folder_of_programs(run: Run) -> None:
    assert run("lab", "tune", "a" * 300) == refusal(f"'{'a' * 300}' does not exist")


def test_an_unknown_experiment_is_reported(run: Run) -> None:
    assert run("lab", "alchemy").code == 2


@pytest.mark.parametrize(
    "again", [["work"], ["./work/"], ["work/ann.py"], ["work/../work/ann.py", "work/ben.py"]]
)
def test_a_corpus_that_is_given_twice_counts_once(
    run: Run, tmp_path: Path, again: list[str]
) -> None:
    write_files(tmp_path, {"work/ann.py": QUEUE, "work/ben.py": PRIMES})
    once = run("lab", "density", "-k", "5", "-w", "10", "work").out

    outcome = run("lab", "density", "-k", "5", "-w", "10", "work", *again)

    lines = outcome.out.splitlines()
    told = [line for line in lines if line.startswith("skipped: ")]
    assert told
    assert all(line.endswith(".py is given twice") for line in told)
    assert lines[1 : -len(told)] == once.splitlines()[1:]


# --- start and end -------------------------------------------------------------------------------


@pytest.mark.skipif(not UNREADABLE.exists(), reason="has no file that nobody can read")
@pytest.mark.parametrize("options", [[], ["-l", "python"]])
def test_a_file_that_only_looks_readable_is_reported_in_one_line(
    run: Run, options: list[str]
) -> None:
    outcome = run("lab", "density", UNREADABLE, *options)
    message = f"mosslite: '{UNREADABLE}' cannot be read: input/output error\n"
    assert (outcome.code, outcome.err) == (2, message)


def test_the_laboratory_is_loaded_only_when_it_is_asked_for() -> None:
    program = (
        "import sys; from mosslite.cli.commands import commands\n"
        "try: commands.main(['--version'], standalone_mode=False)\n"
        "finally: assert not [m for m in sys.modules if m.startswith('mosslite.lab')]\n"
    )
    subprocess.run([sys.executable, "-c", program], check=True, capture_output=True)


@pytest.mark.skipif(os.name == "nt", reason="there are no alarms")
def test_an_interrupt_ends_an_experiment_with_one_line() -> None:
    program = (
        "import signal, sys; import mosslite.cli.lab; from mosslite.cli import main\n"
        "signal.signal(signal.SIGINT, signal.default_int_handler)\n"
        "signal.signal(signal.SIGALRM, lambda *_: signal.raise_signal(signal.SIGINT))\n"
        "signal.setitimer(signal.ITIMER_REAL, 0.2)\n"
        "sys.argv[1:] = ['lab', 'density', '--random', '400000000000']\n"
        "main()\n"
    )

    done = subprocess.run([sys.executable, "-c", program], check=False, capture_output=True)

    assert (done.returncode, done.stdout) == (130, b"")
    assert done.stderr == b"\nmosslite: interrupted, nothing more is written\n"


# --- frequency and distributions -----------------------------------------------------------------


def test_frequency_writes_both_spectra(run: Run) -> None:
    arguments = ("lab", "frequency", "--random", "5000", "-k", "2", "-w", "10", "--json", "-")
    frequency = json.loads(run(*arguments).out)

    assert frequency["all"]["occurrences"] == 4999
    assert frequency["selected"]["occurrences"] < 1500
    assert len(frequency["most_common"]) == 10


def test_distributions_need_no_corpus(run: Run) -> None:
    arguments = ("lab", "distributions", "--hashes", "9000", "--runs", "2", "-w", "10")
    analysis = json.loads(run(*arguments, "--json", "-").out)

    assert [each["distribution"] for each in analysis["artificial"]["deviations"]] == [
        *("uniform", "normal", "exponential"),
    ]
    assert analysis["text"] is None


def test_distributions_measure_a_corpus_too(run: Run, tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("once upon a time there was an egg " * 40)
    arguments = ("lab", "distributions", "a.txt", "--hashes", "900", "--runs", "2", "-w", "1")

    analysis = json.loads(run(*arguments, "--json", "-").out)

    assert [each["k"] for each in analysis["text"]["deviations"]] == [16, 32, 48, 64]


def test_hashes_are_the_same_in_every_run_but_for_their_speed(run: Run) -> None:
    arguments = ("lab", "hashes", "--random", "3000", "-k", "5", "--json", "-")
    once, again, timed = (json.loads(run(*arguments, *more).out) for more in ((), (), ("--speed",)))

    assert once == again
    assert all(each["nanoseconds"] > 0 for each in timed["functions"])
