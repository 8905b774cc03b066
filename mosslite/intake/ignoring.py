"""Which files are ignored: by built-in rules, by the user's patterns, and as binary."""

import re
from collections.abc import Callable, Sequence
from fnmatch import fnmatchcase
from posixpath import splitext
from typing import TYPE_CHECKING, Final, NamedTuple

from mosslite.errors import OptionError
from mosslite.intake.tools import is_tools_folder, is_written_by_tool
from mosslite.languages import language_of
from mosslite.messages import M_
from mosslite.options import Intake
from mosslite.output_signatures import is_own_archive
from mosslite.reasons import Reason

if TYPE_CHECKING:
    from pathspec import PathSpec, Pattern

_SQLITE = b"SQLite format 3\0"

# First bytes of files that contain somebody's text in a binary format.
_DOCUMENTS = (
    (b"%PDF-", M_("a PDF")),
    (b"{\\rtf", M_("an RTF document")),
    (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", M_("an old Office document")),
)
# Members by which a zip archive is recognized as such a file.
_ZIPPED = (
    (b"word/document", M_("a Word document")),
    (b"xl/workbook", M_("an Excel workbook")),
    (b"ppt/presentation", M_("a PowerPoint presentation")),
    (b"mimetypeapplication/vnd.oasis.opendocument", M_("an OpenDocument file")),
    (b"mimetypeapplication/epub", M_("an e-book")),
    (b"Index/Document.iwa", M_("a Pages, Numbers or Keynote document")),
)
_OTHERS = (
    (b"\x89PNG\r\n", M_("a PNG image")),
    (b"\xff\xd8\xff", M_("a JPEG image")),
    (b"GIF87a", M_("a GIF image")),
    (b"GIF89a", M_("a GIF image")),
    (b"\xca\xfe\xba\xbe", M_("a compiled Java class")),
    (b"\x7fELF", M_("a compiled program")),
    (b"\xcf\xfa\xed\xfe", M_("a compiled program")),
    (b"\0asm", M_("a compiled program")),
    (b"!<arch>\n", M_("a compiled library")),
    (_SQLITE, M_("an SQLite database")),
    (b"PK\x03\x04", M_("a zip archive")),
    (b"PK\x05\x06", M_("an empty zip archive")),
    (b"\x1f\x8b\x08", M_("a gzip archive")),
    (b"BZh91AY&SY", M_("a bzip2 archive")),
    (b"\xfd7zXZ\0", M_("an xz archive")),
    (b"7z\xbc\xaf\x27\x1c", M_("a 7z archive")),
    (b"Rar!\x1a\x07", M_("a rar archive")),
)

_BEGINNINGS = tuple(start for start, _ in (*_DOCUMENTS, *_OTHERS))
# First bytes of macOS metadata files, which are named like the file they describe after ``._``.
_APPLE_DOUBLE: Final = b"\0\5\x16\7"

# Control characters that text does not contain; a file in which one character in twenty is one of
# them is not text. (Tab, line feed, form feed, carriage return and escape do occur.)
_CONTROLS = bytes(set(range(32)) - set(b"\t\n\f\r\x1b")) + b"\x7f"
_MOST_CONTROLS = 0.05
_MOST_KINDS = 8


class BinaryKind(NamedTuple):
    """A kind of file that is not compared.

    Attributes:
        kind: What it is, as in ``a GIF image``.
        reason: Why such a file is ignored.
        is_text: Files of the kind can be plain text, so that only the first bytes identify them.
    """

    kind: str
    reason: str
    is_text: bool = False


def binary_kind(content: bytes) -> BinaryKind | None:
    """Return the kind of a binary file, by its first bytes."""
    if not content.startswith(_BEGINNINGS):
        return None
    kind = _kind(content, _DOCUMENTS)
    if content.startswith(b"PK\x03\x04"):
        kind = next((kind for name, kind in _ZIPPED if name in content), "")
    if kind:
        reason = Reason.DOCUMENT.message(kind)
        return BinaryKind(kind, reason, is_text=True)
    if content.startswith(_SQLITE) and is_own_archive(content):
        kind = M_("a mosslite archive")
        return BinaryKind(kind, Reason.OWN_ARCHIVE.message(kind))
    kind = _kind(content, _OTHERS)
    return BinaryKind(kind, Reason.OTHER_KIND.message(kind))


def is_apple_double(name: str, head: bytes = _APPLE_DOUBLE) -> bool:
    """Return whether a file is macOS metadata of another file, by its name and first bytes."""
    return name.rpartition("/")[2].startswith("._") and head.startswith(_APPLE_DOUBLE)


def looks_like_text(head: bytes) -> bool:
    """Return whether a file can be text in an ASCII-compatible encoding, by its first bytes."""
    return bool(head) and is_text(head.decode("latin-1"))


def is_text(text: str, *, is_program: bool = False, is_certain: bool = False) -> bool:
    """Return whether decoded bytes are plausible text: few controls, and NUL in programs only.

    Compilers of C and other languages skip NUL, and all skip comments. So a program may have many
    controls if its encoding is certain, or else if they are not of all kinds, as in binary files.
    """
    plain = text.encode("ascii", "ignore")
    shown = plain.translate(None, delete=_CONTROLS)
    if len(plain) - len(shown) <= _MOST_CONTROLS * len(text):
        return is_program or "\0" not in text
    is_usual = is_certain or len({*plain} & {*_CONTROLS}) <= _MOST_KINDS
    return is_program and is_usual and bool(shown.strip())


def _kind(content: bytes, kinds: tuple[tuple[bytes, str], ...]) -> str:
    return next((kind for start, kind in kinds if content.startswith(start)), "")


Rule = Callable[[str], tuple[str, Reason] | None]
"""Returns of a path which part of it is ignored, with all below it, and why; None for no part."""

# Files generated by tools and operating systems, ignored at any depth.
_LEAVINGS = frozenset({"__MACOSX", "__pycache__", "node_modules"})
_LEFT_FILES = frozenset({"thumbs.db", "desktop.ini", "ehthumbs.db"})

# Files built from a program or shipped with it that cannot be read as text.
# fmt: off
_BINARY = frozenset({
    ".a", ".bin", ".class", ".dll", ".dylib", ".elf", ".exe", ".ko", ".la", ".lib", ".o", ".obj",
    ".pdb", ".pyc", ".pyd", ".pyo", ".so",
    ".bmp", ".gif", ".icns", ".ico", ".jpeg", ".jpg", ".png", ".psd", ".tif", ".tiff", ".webp",
    ".avi", ".flac", ".m4a", ".mkv", ".mov", ".mp3", ".mp4", ".mpeg", ".mpg", ".ogg", ".wav",
    ".webm", ".wmv",
    ".db", ".eot", ".h5", ".npy", ".npz", ".otf", ".pickle", ".pkl", ".sqlite", ".sqlite3", ".ttf",
    ".woff", ".woff2",
})
# fmt: on


def rule_of(intake: Intake) -> Rule:
    """Return the default rule for what is ignored."""
    if intake.reads_ignored:
        return lambda _: None
    patterns = Patterns(intake.patterns)
    return lambda name: None if patterns.is_named(name) else usual_rule(name)


def usual_rule(name: str) -> tuple[str, Reason] | None:
    """Return whether a path inside a batch or a submission is ignored, and why.

    The first component of the path can be a student, or a student's single file.

    Returns:
        The part of the path that is ignored with everything below it (a folder's ends in a slash),
        and the reason; None for files that are read.
    """
    parts = name.split("/")
    for depth, part in enumerate(parts):
        is_file = depth == len(parts) - 1
        reason = _reason(part, is_first=not depth, is_file=is_file)
        if reason:
            return "/".join(parts[: depth + 1]) + "/" * (not is_file), reason
    return None


def _reason(part: str, *, is_first: bool, is_file: bool) -> Reason | None:
    if part.startswith("."):
        return Reason.HIDDEN
    if part in _LEAVINGS or part.lower() in _LEFT_FILES:
        return Reason.GENERATED_FILE
    if is_file:
        # Decided by the name alone; a file that contains text is read nevertheless.
        is_binary = splitext(part.lower())[1] in _BINARY and not is_first
        return Reason.NOT_TEXT if is_binary else None
    return Reason.BUILT if is_tools_folder(part) else None


class Patterns:
    """The user's own rules, as in a ``.gitignore``: the last match decides.

    Files that match none are read, unless the first pattern is an inclusion: then only matches are.
    """

    def __init__(self, patterns: Sequence[str]) -> None:
        """Compile the patterns, in their order.

        Raises:
            OptionError: One of them is invalid.
        """
        self._patterns = [each for each in patterns if each.strip()]
        self._spec = _compiled(patterns) if patterns else None
        self._is_read_else = not (patterns and patterns[0].startswith("!"))

    def reason(self, name: str) -> Reason | None:
        """Return why a path inside a submission is ignored; None if it is not."""
        found = None if self._spec is None else self._spec.check_file(name).include
        if found is None:
            return None if self._is_read_else else Reason.NOT_INCLUDED
        return Reason.EXCLUDED if found else None

    def naming(self, name: str) -> str:
        """Return the inclusion that decides about a path; empty if none does."""
        index = None if self._spec is None else self._spec.check_file(name).index
        pattern = "" if index is None else self._patterns[index]
        return pattern if pattern.startswith("!") else ""

    def is_asked_for(self, name: str) -> bool:
        """Return whether an inclusion fits a file's own name, not only a folder around it."""
        own = self.naming(name).lstrip("!").rpartition("/")[2]
        return bool(own.strip("*")) and fnmatchcase(name.rpartition("/")[2], own)

    def is_named(self, name: str) -> bool:
        """Return whether an inclusion names a path, and not only its extension or everything."""
        pattern = self.naming(name)
        return bool(pattern) and not _OF_EXTENSION.fullmatch(pattern)


_OF_EXTENSION: Final = re.compile(r"!(?:\*\*/)?\*+(?:\.[\w+-]+)?")


def _compiled(patterns: Sequence[str]) -> "PathSpec[Pattern]":
    from pathspec import PathSpec  # noqa: PLC0415 - most runs have no patterns

    try:
        return PathSpec.from_lines("gitignore", patterns)
    except ValueError as error:
        raise OptionError(
            "--include or --exclude is not a valid .gitignore pattern: %(error)s", error
        ) from error


_HEAD_LINES: Final = 10
# Longest head, in characters, that is searched for marks of generated code.
_HEAD: Final = 4_000
_GENERATED: Final = re.compile(
    r"""@(?:[\w.]+\.)?generated\b | <auto-?generated
        | generated\b[^\r\n]*\b(?:do[ ]not|don't)[ ](?:edit|modify)\b""",
    re.IGNORECASE | re.VERBOSE,
)

_LEAST_MINIFIED: Final = 5_000
_LEAST_PER_LINE: Final = 500
# Handwritten code has a blank in about every six characters, even on very long lines.
_MOST_BLANK: Final = 0.1
_BLANK: Final = re.compile(r"\s+")
_LINE_END: Final = re.compile(r"\r\n|[\r\n]")


def made_by_machine(name: str, text: str) -> Reason | None:
    """Return why a file is considered generated code; None if it is not.

    It is *minified* if its name has ``.min.`` in it, or if it is code of more than 5,000
    characters with more than 500 in an average line and less than one in ten of them blank. It
    is *generated* if a known tool wrote it, or if its first ten lines (of at most 4,000
    characters) have one of the marks ``@generated``, ``<auto-generated``, and ``generated``
    followed by ``do not edit`` or ``do not modify`` on the same line, in any case.

    Args:
        name: The file's name or path.
        text: Its content.
    """
    if ".min." in name.rstrip("/").rpartition("/")[2].lower():
        return Reason.NAMED_MINIFIED
    if _is_minified(name, text):
        return Reason.MINIFIED
    if is_written_by_tool(name, text):
        return Reason.GENERATED
    # Cheap test first: most files do not contain the word common to all marks.
    head = text[:_HEAD]
    if "generated" not in head.lower():
        return None
    is_marked = _GENERATED.search("\n".join(head.splitlines()[:_HEAD_LINES]))
    return Reason.MARKED_GENERATED if is_marked else None


def _is_minified(name: str, text: str) -> bool:
    if len(text) <= max(_LEAST_MINIFIED, _LEAST_PER_LINE * (text.count("\n") + 1)):
        return False
    language = language_of(name)
    if language is None or language.is_prose:
        return False
    lines = len(_LINE_END.findall(text)) + 1
    if len(text) <= _LEAST_PER_LINE * lines:
        return False
    dense = len(_BLANK.sub("", text))
    return len(text) - dense < _MOST_BLANK * len(text)
