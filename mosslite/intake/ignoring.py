"""Which files are ignored: by built-in rules, patterns of the user, as tools' output."""

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from fnmatch import fnmatchcase, translate
from functools import cache
from posixpath import splitext
from typing import TYPE_CHECKING, Final, NamedTuple

from mosslite.errors import OptionError
from mosslite.intake.entries import paths_to
from mosslite.languages import is_program, language_of
from mosslite.options import DEEPEST_LOOKED_AT, Intake
from mosslite.reasons import Reason

if TYPE_CHECKING:
    from pathspec import PathSpec, Pattern

# --- folders -------------------------------------------------------------------------------------

# Folders that nobody but a tool names so: caches, environments, packages and intermediate files.
_TOOLS_FOLDERS: Final = (
    "*_autogen __pypackages__ _deps _resharper.* autom4te.cache bazel-* bower_components buck-out "
    "carthage cmake-build-* cmakefiles deriveddata deriveddatacache dist-newstyle dist-packages "
    "elm-stuff htmlcov ipch jspm_packages lcov-report nimcache pods site-packages slprj "
    "storybook-static testresults vcpkg_installed web_modules zig-cache zig-out"
)

# Files by which a tool marks the folder that it fills, whatever the folder's name.
_MARKS: Final = (
    "*.dist-info .rustc_info.json .yarn-integrity _lib.qdb allclasses-frame.html cachedir.tag "
    "block-navigation.js cmakecache.txt conda-meta coverage_html*.js doxygen.css egg-info "
    "element-list jacoco-resources member-search-index.js meson-info objects.inv pyvenv.cfg"
)
# The folder is a project, or was built in place, if it contains one of these.
_PROJECT: Final = (
    "*.csproj *.sln *.vcxproj build.gradle build.gradle.kts build.xml cargo.toml cmakelists.txt "
    "package.json pom.xml setup.py src"
)

# Folders that compilers are usually told to write to: such a folder is build output if it has
# compiled files, none of them beside its source.
_USUAL: Final = (
    "bin binaries build build-* built classes debug dist obj objs out output release target win32 "
    "x64 x86"
)
_COMPILED: Final = frozenset(
    {
        *(".beam", ".class", ".cmi", ".cmo", ".cmx", ".dex", ".gch", ".hi", ".idb", ".ilk"),
        *(".map", ".o", ".obj", ".pch", ".pdb", ".rlib", ".rmeta", ".tlog"),
    }
)
# What a compiler writes beside a compiled file, under extensions of languages.
_BESIDE_COMPILED: Final = frozenset({".d", ".i", ".ii", ".ptx"})


class _Build(NamedTuple):
    """Names of a folder, what a tool writes into it, and the build file beside it; any of each."""

    folders: str
    inside: str
    beside: str


_BUILDS: Final = (
    _Build("target", "*.jar classes generated-* maven-* *-reports test-classes", "pom.xml"),
    _Build(
        "bin build out",
        "classes default generated intermediates kotlin libs main outputs reports resources "
        "scripts test test-results tmp",
        "*.gradle *.gradle.kts",
    ),
    _Build("build dist", "*.jar built-jar.properties classes empty generated-sources", "build.xml"),
    _Build("target", "debug doc package release tmp", "cargo.toml"),
    _Build(
        "bin build* debug out release",
        "*.ninja _deps cmake_install.cmake makefile *_autogen x64-*",
        "cmakelists.txt",
    ),
    _Build("build-* debug generatedfiles release", "moc_* qrc_* ui_* makefile*", "*.pro *.vcxproj"),
    _Build(
        "bin debug obj packages release win32 x64 x86",
        "*.[0-9]*.[0-9]* *.assemblyinfo.* *.cache *.dll *.exe *.log *.nuget.* any?cpu debug "
        "generatedfiles net* project.assets.json release win32 x64 x86",
        "*.??proj *.sln *.vcxproj packages.config",
    ),
    _Build(
        "build dist out",
        "*.bundle.js *.chunk.js *.d.ts *.map *.tsbuildinfo asset-manifest.json "
        "*[-.][0-9a-f][0-9a-f][0-9a-f][0-9a-f][0-9a-f]*.js *.esm.js *.umd.js",
        "package.json tsconfig.json",
    ),
    _Build("build dist out", "_n[eu]xt assets bundle.js index.html main.js static", "package.json"),
    _Build("dist", "*", "angular.json"),
    _Build("build dist", "*.tar.gz *.whl bdist.* lib temp.*", "*.spec pyproject.toml setup.*"),
    _Build("vendor", "autoload.php bundle composer modules.txt", "*"),
    _Build("lib", "bootstrap* jquery*", "css js"),
    _Build("_build deps", "*", "dune dune-project mix.exs rebar.config"),
    _Build("build target", "*", "build.properties build.sbt pubspec.yaml"),
    _Build("dist", "build cache setup-config", "*.cabal package.yaml stack.yaml"),
    _Build("_build build", "doctrees html latex", "*"),
    _Build("_site public", "*", "_config.yml hugo.toml"),
    _Build("build builds library logs obj temp usersettings", "*", "projectsettings"),
    _Build("binaries build intermediate saved", "*", "*.uproject"),
    _Build("build", "*", "*.xcodeproj *.xcworkspace podfile"),
    _Build("out", "artifacts production test", "*.iml"),
    _Build("*.cache *.gen *.hw *.ip_user_files *.runs *.sim", "*", "*.xpr"),
    _Build("db incremental_db", "*", "*.qpf"),
)


def built_folders(names: Iterable[str]) -> frozenset[str]:
    """Return the folders in a submission that are build output or other people's packages.

    What they contain and what is beside them decides, not their names alone: ``names`` are the
    paths of all files, also of those that are not read. Cost is linear in the names.
    """
    inside = _names_inside(names)
    compiled = {
        folder
        for folder, own in inside.items()
        if any(splitext(name)[1].lower() in _COMPILED for name in own)
    }
    in_place = _with_above(each for each in compiled if _is_in_place(inside[each]))
    compiled = _with_above(compiled)
    return frozenset(
        folder
        for folder, own in inside.items()
        if folder
        and not _has_one_of(own, _PROJECT)
        and (_has_one_of(own, _MARKS) or _is_output(folder, inside, compiled - in_place))
    )


def folder_among(name: str, folders: frozenset[str]) -> str:
    """Return the outermost of some folders that contains a path; empty if none does."""
    above = paths_to(name.rpartition("/")[0]) if folders else ()
    return next((each for each in above if each in folders), "")


def _names_inside(names: Iterable[str]) -> dict[str, set[str]]:
    """Return the names directly inside of each folder."""
    inside: dict[str, set[str]] = {}
    for name in names:
        path = "/".join(name.rstrip("/").split("/", DEEPEST_LOOKED_AT)[:DEEPEST_LOOKED_AT])
        while path:
            folder, _, own = path.rpartition("/")
            is_known = folder in inside
            inside.setdefault(folder, set()).add(own)
            path = "" if is_known else folder
    return inside


def _with_above(folders: Iterable[str]) -> set[str]:
    """Return each folder and the folders that contain it."""
    return {path for folder in folders for path in paths_to(folder)}


def _is_in_place(names: Iterable[str]) -> bool:
    """Return whether a compiled file is beside its source."""
    stems = defaultdict[bool, set[str]](set)
    for name in names:
        stem, suffix = splitext(name)
        suffix = suffix.lower()
        is_source = suffix not in _BESIDE_COMPILED and is_program(name)
        if (is_compiled := suffix in _COMPILED) or is_source:
            stems[is_compiled].add(stem)
    return not stems[True].isdisjoint(stems[False])


def _is_output(folder: str, inside: dict[str, set[str]], compiled: set[str]) -> bool:
    above, _, name = folder.rpartition("/")
    if folder in compiled and _is_one_of(name, _USUAL):
        return True
    return any(
        _is_one_of(name, build.folders)
        and (build.beside == "*" or _has_one_of(inside[above] - {name}, build.beside))
        and _has_one_of(inside[folder], build.inside)
        for build in _BUILDS
    )


def _has_one_of(names: Iterable[str], patterns: str) -> bool:
    return any(_is_one_of(name, patterns) for name in names)


def _is_one_of(name: str, patterns: str) -> bool:
    return _expression_of(patterns).match(name.lower()) is not None


@cache
def _expression_of(patterns: str) -> re.Pattern[str]:
    return re.compile("|".join(map(translate, patterns.split())))


# --- files ---------------------------------------------------------------------------------------

# What a file's first lines say and what the rest of it has then: a claim alone is easily copied.
_WRITERS: Final = (
    (r"scanner generated by flex", r"yy_ec\b|YY_END_OF_BUFFER|yy_buffer_state"),
    (
        r"a bison parser|made by gnu bison|yaccpar",
        r"yy(?:pact|table|check|tokentype|parse)|namespace yy\b",
    ),
    (r"generated from .+ by antlr|\$antlr", r"_?atn\b|antlr"),
    (r"generated by jflex", r"\bzz[A-Z_]|yylex"),
    (r"generated by cup\b", r"java_cup|\bclass sym\b"),
    (r"generated by:? ?(?:javacc|jjtree)", r"\bjj|\btoken|parseexception"),
    (r"meta object code from reading|resource object code", r"qt_|qmetaobject|qregisterresource"),
    (r"form (?:\w+ )?generated from reading ui", r"retranslateui|languagechange"),
    (r"(?:parse|lex)tab\.py", r"_tabversion"),
    (
        r"auto(?:matically |-?)generated file|generated_by_idea",
        r"class (?:r|buildconfig|manifest)\b|viewbinding",
    ),
    (r"by swig\b", r"swig_|_swig"),
    (r"generated by the (?:protocol buffer|grpc)|by grpc proto|protoc-gen", r"proto|grpc"),
    (r"source: \S+\.proto", r"protobuf"),
    (r"by thrift compiler", r"thrift"),
    (r"generated by re2c", r"yych|yycursor"),
    (r"produced by gperf", r"asso_values"),
    (r"generated by lemon|the lemon parser generator", r"yy_action|yyminortype|#define"),
    (r"generated by cython", r"__pyx_"),
    (r"by gnu autoconf|by automake|by autoheader|from config\.h\.in", r"\bac_|as_fn|am__|#undef"),
    (r"(?:architecture for xml binding|implementation of jaxb|by the jax-ws)", r"xml\.(?:bind|ws)"),
    (r"generated by dagger|@[\w.]*generated\(.{,20}dagger", r"dagger"),
    (r"@(?:[\w.]+\.)?generated\(\s*value = \"org\.mapstruct", r"class \w+impl\b"),
    (r"generated by django", r"migrations\.migration"),
    (r"by (?:jison|peg\.js|peggy)\b", r"peg\$|performaction"),
    (r"by (?:happy version|racc)\b|line 1 \".+\.x\"", r"happy|racc_|alex_"),
    (r"^# 1 \".+\.mll\"", r"__ocaml_lex"),
    (r"by rust-bindgen", r"extern \"c\""),
    (r"translated by f2c", r"f2c\.h"),
    (r"openapi generator|swagger code generator", r"openapi|swagger"),
    (r"webpackbootstrap", r"__webpack_require__"),
    (r"generated by the bnf converter", r"absyn|\b(?:abs|lex|par|print|skel)[a-z]"),
    (r"compiler generator coco/r", r"\b_eof\b|minerrdist"),
    (r"generated by sablecc", r"\banalysis\b|tokenindex|\bnode\b"),
    (r"autogenerated by avro", r"apache\.avro"),
    (r"generated nanopb", r"\bpb_"),
    (r"generated (?:by|with) wx(?:formbuilder|glade)", r"\bwx"),
    (r"generated from the current state of the database", r"activerecord::schema"),
    (r"generated for simulink model|matlab coder version", r"\brt[a-z_]|emlrt|_step\b"),
    (r"generated by glad\b", r"\bglad_?[a-z]"),
    (r"generated code requires the following version of menhirlib", r"_menhir|menhirbasics"),
    (r"auto-generated: \"lalrpop", r"__parse|lalrpop_util"),
    (r"generated automatically by nearley", r"parserrules"),
    (r"automatically generated by (?:lark|tatsu)\b", r"\blark|tatsu"),
    (r"line 1 \".+\.rl\"", r"_(?:actions|key_offsets|trans_keys|first_final)\b"),
)
# Files that tools write under names of their own.
_NAMED: Final = (
    ("gradlew gradlew.bat", r"gradle[-.\\/]wrapper|gradle start ?up script"),
    ("mvnw mvnw.cmd mavenwrapperdownloader.java", r"maven[-. ]wrapper|maven start ?up"),
    ("*.designer.cs *.designer.vb", r"required (?:designer|method for designer|by the win)"),
    ("activate activate.* activate_this.py", r"virtual_?env"),
    ("*.d", r"\A(?:[a-z]:)?[^:\n]*\.(?:d|lo|o|obj)\s*:[^;={}]*\Z"),
    ("*.ml", r"\bparsing\.peek_val __caml_parser_env"),
)
_CLAIMS: Final = (
    *("generated", "made by", "produced by", "translated by", "created by", "bison parser"),
    *("yaccpar", "$antlr", "object code", "tab.py", "by swig", "proto", "lemon", "autoconf"),
    *("automake", "# 1 ", "line 1 ", "webpackbootstrap", "swagger", "coco/r", "matlab coder"),
)
# Longest head, in characters, that is searched for marks of generated code.
_HEAD: Final = 4_000


def is_written_by_tool(name: str, text: str) -> bool:
    """Return whether a known tool wrote a file, by what it says and what it has."""
    own = name.rpartition("/")[2]
    for names, sign in _NAMED:
        if _is_one_of(own, names) and _sign(sign).search(text):
            return True
    head = text[:_HEAD].lower()
    # Cheap test first: few files have any of these words.
    if not any(claim in head for claim in _CLAIMS):
        return False
    return any(
        (said := _sign(claim).search(head))
        and (end := text.find("\n", said.end())) >= 0
        and _sign(sign).search(text, end)
        for claim, sign in _WRITERS
    )


@cache
def _sign(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.IGNORECASE)


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
        # Decided by the name alone; a file that contains text is still read.
        is_binary = splitext(part.lower())[1] in _BINARY and not is_first
        return Reason.NOT_TEXT if is_binary else None
    return Reason.BUILT if _is_one_of(part, _TOOLS_FOLDERS) else None


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
        naming = [each for each in patterns if not _OF_EXTENSION.fullmatch(each)]
        self._names = _compiled(naming) if naming else None
        self._is_read_else = not (patterns and patterns[0].startswith("!"))

    def reason(self, name: str) -> Reason | None:
        """Return why a path inside a submission is ignored; None if it is not."""
        found = None if self._spec is None else self._spec.check_file(name).include
        if found is None:
            return None if self._is_read_else else Reason.NOT_INCLUDED
        return Reason.EXCLUDED if found else None

    def is_asked_for(self, name: str) -> bool:
        """Return whether an inclusion decides, and fits a file's own name, not only a folder's."""
        index = None if self._spec is None else self._spec.check_file(name).index
        if index is None or not self._patterns[index].startswith("!"):
            return False
        own = self._patterns[index].lstrip("!").rpartition("/")[2]
        return bool(own.strip("*")) and fnmatchcase(name.rpartition("/")[2], own)

    def is_named(self, name: str) -> bool:
        """Return whether an inclusion names a path, and not only its extension or everything."""
        return self._names is not None and self._names.check_file(name).include is False


_OF_EXTENSION: Final = re.compile(r"!(?:\*\*/)?\*+(?:\.[\w+-]+)?")


def _compiled(patterns: Sequence[str]) -> "PathSpec[Pattern]":
    from pathspec import PathSpec  # noqa: PLC0415 - most runs have no patterns

    for each in patterns:
        try:
            PathSpec.from_lines("gitignore", [each])
        except ValueError as error:
            raise OptionError(
                "%(value)r matches nothing: give a pattern such as '*.txt'", each
            ) from error
    return PathSpec.from_lines("gitignore", patterns)


_HEAD_LINES: Final = 10
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
