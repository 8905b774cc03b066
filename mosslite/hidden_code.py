"""Code in a program's comments, strings and disabled branches, where it is most of the program."""

import re
from collections.abc import Iterator
from itertools import groupby, pairwise
from typing import Final, NamedTuple

import numpy as np

from mosslite.records import SYNTAX_CLASSES, Colours


class HiddenCode(NamedTuple):
    """What a program has in comments and strings.

    Attributes:
        is_most: Much more text there looks like code than there is outside.
        is_run: The program can run text, and most of it is code or data there, or numbers.
    """

    is_most: bool
    is_run: bool


_HIDDEN: Final = tuple(map(SYNTAX_CLASSES.index, ("comment", "string")))
_NUMBER: Final = SYNTAX_CLASSES.index("number")
_WORD: Final = re.compile(r"\w+")
_SIGN: Final = re.compile(r"[=<>+*/%&|!^~@$\\(){}\[\];:#?]")
# Lines of signs divide sections.
_RULE: Final = re.compile(r"([^\w\s])\1{2,}")
# Examples in documentation.
_EXAMPLES: Final = (">>>", "...", "@param", "@return")
_MARKS: Final = " \t*#/-;%'\""

# Less is nobody's program. Of files of Python's library and of students, two in a thousand have so
# much more of it in comments and strings than outside; of libraries with manuals in their comments,
# such as Perl's, four in a hundred.
_LEAST_WORDS: Final = 50
_LEAST_OF_RUN: Final = 15
_MUCH_MORE: Final = 1.5
_WORDS_PER_SIGN: Final = 4
_LEAST_DATA: Final = 16
# Most programs have much less in comments and strings, and are not looked into.
_LEAST_SHARE: Final = 0.4

# What runs text in languages that can, and no word of others.
_RUNS_TEXT: Final = re.compile(
    r"""(?<![\w$-])(?<!\w\.)(?:exec|execfile|eval|compile|load|loadstring|source|subst|uplevel)\b
      | \b(?:Function|atob|setTimeout|runInThisContext|eval|system|popen|subprocess|builtins
           | __builtins__|__import__|importlib|runpy|marshal|pickle|instance_eval|class_eval
           | module_eval|create_function|ScriptEngine\w*|JavaCompiler|defineClass|CSharpScript
           | include_string|eval_string|eval_quoted|erl_eval|term_to_atom|assertz|consult|str2lang
           | read-from-string|Invoke-Expression|iex|EXECUTE|dlopen)\b
      | \bparse\s*\(\s*text | \bMeta\.parse | (?:ba)?sh\s+-c""",
    re.VERBOSE,
)


def hidden_code(text: str, colours: Colours) -> HiddenCode:
    """Measure how much of a program is in its comments and strings. Cost is linear.

    Args:
        text: The program.
        colours: Of its text; what no compiler reads is coloured as a comment.
    """
    sizes = np.diff(colours.starts, append=len(text))
    numbers = int(sizes[colours.classes == _NUMBER].sum())
    if sizes[np.isin(colours.classes, _HIDDEN)].sum() + numbers < _LEAST_SHARE * len(text):
        return HiddenCode(is_most=False, is_run=False)
    ends = pairwise([*colours.starts.tolist(), len(text)])
    kinds = colours.classes.tolist()
    pieces = [
        (kind in _HIDDEN, text[start:stop]) for kind, (start, stop) in zip(kinds, ends, strict=True)
    ]
    hidden, outside = list(_hidden(pieces)), [piece for is_hidden, piece in pieces if not is_hidden]
    words = sum(len(_WORD.findall(piece)) for piece in outside)
    # Most programs have fewer words in comments and strings, whatever these look like.
    is_candidate = sum(len(_WORD.findall(piece)) for piece in hidden) > _MUCH_MORE * words
    code = sum(filter(_LEAST_OF_RUN.__le__, map(_words_of_code, hidden if is_candidate else ())))
    can_run = any(map(_RUNS_TEXT.search, outside))
    data = (line for piece in hidden for line in piece.split("\n") if _is_data(line))
    return HiddenCode(
        is_most=code >= _LEAST_WORDS and code > _MUCH_MORE * words,
        is_run=can_run and 2 * (sum(map(len, data)) + numbers) > len(text),
    )


def _hidden(pieces: list[tuple[bool, str]]) -> Iterator[str]:
    """Yield comments and strings, those next to each other joined."""
    for is_it, some in groupby(pieces, key=lambda piece: piece[0] or piece[1].isspace()):
        if is_it:
            yield "".join(piece for _, piece in some)


def _words_of_code(run: str) -> int:
    """Return the number of words in lines like code, if these are most of it, else 0."""
    counts = {True: 0, False: 0}
    for line in run.split("\n"):
        if not line.lstrip(_MARKS).startswith(_EXAMPLES):
            counts[_is_code(line)] += len(_WORD.findall(line))
    return counts[True] if counts[True] > counts[False] else 0


def _is_code(line: str) -> bool:
    line = _RULE.sub(" ", line)
    return _WORDS_PER_SIGN * len(_SIGN.findall(line)) >= len(_WORD.findall(line))


def _is_data(line: str) -> bool:
    """Return whether a line is like code, or a long word like encoded bytes."""
    bare = line.strip(_MARKS)
    return _is_code(bare) or (len(bare) >= _LEAST_DATA and len(bare.split()) == 1)
