"""Lexers of Pygments that try all rules of a state as one regular expression.

Pygments tries the rules of a state one after the other, 35 for each token of Python. An alternation
of them finds the same one, as it tries them in the same order, in less than half of the time. Each
rule ends with an empty group of its own name, which is the last group of a match. A lexer of this
kind has one rule for each state that it can begin in; that reads the whole text, so that whatever a
lexer's class does with the tokens of its rules is still done.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache, partial
from typing import Any, Final, NamedTuple, cast

from pygments.lexer import ExtendedRegexLexer, Lexer, RegexLexer, combined, default, include, words
from pygments.token import Error, Whitespace, _TokenType

from mosslite.languages.lexers import Token

_Action = Callable[[Lexer, re.Match[str]], Iterable[Token]]
_States = Mapping[str, Sequence[Any]]

_ROOT: Final = "root"

# Rules that refer to their own groups, by number or name, are tried alone.
_REFERS: Final = re.compile(r"\\[1-9]|\(\?\(|\(\?P")
# Groups of all others need no number: then an alternative is skipped by its first character, which
# makes the most of the difference. What is in a class or behind a backslash starts none.
_GROUP: Final = re.compile(r"(\\[\s\S]|\[\^?\]?(?:\\[\s\S]|[^\]\\])*\])|\((?!\?)")
# Flags at the beginning of a rule become those of its part.
_FLAGS: Final = re.compile(r"\(\?([imsux]+)\)")

# These begin in a state from which there is no way back to the root.
_OTHER_BEGINNINGS: Final = frozenset({"inform6", "i6t", "inform7", "wikitext"})


class _Rule(NamedTuple):
    """What is done where an expression matches.

    Attributes:
        expression: The regular expression.
        action: The type of the token, or what yields tokens; None if there are none.
        moves: States to go to, one after the other.
    """

    expression: str
    action: _TokenType | _Action | None
    moves: Sequence[str]


class _Alternation(NamedTuple):
    """Rules that are tried together, by the names of their last groups.

    Attributes:
        match: Tries them at a place.
        rules: The action and the moves of each.
    """

    match: Callable[[str, int], re.Match[str] | None]
    rules: Mapping[str | None, tuple[_TokenType | _Action | None, Sequence[str]]]


def by_alternations(own: type[Lexer]) -> type[Lexer]:
    """Return a lexer with the same tokens, in less than half of the time where it has rules."""
    is_of_rules = issubclass(own, RegexLexer) and not issubclass(own, ExtendedRegexLexer)
    if not is_of_rules or own.aliases[0] in _OTHER_BEGINNINGS:
        return own
    rules = cast("Any", own)
    if getattr(own, "token_variants", False):
        variants = cast("Mapping[str, _States]", rules.tokens).items()
        tokens: object = {name: _readers(states, rules.flags) for name, states in variants}
    else:
        tokens = _readers(rules.get_tokendefs(), rules.flags)
    return type(own.__name__, (own,), {"tokens": tokens})


def _readers(states: _States, flags: int) -> dict[str, object]:
    """Return for each state the one rule that reads a text from there on."""
    reader = _Reader(states, flags)
    return {state: [(r"[\s\S]+", partial(reader.tokens, state))] for state in states}


class _Reader:
    """The states of a lexer; those that occur are compiled."""

    def __init__(self, states: _States, flags: int) -> None:
        self._states = states
        self._flags = flags
        self._alternations = dict[str, list[_Alternation]]()

    def tokens(
        self, state: str, lexer: Lexer, match: re.Match[str], _: object = None
    ) -> Iterator[Token]:
        """Yield the tokens of a text, as Pygments does from this state."""
        text, place = match.string, 0
        stack = [_ROOT] if state == _ROOT else [_ROOT, state]
        alternations = self._of(state)
        while True:
            for alternation in alternations:
                found = alternation.match(text, place)
                if found:
                    action, moves = alternation.rules[found.lastgroup]
                    if type(action) is _TokenType:
                        yield place, action, found.group()
                    elif action is not None:
                        yield from cast("_Action", action)(lexer, found)
                    place = found.end()
                    if moves:
                        _move(stack, moves)
                        alternations = self._of(stack[-1])
                    break
            else:
                if place >= len(text):
                    return
                if text[place] == "\n":
                    stack = [_ROOT]
                    alternations = self._of(_ROOT)
                    yield place, Whitespace, "\n"
                else:
                    yield place, Error, text[place]
                place += 1

    def _of(self, state: str) -> list[_Alternation]:
        known = self._alternations.get(state)
        if known is None:
            known = self._alternations[state] = [*self._compiled([*self._rules(state)])]
        return known

    def _rules(self, state: str) -> Iterator[_Rule]:
        """Yield the rules of a state, in order, those of included states among them."""
        for rule in self._states[state]:
            match rule:
                case include():
                    yield from self._rules(str(rule))
                case default(state=moves):
                    yield _Rule("", None, self._moves(moves))
                case (expression, action, *moves):
                    yield _Rule(_text_of(expression), action, self._moves(*moves[:1]))

    def _moves(self, moves: str | tuple[str, ...] = ()) -> Sequence[str]:
        if isinstance(moves, combined):
            name = "+".join(moves)
            self._states = {**self._states, name: [include(each) for each in moves]}
            return (name,)
        return (moves,) if isinstance(moves, str) else moves

    def _compiled(self, rules: Sequence[_Rule]) -> Iterator[_Alternation]:
        """Yield alternations of as many rules as possible."""
        together = list[_Rule]()
        for rule in rules:
            if _REFERS.search(rule.expression):
                yield from self._together(together)
                yield from self._together([rule])
                together = []
            else:
                together.append(rule)
        yield from self._together(together)

    def _together(self, rules: Sequence[_Rule]) -> Iterator[_Alternation]:
        if rules:
            parts = (
                f"{self._part(rule.expression)}(?P<r{number}>)" for number, rule in enumerate(rules)
            )
            yield _Alternation(
                re.compile("|".join(parts), self._flags).match,
                {f"r{n}": (self._own(rule), rule.moves) for n, rule in enumerate(rules)},
            )

    def _part(self, expression: str) -> str:
        """Return an expression as a part of another one, its flags for itself alone."""
        flags = _FLAGS.match(expression)
        letters = flags[1] if flags else ""
        own = expression[flags.end() :] if flags else expression
        if not _REFERS.search(own):
            own = _GROUP.sub(lambda found: found[1] or "(?:", own)
        is_verbose = "x" in letters or self._flags & re.VERBOSE
        end = "\n" if is_verbose else ""  # of a comment
        return f"(?{letters}:{own}{end})"

    def _own(self, rule: _Rule) -> _TokenType | _Action | None:
        """Return the action of a rule: one that looks at groups has to count its own only."""
        if rule.action is None or type(rule.action) is _TokenType:
            return rule.action
        act = cast("_Action", rule.action)
        own = cache(partial(re.compile, rule.expression, self._flags))

        def again(lexer: Lexer, match: re.Match[str]) -> Iterable[Token]:
            found = own().match(match.string, match.start())
            return act(lexer, cast("re.Match[str]", found))

        return again


def _text_of(expression: object) -> str:
    if isinstance(expression, words):
        expression = cast("Any", expression).get()
    return cast("str", expression)


def _move(stack: list[str], moves: Sequence[str]) -> None:
    """Change a stack of states; the lowest one stays."""
    for move in moves:
        if move == "#push":
            stack.append(stack[-1])
        elif move.startswith("#pop"):
            del stack[max(len(stack) - int(move[5:] or 1), 1) :]
        else:
            stack.append(move)
