//! The files in which a process may have named its code.
//!
//! The number of a process is used again, and anyone can write into `/tmp`. Invariant: a file
//! counts only if it belongs to the user of the process, was last written while the process
//! existed, and is on the same system, in the same folder `/tmp`; links are not followed.

use std::fs::{self, File, Metadata};
use std::io;
use std::os::unix::fs::{MetadataExt, OpenOptionsExt};
use std::path::Path;
use std::time::{Duration, UNIX_EPOCH};

use kymo_symbols::code_generator::CodeGenerator;
use rustix::fs::OFlags;

use crate::recover::Machine;

/// The folder of perf maps.
pub(super) const FOLDER: &str = "/tmp";
/// The times of files are those of the last tick of the scheduler's clock.
const TICK: Duration = Duration::from_millis(20);
/// How long after its last event a process may write, or one that was killed may have written.
const AFTER: Duration = Duration::from_secs(60);

/// The conditions on a file that a process has written.
#[derive(Debug, Clone, Copy)]
pub(super) struct WriterFacts {
    pub(super) user: u32,
    /// The begin of the process, and the last known time of it, in nanoseconds since 1970.
    pub(super) began: u64,
    pub(super) end: Option<u64>,
    /// The begin of the next program that the same process executed.
    pub(super) next: Option<u64>,
}

impl WriterFacts {
    /// Opens a file of the process. Returns `None` if there is none, or only one from before its
    /// begin, and a sentence if the file cannot be trusted.
    pub(super) fn open(&self, path: &Path) -> Result<Option<File>, String> {
        let flags = OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
        let file = match File::options().read(true).custom_flags(flags.bits().cast_signed()).open(path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            file => file.map_err(|error| error.to_string())?,
        };
        let metadata = file.metadata().map_err(|error| error.to_string())?;
        self.accepts(&metadata).map(|is_own| is_own.then_some(file))
    }

    fn accepts(&self, file: &Metadata) -> Result<bool, String> {
        let written = file.modified().ok().and_then(|time| time.duration_since(UNIX_EPOCH).ok());
        let written = written.unwrap_or_default();
        let at = Duration::from_nanos;
        if written + TICK < at(self.began) {
            return Ok(false);
        }
        if !file.is_file() {
            return Err("it is no regular file".to_owned());
        }
        if file.uid() != self.user {
            let (owner, user) = (file.uid(), self.user);
            return Err(format!("it belongs to user {owner}, the process to user {user}"));
        }
        if self.next.is_some_and(|next| at(next) <= written + TICK) {
            return Err("a later program of the same process has written it".to_owned());
        }
        if self.end.is_some_and(|end| at(end) + AFTER < written) {
            return Err("it was written after the process had ended".to_owned());
        }
        Ok(true)
    }
}

/// Whether this is the system on which a process has generated code. Unknown is another one.
pub(super) fn is_same_system(generator: &CodeGenerator) -> bool {
    !generator.boot.is_empty() && Machine::here().boot == generator.boot
}

/// Whether the folder `/tmp` is that of the process.
pub(super) fn has_same_folder(generator: &CodeGenerator) -> bool {
    fs::metadata(FOLDER).is_ok_and(|it| (it.dev(), it.ino()) == generator.folder)
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::symlink;
    use std::time::SystemTime;

    use rustix::process::geteuid;

    use super::*;

    const SECOND: u64 = 1_000_000_000;

    fn now() -> u64 {
        SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_nanos() as u64)
    }

    #[test]
    fn only_files_that_the_process_may_have_written_are_opened() {
        let folder = tempfile::tempdir().unwrap();
        let (path, link) = (folder.path().join("map"), folder.path().join("link"));
        let facts = WriterFacts { user: geteuid().as_raw(), began: now(), end: Some(now()), next: None };
        let open = |facts: &WriterFacts| facts.open(&path).map(|file| file.is_some());
        assert_eq!(open(&facts), Ok(false));
        fs::write(&path, "text").unwrap();
        symlink(&path, &link).unwrap();
        assert_eq!(open(&facts), Ok(true));
        assert!(facts.open(&link).is_err() && facts.open(folder.path()).is_err());
        let refused = |facts: WriterFacts, why: &str| {
            let error = open(&facts).unwrap_err();
            assert!(error.contains(why), "{error}");
        };
        assert_eq!(open(&WriterFacts { began: now() + SECOND, ..facts }), Ok(false));
        refused(WriterFacts { user: facts.user + 1, ..facts }, "belongs to user");
        refused(WriterFacts { end: Some(now() - 100 * SECOND), ..facts }, "had ended");
        assert_eq!(open(&WriterFacts { end: Some(now() - 20 * SECOND), ..facts }), Ok(true));
        refused(WriterFacts { next: Some(facts.began), ..facts }, "later program");
        assert_eq!(open(&WriterFacts { next: Some(now() + SECOND), ..facts }), Ok(true));
    }

    #[test]
    fn processes_of_other_systems_and_folders_are_recognized() {
        let folder = fs::metadata(FOLDER).map(|it| (it.dev(), it.ino())).unwrap();
        let here = CodeGenerator { boot: Machine::here().boot, folder, ..CodeGenerator::default() };
        assert!(is_same_system(&here) && has_same_folder(&here));
        assert!(!is_same_system(&CodeGenerator { boot: "other".into(), ..here.clone() }));
        assert!(!is_same_system(&CodeGenerator { boot: String::new(), ..here.clone() }));
        assert!(!has_same_folder(&CodeGenerator { folder: (0, 0), ..here }));
    }
}
