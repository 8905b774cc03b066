"""Which tokens are not a student's own: base code that was handed out and, on demand, common code.

As in SIGMOD 2003, section 5.2, base code is fingerprinted under a role of its own and what matches
it is discarded.
"""

from mosslite.boilerplate.base_code import BaseFile, index_base_file, mark_base_code, mark_passages
from mosslite.boilerplate.common_code import mark_common_code

__all__ = ["BaseFile", "index_base_file", "mark_base_code", "mark_common_code", "mark_passages"]
