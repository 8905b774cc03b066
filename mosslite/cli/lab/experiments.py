"""The commands of ``mosslite lab``, one for each experiment."""

import time
from pathlib import Path
from typing import Unpack

import click

from mosslite.cli.lab.outputs import (
    CorpusArguments,
    OutputArguments,
    corpus_options,
    number,
    output_options,
    require_extra,
    run_experiment,
    source_of,
)
from mosslite.intake.paths import shown_name
from mosslite.lab.comparison import compare_algorithms, sheet_of_comparison
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
from mosslite.lab.tune import Grid, Tunings, sheet_of_tunings
from mosslite.lab.tune import tune as measure
from mosslite.languages import Language, find_language
from mosslite.options import CODE_DEFAULTS, at_least
from mosslite.records import Progress


@click.command()
@click.option("-p", type=int, help="Modulus of 0 mod p.  [default: as dense as winnowing]")
@number("-w", default=100, help="Window, in k-grams.")
@number("-k", default=50, help="Noise threshold, in symbols.")
@corpus_options
def density(k: int, w: int, p: int | None, **given: Unpack[CorpusArguments]) -> int:
    """Measure how many k-grams are selected, as in the winnowing paper's Figure 3.

    Applies winnowing, robust winnowing and 0 mod p to the k-grams of all files concatenated:
    letters and digits, or with -l the tokens of a language.

    \b
    Examples:
      mosslite lab density essays/
      mosslite lab density --random 8000000 -k 50 -w 100 --json density.json
    """  # noqa: D301 - the escape is click's, for lines to be left as they are
    source = source_of(given)
    return run_experiment(
        given,
        lambda progress: measure_density(source, k, w, p=p, progress=progress),
        sheet_of_density,
        skipped=source.skipped,
    )


@click.command()
@number("-n", default=100, help="Number of smallest hashes per document.")
@number("-w", default=100, help="Window, in k-grams.")
@number("-k", default=50, help="Noise threshold, in symbols.")
@corpus_options
def select(k: int, w: int, n: int, **given: Unpack[CorpusArguments]) -> int:
    """Compare selection algorithms: number of fingerprints, and passages missed.

    \b
    Example:
      mosslite lab select essays/ -k 50 -w 100
    """  # noqa: D301 - the escape is click's, for lines to be left as they are
    source = source_of(given)
    return run_experiment(
        given,
        lambda progress: compare_algorithms(source, k, w, n=n, progress=progress),
        sheet_of_comparison,
        skipped=source.skipped,
    )


@click.command()
@number("-n", "most", default=10, help="Number of most common strings to show.")
@number("-w", default=100, help="Window, in k-grams.")
@number("-k", default=50, help="Noise threshold, in symbols.")
@corpus_options
def frequency(k: int, w: int, most: int, **given: Unpack[CorpusArguments]) -> int:
    """Measure how often k-grams occur, by rank, as in the winnowing paper's Figure 4.

    Shows all k-grams and those that robust winnowing selects, the line through the end points of
    plateaus, and the most common strings.

    \b
    Example:
      mosslite lab frequency essays/ --plots frequency/
    """  # noqa: D301 - the escape is click's, for lines to be left as they are
    require_extra("scipy")
    source = source_of(given)
    return run_experiment(
        given,
        lambda progress: measure_frequency(source, k, w, most=most, progress=progress),
        sheet_of_frequency,
        skipped=source.skipped,
    )


@click.command()
@click.option("--speed", is_flag=True, help="Also measure speed, which varies from run to run.")
@number("--sample", default=200_000, help="Number of symbols to hash.")
@number("-w", default=100, help="Window, in k-grams.")
@number("-k", default=50, help="Length of k-grams, in symbols.")
@corpus_options
def hashes(k: int, w: int, sample: int, speed: bool, **given: Unpack[CorpusArguments]) -> int:
    """Compare hash functions of k-grams: collisions, uniformity, speed.

    Compares Karp and Rabin's H and the winnowing paper's improved H', each with a small and a
    large base, mosslite's own, and BLAKE2b as a reference.

    \b
    Example:
      mosslite lab hashes --random 200000 --speed
    """  # noqa: D301 - the escape is click's, for lines to be left as they are
    require_extra("scipy")
    source = source_of(given)
    clock = time.perf_counter if speed else None
    return run_experiment(
        given,
        lambda _: measure_hashes(source, k, w, sample=sample, clock=clock),
        sheet_of_hashes,
        skipped=source.skipped,
    )


@click.command()
@number("-w", "windows", default=(10, 20, 50, 100, 200), help="Window, in k-grams; repeatable.")
@number("-k", "ks", default=(16, 32, 48, 64), help="Length of k-grams in the corpus; repeatable.")
@number("--runs", default=10, help="Runs per distribution; the paper's: 100.")
@number("--hashes", default=10_000_000, help="Hashes per run; the paper's: 100000000.")
@corpus_options
def distributions(
    hashes: int,
    runs: int,
    ks: tuple[int, ...],
    windows: tuple[int, ...],
    **given: Unpack[CorpusArguments],
) -> int:
    """Measure density when hashes are not uniform: tables and figures of the density analysis.

    Compares uniform, normal and exponential hashes by t-tests. If a corpus is given, also measures
    the density, the frequencies and the ties of its k-grams.

    \b
    Examples:
      mosslite lab distributions
      mosslite lab distributions essays/ --hashes 100000000 --runs 100
    """  # noqa: D301 - the escape is click's, for lines to be left as they are
    require_extra("scipy")
    plan = Plan(hashes, runs, windows, given["seed"])
    has_corpus = given["paths"] or given["random_size"] is not None
    source = source_of(given) if has_corpus else None

    def experiment(progress: Progress) -> Analysis:
        text = measure_real_text(source, ks, windows, progress=progress) if source else None
        return analysis_of(measure_distributions(plan, progress=progress), text)

    skipped = source.skipped if source else ()
    return run_experiment(given, experiment, sheet_of_analysis, skipped=skipped)


@click.command()
@click.argument("folder", metavar="FOLDER")
@click.option(
    "--labels",
    metavar="FILE",
    help="Use labelled pairs from a CSV file with columns a, b and label (1 = copy, 0 = honest).",
)
@click.option(
    "-l", "--language", metavar="NAME", help="Language of all files.  [default: detected per file]"
)
@click.option(
    "-b", "--base", multiple=True, metavar="PATH", help="Base code that you handed out; repeatable."
)
@number(
    "-m", "--max-sharing", default=10, help="Exclude fingerprints that more than N programs share."
)
@number(
    "-k",
    "ks",
    default=(4, 6, 8, 10, 12, 14, 16, 20, 25),
    help="Noise threshold, in tokens; repeatable.",
)
@number(
    "-w",
    "windows",
    default=(CODE_DEFAULTS.window, 1, 5, 17, 33),
    help="Window, in k-grams; repeatable. Every k is tried with the first window, the middle k "
    "with all.",
)
@number("--copies", default=12, help="Number of disguised copies of each kind.")
@number("--seed", default=1, help="Seed of the random numbers.")
@click.option("--speed", is_flag=True, help="Also measure time, which varies from run to run.")
@output_options
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
    **given: Unpack[OutputArguments],
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

    return run_experiment(given, experiment, sheet_of_tunings)


@click.command()
@click.argument("sets", nargs=-1, required=True, metavar="SET...")
@click.option(
    "-l", "--language", metavar="NAME", help="Language of all files.  [default: detected per file]"
)
@number(
    "-m",
    "--max-sharing",
    default=10,
    help="For MOSS' count: exclude fingerprints that more than N programs share.",
)
@number("-n", default=100, help="Number of smallest hashes per program.")
@number("-w", default=CODE_DEFAULTS.window, help="Window, in k-grams; 0 mod p is made as dense.")
@number("-k", default=CODE_DEFAULTS.noise, help="Noise threshold, in tokens.")
@output_options
def rank(
    sets: tuple[str, ...],
    language: str | None,
    max_sharing: int,
    n: int,
    w: int,
    k: int,
    **given: Unpack[OutputArguments],
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

    return run_experiment(given, experiment, sheet_of_rankings)


def _labelled_set(folder: str, language: Language | None) -> LabelledSet:
    files = str(Path(folder, "files"))
    tasks = labelled_tasks(files, str(Path(folder, "pairs.csv")), language)
    return LabelledSet(shown_name(Path(folder).name or folder), files, tasks, language)
