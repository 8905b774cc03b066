"""Real files by language, found at run time: nothing of them is kept in this project."""

import hashlib
import os
import re
import sysconfig
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Final, NamedTuple

FOLDER: Final = "MOSSLITE_REAL_FILES"
"""The environment variable that names the folder of ``packages``."""

# Of larger files a law takes its time.
_SIZES: Final = range(1_500, 20_000)

# Files of fewer lines but comments and inclusions are often there to include another.
_LEAST_LINES: Final = 15
_LINE: Final = re.compile(
    r"^[ \t]*(?![#%] *(?:if|el|endif|include)|//|/?\*|;|--|# |\s)", re.MULTILINE
)


class _Source(NamedTuple):
    """Where files of a language are.

    Attributes:
        pattern: Below the folder of downloaded packages, or that of the interpreter's libraries.
        suffix: What its files are called here, whatever they are called there.
        is_installed: The latter.
    """

    pattern: str
    suffix: str
    is_installed: bool = False


LANGUAGES: Final[Mapping[str, tuple[_Source, ...]]] = {
    "bash": (
        _Source("bash-completion/usr/share/bash-completion/completions/*", ".sh"),
        _Source("pygments/**/examplefiles/bash/*.sh", ".sh"),
    ),
    "c": (_Source("pycryptodome/**/*.c", ".c"),),
    "common-lisp": (_Source("cl-ironclad/**/*.lisp", ".lisp"),),
    "cpp": (_Source("jpype1/**/*.cpp", ".cpp"), _Source("jpype1/**/*.h", ".h")),
    "csharp": (_Source("pythonnet/**/*.cs", ".cs"),),
    "gas": (_Source("isal/**/*.S", ".s"),),
    "go": (_Source("golang-golang-x-crypto-dev/**/*.go", ".go"),),
    "java": (_Source("jpype1/**/*.java", ".java"),),
    "javascript": (_Source("eslint/**/*.js", ".js"),),
    "lua": (
        _Source("lua-penlight/**/*.lua", ".lua"),
        _Source("pygments/**/examplefiles/lua/*.lua", ".lua"),
    ),
    "nasm": (_Source("isal/**/*.asm", ".asm"),),
    "perl": (_Source("libmojolicious-perl/**/*.pm", ".pm"),),
    "php": (_Source("php-symfony-console/**/*.php", ".php"),),
    "python": (_Source("**/*.py", ".py", is_installed=True),),
    "ruby": (_Source("ruby-rouge/**/*.rb", ".rb"),),
    "rust": (_Source("maturin/**/*.rs", ".rs"),),
    "scheme": (_Source("slib/**/*.scm", ".scm"),),
    "typescript": (_Source("rxjs/**/src/**/*.ts", ".ts"),),
}


class RealFile(NamedTuple):
    """A file of a package.

    Attributes:
        name: Its path below the folder that it was found in.
        text: With a line feed for each line end.
        suffix: That of its language.
    """

    name: str
    text: str
    suffix: str


@cache
def real_files(language: str, most: int) -> tuple[RealFile, ...]:
    """Return as many different files of a language, the same ones in every run."""
    found = {_digest(each.text): each for each in _found(language)}
    return tuple(found[key] for key in sorted(found)[:most])


def _found(language: str) -> Iterator[RealFile]:
    for source in LANGUAGES[language]:
        root = _root(source)
        if root is None:
            continue
        for path in sorted(root.glob(source.pattern)):
            is_other = "site-packages" in path.parts and source.is_installed
            if not is_other and path.is_file() and path.stat().st_size in _SIZES:
                try:
                    text = path.read_text(encoding="utf-8")
                except ValueError:
                    continue  # its encoding is not what a law is about
                if len(_LINE.findall(text)) >= _LEAST_LINES:
                    yield RealFile(path.relative_to(root).as_posix(), text, source.suffix)


def _root(source: _Source) -> Path | None:
    if source.is_installed:
        return Path(sysconfig.get_path("stdlib"))
    return Path(os.environ[FOLDER]) if os.environ.get(FOLDER) else None


def _digest(text: str) -> str:
    return hashlib.blake2b(text.encode(), digest_size=8).hexdigest()
