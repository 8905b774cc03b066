"""Files that contain several languages: one text to compare for each of them."""

from dataclasses import replace
from posixpath import splitext

from mosslite.intake.documents.notebooks import files_of_notebook
from mosslite.intake.documents.passages import files_of_chunks, files_of_page
from mosslite.languages import TEXT, asked_language, language_of, unwrapped
from mosslite.languages.content import language_in
from mosslite.options import Intake
from mosslite.records import SourceFile

_CHUNKED = frozenset({".qmd", ".rmarkdown", ".rmd"})
_PAGES = frozenset({".htm", ".html"})


def extracted(file: SourceFile, intake: Intake, language: str | None) -> tuple[SourceFile, ...]:
    """Return the texts to compare in a decoded file: one for each language, the main one first.

    Notebooks, documents with code chunks and web pages contain several; any other file is
    returned as it is, and so is a page if a language was asked for. Cost is linear in the text.

    Raises:
        NotReadError: The file is damaged, or contains nothing to compare.
    """
    kind = splitext(unwrapped(file.name))[1].lower()
    if kind == ".ipynb" and not file.name.lower().endswith(kind) and "{" not in file.text[:9]:
        return (replace(file, language=TEXT.name),)
    asked = asked_language(language, file.name)
    given = asked.name if asked else None
    if kind == ".ipynb":
        return files_of_notebook(
            file, given, reads_prose=intake.reads_markdown, most=intake.limits.file
        )
    if kind in _CHUNKED:
        return files_of_chunks(file, given, reads_prose=intake.reads_markdown)
    if kind in _PAGES and given is None:
        return files_of_page(file)
    found = language_in(file.name, file.text) if asked is None else None
    usual = language_of(file.name)
    if found is None or usual is None:
        return (file,)
    name, is_clear = found
    own = file.language if usual.name == name else name
    return (replace(file, language=own, is_unclear=not is_clear),)
