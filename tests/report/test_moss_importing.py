import json
from pathlib import Path
from typing import Any

import pytest

import mosslite
from mosslite.errors import InputError
from mosslite.report.formats.moss import write_moss_html
from mosslite.report.moss_importing import moss_to_json
from tests.foreign_results import INDEX, URL
from tests.programs import PRIMES, QUEUE, QUEUE_RENAMED, write_files

TOP = """\
<HTML><HEAD><TITLE>Top</TITLE></HEAD><BODY BGCOLOR=white><CENTER>
<TABLE BORDER="1" CELLSPACING="0" BGCOLOR="#d0d0d0">
<TR><TH>ges82/assignment9.html (70%)<TH><IMG SRC="../../bitmaps/tm_0_70.gif">
<TH>nrv22/assignment9.html (65%)<TH><IMG SRC="../../bitmaps/tm_0_65.gif"><TH>
<TR><TD><A HREF="match0-0.html#0" NAME="0" TARGET="0">3-41</A>
<TD><A HREF="match0-0.html#0" NAME="0" TARGET="0"><IMG SRC="../../bitmaps/tm_0_50.gif"></A>
<TD><A HREF="match0-1.html#0" NAME="0" TARGET="1">7-45</A>
<TD><A HREF="match0-1.html#0" NAME="0" TARGET="1"><IMG SRC="../../bitmaps/tm_0_50.gif"></A>
</TABLE></CENTER></BODY></HTML>
"""


def imported(path: Path) -> dict[str, Any]:
    content: dict[str, Any] = json.loads(moss_to_json(path, version="0.1.0"))
    return content


def index(folder: Path, text: str = INDEX) -> Path:
    path = folder / "index.html"
    path.write_text(text, encoding="utf-8")
    return path


def row(left: str = "a (1%)", right: str = "b (2%)", lines: str = "3") -> str:
    return f"<TABLE><TR><TD>{left}<TD>{right}<TD>{lines}</TABLE>"


def test_every_row_is_a_pair_with_what_moss_tells_and_null_for_the_rest(tmp_path: Path) -> None:
    content = imported(index(tmp_path))
    assert content["format"] == 1
    assert content["pairs"][0] == {
        "left": "ges82/assignment9.html", "right": "nrv22/assignment9.html", "score": None,
        "similarity": None, "left_similarity": 0.7, "right_similarity": 0.65,
        "matched_tokens": None, "matched_lines": 43, "longest_match": None, "matches": [],
        "rare_evidence": [],
    }  # fmt: skip
    assert content["pairs"][1]["right"] == "ann(1)"


def test_submissions_are_listed_once_by_name(tmp_path: Path) -> None:
    submissions = imported(index(tmp_path))["submissions"]
    assert [(each["name"], each["files"]) for each in submissions] == [
        ("ann(1)", []),
        ("ges82/assignment9.html", ["ges82/assignment9.html"]),
        ("nrv22/assignment9.html", ["nrv22/assignment9.html"]),
    ]
    assert submissions[0]["tokens"] is None


def test_options_and_the_date_are_taken_from_above_the_table(tmp_path: Path) -> None:
    content = imported(index(tmp_path))
    assert content["options"] == {
        "language": "python", "directories": False, "max_sharing": 10, "comment": "hw 3"
    }  # fmt: skip
    assert content["source"] == {"program": "moss", "date": "Sat Nov 23 09:30:00 PST 2019"}


def test_a_page_that_ends_within_its_table_says_so(tmp_path: Path) -> None:
    content = imported(index(tmp_path, INDEX[: INDEX.index("    <TD>")]))
    assert content["warnings"] == [
        "1 row of the table skipped: not in MOSS' format",
        "the page ends within its table: pairs can be missing",
    ]


@pytest.mark.parametrize(
    ("written", "comment"), [('"hw 3"', "hw 3"), ("'hw'", "hw"), ('hw "3"', 'hw "3"'), ("'", "'")]
)
def test_a_comment_loses_the_quotes_around_it_and_no_others(
    tmp_path: Path, written: str, comment: str
) -> None:
    page = INDEX.replace("-c hw 3", f"-c {written}")
    assert imported(index(tmp_path, page))["options"]["comment"] == comment


def test_passages_come_from_the_pages_that_are_there_and_missing_ones_are_counted(
    tmp_path: Path,
) -> None:
    index(tmp_path)
    (tmp_path / "match0-top.html").write_text(TOP)
    content = imported(tmp_path)
    assert content["pairs"][0]["matches"] == [
        {
            "left": {"file": "ges82/assignment9.html", "first_line": 3, "last_line": 41},
            "right": {"file": "nrv22/assignment9.html", "first_line": 7, "last_line": 45},
            "tokens": None,
        }
    ]
    assert content["warnings"] == [
        "no passages of 1 pair: their pages are missing or not in MOSS' format"
    ]


def test_a_page_without_passages_is_counted_as_one_that_is_not_there(tmp_path: Path) -> None:
    index(tmp_path)
    (tmp_path / "match0-top.html").write_text(TOP)
    (tmp_path / "match1-top.html").write_text("<HTML><H1>404 Not Found</H1></HTML>")
    assert imported(tmp_path)["warnings"][0].startswith("no passages of 1 pair: ")


@pytest.mark.parametrize("odd", ["3-41<TD>lines 7-45", "41-3<TD>7-45", "3-41", "1-2<TD>3-4<TD>5-6"])
def test_a_row_that_is_not_a_passage_is_left_out_of_a_pair_and_counted(
    tmp_path: Path, odd: str
) -> None:
    (tmp_path / "match0-top.html").write_text(TOP.replace("</TABLE>", f"<TR><TD>{odd}</TABLE>"))
    (tmp_path / "match1-top.html").write_text(TOP)

    content = imported(index(tmp_path))

    assert [len(pair["matches"]) for pair in content["pairs"]] == [1, 1]
    assert content["warnings"] == ["1 row with the passages of 1 pair skipped: not in MOSS' format"]


def test_a_page_of_a_pair_that_ends_within_its_table_is_reported(tmp_path: Path) -> None:
    (tmp_path / "match0-top.html").write_text(TOP[: TOP.index("</TABLE>")])
    (tmp_path / "match1-top.html").write_text(TOP)

    assert imported(index(tmp_path))["warnings"] == [
        "not all passages of 1 pair: the page ends within its table"
    ]


def test_our_own_pages_in_the_layout_of_moss_are_read_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    files = {"hw/ann & co/queue.py": QUEUE, "hw/ann & co/p.py": PRIMES, "hw/<cy>.py": PRIMES}
    write_files(tmp_path, files | {"hw/bob/line.py": QUEUE_RENAMED})
    report = mosslite.check(["hw"])
    write_moss_html(report, tmp_path / "moss", created="")

    content = imported(tmp_path / "moss")

    assert content["warnings"] == []
    found = [(pair["left"], pair["right"], pair["matched_lines"]) for pair in content["pairs"]]
    assert found == [
        (pair.left.name.replace(" ", "_"), pair.right.name.replace(" ", "_"), pair.matched_lines)
        for pair in report.pairs
    ]
    passages = [
        [match["left"] | {"right": match["right"]["first_line"]} for match in pair["matches"]]
        for pair in content["pairs"]
    ]
    assert passages[1] == [{"file": "queue.py", "first_line": 1, "last_line": 16, "right": 2}]
    assert content["pairs"][1]["matches"][0]["right"]["file"] == "line.py"


@pytest.mark.parametrize(
    "page",
    [
        INDEX.lower(),
        INDEX.replace("<TD>", "</TD><TD>").replace("</TABLE>", "</TR></TABLE>"),
        INDEX.replace("\n", "\r\n"),
        INDEX.replace("\n", " "),
        INDEX.replace(f"{URL}/", ""),
        INDEX.replace('HREF="', "CLASS=x href = '").replace('.html">', ".html' id=y>"),
        INDEX.replace('"', ""),
        f"<!-- saved from url=(0043){URL} -->\n{INDEX}",
        "\ufeff" + INDEX,
    ],
)
def test_a_page_is_read_however_its_tags_are_written(tmp_path: Path, page: str) -> None:
    index(tmp_path, page)
    (tmp_path / "match0-top.html").write_text(TOP)
    first, second = imported(tmp_path)["pairs"]
    assert (first["left"], first["matched_lines"]) == ("ges82/assignment9.html", 43)
    assert len(first["matches"]) == 1
    assert second["right_similarity"] == 1.0


def test_a_page_that_a_program_wrote_again_is_read(tmp_path: Path) -> None:
    page = (
        '<table>\n<tr><th>File 1</th></tr><tr><td><a href="match0.html">ann/ (53%)</a>\n</td>'
        '<td><a href="match0.html">b_&lt;b&gt;&amp;/ (100%)</a>\n</td><td align="right">8\n</td>'
        "</tr></table>"
    )
    (pair,) = imported(index(tmp_path, page))["pairs"]
    assert (pair["left"], pair["right"], pair["matched_lines"]) == ("ann", "b_<b>&", 8)


@pytest.mark.parametrize(
    "name", ["a<b.py", "<script>x</script>.py", "a>b", "a & b", "x (3%).py", "日本 🦊", "a(", "=1"]
)
def test_a_name_that_moss_wrote_as_it_is_is_read_as_it_is(tmp_path: Path, name: str) -> None:
    (pair,) = imported(index(tmp_path, row(left=f"{name} (7%)")))["pairs"]
    assert (pair["left"], pair["left_similarity"]) == (name, 0.07)


@pytest.mark.parametrize(
    "cells",
    [
        {"left": "a"},
        {"left": "(5%)"},
        {"left": "a (101%)"},
        {"left": "a (-1%)"},
        {"left": "a (5)"},
        {"lines": "many"},
        {"lines": "-3"},
        {"lines": "9" * 5_000},
        {"lines": "٣"},
        {"left": "b (1%)"},
    ],
)
def test_a_row_in_another_form_is_left_out_and_counted(
    tmp_path: Path, cells: dict[str, str]
) -> None:
    content = imported(index(tmp_path, f"{row()}{row(**cells)}"))
    assert len(content["pairs"]) == 1
    assert content["warnings"][-1] == "1 row of the table skipped: not in MOSS' format"


def test_a_pair_of_several_rows_is_one_as_in_the_first(tmp_path: Path) -> None:
    rows = row(lines="9") + row() + row(left="b (2%)", right="a (1%)")

    (pair,) = imported(index(tmp_path, rows))["pairs"]

    assert (pair["left"], pair["right"], pair["matched_lines"]) == ("a", "b", 9)


def test_a_result_without_pairs_is_a_result(tmp_path: Path) -> None:
    content = imported(index(tmp_path, INDEX.partition("<TR><TD>")[0]))
    assert (content["pairs"], content["submissions"]) == ([], [])


def test_latin_1_is_read_where_a_page_is_not_utf_8(tmp_path: Path) -> None:
    path = tmp_path / "index.html"
    path.write_bytes(row(left="Jos\xe9 (3%)").encode("latin-1"))
    assert imported(path)["pairs"][0]["left"] == "José"


# --- what is no result ---------------------------------------------------------------------------


@pytest.mark.parametrize("text", ["", "hello", "<html><table><tr><td>1</table>", "{}", "\x00" * 99])
def test_what_is_not_a_result_of_moss_is_said_to_be_none(tmp_path: Path, text: str) -> None:
    with pytest.raises(InputError) as error:
        imported(index(tmp_path, text))
    shown = str(tmp_path / "index.html")
    assert str(error.value) == f"{shown!r} is not a MOSS result: it has no table of pairs"


def test_a_path_that_leads_nowhere_is_an_error_of_one_line(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"^cannot read '.*none': no such file or directory$"):
        imported(tmp_path / "none")
    with pytest.raises(InputError, match=r"has no index.html: give the file with the table"):
        imported(tmp_path)


def test_a_page_is_not_read_beyond_what_a_result_can_be(tmp_path: Path) -> None:
    path = index(tmp_path, row() + " " * 16_000_000)
    with pytest.raises(InputError, match="it is larger than 16,000,000 bytes"):
        imported(path)


@pytest.mark.parametrize(
    "link", ["../../etc/match0.html", "/etc/match0.html", "match0.html/../match0.html"]
)
def test_a_link_leads_to_no_page_outside_the_folder(tmp_path: Path, link: str) -> None:
    inner = tmp_path / "a" / "b"
    inner.mkdir(parents=True)
    for folder in (tmp_path, tmp_path / "a"):
        (folder / "match0-top.html").write_text(TOP)
    path = index(inner, row(left=f'<A HREF="{link}">a (1%)</A>'))
    assert imported(path)["pairs"][0]["matches"] == []


def test_a_page_that_is_a_folder_is_not_there(tmp_path: Path) -> None:
    (tmp_path / "match0-top.html").mkdir()
    assert imported(index(tmp_path))["warnings"][0].startswith("no passages of 2 pairs")


@pytest.mark.slow
@pytest.mark.parametrize(
    "bait",
    ["<", "</", "<!--", "<a ", "<a href='", "<TR>", "<TD>", "<TR><TD>", "&", "&#", "(", "<a href ",
     "<aaaa", "-->", "<TABLE>", "1-", "% )"],
)  # fmt: skip
def test_a_page_made_to_take_long_is_read(tmp_path: Path, bait: str) -> None:
    path = index(tmp_path, f"{row()}<TABLE><TR><TD>{bait * 200_000}")
    assert len(imported(path)["pairs"]) == 1
