"""What the report says about its own numbers, in words."""

from __future__ import annotations

from typing import Final

__all__ = [
    "BLOCK_EXPLANATION",
    "COUNTS_EXPLANATION",
    "DISGUISE_EXPLANATION",
    "EVIDENCE",
    "PERCENT_EXPLANATION",
    "RARE_EXPLANATION",
    "SIMILARITY_EXPLANATION",
    "THRESHOLD_EXPLANATION",
]

EVIDENCE: Final = (
    "The same code can have innocent reasons: given material, a common idiom, a shared source, "
    "work that was allowed to be done together. Read both sources before you draw a conclusion."
)
SIMILARITY_EXPLANATION: Final = (
    "The percentage beside a name is the share of that submission's comparable tokens that are "
    "part of a match with the other one. Comparable are all tokens but boilerplate and files "
    "shorter than the noise threshold k. Which name, number or string stands at a place makes no "
    "difference, nor do comments and layout, so renaming or reformatting changes nothing. What "
    "does nothing, such as an import or a variable that is never read, is not compared. The two "
    "sides can differ: a short program inside a long one reads 100 % on its own side only."
)
THRESHOLD_EXPLANATION: Final = (
    "There is no score above which work is copied: how alike honest solutions are depends on the "
    "assignment. Nearly all pairs of a batch are honest, so their scores show how honest scores "
    "are spread; the threshold is where the first honest pair is to be expected by chance, and the "
    "range says how sure that is. Where honest scores thin out slowly, more are to be expected. "
    "Copies can score less, and honest work can score more."
)
BLOCK_EXPLANATION: Final = (
    "Matches of one block follow each other on both sides with few other tokens between them, as "
    "where something was put into a copy or changed in it."
)
RARE_EXPLANATION: Final = (
    "Names, words, strings, numbers and odd layout that both submissions have and hardly any other "
    "in this batch. A slip of the pen that two share is hard to explain; a library's name is not."
)
DISGUISE_EXPLANATION: Final = (
    "Characters that cannot be seen, that look like other ones, or that a program writes by their "
    "numbers. They were compared as what they look like or stand for, so no number of this report "
    "depends on them. That they are there is a finding of its own and says nothing about copying. "
    "It can be innocent: text that was copied from a web page or a PDF brings such characters "
    "along, and so do input methods and keyboards of other scripts. Inside names that look plain "
    "it is worth a question."
)
PERCENT_EXPLANATION: Final = (
    "Percentages and scores are rounded down, but 100 % and 1.00 are only ever everything, and "
    "0 % and 0.00 only nothing."
)
COUNTS_EXPLANATION: Final = (
    "A token is a keyword, a name, a number, a string or a sign of code, or one letter or digit of "
    "prose. Matched lines are counted on the side that has fewer. Long matches are harder to "
    "explain by chance than many short ones that add up to the same percentage."
)
