"""Why files and submissions are not compared: all reasons, with the templates of their messages."""

from enum import Enum
from typing import Final

from mosslite.messages import M_, N_, NM_, NN_, Message, id_of


class Reason(Enum):
    """A reason; its value is the template of its message, a phrase with a verb about a path.

    Where a number is counted, it is that and its plural.
    """

    # Paths on disk.
    MISSING = N_("does not exist")
    LINK = N_("is a symbolic link, which is not followed")
    BEHIND_LINK = N_("is below a symbolic link, which is not followed")
    BROKEN_LINK = N_("is a broken symbolic link")
    IRREGULAR = N_("is not a regular file")
    REPLACED = N_("was replaced by another file while it was read")
    UNREADABLE = N_("cannot be read: %(reason)s")
    UNREADABLE_FOLDER = N_("is a folder that cannot be read")
    NO_FILES = N_("contains no files")
    ONLY_IGNORED = N_("contains no files but ignored ones")

    # What was given twice, or is no student's.
    GIVEN_TWICE = N_("is given twice")
    IN_TWO_ROLES = N_("is already %(first)s")
    OWN_REPORT = N_("is a mosslite report")
    OWN_RESULT = N_("is a mosslite result")
    LIKE_REPORT = N_("looks like a mosslite report: move it out of the submissions if it is one")
    BASE_BY_METADATA = N_("is base code according to the export's metadata")
    EARLIER_ATTEMPT = N_("belongs to an earlier attempt")
    METADATA = N_("is metadata of the export")
    BLACKBOARD_NOTE = N_("is Blackboard's note on a submission")
    MOODLE_FEEDBACK = N_("is feedback of the staff in Moodle")
    BRIGHTSPACE_INDEX = N_("is Brightspace's index")
    SAKAI_RECORD = N_("is Sakai's record of a submission")
    NBGRADER_TIME = N_("is nbgrader's timestamp file")
    NOT_SUBMITTED = N_("is not in nbgrader's folder 'submitted'")
    VPL_REPORT = N_("is VPL's report")
    VPL_RECORD = N_("is VPL's record of tests and grades")

    # Rules, the user's and built-in ones.
    EXCLUDED = N_("matches --exclude")
    NOT_INCLUDED = N_("does not match any --include")
    HIDDEN = N_("is hidden")
    HIDDEN_PROGRAM = N_("is hidden, but contains a program")
    GENERATED_FILE = N_("is a generated file")
    GENERATED_PROGRAM = N_("is a generated file, but contains a program")
    NOT_TEXT = N_("is not text")
    BUILT = N_("contains build output or third-party code")
    NAMED_MINIFIED = N_("is minified: its name has .min. in it")
    MINIFIED = N_("is minified: its lines are too long and dense to be written by hand")
    MARKED_GENERATED = N_("is generated code, as its first lines say")
    GENERATED = N_("is generated code, as its first lines and its content show")

    # Contents.
    DOCUMENT = N_("is %(kind)s, which is not supported: submit plain text")
    OWN_ARCHIVE = N_("is %(kind)s: 'mosslite check --archive' reads it")
    OTHER_KIND = N_("is %(kind)s, which is not read")
    BINARY = N_("is binary")
    EMPTY = N_("is empty")
    NO_CODE = N_("contains no code")
    NO_TEXT = N_("contains no text")
    MOSTLY_BOILERPLATE = N_("is almost entirely boilerplate")
    NOT_CODE = N_("is not source code")
    LOOKS_LIKE_CODE = N_("looks like source code, but is not named like it")
    OLDER_COPY = N_("is another copy of a file beside it")
    INVALID_NOTEBOOK = N_("is not a valid notebook: %(reason)s")
    TOO_MANY_VALUES = N_("is a notebook with too many values to read: clear its outputs")

    # Limits, which follow their option in OVER_LIMIT.
    OVER_LIMIT = N_("%(message)s (%(limit)s)")
    TOO_LARGE = NN_("is larger than %(count)d byte", "is larger than %(count)d bytes")
    SUBMISSION_TOO_LARGE = N_("is not read, as the submission is too large")
    CELLS_TOO_LARGE = N_("has cells of more than %(most)d characters")
    TOO_DEEP = N_("is an archive at depth %(depth)s, deeper than %(deepest)s")
    UNPACKED = NN_("unpacks to more than %(count)d byte", "unpacks to more than %(count)d bytes")
    UNPACKED_IN_TOTAL = NN_(
        "unpacks to more than %(count)d byte in total",
        "unpacks to more than %(count)d bytes in total",
    )
    UNPACKED_SHARE = NN_(
        "unpacks to more than %(count)d byte, its share of the limit",
        "unpacks to more than %(count)d bytes, its share of the limit",
    )
    MEMBERS = NN_("contains more than %(count)d file", "contains more than %(count)d files")
    MEMBERS_IN_TOTAL = NN_(
        "contains more than %(count)d file in total",
        "contains more than %(count)d files in total",
    )
    MEMBERS_SHARE = NN_(
        "contains more than %(count)d file, its share of the limit",
        "contains more than %(count)d files, its share of the limit",
    )
    MEMBERS_OF_SIZE = N_("contains more than %(members)d files, too many for its size")
    ARCHIVES = N_("is left out after %(most)d archives that unpack to too much")
    RATIO = N_("unpacks to more than %(ratio)d times its size")
    LEAST_AND_RATIO = N_("unpacks to more than %(size)s MiB and %(ratio)d times its size")
    SHARE_SPENT = N_("is skipped, as its submission %(error)s")

    # Archives and their members.
    NOT_ARCHIVE = N_("is not an archive")
    UNSUPPORTED = N_("is %(kind)s, which is not supported: repack it as zip")
    LONG_7Z_LIST = N_("is a 7z archive whose list of files is too long: repack it as zip")
    ENCRYPTED = N_("is encrypted")
    METHOD = N_("uses an unsupported compression method")
    OVERLAPS = N_("overlaps another file in its archive")
    PART_OF_FILE = N_("is part of a file")
    HARD_LINK = N_("is a hard link to a file that is not read")
    NO_NAME = N_("has no name")
    LONG_NAME = N_("has a name of more than %(longest_member_name)d characters")
    DAMAGED = N_("is damaged")
    DAMAGED_THUS = N_("is damaged: %(error)s")
    CUT = N_("is damaged: unexpected end of file")
    DAMAGED_IN_CORPUS = N_("is damaged in the corpus")
    NO_MEMORY = N_("needs more memory to unpack than is available")

    # Repositories.
    REPOSITORY = N_("is a git repository")
    REPOSITORY_BUT = N_("is a git repository, but %(listed)s")
    COMMITTED = N_("is a git repository: its files are compared as of commit %(commit)s")
    ELSEWHERE = N_("is a file that names another folder, which is not looked at")
    NOT_NEEDED = N_("is not needed")
    NOT_COMMITTED = N_(
        "is missing in the repository, damaged, or larger than %(largest_object)s MiB"
    )

    def message(self, *values: object) -> Message:
        """Return the message, with the values of its template in their order."""
        return M_(self.value, *values) if isinstance(self.value, str) else NM_(*self.value, *values)

    @classmethod
    def of(cls, said: str) -> "Reason | None":
        """Return the reason that a message states; None for any other text."""
        return _BY_TEMPLATE.get(id_of(said))


_BY_TEMPLATE: Final = {
    reason.value if isinstance(reason.value, str) else reason.value[0]: reason for reason in Reason
}

# Reasons of what is no student's, or is compared where it was given first.
NOT_STUDENTS: Final = frozenset(
    {Reason.GIVEN_TWICE, Reason.IN_TWO_ROLES, Reason.OWN_REPORT, Reason.OWN_RESULT}
)
# An ignored folder that contains a program may hide it from reviewers, so this is reported.
WITH_PROGRAM: Final = {
    Reason.HIDDEN: Reason.HIDDEN_PROGRAM,
    Reason.GENERATED_FILE: Reason.GENERATED_PROGRAM,
}
# What a tool wrote, by the name or the content of a file or folder.
MACHINE_MADE: Final = (
    *(Reason.NAMED_MINIFIED, Reason.MINIFIED, Reason.MARKED_GENERATED, Reason.GENERATED),
    Reason.BUILT,
)


def limit_of(said: str) -> str:
    """Return the option whose limit a message is about, such as ``--max-ratio``; else empty."""
    if not isinstance(said, Message):
        return ""
    if Reason.of(said) is Reason.SHARE_SPENT and isinstance(said.params["error"], str):
        return limit_of(said.params["error"])
    return str(said.params["limit"]) if Reason.of(said) is Reason.OVER_LIMIT else ""


def without_limit(said: str) -> str:
    """Return a message about a limit without the option that sets it; any other one as it is."""
    if not isinstance(said, Message) or Reason.of(said) is not Reason.OVER_LIMIT:
        return said
    message = said.params["message"]
    return message if isinstance(message, str) else said
