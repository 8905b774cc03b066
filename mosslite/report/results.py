"""Results as programs keep them: one model that is written, read, checked and described.

A run is recorded in it (``recording``), importers fill it, and what is read can come from anywhere,
so every value is checked against its type. The classes are the JSON Schema, too: a key is always
written unless its default is ``UNSET``. What is read may have less, as another tool may not know
it.
"""

from collections.abc import Iterable, Mapping
from dataclasses import fields
from functools import cached_property
from hashlib import sha256
from pathlib import Path
from typing import Annotated, Any, Final, Literal, Self, TypeVar

import msgspec
from msgspec import UNSET, Meta, UnsetType
from msgspec.structs import force_setattr

from mosslite.errors import InputError
from mosslite.messages import M_, Message, from_json
from mosslite.options import (
    CODE_DEFAULTS,
    LAYOUTS,
    MOMENT,
    PROSE_DEFAULTS,
    Intake,
    Limits,
    Mark,
    Options,
)
from mosslite.records import (
    HighScores,
    Inputs,
    NoThreshold,
    Origin,
    PlacedBy,
    RepositorySummary,
    Role,
    Sides,
    SubmissionMetadata,
    Threshold,
)
from mosslite.report.json_files import Record, read, schema_of
from mosslite.signatures import REPORT_RESULTS

FORMAT: Final = 1
# Larger numbers are not exact in every program that reads JSON.
_MOST: Final = 1 << 53

Count = Annotated[int, Meta(ge=0, le=_MOST)]
Positive = Annotated[int, Meta(ge=1, le=_MOST)]
Amount = Annotated[float, Meta(ge=0, le=_MOST)]
Share = Annotated[float, Meta(ge=0, le=1)]
Texts = tuple[str, ...]
# What is written is bounded more closely than what is read must be.
SomeTexts = Annotated[Texts, Meta(extra_json_schema={"minItems": 1})]
Several = Annotated[int, Meta(ge=0, le=_MOST, extra_json_schema={"minimum": 1})]
IfTrue = Annotated[bool, Meta(extra_json_schema={"const": True})]
Bits = Annotated[Amount, Meta(description="Information in the match, or in its best chain.")]
Expected = Annotated[
    Amount,
    Meta(
        description="How many matches with as much information an honest pair of these sizes has."
    ),
]
CODE: Final = "^[0-9a-f]{24}$"
SKETCH: Final = "^(?:[0-9a-f]{8})*$"
_TEXT: Final = "^[0-9a-f]{32}$"
_EVIDENCE: Final = "^(misspelling|comment|word|string|number|name|layout)$"
_Kind = TypeVar("_Kind")


Known = Annotated[
    Sides[_Kind],
    Meta(extra_json_schema={"anyOf": [{"required": ["left"]}, {"required": ["right"]}]}),
]


# A value is a number, a text, a message, or a list of these.
_VALUE: Final = {
    "anyOf": [
        {"type": ["number", "string"]},
        {"$ref": "#/$defs/MessageResult"},
        {
            "type": "array",
            "items": {"$ref": "#/$defs/MessageResult/properties/params/additionalProperties"},
        },
    ]
}


class MessageResult(Record, frozen=True, kw_only=True):
    """What a text is made of: its template, and the values by their names in it."""

    id: str
    plural: str | UnsetType = UNSET
    params: Annotated[
        dict[str, Any],
        Meta(
            description="The values, by their names in the template.",
            extra_json_schema={"additionalProperties": _VALUE},
        ),
    ]


class PlaceResult(Record, frozen=True, kw_only=True):
    """Lines of a file, 1-based; of a notebook or another file of parts also the place in them."""

    file: str | None = None
    first_line: Positive
    last_line: Positive
    first_place: str | UnsetType = UNSET
    last_place: str | UnsetType = UNSET

    def __post_init__(self) -> None:
        if self.last_line < self.first_line:
            msg = f"`last_line` is before line {self.first_line}"
            raise ValueError(msg)

    @property
    def lines(self) -> str:
        """The lines, as ``12`` or ``12-15``."""
        return "-".join(map(str, dict.fromkeys((self.first_line, self.last_line))))

    @property
    def where(self) -> str:
        """The places in words; empty in a file without parts."""
        parts = (self.first_place or "", self.last_place or "")
        return " to ".join(dict.fromkeys(filter(None, parts)))


class MatchResult(Record, frozen=True, kw_only=True):
    """A match by its lines; what another program does not tell is missing or null."""

    left: PlaceResult
    right: PlaceResult
    tokens: Several | None = None
    bits: Bits | UnsetType = UNSET
    expected: Expected | UnsetType = UNSET
    block: Positive | UnsetType = UNSET
    block_bits: Bits | UnsetType = UNSET
    block_expected: Expected | UnsetType = UNSET
    first_commits: Known[Origin] | UnsetType = UNSET


EvidenceLines = Annotated[tuple[Positive, ...], Meta(extra_json_schema={"minItems": 1})]


class EvidenceResult(Record, frozen=True, kw_only=True):
    """A feature besides structure that both submissions of a pair and few others contain."""

    kind: Annotated[str, Meta(pattern=_EVIDENCE)]
    text: str
    resembles: str | UnsetType = UNSET
    left: EvidenceLines = ()
    left_file: str = ""
    right: EvidenceLines = ()
    right_file: str = ""
    submissions: Annotated[Count, Meta(extra_json_schema={"minimum": 2})] | None = None


class ReviewResult(Record, frozen=True, kw_only=True):
    """The reviewer's mark on a pair; its code can have changed since."""

    state: Annotated[str, Meta(pattern="^(todo|dismissed|confirmed)$")]
    reason: str = ""
    note: str = ""
    at: Annotated[str, Meta(extra_json_schema={"pattern": MOMENT})] = ""
    changed: bool = False


class HandedInResult(Record, frozen=True, kw_only=True):
    """When both sides were handed in, according to the platform, and the side that was first."""

    left: str = ""
    right: str = ""
    first: Annotated[str, Meta(pattern="^(left|right|both)$")]
    seconds_between: Count = 0


class ByChanceResult(Record, frozen=True, kw_only=True):
    """Further matches, which chance explains: they count nowhere."""

    matches: Count
    tokens: Count


class PairResult(Record, frozen=True, kw_only=True):
    """A pair; ``tiny`` if both sides are shorter than the noise threshold, and equal."""

    left: str
    right: str
    score: Share | None = None
    similarity: Share | None = None
    left_similarity: Share | None = None
    right_similarity: Share | None = None
    matched_tokens: Count | None = None
    matched_lines: Count | None = None
    longest_match: Count | None = None
    placed_by: PlacedBy | UnsetType = UNSET
    baseline: Annotated[str, Meta(pattern="^(new|unchanged|updated)$")] | UnsetType = UNSET
    tiny: IfTrue | UnsetType = UNSET
    handed_in: HandedInResult | UnsetType = UNSET
    repositories: Known[RepositorySummary] | UnsetType = UNSET
    matches: tuple[MatchResult, ...] = ()
    by_chance: ByChanceResult | UnsetType = UNSET
    rare_evidence: tuple[EvidenceResult, ...] = ()
    review: ReviewResult | UnsetType = UNSET

    @property
    def names(self) -> frozenset[str]:
        """The names of both submissions."""
        return frozenset((self.left, self.right))

    @property
    def mark(self) -> Mark | None:
        """The reviewer's mark; None without one. Which code it was made on is unknown."""
        if not self.review:
            return None
        review = self.review
        return Mark(self.left, self.right, "", review.state, review.reason, review.note, review.at)


class BaseResult(Record, frozen=True, kw_only=True, rename={"origin": "from"}):
    """Boilerplate tokens that a base file has."""

    origin: str
    tokens: Several


class BoilerplateResult(Record, frozen=True, kw_only=True):
    """Tokens that are left out, and how many of them each base file has."""

    tokens: Several
    origins: tuple[BaseResult, ...] = ()


class DisguiseResult(Record, frozen=True, kw_only=True):
    """Characters that cannot be seen or look like others, as in ``U+200B``, and their lines."""

    file: str
    kind: str
    characters: Annotated[
        tuple[Annotated[str, Meta(pattern=r"^U\+[0-9A-F]{4,6}$")], ...], Meta(min_length=1)
    ]
    lines: tuple[Positive, ...]
    count: Positive


class SubmissionResult(Record, frozen=True, kw_only=True):
    """A submission; what its platform does not tell is missing.

    ``ids`` and ``emails`` are in the order of the members, or of the one student. ``language`` is
    that of most tokens, whose threshold applies, where there are several. ``code`` is a digest of
    its own code, ``text`` of the texts of its files. Files in ``degraded`` were read by the plain
    tokenizer.
    """

    name: str
    role: Role = Role.CURRENT
    members: SomeTexts | UnsetType = UNSET
    ids: SomeTexts | UnsetType = UNSET
    emails: SomeTexts | UnsetType = UNSET
    submitted: str | UnsetType = UNSET
    label: str | UnsetType = UNSET
    late: IfTrue | UnsetType = UNSET
    files: Texts = ()
    tokens: Count | None = None
    boilerplate: BoilerplateResult | UnsetType = UNSET
    languages: Texts = ()
    language: str | UnsetType = UNSET
    code: Annotated[str, Meta(extra_json_schema={"pattern": CODE})] | UnsetType = UNSET
    text: Annotated[str, Meta(extra_json_schema={"pattern": _TEXT})] | UnsetType = UNSET
    sketch: Annotated[str, Meta(extra_json_schema={"pattern": SKETCH})] | UnsetType = UNSET
    disguises: (
        Annotated[tuple[DisguiseResult, ...], Meta(extra_json_schema={"minItems": 1})] | UnsetType
    ) = UNSET
    degraded: SomeTexts | UnsetType = UNSET

    @property
    def hand_in(self) -> SubmissionMetadata:
        """The metadata of its platform."""
        return SubmissionMetadata(
            members=self.members or (),
            submitted=self.submitted or "",
            label=self.label or "",
            is_late=self.late or False,
            ids=self.ids or (),
            emails=self.emails or (),
        )

    @property
    def main_language(self) -> str:
        """The language of most of its tokens; empty if unknown."""
        return self.language or (self.languages[0] if len(self.languages) == 1 else "")

    @property
    def disguised(self) -> int:
        """Number of characters in it that cannot be seen or look like others."""
        return sum(each.count for each in self.disguises or ())


class ConstantsResult(Record, frozen=True, kw_only=True):
    """A number of tokens for each kind of text; another program may have only code."""

    code: Positive
    prose: Positive | UnsetType = UNSET


class OptionsResult(Record, frozen=True, kw_only=True):
    """The options of a run, as far as they change results; k is ``noise``, t ``guarantee``."""

    language: str | None = None
    directories: bool = False
    max_sharing: Positive | None = None
    show: Count | None = None
    comment: str = ""
    noise: ConstantsResult = ConstantsResult(code=CODE_DEFAULTS.noise, prose=PROSE_DEFAULTS.noise)
    guarantee: ConstantsResult = ConstantsResult(
        code=CODE_DEFAULTS.guarantee, prose=PROSE_DEFAULTS.guarantee
    )
    chance: Annotated[float, Meta(gt=0, le=_MOST)] = Options().chance
    time_limit: Annotated[float, Meta(gt=0, le=_MOST)] = Options().seconds
    config: str | UnsetType = UNSET
    layout: str = LAYOUTS[0]
    name_pattern: str | UnsetType = UNSET
    patterns: SomeTexts | UnsetType = UNSET
    each: IfTrue | UnsetType = UNSET
    attempts: Literal["all", "latest"] = "latest"
    reads_ignored: bool = False
    encoding: str | None = None
    markdown: bool = False
    limits: Limits = Limits()
    base: Texts = ()

    @property
    def _constants(self) -> tuple[int | None, int | None]:
        """K and t as options that give these values; None for the defaults."""
        kinds = (
            (self.noise.code, self.guarantee.code, CODE_DEFAULTS),
            (self.noise.prose, self.guarantee.prose, PROSE_DEFAULTS),
        )
        used = [(k, t, usual) for k, t, usual in kinds if k and t]
        if all((k, t) == (usual.noise, usual.guarantee) for k, t, usual in used):
            return None, None
        noises, guarantees = {k for k, _, _ in used}, {t for _, t, _ in used}
        return (
            noises.pop() if len(noises) == 1 else None,
            guarantees.pop() if len(guarantees) == 1 else None,
        )

    @classmethod
    def of(cls, options: Options, base: Iterable[str]) -> Self:
        """Return what results keep of options; ``base`` are the names of the base files."""
        code, prose = options.thresholds(CODE_DEFAULTS), options.thresholds(PROSE_DEFAULTS)
        own = {name: getattr(options, key) for key, name in _OF_RUN.items()}
        read = {name: getattr(options.intake, key) for key, name in _OF_INTAKE.items()}
        kept = {n: v for n, v in (own | read).items() if v or n not in _IF_GIVEN}
        return cls(
            noise=ConstantsResult(code=code.noise, prose=prose.noise),
            guarantee=ConstantsResult(code=code.guarantee, prose=prose.guarantee),
            attempts="all" if options.intake.all_attempts else "latest",
            base=tuple(base),
            **kept,
        )

    @property
    def options(self) -> Options:
        """The options that give these values.

        Raises:
            OptionError: A value is invalid.
        """
        noise, guarantee = self._constants
        own = {key: getattr(self, name) for key, name in _OF_RUN.items()}
        read = {key: getattr(self, name) for key, name in _OF_INTAKE.items()}
        intake = Intake(
            **{key: value for key, value in read.items() if value not in _NOTHING},
            all_attempts=self.attempts == "all",
        )
        given = {key: value for key, value in own.items() if value not in _NOTHING}
        return Options(**given, noise=noise, guarantee=guarantee, intake=intake)


# Attributes of ``Options`` and of ``Intake``, by the names that results have for them.
_SAME: Final = ("language", "directories", "max_sharing", "show", "comment", "chance", "config")
_OF_RUN: Final = dict(zip(_SAME, _SAME, strict=True)) | {"seconds": "time_limit"}
_READ: Final = ("layout", "name_pattern", "patterns", "reads_ignored", "encoding", "limits", "each")
_OF_INTAKE: Final = dict(zip(_READ, _READ, strict=True)) | {"reads_markdown": "markdown"}
_IF_GIVEN: Final = frozenset({"config", "name_pattern", "patterns", "each"})
_NOTHING: Final = (UNSET, None, "")


class SourceResult(Record, frozen=True, kw_only=True):
    """The program whose results were imported."""

    program: Literal["moss", "jplag", "dolos"]
    date: str | UnsetType | None = UNSET
    version: str | UnsetType | None = UNSET


class AttemptResult(Record, frozen=True, kw_only=True):
    """An attempt of a student beside the one before it.

    ``kept_from_before`` is the share of that one which is still there, ``new`` the share of this
    one which that one does not have. ``most_like`` is the other side of its listed pair with the
    highest score, and ``found_there`` how much of it is found there. It jumps if that pair stands
    out, and much less of the attempt before is found there.
    """

    submission: str
    kept_from_before: Share | UnsetType = UNSET
    new: Share | UnsetType = UNSET
    most_like: str | UnsetType = UNSET
    found_there: Share | UnsetType = UNSET
    found_there_before: Share | UnsetType = UNSET
    jumps: bool


class NotComparedResult(Record, frozen=True, kw_only=True):
    """A submission of which nothing was compared; ``message`` is what its reason is made of."""

    name: str
    reason: str = ""
    message: MessageResult | UnsetType = UNSET

    def __post_init__(self) -> None:
        force_setattr(self, "reason", message_of(self.message, self.reason))


class LeftOutResult(Record, frozen=True, kw_only=True):
    """A file that was not compared; one over a limit names it, and the submission.

    ``message`` is what the reason is made of.
    """

    path: str = ""
    reason: str = ""
    message: MessageResult | UnsetType = UNSET
    limit: str | UnsetType = UNSET
    submission: str | UnsetType = UNSET

    def __post_init__(self) -> None:
        force_setattr(self, "reason", message_of(self.message, self.reason))


class Results(Record, frozen=True, kw_only=True, dict=True):
    """Results, as check --json and the imports write them.

    Pairs are by descending score, of imports by descending similarity. ``messages`` are what the
    warnings are made of, null for one that is only a text. ``unlisted`` is the number of further
    pairs at or above the threshold. ``attempts`` has a list for each student with several.
    """

    format: Literal[1]
    mosslite: str = ""
    created: str | None = None
    anonymous: IfTrue | UnsetType = UNSET
    source: SourceResult | UnsetType = UNSET
    options: dict[str, Any]
    inputs: (
        Annotated[
            dict[str, SomeTexts],
            Meta(
                description="The paths that were given, by role.",
                extra_json_schema={"minProperties": 1},
            ),
        ]
        | UnsetType
    ) = UNSET
    submissions: tuple[SubmissionResult, ...] = ()
    threshold: Threshold | None = None
    no_threshold: NoThreshold | UnsetType = UNSET
    unlisted: Count | UnsetType = UNSET
    pairs: tuple[PairResult, ...]
    attempts: (
        Annotated[
            tuple[
                Annotated[tuple[AttemptResult, ...], Meta(extra_json_schema={"minItems": 2})], ...
            ],
            Meta(extra_json_schema={"minItems": 1}),
        ]
        | UnsetType
    ) = UNSET
    not_compared: (
        Annotated[tuple[NotComparedResult, ...], Meta(extra_json_schema={"minItems": 1})]
        | UnsetType
    ) = UNSET
    skipped: tuple[LeftOutResult, ...] = ()
    ignored: tuple[LeftOutResult, ...] = ()
    warnings: Texts = ()
    messages: tuple[MessageResult | None, ...] | UnsetType = UNSET

    def __post_init__(self) -> None:
        _ = self.comparison
        for rank, pair in enumerate(self.pairs, 1):
            for name in (pair.left, pair.right):
                if name not in self.by_name:
                    msg = f"pair {rank} names {name!r}, which is not a submission"
                    raise ValueError(msg)

    @cached_property
    def given(self) -> OptionsResult:
        """The options, of imported results with defaults."""
        try:
            return msgspec.convert(self.options, OptionsResult)
        except msgspec.ValidationError as error:  # says where in the options
            raise msgspec.ValidationError(str(error).replace("`$", "`$.options")) from error

    @cached_property
    def comparison(self) -> Options:
        """The options that give them."""
        return self.given.options

    @cached_property
    def by_name(self) -> Mapping[str, SubmissionResult]:
        """The submissions by name."""
        return {each.name: each for each in self.submissions}

    @cached_property
    def _ranks(self) -> Mapping[frozenset[str], int]:
        return {each.names: rank for rank, each in enumerate(self.pairs, 1)}

    def rank_of(self, pair: PairResult) -> int:
        """Return the position of a pair in the list, from 1."""
        return self._ranks[pair.names]

    @property
    def program(self) -> str:
        """The other program, of imported results; else empty."""
        return self.source.program if self.source else ""

    @property
    def paths(self) -> Inputs | None:
        """The paths given; None if unknown."""
        given = self.inputs or {}
        paths = {each.name: given.get(each.name, ()) for each in fields(Inputs)}
        return Inputs(**paths) if given else None

    @property
    def warned(self) -> Texts:
        """The warnings, as messages where they are."""
        messages = self.messages or (None,) * len(self.warnings)
        pairs = zip(messages, self.warnings, strict=False)
        return tuple(message_of(message, english) for message, english in pairs)

    def limit_of(self, pair: PairResult) -> float | None:
        """Return the threshold for a pair; None if another program's results have none."""
        if self.threshold is None and not self.no_threshold:
            return None
        highs = HighScores.by(self.threshold, self.no_threshold or NoThreshold.TOO_FEW)
        left, right = (self.by_name[name].main_language for name in (pair.left, pair.right))
        return highs.limit_between(left, right)

    def stands_out(self, pair: PairResult) -> bool:
        """Return whether a pair is at or above the threshold."""
        limit = self.limit_of(pair)
        return limit is not None and pair.score is not None and pair.score >= limit


def message_of(message: MessageResult | UnsetType | None, english: str) -> str:
    """Return the message that results keep beside its English."""
    is_made = isinstance(english, Message) or not message
    return english if is_made else from_json(msgspec.to_builtins(message), english)


def read_results(path: Path) -> tuple[Results, str]:
    """Read a file written by ``--json`` or an import, or that of a report's folder.

    Return also its SHA-256.

    Raises:
        InputError: It cannot be read, or is not such a file.
    """
    if path.is_dir():
        folder, path = path, path / REPORT_RESULTS
        if not path.is_file():
            raise InputError(
                "%(folder)r is a folder without a report: give results, or a report's folder",
                folder,
            )
    results, content = read(path, Results, M_("file of results"))
    return results, sha256(content).hexdigest()


def results_schema() -> dict[str, Any]:
    """Return the JSON Schema of results: those of a run have all that imported ones may lack."""
    number, count, text = {"type": "number"}, {"type": "integer"}, {"type": "string"}
    measures = dict.fromkeys(MEASURES, number) | dict.fromkeys(COUNTS, count)
    place = {"properties": {"file": text}}
    match = {"required": ["block"], "properties": {"tokens": count, "left": place, "right": place}}
    constants = {"required": ["code", "prose"]}
    own = {
        "required": ["unlisted"],
        "properties": {
            "created": text | {"format": "date-time"},
            "options": {
                "$ref": f"#/$defs/{OptionsResult.__name__}",
                "properties": {"noise": constants, "guarantee": constants},
            },
            "submissions": _items(
                {"required": ["code", "sketch"], "properties": {"tokens": count}}
            ),
            "pairs": _items({"properties": measures | {"matches": _items(match)}}),
        },
    }
    null = {"type": "null"}
    imported = {
        "properties": {
            "created": null,
            "threshold": null,
            "pairs": _items({"properties": {"score": null}}),
        }
    }
    schema = schema_of("results", Results, OptionsResult)
    return schema | {"if": {"required": ["source"]}, "then": imported, "else": own}


# What other programs may not tell.
MEASURES: Final = ("score", "similarity", "left_similarity", "right_similarity")
COUNTS: Final = ("matched_tokens", "matched_lines", "longest_match")


def _items(schema: dict[str, Any]) -> dict[str, Any]:
    return {"type": "array", "items": schema}
