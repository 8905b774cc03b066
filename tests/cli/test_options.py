"""Groups of options, the values that they take, and the records that these become."""

import click
import pytest

from mosslite.cli.options import (
    COMPARISON,
    GROUPS,
    Choice,
    OptionGroup,
    gitignore_line,
    given_patterns,
    inputs_of,
    intake_of,
    joined_languages,
    languages_for,
    options_of,
    pattern,
    shared,
    without_surrogates,
)
from mosslite.errors import OptionError
from mosslite.options import Intake, Limits, Options
from mosslite.records import Inputs

CONTEXT = click.Context(click.Command("check"))
OPTION = click.Option(["--any"])


def command_with(group: OptionGroup) -> click.Command:
    @click.command()
    @group
    def command() -> None:
        """Do nothing."""

    return command


def test_a_group_adds_its_options_to_a_command_in_their_order() -> None:
    assert [each.name for each in command_with(COMPARISON).params] == [
        each.name for each in COMPARISON.options
    ]


def test_a_part_of_a_group_can_say_another_default_and_leaves_the_group_as_it_is() -> None:
    (noise,) = command_with(shared("noise", default="as in the archive")).params
    assert isinstance(noise, click.Option)
    assert str(noise.help).endswith("in tokens.  [default: as in the archive]")
    assert "12 for code" in str(shared("noise").options[0].help)


def test_no_two_options_set_one_parameter() -> None:
    names = [each.name for group in GROUPS for each in group.options]
    assert sorted(names, key=str) == sorted(set(names), key=str)


def test_records_take_what_a_command_has_and_defaults_for_the_rest() -> None:
    assert inputs_of({"current": ("hw",), "quiet": True}) == Inputs(("hw",))
    assert intake_of({"file": 9, "layout": "plain"}) == Intake("plain", limits=Limits(file=9))
    assert options_of({"noise": 9, "config": None}) == Options(noise=9)
    with pytest.raises(OptionError, match=r"noise threshold \(-k\) is 0"):
        options_of({"noise": 0})


def test_the_last_language_holds_behind_those_for_patterns() -> None:
    given = ("java", "*.pl=prolog", "c")
    assert joined_languages(CONTEXT, OPTION, given) == "*.pl=prolog,c"
    assert joined_languages(CONTEXT, OPTION, ()) is None
    with pytest.raises(OptionError, match="unknown language"):
        joined_languages(CONTEXT, OPTION, (" ",))
    assert "java" in languages_for(CONTEXT, OPTION, "ja")


def test_a_title_that_is_not_utf_8_is_spelled_out() -> None:
    assert without_surrogates(CONTEXT, OPTION, "Blatt \udce9") == r"Blatt \xe9"


def test_patterns_become_lines_of_a_gitignore() -> None:
    assert gitignore_line("include", "#a") == "!#a"
    assert gitignore_line("exclude", "#a") == r"\#a"
    assert gitignore_line("patterns", "#a") == "#a"
    options = {name: click.Option([f"--{name}"]) for name in ("exclude", "include")}
    order = [options["include"], options["exclude"], options["include"]]
    assert given_patterns({"exclude": ["b"], "include": ["a", "c"]}, order) == ("!a", "b", "!c")
    with pytest.raises(click.BadParameter, match="matches nothing"):
        pattern(" ")


def test_a_wrong_word_is_answered_with_all_right_ones() -> None:
    with pytest.raises(click.BadParameter, match="'x' is not one of 'latest', 'all'"):
        Choice(["latest", "all"]).convert("x", OPTION, CONTEXT)
