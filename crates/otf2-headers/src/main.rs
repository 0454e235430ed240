//! Writes the C headers of the OTF2 library that depend on the tables of records.
//!
//!     kymo-otf2-headers            # or: cargo xtask headers
//!     kymo-otf2-headers --check    # compares only
//!
//! A header is a template in `templates` with lines `//@ piece argument`, which are replaced by
//! declarations made from the tables of `kymo-otf2`. Headers without such lines are not generated:
//! they are edited in `include/otf2`.

#![forbid(unsafe_code)]

mod callbacks;
mod comment;
mod constants;
mod declaration;
mod estimator;
mod record;
mod tables;
mod template;
mod values;
mod writers;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// The reason why the headers could not be written.
type Problem = String;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let result = match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        [] => each_header(write),
        ["--check"] => each_header(compare),
        _ => Err("usage: kymo-otf2-headers [--check]".to_owned()),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(problem) => {
            eprintln!("headers: {problem}");
            ExitCode::FAILURE
        }
    }
}

/// The folder of this package.
fn package() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Makes every header, and passes its path and its text to `use_header`.
fn each_header(use_header: fn(&Path, &str) -> Result<(), Problem>) -> Result<(), Problem> {
    let constants = constants::Constants::read()?;
    let mut templates = files(&package().join("templates"))?;
    templates.sort();
    for path in templates {
        let text = read(&path)?;
        let name = path.file_name().unwrap_or_default();
        let header = template::fill(&text, &constants).map_err(|problem| of(&path, problem))?;
        use_header(&package().join("../otf2-c/include/otf2").join(name), &header)?;
    }
    Ok(())
}

fn write(path: &Path, header: &str) -> Result<(), Problem> {
    fs::write(path, header).map_err(|error| of(path, error))
}

fn compare(path: &Path, header: &str) -> Result<(), Problem> {
    match read(path)? == header {
        true => Ok(()),
        false => Err(of(path, "differs from what the tables give: run `cargo xtask headers`")),
    }
}

fn files(folder: &Path) -> Result<Vec<PathBuf>, Problem> {
    let entries = fs::read_dir(folder).map_err(|error| of(folder, error))?;
    entries.map(|entry| entry.map(|it| it.path()).map_err(|error| of(folder, error))).collect()
}

fn read(path: &Path) -> Result<String, Problem> {
    fs::read_to_string(path).map_err(|error| of(path, error))
}

fn of(path: &Path, problem: impl std::fmt::Display) -> Problem {
    format!("{}: {problem}", path.display())
}
