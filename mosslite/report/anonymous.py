"""Anonymous reports, and the key to their aliases."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from functools import partial
from hashlib import blake2b
from pathlib import PurePath
from typing import Final

from mosslite.display import counted, csv_text
from mosslite.errors import OptionError
from mosslite.languages import find_language, language_of
from mosslite.messages import M_, PLACEHOLDER, Message, Value
from mosslite.options import CONFIG_NAMES, Mark, Options
from mosslite.records import (
    Match,
    NotCompared,
    Pair,
    Report,
    Role,
    Skipped,
    SourceFile,
    SubmissionMetadata,
    TokenizedSubmission,
    UnlistedPair,
)
from mosslite.signatures import Signature

# From the first quotation mark to the last, as a name can contain some.
_QUOTED: Final = re.compile(r"""(?<!\w)(['"]).*\1""", re.DOTALL)
# A part of a file in another language, as in ``page.html [javascript]``.
_IN_LANGUAGE: Final = re.compile(r"(?P<file>.*?) ?\[(?P<language>[^\[\]]*)\]", re.DOTALL)
# Extensions that do not determine a language.
_NOTEBOOKS: Final = frozenset({".ipynb", ".qmd", ".rmd"})
_WORD: Final = re.compile(r"\w+")
_LETTER: Final = re.compile(r"[^\W\d_]")
_LEFT_OUT: Final = M_("reason withheld, as it contains a name")


_Names = dict[str, set[str]]
"""Names in one case, by their first word."""


def _names_in(report: Report) -> _Names:
    """Return all names of submissions, teams, files and folders that a remark could contain."""
    names: _Names = {}
    for name in _all_names(report):
        words = _WORD.findall(name.casefold())
        if words:
            names.setdefault(words[0], set()).add(name.casefold())
    return names


def _all_names(report: Report) -> Iterator[str]:
    for submission in report.submissions:
        metadata = submission.source.hand_in
        yield from (submission.name, metadata.owner, *metadata.members, *metadata.emails)
        for file in submission.source.files:
            yield from _telling_parts(file.name)
    for absent in report.not_compared:
        yield from (absent.name, absent.hand_in.owner, *absent.hand_in.members)
    for each in (*report.skipped, *report.ignored):
        yield from _telling_parts(each.path)


def _telling_parts(path: str) -> list[str]:
    """Return the parts of a path, except plain words, which any remark can contain."""
    return [each for each in path.split("/") if not each.isalpha() and _LETTER.search(each)]


def nameless_file(file: SourceFile, number: int) -> SourceFile:
    """Return a file with a neutral name, and no path."""
    return replace(file, name=f"file {number}{_suffix(file.name)}", path="")


def nameless_skipped(
    skipped: Iterable[Skipped], names: _Names, aliases: Mapping[str, str]
) -> tuple[Skipped, ...]:
    """Number skipped files in order of reasons, so that the numbers do not depend on names.

    Submissions of which nothing is compared, and which therefore have no alias, are numbered too.
    """
    kinds = [
        (_without(each.reason, names), _suffix(each.path), each.limit, each.submission)
        for each in skipped
    ]
    kinds.sort(key=lambda kind: (kind[:3], aliases.get(kind[3], "")))
    others = [of for _, _, limit, of in kinds if limit and of not in aliases]
    called = {of: f"left out {n}" for n, of in enumerate(dict.fromkeys(others), 1)} | dict(aliases)
    return tuple(
        Skipped(f"path {number}{suffix}", reason, limit, called[of] if limit else "")
        for number, (reason, suffix, limit, of) in enumerate(kinds, 1)
    )


def _nameless_absent(
    submissions: Iterable[NotCompared], names: _Names, aliases: Mapping[str, str]
) -> Iterator[NotCompared]:
    """Yield submissions without names; those that have no alias are numbered by reason."""
    found = [replace(each, reason=_without(each.reason, names)) for each in submissions]
    found.sort(key=lambda each: (each.reason, aliases.get(each.name, "")))
    for number, each in enumerate(found, 1):
        name = aliases.get(each.name, f"Not compared {number}")
        yield NotCompared(name, each.reason, SubmissionMetadata(), each.is_handed_out)


_NO_NAMES: Final = M_("(names left out)")


def _nameless_warning(warning: str, names: _Names) -> str:
    """Return a warning without names; of a text that is no message, what precedes a colon."""
    words, colon, _ = ("", "", "") if isinstance(warning, Message) else warning.partition(": ")
    return f"{_without(words, names)}: {_NO_NAMES}" if colon else _without(warning, names)


def _without(said: str, names: _Names) -> str:
    """Remove lists of names and quoted names; what still contains a name is withheld."""
    kept = _without_names(said) if isinstance(said, Message) else _QUOTED.sub("...", said)
    words = kept.casefold()
    suspects = {name for word in _WORD.findall(words) for name in names.get(word, ())}
    is_named = any(
        name in words and re.search(rf"(?<!\w){re.escape(name)}(?!\w)", words) for name in suspects
    )
    return _LEFT_OUT if is_named else kept


def _without_names(message: Message) -> Message:
    if message.params.keys() == {"shown", "more"}:  # a list of names that was cut
        return _NO_NAMES
    quoted = {name for name, kind in PLACEHOLDER.findall(message.id) if kind == "r"}
    params = dict[str, Value](message.params)
    for name, value in params.items():
        if isinstance(value, Message):
            params[name] = _without_names(value)
        elif isinstance(value, tuple):
            params[name] = _NO_NAMES
        elif isinstance(value, str):
            params[name] = "..." if name in quoted else _QUOTED.sub("...", value)
    return Message(message.id, params, message.plural)


def _suffix(name: str) -> str:
    """Return a file's extension if it determines a kind of file: any other could be a name."""
    part = _IN_LANGUAGE.fullmatch(name)
    if part and _is_language(part["language"]):
        return f"{_suffix(part['file'])} [{part['language']}]"
    suffix = PurePath(name).suffix
    is_known = suffix.lower() in _NOTEBOOKS or language_of(f"file{suffix}") is not None
    return suffix if suffix and is_known else ""


def _is_language(name: str) -> bool:
    try:
        return find_language(name).name == name
    except OptionError:
        return False


_A_FILE: Final = M_("a file whose name is withheld")
_OTHER_SIDE: Final = {
    "left_similarity": "right_similarity",
    "right_similarity": "left_similarity",
}


def anonymous(report: Report) -> tuple[Report, str]:
    """Replace the names of submissions and their files everywhere except in source text.

    Returns:
        The report without names, and a CSV table of the name behind each alias.
    """
    named = sorted(report.submissions, key=_order)
    digits = max(3, len(str(len(named))))
    aliases = {
        submission.name: f"Submission {n:0{digits}}" for n, submission in enumerate(named, 1)
    }
    owners: dict[str, str] = {}
    submissions = {
        submission.name: _renamed(submission, aliases[submission.name], owners)
        for submission in named
    }
    renamed, names = report.with_submissions(submissions), _names_in(report)
    nameless = replace(
        renamed,
        options=_options(report.options, aliases),
        description=_description(report),
        pairs=tuple(sorted(map(_by_number, renamed.pairs), key=_rank)),
        unlisted=_unlisted(renamed.unlisted),
        best=renamed.best and _unlisted(renamed.best),
        not_compared=tuple(_nameless_absent(report.not_compared, names, aliases)),
        skipped=nameless_skipped(report.skipped, names, aliases),
        ignored=nameless_skipped(report.ignored, names, aliases),
        warnings=tuple(_nameless_warning(each, names) for each in report.warnings),
        is_anonymous=True,
        inputs=None,
    )
    rows = ((alias, name) for name, alias in aliases.items())
    return nameless, Signature.KEY.decode("ascii") + csv_text(rows)


def _order(submission: TokenizedSubmission) -> tuple[int, str, str]:
    """Order submissions by role, then by text; names only decide the order of copies."""
    texts = "".join(_digest(document.file.text) for document in submission.documents)
    role, _ = submission.rank
    return role, _digest(texts), _digest(submission.name)


def _digest(text: str) -> str:
    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()


def _renamed(
    submission: TokenizedSubmission, alias: str, owners: dict[str, str]
) -> TokenizedSubmission:
    """Rename a submission and its files.

    Attempts of one student stay together: ``owners`` maps each student to the first alias.
    """
    metadata = submission.source.hand_in
    hand_in = SubmissionMetadata()
    if metadata.attempt:
        owner = owners.setdefault(f"{submission.role.value} {metadata.owner}", alias)
        hand_in = SubmissionMetadata(owner=owner, attempt=metadata.attempt)
    own = enumerate(submission.source.files, 1)
    files = tuple(nameless_file(each, number) for number, each in own)
    return submission.renamed(
        replace(submission.source, name=alias, files=files, hand_in=hand_in),
        lambda nth, document: replace(document, file=nameless_file(document.file, nth + 1)),
    )


def _by_number(pair: Pair) -> Pair:
    """Put the side with the lower number on the left."""
    # All aliases have the same length, so their order is that of the numbers.
    is_in_order = pair.left.rank < pair.right.rank
    sides = (pair.left, pair.right) if is_in_order else (pair.right, pair.left)
    find = partial(_unswapped if is_in_order else _swapped, pair)
    return Pair.deferred(*sides, pair.score, find, {"baseline": pair.baseline})


def _unswapped(pair: Pair, name: str) -> dict[str, object]:
    value = getattr(pair, name)
    return {name: tuple(map(_without_origins, value)) if name == "matches" else value}


def _unlisted(pairs: Iterable[UnlistedPair]) -> tuple[UnlistedPair, ...]:
    return tuple(sorted(map(_in_order, pairs), key=_rank))


def _in_order(pair: UnlistedPair) -> UnlistedPair:
    is_in_order = pair.left.rank < pair.right.rank
    return pair if is_in_order else UnlistedPair(pair.right, pair.left, pair.score)


def _without_origins(match: Match) -> Match:
    """Remove commits: authors, ids and times can all be traced to names."""
    return match._replace(first_commits=None)


def _swapped(pair: Pair, name: str) -> dict[str, object]:
    """Return an attribute of a pair with its sides swapped."""
    value = getattr(pair, _OTHER_SIDE.get(name, name))
    if name == "matches":
        value = _swapped_matches(value)
    elif name == "by_chance":
        value = value.swapped
    elif name == "rare_evidence":
        value = tuple(each._replace(left=each.right, right=each.left) for each in value)
    return {name: value}


def _swapped_matches(matches: Iterable[Match]) -> tuple[Match, ...]:
    """Swap the sides of matches: they are in order of the left one, and so are their blocks."""
    swapped = [
        _without_origins(each)._replace(left=each.right, right=each.left) for each in matches
    ]
    swapped.sort(key=lambda each: (each.left.document, each.left.start_char))
    blocks = {block: n for n, block in enumerate(dict.fromkeys(m.block for m in swapped), 1)}
    return tuple(each._replace(block=blocks[each.block]) for each in swapped)


def _rank(pair: Pair | UnlistedPair) -> tuple[float, int, tuple[int, str], tuple[int, str]]:
    size = min(pair.left.tokens, pair.right.tokens)
    return -pair.score, -size, pair.left.rank, pair.right.rank


def _options(options: Options, aliases: Mapping[str, str]) -> Options:
    """Remove options that can contain names; the title stays."""
    intake = replace(options.intake, name_pattern=None, patterns=())
    name = options.config.rpartition("/")[2]
    config = name if name in ("", *CONFIG_NAMES) else _A_FILE
    return replace(options, review=_marks(options.review, aliases), intake=intake, config=config)


def _marks(marks: Iterable[Mark], aliases: Mapping[str, str]) -> tuple[Mark, ...]:
    """Keep the marks of pairs without their notes, which can contain names.

    Marks from an earlier anonymous report refer to submissions by alias.
    """
    known = {alias: alias for alias in aliases.values()} | dict(aliases)
    return tuple(
        replace(each, left=known[each.left], right=known[each.right], reason="", note="")
        for each in marks
        if each.left in known and each.right in known
    )


def _description(report: Report) -> str:
    counts = Counter(submission.role for submission in report.submissions)
    description = counted(counts[Role.CURRENT], "submission")
    if prior := counts[Role.PRIOR]:
        description = M_("%(description)s, %(prior)d prior", description, prior)
    if reference := counts[Role.REFERENCE]:
        description = M_("%(description)s, %(reference)d reference", description, reference)
    return M_(
        "%(description)s, names replaced by numbers; the text of the sources "
        "may still contain names",
        description,
    )
