//! The files that are installed, in the places where loaders, compilers, `man` and shells look for
//! them.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::{config, skill};
use crate::process;
use crate::repository::root;
use crate::{Problem, of};

/// A file that is installed.
#[derive(Debug)]
pub(crate) struct File {
    /// The path relative to the prefix.
    pub(crate) path: PathBuf,
    pub(crate) content: Content,
}

#[derive(Debug)]
pub(crate) enum Content {
    Program(Vec<u8>),
    Data(Vec<u8>),
    /// A symbolic link; the target is relative to the link.
    Link(PathBuf),
}

const PROGRAM: &str = "kymo";
const LIBRARIES: [&str; 3] = ["libscorep_substrate_kymo.so", "libkymo_runtime.so", "libkymo_ttf.so"];
const STATIC_LIBRARY: &str = "libkymo_ttf.a";
/// The shells, and where they look for completions.
const SHELLS: [(&str, &str); 3] = [
    ("bash", "share/bash-completion/completions/kymo"),
    ("zsh", "share/zsh/site-functions/_kymo"),
    ("fish", "share/fish/vendor_completions.d/kymo.fish"),
];

/// Where the package for Python is. Those who do not use `pip` name the folder in PYTHONPATH.
const PYTHON: &str = "lib/kymo/python/kymograph";

/// Where the OTF2 library is under the names that programs ask for, so that no program gets it
/// unasked.
const OTF2: &str = "lib/kymo/otf2";
/// The shared library; programs that were linked with it ask for this name.
const OTF2_SHARED: &str = "libotf2.so.10";
/// Further names of that file: for linkers, for Debian's programs, for the Python package, and our
/// own; and those of `otf2-config` for programs that ask for exactly an earlier version.
const OTF2_LINKS: [(&str, &str); 9] = [
    ("lib/kymo/otf2/libotf2.so", OTF2_SHARED),
    ("lib/kymo/otf2/libopen-trace-format2.so.10", OTF2_SHARED),
    ("lib/kymo/otf2/libopen-trace-format2.so", OTF2_SHARED),
    ("lib/kymo/otf2/_otf2.so", OTF2_SHARED),
    ("lib/libkymo_otf2.so", "kymo/otf2/libotf2.so.10"),
    ("lib/kymo/otf2/libotf2.a", "../../libkymo_otf2.a"),
    ("lib/kymo/otf2/libopen-trace-format2.a", "../../libkymo_otf2.a"),
    ("lib/kymo/otf2/3.0/bin/otf2-config", "../../bin/otf2-config"),
    ("lib/kymo/otf2/3.1/bin/otf2-config", "../../bin/otf2-config"),
];

/// Returns all files; `built` is the directory where cargo stores programs and libraries. The
/// program in `native` runs on this machine.
pub(crate) fn all(built: &Path, native: &Path) -> Result<Vec<File>, Problem> {
    let mut files = vec![program(&built.join(PROGRAM), &Path::new("bin").join(PROGRAM))?];
    for library in LIBRARIES {
        files.push(program(&built.join(library), &Path::new("lib").join(library))?);
    }
    files.push(data(&built.join(STATIC_LIBRARY), &Path::new("lib").join(STATIC_LIBRARY))?);
    files.extend(otf2(built)?);
    files.extend(folder(&root().join("python/kymograph"), Path::new(PYTHON))?);
    files.push(program(&built.join("lib_native.so"), &Path::new(PYTHON).join("_native.abi3.so"))?);
    files.extend(config::files()?);
    for (from, to) in [
        ("include", "include"),
        ("include/kymo", "include/kymo"),
        ("include/scorep", "include/scorep"),
        ("docs/man", "share/man/man1"),
        ("docs", "share/doc/kymo"),
        ("docs/start", "share/doc/kymo/start"),
        ("docs/tasks", "share/doc/kymo/tasks"),
        ("docs/questions", "share/doc/kymo/questions"),
        ("docs/questions/findings", "share/doc/kymo/questions/findings"),
        ("docs/reference", "share/doc/kymo/reference"),
        ("docs/reference/record", "share/doc/kymo/reference/record"),
        ("docs/authors", "share/doc/kymo/authors"),
        ("examples/c", "share/doc/kymo/examples/c"),
    ] {
        files.extend(folder(&root().join(from), Path::new(to))?);
    }
    files.push(skill::file()?);
    let schema = root().join("docs/reference/explain.schema.json");
    files.push(data(&schema, Path::new("share/kymo/schema/explain.json"))?);
    files.push(data(&root().join("LICENSE"), Path::new("share/doc/kymo/LICENSE"))?);
    for (shell, path) in SHELLS {
        files.push(completions(&native.join(PROGRAM), shell, path)?);
    }
    Ok(files)
}

/// Returns the files of the OTF2 library.
fn otf2(built: &Path) -> Result<Vec<File>, Problem> {
    let (source, to) = (root().join("crates/otf2-c"), Path::new(OTF2));
    let mut files = vec![
        program(&stripped(&built.join("libkymo_otf2_c.so"), built), &to.join(OTF2_SHARED))?,
        data(&built.join("libkymo_otf2_c.a"), Path::new("lib/libkymo_otf2.a"))?,
        program(&source.join("bin/otf2-config"), &to.join("bin/otf2-config"))?,
        data(&source.join("pkgconfig/otf2.pc"), &to.join("pkgconfig/otf2.pc"))?,
    ];
    files.extend(folder(&source.join("include/otf2"), &to.join("include/otf2"))?);
    files.extend(
        OTF2_LINKS
            .map(|(path, target)| File { path: PathBuf::from(path), content: Content::Link(target.into()) }),
    );
    Ok(files)
}

/// Makes a copy of the OTF2 library in a folder, with only the symbols that the loader needs, as
/// OTF2's own tests of the Python package expect. Returns its path, or that of the library if there
/// is no `strip`.
fn stripped(library: &Path, folder: &Path) -> PathBuf {
    let copy = folder.join(OTF2_SHARED);
    let mut strip = process::program("strip");
    strip.arg("--strip-unneeded").arg("-o").arg(&copy).arg(library);
    match process::run(&mut strip) {
        Ok(()) => copy,
        Err(_) => library.to_owned(),
    }
}

fn program(from: &Path, to: &Path) -> Result<File, Problem> {
    Ok(File { path: to.to_owned(), content: Content::Program(read(from)?) })
}

fn data(from: &Path, to: &Path) -> Result<File, Problem> {
    Ok(File { path: to.to_owned(), content: Content::Data(read(from)?) })
}

fn read(path: &Path) -> Result<Vec<u8>, Problem> {
    fs::read(path).map_err(|error| of(path, error))
}

/// Returns the files of a directory, without those of its subdirectories.
fn folder(from: &Path, to: &Path) -> Result<Vec<File>, Problem> {
    let entries = fs::read_dir(from).map_err(|error| of(from, error))?;
    let mut paths: Vec<PathBuf> =
        entries.flatten().map(|entry| entry.path()).filter(|path| path.is_file()).collect();
    paths.sort();
    paths.iter().map(|path| data(path, &to.join(path.file_name().unwrap_or_default()))).collect()
}

fn completions(program: &Path, shell: &str, path: &str) -> Result<File, Problem> {
    let output =
        Command::new(program).args(["completions", shell]).output().map_err(|error| of(program, error))?;
    match output.status.success() {
        true => Ok(File { path: PathBuf::from(path), content: Content::Data(output.stdout) }),
        false => Err(of(program, format_args!("completions {shell} failed"))),
    }
}
