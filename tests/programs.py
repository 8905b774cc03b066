"""Small programs and texts that share nothing with each other, for the tests of whole runs."""

from pathlib import Path
from random import Random

from tests.tables import texts_of

TEXTS = texts_of("programs")
QUEUE = TEXTS["QUEUE"]

# Other names, numbers, strings and comments, other blank lines: nothing a copier cannot do.
QUEUE_RENAMED = TEXTS["QUEUE_RENAMED"]

PRIMES = TEXTS["PRIMES"]

WORDS = TEXTS["WORDS"]

# The last two functions, to be filled in, are shorter than the noise threshold.
TEMPLATE = TEXTS["TEMPLATE"]

JAVA = TEXTS["JAVA"]


def write_files(folder: Path, files: dict[str, str]) -> None:
    """Write files by their paths with forward slashes, and the folders they are in."""
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8", newline="")


def program(seed: int, *, functions: int = 6) -> str:
    """Write a program in Python that shares no passage of note with that of another seed."""
    random = Random(seed)  # noqa: S311 - no secret
    return "\n\n".join(_function(random, f"part_{seed}_{n}") for n in range(functions))


def _function(random: Random, name: str) -> str:
    lines, indent = [f"def {name}(first, second):"], 1
    for _ in range(10):
        kind = random.choice(["if", "for", "while", "store", "store", "call", "call"])
        test = f"{_value(random)} {random.choice(['<', '==', '>', '!=', 'in', 'is'])} first"
        heads = {"if": f"if {test}:", "for": f"for second in {_value(random)}:"}
        heads["while"] = f"while {test} and {_value(random)}:"
        if kind in heads and indent < 4:
            lines.append(f"{'    ' * indent}{heads[kind]}")
            indent += 1
        value = _value(random)
        store = random.choice(["=", "+=", "-=", "*="])
        text = f"first {store} {value}" if kind == "store" else f"print({value}, second)"
        lines.append(f"{'    ' * indent}{text}")
        indent = max(indent - random.choice([0, 1, 1]), 1)
    return "\n".join([*lines, "    return first", ""])


def _value(random: Random) -> str:
    parts = [
        *("first", "second", "first[second]", "len(second)", "[first, 1]", "(not second)"),
        *('"word"', "{first: 2}", "(first, second)", "second.last", "max(first, 3)", "-second"),
    ]
    signs = [" + ", " * ", " - ", " // ", " or ", " and ", " % "]
    chosen = [random.choice(parts) for _ in range(random.randint(1, 4))]
    return "".join(part + random.choice(signs) for part in chosen[:-1]) + chosen[-1]
