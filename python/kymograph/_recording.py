"""Programs that the command records."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING

from kymograph import _command, _native
from kymograph._trace import Trace

if TYPE_CHECKING:
    import pathlib
    import tempfile
    from types import TracebackType

    from typing_extensions import Self


class Recording:
    """A program that :func:`record` has recorded. ``path`` is the folder of the measurement, ``trace``
    its trace, and ``returncode`` the exit status of the program, or 128 and the number of the signal that
    ended it."""

    def __init__(
        self,
        path: pathlib.Path,
        trace: Trace,
        returncode: int,
        folder: tempfile.TemporaryDirectory[str] | None,
    ) -> None:
        self.path = path
        self.trace = trace
        self.returncode = returncode
        # Removed with the recording.
        self._folder = folder

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._folder is not None:
            self._folder.cleanup()

    def __repr__(self) -> str:
        return f"<kymograph.Recording {self.path}: exit status {self.returncode}>"


def record(
    program: Sequence[str | os.PathLike[str]],
    output: str | os.PathLike[str] | None = None,
    *,
    options: Sequence[str] = (),
) -> Recording:
    """Runs a program to its end with ``kymo record``, and returns its recording.

        with kymograph.record(["./solver", "input"], options=["--with", "io"]) as recording:
            print(recording.trace.profile().to_pandas())

    Without ``output``, the trace exists until the end of the ``with``, or as long as the recording. The
    program has the standard streams of this one. Raises :class:`kymograph.CommandError` if nothing was
    recorded.
    """
    import pathlib
    import subprocess
    import tempfile

    if isinstance(program, (str, bytes)):
        raise TypeError("program: expected a list of the program and its arguments")
    folder = None
    if output is not None and os.path.isdir(output) and os.listdir(output):
        raise FileExistsError(f"{os.fspath(output)}: a recording needs a folder without files")
    if output is None:
        folder = tempfile.TemporaryDirectory(prefix="kymograph-")
        output = os.path.join(folder.name, "recording")
    command = [_command.command(), "record", "-q", "-o", output, *options, "--", *program]
    status = subprocess.run(command, check=False).returncode
    try:
        trace = Trace(output)
    except (FileNotFoundError, _native.TraceError):
        raise _command.CommandError(f"kymo record: exit status {status}, and no trace", status) from None
    return Recording(pathlib.Path(output), trace, status, folder)
