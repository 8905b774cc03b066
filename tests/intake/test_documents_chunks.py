import pytest

from mosslite.intake.documents import extracted
from mosslite.options import Intake
from mosslite.records import SourceFile
from tests.tables import table, texts_of

DOCUMENT = texts_of("programs")["DOCUMENT"]


def files_of(
    text: str, *, language: str | None = None, prose: bool = False, name: str = "hw.Rmd"
) -> dict[str, SourceFile]:
    files = extracted(SourceFile(name, text), Intake(reads_markdown=prose), language)
    return {file.name: file for file in files}


def words_of(text: str, *, language: str | None = None, prose: bool = False) -> dict[str, str]:
    files = files_of(text, language=language, prose=prose)
    return {name: " ".join((file.code or "").split()) for name, file in files.items()}


@pytest.mark.parametrize("name", ["hw.Rmd", "a/hw.qmd", "hw.RMARKDOWN"])
def test_chunks_are_code_of_their_language_in_the_whole_document(name: str) -> None:
    files = files_of(DOCUMENT, name=name)
    assert [(each, file.language) for each, file in files.items()] == [
        (name, "splus"),
        (f"{name} [python]", "python"),
    ]
    assert {file.text for file in files.values()} == {DOCUMENT}
    assert (files[name].code or "").split("\n")[7] == "x <- sort(c(3, 1, 2))"


def test_prose_is_what_is_around_the_code_without_settings() -> None:
    assert words_of(DOCUMENT, prose=True) == {
        "hw.Rmd": "x <- sort(c(3, 1, 2))",
        "hw.Rmd [python]": "y = 1",
        "hw.Rmd [text]": "We sort. * and in Python ```r shown <- TRUE ``` It is `r x`.",
    }


def test_a_given_language_is_that_of_all_code() -> None:
    files = files_of(DOCUMENT, language="r", prose=True)
    assert [(name, file.language) for name, file in files.items()] == [
        ("hw.Rmd", "splus"),
        ("hw.Rmd [text]", "text"),
    ]
    assert (files["hw.Rmd"].code or "").split()[-3:] == ["y", "=", "1"]


@pytest.mark.parametrize(
    "text", ["Words.", "---\na: 1\n---\nWords.", "```r\nx\n```", "```{r}\n```"]
)
def test_a_document_without_code_is_prose(text: str) -> None:
    assert files_of(text) == {"hw.Rmd": SourceFile("hw.Rmd", text, language="text")}


@pytest.mark.parametrize(
    "header",
    [
        *("```{r}", "```{R}", "``` {r}  ", "```{r a-name}", "```{r, fig.cap='a } b'}", "````{r}"),
        *("\t```{r}", "> ```{r}", "```{r\techo=F}", "```{ r }", "```{python, engine = 'r'}"),
    ],
)
def test_a_chunk_may_begin_in_these_ways(header: str) -> None:
    fence = header[: header.index("{")]
    assert words_of(f"Words\r\n{header}\r\nx <- 1\r\n{fence}\r\nWords") == {"hw.Rmd": "x <- 1"}


@pytest.mark.parametrize(
    "header", ["``{r}", "```{.r}", "```{{r}}", "```{r} x", "a ```{r}", "~~~{r}"]
)
def test_other_lines_begin_none(header: str) -> None:
    assert files_of(f"{header}\nx <- 1\n```\n")["hw.Rmd"].language == "text"


@table("rule", "text", "words")
def test_chunks_are_told_from_prose_as_by_knitr(rule: str, text: str, words: str) -> None:
    found = words_of(text, prose=True)
    assert " | ".join(f"{name}: {own}" for name, own in found.items()) == words, rule


def test_the_engine_of_code_alone_may_be_unknown() -> None:
    assert files_of("```{made_up}\ny\n```\n")["hw.Rmd"].language == "splus"


@pytest.mark.parametrize("size", [1_000, 300_000, 1_000_000, 4_000_000])
def test_a_long_document_takes_no_more_room_for_all_its_languages(size: int) -> None:
    engines = ["r", "python", "julia", "bash", "sql", "ruby", "perl", "c"]
    chunks = "".join(f"```{{{engine}}}\nx = 1\n```\n" for engine in engines)
    text = chunks + "\n" * size

    files = extracted(SourceFile("a.Rmd", text), Intake(), None)

    assert 1 <= len(files) <= 6
    assert sum(len(each.code or "") for each in files) <= max(1 << 21, len(text))
    assert sum((each.code or "").count("x = 1") for each in files) == len(engines)
