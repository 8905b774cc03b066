"""``mosslite lab``: the papers' experiments, whose tables are printed and written to files."""

import time
from collections.abc import Callable, Iterator
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from mosslite.cli.commands import Commands
from mosslite.cli.files import ResultFiles, require_folder_of, require_own, write_each, write_file
from mosslite.cli.options import FOLDER, RESULTS, RUNNING, SUBMISSIONS, AnyCommand
from mosslite.cli.terminal import ExitCode, ProgressBar, printable, table, writing_to
from mosslite.errors import InputError, OptionError
from mosslite.intake.listing import shown_name
from mosslite.lab.comparison import compare_algorithms, sheet_of_comparison
from mosslite.lab.corpora import RandomText, files_below
from mosslite.lab.density import measure_density, sheet_of_density
from mosslite.lab.distributions import (
    Analysis,
    Plan,
    analysis_of,
    measure_distributions,
    measure_real_text,
    sheet_of_analysis,
)
from mosslite.lab.frequency import measure_frequency, sheet_of_frequency
from mosslite.lab.hashes import measure_hashes, sheet_of_hashes
from mosslite.lab.programs import (
    labelled_pairs,
    labelled_tasks,
    planted_pairs,
    programs_below,
    with_base,
)
from mosslite.lab.rankers import LabelledSet, Parameters, Rankings, sheet_of_rankings
from mosslite.lab.rankers import rank as rank_sets
from mosslite.lab.selectors import Source
from mosslite.lab.sheets import Sheet, shown, to_csv, to_json
from mosslite.lab.tune import Grid, Tunings, sheet_of_tunings
from mosslite.lab.tune import tune as measure
from mosslite.languages import Language, find_language
from mosslite.options import CODE_DEFAULTS, at_least
from mosslite.output_signatures import Signature
from mosslite.records import Progress

if TYPE_CHECKING:
    from _typeshed import DataclassInstance


@click.group(cls=Commands, no_args_is_help=False)
def lab() -> None:
    """Repeat the papers' experiments on any corpus; find the best k and t.

    \b
    Examples:
      mosslite lab density essays/
      mosslite lab select --random 1000000
    """  # noqa: D301 - the escape is click's, for lines to be left as they are


def _number(
    *names: str, default: int | tuple[int, ...], help: str
) -> Callable[[AnyCommand], AnyCommand]:
    """Add an option that takes a number, and can be repeated if the default is several."""
    is_repeatable = isinstance(default, tuple)
    return click.option(
        *names, type=int, default=default, multiple=is_repeatable, show_default=True, help=help
    )


_SPEED: Final = click.option(
    "--speed", is_flag=True, help="Also measure speed, which varies from run to run."
)


def _corpus_options(command: AnyCommand) -> AnyCommand:
    """Add the options of a corpus and of outputs."""
    for add in (
        click.option(
            "-l",
            "--language",
            metavar="NAME",
            help="Compare tokens of this language instead of letters and digits.",
        ),
        _number("--seed", default=1, help="Seed of the random numbers."),
        click.option(
            "--random",
            "random_size",
            type=int,
            metavar="N",
            help="Use N random letters instead of files.",
        ),
        click.argument("paths", nargs=-1, metavar="[CORPUS]..."),
    ):
        command = add(command)
    return _output_options(command)


def _output_options(command: AnyCommand) -> AnyCommand:
    """Add the options of outputs."""
    for add in (
        RUNNING.only("quiet"),
        click.option(
            "--plots",
            type=FOLDER,
            metavar="DIR",
            help="Write the plots as PNG and SVG, and their numbers as JSON and CSV.",
        ),
        RESULTS.only("json", "csv"),
    ):
        command = add(command)
    return command


def _source_of(given: dict[str, Any]) -> Source:
    """Return the corpus given: files as text or as tokens, or random letters.

    Raises:
        MossliteError: There is none, or more than one.
    """
    paths, size, language = given["paths"], given["random_size"], given["language"]
    if size is not None:
        if paths or language is not None:
            msg = "--random cannot be used with files or -l: remove one of them"
            raise OptionError(msg)
        return RandomText(size, given["seed"])
    if not paths:
        msg = "no corpus: give files or folders, or --random N"
        raise OptionError(msg)
    return files_below(paths, None if language is None else find_language(language))


def _require_extra(*packages: str) -> None:
    """Check that the packages of the extra are installed.

    Raises:
        InputError: One is not; tells how to install it.
    """
    if any(find_spec(name) is None for name in packages):
        names = " and ".join(packages)
        msg = f"this experiment needs {names}: in a checkout, pip install '.[lab]'"
        raise InputError(msg)


# First bytes of each kind of result; only such files are overwritten.
_SIGNATURES: Final = {"--json": Signature.LAB_JSON, "--csv": Signature.LAB_CSV}
_NO_FILE: Final = b"\0"


def _run(
    given: dict[str, Any],
    experiment: "Callable[[Progress], DataclassInstance]",
    sheet_of: Callable[[Any], Sheet],
    *,
    skipped: tuple[str, ...] = (),
) -> int:
    """Run an experiment, print its tables, and write its results.

    Args:
        given: Output locations.
        experiment: The experiment, called with a progress callback.
        sheet_of: Converts the result to tables and plots.
        skipped: Files left out, each with the reason.

    Raises:
        MossliteError: The experiment fails, or a result cannot be written.
    """
    files = ResultFiles.of(given, _SIGNATURES)
    in_folder = _in_folder(given["plots"])
    with ProgressBar(is_shown=not given["quiet"]) as progress:
        result = experiment(progress)
    sheet = sheet_of(result)
    if not given["quiet"]:
        with writing_to(files.stream):
            for line in _lines(sheet, skipped):
                click.echo(line, files.stream)
    contents = {"--json": lambda: to_json(sheet.name, result), "--csv": lambda: to_csv(sheet)}
    writers: list[Callable[[], object]] = []
    if in_folder:
        from mosslite.lab.plots import picture_of  # noqa: PLC0415 - an optional extra

        Path(in_folder["--json"]).parent.mkdir(exist_ok=True)
        writers += ResultFiles({each: in_folder[each] for each in contents}).writers(contents)
        pictures = {kind: picture_of(sheet, kind) for kind in ("png", "svg")}
        writers += [partial(write_file, in_folder[kind], pictures[kind]) for kind in pictures]
    write_each([*writers, *files.writers(contents)])
    return ExitCode.DONE


def _in_folder(folder: str | None) -> dict[str, str]:
    """Return the files of --plots by kind, once they can be written."""
    if folder is None:
        return {}
    _require_extra("matplotlib")
    require_folder_of(folder)
    name = click.get_current_context().info_name
    kinds = {"--json": "json", "--csv": "csv", "png": "png", "svg": "svg"}
    files = {kind: str(Path(folder, f"{name}.{suffix}")) for kind, suffix in kinds.items()}
    # Pictures are ours if they are beside our results.
    is_new = not Path(files["--json"]).exists()
    for kind, target in files.items():
        if is_new or kind in _SIGNATURES:
            require_own(target, "result of --plots", _SIGNATURES.get(kind, _NO_FILE))
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


@lab.command()
@click.option("-p", type=int, help="Modulus of 0 mod p.  [default: as dense as winnowing]")
@_number("-w", default=100, help="Window, in k-grams.")
@_number("-k", default=50, help="Noise threshold, in symbols.")
@_corpus_options
def density(k: int, w: int, p: int | None, **given: Any) -> int:
    """Measure how many k-grams are selected, as in the winnowing paper's Figure 3.

    Applies winnowing, robust winnowing and 0 mod p to the k-grams of all files concatenated:
    letters and digits, or with -l the tokens of a language.

    \b
    Examples:
      mosslite lab density essays/
      mosslite lab density --random 8000000 -k 50 -w 100 --json density.json
    """  # noqa: D301 - the escape is click's, for lines to be left as they are
    source = _source_of(given)
    return _run(
        given,
        lambda progress: measure_density(source, k, w, p=p, progress=progress),
        sheet_of_density,
        skipped=source.skipped,
    )


@lab.command()
@_number("-n", default=100, help="Number of smallest hashes per document.")
@_number("-w", default=100, help="Window, in k-grams.")
@_number("-k", default=50, help="Noise threshold, in symbols.")
@_corpus_options
def select(k: int, w: int, n: int, **given: Any) -> int:
    """Compare selection algorithms: number of fingerprints, and passages missed.

    \b
    Example:
      mosslite lab select essays/ -k 50 -w 100
    """  # noqa: D301 - the escape is click's, for lines to be left as they are
    source = _source_of(given)
    return _run(
        given,
        lambda progress: compare_algorithms(source, k, w, n=n, progress=progress),
        sheet_of_comparison,
        skipped=source.skipped,
    )


@lab.command()
@_number("-n", "most", default=10, help="Number of most common strings to show.")
@_number("-w", default=100, help="Window, in k-grams.")
@_number("-k", default=50, help="Noise threshold, in symbols.")
@_corpus_options
def frequency(k: int, w: int, most: int, **given: Any) -> int:
    """Measure how often k-grams occur, by rank, as in the winnowing paper's Figure 4.

    Shows all k-grams and those that robust winnowing selects, the line through the end points of
    plateaus, and the most common strings.

    \b
    Example:
      mosslite lab frequency essays/ --plots frequency/
    """  # noqa: D301 - the escape is click's, for lines to be left as they are
    _require_extra("scipy")
    source = _source_of(given)
    return _run(
        given,
        lambda progress: measure_frequency(source, k, w, most=most, progress=progress),
        sheet_of_frequency,
        skipped=source.skipped,
    )


@lab.command()
@_SPEED
@_number("--sample", default=200_000, help="Number of symbols to hash.")
@_number("-w", default=100, help="Window, in k-grams.")
@_number("-k", default=50, help="Length of k-grams, in symbols.")
@_corpus_options
def hashes(k: int, w: int, sample: int, speed: bool, **given: Any) -> int:
    """Compare hash functions of k-grams: collisions, uniformity, speed.

    Compares Karp and Rabin's H and the winnowing paper's improved H', each with a small and a
    large base, mosslite's own, and BLAKE2b as a reference.

    \b
    Example:
      mosslite lab hashes --random 200000 --speed
    """  # noqa: D301 - the escape is click's, for lines to be left as they are
    _require_extra("scipy")
    source = _source_of(given)
    clock = time.perf_counter if speed else None
    return _run(
        given,
        lambda _: measure_hashes(source, k, w, sample=sample, clock=clock),
        sheet_of_hashes,
        skipped=source.skipped,
    )


@lab.command()
@_number("-w", "windows", default=(10, 20, 50, 100, 200), help="Window, in k-grams; repeatable.")
@_number("-k", "ks", default=(16, 32, 48, 64), help="Length of k-grams in the corpus; repeatable.")
@_number("--runs", default=10, help="Runs per distribution; the paper's: 100.")
@_number("--hashes", default=10_000_000, help="Hashes per run; the paper's: 100000000.")
@_corpus_options
def distributions(
    hashes: int,
    runs: int,
    ks: tuple[int, ...],
    windows: tuple[int, ...],
    **given: Any,
) -> int:
    """Measure density when hashes are not uniform: tables and figures of the density analysis.

    Compares uniform, normal and exponential hashes by t-tests. If a corpus is given, also measures
    the density, the frequencies and the ties of its k-grams.

    \b
    Examples:
      mosslite lab distributions
      mosslite lab distributions essays/ --hashes 100000000 --runs 100
    """  # noqa: D301 - the escape is click's, for lines to be left as they are
    _require_extra("scipy")
    plan = Plan(hashes, runs, windows, given["seed"])
    has_corpus = given["paths"] or given["random_size"] is not None
    source = _source_of(given) if has_corpus else None

    def experiment(progress: Progress) -> Analysis:
        text = measure_real_text(source, ks, windows, progress=progress) if source else None
        return analysis_of(measure_distributions(plan, progress=progress), text)

    skipped = source.skipped if source else ()
    return _run(given, experiment, sheet_of_analysis, skipped=skipped)


@lab.command()
@click.argument("folder", metavar="FOLDER")
@click.option(
    "--labels",
    metavar="FILE",
    help="Use labelled pairs from a CSV file with columns a, b and label (1 = copy, 0 = honest).",
)
@click.option(
    "-l", "--language", metavar="NAME", help="Language of all files.  [default: detected per file]"
)
@SUBMISSIONS.only("base")
@_number(
    "-m", "--max-sharing", default=10, help="Exclude fingerprints that more than N programs share."
)
@_number(
    "-k",
    "ks",
    default=(4, 6, 8, 10, 12, 14, 16, 20, 25),
    help="Noise threshold, in tokens; repeatable.",
)
@_number(
    "-w",
    "windows",
    default=(CODE_DEFAULTS.window, 1, 5, 17, 33),
    help="Window, in k-grams; repeatable. Every k is tried with the first window, the middle k "
    "with all.",
)
@_number("--copies", default=12, help="Number of disguised copies of each kind.")
@_number("--seed", default=1, help="Seed of the random numbers.")
@_SPEED
@_output_options
def tune(
    folder: str,
    labels: str | None,
    language: str | None,
    base: tuple[str, ...],
    max_sharing: int,
    ks: tuple[int, ...],
    windows: tuple[int, ...],
    copies: int,
    seed: int,
    speed: bool,
    **given: Any,
) -> int:
    """Find the best k and t for your assignment: recall, precision and size of the index.

    Each file or folder in FOLDER is assumed to be an honest program. Disguised copies of some are
    added; the tables show at which k they are found, which disguises hide them, and whether
    p-match would do better. With --labels, real pairs are used instead.

    \b
    Examples:
      mosslite lab tune submissions/ -b template.py --plots tuned/
      mosslite lab tune files/ --labels pairs.csv
    """  # noqa: D301 - the escape is click's, for lines to be left as they are
    grid = Grid(ks, windows, max_sharing)
    at_least(1, "number of copies (--copies)", copies)
    at_least(0, "seed (--seed)", seed)
    asked = None if language is None else find_language(language)
    clock = time.perf_counter if speed else None

    def experiment(progress: Progress) -> Tunings:
        if labels is not None:
            sets = labelled_pairs(folder, labels, asked)
        else:
            sets = {
                each: planted_pairs(each, programs, copies=copies, seed=seed)
                for each, programs in programs_below(folder, asked).items()
            }
        tried = [
            measure(with_base(each, base, of), grid, clock=clock, progress=progress)
            for of, each in sets.items()
        ]
        return Tunings(shown_name(folder), tuple(tried))

    return _run(given, experiment, sheet_of_tunings)


@lab.command()
@click.argument("sets", nargs=-1, required=True, metavar="SET...")
@click.option(
    "-l", "--language", metavar="NAME", help="Language of all files.  [default: detected per file]"
)
@_number(
    "-m",
    "--max-sharing",
    default=10,
    help="For MOSS' count: exclude fingerprints that more than N programs share.",
)
@_number("-n", default=100, help="Number of smallest hashes per program.")
@_number("-w", default=CODE_DEFAULTS.window, help="Window, in k-grams; 0 mod p is made as dense.")
@_number("-k", default=CODE_DEFAULTS.noise, help="Noise threshold, in tokens.")
@_output_options
def rank(
    sets: tuple[str, ...],
    language: str | None,
    max_sharing: int,
    n: int,
    w: int,
    k: int,
    **given: Any,
) -> int:
    """Compare published similarity measures on labelled pairs: which ranks copies first.

    Compares COPS, SCAM, 0 mod p, the n smallest, resemblance and containment, winnowing, p-match,
    and mosslite's own score. Each SET is a folder with files/ and pairs.csv, whose columns are a,
    b, label (1 = copy, 0 = honest) and, for several assignments, task.

    \b
    Example:
      mosslite lab rank spring/ autumn/ --plots rankings/
    """  # noqa: D301 - the escape is click's, for lines to be left as they are
    parameters = Parameters(k, w, n, max_sharing)
    asked = None if language is None else find_language(language)

    def experiment(progress: Progress) -> Rankings:
        read = [_labelled_set(each, asked) for each in sets]
        return rank_sets(read, parameters, progress=progress)

    return _run(given, experiment, sheet_of_rankings)


def _labelled_set(folder: str, language: Language | None) -> LabelledSet:
    files = str(Path(folder, "files"))
    tasks = labelled_tasks(files, str(Path(folder, "pairs.csv")), language)
    return LabelledSet(shown_name(Path(folder).name or folder), files, tasks, language)
