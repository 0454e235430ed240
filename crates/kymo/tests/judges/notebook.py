"""Runs the code cells of a notebook in one interpreter and prints the output of each of them, as a
JSON list. A line that begins with `!` is a shell command, as in Jupyter."""

import contextlib
import io
import json
import subprocess
import sys

names = {}
printed = []
with open(sys.argv[1]) as file:
    cells = json.load(file)["cells"]
for cell in cells:
    if cell["cell_type"] != "code":
        continue
    out = io.StringIO()
    code = []
    for line in "".join(cell["source"]).splitlines():
        if line.startswith("!"):
            code.append(f"_shell({line[1:]!r})")
        else:
            code.append(line)

    def _shell(command):
        run = subprocess.run(command, shell=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        print(run.stdout, end="")
        run.check_returncode()

    names["_shell"] = _shell
    with contextlib.redirect_stdout(out):
        exec("\n".join(code), names)
    printed.append(out.getvalue())
print(json.dumps(printed))
