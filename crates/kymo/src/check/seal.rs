//! The seal of an archive, if it has one: every block of every file is unchanged since it was
//! sealed, and there are no other files.

use std::collections::HashSet;
use std::fs::File;
use std::io::{self, BufRead, BufReader, ErrorKind, Read};
use std::path::Path;
use std::time::SystemTime;

use kymo_otf2::FileName;
use kymo_otf2::read::Archive;
use kymo_recorder::seal::{BLOCK, Fault, SealReader};

use super::findings::{Findings, Place};
use super::kinds::FindingKind;
use super::trouble::Trouble;
use crate::regular;
use crate::seal::{name_of, on_disk};

/// Compares the archive with its seal, if there is one.
pub(crate) fn check(archive: &Archive, trouble: &mut Trouble, findings: &mut Findings<'_>) {
    let path = archive.path(FileName::Seal);
    match regular::open(&path) {
        Err(error) if error.kind() == ErrorKind::NotFound => return,
        Err(source) => {
            return trouble.report(FileName::Seal, &kymo_otf2::Error::Io { file: None, source }, findings);
        }
        Ok(_) => {}
    }
    // First checks that the seal is complete; otherwise its checksums mean nothing.
    let compared = read(&path, |_, _, _| Ok(())).and_then(|()| {
        let mut comparison = Comparison { archive, sealed: modified(&path), files: HashSet::new() };
        read(&path, |reader, file, length| comparison.file(reader, file, length, trouble, findings))?;
        comparison.extra_files(findings)
    });
    match compared {
        Ok(()) => {}
        Err(Fault::Expected(offset, what)) => {
            let place = Place::byte(FileName::Seal, offset);
            findings.find(FindingKind::BadSeal, place, format_args!("expected {what}"));
        }
        Err(Fault::Io(source)) => {
            trouble.report(FileName::Seal, &kymo_otf2::Error::Io { file: None, source }, findings);
        }
    }
}

fn modified(path: &Path) -> Option<SystemTime> {
    path.metadata().and_then(|metadata| metadata.modified()).ok()
}

type Seal = SealReader<BufReader<File>>;

/// Passes each file of the seal, with its length, to `visit`. Checksums that it does not read are
/// skipped.
fn read(
    path: &Path,
    mut visit: impl FnMut(&mut Sums<'_, BufReader<File>>, FileName, u64) -> Result<(), Fault>,
) -> Result<(), Fault> {
    let mut reader: Seal = SealReader::new(BufReader::new(regular::open(path)?))?;
    while let Some((file, length)) = reader.file()? {
        let mut sums = Sums { reader: &mut reader, left: length.div_ceil(BLOCK as u64) };
        visit(&mut sums, file, length)?;
        while sums.next()?.is_some() {}
    }
    Ok(())
}

/// The checksums of a file.
struct Sums<'a, R> {
    reader: &'a mut SealReader<R>,
    left: u64,
}

impl<R: BufRead> Sums<'_, R> {
    fn next(&mut self) -> Result<Option<u32>, Fault> {
        if self.left == 0 {
            return Ok(None);
        }
        self.left -= 1;
        self.reader.sum().map(Some)
    }
}

struct Comparison<'a> {
    archive: &'a Archive,
    /// The time at which the seal was written.
    sealed: Option<SystemTime>,
    /// The files in the seal.
    files: HashSet<FileName>,
}

impl Comparison<'_> {
    fn file(
        &mut self,
        sums: &mut Sums<'_, BufReader<File>>,
        file: FileName,
        length: u64,
        trouble: &mut Trouble,
        findings: &mut Findings<'_>,
    ) -> Result<(), Fault> {
        self.files.insert(file);
        let path = self.archive.path(file);
        let mut content = match regular::open(&path) {
            Err(error) if error.kind() == ErrorKind::NotFound => {
                let what = format!("the file is missing; {length} bytes were sealed");
                findings.find(FindingKind::SealMissingFile, Place::file(file), format_args!("{what}"));
                return Ok(());
            }
            Err(source) => {
                trouble.report(file, &kymo_otf2::Error::Io { file: None, source }, findings);
                return Ok(());
            }
            Ok(content) => content,
        };
        let when = match modified(&path).zip(self.sealed) {
            Some((file, seal)) if file > seal => "; the file was written to after it was sealed",
            _ => "",
        };
        let found = content.metadata()?.len();
        if found != length {
            let what = format!("{found} bytes, but {length} were sealed{when}");
            findings.find(
                FindingKind::SealLength,
                Place::byte(file, found.min(length)),
                format_args!("{what}"),
            );
        }
        if let Err(source) = blocks(sums, &mut content, file, length, when, findings)? {
            trouble.report(file, &kymo_otf2::Error::Io { file: None, source }, findings);
        }
        Ok(())
    }

    fn extra_files(&self, findings: &mut Findings<'_>) -> Result<(), Fault> {
        let Some((folder, name)) = name_of(&self.archive.path(FileName::Anchor)) else { return Ok(()) };
        for file in on_disk(&folder, &name)?.into_iter().filter(|file| !self.files.contains(file)) {
            findings.find(
                FindingKind::SealExtraFile,
                Place::file(file),
                format_args!("the file was not sealed"),
            );
        }
        Ok(())
    }
}

/// Compares the blocks of a file, up to the first one that is cut off.
fn blocks(
    sums: &mut Sums<'_, BufReader<File>>,
    content: &mut File,
    file: FileName,
    length: u64,
    when: &str,
    findings: &mut Findings<'_>,
) -> Result<io::Result<()>, Fault> {
    let mut block = Vec::with_capacity(BLOCK);
    let mut offset = 0;
    while let Some(sum) = sums.next()? {
        let size = (length - offset).min(BLOCK as u64);
        block.clear();
        if let Err(error) = content.by_ref().take(size).read_to_end(&mut block) {
            return Ok(Err(error));
        }
        if block.len() as u64 != size {
            return Ok(Ok(()));
        }
        if crc32fast::hash(&block) != sum {
            let what = format!("these {size} bytes differ from those that were sealed{when}");
            findings.find(FindingKind::SealBlock, Place::byte(file, offset), format_args!("{what}"));
        }
        offset += size;
    }
    Ok(Ok(()))
}
