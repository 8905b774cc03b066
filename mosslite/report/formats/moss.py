"""The report in the format of MOSS' result pages, for scripts that parse these."""

import re
from base64 import b64encode
from collections.abc import Iterator, Sequence
from html import escape
from pathlib import Path
from typing import Final

from mosslite.display import one_line, spelled_out
from mosslite.options import Options
from mosslite.records import (
    Location,
    Match,
    Pair,
    Progress,
    Report,
    TokenizedSubmission,
    no_progress,
)
from mosslite.report.folder import replacement, write_text
from mosslite.report.similar_names import with_distinct_names
from mosslite.report.wording import NO_VERDICT, is_one_file, options_from, sentence, warnings_on
from mosslite.texts import percent

# Readable on white, and consecutive ones are easily distinguished.
_COLOURS: Final = ("C00000", "006A00", "0000C8", "8A00A0", "006A78", "8A5200")
# A one-pixel image in the colour's place: text would become part of the source in
# scripts that strip links.
_GIF: Final = (
    b"GIF89a\x01\x00\x01\x00\x80\x00\x00",
    b"\xff\xff\xff,\x00\x00\x00\x00\x01\x00\x01\x00\x00\x02\x02D\x01\x00;",
)


def _colour_of(number: int) -> str:
    """Return the colour of a passage by its number."""
    return f"#{_COLOURS[number % len(_COLOURS)]}"


def _source_page(submission: TokenizedSubmission, places: Sequence[Location], link: str) -> str:
    """Return the body of a page: all files of a submission, with numbered passages.

    Args:
        submission: The submission.
        places: Its side of each match.
        link: Opening tag of a link to a passage on the other side, with ``{}`` for its number.
    """
    listings = list[str]()
    for number, document in enumerate(submission.documents):
        if not is_one_file(submission):
            listings.append(f"&gt;&gt;&gt;&gt; file: {escape(one_line(document.file.name))}\n")
        listings.append(_listing(submission, number, places, link))
    name = escape(one_line(submission.name))
    # Scripts parse the content of the only <PRE> after the only <HR>.
    return (
        f"<BODY BGCOLOR=white>\n<HR>\n{name}<p><PRE>\n{''.join(listings)}</PRE>\n</BODY>\n</HTML>\n"
    )


def _listing(
    submission: TokenizedSubmission, document: int, places: Sequence[Location], link: str
) -> str:
    text = submission.documents[document].file.text
    pieces, reached = [], 0
    for number, start, stop in _passages(document, places):
        # Of overlapping passages, the first is shown whole, and the next from its end on.
        begin = max(start, reached)
        pieces.append(_shown(text[reached:begin]))
        pieces.append(_passage(number, _shown(text[begin:stop]), link))
        reached = max(reached, stop)
    rest = _shown(text[reached:])
    return "".join([*pieces, rest, "" if text.endswith("\n") else "\n"])


def _passages(document: int, places: Sequence[Location]) -> list[tuple[int, int, int]]:
    """Return number, start and stop of each passage of one file, by their starts."""
    own: Iterator[tuple[int, int, int]] = (
        (number, place.start_char, place.stop_char)
        for number, place in enumerate(places)
        if place.document == document
    )
    return sorted(own, key=lambda each: each[1:])


def _passage(number: int, shown: str, link: str) -> str:
    colour = _colour_of(number)
    gif = b64encode(bytes.fromhex(colour[1:]).join(_GIF)).decode("ascii")
    pixel = f"data:image/gif;base64,{gif}"
    image = f'<IMG SRC="{pixel}" ALT="other side" BORDER="0" WIDTH=24 HEIGHT=9>'
    return (
        f'<A NAME="{number}"></A><FONT color = {colour}>'
        f"{link.format(number)}{image}</A>\n{shown}</FONT>"
    )


def _shown(text: str) -> str:
    return escape(spelled_out(text))


_OPTION: Final = "--moss-html"
# Except control characters and separators, which are escaped.
_BLANK: Final = re.compile(r"[^\S\x00-\x1f\x7f-\x9f\u2028\u2029]")
# Nothing is loaded and no script runs; only the frame set loads pages.
_ALONE: Final = (
    '<META HTTP-EQUIV="Content-Security-Policy" CONTENT="default-src \'none\'; img-src data:">\n'
)
_NOTE: Final = "Written by mosslite in the layout of MOSS."


def write_moss_html(
    report: Report, directory: Path, *, created: str, progress: Progress = no_progress
) -> Path:
    """Write the pages; an old report in ``directory`` is replaced as a whole.

    Args:
        report: With or without names.
        directory: The target folder.
        created: Time to be shown.
        progress: Called with the number of pairs written.

    Returns:
        The path of ``index.html``.

    Raises:
        OutputError: ``directory`` contains other files, or cannot be written.
    """
    report = with_distinct_names(report)
    with replacement(directory, _OPTION) as fresh:
        write_text(fresh / "index.html", _index(report, created))
        for number, pair in enumerate(report.pairs):
            for name, text in _pair_pages(number, pair):
                write_text(fresh / name, text)
            progress("writing", number + 1, len(report.pairs))
    return directory / "index.html"


def _moss_name(submission: TokenizedSubmission) -> str:
    """Return a submission's name in MOSS' form: a trailing slash for folders, no blanks."""
    name = one_line(_BLANK.sub("_", submission.name))
    return name if is_one_file(submission) else f"{name}/"


def _head(title: str, alone: str = _ALONE) -> str:
    meta = f'<META CHARSET="utf-8">\n{alone}'
    return f"<HTML>\n<HEAD>\n{meta}<TITLE>{escape(title)}</TITLE>\n</HEAD>\n"


def _index(report: Report, created: str) -> str:
    rows = "".join(_row(number, pair) for number, pair in enumerate(report.pairs))
    # Parsers look for a title in the third paragraph.
    comment = report.options.comment
    title = f"\n<p>\n{escape(one_line(comment))}" if comment else ""
    notes = [*options_from(one_line(report.options.config)), NO_VERDICT]
    said = " ".join([_NOTE, *(escape(sentence(note)) for note in notes)])
    return (
        f"{_head('Moss Results')}<BODY>\nMoss Results<p>\n{escape(created)}\n<p>\n"
        f"{escape(_options(report.options))}{title}\n<HR>\n{said}\n<HR>\n"
        f"<TABLE>\n<TR><TH>File 1<TH>File 2<TH>Lines Matched\n{rows}</TABLE>\n<HR>\n"
        f"Any errors encountered during this query are listed below.<p>\n{_errors(report)}"
        "</BODY>\n</HTML>\n"
    )


def _row(number: int, pair: Pair) -> str:
    left, right = _titles(pair)
    return (
        f'<TR><TD><A HREF="match{number}.html">{left}</A>\n'
        f'    <TD><A HREF="match{number}.html">{right}</A>\n'
        f"<TD ALIGN=right>{pair.matched_lines}\n"
    )


def _titles(pair: Pair) -> tuple[str, str]:
    return _title(pair.left, pair.left_similarity), _title(pair.right, pair.right_similarity)


def _title(submission: TokenizedSubmission, similarity: float) -> str:
    return f"{escape(_moss_name(submission))} ({percent(similarity).replace(' ', '')})"


def _options(options: Options) -> str:
    """Return the options in MOSS' form."""
    given = [
        ("-l", options.language),
        ("-d", "" if options.directories else None),
        ("-m", options.max_sharing),
        ("-c", options.comment or None),
    ]
    arguments = [f"{flag} {value}".rstrip() for flag, value in given if value is not None]
    return one_line(" ".join(["Options", *arguments]))


def _errors(report: Report) -> str:
    """Return a list, which ends the paragraph before it, where parsers look for a title."""
    skipped = [f"{each.path}: {each.reason}" for each in report.skipped]
    lines = [f"<LI>{escape(one_line(line))}\n" for line in (*skipped, *warnings_on(report))]
    return f"<UL>\n{''.join(lines)}</UL>\n" if lines else ""


def _pair_pages(number: int, pair: Pair) -> Iterator[tuple[str, str]]:
    """Yield the pages of a pair with their names; the longest passage has the number 0."""
    stem = f"match{number}"
    matches = sorted(pair.matches, key=lambda match: -match.tokens)
    yield f"{stem}.html", _frames(stem, pair)
    yield f"{stem}-top.html", _top(stem, pair, matches)
    for side, submission, places in (
        (0, pair.left, [match.left for match in matches]),
        (1, pair.right, [match.right for match in matches]),
    ):
        link = f'<A HREF="{stem}-{1 - side}.html#{{}}" TARGET="{1 - side}">'
        head = _head(_moss_name(submission))
        yield f"{stem}-{side}.html", head + _source_page(submission, places, link)


def _frames(stem: str, pair: Pair) -> str:
    left, right = (_moss_name(submission) for submission in (pair.left, pair.right))
    return (
        f"{_head(f'Matches for {left} and {right}', alone='')}"
        f'<FRAMESET ROWS="150,*"><FRAME SRC="{stem}-top.html" NAME="top" FRAMEBORDER=0>\n'
        f'<FRAMESET COLS="50%,50%"><FRAME SRC="{stem}-0.html" NAME="0">\n'
        f'<FRAME SRC="{stem}-1.html" NAME="1"></FRAMESET></FRAMESET>\n</HTML>\n'
    )


def _top(stem: str, pair: Pair, matches: list[Match]) -> str:
    left, right = _titles(pair)
    rows = "".join(
        f"<TR>{_cells(stem, 0, number, pair.left, match.left)}"
        f"{_cells(stem, 1, number, pair.right, match.right)}"
        for number, match in enumerate(matches)
    )
    return (
        f"{_head('Top')}<BODY BGCOLOR=white>\n<CENTER>\n"
        f'<TABLE BORDER="1" CELLSPACING="0" BGCOLOR="#d0d0d0">\n'
        f"<TR><TH>{left}<TH>&nbsp;<TH>{right}<TH>&nbsp;\n{rows}</TABLE>\n</CENTER>\n"
        "</BODY>\n</HTML>\n"
    )


def _cells(
    stem: str, side: int, number: int, submission: TokenizedSubmission, place: Location
) -> str:
    """Return the cells for a passage; in a folder, they include the file."""
    name = escape(one_line(submission.documents[place.document].file.name))
    file = "" if is_one_file(submission) else f"{name}: "
    link = f'<A HREF="{stem}-{side}.html#{number}" NAME="{number}" TARGET="{side}">'
    return (
        f"<TD>{link}{file}{place.first_line}-{place.last_line}</A>\n"
        f'<TD BGCOLOR="{_colour_of(number)}">&nbsp;\n'
    )
