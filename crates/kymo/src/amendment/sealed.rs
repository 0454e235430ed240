//! The seal of an archive of which some files are replaced.

use std::io::{self, ErrorKind};
use std::path::Path;

use kymo_otf2::storage::Directory;
use kymo_otf2::{FileName, Storage};
use kymo_recorder::seal::{BLOCK, Fault, SealReader, put_line, whole};

use super::Amendment;
use crate::problem::Problem;
use crate::regular;
use crate::status::Status;

/// Returns the seal with new checksums of the files that are replaced; `None` if the archive has no
/// seal.
///
/// # Errors
///
/// If the seal is damaged, or if one of the files differs from the sealed one: new checksums would
/// hide that.
pub(super) fn renewed(amendment: &Amendment, files: &[FileName]) -> Result<Option<String>, Problem> {
    let path = amendment.path(FileName::Seal);
    let failed = |path: &Path, error: io::Error| Problem::of(path, error, Status::Environment);
    let text = match regular::read(&path, u64::MAX) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        text => text.map_err(|error| failed(&path, error))?,
    };
    read(&text).map_err(|fault| Problem::of(&path, damaged(&fault), Status::Faulty))?;
    let text = String::from_utf8_lossy(&text);
    let names: Vec<String> = files.iter().map(|file| file.path("").to_string()).collect();
    let (replaced, mut lines) = split(&text, &names);
    let folder = Directory::open_named(&amendment.folder, &amendment.name)
        .map_err(|error| failed(&amendment.folder, error))?;
    for (&file, name) in files.iter().zip(&names) {
        let Some(line) = replaced.iter().find(|line| is_of(line, name)) else { continue };
        let path = amendment.path(file);
        if *line != current(&folder, file).map_err(|error| failed(&path, error))? {
            let what = "not as it was sealed: 'kymo check' shows where, 'kymo seal --renew' accepts it";
            return Err(Problem::of(&path, what, Status::Faulty));
        }
    }
    for &file in files {
        put_line(&amendment.storage, file, &mut lines)
            .map_err(|error| failed(&amendment.path(file), error))?;
    }
    Ok(Some(whole(&lines)))
}

fn damaged(fault: &Fault) -> String {
    match fault {
        Fault::Expected(offset, _) => format!("byte {offset}: {fault}"),
        Fault::Io(_) => fault.to_string(),
    }
}

/// Reads a seal to its end.
fn read(text: &[u8]) -> Result<(), Fault> {
    let mut reader = SealReader::new(text)?;
    while let Some((_, length)) = reader.file()? {
        for _ in 0..length.div_ceil(BLOCK as u64) {
            reader.sum()?;
        }
    }
    Ok(())
}

/// Splits the lines of a seal, without the first and the last, into those of these files and all
/// others.
fn split<'a>(text: &'a str, names: &[String]) -> (Vec<&'a str>, String) {
    let mut lines: Vec<&str> = text.lines().skip(1).collect();
    lines.pop();
    let (replaced, others): (Vec<_>, Vec<_>) =
        lines.into_iter().partition(|line| names.iter().any(|name| is_of(line, name)));
    (replaced, others.into_iter().flat_map(|line| [line, "\n"]).collect())
}

/// Whether a line of a seal is that of the file with this name.
fn is_of(line: &str, name: &str) -> bool {
    line.strip_prefix(name).is_some_and(|rest| rest.starts_with(' '))
}

/// Returns the line of a file as it is now; an empty line if it is missing.
fn current(folder: &dyn Storage, file: FileName) -> io::Result<String> {
    let mut line = String::new();
    match put_line(folder, file, &mut line) {
        Err(error) if error.kind() == ErrorKind::NotFound => {}
        put => put?,
    }
    Ok(line.trim_end().to_owned())
}
