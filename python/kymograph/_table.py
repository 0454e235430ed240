"""Tables, and their forms in data libraries."""

from __future__ import annotations

import html
import itertools
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

from kymograph import _native

if TYPE_CHECKING:
    import pandas
    import polars
    import pyarrow

#: The number of rows that a notebook shows.
_SHOWN = 10


class Table:
    """A table of a trace.

    Its rows are read each time that they are asked for, in threads that do not hold the interpreter's
    lock. Every library that knows Arrow's PyCapsule interface reads it, for example
    ``pyarrow.table(table)``, ``polars.DataFrame(table)`` or ``duckdb.sql("FROM table")``.
    """

    def __init__(self, native: _native.Table, name: str) -> None:
        self._native = native
        self.name = name

    @property
    def columns(self) -> list[str]:
        """The names of the columns."""
        return self._native.columns

    def select(self, columns: Iterable[str]) -> Table:
        """Returns the table with these columns, in this order; the others are not made.

        ``trace.events().select(["location", "time", "kind"])`` does without the fields of events, which
        take longer than all other columns. Raises ``KeyError`` for a column that the table does not have.
        """
        names = [columns] if isinstance(columns, str) else list(columns)
        for name in names:
            if name not in self.columns:
                raise KeyError(
                    f"the table {self.name} has no column {name}: it has {', '.join(self.columns)}"
                )
        return Table(self._native.select(names), self.name)

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        """Returns a stream of rows; see Arrow's PyCapsule interface."""
        return self._native.__arrow_c_stream__(requested_schema)

    def __arrow_c_schema__(self) -> object:
        """Returns the schema; see Arrow's PyCapsule interface."""
        return self._native.__arrow_c_schema__()

    def batches(self) -> Iterator[pyarrow.RecordBatch]:
        """Yields the rows in batches, for tables that are larger than memory. Needs pyarrow."""
        import pyarrow

        if not hasattr(pyarrow.RecordBatchReader, "from_stream"):
            raise ImportError(f"pyarrow {pyarrow.__version__} is too old: 16 or later is needed")
        reader = pyarrow.RecordBatchReader.from_stream(self)
        while True:
            try:
                batch = reader.read_next_batch()
            except StopIteration:
                return
            except (pyarrow.ArrowException, OSError) as error:
                raise self._native.failure() or error from None
            yield batch

    def to_arrow(self) -> pyarrow.Table:
        """Returns all rows as a table of pyarrow."""
        import pyarrow

        return pyarrow.Table.from_batches(self.batches(), pyarrow.schema(self))

    def to_pandas(self) -> pandas.DataFrame:
        """Returns all rows as a data frame of pandas; names become categories. Needs pyarrow."""
        return self.to_arrow().to_pandas()

    def to_polars(self) -> polars.DataFrame:
        """Returns all rows as a data frame of Polars."""
        import polars

        return polars.DataFrame(self)

    def to_dicts(self) -> list[dict[str, Any]]:
        """Returns all rows as dictionaries; for small tables."""
        rows: list[dict[str, Any]] = self.to_arrow().to_pylist()
        return rows

    def __repr__(self) -> str:
        return f"<kymograph.Table {self.name}: {', '.join(self.columns)}>"

    def _repr_html_(self) -> str:
        rows = [
            row
            for batch in itertools.islice(self.batches(), 1)
            for row in batch.slice(0, _SHOWN + 1).to_pylist()
        ]
        head = "".join(f"<th>{html.escape(name)}</th>" for name in self.columns)
        body = "".join(
            "<tr>" + "".join(f"<td>{html.escape(_text(value))}</td>" for value in row.values()) + "</tr>"
            for row in rows[:_SHOWN]
        )
        more = "<p>… and more rows</p>" if len(rows) > _SHOWN else ""
        return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>{more}"


def _text(value: object) -> str:
    return "" if value is None else str(value)
