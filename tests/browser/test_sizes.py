"""A pair's page of sources that are far larger than what a student writes."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import pytest
from playwright.sync_api import Page, expect

from mosslite.options import CODE_DEFAULTS
from mosslite.records import (
    Colours,
    Document,
    Lines,
    Match,
    RareEvidence,
    Report,
    SourceFile,
    Surprise,
    TokenizedSubmission,
    TokenKind,
    TokenStream,
)
from tests import pages
from tests.browser import conftest
from tests.browser.conftest import Open, Watch, violations
from tests.builders import submission_of, traces_of
from tests.reports import pair_of, report_of

TEMPLATES = Path(__file__).parents[2] / "templates"

# However large the sources are: a browser lays out so many at once without a noticeable pause.
MOST_ELEMENTS = 40_000

# A machine with much else to do takes its time; how long is not what is tested.
PATIENCE = 120

LONG = 4_000_000
SOME = "a1 = b2 + c3 ; "


def spaced(count: int, end: str) -> str:
    """Return so many tokens that differ, with an end behind each."""
    return "".join(f"t{number}{end}" for number in range(count))


@dataclass(frozen=True)
class Shape:
    """Sources of a pair: the files of each side, and of each match its file and its tokens."""

    left: tuple[str, ...]
    right: tuple[str, ...]
    matches: tuple[tuple[int, int, int], ...]


def many(count: int, every: int = 8) -> tuple[tuple[int, int, int], ...]:
    return tuple((0, at * every, at * every + every // 2) for at in range(count))


def few_of(count: int) -> Shape:
    """Return a pair of so many files, of which three match."""
    files = (f"{SOME}\n" * 20,) * count
    return Shape(files, files, ((3, 0, 60), (count // 2, 0, 60), (count - 1, 0, 60)))


SHAPES: dict[str, Callable[[], Shape]] = {
    "a line of 4 MB": lambda: Shape(
        (SOME * (LONG // len(SOME)),), (f"x ;\n{SOME * (LONG // len(SOME))}",), many(40)
    ),
    "lines of 4 MB": lambda: Shape(
        (f"{SOME}\n" * (LONG // len(SOME)),), (f"{SOME}\n" * (LONG // len(SOME)),), many(40)
    ),
    "a line of one token": lambda: Shape(("x" * LONG,), ("x" * LONG,), ((0, 0, 0),)),
    "a million lines": lambda: Shape(
        ("x\n" * 1_000_000,), ("x\n" * 1_000_000,), ((0, 0, 5), (0, 999_990, 999_999))
    ),
    "a match over everything": lambda: Shape(
        (spaced(300_000, "\n"),), (spaced(300_000, "\n"),), ((0, 0, 299_999),)
    ),
    "a match over a long line": lambda: Shape(
        (spaced(300_000, " "),), (spaced(300_000, " "),), ((0, 0, 299_999),)
    ),
    "thousands of matches": lambda: Shape(
        (spaced(48_000, "\n"),), (spaced(48_000, "\n"),), many(6_000)
    ),
    "thousands of matches in a line": lambda: Shape(
        (spaced(48_000, " "),), (spaced(48_000, " "),), many(6_000)
    ),
    "a last line that is long": lambda: Shape(
        ("x\n" * 5_000 + spaced(70_000, " "),), ("x\n" * 5_000,), ((0, 0, 9), (0, 4_990, 4_999))
    ),
    "wide characters": lambda: Shape(
        ("\U0001f600" * 1_000_000,), ("\U0001f600" * 1_000_000,), ((0, 0, 0),)
    ),
    "hidden characters": lambda: Shape(
        ("x \u202e\u200b" * 300_000,), ("x \u202e\u200b" * 300_000,), ((0, 0, 99_999),)
    ),
    "thousands of files": lambda: Shape(
        (f"{SOME}\n" * 20,) * 5_000,
        (f"{SOME}\n" * 20,) * 5_000,
        tuple((file, 0, 60) for file in range(5_000)),
    ),
    "thousands of files, few of which match": lambda: few_of(5_000),
}


def document(name: str, text: str) -> Document:
    """Tokenize a text at its blanks, as fast as numpy does; every other token is coloured."""
    codes = np.frombuffer(text.encode("utf-32-le"), np.uint32)
    is_token = np.concatenate([[False], codes > ord(" "), [False]])
    edges = np.flatnonzero(is_token[1:] != is_token[:-1]).astype(np.int32)
    starts, stops = edges[::2], edges[1::2]
    columns = np.arange(len(starts), dtype=np.uint64)
    kinds = np.full(len(starts), TokenKind.CONTENT, np.uint8)
    return Document(
        file=SourceFile(name, text, "utf-8"),
        language="java",
        thresholds=CODE_DEFAULTS,
        stream=TokenStream(columns, columns, kinds, starts, stops),
        is_boilerplate=np.zeros(len(starts), np.bool_),
        traces=traces_of([]),
        colours=Colours(starts, (np.arange(len(starts)) % 2 * 2).astype(np.uint8)),
    )


def side(name: str, texts: Sequence[str]) -> TokenizedSubmission:
    known: dict[str, Document] = {}
    documents = []
    for number, text in enumerate(texts):
        known.setdefault(text, document("", text))
        file = SourceFile(f"f{number}.java", text, "utf-8")
        documents.append(replace(known[text], file=file))
    return submission_of(*documents, name=name)


def report_on(shape: Shape, evidence: Iterable[RareEvidence] = ()) -> Report:
    left, right = side("ann", shape.left), side("bob", shape.right)
    matches = tuple(
        Match(
            pages.place(left.documents[each[0]], each[1], each[2], each[0]),
            pages.place(right.documents[each[0]], each[1], each[2], each[0]),
            each[2] - each[1] + 1,
            number,
            Surprise(40.0, 0.01),
            Surprise(40.0, 0.01),
        )
        for number, each in enumerate(shape.matches, 1)
    )
    pair = replace(pair_of(left, right, 0.9), matches=matches, rare_evidence=tuple(evidence))
    return report_of([left, right], [pair])


def opened(shape: Shape, folder: Path, open_page: Open) -> Page:
    return open_page(conftest.written(report_on(shape), folder) / "pairs" / "1.html")


@pytest.fixture(scope="module", params=SHAPES)
def shape(request: pytest.FixtureRequest) -> Shape:
    return SHAPES[request.param]()


@pytest.fixture(scope="module")
def report_of_shape(shape: Shape, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The report on a pair of a shape, written once for all tests."""
    return conftest.written(report_on(shape), tmp_path_factory.mktemp("shape"))


@pytest.fixture
def page(report_of_shape: Path, open_page: Open) -> Page:
    return open_page(report_of_shape / "pairs" / "1.html")


@pytest.fixture(autouse=True)
def patience(watch: Watch) -> Iterator[None]:
    watch.page.set_default_timeout(PATIENCE * 1000)
    expect.set_options(timeout=PATIENCE * 1000)
    yield
    watch.page.set_default_timeout(5000)
    expect.set_options(timeout=5000)


def wait_until(page: Page, condition: str) -> None:
    conftest.wait_until(page, condition, seconds=PATIENCE)


def elements(page: Page) -> int:
    count: int = page.evaluate("document.querySelectorAll('*').length")
    return count


IN_SIGHT = """
(function (side, selector) {
  const pane = document.getElementById(`${side}-pane`).getBoundingClientRect();
  return [...document.querySelectorAll(`#${side}-pane ${selector}`)].some((node) =>
    [...node.getClientRects()].some((box) =>
      box.height && box.bottom > pane.top && box.top < pane.bottom));
})
"""


def wait_for_match(page: Page, number: int) -> None:
    """Wait until a match is in the sight of both sides."""
    for side in ("left", "right"):
        wait_until(page, f"{IN_SIGHT}('{side}', 'mark[data-match=\"{number}\"]')")


# --- whatever there is much of -------------------------------------------------------------------


@pytest.mark.slow
def test_both_sources_are_shown_with_their_matches_in_few_elements(
    page: Page, shape: Shape
) -> None:
    count = len(shape.matches)

    wait_for_match(page, 1)
    assert elements(page) < MOST_ELEMENTS
    page.keyboard.press("p")
    expect(page.locator("#step-status")).to_contain_text(
        f"Match {count} of {count}".replace(",", "")
    )
    wait_for_match(page, count)
    is_listed = count <= page.locator("#match-list tbody tr").count()
    expect(page.locator("#match-list tr.is-current")).to_have_count(1 if is_listed else 0)
    assert elements(page) < MOST_ELEMENTS


@pytest.mark.slow
def test_the_diff_and_only_matches_are_shown_in_few_elements(page: Page) -> None:
    page.get_by_role("radio", name="Diff").check()
    wait_until(page, "document.querySelectorAll('#diff .line-text').length > 0")
    page.get_by_label("Only differences").check()
    assert elements(page) < 2 * MOST_ELEMENTS  # of both views

    page.get_by_role("radio", name="Matches").check()
    wait_for_match(page, 1)
    assert elements(page) < 2 * MOST_ELEMENTS


@pytest.mark.slow
def test_the_matching_parts_are_printed(page: Page, shape: Shape) -> None:
    page.evaluate("dispatchEvent(new Event('beforeprint'))")

    printed = page.locator("#paper mark").first
    assert printed.text_content()
    numbers = page.evaluate(
        "[...new Set([...document.querySelectorAll('#paper mark')].map((m) => m.dataset.match))]"
    )
    assert {"1", str(len(shape.matches))} <= {*numbers} or len(numbers) > 1_000
    assert page.locator("#paper tr").count() < 50_000
    assert page.evaluate("document.getElementById('paper').textContent.length") < 5_000_000

    page.evaluate("dispatchEvent(new Event('afterprint'))")
    assert page.locator("#paper").inner_html() == ""


@pytest.mark.slow
def test_wherever_one_scrolls_there_are_lines(page: Page) -> None:
    page.get_by_label("Scroll together").uncheck()
    for share in (1, 0.5, 0):
        page.evaluate(
            """(share) => {
              for (const pane of document.querySelectorAll(".pane")) {
                pane.dispatchEvent(new Event("wheel"));
                pane.scrollTop = pane.scrollHeight * share;
              }
            }""",
            share,
        )
        for side in ("left", "right"):
            wait_until(page, f"{IN_SIGHT}('{side}', '.line, summary')")


# --- what stands for what is not built -----------------------------------------------------------


def test_what_is_far_away_can_be_found_on_the_page(tmp_path: Path, open_page: Open) -> None:
    text = f"{spaced(30_000, chr(10))}needle\n"
    page = opened(Shape((text,), (text,), ((0, 0, 9),)), tmp_path, open_page)

    assert page.locator("#left-pane .line").count() < 5_000
    for side in ("left", "right"):
        wait_until(
            page,
            f"document.getElementById('{side}-pane').textContent.split('needle').length === 2",
        )


def test_what_is_far_away_spells_out_what_cannot_be_seen(tmp_path: Path, open_page: Open) -> None:
    text = f"{spaced(30_000, chr(10))}end\u202e\n"
    page = opened(Shape((text,), (text,), ((0, 0, 9),)), tmp_path, open_page)

    wait_until(page, "document.getElementById('left-pane').textContent.includes('endU+202E')")
    assert "\u202e" not in page.evaluate("document.body.textContent")


def test_lines_are_built_once_and_keep_their_numbers(tmp_path: Path, open_page: Open) -> None:
    text = spaced(20_000, "\n")
    page = opened(Shape((text,), (text,), ((0, 0, 9), (0, 10_000, 10_009))), tmp_path, open_page)

    page.keyboard.press("n")
    wait_for_match(page, 2)

    lines = page.locator("#left-pane .line").evaluate_all(  # at once, as more are built meanwhile
        "(lines) => lines.map((line) => [line.dataset.line, line.textContent])"
    )
    assert len(lines) == len(dict(lines))
    assert dict(lines)["10001"].endswith("t10000\n")


def test_a_long_line_is_wrapped_and_its_number_stands_once(tmp_path: Path, open_page: Open) -> None:
    text = f"{spaced(20_000, ' ')}\n"
    page = opened(Shape((text,), (text,), ((0, 0, 9),)), tmp_path, open_page)

    assert page.locator("#left-pane [data-number='1']").count() == 1
    assert page.evaluate("document.getElementById('left-pane').scrollWidth") <= 700


# --- many files ----------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def many_files(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The page of a pair of more files than are shown at once, few of which match."""
    slip = RareEvidence("name", "b2", Lines(800, (12,)), Lines(900, (13,)), 2)
    report = report_on(few_of(1_000), [slip])
    return conftest.written(report, tmp_path_factory.mktemp("sizes")) / "pairs" / "1.html"


def test_a_far_file_without_matches_is_folded_and_opens(many_files: Path, open_page: Open) -> None:
    page = open_page(many_files)
    page.keyboard.press("p")
    wait_for_match(page, 3)
    far = page.locator("#left-pane .file[data-document='998']")

    expect(far).not_to_have_attribute("open", "")
    assert "0 % matched, Java, 20 lines" in far.locator("summary").inner_text()
    far.locator("summary").click()

    expect(far.locator(".line").first).to_be_visible()
    assert far.locator(".line").count() == 20


def test_a_far_file_says_what_the_near_ones_say(many_files: Path, open_page: Open) -> None:
    page = open_page(many_files)
    page.keyboard.press("p")
    wait_for_match(page, 3)

    near, far = (
        page.locator(f"#left-pane .file[data-document='{file}']").evaluate(
            "(file) => [...file.querySelectorAll('summary, summary *')].map("
            "(node) => [node.tagName, node.className, node.textContent])"
        )
        for file in (3, 999)
    )
    assert [[tag, name, text.replace("f999", "f3")] for tag, name, text in far] == near


def test_a_line_link_leads_to_a_far_file(many_files: Path, open_page: Open) -> None:
    page = open_page(many_files)

    page.locator("#rare-list .line-link").first.click()

    for side, line in (("left", "12"), ("right", "13")):
        target = page.locator(f"#{side}-pane .is-target")
        expect(target).to_be_in_viewport()
        expect(target).to_have_attribute("data-line", line)


def test_names_of_far_files_are_hidden_too(many_files: Path, open_page: Open) -> None:
    page = open_page(many_files)
    page.get_by_role("button", name="Hide names").click()

    page.keyboard.press("p")
    wait_for_match(page, 3)

    expect(page.locator("#left-pane .file[data-document='999'] .file-name")).to_have_text(
        re.compile(r"(file|Submission) \d+")
    )


@pytest.mark.slow
def test_nothing_serious_is_wrong_with_what_scripts_add(tmp_path: Path, open_page: Open) -> None:
    shape = SHAPES["thousands of files"]()
    page = opened(shape, tmp_path, open_page)
    page.keyboard.press("p")
    wait_for_match(page, len(shape.matches))

    assert violations(page) == []


def test_a_link_to_a_far_match_opens_there(many_files: Path, open_page: Open) -> None:
    page = open_page(many_files)
    page.goto("about:blank")
    page.goto(f"{many_files.as_uri()}#right-3")

    wait_for_match(page, 3)
    expect(page.locator("#step-status")).to_contain_text("Match 3 of 3")


# --- the scripts ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "script", sorted(each.relative_to(TEMPLATES).as_posix() for each in TEMPLATES.glob("*/*.js"))
)
def test_no_call_is_given_as_many_arguments_as_there_are_data(script: str) -> None:
    """Some tens of thousands of arguments exceed a browser's stack."""
    takes_all = r"append|prepend|push|unshift|replaceChildren|replaceWith|max|min|concat|apply"
    few = r"SIDES\b|cellsOf\(|children\b|options\b|Object\.keys\(STATES\)|\[left, right\]"
    text = (TEMPLATES / script).read_text(encoding="utf-8")

    found = re.findall(rf"\.(?:{takes_all})\((?:[^();\[\]]*,\s*)?\s*\.\.\.(?!{few}).*", text)

    assert found == []
