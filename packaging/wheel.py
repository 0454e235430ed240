"""Makes a wheel of the tree that a release archive contains.

    python3 wheel.py TREE VERSION MACHINE FOLDER [LEVEL]

The command becomes a script and its libraries become data, so that `bin/kymo` finds `../lib` in
every environment. The package `kymograph` tells where they are. The wheel depends on its content
alone: the time of all files is that of SOURCE_DATE_EPOCH.
"""

import base64
import hashlib
import os
import pathlib
import sys
import time
import zipfile

SUMMARY = "Record programs and parallel programs as OTF2 traces, and look at them"
# The files that the command needs, and those that it installs for building programs.
DATA = ["lib/libkymo_runtime.so", "lib/libscorep_substrate_kymo.so", "include/kymo", "include/scorep", "share/man"]

MODULE = '''"""The command `kymo`, which records programs as OTF2 traces."""

import pathlib
import sysconfig

__version__ = "{version}"


def command() -> pathlib.Path:
    """Returns the path of the command `kymo`."""
    return pathlib.Path(sysconfig.get_path("scripts")) / "kymo"


def libraries() -> pathlib.Path:
    """Returns the folder of the plugin for Score-P, for LD_LIBRARY_PATH."""
    return pathlib.Path(sysconfig.get_path("data")) / "lib"
'''

METADATA = """Metadata-Version: 2.1
Name: kymograph
Version: {version}
Summary: {summary}
License: BSD-3-Clause
Requires-Python: >=3.8
Classifier: Environment :: Console
Classifier: License :: OSI Approved :: BSD License
Classifier: Operating System :: POSIX :: Linux
Classifier: Topic :: Software Development :: Debuggers
Description-Content-Type: text/markdown

{readme}"""


def main(tree, version, machine, folder, level="9"):
    tree, tag = pathlib.Path(tree), f"manylinux_2_17_{machine}.manylinux2014_{machine}"
    data, info = f"kymograph-{version}.data", f"kymograph-{version}.dist-info"
    wheel = f"Wheel-Version: 1.0\nGenerator: kymo\nRoot-Is-Purelib: false\nTag: py3-none-manylinux_2_17_{machine}\nTag: py3-none-manylinux2014_{machine}\n"
    readme = pathlib.Path(__file__).with_name("wheel.md").read_text()
    files = {
        "kymograph/__init__.py": MODULE.format(version=version).encode(),
        "kymograph/py.typed": b"",
        f"{data}/scripts/kymo": (tree / "bin/kymo").read_bytes(),
        f"{info}/METADATA": METADATA.format(version=version, summary=SUMMARY, readme=readme).encode(),
        f"{info}/WHEEL": wheel.encode(),
        f"{info}/licenses/LICENSE": (tree / "share/doc/kymo/LICENSE").read_bytes(),
    }
    for name in DATA:
        for path in [tree / name] if (tree / name).is_file() else sorted((tree / name).rglob("*")):
            if path.is_file():
                files[f"{data}/data/{path.relative_to(tree)}"] = path.read_bytes()
    write(pathlib.Path(folder) / f"kymograph-{version}-py3-none-{tag}.whl", files, f"{info}/RECORD", int(level))


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
