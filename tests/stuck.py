"""Texts that take a lexer longer than anybody will wait, and what reads them."""

from mosslite.frontends import Reading
from mosslite.frontends.scheduling import read_all
from mosslite.languages import Language, find_language
from mosslite.options import Options

Sources = list[tuple[str, Language]]

PYTHON = find_language("python")

# Each of these takes one regular expression of the lexer longer than anybody will wait.
STUCK = {
    "bash": "$'" + r"\0" * 60,
    "fish": '"' + r"\0" * 60,
    "luau": "type" + " " * 60 + ".",
    "smithy": '"' + "\n" * 60,
    "tads3": '"""{' + "\n\\" * 60 + "\0",
}


def read(sources: Sources, options: Options) -> list[Reading]:
    return [*read_all(sources, options, lambda _: None)]
