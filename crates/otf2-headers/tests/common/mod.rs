//! Compilers, and the headers of OTF2 as other software installs them.

pub(crate) mod debian;
pub(crate) mod declarations;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// Every warning is an error.
const STRICT: [&str; 4] = ["-Wall", "-Wextra", "-pedantic", "-Werror"];

/// A language with its standard.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Language {
    C(&'static str),
    Cpp(&'static str),
}

/// The languages in which programs use the headers.
pub(crate) const LANGUAGES: [Language; 4] =
    [Language::C("c99"), Language::C("c11"), Language::Cpp("c++11"), Language::Cpp("c++17")];

impl Language {
    fn compiler(self) -> Command {
        let (variable, usual) = match self {
            Self::C(_) => ("CC", "cc"),
            Self::Cpp(_) => ("CXX", "c++"),
        };
        kymo_testdata::compiler(variable, usual)
    }

    fn mpi_compiler(self) -> Command {
        Command::new(match self {
            Self::C(_) => "mpicc",
            Self::Cpp(_) => "mpicxx",
        })
    }

    fn options(self) -> [String; 3] {
        let (name, standard) = match self {
            Self::C(standard) => ("c", standard),
            Self::Cpp(standard) => ("c++", standard),
        };
        [format!("-std={standard}"), "-x".to_owned(), name.to_owned()]
    }
}

/// Returns a folder of this package.
pub(crate) fn package() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Returns the folder that programs pass with `-I`.
pub(crate) fn include() -> PathBuf {
    package().join("../otf2-c/include")
}

/// Returns the names of all headers, sorted.
pub(crate) fn headers(include: &Path) -> Vec<String> {
    let entries = fs::read_dir(include.join("otf2")).expect("the folder of the headers");
    let names = entries.map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned());
    let mut names: Vec<String> = names.filter(|name| name.ends_with(".h")).collect();
    names.sort();
    names
}

/// Returns the options that a header needs, with the compiler of MPI if it needs that: `None`
/// without MPI, which is reported.
pub(crate) fn compiler_for(header: &str, language: Language) -> Option<Command> {
    let mut command = match header {
        "OTF2_MPI_Collectives.h" => {
            if !has_mpi() {
                return None;
            }
            language.mpi_compiler()
        }
        _ => language.compiler(),
    };
    match header {
        // The C++ interface of Open MPI, which is older than C++11, has warnings of its own.
        "OTF2_MPI_Collectives.h" => command.args(["-DOMPI_SKIP_MPICXX=1", "-DMPICH_SKIP_MPICXX=1"]),
        "OTF2_OpenMP_Locks.h" => command.arg("-fopenmp"),
        "OTF2_Pthread_Locks.h" => command.arg("-pthread"),
        _ => &mut command,
    };
    Some(command)
}

fn has_mpi() -> bool {
    ["mpicc", "mpicxx", "mpirun"].into_iter().all(kymo_testdata::is_installed)
}

/// Checks the syntax of a source text.
pub(crate) fn check(mut compiler: Command, language: Language, text: &str) -> Output {
    let folder = tempfile::tempdir().expect("a folder");
    let source = folder.path().join("source");
    fs::write(&source, text).expect("a source file");
    compiler.args(language.options()).args(STRICT).arg("-fsyntax-only").arg("-I").arg(include()).arg(&source);
    compiler.output().unwrap_or_else(|error| panic!("{compiler:?}: {error}"))
}

/// Checks the syntax of a source text that must be right.
pub(crate) fn accept(language: Language, text: &str) {
    accept_with(language.compiler(), language, text);
}

/// Checks the syntax of a source text that must be right, with a compiler and further options.
pub(crate) fn accept_with(compiler: Command, language: Language, text: &str) {
    let output = check(compiler, language, text);
    assert!(output.status.success(), "{language:?}:\n{}", messages(&output));
}

/// Returns the compiler's messages about a source text that must be wrong.
pub(crate) fn refuse(language: Language, text: &str) -> String {
    let output = check(language.compiler(), language, text);
    assert!(!output.status.success(), "{language:?}: accepted\n{text}");
    messages(&output)
}

/// Compiles a program; returns its path.
pub(crate) fn build(
    mut compiler: Command,
    language: Language,
    source: &Path,
    folder: &Path,
    libraries: &[&str],
) -> PathBuf {
    let program = folder.join(source.file_stem().expect("a name"));
    compiler.args(language.options()).args(STRICT).args(["-O1", "-g", "-I"]).arg(include());
    compiler.arg(source).args(["-x", "none"]).args(libraries).arg("-o").arg(&program);
    kymo_testdata::succeed(&mut compiler);
    program
}

/// Runs a command, which must succeed; returns its output.
pub(crate) fn run(command: &mut Command) -> String {
    String::from_utf8_lossy(&kymo_testdata::succeed(command).stdout).into_owned()
}

pub(crate) fn messages(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).chars().take(4000).collect()
}
