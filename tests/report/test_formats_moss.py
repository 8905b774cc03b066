import re
import sys
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path

import pytest

import mosslite
from mosslite.errors import OutputError
from mosslite.options import Options
from mosslite.records import Report, Skipped
from mosslite.report.anonymous import anonymous
from mosslite.report.formats.moss import write_moss_html
from tests.conftest import Run
from tests.programs import PRIMES, QUEUE, QUEUE_RENAMED, write_files
from tests.reports import named, pair_of, report_of

# The row of MOSS' own table, with links that are relative.
ROW = re.compile(
    r'<TR><TD><A HREF="match(\d+)\.html">(.+) \((\d+)%\)</A>\n'
    r'    <TD><A HREF="match\1\.html">(.+) \((\d+)%\)</A>\n'
    r"<TD ALIGN=right>(\d+)\n"
)
CREATED = "2026-11-21T09:00:00+00:00"


class Page(HTMLParser):
    """The tags of a page, and its text."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.links: list[str] = []
        self.anchors: list[str] = []
        self.text = ""
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        told = {key: value or "" for key, value in attrs}
        self.tags.append(tag)
        self.links += [told[key] for key in ("href", "src") if key in told]
        self.anchors += [told["name"]] if tag == "a" and "name" in told else []

    def handle_data(self, data: str) -> None:
        self.text += data


def written(report: Report, folder: Path) -> Path:
    assert write_moss_html(report, folder, created=CREATED) == folder / "index.html"
    return folder


def rows_of(folder: Path) -> list[tuple[str, ...]]:
    return ROW.findall((folder / "index.html").read_text(encoding="utf-8"))


def a_pair(left: str = "ann", right: str = "bob", text: str | None = None) -> Report:
    texts = [text or "one two three\nfour five\n" * 3]
    submissions = named(left, texts=texts), named(right, texts=texts)
    return report_of(submissions, [pair_of(*submissions, 0.9, (0, 3), (4, 11), matched_lines=42)])


@pytest.fixture
def batch(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Report:
    """A folder of two files, a folder of one, and a single file."""
    monkeypatch.chdir(tmp_path)
    files = {"hw/ann/queue.py": QUEUE, "hw/ann/primes.py": PRIMES, "hw/cy.py": PRIMES}
    write_files(tmp_path, files | {"hw/bob/line.py": QUEUE_RENAMED})
    return mosslite.check(["hw"])


def test_the_index_has_the_rows_of_moss_with_shares_rounded_down_and_lines(tmp_path: Path) -> None:
    rows = rows_of(written(a_pair(), tmp_path / "moss"))
    assert rows == [("0", "ann/", "90", "bob/", "40", "42")]


def test_a_folder_ends_with_a_slash_and_a_file_does_not(batch: Report, tmp_path: Path) -> None:
    rows = rows_of(written(batch, tmp_path / "moss"))
    assert sorted((row[1], row[3]) for row in rows) == [("ann/", "bob/"), ("ann/", "cy.py")]


def test_blanks_in_a_name_are_underscores_as_in_moss(tmp_path: Path) -> None:
    ((_, left, *_),) = rows_of(written(a_pair("Ann B.\N{NO-BREAK SPACE}Lee"), tmp_path / "moss"))
    assert left == "Ann_B._Lee/"


def test_a_pair_is_a_frame_set_a_list_of_passages_and_both_sides(tmp_path: Path) -> None:
    folder = written(a_pair(), tmp_path / "moss")
    frames = Page(folder / "match0.html")
    assert frames.links == ["match0-top.html", "match0-0.html", "match0-1.html"]
    assert sorted(path.name for path in folder.iterdir()) == [
        ".mosslite-report", "index.html", "match0-0.html", "match0-1.html", "match0-top.html",
        "match0.html",
    ]  # fmt: skip


def test_passages_are_listed_by_lines_the_longest_first(tmp_path: Path) -> None:
    top = (written(a_pair(), tmp_path / "moss") / "match0-top.html").read_text(encoding="utf-8")
    assert re.findall(r"(match0-\d)\.html#(\d+)\".*>file: ([\d-]+)</A>", top) == [
        ("match0-0", "0", "2-5"),
        ("match0-1", "0", "2-5"),
        ("match0-0", "1", "1-1"),
        ("match0-1", "1", "1-1"),
    ]


def test_of_a_folder_a_passage_names_its_file(batch: Report, tmp_path: Path) -> None:
    folder = written(batch, tmp_path / "moss")
    tops = "".join(path.read_text(encoding="utf-8") for path in sorted(folder.glob("*-top.html")))
    assert re.findall(r">([\w.]+: )?([\d-]+)</A>", tops) == [
        ("primes.py: ", "1-8"), ("", "1-8"), ("queue.py: ", "1-16"), ("line.py: ", "2-14"),
    ]  # fmt: skip


def test_every_link_leads_to_a_page_and_an_anchor_that_are_there(
    batch: Report, tmp_path: Path
) -> None:
    folder = written(batch, tmp_path / "moss")
    pages = {path.name: Page(path) for path in folder.glob("*.html")}
    links = [link for page in pages.values() for link in page.links if link[:5] != "data:"]
    for name, _, anchor in (link.partition("#") for link in links):
        assert not anchor or anchor in pages[name].anchors
        assert name in pages


def test_a_side_shows_the_whole_text_in_one_block(batch: Report, tmp_path: Path) -> None:
    folder = written(batch, tmp_path / "moss")
    page = (folder / "match0-0.html").read_text(encoding="utf-8")
    (listing,) = re.findall(r"<HR>.*<PRE>\n(.*)</PRE>", page, re.DOTALL)
    shown = re.sub(r"<A NAME.*\n|</?FONT.*?>", "", listing)
    assert shown == "".join(
        f"&gt;&gt;&gt;&gt; file: {name}\n{text}"
        for name, text in (
            ("primes.py", PRIMES.replace(">", "&gt;")),
            ("queue.py", QUEUE.replace(">", "&gt;").replace('"', "&quot;")),
        )
    )


def test_passages_that_overlap_show_every_character_once(tmp_path: Path) -> None:
    submissions = named("ann"), named("bob")
    report = report_of(submissions, [pair_of(*submissions, 0.9, (0, 6), (2, 4), (3, 9))])
    page = Page(written(report, tmp_path / "moss") / "match0-0.html")
    text = submissions[0].documents[0].file.text
    assert "".join(page.text.split()).endswith("".join(text.split()))
    assert sorted(page.anchors) == ["0", "1", "2"]


HOSTILE = (
    "<script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    "</PRE></TITLE><A HREF='http://e.vil'>x</A>",
    "{0} {} %s",
    "&lt;b&gt;",
)


@pytest.mark.parametrize("name", HOSTILE)
def test_no_name_and_no_source_adds_a_tag_or_a_link(tmp_path: Path, name: str) -> None:
    def with_texts(report: Report, text: str) -> Report:
        skipped = (Skipped("a", text),)
        return replace(report, options=Options(comment=text), skipped=skipped, warnings=(text,))

    plain = written(with_texts(a_pair(text="word " * 12), "word"), tmp_path / "plain")
    hostile = written(with_texts(a_pair(name, text=f"{name} " * 12), name), tmp_path / "moss")
    for path in sorted(plain.glob("*.html")):
        allowed = [tag for tag in Page(path).tags if tag != "br"]
        page = Page(hostile / path.name)
        assert [tag for tag in page.tags if tag != "br"] == allowed
        assert page.links == Page(path).links


@pytest.mark.parametrize("name", ["\x00", "a\nb", "\u202egnp", "\ud800"])
def test_what_cannot_be_seen_is_spelled_out(tmp_path: Path, name: str) -> None:
    folder = written(a_pair(name, text=f"{name} " * 12), tmp_path / "moss")
    ((_, left, *_),) = rows_of(folder)
    assert "[U+" in left


def test_an_anonymous_report_names_nobody(tmp_path: Path) -> None:
    nameless, _ = anonymous(a_pair("annabel", "bobby"))
    folder = written(nameless, tmp_path / "moss")
    texts = "".join(path.read_text(encoding="utf-8") for path in folder.glob("*.html"))
    assert "Submission_001/" in texts
    assert "annabel" not in texts


def test_nothing_is_loaded_from_elsewhere(batch: Report, tmp_path: Path) -> None:
    folder = written(batch, tmp_path / "moss")
    links = [link for path in folder.glob("*.html") for link in Page(path).links]
    assert all(re.match(r"match\d+[-.]|data:image/gif;", link) for link in links)


def test_options_are_repeated_as_moss_does(tmp_path: Path) -> None:
    options = Options(language="java", directories=True, max_sharing=10, comment="hw 3")
    folder = written(replace(a_pair(), options=options), tmp_path / "moss")
    lines = (folder / "index.html").read_text(encoding="utf-8").splitlines()
    assert "Options -l java -d -m 10 -c hw 3" in lines


def test_an_old_report_is_replaced_and_a_strangers_folder_is_left_alone(tmp_path: Path) -> None:
    folder = written(a_pair(), tmp_path / "moss")
    written(report_of([], []), folder)
    assert not (folder / "match0.html").exists()
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "notes.txt").touch()
    with pytest.raises(OutputError, match=r"choose another folder with --moss-html$"):
        write_moss_html(a_pair(), tmp_path / "mine", created=CREATED)


@pytest.mark.parametrize("options", [["--no-html"], []])
def test_a_terminal_is_told_how_far_the_pages_are(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, options: list[str]
) -> None:
    write_files(tmp_path, {"hw/ann.py": QUEUE, "hw/bob.py": QUEUE_RENAMED})
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    outcome = run("check", "hw", "--moss-html", "moss", *options)
    assert (outcome.code, (tmp_path / "moss/match0.html").is_file()) == (0, True)


def paragraphs(path: Path) -> list[str]:
    """Return the texts of paragraphs as browsers see them: a line or a list ends one."""
    parts = re.split(r"<p>", path.read_text(encoding="utf-8"))[1:]
    return [re.split(r"<(?:HR|UL|TABLE|/BODY)>", part)[0].strip() for part in parts]


@pytest.mark.parametrize("title", ["", "Sheet 3", "<b>3</b>"])
def test_the_third_paragraph_is_the_title_and_never_a_warning(tmp_path: Path, title: str) -> None:
    report = replace(
        a_pair(), options=Options(comment=title), skipped=(Skipped("a", "b"),), warnings=("c",)
    )

    written(report, tmp_path / "moss")

    found = paragraphs(tmp_path / "moss" / "index.html")
    assert found[2] == title.replace("<", "&lt;").replace(">", "&gt;")
    assert "c" not in found
