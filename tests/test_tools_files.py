"""What tools write is left out by what it contains, and nobody loses a folder by its name."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from mosslite.intake import collect
from mosslite.intake.ignoring import built_folders, made_by_machine
from mosslite.options import Intake
from mosslite.reasons import Reason
from mosslite.records import Inputs
from tests.archives import tar_of, zip_of
from tests.conftest import Run
from tests.programs import PRIMES, QUEUE, WORDS, write_files

# --- folders ---------------------------------------------------------------------------------

OUTPUT = {
    "maven": "pom.xml src/A.java target/classes/A.class target/generated-sources/B.java",
    "maven without classes": "pom.xml src/A.java target/generated-sources/B.java",
    "module of maven": "m/pom.xml m/src/A.java m/target/classes/A.class m/target/gen/B.java",
    "gradle": "build.gradle src/A.java build/tmp/x.txt build/generated/R.java",
    "ant": "build.xml src/A.java build/classes/A.class build/x/B.java",
    "javac": "src/A.java bin/a/A.class bin/a/B.java",
    "idea": "x.iml src/A.java out/production/x/A.class out/production/x/B.java",
    "cargo": "Cargo.toml src/main.rs target/debug/build/x/out/b.rs",
    "cmake": "CMakeLists.txt main.cpp out/CMakeCache.txt out/CMakeFiles/3.2/B.c out/_deps/b.cpp",
    "clion": "CMakeLists.txt main.cpp cmake-build-debug/CMakeFiles/3.2/CMakeCCompilerId.c",
    "make": "main.c obj/main.o obj/b.c",
    "qt": "a.pro main.cpp build-a-Desktop-Debug/Makefile build-a-Desktop-Debug/moc_b.cpp",
    ".net": "a.csproj P.cs obj/Debug/net6.0/a.AssemblyInfo.cs",
    "visual studio": "a.vcxproj m.cpp Debug/m.obj Debug/b.c",
    "npm": "package.json a.js node_modules/x/b.js",
    "webpack": "package.json a.js dist/main.js dist/index.html",
    "create react app": "package.json a.js build/asset-manifest.json build/static/js/b.js "
    "build/static/js/main.0a1b2c3d.js.map",
    "typescript": "tsconfig.json a.ts out/b.js out/b.d.ts",
    "environment": "a.py myenv/pyvenv.cfg myenv/bin/b.py myenv/lib/python3/site-packages/x.py",
    "packages": "a.py lib/python3/site-packages/b.py",
    "setuptools": "setup.py a.py build/lib/b.py",
    "go": "go.mod a.go vendor/modules.txt vendor/x/b.go",
    "composer": "composer.json a.php vendor/autoload.php vendor/x/b.php",
    "bundler": "Gemfile a.rb vendor/bundle/ruby/b.rb",
    "cocoapods": "Podfile a.swift Pods/x/b.swift",
    "xcode": "a.swift DerivedData/b.swift",
    "dune": "dune-project a.ml _build/default/b.ml",
    "mix": "mix.exs lib/a.ex deps/x/b.ex",
    "cabal": "x.cabal a.hs dist-newstyle/b.hs",
    "sbt": "build.sbt a.scala target/scala-3/b.scala",
    "flutter": "pubspec.yaml a.dart build/app/b.dart",
    "unity": "ProjectSettings/x.asset Assets/a.cs Library/PackageCache/b.cs",
    "sphinx": "a.py docs/_build/html/b.js",
    "asp.net": "a.cs wwwroot/js/site.js wwwroot/css/s.css wwwroot/lib/jquery/dist/b.js",
    "automoc": "a.cpp app_autogen/x/b.cpp",
    "doxygen": "a.c docs/html/doxygen.css docs/html/b.js",
    "javadoc": "A.java doc/element-list doc/b.js",
    "coverage": "a.py htmlcov/b.js",
    "lcov": "a.js coverage/lcov-report/b.js",
    "elm": "elm.json a.elm elm-stuff/b.js",
    "cubeide": "src/a.c Debug/a.o Debug/a.d Debug/b.c Debug/makefile",
    "cuda": "a.cu build/a.o build/a.ptx build/a.ii build/b.cpp",
    "next": "package.json pages/a.js out/_next/static/b.js",
    "angular": "angular.json package.json src/a.ts dist/app/b.js",
    "meson": "meson.build a.c builddir/meson-info/x.json builddir/x/b.c",
    "wheel": "a.py lib/x-1.0.dist-info/RECORD lib/x/b.py",
    "egg": "a.py x.egg/EGG-INFO/PKG-INFO x.egg/x/b.py",
    "conda": "a.py env/conda-meta/history env/lib/python3.9/b.py",
    "mocha": "a.js coverage/block-navigation.js coverage/b.js",
    "vivado": "p/p.xpr p/p.srcs/a.v p/p.gen/sources_1/ip/b.v p/p.sim/sim_1/b.v",
    "quartus": "a.v a.qpf db/b.v",
    "questa": "a.v work/_lib.qdb work/b.v",
    "nim": "a.nim nimcache/b.c",
    "simulink": "a.m slprj/ert/b.c",
}
WORK = {
    "a student's package": "src/main/java/game/target/A.java src/main/java/game/build/B.java",
    "a package of a maven project": "pom.xml src/main/java/target/A.java target/classes/A.class",
    "a package of a gradle project": "build.gradle src/main/java/build/main/A.java",
    "compiled in place": "src/target/A.java src/target/A.class bin/B.java bin/B.class",
    "a folder of work": "build/main.py bin/tool.py target/a.py vendor/own.py dist/b.js out/c.c",
    "a project called build": "build/src/A.java build/out/A.class",
    "a package that was installed": "pyproject.toml x/a.py x.egg-info/PKG-INFO",
    "scripts beside a jar": "bin/run.sh bin/app.jar",
    "scripts of a page": "package.json server.js public/jquery.min.js public/app.js lib/own.js",
    "built in the source folder": "CMakeCache.txt CMakeLists.txt main.c",
    "d, compiled in place": "src/a.d src/a.o bin/a.c bin/a.o bin/a.d",
    "only in a build folder": "pom.xml target/classes/A.class target/A.java",
}


def handed_in_as_folder(files: dict[str, bytes]) -> Inputs:
    for name, content in files.items():
        Path("hw", name).parent.mkdir(parents=True, exist_ok=True)
        Path("hw", name).write_bytes(content)
    return Inputs(("hw",))


def handed_in_one_by_one(files: dict[str, bytes]) -> Inputs:
    handed_in_as_folder(files)
    return Inputs(("hw/ann", "hw/bob"))


def handed_in_as_zip(files: dict[str, bytes]) -> Inputs:
    Path("hw.zip").write_bytes(zip_of(files))
    return Inputs(("hw.zip",))


def handed_in_as_tar(files: dict[str, bytes]) -> Inputs:
    Path("hw.tar.gz").write_bytes(tar_of(files, "w:gz"))
    return Inputs(("hw.tar.gz",))


def handed_in_as_zips(files: dict[str, bytes]) -> Inputs:
    for student in ("ann", "bob"):
        own = {n.removeprefix(f"{student}/"): c for n, c in files.items() if n.startswith(student)}
        Path("hw").mkdir(exist_ok=True)
        Path("hw", f"{student}.zip").write_bytes(zip_of(own))
    return Inputs(("hw",))


ROUTES = (
    handed_in_as_folder,
    handed_in_one_by_one,
    handed_in_as_zip,
    handed_in_as_tar,
    handed_in_as_zips,
)


def programs_compared(
    route: Callable[[dict[str, bytes]], Inputs], names: str
) -> tuple[set[str], set[str]]:
    """Return ann's programs that are compared, and why others are ignored."""
    files = {f"ann/{name}": f"x = '{name}';\n".encode() for name in names.split()}
    batch = collect(route(files | {"bob/main.py": b"print(1)\n"}))
    (ann,) = (each for each in batch.submissions if "ann" in each.name)
    suffixes = (".json", ".xml", ".txt", ".gradle", ".map")
    compared = {file.name for file in ann.files if not file.name.endswith(suffixes)}
    return compared & set(names.split()), {each.reason for each in batch.ignored}


@pytest.mark.parametrize("route", ROUTES)
def test_build_output_is_ignored_whichever_way_it_is_handed_in(
    route: Callable[[dict[str, bytes]], Inputs], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for tool, names in OUTPUT.items():
        (tmp_path / tool).mkdir()
        monkeypatch.chdir(tmp_path / tool)
        compared, reasons = programs_compared(route, names)
        assert not {each for each in compared if Path(each).stem.lower() == "b"}, tool
        assert {each for each in compared if Path(each).stem.lower() in {"a", "main", "m", "p"}}
        assert Reason.BUILT.value in reasons or any("generated" in each for each in reasons), tool


@pytest.mark.parametrize("route", ROUTES)
@pytest.mark.parametrize("names", WORK.values(), ids=WORK.keys())
def test_work_is_compared_whatever_its_folder_is_called(
    route: Callable[[dict[str, bytes]], Inputs],
    names: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    compared, _ = programs_compared(route, names)
    suffixes = (".java", ".py", ".js", ".c", ".sh")
    wanted = {each for each in names.split() if each.endswith(suffixes) and ".min." not in each}
    assert compared >= {each for each in wanted if not each.startswith("target/classes")}


@pytest.mark.parametrize("name", ["build", "target", "vendor", "bin", "dist", "out"])
@pytest.mark.parametrize("route", [handed_in_as_folder, handed_in_as_zip, handed_in_as_tar])
def test_a_student_may_be_called_like_a_build_folder(
    route: Callable[[dict[str, bytes]], Inputs],
    name: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    files = {f"{name}/A.java": b"class A {}\n", f"{name}/A.class": b"\0", "pom.xml": b"<x/>\n"}
    batch = collect(route(files | {"bob/B.java": b"class B {}\n"}))
    assert name in {each.name for each in batch.submissions}


def test_a_build_folder_is_one_entry_and_the_warning_counts_the_submissions(
    run: Run, tmp_path: Path
) -> None:
    for student, program in (("ann", QUEUE), ("bob", PRIMES), ("cid", WORDS)):
        write_files(tmp_path / "hw" / student, {"main.py": program, "e/pyvenv.cfg": "home = /\n"})
        write_files(tmp_path / "hw" / student / "e", {"bin/a.py": QUEUE, "bin/b.py": PRIMES})

    outcome = run("hw", "--json", "-", "--no-html")

    found = json.loads(outcome.out)
    assert found["pairs"] == []
    assert [each["path"] for each in found["ignored"]] == ["hw/ann/e/", "hw/bob/e/", "hw/cid/e/"]
    built = Reason.BUILT.value
    told = f"not compared in 3 submissions, as it {built} (--no-ignore includes it): hw/ann/e/"
    assert f"warning: {told}" in outcome.err


def test_work_that_is_all_in_a_build_folder_is_compared_and_named(run: Run, tmp_path: Path) -> None:
    write_files(tmp_path / "hw", {"ann/main.py": QUEUE, "bob/setup.cfg": "[x]\n"})
    write_files(tmp_path / "hw", {"bob/build/lib/main.py": QUEUE, "bob/readme.md": "about\n"})

    outcome = run("hw", "--json", "-", "--no-html")

    assert json.loads(outcome.out)["pairs"][0]["similarity"] == 1
    told = f"although it {Reason.BUILT.value}, as it is most of the work: bob/build/lib/main.py"
    assert told in outcome.err


@pytest.mark.parametrize("depth", [60, 2_000])
def test_very_deep_folders_cost_little(depth: int) -> None:
    names = [f"{'build/' * depth}{number}.java" for number in range(2_000)]
    assert built_folders(names) == frozenset()


# --- files -----------------------------------------------------------------------------------

WRITTEN = {
    "lex.yy.c": '\n#line 3 "lex.yy.c"\n/* A lexical scanner generated by flex */\n'
    "static const flex_int16_t yy_ec[256];\n",
    "parser.tab.c": "/* A Bison parser, made by GNU Bison 3.8.2.  */\nstatic int yytable[];",
    "ExprParser.java": "// Generated from Expr.g4 by ANTLR 4.9.2\nimport org.antlr.v4.runtime.*;\n",
    "ExprLexer.py": "# Generated from Expr.g4 by ANTLR 4.9\nfrom antlr4 import *\n",
    "Yylex.java": "// DO NOT EDIT\n// Generated by JFlex 1.8.2\nint ZZ_BUFFERSIZE;",
    "sym.java": "// The following code was generated by CUP v0.11b\npublic class sym {}",
    "Parser.java": "/* Parser.java */\n/* Generated By:JavaCC: Do not edit this line. */\njj_ntk()",
    "moc_a.cpp": "/***\n** Meta object code from reading C++ file 'a.h'\n*/\nqt_meta_data",
    "ui_a.h": "/***\n** Form generated from reading UI file 'a.ui'\n*/\nvoid retranslateUi();",
    "qrc_a.cpp": "/***\n** Resource object code\n**/\nqt_resource_data",
    "ui_main.py": "# Form implementation generated from reading ui file 'a.ui'\n"
    "def retranslateUi(self): pass\n",
    "Form1.Designer.cs": "partial class Form1 {\n /// Required designer variable.\n}",
    "parsetab.py": "\n# parsetab.py\n# This file is automatically generated. Do not edit.\n"
    "_tabversion = '3.10'\n",
    "R.java": "/* AUTO-GENERATED FILE.  DO NOT MODIFY. */\npublic final class R {}",
    "BuildConfig.java": "/**\n * Automatically generated file. DO NOT MODIFY\n */\n"
    "public final class BuildConfig {}",
    "x_wrap.c": "/* ---\n * This file was automatically generated by SWIG.\n */\nSWIG_Init",
    "a_pb2.py": "# Generated by the protocol buffer compiler.  DO NOT EDIT!\nprotobuf",
    "a.pb.go": "// Code generated by protoc-gen-go. DO NOT EDIT.\nprotoimpl",
    "a_pb2_grpc.py": "# Generated by the gRPC Python protocol compiler plugin.\ngrpc.x",
    "ttypes.py": "#\n# Autogenerated by Thrift Compiler (0.13.0)\n#\nfrom thrift import x",
    "scan.c": "/* Generated by re2c 1.0.1 */\nyych = *YYCURSOR;",
    "words.c": "/* C code produced by gperf version 3.1 */\nasso_values[]",
    "parse.c": "/* This file is automatically generated by Lemon from parse.y */\nyy_action",
    "fast.c": "/* Generated by Cython 0.29.21 */\n__pyx_k",
    "ltmain.sh": "#!/bin/sh\n# Generated by GNU Autoconf 2.69.\nas_fn_exit () {}",
    "Person.java": "//\n// This file was generated by the Eclipse Implementation of JAXB\n"
    "import javax.xml.bind.annotation.X;",
    "AMapperImpl.java": '@Generated(\n value = "org.mapstruct.ap.X")\nclass AMapperImpl',
    "0001_initial.py": "# Generated by Django 3.2\nclass Migration(migrations.Migration): pass",
    "location.hh": "// A Bison parser, made by GNU Bison 3.5.1.\n// Locations\nnamespace yy {}",
    "form1.h": "/*\n** Form interface generated from reading ui file 'a.ui'\n*/\n"
    "virtual void languageChange();",
    "R2.java": "/*___Generated_by_IDEA___*/\npublic final class R {}",
    "AbsCalc.hs": "-- File generated by the BNF Converter (bnfc 2.9.4.1).\nmodule AbsCalc where",
    "Scanner.cs": "/*\nCompiler Generator Coco/R,\n*/\nconst int minErrDist = 2;",
    "Node.java": "/* This file was generated by SableCC (http://www.sablecc.org/). */\n"
    "import calc.analysis.*;",
    "User.java": "/**\n * Autogenerated by Avro\n */\norg.apache.avro.specific",
    "m.pb.h": "/* Automatically generated nanopb header */\n#include <pb.h>\npb_byte_t x;",
    "gui.py": "## Python code generated with wxFormBuilder (version 3.10.1)\nimport wx",
    "glade.py": "# generated by wxGlade 1.0.4 on Mon May 2\nimport wx",
    "schema.rb": "# This file is auto-generated from the current state of the database. Instead\n"
    "ActiveRecord::Schema.define do",
    "model.c": "/*\n * Code generated for Simulink model 'm'.\n */\nvoid m_step(void);",
    "glad.c": "/*\n    OpenGL loader generated by glad 0.1.33 on Sat\n*/\nint gladLoadGL(void);",
    "grammar.ml": "(* This generated code requires the following version of MenhirLib: *)\n"
    "module MenhirBasics = struct",
    "calc.rs": '// auto-generated: "lalrpop 0.19.8"\nmod __parse__Expr {}',
    "calc.js": "// Generated automatically by nearley, version 2.20.1\nParserRules: []",
    "lark.py": "# The file was automatically generated by Lark v1.1.2\nclass LarkError: pass",
    "scan2.c": '#line 1 "scan.rl"\nstatic const char _scan_actions[] = {0};',
    "parser.ml": "open Parsing;;\nlet _1 = (Parsing.peek_val __caml_parser_env 0 : int)",
    "main.d": "Debug/src/main.o src/main.d: ../src/main.c \\\n ../src/util.h\n",
    "gradlew.bat": "@rem  Gradle startup script for Windows\n",
    "gradlew": "exec java -classpath gradle/wrapper/gradle-wrapper.jar\n",
    "mvnw.cmd": "@REM Maven Start Up Batch script\n",
}
CLAIMED = {
    "a.py": "# @generated\n",
    "a.go": "// Code generated by mytool. DO NOT EDIT.\n",
    "a.java": "@lombok.Generated\nclass A {}",
    "a.cs": "// <auto-generated>\n",
}
OWN = {
    "gradlew.bat": "@echo off\n",
    "Form1.Designer.cs": "class Form1 {}\n",
    "a.c": "/* A scanner like those generated by flex, but mine */\nint main;",
    "a.d": "// main.o: mine, as main.d: is\nvoid main() { run(1); }\n",
    "a.py": "# made by me, not by Bison\nprint('do not edit')\n",
    "list.py": "# the list is generated by main\n# do not edit\n",
}


@pytest.mark.parametrize(("name", "text"), WRITTEN.items(), ids=WRITTEN.keys())
def test_what_a_known_tool_wrote_is_told_by_its_first_lines_and_its_content(
    name: str, text: str
) -> None:
    assert made_by_machine(f"src/{name}", text) is Reason.GENERATED


@pytest.mark.parametrize(("name", "text"), CLAIMED.items(), ids=CLAIMED.keys())
def test_a_mark_alone_is_a_claim(name: str, text: str) -> None:
    assert made_by_machine(name, text) is Reason.MARKED_GENERATED


@pytest.mark.parametrize(("name", "text"), OWN.items(), ids=OWN.keys())
def test_a_program_that_speaks_of_tools_is_work(name: str, text: str) -> None:
    assert made_by_machine(name, text) is None


@pytest.mark.parametrize(("name", "text"), WRITTEN.items(), ids=WRITTEN.keys())
def test_first_lines_of_a_tool_alone_do_not_show_that_it_wrote_the_rest(
    name: str, text: str
) -> None:
    head = text[: text.rfind("\n", 0, -1) + 1] if "Designer" not in name else "// nothing"
    is_by_name = name in {"gradlew", "gradlew.bat", "mvnw.cmd"}
    reason = made_by_machine(f"src/{name}", f"{head}{QUEUE}")
    assert is_by_name or reason is not Reason.GENERATED


@pytest.mark.parametrize("mark", CLAIMED.values(), ids=CLAIMED.keys())
def test_a_mark_does_not_hide_most_of_a_submission(run: Run, tmp_path: Path, mark: str) -> None:
    write_files(tmp_path / "hw", {"ann/main.py": QUEUE, "cid/main.py": PRIMES})
    copy = f"# {mark.splitlines()[0]}\n{QUEUE}"
    write_files(tmp_path / "hw", {"bob/core.py": copy, "bob/main.py": "import core\n"})

    outcome = run("hw", "--json", "-", "--no-html")

    assert json.loads(outcome.out)["pairs"][0]["score"] > 0.9
    told = "is generated code, as its first lines say, as it is most of the work: bob/core.py"
    assert f"warning: compared, although it {told}" in outcome.err


def test_a_few_marked_files_beside_a_program_are_left_out_and_counted(
    run: Run, tmp_path: Path
) -> None:
    for student, program in (("ann", QUEUE), ("bob", PRIMES)):
        generated = f"# @generated\n{WORDS[:120]}"
        write_files(tmp_path / "hw" / student, {"main.py": program, "gen.py": generated})

    outcome = run("hw", "--json", "-", "--no-html")

    assert json.loads(outcome.out)["pairs"] == []
    assert "warning: not compared in 2 submissions, as it is generated code" in outcome.err


def test_what_a_person_names_is_compared(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    lexer = WRITTEN["lex.yy.c"]
    files = {"ann/main.c": "int main;\n", "ann/lex.yy.c": lexer, "ann/out/b.c": "int b;\n"}
    write_files(tmp_path / "hw", files | {"ann/out/main.o": "x", "bob/main.c": "int bob;\n"})

    def compared(*patterns: str) -> set[str]:
        batch = collect(Inputs(("hw",)), intake=Intake(patterns=patterns))
        return {file.name for each in batch.submissions for file in each.files} - {"out/main.o"}

    assert compared() == compared("!*.c") == {"main.c"}
    assert compared("*.py", "!lex.yy.c") == {"main.c", "lex.yy.c"}
    assert compared("*.py", "!out/*.c") == {"main.c", "out/b.c"}
    write_files(tmp_path / "hw", {"bob/.own.c": "int own;\n"})
    for patterns in (("!.own.c", "!*.c"), ("!*.c", "!.own.c")):
        assert compared(*patterns) == compared("*.py", *patterns) == {"main.c", ".own.c"}
    assert compared("!.own.c", "*.c") == set()
    given = collect(Inputs(("hw/ann/lex.yy.c", "hw/ann/out/b.c", "hw/bob/.own.c")))
    assert len(given.submissions) == 3


def test_generated_programs_beside_prose_alone_are_compared(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    write_files(tmp_path / "hw", {"ann/a.c": WRITTEN["parser.tab.c"], "ann/README.md": "about\n"})
    (ann,) = collect(Inputs(("hw",))).submissions
    assert "a.c" in {file.name for file in ann.files}
