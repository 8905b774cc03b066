"""Front-ends: any text in the languages that students write in."""

import re
import sys
from collections.abc import Iterator
from pathlib import Path
from traceback import walk_tb
from typing import Final

import numpy as np
from numpy.typing import NDArray

import mosslite
from mosslite.frontends import Reading, degraded, tokenize
from mosslite.frontends.deadline import TooSlowError
from mosslite.frontends.dispatch import read_code
from mosslite.languages import MOSS_LANGUAGES, Language, find_language
from mosslite.records import TokenKind, TokenStream, Traces
from tests.fuzz.inputs import chosen, parted, written
from tests.fuzz.running import fuzz

_LANGUAGES: Final = (
    *sorted(MOSS_LANGUAGES),
    *("html", "php", "r", "rust", "go", "ruby", "bash", "sql", "typescript", "kotlin", "markdown"),
)
# How long a lexer may take, in seconds.
_SECONDS: Final = 1.0
_LINE_END: Final = re.compile(r"\r\n|[\r\n]")
_OWN: Final = str(Path(mosslite.__file__).parent)


def TestOneInput(data: bytes) -> None:  # noqa: N802 - as libFuzzer calls it
    """Require tokens at their stated positions, in order, whatever the lexer does.

    The numbers: the language, and whether it is read by the plain tokenizer.
    """
    content, (number, is_plain) = parted(data, 2)
    text, language = content.decode("utf-8", "replace"), find_language(chosen(_LANGUAGES, number))
    if is_plain % 2:
        _check(text, degraded(text))
        return
    reading = tokenize(text, language, _SECONDS)
    _check(text, reading)
    if reading.is_degraded:
        _require_a_failing_lexer(text, language)


def _require_a_failing_lexer(text: str, language: Language) -> None:
    """Raise what made a reading fail, unless that was the lexer's."""
    try:
        read_code([text], language, _SECONDS)
    except TooSlowError:
        return
    except Exception as error:
        *_, (innermost, _) = walk_tb(error.__traceback__)
        if innermost.f_code.co_filename.startswith(_OWN):
            raise


def _check(text: str, reading: Reading) -> None:
    _check_stream(text, reading.stream)
    _check_traces(text, reading.traces)
    lines = len(_LINE_END.findall(text)) + 1
    for disguise in reading.disguises:
        assert list(disguise.lines) == sorted(set(disguise.lines))
        assert 1 <= disguise.lines[0] <= disguise.lines[-1] <= lines
        assert 1 <= len(set(disguise.characters)) == len(disguise.characters) <= disguise.count
    if reading.colours is not None and text:
        starts = reading.colours.starts.tolist()
        assert starts == sorted(set(starts))
        assert not starts or (starts[0] == 0 and starts[-1] < len(text))
        assert len(starts) == len(reading.colours.classes)


def _check_stream(text: str, stream: TokenStream) -> None:
    columns = (stream.codes, stream.lexemes, stream.kinds)
    places = (stream.starts, stream.stops, stream.lines, stream.last_lines)
    assert {len(each) for each in (*columns, *places)} == {len(stream)}
    is_end = (stream.starts == stream.stops) & (stream.kinds == TokenKind.FRAME)
    assert ((stream.starts < stream.stops) | is_end).all()
    # The letters of a ligature all stand in its place.
    is_behind = stream.stops[:-1] <= stream.starts[1:]
    assert (is_behind | (np.diff(stream.starts) == 0) & (np.diff(stream.stops) == 0)).all()
    _check_ranges(text, stream.starts, stream.stops)
    assert stream.lines.tolist() == _lines_of(text, stream.starts)
    assert stream.last_lines.tolist() == _lines_of(text, stream.stops - 1)


def _check_traces(text: str, traces: Traces) -> None:
    columns = (traces.kinds, traces.codes, traces.starts, traces.stops, traces.lines)
    assert {len(each) for each in columns} == {len(traces)}
    assert (traces.starts <= traces.stops).all()
    assert (traces.starts[:-1] <= traces.starts[1:]).all()
    _check_ranges(text, traces.starts, traces.stops)
    assert traces.lines.tolist() == _lines_of(text, traces.starts)


def _check_ranges(text: str, starts: NDArray[np.int32], stops: NDArray[np.int32]) -> None:
    if len(starts):
        assert starts.min() >= 0
        assert stops.max() <= len(text)


def _lines_of(text: str, places: NDArray[np.int32]) -> list[int]:
    """Return the 1-based lines of these characters."""
    ends = [found.end() for found in _LINE_END.finditer(text)]
    lines, line = [], 0
    for place in places.tolist():
        while line < len(ends) and ends[line] <= place:
            line += 1
        lines.append(line + 1)
    return lines


def seeds() -> Iterator[bytes]:
    """Yield the same few texts in all languages."""
    for number in range(len(_LANGUAGES)):
        yield written(SNIPPET.encode(), number, 0)
        yield written(SNIPPET.replace("\n", "\r\n").encode(), number, number % 2)
    yield written(_ODD.encode(), _LANGUAGES.index("python"), 0)
    yield written(_ODD.encode(), _LANGUAGES.index("ascii"), 1)
    yield written(b'"' + b"\\" * 3000, _LANGUAGES.index("java"), 0)
    yield written(b"(" * 3000, _LANGUAGES.index("haskell"), 0)
    yield written(b"", 0, 0)


SNIPPET: Final = """\
<?php echo "x"; ?> <% if a %> <!-- c --> <a href="b">t</a>
import os; from a import (b,
  c)
@dec
def f(x: int = 1, *, y="s") -> dict[str, int]:
\t'''doc'''
\twhile True: return self.x + 0x1F - 1.5e3 # comment
class A { int a[] = {1, 2}; /* c */ public void f() { if (a == b) x = 'c'; } } // c
for (int i = 0; i < n; i++) { a[i] += 1; } std::cout << a::b << "s" "t" \\
  L'x';
SELECT * FROM t WHERE a = 'it''s'; -- sql
\\begin{a} $x^2$ \\end{a} `tmpl ${a} b` $"i {x}" "#{y}" <<END
END
(defun f (x) (car x)) ; lisp
{- h -} (* p *) begin x := 1 end; function y = f(x) % matlab
"""
_ODD: Final = (
    "\ufeffd\u0435f \u200bf\u202e(x\uff11):\r\treturn '\U0001f600' \u2028+ \u0130\x0b\x0c\x1c"
)


if __name__ == "__main__":
    sys.exit(fuzz("frontends", sys.argv[1:]))
