"""Remarks on a batch: what was read otherwise than it looks, left out, or cannot match."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, groupby, pairwise
from pathlib import PurePath
from typing import Final, NamedTuple

import numpy as np

from mosslite.display import counted, names_joined, with_names
from mosslite.languages import asked_language, find_language, language_of
from mosslite.languages.content import SHARED
from mosslite.messages import M_, N_, Message
from mosslite.options import Options
from mosslite.ranking import Unused
from mosslite.reasons import MACHINE_MADE, WITH_PROGRAM, Reason
from mosslite.records import (
    SYNTAX_CLASSES,
    Batch,
    Colours,
    Document,
    LeftOut,
    Role,
    Skipped,
    SourceFile,
    TokenizedSubmission,
    over_limits,
)
from mosslite.winnowing.boilerplate import common_origin

# --- code in comments and strings ----------------------------------------------------------------


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


# --- remarks -------------------------------------------------------------------------------------

_DEGRADED = N_("read by a plain tokenizer, as the lexer failed or took too long: %(names)s")
_DISGUISED = N_(
    "hidden, look-alike or escaped characters, read as the characters they represent: %(names)s"
)
# Remarks on an encoding, by how it was found.
_WHYS = {
    "mark": N_("decoded as %(encoding)s, because of a byte order mark: %(names)s"),
    "escapes": N_(
        "decoded as %(encoding)s, as Python does, although the file looks different in an editor: "
        "%(names)s"
    ),
    "guess": N_("decoded as %(encoding)s, which is a guess: %(names)s"),
    "fallback": N_("decoded as %(encoding)s, as no other encoding fits: %(names)s"),
}


class _File(NamedTuple):
    """What is to be remarked on of a file, which takes little memory."""

    name: str
    source: SourceFile
    language: str
    tokens: int
    boilerplate: int
    left_out: tuple[LeftOut, ...]
    has_zeros: bool
    hidden: HiddenCode
    is_degraded: bool
    is_disguised: bool


class _Looked(NamedTuple):
    """A submission as it was looked at, once."""

    submission: TokenizedSubmission
    files: tuple[_File, ...]

    @property
    def boilerplate(self) -> int:
        """How many of its tokens are left out."""
        return sum(each.boilerplate for each in self.files)


def remarks_on(
    submissions: Sequence[TokenizedSubmission],
    base: Sequence[Document],
    batch: Batch,
    options: Options,
) -> tuple[str, ...]:
    """Return the remarks on a batch, each on one line."""
    looked = [_Looked(each, tuple(_files_of(each))) for each in submissions]
    of_base = [_file(each.file.name, each.file, each) for each in base]
    files = [*chain.from_iterable(each.files for each in looked), *of_base]
    return (
        *batch.remarks,
        *_on_skipped(batch.skipped),
        *_on_ignored(batch.ignored),
        *_on_files(files, options),
        *_on_base(base, looked),
        *_on_large_base(looked, options.max_sharing),
        *_on_submissions(looked, options),
        *_on_languages_of_one(looked),
    )


def _files_of(submission: TokenizedSubmission) -> Iterator[_File]:
    for source, document in zip(submission.source.files, submission.documents, strict=True):
        is_it = source.name == submission.name
        yield _file(source.name if is_it else f"{submission.name}/{source.name}", source, document)


def _file(name: str, source: SourceFile, document: Document) -> _File:
    hidden = HiddenCode(is_most=False, is_run=False)
    if document.colours is not None and document.has_text:
        hidden = hidden_code(document.file.code or document.file.text, document.colours)
    return _File(
        name=name,
        source=source,
        language=document.language,
        tokens=len(document.stream),
        boilerplate=int(document.is_boilerplate.sum()),
        left_out=document.left_out,
        has_zeros="\0" in document.file.text,
        hidden=hidden,
        is_degraded=document.is_degraded,
        is_disguised=bool(document.disguises),
    )


def _on_files(files: Sequence[_File], options: Options) -> Iterator[str]:
    yield from _on_encodings(files, options)
    yield from _on_language(files, options)
    if options.language is None:
        unknown = [
            each.name
            for each in files
            if each.source.language is None and language_of(each.source.name) is None
        ]
        yield from with_names(
            "read as plain text, as the language is unknown (-l sets it): %(names)s", names=unknown
        )
    yield from _on_shared_extensions(files)
    for doubt in MACHINE_MADE:
        doubted = [each.name for each in files if each.source.doubt is doubt]
        yield from with_names(
            "compared, although it %(doubt)s, as it is most of the work: %(names)s",
            doubt.message(),
            names=doubted,
        )
    hiding = [each.name for each in files if each.hidden.is_most]
    yield from with_names(
        "more code in comments, strings or disabled branches than outside, which is not compared: "
        "%(names)s",
        names=hiding,
    )
    running = [each.name for each in files if each.hidden.is_run]
    yield from with_names(
        "programs that run text, and are mostly strings, numbers or comments, which are not "
        "compared as code: %(names)s",
        names=running,
    )
    cells = [
        f"{each.name} ({each.source.cells_left_out:,})"
        for each in files
        if each.source.cells_left_out
    ]
    yield from with_names(
        "notebooks with cells of text, which are not compared: %(names)s", names=cells
    )
    for kind in sorted({each.source.begins_like for each in files} - {""}):
        names = [each.name for each in files if each.source.begins_like == kind]
        yield from with_names(
            "compared as text, although it starts like %(kind)s: %(names)s", kind, names=names
        )
    zeros = [each.name for each in files if each.has_zeros]
    yield from with_names("zero bytes, read as spaces: %(names)s", names=zeros)
    failed = [each.name for each in files if each.is_degraded]
    yield from with_names(_DEGRADED, names=failed)
    disguised = [each.name for each in files if each.is_disguised]
    yield from with_names(_DISGUISED, names=disguised)


def _on_shared_extensions(files: Sequence[_File]) -> Iterator[str]:
    """Name the files of which neither content nor extension determines the language."""
    unclear = defaultdict[tuple[str, str], list[str]](list)
    for each in files:
        if each.source.is_unclear:
            extension = PurePath(each.source.name).suffix.lower()
            other = next(name for name in SHARED[extension] if name != each.language)
            key = find_language(each.language).title, f"*{extension}={other}"
            unclear[key].append(each.name)
    for title, asking in sorted(unclear):
        yield from with_names(
            "read as %(title)s, although it may be another language (-l '%(asking)s' sets it): "
            "%(names)s",
            title,
            asking,
            names=unclear[title, asking],
        )


# Files of these are often read as one another on purpose.
_RELATED: Final = {
    **dict.fromkeys(("c", "cpp", "cuda"), "c"),
    "cython": "python",
    "fortranfixed": "fortran",
    "literate-haskell": "haskell",
    "racket": "scheme",
}


def _on_language(files: Sequence[_File], options: Options) -> Iterator[str]:
    """Name files of another language than ``-l`` says, where they are most of all."""
    forced = asked_language(options.language)
    if forced is None or forced.is_prose or forced.is_plugged_in:
        return
    others: dict[str, list[str]] = {}
    for each in files:
        own = language_of(each.source.name)
        if own and not own.is_prose and _family(own.name) != _family(forced.name):
            others.setdefault(own.title, []).append(each.name)
    if 2 * sum(map(len, others.values())) > len(files):
        for title in sorted(others):
            yield from with_names(
                "%(count)d of %(files)s read as %(title)s (-l %(language)s) but named like "
                "%(title2)s: %(names)s",
                len(others[title]),
                counted(len(files), "file"),
                forced.title,
                options.language,
                title,
                names=others[title],
            )


def _family(language: str) -> str:
    return _RELATED.get(language, language)


def _on_skipped(skipped: Sequence[Skipped]) -> Iterator[str]:
    for limit in sorted({each.limit for each in skipped if each.limit}):
        names = over_limits(each for each in skipped if each.limit == limit)
        yield from with_names(
            "not compared in full, because of %(limit)s: %(names)s", limit, names=names
        )
    code = [each.path for each in skipped if Reason.of(each.reason) is Reason.LOOKS_LIKE_CODE]
    yield from with_names(
        "not compared, but looks like source code (--include compares it): %(names)s", names=code
    )


def _on_ignored(ignored: Sequence[Skipped]) -> Iterator[str]:
    # A name or a mark that has something left out is easily given to a copy.
    by_reason = defaultdict[Reason | None, list[Skipped]](list)
    for each in ignored:
        by_reason[Reason.of(each.reason)].append(each)
    for reason in (*MACHINE_MADE, *WITH_PROGRAM.values()):
        own = by_reason[reason]
        count = counted(len({each.submission for each in own}), "submission")
        yield from with_names(
            "not compared in %(count)s, as it %(reason)s (--no-ignore includes it): %(names)s",
            count,
            reason.message(),
            names=[each.path for each in own],
        )
    earlier = [each.path for each in by_reason[Reason.EARLIER_ATTEMPT]]
    yield from with_names(
        "earlier attempts not compared (--attempts all includes them): %(names)s", names=earlier
    )


def _on_encodings(files: Sequence[_File], options: Options) -> Iterator[str]:
    """Name the files whose encoding was guessed or unusual, by encoding."""
    by_why: dict[tuple[str, str], list[str]] = {}
    for each in files:
        why = _WHYS.get(each.source.encoding_by)
        if why is not None and not each.source.encoding.startswith("utf-8"):
            by_why.setdefault((why, each.source.encoding), []).append(each.name)
    for why, encoding in sorted(by_why):
        yield from with_names(why, encoding, names=by_why[why, encoding])
    if options.intake.encoding is not None:
        others = [each.name for each in files if each.source.encoding_by != "option"]
        yield from with_names(
            "not in %(encoding)s (--encoding): %(names)s", options.intake.encoding, names=others
        )


def _read_as(name: str, languages: Iterable[str]) -> Message:
    found = map(find_language, {*languages})
    titles = sorted(each.name if each.is_prose else each.title for each in found)
    return M_("%(name)s (read as %(languages)s)", name, names_joined(titles))


def _on_base(base: Sequence[Document], looked: Sequence[_Looked]) -> Iterator[str]:
    short = [each.file.name for each in base if len(each.stream) < each.thresholds.noise]
    yield from with_names(
        "base code shorter than the noise threshold, so only equal files are excluded: %(names)s",
        names=short,
    )
    found = {
        left_out.origin for each in looked for file in each.files for left_out in file.left_out
    }
    missing = [
        _read_as(each.file.name, [each.language])
        for each in base
        if each.file.name not in {*found, *short}
    ]
    yield from with_names(
        "base code not found in any submission, so nothing is excluded: %(names)s", names=missing
    )


def _on_large_base(looked: Sequence[_Looked], limit: int | None) -> Iterator[str]:
    """Name the base code that takes out most of most submissions, as a solution would."""
    current = [each for each in looked if each.submission.role is Role.CURRENT]
    mostly = [
        each for each in current if 2 * each.boilerplate > sum(file.tokens for file in each.files)
    ]
    if 2 * len(mostly) <= len(current):
        return
    tokens = Counter[str]()
    for each in mostly:
        for file in each.files:
            tokens.update(dict(file.left_out))
    most = max(tokens.values())
    names = sorted(name for name in tokens if 2 * tokens[name] > most)
    submissions = counted(len(current), "submission")
    if limit is not None and common_origin(limit) in names:
        yield M_(
            "-m %(limit)s excludes most of %(mostly)d of %(submissions)s",
            limit,
            len(mostly),
            submissions,
        )
        names.remove(common_origin(limit))
    what = M_("most of %(mostly)d of %(submissions)s is excluded", len(mostly), submissions)
    yield from with_names("%(what)s; check that you handed this out: %(names)s", what, names=names)


def _on_submissions(looked: Sequence[_Looked], options: Options) -> Iterator[str]:
    tiny = [each.submission.name for each in looked if each.submission.is_tiny]
    yield from with_names(
        "shorter than the noise threshold, so only identical submissions are found: %(names)s",
        names=tiny,
    )
    if options.max_sharing is not None:
        hidden = sum(each.boilerplate for each in looked)
        limit = options.max_sharing
        yield M_(
            "%(hidden)d tokens excluded as base code or as code shared by more "
            "than %(submissions)s (-m %(limit)s)",
            hidden,
            counted(limit, "submission"),
            limit,
        )
        if limit == 1:
            yield M_("-m 1 excludes all that two submissions share: use -m 2 or higher")


def _on_languages_of_one(looked: Sequence[_Looked]) -> Iterator[str]:
    """Name the submissions without a file in a language that another submission has."""
    families = [{_family(file.language) for file in each.files} for each in looked]
    counts = Counter(chain.from_iterable(families))
    names = []
    for each, own in zip(looked, families, strict=True):
        if each.submission.role is Role.CURRENT and all(counts[family] == 1 for family in own):
            names.append(_read_as(each.submission.name, (file.language for file in each.files)))
    if len(looked) > 1:
        yield from with_names(
            "no other submission is in its language, so copies can be missed: %(names)s",
            names=names,
        )


def remarks_on_candidates(unused: Unused) -> Iterator[str]:
    """Yield what was not used to find pairs, if there is any."""
    if unused.count:
        yield M_(
            "%(fingerprints)s, each in at least %(least)d submissions, too common to be used to "
            "find candidate pairs (-n 0 uses all)",
            counted(unused.count, "fingerprint"),
            unused.least,
        )
