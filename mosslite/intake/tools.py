"""Files and folders that tools write: builds, environments, packages and generated code."""

import re
from collections import defaultdict
from collections.abc import Iterable
from fnmatch import translate
from functools import cache
from posixpath import splitext
from typing import Final, NamedTuple

from mosslite.intake.entries import paths_to
from mosslite.languages import is_program
from mosslite.options import DEEPEST_LOOKED_AT

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


def is_tools_folder(name: str) -> bool:
    """Return whether a folder has a name that only tools give."""
    return _is_one_of(name, _TOOLS_FOLDERS)


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
