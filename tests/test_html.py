from __future__ import annotations

import os
import re
import stat
import sys
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from html.parser import HTMLParser
from itertools import combinations, count
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mosslite.errors import OutputError
from mosslite.model import (
    Document,
    Match,
    Pair,
    Place,
    Report,
    Role,
    Skipped,
    SourceFile,
    Submission,
    Work,
)
from mosslite.options import CODE_DEFAULTS, Options
from mosslite.report.folder import refuse_foreign_folder, replacement, swap
from mosslite.report.html import Imprint, write_html
from mosslite.report.html.earlier import Earlier
from mosslite.report.html.site import Site
from mosslite.report.html.syntax import SYNTAX_CLASSES
from mosslite.report.html.templates import environment, template_root
from mosslite.report.percent import hundredths, percent, thousandths
from mosslite.visible import HIDDEN_RUN, code_point, name_parts
from tests.builders import comparable_of, stream_of_tokens, traces_of
from tests.reports import scored_report

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from types import FrameType

    from _typeshed import TraceFunction

SOURCE = """\
class Lot {
    // counts the "free" bays
    int free(int[] bays) {
        int n = 0;
        for (int b : bays) if (b == 0) n++;
        return n;
    }
}
"""
EVIL = (
    "\"'><script>alert(1)</script><img src=x onerror=alert(1)>\u202e\x1b[31m\ud800&lt;{{ 7 * 7 }}"
)
TEMPLATE_BUG = Place(document=9, start_char=0, stop_char=1, first_line=1, last_line=1)


def document(name: str, text: str, boilerplate: Sequence[int] = ()) -> Document:
    found = list(re.finditer(r"\w+|[^\w\s]", text))
    return Document(
        file=SourceFile(name, text, "utf-8"),
        language="java",
        thresholds=CODE_DEFAULTS,
        stream=stream_of_tokens(text, found),
        is_boilerplate=np.isin(np.arange(len(found)), boilerplate),
        traces=traces_of([]),
    )


def work(name: str, *documents: Document, role: Role = Role.CURRENT) -> Work:
    documents = documents or (document("Lot.java", SOURCE),)
    files = tuple(each.file for each in documents)
    return Work(Submission(name, role, files), documents, comparable_of())


def place(within: Document, first: int, last: int) -> Place:
    stream = within.stream
    return Place(
        document=0,
        start_char=int(stream.starts[first]),
        stop_char=int(stream.stops[last]),
        first_line=int(stream.lines[first]),
        last_line=int(stream.lines[last]),
    )


def pair(left: Work, right: Work, *ranges: tuple[int, int]) -> Pair:
    """Match the same ranges of tokens, from the first to the last, in both first documents."""
    matches = tuple(
        Match(
            place(left.documents[0], *each),
            place(right.documents[0], *each),
            tokens=each[1] - each[0],
            block=number,
        )
        for number, each in enumerate(ranges or [(0, 8), (12, 30)], 1)
    )
    return Pair(
        left=left,
        right=right,
        score=0.996,
        left_similarity=0.9,
        right_similarity=1 / 3,
        similarity=0.5,
        matched_tokens=701,
        matched_lines=140,
        longest_match=220,
        matches=matches,
    )


def report(*pairs: Pair, options: Options | None = None) -> Report:
    works = {each.name: each for one in pairs for each in (one.left, one.right)}
    return Report(
        options=options or Options(),
        description="3 submissions, one per folder in submissions/",
        works=tuple(works.values()),
        base=(),
        pairs=pairs,
        skipped=(),
        warnings=(),
    )


def three_pairs() -> Report:
    ada, ben, eve = work("ada"), work("ben"), work("eve")
    return report(pair(ada, ben), pair(ada, eve), pair(ben, eve))


def write(what: Report, directory: Path) -> Path:
    return write_html(what, directory, Imprint("2026-11-21 09:30", "0.1.0"))


@dataclass
class Element:
    tag: str
    attributes: dict[str, str]
    text: str = ""

    @property
    def classes(self) -> list[str]:
        return self.attributes.get("class", "").split()


@dataclass
class Page(HTMLParser):
    """All elements of a page in order, each with the text in it."""

    elements: list[Element] = field(default_factory=list)
    open_elements: list[Element] = field(default_factory=list)

    VOID = frozenset({"meta", "link", "input", "rect"})

    def __post_init__(self) -> None:
        super().__init__()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        element = Element(tag, {name: value or "" for name, value in attrs})
        self.elements.append(element)
        if tag not in self.VOID:
            self.open_elements.append(element)

    def handle_endtag(self, tag: str) -> None:
        if tag not in self.VOID:
            assert self.open_elements.pop().tag == tag

    def handle_data(self, data: str) -> None:
        """Leave the numbers on badges out of the text they stand in."""
        is_badge = self.open_elements[-1:] and "badge" in self.open_elements[-1].classes
        for element in self.open_elements[-1 if is_badge else 0 :]:
            element.text += data

    def of_class(self, name: str) -> list[Element]:
        return [element for element in self.elements if name in element.classes]

    def of_tag(self, tag: str) -> list[Element]:
        return [element for element in self.elements if element.tag == tag]

    def links(self) -> dict[str, str]:
        return {each.text: each.attributes["href"] for each in self.of_tag("a")}


def parsed(path: Path) -> Page:
    page = Page()
    page.feed(path.read_text(encoding="utf-8"))
    page.close()
    assert page.open_elements == []
    return page


def all_pages(directory: Path) -> list[Path]:
    return sorted(directory.rglob("*.html"))


def contents(directory: Path) -> dict[str, bytes]:
    files = (path for path in directory.rglob("*") if path.is_file())
    return {path.relative_to(directory).as_posix(): path.read_bytes() for path in files}


# ---- What a report is ----


def test_a_report_is_an_index_a_page_for_each_thing_and_what_they_need(tmp_path: Path) -> None:
    index = write(three_pairs(), tmp_path / "new" / "report")
    assert index == tmp_path / "new" / "report" / "index.html"
    pages = [path.relative_to(index.parent).as_posix() for path in all_pages(index.parent)]
    assert pages == [
        "groups/1.html",
        "index.html",
        *(f"pairs/{number}.html" for number in (1, 2, 3)),
        *(f"submissions/{number}.html" for number in (1, 2, 3)),
    ]
    assets = {
        path.name for path in template_root().iterdir() if path.name.endswith((".css", ".js"))
    }
    assert assets | {".mosslite-report"} <= set(contents(index.parent))


def test_two_writes_of_one_report_give_the_same_bytes(tmp_path: Path) -> None:
    write(three_pairs(), tmp_path / "one")
    write(three_pairs(), tmp_path / "two")
    assert contents(tmp_path / "one") == contents(tmp_path / "two")


def test_a_report_has_the_same_bytes_whatever_number_of_processes_writes_it(tmp_path: Path) -> None:
    ends = combinations(range(1, 13), 2)
    found = scored_report([(left, right, 1 - left / 12) for left, right in ends], 12)
    written = []
    for jobs in (1, 2, 5):
        write(replace(found, options=replace(found.options, jobs=jobs)), tmp_path / str(jobs))
        written.append(contents(tmp_path / str(jobs)))
    assert len(found.pairs) == len(list((tmp_path / "2" / "pairs").iterdir()))
    assert written[1:] == written[:-1]


def test_every_file_a_page_names_is_in_the_report(tmp_path: Path) -> None:
    write(three_pairs(), tmp_path / "report")
    for path in all_pages(tmp_path / "report"):
        for element in parsed(path).elements:
            name = element.attributes.get("href") or element.attributes.get("src") or "#"
            assert name.startswith("#") or (path.parent / name.partition("#")[0]).is_file()


def test_every_anchor_of_a_page_is_on_it(tmp_path: Path) -> None:
    write(three_pairs(), tmp_path / "report")
    for path in all_pages(tmp_path / "report"):
        page = parsed(path)
        identifiers = [each.attributes["id"] for each in page.elements if "id" in each.attributes]
        anchors = {each for each in page.links().values() if each.startswith("#")}
        assert len(identifiers) == len(set(identifiers))
        assert {anchor[1:] for anchor in anchors} <= set(identifiers)


def test_no_style_sheet_and_no_script_loads_anything_or_writes_markup() -> None:
    assets = [path for path in template_root().iterdir() if path.name.endswith((".css", ".js"))]
    assert len(assets) > 2
    for path in assets:
        text = path.read_text(encoding="utf-8")
        assert not re.search(
            r"https?:(?!//www.w3.org/2000/svg\")|url\(|@import|fetch|XMLHttp|HTML\b|\beval\b|\.write\(",
            text,
        )


def test_the_script_asks_only_for_elements_that_a_page_has(tmp_path: Path) -> None:
    write(three_pairs(), tmp_path / "report")
    names = ("table.js", "overview.js")
    script = "".join((template_root() / name).read_text(encoding="utf-8") for name in names)
    pages = "".join(path.read_text(encoding="utf-8") for path in all_pages(tmp_path / "report"))
    asked = re.findall(r'byId\("([\w-]+)"\)(?!\?)', script)  # with "?." it need not be there
    assert asked
    assert [name for name in asked if f'id="{name}"' not in pages] == []


def test_every_colour_has_a_rule() -> None:
    sheet = (template_root() / "report.css").read_text(encoding="utf-8")
    classes = [*filter(None, SYNTAX_CLASSES), *(f"tint-{number}" for number in range(1, 9))]
    assert [name for name in classes if not re.search(rf"^\.{name} {{", sheet, re.M)] == []


def test_every_page_forbids_all_but_its_own_style_and_script(tmp_path: Path) -> None:
    write(three_pairs(), tmp_path / "report")
    for path in all_pages(tmp_path / "report"):
        policies = [
            each.attributes["content"]
            for each in parsed(path).of_tag("meta")
            if each.attributes.get("http-equiv") == "Content-Security-Policy"
        ]
        assert policies == [
            "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self' data:"
        ]


# ---- Index ----


def test_the_index_says_first_what_was_compared_and_what_came_of_it(tmp_path: Path) -> None:
    page = parsed(write(three_pairs(), tmp_path / "report"))
    assert [each.text for each in page.of_tag("p")][:2] == [
        "3 submissions compared: 3 pairs in 1 group need a look.",
        "3 submissions, one per folder in submissions/",
    ]


def test_the_index_says_that_similarity_is_no_verdict(tmp_path: Path) -> None:
    page = parsed(write(three_pairs(), tmp_path / "report"))
    assert "Similarity is evidence, not a verdict" in [each.text for each in page.of_tag("h2")]


def test_the_title_of_a_report_is_its_comment(tmp_path: Path) -> None:
    titled = replace(three_pairs(), options=Options(comment="Sheet 6"))
    assert parsed(write(titled, tmp_path / "a")).of_tag("h1")[0].text == "Sheet 6"
    assert parsed(write(three_pairs(), tmp_path / "b")).of_tag("h1")[0].text == "mosslite report"


def test_the_ranking_keeps_the_order_of_the_pairs_and_links_each_name(tmp_path: Path) -> None:
    page = parsed(write(three_pairs(), tmp_path / "report"))
    links = [each for each in page.of_tag("a") if each.attributes["href"].startswith("pairs/")]
    assert [(each.text, each.attributes["href"]) for each in links[-6:]] == [
        ("ada", "pairs/1.html"),
        ("ben", "pairs/1.html"),
        ("ada", "pairs/2.html"),
        ("eve", "pairs/2.html"),
        ("ben", "pairs/3.html"),
        ("eve", "pairs/3.html"),
    ]


def test_a_row_of_the_ranking_has_all_numbers_of_its_pair(tmp_path: Path) -> None:
    page = parsed(write(report(pair(work("ada"), work("ben"))), tmp_path / "report"))
    labels = [each for each in page.of_tag("td") if "data-label" in each.attributes][-10:]
    assert {each.attributes["data-label"]: each.text.strip() for each in labels} == {
        "Rank": "1",
        "Left": "ada",
        "Left %": "90 %",
        "Right": "ben",
        "Right %": "33 %",
        "Score": "0.99",
        "Lines": "140",
        "Longest": "220",
        "Others": "0",
        "Review": "",
    }


def test_who_is_not_being_graded_has_a_badge(tmp_path: Path) -> None:
    old, model = work("old", role=Role.PRIOR), work("model", role=Role.REFERENCE)
    index = write(report(pair(work("ada"), old), pair(work("ada"), model)), tmp_path / "report")
    shown = [each.text for each in parsed(index).of_class("role")]
    assert shown == ["prior", "reference"] * 3  # the worst pairs, all pairs, all submissions
    assert [each.text for each in parsed(index.parent / "pairs/2.html").of_class("role")] == [
        "reference"
    ]


def test_what_was_skipped_is_listed_with_its_reason(tmp_path: Path) -> None:
    skipping = replace(three_pairs(), skipped=(Skipped("a/b.class", "holds NUL bytes"),))
    page = parsed(write(skipping, tmp_path / "report"))
    assert [each.text for each in page.of_tag("bdi")][-2:] == ["a/b.class", "holds NUL bytes"]
    assert (
        "3 submissions compared, 1 skipped: 3 pairs in 1 group need a look."
        in page.elements[0].text
    )


def test_warnings_are_listed(tmp_path: Path) -> None:
    page = parsed(write(replace(three_pairs(), warnings=("one", "<two>")), tmp_path / "report"))
    assert [each.text for each in page.of_tag("li")][-2:] == ["one", "<two>"]


def test_the_parameters_of_the_run_are_listed(tmp_path: Path) -> None:
    options = Options(language="java", max_sharing=10, show=0)
    run = replace(three_pairs(), options=options, base=("base/A.java",))
    text = parsed(write(run, tmp_path / "report")).of_class("run")[0].text
    for words in (
        "java",
        "base/A.java",
        "in more than 10 submissions",
        "all",
        "mosslite 0.1.0",
        "2026-11-21 09:30",
    ):
        assert words in text
    assert re.sub(r"\s+", " ", text).startswith(" LanguageFileskt Java31220")


def test_a_report_without_pairs_says_so_and_has_no_table_of_them(tmp_path: Path) -> None:
    index = write(replace(three_pairs(), pairs=()), tmp_path / "report")
    page = parsed(index)
    assert "no pair shares code" in page.of_class("lead")[0].text
    assert page.of_class("empty")
    assert not page.of_class("ranking")
    assert list(index.parent.glob("pairs/*")) == []


@pytest.mark.parametrize(
    ("share", "whole", "decimal"),
    [
        (0.0, "0 %", "0.00"),
        (1e-12, "1 %", "0.01"),
        (0.0099, "1 %", "0.01"),
        (0.29, "29 %", "0.29"),
        (0.57, "57 %", "0.57"),
        (0.909, "90 %", "0.90"),
        (0.9999, "99 %", "0.99"),
        (1 - 1e-16, "99 %", "0.99"),
        (1.0, "100 %", "1.00"),
    ],
)
def test_shares_never_round_up_to_all_or_down_to_nothing(
    share: float, whole: str, decimal: str
) -> None:
    assert (percent(share), hundredths(share)) == (whole, decimal)


@pytest.mark.parametrize(
    ("share", "shown"),
    [(0.0, "0.000"), (1e-9, "0.001"), (0.9297, "0.929"), (0.9999, "0.999"), (1.0, "1.000")],
)
def test_so_do_shares_in_thousandths(share: float, shown: str) -> None:
    assert thousandths(share) == shown


@given(st.integers(0, 100))
def test_a_whole_percentage_is_written_as_it_is(number: int) -> None:
    assert percent(number / 100) == f"{number} %"


# ---- Hostile names and texts ----


def hostile_report(evil: str) -> Report:
    left = work(evil, document(evil, SOURCE + evil + "\n"))
    right = work(f"javascript:{evil}", document("Lot.java", SOURCE), role=Role.PRIOR)
    return replace(
        report(pair(left, right), options=Options(comment=evil)),
        description=evil,
        base=(evil,),
        skipped=(Skipped(evil, evil),),
        warnings=(evil,),
    )


def assert_harmless(page: Page) -> None:
    """Fail on any element, handler or link that our templates do not make."""
    for script in page.of_tag("script"):
        source = script.attributes.get("src", "")
        is_data = script.attributes.get("type") == "application/json"
        assert is_data or (re.fullmatch(r"(\.\./)?([a-z-]+|sources/\d+)\.js", source))
        assert not re.search("[<>&]", script.text) if is_data else script.text == ""
    for element in page.elements:
        assert element.tag not in {"img", "iframe", "object", "embed", "base", "form", "style"}
        assert not [name for name in element.attributes if name.startswith(("on", "style"))]
        target = element.attributes.get("href", "#left-1")
        assert re.fullmatch(
            r"#[a-z]+(-[a-z\d]+)*|(\.\./)?([a-z]+/)?[a-z\d-]+\.(html|css)(#[a-z\d-]+)?", target
        )


@pytest.mark.slow
@given(st.text() | st.sampled_from([EVIL, "</pre></script>", "\r\n", "{{ 1 }}", "-->", "&amp;"]))
@settings(max_examples=60, deadline=None)
def test_no_name_and_no_text_makes_an_element_a_handler_or_a_link(evil: str) -> None:
    with TemporaryDirectory() as folder:
        write(hostile_report(evil), Path(folder, "report"))
        for path in all_pages(Path(folder, "report")):
            assert_harmless(parsed(path))
            assert set(HIDDEN_RUN.findall(path.read_text(encoding="utf-8"))) == set()


def test_the_check_for_harmless_pages_finds_harm() -> None:
    for harm in (
        EVIL,
        '<a href="javascript:alert(1)">',
        "<p onclick=x>",
        "<script src=report.js>x</script>",
    ):
        page = Page()
        page.feed(f'<script src="report.js"></script>{harm}')
        with pytest.raises(AssertionError):
            assert_harmless(page)


@pytest.mark.slow
@given(st.text(min_size=1))
@settings(max_examples=40, deadline=None)
def test_every_name_is_shown_in_full_with_what_cannot_be_seen_spelled_out(name: str) -> None:
    spelled = "".join(
        code_point(part.text) if part.is_hidden else part.text for part in name_parts(name)
    )
    with TemporaryDirectory() as folder:
        index = write(report(pair(work(name), work(name + "2"))), Path(folder, "report"))
        assert parsed(index).of_class("worst-side")[0].text == f"{spelled} 90 %"
        heading = parsed(index.parent / "pairs" / "1.html").of_class("heading-side")[0]
        assert heading.text == f"{spelled} 90 %"


# ---- Where a report goes ----


def test_a_new_report_takes_the_place_of_the_old_one(tmp_path: Path) -> None:
    write(three_pairs(), tmp_path / "report")
    write(replace(three_pairs(), pairs=()), tmp_path / "report")
    assert "pairs/1.html" not in contents(tmp_path / "report")
    assert [path.name for path in tmp_path.iterdir()] == ["report"]


def test_what_is_the_same_as_in_the_old_report_is_not_written_again(tmp_path: Path) -> None:
    first, again = replace(three_pairs(), warnings=("one",)), replace(three_pairs(), warnings=())
    report = write(first, tmp_path / "report").parent
    known = {path: report.joinpath(path).stat().st_ino for path in contents(report)}

    write(again, report)

    kept = {path for path, number in known.items() if report.joinpath(path).stat().st_ino == number}
    assert known.keys() - kept == {"index.html", ".mosslite-report"}
    write(again, tmp_path / "new")
    assert contents(report) == contents(tmp_path / "new")


def a_changed_text(path: Path) -> None:
    path.write_bytes(path.read_bytes().replace(b"<", b" "))


def a_link(path: Path) -> None:
    path.symlink_to(path.rename(path.with_suffix(".moved")))


def a_link_above(path: Path) -> None:
    path.parent.symlink_to(path.parent.rename(path.parent.with_suffix(".moved")))


def another_name(path: Path) -> None:
    path.with_suffix(".kept").hardlink_to(path)


def other_rights(path: Path) -> None:
    path.chmod(0o600 if path.stat().st_mode & 0o077 else 0o640)


@pytest.mark.parametrize(
    "change", [a_changed_text, a_link, a_link_above, another_name, other_rights]
)
def test_what_somebody_changed_in_the_old_report_is_written_anew(
    change: Callable[[Path], None], tmp_path: Path
) -> None:
    report = write(three_pairs(), tmp_path / "report").parent
    before, page = contents(report), report / "submissions" / "1.html"
    mode = page.stat().st_mode
    change(page)
    number = page.stat().st_ino

    write(three_pairs(), report)

    found = contents(report)
    assert {path: found[path] for path in before} == before
    assert page.lstat().st_mode == mode
    assert page.stat().st_ino != number


def test_what_a_report_has_not_written_stays_in_its_folder(tmp_path: Path) -> None:
    report = write(three_pairs(), tmp_path / "report").parent
    notes, link = report / "pairs" / "notes" / "ann.txt", report / "review.json"
    notes.parent.mkdir()
    notes.write_text("ask her", encoding="utf-8")
    link.symlink_to("elsewhere.json")

    for _ in range(2):
        write(replace(three_pairs(), pairs=()), report)

    assert notes.read_text(encoding="utf-8") == "ask her"
    assert link.readlink() == Path("elsewhere.json")
    assert "pairs/1.html" not in contents(report)


def test_what_stands_where_a_report_has_something_is_never_lost(tmp_path: Path) -> None:
    report = write(replace(three_pairs(), pairs=()), tmp_path / "report").parent
    report.joinpath("pairs").write_text("my own", encoding="utf-8")

    with pytest.raises(OutputError, match="pairs' is not of the report"):
        write(three_pairs(), report)

    assert report.joinpath("pairs").read_text(encoding="utf-8") == "my own"


def test_what_cannot_be_listed_in_the_folder_is_never_lost(tmp_path: Path) -> None:
    report = write(three_pairs(), tmp_path / "report").parent
    notes = report / "notes"
    notes.mkdir(mode=0o300)
    if os.access(notes, os.R_OK):
        pytest.skip("this user may read everything")

    with pytest.raises(OutputError, match="permission denied"):
        write(three_pairs(), report)

    assert notes.is_dir()
    notes.chmod(0o700)


@pytest.mark.parametrize("name", [".", ".."])
def test_the_current_folder_is_not_replaced(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)

    with pytest.raises(OutputError, match="current"):
        write(three_pairs(), Path(name))


@pytest.mark.skipif(sys.platform != "linux", reason="what is mounted there is known")
def test_a_mount_point_is_refused_before_there_is_anything_to_move() -> None:
    with pytest.raises(OutputError, match="mount point"):
        refuse_foreign_folder(Path("/dev"))


def test_a_file_that_is_written_once_more_leaves_the_old_report_alone(tmp_path: Path) -> None:
    old, new = tmp_path / "old", tmp_path / "new"
    new.mkdir()
    old.mkdir()
    Site(old, environment()).write("pairs/1.html", "one")
    site = Site(new, environment(), Earlier(old, new))

    for text in ("one", "one", "two"):  # as where a copy died, and all is done again
        site.write("pairs/1.html", text)

    assert contents(old) == {"pairs/1.html": b"one"}
    assert contents(new) == {"pairs/1.html": b"two"}


def test_without_links_all_is_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise PermissionError

    report = write(three_pairs(), tmp_path / "report").parent
    before = contents(report)
    monkeypatch.setattr(os, "link", refuse)
    write(three_pairs(), report)
    assert contents(report) == before


def test_an_empty_folder_is_taken(tmp_path: Path) -> None:
    (tmp_path / "report").mkdir()
    assert write(three_pairs(), tmp_path / "report").is_file()


def test_a_report_is_as_open_to_others_as_any_new_folder(tmp_path: Path) -> None:
    (tmp_path / "any").mkdir()
    write(three_pairs(), tmp_path / "report")
    assert (tmp_path / "report").stat().st_mode == (tmp_path / "any").stat().st_mode


def test_somebody_elses_folder_is_refused_and_left_alone(tmp_path: Path) -> None:
    (tmp_path / "results").mkdir()
    (tmp_path / "results" / "index.html").write_text("mine", encoding="utf-8")
    with pytest.raises(OutputError) as refused:
        write(three_pairs(), tmp_path / "results")
    shown = repr(str(tmp_path / "results"))
    assert str(refused.value) == (
        f"{shown} holds files that are not a mosslite report: give another folder with -o"
    )
    assert contents(tmp_path) == {"results/index.html": b"mine"}


def test_a_file_is_refused_and_left_alone(tmp_path: Path) -> None:
    (tmp_path / "results").write_text("mine", encoding="utf-8")
    with pytest.raises(OutputError) as refused:
        write(three_pairs(), tmp_path / "results")
    assert str(refused.value) == f"{str(tmp_path / 'results')!r} is a file: give a folder with -o"
    assert contents(tmp_path) == {"results": b"mine"}


@pytest.mark.skipif(sys.platform == "win32", reason="a folder has no such permissions there")
def test_a_report_that_was_closed_to_others_stays_closed(tmp_path: Path) -> None:
    write(three_pairs(), tmp_path / "report")
    (tmp_path / "report").chmod(0o700)
    write(three_pairs(), tmp_path / "report")
    assert stat.S_IMODE((tmp_path / "report").stat().st_mode) == 0o700


def test_a_folder_that_would_be_refused_can_be_asked_about_before_the_run(tmp_path: Path) -> None:
    refuse_foreign_folder(tmp_path / "new")
    (tmp_path / "mine.txt").write_text("mine", encoding="utf-8")
    with pytest.raises(OutputError, match="holds files"):
        refuse_foreign_folder(tmp_path)


def test_a_place_where_no_folder_can_be_is_an_error_in_one_line(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("mine", encoding="utf-8")
    with pytest.raises(OutputError) as refused:
        write(three_pairs(), tmp_path / "file" / "report")
    assert str(refused.value).startswith("cannot write the report to ")
    assert "\n" not in str(refused.value)


def test_a_crash_in_the_middle_leaves_the_old_report_and_no_rubbish(tmp_path: Path) -> None:
    write(three_pairs(), tmp_path / "report")
    before = contents(tmp_path)
    good = pair(work("ada"), work("ben"))
    bad = replace(good, matches=(good.matches[0]._replace(left=TEMPLATE_BUG),))
    with pytest.raises(IndexError):
        write(report(good, bad), tmp_path / "report")
    assert contents(tmp_path) == before
    assert [path.name for path in tmp_path.iterdir()] == ["report"]


def test_a_folder_that_cannot_be_moved_in_leaves_the_old_one_in_its_place(tmp_path: Path) -> None:
    (tmp_path / "old").mkdir()
    (tmp_path / "old" / "index.html").write_text("old", encoding="utf-8")
    with pytest.raises(FileNotFoundError):
        swap(tmp_path / "missing", tmp_path / "old", aside=tmp_path / "aside")
    assert contents(tmp_path) == {"old/index.html": b"old"}


def interrupt_of_swap(step: int) -> TraceFunction:
    """Give what ``sys.settrace`` takes to press Ctrl-C once, before a step of ``swap``."""
    steps = count()

    def trace(frame: FrameType, _event: str, _argument: object) -> TraceFunction | None:
        if frame.f_code is not swap.__code__:
            return None
        frame.f_trace_opcodes = True
        if next(steps) == step:
            raise KeyboardInterrupt
        return trace

    return trace


def replaced(folder: Path, text: str, *, interrupted_at: int) -> bool:
    """Replace a report's page, and tell whether nothing came between."""
    before = sys.gettrace()
    try:
        with replacement(folder) as fresh:
            (fresh / "index.html").write_text(text, encoding="utf-8")
            sys.settrace(interrupt_of_swap(interrupted_at))
    except KeyboardInterrupt:
        return False
    finally:
        sys.settrace(before)
    return True


def test_an_interrupt_at_any_step_of_the_move_leaves_the_old_report_or_the_new_one(
    tmp_path: Path,
) -> None:
    replaced(tmp_path / "report", "0", interrupted_at=-1)
    found = ["0"]
    for step in count():
        is_done = replaced(tmp_path / "report", str(step + 1), interrupted_at=step)
        found.append((tmp_path / "report" / "index.html").read_text(encoding="utf-8"))
        assert found[-1] in (found[-2], str(step + 1))
        assert [path.name for path in tmp_path.iterdir()] == ["report"]
        if is_done:
            break

    assert len(set(found)) > 2  # the last steps come when the new one is there
    assert step > 4  # and there were some


@contextmanager
def no_file_bigger_than(size: int) -> Iterator[None]:
    resource = pytest.importorskip("resource")
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, limits[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)


def test_a_full_disk_leaves_the_old_report_and_no_rubbish(tmp_path: Path) -> None:
    write(three_pairs(), tmp_path / "report")
    before = contents(tmp_path)
    changed = replace(three_pairs(), warnings=("new",))
    with no_file_bigger_than(2000), pytest.raises(OutputError, match="cannot write the report to"):
        write(changed, tmp_path / "report")
    assert contents(tmp_path) == before
    assert [path.name for path in tmp_path.iterdir()] == ["report"]


@pytest.mark.skipif(os.name == "nt", reason="links need a privilege there")
def test_a_link_to_a_report_stays_a_link(tmp_path: Path) -> None:
    write(three_pairs(), tmp_path / "real")
    (tmp_path / "link").symlink_to(tmp_path / "real")
    write(replace(three_pairs(), pairs=()), tmp_path / "link")
    assert (tmp_path / "link").is_symlink()
    assert "pairs/1.html" not in contents(tmp_path / "real")
