"""Turns the paths given by the user into a batch: bytes to text, text to the code compared."""

import html
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Final, NamedTuple
from unicodedata import normalize

from mosslite.errors import InputError
from mosslite.intake.decoding import decoded
from mosslite.intake.documents import extracted
from mosslite.intake.entries import Entry, LimitError, NotReadError, Planned, content_of
from mosslite.intake.history import History
from mosslite.intake.ignoring import (
    Patterns,
    built_folders,
    folder_among,
    made_by_machine,
)
from mosslite.intake.plan import plan
from mosslite.intake.repositories import repositories_among, with_repositories
from mosslite.languages import (
    TEXT,
    asked_language,
    find_language,
    is_data,
    is_program,
    language_of,
    unwrapped,
)
from mosslite.languages.content import guessed_language, looks_like_code
from mosslite.messages import M_, NM_, said_by
from mosslite.options import Intake, Limits
from mosslite.reasons import NOT_STUDENTS, Reason
from mosslite.records import Batch, Inputs, NotCompared, Role, Skipped, SourceFile, Submission
from mosslite.signatures import binary_kind

# Files of these are scripts of builds, which look like code.
_BUILD_SCRIPTS: Final = frozenset({"cmake", "diff", "docker", "make", "nixos"})

_NAME: Final = r"[^\"'`<>\r\n]{1,200}"
# What is included is code of the same language, whatever it looks like.
_INCLUDED: Final = re.compile(rf"""\binclude(?:_once)?\s*\(?\s*["'<]({_NAME})["'>]""")
_QUOTED: Final = re.compile(rf"""["'`](?=({_NAME})["'`])|\b(?:source|sh|bash)[ \t]+([\w./-]+)""")
# Programs without these read other files as data.
_RUNS_FILES: Final = re.compile(
    r"\b(?:exec|eval|source|system|spawn|popen|subprocess|run_?path|load|dofile|require|importlib"
    r"|SourceFileLoader|ScriptEngine|GroovyShell|consult|(?:ba)?sh\b|include[ \t]+[\w$])"
)


class _Naming(NamedTuple):
    """The language of the program that names a file, and whether it includes the file."""

    language: str
    is_included: bool


def with_languages(
    files: Sequence[SourceFile],
    usual: str,
    asked: str | None,
    is_included: Callable[[str], bool],
) -> list[SourceFile]:
    """Return the files of a submission, those that are code under another name in its language.

    A file that a program of the submission includes, or names and may run, has the language of the
    program. If there is no program, what looks like code has the usual language of the batch, or
    the one it has sure signs of. Other files that look like code have a ``doubt``. What ``-l`` asks
    for is the language of anything that looks like code, and what the user includes is compared.
    """
    names = {file.name for file in files}
    older = {name for name in names if unwrapped(name) != name and unwrapped(name) in names}
    programs = [file for file in files if _is_code(file) and file.name not in older]
    namings = _namings_in(programs) if len(programs) < len(files) else {}
    found = []
    for file in files:
        is_older = file.name in older
        naming = namings.get(file.name.rpartition("/")[2])
        forced = asked_language(asked, file.name)
        is_box = forced is not None and _is_page(file) and forced != language_of(file.name)
        if _is_code(file) and not is_older and not is_box:
            found.append(file)
        elif naming and (naming.is_included or looks_like_code(file.text)):
            found.append(replace(file, language=naming.language))
        elif is_included(file.name) and not is_older:
            language = language_of(file.name) or TEXT
            found.append(replace(file, language=file.language or language.name))
        elif is_older and not file.is_given:
            found.append(replace(file, doubt=Reason.OLDER_COPY))
        elif forced is not None:
            found.append(_recognized(file, forced.name, is_alone=True))
        else:
            found.append(_recognized(file, usual, is_alone=not programs))
    return found


def _recognized(file: SourceFile, usual: str, *, is_alone: bool) -> SourceFile:
    """Return a file that no program names as code, in doubt, or as it is."""
    named = language_of(file.name)
    if named is not None and named.name in _BUILD_SCRIPTS:
        return file
    is_page = _is_page(file)
    text = _typed_text(file.text) if is_page else file.text
    if not looks_like_code(text):
        return file
    language = usual or guessed_language(text)
    if is_alone and language:
        code = None if is_page else file.code
        return replace(file, text=text, code=code, language=language)
    return file if is_page else replace(file, doubt=Reason.LOOKS_LIKE_CODE)


def _is_page(file: SourceFile) -> bool:
    return file.name.lower().endswith((".htm", ".html"))


def _is_code(file: SourceFile) -> bool:
    if file.language is not None:
        return file.language != TEXT.name and not is_data(find_language(file.language))
    return is_program(file.name)


def _namings_in(programs: Iterable[SourceFile]) -> dict[str, _Naming]:
    """Return for the names of files in programs, without folders, how they are named."""
    found: dict[str, _Naming] = {}
    for file in programs:
        known = language_of(file.name)
        language = file.language or (known.name if known else TEXT.name)
        for each in _INCLUDED.finditer(file.text):
            found[_own_name(each[1])] = _Naming(language, is_included=True)
        for each in _QUOTED.finditer(file.text) if _RUNS_FILES.search(file.text) else ():
            own = _own_name(each[1] or each[2] or "")
            found.setdefault(own, _Naming(language, is_included=False))
    return found


def _own_name(path: str) -> str:
    return path.replace("\\", "/").rpartition("/")[2]


# Text boxes of learning platforms are pages with a line in each paragraph.
_LINE_END: Final = re.compile(r"<(?:br|/p|/div|/li|/tr|/pre|/h[1-6])\b[^<>]*>", re.IGNORECASE)
_TAG: Final = re.compile(r"<title>[^<]*</title>|<[a-z/!][^<>]*>", re.IGNORECASE)


def _typed_text(page: str) -> str:
    """Return the lines of a page that somebody typed; empty if it has scripts."""
    if "<script" in page.lower():
        return ""
    lines = _TAG.sub("", _LINE_END.sub("\n", page))
    return html.unescape(lines).replace("\xa0", " ")


# Bytes of a submission that are decoded and parsed: more than anybody writes in a course. They
# count, and again each text derived from them. Files of usual length have an allowance of their
# own, and so have long programs, so that long data do not change whether programs are read.
_LONGEST_USUAL: Final = 1 << 16
_MOST_BYTES: Final = {"usual": 24 << 20, "long program": 12 << 20, "long": 12 << 20}
# Tokens of files of each kind, which take 200 bytes of memory each. The largest project of a course
# has half a million, and jEdit two million.
_MOST_TOKENS: Final = {"usual": 3 << 20, "long program": 3 << 19, "long": 1 << 20}
# What a byte of code is: a blank, of a word, of another character, or the first one of such.
_KINDS: Final = (
    b" " * 33
    + re.sub(rb"\w", b"w", re.sub(rb"\W", b".", bytes(range(33, 128))))
    + (b"-" * 64 + b"." * 64)
)
# Bytes of the versions of a submission's files in a repository: of long projects, all are fewer.
_MOST_OF_HISTORY: Final = 8 << 20
_LONGEST_VERSION: Final = 1 << 19


class Effort:
    """Bytes of a submission read so far: the same on every machine."""

    def __init__(self, role: Role, limits: Limits = Limits()) -> None:
        is_instructors = role in {Role.BASE, Role.REFERENCE}
        larger = max(1.0, limits.file / Limits().file)
        self._factor = float("inf") if is_instructors else larger
        self._spent = dict.fromkeys(_MOST_BYTES, 0)
        self._tokens = dict.fromkeys(_MOST_TOKENS, 0)

    def require(self, name: str, size: int, files: Sequence[SourceFile] = ()) -> None:
        """Raise a LimitError if a file of ``size`` bytes and its texts are too much to be read."""
        kind = _kind(name, size)
        tokens = self._tokens[kind] + sum(map(_tokens_in, files))
        is_full = tokens > self._factor * _MOST_TOKENS[kind]
        if is_full or self._spent[kind] >= self._factor * _MOST_BYTES[kind]:
            raise LimitError("--max-file-size", Reason.SUBMISSION_TOO_LARGE)
        self._tokens[kind] = tokens

    def spend(self, name: str, size: int, files: Sequence[SourceFile]) -> None:
        """Count the texts derived from a file of ``size`` bytes."""
        derived = sum(len(each.text.encode("utf-8", "surrogatepass")) for each in files)
        self._spent[_kind(name, size)] += size + derived


def _tokens_in(file: SourceFile) -> int:
    """Return about how many tokens a file has: letters of prose, words and signs of code."""
    text = file.text if file.code is None else file.code
    kinds = text.encode("utf-8", "surrogatepass").translate(_KINDS)
    language = find_language(file.language) if file.language else language_of(file.name)
    if language is None or language.is_prose:
        letters = len(kinds) - kinds.count(b" ")
        return letters if text.isascii() else min(letters, len(normalize("NFKD", text)))
    return sum(kinds.count(each) for each in (b".", b" w", b".w")) + kinds.startswith(b"w")


def _kind(name: str, size: int) -> str:
    if size <= _LONGEST_USUAL:
        return "usual"
    return "long program" if is_program(name) else "long"


def read_entry(
    entry: Entry, intake: Intake, language: str | None, effort: Effort
) -> tuple[SourceFile, ...]:
    """Read the code of an entry, one file of its name for each language in it.

    Raises:
        NotReadError: It cannot be read, is not text, or contains nothing to compare.
    """
    most = intake.limits.of(entry.name)
    content = content_of(entry, most)
    size = len(content) * intake.limits.file // most  # most bytes of a notebook are images
    effort.require(entry.name, size)
    files: tuple[SourceFile, ...] = ()
    try:
        files = extracted(_file(entry, content, intake, language), intake, language)
        effort.require(entry.name, size, files)
    finally:
        effort.spend(entry.name, size, files)
    return files


def _file(entry: Entry, content: bytes, intake: Intake, language: str | None) -> SourceFile:
    declared = asked_language(language, entry.name) or language_of(entry.name)
    found = decoded(
        content,
        intake.encoding,
        is_python=declared is not None and declared.name == "python",
        is_program=is_program(entry.name),
    )
    foreign = binary_kind(content)
    return SourceFile(
        name=entry.name,
        text=found.text,
        encoding=found.encoding,
        encoding_by=found.by,
        is_given=entry.is_given,
        # Lexers treat NUL like a blank, as compilers that skip it do.
        code=found.text.replace("\0", " ") if "\0" in found.text else None,
        begins_like=foreign.kind if foreign else "",
        path=entry.path,
    )


def contents_of(
    history: History, blobs: Iterable[tuple[str, str]], intake: Intake, language: str | None
) -> Iterator[tuple[str, SourceFile]]:
    """Read versions of files like the files of a submission; unreadable ones are left out.

    ``blobs`` are ids and paths of the versions. Very long ones, and all that are more than usual
    together, are left out with a remark.
    """
    effort, left = Effort(Role.CURRENT), _MOST_OF_HISTORY
    for blob, path in blobs:
        content = history.blob(blob)
        if content is None:
            continue
        if len(content) > min(left, _LONGEST_VERSION):
            size = _MOST_OF_HISTORY >> 20
            remark = M_(
                "large versions of files, and more than %(size)s MiB of them, are not read", size
            )
            history.remarks[remark] = None
            continue
        left -= len(content)
        with suppress(NotReadError):
            for file in read_entry(Entry(path, path, content), intake, language, effort):
                yield blob, file


class Found(NamedTuple):
    """Files read from a submission, and files left out."""

    files: tuple[SourceFile, ...]
    skipped: list[Skipped]
    ignored: list[Skipped]


def files_of(planned: Planned, patterns: Patterns, intake: Intake, language: str | None) -> Found:
    """Read a submission; every entry becomes a file or has a reason.

    The files of a commit were added by ``with_repositories``, if these are compared. If all
    contents are in memory, no file on disk is read.
    """
    found, files = Found((), [], []), list[SourceFile]()
    built, is_all_built = frozenset[str](), False
    if not intake.reads_ignored:
        built, is_all_built = _build_folders(planned, patterns)
    effort = Effort(planned.role, intake.limits)
    for entry in planned.entries:
        judged = _judged(entry, patterns, frozenset() if is_all_built else built)
        if judged.obstacle:
            skipped = _skipped(judged, planned)
            (found.ignored if judged.is_ignored else found.skipped).append(skipped)
            continue
        try:
            files += read_entry(entry, intake, language, effort)
        except NotReadError as error:
            judged = replace(entry, obstacle=said_by(error))
            found.skipped.append(_skipped(judged, planned))
    own = files if intake.reads_ignored else _written(files, found.ignored, planned, patterns)
    texts = [
        replace(file, doubt=Reason.BUILT)
        if is_all_built and not file.is_given and folder_among(file.name, built)
        else file
        for file in own
    ]
    found = Found(
        files=tuple(with_languages(texts, planned.usual, language, patterns.is_asked_for)),
        skipped=found.skipped,
        ignored=list(dict.fromkeys(found.ignored)),
    )
    return found if own or found.skipped or _is_stray(planned) else _without_files(planned, found)


def _build_folders(planned: Planned, patterns: Patterns) -> tuple[frozenset[str], bool]:
    """Return the build folders of a submission, and whether all of its programs are in them.

    Then it is compared with what is in them.
    """
    folders = built_folders(entry.name for entry in planned.entries)
    is_inside = [
        bool(folder_among(entry.name, folders))
        for entry in planned.entries
        if is_program(entry.name) and not _judged(entry, patterns).obstacle
    ]
    return folders, bool(is_inside) and all(is_inside)


def with_contents(planned: Planned, patterns: Patterns, intake: Intake) -> Planned:
    """Return a submission of which ``files_of`` reads the same wherever it is called.

    The entries have their bytes in memory, or the reason why these are not read.
    """
    entries = []
    for entry in planned.entries:
        judged = _judged(entry, patterns)
        alone = replace(judged, content=b"", archive=None)
        if not judged.obstacle:
            try:
                alone = replace(alone, content=content_of(entry, intake.limits.of(entry.name)))
            except NotReadError as error:
                alone = replace(alone, obstacle=said_by(error))
        entries.append(alone)
    return replace(planned, entries=tuple(entries))


def _judged(entry: Entry, patterns: Patterns, folders: frozenset[str] = frozenset()) -> Entry:
    """Return an entry with the obstacle that counts: exclusion comes before any limit.

    Of folders that are ignored, each is one entry.
    """
    folder = folder_among(entry.name, folders)
    if folder and not (entry.is_given or patterns.is_named(entry.name)):
        path = f"{entry.path.removesuffix(entry.name.removeprefix(folder)).rstrip('/')}/"
        return Entry(path, f"{folder}/", obstacle=Reason.BUILT.message(), is_ignored=True)
    unwanted = None if entry.is_given else patterns.reason(entry.name)
    is_left_out = entry.obstacle and not (entry.limit and unwanted is Reason.EXCLUDED)
    if is_left_out or unwanted is None:
        return entry
    return replace(entry, obstacle=unwanted.message(), is_ignored=True)


def _skipped(entry: Entry, planned: Planned) -> Skipped:
    is_counted = entry.limit or entry.is_ignored
    return Skipped(entry.path, entry.obstacle, entry.limit, planned.name if is_counted else "")


def _written(
    files: Sequence[SourceFile], ignored: list[Skipped], planned: Planned, patterns: Patterns
) -> list[SourceFile]:
    """Leave out generated files, unless there are only these.

    What only its first lines call generated is left out if it is less than half of the submission.
    """
    judged = list[tuple[SourceFile, Reason | None]]()
    for file in files:
        is_named = file.is_given or patterns.is_named(file.name)
        judged.append((file, None if is_named else made_by_machine(file.name, file.text)))
    sizes = Counter[bool]()
    for file, reason in judged:
        if reason in (None, Reason.MARKED_GENERATED) and (is_program(file.name) or reason):
            sizes[bool(reason)] += len(file.text)
    is_doubtful = sizes[True] >= sizes[False]
    is_all = all([r for file, r in judged if is_program(file.name)] or [r for _, r in judged])
    kept = []
    for file, reason in judged:
        if not reason:
            kept.append(file)
        elif is_all or (reason is Reason.MARKED_GENERATED and is_doubtful):
            kept.append(replace(file, doubt=reason))
        else:
            ignored.append(Skipped(file.path, reason.message(), submission=planned.name))
    return kept


def _without_files(planned: Planned, found: Found) -> Found:
    """Report a submission without any readable file."""
    if {Reason.of(each.reason) for each in found.ignored} == {Reason.NO_FILES}:
        return found._replace(skipped=found.ignored, ignored=[])
    reason = Reason.ONLY_IGNORED if found.ignored else Reason.NO_FILES
    return found._replace(skipped=[Skipped(planned.path, reason.message())])


def _is_stray(planned: Planned) -> bool:
    """Return whether a submission without files needs no report besides its own entry."""
    own = {
        entry.path.rstrip("/")
        for entry in planned.entries
        if Reason.of(entry.obstacle) is not Reason.NO_FILES
    }
    return planned.is_beside or own == {planned.path.rstrip("/")}


Reader = Callable[[Sequence["Planned"], Intake, "str | None"], Iterable[Found]]
"""What reads submissions, as ``read_each`` does."""


def read_each(planned: Sequence[Planned], intake: Intake, language: str | None) -> Iterator[Found]:
    """Read submissions in their order, one after the other."""
    patterns = Patterns(intake.patterns)
    for each in planned:
        yield files_of(with_repositories(each, intake), patterns, intake, language)


def collect(
    inputs: Inputs,
    *,
    intake: Intake = Intake(),
    directories: bool = False,
    language: str | None = None,
    read: Reader = read_each,
) -> Batch:
    """Read everything that the user gave: submissions in order of role and name, and the rest.

    With ``directories``, files of one folder are one submission (``-d``). With a language, web
    pages are read as source text too. What ``read`` returns may lack text that no later step uses.

    Raises:
        InputError: A pattern matches nothing, a base, prior or reference path is missing, base
            code cannot be read, a batch's folder cannot, or is not in the layout asked for.
    """
    planned = plan(inputs, intake, directories=directories)
    usual = _usual_language(planned.submissions)
    planned = planned._replace(submissions=[replace(e, usual=usual) for e in planned.submissions])
    found_of = []
    for each, found in zip(
        planned.submissions, read(planned.submissions, intake, language), strict=True
    ):
        if each.is_required and not found.files:  # every score would be wrong
            path, reason = found.skipped[0].path, found.skipped[0].reason
            raise InputError("base code '%(path)s' %(reason)s", path, reason)
        found_of.append((each, found))
    submissions = [
        Submission(
            each.name, each.role, found.files, each.hand_in, repositories_among(each.entries)
        )
        for each, found in found_of
        if found.files
    ]
    own = [each for each in submissions if each.role is not Role.BASE]
    taken_out = [
        Skipped(path, Reason.BASE_BY_METADATA.message())
        for each, found in found_of
        if each.role is Role.BASE and not each.is_required
        for path in dict.fromkeys(file.path for file in found.files)
    ]
    return Batch(
        submissions=tuple(sorted(own, key=lambda each: each.rank)),
        base=tuple(file for s in submissions if s.role is Role.BASE for file in s.files),
        skipped=_sorted([*taken_out, *(each for _, found in found_of for each in found.skipped)]),
        ignored=_sorted(each for _, found in found_of for each in found.ignored),
        description=planned.description,
        remarks=(*planned.remarks, *_on_repositories(found_of)),
        not_compared=tuple(_not_compared(found_of)),
    )


def _not_compared(read: Iterable[tuple[Planned, Found]]) -> Iterator[NotCompared]:
    """Yield the students' submissions that were given and of which no file was read."""
    for planned, found in read:
        reasons = [e.reason for e in found.skipped if Reason.of(e.reason) not in NOT_STUDENTS]
        is_students = planned.role is Role.CURRENT and not planned.is_beside
        if is_students and reasons and not found.files:
            yield NotCompared(planned.name, reasons[0], planned.hand_in)


def _usual_language(planned: Iterable[Planned]) -> str:
    """Return the language that most current submissions have a program in; empty if none is."""
    counts, total = Counter[str](), 0
    for each in planned:
        names = [e.name for e in each.entries if not e.obstacle and is_program(e.name)]
        found = {language.name for name in names if (language := language_of(name))}
        if each.role is Role.CURRENT and found:
            total += 1
            counts.update(found)
    name = max(sorted(counts), key=lambda each: counts[each], default="")
    return name if 2 * counts[name] > total else ""


def _on_repositories(read: Iterable[tuple[Planned, Found]]) -> Iterator[str]:
    """Remark how many submissions are read from a commit because they contain only a repository."""
    count = sum(
        any(Reason.of(e.reason) is Reason.COMMITTED for e in own.ignored) for _, own in read
    )
    if count:
        yield NM_(
            "%(count)d submission is a git repository without a program beside it: its commit "
            "that is checked out is compared (--list names it)",
            "%(count)d submissions are a git repository without a program beside it: the commit "
            "that is checked out is compared (--list names it)",
            count,
        )


def _sorted(skipped: Iterable[Skipped]) -> tuple[Skipped, ...]:
    return tuple(sorted(skipped, key=lambda each: (each.path, each.reason)))
