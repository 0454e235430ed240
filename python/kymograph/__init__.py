"""OTF2 traces of parallel programs as tables, and the command ``kymo``.

    >>> import kymograph
    >>> trace = kymograph.open(EXAMPLE)
    >>> int(trace.profile().to_pandas()["visits"].sum()) == trace.calls().to_arrow().num_rows
    True

Tables go into pyarrow, Polars, pandas and DuckDB in batches of Arrow, and are read while they are asked
for: a table that is larger than memory can be streamed. Times are nanoseconds since the start of the trace.
"""

from kymograph._command import CommandError, Picture, Report, check, command, libraries, merge, report
from kymograph._native import __VERSION__ as __version__
from kymograph._native import TraceError
from kymograph._recording import Recording, record
from kymograph._table import Table
from kymograph._trace import Trace, open
from kymograph._writer import Writer

__all__ = [
    "CommandError",
    "Picture",
    "Recording",
    "Report",
    "Table",
    "Trace",
    "TraceError",
    "Writer",
    "__version__",
    "check",
    "command",
    "libraries",
    "merge",
    "open",
    "record",
    "report",
]
