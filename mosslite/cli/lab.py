"""``mosslite lab``: the papers' experiments, whose tables are printed and written to files."""

import math
import time
from collections.abc import Callable, Iterator, Sequence
from functools import reduce, wraps
from pathlib import Path
from typing import Any, Final

import click

from mosslite.cli.commands import Commands, require_installed
from mosslite.cli.files import ResultFiles, require_folder_of, require_own, write_each
from mosslite.cli.options import FOLDER, option, shared
from mosslite.cli.terminal import ExitCode, ProgressBar, print_lines, printable, table
from mosslite.errors import OptionError
from mosslite.intake.listing import shown_name
from mosslite.lab.density import (
    compare_algorithms,
    measure_density,
    sheet_of_comparison,
    sheet_of_density,
)
from mosslite.lab.distributions import (
    analysis_of,
    measure_distributions,
    measure_real_text,
    sheet_of_analysis,
)
from mosslite.lab.frequency import measure_frequency, sheet_of_frequency
from mosslite.lab.hashes import measure_hashes, sheet_of_hashes
from mosslite.lab.programs import labelled_pairs, planted_pairs, programs_below, with_base
from mosslite.lab.rankers import LabelledSet, Parameters, sheet_of_rankings
from mosslite.lab.rankers import rank as rank_sets
from mosslite.lab.sheets import Sheet, Values, picture_of, shown, to_csv, to_json
from mosslite.lab.streams import Source, files_below, random_text
from mosslite.lab.tune import Grid, sheet_of_tunings
from mosslite.lab.tune import tune as measure
from mosslite.languages import Language, find_language
from mosslite.options import CODE_DEFAULTS, at_least
from mosslite.records import Progress
from mosslite.signatures import Signature

_Decorator = Callable[[Any], Any]


@click.group(cls=Commands, no_args_is_help=False)
def lab() -> None:
    """Repeat the papers' experiments on any corpus; find the best k and t.

    \b
    Examples:
      mosslite lab density essays/
      mosslite lab select --random 1000000
    """  # noqa: D301 - the escape is click's, for lines to be left as they are


def _all_of(*decorators: _Decorator) -> _Decorator:
    """Return a decorator that adds options in the order of the help."""
    return lambda command: reduce(lambda made, add: add(made), reversed(decorators), command)


# By option, or parameter: what a number is in the message that it is too small, and the least.
_NUMBERS: Final = {
    "-k": ("noise threshold", 1),
    "-w": ("window", 1),
    "-p": ("p of 0 mod p", 1),
    "-n": ("number of smallest hashes", 1),
    "most": ("number of common strings", 0),
    "-m": ("sharing limit", 1),
    "--random": ("size of random text", 1),
    "--sample": ("sample", 1),
    "--hashes": ("number of hashes", 1),
    "--runs": ("number of runs", 2),
    "--copies": ("number of copies", 1),
    "--seed": ("seed", 0),
}


def _number(names: str, help: str, default: int | tuple[int, ...] | None = None) -> _Decorator:
    """Add an option that takes a number, and can be repeated if the default is several."""
    first, *others = names.split()
    what, least = _NUMBERS[first if not others or others[-1] not in _NUMBERS else others[-1]]

    def checked(_context: object, _option: object, given: Any) -> Any:
        for value in given if isinstance(given, tuple) else [given]:
            at_least(least, f"{what} ({first})", value, most=math.inf)
        return given

    several = isinstance(default, tuple)
    return option(
        names, help, type=int, multiple=several, metavar="N", default=default, callback=checked
    )


def _language(help: str) -> _Decorator:
    return option(
        "-l --language",
        help,
        metavar="NAME",
        callback=lambda _context, _option, name: None if name is None else find_language(name),
    )


_SPEED: Final = option(
    "--speed clock",
    "Also measure speed, which varies from run to run.",
    is_flag=True,
    callback=lambda _context, _option, given: time.perf_counter if given else None,
)
_OUTPUTS: Final = _all_of(
    shared("json", "csv"),
    option(
        "--plots",
        "Write the plots as PNG and SVG, and their numbers as JSON and CSV.",
        type=FOLDER,
        metavar="DIR",
    ),
    shared("quiet"),
)
_SEED: Final = _number("--seed", "Seed of the random numbers.", default=1)
_CORPUS: Final = _all_of(
    _OUTPUTS,
    click.argument("paths", nargs=-1, metavar="[CORPUS]..."),
    _number("--random random_size", "Use N random letters instead of files."),
    _SEED,
    _language("Compare tokens of this language instead of letters and digits."),
)
_WINDOW: Final = _number("-w", "Window, in k-grams.", default=100)
_KGRAMS: Final = _all_of(
    _WINDOW, _number("-k", "Noise threshold, in symbols.", default=50), _CORPUS
)
_LANGUAGE: Final = _language("Language of all files.  [default: detected per file]")


def _corpus_of(given: dict[str, Any], *, is_needed: bool) -> Source | None:
    """Take the options of a corpus: files as text or as tokens, or random letters.

    Raises:
        MossliteError: There is none, though it is needed, or more than one.
    """
    paths, size, language = (given.pop(name) for name in ("paths", "random_size", "language"))
    seed = given.pop("seed") if is_needed else given["seed"]
    if size is not None:
        if paths or language is not None:
            msg = "--random cannot be used with files or -l: remove one of them"
            raise OptionError(msg)
        return random_text(size, seed)
    if paths:
        return files_below(paths, language)
    if is_needed:
        msg = "no corpus: give files or folders, or --random N"
        raise OptionError(msg)
    return None


def _require(packages: Sequence[str]) -> None:
    names = " and ".join(packages)
    require_installed(
        packages, f"this experiment needs {names}: in a checkout, pip install '.[lab]'"
    )


# First bytes of each kind of result; only such files are overwritten.
_SIGNATURES: Final = {"--json": Signature.LAB_JSON, "--csv": Signature.LAB_CSV}
_NO_FILE: Final = b"\0"


def _experiment(
    sheet_of: Callable[[Values], Sheet], *needed: str, needs_corpus: bool = True
) -> Callable[[Callable[..., Values]], click.Command]:
    """Make an experiment a command of ``lab``, which prints its tables and writes its results.

    The experiment is called with the options of the command, except those of outputs and corpus;
    with ``progress``, and with the ``source`` that is its corpus, if it can have one.

    Args:
        sheet_of: Converts the result to tables and plots.
        needed: Packages that must be installed.
        needs_corpus: It cannot do without the corpus; one that can is also given the ``seed``.
    """

    def command_of(experiment: Callable[..., Values]) -> click.Command:
        @wraps(experiment)
        def run(**given: Any) -> int:
            _require(needed)
            plots, is_quiet = given.pop("plots"), given.pop("quiet")
            files = ResultFiles.of({name: given.pop(name) for name in ("json", "csv")}, _SIGNATURES)
            in_folder = _in_folder(plots)
            if "paths" in given:
                given["source"] = _corpus_of(given, is_needed=needs_corpus)
            skipped = given["source"].skipped if given.get("source") else ()
            with ProgressBar(is_shown=not is_quiet) as progress:
                result = experiment(progress=progress, **given)
            sheet = sheet_of(result)
            if not is_quiet:
                print_lines(_lines(sheet, skipped), files.stream)
            _write(sheet, result, files, in_folder)
            return ExitCode.DONE

        return lab.command()(run)

    return command_of


def _write(sheet: Sheet, result: Values, files: ResultFiles, in_folder: dict[str, str]) -> None:
    contents: dict[str, Callable[[], str | bytes]] = {
        "--json": lambda: to_json(sheet.name, result),
        "--csv": lambda: to_csv(sheet),
        "png": lambda: picture_of(sheet, "png"),
        "svg": lambda: picture_of(sheet, "svg"),
    }
    if in_folder:
        Path(in_folder["--json"]).parent.mkdir(exist_ok=True)
    write_each([*ResultFiles(in_folder).writers(contents), *files.writers(contents)])


def _in_folder(folder: str | None) -> dict[str, str]:
    """Return the files of --plots by kind, once they can be written."""
    if folder is None:
        return {}
    _require(["matplotlib"])
    require_folder_of(folder)
    name = click.get_current_context().info_name
    kinds = {"--json": "json", "--csv": "csv", "png": "png", "svg": "svg"}
    files = {kind: str(Path(folder, f"{name}.{suffix}")) for kind, suffix in kinds.items()}
    # Pictures are ours if they are beside our results.
    is_new = not Path(files["--json"]).exists()
    for kind, target in files.items():
        if is_new or kind in _SIGNATURES:
            require_own(
                target, "result of --plots", _SIGNATURES.get(kind, _NO_FILE), made=Path(folder)
            )
    return files


def _lines(sheet: Sheet, skipped: tuple[str, ...]) -> Iterator[str]:
    for number, each in enumerate(sheet.tables):
        if number:
            yield ""
        yield printable(each.title)
        rows = [[shown(cell, each.decimals) for cell in row] for row in each.rows]
        yield from (f"  {line}" for line in table(each.headings, rows, left=each.words))
        if each.note:
            yield f"  ({each.note})"
    yield from (f"skipped: {printable(left_out)}" for left_out in skipped)
    if sheet.advice:
        yield ""
        yield from (f"advice for {printable(each)}" for each in sheet.advice)


@_experiment(sheet_of_density)
@_number("-p", "Modulus of 0 mod p.  [default: as dense as winnowing]")
@_KGRAMS
def density(**given: Any) -> Values:
    """Measure how many k-grams are selected, as in the winnowing paper's Figure 3.

    Applies winnowing, robust winnowing and 0 mod p to the k-grams of all files concatenated:
    letters and digits, or with -l the tokens of a language.

    \b
    Examples:
      mosslite lab density essays/
      mosslite lab density --random 8000000 -k 50 -w 100 --json density.json
    """  # noqa: D301 - the escape is click's, for lines to be left as they are
    return measure_density(**given)


@_experiment(sheet_of_comparison)
@_number("-n", "Number of smallest hashes per document.", default=100)
@_KGRAMS
def select(**given: Any) -> Values:
    """Compare selection algorithms: number of fingerprints, and passages missed.

    \b
    Example:
      mosslite lab select essays/ -k 50 -w 100
    """  # noqa: D301 - the escape is click's, for lines to be left as they are
    return compare_algorithms(**given)


@_experiment(sheet_of_frequency, "scipy")
@_number("-n most", "Number of most common strings to show.", default=10)
@_KGRAMS
def frequency(**given: Any) -> Values:
    """Measure how often k-grams occur, by rank, as in the winnowing paper's Figure 4.

    Shows all k-grams and those that robust winnowing selects, the line through the end points of
    plateaus, and the most common strings.

    \b
    Example:
      mosslite lab frequency essays/ --plots frequency/
    """  # noqa: D301 - the escape is click's, for lines to be left as they are
    return measure_frequency(**given)


@_experiment(sheet_of_hashes, "scipy")
@_SPEED
@_number("--sample", "Number of symbols to hash.", default=200_000)
@_WINDOW
@_number("-k", "Length of k-grams, in symbols.", default=50)
@_CORPUS
def hashes(**given: Any) -> Values:
    """Compare hash functions of k-grams: collisions, uniformity, speed.

    Compares Karp and Rabin's H and the winnowing paper's improved H', each with a small and a
    large base, mosslite's own, and BLAKE2b as a reference.

    \b
    Example:
      mosslite lab hashes --random 200000 --speed
    """  # noqa: D301 - the escape is click's, for lines to be left as they are
    del given["progress"]
    return measure_hashes(**given)


@_experiment(sheet_of_analysis, "scipy", needs_corpus=False)
@_number("-w windows", "Window, in k-grams; repeatable.", default=(10, 20, 50, 100, 200))
@_number("-k ks", "Length of k-grams in the corpus; repeatable.", default=(16, 32, 48, 64))
@_number("--runs", "Runs per distribution; the paper's: 100.", default=10)
@_number("--hashes", "Hashes per run; the paper's: 100000000.", default=10_000_000)
@_CORPUS
def distributions(
    source: Source | None, ks: tuple[int, ...], progress: Progress, **given: Any
) -> Values:
    """Measure density when hashes are not uniform: tables and figures of the density analysis.

    Compares uniform, normal and exponential hashes by t-tests. If a corpus is given, also measures
    the density, the frequencies and the ties of its k-grams.

    \b
    Examples:
      mosslite lab distributions
      mosslite lab distributions essays/ --hashes 100000000 --runs 100
    """  # noqa: D301 - the escape is click's, for lines to be left as they are
    text = None
    if source is not None:
        text = measure_real_text(source, ks, given["windows"], progress=progress)
    return analysis_of(measure_distributions(**given, progress=progress), text)


@_experiment(sheet_of_tunings)
@click.argument("folder", metavar="FOLDER")
@click.option(
    "--labels",
    metavar="FILE",
    help="Use labelled pairs from a CSV file with columns a, b and label (1 = copy, 0 = honest).",
)
@_LANGUAGE
@shared("base")
@_number("-m --max-sharing", "Exclude fingerprints that more than N programs share.", default=10)
@_number(
    "-k ks", "Noise threshold, in tokens; repeatable.", default=(4, 6, 8, 10, 12, 14, 16, 20, 25)
)
@_number(
    "-w windows",
    "Window, in k-grams; repeatable. Every k is tried with the first window, the middle k "
    "with all.",
    default=(CODE_DEFAULTS.window, 1, 5, 17, 33),
)
@_number("--copies", "Number of disguised copies of each kind.", default=12)
@_SEED
@_SPEED
@_OUTPUTS
def tune(folder: str, labels: str | None, progress: Progress, **given: Any) -> Values:
    """Find the best k and t for your assignment: recall, precision and size of the index.

    Each file or folder in FOLDER is assumed to be an honest program. Disguised copies of some are
    added; the tables show at which k they are found, which disguises hide them, and whether
    p-match would do better. With --labels, real pairs are used instead.

    \b
    Examples:
      mosslite lab tune submissions/ -b template.py --plots tuned/
      mosslite lab tune files/ --labels pairs.csv
    """  # noqa: D301 - the escape is click's, for lines to be left as they are
    grid = Grid(given["ks"], given["windows"], given["max_sharing"])
    asked, clock = given["language"], given["clock"]
    if labels is not None:
        sets = labelled_pairs(folder, labels, asked)
    else:
        sets = [
            planted_pairs(each, programs, copies=given["copies"], seed=given["seed"])
            for each, programs in programs_below(folder, asked).items()
        ]
    tried = [
        measure(with_base(each, given["base"]), grid, clock=clock, progress=progress)
        for each in sets
    ]
    return {"source": shown_name(folder), "languages": tried}


@_experiment(sheet_of_rankings)
@click.argument("sets", nargs=-1, required=True, metavar="SET...")
@_LANGUAGE
@_number(
    "-m --max-sharing",
    "For MOSS' count: exclude fingerprints that more than N programs share.",
    default=10,
)
@_number("-n", "Number of smallest hashes per program.", default=100)
@_number("-w", "Window, in k-grams; 0 mod p is made as dense.", default=CODE_DEFAULTS.window)
@_number("-k", "Noise threshold, in tokens.", default=CODE_DEFAULTS.noise)
@_OUTPUTS
def rank(
    sets: tuple[str, ...], language: Language | None, progress: Progress, **given: Any
) -> Values:
    """Compare published similarity measures on labelled pairs: which ranks copies first.

    Compares COPS, SCAM, 0 mod p, the n smallest, resemblance and containment, winnowing, p-match,
    and mosslite's own score. Each SET is a folder with files/ and pairs.csv, whose columns are a,
    b, label (1 = copy, 0 = honest) and, for several assignments, task.

    \b
    Example:
      mosslite lab rank spring/ autumn/ --plots rankings/
    """  # noqa: D301 - the escape is click's, for lines to be left as they are
    parameters = Parameters(given["k"], given["w"], given["n"], given["max_sharing"])
    read = []
    for folder in map(Path, sets):
        files, labels = str(folder / "files"), str(folder / "pairs.csv")
        tasks = labelled_pairs(files, labels, language, by_task=True)
        name = shown_name(folder.name or str(folder))
        read.append(LabelledSet(name, files, tasks, language))
    return rank_sets(read, parameters, progress=progress)
