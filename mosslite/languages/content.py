"""Decides by its content which language a file is in.

It does so where several languages share its extension, and where its name says nothing.
"""

import re
from functools import cache
from itertools import islice
from pathlib import PurePath
from typing import Final

from mosslite.languages.rows import row_of

# Extensions, and the languages that share them: the first where nothing in the text decides.
SHARED: Final = {
    extension: languages.split()
    for extensions, languages in {
        ".pl .pm": "perl prolog",
        ".pro": "prolog idl",
        ".m": "octave objective-c mathematica",
        ".h": "cpp objective-c",
        ".v": "verilog coq go",
        ".cl": "common-lisp c",
        ".sc": "scala supercollider",
        ".st": "smalltalk delphi",
        ".cls": "vb.net tex java",
        ".fs": "fsharp forth glsl",
        ".ts": "javascript xml",
        ".as": "actionscript gas",
        ".inc": "cpp php gas delphi",
        ".f .for .f77": "fortranfixed fortran",
        ".cbl .cob .cpy": "cobolfree cobol",
        ".r": "splus rebol",
        ".d": "d make",
        ".mod": "modula2 ampl",
        ".ml": "ocaml sml",
        ".t": "perl",
        ".bas": "vb.net qbasic",
        ".p .pp": "delphi puppet openedge",
        ".asm": "gas",
    }.items()
    for extension in extensions.split()
}

# Lines that a program in the language has and one in a language that shares its extension has not.
_SIGNS_OF_LINES: Final = {
    "actionscript": r"[ \t]*(?:package\b[^\n]*\{|import [\w.]+|(?:public |private )?(?:class|"
    r"function|var) )",
    "ampl": r"[ \t]*(?:param|set|var|minimize|maximize|subject to|s\.t\.)[ \t]+\w+",
    "c": r"[ \t]*(?:__kernel|kernel|__global|#pragma OPENCL|#(?:include|define|if)|(?:void|"
    r"float|int|typedef|struct)\b)",
    "cobol": r"(?:[\d ]{6}[ *]|\*)[^\n]|[ \t]{7,11}[A-Z][\w-]* (?:DIVISION|SECTION)",
    "cobolfree": r"[ \t]{0,6}(?:IDENTIFICATION|ENVIRONMENT|DATA|PROCEDURE) DIVISION|[ \t]{0,6}\*>",
    "common-lisp": r"[ \t]*(?:\(def|\(in-package|\(let|;;)",
    "coq": r"[ \t]*(?:(?:Require|From|Theorem|Lemma|Inductive|Fixpoint|Definition|Proof|Qed|"
    r"Module|Example)\b|Import )",
    "cpp": r"[ \t]*(?:#(?:include|define|if|pragma)|template|class|namespace|using|(?:static|"
    r"const|int|void|struct)\b)",
    "d": r"[ \t]*(?:module|import|void|int|class|struct|auto|unittest)\b",
    "delphi": r"[ \t]*(?:PROGRAM|FUNCTION(?:_BLOCK)?|END_\w+|VAR(?:_\w+)?|unit|uses|interface|"
    r"procedure|begin|end)\b",
    "forth": r"[ \t]*(?:: [^\s]+ |\\ |variable |constant |\( )",
    "fortran": r" {0,5}(?! )(?:program|subroutine|function|module|integer|real|use|implicit|do|"
    r"if|end|print|call|contains|type|character)\b|[^!'\"\n]*&$",
    "fortranfixed": r"[cC*](?![a-zA-Z]{2,} *[=(:])|[ \d]{5}[^ \d\n!]\s|(?:[ \d]{5} |"
    r"\t) *(?:program|subroutine|integer|real|do|if|end|write|call|goto|continue)\b",
    "fsharp": r"[ \t]*(?:let |open [A-Z]|module |type |namespace |\|> |//)",
    "gas": r"[ \t]*(?:\.\w+|[\w.]+:|[;@#]|(?:mov|add|ld|push|jmp)\w*[ \t])",
    "glsl": r"[ \t]*(?:#version|uniform |varying |layout[ (]|void main|in |out |precision )",
    "go": r"[ \t]*(?:(?:pub )?(?:fn|struct|enum) \w|mut |\w+ := |(?:for|if) [^\n]*\{$)",
    "idl": r"[ \t]*(?:pro |function \w+,|compile_opt|end(?:for|if|while|case)?$|print,|;)",
    "java": r"[ \t]*(?:public|private|global|protected)\b[^\n]*(?:class|void|static|\{)|@\w+",
    "javascript": r"[ \t]*(?:import|export|const|let|var|function|interface|type|class|//)\b",
    "make": r"[\w./-]+\.o?:",
    "mathematica": r"(?:[A-Za-z$]\w*\[[^\]\n]*_[^\]\n]*\][ \t]*:?=|\(\*|BeginPackage\[|Begin\[|"
    r"Needs\[)",
    "modula2": r"[ \t]*(?:MODULE|IMPORT|FROM|PROCEDURE|BEGIN|END|VAR|DEFINITION|IMPLEMENTATION)\b",
    "objective-c": r"[ \t]*(?:#import|@(?:interface|implementation|end|property|protocol|class|"
    r"autoreleasepool|import)\b|[-+] ?\()",
    "ocaml": r"[ \t]*(?:let |open [A-Z]|module |type |match |\| |in\b)",
    "octave": r"[ \t]*(?:function\b|%|end(?:function|if|for|while)?;?$|for \w+ ?=|(?:clc|clear|"
    r"close all|disp|figure|plot)\b|\w+ ?= ?[\[\w(][^\n]*;$)",
    "openedge": r"[ \t]*(?:DEFINE|FIND|FOR EACH|DISPLAY|END\.|ASSIGN)\b",
    "perl": r"[ \t]*(?:#!.*perl|use \w|my [$@%(]|sub \w|package \w|require |print |[$@%]\w+|"
    r"=(?:head|pod|cut))",
    "php": r"[^\n]*(?:<\?(?:php|=)|\$\w+ ?(?:=|->|\[))",
    "prolog": r"(?::-|\?-|%|[a-z]\w*(?:\([^\n]*\))?[ \t]*(?::-|-->)|[a-z]\w*\([^\n]*\)\.$)",
    "puppet": r"[ \t]*(?:class \w|node |define \w|\w+ *\{ *['\"$]|include \w)",
    "qbasic": r"[ \t]*(?:\d+ |DIM \w+\$|PRINT |INPUT |LOCATE|SCREEN|CLS|GOSUB|DECLARE SUB|REM )",
    "rebol": r"[ \t]*(?:REBOL ?\[|[\w-]+: )",
    "scala": r"[ \t]*(?:object |class |case |def |val |import |package |trait |@main)",
    "smalltalk": r"[ \t]*(?:!|\^|[A-Z]\w* subclass: |\w+ := \w+ \w+|\| \w+)|"
    r"[^\n]*(?:ifTrue:|do: \[|\bself \w)",
    "sml": r"[ \t]*(?:fun |val |structure |signature |datatype |fn |open )",
    "splus": r"[^\n]*<-|[ \t]*(?:library\(|#)",
    "supercollider": r"[ \t]*(?:SynthDef|[\w.]+ ?\{ ?(?:arg |\|)|~\w+ ?=|s\.|Pbind|"
    r"\w+ : \w+ ?\{|\( ?$|var \w+)",
    "tex": r"[ \t]*\\(?:\w+|%)|%",
    "vb.net": r"[ \t]*(?:Sub |Public |Private |Function |Dim |Imports |Module |Attribute |End |')",
    "verilog": r"[ \t]*(?:`|module |endmodule|input |output |always|assign |reg |wire |"
    r"initial\b|//)",
    "xml": r"[ \t]*<(?:\?xml|!DOCTYPE|[A-Za-z/])",
}  # fmt: skip

_LONGEST_HEAD: Final = 20_000
_MARGIN: Final = 2


@cache
def _pattern_of(language: str) -> re.Pattern[str]:
    flags = re.MULTILINE | (re.IGNORECASE if row_of(language).is_caseless else 0)
    return re.compile(f"^(?:{_SIGNS_OF_LINES[language]})", flags)


def language_in(file_name: str, text: str) -> tuple[str, bool] | None:
    """Return the language of which most lines have signs, and whether that is clear.

    Only the beginning is looked at. None if no other language shares the extension.
    """
    languages = SHARED.get(PurePath(file_name).suffix.lower(), [])
    if len(languages) < 2:
        return None
    head = text[:_LONGEST_HEAD]
    counts = [len(_pattern_of(language).findall(head)) for language in languages]
    best = max(range(len(counts)), key=counts.__getitem__)
    others = max(count for place, count in enumerate(counts) if place != best)
    is_clear = counts[best] > _MARGIN * others
    return languages[best], is_clear


# --- files whose names say nothing --------------------------------------------------------------

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
