"""The form that programs are compared in: without what a copier can add, drop or change freely.

Pieces are laid out as symbols; those in statements that say nothing go, and what can be said in
several ways becomes one of them.
"""

from __future__ import annotations

from mosslite.frontends.normalization.form import normalized

__all__ = ["normalized"]
