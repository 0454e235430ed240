//! The MPI libraries that programs are compiled with, and their launchers.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use kymo_plugin_tests::testing::{TemporaryFolder, build_plugin, build_program, otf2_print, plugin_folder};

use super::expectation::Expectation;
use crate::common::names;

/// An MPI library, as Debian installs them side by side.
#[derive(Clone, Copy, Debug)]
pub(super) enum Library {
    OpenMpi,
    Mpich,
}

/// Where `kymo record` is in the command.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Order {
    Plain,
    /// `kymo record -- mpirun …`
    Outside,
    /// `mpirun … kymo record -- …`
    Inside,
}

/// A run that has ended.
pub(super) struct Ended {
    folder: TemporaryFolder,
    output: Output,
}

impl Library {
    /// Returns the libraries of this machine, and reports which are missing.
    pub(super) fn installed() -> impl Iterator<Item = Self> {
        [Self::OpenMpi, Self::Mpich].into_iter().filter(|library| {
            let programs = [library.compiler("cc"), library.compiler("f90"), library.launcher().to_owned()];
            programs.iter().all(|program| kymo_testdata::is_installed(program))
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

    /// Compiles a program, once for each Fortran binding; returns the paths of the executables.
    pub(super) fn compile(self, name: &str, expectation: &Expectation) -> Vec<PathBuf> {
        let output = executable(self.name(), name);
        let next_to_it = |end: &str| output.with_file_name(format!("{}{end}", file_name(&output)));
        let source = format!("c/{name}.c");
        let bindings = expectation.bindings();
        if !bindings.is_empty() {
            let source = format!("fortran/{name}.F90");
            let compile = |binding| {
                let options = format!("-DBINDING={binding} -fallow-argument-mismatch -w");
                self.run_compiler("f90", &options, &[&source], next_to_it(&format!("-{binding}")))
            };
            bindings.into_iter().map(compile).collect()
        } else if let Some(library) = expectation.text("library") {
            self.run_compiler("cc", "-shared -fPIC", &[&format!("c/{library}.c")], library_of(&output));
            vec![compile("cc", "", &[&source], output)]
        } else if let Some(part) = expectation.text("fortran") {
            let part = format!("fortran/{part}.f90");
            let part = self.run_compiler("f90", "-c", &[&part], next_to_it("-part.o"));
            let main = self.run_compiler("cc", "-c", &[&source], next_to_it("-main.o"));
            let parts = [&main, &part].map(|path| path.to_string_lossy().into_owned());
            vec![self.run_compiler("f90", "", &parts.each_ref().map(String::as_str), output)]
        } else {
            vec![self.run_compiler("cc", "-pthread", &[&source], output)]
        }
    }

    /// Compiles a program that has no expectation.
    pub(super) fn compile_one(self, name: &str) -> PathBuf {
        let output = executable(self.name(), name);
        self.run_compiler("cc", "-pthread", &[&format!("c/{name}.c")], output)
    }

    fn run_compiler(self, language: &str, options: &str, sources: &[&str], output: PathBuf) -> PathBuf {
        compile(&self.compiler(language), options, sources, output)
    }

    /// Runs a program on this number of ranks, recorded or not.
    pub(super) fn run(self, order: Order, ranks: u64, program: &[OsString]) -> Ended {
        let launcher = [self.launcher().into(), "-n".into(), ranks.to_string().into()];
        let words = match order {
            Order::Plain => [&launcher[..], program].concat(),
            Order::Outside => [&record()[..], &launcher, program].concat(),
            Order::Inside => [&launcher[..], &record(), program].concat(),
        };
        Ended::of(&words)
    }
}

/// Returns the path for an executable, in a folder that exists.
fn executable(library: &str, name: &str) -> PathBuf {
    let folder = plugin_folder().join("mpi").join(library).join(name);
    std::fs::create_dir_all(&folder).expect("a folder");
    // Tests that use the same program at a time have one each.
    let thread = std::thread::current();
    folder.join(format!("{name}-{}", thread.name().unwrap_or_default().replace("::", "-")))
}

/// Compiles a program in C without MPI.
pub(super) fn compile_c(name: &str) -> PathBuf {
    compile("cc", "", &[&format!("c/{name}.c")], executable("none", name))
}

pub(super) fn compile(compiler: &str, options: &str, sources: &[&str], output: PathBuf) -> PathBuf {
    let mut command = Command::new(compiler);
    command.current_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/mpi"));
    command.args(["-g"]).args(options.split_ascii_whitespace()).args(sources).arg("-o").arg(&output);
    let ended = command.output().unwrap_or_else(|error| panic!("{command:?}: {error}"));
    assert!(ended.status.success(), "{command:?}: {}", String::from_utf8_lossy(&ended.stderr));
    output
}

/// Returns the words that record the program after them, with everything that they need built.
pub(super) fn record() -> [OsString; 7] {
    build_plugin("kymo-plugin");
    build_plugin("kymo-runtime");
    let kymo = build_program("kymo").into_os_string();
    [kymo, "record".into(), "--with".into(), "mpi".into(), "-o".into(), "recorded".into(), "--".into()]
}

fn file_name(path: &Path) -> String {
    path.file_name().expect("a name").to_string_lossy().into_owned()
}

/// Returns the path of the library that a program opens.
fn library_of(program: &Path) -> PathBuf {
    program.with_file_name(format!("lib{}.so", file_name(program)))
}

/// Returns the words of a program with its arguments.
pub(super) fn words(program: &Path, expectation: &Expectation) -> Vec<OsString> {
    let argument = expectation.text("library").map(|_| library_of(program).into_os_string());
    [program.as_os_str().to_owned()].into_iter().chain(argument).collect()
}

impl Ended {
    /// Runs a command in a folder of its own.
    pub(super) fn of(words: &[OsString]) -> Self {
        // Scratch files of others are not seen.
        let (folder, scratch) = (TemporaryFolder::new("mpi"), TemporaryFolder::in_memory("mpi"));
        let (program, arguments) = words.split_first().expect("a program");
        let mut command = Command::new(program);
        command.args(arguments);
        for (name, _) in std::env::vars_os() {
            if ["SCOREP_", "KYMO_"].iter().any(|start| name.to_string_lossy().starts_with(start)) {
                command.env_remove(name);
            }
        }
        command.current_dir(&*folder).stdin(std::process::Stdio::null());
        command.env("SCOREP_SUBSTRATE_KYMO_SCRATCH", &*scratch);
        command.env("OMPI_ALLOW_RUN_AS_ROOT", "1").env("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1");
        command.env("OMPI_MCA_rmaps_base_oversubscribe", "1");
        command.env(kymo_testdata::OPEN_MPI_FOLDER, &*folder);
        let output = command.output().unwrap_or_else(|error| panic!("{command:?}: {error}"));
        Self { folder, output }
    }

    /// Returns the visible result of the program: status, output, and errors except the lines of
    /// `kymo`.
    pub(super) fn visible(&self) -> (Option<i32>, String, String) {
        let [stdout, stderr] =
            [&self.output.stdout, &self.output.stderr].map(|text| String::from_utf8_lossy(text));
        let errors = stderr.lines().filter(|line| !line.starts_with("kymo: "));
        (self.output.status.code(), stdout.into_owned(), errors.collect::<Vec<_>>().join("\n"))
    }

    /// Returns all that was written to standard error.
    pub(super) fn messages(&self) -> String {
        String::from_utf8_lossy(&self.output.stderr).into_owned()
    }

    /// Returns the lines of `kymo` that report something unusual.
    pub(super) fn complaints(&self) -> Vec<String> {
        let usual = ["recorded ", "to print it: ", "the program has ended, but "];
        let stderr = String::from_utf8_lossy(&self.output.stderr);
        let lines = stderr.lines().filter_map(|line| line.strip_prefix("kymo: "));
        lines.filter(|line| !usual.iter().any(|start| line.starts_with(start))).map(str::to_owned).collect()
    }

    /// Returns the archive of all ranks as [`printed`] prints it.
    pub(super) fn archive(&self) -> String {
        let folder = self.folder.join("recorded/kymo");
        let stderr = String::from_utf8_lossy(&self.output.stderr);
        assert!(folder.is_dir(), "{:?}\n{stderr}", names(&self.folder));
        printed(&folder.join("traces.otf2"))
    }
}

/// Returns an archive as `otf2-print -A` prints it, with the records of OTF2 3.2, which it does not
/// know, as `kymo print -A` prints them.
pub(super) fn printed(anchor: &Path) -> String {
    const OF_3_2: [&str; 4] = ["MPI_PROBE ", "MPI_MRECV ", "MPI_IMRECV_REQUEST ", "MPI_IMRECV "];
    let mut command = Command::new(build_program("kymo"));
    let output = command.args(["print", "-A"]).arg(anchor).output().expect("kymo");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let mut text = otf2_print(anchor);
    let lines = String::from_utf8_lossy(&output.stdout);
    for line in lines.lines().filter(|line| OF_3_2.iter().any(|kind| line.starts_with(kind))) {
        text.push_str(line);
        text.push('\n');
    }
    text
}
