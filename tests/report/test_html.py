import re
from dataclasses import replace
from itertools import combinations
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mosslite.display import HIDDEN_RUN, code_point, name_parts
from mosslite.options import Options
from mosslite.records import Report, Role, Skipped
from mosslite.report.html.site import ASSETS, asset, template_root
from tests.builders import tries
from tests.pages import Page, all_pages, contents, parsed, write
from tests.reports import TEXT, named, one_pair, scored_report, three_pairs


def files_of_templates() -> set[str]:
    """Return the style sheets and scripts of reports; only a server's may ask it for anything."""
    found = Path(str(template_root())).rglob("*.*s")
    names = {path.relative_to(str(template_root())).as_posix() for path in found}
    return {name for name in names if "serve" not in name and name != "document.css"}


def test_each_style_sheet_and_script_is_part_of_one_file_of_a_report() -> None:
    parts = [each for names in ASSETS.values() for each in names]
    assert sorted(parts) == sorted(files_of_templates())


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
    assert {*ASSETS, ".mosslite-report"} <= set(contents(index.parent))


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
    assert len(files_of_templates()) > 2
    for name in files_of_templates():
        text = asset(name)
        assert not re.search(
            r"https?:(?!//www.w3.org/2000/svg\")|url\(|@import|fetch|XMLHttp|HTML\b|\beval\b|\.write\(",
            text,
        )


def test_the_script_asks_only_for_elements_that_a_page_has(tmp_path: Path) -> None:
    write(three_pairs(), tmp_path / "report")
    script = asset("overview/lists.js", "overview/overview.js")
    pages = "".join(path.read_text(encoding="utf-8") for path in all_pages(tmp_path / "report"))
    asked = re.findall(r'byId\("([\w-]+)"\)(?!\?)', script)  # with "?." it need not be there
    assert asked
    assert [name for name in asked if f'id="{name}"' not in pages] == []


def test_every_page_forbids_all_but_its_own_style_and_script(tmp_path: Path) -> None:
    write(three_pairs(), tmp_path / "report")
    for path in all_pages(tmp_path / "report"):
        policies = [
            each.attributes["content"]
            for each in parsed(path).of_tag("meta")
            if each.attributes.get("http-equiv") == "Content-Security-Policy"
        ]
        assert policies == [
            "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self' data:; "
            "base-uri 'none'; form-action 'none'"
        ]


# ---- Hostile names and texts ----

EVIL = (
    "\"'><script>alert(1)</script><img src=x onerror=alert(1)>\u202e\x1b[31m\ud800&lt;{{ 7 * 7 }}"
)


def hostile_report(evil: str) -> Report:
    left = named(evil, texts=[f"{TEXT}{evil}\n"])
    document = replace(left.documents[0], file=replace(left.documents[0].file, name=evil))
    left = replace(left, documents=(document,))
    return one_pair(
        left,
        named(f"javascript:{evil}", role=Role.PRIOR),
        options=Options(comment=evil),
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
        assert element.tag not in {"img", "iframe", "object", "embed", "base", "style"}
        if element.tag == "form":
            assert element.attributes["id"] in {"pair-filters", "submission-filters"}
            assert "action" not in element.attributes
        assert not [name for name in element.attributes if name.startswith(("on", "style"))]
        target = element.attributes.get("href", "#left-1")
        assert re.fullmatch(
            r"#[a-z]+(-[a-z\d]+)*|(\.\./)?([a-z]+/)?[a-z\d-]+\.(html|css)(#[a-z\d-]+)?", target
        )


@pytest.mark.slow
@given(st.text() | st.sampled_from([EVIL, "</pre></script>", "\r\n", "{{ 1 }}", "-->", "&amp;"]))
@tries(60)
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
@tries(40)
def test_every_name_is_shown_in_full_with_what_cannot_be_seen_spelled_out(name: str) -> None:
    spelled = "".join(
        code_point(part.text) if part.is_hidden else part.text for part in name_parts(name)
    )
    with TemporaryDirectory() as folder:
        index = write(one_pair(named(name), named(name + "2")), Path(folder, "report"))
        assert parsed(index).of_class("side")[0].text == spelled
        heading = parsed(index.parent / "pairs" / "1.html").of_class("heading-side")[0]
        assert heading.text == f"{spelled} 90 %"


def test_a_row_of_the_ranking_has_all_numbers_of_its_pair(tmp_path: Path) -> None:
    page = parsed(write(one_pair(named("ada"), named("ben")), tmp_path / "report"))
    labels = [each for each in page.of_tag("td") if "data-label" in each.attributes][:10]
    assert {each.attributes["data-label"]: each.text.strip() for each in labels} == {
        "Rank": "1",
        "Left": "ada",
        "Left %": "90 %",
        "Right": "ben",
        "Right %": "40 %",
        "Score": "0.99",
        "Lines": "4",
        "Longest": "7",
        "Others": "0",
        "Review": "",
    }


def test_what_was_skipped_is_listed_with_its_reason(tmp_path: Path) -> None:
    skipping = replace(three_pairs(), skipped=(Skipped("a/b.class", "holds NUL bytes"),))
    page = parsed(write(skipping, tmp_path / "report"))
    assert [each.text for each in page.of_tag("bdi")][-3:-1] == ["a/b.class", "holds NUL bytes"]
    assert (
        "3 submissions compared, 1 skipped: 3 pairs of 3 submissions in 1 group to review."
        in page.elements[0].text
    )


def test_warnings_are_listed(tmp_path: Path) -> None:
    page = parsed(write(replace(three_pairs(), warnings=("one", "<two>")), tmp_path / "report"))
    assert [each.text for each in page.of_tag("li")][:2] == ["one", "<two>"]


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
    assert re.sub(r"\s+", " ", text).startswith(" LanguageFileskt Text only335")
