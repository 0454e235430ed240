//! The MPI libraries that programs are compiled with, and their launchers.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use kymo_plugin_tests::testing::{TemporaryFolder, build_plugin, build_program, otf2_print};

use super::expectation::Expectation;
use crate::common::names;

/// An MPI library, as Debian installs them side by side.
#[derive(Clone, Copy, Debug)]
pub(super) enum Library {
    OpenMpi,
    Mpich,
}

/// A run that has ended.
pub(super) struct Ended {
    folder: TemporaryFolder,
    output: Output,
}

impl Library {
    /// Returns the libraries of this machine; in CI, both must be there.
    pub(super) fn installed() -> impl Iterator<Item = Self> {
        [Self::OpenMpi, Self::Mpich].into_iter().filter(|library| {
            let programs = [library.compiler("cc"), library.compiler("f90"), library.launcher().to_owned()];
            let missing =
                programs.iter().find(|program| Command::new(program).arg("--version").output().is_err());
            if let Some(program) = missing {
                assert!(std::env::var_os("CI").is_none(), "{program} is missing");
                eprintln!("NOT TESTED with {library:?}: {program} is missing");
            }
            missing.is_none()
        })
    }

    pub(super) fn name(self) -> &'static str {
        match self {
            Self::OpenMpi => "openmpi",
            Self::Mpich => "mpich",
        }
    }

    fn compiler(self, language: &str) -> String {
        format!("mpi{language}.{}", self.name())
    }

    fn launcher(self) -> &'static str {
        match self {
            Self::OpenMpi => "mpirun.openmpi",
            Self::Mpich => "mpiexec.hydra",
        }
    }

    /// Compiles a program, once for each Fortran binding; returns the paths of the executables, each
    /// in a folder with its libraries.
    pub(super) fn compile(self, name: &str, expectation: &Expectation) -> Vec<PathBuf> {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("mpi").join(self.name()).join(name);
        std::fs::create_dir_all(&folder).expect("a folder");
        let program = |end: &str| folder.join(format!("{name}{end}"));
        let bindings = expectation.bindings();
        if !bindings.is_empty() {
            let options = |binding| format!("-DBINDING={binding} -fallow-argument-mismatch -w");
            return bindings
                .into_iter()
                .map(|binding| {
                    let source = format!("fortran/{name}.F90");
                    let output = program(&format!("-{binding}"));
                    self.run_compiler("f90", &options(binding), &[&source], output)
                })
                .collect();
        }
        let source = format!("c/{name}.c");
        if let Some(library) = expectation.text("library") {
            let sources = format!("c/{library}.c");
            self.run_compiler("cc", "-shared -fPIC", &[&sources], folder.join(format!("lib{name}.so")));
            return vec![compile("cc", "-Wall -Wextra -Werror", &[&source], program(""))];
        }
        if let Some(part) = expectation.text("fortran") {
            let object = folder.join("part.o");
            self.run_compiler("f90", "-c", &[&format!("fortran/{part}.f90")], object.clone());
            let main = self.run_compiler("cc", "-c", &[&source], folder.join("main.o"));
            let parts = [&main, &object].map(|path| path.to_string_lossy().into_owned());
            return vec![self.run_compiler("f90", "", &parts.each_ref().map(String::as_str), program(""))];
        }
        vec![self.run_compiler("cc", "-pthread", &[&source], program(""))]
    }

    fn run_compiler(self, language: &str, options: &str, sources: &[&str], output: PathBuf) -> PathBuf {
        compile(&self.compiler(language), options, sources, output)
    }

    /// Runs a program without recording.
    pub(super) fn run(self, program: &Path, expectation: &Expectation) -> Ended {
        let command = self.launched(program, expectation);
        Ended::of(command)
    }

    /// Runs a program, including its launcher, under `kymo record --with mpi`.
    pub(super) fn record(self, program: &Path, expectation: &Expectation) -> Ended {
        build_plugin("kymo-plugin");
        build_plugin("kymo-runtime");
        let launched = self.launched(program, expectation);
        let mut command = Command::new(build_program("kymo"));
        command.args(["record", "--with", "mpi", "-o", "recorded", "--"]);
        command.arg(launched.get_program()).args(launched.get_args());
        Ended::of(command)
    }

    fn launched(self, program: &Path, expectation: &Expectation) -> Command {
        let mut command = Command::new(self.launcher());
        command.arg("-n").arg(expectation.ranks.to_string()).arg(program);
        if expectation.text("library").is_some() {
            let name = program.file_name().expect("a name").to_string_lossy();
            command.arg(program.with_file_name(format!("lib{name}.so")));
        }
        command
    }
}

pub(super) fn compile(compiler: &str, options: &str, sources: &[&str], output: PathBuf) -> PathBuf {
    let mut command = Command::new(compiler);
    command.current_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/mpi"));
    command.args(["-g"]).args(options.split_ascii_whitespace()).args(sources).arg("-o").arg(&output);
    let ended = command.output().unwrap_or_else(|error| panic!("{command:?}: {error}"));
    assert!(ended.status.success(), "{command:?}: {}", String::from_utf8_lossy(&ended.stderr));
    output
}

impl Ended {
    fn of(mut command: Command) -> Self {
        let folder = TemporaryFolder::new("mpi");
        for (name, _) in std::env::vars_os() {
            if ["SCOREP_", "KYMO_"].iter().any(|start| name.to_string_lossy().starts_with(start)) {
                command.env_remove(name);
            }
        }
        command.current_dir(&*folder).stdin(std::process::Stdio::null());
        command.env("OMPI_ALLOW_RUN_AS_ROOT", "1").env("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1");
        command.env("OMPI_MCA_rmaps_base_oversubscribe", "1");
        let output = command.output().unwrap_or_else(|error| panic!("{command:?}: {error}"));
        Self { folder, output }
    }

    /// Returns what the program showed: status, output, and errors except the lines of `kymo`.
    pub(super) fn visible(&self) -> (Option<i32>, String, String) {
        let [stdout, stderr] =
            [&self.output.stdout, &self.output.stderr].map(|text| String::from_utf8_lossy(text));
        let errors = stderr.lines().filter(|line| !line.starts_with("kymo: "));
        (self.output.status.code(), stdout.into_owned(), errors.collect::<Vec<_>>().join("\n"))
    }

    /// Returns the archive of all ranks as `otf2-print -A` prints it.
    pub(super) fn archive(&self) -> String {
        let folder = self.folder.join("recorded/kymo");
        let stderr = String::from_utf8_lossy(&self.output.stderr);
        assert!(folder.is_dir(), "{:?}\n{stderr}", names(&self.folder));
        otf2_print(&folder.join("traces.otf2"))
    }
}
