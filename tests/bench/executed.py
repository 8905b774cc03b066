"""Changes real functions in Python and C, and compares what they do with what is read.

Those in Python are of its own library; those in C are of the samples, of the system's headers and
of real files, where the environment names a folder of them (see ``tests/laws/packages``).

``python -m tests.bench.executed [MUTANTS]`` prints how many there were of each language, how many
of them do something else than the original, how many read like another one, and each violation of
the law: two that do different things read alike only if names, literals, comments or layout differ.
"""

from __future__ import annotations

import ast
import importlib
import inspect
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import warnings
from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import combinations
from pathlib import Path
from random import Random
from typing import Final, NamedTuple

from mosslite.frontends import tokenize_all
from mosslite.languages import find_language
from tests.laws.files import FOLDER, real_files
from tests.mutants import (
    TOKENS_OF_C,
    Function,
    c_mutant,
    c_shape,
    functions_in,
    functions_of_c,
    python_shape,
    python_token_mutant,
)

Job = tuple[str, str, list[str]]

ROOT: Final = Path(__file__).resolve().parents[2]
MODULES: Final = (
    *("ast", "base64", "bisect", "calendar", "colorsys", "copy", "difflib", "fnmatch", "fractions"),
    *("functools", "glob", "heapq", "html", "ipaddress", "json.decoder", "json.encoder", "locale"),
    *("mimetypes", "ntpath", "operator", "posixpath", "pprint", "quopri", "random", "re._parser"),
    *("reprlib", "shlex", "statistics", "string", "textwrap", "timeit", "tokenize", "traceback"),
    *("urllib.parse", "email.utils", "email.quoprimime", "email._parseaddr", "http.cookies"),
    *("encodings.punycode", "encodings.idna", "plistlib", "stringprep", "datetime", "_pydecimal"),
)
# What is given to real functions; those that fail with nearly all of it are not taken.
VALUES: Final = (
    *("0", "1", "7", "-3", "2024", "0.25", "-1.5", "True", "None", "len", "'%H'", "'a'", "''"),
    *(
        "'/a/b/../c.tar.gz'",
        "'  one two\\n    three\\n\\n  four'",
        "'it\\'s <b>&amp;</b>%20?x=1#y'",
    ),
    *("[5, 3, 8, 1, 9, 2]", "[1, 2, 2, 5]", "['ab', 'c', 'ab']", "[1.5, 2.5, 4.0]", "[]"),
    *("[(1, 2), (3, 4)]", "{'a': 1, 'b': 2}", "(2024, 2, 29, 1, 2, 3, 0, 0, 0)", "b'a=b c'"),
    *("['/a/b', '/a/c']", "'*.t?t'", "'C:\\\\a\\\\b'"),
)
COMMANDS: Final = (
    "add mia 10.5 55:10\nadd ben 5 25:00\nadd mia 7.25 40:05\nlist\nlist km\nlist pace\nlist name\n"
    "who mia\nstats\ndel 2\nlist\nstats\nadd x\nfoo\n\ndel 9\nwho nobody\nlist foo\nquit\n"
)


class Mutant(NamedTuple):
    """A function, which one it comes from, and what it does."""

    origin: str
    text: str
    does: str


class Tally(NamedTuple):
    """What was found.

    Attributes:
        functions: Number of functions that were changed.
        mutants: Number of different mutants that were executed.
        changed: Those that do something else than the original.
        alike: Those that read like another of the same function, or like the original.
        free: Those of them that do something else, as names, literals, comments or layout differ.
        violations: Pairs that read alike and do different things, though more than that differs.
        twins: Pairs that read alike and do the same, though more than that differs.
    """

    functions: int
    mutants: int
    changed: int
    alike: int
    free: int
    violations: list[tuple[str, str]]
    twins: list[tuple[str, str]]

    def __str__(self) -> str:
        numbers = {name: getattr(self, name) for name in self._fields[:5]}
        lists = {"violations": len(self.violations), "twins": len(self.twins)}
        shown = [f"{one}\n--- reads like\n{other}" for one, other in self.violations]
        return "\n".join(
            [", ".join(f"{n} {name}" for name, n in (numbers | lists).items()), *shown]
        )


def tally(mutants: Sequence[Mutant], language: str) -> Tally:
    """Compare mutants, of which the first of each origin is the original, by their symbols."""
    shape_of = {"python": python_shape, "c": c_shape}[language]
    readings = tokenize_all([(each.text, find_language(language)) for each in mutants])
    originals: dict[str, str] = {}
    groups = defaultdict[tuple[str, bytes], list[Mutant]](list)
    for each, reading in zip(mutants, readings, strict=True):
        originals.setdefault(each.origin, each.does)
        groups[each.origin, reading.stream.codes.tobytes()].append(each)
    violations, twins = list[tuple[str, str]](), list[tuple[str, str]]()
    for group in groups.values():
        shapes = {str(shape_of(each.text)): each for each in group}
        for one, other in combinations(shapes.values(), 2):
            (twins if one.does == other.does else violations).append((one.text, other.text))
    return Tally(
        functions=len(originals),
        mutants=len(mutants) - len(originals),
        changed=sum(each.does != originals[each.origin] for each in mutants),
        alike=sum(len(group) for group in groups.values() if len(group) > 1),
        free=sum(len({each.does for each in group}) - 1 for group in groups.values()),
        violations=violations,
        twins=twins,
    )


# --- Python --------------------------------------------------------------------------------------

# What is around a program is left alone.
_OUTSIDE: Final = re.compile(r"\b(?:os|sys|time|socket)\.|\b(?:open|input|print|urlopen)\(|self")


def _chance(seed: str) -> Random:
    return Random(seed)  # noqa: S311 - mutants, not secrets


def mutants_of_python(count: int) -> list[Mutant]:
    """Return functions of Python's library and at least so many mutants of them, executed."""
    rng, jobs, origins = _chance("Python"), list[Job](), list[str]()
    originals = _callable_functions(rng, MODULES[:: max(1, 1_000 // count)])
    for module, name, text, calls in originals:
        texts = {text: None, ast.unparse(ast.parse(text)): None}
        for _ in range(10 * count // len(originals)):
            if len(texts) > count // len(originals) + 2:
                break
            mutant = python_token_mutant(text, rng)
            if python_shape(mutant) is not None:
                texts[mutant] = None
        jobs += [(module, each, calls) for each in texts]
        origins += [f"{module}.{name}"] * len(texts)
    return [
        Mutant(origin, text, "\n".join(does))
        for origin, (_, text, _), does in zip(origins, jobs, _outcomes(jobs), strict=True)
    ]


def _callable_functions(
    rng: Random, modules: Sequence[str]
) -> list[tuple[str, str, str, list[str]]]:
    """Return functions with calls that give results, of which some differ."""
    tried = [
        (module, name, text, calls)
        for module in modules
        for name, text, calls in _tries(module, rng)
    ]
    found = []
    outcomes = _outcomes([(module, text, calls) for module, _, text, calls in tried])
    for (module, name, text, calls), outcome in zip(tried, outcomes, strict=True):
        results = dict(zip(outcome, calls, strict=False))
        right = [call for result, call in results.items() if result.startswith("[")]
        if len(right) > 2:
            found.append((module, name, text, right[:8]))
    return found


def _tries(module: str, rng: Random) -> Iterator[tuple[str, str, list[str]]]:
    imported = importlib.import_module(module)
    for text in functions_in(Path(imported.__file__ or "").read_text("utf-8")):
        head = re.match(r"def (\w+)\(", text)
        if not head or not 200 < len(text) < 2_500 or _OUTSIDE.search(text):
            continue
        count = _arity(vars(imported).get(head[1]))
        if count is not None:
            some = [", ".join(rng.choices(VALUES, k=count)) for _ in range(40)]
            yield head[1], text, [f"(x := [{values}], {head[1]}(*x), x)" for values in some]


def _arity(function: object) -> int | None:
    try:
        parameters = inspect.signature(function).parameters.values()  # type: ignore[arg-type]
    except (TypeError, ValueError):
        return None
    needed = [p for p in parameters if p.default is p.empty and p.kind in (0, 1, 2)]
    return len(needed) if 1 <= len(needed) <= 3 else None


def _outcomes(jobs: Sequence[Job]) -> list[list[str]]:
    done = subprocess.run(
        [sys.executable, "-P", "-W", "ignore", str(Path(__file__).with_name("calls.py"))],
        input=json.dumps(jobs),
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "PYTHONHASHSEED": "0"},
    )
    found: list[list[str]] = json.loads(done.stdout)
    return found


# --- C -------------------------------------------------------------------------------------------

_HARNESS: Final = Path(__file__).with_name("executed.c")
_CALLS: Final = Path(__file__).with_name("called.c")
_LENGTHS: Final = range(120, 4_000)
_MOST_OF_A_FILE: Final = 10
_LEAST_RESULTS: Final = 5  # of 40 calls
_TRIES: Final = 150  # of changes to a function, of which about a fourth compile
_FLOATING: Final = re.compile(r"\b(?:float|double)\b")
_COMPILE: Final = (
    *("gcc", "-w", "-O0", "-fwrapv", "-ftrivial-auto-var-init=zero", "-fmax-errors=0"),
    *("-Werror=implicit-function-declaration", "program.c", "-o", "program", "-lm"),
    *("-ffunction-sections", "-Wl,--gc-sections"),  # what is not called may need what is not there
)
# What real files ask a configuration for.
_CONFIGURED: Final = ("-DHAVE_STDINT_H", "-DHAVE_POSIX_MEMALIGN")
# Mutants that do not compile, and those that name what there is not. From some messages on, the
# compiler takes what is right for a part of what was wrong before.
_BLAMED: Final = re.compile(
    r"^m(\d+):\d+:\d+: (?:fatal error|error|note: in expansion)|in function `\w+?_(\d+)'", re.M
)
_LOST: Final = re.compile("storage class|expected declaration specifiers before")


def has_compiler() -> bool:
    """Return whether a compiler of C is there that knows the options."""
    with tempfile.TemporaryDirectory() as folder:
        return bool(shutil.which("gcc")) and not _compiled(Path(folder), "int main() { return 0; }")


def mutants_of_c(count: int) -> list[Mutant]:
    """Return functions of the samples in C and about so many mutants of them, executed.

    All mutants of a program are compiled at once: its other functions call them through a table.
    """
    rng, found = _chance("C"), list[Mutant]()
    paths = [p for p in ROOT.glob("samples/c/submissions/*/*.c") if not [*p.parent.glob("*.h")]]
    paths = sorted(paths)[: max(1, count // 300)]
    for path in paths:
        text = re.sub(r"\bmain\b", "program", path.read_text("utf-8"))
        functions = list(functions_of_c(text))
        bodies = [
            (function, body)
            for function in functions
            for body in dict.fromkeys(
                c_mutant(text[function.body : function.stop], rng)
                for _ in range(6 * count // len(paths) // len(functions))
            )
            if _is_block(body)
        ]
        found += _executed(path.parent.name, text, functions, bodies)
    return found


def mutants_of_real_functions(count: int) -> list[Mutant]:
    """Return real functions in C and at least so many mutants of them, if there are, executed.

    A function is called in its file with values and buffers. It is left out if a parameter is a
    structure, if it needs what is not in its file, and if nearly all calls do the same.
    """
    rng, found = _chance("real C"), list[Mutant]()
    for program in _real_programs(rng):
        functions = [
            (function, calls)
            for function in functions_of_c(program.text)
            if function.stop - function.body in _LENGTHS
            and (calls := _calls_of(function, program.text))
        ]
        for function, calls in rng.sample(functions, min(_MOST_OF_A_FILE, len(functions))):
            if len(found) > count + count // 4:  # with the functions themselves
                return found
            found += _executed_mutants(program, function, calls, rng)
    return found


class _Program(NamedTuple):
    """A real file in C, and the folders of what it includes."""

    name: str
    text: str
    folders: Sequence[Path]


def _real_programs(rng: Random) -> Iterator[_Program]:
    """Yield those of the folder that the environment names, then those of the system."""
    root = Path(os.environ.get(FOLDER, ""))
    files = [*real_files("c", sys.maxsize)]
    rng.shuffle(files)
    for file in files:
        headers = (root / Path(file.name).parts[0]).rglob("*.h")
        folders = [(root / file.name).parent, *sorted({path.parent for path in headers})]
        yield _Program(file.name, re.sub(r"\bmain\b", "own_main", file.text), folders)
    for path in sorted(Path("/usr/include").rglob("*.h")):
        if "inline" in (text := path.read_text("latin-1")):
            yield _Program(str(path), text, [path.parent])


def _executed_mutants(
    program: _Program, function: Function, calls: str, rng: Random
) -> list[Mutant]:
    text = program.text + calls
    original = _executed(program.name, text, [function], [], program.folders)
    if not original or len(set(original[0].does.split())) < _LEAST_RESULTS:
        return []
    block = text[function.body : function.stop]
    bodies = dict.fromkeys(c_mutant(block, rng) for _ in range(_TRIES))
    valid = [(function, body) for body in bodies if _is_block(body)]
    return _executed(program.name, text, [function], valid, program.folders)


_COMMENT: Final = re.compile(r"/\*.*?\*/|//[^\n]*", re.DOTALL)
_HEAD: Final = re.compile(r"(.*?)\b(\w+)\s*\(([^()]+)\)\s*", re.DOTALL)


def _calls_of(function: Function, text: str) -> str:
    """Return code that calls a function; nothing if it takes no values."""
    head = _HEAD.fullmatch(_COMMENT.sub(" ", text[function.start : function.body]))
    if not head or head[3].strip() == "void" or "..." in head[3] or head[2] == "main":
        return ""
    values = [
        f"(void *) call_buffer({which})"
        if "*" in parameter or "[" in parameter
        else f"call_value(call, {which}){' / 4.0' * bool(_FLOATING.search(parameter))}"
        for which, parameter in enumerate(head[3].split(","))
    ]
    call = f"{head[2]}({', '.join(values)})"
    if "*" in head[1]:
        shown = f"add_pointer({call});"
    elif re.search(r"\bvoid\b", head[1]):
        shown = f"{call};"
    else:
        shown = f"__auto_type result = {call}; add_to_digest(&result, sizeof result);"
    return _CALLS.read_text("utf-8") + (
        "int program(int count, char **arguments)\n{\nstart_calls();\n"
        "for (volatile int call = 0; call < CALLS; call++) {\nfill_buffers(call);\n"
        f"if (sigsetjmp(before_call, 0) == 0) {{ {shown} }}\nwrite_digest(call);\n}}\n"
        "return syscall(SYS_exit, 0);\n}\n"
    )


def _is_block(text: str) -> bool:
    """Return whether a text is one block, whatever of it is compiled."""
    opened, conditions = list[str](), list[int]()
    for token in TOKENS_OF_C.finditer(text):
        kind, value = token.lastgroup, "".join(token[0].split())
        if kind == "directive" and value.startswith("#if"):
            conditions.append(len(opened))
        elif kind == "directive" and value in ("#else", "#elif", "#endif"):
            if conditions[-1:] != [len(opened)]:
                return False
            del conditions[len(conditions) - (value == "#endif") :]
        elif kind == "sign" and value in "([{":
            opened.append(value)
        elif kind == "sign" and value in ")]}":
            if not opened or opened.pop() + value not in ("()", "[]", "{}"):
                return False
        elif kind == "sign" and (value in "'\"" or text.startswith("/*", token.start())):
            return False
        if not opened and token.end() < len(text):
            return False
    return text.startswith("{") and not opened and not conditions


def _executed(
    origin: str,
    text: str,
    functions: Sequence[Function],
    bodies: list[tuple[Function, str]],
    folders: Sequence[Path] = (),
) -> list[Mutant]:
    """Return the functions of a program, and those mutants that compile; nothing if it does not."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "commands").write_text(COMMANDS, "utf-8")
        while told := _compiled(folder, _with_tables(text, functions, bodies), folders):
            blamed = _BLAMED.findall(_LOST.split(told)[0])
            wrong = {int(n) for each in blamed for n in each if n}
            if not wrong:
                return []
            bodies = [each for n, each in enumerate(bodies, 1) if n not in wrong]
        subprocess.run(["./program", str(len(bodies))], cwd=folder, check=True)
        does = [(folder / f"{n}").read_text("latin-1") for n in range(len(bodies) + 1)]
    originals = [(each, text[each.body : each.stop]) for each in functions]
    done = [does[0]] * len(functions) + does[1:]
    return [
        Mutant(f"{origin}.{each.name}", text[each.start : each.body] + body, did)
        for (each, body), did in zip(originals + bodies, done, strict=True)
    ]


def _compiled(folder: Path, text: str, folders: Sequence[Path] = ()) -> str:
    """Compile a program, and return what the compiler told; nothing if there is one."""
    (folder / "program.c").write_text(text, "utf-8")
    command = [*_COMPILE, *_CONFIGURED, *(f"-idirafter{each}" for each in folders)]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    return done.stderr if done.returncode else ""


def _with_tables(
    text: str, functions: Sequence[Function], bodies: Sequence[tuple[Function, str]]
) -> str:
    """Return a program whose functions call that of a number in ``mutant_number`` if it has one."""
    whole, done, entries = "static int mutant_number;\n", 0, ""
    for each in functions:
        name, head = each.name, text[each.start : each.body]
        called = re.compile(rf"\b{name}\b(?=\s*\()")
        table = f"{head};\nstatic __typeof__({name}) *{name}_table[{len(bodies) + 1}]"
        switch = f"#define {name}(...) {name}_table[mutant_number](__VA_ARGS__)\n"
        whole += text[done : each.start]
        declared = re.search(rf"^[A-Za-z_][\w \t*]*\b{name}\s*\([^;{{}}()]*\)\s*;", whole, re.M)
        at = declared.end() if declared else len(whole)
        whole = f"{whole[:at]}\n{table};\n{switch if declared else ''}{whole[at:]}"
        whole += f"\n#undef {name}\n{text[each.start : each.stop]}\n{switch}"
        entries += f"all = (void **) {name}_table;\n"
        entries += f"for (int i = 0; i <= {len(bodies)}; i++) all[i] = (void *) ({name});\n"
        for number, (function, body) in enumerate(bodies, 1):
            if function == each:
                own = called.sub(f"{name}_{number}", head, count=1) + body
                whole += f'#line 1 "m{number}"\n{own}\n#undef A\n#undef B\n#pragma pack()\n'
                entries += f"all[{number}] = (void *) {name}_{number};\n"
        whole += '#line 1 "program"\n'
        done = each.stop
    fill = f"\nstatic void fill_tables(void)\n{{\nvoid **all;\n{entries}}}\n"
    return whole + text[done:] + fill + _HARNESS.read_text("utf-8")


def main(arguments: Sequence[str]) -> None:
    """Print what was found."""
    warnings.simplefilter("ignore")  # of what is wrong in mutants
    count = int(arguments[0]) if arguments else 5_000
    print("Python:", tally(mutants_of_python(count), "python"))
    if has_compiler():
        print("C:", tally(mutants_of_c(count), "c"))
        print("C, real functions:", tally(mutants_of_real_functions(count), "c"))


if __name__ == "__main__":
    main(sys.argv[1:])
