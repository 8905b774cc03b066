"""Stages of a job: each is written as Parquet with a manifest, and is not done again."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from mosslite.errors import InputError
from mosslite.spark import session as files
from mosslite.spark.rows import SCHEMA, Row, table_function, tables_of
from mosslite.spark.session import doing

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from pyspark.sql import DataFrame, SparkSession

__all__ = ["Stages"]


@dataclass(eq=False)
class Stages:
    """The stages of one job in one folder.

    Attributes:
        session: What runs them.
        folder: A path or URL that every machine reaches.
        identity: What the stages depend on: versions, options and a digest of the input.
        on_share: Called with a stage and which share of its tasks is done.
        done: Names of the stages that are there, those of an earlier run among them.
    """

    session: SparkSession
    folder: str
    identity: dict[str, str]
    on_share: Callable[[str, float], None]
    done: list[str] = field(default_factory=list)

    def depend_on(self, **more: str) -> None:
        """Let the stages that follow depend on more."""
        self.identity = self.identity | more

    def given(self, name: str, rows: Iterable[Row]) -> DataFrame:
        """Write rows of this process."""

        def write(path: str) -> None:
            for nth, table in enumerate(tables_of(rows)):
                frame = self.session.createDataFrame(table, SCHEMA)
                frame.write.mode("append" if nth else "overwrite").parquet(path)

        return self._stage(name, write)

    def grouped(
        self, name: str, frame: DataFrame, function: Callable[[list[Row]], Iterable[Row]]
    ) -> DataFrame:
        """Call a function with all rows of each key, and write what it yields."""
        found = frame.groupBy("key").applyInArrow(table_function(function), SCHEMA)
        return self._stage(name, lambda path: found.write.mode("overwrite").parquet(path))

    def rows(self, frame: DataFrame, *kinds: str) -> list[Row]:
        """Fetch the rows of these kinds of a stage that is done, in no order."""
        chosen = frame.filter(frame.kind.isin(*kinds))
        table = doing(self.session, chosen.toArrow, lambda _: None)
        columns = (table[name].to_pylist() for name in ("key", "kind", "payload"))
        return [Row(*each) for each in zip(*columns, strict=True)]

    def _stage(self, name: str, write: Callable[[str], None]) -> DataFrame:
        path = f"{self.folder}/{name}"
        if not self._is_done(name):
            doing(self.session, lambda: write(path), lambda share: self.on_share(name, share))
            self._write_manifest(name)
        self.done.append(name)
        self.on_share(name, 1.0)
        return self.session.read.schema(SCHEMA).parquet(path)

    def _is_done(self, name: str) -> bool:
        """Return whether a stage is there.

        Raises:
            InputError: It is that of another job.
        """
        manifest = self._manifest(name)
        if manifest is None:
            return False
        wanted = self.identity | {"stage": name}
        other = sorted(key for key in wanted | manifest if wanted.get(key) != manifest.get(key))
        if other:
            msg = (
                f"stage {name!r} in {self.folder!r} is of another job (other {', '.join(other)}): "
                "remove the folder, or give another --stages"
            )
            raise InputError(msg)
        return True

    def _manifest(self, name: str) -> dict[str, Any] | None:
        text = files.read_text(self.session, self._manifest_path(name))
        if text is None:
            return None
        try:
            found = json.loads(text)
        except ValueError:
            found = {}
        return found if isinstance(found, dict) else {}

    def _write_manifest(self, name: str) -> None:
        """Write the manifest, after all else of a stage, so that it is there only with the rest."""
        text = json.dumps(self.identity | {"stage": name}, sort_keys=True)
        files.write_text(self.session, self._manifest_path(name), text)

    def _manifest_path(self, name: str) -> str:
        return f"{self.folder}/{name}/_manifest.json"

    def remove(self) -> None:
        """Remove the folder."""
        files.remove(self.session, self.folder)
