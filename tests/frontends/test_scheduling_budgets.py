"""How long front-ends may compute over a submission, whatever its files are."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from random import Random

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from mosslite.frontends import Reading, degraded, tokenize
from mosslite.frontends.scheduling import (
    Load,
    Outcome,
    Source,
    Task,
    done_here,
    read_within,
    usual_seconds,
)
from mosslite.languages import find_language
from mosslite.options import Options
from mosslite.records import Batch, Role, SourceFile, Submission, no_progress
from mosslite.remarks import remarks_on
from mosslite.winnowing.tokenized import tokenized_submissions
from tests.builders import LAW
from tests.posix import needs_alarm
from tests.programs import PRIMES, QUEUE, WORDS
from tests.stuck import STUCK, read

BASH, PYTHON, TEXT = map(find_language, ("bash", "python", "text"))
# CPU seconds of a file, and of a load at first: shorter than usual, as they are all used up here.
LIMIT, FIRST = 0.25, 0.2

# Each takes one expression of its lexer years.
HANGING = [(f"{STUCK['bash']}{number}", BASH) for number in range(12)]
HONEST = OWN, OTHER, SHARED = [(text, PYTHON) for text in (PRIMES, QUEUE, WORDS)]
PROSE = (PRIMES, TEXT)


class Tried:
    """Runs tasks in this process, several at a time and the last of them first; records them."""

    def __init__(self, at_once: int = 1, run: Callable[[Task], Outcome] = done_here) -> None:
        self.all: list[Task] = []
        self.in_vain: list[Task] = []
        self._at_once, self._run = at_once, run

    def do(self, tasks: Iterable[Task]) -> Iterator[tuple[Task, Outcome]]:
        done: list[tuple[Task, Outcome]] = []
        for task in tasks:
            outcome = self._run(task)
            self.all.append(task)
            self.in_vain += [task] * (outcome is None)
            done.append((task, outcome))
            if len(done) == self._at_once:
                yield from reversed(done)
                done.clear()
        yield from reversed(done)


def read_by(
    tried: Tried, owners: Mapping[Source, set[int]], loads: Sequence[Load] | None = None
) -> dict[Source, Reading]:
    """Read texts, each of them once; alone where no loads are given."""
    made = list(read_within(tried.do, loads or [[source] for source in owners], owners, LIMIT))
    assert sorted(text for (text, _), _ in made) == sorted(text for text, _ in owners)
    return {source: reading for source, reading in made if not isinstance(reading, bytes)}


def of_one(sources: Iterable[Source], number: int = 0) -> dict[Source, set[int]]:
    return {source: {number} for source in sources}


def plain_in(readings: Mapping[Source, Reading]) -> set[Source]:
    return {source for source, reading in readings.items() if reading.is_degraded}


def codes(reading: Reading) -> list[int]:
    found: list[int] = reading.stream.codes.tolist()
    return found


@pytest.fixture(scope="module", autouse=True)
def short_limits() -> Iterator[None]:
    """Allow little, and have lexers at hand that take less."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("mosslite.frontends.scheduling._SECONDS_PER_LOAD", FIRST)
        for text, language in [*HONEST, ("a", BASH)]:
            tokenize(text, language)
        yield


@pytest.fixture(scope="module")
def hostile(short_limits: None) -> tuple[Tried, dict[Source, Reading]]:
    """Read a submission whose files hang but for two, one of them prose, beside an honest one."""
    tried = Tried()
    owners = of_one([*HANGING, OWN, PROSE]) | of_one([OTHER], number=1) | {SHARED: {0, 1}}
    return tried, read_by(tried, owners)


@needs_alarm
def test_of_a_submission_whose_files_hang_three_are_tried_in_batches_and_three_alone(
    hostile: tuple[Tried, dict[Source, Reading]],
) -> None:
    tried, readings = hostile

    assert plain_in(readings) == {*HANGING, OWN}
    usual = usual_seconds(HANGING[:1])
    limits = [task.seconds for task in tried.in_vain]
    assert limits == [pytest.approx(usual, rel=0.01)] * 3 + [LIMIT] * 3
    assert all(codes(readings[each]) == codes(degraded(each[0])) for each in [*HANGING, OWN])


@needs_alarm
@pytest.mark.parametrize("source", [OTHER, SHARED, PROSE], ids=["another's", "shared", "prose"])
def test_what_another_submission_has_and_what_needs_no_lexer_is_read_whatever_failed(
    hostile: tuple[Tried, dict[Source, Reading]], source: Source
) -> None:
    _, readings = hostile

    assert codes(readings[source]) == codes(tokenize(*source))


@needs_alarm
def test_a_file_that_takes_longer_than_usual_is_tried_once_more_for_as_long_as_a_file_may() -> None:
    tried = Tried()
    read_by(tried, of_one(HANGING[:1]))

    assert [task.seconds for task in tried.all] == [usual_seconds(HANGING[:1]), LIMIT]


@needs_alarm
def test_files_beside_one_that_hangs_in_a_load_are_read_as_ever() -> None:
    load = [*HANGING[:2], *((f"{text}\n", BASH) for text in ("a", "b", "c"))]

    readings = read_by(Tried(), of_one(load), [load])

    assert plain_in(readings) == set(HANGING[:2])


@needs_alarm
def test_what_is_read_how_does_not_depend_on_what_is_done_first() -> None:
    sources = [*HANGING[:4], *HONEST]
    in_order, at_once = (read_by(Tried(n), of_one(sources)) for n in (1, len(sources)))

    assert plain_in(in_order) == plain_in(at_once) >= set(HONEST)
    assert [codes(at_once[each]) for each in sources] == [codes(in_order[each]) for each in sources]


def batches_of(random: Random) -> tuple[list[Load], dict[Source, set[int]], set[Source]]:
    """Make texts of two submissions in batches that may have both; some of the texts hang."""
    texts: list[Source] = [(str(number), PYTHON) for number in range(random.randint(6, 24))]
    owners = {each: random.choice([{0}, {1}, {0}, {1}, {0, 1}]) for each in texts}
    count = random.randint(3, len(texts) - 1)
    cuts = sorted(random.sample(range(1, len(texts)), count))
    loads: list[Load] = [texts[start:stop] for start, stop in pairwise([0, *cuts, len(texts)])]
    share = random.random()
    return loads, owners, {each for each in texts if random.random() < share}


@LAW
@given(st.integers(0, 10_000), st.integers(2, 6))
@example(270, 6)
@example(296, 2)
def test_which_texts_are_read_plainly_does_not_depend_on_what_is_done_first(
    seed: int, at_once: int
) -> None:
    loads, owners, hanging = batches_of(Random(seed))  # noqa: S311 - not for cryptography

    def plain(at_once: int) -> list[str]:
        def outcome(task: Task) -> Outcome:
            return None if hanging & set(task.load) else [text.encode() for text, _ in task.load]

        made = read_within(Tried(at_once, outcome).do, loads, owners, LIMIT)
        return sorted(text for (text, _), reading in made if isinstance(reading, Reading))

    assert plain(at_once) == plain(1)


def test_a_text_that_no_submission_holds_with_care_is_never_given_to_a_lexer() -> None:
    tried = Tried()

    readings = read_by(tried, {source: set() for source in HONEST})

    assert plain_in(readings) == set(HONEST)
    assert not any(task.load for task in tried.all)


@pytest.mark.skipif("not hasattr(__import__('signal'), 'setitimer')", reason="no alarm clock here")
@pytest.mark.parametrize("uses_workers", [True, False])
def test_a_submission_of_files_that_hang_is_reported_in_full(uses_workers: bool) -> None:
    files = [SourceFile(f"{n}.sh", text, is_given=False) for n, (text, _) in enumerate(HANGING[:7])]
    mine = SourceFile("own.py", PRIMES, is_given=False)
    submissions = (
        Submission("hostile", Role.CURRENT, tuple(files)),
        Submission("honest", Role.CURRENT, (mine,)),
    )
    options = Options(seconds=LIMIT, uses_workers=uses_workers, jobs=2)

    batch = Batch(submissions, (), (), "")

    tokenized, _ = tokenized_submissions(batch, options, no_progress)

    is_plain = {
        submission.name: [each.is_degraded for each in submission.documents]
        for submission in tokenized
    }
    assert is_plain == {"hostile": [True] * len(files), "honest": [False]}
    assert "hostile/0.sh" in "".join(remarks_on(tokenized, (), batch, options))


def test_a_text_that_a_lexer_may_read_elsewhere_is_read_by_it() -> None:
    sources = [(PRIMES, PYTHON), (PRIMES, PYTHON), (QUEUE, PYTHON)]

    readings = read(sources, Options(uses_workers=False))

    assert not any(each.is_degraded for each in readings)
