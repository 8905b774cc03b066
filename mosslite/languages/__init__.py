"""Languages of files, and their lexers and plug-ins."""

from mosslite.languages.known import (
    GROUP,
    MOSS_LANGUAGES,
    TEXT,
    Language,
    PlugIn,
    asked_language,
    find_language,
    is_data,
    is_program,
    language_of,
    lexer_class_of,
    lexer_of,
    named_language,
    plug_ins,
    unwrapped,
)

__all__ = [
    "GROUP",
    "MOSS_LANGUAGES",
    "TEXT",
    "Language",
    "PlugIn",
    "asked_language",
    "find_language",
    "is_data",
    "is_program",
    "language_of",
    "lexer_class_of",
    "lexer_of",
    "named_language",
    "plug_ins",
    "unwrapped",
]
