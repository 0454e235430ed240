# Builds Kymo from sources. Put this file into a repository of packages as kymo/package.py.
# The archive of the sources is kymo-<version>.tar.gz in the folder where spack runs:
#
#     git archive --prefix kymo-0.1.0/ -o kymo-0.1.0.tar.gz HEAD
#     spack install --no-checksum kymo

import os

from spack_repo.builtin.build_systems.cargo import CargoPackage

from spack.package import *


class Kymo(CargoPackage):
    """Kymo records parallel programs as OTF2 traces, as a plugin of Score-P or with a measurement
    runtime of its own, and shows where the time goes."""

    # Kymo has no page of its own yet; this is the page of the software that it extends.
    homepage = "https://www.score-p.org"
    url = f"file://{os.getcwd()}/kymo-0.1.0.tar.gz"
    manual_download = True

    license("BSD-3-Clause")

    version("0.1.0")

    depends_on("c", type="build")
    depends_on("rust@1.88:", type="build")

    # The runtime reads the unwind information of ELF and the files of /proc.
    conflicts("platform=darwin")
    conflicts("platform=windows")
    requires("target=x86_64:", "target=aarch64:", policy="one_of")

    executables = ["^kymo$"]

    @classmethod
    def determine_version(cls, exe):
        output = Executable(exe)("--version", output=str, error=str)
        return output.split()[-1] if output.startswith("kymo ") else None

    def build(self, spec, prefix):
        # The installation compiles the sources that it copies.
        pass

    def install(self, spec, prefix):
        cargo("xtask", "install", "--profile", "dist", "--prefix", prefix)

    def check(self):
        Executable(self.prefix.bin.kymo)("record", "-o", "recorded", "--", "true")

    def setup_run_environment(self, env):
        # Where Score-P finds the plugin.
        env.prepend_path("LD_LIBRARY_PATH", self.prefix.lib)
