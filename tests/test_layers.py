import ast
import fnmatch
import importlib
import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import mosslite

# The floor plan: who may know whom.
FLOORS: tuple[set[str], ...] = (
    {"records", "options", "errors", "messages", "reasons", "texts"},
    {"languages", "parallel", "ranges", "signatures"}
    | {"disk", "display", "forests", "lookalikes"},
    {"cache", "intake"},
    {"frontends"},
    {"winnowing"},
    {"ranking"},
    {"matching"},
    {"remarks", "terms"},
    {"pipeline"},
    {"report", "lab", "spark"},
    {"serve"},
    {"cli"},
)
FLOOR_OF = {part: number for number, parts in enumerate(FLOORS) for part in parts}

# What other programs and ``python -m`` come in by: it stands beside the plan and may see all of it.
FACE = {"__init__", "__main__"}

# Nothing leaves the machine, and results that people share are no pickles.
BANNED = (
    *("ftplib.", "http.", "smtplib.", "socket.", "ssl.", "urllib.request."),
    *("marshal.", "pickle.", "shelve."),
)
# But a page for this machine alone is served from a socket, bound to the loopback address.
SERVING = {"serve.app": "socket"}
# What only the command line may know: the terminal, and what time it is.
OF_THE_COMMAND_LINE = {"click", "datetime", "time", "tqdm"}
# But lexers are given so much time and no more, as is another process that has a file, and learning
# platforms write down times.
ALLOWED = {
    "frontends.deadline": "time",
    "intake.exports": "datetime",
    "display": "datetime",
    "disk": "time",
}

ROOT = Path(mosslite.__file__).parent


@dataclass(frozen=True)
class Module:
    """A module by its name below ``mosslite``, and where its text is."""

    name: str
    path: Path

    @property
    def part(self) -> str:
        """The box of the floor plan it is in."""
        return self.name.split(".")[0]

    @cached_property
    def tree(self) -> ast.Module:
        return ast.parse(self.path.read_bytes())


MODULES = [
    Module(".".join(path.relative_to(ROOT).with_suffix("").parts), path)
    for path in sorted(ROOT.rglob("*.py"))
]


def of(modules: list[Module]) -> Callable[[Callable[[Module], None]], Callable[[], None]]:
    """Make one test of what is asked of each module: as tests of their own they take long."""

    def of_each(ask: Callable[[Module], None]) -> Callable[[], None]:
        def test() -> None:
            for module in modules:
                try:
                    ask(module)
                except AssertionError as error:
                    error.add_note(f"in mosslite.{module.name}")
                    raise

        return test

    return of_each


EVERY = of(MODULES)
INNER = of([module for module in MODULES if module.part not in FACE])
BELOW_THE_COMMAND_LINE = of([module for module in MODULES if module.part not in FACE | {"cli"}])
FACES = of([module for module in MODULES if b"__all__" in module.path.read_bytes()])


def imports(module: Module) -> set[str]:
    """Return the full names of what a module imports, at its top or anywhere else."""
    found = set()
    for node in ast.walk(module.tree):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "a relative import hides what it imports"
            assert node.module is not None
            found |= {f"{node.module}.{alias.name}" for alias in node.names}
    return found


def known_parts(module: Module) -> set[str]:
    """Return the other boxes of the floor plan that a module imports; the face is ``mosslite``."""
    own = [name.split(".") for name in imports(module) if name.split(".")[0] == "mosslite"]
    parts = {(*path, "")[1] for path in own}
    return {part if part in FLOOR_OF else "mosslite" for part in parts} - {module.part}


def names(module: Module) -> set[str]:
    """Return every plain name a module uses, and attributes of a plain name with a dot."""
    nodes = list(ast.walk(module.tree))
    attributes = {
        f"{node.value.id}.{node.attr}"
        for node in nodes
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name)
    }
    return attributes | {node.id for node in nodes if isinstance(node, ast.Name)}


def public_names(module: Module) -> list[str]:
    """Return the literal ``__all__``."""
    for node in module.tree.body:
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "__all__":
            names: list[str] = ast.literal_eval(node.value)
            return names
    msg = "no __all__"
    raise AssertionError(msg)


# --- the plan ------------------------------------------------------------------------------------


@INNER
def test_every_module_has_its_floor(module: Module) -> None:
    assert module.part in FLOOR_OF


def test_an_import_counts_wherever_it_stands(tmp_path: Path) -> None:
    path = tmp_path / "module.py"
    path.write_text(
        "import mosslite.ranges as s, os.path\n"
        "from mosslite import __version__\n"
        "if TYPE_CHECKING:\n    from mosslite.records import Index\n"
        "def f():\n    from mosslite.report.html import write_html\n"
    )

    assert known_parts(Module("own", path)) == {"ranges", "mosslite", "records", "report"}


@INNER
def test_imports_go_down_only(module: Module) -> None:
    # Also those for type hints alone: stages meet in the model, not in each other's records. The
    # words of the vocabulary explain each other, so floor 0 is one.
    floor = FLOOR_OF[module.part]
    parts = known_parts(module) - {"mosslite"}

    wrong = {
        part for part in parts if FLOOR_OF[part] >= floor and (floor, FLOOR_OF[part]) != (0, 0)
    }

    assert not wrong


@of([module for module in MODULES if module.part == "report"])
def test_what_shows_a_result_knows_the_records_and_the_arrays_but_no_other_stage(
    module: Module,
) -> None:
    assert known_parts(module) <= FLOORS[0] | FLOORS[1] | {"winnowing"}


@BELOW_THE_COMMAND_LINE
def test_nothing_below_the_command_line_knows_the_face(module: Module) -> None:
    assert "mosslite" not in known_parts(module)


def test_the_architecture_draws_each_part_on_its_floor() -> None:
    text = Path(__file__).parents[1].joinpath("ARCHITECTURE.md").read_text(encoding="utf-8")
    drawn = re.findall(r"^    floor (\d+)(.*(?:\n {5,}.*)*)", text, re.MULTILINE)
    missing = {
        part: number
        for number, words in drawn
        for part in FLOORS[int(number)]
        if part not in re.findall(r"\w+", words)
    }
    assert (len(drawn), missing) == (len(FLOORS), {})


def test_every_module_and_test_that_the_architecture_names_exists() -> None:
    text = Path(__file__).parents[1].joinpath("ARCHITECTURE.md").read_text(encoding="utf-8")
    named = {word for word in re.findall(r"`([\w./*]+)`", text) if "/" in word or "test_" in word}
    places = (ROOT, ROOT / "intake", ROOT / "report", ROOT.parent)
    tests = {path.stem for path in (ROOT.parent / "tests").rglob("test_*.py")}
    missing = {
        word
        for word in named
        if not fnmatch.filter(tests, word)
        and not any(
            list(place.glob(name)) for place in places for name in (word.rstrip("/"), f"{word}.py")
        )
    }
    assert missing == set()


# --- what a floor must not do --------------------------------------------------------------------


@BELOW_THE_COMMAND_LINE
def test_only_the_command_line_prints(module: Module) -> None:
    assert names(module).isdisjoint({"print", "sys.stdout", "sys.stderr"})


@BELOW_THE_COMMAND_LINE
def test_only_the_command_line_knows_the_terminal_and_the_time(module: Module) -> None:
    found = {name.split(".")[0] for name in imports(module)} & OF_THE_COMMAND_LINE

    assert found <= {ALLOWED.get(module.name)}


@EVERY
def test_no_module_talks_to_a_network_or_pickles(module: Module) -> None:
    banned = {name for name in imports(module) if f"{name}.".startswith(BANNED)}

    assert banned <= {SERVING.get(module.name)}


@EVERY
def test_no_module_uses_the_builtin_hash_that_differs_from_run_to_run(module: Module) -> None:
    assert "hash" not in names(module)


# --- the form of a module ------------------------------------------------------------------------


@EVERY
def test_a_module_stays_under_seven_hundred_lines(module: Module) -> None:
    assert len(module.path.read_text(encoding="utf-8").splitlines()) < 700


@EVERY
def test_only_the_face_of_a_package_lists_its_names(module: Module) -> None:
    assert module.path.name == "__init__.py" or "__all__" not in names(module)


@FACES
def test_a_modules_public_names_exist(module: Module) -> None:
    imported = importlib.import_module(f"mosslite.{module.name}".removesuffix(".__init__"))

    assert [name for name in public_names(module) if not hasattr(imported, name)] == []


def test_the_face_has_at_most_ten_names() -> None:
    assert len(mosslite.__all__) <= 10
