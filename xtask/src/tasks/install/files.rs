//! The files that are installed, in the places where loaders, compilers, `man` and shells look for
//! them.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::repository::root;
use crate::{Problem, of};

/// A file that is installed.
#[derive(Debug)]
pub(crate) struct File {
    /// The path relative to the prefix.
    pub(crate) path: PathBuf,
    pub(crate) content: Vec<u8>,
    pub(crate) is_program: bool,
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

/// Returns all files; `built` is the directory where cargo stores programs and libraries.
pub(crate) fn all(built: &Path) -> Result<Vec<File>, Problem> {
    let mut files = vec![File { is_program: true, ..copy(&built.join(PROGRAM), Path::new("bin"))? }];
    for library in LIBRARIES {
        files.push(File { is_program: true, ..copy(&built.join(library), Path::new("lib"))? });
    }
    files.push(copy(&built.join(STATIC_LIBRARY), Path::new("lib"))?);
    for (from, to) in [
        ("include", "include"),
        ("include/kymo", "include/kymo"),
        ("include/scorep", "include/scorep"),
        ("docs/man", "share/man/man1"),
        ("docs", "share/doc/kymo"),
    ] {
        files.extend(folder(&root().join(from), Path::new(to))?);
    }
    files.push(copy(&root().join("LICENSE"), Path::new("share/doc/kymo"))?);
    for (shell, path) in SHELLS {
        files.push(completions(&built.join(PROGRAM), shell, path)?);
    }
    Ok(files)
}

fn copy(from: &Path, folder: &Path) -> Result<File, Problem> {
    let content = fs::read(from).map_err(|error| of(from, error))?;
    let path = folder.join(from.file_name().unwrap_or_default());
    Ok(File { path, content, is_program: false })
}

/// Returns the files of a directory, without those of its subdirectories.
fn folder(from: &Path, to: &Path) -> Result<Vec<File>, Problem> {
    let entries = fs::read_dir(from).map_err(|error| of(from, error))?;
    let mut paths: Vec<PathBuf> =
        entries.flatten().map(|entry| entry.path()).filter(|path| path.is_file()).collect();
    paths.sort();
    paths.iter().map(|path| copy(path, to)).collect()
}

fn completions(program: &Path, shell: &str, path: &str) -> Result<File, Problem> {
    let output =
        Command::new(program).args(["completions", shell]).output().map_err(|error| of(program, error))?;
    match output.status.success() {
        true => Ok(File { path: PathBuf::from(path), content: output.stdout, is_program: false }),
        false => Err(of(program, format_args!("completions {shell} failed"))),
    }
}
