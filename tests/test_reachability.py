from __future__ import annotations

import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mosslite.frontends.normalization.reachability import Words, unreached_in
from mosslite.frontends.symbols import code_of
from mosslite.languages import find_language
from tests.builders import LAW, numbers_of, stream_of_code

# Outside of all functions there is enough for the rest to be looked at.
ENOUGH = 100
BRACKETS = ("(", ")", "[", "]", "{", "}")
NAMES = ("f", "g", "main")
SOUP = st.lists(
    st.sampled_from([*BRACKETS, *BRACKETS, *NAMES, "extends", "new", "class", ".", ";", "=", ">"]),
    max_size=60,
)
LINES = st.lists(
    st.tuples(
        st.integers(-1, 4), st.sampled_from([*BRACKETS, *NAMES, "def", "class", "async", ":"])
    ),
    max_size=60,
)


def unreached(language: str, program: str) -> set[str]:
    """Return the functions that nothing calls, by a mark ``in_f`` in the body of each.

    What is outside of all functions is more than enough for them to be looked at.
    """
    lines = "pad = pad * 7\n" if language == "python" else "pad = pad * 7;\n"
    text = program.replace("PAD", lines * ENOUGH)
    assert text != program
    stream = stream_of_code(text, find_language(language))
    parts = zip(
        stream.starts.tolist(), stream.stops.tolist(), stream.is_reached.tolist(), strict=True
    )
    marks = {text[start:stop]: is_reached for start, stop, is_reached in parts}
    assert set(re.findall(r"\bin_\w+", program)) <= set(marks)
    return {mark for mark, is_reached in marks.items() if not is_reached and mark[:3] == "in_"}


def reached(words: list[str], indents: list[int] | None = None) -> list[bool]:
    """Say of each word whether it is reached, behind words enough for all to be looked at."""
    texts = [*[";"] * ENOUGH, *words]
    places = indents or [-1] * len(words)
    looked_at = Words(
        texts=texts,
        written=numbers_of(map(code_of, texts)),
        is_name=np.array([text in NAMES for text in texts]),
        indents=np.array([*[-1] * ENOUGH, *places]),
    )
    flags = [True] * len(texts)
    for rows in unreached_in(looked_at, slice(0, len(texts)), is_python=indents is not None):
        assert ENOUGH <= rows.start <= rows.stop <= len(texts)
        flags[rows] = [False] * (rows.stop - rows.start)
    return flags[ENOUGH:]


C_LIKE = """
int twice(int x) { in_twice; return 2 * x; }
int dead(int x) { in_dead; return deader(x); }
int deader(int x) { in_deader; return dead(x); }
int deep(int x) { in_deep; return twice(x); }
int main(void) { in_main; PAD return deep(1); }
"""


@pytest.mark.parametrize("language", ["c", "cpp", "java", "csharp", "d"])
def test_functions_that_only_call_each_other_are_not_reached(language: str) -> None:
    assert unreached(language, C_LIKE) == {"in_dead", "in_deader"}


@pytest.mark.parametrize(
    ("language", "program", "expected"),
    [
        (
            "java",
            """class A {
            static { boot(); }
            static void boot() { in_boot; }
            int field = first();
            int first() { in_first; return 1; }
            A(int x) { in_constructor; this.own(); }
            void own() { in_own; }
            void of(int x) { in_of; }
            void of(int x, int y) { in_other; }
            static int cmp(int a, int b) throws E, F { in_cmp; return 1; }
            void dead() throws E { in_dead; own(); }
            public static void main(String[] args) { PAD
                A a = new A(1); a.of(1); Arrays.sort(b, A::cmp); }
            }""",
            {"in_dead"},
        ),
        (
            "java",
            """class A { void run() { in_run; } void dead() { in_dead; }
            public static void main(String[] a) { PAD
                Thread t = new Thread() { public void start() { in_start; run(); } }; } }""",
            {"in_dead"},
        ),
        (
            "java",
            """class A extends B { void called() { in_called; helper(); } }
            class C { static void helper() { in_helper; } static void dead() { in_dead; }
            public static void main(String[] a) { PAD } }""",
            {"in_dead"},
        ),
        (
            "java",
            """class A implements B<C> { public int compareTo(A a) { in_compare; return 1; } }
            class D { public static void main(String[] a) { PAD } void dead() { in_dead; } }""",
            {"in_dead"},
        ),
        (
            "c",
            """int cmp(const void *a, const void *b) { in_cmp; return 1; }
            static void (*table[])(void) = { start };
            void start(void) { in_start; }
            int dead(void) { in_dead; return 0; }
            int main(void) { PAD qsort(a, 1, 2, cmp); return 0; }""",
            {"in_dead"},
        ),
        (
            "cpp",
            """struct S { virtual int area() const = 0; };
            struct Q : public S { int area() const override { in_area; return 1; } };
            template <typename T> T most(T a, T b) { in_most; return a; }
            auto f = [](int x) { in_lambda; return x; };
            namespace n { int dead(int x) noexcept { in_dead; return 1; } }
            int main() { PAD S *s = new Q; return s->area() + most(1, 2); }""",
            {"in_dead"},
        ),
        (
            "javascript",
            """class A { constructor(x) { in_constructor; this.go(); } go() { in_go; }
            static async make() { in_make; return new A(); } dead() { in_dead; } }
            const arrow = (x) => { in_arrow; return late(x); };
            function late(x) { in_late; return function (y) { in_inner; return y; }; }
            async function main() { PAD const a = await A.make(); arrow(a); }
            main();""",
            {"in_dead"},
        ),
        (
            "go",
            """package main
            func (s *Stack) Push(x int) { in_push() }
            func (s *Stack) Dead(x int) int { in_dead(); return 1 }
            func work(c chan int) { in_work() }
            func main() {
                PAD
                s.Push(1)
                go work(c)
                f := func(x int) { in_literal() }
            }""",
            {"in_dead"},
        ),
        (
            "kotlin",
            """class A { fun go(x: Int): Int { in_go(); return helper(x) }
            fun dead(): List<Int> { in_dead(); return b } }
            fun helper(x: Int): Int { in_helper(); return x }
            fun main() { PAD val a = A(); listOf(1).map { a.go(it) } }""",
            {"in_dead"},
        ),
        (
            "rust",
            """impl S { fn new(x: i32) -> Vec<u8> { in_new; } fn dead(&self) -> bool { in_dead; } }
            fn main() { PAD S::new(1); }""",
            {"in_dead"},
        ),
    ],
)  # fmt: skip
def test_a_function_is_reached_however_it_is_named(
    language: str, program: str, expected: set[str]
) -> None:
    assert unreached(language, program) == expected


PYTHON = '''
import a

class Stack:
    """A stack."""

    def __init__(self):
        self.clear(in_init)

    def clear(self):
        self.items = in_clear

    def push(self, x):
        def inner():
            return self.helper(in_inner)
        return inner()

    async def helper(self, x):
        return in_helper

    def dead(self):
        if x:
            return in_dead

        return self.dead()

    @property
    def size(self):
        return in_size

class Shown(a.Base):
    def on_click(self):
        return clicked(in_click)

def clicked(x):
    return in_clicked

async def fetch(
    x=1,
):
    return in_fetch

async def never():
    return in_never

table = {"a": by_table, "b": lambda x: by_lambda(x)}

def by_table(): return in_table

def by_lambda(x): return in_lambda

if x:
    def maybe():
        return in_maybe

PAD
if __name__ == "__main__":
    s = Stack()
    s.push(s.size)
    run(fetch())
'''


def test_python_functions_are_reached_however_they_are_named() -> None:
    assert unreached("python", PYTHON) == {"in_dead", "in_never", "in_maybe"}


@pytest.mark.parametrize("indent", ["\t", "  ", "        "])
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_how_python_is_indented_does_not_matter(indent: str, end: str) -> None:
    text = PYTHON.replace("    ", indent).replace("\n", end)

    assert unreached("python", text) == {"in_dead", "in_never", "in_maybe"}


@pytest.mark.parametrize(
    ("language", "program"),
    [
        ("java", "class A { void dead() { in_dead; } void start() { PAD } }"),
        ("c", "int dead(void) { in_dead; } int start(void) { PAD }"),
        ("javascript", "function dead() { in_dead; } PAD"),
        ("python", "def dead():\n    in_dead = 1\nPAD"),
        ("python", "class A(B):\n    def dead():\n        in_dead = 1\nPAD\n"),
        ("haskell", "dead x = in_dead PAD"),
    ],
)
def test_where_a_program_does_not_say_where_it_starts_all_is_reached(
    language: str, program: str
) -> None:
    assert unreached(language, program) == set()


def test_where_little_is_reached_the_program_starts_somewhere_else() -> None:
    text = C_LIKE.replace("PAD", "") + "int far(int x) { in_far; " + "f(x); " * 50 + "}"

    assert stream_of_code(text, find_language("c")).is_reached.all()
    assert not stream_of_code(text + "pad();" * 30, find_language("c")).is_reached.all()


def test_a_function_is_reached_or_not_from_its_name_to_its_end() -> None:
    text = f"static int dead(int x) {{ return f(x); }} int main() {{ {'f(); ' * 40} }}"
    stream = stream_of_code(text, find_language("c"))
    lost = stream.starts[~stream.is_reached]

    assert text[lost[0] : stream.stops[~stream.is_reached][-1]] == "dead(int x) { return f(x); }"
    assert (np.diff(np.flatnonzero(~stream.is_reached)) == 1).all()


# Laws


@LAW
@given(SOUP)
def test_brackets_may_stand_anywhere(words: list[str]) -> None:
    assert len(reached(words)) == len(words)


@LAW
@given(LINES)
def test_lines_may_be_indented_anyhow(lines: list[tuple[int, str]]) -> None:
    words = [*(word for _, word in lines), ":"]  # no file ends with ``async``

    assert len(reached(words, [*(indent for indent, _ in lines), -1])) == len(words)


@LAW
@given(SOUP)
def test_without_a_start_all_is_reached(words: list[str]) -> None:
    assert all(reached([word for word in words if word != "main"]))


@LAW
@given(SOUP, st.sampled_from(["f", "g", "main"]))
def test_a_use_outside_of_all_functions_never_lets_less_be_reached(
    words: list[str], name: str
) -> None:
    before, after = reached(words), reached([*words, ";", name])

    assert all(now or not then for then, now in zip(before, after, strict=False))


@LAW
@given(st.dictionaries(st.sampled_from("abcdef"), st.sets(st.sampled_from("abcdef"))))
def test_what_is_reached_is_what_can_be_followed_from_the_start(calls: dict[str, set[str]]) -> None:
    functions = {f"f_{name}": {f"f_{each}" for each in called} for name, called in calls.items()}
    functions["main"] = {"f_a", "f_b"}
    program = "".join(
        f"void {name}() {{ in_{name}; {'PAD' if name == 'main' else ''} "
        + "".join(f"{each}();" for each in sorted(called))
        + "}\n"
        for name, called in functions.items()
    )

    followed, waiting = set(), ["main"]
    while waiting:
        name = waiting.pop()
        if name in functions and name not in followed:
            followed.add(name)
            waiting += functions[name]
    assert unreached("c", program) == {f"in_{name}" for name in functions.keys() - followed}


@pytest.mark.slow
@pytest.mark.timeout(60)
@pytest.mark.parametrize(
    "part",
    [
        "f ( ) {", "f ( ) { }", "f (", "f ( ) ; }", "(", ")", "{", "( ) {", "new f ( ) {",
        "f ( ) f", "extends {", "} f ( ) g {",
    ],
)  # fmt: skip
def test_a_long_file_of_brackets_is_read_in_linear_time(part: str) -> None:
    words = part.split() * (200_000 // len(part.split()))

    assert len(reached(["main", "(", ")", "{", "}", *words])) == len(words) + 5


@pytest.mark.slow
@pytest.mark.timeout(60)
@pytest.mark.parametrize(
    ("part", "indents"),
    [
        ("def f ( ) : f", (0, -1, -1, -1, -1, -1)),
        ("def f ( ) : f", (1, -1, -1, -1, -1, -1)),
        ("class f (", (0, -1, -1)),
        ("class f :", (0, -1, -1)),
        ("class f ( g ) :", (0, -1, -1, -1, -1, -1)),
        ("async def f ( )", (0, -1, -1, -1, -1)),
        ("def", (0,)),
        ("(", (-1,)),
    ],
)
def test_a_long_file_of_lines_is_read_in_linear_time(part: str, indents: tuple[int, ...]) -> None:
    times = 200_000 // len(indents)

    assert len(reached(["f", *part.split() * times], [0, *indents * times])) == 1 + times * len(
        indents
    )


# What is not yet as it should be


@pytest.mark.parametrize(
    ("language", "program", "expected"),
    [
        (
            "cpp",
            """class A { void used(); };
            void A::used() { in_used; }
            int main() { PAD A a; a.used(); }""",
            set(),
        ),
        (
            "go",
            """package main
            func check(x int) bool { in_check(); return x > 0 }
            func run(x int) (int, error) {
                if check(x) { in_then(); return 1, nil }
                return 0, nil
            }
            func main() { PAD run(1) }""",
            set(),
        ),
        (
            "go",
            """package main
            func dead(x int) (int, error) { in_dead(); return x, nil }
            func main() { PAD }""",
            {"in_dead"},
        ),
        (
            "rust",
            """fn check(x: i32) -> bool { in_check; }
            fn run<T>(x: T) -> (i32, i32) { if check(1) { in_then; } }
            fn main() { PAD run(2); }""",
            set(),
        ),
        (
            "kotlin",
            """open class Animal(val name: String) { fun hi() { in_hi() } }
            class Cat : Animal("cat") { fun sound() { in_sound() } }
            fun main() { PAD val c = Cat(); c.sound() }""",
            {"in_hi"},
        ),
        (
            "kotlin",
            """fun String.shout(): String { repeat(3) { in_block() }; return this }
            fun main() { PAD "a".shout() }""",
            set(),
        ),
        (
            "javascript",
            """const a = require('a')
            class Foo { go() { in_go } }
            function main() { PAD new Foo().go() }
            main()""",
            set(),
        ),
        (
            "java",
            """class A { static List<String> dead() { in_dead; }
            public static void main(String[] a) { PAD } }""",
            {"in_dead"},
        ),
        (
            "java",
            """class A { Map<String, ? extends B> m; void dead() { in_dead; }
            public static void main(String[] a) { PAD } }""",
            {"in_dead"},
        ),
        (
            "c",
            """int dead(int x);
            int dead(int x) { in_dead; }
            int main(void) { PAD }""",
            {"in_dead"},
        ),
        (
            "cpp",
            """class A { void dead(); };
            void A::dead() { in_dead; }
            void A::dead(int x) { in_other; }
            std::vector<int> B::dead() { in_vector; }
            int main() { PAD }""",
            {"in_dead", "in_other", "in_vector"},
        ),
    ],
)  # fmt: skip
def test_a_function_is_what_the_language_takes_for_one(
    language: str, program: str, expected: set[str]
) -> None:
    assert unreached(language, program) == expected


@pytest.mark.parametrize(
    ("language", "program"),
    [
        (
            "java",
            """class A { public String toString() { in_text; }
            public static void main(String[] a) { PAD System.out.println(new A()); } }""",
        ),
        (
            "java",
            """class A { static final C<A> BY_X = new C<A>() {
                public int compare(A a, A b) { in_compare; } };
            public static void main(String[] a) { PAD Arrays.sort(b, BY_X); } }""",
        ),
        (
            "csharp",
            """class A : IComparable<A> { public int CompareTo(A a) { in_compare; }
            static void Main(string[] a) { PAD list.Sort(); } }""",
        ),
        (
            "go",
            """package main
            func init() { in_init() }
            func (p P) String() string { in_text(); return "a" }
            func main() { PAD fmt.Println(P{}) }""",
        ),
        (
            "rust",
            """impl Iterator for A { fn next(&mut self) -> bool { in_next; } }
            impl Add for A { fn add(self, o: A) -> A { in_add; } }
            fn main() { PAD }""",
        ),
        (
            "php",
            """<?php class A { function __construct($x) { $in_constructor; } }
            function main() { PAD new A(1); } main();""",
        ),
        (
            "python",
            """
@app.route("/")
def home():
    return in_home
def start(): app.run()
PAD
start()
""",
        ),
    ],
)
def test_what_a_language_calls_by_itself_is_reached(language: str, program: str) -> None:
    marked = program.replace("$in_", "in_")

    assert unreached(language, marked) == set()


def test_a_file_may_end_with_async() -> None:
    assert reached(["f", "async"], [0, 0]) == [True, True]


@pytest.mark.slow
@pytest.mark.timeout(5)
def test_a_long_file_of_classes_without_a_body_is_read_in_linear_time() -> None:
    assert len(reached(["extends"] * 200_000)) == 200_000
