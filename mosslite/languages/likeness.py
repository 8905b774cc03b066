"""Recognizes code by its lines, in files whose names do not say what they are."""

import re
from itertools import islice
from typing import Final

# A line that only a program has: a block, a call as a statement, or a keyword with what follows it.
_STATEMENT: Final = re.compile(
    r"""
      [^"<]*\w[\])]\)*:?\Z
    | \#\s*(?:include|define|if|ifdef|ifndef|endif|pragma)\b
    | (?:import|from|package|using|use|require|library)\s+[\w.:{*"'<]+(?:\s+(?:as|import)\s.*)?\s*\Z
    | (?:def|class|fn|func|fun|function|sub|struct|interface|module|public|private|static|void)\s+\w
    | (?:if|elif|elsif|for|while|switch|case|with|when|match|until|unless)\b.*[:{()]|else\s*:?\s*\Z
    | (?:return|break|continue|pass|end|endif|fi|done|esac|try:?|begin)\b\s*[\w"'(.\[{-]*[^.]*\Z
    """,
    re.VERBOSE | re.IGNORECASE,
)
_ASSIGNMENT: Final = re.compile(r"(?:\w+\s+)*[\w.\[\]$@>-]+\s*(?:[-+*/|&^%:?]|<<|>>)?=\s*\S")
_DATA: Final = re.compile(r"""["'][^"']*["']\s*:|<|[-+>|]\s|\[[^\]]*\]\Z|https?:""")
# So many words in a row are in no statement.
_SENTENCE: Final = re.compile(r"\b(?:[^\W\d_]++(?:'[^\W\d_]++)?,?\s){7}")
# Comments tell nothing, nor do brackets and marks alone, which are in data as well.
_COMMENT: Final = re.compile(r"//|/\*|\*|--|[%;'@]|\#(?!\s*(?:include|define|if|endif|pragma)\b)")
_NOTHING: Final = re.compile(r"[\W\d_]*\Z")
_QUOTES: Final = ('"""', "'''")
_LONGEST: Final = 300
_USUAL_LINE: Final = 80
_MOST_LINES: Final = 400


def looks_like_code(text: str) -> bool:
    """Return whether most lines at the start of a text are statements of some language.

    Settings and tables are not code, although their lines look like assignments. Cost is bounded.
    """
    statements, assignments, others, is_quoted = 0, 0, 0, False
    for line in islice(text.splitlines(), _MOST_LINES):
        part = line.strip()[:_LONGEST]
        is_comment = is_quoted or part.startswith(_QUOTES)
        is_quoted ^= sum(map(part.count, _QUOTES)) % 2 == 1
        if is_comment or _COMMENT.match(part) or _NOTHING.match(part):
            continue
        if _DATA.match(part) or _SENTENCE.search(part):
            others += 1 + len(line) // _USUAL_LINE  # a paragraph counts as its lines
        elif part[-1] in ";{" or _STATEMENT.match(part):
            statements += 1
        elif _ASSIGNMENT.match(part):
            assignments += 1
        else:
            others += 1
    found = statements + assignments
    return statements >= 2 and 4 * statements >= found and 5 * found >= 3 * (found + others) - 3


# What hardly any program in another language has; the first that fits decides.
_SIGNS: Final = (
    ("php", r"<\?php"),
    ("python", r"^\s*(?:def \w+\(|class \w).*:[ \t]*$|^#!.*python"),
    ("java", r"^import java|\bpublic static void main\b|^\s*public (?:final )?class \w"),
    ("csharp", r"^using System|^namespace [\w.]+\s*[;{]?$"),
    ("cpp", r"^\s*#\s*include\s*<\w+>|\busing namespace\b|\bstd::"),
    ("c", r"^\s*#\s*include\s*[<\"]\w+\.h"),
    ("go", r"^package \w+\s*$"),
    ("rust", r"^\s*(?:pub )?fn \w+.*\{\s*$|\blet mut\b"),
    ("kotlin", r"^\s*fun \w+\("),
    ("javascript", r"^\s*(?:const|let|var) \w+ = |^\s*(?:async )?function\b|^#!.*node"),
    ("bash", r"^#!.*sh\b"),
)


def guessed_language(text: str) -> str | None:
    """Return the name of the language that a text has sure signs of, or None."""
    head = "\n".join(line[:_LONGEST] for line in islice(text.splitlines(), _MOST_LINES))
    return next((name for name, sign in _SIGNS if re.search(sign, head, re.MULTILINE)), None)
