//! The recording of one process: the archive that it completed, or one that is recovered after it
//! was cut off.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use kymo_recorder::recovery;

use super::content::Content;
use super::experiment::{ANCHOR, Facts, Outcome, numbers};
use crate::recover::{self, Known, Recovered, Taken};
use crate::tree;

/// The folder of a recovered archive, inside that of its process.
const RECOVERED: &str = "recovered";

/// The folder of a process, with its archive.
#[derive(Debug)]
pub(super) struct ProcessArchive {
    pub(super) path: PathBuf,
    recovered: Option<Box<Recovered>>,
    pub(super) content: Content,
}

impl ProcessArchive {
    /// Takes the archive of a process, if there is one. Everything else is counted in `outcome`.
    pub(super) fn take(path: PathBuf, facts: &Facts, outcome: &mut Outcome) -> Option<Self> {
        if recover::is_complete(&path) {
            let content = Content::of(&path.join(ANCHOR));
            return Some(Self { path, recovered: None, content });
        }
        if !facts.recovers || !is_cut_off(&path) {
            return None;
        }
        match recover::take(&path, &path.join(RECOVERED).join("traces.otf2"), known(&path, facts)) {
            Ok(Taken::Archive(recovered)) => {
                outcome.cut_off.add(&recovered);
                let content = Content::of(&path.join(RECOVERED).join("traces.otf2"));
                return Some(Self { path, recovered: Some(recovered), content });
            }
            // The recording may be about to begin.
            Ok(Taken::Nothing) if runs(&path) => {}
            Ok(Taken::Nothing) => {
                outcome.empty += 1;
                // Only settings of a measurement that did not begin.
                let _ = tree::remove(&path);
            }
            Ok(Taken::Running) => {}
            Err(problem) => outcome.lack(&problem),
        }
        None
    }

    pub(super) fn anchor(&self) -> PathBuf {
        match self.recovered {
            Some(_) => self.path.join(RECOVERED).join("traces.otf2"),
            None => self.path.join(ANCHOR),
        }
    }

    pub(super) fn is_recovered(&self) -> bool {
        self.recovered.is_some()
    }

    /// Whether the process left data that is not in the archive.
    pub(super) fn is_partial(&self) -> bool {
        self.recovered.as_ref().is_some_and(|recovered| recovered.is_partial())
    }

    /// Turns this archive into that of the measurement.
    pub(super) fn become_all(&self, folder: &Path) -> io::Result<()> {
        if self.is_recovered() {
            fs::rename(self.path.join(RECOVERED), folder.join("kymo"))?;
        }
        // The archive is in place; files that remain are no reason to fail.
        match self.settle() {
            true => self.move_up(folder),
            false => Ok(()),
        }
    }

    /// Removes the files whose data is in the archive of the measurement. If `folder` is given, the
    /// files next to the archive are moved there.
    pub(super) fn go(&self, folder: Option<&Path>) {
        if !self.settle() {
            return;
        }
        // The data is in another archive; files that cannot be removed do no harm.
        if let Some(folder) = folder {
            let _ = tree::remove(&self.path.join("kymo")).and_then(|()| self.move_up(folder));
        }
        let _ = tree::remove(&self.path);
    }

    /// Removes the recovered archive.
    pub(super) fn undo(&self) {
        let _ = tree::remove(&self.path.join(RECOVERED));
    }

    /// Removes the files from which an archive was recovered, unless the archive is incomplete.
    /// Returns whether the rest may be removed too.
    fn settle(&self) -> bool {
        let Some(recovered) = &self.recovered else { return true };
        self.undo();
        if self.is_partial() {
            return false;
        }
        let cleaned = recovered.clean().map_err(|problem| problem.report());
        let gone = ["kymo", "running"].map(|name| tree::remove(&self.path.join(name)));
        cleaned.is_ok() && gone.iter().all(Result::is_ok)
    }

    /// Moves the contents of the folder to another one.
    fn move_up(&self, folder: &Path) -> io::Result<()> {
        for name in tree::names(&self.path)? {
            fs::rename(self.path.join(&name), folder.join(&name))?;
        }
        fs::remove_dir(&self.path)
    }
}

/// Returns the known facts about a process that was cut off.
fn known(part: &Path, facts: &Facts) -> Known {
    let text = fs::read_to_string(part.join("scorep.cfg")).unwrap_or_default();
    let name = text.lines().next().and_then(|line| line.strip_prefix("# ")).map(str::to_owned);
    let process = part.file_name().and_then(numbers).and_then(|(process, _)| process.try_into().ok());
    let signal = process.and_then(|process: u32| facts.signals.get(&process));
    let properties = signal.map(|signal| ("signal".to_owned(), signal.to_string()));
    let more = recovery::Known { properties: properties.into_iter().collect(), resolution: facts.resolution };
    Known { name, more }
}

/// Whether a process with the ID in the folder's name is running. If it is a different process by
/// now, the folder is kept.
fn runs(part: &Path) -> bool {
    let process = part.file_name().and_then(numbers).map(|(process, _)| process.to_string());
    process.is_some_and(|process| Path::new("/proc").join(process).exists())
}

/// Whether a process without an archive was cut off, or left data to recover. A process that ended
/// normally and left nothing has reported why.
fn is_cut_off(part: &Path) -> bool {
    ["running", "scorep.cfg", "kymo/recovery", "kymo/traces"].iter().any(|name| part.join(name).exists())
}
