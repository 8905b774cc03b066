import re
from dataclasses import replace
from itertools import combinations
from pathlib import Path

import pytest

from mosslite.intake import collect
from mosslite.options import Options
from mosslite.records import (
    CommonPassage,
    Inputs,
    NotCompared,
    Report,
    Role,
    Skipped,
    SubmissionMetadata,
    TokenizedSubmission,
)
from mosslite.report import ReportMetadata, write_html
from mosslite.report.html.groups import cases_of, pictures_of
from mosslite.report.html.overview import excerpts_of, write_likely_boilerplate, write_overview
from mosslite.report.html.pages import templates_of
from mosslite.report.html.site import Site, environment
from mosslite.report.html.submissions import submission_tasks
from mosslite.report.wording import compared, to_review
from tests.reports import TEXT, named, pair_of, report_of, scored_report
from tests.tables import table

METADATA = ReportMetadata("2026-11-21T09:30:00+00:00", "0.1.0")
HOSTILE = "\"'><script>alert(1)</script>\u202e{{ 7 * 7 }}"


def written(report: Report, folder: Path, *, directory: str = "mosslite-report") -> str:
    """Write the overview and the pages of submissions, and give the overview."""
    site, cases = Site(folder, templates_of(report, METADATA)), cases_of(report)
    write_overview(report, site, Path(directory), cases, pictures_of(report, cases)[0])
    for task in submission_tasks(report, site, cases):
        task()
    write_likely_boilerplate(excerpts_of(report.common), site)
    return (folder / "index.html").read_text(encoding="utf-8")


def text_of(html: str) -> str:
    return re.sub(r"\s+", " ", re.sub(r"<[^>]*>", " ", html))


def rows_of(html: str) -> list[str]:
    table = html[html.index('id="pair-table"') :]
    return re.findall(r"<tr data-pair=.*?</tr>", table[: table.index("</table>")], re.DOTALL)


# ---- The histogram ----


def test_the_table_beside_the_picture_has_every_count(tmp_path: Path) -> None:
    report = replace(scored_report([(1, 2, 0.9)], 2), histogram=(0, 1200, 7, *[0] * 46, 1))
    html = written(report, tmp_path)
    table = html[html.index('class="histogram-numbers"') :]

    assert re.findall(r'numeric">([\d,]+)</td>', table[: table.index("</table>")]) == [
        "1,200",
        "7",
        "1",
    ]
    assert "within 0.02 of the score, of the 1,208 pairs that share most." in html


# ---- The overview ----


def test_the_first_sentence_counts_what_needs_a_look(tmp_path: Path) -> None:
    report = scored_report([(1, 2, 0.9), (2, 3, 0.7), (4, 5, 0.6), (1, 4, 0.2)], 6)
    html = written(replace(report, skipped=(Skipped("a.pdf", "no text"),)), tmp_path)

    assert (
        "6 submissions compared, 1 skipped: 3 pairs of 5 submissions in 2 groups to review ."
        in text_of(html)
    )


@pytest.mark.parametrize(
    ("counts", "words"),
    [
        ((0, 0, 0), "no pair reaches the threshold"),
        ((1, 2, 1), "1 pair of 2 submissions in 1 group to review"),
        ((1200, 50, 3), "1,200 pairs of 50 submissions in 3 groups to review"),
    ],
)
def test_what_is_to_review_is_said_in_words(counts: tuple[int, int, int], words: str) -> None:
    assert to_review(*counts) == words


@pytest.mark.parametrize(
    ("shown", "words"), [(2, "at least 2 pairs"), (3, "2 pairs"), (0, "2 pairs")]
)
def test_there_may_be_more_than_the_report_shows(shown: int, words: str, tmp_path: Path) -> None:
    report = scored_report([(1, 2, 0.9), (2, 3, 0.7)], 6)
    html = written(replace(report, options=Options(show=shown)), tmp_path)

    assert f"6 submissions compared: {words} of 3 submissions in 1 group to review ." in text_of(
        html
    )


@pytest.mark.parametrize(
    ("roles", "sentence"),
    [
        ([Role.CURRENT] * 2, "2 submissions compared"),
        (
            [Role.CURRENT, Role.PRIOR, Role.PRIOR, Role.REFERENCE],
            "1 submission compared with 2 prior submissions and 1 reference",
        ),
        (
            [Role.CURRENT, Role.CURRENT, Role.PRIOR],
            "2 submissions compared with each other and with 1 prior submission",
        ),
    ],
)
def test_what_was_compared_is_said_in_words(roles: list[Role], sentence: str) -> None:
    submissions = [named(f"w{number}", role=role) for number, role in enumerate(roles)]

    assert compared(report_of(submissions, [])) == sentence


def test_every_pair_is_in_the_table_with_links_to_its_page(tmp_path: Path) -> None:
    scores = [(left, left + 1, 1 - left / 100) for left in range(1, 30)]
    rows = rows_of(written(scored_report(scores, 30), tmp_path))

    assert len(rows) == len(scores)
    for rank, ((left, _, score), row) in enumerate(zip(scores, rows, strict=True), 1):
        assert f'<tr data-pair="{rank}"' in row
        assert f'href="pairs/{rank}.html" data-submission="{left}"' in row
        assert '<td class="mark"' in row
        assert ("is-high" in row) == (score >= 0.5)


def test_passages_that_nobody_declared_are_told_before_the_pairs_and_groups_after(
    tmp_path: Path,
) -> None:
    report = scored_report([(1, 2, 0.9), (2, 3, 0.8)], 3)
    shared = common(report.submissions[0], (0, 4))
    html = written(replace(report, common=shared), tmp_path)

    order = ["shared", "pairs", "distribution", "groups", "submissions", "run"]
    assert [each for each in re.findall(r'<h2 id="([\w-]+)"', html) if each in order] == order


def test_only_groups_of_three_and_more_are_drawn(tmp_path: Path) -> None:
    html = written(scored_report([(1, 2, 0.9), (3, 4, 0.8), (4, 5, 0.7)], 5), tmp_path)

    shown = re.findall(r'class="node"[^>]*data-node="(\d)"(?! hidden)', html)
    assert shown == ["3", "4", "5"]
    assert re.findall(r"<text[^>]*>(Group \d)<", html) == ["Group 2"]


def test_the_picture_of_all_shows_the_first_groups_and_counts_the_others(tmp_path: Path) -> None:
    stars = [(start, start + other, 0.9) for start in range(1, 451, 150) for other in range(1, 150)]
    html = written(scored_report(stars, 450), tmp_path)

    assert re.findall(r"<text[^>]*>(Group \d)<", html) == ["Group 1"]
    assert "2 further groups are not drawn here" in html


def test_a_large_group_names_its_first_members_and_counts_the_others(tmp_path: Path) -> None:
    chain = [(number, number + 1, 0.9) for number in range(1, 25)]
    html = written(scored_report(chain, 25), tmp_path)

    table = html[html.index('id="group-table"') :]
    cell = table[table.index('<td class="members"') :].partition("</td>")[0]
    assert text_of(cell).split("work ")[1:][-1] == "20 and 5 more"


def test_a_pair_of_a_role_can_be_filtered(tmp_path: Path) -> None:
    submissions = [named("ada"), named("old", role=Role.PRIOR), named("model", role=Role.REFERENCE)]
    pairs = [
        pair_of(submissions[0], submissions[1], 0.9),
        pair_of(submissions[0], submissions[2], 0.8),
    ]
    html = written(report_of(submissions, pairs), tmp_path)

    assert re.findall(r'<option value="(\w*)">', html) == [
        *("", "todo", "done", "confirmed", "dismissed", "changed"),
        *("", "current", "prior", "reference"),
    ]


def test_a_batch_too_small_to_suggest_a_threshold_is_told_so(tmp_path: Path) -> None:
    html = written(scored_report([(1, 2, 0.9)], 2, threshold=None), tmp_path)

    assert "Too few submissions to suggest a threshold" in html
    assert 'value="0.5" data-suggested="0.5"' in html
    assert "histogram-band" not in html


def test_a_report_without_pairs_has_no_table_no_picture_and_no_slider(tmp_path: Path) -> None:
    html = written(scored_report([], 3), tmp_path)

    assert "3 submissions compared: no pair shares code." in text_of(html)
    assert [mark in html for mark in ("pair-table", "<svg", 'id="threshold"')] == [False] * 3
    assert "No two submissions share a passage" in html


def test_an_empty_report_is_written(tmp_path: Path) -> None:
    assert "0 submissions compared" in text_of(written(report_of([], []), tmp_path))


def test_submissions_are_listed_with_their_best_pair_and_group() -> None:
    report = scored_report([(1, 2, 0.9), (2, 3, 0.3)], 4)
    cases = cases_of(report)

    assert {n: entries[0].rank for n, entries in cases.entries_of.items()} == {1: 1, 2: 1, 3: 2}
    assert {n: group.number for n, group in cases.group_of.items()} == {1: 1, 2: 1}


def test_a_hostile_name_is_text_wherever_it_stands(tmp_path: Path) -> None:
    submissions = [named(HOSTILE), named("ben"), named("eve", role=Role.PRIOR)]
    report = report_of(submissions, [pair_of(submissions[0], submissions[1], 0.9, (0, 5))])
    report = replace(
        report,
        skipped=(Skipped(HOSTILE, HOSTILE),),
        warnings=(HOSTILE,),
        common=(CommonPassage(submissions[0], submissions[0].place_of(0, 4), 4, 3),),
    )
    written(report, tmp_path)

    for path in tmp_path.rglob("*.html"):
        html = path.read_text(encoding="utf-8")
        scripts = re.findall(r"<script[^>]*>", html)
        assert all(re.fullmatch(r'<script src="[\w./-]+"( defer)?>', each) for each in scripts)
        assert "\u202e" not in html
        assert "{{ 7 * 7 }}" in html or "HOSTILE" not in html
        assert not re.search(r'\s(on\w+|style)="', re.sub(r">[^<]*<", "><", html))


# ---- Likely boilerplate that nobody declared ----


def common(
    submission: TokenizedSubmission, *ranges: tuple[int, int], is_whole: bool = True
) -> tuple[CommonPassage, ...]:
    return tuple(
        CommonPassage(
            submission, submission.place_of(start, stop - start), stop - start, 8, is_whole=is_whole
        )
        for start, stop in ranges
    )


def with_file(submission: TokenizedSubmission, name: str) -> TokenizedSubmission:
    document = replace(
        submission.documents[0], file=replace(submission.documents[0].file, name=name)
    )
    return replace(submission, documents=(document, *submission.documents[1:]))


def test_common_passages_are_written_to_be_given_as_boilerplate(tmp_path: Path) -> None:
    submission = with_file(
        named("ada", texts=("  one two\n  three four five\nsix",)), "src/Main.java"
    )
    report = replace(scored_report([(1, 2, 0.9)], 2), common=())
    report = replace(
        report, submissions=(submission,), pairs=(), common=common(submission, (0, 2), (3, 6))
    )
    html = written(report, tmp_path, directory="out dir")

    folder = tmp_path / "likely-boilerplate"
    assert (folder / "Main.java").read_text(encoding="utf-8") == "  one two\n\nfour five\nsix\n"
    assert "-b &#39;out dir/likely-boilerplate&#39;" in html
    assert "Most submissions share 2 passages that are not declared as base code" in text_of(html)


def test_what_is_written_can_be_read_back_as_boilerplate(tmp_path: Path) -> None:
    submission = with_file(named("ada"), "../../..")
    site = Site(tmp_path, environment())
    write_likely_boilerplate(excerpts_of(common(submission, (0, 4))), site)
    (tmp_path / "new.txt").write_text("one", encoding="utf-8")

    inputs = Inputs((str(tmp_path / "new.txt"),), base=(str(tmp_path / "likely-boilerplate"),))
    batch = collect(inputs, directories=False)

    assert [each.text for each in batch.base] == ["one two three\nfour\n"]


@table("name", "safe")
def test_a_students_file_name_cannot_lead_out_of_the_folder(
    name: str, safe: str, tmp_path: Path
) -> None:
    submission = with_file(named("ada"), name)
    write_likely_boilerplate(excerpts_of(common(submission, (0, 4))), Site(tmp_path, environment()))

    assert [path.relative_to(tmp_path).as_posix() for path in tmp_path.rglob("*.*")] == [
        f"likely-boilerplate/{safe}"
    ] or (tmp_path / "likely-boilerplate" / safe).is_file()


def test_short_passages_are_written_one_by_one_for_a_reader_to_choose(tmp_path: Path) -> None:
    text = "\n".join(f"word{n} and{n}" for n in range(40))
    submission = with_file(named("ada", texts=(text,)), "M.py")
    passages = common(submission, (0, 20), (30, 60), (62, 80), is_whole=False)
    report = replace(report_of([submission], []), common=passages)
    html = written(report, tmp_path, directory="out dir")

    found = sorted(path.relative_to(tmp_path).as_posix() for path in tmp_path.rglob("*M.py"))
    assert found == ["likely-boilerplate/M.py", "shared-passages/2-M.py", "shared-passages/M.py"]
    whole = (tmp_path / "likely-boilerplate" / "M.py").read_text(encoding="utf-8")
    assert whole.splitlines()[0] == "word15 and15"
    assert len(whole.splitlines()) == 15
    for name in ("likely-boilerplate", "shared-passages/M.py", "shared-passages/2-M.py"):
        assert f"-b &#39;out dir/{name}&#39;" in html


def test_where_all_passages_are_short_none_is_offered_unseen(tmp_path: Path) -> None:
    submission = with_file(named("ada"), "M.py")
    report = replace(report_of([submission], []), common=common(submission, (0, 4), is_whole=False))
    html = written(report, tmp_path)

    assert not (tmp_path / "likely-boilerplate").exists()
    assert "likely-boilerplate" not in html
    advice = "If you handed this code out, exclude each passage with the option shown below it."
    assert advice in text_of(html)


def test_two_files_of_one_name_are_both_written(tmp_path: Path) -> None:
    submissions = [with_file(named("ada"), "a/M.py"), with_file(named("ben"), "b/m.py")]
    passages = [*common(submissions[0], (0, 2)), *common(submissions[1], (2, 4))]
    write_likely_boilerplate(excerpts_of(passages), Site(tmp_path, environment()))

    names = sorted(path.name for path in (tmp_path / "likely-boilerplate").iterdir())
    assert names == ["2-m.py", "M.py"]


@pytest.mark.parametrize(
    ("name", "first"),
    [("A.html", "one"), ("a.XHTML", "one"), ("b.svg", "one"), ("a.erb", "<p>"), ("php", "\n <p>")],
)
def test_what_a_browser_could_show_as_a_page_is_written_where_it_shows_none(
    name: str, first: str, tmp_path: Path
) -> None:
    submission = with_file(named("ada", texts=(f"{first} two three\nfour five\n",)), name)
    write_likely_boilerplate(excerpts_of(common(submission, (0, 4))), Site(tmp_path, environment()))

    (path,) = (tmp_path / "likely-boilerplate").iterdir()
    assert path.name == "pages.zip"
    batch = collect(Inputs((str(path),), base=(str(path),)), directories=False)
    assert [each.text.split()[:2] for each in batch.base] == [[first.strip(), "two"]]


# ---- The page of a submission ----


def submission_page(report: Report, folder: Path, number: int) -> str:
    written(report, folder)
    return (folder / "submissions" / f"{number}.html").read_text(encoding="utf-8")


def three_submissions() -> Report:
    """Return ada, who shares lines 1 and 2 with ben and lines 2 to 4 with eve."""
    ada, ben, eve = (named(name) for name in ("ada", "ben", "eve"))
    return report_of(
        [ada, ben, eve], [pair_of(ada, ben, 0.9, (0, 6)), pair_of(ada, eve, 0.7, (3, 12))]
    )


def test_shared_lines_are_cut_where_who_shares_them_changes(tmp_path: Path) -> None:
    html = submission_page(three_submissions(), tmp_path, 1)
    table = html[html.index("passage-table") : html.index('id="files"')]
    rows = [text_of(row).split() for row in re.findall(r"<tr>.*?</tr>", table, re.DOTALL)[1:]]

    assert rows == [["1", "1", "ben"], ["2", "2", "ben", "eve"], ["3-4", "1", "eve"]]


def test_partners_come_by_score_with_the_shares_of_both_sides(tmp_path: Path) -> None:
    html = submission_page(three_submissions(), tmp_path, 3)
    row = re.findall(r'<tr data-pair="2".*?</tr>', html, re.DOTALL)

    assert len(row) == 1
    assert re.findall(r"(\d+) %", row[0]) == ["40", "90"]
    assert 'href="../pairs/2.html" data-submission="1"' in row[0]


def test_a_submission_tells_its_group_or_that_it_is_in_none(tmp_path: Path) -> None:
    report = scored_report([(1, 2, 0.9)], 3)

    assert '<a href="../groups/1.html">Group 1</a>, with 1 other submission;' in submission_page(
        report, tmp_path, 1
    )
    assert "In no group" in submission_page(report, tmp_path, 3)
    assert "This submission is in no listed pair" in submission_page(report, tmp_path, 3)


def test_what_was_skipped_in_its_folder_is_on_the_submissions_page(tmp_path: Path) -> None:
    skipped = (Skipped("batch/ada/x.class", "NUL"), Skipped("batch/adam/y.class", "NUL"))
    html = submission_page(replace(three_submissions(), skipped=skipped), tmp_path, 1)

    assert "batch/ada/x.class" in html
    assert "batch/adam" not in html


# ---- Pages of batches of any size ----

MOST_ELEMENTS, MOST_BYTES = 20_000, 3_000_000


def large_report() -> Report:
    """Return a batch of 1,200 with a group of 500, a dense one of 30, and 300 groups of two."""
    chain = [(number, number + 1, 0.95) for number in range(1, 500)]
    dense = [(left, right, 0.9) for left, right in combinations(range(501, 531), 2)]
    twos = [(number, number + 1, 0.8) for number in range(561, 1_161, 2)]
    found = scored_report([*chain, *dense, *twos], 1_200)
    many = tuple(Skipped(f"class/work 1/file {number}", "no text") for number in range(10_000))
    absent = tuple(
        NotCompared(f"student {number}", "no text", SubmissionMetadata()) for number in range(3_000)
    )
    files = named("work 1", texts=(TEXT,) * 2_000)
    submissions = (files, *found.submissions[1:])
    return replace(
        found,
        submissions=submissions,
        base=tuple(f"base/{number}.py" for number in range(5_000)),
        skipped=many,
        ignored=many,
        not_compared=absent,
        warnings=tuple(f"something is odd with {number}" for number in range(3_000)),
        options=replace(found.options, show=0),
    )


@pytest.mark.slow
def test_a_page_of_any_batch_weighs_little(tmp_path: Path) -> None:
    write_html(large_report(), tmp_path / "report", METADATA)

    weights = {
        path.relative_to(tmp_path).as_posix(): (len(re.findall(rb"<\w", text)), len(text))
        for path in sorted(tmp_path.glob("report/**/*.html"))
        for text in [path.read_bytes()]
    }
    assert len(weights) == 1 + 1_200 + 1_234 + 302
    assert {
        path: weight
        for path, weight in weights.items()
        if weight[0] > MOST_ELEMENTS or weight[1] > MOST_BYTES
    } == {}
