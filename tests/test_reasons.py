import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import mosslite
from mosslite.messages import PLACEHOLDER, as_json, from_json
from mosslite.reasons import MACHINE_MADE, WITH_PROGRAM, Reason, without_limit
from tests.catalogues import stored

ROOT = Path(mosslite.__file__).parent
# What makes a message or marks its template, and what looks into a text.
MAKERS = frozenset({"M_", "NM_", "N_", "NN_"})
PARSERS = frozenset({"startswith", "endswith", "removeprefix", "removesuffix", "partition", "find"})


@pytest.fixture(scope="module")
def trees() -> dict[str, ast.Module]:
    return {
        str(path.relative_to(ROOT)): ast.parse(path.read_bytes())
        for path in sorted(ROOT.rglob("*.py"))
    }


def sentences() -> frozenset[str]:
    """Return the messages of several words, in English."""
    return frozenset(
        form
        for message in stored("de")
        for form in ([message.id] if isinstance(message.id, str) else message.id)
        if re.search(r"\w \w", form)
    )


def constants_in(tree: ast.Module) -> set[str]:
    """Return the constants of a module that are messages or templates."""
    return {
        target.id
        for node in tree.body
        if isinstance(node, ast.Assign | ast.AnnAssign) and isinstance(node.value, ast.Call)
        for target in (node.targets if isinstance(node, ast.Assign) else [node.target])
        if isinstance(target, ast.Name)
        and isinstance(node.value.func, ast.Name)
        and node.value.func.id in MAKERS
    }


def comparisons(tree: ast.Module) -> Iterator[ast.expr]:
    """Yield what is compared by its value, or searched for in a text."""
    by_value = (ast.Eq, ast.NotEq, ast.In, ast.NotIn)
    for node in ast.walk(tree):
        if isinstance(node, ast.Compare) and isinstance(node.ops[0], by_value):
            yield from (node.left, *node.comparators)
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            if node.func.attr in PARSERS:
                yield from node.args
        elif isinstance(node, ast.MatchValue):
            yield node.value


def test_no_module_compares_sentences(trees: dict[str, ast.Module]) -> None:
    known = sentences()
    public = {each for tree in trees.values() for each in constants_in(tree) if each[0] != "_"}
    found = []
    for name, tree in trees.items():
        constants = constants_in(tree) | public
        for compared in comparisons(tree):
            for node in ast.walk(compared):
                is_name = isinstance(node, ast.Name) and node.id in constants
                if is_name or (isinstance(node, ast.Constant) and node.value in known):
                    found.append(f"{name}: {ast.unparse(compared)}")
    assert found == []


def test_only_the_table_of_reasons_looks_at_the_template_of_a_message(
    trees: dict[str, ast.Module],
) -> None:
    users = {
        name
        for name, tree in trees.items()
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and node.module == "mosslite.messages"
        if "id_of" in {each.name for each in node.names}
    }
    assert users == {"reasons.py"}


def test_every_reason_has_a_template_of_its_own() -> None:
    assert len({reason.value for reason in Reason}) == len(Reason.__members__)


def test_a_message_says_its_reason_also_when_it_is_read_from_a_result() -> None:
    for reason in Reason:
        template = reason.value if isinstance(reason.value, str) else reason.value[0]
        values = [3 for _ in dict.fromkeys(name for name, _ in PLACEHOLDER.findall(template))]
        message = reason.message(*values)

        assert Reason.of(message) is reason
        assert Reason.of(from_json(as_json(message), str(message))) is reason
        assert Reason.of(str(message)) is None


def test_a_limit_of_one_is_in_the_singular() -> None:
    assert Reason.TOO_LARGE.message(1) == "is larger than 1 byte"
    assert Reason.MEMBERS.message(1) == "contains more than 1 file"
    assert Reason.MEMBERS.message(2) == "contains more than 2 files"


def test_what_contains_a_program_has_a_reason_that_is_no_tools() -> None:
    assert {*WITH_PROGRAM.values()}.isdisjoint({*WITH_PROGRAM, *MACHINE_MADE})


def test_a_limit_is_shown_without_its_option_where_there_is_no_such_option() -> None:
    message = Reason.OVER_LIMIT.message(Reason.TOO_LARGE.message(9), "--max-file-size")

    assert message == "is larger than 9 bytes (--max-file-size)"
    assert without_limit(message) == "is larger than 9 bytes"
    assert without_limit("is binary") == "is binary"
