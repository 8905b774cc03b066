"""Contextual keywords: rules for lexers that take them for names everywhere.

What stands before a word is looked for before its gap, so that blanks and comments change nothing.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Final, cast

from pygments.lexer import bygroups, this, using
from pygments.token import Keyword, Operator

by_groups = cast("Callable[..., object]", bygroups)
by_this = cast("Callable[..., object]", using)(this)

# Blanks and comments within a line.
BLANKS_WITHIN_LINE: Final = r"(?:[ \t]|/\*(?:[^*\n]|\*(?!/)){0,1000}+\*/)++"
# The same, and line ends. What stands before a word is looked for before its gap.
GAP: Final = r"(?:\s|/\*(?:[^*]|\*(?!/)){0,1000}+\*/|//[^\n]*)"

OF_SOLIDITY: Final = r"\b(?:calldata|constant|immutable|memory|payable|pure|storage|view|virtual)\b"
# A name is not followed by another one.
_OF_JAVASCRIPT: Final = (
    rf"(?<![\w$.])[gs]et\b(?={GAP}++(?:[#\w$]+|\[[^\]\n]*\]){GAP}*+\()"
    rf"|(?<![\w$.])async\b(?=(?:{GAP}*+\*{GAP}*+|{GAP}++)(?:[#\w$]+|\[[^\]\n]*\]){GAP}*+(?:\(|=>)"
    rf"|{GAP}++function\b|{GAP}*+\([^()\n]*\){GAP}*+=>)"
)
_OF_DART: Final = (
    rf"(?<![.\w])[gs]et\b(?={GAP}++(?!(?:as|in|is)\b)[A-Za-z_$])"
    rf"|\ba?sync\b(?={GAP}*+(?:\*{GAP}*+)?(?:\{{|=>))"
)
_TYPES_OF_POWERSHELL: Final = (
    r"\[(?:array|bool|byte|char|datetime|decimal|double|float|hashtable|int|int32|int64|long|object"
    r"|regex|scriptblock|single|string|switch|void|xml)(?:\[\])?\]"
)

CONTEXTUAL: Final[Mapping[str, Sequence[object]]] = {
    "csharp": (
        (
            rf"(?<=[{{}};])({GAP}*+)(add|get|init|remove|set)\b(?={GAP}*+(?:[{{;]|=>))",
            by_groups(by_this, Operator.Word),
        ),
        (
            rf"\b(internal|private|protected|public)({GAP}++)(get|init|set)\b"
            rf"(?={GAP}*+(?:[{{;]|=>))",
            by_groups(Keyword, by_this, Operator.Word),
        ),
        (
            rf"(?<=[\w)\]])({GAP}++)((?:a|de)scending)\b"
            rf"(?={GAP}++(?:from|group|into|join|let|select|where)\b)",
            by_groups(by_this, Operator.Word),
        ),
    ),
    "dart": ((_OF_DART, Operator.Word),),
    "javascript": ((_OF_JAVASCRIPT, Operator.Word),),
    "kotlin": (
        (
            r"\b(?:annotation|companion|data|enum|inner|sealed|value)\b"
            rf"(?={GAP}++(?:class|interface|object)\b)|\b(?:cross|no)inline\b(?={GAP}++\w)"
            r"|(?<![.\w])[gs]et\b(?=[ \t]*\(\w*\)[ \t]*(?:[{:]|=(?!=)))",
            Operator.Word,
        ),
        (
            rf"(?<=[\w)\]])({BLANKS_WITHIN_LINE})(and|downTo|or|shl|shr|until|ushr|xor)\b"
            rf"(?={GAP}++[\w(])",
            by_groups(by_this, Operator.Word),
        ),
    ),
    "powershell": ((_TYPES_OF_POWERSHELL, Operator.Word),),
    "swift": (
        (
            rf"(?<=[{{}}])({GAP}*+)([gs]et)\b"
            rf"(?={GAP}*+(?:[{{}}]|\({GAP}*+\w+{GAP}*+\){GAP}*+\{{|[gs]et\b))",
            by_groups(by_this, Operator.Word),
        ),
        (
            rf"(?<=[gs]et)({GAP}++)([gs]et)\b(?={GAP}*+\}})",
            by_groups(by_this, Operator.Word),
        ),
    ),
}
"""Rules by language, to be tried first."""
