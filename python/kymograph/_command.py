"""The command ``kymo``, which the package contains."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

# Functions import the modules that they need: an import of the package takes half of the time.
if TYPE_CHECKING:
    import pathlib
    import subprocess
    import tempfile


class CommandError(RuntimeError):
    """The command ended without a result. ``status`` is its exit status, the text its messages."""

    def __init__(self, text: str, status: int) -> None:
        super().__init__(text)
        self.status = status


class Report:
    """A page of ``kymo report``, which a notebook shows."""

    def __init__(self, path: pathlib.Path, folder: tempfile.TemporaryDirectory[str] | None = None) -> None:
        self.path = path
        # Removed with the report.
        self._folder = folder

    def __repr__(self) -> str:
        return f"<kymograph.Report {self.path}>"

    def _repr_html_(self) -> str:
        import html

        # The page has scripts of its own, which must not meet those of the notebook.
        page = html.escape(self.path.read_text(encoding="utf-8"), quote=True)
        return f'<iframe srcdoc="{page}" width="100%" height="800" style="border: 0"></iframe>'


class Picture:
    """A picture of ``kymo report``, which a notebook shows."""

    def __init__(self, svg: str) -> None:
        self.svg = svg

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the picture to a file of the format SVG."""
        with open(path, "w", encoding="utf-8") as file:
            file.write(self.svg)

    def __repr__(self) -> str:
        return f"<kymograph.Picture of {len(self.svg):,} bytes>"

    def _repr_svg_(self) -> str:
        return self.svg

    def to_html(self) -> str:
        """Returns the picture as an image of HTML, which has the width of the page or less."""
        import base64

        # As an image, it has ids and styles of its own.
        data = base64.b64encode(self.svg.encode()).decode()
        return f'<img style="max-width: 100%" alt="time line" src="data:image/svg+xml;base64,{data}">'


def command() -> pathlib.Path:
    """Returns the path of the command: the one that was installed with the package, or else the one in
    the search path."""
    import pathlib
    import shutil
    import sysconfig

    with_pip = pathlib.Path(sysconfig.get_path("scripts")) / "kymo"
    # The package is in `lib/kymo/python` of a prefix.
    with_archive = [folder / "bin" / "kymo" for folder in list(pathlib.Path(__file__).resolve().parents)[4:5]]
    for path in [with_pip, *with_archive]:
        if path.is_file():
            return path
    found = shutil.which("kymo")
    if found is None:
        raise FileNotFoundError(f"{with_pip}: the command kymo is not installed")
    return pathlib.Path(found)


def libraries() -> pathlib.Path:
    """Returns the folder of the plugin for Score-P, for LD_LIBRARY_PATH."""
    import pathlib
    import sysconfig

    return pathlib.Path(sysconfig.get_path("data")) / "lib"


def _run(
    *arguments: str | os.PathLike[str], allowed: tuple[int, ...] = (0,)
) -> subprocess.CompletedProcess[str]:
    import subprocess

    done = subprocess.run([command(), *arguments], capture_output=True, text=True, check=False)
    if done.returncode not in allowed:
        raise CommandError(done.stderr.strip() or f"kymo: exit status {done.returncode}", done.returncode)
    return done


def json_of(*arguments: str | os.PathLike[str]) -> Any:
    """Returns the JSON document that the command prints."""
    import json

    return json.loads(_run(*arguments).stdout)


def picture(path: str | os.PathLike[str], kind: str, *options: str) -> Picture:
    """Draws a part of ``kymo report``."""
    return Picture(_run("report", "--format", "svg", "--picture", kind, *options, "-o", "-", path).stdout)


def check(path: str | os.PathLike[str]) -> list[dict[str, Any]]:
    """Returns the findings of ``kymo check --json`` about an archive; an empty list if it is sound."""
    import json

    lines = _run("check", "--json", path, allowed=(0, 1, 3)).stdout.splitlines()
    # The last line is the summary.
    return [json.loads(line) for line in lines[:-1]]


def merge(paths: list[str | os.PathLike[str]], output: str | os.PathLike[str]) -> None:
    """Makes one archive of several."""
    _run("merge", *paths, "-o", output)


def report(path: str | os.PathLike[str], output: str | os.PathLike[str] | None = None) -> Report:
    """Makes the page of ``kymo report``, which a notebook shows. Without ``output``, its file exists as
    long as the report."""
    import pathlib
    import tempfile

    folder = None
    if output is None:
        folder = tempfile.TemporaryDirectory(prefix="kymograph-")
        output = os.path.join(folder.name, "report.html")
    _run("report", "-o", output, path)
    return Report(pathlib.Path(output), folder)
