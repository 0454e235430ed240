"""Makes a wheel of the tree that a release archive contains.

    python3 wheel.py TREE VERSION MACHINE FOLDER [LEVEL]

The command becomes a script and its libraries become data, so that `bin/kymo` finds `../lib` in
every environment. The package `kymograph` is that of the tree: its native part is for all Pythons from 3.9
on. The wheel depends on its content alone: the time of all files is that of SOURCE_DATE_EPOCH.
"""

import base64
import hashlib
import os
import pathlib
import sys
import time
import zipfile

SUMMARY = "Record parallel programs as OTF2 traces, and analyse them with data frames"
# The files that the command needs, and those that it installs for building programs.
DATA = ["lib/libkymo_runtime.so", "lib/libscorep_substrate_kymo.so", "include/kymo", "include/scorep", "share/man"]

# The package of Python.
PACKAGE = "lib/kymo/python/kymograph"

METADATA = """Metadata-Version: 2.1
Name: kymograph
Version: {version}
Summary: {summary}
License: BSD-3-Clause
Requires-Python: >=3.9
Classifier: Environment :: Console
Classifier: License :: OSI Approved :: BSD License
Classifier: Operating System :: POSIX :: Linux
Classifier: Topic :: Software Development :: Debuggers
Description-Content-Type: text/markdown

{readme}"""


def main(tree, version, machine, folder, level="9"):
    tree, tag = pathlib.Path(tree), f"manylinux_2_17_{machine}.manylinux2014_{machine}"
    data, info = f"kymograph-{version}.data", f"kymograph-{version}.dist-info"
    wheel = f"Wheel-Version: 1.0\nGenerator: kymo\nRoot-Is-Purelib: false\nTag: cp39-abi3-manylinux_2_17_{machine}\nTag: cp39-abi3-manylinux2014_{machine}\n"
    readme = pathlib.Path(__file__).with_name("wheel.md").read_text()
    files = {
        f"{data}/scripts/kymo": (tree / "bin/kymo").read_bytes(),
        f"{info}/METADATA": METADATA.format(version=version, summary=SUMMARY, readme=readme).encode(),
        f"{info}/WHEEL": wheel.encode(),
        f"{info}/licenses/LICENSE": (tree / "share/doc/kymo/LICENSE").read_bytes(),
    }
    for path in sorted((tree / PACKAGE).iterdir()):
        files[f"kymograph/{path.name}"] = path.read_bytes()
    for name in DATA:
        for path in [tree / name] if (tree / name).is_file() else sorted((tree / name).rglob("*")):
            if path.is_file():
                files[f"{data}/data/{path.relative_to(tree)}"] = path.read_bytes()
    write(pathlib.Path(folder) / f"kymograph-{version}-cp39-abi3-{tag}.whl", files, f"{info}/RECORD", int(level))


def write(path, files, record, level):
    def sum_of(content):
        return base64.urlsafe_b64encode(hashlib.sha256(content).digest()).decode().rstrip("=")

    lines = [f"{name},sha256={sum_of(content)},{len(content)}" for name, content in sorted(files.items())]
    files[record] = ("\n".join([*lines, f"{record},,"]) + "\n").encode()
    moment = time.gmtime(max(int(os.environ["SOURCE_DATE_EPOCH"]), 315532800))[:6]
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=level) as archive:
        for name, content in sorted(files.items()):
            entry = zipfile.ZipInfo(name, moment)
            entry.external_attr = (0o100755 if "/scripts/" in name or name.endswith(".so") else 0o100644) << 16
            entry.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(entry, content)
    print(path.name)


if __name__ == "__main__":
    main(*sys.argv[1:])
