"""Run by ``-m slow`` where ``MOSSLITE_REAL_FILES`` names the folder of ``tests.laws.packages``."""

import os
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest
from pygments.lexer import Lexer
from pygments.lexers import find_lexer_class_by_name, get_all_lexers

from mosslite.languages.alternations import by_alternations
from mosslite.languages.lexer_patches import patched
from tests.laws.files import FOLDER

pytestmark = [
    pytest.mark.slow,
    pytest.mark.timeout(1200),
    pytest.mark.skipif(FOLDER not in os.environ, reason=f"{FOLDER} names no folder of real files"),
]

# Larger examples repeat what others show.
_MOST_BYTES = 60_000
# Languages of which every lexer reads an example: what it makes nothing of, too, has to agree.
_FOREIGN = ("c", "html", "perl")


def test_every_lexer_makes_the_same_tokens_of_the_examples_of_pygments() -> None:
    examples = examples_of_pygments()
    assert len(examples) > 200
    foreign = [text[:3000] for language in _FOREIGN for text in examples[language][:1]]

    different = []
    for _, aliases, _, _ in get_all_lexers():
        if aliases:
            kind = patched(find_lexer_class_by_name(aliases[0]))
            own, faster = kind(), by_alternations(kind)()
            texts = [text for alias in aliases for text in examples.get(alias, [])]
            if any(tokens(own, each) != tokens(faster, each) for each in [*texts, *foreign]):
                different.append(aliases[0])

    assert different == []


def tokens(lexer: Lexer, text: str) -> object:
    """Return the tokens of a text, or how the lexer fails."""
    try:
        return [*lexer.get_tokens_unprocessed(text)]
    except Exception as error:  # noqa: BLE001  # whatever the lexer raises
        return repr(error)


def examples_of_pygments() -> Mapping[str, Sequence[str]]:
    """Return texts by an alias of their lexer."""
    found = dict[str, list[str]]()
    for folder in Path(os.environ[FOLDER], "pygments").rglob("examplefiles/*/"):
        files = [each for each in sorted(folder.rglob("*")) if each.suffix != ".output"]
        found[folder.name] = [
            each.read_text(encoding="utf-8", errors="replace")
            for each in files
            if each.is_file() and each.stat().st_size < _MOST_BYTES
        ]
    if not found:
        pytest.skip("the source of pygments was not downloaded")
    return found
